//! What a character strikes with: of several attacks the one that deals most, found by striking.
//!
//! How often in a turn, by the words of sheets.

use crate::decide::check::CheckCall;
use crate::decide::{attack, attack::AttackCall};
use crate::record::state::{Attack, Character, State};
use crate::simulate::{BEFORE, Dice, Fighter, Side, Simulation, refused};
use crate::table::{Table, Unrecorded};
use crate::{mechanics::attacks, refusal::Refusal, view::snapshot::CharacterSnapshot};
use rollbook_dice::SeededRoller;
use rollbook_text::names::{fold, listed, same};
use std::collections::BTreeMap;

/// Strikes by which two attacks are compared.
const STRIKES: u32 = 200;

#[derive(Debug, Clone, Default)]
pub struct Arms {
    /// By the target's id: attacks by name, the one that deals most first.
    at: BTreeMap<i64, Vec<String>>,
    pub turn: u32,
    /// Attacks that the rules refuse, and why.
    pub refused: Vec<(String, String)>,
}

impl Arms {
    /// The attacks on that target, the best first.
    pub fn at(&self, target: i64) -> &[String] {
        self.at.get(&target).map_or(&[], Vec::as_slice)
    }

    pub fn is_empty(&self) -> bool {
        self.at.values().all(Vec::is_empty)
    }
}

impl Simulation<'_> {
    pub(super) fn arm(&mut self) -> Result<(), Refusal> {
        let mut dice = Unrecorded(SeededRoller::new(self.plan.seed, BEFORE));
        let (mut state, head) = self.begin(&mut dice)?;
        let mut all: BTreeMap<i64, Arms> = BTreeMap::new();
        for fighter in &self.fighters {
            let known = all.get(&self.first_alike(fighter)).cloned();
            let arms =
                known.unwrap_or_else(|| self.arms_of(fighter, (&mut state, head), &mut dice));
            all.insert(fighter.id, arms);
        }
        for fighter in &mut self.fighters {
            fighter.arms = all.remove(&fighter.id).unwrap_or_default();
        }
        let is_unarmed = |side: &Side| self.of(*side).all(|fighter| fighter.arms.is_empty());
        let unarmed: Vec<Side> = [Side::Party, Side::Foes]
            .into_iter()
            .filter(is_unarmed)
            .collect();
        for fighter in unarmed.iter().flat_map(|side| self.of(*side)) {
            if let Some((attack, why)) = fighter.arms.refused.first() {
                return Err(refused(format!(
                    "{} cannot strike with {attack}. {why}",
                    fighter.name
                )));
            }
        }
        if unarmed.len() == 2 {
            let names = self.fighters.iter().map(|fighter| fighter.name.as_str());
            let summary = format!(
                "Nobody here has an attack ({}). Write one on a sheet or a stat block (- Attack: cudgel +3, damage 1d6+1), or in a section \
                 \"## Attacks\" of System.md; games that settle fights without attacks are not simulated.",
                listed(names, 200)
            );
            return Err(refused(summary));
        }
        Ok(())
    }

    /// The first of the side who is alike but for the name: what is found out of it holds for both.
    pub(super) fn first_alike(&self, fighter: &Fighter) -> i64 {
        let sheet = |fighter: &Fighter| {
            let found = self
                .begun
                .characters
                .get(&fighter.id)
                .map(|row| CharacterSnapshot::of(&self.begun, row));
            found.map(|sheet| CharacterSnapshot {
                name: String::new(),
                origin: String::new(),
                ..sheet
            })
        };
        let wanted = sheet(fighter);
        self.of(fighter.side)
            .find(|other| sheet(other) == wanted)
            .map_or(fighter.id, |other| other.id)
    }

    /// The sheet's attacks, and those of the rules that its things name; all where it names none.
    fn attacks_of(&self, character: &Character) -> Vec<Attack> {
        let all = attacks::all(&self.setting.system, character);
        let items = self.begun.items_of(character.id).map(|item| &item.name);
        let names: Vec<&String> = character
            .attacks
            .iter()
            .map(|attack| &attack.name)
            .chain(items)
            .collect();
        let is_named = |attack: &&Attack| names.iter().any(|name| same(name, &attack.name));
        let named: Vec<Attack> = all.iter().filter(is_named).cloned().collect();
        if named.is_empty() { all } else { named }
    }

    fn arms_of(
        &self,
        fighter: &Fighter,
        (state, head): (&mut State, u64),
        dice: &mut Dice,
    ) -> Arms {
        let mut arms = Arms::default();
        let Some(character) = state.characters.get(&fighter.id).cloned() else {
            return arms;
        };
        let all = self.attacks_of(&character);
        let names: Vec<String> = all.iter().map(|attack| attack.name.clone()).collect();
        arms.turn =
            attacks_a_turn(&format!("{}\n{}", character.gm_notes, character.notes)).unwrap_or(1);
        for target in self.of(fighter.side.other()) {
            if let Some(known) = arms.at.get(&self.first_alike(target)).cloned() {
                arms.at.insert(target.id, known);
                continue;
            }
            let mut ranked: Vec<(i64, String)> = Vec::new();
            for name in &names {
                let strikes = if names.len() > 1 { STRIKES } else { 1 };
                match self.try_out(
                    &self.strike(fighter, target, name),
                    (&mut *state, head),
                    dice,
                    strikes,
                ) {
                    Ok(dealt) => ranked.push((dealt, name.clone())),
                    Err(_) if arms.refused.iter().any(|(refused, _)| refused == name) => {}
                    Err(why) => arms.refused.push((name.clone(), why.summary)),
                }
            }
            ranked.sort_by_key(|(dealt, _)| std::cmp::Reverse(*dealt));
            arms.at.insert(
                target.id,
                ranked.into_iter().map(|(_, name)| name).collect(),
            );
        }
        arms
    }

    fn try_out(
        &self,
        call: &AttackCall,
        (state, head): (&mut State, u64),
        dice: &mut Dice,
        strikes: u32,
    ) -> Result<i64, Refusal> {
        let mut dealt = 0;
        for _ in 0..strikes {
            let mut table =
                Table::new(&mut *state, self.setting, &mut *dice, 0, head, None).unread();
            let struck = attack::decide(&mut table, call);
            let events = struck
                .iter()
                .flatten()
                .filter_map(|strike| strike.damage.as_ref());
            let health = events
                .map(|damage| &damage.event)
                .filter(|event| !event.aside);
            dealt += health.map(|event| event.came_through().max(0)).sum::<i64>();
            table.roll_back();
            struck?;
        }
        Ok(dealt)
    }

    pub(super) fn strike(&self, fighter: &Fighter, target: &Fighter, attack: &str) -> AttackCall {
        let skill = self.plan.defence.clone();
        let opponent = CheckCall {
            character: Some(target.name.clone()),
            skill,
            ..CheckCall::default()
        };
        let check = CheckCall {
            character: Some(fighter.name.clone()),
            check: self.plan.check.clone(),
            difficulty: self.plan.difficulty,
            opposed_by: self.plan.defence.is_some().then(|| opponent.into()),
            ..CheckCall::default()
        };
        let (targets, attack) = (vec![target.name.clone()], Some(attack.to_owned()));
        AttackCall {
            check,
            targets,
            attack,
            unasked: true,
            ..AttackCall::default()
        }
    }
}

