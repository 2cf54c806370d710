//! What is refused before the first draw.
//!
//! Interval arithmetic over the tree: each node gets the interval of its values, a bound on their
//! denominator, and whether they are pips or successes. So division by zero, overflow and mixed
//! types are known. Dice are looked at in `dice`.

mod dice;
mod facts;

use crate::compare::Comparison;
use crate::error::{Code, DiceError, Fault};
use crate::expression::arithmetic::{holds, overflow};
use crate::expression::tree::{Factor, Function, Group, Node, Request, Sign, Test};
use crate::fraction::Fraction;
use crate::limits;
use crate::modifiers::count::Counting;
use crate::modifiers::{ModifierKind, check_interval, each, keep, never_ends, placed, unique};
use crate::text::Span;

pub(crate) use facts::Kind;

use facts::{Cost, Facts, join, scaled};

/// Refuses a request that must not be rolled; answers what its result is made of.
pub(crate) fn validate(request: &Request) -> Result<Kind, DiceError> {
    let mut cost = Cost::default();
    let facts = node(&request.check.node, &mut cost)?;
    if let Some(target) = request.check.test.as_ref().and_then(Test::node) {
        // The target must be of the total's kind, and their difference must be exact.
        facts.add(node(target, &mut cost)?.negative(), target.span())?;
    }
    check_decks(request)?;
    let span = request.check.node.span();
    let times = request.repeat.unwrap_or(1);
    if cost.dice.saturating_mul(u64::from(times)) > limits::DICE {
        return Err(DiceError::limit(
            "dice",
            limits::DICE,
            span,
            "repeat(4d6kh3, 6)",
        ));
    }
    if cost.draws * f64::from(times) > limits::DRAWS as f64 {
        return Err(DiceError::limit("draws", limits::DRAWS, span, "100d6!"));
    }
    if cost.capped > 0.0 && (cost.capped * f64::from(times)).log2() > f64::from(limits::CAPPED_LOG2)
    {
        return Err(never_ends(
            span,
            "These explosions or rerolls would hardly ever end.",
        ));
    }
    let most = Fraction::int(limits::TOTAL / i64::from(times));
    let fits = |end: Fraction| holds(end.abs(), Comparison::AtMost, most);
    if fits(facts.low) && fits(facts.high) {
        Ok(facts.kind)
    } else {
        Err(overflow(span))
    }
}

