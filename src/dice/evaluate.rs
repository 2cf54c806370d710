//! Tree to record: draws the dice and does the arithmetic.

use crate::dice::advantage::mode_of;
use crate::dice::ast::{Check, Dice, Factor, Function, Group, ModifierKind, Node, Request, Sign, Stage, Test};
use crate::dice::compare::Comparison;
use crate::dice::error::{Code, DiceError};
use crate::dice::explain;
use crate::dice::fraction::Fraction;
use crate::dice::print::{print_check, print_dice, print_node};
use crate::dice::roll::{Roll, Term, Verdict};
use crate::dice::roller::{DrawError, Roller};
use crate::dice::select::select;
use crate::dice::span::Span;
use crate::dice::throw::{Thrower, successes};
use std::cmp::Ordering;

/// Rolls a request that has been validated.
pub(crate) fn roll(request: &Request, text: &str, counts: bool, roller: &mut dyn Roller) -> Result<Roll, DiceError> {
    let mut thrower = Thrower { roller, draws: 0 };
    let Some(times) = request.repeat else {
        let mut roll = check(&mut thrower, &request.check, text.to_owned(), counts)?;
        roll.comment.clone_from(&request.comment);
        return Ok(roll);
    };
    let mut inner = String::new();
    print_check(&mut inner, &request.check);
    let mut roll = Roll { expression: text.to_owned(), comment: request.comment.clone(), ..Roll::default() };
    for _ in 0..times {
        let one = check(&mut thrower, &request.check, inner.clone(), counts)?;
        roll.total = roll.total.saturating_add(one.total);
        roll.repeats.push(one);
    }
    roll.successes = counts.then_some(roll.total);
    roll.total_dice = roll.repeats.iter().map(|one| one.total_dice).sum();
    roll.explanation = explain::repeated(&roll);
    Ok(roll)
}

/// The value of a tree without dice.
pub(crate) fn constant(node: &Node) -> Result<Fraction, DiceError> {
    let mut thrower = Thrower { roller: &mut NoDice, draws: 0 };
    value_of(&mut thrower, node).map(|(value, _)| value)
}

/// Refuses to draw.
struct NoDice;

impl Roller for NoDice {
    fn source(&self) -> &'static str {
        "none"
    }

    fn draw(&mut self, _: i64, _: i64) -> Result<i64, DrawError> {
        Err(DrawError::TooFew { used: 0 })
    }
}

fn check(thrower: &mut Thrower<'_>, check: &Check, expression: String, counts: bool) -> Result<Roll, DiceError> {
    let mut roll = Roll { expression, ..Roll::default() };
    let value = match &check.node {
        Node::Sum(nodes) => sum(thrower, nodes, &mut roll.terms)?,
        node => {
            let (value, term) = value_of(thrower, node)?;
            roll.terms = vec![term];
            value
        }
    };
    roll.total = whole(value.floor(), check.node.span())?;
    roll.exact = exact(value);
    if counts {
        roll.successes = Some(roll.total);
        let looked_at: i64 = roll.terms.iter().map(looked_at).sum();
        roll.total_dice = (looked_at > 0).then_some(looked_at);
    }
    roll.verdict = match &check.test {
        None => None,
        Some(test) => Some(verdict(thrower, test, roll.total)?),
    };
    roll.explanation = explain::check(check, &roll);
    Ok(roll)
}

/// How many kept dice or sub-totals were looked at for successes.
fn looked_at(term: &Term) -> i64 {
    match term {
        Term::Dice { dice, .. } => {
            let counted = dice.iter().filter(|die| die.counted.is_some()).count();
            i64::try_from(counted).unwrap_or(i64::MAX)
        }
        Term::Constant { .. } => 0,
        Term::Compute { terms, .. } | Term::Group { terms, .. } => terms.iter().map(looked_at).sum(),
    }
}

fn sum(thrower: &mut Thrower<'_>, nodes: &[(Sign, Node)], terms: &mut Vec<Term>) -> Result<Fraction, DiceError> {
    let mut total = Fraction::ZERO;
    terms.reserve_exact(nodes.len());
    for (sign, node) in nodes {
        let (mut value, mut term) = value_of(thrower, node)?;
        if *sign == Sign::Minus {
            value = value.negative();
            set_value(&mut term, value)?;
        }
        total = total.add(value).ok_or_else(|| overflow(node.span()))?;
        terms.push(term);
    }
    Ok(total)
}

