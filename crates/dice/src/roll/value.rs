//! Nodes to terms.

use crate::error::{Code, DiceError, Fault};
use crate::expression::advantage::mode_of;
use crate::expression::arithmetic::{division_by_zero, multiply, overflow};
use crate::expression::print::{dice_text, node_text};
use crate::expression::tree::{Dice, Factor, Group, Node, Sign};
use crate::fraction::Fraction;
use crate::modifiers;
use crate::modifiers::count::{Counting, successes_of};
use crate::modifiers::keep::select;
use crate::modifiers::sort::Sort;
use crate::record::Term;
use crate::roll::throw::Thrower;
use crate::text::Span;
use std::cmp::Ordering;

/// Evaluates each term of a sum, appends their records and answers the sum.
pub(super) fn sum(
    thrower: &mut Thrower<'_>,
    nodes: &[(Sign, Node)],
    terms: &mut Vec<Term>,
) -> Result<Fraction, DiceError> {
    let mut total = Fraction::ZERO;
    terms.reserve_exact(nodes.len());
    for (sign, node) in nodes {
        let mut value = value_of(thrower, node, terms)?;
        if *sign == Sign::Minus {
            value = value.negative();
            set_value(terms, value)?;
        }
        total = total.plus(value).ok_or_else(|| overflow(node.span()))?;
    }
    Ok(total)
}

/// Evaluates a node, appends its one record and answers its value.
pub(super) fn value_of(
    thrower: &mut Thrower<'_>,
    node: &Node,
    terms: &mut Vec<Term>,
) -> Result<Fraction, DiceError> {
    match node {
        Node::Number(number) => {
            let value = number.value();
            let floor = whole(value.floor(), node)?;
            terms.push(Term::Constant {
                value: floor,
                subtotal: floor,
                exact: exact(value),
                label: None,
            });
            Ok(value)
        }
        Node::Variable(_) => Err(Fault::new(
            Code::OutOfScopeSyntax,
            node.span(),
            "A variable has no value here.",
        )
        .hint("Write the number itself.", "1d20 + 3")),
        Node::Dice(dice) => self::dice(thrower, dice, terms),
        Node::Negative(inner) => {
            let value = value_of(thrower, inner, terms)?.negative();
            set_value(terms, value)?;
            Ok(value)
        }
        Node::Labelled(inner, labels) => {
            let value = value_of(thrower, inner, terms)?;
            if let Some(
                Term::Dice { label, .. }
                | Term::Constant { label, .. }
                | Term::Group { label, .. }
                | Term::Compute { label, .. },
            ) = terms.last_mut()
            {
                *label = Some(labels.join(", "));
            }
            Ok(value)
        }
        Node::Group(group) => self::group(thrower, group, node, terms),
        Node::Sum(nodes) => {
            let mut parts = Vec::new();
            let value = sum(thrower, nodes, &mut parts)?;
            computed(node, value, parts, terms)
        }
        Node::Product(factors) => {
            let mut parts = Vec::with_capacity(factors.len());
            let mut product = Fraction::int(1);
            for (factor, node) in factors {
                let value = value_of(thrower, node, &mut parts)?;
                let by_zero = *factor != Factor::Times && value == Fraction::ZERO;
                product = multiply(product, *factor, value).ok_or_else(|| match by_zero {
                    true => division_by_zero(node.span(), true),
                    false => overflow(node.span()),
                })?;
            }
            computed(node, product, parts, terms)
        }
        Node::Call(function, nodes, span) => {
            let mut parts = Vec::with_capacity(nodes.len());
            let mut values = Vec::with_capacity(nodes.len());
            for node in nodes {
                values.push(value_of(thrower, node, &mut parts)?);
            }
            let value = function.apply(&values).ok_or_else(|| overflow(*span))?;
            computed(node, value, parts, terms)
        }
    }
}

