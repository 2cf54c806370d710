//! A dice term: how many dice, written or worked out, the die, and its modifiers.

use crate::compare::{Computed, Int, Variable};
use crate::die::{Die, Side, digits};
use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::expression::advantage::check_die;
use crate::expression::print::node_text;
use crate::expression::tree::{Count, Dice, DieSlot, Factor, Node, Number, Sign};
use crate::limits;
use crate::modifiers::Modifier;
use crate::notation::parse::{Dialect, Parser};
use crate::notation::suggestions::repeated;
use crate::roll::constant;
use crate::text::Span;

impl Parser<'_> {
    /// Reads from the `d` on.
    pub(super) fn dice(&mut self, count: Count, start: usize) -> Result<Node, DiceError> {
        let whole = start == self.start;
        self.cursor.bump();
        let at = self.cursor.start();
        if let Some(digits) = digits(self.cursor.take_digits()) {
            return self.digit_dice(&count, start, digits);
        }
        self.cursor.go(at);
        let die = self.die(start)?;
        let span = self.cursor.since(start);
        if let Count::Int(Int::Literal(count)) = &count {
            check_count(*count, span)?;
        }
        let mut dice = Dice {
            count,
            die,
            modifiers: Vec::new(),
            span,
        };
        self.modifiers(&mut dice, whole)?;
        dice.span = self.cursor.since(start);
        Ok(Node::Dice(Box::new(dice)))
    }

    /// `d66`: a die for each digit, the first for the tens. A die of 66 sides is `d(66)`.
    fn digit_dice(
        &mut self,
        count: &Count,
        start: usize,
        (sides, places): (u32, u32),
    ) -> Result<Node, DiceError> {
        let span = self.cursor.since(start);
        if *count != Count::Int(Int::Literal(1)) {
            let (text, end) = (self.cursor.text(), self.cursor.at());
            let die = self.cursor.slice(end - places as usize, end);
            let message =
                format!("A d{die} is {places} dice that are read as digits of one number.");
            let times = self.cursor.slice(start, end - places as usize - 1).trim();
            let each = repeated(text, &format!("d{die}"), times);
            let is_whole = start == 0 && self.cursor.rest().trim().is_empty();
            return Err(Fault::new(Code::InvalidDie, span, message)
                .hint("Roll each by itself.", "repeat(d66, 3)")
                .offering(is_whole.then_some(each))
                .offering(
                    Rewrite::new("for dice with so many sides")
                        .replace(end - places as usize..end, format!("({die})")),
                ));
        }
        let (mut terms, mut worth) = (Vec::new(), 10_i64.pow(places - 1));
        while worth > 0 {
            self.count_term(start)?;
            let die = Node::Dice(Box::new(Dice {
                count: count.clone(),
                die: DieSlot::Fixed(Die::Sides(sides)),
                modifiers: Vec::new(),
                span,
            }));
            let times = (Factor::Times, Node::Number(Number::int(worth, span)));
            let shifted = Node::Product(vec![times, (Factor::Times, die.clone())]);
            terms.push((Sign::Plus, if worth > 1 { shifted } else { die }));
            worth /= 10;
        }
        self.nested(|_| Ok(Node::Sum(terms)))
    }

    fn modifiers(&mut self, dice: &mut Dice, whole: bool) -> Result<(), DiceError> {
        let mut bare = None;
        self.mode_of_die(dice)?;
        loop {
            let start = self.cursor.start();
            if self.at_any_advantage_word() {
                // After another die the word may still mean the whole expression: `1d20 + 1d4 adv`.
                if !matches!(dice.die, DieSlot::Fixed(Die::Sides(20))) {
                    break;
                }
                let Some(mode) = self.advantage_word() else {
                    break;
                };
                let span = self.cursor.since(start);
                check_die(dice, mode, span)?;
                self.note_advantage_at_die(mode, span)?;
                continue;
            }
            let Some((kind, is_bare)) = self.modifier(dice, whole)? else {
                break;
            };
            let span = self.cursor.since(start);
            if !is_bare && dice.modifiers.len() >= limits::MODIFIERS {
                return Err(DiceError::limit(
                    "modifiers",
                    limits::MODIFIERS,
                    span,
                    "4d6kh3",
                ));
            }
            bare = if is_bare { Some(span) } else { bare };
            dice.modifiers.push(Modifier { kind, span });
        }
        match bare {
            Some(span) if matches!(self.cursor.next(), b'+' | b'-' | b'*' | b'/') => {
                Err(self.bare_count(span))
            }
            _ => Ok(()),
        }
    }

    /// The refusal of `5+1d20>=15` and `1d20>=15+5`: a count of dice, or a check of the total?
    pub(super) fn bare_count(&self, span: Span) -> DiceError {
        let at = span.range().start;
        let before = self.cursor.slice(self.start, at).trim_end().len();
        let total = Rewrite::new("to check the total")
            .insert(self.start, "(")
            .insert(self.start + before, ")");
        Fault::new(
            Code::Ambiguous,
            span,
            "Beside arithmetic, a comparison could count dice or check the total.",
        )
        .hint(
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
            None => check
                .insert(self.start, "(")
                .insert(self.start + before, ")"),
        };
        Fault::new(Code::Duplicate, span, "These dice are counted already.")
            .hint(
                "Count once; to check the number of successes write vs and how many.",
                "5d10t8 vs 3",
            )
            .offering(check)
    }

    /// `(2+1)d6`: the count is worked out now, or when variables are bound.
    pub(super) fn computed_count(&mut self, node: Node, start: usize) -> Result<Node, DiceError> {
        let span = self.cursor.since(start);
        if node.has_dice() {
            return Err(rolled(span));
        }
        let count = match self.dialect == Dialect::Formula && has_variable(&node) {
            true => Count::Computed(Box::new(node)),
            false => Count::Int(Int::Literal(whole_count(&node, span)?)),
        };
        self.dice(count, start)
    }

    /// `({rank} + 1)`, where a number is: worked out now, or when variables are bound.
    pub(super) fn computed_int(&mut self) -> Result<Int, DiceError> {
        let start = self.cursor.at();
        self.cursor.bump();
        let node = self.nested(Self::truth)?;
        self.expect(b')', "a closing parenthesis", "4d6kh(1 + 2)")?;
        let span = self.cursor.since(start);
        if node.has_dice() {
            return Err(rolled(span));
        }
        if !has_variable(&node) {
            return whole_count(&node, span).map(Int::Literal);
        }
        let mut variables = Vec::new();
        node.visit(&mut |node| {
            if let Node::Variable(variable) = node {
                variables.push(Variable::clone(variable));
            }
        });
        Ok(Int::Computed(Box::new(Computed {
            text: node_text(&node),
            variables,
            span,
        })))
    }

    /// Reads the die of a term that begins at `start`.
    pub(super) fn die(&mut self, start: usize) -> Result<DieSlot, DiceError> {
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
                return Ok(DieSlot::Open(Int::Variable(Box::new(variable))));
            }
            b'(' => match self.computed_int()? {
                Int::Literal(sides) => Die::Sides(check_sides(sides, self.cursor.since(start))?),
                open => return Ok(DieSlot::Open(open)),
            },
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
        let die = if self.cursor.at_word(".1") {
            Die::FateOne
        } else {
            Die::Fate
        };
        if self.cursor.at_word(".1") || self.cursor.at_word(".2") {
            self.cursor.go(self.cursor.at() + 2);
        }
        die
    }

    fn faces(&mut self, start: usize) -> Result<Die, DiceError> {
        self.cursor.bump();
        let mut faces = Vec::new();
        loop {
            self.face(&mut faces)?;
            if faces.len() > usize::try_from(limits::SIDES).unwrap_or(usize::MAX) {
                let span = self.cursor.since(start);
                return Err(DiceError::limit(
                    "sides",
                    limits::SIDES,
                    span,
                    "1d{1, 2, 3}",
                ));
            }
            if !self.cursor.take(b',') {
                break;
            }
        }
        self.expect(b'}', "a closing brace", "1d{1, 1, 2, 5}")?;
        let number = |side: &Side| side.number.filter(|_| side.symbols.is_empty());
        let numbers: Option<Vec<i64>> = faces.iter().map(number).collect();
        Ok(numbers.map_or(Die::Symbols(faces), Die::Faces))
    }

    /// `3`, `-1`, `SA`, `10H`; `2..14H`: a face with each of these numbers; `-`, `blank`: nothing.
    fn face(&mut self, faces: &mut Vec<Side>) -> Result<(), DiceError> {
        let next = self.cursor.next();
        let from = self.cursor.at();
        if next == b'-'
            && self
                .cursor
                .rest()
                .trim_start_matches('-')
                .trim_start()
                .starts_with([',', '}'])
        {
            self.cursor.bump();
            faces.push(Side::default());
            return Ok(());
        }
        let number = if next.is_ascii_alphabetic() {
            None
        } else {
            Some(self.signed_literal()?)
        };
        let mut last = number;
        if let Some(first) = number.filter(|_| self.cursor.rest().starts_with("..")) {
            self.cursor.go(self.cursor.at() + 2);
            let end = self.signed_literal()?;
            let span = self.cursor.since(from);
            match end.saturating_sub(first).saturating_add(1) {
                ..2 => {
                    return Err(Fault::new(
                        Code::InvalidDie,
                        span,
                        "These faces go from a number to a lower one.",
                    )
                    .hint("Write the lower number first.", "1d{2..14H}"));
                }
                2..=limits::SIDES => last = Some(end),
                _ => return Err(DiceError::limit("sides", limits::SIDES, span, "1d{2..14H}")),
            }
        }
        let (start, rest) = (self.cursor.at(), self.cursor.rest());
        let word = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        self.cursor.go(start + word);
        let symbols = rest.get(..word).unwrap_or_default().to_ascii_uppercase();
        if number.is_none() && symbols == "BLANK" {
            faces.push(Side::default());
            return Ok(());
        }
        if word > SYMBOLS_MAX {
            let span = self.cursor.since(start);
            return Err(DiceError::limit(
                "symbols on one face",
                SYMBOLS_MAX,
                span,
                "1d{-, S, SA}",
            ));
        }
        match number.zip(last) {
            Some((first, last)) => {
                faces.extend((first..=last).map(|number| Side::new(Some(number), &symbols)))
            }
            None => faces.push(Side::new(None, &symbols)),
        }
        Ok(())
    }

    fn no_sides(&self, start: usize) -> DiceError {
        let (at, next) = (self.cursor.at(), self.cursor.peek());
        let (message, example) = match next {
            b'-' => ("A die cannot have a negative number of sides.", "2d6"),
            _ => ("After `d` stands the number of sides.", "1d20"),
        };
        // Foundry's coin: heads is 1, tails 0.
        let coins =
            (next == b'c').then(|| Rewrite::new("to toss coins").replace(at..at + 1, "{0,1}"));
        Fault::new(
            Code::InvalidDie,
            Span::new(start, at + usize::from(next == b'-')),
            message,
        )
        .hint(
            "Write a number of sides, %, F or a list of faces after the d.",
            example,
        )
        .offering(coins)
    }
}