/// Refuses terms that draw more from one deck than there is in it.
fn check_decks(request: &Request) -> Result<(), DiceError> {
    for (dice, before) in request.check.draws() {
        let (all, drawn) = (
            dice.die().faces().len(),
            before.saturating_add(dice.count()),
        );
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
    node(of, &mut Cost::default())
        .ok()
        .filter(|facts| facts.low == facts.high)
        .map(|facts| facts.low)
}

/// What an `if` chooses, where its condition is known; taken out of it.
pub(crate) fn chosen(node: &mut Node) -> Option<Node> {
    let Node::Call(Function::If, nodes, _) = node else {
        return None;
    };
    let condition = nodes.first().filter(|condition| !condition.has_dice())?;
    let place = if exact(condition)?.top() != 0 { 1 } else { 2 };
    (nodes.len() == 3).then(|| nodes.swap_remove(place))
}

/// Replaces every such `if` by what it chooses, inner ones first, in a node without variables.
pub(crate) fn settle(node: &mut Node) {
    node.children_mut().into_iter().for_each(settle);
    if let Some(branch) = chosen(node) {
        *node = branch;
    }
}

fn node(node: &Node, cost: &mut Cost) -> Result<Facts, DiceError> {
    match node {
        Node::Number(number) => Facts::constant(number.value()).checked(number.span),
        Node::Variable(_) => Ok(Facts::constant(Fraction::ZERO)),
        Node::Dice(dice) => dice::dice(dice, cost),
        Node::Negative(inner) => Ok(self::node(inner, cost)?.negative()),
        Node::Labelled(inner, _) => self::node(inner, cost),
        Node::Sum(terms) => {
            terms
                .iter()
                .try_fold(Facts::constant(Fraction::ZERO), |total, (sign, term)| {
                    let facts = self::node(term, cost)?;
                    total.add(
                        if *sign == Sign::Minus {
                            facts.negative()
                        } else {
                            facts
                        },
                        term.span(),
                    )
                })
        }
        Node::Product(factors) => factors.iter().try_fold(
            Facts::constant(Fraction::int(1)),
            |product, (factor, node)| {
                product.multiply(*factor, self::node(node, cost)?, node.span())
            },
        ),
        Node::Call(function, nodes, span) => function_facts(*function, nodes, *span, cost),
        Node::Group(group) => group_facts(group, cost),
    }
}

fn function_facts(
    function: Function,
    nodes: &[Node],
    span: Span,
    cost: &mut Cost,
) -> Result<Facts, DiceError> {
    let facts = nodes
        .iter()
        .map(|node| self::node(node, cost))
        .collect::<Result<Vec<Facts>, DiceError>>()?;
    let Some(first) = facts.first().copied() else {
        return Ok(Facts::constant(Fraction::ZERO));
    };
    match function {
        Function::Floor => Ok(first.mapped(Fraction::floor)),
        Function::Ceil => Ok(first.mapped(Fraction::ceil)),
        Function::Round => Ok(first.mapped(|value| value.round().unwrap_or(value))),
        Function::Abs if first.low.top() >= 0 => Ok(first),
        Function::Abs if first.high.top() <= 0 => Ok(first.negative()),
        Function::Abs => Ok(Facts {
            low: Fraction::ZERO,
            ..first.either(first.negative(), span)?
        }),
        Function::Min | Function::Max => facts.iter().skip(1).try_fold(first, |result, other| {
            let cover = result.either(*other, span)?;
            let end = |a, b| function.apply(&[a, b]).ok_or_else(|| overflow(span));
            Ok(Facts {
                low: end(result.low, other.low)?,
                high: end(result.high, other.high)?,
                ..cover
            })
        }),
        Function::Mod => {
            let by = facts.get(1).copied().unwrap_or(first);
            let times = first.multiply(Factor::DivideFloor, by, span)?;
            let rest = first.add(times.multiply(Factor::Times, by, span)?.negative(), span)?;
            let zero = Facts {
                kind: rest.kind,
                ..Facts::constant(Fraction::ZERO)
            };
            let ends = zero.either(
                Facts {
                    kind: rest.kind,
                    ..by
                },
                span,
            )?;
            let is_known = first.low == first.high && by.low == by.high;
            Ok(if is_known {
                rest
            } else {
                Facts {
                    low: ends.low,
                    high: ends.high,
                    ..rest
                }
            })
        }
        Function::If => {
            let branches = nodes.get(1..).unwrap_or_default();
            if nodes.first().is_some_and(Node::has_dice) && branches.iter().any(Node::has_dice) {
                let message = "Which dice are thrown is known before the first of them falls.";
                return Err(Fault::new(Code::OutOfScopeSyntax, span, message).hint(
                    "Let a number of the sheet decide, or let dice decide between numbers.",
                    "if((1d20) > 10, 2, 1)",
                ));
            }
            let (yes, no) = (
                facts.get(1).copied().unwrap_or(first),
                facts.get(2).copied().unwrap_or(first),
            );
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
            let is_known = apart.low == apart.high;
            Ok(truth(
                is_known.then(|| holds(apart.low, comparison, Fraction::ZERO)),
            ))
        }
        Function::Not | Function::And | Function::Or => {
            let is_known = facts.iter().all(|facts| facts.low == facts.high);
            let values: Vec<Fraction> = facts.iter().map(|facts| facts.low).collect();
            let value = is_known.then(|| function.apply(&values)).flatten();
            Ok(truth(value.map(|value| value != Fraction::ZERO)))
        }
    }
}

/// 1 or 0, or either.
fn truth(known: Option<bool>) -> Facts {
    let (low, high) = known.map_or((0, 1), |holds| (i64::from(holds), i64::from(holds)));
    Facts::whole(Kind::Constant, low, high)
}

fn group_facts(group: &Group, cost: &mut Cost) -> Result<Facts, DiceError> {
    let members = group
        .members
        .iter()
        .map(|member| node(member, cost))
        .collect::<Result<Vec<Facts>, DiceError>>()?;
    let Some(first) = members.first().copied() else {
        return Ok(Facts::constant(Fraction::ZERO));
    };
    let (mut cover, mut sum) = (first, first);
    for member in members.iter().skip(1) {
        cover = cover.either(*member, group.span)?;
        sum = sum.add(*member, group.span)?;
    }
    let Some(modifier) = &group.modifier else {
        return Ok(sum);
    };
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
