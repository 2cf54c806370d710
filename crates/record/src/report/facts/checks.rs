//! Checks, as numbers: what was needed, what came.

use std::collections::BTreeMap;

use super::fact::Tried;
use crate::report::luck::chances::{Chances, Odds};
use rollbook_dice::EnteredRoller;
use rollbook_game::record::entry::RollRecord;
use rollbook_game::view::number::Numbers;
use rollbook_rules::Succeed;

#[derive(Debug, Clone, Copy)]
pub struct Check {
    pub number: Numbers,
    pub seq: u64,
    pub who: usize,
    pub skill: usize,
    pub rule: usize,
    /// See [`Tried::worked`].
    pub worked: Option<bool>,
    pub margin: Option<i64>,
    /// People rolled its dice by hand, so nobody can say what their chance was.
    pub entered: bool,
    /// What decides its chance, where that is known.
    pub roll: Option<Decided>,
}

#[derive(Debug, Clone, Copy)]
pub struct Decided {
    pub odds: Odds,
    pub total: i64,
    pub target: i64,
    pub margin: i64,
}

#[derive(Debug, Default)]
pub struct Checks {
    pub all: Vec<Check>,
    pub skills: Names,
    rules: Names,
}

#[derive(Debug, Default)]
pub struct Names(Vec<String>);

/// Skills or rules that are kept apart; the last one stands for the rest.
const NAMES_MAX: usize = 300;

impl Names {
    fn place(&mut self, name: &str) -> usize {
        match self.0.iter().position(|known| known == name) {
            Some(place) => place,
            None if self.0.len() < NAMES_MAX => {
                self.0.push(name.to_owned());
                self.0.len() - 1
            }
            None => NAMES_MAX - 1,
        }
    }

    pub fn name(&self, place: usize) -> &str {
        self.0.get(place).map_or("", String::as_str)
    }
}

impl Checks {
    pub fn add(
        &mut self,
        (number, seq): (Numbers, u64),
        who: usize,
        tried: &Tried,
        roll: Option<&RollRecord>,
        odds: Option<Odds>,
    ) {
        let total = roll.map(|record| record.roll.total);
        let decided = (!tried.contest && !tried.again)
            .then_some(())
            .and_then(|()| Some((odds?, total?, tried.target?, tried.margin?)))
            // Where the rule counts successes unlike the roll, the roll's odds are not theirs.
            .filter(|(_, total, ..)| tried.successes.is_none_or(|successes| successes == *total))
            .filter(|(_, total, target, margin)| {
                way(*total, *target, *margin).is_some() || (*margin == 0 && total == target)
            })
            .map(|(odds, total, target, margin)| Decided {
                odds,
                total,
                target,
                margin,
            });
        self.all.push(Check {
            number,
            seq,
            who,
            skill: self.skills.place(&tried.skill),
            rule: self.rules.place(&tried.rule),
            worked: tried.worked(),
            margin: tried.margin,
            entered: roll.is_some_and(|record| record.source == EnteredRoller::SOURCE),
            roll: decided,
        });
    }

    /// Which way is good, by rule: the log says it wherever a total is not the target itself.
    pub fn ways(&self) -> BTreeMap<usize, Succeed> {
        let mut ways = BTreeMap::new();
        for check in &self.all {
            if let Some(way) = check
                .roll
                .and_then(|roll| way(roll.total, roll.target, roll.margin))
            {
                ways.entry(check.rule).or_insert(way);
            }
        }
        ways
    }

    /// Which way is good by the rule of that name; high, where the log does not say.
    pub fn way_of(&self, ways: &BTreeMap<usize, Succeed>, rule: &str) -> Succeed {
        let place = self.rules.0.iter().position(|known| known == rule);
        place
            .and_then(|place| ways.get(&place))
            .copied()
            .unwrap_or(Succeed::AtLeast)
    }

    /// The chance that a check reaches its target; of dice that people rolled it is not known.
    pub fn chance(
        check: &Check,
        ways: &BTreeMap<usize, Succeed>,
        chances: &mut Chances,
    ) -> Option<f64> {
        let roll = check.roll.filter(|_| !check.entered)?;
        Some(chances.chance(roll.odds, roll.target, *ways.get(&check.rule)?))
    }
}

/// Which way is good, where total and target differ.
fn way(total: i64, target: i64, margin: i64) -> Option<Succeed> {
    let fits = |succeed: &Succeed| margin != 0 && succeed.margin(total, target) == margin;
    [Succeed::AtLeast, Succeed::AtMost].into_iter().find(fits)
}
