//! What is refused before the first draw.
//!
//! Interval arithmetic over the tree: each node gets the interval in which its value must lie, a
//! bound on its denominator, and whether it is pips or successes. From these follow division by
//! zero, overflow, and the mixing of types. The dice themselves are looked at in `dice`.

mod dice;
mod draws;
mod facts;

use crate::error::{Code, DiceError};
use crate::expression::arithmetic::{call, overflow};
use crate::expression::tree::{Factor, Function, Group, Node, Request, Sign, Test};
use crate::fraction::Fraction;
use crate::limits;
use crate::modifiers::count::Counting;
use crate::modifiers::{ModifierKind, each, keep, placed, unique};
use crate::text::Span;

pub(crate) use facts::Kind;

use crate::modifiers::bounds::{check_interval, never_ends};
use facts::{Cost, Facts, join, scaled};

/// Refuses a request that must not be rolled; answers what its result is made of.
pub(crate) fn validate(request: &Request) -> Result<Kind, DiceError> {
    let mut cost = Cost::default();
    let facts = node(&request.check.node, &mut cost)?;
    if let Some(test) = &request.check.test {
        validate_test(test, facts, &mut cost)?;
    }
    check_decks(request)?;
    let span = request.check.node.span();
    let times = request.repeat.unwrap_or(1);
    if cost.dice.saturating_mul(u64::from(times)) > limits::DICE {
        return Err(DiceError::limit("dice", limits::DICE, span, "repeat(4d6kh3, 6)"));
    }
    if cost.draws * f64::from(times) > limits::DRAWS as f64 {
        return Err(DiceError::limit("draws", limits::DRAWS, span, "100d6!"));
    }
    if cost.capped > 0.0 && (cost.capped * f64::from(times)).log2() > f64::from(limits::CAPPED_LOG2) {
        return Err(never_ends(span, "These explosions or rerolls would hardly ever end."));
    }
    let most = Fraction::int(limits::TOTAL / i64::from(times));
    for end in [facts.low, facts.high] {
        if !end.abs().compare(most).is_some_and(|order| order.is_le()) {
            return Err(overflow(span));
        }
    }
    Ok(facts.kind)
}

/// Refuses terms that draw more from one deck than there is in it.
fn check_decks(request: &Request) -> Result<(), DiceError> {
    for (dice, before) in request.check.draws() {
        let (all, drawn) = (dice.die().faces().len(), before.unwrap_or(0).saturating_add(dice.count()));
        if usize::try_from(drawn).unwrap_or(usize::MAX) > all {
            return Err(unique::too_many(all, dice.span));
        }
    }
    Ok(())
}

/// The least and the greatest total that is expected of one roll.
#[cfg(test)]
pub(crate) fn ends(request: &Request) -> (i128, i128) {
    let facts = node(&request.check.node, &mut Cost::default()).expect("is validated");
    (facts.low.floor().top(), facts.high.floor().top())
}

/// The greatest value that a node can have, rounded down.
pub(crate) fn greatest(of: &Node) -> Option<i64> {
    node(of, &mut Cost::default()).ok()?.high.floor().whole()
}

/// The value of a node without dice and variables; none where it has none.
pub(crate) fn exact(of: &Node) -> Option<Fraction> {
    node(of, &mut Cost::default()).ok().filter(|facts| facts.low == facts.high).map(|facts| facts.low)
}

/// The target must be of the total's kind, and their difference must be exact.
fn validate_test(test: &Test, total: Facts, cost: &mut Cost) -> Result<(), DiceError> {
    let Some(target) = test.node() else { return Ok(()) };
    let facts = node(target, cost)?;
    total.add(facts.negative(), target.span()).map(|_| ())
}

fn node(node: &Node, cost: &mut Cost) -> Result<Facts, DiceError> {
    match node {
        Node::Number(number) => Facts::constant(number.value()).checked(number.span),
        Node::Variable(_) => Ok(Facts::constant(Fraction::ZERO)),
        Node::Dice(dice) => dice::dice(dice, cost),
        Node::Negative(inner) => Ok(self::node(inner, cost)?.negative()),
        Node::Labelled(inner, _) => self::node(inner, cost),
        Node::Sum(terms) => {
            if let Some(facts) = plain_sum(terms, cost) {
                return Ok(facts);
            }
            let mut total = Facts::constant(Fraction::ZERO);
            for (sign, term) in terms {
                let facts = self::node(term, cost)?;
                let signed = match sign {
                    Sign::Plus => facts,
                    Sign::Minus => facts.negative(),
                };
                total = total.add(signed, term.span())?;
            }
            Ok(total)
        }
        Node::Product(factors) => {
            let mut product = Facts::constant(Fraction::int(1));
            for (factor, node) in factors {
                let facts = self::node(node, cost)?;
                product = product.multiply(*factor, facts, node.span())?;
            }
            Ok(product)
        }
        Node::Call(function, nodes, span) => function_facts(*function, nodes, *span, cost),
        Node::Group(group) => group_facts(group, cost),
    }
}

/// The facts of a sum of whole numbers and unmodified dice, as most expressions are; `None` for
/// any other, and for one that may have to be refused.
fn plain_sum(terms: &[(Sign, Node)], cost: &mut Cost) -> Option<Facts> {
    let mut plain = *cost;
    let (mut low, mut high) = (0_i64, 0_i64);
    let mut kind = Kind::Constant;
    for (sign, term) in terms {
        let (least, most) = match term {
            Node::Number(number) if number.places == 0 => (number.scaled, number.scaled),
            Node::Dice(dice) if dice.modifiers.is_empty() => {
                let (count, (low, high)) = (dice.count(), dice.die().range());
                plain.dice = plain.dice.checked_add(u64::try_from(count).ok()?)?;
                plain.draws += count as f64;
                kind = Kind::Pips;
                (count.checked_mul(low)?, count.checked_mul(high)?)
            }
            _ => return None,
        };
        (low, high) = match sign {
            Sign::Plus => (low.checked_add(least)?, high.checked_add(most)?),
            Sign::Minus => (low.checked_sub(most)?, high.checked_sub(least)?),
        };
    }
    let fits = plain.dice <= limits::DICE && low >= -limits::TOTAL && high <= limits::TOTAL;
    fits.then(|| {
        *cost = plain;
        Facts::whole(kind, low, high)
    })
}

