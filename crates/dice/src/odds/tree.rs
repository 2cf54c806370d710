//! The odds of arithmetic on dice.
//!
//! Each dice term occurs once in a tree, so the parts of a node are independent and every
//! operation is a sum over pairs of outcomes (a convolution, for sums of whole numbers).

use crate::expression::arithmetic::{call, multiply};
use crate::expression::bounds::exact;
use crate::expression::tree::{Factor, Function, Group, Node, Sign};
use crate::fraction::Fraction;
use crate::modifiers::count::{Counting, successes_of};
use crate::modifiers::each;
use crate::modifiers::keep::{End, Selection, is_wanted};
use crate::odds::budget::{Budget, Stop};
use crate::odds::dist::{Dist, Values, kept_members, negative, sum_of, too_large};
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
            let mut parts = Vec::with_capacity(rest.len() + 1);
            if !runs.is_empty() {
                let counted = term::sum_of_runs(&runs, budget)?;
                parts.push(Dist { values: Values::Dense(counted.poly), ways: counted.ways });
            }
            for (sign, term) in rest {
                let dist = self::node(term, budget)?;
                parts.push(if *sign == Sign::Minus { negative(dist, budget)? } else { dist });
            }
            sum_of(parts, budget)
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
    let Some((first, others)) = nodes.split_first() else { return Ok(Dist::constant(Fraction::ZERO)) };
    let first = node::<W>(first, budget)?;
    if others.is_empty() {
        return first.map(|value| call(function, &[value]), budget);
    }
    others.iter().try_fold(first, |result, other| {
        let other = node(other, budget)?;
        result.pairs(&other, |a, b| call(function, &[a, b]), budget)
    })
}

fn group_of<W: Weight>(group: &Group, budget: &mut Budget) -> Result<Dist<W>, Stop> {
    let members = group.members.iter().map(|member| node(member, budget)).collect::<Result<Vec<Dist<W>>, Stop>>()?;
    let count = members.len();
    let modifiers = group.modifier.as_slice();
    if modifiers.is_empty() {
        return sum_of(members, budget);
    }
    if let Some((end, kept)) = each::<Selection>(modifiers).next().and_then(|selection| selection.best(count)) {
        return kept_members(members, kept, end == End::Lowest, budget);
    }
    let counting = each::<Counting>(modifiers).next();
    let worth = |value: Fraction| match (is_wanted(each(modifiers), |point| point.holds(value)), counting) {
        (false, _) => Fraction::ZERO,
        (true, Some(counting)) => Fraction::int(successes_of(counting, value)),
        (true, None) => value,
    };
    let changed = members.iter().map(|member| member.map(|value| Some(worth(value)), budget));
    sum_of(changed.collect::<Result<Vec<Dist<W>>, Stop>>()?, budget)
}
