//! Expression to roll: draws the dice, does the arithmetic, and writes its one line.

mod explain;
pub(crate) mod roller;
mod throw;
mod value;

use crate::compare::Comparison;
use crate::error::DiceError;
use crate::expression::Expression;
use crate::expression::arithmetic::{holds, overflow};
use crate::expression::bounds::Kind;
use crate::expression::print::print_check;
use crate::expression::tree::{Check, Node, Request, Test};
use crate::fraction::Fraction;
use crate::record::{Roll, Term, Verdict};
use crate::roll::roller::{Roller, ScriptedRoller};
use crate::roll::throw::Thrower;
use crate::roll::value::{exact, sum, value_of, whole};

impl Expression {
    /// Rolls it. Errors: `draw_failed` when the roller gives no face; everything else was refused
    /// when the expression was read.
    pub fn roll(&self, roller: &mut dyn Roller) -> Result<Roll, DiceError> {
        let (request, counts) = (self.request(), self.kind() == Kind::Successes);
        let mut thrower = Thrower::new(roller);
        let Some(times) = request.repeat else {
            let mut roll = check(
                &mut thrower,
                &request.check,
                self.as_str().to_owned(),
                counts,
            )?;
            comment(&mut roll, request);
            return Ok(roll);
        };
        let mut inner = String::new();
        print_check(&mut inner, &request.check);
        let mut roll = Roll {
            expression: self.as_str().to_owned(),
            ..Roll::default()
        };
        for _ in 0..times {
            let one = check(&mut thrower, &request.check, inner.clone(), counts)?;
            // The totals of checks that succeed or fail are not worth adding up.
            let worth = match one.verdict.as_ref().and_then(|verdict| verdict.success) {
                Some(success) => i64::from(success),
                None => one.total,
            };
            roll.total = roll.total.saturating_add(worth);
            roll.repeats.push(one);
        }
        if request.counts_checks() {
            roll.successes = Some(roll.total);
            roll.total_dice = Some(i64::from(times));
        } else {
            roll.successes = counts.then_some(roll.total);
            roll.total_dice = roll.repeats.iter().map(|one| one.total_dice).sum();
        }
        roll.explanation = explain::repeated(&roll, request.counts_checks());
        comment(&mut roll, request);
        Ok(roll)
    }

    /// The value, floored, when no dice and no test are in it.
    pub fn constant(&self) -> Option<i64> {
        let check = &self.request().check;
        if check.node.has_dice() || check.test.is_some() {
            return None;
        }
        let value = constant(&check.node).ok()?.floor().whole()?;
        Some(value.saturating_mul(i64::from(self.request().repeat.unwrap_or(1))))
    }
}

fn comment(roll: &mut Roll, request: &Request) {
    if let Some(comment) = &request.comment {
        roll.explanation.extend([" # ", comment]);
        roll.comment = Some(comment.clone());
    }
}

pub(crate) fn constant(node: &Node) -> Result<Fraction, DiceError> {
    value_of(
        &mut Thrower::new(&mut ScriptedRoller::default()),
        node,
        &mut Vec::new(),
    )
}

fn check(
    thrower: &mut Thrower<'_>,
    check: &Check,
    expression: String,
    counts: bool,
) -> Result<Roll, DiceError> {
    thrower.begin(check);
    let mut roll = Roll {
        expression,
        ..Roll::default()
    };
    let value = match &check.node {
        Node::Sum(nodes) => sum(thrower, nodes, &mut roll.terms)?,
        node => value_of(thrower, node, &mut roll.terms)?,
    };
    roll.total = whole(value.floor(), &check.node)?;
    roll.exact = exact(value);
    if counts {
        roll.successes = Some(roll.total);
        let looked_at: i64 = roll.terms.iter().map(looked_at).sum();
        roll.total_dice = (looked_at > 0).then_some(looked_at);
    }
    roll.verdict = check
        .test
        .as_ref()
        .map(|test| verdict(thrower, test, roll.total))
        .transpose()?;
    roll.explanation = explain::check(check, &roll);
    Ok(roll)
}

/// How many kept dice or sub-totals were looked at for successes.
fn looked_at(term: &Term) -> i64 {
    match term {
        Term::Dice { dice, .. } => dice
            .iter()
            .map(|die| i64::from(die.counted.is_some()))
            .sum(),
        Term::Constant { .. } => 0,
        Term::Compute { terms, .. } | Term::Group { terms, .. } => {
            terms.iter().map(looked_at).sum()
        }
    }
}

fn verdict(thrower: &mut Thrower<'_>, test: &Test, total: i64) -> Result<Verdict, DiceError> {
    let mut verdict = Verdict {
        test: test.as_str().to_owned(),
        ..Verdict::default()
    };
    if let Test::Bands(bands) = test {
        verdict.band = i64::try_from(bands.iter().filter(|band| total >= **band).count()).ok();
    }
    let Some((comparison, node)) = test.comparison() else {
        return Ok(verdict);
    };
    let mut terms = Vec::new();
    let target = value_of(thrower, node, &mut terms)?;
    let above = Fraction::int(total).plus(target.negative());
    let above = above.ok_or_else(|| overflow(node.span()))?;
    let margin = match comparison {
        Comparison::AtLeast | Comparison::Greater => Some(above.floor()),
        Comparison::AtMost | Comparison::Less => Some(above.negative().floor()),
        Comparison::Equal | Comparison::NotEqual => None,
    };
    let margin = margin.map(|margin| whole(margin, node)).transpose()?;
    terms.retain(|term| !matches!(term, Term::Constant { .. }));
    Ok(Verdict {
        target: Some(whole(target.floor(), node)?),
        exact_target: exact(target),
        terms,
        margin,
        success: Some(holds(Fraction::int(total), comparison, target)),
        ..verdict
    })
}
