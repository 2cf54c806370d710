//! What a character strikes with: of several attacks the one that deals most, which is found out by striking.
//!
//! What sheets say in words of how often a character strikes: several attacks a turn, and attacks of which there are few in a fight.

use std::collections::{BTreeMap, BTreeSet};

use crate::decide::attack;
use crate::decide::attack::AttackCall;
use crate::decide::check::{CheckCall, Opponent};
use crate::mechanics::attacks;
use crate::record::state::{Attack, Character, State};
use crate::refusal::Refusal;
use crate::simulate::{BEFORE, Fighter, Side, Simulation, refused};
use crate::table::{Table, Unrecorded};
use crate::view::snapshot::CharacterSnapshot;
use rollbook_dice::SeededRoller;
use rollbook_text::names::{fold, listed, same};

/// Strikes by which two attacks are compared.
const STRIKES: u32 = 200;

/// What a character strikes with.
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
        let mut all: BTreeMap<i64, Arms> = BTreeMap::new();
        for fighter in &self.fighters {
            let known = all.get(&self.first_alike(fighter)).cloned();
            let arms = known.unwrap_or_else(|| self.arms_of(fighter, (&mut state, head), &mut dice));
            all.insert(fighter.id, arms);
        }
        for fighter in &mut self.fighters {
            fighter.arms = all.remove(&fighter.id).unwrap_or_default();
        }
        let is_unarmed = |side: &Side| self.of(*side).all(|fighter| fighter.arms.is_empty());
        let unarmed: Vec<Side> = [Side::Party, Side::Foes].into_iter().filter(is_unarmed).collect();
        for fighter in unarmed.iter().flat_map(|side| self.of(*side)) {
            if let Some((attack, why)) = fighter.arms.refused.first() {
                return Err(refused(format!("{} cannot strike with {attack}. {why}", fighter.name)));
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

    /// The first of the side who is as this one is but for the name, as foes of a kind are: what is found out of it holds for both.
    pub(super) fn first_alike(&self, own: &Fighter) -> i64 {
        let sheet = |fighter: &Fighter| {
            let found = self.begun.characters.get(&fighter.id).map(|row| CharacterSnapshot::of(&self.begun, row));
            found.map(|sheet| CharacterSnapshot { name: String::new(), origin: String::new(), ..sheet })
        };
        let wanted = sheet(own);
        self.of(own.side).find(|other| sheet(other) == wanted).map_or(own.id, |other| other.id)
    }

    /// The attacks that the sheet has, with those of the rules that its notes or its things name; all of the rules' where it names none.
    fn attacks_of(&self, character: &Character, notes: &str) -> Vec<Attack> {
        let all = attacks::all(&self.setting.system, character);
        let turn: Vec<String> = attacks_a_turn(notes, &names_of(&all)).into_iter().flatten().flatten().collect();
        let items = self.begun.items_of(character.id).map(|item| &item.name);
        let names: Vec<&String> =
            character.attacks.iter().map(|attack| &attack.name).chain(&turn).chain(items).collect();
        let is_named = |attack: &&Attack| names.iter().any(|name| same(name, &attack.name));
        let named: Vec<Attack> = all.iter().filter(is_named).cloned().collect();
        if named.is_empty() { all } else { named }
    }

    fn arms_of(&self, own: &Fighter, (state, head): (&mut State, u64), dice: &mut Unrecorded<SeededRoller>) -> Arms {
        let mut arms = Arms::default();
        let Some(character) = state.characters.get(&own.id).cloned() else { return arms };
        let notes = [character.gm_notes.as_str(), character.notes.as_str()].join("\n");
        let all = self.attacks_of(&character, &notes);
        let names = names_of(&all);
        arms.uses = all.iter().filter_map(|attack| Some((attack.name.clone(), uses(attack)?))).collect();
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
                    Err(why) => arms.refused.push((name.clone(), why.summary)),
                }
            }
            ranked.sort_by_key(|(dealt, _)| std::cmp::Reverse(*dealt));
            arms.at.insert(target.id, ranked.into_iter().map(|(_, name)| name).collect());
        }
        let mut seen = BTreeSet::new();
        arms.refused.retain(|(name, _)| seen.insert(name.clone()));
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
            let events = struck.iter().flatten().filter_map(|strike| strike.damage.as_ref());
            let health = events.map(|damage| &damage.event).filter(|event| !event.aside);
            dealt += health.map(|event| event.came_through().max(0)).sum::<i64>();
            table.roll_back();
            struck?;
        }
        Ok(dealt)
    }

    /// One strike.
    pub(super) fn strike(&self, own: &Fighter, target: &Fighter, attack: &str) -> AttackCall {
        let skill = self.plan.defence.clone();
        let opponent = Opponent { character: target.name.clone(), skill, ..Opponent::default() };
        let check = CheckCall {
            character: Some(own.name.clone()),
            check: self.plan.check.clone(),
            difficulty: self.plan.difficulty,
            opposed_by: self.plan.defence.is_some().then_some(opponent),
            ..CheckCall::default()
        };
        let (targets, attack) = (vec![target.name.clone()], Some(attack.to_owned()));
        AttackCall { check, targets, attack, unasked: true, ..AttackCall::default() }
    }
}

