//! Fights played out many times, by the decisions of the table, over a state that is thrown away.
//!
//! Who strikes whom, and with what, is all that is decided here ([`Policy`]); initiative, checks,
//! damage, conditions and death are the rules'. Each combatant makes one attack in its turn, or as
//! many as its notes say; where the rules have no turns, in each round. Whoever is down makes the
//! checks that the rules keep for that, once a round. Nobody heals, flees or gives up, nobody is
//! out of reach, and what sheets say in words is not played. A fight is over when a side has nobody
//! up, and undecided after so many rounds.
//!
//! The dice of a fight follow from the seed and its number alone, so fights may be played in any
//! order and on any number of threads.

mod arms;
mod fight;

pub(crate) use arms::Arms;
pub use arms::attacks_a_turn;
pub use fight::{End, Fight, Policy, Record};

use crate::decide::character::{SheetCall, create, create_many};
use crate::decide::combat::{self, Newcomer, StartCall};
use crate::limits::{self, LIMITS};
use crate::record::state::{Kind, State};
use crate::refusal::{Code, Refusal};
use crate::table::{Setting, Table, Unrecorded};
use crate::{decide::check, mechanics::health::Vitality};
use rollbook_dice::SeededRoller;
use rollbook_rules::Check;
use rollbook_text::names::{listed, quoted};
use std::collections::BTreeMap;

/// The stream of dice by which sides are made and attacks compared; fights have those before.
const BEFORE: u64 = u64::MAX;

type Dice = Unrecorded<SeededRoller>;

/// Rounds of a fight at most.
pub const ROUNDS_MAX: u32 = 10_000;

/// How the fights are fought.
#[derive(Debug, Clone)]
pub struct Plan {
    pub party: Policy,
    pub foes: Policy,
    /// After so many rounds a fight is undecided.
    pub rounds: u32,
    /// The check of attacks, where it is not the one that the rules have for them.
    pub check: Option<String>,
    pub difficulty: Option<i64>,
    /// The skill with which targets oppose attacks.
    pub defence: Option<String>,
    pub seed: u64,
}

/// A side of the fight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Party,
    Foes,
}

impl Side {
    /// The other one.
    pub fn other(self) -> Side {
        if self == Side::Party {
            Side::Foes
        } else {
            Side::Party
        }
    }
}

/// A character in the fight.
#[derive(Debug, Clone)]
pub struct Fighter {
    pub id: i64,
    pub name: String,
    pub side: Side,
    pub arms: Arms,
}

/// Two sides, ready to fight.
pub struct Simulation<'s> {
    setting: &'s Setting,
    pub plan: Plan,
    begun: State,
    /// The number of the last entry that led there.
    head: u64,
    /// Everybody, the party first.
    pub fighters: Vec<Fighter>,
    /// The checks of those who are down: by their While nobody makes them at the beginning.
    saves: Vec<String>,
}

