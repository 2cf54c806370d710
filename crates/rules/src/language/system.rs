//! The rules of one adventure.

use std::collections::{HashMap, HashSet};

use super::clause::{Assumption, Bullet, Clause};
use super::unknown::{NameKind, UnknownName};
use crate::grammar::line::{Added, Fights, For, InitiativeKind, ShowingPolicy};
use crate::grammar::names::Names;
use crate::language::advancement::Advancement;
use crate::language::attacks::CommonAttack;
use crate::language::attributes::Attribute;
use crate::language::checks::Check;
use crate::language::combat::{HeldEffects, Initiative, Structure};
use crate::language::conditions::ConditionRule;
use crate::language::dice::{DiceChain, DicePolicy, Difficulty, NamedDice};
use crate::language::health::damage::OUT_OF_FIGHT;
use crate::language::health::{DamageLine, Defence, Soak, Track, Trigger};
use crate::language::skills::Skill;
use crate::section::{SectionKind, SectionText};
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;
use rollbook_text::names;

/// The rules of an adventure, as far as they are understood. Lists keep the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct System {
    /// The first level-1 heading.
    pub title: Option<String>,
    /// The author's version of the rules: `1.2`.
    pub version: Option<String>,
    /// The rules that these are built on, the nearest first.
    pub bases: Vec<String>,
    /// Whether there is no rules file: dice, log and combat work, checks do not.
    pub narrative: bool,
    /// The bullets of the sections Dice, Combat and Advancement, which are shown as written.
    pub bullets: Vec<(SectionKind, Bullet)>,
    /// Which dice may be rolled.
    pub dice: DicePolicy,
    /// Dice with named faces, their symbols, and which symbols cancel.
    pub named_dice: NamedDice,
    /// Advantage in the Dice section.
    pub advantage: Option<Added<Formula>>,
    /// Disadvantage in the Dice section.
    pub disadvantage: Option<Added<Formula>>,
    /// The dice chain of the Dice section.
    pub chain: Option<DiceChain>,
    /// Who sees a roll unless the call says otherwise.
    pub showing: ShowingPolicy,
    /// Every character has a score in each.
    pub attributes: Vec<Attribute>,
    /// Every declared name, for the text of calls.
    pub names: Names,
    pub skills: Vec<Skill>,
    /// The first is the default.
    pub checks: Vec<Check>,
    pub difficulties: Vec<Difficulty>,
    /// Names of checks that a mistake keeps from being rolled.
    pub lost_checks: Vec<Clause<String>>,
    /// Numbers that play moves: hit points.
    pub tracks: Vec<Track>,
    /// Marks that soak hits.
    pub soaks: Vec<Soak>,
    /// What a hit is taken from, for all damage and for single types.
    pub damage: Vec<DamageLine>,
    /// Attributes that damage lowers, kept as tracks of what is left.
    pub damaged_scores: Vec<String>,
    pub damage_types: Vec<String>,
    /// Halves are rounded up; else down.
    pub halving_up: bool,
    /// Steps that change damage, in order.
    pub defences: Vec<Defence>,
    /// What happens when a track reaches a number.
    pub triggers: Vec<Trigger>,
    /// Effects of rests, and of the end of scenes, fights and sessions.
    pub rests: Vec<Trigger>,
    /// Effects of the game's time.
    pub passing: Vec<Trigger>,
    /// The company's tracks and triggers, with clocks: apart, as characters may share their names.
    pub company: Option<Box<System>>,
    /// Conditions that the file names.
    pub conditions: Vec<ConditionRule>,
    /// Attacks of characters that have none of the same name.
    pub attacks: Vec<CommonAttack>,
    pub initiative: Initiative,
    /// Whether fights have turns; none: as hybrid, unless there is no initiative.
    pub fights: Option<Clause<Fights>>,
    /// Seconds of the game's time in a round, if the file has them.
    pub round: Option<Clause<i64>>,
    /// How held effects may end.
    pub held: Option<HeldEffects>,
    pub advancement: Advancement,
    /// What the file leaves open and the program assumes.
    pub assumptions: Vec<Assumption>,
    /// How many lines and rows of tables were read as rules.
    pub rules_read: usize,
    /// The author's text, section by section, word for word.
    pub sections: Vec<SectionText>,
}

/// A title with its version.
pub fn called(title: &str, version: Option<&str>) -> String {
    version.map_or_else(
        || title.to_owned(),
        |version| format!("{title}, version {version}"),
    )
}

