//! The rules of one adventure, as far as the program understands them.

use std::collections::{HashMap, HashSet};

use super::clause::{Assumption, Clause};
use super::unknown::{Named, Unknown};
use crate::diagnostic::Place;
use crate::names;
use crate::rules::language::advancement::Advancement;
use crate::rules::language::attacks::CommonAttack;
use crate::rules::language::attributes::Attribute;
use crate::rules::language::checks::Check;
use crate::rules::language::combat::{
    Held, Initiative, InitiativeKind, Stated, Structure, StructureKind, Structures, ToHit,
};
use crate::rules::language::company::Passing;
use crate::rules::language::conditions::ConditionRule;
use crate::rules::language::dice::{DiceChain, DicePolicy, Difficulty, OwnDice, ShowingPolicy, Swap};
use crate::rules::language::health::{Boxes, DamageChain, Layer, Mitigation, Slots, Track, Trigger, Wounds};
use crate::rules::language::names::{ATTRIBUTE_WORDS, CALL_WORDS};
use crate::rules::language::rests::Rest;
use crate::rules::language::skills::{Base, Skill};
use crate::rules::section::SectionText;
use crate::rules::when::facts::Succeed;

/// The condition that every game has, whether its rules say so or not.
const DEAD: &str = "dead";

/// The rules of one adventure, as far as the program understands them. Lists keep the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct System {
    /// The first level-1 heading.
    pub title: Option<String>,
    /// What the author calls this state of the rules: `1.2`.
    pub version: Option<String>,
    /// The rules that it is built on, the nearest first.
    pub bases: Vec<String>,
    /// Whether there is no rules file: dice, log and combat work, checks do not.
    pub narrative: bool,
    /// Which dice may be rolled.
    pub dice: DicePolicy,
    /// Dice with faces of their own, their symbols, and which of those cancel.
    pub own_dice: OwnDice,
    /// What advantage does; none: the system has none.
    pub advantage: Option<Swap>,
    /// What disadvantage does; none: the system has none.
    pub disadvantage: Option<Swap>,
    /// The dice along which a check's main die may be moved; none: the system has no such chain.
    pub chain: Option<DiceChain>,
    /// Who sees a roll unless the call says otherwise.
    pub showing: ShowingPolicy,
    /// What every character has a score in.
    pub attributes: Vec<Attribute>,
    /// What a character has learned.
    pub skills: Vec<Skill>,
    /// How uncertain things are resolved; the first is the default.
    pub checks: Vec<Check>,
    /// Words for difficulties.
    pub difficulties: Vec<Difficulty>,
    /// Checks that the author wrote and that have a mistake for which they cannot be rolled, by name.
    pub lost_checks: Vec<Clause<String>>,
    /// What goes down when a character is hurt.
    pub tracks: Vec<Track>,
    /// What is taken off damage, in the order of application.
    pub mitigations: Vec<Mitigation>,
    /// Points in front of tracks that damage takes first.
    pub layers: Vec<Layer>,
    /// Boxes of which one soaks one hit.
    pub boxes: Vec<Boxes>,
    /// Slots for harm by its weight.
    pub slots: Vec<Slots>,
    /// Wounds by how far a hit goes.
    pub wounds: Option<Wounds>,
    /// Damage that takes one thing after the other.
    pub damage_chain: Option<DamageChain>,
    /// What happens when a track reaches an end.
    pub triggers: Vec<Trigger>,
    /// What mends.
    pub rests: Vec<Rest>,
    /// What the company shares, clocks too: tracks and triggers of it alone, since characters may have some of the same names.
    pub company: Option<Box<System>>,
    /// Of what the company shares: what the game's time moves.
    pub passing: Vec<Passing>,
    /// Conditions that the file names.
    pub conditions: Vec<ConditionRule>,
    /// Numbers of everybody who has none of their own: "People wear Armour 10".
    pub stated: Vec<Stated>,
    /// Attacks of everybody who has none of the name.
    pub attacks: Vec<CommonAttack>,
    /// Skills that are rolled against a number of the target.
    pub to_hit: Vec<ToHit>,
    /// Who acts when in a fight.
    pub initiative: Initiative,
    /// Whether fights have turns.
    pub structures: Structures,
    /// Seconds of the game's time in a round of a fight, where the file says so.
    pub round: Option<Clause<i64>>,
    /// What becomes of effects that somebody holds.
    pub held: Held,
    /// How characters get better.
    pub advancement: Advancement,
    /// What the file does not say and the program took for granted.
    pub assumptions: Vec<Assumption>,
    /// What stands among rules as a bullet or a table, and is taken for prose: the first 30.
    pub not_read: Vec<Clause<String>>,
    /// The author's text, section by section, word for word.
    pub sections: Vec<SectionText>,
}

