//! One fight, from initiative to the last hit.

use crate::decide::{attack, check, check::CheckCall, combat};
use crate::mechanics::{duration::has_turns, health::Vitality};
use crate::simulate::{Dice, Fighter, Side, Simulation};
use crate::table::{Table, Unrecorded};
use crate::{record::state::State, refusal::Refusal};
use rollbook_dice::{Roller, SeededRoller};
use std::collections::BTreeMap;

/// Parts the dice of the fights from those of the policies, which draw none of the former.
const CHOICES: u64 = 1 << 63;

/// How a fight ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// That side has a character up, the other nobody.
    Won(Side),
    AllDown,
    /// Both sides are up after the last round.
    Undecided,
}

/// A fight that was fought.
#[derive(Debug, Clone)]
pub struct Fight {
    pub end: End,
    /// The round in which it ended.
    pub rounds: u32,
    /// In the order of [`Simulation::fighters`].
    pub records: Vec<Record>,
    /// Checks of those who are down that were refused, and why.
    pub refused: BTreeMap<String, String>,
}

/// What one of them did and suffered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// How often others struck at it.
    pub struck_at: u64,
    /// It was down at some time.
    pub fell: bool,
    pub dead: bool,
}

impl Simulation<'_> {
    /// Plays the fight of that number, below 2^63. Refused: it cannot begin, a turn cannot end.
    pub fn fight(&self, number: u64) -> Result<Fight, Refusal> {
        let mut dice = Unrecorded(SeededRoller::new(self.plan.seed, number));
        let (state, head) = self.begin(&mut dice)?;
        let choices = SeededRoller::new(self.plan.seed, number | CHOICES);
        let records = vec![Record::default(); self.fighters.len()];
        let refused = BTreeMap::new();
        let mut playing = Playing {
            of: self,
            state,
            head,
            dice,
            choices,
            records,
            refused,
        };
        let (end, rounds) = playing.play()?;
        let mut records = playing.records;
        for (fighter, record) in self.fighters.iter().zip(&mut records) {
            record.dead = Vitality::of(&playing.state, fighter.id).is_dead();
        }
        Ok(Fight {
            end,
            rounds,
            records,
            refused: playing.refused,
        })
    }
}

struct Playing<'f, 's> {
    of: &'f Simulation<'s>,
    state: State,
    head: u64,
    dice: Dice,
    choices: SeededRoller,
    records: Vec<Record>,
    refused: BTreeMap<String, String>,
}

