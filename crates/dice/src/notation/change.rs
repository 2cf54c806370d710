//! What is made of an expression: with advantage, more added, its dice twice; the most it can be.
//!
//! Whatever can be rolled again is validated like any other request.

use crate::compare::Int;
use crate::die::Die;
use crate::error::{Code, DiceError, Fault};
use crate::expression::Expression;
use crate::expression::bounds::greatest;
use crate::expression::print::{node_text, print_part, sign_text};
use crate::expression::tree::{Count, Dice, DieSlot, Node, Number, Sign};
use crate::limits;
use crate::modifiers::Stage;
use crate::notation::parse::{self, Dialect};
use crate::roll::constant;
use crate::text::Span;

impl Expression {
    /// The numbers that it adds to its dice, floored, but for those in brackets or times dice.
    pub fn beside_dice(&self) -> i64 {
        let Node::Sum(terms) = &self.request().check.node else {
            return 0;
        };
        let signed = terms.iter().filter_map(|(sign, node)| {
            let number = constant(node).ok()?.floor().whole()?;
            Some(if *sign == Sign::Minus {
                number.saturating_neg()
            } else {
                number
            })
        });
        signed.fold(0, i64::saturating_add)
    }

    /// The terms of the sum that it is, in written order, each but the first with its sign; a
    /// comment is at the last. Together they are its text; each is an expression, and so are any
    /// that follow each other.
    pub fn addends(&self) -> Vec<String> {
        let request = self.request();
        let mut texts: Vec<String> = match &request.check.node {
            Node::Sum(terms) if !self.is_compared() => {
                let text = |(nth, (sign, node)): (usize, &(Sign, Node))| {
                    let mut text = sign_text(nth == 0, *sign).to_owned();
                    print_part(&mut text, node, 1);
                    text
                };
                terms.iter().enumerate().map(text).collect()
            }
            _ => return vec![self.to_string()],
        };
        if let (Some(last), Some(comment)) = (texts.last_mut(), &request.comment) {
            last.extend([" # ", comment]);
        }
        texts
    }

    /// Whether it takes away whatever its dice show, as dice that heal do.
    pub fn is_taken_away(&self) -> bool {
        self.greatest().is_some_and(|most| most <= 0) && !self.dice().is_empty()
    }

    /// The same with its sign turned round.
    /// Errors: what [`parse`](crate::parse()) would say of the result.
    pub fn negative(&self) -> Result<Expression, DiceError> {
        let mut request = self.request().clone();
        request.check.node = Node::Negative(Box::new(request.check.node));
        Expression::new(request)
    }

    /// The same with a number added; it is last, and 0 changes nothing.
    /// Errors: what [`parse`](crate::parse()) would say of the result.
    pub fn plus(&self, number: i64) -> Result<Expression, DiceError> {
        if number == 0 {
            return Ok(self.clone());
        }
        let span = Span::new(0, self.as_str().len());
        let most = limits::LITERAL;
        if number.unsigned_abs() > most.unsigned_abs() {
            return Err(DiceError::limit("for a number", most, span, "1d20 + 1000"));
        }
        let sign = if number < 0 { Sign::Minus } else { Sign::Plus };
        self.with_last(vec![(sign, Node::Number(Number::int(number.abs(), span)))])
    }

    /// The same with other dice added; they are last, and are rolled last.
    /// Errors: what [`parse`](crate::parse()) would say of the result.
    pub fn with_more(&self, more: &Expression) -> Result<Expression, DiceError> {
        self.with_last(vec![(Sign::Plus, more.request().check.node.clone())])
    }

    fn with_last(&self, added: Vec<(Sign, Node)>) -> Result<Expression, DiceError> {
        let mut request = self.request().clone();
        match &mut request.check.node {
            Node::Sum(terms) => terms.extend(added),
            node => {
                *node = Node::Sum(
                    [(Sign::Plus, node.clone())]
                        .into_iter()
                        .chain(added)
                        .collect(),
                )
            }
        }
        let expression = Expression::new(request)?;
        // What was added may pass the limits of a text.
        parse::request(expression.as_str(), Dialect::Notation)?;
        Ok(expression)
    }

    /// The same with another kind of die in the first dice term, as a dice chain asks. Errors: what
    /// [`parse`](crate::parse()) would say of the result; `invalid_die` when there are no dice.
    pub fn with_main_die(&self, die: Die) -> Result<Expression, DiceError> {
        self.change_main(&mut |dice| dice.die = DieSlot::Fixed(die.clone()))
    }

