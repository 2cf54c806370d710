//! The odds of arithmetic on dice.
//!
//! Each dice term stands once in a tree, so the parts of a node are independent and every
//! operation is a sum over pairs of outcomes (a convolution, for sums of whole numbers).

use crate::expression::arithmetic::{call, multiply};
use crate::expression::bounds::exact;
use crate::expression::tree::{Factor, Function, Group, Node, Sign};
use crate::fraction::Fraction;
use crate::modifiers::count::{Counting, successes_of};
use crate::modifiers::each;
use crate::modifiers::keep::{End, Selection, is_wanted};
use crate::odds::budget::{Budget, Stop};
use crate::odds::dist::{Dist, Values, negative, sum_of, too_large};
use crate::odds::group::kept_members;
use crate::odds::term;
use crate::odds::weight::Weight;

pub(super) fn node<W: Weight>(node: &Node, budget: &mut Budget) -> Result<Dist<W>, Stop> {
    match node {
        Node::Number(number) => Ok(Dist::constant(number.value())),
        Node::Variable(_) => Ok(Dist::constant(Fraction::ZERO)),
        Node::Dice(dice) => {
            let counted = term::dice(dice, budget)?;
            Ok(Dist { values: Values::Dense(counted.poly), ways: counted.ways })
        }
        Node::Labelled(inner, _) => self::node(inner, budget),
        Node::Negative(inner) => negative(self::node(inner, budget)?, budget),
        Node::Sum(terms) => {
            let (runs, rest) = term::runs(terms);
            let mut total: Option<Dist<W>> = None;
            if !runs.is_empty() {
                let counted = term::sum_of_runs(&runs, budget)?;
                total = Some(Dist { values: Values::Dense(counted.poly), ways: counted.ways });
            }
            for (sign, term) in rest {
                let dist = self::node(term, budget)?;
                let dist = match sign {
                    Sign::Plus => dist,
                    Sign::Minus => negative(dist, budget)?,
                };
                total = Some(match total {
                    None => dist,
                    Some(total) => total.add(&dist, budget)?,
                });
            }
            Ok(total.unwrap_or_else(|| Dist::constant(Fraction::ZERO)))
        }
        Node::Product(factors) => product(factors, budget),
        Node::Call(function, nodes, _) => function_of(*function, nodes, budget),
        Node::Group(group) => group_of(group, budget),
    }
}

fn product<W: Weight>(factors: &[(Factor, Node)], budget: &mut Budget) -> Result<Dist<W>, Stop> {
    let mut product = Dist::constant(Fraction::int(1));
    for (factor, node) in factors {
        let dist = self::node(node, budget)?;
        product = match dist.single() {
            Some(value) => product.map(|product| multiply(product, *factor, value), budget)?,
            None => product.pairs(&dist, |product, value| multiply(product, *factor, value), budget)?,
        };
    }
    Ok(product)
}

fn function_of<W: Weight>(function: Function, nodes: &[Node], budget: &mut Budget) -> Result<Dist<W>, Stop> {
    if let (Function::If, [condition, yes, no]) = (function, nodes) {
        // Dice decide between numbers alone.
        let (yes, no) = exact(yes).zip(exact(no)).ok_or_else(too_large)?;
        return node::<W>(condition, budget)?.map(|value| call(function, &[value, yes, no]), budget);
    }
    let mut result: Option<Dist<W>> = None;
    for node in nodes {
        let dist = self::node(node, budget)?;
        result = Some(match result {
            None => dist,
            Some(result) => result.pairs(&dist, |a, b| call(function, &[a, b]), budget)?,
        });
    }
    let result = result.unwrap_or_else(|| Dist::constant(Fraction::ZERO));
    match nodes.len() {
        1 => result.map(|value| call(function, &[value]), budget),
        _ => Ok(result),
    }
}

fn group_of<W: Weight>(group: &Group, budget: &mut Budget) -> Result<Dist<W>, Stop> {
    let mut members = Vec::with_capacity(group.members.len());
    for member in &group.members {
        members.push(node::<W>(member, budget)?);
    }
    let count = members.len();
    let modifiers = group.modifier.as_slice();
    if modifiers.is_empty() {
        return sum_of(&members, budget);
    }
    if let Some((end, kept)) = each::<Selection>(modifiers).next().and_then(|selection| selection.best(count)) {
        return kept_members(&members, kept, end == End::Lowest, budget);
    }
    let counting = each::<Counting>(modifiers).next();
    let worth = |value: Fraction| match (is_wanted(each(modifiers), |point| point.holds(value)), counting) {
        (false, _) => Fraction::ZERO,
        (true, Some(counting)) => Fraction::int(successes_of(counting, value)),
        (true, None) => value,
    };
    let mut changed = Vec::with_capacity(count);
    for member in &members {
        changed.push(member.map(|value| Some(worth(value)), budget)?);
    }
    sum_of(&changed, budget)
}
