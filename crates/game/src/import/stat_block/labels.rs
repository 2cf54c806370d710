//! The one table of labels: what blocks and sheets call a number, and the names of the rules.

use crate::import::question::armour_place;
use crate::mechanics::{health::Defence, tracks::main_name};
use rollbook_rules::System;
use rollbook_text::names::{fold, misspelt, same};
use std::collections::BTreeMap;

/// What a label says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    Name,
    Health,
    HealthMax,
    HealthNow,
    Armour,
    Worth,
    /// May have the experience in brackets: `Challenge 1/2 (100 XP)`.
    Challenge,
    /// May have the hit points in brackets: `2 (9hp)`.
    HitDice,
    Level,
    /// Names with numbers.
    Scores,
    Skills,
    Attacks,
    Defence(Defence),
    /// A name of the rules.
    Attribute,
    Skill,
    Track,
    /// The head of a column that repeats what a score says.
    Column,
    /// Kept as words.
    Words,
}

const LABELS: [(Label, &str); 18] = [
    (Label::Name, "name, character name"),
    (Label::Health, "hit points, hp, hits, health"),
    (
        Label::HealthMax,
        "max hp, hp max, maximum hp, hp maximum, max hit points, maximum hit points, \
         hit points max, hit points maximum, hit point maximum",
    ),
    (
        Label::HealthNow,
        "current hp, hp current, current hit points, hit points current",
    ),
    (
        Label::Armour,
        "armour class, armor class, ac, armour, armor, defence, defense",
    ),
    (
        Label::Worth,
        "xp, xp value, experience, experience points, worth, worth in xp, xp award",
    ),
    (Label::Challenge, "challenge, challenge rating, cr, threat"),
    (Label::HitDice, "hit dice, hd"),
    (
        Label::Level,
        "level, class & level, class and level, class/level",
    ),
    (
        Label::Scores,
        "attributes, abilities, ability scores, scores, stats, characteristics",
    ),
    (Label::Skills, "skills, skill bonuses"),
    (
        Label::Attacks,
        "attack, attacks, att, melee, ranged, damage, combat, melee attack, melee attacks, \
         ranged attack, ranged attacks, weapon, weapons, strike, strikes",
    ),
    (
        Label::Defence(Defence::Vulnerable),
        "damage vulnerabilities, damage vulnerability, vulnerabilities, vulnerability, \
         vulnerable to, vulnerable, weaknesses, weakness",
    ),
    (
        Label::Defence(Defence::Resistant),
        "damage resistances, damage resistance, resistances, resistance, resistant to, resist",
    ),
    (
        Label::Defence(Defence::Immune),
        "damage immunities, damage immunity, immunities, immunity, immune to, immune",
    ),
    (
        Label::Column,
        "score, mod, modifier, save, ability, attribute, bonus, skill, value",
    ),
    (
        Label::Words,
        "initiative, init, speed, movement, mv, senses, languages, condition immunities, \
         saving throws, saves, proficiency bonus, pb, perception, passive perception, size, type, alignment, gear, class, race, background, player, temp hp, \
         temporary hit points, morale, ml",
    ),
    (Label::Words, "kind"),
];

/// Words of a label.
const WORDS_MAX: usize = 6;
/// Letters of a label that may be a misspelt one; a shorter one is near to anything.
const LETTERS_MIN: usize = 4;

/// The labels of a game, by their folded names.
pub struct Labels<'s> {
    pub system: &'s System,
    /// With the name as it is written.
    all: BTreeMap<String, (Label, String)>,
}

impl<'s> Labels<'s> {
    /// Those of every game, and before them the names of these rules.
    pub fn of(system: &'s System) -> Labels<'s> {
        let common = LABELS.iter().flat_map(|(label, names)| {
            names
                .split(", ")
                .map(|name| (fold(name), (*label, name.to_owned())))
        });
        let mut all: BTreeMap<String, (Label, String)> = common.collect();
        let main = main_name(system);
        let mut add = |name: &str, label| {
            let known = all.get(&fold(name)).map(|(label, _)| *label);
            // A defence of these rules by a common name has types, too.
            let is_kept = matches!(known, Some(Label::Defence(_)));
            if !is_kept && (!same(name, main) || known != Some(Label::Health)) {
                all.insert(fold(name), (label, name.to_owned()));
            }
        };
        for defence in &system.defences {
            add(&defence.rule.name, Label::Track);
        }
        for skill in &system.skills {
            add(&skill.name, Label::Skill);
        }
        for attribute in &system.attributes {
            add(&attribute.name, Label::Attribute);
            attribute
                .abbr
                .iter()
                .for_each(|abbr| add(abbr, Label::Attribute));
        }
        for track in &system.tracks {
            add(&track.name, Label::Track);
        }
        if let Some((_, name)) = armour_place(system) {
            add(name, Label::Armour);
        }
        Labels { system, all }
    }

    pub fn get(&self, name: &str) -> Option<Label> {
        let is_typed = |rule: &rollbook_rules::Defence| rule.on_sheet(name).is_some();
        let typed = || self.system.defences.iter().any(is_typed);
        let known = self.all.get(&fold(name)).map(|(label, _)| *label);
        known.or_else(|| (name.ends_with(')') && typed()).then_some(Label::Track))
    }

    /// The longest label at the beginning of a text, and what is after it.
    pub fn at<'t>(&self, text: &'t str) -> Option<(Label, &'t str, &'t str)> {
        let letters = text
            .char_indices()
            .zip(text.chars().skip(1).map(Some).chain([None]));
        let ends = letters.filter_map(|((at, letter), next)| {
            let ends = match next {
                Some(next) if letter.is_alphabetic() => !next.is_alphabetic(),
                Some(next) => !letter.is_whitespace() && !next.is_alphanumeric(),
                None => true,
            };
            ends.then_some(at + letter.len_utf8())
        });
        let ends: Vec<usize> = ends.take(WORDS_MAX * 2).collect();
        ends.into_iter().rev().find_map(|end| {
            let (name, rest) = text.split_at_checked(end)?;
            Some((self.get(name)?, name, rest))
        })
    }

    /// The label that an unknown one looks like a misspelling of.
    pub fn misspelt(&self, name: &str) -> Option<(Label, &str)> {
        let is_number = |label: Label| {
            !matches!(
                label,
                Label::Column | Label::Words | Label::HitDice | Label::Name
            )
        };
        let all = self.all.iter().filter(|(_, (label, _))| is_number(*label));
        let known = misspelt(name, all.map(|(name, _)| name.as_str()))?;
        self.all
            .get(known)
            .map(|(label, name)| (*label, name.as_str()))
    }
}

/// Whether a label may be a misspelt one; one of few letters is near to anything, and one of many
/// words is a sentence.
pub fn may_be_misspelt(label: &str) -> bool {
    label.split_whitespace().count() < 4 && label.chars().count() >= LETTERS_MIN
}