    /// The same with its first dice term, a single die, replaced by the one of `with` (`2d20kh1`).
    /// Its label stays, and so do its modifiers, in front of the new ones. Errors:
    /// `invalid_advantage_usage` when `with` is no dice term by itself or the first term is no
    /// single die; else what [`parse`](crate::parse()) would say of the result.
    pub fn replace_main_die(&self, with: &Expression) -> Result<Expression, DiceError> {
        let span = Span::new(0, self.as_str().len());
        let refuse = |message: &str| {
            Err(Fault::new(Code::InvalidAdvantageUsage, span, message).hint(
                "Roll one die, and replace it by dice such as 2d20kh1.",
                "1d20 + 5",
            ))
        };
        let Node::Dice(new) = &with.request().check.node else {
            return refuse("Only a dice term can replace the main die.");
        };
        if self.main_count() != 1 {
            return refuse("There is no single main die to replace.");
        }
        self.change_main(&mut |dice| {
            let mut modifiers = std::mem::take(&mut dice.modifiers);
            let place = new.modifiers.first().map(|modifier| modifier.kind.stage());
            let after = place.and_then(|stage| {
                modifiers
                    .iter()
                    .position(|other| other.kind.stage() > stage)
            });
            let rest = modifiers.split_off(after.unwrap_or(modifiers.len()));
            modifiers.extend(new.modifiers.iter().cloned());
            modifiers.extend(rest);
            dice.count = Count::Int(Int::Literal(new.count()));
            dice.die = new.die.clone();
            dice.modifiers = modifiers;
        })
    }

    fn change_main(&self, change: &mut dyn FnMut(&mut Dice)) -> Result<Expression, DiceError> {
        let mut request = self.request().clone();
        let mut found = false;
        request.check.node.visit_dice_mut(&mut |dice| {
            if !found {
                found = true;
                change(dice);
            }
        });
        if found {
            return Expression::new(request);
        }
        Err(Fault::new(
            Code::InvalidDie,
            Span::new(0, self.as_str().len()),
            "There are no dice here.",
        )
        .hint("Write a die.", "1d20 + 5"))
    }

    /// Its notation with every die a second time, and what is added to them once:
    /// `1d12 + 2 + 1d12`, `2 * (1d6 + 1 + 1d6)`. What it is compared with is left out.
    pub fn with_dice_twice(&self) -> String {
        node_text(&twice(&self.request().check.node))
    }

    /// The dice that people throw for it, in order and before anything explodes or is rerolled: "2
    /// of d20, 1 of d4".
    pub fn by_hand(&self) -> String {
        let mut terms: Vec<String> = Vec::new();
        self.visit_dice(&mut |dice| {
            let (die, tens) = (dice.die(), dice.bonus().abs());
            let draws =
                dice.count()
                    .saturating_mul(if tens == 0 { 1 } else { tens.saturating_add(2) });
            let how = match die {
                _ if tens != 0 => " from 0 to 9 (the units, then each of the tens)",
                Die::Symbols(_) => " (each by the place of its face in the list, from 1)",
                _ if die.sides() == 100 => " (each one number from 1 to 100)",
                _ => "",
            };
            let die = if tens == 0 { die } else { &Die::Sides(10) };
            terms.push(format!("{draws} of {die}{how}"));
        });
        let times = self
            .request()
            .repeat
            .map_or(String::new(), |times| format!(", {times} times"));
        format!("{}{times}", terms.join(", "))
    }

    /// The greatest total, each die thrown once: explosions and rerolls add nothing.
    pub fn greatest(&self) -> Option<i64> {
        let mut node = self.request().check.node.clone();
        node.visit_dice_mut(&mut |dice| {
            dice.modifiers.retain(|modifier| {
                !matches!(modifier.kind.stage(), Stage::Reroll | Stage::Explode)
            });
        });
        greatest(&node)
    }
}

fn twice(node: &Node) -> Node {
    match node {
        node if !node.has_dice() => node.clone(),
        Node::Sum(terms) => {
            let again: Vec<(Sign, Node)> = terms
                .iter()
                .filter(|(_, term)| is_one_roll(term))
                .cloned()
                .collect();
            let inner = |(sign, term): &(Sign, Node)| {
                (
                    *sign,
                    if is_one_roll(term) {
                        term.clone()
                    } else {
                        twice(term)
                    },
                )
            };
            Node::Sum(terms.iter().map(inner).chain(again).collect())
        }
        node if is_one_roll(node) => {
            Node::Sum(vec![(Sign::Plus, node.clone()), (Sign::Plus, node.clone())])
        }
        node => {
            let mut changed = node.clone();
            changed
                .children_mut()
                .into_iter()
                .for_each(|child| *child = twice(child));
            changed
        }
    }
}

/// Dice, or a group of them, that are rolled as one.
fn is_one_roll(node: &Node) -> bool {
    match node {
        Node::Dice(_) => true,
        Node::Group(_) => node.has_dice(),
        Node::Labelled(inner, _) => is_one_roll(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn dice_twice_leaves_what_is_added_as_it_is() {
        for (once, twice) in [
            ("1d12+2", "1d12 + 2 + 1d12"),
            ("1d6", "1d6 + 1d6"),
            ("2*(1d6+1)", "2 * (1d6 + 1 + 1d6)"),
            ("2d6kh1 - 1d4 + 3", "2d6kh1 - 1d4 + 3 + 2d6kh1 - 1d4"),
            ("max(1, 1d6-2)", "max(1, 1d6 - 2 + 1d6)"),
            ("5", "5"),
        ] {
            let doubled = parse(once).unwrap().with_dice_twice();
            assert_eq!(doubled, twice, "{once}");
            assert!(parse(&doubled).is_ok(), "{doubled}");
        }
    }
}
