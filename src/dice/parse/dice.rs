//! A count, a die and its modifiers.

use crate::dice::ast::{Count, Dice, DieSlot, Int, Modifier, Node};
use crate::dice::die::Die;
use crate::dice::error::{Code, DiceError};
use crate::dice::evaluate::constant;
use crate::dice::parse::modifier::Read;
use crate::dice::parse::{self, Dialect, LIMITS, Parser};
use crate::dice::rewrite::Rewrite;
use crate::dice::span::Span;

impl Parser<'_> {
    /// Reads from the `d` on.
    pub(super) fn dice(&mut self, count: Count, start: usize) -> Result<Node, DiceError> {
        let whole = start == self.start;
        self.cursor.bump();
        let die = self.die(start)?;
        let span = self.cursor.since(start);
        if let Count::Int(Int::Literal(count)) = &count {
            check_count(*count, span)?;
        }
        let mut dice = Dice { count, die, modifiers: Vec::new(), span };
        self.modifiers(&mut dice, whole)?;
        dice.span = self.cursor.since(start);
        Ok(Node::Dice(Box::new(dice)))
    }

    fn modifiers(&mut self, dice: &mut Dice, whole: bool) -> Result<(), DiceError> {
        let mut bare = None;
        loop {
            self.cursor.skip_space();
            let start = self.cursor.at();
            match self.modifier(dice, whole)? {
                Read::Nothing => break,
                Read::Advantage(mode) => {
                    let span = self.cursor.since(start);
                    crate::dice::advantage::check_die(dice, mode, span)?;
                    self.note_advantage_at_die(mode, span)?;
                }
                Read::Modifier(kind) => {
                    let span = self.cursor.since(start);
                    if dice.modifiers.len() >= LIMITS.modifiers {
                        return Err(DiceError::limit("modifiers", LIMITS.modifiers, span, "4d6kh3"));
                    }
                    dice.modifiers.push(Modifier { kind, span });
                }
                Read::BareCount(kind) => {
                    let span = self.cursor.since(start);
                    bare = Some(span);
                    dice.modifiers.push(Modifier { kind, span });
                }
            }
        }
        match bare {
            Some(span) if matches!(self.cursor.next(), b'+' | b'-' | b'*' | b'/') => Err(self.bare_count(span)),
            _ => Ok(()),
        }
    }

    /// The refusal of `5+1d20>=15` and `1d20>=15+5`: a count of dice, or a check of the total?
    pub(super) fn bare_count(&self, span: Span) -> DiceError {
        let at = span.range().start;
        let before = self.cursor.slice(self.start, at).trim_end().len();
        let total = Rewrite::new("to check the total").insert(self.start, "(").insert(self.start + before, ")");
        DiceError::new(
            Code::Ambiguous,
            span,
            "Beside arithmetic, a comparison could count dice or check the total.",
            "To count dice write t behind them; to check the total put it in parentheses.",
            "(5 + 1d20) >= 15",
        )
        .offering(Rewrite::new("to count dice").insert(at, "t"))
        .offering(total)
    }

    /// The refusal of `8d10t8>=3`, where the dice are counted already.
    pub(super) fn counted_already(&self, span: Span) -> DiceError {
        let range = span.range();
        let before = self.cursor.slice(self.start, range.start).trim_end().len();
        let sign = self.cursor.slice(range.start, range.end).trim_start();
        let check = Rewrite::new("to check the number of successes");
        let check = match sign.strip_prefix(">=") {
            Some(target) => check.replace(range, format!(" vs {target}")),
            None => check.insert(self.start, "(").insert(self.start + before, ")"),
        };
        DiceError::new(
            Code::Duplicate,
            span,
            "These dice are counted already.",
            "Count once; to check the number of successes write vs and how many.",
            "5d10t8 vs 3",
        )
        .offering(check)
    }

    fn die(&mut self, start: usize) -> Result<DieSlot, DiceError> {
        let next = self.cursor.next();
        let at = self.cursor.at();
        let fixed = match next {
            b'%' => {
                self.cursor.bump();
                Die::Percent
            }
            b'f' => {
                self.cursor.bump();
                self.fate()
            }
            b'{' if self.at_variable() => {
                let variable = self.variable()?;
                return Ok(DieSlot::Variable(Box::new(variable)));
            }
            b'{' => self.faces(at)?,
            b'0'..=b'9' => {
                let sides = self.literal()?.unwrap_or(0);
                Die::Sides(check_sides(sides, self.cursor.since(start))?)
            }
            _ => return Err(self.no_sides(start)),
        };
        Ok(DieSlot::Fixed(fixed))
    }

    fn fate(&mut self) -> Die {
        if self.cursor.at_word(".1") {
            self.cursor.go(self.cursor.at() + 2);
            return Die::FateOne;
        }
        if self.cursor.at_word(".2") {
            self.cursor.go(self.cursor.at() + 2);
        }
        Die::Fate
    }

    fn faces(&mut self, start: usize) -> Result<Die, DiceError> {
        self.cursor.bump();
        let mut faces = Vec::new();
        loop {
            faces.push(self.signed_literal()?);
            if !self.cursor.take(b',') {
                break;
            }
        }
        self.expect(b'}', "a closing brace", "1d{1, 1, 2, 5}")?;
        if faces.len() > usize::try_from(LIMITS.sides).unwrap_or(usize::MAX) {
            let span = self.cursor.since(start);
            return Err(DiceError::limit("sides", LIMITS.sides, span, "1d{1, 2, 3}"));
        }
        Ok(Die::Faces(faces))
    }

    fn no_sides(&self, start: usize) -> DiceError {
        let at = self.cursor.at();
        let (next, rest) = (self.cursor.peek(), self.cursor.rest());
        let message = match next {
            b'-' => "A die cannot have a negative number of sides.",
            b'(' => "The number of sides is written, not worked out.",
            _ => "After `d` stands the number of sides.",
        };
        let refusal = DiceError::new(
            Code::InvalidDie,
            Span::new(start, at + usize::from(next == b'-')),
            message,
            "Write a number of sides, %, F or a list of faces after the d.",
            if next == b'-' { "2d6" } else { "1d20" },
        );
        let closed = rest.find(')').map_or(rest.len(), |end| end + 1);
        let computed = rest.get(..closed).filter(|_| next == b'(').and_then(|inner| {
            let sides = parse::members(inner).ok()?.first().and_then(|node| constant(node).ok()?.whole())?;
            Some(Rewrite::new("with the number of sides").replace(at..at + closed, sides.to_string()))
        });
        match (next, computed) {
            (_, Some(rewrite)) => refusal.offering(rewrite),
            // Foundry's coin: heads is 1, tails 0.
            (b'c', _) => refusal.offering(Rewrite::new("to toss coins").replace(at..at + 1, "{0,1}")),
            _ => refusal,
        }
    }

    /// `(2+1)d6`: the count is worked out now, or when variables are bound.
    pub(super) fn computed_count(&mut self, node: Node, start: usize) -> Result<Node, DiceError> {
        let span = self.cursor.since(start);
        let mut dice = 0;
        node.visit_dice(&mut |_| dice += 1);
        if dice > 0 {
            return Err(DiceError::new(
                Code::InvalidDie,
                span,
                "The number of dice cannot itself be rolled.",
                "Roll the number first, then write it.",
                "(2 + 1)d6",
            ));
        }
        if self.dialect == Dialect::Formula && has_variable(&node) {
            return self.dice(Count::Computed(Box::new(node)), start);
        }
        let count = whole_count(&node, span)?;
        self.dice(Count::Int(Int::Literal(count)), start)
    }
}