/// Attacks of a turn at most; what says more is no number of attacks.
const ATTACKS_MAX: u32 = 10;

/// The number of attacks in a turn, where the notes say that there are several:
/// `The owlbear makes two attacks: one with its beak …`, `Attacks: 2 per round`.
pub fn attacks_a_turn(notes: &str) -> Option<u32> {
    notes.split(['\n', '.', ';']).find_map(|sentence| {
        let words = words_of(sentence);
        let is = |at: usize, all: &[&str]| {
            words
                .get(at)
                .is_some_and(|word| all.contains(&word.as_str()))
        };
        let each =
            |at: usize| is(at, &["a", "per", "each", "every"]) && is(at + 1, &["round", "turn"]);
        let is_number_of_attacks = |at: usize| {
            let before = |all: &[&str]| at.checked_sub(1).is_some_and(|at| is(at, all));
            match (at + 1..=at + 3).find(|at| is(*at, &["attacks"])) {
                Some(end) => before(&["make", "makes"]) || is(0, &["multiattack"]) || each(end + 1),
                None => {
                    before(&["attacks", "multiattack"]) && (each(at + 1) || words.len() == at + 1)
                }
            }
        };
        let mut numbers = (0..)
            .zip(&words)
            .filter_map(|(at, word)| Some((at, number(word)?)));
        numbers
            .find(|(at, many)| (2..=ATTACKS_MAX).contains(many) && is_number_of_attacks(*at))
            .map(|(_, many)| many)
    })
}

fn words_of(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Numbers as stat blocks write them out: `makes two attacks`.
const NUMBERS: [&str; 10] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

fn number(word: &str) -> Option<u32> {
    let written = (1..).zip(NUMBERS).find(|(_, number)| *number == word);
    written.map_or_else(|| word.parse().ok(), |(number, _)| Some(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_attacks_are_read_from_the_words_of_stat_blocks() {
        for (notes, found) in [
            (
                "Multiattack: The owlbear makes two attacks: one with its beak and one with its claws.",
                Some(2),
            ),
            (
                "Big.\nMultiattack. It makes three melee attacks: one with its beak and two with its claws",
                Some(3),
            ),
            ("The level 5 bear makes two attacks.", Some(2)),
            ("Attacks: 2 per round", Some(2)),
            ("Multiattack: two claw attacks", Some(2)),
            ("Two attacks each turn", Some(2)),
            // Something else is said of them.
            (
                "In a fight: two strikes (the second at -5) and a shove",
                None,
            ),
            (
                "nips everybody standing in it: one attack on each, each round",
                None,
            ),
            ("It makes one attack.", None),
            ("After two attacks on it, it flees", None),
            ("Two hit dice, attacks on sight", None),
            ("makes 4000 attacks", None),
        ] {
            assert_eq!(attacks_a_turn(notes), found, "{notes}");
        }
    }
}
