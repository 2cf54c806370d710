//! Attacks in a description, in every usual layout. What is neither roll, damage nor range is kept as what a hit brings.
//!
//! ```text
//! cudgel +3, damage 1d6+1; crossbow +3, damage 1d6 (Neave only)
//! revolver, Firearms 55, damage 1d10
//! 2 claws (1d4), bite (1d6+2)
//! Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 8 (2d4 + 3) slashing damage, and the target is poisoned.
//! jaws +11 (agile), Damage 1d8+4 piercing plus Grab
//! ```

mod pieces;
#[cfg(test)]
mod tests;

pub use pieces::{is_header, read_row};

use super::foe::Foe;
use crate::limits::LIMITS;
use crate::mechanics::attacks::read_damage;
use crate::record::state::Attack;
use pieces::{
    counted, damage_in, has_dice, in_brackets, is_range, left_over, pieces, plain, signed, trailing_dice,
    without_closing, without_opening, without_to_hit,
};
use rollbook_rules::System;
use rollbook_text::names::{fold, numbered, same, shortened};

/// Labels of lists of attacks.
const LABELS: [&str; 15] = [
    "attack",
    "attacks",
    "att",
    "melee",
    "ranged",
    "melee attack",
    "ranged attack",
    "melee attacks",
    "ranged attacks",
    "weapon",
    "weapons",
    "damage",
    "strike",
    "strikes",
    "combat",
];
/// A longer name is prose.
const NAME_WORDS_MAX: usize = 7;
/// Words in front of an amount.
const DEALS: [&str; 6] = ["hit:", "damage:", "damage", "dmg", "deals", "for"];
/// Whom an attack aims at, where the rules have nothing else.
const ONE_TARGET: [&str; 4] = ["one target", "one creature", "one target per attack", "single target"];

/// Reads a line of a block as attacks; `false` where it is none. `label` is its bold or leading name.
pub fn read_line(foe: &mut Foe, system: &System, label: &str, value: &str) -> bool {
    let text = plain(value);
    let (label, value_opened) = without_closing(label);
    let text = if value_opened { format!("attack roll: {text}") } else { text };
    let listed = !value_opened && LABELS.contains(&fold(label).as_str());
    let items: Vec<&str> = if listed { text.split(';').collect() } else { vec![text.as_str()] };
    let mut all = Vec::new();
    for item in items {
        let mut reader = Reader { system, foe_skills: Vec::new(), found: Vec::new() };
        let name = (!listed && !label.is_empty()).then_some(label);
        if !reader.read(name, item, listed) {
            return false;
        }
        all.push(reader);
    }
    for reader in all {
        foe.bonuses.extend(reader.foe_skills);
        foe.attacks.extend(reader.found);
    }
    true
}

/// Whether a text is longer than a sheet takes, so that its line is kept as well.
pub fn is_cut(foe: &Foe) -> bool {
    foe.attacks.last().is_some_and(|own| own.effect.as_ref().is_some_and(|effect| effect.ends_with('…')))
}

struct Reader<'s> {
    system: &'s System,
    /// Skills that an attack names with their number.
    foe_skills: Vec<(String, i64)>,
    found: Vec<Attack>,
}