fn has_variable(node: &Node) -> bool {
    matches!(node, Node::Variable(_)) || node.children().any(has_variable)
}

/// The whole number that a constant count comes to.
pub(crate) fn whole_count(node: &Node, span: Span) -> Result<i64, DiceError> {
    let value = constant(node)?;
    value.whole().ok_or_else(|| {
        DiceError::new(
            Code::InvalidDie,
            span,
            format!("The number of dice is a whole number, not {value}."),
            "Round it with floor( ) or ceil( ).",
            "(floor(5 / 2))d6",
        )
    })
}

/// Refuses no dice, fewer than none, and too many.
pub(crate) fn check_count(count: i64, span: Span) -> Result<(), DiceError> {
    if count < 1 {
        return Err(DiceError::new(
            Code::InvalidDie,
            span,
            format!("There is no roll of {count} dice."),
            "Write how many dice before the d: at least 1.",
            "2d6",
        ));
    }
    match u64::try_from(count) {
        Ok(count) if count <= LIMITS.dice => Ok(()),
        _ => Err(DiceError::limit("dice", LIMITS.dice, span, "100d6")),
    }
}

/// Refuses a die with no sides or too many.
pub(crate) fn check_sides(sides: i64, span: Span) -> Result<u32, DiceError> {
    if sides > LIMITS.sides {
        return Err(DiceError::limit("sides", LIMITS.sides, span, "1d100"));
    }
    match u32::try_from(sides) {
        Ok(sides) if sides > 0 => Ok(sides),
        _ => Err(DiceError::new(
            Code::InvalidDie,
            span,
            format!("There is no die with {sides} sides."),
            "Write a number of sides from 1 to 1000.",
            "1d6",
        )),
    }
}
