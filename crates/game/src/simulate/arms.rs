//! What somebody strikes with: of several attacks the one that deals most, which is found out by striking.

use std::collections::BTreeMap;

use super::turn::{Uses, attacks_a_turn, uses};
use super::{BEFORE, Fighter, Side, Simulation, refused};
use crate::decide::attack::{self, AttackCall};
use crate::decide::check::{CheckCall, Opponent};
use crate::mechanics::attacks;
use crate::record::event::DamageEvent;
use crate::record::state::{Attack, Character, State};
use crate::refusal::Refusal;
use crate::table::{Table, Unrecorded};
use crate::view::snapshot::CharacterSnapshot;
use rollbook_dice::SeededRoller;
use rollbook_text::names::{listed, same};

/// Strikes by which two attacks are compared.
const STRIKES: u32 = 200;

/// What somebody strikes with.
#[derive(Debug, Clone, Default)]
pub struct Arms {
    /// By the target's id: attacks by name, the one that deals most first.
    at: BTreeMap<i64, Vec<String>>,
    /// The attacks of a turn, one after the other: of this name, or the best.
    pub turn: Vec<Option<String>>,
    /// Attacks that may not be made in every turn.
    pub uses: BTreeMap<String, Uses>,
    /// Attacks that the rules refuse, and why.
    pub refused: Vec<(String, String)>,
}

/// How much of a hit came through.
fn through(event: &DamageEvent) -> i64 {
    match event.aside {
        true => 0,
        false => event.eased.as_ref().map_or(event.amount, |eased| eased.left).max(0),
    }
}

impl Arms {
    /// The attacks on that target, the best first.
    pub fn at(&self, target: i64) -> &[String] {
        self.at.get(&target).map_or(&[], Vec::as_slice)
    }

    /// Whether there is no attack at all.
    pub fn is_empty(&self) -> bool {
        self.at.values().all(Vec::is_empty)
    }
}

