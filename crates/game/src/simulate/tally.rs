//! What many fights add up to. All counts are whole numbers, so tallies of parts give the same sum in any order.

use std::collections::BTreeMap;

use super::fight::{End, Fight};
use super::{Fighter, Side};

/// The standard normal quantile of 97.5 %: intervals of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Many fights.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub fights: u64,
    pub party_won: u64,
    pub foes_won: u64,
    /// Nobody was up on either side.
    pub all_down: u64,
    pub undecided: u64,
    /// How many fights ended in each round.
    pub rounds: BTreeMap<u32, u64>,
    /// In how many fights so many of the party were down at some time.
    pub party_fell: BTreeMap<u64, u64>,
    /// In the order of the fighters.
    pub fighters: Vec<FighterTally>,
    /// Checks of those who are down that were refused, and why.
    pub refused: BTreeMap<String, String>,
}

/// What one of them did and suffered in many fights.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FighterTally {
    /// Fights in which it was down at some time.
    pub fell: u64,
    /// Fights at whose end it was dead.
    pub died: u64,
}

/// A mean, and how far off it may be: an interval of 95 % reaches so far to both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    pub mean: f64,
    pub margin: f64,
}

/// Between these lies a chance; of a hundred such intervals ninety-five hold theirs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Tally {
    /// Of no fights between these.
    pub fn of(fighters: &[Fighter]) -> Tally {
        Tally { fighters: vec![FighterTally::default(); fighters.len()], ..Tally::default() }
    }

    /// Adds a fight between them.
    pub fn add(&mut self, fighters: &[Fighter], fight: &Fight) {
        self.fights += 1;
        match fight.end {
            End::Won(Side::Party) => self.party_won += 1,
            End::Won(Side::Foes) => self.foes_won += 1,
            End::AllDown => self.all_down += 1,
            End::Undecided => self.undecided += 1,
        }
        *self.rounds.entry(fight.rounds).or_default() += 1;
        let party = fighters.iter().zip(&fight.records).filter(|(fighter, _)| fighter.side == Side::Party);
        *self.party_fell.entry(party.filter(|(_, record)| record.fell).count() as u64).or_default() += 1;
        self.refuse(&fight.refused);
        for (tally, record) in self.fighters.iter_mut().zip(&fight.records) {
            tally.fell += u64::from(record.fell);
            tally.died += u64::from(record.dead);
        }
    }

    /// Adds those of another.
    pub fn merge(&mut self, other: &Tally) {
        self.fights += other.fights;
        self.party_won += other.party_won;
        self.foes_won += other.foes_won;
        self.all_down += other.all_down;
        self.undecided += other.undecided;
        other.rounds.iter().for_each(|(key, count)| *self.rounds.entry(*key).or_default() += count);
        other.party_fell.iter().for_each(|(key, count)| *self.party_fell.entry(*key).or_default() += count);
        self.refuse(&other.refused);
        for (tally, other) in self.fighters.iter_mut().zip(&other.fighters) {
            tally.fell += other.fell;
            tally.died += other.died;
        }
    }

    /// Of several reasons for one check the first by the alphabet is kept, so that parts give the same in any order.
    fn refuse(&mut self, refused: &BTreeMap<String, String>) {
        for (check, why) in refused {
            let kept = self.refused.entry(check.clone()).or_insert_with(|| why.clone());
            if why < kept {
                kept.clone_from(why);
            }
        }
    }

    /// How long the fights were.
    pub fn mean_rounds(&self) -> Mean {
        let each = || self.rounds.iter().map(|(rounds, count)| (f64::from(*rounds), *count as f64));
        let many = self.fights.max(1) as f64;
        let mean = each().map(|(rounds, count)| rounds * count).sum::<f64>() / many;
        let squares = each().map(|(rounds, count)| rounds * rounds * count).sum::<f64>() / many;
        Mean { mean, margin: Z * ((squares - mean * mean).max(0.0) / many).sqrt() }
    }
}

/// The interval of 95 % of a chance that came true `count` times of `all`: Wilson's (E. B. Wilson, 1927), which stays within 0 and 1 and
/// is right for chances near them too.
pub fn interval(count: u64, all: u64) -> Interval {
    if all == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (many, share) = (all as f64, count as f64 / all as f64);
    let whole = 1.0 + Z * Z / many;
    let middle = (share + Z * Z / (2.0 * many)) / whole;
    let reach = Z / whole * (share * (1.0 - share) / many + Z * Z / (4.0 * many * many)).sqrt();
    let low = if count == 0 { 0.0 } else { (middle - reach).max(0.0) };
    let high = if count == all { 1.0 } else { (middle + reach).min(1.0) };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_wilsons() {
        // 81 of 263: the example of R. G. Newcombe, 1998, table I.
        let found = interval(81, 263);
        assert!((found.low - 0.2553).abs() < 5e-5 && (found.high - 0.3662).abs() < 5e-5, "{found:?}");
        let none = interval(0, 20);
        assert!(none.low == 0.0 && (none.high - 0.1611).abs() < 5e-5, "{none:?}");
        assert_eq!(interval(20, 20).high, 1.0);
        assert_eq!(interval(0, 0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn a_mean_has_the_margin_of_its_spread() {
        let rounds = [(2, 1), (4, 3), (5, 2), (7, 1), (9, 1)].into();
        let found = Tally { fights: 8, rounds, ..Tally::default() }.mean_rounds();
        assert_eq!(found.mean, 5.0);
        assert!((found.margin - Z * 2.0 / 8f64.sqrt()).abs() < 1e-12, "{found:?}");
    }
}