impl<'f> Playing<'f, '_> {
    fn play(&mut self) -> Result<(End, u32), Refusal> {
        let system = &self.of.setting.system;
        let turns = self
            .state
            .running_combat()
            .is_some_and(|fight| has_turns(system, fight));
        let mut before = None;
        loop {
            let Some(fight) = self.state.running_combat() else {
                return Ok((End::Undecided, 0));
            };
            let (combat, round, current) = (fight.id, fight.round, fight.current);
            if round > self.of.plan.rounds {
                return Ok((End::Undecided, self.of.plan.rounds));
            }
            if before.replace(round).is_some_and(|before| before < round) {
                self.roll_for_the_down();
                if let Some(end) = self.end() {
                    return Ok((end, round));
                }
            }
            let acting: Vec<i64> =
                match current.and_then(|current| self.state.combatants.get(&current)) {
                    Some(member) => vec![member.character],
                    None if turns => Vec::new(),
                    None => combat::order(&self.state, system, combat)
                        .iter()
                        .map(|member| member.character)
                        .collect(),
                };
            for character in acting {
                self.act(character);
                if let Some(end) = self.end() {
                    return Ok((end, round));
                }
            }
            let passed = self.decide(|table| {
                if turns {
                    combat::next_turn(table)
                } else {
                    combat::next_round(table)
                }
            });
            // What ended with the turn or the round may have taken the last one down.
            if let Some(end) = self.end() {
                return Ok((end, round));
            }
            passed?;
        }
    }

    fn act(&mut self, character: i64) {
        let Some(fighter) = self
            .of
            .fighters
            .iter()
            .find(|fighter| fighter.id == character)
        else {
            return;
        };
        if !is_up(&self.state, character) {
            return;
        }
        for _ in 0..fighter.arms.turn {
            let target = if is_up(&self.state, character) {
                self.target(fighter)
            } else {
                None
            };
            let Some(target) = target else { return };
            self.strike(fighter, target);
        }
    }
    fn strike(&mut self, fighter: &'f Fighter, target: &Fighter) {
        for attack in fighter.arms.at(target.id) {
            let call = self.of.strike(fighter, target, attack);
            // What it costs may be used up, and then the next best is tried.
            if self.decide(|table| attack::decide(table, &call)).is_err() {
                continue;
            }
            let records = self.of.fighters.iter().zip(&mut self.records);
            records
                .filter(|(other, _)| other.id == target.id)
                .for_each(|(_, record)| record.struck_at += 1);
            return;
        }
    }
    fn roll_for_the_down(&mut self) {
        let Simulation {
            setting,
            fighters,
            saves,
            ..
        } = self.of;
        for fighter in fighters {
            for name in saves {
                if is_up(&self.state, fighter.id) || Vitality::of(&self.state, fighter.id).is_dead()
                {
                    break;
                }
                let Ok(rule) = setting.system.check(name) else {
                    continue;
                };
                if !check::is_open(&self.state, &setting.system, rule, Some(fighter.id)) {
                    continue;
                }
                let (character, check) = (Some(fighter.name.clone()), Some(name.clone()));
                let call = CheckCall {
                    character,
                    check,
                    ..CheckCall::default()
                };
                if let Err(why) = self.decide(|table| check::decide(table, call, None)) {
                    self.refused.entry(name.clone()).or_insert(why.summary);
                }
            }
        }
    }

    fn target(&mut self, fighter: &Fighter) -> Option<&'f Fighter> {
        let others = self.of.fighters.iter().zip(&self.records);
        let others =
            others.filter(|(other, _)| other.side != fighter.side && is_up(&self.state, other.id));
        let left = |id: i64| {
            Vitality::of(&self.state, id)
                .left(&self.of.setting.system)
                .unwrap_or(i64::MAX)
        };
        let (others, candidates): (Vec<&Fighter>, Vec<(i64, u64)>) = others
            .map(|(other, record)| (other, (left(other.id), record.struck_at)))
            .unzip();
        let policy = if fighter.side == Side::Party {
            self.of.plan.party
        } else {
            self.of.plan.foes
        };
        others
            .get(policy.choose(&candidates, &mut self.choices)?)
            .copied()
    }
    fn decide<T>(
        &mut self,
        decide: impl FnOnce(&mut Table) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut table = Table::new(
            &mut self.state,
            self.of.setting,
            &mut self.dice,
            0,
            self.head,
            None,
        )
        .unread();
        let decided = decide(&mut table);
        if decided.is_err() {
            table.roll_back();
            return decided;
        }
        self.head += table.into_written().len() as u64;
        for (fighter, record) in self.of.fighters.iter().zip(&mut self.records) {
            record.fell |= !is_up(&self.state, fighter.id);
        }
        decided
    }

    fn end(&self) -> Option<End> {
        let up = |side: Side| {
            self.of
                .of(side)
                .any(|fighter| is_up(&self.state, fighter.id))
        };
        match (up(Side::Party), up(Side::Foes)) {
            (true, true) => None,
            (true, false) => Some(End::Won(Side::Party)),
            (false, true) => Some(End::Won(Side::Foes)),
            (false, false) => Some(End::AllDown),
        }
    }
}

fn is_up(state: &State, character: i64) -> bool {
    state
        .open_combatant(character)
        .is_some_and(|member| !member.defeated)
}

/// Whom a combatant strikes, of those who are up on the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The one with the least health left, so that there is soon one fewer.
    Focus,
    /// The one who was attacked the fewest times, so that everybody is attacked.
    Spread,
    Random,
}

words! { Policy: Focus = "focus", Spread = "spread", Random = "random"; }

impl Policy {
    /// The place of the first that is struck, by the health left and the strikes at each. `None`
    /// without anybody, and where the dice give no face.
    pub fn choose(self, among: &[(i64, u64)], dice: &mut dyn Roller) -> Option<usize> {
        let all = || among.iter().zip(0..);
        match self {
            Policy::Focus => all()
                .min_by_key(|((left, _), _)| *left)
                .map(|(_, place)| place),
            Policy::Spread => all()
                .min_by_key(|((_, struck_at), _)| *struck_at)
                .map(|(_, place)| place),
            Policy::Random => {
                let last = i64::try_from(among.len().checked_sub(1)?).ok()?;
                usize::try_from(dice.draw(0, last).ok()?).ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use rollbook_dice::SeededRoller;

    #[test]
    fn each_policy_strikes_whom_it_says() {
        let among = [(9, 2), (3, 2), (3, 1), (20, 1)];
        let mut dice = SeededRoller::new(1, 0);
        let mut chosen = |policy: Policy| {
            (0..100)
                .map(|_| policy.choose(&among, &mut dice))
                .collect::<BTreeSet<Option<usize>>>()
        };
        assert_eq!(chosen(Policy::Focus), BTreeSet::from([Some(1)]));
        assert_eq!(chosen(Policy::Spread), BTreeSet::from([Some(2)]));
        assert_eq!(chosen(Policy::Random), (0..4).map(Some).collect());
        for policy in [Policy::Focus, Policy::Spread, Policy::Random] {
            assert_eq!(policy.choose(&[], &mut dice), None);
        }
    }
}