impl System {
    /// The title with the version: `Rust and Lanterns, version 1.2`.
    pub fn called(&self) -> Option<String> {
        Some(called(self.title.as_deref()?, self.version.as_deref()))
    }

    /// The bullets of a section, in the author's order.
    pub fn bullets(&self, kind: SectionKind) -> impl Iterator<Item = &Bullet> {
        self.bullets
            .iter()
            .filter(move |(section, _)| *section == kind)
            .map(|(_, bullet)| bullet)
    }

    /// How a fight begins.
    pub fn first_structure(&self) -> Structure {
        match self.fights.as_ref().map(|fights| fights.what) {
            Some(Fights::Narrative) => Structure::Narrative,
            None if self.initiative.kind == InitiativeKind::None => Structure::Narrative,
            Some(Fights::TurnBased | Fights::Hybrid) | None => Structure::TurnBased,
        }
    }

    /// Whether a fight may change to the other structure.
    pub fn changes_structure(&self) -> bool {
        match self.fights.as_ref().map(|fights| fights.what) {
            Some(fights) => fights == Fights::Hybrid,
            None => self.initiative.kind != InitiativeKind::None,
        }
    }

    /// The line that decides which structures fights have.
    pub fn structure_place(&self) -> Option<&Place> {
        self.fights
            .as_ref()
            .map(|fights| &fights.place)
            .or(self.initiative.place.as_ref())
    }

    /// Whether the Dice section has no line on advantage or disadvantage.
    pub fn has_usual_advantage(&self) -> bool {
        self.advantage.is_none() && self.disadvantage.is_none()
    }

    /// The attribute with this name or short form, folded, if any.
    pub fn named_attribute(&self, name: &str) -> Option<&Attribute> {
        let by_name = self
            .attributes
            .iter()
            .find(|attribute| names::same(&attribute.name, name));
        by_name.or_else(|| {
            let has = |attribute: &&Attribute| {
                attribute
                    .abbr
                    .as_ref()
                    .is_some_and(|abbr| names::same(abbr, name))
            };
            self.attributes.iter().find(has)
        })
    }

    /// The skill with this name, folded, if any.
    pub fn named_skill(&self, name: &str) -> Option<&Skill> {
        self.skills
            .iter()
            .find(|skill| names::same(&skill.name, name))
    }