/// The refusal of a number in a dice term that would have to be rolled first.
fn rolled(span: Span) -> DiceError {
    Fault::new(
        Code::InvalidDie,
        span,
        "The number of dice cannot itself be rolled.",
    )
    .hint("Roll the number first, then write it.", "(2 + 1)d6")
}

fn has_variable(node: &Node) -> bool {
    node.any(&|node| matches!(node, Node::Variable(_)))
}

/// The whole number that a constant count comes to.
pub(crate) fn whole_count(node: &Node, span: Span) -> Result<i64, DiceError> {
    let value = constant(node)?;
    value.whole().ok_or_else(|| {
        let message =
            format!("A number of dice, of sides, or of what is kept is whole, not {value}.");
        Fault::new(Code::InvalidDie, span, message)
            .hint("Round it with floor( ) or ceil( ).", "(floor(5 / 2))d6")
    })
}

/// Refuses no dice, fewer than none, and too many.
pub(crate) fn check_count(count: i64, span: Span) -> Result<(), DiceError> {
    if count < 1 {
        return Err(Fault::new(
            Code::InvalidDie,
            span,
            format!("There is no roll of {count} dice."),
        )
        .hint("Write how many dice before the d: at least 1.", "2d6"));
    }
    match u64::try_from(count) {
        Ok(count) if count <= limits::DICE => Ok(()),
        _ => Err(DiceError::limit("dice", limits::DICE, span, "100d6")),
    }
}

/// Symbols on one face.
const SYMBOLS_MAX: usize = 9;

/// Refuses a die with no sides or too many.
pub(crate) fn check_sides(sides: i64, span: Span) -> Result<u32, DiceError> {
    if sides > limits::SIDES {
        return Err(DiceError::limit("sides", limits::SIDES, span, "1d100"));
    }
    match u32::try_from(sides) {
        Ok(sides) if sides > 0 => Ok(sides),
        _ => Err(Fault::new(
            Code::InvalidDie,
            span,
            format!("There is no die with {sides} sides."),
        )
        .hint("Write a number of sides from 1 to 1000.", "1d6")),
    }
}