/// A title with the version that stands below it.
pub fn called(title: &str, version: Option<&str>) -> String {
    version.map_or_else(|| title.to_owned(), |version| format!("{title}, version {version}"))
}

/// Whether a check is called as people call attacks.
fn is_attack(check: &&Check) -> bool {
    ["attack", "attacks", "strike", "fight"].contains(&names::fold(&check.name).as_str())
}

impl System {
    /// What the rules are called: `Rust and Lanterns, version 1.2`.
    pub fn called(&self) -> Option<String> {
        Some(called(self.title.as_deref()?, self.version.as_deref()))
    }

    /// How a fight begins.
    pub fn first_structure(&self) -> Structure {
        match (self.structures.kind, &self.initiative.kind) {
            (StructureKind::Only(only) | StructureKind::Hybrid(only), _) => only,
            (StructureKind::Unsaid, InitiativeKind::None) => Structure::Narrative,
            (StructureKind::Unsaid, _) => Structure::TurnBased,
        }
    }

    /// Whether a fight may change over to the other structure.
    pub fn changes_structure(&self) -> bool {
        match self.structures.kind {
            StructureKind::Only(_) => false,
            StructureKind::Hybrid(_) => true,
            StructureKind::Unsaid => self.initiative.kind != InitiativeKind::None,
        }
    }

    /// The line that says which structures fights have.
    pub fn structure_place(&self) -> Option<&Place> {
        self.structures.place.as_ref().or(self.initiative.place.as_ref())
    }

    /// The number of a target that a roll of this skill or attribute is made against; for an attack with a bonus of its own, of any.
    pub fn to_hit(&self, skill: Option<&str>, attack: bool) -> Option<&ToHit> {
        let of_skill = |own: &&ToHit| skill.is_some_and(|skill| own.skills.iter().any(|name| names::same(name, skill)));
        self.to_hit.iter().find(of_skill).or_else(|| self.to_hit.first().filter(|_| attack && skill.is_none()))
    }

    /// The name of a number that others roll against and that is declared nowhere else, as the author writes it: Armour.
    pub fn target_number(&self, name: &str) -> Option<String> {
        if self.named_attribute(name).is_some() || self.named_skill(name).is_some() || self.track(name).is_ok() {
            return None;
        }
        self.target_numbers().into_iter().find(|own| names::same(own, name))
    }

    /// The names that a Target, or a sentence about what hits, asks for, each once, as they are written.
    pub fn target_numbers(&self) -> Vec<String> {
        let targets = self.checks.iter().flat_map(|check| &check.target).flat_map(|target| target.variables());
        let is_said = |name: &String| {
            let folded = names::fold(name);
            CALL_WORDS.contains(&folded.as_str()) || ATTRIBUTE_WORDS.contains(&folded.as_str())
        };
        let mut all: Vec<String> = Vec::new();
        let hits = self.to_hit.iter().map(|own| own.number.clone());
        for name in targets.map(|variable| variable.name).chain(hits).filter(|name| !is_said(name)) {
            if !all.iter().any(|own| names::same(own, &name)) {
                all.push(name);
            }
        }
        all
    }

    /// The attribute with this name or short form, folded, where there is one.
    pub fn named_attribute(&self, name: &str) -> Option<&Attribute> {
        let by_name = self.attributes.iter().find(|own| names::same(&own.name, name));
        by_name.or_else(|| {
            let has = |own: &&Attribute| own.abbr.as_ref().is_some_and(|abbr| names::same(abbr, name));
            self.attributes.iter().find(has)
        })
    }

    /// The skill with this name, folded, where there is one.
    pub fn named_skill(&self, name: &str) -> Option<&Skill> {
        self.skills.iter().find(|own| names::same(&own.name, name))
    }