fn names_of(attacks: &[Attack]) -> Vec<String> {
    attacks.iter().map(|attack| attack.name.clone()).collect()
}

/// Attacks of a turn at most; what says more is no number of attacks.
const ATTACKS_MAX: usize = 10;
/// How long an attack is gone that may be made once: a fight lasts less than any of them.
const PERIODS: [&str; 10] =
    ["fight", "combat", "battle", "encounter", "scene", "session", "day", "rest", "hour", "adventure"];

/// How often an attack may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uses {
    /// So often in a fight.
    Few(u32),
    /// Once, and again when a d6 at the beginning of a turn shows this or more.
    Recharge(i64),
}

/// The attacks of a turn, where the notes say that there are several: `The owlbear makes two attacks: one with its beak and one with its
/// claws.`, `Attacks: 2 per round`. A name is one of `attacks`; without one it is the best.
pub fn attacks_a_turn(notes: &str, attacks: &[String]) -> Option<Vec<Option<String>>> {
    notes.split(['\n', '.', ';']).find_map(|sentence| in_sentence(sentence, attacks))
}

fn in_sentence(sentence: &str, attacks: &[String]) -> Option<Vec<Option<String>>> {
    let words = words_of(sentence);
    let is = |at: usize, all: &[&str]| words.get(at).is_some_and(|word| all.contains(&word.as_str()));
    let each = |at: usize| is(at, &["a", "per", "each", "every"]) && is(at + 1, &["round", "turn"]);
    let in_text = |at: usize| {
        let before = |all: &[&str]| at.checked_sub(1).is_some_and(|at| is(at, all));
        match (at + 1..=at + 3).find(|at| is(*at, &["attacks"])) {
            Some(end) => before(&["make", "makes"]) || is(0, &["multiattack"]) || each(end + 1),
            None => before(&["attacks", "multiattack"]) && (each(at + 1) || words.len() == at + 1),
        }
    };
    let numbers = || words.iter().zip(0..).filter_map(|(word, at)| Some((at, number(word)?)));
    let (at, many) = numbers().find(|(at, many)| (2..=ATTACKS_MAX).contains(many) && in_text(*at))?;
    let named = named(words.get(at..).unwrap_or_default(), attacks);
    Some(if named.len() == many { named.into_iter().map(Some).collect() } else { vec![None; many] })
}

/// `one with its beak and two with its claws`: beak, claws, claws.
fn named(words: &[String], attacks: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut starts = (0..words.len()).filter(|at| words.get(*at).is_some_and(|word| number(word).is_some())).peekable();
    while let Some(start) = starts.next() {
        let part = words.get(start..starts.peek().copied().unwrap_or(words.len())).unwrap_or_default();
        let has = |name: &String| {
            let name = words_of(name);
            part.windows(name.len().max(1)).any(|own| own.iter().zip(&name).all(|(own, name)| is_of(own, name)))
        };
        let meant = attacks.iter().find(|name| has(name));
        let many = part.first().and_then(|word| number(word)).unwrap_or(0);
        found.extend(meant.into_iter().flat_map(|name| std::iter::repeat_n(name.clone(), many.min(ATTACKS_MAX))));
    }
    found
}

