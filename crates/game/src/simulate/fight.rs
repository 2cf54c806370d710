//! One fight, from initiative to the last blow.

use std::collections::BTreeMap;

use crate::decide::check::CheckCall;
use crate::decide::{attack, check, combat};
use crate::mechanics::duration::has_turns;
use crate::mechanics::health::Vitality;
use crate::record::state::State;
use crate::refusal::Refusal;
use crate::simulate::arms::Uses;
use crate::simulate::{Fighter, Side, Simulation};
use crate::table::{Table, Unrecorded};
use rollbook_dice::{Roller, SeededRoller};

/// Parts the dice of the fights from those of the policies, which draw none of the former.
const CHOICES: u64 = 1 << 63;

/// How a fight ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// That side has somebody up, the other nobody.
    Won(Side),
    /// Nobody is up on either side.
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
    /// It is dead at the end.
    pub dead: bool,
}

impl Simulation<'_> {
    /// Plays the fight of that number, below 2^63. Refused: when it cannot begin, or a turn cannot end.
    pub fn fight(&self, number: u64) -> Result<Fight, Refusal> {
        let mut dice = Unrecorded(SeededRoller::new(self.plan.seed, number));
        let (state, head) = self.begin(&mut dice)?;
        let choices = SeededRoller::new(self.plan.seed, number | CHOICES);
        let records = vec![Record::default(); self.fighters.len()];
        let (used, refused) = (BTreeMap::new(), BTreeMap::new());
        let mut playing = Playing { of: self, state, head, dice, choices, records, used, refused };
        let (end, rounds) = playing.play()?;
        let mut records = playing.records;
        for (own, record) in self.fighters.iter().zip(&mut records) {
            record.dead = Vitality::of(&playing.state, own.id).is_dead();
        }
        Ok(Fight { end, rounds, records, refused: playing.refused })
    }
}

/// A fight that goes on.
struct Playing<'f, 's> {
    of: &'f Simulation<'s>,
    state: State,
    head: u64,
    dice: Unrecorded<SeededRoller>,
    choices: SeededRoller,
    records: Vec<Record>,
    /// How often each made an attack of which there are few.
    used: BTreeMap<(i64, &'f str), u32>,
    refused: BTreeMap<String, String>,
}

impl<'f> Playing<'f, '_> {
    fn play(&mut self) -> Result<(End, u32), Refusal> {
        let turns = self.state.running_combat().is_some_and(|own| has_turns(&self.of.setting.system, own));
        let mut before = None;
        loop {
            let Some((combat, round, current)) =
                self.state.running_combat().map(|own| (own.id, own.round, own.current))
            else {
                return Ok((End::Undecided, 0));
            };
            if round > self.of.plan.rounds {
                return Ok((End::Undecided, self.of.plan.rounds));
            }
            if before.replace(round).is_some_and(|before| before < round) {
                self.roll_for_the_down();
                if let Some(end) = self.end() {
                    return Ok((end, round));
                }
            }
            let acting: Vec<i64> = match current {
                Some(current) => self.state.combatants.get(&current).map(|own| own.character).into_iter().collect(),
                None if turns => Vec::new(),
                None => {
                    let order = combat::order(&self.state, &self.of.setting.system, combat);
                    order.iter().map(|own| own.character).collect()
                }
            };
            for character in acting {
                if self.is_up(character) {
                    self.act(character);
                }
                if let Some(end) = self.end() {
                    return Ok((end, round));
                }
            }
            let passed = self.decide(|table| match turns {
                true => combat::next_turn(table),
                false => combat::next_round(table),
            });
            // What ended with the turn or the round may have taken the last one down.
            if let Some(end) = self.end() {
                return Ok((end, round));
            }
            passed?;
        }
    }

    /// The attacks of a turn, as far as the rules let them be made.
    fn act(&mut self, character: i64) {
        let Some(own) = self.of.fighters.iter().find(|own| own.id == character) else { return };
        self.recharge(own);
        for named in &own.arms.turn {
            if !self.is_up(own.id) {
                return;
            }
            let Some(target) = self.target(own) else { return };
            self.strike(own, target, named.as_deref());
        }
    }

    /// One attack, of that name or the best, if there is one.
    fn strike(&mut self, own: &'f Fighter, target: &Fighter, named: Option<&str>) {
        for attack in own.arms.at(target.id).iter().filter(|own| named.is_none_or(|named| named == own.as_str())) {
            let few = own.arms.uses.get(attack);
            let used = self.used.get(&(own.id, attack.as_str())).copied().unwrap_or(0);
            let most = few.map_or(u32::MAX, |few| match few {
                Uses::Few(many) => *many,
                Uses::Recharge(_) => 1,
            });
            if used >= most {
                continue;
            }
            let call = self.of.strike(own, target, attack);
            // What it costs may be used up, and then the next best is tried.
            if self.decide(|table| attack::decide(table, &call)).is_err() {
                continue;
            }
            if few.is_some() {
                self.used.insert((own.id, attack.as_str()), used + 1);
            }
            if let Some(record) = self.record(target.id) {
                record.struck_at += 1;
            }
            return;
        }
    }

    /// Rolls for what is used up and comes back.
    fn recharge(&mut self, own: &'f Fighter) {
        for (attack, uses) in &own.arms.uses {
            let Uses::Recharge(least) = uses else { continue };
            if self.used.contains_key(&(own.id, attack.as_str()))
                && self.choices.draw(1, 6).is_ok_and(|face| face >= *least)
            {
                self.used.remove(&(own.id, attack.as_str()));
            }
        }
    }