    /// The attribute with this name or short form, folded.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn attribute(&self, name: &str) -> Result<&Attribute, Unknown> {
        self.named_attribute(name).ok_or_else(|| {
            let mut unknown = unknown(Named::Attribute, name, &self.attributes, |own| (&own.name, &own.place));
            if unknown.suggestions.is_empty() {
                // `STG` is like `STR`, but not like Strength.
                let abbrs = self.attributes.iter().filter_map(|own| own.abbr.as_deref());
                unknown.suggestions = names::suggest(name, abbrs);
            }
            unknown
        })
    }

    /// The skill with this name, folded.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn skill(&self, name: &str) -> Result<&Skill, Unknown> {
        find(Named::Skill, name, &self.skills, |own| (&own.name, &own.place))
    }

    /// The check with this name, folded.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn check(&self, name: &str) -> Result<&Check, Unknown> {
        find(Named::Check, name, &self.checks, |own| (&own.name, &own.place))
    }

    /// The track with this name, folded; `HP` means hit points.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn track(&self, name: &str) -> Result<&Track, Unknown> {
        let found = find(Named::Track, name, &self.tracks, |own| (&own.name, &own.place));
        match found {
            Err(_) if names::same(name, "hp") => {
                let long = find(Named::Track, "hit points", &self.tracks, |own| (&own.name, &own.place));
                long.or(found)
            }
            _ => found,
        }
    }

    /// The attribute that a call means: by its name or short form, else by a word that it alone has.
    ///
    /// # Errors
    /// When there is none, or several could be meant: with the near and the known names.
    pub fn meant_attribute(&self, name: &str) -> Result<&Attribute, Unknown> {
        self.attribute(name).or_else(|unknown| meant(unknown, &self.attributes, |own| (&own.name, &own.place)))
    }

    /// The skill that a call means: by its name, else by a word that it alone has.
    ///
    /// # Errors
    /// As [`System::meant_attribute`].
    pub fn meant_skill(&self, name: &str) -> Result<&Skill, Unknown> {
        self.skill(name).or_else(|unknown| meant(unknown, &self.skills, |own| (&own.name, &own.place)))
    }

    /// The check that a call means: by its name, else by a word that it alone has.
    ///
    /// # Errors
    /// As [`System::meant_attribute`].
    pub fn meant_check(&self, name: &str) -> Result<&Check, Unknown> {
        self.check(name).or_else(|unknown| meant(unknown, &self.checks, |own| (&own.name, &own.place)))
    }

    /// The difficulty that a call means: by its name, else by a word that it alone has.
    ///
    /// # Errors
    /// As [`System::meant_attribute`].
    pub fn meant_difficulty(&self, name: &str) -> Result<&Difficulty, Unknown> {
        let key: Key<Difficulty> = |own| (&own.name, &own.place);
        find(Named::Difficulty, name, &self.difficulties, key)
            .or_else(|unknown| meant(unknown, &self.difficulties, key))
    }

    /// The rest that a call means: by its name, else by a word that it alone has.
    ///
    /// # Errors
    /// As [`System::meant_attribute`].
    pub fn meant_rest(&self, name: &str) -> Result<&Rest, Unknown> {
        self.rest(name).or_else(|unknown| meant(unknown, &self.rests, |own| (&own.name, &own.place)))
    }

    /// The rest with this name, folded.
    ///
    /// # Errors
    /// When there is none: with the near and the known names.
    pub fn rest(&self, name: &str) -> Result<&Rest, Unknown> {
        find(Named::Rest, name, &self.rests, |own| (&own.name, &own.place))
    }

    /// The condition with this name, folded. None is no mistake: the GM may bring conditions that no rule declares.
    pub fn condition(&self, name: &str) -> Option<&ConditionRule> {
        self.conditions.iter().find(|own| names::same(&own.name, name))
    }

    /// The only check whose outcomes say what becomes of damage.
    pub fn check_of_attacks(&self) -> Option<&Check> {
        let hurts = || self.checks.iter().filter(|check| check.deals_damage());
        only(hurts()).or_else(|| only(hurts().filter(is_attack)))
    }

    /// The check by which somebody is aimed at who is named: that of the skill, where the rules say what it is rolled against;
    /// for an attack also the only one whose Target is somebody's number, else the only one that says what becomes of damage, else the one
    /// of several that is called Attack.
    pub fn check_at(&self, skill: Option<&str>, attack: bool) -> Option<&Check> {
        let is_of_skill =
            |own: &&ToHit| skill.is_some_and(|skill| own.skills.iter().any(|name| names::same(name, skill)));
        let named = self.to_hit.iter().filter(is_of_skill).find_map(|own| own.check.as_ref());
        let named = named.and_then(|name| self.check(name).ok());
        let aimed = |skills: bool| self.checks.iter().filter(move |check| self.is_aimed(check, skills));
        let of = |skills: bool| {
            let hurts = || aimed(skills).filter(|check| check.deals_damage());
            only(aimed(skills))
                .or_else(|| only(hurts()))
                .or_else(|| only(hurts().filter(is_attack)))
                .or_else(|| only(aimed(skills).filter(is_attack)))
        };
        let of_attacks = || of(false).or_else(|| of(true));
        named.or_else(|| attack.then(|| of_attacks().or_else(|| self.check_of_attacks()))?)
    }

    /// Of moves that deal damage, each of which rolls its own stat by name, the only one for that stat; `None` where one of them takes whatever
    /// is chosen.
    pub fn check_that_rolls(&self, score: &str) -> Option<&Check> {
        let strikes = || self.checks.iter().filter(|check| check.deals_damage());
        let takes_any = |check: &Check| ["modifier", "skill", "attribute"].iter().any(|name| check.names(name));
        if strikes().any(takes_any) {
            return None;
        }
        let is_score = |name: &str| {
            names::same(name, score) || self.named_attribute(name).is_some_and(|own| own.is_called(&names::fold(score)))
        };
        only(strikes().filter(|check| check.roll.variables().iter().any(|own| is_score(&own.name))))
    }

    /// Whether its Target is a number of somebody else that must be reached: `{armour class}`; `skills` when a skill with a
    /// base, such as a defence, may be one.
    fn is_aimed(&self, check: &Check, skills: bool) -> bool {
        let is_number = |name: String| {
            let folded = names::fold(&name);
            let said = CALL_WORDS.contains(&folded.as_str()) || ATTRIBUTE_WORDS.contains(&folded.as_str());
            let skill = self.named_skill(&name);
            let may_be = skill.is_none_or(|own| skills && matches!(own.base, Some(Base::Formula(_))));
            !said && may_be && self.track(&name).is_err()
        };
        check.succeed == Succeed::AtLeast && check.while_held.is_none() && check.target_name().is_some_and(is_number)
    }

    /// The check used when a call names none: the first.
    pub fn default_check(&self) -> Option<&Check> {
        self.checks.first()
    }

    /// Every condition that the rules name, each once: those they declare, those that something brings or ends, and dead.
    pub fn condition_names(&self) -> impl Iterator<Item = &str> {
        let declared = self.conditions.iter().map(|own| own.name.as_str());
        let also = self.triggers.iter().flat_map(|own| &own.also);
        let also = also.flat_map(|also| also.conditions.iter().chain([&also.condition]));
        let brought = self.triggers.iter().flat_map(|own| &own.conditions).chain(also);
        let ended = self.rests.iter().flat_map(|own| &own.ends);
        let all = declared.chain(brought.chain(ended).map(String::as_str)).chain(self.ways_out()).chain([DEAD]);
        let mut seen = HashSet::new();
        all.filter(move |name| seen.insert(*name))
    }

    /// What the rules state for everybody who has no number of this name; an attribute goes by its short form, too.
    pub fn stated(&self, name: &str) -> Option<&Stated> {
        let attribute = self.attribute(name).ok();
        let is_it = |own: &&Stated| {
            names::same(&own.name, name)
                || attribute.is_some_and(|attribute| attribute.is_called(&names::fold(&own.name)))
        };
        self.stated.iter().find(is_it)
    }

    /// Whether damage takes this attribute, so that its name means what is left of it.
    pub fn takes_score(&self, attribute: &str) -> bool {
        self.damage_chain.as_ref().is_some_and(|chain| chain.scores.iter().any(|own| own == attribute))
    }
}