fn function_facts(function: Function, nodes: &[Node], span: Span, cost: &mut Cost) -> Result<Facts, DiceError> {
    let mut facts = Vec::with_capacity(nodes.len());
    for node in nodes {
        facts.push(self::node(node, cost)?);
    }
    let Some(first) = facts.first().copied() else { return Ok(Facts::constant(Fraction::ZERO)) };
    match function {
        Function::Floor => Ok(first.mapped(Fraction::floor)),
        Function::Ceil => Ok(first.mapped(Fraction::ceil)),
        Function::Round => Ok(first.mapped(|value| value.round().unwrap_or(value))),
        Function::Abs => {
            let zero = Facts::constant(Fraction::ZERO);
            match first.low.top() < 0 {
                true if first.high.top() > 0 => {
                    let upper = first.either(first.negative(), span)?;
                    Ok(Facts { low: zero.low, ..upper })
                }
                true => Ok(first.negative()),
                false => Ok(first),
            }
        }
        Function::Min | Function::Max => {
            let mut result = first;
            for other in facts.iter().skip(1) {
                let cover = result.either(*other, span)?;
                let ends = |a, b| call(function, &[a, b]).ok_or_else(|| overflow(span));
                result = Facts { low: ends(result.low, other.low)?, high: ends(result.high, other.high)?, ..cover };
            }
            Ok(result)
        }
        Function::Mod => {
            let by = facts.get(1).copied().unwrap_or(first);
            let times = first.multiply(Factor::DivideFloor, by, span)?;
            let rest = first.add(times.multiply(Factor::Times, by, span)?.negative(), span)?;
            let zero = Facts { kind: rest.kind, ..Facts::constant(Fraction::ZERO) };
            let ends = zero.either(Facts { kind: rest.kind, ..by }, span)?;
            if first.low == first.high && by.low == by.high {
                Ok(rest)
            } else {
                Ok(Facts { low: ends.low, high: ends.high, ..rest })
            }
        }
        Function::If => {
            let branches = nodes.get(1..).unwrap_or_default();
            if nodes.first().is_some_and(Node::has_dice) && branches.iter().any(Node::has_dice) {
                return Err(DiceError::new(
                    Code::OutOfScopeSyntax,
                    span,
                    "Which dice are thrown is known before the first of them falls.",
                )
                .hint(
                    "Let a number of the sheet decide, or let dice decide between numbers.",
                    "if((1d20) > 10, 2, 1)",
                ));
            }
            let (yes, no) = (facts.get(1).copied().unwrap_or(first), facts.get(2).copied().unwrap_or(first));
            match (first.low == first.high, first.low == Fraction::ZERO) {
                (true, false) => Ok(yes),
                (true, true) => Ok(no),
                (false, _) => yes.either(no, span),
            }
        }
        Function::Compare(comparison) => {
            let other = facts.get(1).copied().unwrap_or(first);
            // Both must be of one kind, and their difference exact.
            let apart = first.add(other.negative(), span)?;
            let holds = |end: Fraction| end.compare(Fraction::ZERO).is_some_and(|order| comparison.holds(order));
            let is_one = apart.low == apart.high;
            Ok(truth(is_one.then(|| holds(apart.low))))
        }
        Function::Not | Function::And | Function::Or => {
            let is_known = facts.iter().all(|own| own.low == own.high);
            let values: Vec<Fraction> = facts.iter().map(|own| own.low).collect();
            let value = is_known.then(|| call(function, &values)).flatten();
            Ok(truth(value.map(|value| value != Fraction::ZERO)))
        }
    }
}

/// 1 or 0, or either.
fn truth(known: Option<bool>) -> Facts {
    match known {
        Some(holds) => Facts::whole(Kind::Constant, i64::from(holds), i64::from(holds)),
        None => Facts::whole(Kind::Constant, 0, 1),
    }
}

fn group_facts(group: &Group, cost: &mut Cost) -> Result<Facts, DiceError> {
    let mut members = Vec::with_capacity(group.members.len());
    for member in &group.members {
        members.push(node(member, cost)?);
    }
    let Some(first) = members.first().copied() else { return Ok(Facts::constant(Fraction::ZERO)) };
    let mut cover = first;
    let mut sum = first;
    for member in members.iter().skip(1) {
        cover = cover.either(*member, group.span)?;
        sum = sum.add(*member, group.span)?;
    }
    let Some(modifier) = &group.modifier else { return Ok(sum) };
    let count = i64::try_from(members.len()).unwrap_or(i64::MAX);
    if let ModifierKind::Count(counting) = &modifier.kind {
        if sum.kind == Kind::Successes {
            join(Kind::Pips, Kind::Successes, modifier.span)?;
        }
        if let Counting::Success(point) = counting {
            check_interval(point, cover.low, cover.high, modifier.span)?;
        }
        return Ok(Facts::whole(Kind::Successes, 0, count));
    }
    let modifiers = std::slice::from_ref(modifier);
    keep::check_all(placed(modifiers), count)?;
    let (least, most) = keep::kept(each(modifiers), count, count);
    scaled(cover, least, most, group.span)
}