    /// The attribute with this name or short form, folded.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn attribute(&self, name: &str) -> Result<&Attribute, UnknownName> {
        self.named_attribute(name).ok_or_else(|| {
            let mut unknown = unknown(NameKind::Attribute, name, &self.attributes, |attribute| {
                (&attribute.name, &attribute.place)
            });
            if unknown.suggestions.is_empty() {
                // `STG` is like `STR`, but not like Strength.
                let abbrs = self
                    .attributes
                    .iter()
                    .filter_map(|attribute| attribute.abbr.as_deref());
                unknown.suggestions = names::suggest(name, abbrs);
            }
            unknown
        })
    }

    /// The skill with this name, folded.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn skill(&self, name: &str) -> Result<&Skill, UnknownName> {
        find(NameKind::Skill, name, &self.skills, |skill| {
            (&skill.name, &skill.place)
        })
    }

    /// The check with this name, folded.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn check(&self, name: &str) -> Result<&Check, UnknownName> {
        find(NameKind::Check, name, &self.checks, |check| {
            (&check.name, &check.place)
        })
    }

    /// The track with this name, folded; `HP` means hit points.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn track(&self, name: &str) -> Result<&Track, UnknownName> {
        let found = find(NameKind::Track, name, &self.tracks, |track| {
            (&track.name, &track.place)
        });
        match found {
            Err(_) if names::same(name, "hp") => {
                let long = find(NameKind::Track, "hit points", &self.tracks, |track| {
                    (&track.name, &track.place)
                });
                long.or(found)
            }
            _ => found,
        }
    }

    /// The difficulty with this name, folded.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn difficulty(&self, name: &str) -> Result<&Difficulty, UnknownName> {
        find(
            NameKind::Difficulty,
            name,
            &self.difficulties,
            |difficulty| (&difficulty.name, &difficulty.place),
        )
    }

    /// What a call names: found by the whole name, else by a word that no other name has.
    /// `system.find_by_words(System::skill, "picking")`.
    ///
    /// # Errors
    /// When there is none, or several could be meant: with the near and the known names.
    pub fn find_by_words<'s, T>(
        &'s self,
        find: Finder<'s, T>,
        name: &str,
    ) -> Result<&'s T, UnknownName> {
        let unknown = match find(self, name) {
            Ok(found) => return Ok(found),
            Err(unknown) => unknown,
        };
        match names::find(name, unknown.known.iter().map(|name| (name.as_str(), name))) {
            names::Found::One(only) => find(self, only),
            names::Found::Several(all) => {
                let suggestions = all.into_iter().cloned().collect();
                Err(UnknownName {
                    suggestions,
                    several: true,
                    ..unknown
                })
            }
            names::Found::Nothing => Err(unknown),
        }
    }

    /// The rest with this name, folded.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn rest(&self, name: &str) -> Result<&Trigger, UnknownName> {
        find(NameKind::Rest, name, &self.rests, |rest| {
            (&rest.label, &rest.place)
        })
    }

    /// The condition with this name, folded. None is no mistake: the GM may use undeclared ones.
    pub fn condition(&self, name: &str) -> Option<&ConditionRule> {
        self.conditions
            .iter()
            .find(|condition| names::same(&condition.name, name))
    }

    /// The check for this use, else the only check.
    pub fn check_for_use(&self, whom: &For) -> Option<&Check> {
        let only = || self.checks.first().filter(|_| self.checks.len() == 1);
        self.checks
            .iter()
            .find(|check| check.for_whom.contains(whom))
            .or_else(only)
    }

    /// The check for a skill or attribute by its name, else the check of attacks for an attack.
    pub fn check_for_name(&self, by: Option<&str>, attack: bool) -> Option<&Check> {
        let is_by = |kind: &For| matches!((kind, by), (For::Named(name), Some(by)) if names::same(name, by));
        let named = self
            .checks
            .iter()
            .find(|check| check.for_whom.iter().any(is_by));
        named.or_else(|| attack.then(|| self.check_for_use(&For::Attacks))?)
    }

    /// Every condition that the rules name, each once: declared, gained or lost by an effect, or
    /// putting a character out of a fight.
    pub fn condition_names(&self) -> impl Iterator<Item = &str> {
        let declared = self
            .conditions
            .iter()
            .map(|condition| condition.name.as_str());
        let company = self.company.iter().flat_map(|company| &company.triggers);
        let effects = self
            .triggers
            .iter()
            .chain(company)
            .flat_map(|trigger| &trigger.effects);
        let effects = effects.chain(self.rests.iter().flat_map(|rest| &rest.effects));
        let named = effects
            .flat_map(|effect| [effect.gains(), effect.loses()])
            .flatten();
        let all = declared.chain(named).chain(OUT_OF_FIGHT);
        let mut seen = HashSet::new();
        all.filter(move |name| seen.insert(*name))
    }
}

/// Gives an item's name and place.
type Key<T> = fn(&T) -> (&String, &Place);

/// A method that finds by name.
type Finder<'s, T> = fn(&'s System, &str) -> Result<&'s T, UnknownName>;

fn find<'a, T>(
    kind: NameKind,
    wanted: &str,
    all: &'a [T],
    key: Key<T>,
) -> Result<&'a T, UnknownName> {
    let found = all.iter().find(|item| names::same(key(item).0, wanted));
    found.ok_or_else(|| unknown(kind, wanted, all, key))
}

fn unknown<T>(kind: NameKind, wanted: &str, all: &[T], key: Key<T>) -> UnknownName {
    let known: Vec<String> = all.iter().map(|item| key(item).0.clone()).collect();
    UnknownName {
        kind,
        wanted: wanted.to_owned(),
        suggestions: names::suggest(wanted, known.iter().map(String::as_str)),
        place: lines(all.iter().map(|item| key(item).1)),
        several: false,
        known,
    }
}

/// The lines of these places, file by file: `System.md:31-44`.
pub(crate) fn lines<'a>(places: impl Iterator<Item = &'a Place>) -> Option<String> {
    let mut order: Vec<&str> = Vec::new();
    let mut ranges: HashMap<&str, (u32, u32)> = HashMap::new();
    for place in places {
        let range = ranges.entry(&place.file).or_insert_with(|| {
            order.push(&place.file);
            (place.line, place.line)
        });
        *range = (range.0.min(place.line), range.1.max(place.line));
    }
    let parts = order.into_iter().filter_map(|file| match ranges.get(file) {
        Some((first, last)) if first == last => Some(format!("{file}:{first}")),
        Some((first, last)) => Some(format!("{file}:{first}-{last}")),
        None => None,
    });
    let text = parts.collect::<Vec<_>>().join(", ");
    (!text.is_empty()).then_some(text)
}