fn value_of(thrower: &mut Thrower<'_>, node: &Node) -> Result<(Fraction, Term), DiceError> {
    match node {
        Node::Number(number) => {
            let value = number.value();
            let floor = whole(value.floor(), number.span)?;
            let term = Term::Constant { value: floor, subtotal: floor, exact: exact(value), label: None };
            Ok((value, term))
        }
        Node::Variable(_) => Err(unbound(node.span())),
        Node::Dice(dice) => self::dice(thrower, dice),
        Node::Negative(inner) => {
            let (value, mut term) = value_of(thrower, inner)?;
            let value = value.negative();
            set_value(&mut term, value)?;
            Ok((value, term))
        }
        Node::Labelled(inner, labels) => {
            let (value, mut term) = value_of(thrower, inner)?;
            match &mut term {
                Term::Dice { label, .. }
                | Term::Constant { label, .. }
                | Term::Group { label, .. }
                | Term::Compute { label, .. } => *label = Some(labels.join(", ")),
            }
            Ok((value, term))
        }
        Node::Group(group) => self::group(thrower, group),
        Node::Sum(nodes) => {
            let mut terms = Vec::new();
            let value = sum(thrower, nodes, &mut terms)?;
            computed(node, value, terms)
        }
        Node::Product(factors) => {
            let mut terms = Vec::with_capacity(factors.len());
            let mut product = Fraction::int(1);
            for (factor, node) in factors {
                let (value, term) = value_of(thrower, node)?;
                terms.push(term);
                product = multiply(product, *factor, value).ok_or_else(|| broken_factor(*factor, value, node))?;
            }
            computed(node, product, terms)
        }
        Node::Call(function, nodes, span) => {
            let mut terms = Vec::with_capacity(nodes.len());
            let mut values = Vec::with_capacity(nodes.len());
            for node in nodes {
                let (value, term) = value_of(thrower, node)?;
                values.push(value);
                terms.push(term);
            }
            let value = call(*function, &values).ok_or_else(|| overflow(*span))?;
            computed(node, value, terms)
        }
    }
}

fn computed(node: &Node, value: Fraction, terms: Vec<Term>) -> Result<(Fraction, Term), DiceError> {
    let mut notation = String::new();
    print_node(&mut notation, node);
    let term = Term::Compute {
        notation,
        terms,
        subtotal: whole(value.floor(), node.span())?,
        exact: exact(value),
        label: None,
    };
    Ok((value, term))
}

fn dice(thrower: &mut Thrower<'_>, dice: &Dice) -> Result<(Fraction, Term), DiceError> {
    let rolled = thrower.throw(dice)?;
    let mut notation = String::with_capacity(16);
    print_dice(&mut notation, dice);
    let mut kept: Vec<i64> = Vec::with_capacity(rolled.len());
    kept.extend(rolled.iter().filter(|die| die.kept).map(|die| die.value));
    let subtotal: i64 = match dice.counts() {
        true => rolled.iter().filter_map(|die| die.counted).sum(),
        false => kept.iter().sum(),
    };
    for modifier in &dice.modifiers {
        match modifier.kind {
            ModifierKind::SortAscending => kept.sort_unstable(),
            ModifierKind::SortDescending => kept.sort_unstable_by(|a, b| b.cmp(a)),
            _ => {}
        }
    }
    let term = Term::Dice {
        count: dice.count(),
        sides: dice.die().sides(),
        notation,
        dice: rolled,
        kept,
        subtotal,
        mode: mode_of(dice),
        label: None,
    };
    Ok((Fraction::int(subtotal), term))
}

fn group(thrower: &mut Thrower<'_>, group: &Group) -> Result<(Fraction, Term), DiceError> {
    let mut values = Vec::with_capacity(group.members.len());
    let mut terms = Vec::with_capacity(group.members.len());
    for member in &group.members {
        let (value, term) = value_of(thrower, member)?;
        values.push(value);
        terms.push(term);
    }
    let mut kept = vec![true; values.len()];
    let mut value = Fraction::ZERO;
    let modifiers = group.modifier.as_slice();
    let counts = modifiers.iter().any(|modifier| modifier.kind.stage() == Stage::Count);
    let at = |place: usize| values.get(place).copied().unwrap_or(Fraction::ZERO);
    select(modifiers, &mut kept, &|a, b| at(a).compare(at(b)).unwrap_or(Ordering::Equal), &|place, point| {
        holds(at(place), point.comparison, Fraction::int(point.value.get()))
    });
    for (member, _) in values.iter().zip(&kept).filter(|(_, kept)| **kept) {
        let worth = match counts {
            true => Fraction::int(modifiers.iter().map(|modifier| counted(modifier, *member)).sum()),
            false => *member,
        };
        value = value.add(worth).ok_or_else(|| overflow(group.span))?;
    }
    let mut notation = String::new();
    print_node(&mut notation, &Node::Group(Box::new(group.clone())));
    let term = Term::Group {
        notation,
        terms,
        kept,
        subtotal: whole(value.floor(), group.span)?,
        exact: exact(value),
        label: None,
    };
    Ok((value, term))
}

/// How many successes a sub-total counts.
pub(crate) fn counted(modifier: &crate::dice::ast::Modifier, value: Fraction) -> i64 {
    match (&modifier.kind, value.whole()) {
        (_, Some(value)) => successes(std::slice::from_ref(modifier), value),
        (ModifierKind::Success(point), None) => {
            i64::from(holds(value, point.comparison, Fraction::int(point.value.get())))
        }
        _ => 0,
    }
}