fn computed(
    node: &Node,
    value: Fraction,
    parts: Vec<Term>,
    terms: &mut Vec<Term>,
) -> Result<Fraction, DiceError> {
    let (notation, subtotal) = (node_text(node), whole(value.floor(), node)?);
    terms.push(Term::Compute {
        notation,
        terms: parts,
        subtotal,
        exact: exact(value),
        label: None,
    });
    Ok(value)
}

fn dice(
    thrower: &mut Thrower<'_>,
    dice: &Dice,
    terms: &mut Vec<Term>,
) -> Result<Fraction, DiceError> {
    let rolled = thrower.throw(dice)?;
    let mut kept: Vec<i64> = Vec::with_capacity(rolled.len());
    kept.extend(rolled.iter().filter(|die| die.kept).map(|die| die.value));
    let counted = || rolled.iter().filter_map(|die| die.counted).sum();
    let subtotal = if dice.counts() {
        counted()
    } else {
        kept.iter().sum()
    };
    if let Some(sort) = dice.each::<Sort>().next() {
        sort.values(&mut kept);
    }
    terms.push(Term::Dice {
        count: dice.count(),
        sides: dice.die().sides(),
        notation: dice_text(dice),
        dice: rolled,
        kept,
        subtotal,
        mode: mode_of(dice),
        label: None,
    });
    Ok(Fraction::int(subtotal))
}

fn group(
    thrower: &mut Thrower<'_>,
    group: &Group,
    node: &Node,
    terms: &mut Vec<Term>,
) -> Result<Fraction, DiceError> {
    let mut values = Vec::with_capacity(group.members.len());
    let mut members = Vec::with_capacity(group.members.len());
    for member in &group.members {
        values.push(value_of(thrower, member, &mut members)?);
    }
    let mut value = Fraction::ZERO;
    let modifiers = group.modifier.as_slice();
    let counting = modifiers::each::<Counting>(modifiers).next();
    let at = |place: usize| values.get(place).copied().unwrap_or(Fraction::ZERO);
    let compare = |a, b| at(a).compare(at(b)).unwrap_or(Ordering::Equal);
    let kept = select(
        modifiers::each(modifiers),
        values.len(),
        &compare,
        &|place, point| point.holds(at(place)),
    );
    for (member, _) in values.iter().zip(&kept).filter(|(_, kept)| **kept) {
        let worth = match counting {
            Some(counting) => Fraction::int(successes_of(counting, *member)),
            None => *member,
        };
        value = value.plus(worth).ok_or_else(|| overflow(group.span))?;
    }
    let (notation, subtotal) = (node_text(node), whole(value.floor(), node)?);
    terms.push(Term::Group {
        notation,
        terms: members,
        kept,
        subtotal,
        exact: exact(value),
        label: None,
    });
    Ok(value)
}

/// Gives the last term another value, when it is subtracted.
fn set_value(terms: &mut [Term], new: Fraction) -> Result<(), DiceError> {
    let floor = new
        .floor()
        .whole()
        .ok_or_else(|| overflow(Span::default()))?;
    match terms.last_mut() {
        None => {}
        Some(Term::Dice { subtotal, .. }) => *subtotal = floor,
        Some(Term::Constant {
            value,
            subtotal,
            exact: text,
            ..
        }) => {
            (*value, *subtotal, *text) = (floor, floor, exact(new));
        }
        Some(
            Term::Group {
                subtotal,
                exact: text,
                ..
            }
            | Term::Compute {
                subtotal,
                exact: text,
                ..
            },
        ) => {
            (*subtotal, *text) = (floor, exact(new));
        }
    }
    Ok(())
}

/// The text of a number that is not whole.
pub(super) fn exact(value: Fraction) -> Option<String> {
    (value.bottom() != 1).then(|| value.to_string())
}

pub(super) fn whole(value: Fraction, node: &Node) -> Result<i64, DiceError> {
    value.whole().ok_or_else(|| overflow(node.span()))
}
