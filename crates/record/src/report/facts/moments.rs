//! The rolls least to be expected, each way; and hits with their damage, which are two rolls.

use crate::report::luck::chances::{Chances, Odds};
use rollbook_dice::odds::Ratio;
use rollbook_game::view::number::Numbers;
use rollbook_rules::Succeed;

#[derive(Debug, Clone)]
pub struct Moment {
    /// The entry of its roll, or of the first of two.
    pub number: Numbers,
    pub seq: u64,
    pub who: usize,
    pub text: String,
    /// Which roll of its entry it is, from 1, and of how many; `None` where it is the only one.
    pub nth: Option<(usize, usize)>,
    pub needs: Vec<Need>,
    pub chance: Ratio,
    rank: (f64, u64),
}

/// A total of an expression, or one beyond it.
#[derive(Debug, Clone)]
pub struct Need {
    pub expression: String,
    pub total: i64,
    pub way: Succeed,
}

/// What has this chance, or a greater one, is nothing out of the ordinary.
pub const ORDINARY: f64 = 0.1;

#[derive(Debug, Default)]
struct Extremes {
    lucky: Ends,
    unlucky: Ends,
    hits: Ends,
}

#[derive(Debug, Default)]
struct Ends {
    highest: Option<Moment>,
    lowest: Option<Moment>,
}

/// The rarest so far: of each rule, since low is good by some, and of rolls without one.
#[derive(Debug, Default)]
pub struct Moments(Vec<(Option<String>, Extremes)>);

#[derive(Debug, Clone)]
pub struct Rolled {
    pub number: Numbers,
    pub seq: u64,
    pub who: usize,
    pub text: String,
    pub nth: Option<(usize, usize)>,
    pub expression: String,
    pub total: i64,
    pub odds: Odds,
    pub rule: Option<String>,
    pub margin: Option<i64>,
    pub worked: Option<bool>,
}

impl Ends {
    fn each_way(&mut self) -> [(&mut Option<Moment>, Succeed); 2] {
        [
            (&mut self.highest, Succeed::AtLeast),
            (&mut self.lowest, Succeed::AtMost),
        ]
    }
}

impl Moments {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a roll. What failed is nobody's good luck, and what succeeded nobody's bad luck.
    pub fn add(&mut self, rolled: &Rolled, chances: &mut Chances) {
        let Some(extremes) = self.of(rolled.rule.as_deref()) else {
            return;
        };
        let lucky = (rolled.worked != Some(false)).then_some(&mut extremes.lucky);
        let unlucky = (rolled.worked != Some(true)).then_some(&mut extremes.unlucky);
        for (place, way) in lucky.into_iter().chain(unlucky).flat_map(Ends::each_way) {
            rarer(place, &[(rolled, way)], chances);
        }
    }

    /// Adds a hit and the damage that it dealt. What a miss deals all the same is no hit.
    pub fn add_hit(&mut self, hit: &Rolled, damage: &Rolled, chances: &mut Chances) {
        if hit.worked == Some(false) {
            return;
        }
        let Some(extremes) = self.of(hit.rule.as_deref()) else {
            return;
        };
        for (place, way) in extremes.hits.each_way() {
            rarer(place, &[(hit, way), (damage, Succeed::AtLeast)], chances);
        }
    }

    fn of(&mut self, rule: Option<&str>) -> Option<&mut Extremes> {
        let place = self
            .0
            .iter()
            .position(|(known, _)| known.as_deref() == rule);
        let place = place.unwrap_or_else(|| {
            self.0.push((rule.map(str::to_owned), Extremes::default()));
            self.0.len() - 1
        });
        self.0.get_mut(place).map(|(_, extremes)| extremes)
    }

    /// The luckiest and unluckiest below an [`ORDINARY`] chance, by each rule's good way or high.
    pub fn best_and_worst(
        &self,
        good: impl Fn(&str) -> Succeed,
    ) -> (Option<&Moment>, Option<&Moment>) {
        let (mut lucky, mut unlucky): (Vec<&Moment>, Vec<&Moment>) = (Vec::new(), Vec::new());
        for (rule, extremes) in &self.0 {
            let (better, hit, worse) = match rule.as_deref().map_or(Succeed::AtLeast, &good) {
                Succeed::AtLeast => (
                    &extremes.lucky.highest,
                    &extremes.hits.highest,
                    &extremes.unlucky.lowest,
                ),
                Succeed::AtMost => (
                    &extremes.lucky.lowest,
                    &extremes.hits.lowest,
                    &extremes.unlucky.highest,
                ),
            };
            lucky.extend(better.iter().chain(hit));
            unlucky.extend(worse);
        }
        (rarest(lucky), rarest(unlucky))
    }
}

fn rarest(moments: Vec<&Moment>) -> Option<&Moment> {
    let order = |a: &&Moment, b: &&Moment| {
        a.rank
            .0
            .total_cmp(&b.rank.0)
            .then(a.rank.1.cmp(&b.rank.1))
            .then(a.seq.cmp(&b.seq))
    };
    moments
        .into_iter()
        .filter(|moment| moment.chance.to_f64() < ORDINARY)
        .min_by(order)
}

/// Replaces what is less rare; of two as rare, the nearer to its target, then the earlier stays.
fn rarer(best: &mut Option<Moment>, rolls: &[(&Rolled, Succeed)], chances: &mut Chances) {
    let Some((first, _)) = rolls.first() else {
        return;
    };
    let chance: f64 = rolls
        .iter()
        .map(|(rolled, way)| chances.chance(rolled.odds, rolled.total, *way))
        .product();
    let rank = (chance, first.margin.map_or(u64::MAX, i64::unsigned_abs));
    let is_rarer = best
        .as_ref()
        .is_none_or(|best| rank.0 < best.rank.0 || (rank.0 == best.rank.0 && rank.1 < best.rank.1));
    if !is_rarer {
        return;
    }
    let exact = |(rolled, way): &(&Rolled, Succeed)| chances.exact(rolled.odds, rolled.total, *way);
    let texts: Vec<&str> = rolls
        .iter()
        .map(|(rolled, _)| rolled.text.as_str())
        .collect();
    let need = |(rolled, way): &(&Rolled, Succeed)| Need {
        expression: rolled.expression.clone(),
        total: rolled.total,
        way: *way,
    };
    *best = Some(Moment {
        number: first.number,
        seq: first.seq,
        who: first.who,
        text: texts.join(" "),
        nth: first.nth,
        needs: rolls.iter().map(need).collect(),
        chance: rolls
            .iter()
            .map(exact)
            .reduce(|all, next| all.times(&next))
            .unwrap_or_default(),
        rank,
    });
}
