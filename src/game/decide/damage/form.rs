//! Whether a plain roll has the dice of a check, such as an attack roll: one d20 or d100, as the rules roll to see whether
//! something succeeds. It says whether a blow hits, and not how hard.
//!
//! A die of up to [`WEAPON_DIE_MAX`] sides is a weapon's in most games, so such a roll may always be damage; so may a larger one
//! where the rules or a sheet name it as damage.

use crate::dice::{Roll, Term};
use crate::game::record::state::{Character, State};
use crate::names::fold;
use crate::rules::System;

/// The largest die that weapons do damage with in published games.
const WEAPON_DIE_MAX: u32 = 12;
/// What is rolled for an attack where no rules say so.
const USUAL_SIDES: u32 = 20;

/// The check whose dice these are, or `a check` where there are no rules; none where they may be damage.
pub(super) fn check_like<'s>(state: &State, system: &'s System, roll: &Roll) -> Option<&'s str> {
    let (sides, 1) = first_dice(&roll.terms)? else { return None };
    if sides <= WEAPON_DIE_MAX {
        return None;
    }
    let name = match system.checks.iter().find(|check| check.rolls_one(sides)) {
        Some(check) => &check.name,
        None if system.checks.is_empty() && sides == USUAL_SIDES => "a check",
        None => return None,
    };
    (!deals(state, system, sides)).then_some(name)
}

/// The sides of the first dice that were rolled, and how many of them count.
fn first_dice(terms: &[Term]) -> Option<(u32, usize)> {
    terms.iter().find_map(|term| match term {
        Term::Dice { sides, kept, .. } => Some((*sides, kept.len())),
        Term::Group { terms, .. } | Term::Compute { terms, .. } => first_dice(terms),
        Term::Constant { .. } => None,
    })
}

/// Whether the rules, or a sheet or a thing of somebody here, name a die of that many sides as damage.
fn deals(state: &State, system: &System, sides: u32) -> bool {
    let rules = system.sections.iter().map(|section| section.text.as_str());
    let sheets = state.characters.values().flat_map(Character::texts);
    let items = state.items.values().flat_map(|item| [item.name.as_str(), item.notes.as_str()]);
    rules.chain(sheets).chain(items).any(|text| text.lines().any(|line| is_damage(line, sides)))
}

impl Character {
    fn texts(&self) -> [&str; 2] {
        [&self.notes, &self.gm_notes]
    }
}

/// Whether a line names such a die as damage: "1d20 + 4 slashing damage", "damage: 1d20".
fn is_damage(line: &str, sides: u32) -> bool {
    let line = fold(line);
    let die = format!("d{sides}");
    // "On a hit deal damage. Roll 1d20" names none.
    line.split(['.', ';']).any(|sentence| {
        let words: Vec<&str> = sentence.split(' ').collect();
        words.iter().enumerate().filter(|(_, word)| is_die(word, &die)).any(|(at, _)| {
            let before = words.iter().take(at).rev().take(2);
            let behind = words.iter().skip(at + 1).skip_while(|word| !word.contains(char::is_alphabetic)).take(2);
            before.chain(behind).any(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()) == "damage")
        })
    })
}

/// Whether a word holds the die: `1d20`, `(d20+4)`.
fn is_die(word: &str, die: &str) -> bool {
    word.match_indices(die).any(|(at, _)| {
        let before = word.get(..at).and_then(|text| text.chars().next_back());
        let behind = word.get(at + die.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(char::is_alphabetic) && !behind.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_is_damage_where_the_words_beside_it_say_so() {
        for line in [
            "Harpoon cannon: 1d20 damage",
            "| Cannon | 1d20 + 4 piercing damage. |",
            "Damage: d20",
            "Falling (damage `1d20`)",
            "deals 1d20+2 damage; half on a save",
        ] {
            assert!(is_damage(line, 20), "{line}");
        }
        for line in [
            "Roll 1d20 and add Arms; on a hit roll the weapon's damage.",
            "On a hit deal damage. Roll 1d20 to aim.",
            "1d200 damage",
            "2d6 damage",
            "To hit: 1d20 + 5",
        ] {
            assert!(!is_damage(line, 20), "{line}");
        }
    }
}
