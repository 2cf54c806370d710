//! The rolls that were least to be expected, each way.

use crate::dice::odds::Ratio;
use crate::report::luck::chances::{Chances, Odds};
use crate::rules::Succeed;

/// A roll that was hardly to be expected.
#[derive(Debug, Clone)]
pub struct Moment {
    pub number: u64,
    pub seq: u64,
    pub who: usize,
    /// The entry's sentence.
    pub text: String,
    pub expression: String,
    pub total: i64,
    /// The chance of this total or of one beyond it.
    pub chance: Ratio,
    /// Beyond is above or below.
    pub way: Succeed,
    rank: (f64, u64),
}

/// The highest and the lowest of a rule, by how rare they are.
#[derive(Debug, Default, Clone)]
struct Extremes {
    highest: Option<Moment>,
    lowest: Option<Moment>,
}

/// The rarest so far: of each rule, since low is good by some, and of rolls without one.
#[derive(Debug, Default)]
pub struct Moments(Vec<(Option<String>, Extremes)>);

/// A roll that may be one.
pub struct Rolled<'a> {
    pub number: u64,
    pub seq: u64,
    pub who: usize,
    pub text: &'a str,
    pub expression: &'a str,
    pub total: i64,
    /// The rule that it is a check of.
    pub rule: Option<&'a str>,
    pub margin: Option<i64>,
}

impl Moments {
    pub fn add(&mut self, rolled: &Rolled<'_>, odds: Odds, chances: &mut Chances) {
        let place = self.0.iter().position(|(rule, _)| rule.as_deref() == rolled.rule);
        let place = place.unwrap_or_else(|| {
            self.0.push((rolled.rule.map(str::to_owned), Extremes::default()));
            self.0.len() - 1
        });
        let Some((_, own)) = self.0.get_mut(place) else { return };
        rarer(&mut own.highest, rolled, odds, chances, Succeed::AtLeast);
        rarer(&mut own.lowest, rolled, odds, chances, Succeed::AtMost);
    }

    /// The luckiest and the unluckiest, by which way is good in each rule. A roll without a rule is good where it is high.
    pub fn best_and_worst(&self, good: impl Fn(&str) -> Succeed) -> (Option<&Moment>, Option<&Moment>) {
        let (mut lucky, mut unlucky): (Vec<&Moment>, Vec<&Moment>) = (Vec::new(), Vec::new());
        for (rule, own) in &self.0 {
            let (better, worse) = match rule.as_deref().map_or(Succeed::AtLeast, &good) {
                Succeed::AtLeast => (&own.highest, &own.lowest),
                Succeed::AtMost => (&own.lowest, &own.highest),
            };
            lucky.extend(better);
            unlucky.extend(worse);
        }
        (rarest(lucky), rarest(unlucky))
    }
}

fn rarest(moments: Vec<&Moment>) -> Option<&Moment> {
    let order =
        |a: &&Moment, b: &&Moment| a.rank.0.total_cmp(&b.rank.0).then(a.rank.1.cmp(&b.rank.1)).then(a.seq.cmp(&b.seq));
    moments.into_iter().min_by(order)
}

/// Takes the roll's place where it is rarer; of two that are as rare, the one that was nearer to its target, then the earlier.
fn rarer(best: &mut Option<Moment>, rolled: &Rolled<'_>, odds: Odds, chances: &mut Chances, way: Succeed) {
    let rank = (chances.chance(odds, rolled.total, way), rolled.margin.map_or(u64::MAX, i64::unsigned_abs));
    let is_rarer = best.as_ref().is_none_or(|own| rank.0 < own.rank.0 || (rank.0 == own.rank.0 && rank.1 < own.rank.1));
    if is_rarer {
        *best = Some(Moment {
            number: rolled.number,
            seq: rolled.seq,
            who: rolled.who,
            text: rolled.text.to_owned(),
            expression: rolled.expression.to_owned(),
            total: rolled.total,
            chance: chances.exact(odds, rolled.total, way),
            way,
            rank,
        });
    }
}