pub(crate) fn holds(value: Fraction, comparison: Comparison, target: Fraction) -> bool {
    value.compare(target).is_some_and(|ordering| comparison.holds(ordering))
}

fn verdict(thrower: &mut Thrower<'_>, test: &Test, total: i64) -> Result<Verdict, DiceError> {
    let (name, comparison, node) = match test {
        Test::Versus(node) => ("vs", Comparison::AtLeast, node),
        Test::Under(node) => ("under", Comparison::AtMost, node),
        Test::Compare(comparison, node) => (comparison.as_str(), *comparison, node),
        Test::Bands(bands) => {
            let reached = bands.iter().filter(|band| total >= **band).count();
            return Ok(Verdict { band: i64::try_from(reached).ok(), ..empty_verdict("bands") });
        }
    };
    let (target, term) = value_of(thrower, node)?;
    let above = Fraction::int(total).add(target.negative());
    let above = above.ok_or_else(|| overflow(node.span()))?;
    let margin = match comparison {
        Comparison::AtLeast | Comparison::Greater => Some(above.floor()),
        Comparison::AtMost | Comparison::Less => Some(above.negative().floor()),
        Comparison::Equal | Comparison::NotEqual => None,
    };
    let margin = match margin {
        None => None,
        Some(margin) => Some(whole(margin, node.span())?),
    };
    let dice = !matches!(term, Term::Constant { .. });
    Ok(Verdict {
        target: Some(whole(target.floor(), node.span())?),
        exact_target: exact(target),
        terms: if dice { vec![term] } else { Vec::new() },
        margin,
        success: Some(holds(Fraction::int(total), comparison, target)),
        ..empty_verdict(name)
    })
}

fn empty_verdict(test: &str) -> Verdict {
    Verdict {
        test: test.to_owned(),
        target: None,
        exact_target: None,
        terms: Vec::new(),
        margin: None,
        success: None,
        band: None,
    }
}

/// Gives a term another value, when it is subtracted.
fn set_value(term: &mut Term, new: Fraction) -> Result<(), DiceError> {
    let floor = whole(new.floor(), Span::default())?;
    match term {
        Term::Dice { subtotal, .. } => *subtotal = floor,
        Term::Constant { value, subtotal, exact: text, .. } => {
            *value = floor;
            *subtotal = floor;
            *text = exact(new);
        }
        Term::Group { subtotal, exact: text, .. } | Term::Compute { subtotal, exact: text, .. } => {
            *subtotal = floor;
            *text = exact(new);
        }
    }
    Ok(())
}

/// The text of a number that is not whole.
fn exact(value: Fraction) -> Option<String> {
    (value.bottom() != 1).then(|| value.to_string())
}

/// `product * value` or `product / value`; `None` when it is too large or a division by zero.
pub(crate) fn multiply(product: Fraction, factor: Factor, value: Fraction) -> Option<Fraction> {
    match factor {
        Factor::Times => product.multiply(value),
        Factor::Divide => product.divide(value),
        Factor::DivideFloor => product.divide(value).map(Fraction::floor),
    }
}

/// The value of a function; `None` when it is too large.
pub(crate) fn call(function: Function, values: &[Fraction]) -> Option<Fraction> {
    let first = values.first().copied()?;
    let extreme = |wanted: Ordering| {
        values.iter().try_fold(first, |best, value| {
            let better = value.compare(best)? == wanted;
            Some(if better { *value } else { best })
        })
    };
    match function {
        Function::Floor => Some(first.floor()),
        Function::Ceil => Some(first.ceil()),
        Function::Round => first.round(),
        Function::Abs => Some(first.abs()),
        Function::Min => extreme(Ordering::Less),
        Function::Max => extreme(Ordering::Greater),
    }
}

fn whole(value: Fraction, span: Span) -> Result<i64, DiceError> {
    value.whole().ok_or_else(|| overflow(span))
}

pub(crate) fn overflow(span: Span) -> DiceError {
    DiceError::new(
        Code::Overflow,
        span,
        "The result could become too large to stay exact.",
        "Use smaller numbers.",
        "10d10 * 100",
    )
}

pub(crate) fn division_by_zero(span: Span) -> DiceError {
    DiceError::new(
        Code::DivZero,
        span,
        "This would divide by zero.",
        "Divide by something that can never be zero.",
        "2d6 / 2",
    )
}

fn broken_factor(factor: Factor, value: Fraction, node: &Node) -> DiceError {
    match factor {
        Factor::Divide | Factor::DivideFloor if value == Fraction::ZERO => division_by_zero(node.span()),
        _ => overflow(node.span()),
    }
}

fn unbound(span: Span) -> DiceError {
    DiceError::new(
        Code::OutOfScopeSyntax,
        span,
        "A variable has no value here.",
        "Write the number itself.",
        "1d20 + 3",
    )
}