impl Simulation<'_> {
    /// Finds out what everybody fights with.
    pub(super) fn arm(&mut self) -> Result<(), Refusal> {
        let mut dice = Unrecorded(SeededRoller::new(self.plan.seed, BEFORE));
        let (mut state, head) = self.begin(&mut dice)?;
        let mut all: Vec<(i64, Arms)> = Vec::new();
        for own in &self.fighters {
            let known = all.iter().find(|(id, _)| *id == self.first_alike(own)).map(|(_, arms)| arms.clone());
            let arms = known.unwrap_or_else(|| self.arms_of(own, (&mut state, head), &mut dice));
            all.push((own.id, arms));
        }
        for (own, (_, arms)) in self.fighters.iter_mut().zip(all) {
            own.arms = arms;
        }
        let unarmed = |side: Side| self.of(side).all(|own| own.arms.is_empty());
        for side in [Side::Party, Side::Foes] {
            let refused_ones = self.of(side).flat_map(|own| own.arms.refused.iter().map(move |one| (own, one)));
            if let Some((own, (attack, why))) = refused_ones.into_iter().next().filter(|_| unarmed(side)) {
                return Err(refused(format!("{} cannot strike with {attack}. {why}", own.name)));
            }
        }
        if unarmed(Side::Party) && unarmed(Side::Foes) {
            let names = self.fighters.iter().map(|own| own.name.as_str());
            let summary = format!(
                "Nobody here has an attack ({}). Write one on a sheet or a stat block (- Attack: cudgel +3, damage 1d6+1), or in a section \
                 \"## Attacks\" of System.md; games that settle fights without attacks are not simulated.",
                listed(names, 200)
            );
            return Err(refused(summary));
        }
        Ok(())
    }

    /// The first of the side who is as this one is but for the name, as foes of a kind are: what is found out of it holds for both.
    pub(super) fn first_alike(&self, own: &Fighter) -> i64 {
        let sheet = |own: &Fighter| {
            let found = self.begun.characters.get(&own.id).map(|row| CharacterSnapshot::of(&self.begun, row));
            found.map(|sheet| CharacterSnapshot { name: String::new(), origin: String::new(), ..sheet })
        };
        let wanted = sheet(own);
        self.of(own.side).find(|other| sheet(other) == wanted).map_or(own.id, |other| other.id)
    }

    /// The attacks that the sheet has, with those of the rules that its notes or its things name; all of the rules' where it names none.
    fn attacks_of(&self, character: &Character, notes: &str) -> Vec<Attack> {
        let all = attacks::all(&self.setting.system, character);
        let names: Vec<String> = all.iter().map(|own| own.name.clone()).collect();
        let turn: Vec<String> = attacks_a_turn(notes, &names).into_iter().flatten().flatten().collect();
        let carries =
            |name: &str| self.begun.items.values().any(|item| item.character == character.id && same(&item.name, name));
        let named = |own: &&Attack| {
            character.attacks.iter().any(|other| same(&other.name, &own.name))
                || turn.contains(&own.name)
                || carries(&own.name)
        };
        let own: Vec<Attack> = all.iter().filter(named).cloned().collect();
        if own.is_empty() { all } else { own }
    }

    fn arms_of(&self, own: &Fighter, (state, head): (&mut State, u64), dice: &mut Unrecorded<SeededRoller>) -> Arms {
        let mut arms = Arms::default();
        let Some(character) = state.characters.get(&own.id).cloned() else { return arms };
        let notes = [character.gm_notes.as_str(), character.notes.as_str()].join("\n");
        let all = self.attacks_of(&character, &notes);
        let names: Vec<String> = all.iter().map(|own| own.name.clone()).collect();
        arms.uses = all.iter().filter_map(|own| Some((own.name.clone(), uses(own)?))).collect();
        arms.turn = attacks_a_turn(&notes, &names).unwrap_or_else(|| vec![None]);
        for target in self.of(own.side.other()) {
            if let Some(known) = arms.at.get(&self.first_alike(target)).cloned() {
                arms.at.insert(target.id, known);
                continue;
            }
            let mut ranked: Vec<(i64, String)> = Vec::new();
            for name in &names {
                let strikes = if names.len() > 1 { STRIKES } else { 1 };
                match self.try_out(&self.strike(own, target, name), (&mut *state, head), dice, strikes) {
                    Ok(dealt) => ranked.push((dealt, name.clone())),
                    Err(why) if arms.refused.iter().all(|(known, _)| known != name) => {
                        arms.refused.push((name.clone(), why.summary));
                    }
                    Err(_) => {}
                }
            }
            ranked.sort_by_key(|(dealt, _)| std::cmp::Reverse(*dealt));
            arms.at.insert(target.id, ranked.into_iter().map(|(_, name)| name).collect());
        }
        arms
    }

    /// What the attack deals in so many strikes, after which everything is as it was.
    fn try_out(
        &self,
        call: &AttackCall,
        (state, head): (&mut State, u64),
        dice: &mut Unrecorded<SeededRoller>,
        strikes: u32,
    ) -> Result<i64, Refusal> {
        let mut dealt = 0;
        for _ in 0..strikes {
            let mut table = Table::new(&mut *state, self.setting, &mut *dice, 0, head, None);
            let struck = attack::decide(&mut table, call);
            let events = struck.iter().flatten().filter_map(|own| own.damage.as_ref());
            dealt += events.map(|own| through(&own.event)).sum::<i64>();
            table.roll_back();
            struck?;
        }
        Ok(dealt)
    }

    /// One strike.
    pub(super) fn strike(&self, own: &Fighter, target: &Fighter, attack: &str) -> AttackCall {
        let opponent = |skill: &String| Opponent {
            character: target.name.clone(),
            skill: Some(skill.clone()),
            ..Opponent::default()
        };
        AttackCall {
            check: CheckCall {
                character: Some(own.name.clone()),
                check: self.plan.check.clone(),
                difficulty: self.plan.difficulty,
                opposed_by: self.plan.defence.as_ref().map(opponent),
                ..CheckCall::default()
            },
            targets: vec![target.name.clone()],
            attack: Some(attack.to_owned()),
            unasked: true,
            ..AttackCall::default()
        }
    }
}