impl Reader<'_> {
    /// Reads one attack, or several that are listed: `2 claws (1d4), bite (1d6+2)`.
    fn read(&mut self, name: Option<&str>, text: &str, listed: bool) -> bool {
        let (text, opened) = without_opening(text);
        let mut own = Attack { name: name.unwrap_or_default().to_owned(), ..Attack::default() };
        let mut effect: Vec<String> = Vec::new();
        // Without a name of its own, the first piece has it.
        let mut rolled = false;
        for piece in pieces(text) {
            if name.is_none() && !own.damage.is_empty() && self.begins(&piece) {
                self.finish(std::mem::take(&mut own), std::mem::take(&mut effect));
                rolled = false;
            }
            rolled |= self.piece(&mut own, &mut effect, &piece);
        }
        let deals = own.damage.iter().any(|part| part.amount.contains('d'));
        let fits = !own.name.is_empty() && (deals || (!own.damage.is_empty() && rolled) || (opened && rolled));
        // A label of another meaning, such as "Hit dice", has dice but no roll.
        if !fits || (!listed && !rolled) || own.name.split(' ').count() > NAME_WORDS_MAX {
            return false;
        }
        self.finish(own, effect);
        true
    }

    fn finish(&mut self, mut own: Attack, effect: Vec<String>) {
        let (count, name) = counted(&own.name);
        let many = count.map(|count| format!("{count} of them"));
        let name = shortened(name.trim(), LIMITS.name - 4);
        let taken = |name: &str, all: &[Attack]| all.iter().any(|other| same(&other.name, name));
        own.name = if taken(&name, &self.found) { format!("{name} {}", self.found.len() + 1) } else { name };
        let effect: Vec<String> = many.into_iter().chain(effect).collect();
        own.effect = (!effect.is_empty()).then(|| shortened(&effect.join(", "), LIMITS.context - 10));
        self.found.push(own);
    }

    /// Whether a piece behind an attack with its damage begins another one: `bite (1d6+2)`, `bow +3`.
    fn begins(&self, piece: &str) -> bool {
        let (before, _) = in_brackets(piece);
        let named = piece.starts_with(|letter: char| letter.is_alphabetic() || letter.is_ascii_digit());
        let rolls = signed(&before).is_some_and(|(name, ..)| !name.is_empty());
        let deals = in_brackets(piece).1.is_some_and(|inner| has_dice(&inner));
        named && (rolls || deals) && read_damage(piece).is_none()
    }

    /// Reads a piece into the attack; whether it says what is rolled.
    fn piece(&mut self, own: &mut Attack, effect: &mut Vec<String>, piece: &str) -> bool {
        let folded = fold(piece);
        if ONE_TARGET.contains(&folded.as_str()) {
            return false;
        }
        if own.range.is_none() && is_range(&folded) {
            own.range = Some(shortened(piece.trim_end_matches('.'), LIMITS.context - 10));
            return false;
        }
        let deals = DEALS.iter().find_map(|word| {
            let (start, rest) = piece.split_at_checked(word.len())?;
            (start.eq_ignore_ascii_case(word) && rest.starts_with([' ', ':'])).then_some(rest)
        });
        let amount = deals.unwrap_or(piece).trim_start_matches([':', ' ']);
        if let Some((damage, rest)) = damage_in(amount, deals.is_none()) {
            own.damage.extend(damage);
            effect.extend(left_over(&rest));
            return false;
        }
        if own.bonus.is_none() && own.skill.is_none() {
            return self.head(own, effect, piece);
        }
        effect.extend(left_over(piece));
        false
    }

    /// `cudgel +3`, `+5 to hit`, `to hit +5`, `Firearms 55`, `Brawl 45% (22/9)`, `claws (1d4)`, `fists 1d6`, `revolver`.
    fn head(&mut self, own: &mut Attack, effect: &mut Vec<String>, piece: &str) -> bool {
        let (before, inner) = in_brackets(piece);
        let mut rolled = false;
        let name = match signed(&before) {
            Some((name, bonus, rest)) => {
                own.bonus = Some(bonus);
                rolled = true;
                let rest = without_to_hit(&rest);
                match damage_in(&rest, true) {
                    Some((damage, rest)) => {
                        own.damage.extend(damage);
                        effect.extend(left_over(&rest));
                    }
                    None => effect.extend(left_over(&rest)),
                }
                name
            }
            None => before.clone(),
        };
        let name = without_to_hit(&name);
        match self.skilled(&name) {
            Some((skill, number)) => {
                self.foe_skills.extend(number.map(|number| (skill.clone(), number)));
                own.skill = Some(skill);
                rolled = true;
            }
            // A name stands before the damage.
            None if own.name.is_empty() && own.damage.is_empty() => match trailing_dice(&name) {
                Some((bare, damage)) => {
                    own.name = bare;
                    own.damage.extend(damage);
                }
                None => own.name = name,
            },
            None => effect.extend(left_over(&name)),
        }
        if let Some(inner) = inner {
            match read_damage(&inner).filter(|_| has_dice(&inner)) {
                Some(damage) => own.damage.extend(damage),
                // Half and a fifth of a percentage follow from it.
                None if inner.split('/').all(|part| part.trim().parse::<i64>().is_ok()) => {}
                None => effect.push(inner),
            }
        }
        rolled
    }

    /// A skill or attribute of the rules, with its number or without: `Firearms 55`, `Brawl 45%`.
    fn skilled(&self, text: &str) -> Option<(String, Option<i64>)> {
        let text = text.trim_end_matches('%');
        let (name, number) = numbered(text);
        let skill = self.system.skill(name).map(|skill| skill.name.clone());
        let known = skill.or_else(|_| self.system.attribute(name).map(|own| own.name.clone())).ok()?;
        Some((known, number))
    }
}