/// Whether both are one word, in the singular or the plural.
fn is_of(own: &str, name: &str) -> bool {
    own.trim_end_matches('s') == name.trim_end_matches('s')
}

fn words_of(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Numbers as stat blocks write them out: `makes two attacks`.
const NUMBERS: [&str; 10] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

fn number(word: &str) -> Option<usize> {
    let written = NUMBERS.iter().position(|number| *number == word).map(|at| at + 1);
    written.or_else(|| word.parse().ok())
}

/// How often the attack may be made, where its name or what it brings says so: `once a fight`, `3 a day`, `Fire breath (recharge 5-6)`.
pub fn uses(attack: &Attack) -> Option<Uses> {
    let text = attack.effect.as_deref().unwrap_or_default();
    [attack.name.as_str(), text].into_iter().find_map(uses_in)
}

fn uses_in(text: &str) -> Option<Uses> {
    let words = words_of(&text.replace('/', " per "));
    let is = |at: usize, all: &[&str]| words.get(at).is_some_and(|word| all.contains(&word.as_str()));
    (0..words.len()).find_map(|at| {
        let word = words.get(at)?;
        if word == "recharge" {
            let least = words.get(at + 1)?.parse().ok().filter(|least| (2..=6).contains(least))?;
            return Some(Uses::Recharge(least));
        }
        let many = match word.as_str() {
            "once" => 1,
            "twice" => 2,
            other => u32::try_from(number(other)?).ok()?,
        };
        let at = if is(at + 1, &["time", "times", "use", "uses"]) { at + 1 } else { at };
        (is(at + 1, &["a", "per", "each", "every"]) && is(at + 2, &PERIODS)).then_some(Uses::Few(many))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_attacks_are_read_from_the_words_of_stat_blocks() {
        let best = |many: usize| Some(vec![None; many]);
        let these = |names: &[&str]| Some(names.iter().map(|name| Some((*name).to_owned())).collect::<Vec<_>>());
        for (notes, found) in [
            (
                "Multiattack: The owlbear makes two attacks: one with its beak and one with its claws.",
                these(&["Beak", "Claws"]),
            ),
            (
                "Big.\nMultiattack. It makes three melee attacks: one with its beak and two with its claws",
                these(&["Beak", "Claws", "Claws"]),
            ),
            ("It makes three attacks with its claws.", these(&["Claws"; 3])),
            ("The level 5 bear makes two attacks.", best(2)),
            ("Attacks: 2 per round", best(2)),
            ("Multiattack: two claw attacks", these(&["Claws"; 2])),
            ("makes two attacks: one with its axe and one with its beak", best(2)),
            ("Two attacks each turn", best(2)),
            // Something else is said of them.
            ("In a fight: two strikes (the second at -5) and a shove", None),
            ("nips everybody standing in it: one attack on each, each round", None),
            ("It makes one attack.", None),
            ("After two attacks on it, it flees", None),
            ("Two hit dice, attacks on sight", None),
            ("makes 4000 attacks", None),
        ] {
            let attacks = ["Beak", "Claws", "Fire breath"].map(str::to_owned);
            assert_eq!(attacks_a_turn(notes, &attacks), found, "{notes}");
        }
    }

    #[test]
    fn how_often_an_attack_may_be_made_stands_in_its_words() {
        for (name, effect, found) in [
            ("musket", "once a fight", Some(Uses::Few(1))),
            ("bomb (3 a day)", "", Some(Uses::Few(3))),
            ("bomb", "twice per scene, and it stuns", Some(Uses::Few(2))),
            ("net", "two times a day", Some(Uses::Few(2))),
            ("bolt", "1/day", Some(Uses::Few(1))),
            ("Fire breath (recharge 5-6)", "", Some(Uses::Recharge(5))),
            ("claw", "poisoned for 1 hour", None),
            ("claw", "once a round", None),
            ("claw", "one target", None),
            ("claw", "", None),
        ] {
            let attack = Attack { name: name.to_owned(), effect: Some(effect.to_owned()), ..Attack::default() };
            assert_eq!(uses(&attack), found, "{name}, {effect}");
        }
    }
}