impl<'s> Simulation<'s> {
    /// Makes both sides and finds out what they fight with. `foes` are each of so many. Refused: as
    /// creation and the fight's begin; an empty side, no health, no attack at all.
    pub fn prepare(
        setting: &'s Setting,
        party: Vec<SheetCall>,
        foes: Vec<(SheetCall, i64)>,
        plan: Plan,
    ) -> Result<Simulation<'s>, Refusal> {
        limits::count(
            "rounds",
            usize::try_from(plan.rounds).unwrap_or(usize::MAX),
            ROUNDS_MAX as usize,
        )?;
        let mut begun = State::default();
        let mut dice = Unrecorded(SeededRoller::new(plan.seed, BEFORE));
        let mut table = Table::new(&mut begun, setting, &mut dice, 0, 0, None);
        for sheet in party {
            let kind = sheet
                .kind
                .filter(|kind| kind.is_open())
                .unwrap_or(Kind::Player);
            let name = name_of(&sheet);
            let made = create(
                &mut table,
                SheetCall {
                    kind: Some(kind),
                    ..sheet
                },
            );
            made.map_err(|refusal| about(refusal, &name))?;
        }
        let party = table.state.characters.len();
        for (sheet, count) in foes {
            let name = name_of(&sheet);
            let made = create_many(
                &mut table,
                SheetCall {
                    kind: Some(Kind::Npc),
                    ..sheet
                },
                Some(count),
            );
            made.map_err(|refusal| about(refusal, &name))?;
        }
        let head = table.into_written().len() as u64;
        // In the order in which they were made, the party first.
        let fighters: Vec<Fighter> = (0..)
            .zip(begun.characters.values())
            .map(|(nth, who)| {
                let side = if nth < party { Side::Party } else { Side::Foes };
                Fighter {
                    id: who.id,
                    name: who.name.clone(),
                    side,
                    arms: Arms::default(),
                }
            })
            .collect();
        limits::count("combatants", fighters.len(), LIMITS.combatants)?;
        let mut made = Simulation {
            setting,
            plan,
            begun,
            head,
            fighters,
            saves: Vec::new(),
        };
        made.check_sides()?;
        made.saves = made.saves();
        made.arm()?;
        Ok(made)
    }

    fn of(&self, side: Side) -> impl Iterator<Item = &Fighter> {
        self.fighters
            .iter()
            .filter(move |fighter| fighter.side == side)
    }

    fn saves(&self) -> Vec<String> {
        let system = &self.setting.system;
        let is_open = |rule: &Check, id: i64| check::is_open(&self.begun, system, rule, Some(id));
        let kept = system
            .checks
            .iter()
            .filter(|check| check.only_while.is_some());
        let kept = kept.filter(|rule| {
            !self
                .fighters
                .iter()
                .any(|fighter| is_open(rule, fighter.id))
        });
        kept.map(|rule| rule.name.clone()).collect()
    }

    fn check_sides(&self) -> Result<(), Refusal> {
        for (side, what) in [(Side::Party, "The party"), (Side::Foes, "The other side")] {
            if self.of(side).next().is_none() {
                return Err(refused(format!("{what} is nobody, so there is no fight.")));
            }
        }
        let system = &self.setting.system;
        let (mut without, mut down) = (Vec::new(), Vec::new());
        for fighter in &self.fighters {
            let vitality = Vitality::of(&self.begun, fighter.id);
            if vitality.left(system).is_none() {
                without.push(fighter.name.as_str());
            } else if vitality.is_down(system) {
                down.push(fighter.name.as_str());
            }
        }
        if !without.is_empty() {
            let summary = format!(
                "{} has no health by these rules, so nobody could win. Write the hit points on the sheet (- Hit points: 7), or a section \
                 \"## Health\" in System.md (- Hit points: max 10, and - Damage: Hit points); games in which fights are won by the story \
                 are not simulated.",
                listed(without, 200)
            );
            return Err(refused(summary));
        }
        if !down.is_empty() {
            let down = listed(down, 200);
            return Err(refused(format!(
                "{down} is down before the fight. Leave them out, or heal them."
            )));
        }
        Ok(())
    }

    fn begin(&self, dice: &mut Dice) -> Result<(State, u64), Refusal> {
        let mut state = self.begun.clone();
        let combatants = self.fighters.iter().map(|fighter| Newcomer {
            name: fighter.name.clone(),
            side: Some(
                if fighter.side == Side::Party {
                    "players"
                } else {
                    "foes"
                }
                .to_owned(),
            ),
            ..Newcomer::default()
        });
        let call = StartCall {
            combatants: combatants.collect(),
            ..StartCall::default()
        };
        let mut table = Table::new(&mut state, self.setting, dice, 0, self.head, None).unread();
        combat::start(&mut table, &call)?;
        let head = self.head + table.into_written().len() as u64;
        Ok((state, head))
    }
}

fn name_of(sheet: &SheetCall) -> String {
    sheet
        .name
        .clone()
        .or(sheet.from.as_ref().map(|from| from.name.clone()))
        .unwrap_or_default()
}

fn about(refusal: Refusal, name: &str) -> Refusal {
    let summary = format!("{}: {}", quoted(name), refusal.summary);
    Refusal { summary, ..refusal }
}

fn refused(summary: String) -> Refusal {
    Refusal::new(Code::InvalidParameters, summary)
}

