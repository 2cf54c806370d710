//! Recognises plain rolls with the dice of a check, such as an attack roll with one d20 or d100. Their total is not an
//! amount of damage.
//!
//! A die of up to [`WEAPON_DIE_MAX`] sides is a weapon's in most games, so its roll may always be damage; so may a larger
//! one that the rules or a sheet name as damage.

use crate::record::state::{Character, State};
use rollbook_dice::{Roll, Term};
use rollbook_rules::System;
use rollbook_text::names::fold;

/// The largest damage die of weapons in published games.
const WEAPON_DIE_MAX: u32 = 12;
/// The die of attacks where there are no rules.
const USUAL_SIDES: u32 = 20;

/// Whether a roll has the dice of a check with several dice: `2d6 + 1` where one rolls `2d6`. Weapons often have such dice
/// too, so it is only noted, unless the rules or a sheet name them as damage.
pub(super) fn may_be_a_check(state: &State, system: &System, roll: &Roll) -> bool {
    let count = roll.dice().len();
    let Some((sides, _)) = first_dice(&roll.terms).filter(|_| count > 1 && pools(&roll.terms) == 1) else {
        return false;
    };
    let like = system.checks.iter().any(|check| check.rolls_dice(count, sides));
    like && !are_damage_dice(state, system, &format!("{count}d{sides}"))
}

/// The check with these dice, or `a check` where there are no rules; `None` where they may be damage.
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
    (!are_damage_dice(state, system, &format!("d{sides}"))).then_some(name)
}

/// The sides of the first dice, and how many of them are kept.
fn first_dice(terms: &[Term]) -> Option<(u32, usize)> {
    terms.iter().find_map(|term| match term {
        Term::Dice { sides, kept, .. } => Some((*sides, kept.len())),
        Term::Group { terms, .. } | Term::Compute { terms, .. } => first_dice(terms),
        Term::Constant { .. } => None,
    })
}

/// The number of terms with dice.
fn pools(terms: &[Term]) -> usize {
    let of = |term: &Term| match term {
        Term::Dice { .. } => 1,
        Term::Group { terms, .. } | Term::Compute { terms, .. } => pools(terms),
        Term::Constant { .. } => 0,
    };
    terms.iter().map(of).sum()
}

/// Whether the rules, a sheet or an item name these dice as damage.
fn are_damage_dice(state: &State, system: &System, dice: &str) -> bool {
    let rules = system.sections.iter().map(|section| section.text.as_str());
    let sheets = state.characters.values().flat_map(Character::texts);
    let items = state.items.values().flat_map(|item| [item.name.as_str(), item.notes.as_str()]);
    rules.chain(sheets).chain(items).any(|text| text.lines().any(|line| names_damage_dice(line, dice)))
}

impl Character {
    fn texts(&self) -> [&str; 2] {
        [&self.notes, &self.gm_notes]
    }
}

/// Whether a line names such dice as damage: "1d20 + 4 slashing damage", "damage: 1d20".
fn names_damage_dice(line: &str, dice: &str) -> bool {
    let line = fold(line);
    // "On a hit deal damage. Roll 1d20" names none.
    line.split(['.', ';']).any(|sentence| {
        let words: Vec<&str> = sentence.split(' ').collect();
        words.iter().enumerate().filter(|(_, word)| has_dice(word, dice)).any(|(at, _)| {
            let before = words.iter().take(at).rev().take(2);
            let behind = words.iter().skip(at + 1).skip_while(|word| !word.contains(char::is_alphabetic)).take(2);
            before.chain(behind).any(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()) == "damage")
        })
    })
}

/// Whether a word holds the dice: `1d20` and `(d20+4)` a `d20`, `2d6+1` and not `12d6` a `2d6`.
fn has_dice(word: &str, dice: &str) -> bool {
    let counted = dice.starts_with(|letter: char| letter.is_ascii_digit());
    word.match_indices(dice).any(|(at, _)| {
        let before = word.get(..at).and_then(|text| text.chars().next_back());
        let behind = word.get(at + dice.len()..).and_then(|text| text.chars().next());
        let apart = |letter: char| letter.is_alphabetic() || (counted && letter.is_ascii_digit());
        !before.is_some_and(apart) && !behind.is_some_and(char::is_alphanumeric)
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
            assert!(names_damage_dice(line, "d20"), "{line}");
        }
        for line in [
            "Roll 1d20 and add Arms; on a hit roll the weapon's damage.",
            "On a hit deal damage. Roll 1d20 to aim.",
            "1d200 damage",
            "2d6 damage",
            "To hit: 1d20 + 5",
        ] {
            assert!(!names_damage_dice(line, "d20"), "{line}");
        }
        assert!(names_damage_dice("Greatsword: 2d6+3 slashing damage", "2d6"));
        assert!(!names_damage_dice("Meteor: 12d6 damage", "2d6") && !names_damage_dice("2d60 damage", "2d6"));
    }
}