/// Names an item and where it is declared.
type Key<T> = fn(&T) -> (&String, &Place);

/// The only one.
fn only<'a>(mut all: impl Iterator<Item = &'a Check>) -> Option<&'a Check> {
    all.next().filter(|_| all.next().is_none())
}

fn find<'a, T>(kind: Named, wanted: &str, all: &'a [T], key: Key<T>) -> Result<&'a T, Unknown> {
    let found = all.iter().find(|item| names::same(key(item).0, wanted));
    found.ok_or_else(|| unknown(kind, wanted, all, key))
}

/// The only item with the wanted words in its name, where none is called so.
fn meant<T>(unknown: Unknown, all: &[T], key: Key<T>) -> Result<&T, Unknown> {
    match names::find(&unknown.wanted, all.iter().map(|item| (key(item).0.as_str(), item))) {
        names::Found::One(item) => Ok(item),
        names::Found::Several(items) => {
            let fit = items.into_iter().map(|item| key(item).0.clone()).collect();
            Err(Unknown { suggestions: fit, several: true, ..unknown })
        }
        names::Found::Nothing => Err(unknown),
    }
}

fn unknown<T>(kind: Named, wanted: &str, all: &[T], key: Key<T>) -> Unknown {
    let known: Vec<String> = all.iter().map(|item| key(item).0.clone()).collect();
    Unknown {
        kind,
        wanted: wanted.to_owned(),
        suggestions: names::suggest(wanted, known.iter().map(String::as_str)),
        place: lines(all.iter().map(|item| key(item).1)),
        several: false,
        known,
    }
}

/// The lines that hold these places, file by file: `System.md:31-44`.
pub(in crate::rules) fn lines<'a>(places: impl Iterator<Item = &'a Place>) -> Option<String> {
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
