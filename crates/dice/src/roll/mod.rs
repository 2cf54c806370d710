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
use crate::roll::roller::{DrawError, Roller};
use crate::roll::throw::Thrower;
use crate::roll::value::{exact, sum, value_of, whole};

impl Expression {
    /// Rolls it.
    ///
    /// # Errors
    /// `draw_failed` when the roller gives no face. Everything else was refused when the
    /// expression was read, before any draw.
    pub fn roll(&self, roller: &mut dyn Roller) -> Result<Roll, DiceError> {
        roll(self.request(), self.as_str(), self.kind() == Kind::Successes, roller)
    }

    /// The value, floored, when no dice and no test are in it.
    pub fn constant(&self) -> Option<i64> {
        let mut dice = 0;
        self.visit_dice(&mut |_| dice += 1);
        if dice > 0 || self.request().check.test.is_some() {
            return None;
        }
        let value = constant(&self.request().check.node).ok()?.floor().whole()?;
        Some(value.saturating_mul(i64::from(self.request().repeat.unwrap_or(1))))
    }
}

/// Rolls a request that has been validated.
fn roll(request: &Request, text: &str, counts: bool, roller: &mut dyn Roller) -> Result<Roll, DiceError> {
    let mut thrower = Thrower::new(roller);
    let Some(times) = request.repeat else {
        let mut roll = check(&mut thrower, &request.check, text.to_owned(), counts)?;
        comment(&mut roll, request);
        return Ok(roll);
    };
    let mut inner = String::new();
    print_check(&mut inner, &request.check);
    let mut roll = Roll { expression: text.to_owned(), ..Roll::default() };
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

/// Adds the comment to the record and to its line.
fn comment(roll: &mut Roll, request: &Request) {
    if let Some(comment) = &request.comment {
        roll.explanation.push_str(" # ");
        roll.explanation.push_str(comment);
        roll.comment = Some(comment.clone());
    }
}

/// The value of a tree without dice.
pub(crate) fn constant(node: &Node) -> Result<Fraction, DiceError> {
    let mut none = NoDice;
    let mut thrower = Thrower::new(&mut none);
    value_of(&mut thrower, node, &mut Vec::new())
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
    thrower.begin(check);
    let mut roll = Roll { expression, ..Roll::default() };
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
    let mut terms = Vec::new();
    let target = value_of(thrower, node, &mut terms)?;
    let above = Fraction::int(total).plus(target.negative());
    let above = above.ok_or_else(|| overflow(node.span()))?;
    let margin = match comparison {
        Comparison::AtLeast | Comparison::Greater => Some(above.floor()),
        Comparison::AtMost | Comparison::Less => Some(above.negative().floor()),
        Comparison::Equal | Comparison::NotEqual => None,
    };
    let margin = match margin {
        None => None,
        Some(margin) => Some(whole(margin, node)?),
    };
    terms.retain(|term| !matches!(term, Term::Constant { .. }));
    Ok(Verdict {
        target: Some(whole(target.floor(), node)?),
        exact_target: exact(target),
        terms,
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