/// The standard normal quantile of 97.5 %: intervals of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// What many fights add up to, in whole numbers: tallies of parts give the same in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub fights: u64,
    /// How many fights ended so.
    pub ends: BTreeMap<End, u64>,
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
        Tally {
            fighters: vec![FighterTally::default(); fighters.len()],
            ..Tally::default()
        }
    }

    /// Adds a fight between them.
    pub fn add(&mut self, fighters: &[Fighter], fight: &Fight) {
        let party = fighters
            .iter()
            .zip(&fight.records)
            .filter(|(fighter, _)| fighter.side == Side::Party);
        let one = |record: &Record| FighterTally {
            fell: record.fell.into(),
            died: record.dead.into(),
        };
        self.merge(&Tally {
            fights: 1,
            ends: [(fight.end, 1)].into(),
            rounds: [(fight.rounds, 1)].into(),
            party_fell: [(party.filter(|(_, record)| record.fell).count() as u64, 1)].into(),
            fighters: fight.records.iter().map(one).collect(),
            refused: fight.refused.clone(),
        });
    }

    /// Adds those of another.
    pub fn merge(&mut self, other: &Tally) {
        self.fights += other.fights;
        other
            .ends
            .iter()
            .for_each(|(key, count)| *self.ends.entry(*key).or_default() += count);
        other
            .rounds
            .iter()
            .for_each(|(key, count)| *self.rounds.entry(*key).or_default() += count);
        other
            .party_fell
            .iter()
            .for_each(|(key, count)| *self.party_fell.entry(*key).or_default() += count);
        // Of several reasons for a check the first by the alphabet is kept, so any order is alike.
        for (check, why) in &other.refused {
            let kept = self
                .refused
                .entry(check.clone())
                .or_insert_with(|| why.clone());
            if why < kept {
                kept.clone_from(why);
            }
        }
        for (tally, other) in self.fighters.iter_mut().zip(&other.fighters) {
            tally.fell += other.fell;
            tally.died += other.died;
        }
    }

    /// How many fights ended so.
    pub fn ended(&self, end: End) -> u64 {
        self.ends.get(&end).copied().unwrap_or(0)
    }

    /// How long the fights were.
    pub fn mean_rounds(&self) -> Mean {
        let each = || {
            self.rounds
                .iter()
                .map(|(rounds, count)| (f64::from(*rounds), *count as f64))
        };
        let many = self.fights.max(1) as f64;
        let mean = each().map(|(rounds, count)| rounds * count).sum::<f64>() / many;
        let squares = each()
            .map(|(rounds, count)| rounds * rounds * count)
            .sum::<f64>()
            / many;
        Mean {
            mean,
            margin: Z * ((squares - mean * mean).max(0.0) / many).sqrt(),
        }
    }
}

/// The interval of 95 % of a chance that came true `count` times of `all`: Wilson's (E. B. Wilson,
/// 1927), which stays within 0 and 1 and is right for chances near them too.
pub fn interval(count: u64, all: u64) -> Interval {
    if all == 0 {
        return Interval {
            low: 0.0,
            high: 1.0,
        };
    }
    let (many, share) = (all as f64, count as f64 / all as f64);
    let whole = 1.0 + Z * Z / many;
    let middle = (share + Z * Z / (2.0 * many)) / whole;
    let reach = Z / whole * (share * (1.0 - share) / many + Z * Z / (4.0 * many * many)).sqrt();
    let low = if count == 0 {
        0.0
    } else {
        (middle - reach).max(0.0)
    };
    let high = if count == all {
        1.0
    } else {
        (middle + reach).min(1.0)
    };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_wilsons() {
        // 81 of 263: the example of R. G. Newcombe, 1998, table I.
        let found = interval(81, 263);
        assert!(
            (found.low - 0.2553).abs() < 5e-5 && (found.high - 0.3662).abs() < 5e-5,
            "{found:?}"
        );
        let none = interval(0, 20);
        assert!(
            none.low == 0.0 && (none.high - 0.1611).abs() < 5e-5,
            "{none:?}"
        );
        assert_eq!(interval(20, 20).high, 1.0);
        assert_eq!(
            interval(0, 0),
            Interval {
                low: 0.0,
                high: 1.0
            }
        );
    }

    #[test]
    fn a_mean_has_the_margin_of_its_spread() {
        let rounds = [(2, 1), (4, 3), (5, 2), (7, 1), (9, 1)].into();
        let found = Tally {
            fights: 8,
            rounds,
            ..Tally::default()
        }
        .mean_rounds();
        assert_eq!(found.mean, 5.0);
        assert!(
            (found.margin - Z * 2.0 / 8f64.sqrt()).abs() < 1e-12,
            "{found:?}"
        );
    }
}