    /// The checks that the rules keep for those who are down.
    fn roll_for_the_down(&mut self) {
        let fighters = &self.of.fighters;
        for own in fighters.iter().filter(|_| !self.of.saves.is_empty()) {
            for check in &self.of.saves {
                if self.is_up(own.id) || Vitality::of(&self.state, own.id).is_dead() {
                    break;
                }
                let Ok(rule) = self.of.setting.system.check(check) else { continue };
                if check::check_needs(&self.state, &self.of.setting.system, rule, Some(own.id)).is_err() {
                    continue;
                }
                let call =
                    CheckCall { character: Some(own.name.clone()), check: Some(check.clone()), ..CheckCall::default() };
                if let Err(why) = self.decide(|table| check::decide(table, call, None)) {
                    self.refused.entry(check.clone()).or_insert(why.summary);
                }
            }
        }
    }

    fn target(&mut self, own: &Fighter) -> Option<&'f Fighter> {
        let system = &self.of.setting.system;
        let others: Vec<(&Fighter, Candidate)> = (self.of.fighters.iter().zip(&self.records))
            .filter(|(other, _)| other.side != own.side && self.is_up(other.id))
            .map(|(other, record)| {
                let left = Vitality::of(&self.state, other.id).left(system).unwrap_or(i64::MAX);
                (other, Candidate { left, struck_at: record.struck_at })
            })
            .collect();
        let candidates: Vec<Candidate> = others.iter().map(|(_, candidate)| *candidate).collect();
        let place = self.of.policy(own.side).choose(&candidates, &mut self.choices);
        place.and_then(|place| others.get(place)).map(|(other, _)| *other)
    }

    /// Decides, and notes who is down.
    fn decide<T>(&mut self, decide: impl FnOnce(&mut Table) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let mut table = Table::new(&mut self.state, self.of.setting, &mut self.dice, 0, self.head, None);
        let decided = match decide(&mut table) {
            Ok(decided) => decided,
            Err(refusal) => {
                table.roll_back();
                return Err(refusal);
            }
        };
        self.head += table.into_written().len() as u64;
        for own in &self.of.fighters {
            if !self.is_up(own.id)
                && let Some(record) = self.record(own.id)
            {
                record.fell = true;
            }
        }
        Ok(decided)
    }

    fn record(&mut self, character: i64) -> Option<&mut Record> {
        let place = self.of.fighters.iter().position(|own| own.id == character)?;
        self.records.get_mut(place)
    }

    fn is_up(&self, character: i64) -> bool {
        self.state.open_combatant(character).is_some_and(|own| !own.defeated)
    }

    /// How it ended, if it did.
    fn end(&self) -> Option<End> {
        let up = |side: Side| self.of.of(side).any(|own| self.is_up(own.id));
        match (up(Side::Party), up(Side::Foes)) {
            (true, true) => None,
            (true, false) => Some(End::Won(Side::Party)),
            (false, true) => Some(End::Won(Side::Foes)),
            (false, false) => Some(End::AllDown),
        }
    }
}

/// Whom a combatant strikes, of those who are up on the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The one with the least health left, so that there is soon one fewer.
    Focus,
    /// The one who was attacked the fewest times, so that everybody has somebody.
    Spread,
    /// Anybody.
    Random,
}

/// Somebody who may be struck.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Health left.
    pub left: i64,
    /// How often it was struck at in this fight.
    pub struck_at: u64,
}

impl Policy {
    /// All of them, in the order of lists.
    pub const ALL: [Policy; 3] = [Policy::Focus, Policy::Spread, Policy::Random];

    /// The word of commands and replies.
    pub fn as_str(self) -> &'static str {
        match self {
            Policy::Focus => "focus",
            Policy::Spread => "spread",
            Policy::Random => "random",
        }
    }

    /// The place of the one that is struck; of those who are alike the first. `None` without anybody, and where the dice give no face.
    pub fn choose(self, among: &[Candidate], dice: &mut dyn Roller) -> Option<usize> {
        let all = || among.iter().enumerate();
        match self {
            Policy::Focus => all().min_by_key(|(_, own)| own.left).map(|(place, _)| place),
            Policy::Spread => all().min_by_key(|(_, own)| own.struck_at).map(|(place, _)| place),
            Policy::Random => match i64::try_from(among.len()).unwrap_or(i64::MAX) {
                0 => None,
                many => dice.draw(0, many - 1).ok().and_then(|place| usize::try_from(place).ok()),
            },
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
        let own = |left, struck_at| Candidate { left, struck_at };
        let among = [own(9, 2), own(3, 2), own(3, 1), own(20, 1)];
        let mut dice = SeededRoller::new(1, 0);
        let mut chosen = |policy: Policy| -> BTreeSet<Option<usize>> {
            (0..100).map(|_| policy.choose(&among, &mut dice)).collect()
        };
        assert_eq!(chosen(Policy::Focus), BTreeSet::from([Some(1)]));
        assert_eq!(chosen(Policy::Spread), BTreeSet::from([Some(2)]));
        assert_eq!(chosen(Policy::Random), (0..4).map(Some).collect());
        for policy in Policy::ALL {
            assert_eq!(policy.choose(&[], &mut dice), None);
        }
    }
}
