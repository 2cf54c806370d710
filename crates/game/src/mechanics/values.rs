//! What a `{name}` in the rules means for one character.

use crate::mechanics::{clocks, health::Vitality};
use crate::record::state::{Character, Condition, Kind, State, Track};
use crate::refusal::{Code, Fault, Refusal};
use rollbook_dice::{BindError, DiceError, Expression, Formula};
use rollbook_rules::grammar::names::CONDITIONS;
use rollbook_rules::{Attribute, Base, Check, Skill, System, target_name, value_of};
use rollbook_text::names::{fold, listed, quoted, same};
use std::collections::BTreeMap;
use std::fmt::{self, Arguments, Display, Formatter};

/// The values of names for one character: its attributes, skills, tracks and level.
///
/// A check adds names of its own in front of these; see [`check`](crate::decide::check).
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub state: &'a State,
    pub system: &'a System,
    pub actor: Option<&'a Character>,
    /// Whether scores are read without damage.
    pub(super) undamaged: bool,
    /// Tracks and conditions as they are by now, where something has moved already.
    pub(super) now: Option<&'a Vitality>,
    /// How many bases of unlearned skills are being resolved within each other.
    pub(super) depth: u8,
}

/// How deep the bases of unlearned skills may name one another.
const DEPTH_MAX: u8 = 8;

/// A value and its source, for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcedValue {
    pub value: i64,
    /// "score 14, System.md:29"
    pub from: String,
}

/// Makes what a look-up gives of a value and its source.
type With<'w, T> = &'w dyn Fn(i64, Arguments<'_>) -> T;

fn sourced(value: i64, from: Arguments<'_>) -> SourcedValue {
    let from = from.to_string();
    SourcedValue { value, from }
}

/// An attribute's score; after `score 3` it is printed as ` of 8`, where damage has lowered it.
#[derive(Debug, Clone, Copy)]
pub struct Score {
    pub value: i64,
    /// As it is on the sheet.
    made: Option<i64>,
}

impl Display for Score {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        match self.made {
            None => to.write_str(", not on the sheet"),
            Some(made) if made != self.value => write!(to, " of {made}"),
            Some(_) => Ok(()),
        }
    }
}

impl<'a> Values<'a> {
    /// The values of one character, or without one.
    pub fn of(
        state: &'a State,
        system: &'a System,
        actor: impl Into<Option<&'a Character>>,
    ) -> Self {
        Values {
            state,
            system,
            actor: actor.into(),
            undamaged: false,
            now: None,
            depth: 0,
        }
    }

    fn track(&self, name: &str) -> Option<&'a Track> {
        match self.now {
            Some(now) => now.track(name),
            None => {
                let mut tracks = self.state.tracks_of(self.actor?.id);
                tracks.find(|track| same(&track.name, name))
            }
        }
    }

    /// The attribute's modifier, where the actor has a score.
    pub fn modifier_of(&self, name: &str) -> Option<i64> {
        let attribute = self.system.named_attribute(name)?;
        attribute.modifier(self.score(attribute)?.value).ok()
    }

    /// An attribute's score.
    pub fn score(&self, attribute: &Attribute) -> Option<Score> {
        let actor = self.actor?;
        let Some(made) = actor.attributes.get(&attribute.name).copied() else {
            let (value, made) = (0, None);
            return is_omitted_zero(actor, attribute).then_some(Score { value, made });
        };
        let taken = !self.undamaged && self.system.damage_lowers(&attribute.name);
        let left = self.track(&attribute.name).filter(|_| taken);
        Some(Score {
            value: left.map_or(made, |track| track.value),
            made: Some(made),
        })
    }

    /// The value of a name, if it has one.
    pub fn get(&self, name: &str) -> Option<i64> {
        self.look_up((name, &fold(name)), &|value, _| value)
    }

    /// The value of a name and its source, if it has one.
    pub fn found(&self, name: &str) -> Option<SourcedValue> {
        self.look_up((name, &fold(name)), &sourced)
    }

    /// The same of a name that is folded already, with what is wanted of value and source.
    pub(super) fn look_up<T>(&self, (name, folded): (&str, &str), with: With<'_, T>) -> Option<T> {
        let actor = self.actor?;
        let found = |value: i64, from: Arguments<'_>| Some(with(value, from));
        if folded == "level" {
            return found(actor.level, format_args!("{}'s level", actor.name));
        }
        if let Some(attribute) = folded
            .strip_suffix(" score")
            .and_then(|bare| self.system.named_attribute(bare))
        {
            let score = self.score(attribute)?;
            return found(
                score.value,
                format_args!("{}'s score{score}, {}", actor.name, attribute.place),
            );
        }
        if let Some(attribute) = self.system.named_attribute(name) {
            return match self.score(attribute) {
                Some(score) => found(
                    attribute.modifier(score.value).ok()?,
                    format_args!("score {}{score}, {}", score.value, attribute.place),
                ),
                // A foe with only a name and hit points has a modifier of 0.
                None if actor.kind == Kind::Npc => found(
                    0,
                    format_args!("{} has no score for it; taken as +0", actor.name),
                ),
                None => None,
            };
        }
        if let Some(skill) = self.system.named_skill(name) {
            return self.look_up_skill(skill, with).ok();
        }
        if let Some(track) = self.track(name) {
            return found(track.value, format_args!("{}'s {}", actor.name, track.name));
        }
        // Where the rules declare no attributes or skills, sheets may have any.
        let loose = actor
            .attributes
            .iter()
            .chain(&actor.skills)
            .find(|(known, _)| same(known, name));
        if let Some((_, value)) = loose {
            return found(*value, format_args!("{}'s sheet", actor.name));
        }
        if let Some(shared) = clocks::value_of(self.state, self.system, name) {
            return found(shared.value, format_args!("{} of all", shared.name));
        }
        let bare = folded.strip_suffix(" max");
        let track = bare.and_then(|bare| self.track(bare));
        if let Some((track, most)) = track.and_then(|track| Some((track, track.max?))) {
            return found(
                most,
                format_args!("the most of {}'s {}", actor.name, track.name),
            );
        }
        let is_condition = self
            .system
            .condition_names()
            .chain(CONDITIONS)
            .any(|known| same(known, name));
        if !is_condition {
            return None;
        }
        let row = self.condition(name);
        let has = self
            .now
            .map_or(row.is_some(), |now| now.has_condition(name));
        let (value, label) = match row.filter(|_| has) {
            Some(row) => (row.level.unwrap_or(1), row.label()),
            None => (i64::from(has), folded.to_owned()),
        };
        let is = if has { "is" } else { "is not" };
        found(value, format_args!("{} {is} {label}", actor.name))
    }

    pub(crate) fn condition(&self, name: &str) -> Option<&Condition> {
        self.state
            .conditions_of(self.actor?.id)
            .find(|row| same(&row.name, name))
    }

    pub(crate) fn skill(&self, skill: &Skill) -> Result<SourcedValue, Refusal> {
        self.look_up_skill(skill, &sourced)
    }

    fn look_up_skill<T>(&self, skill: &Skill, with: With<'_, T>) -> Result<T, Refusal> {
        if let Some((actor, bonus)) = self
            .actor
            .and_then(|actor| Some((actor, actor.skills.get(&skill.name)?)))
        {
            let from = format_args!("{}'s sheet, {}", actor.name, skill.place);
            return Ok(with(*bonus, from));
        }
        let untrained = |value: i64| Ok(with(value, format_args!("untrained, {}", skill.place)));
        let Some(base) = &skill.base else {
            return untrained(0);
        };
        let rule = || format!("The untrained value of {} ({})", skill.name, skill.place);
        let broken = |why: &str| {
            Refusal::new(Code::RuleBroken, format!("{} {why}.", rule())).at(skill.place.to_string())
        };
        if self.depth >= DEPTH_MAX {
            return Err(broken("leads back to itself"));
        }
        let deeper = Values {
            depth: self.depth + 1,
            ..*self
        };
        let number = deeper
            .try_bind(base.formula())
            .map_err(|error| match error {
                BindError::Missing(names) => deeper.missing_in(&rule(), None, &names, false),
                BindError::Dice(error) => dice_refusal(&error),
            })?;
        let number = number.constant().ok_or_else(|| broken("has dice in it"))?;
        let Base::Table(table) = base else {
            return untrained(number);
        };
        let place = &table.place;
        let missing =
            |summary: String| Refusal::new(Code::MissingValue, summary).at(place.to_string());
        let update = || {
            let who = self.actor.map_or(String::new(), |actor| {
                format!(" character=\"{}\"", quoted(&actor.name))
            });
            format!("Send manage_character action=\"update\"{who}")
        };
        let no_kind = || {
            let (name, update) = (quoted(&skill.name), update());
            let kinds: Vec<String> = table
                .parts
                .iter()
                .filter_map(|part| part.kind.clone())
                .collect();
            let field = self
                .fields_for(kinds.get(..1).unwrap_or_default())
                .join(" ")
                .replace('…', "1");
            let kinds = listed(kinds.iter().map(String::as_str), 200);
            missing(format!(
                "{name} goes by what somebody is ({kinds}), and nothing of it is on the sheet ({place}). {update} {field}, or another of \
                 these, and then this again."
            ))
        };
        let no_row = || {
            let (name, by, update) = (quoted(&skill.name), quoted(&table.by), update());
            missing(format!(
                "{name} goes by {by}, and no row of the table ({place}) is for {number}. {update} skills={{\"{name}\": …}}, and then this \
                 again."
            ))
        };
        let is = |kind: &str| {
            let score = || deeper.get(&format!("{kind} score"));
            deeper
                .get(kind)
                .and_then(|value| score().or(Some(value)))
                .is_some_and(|value| value > 0)
        };
        let part = table.rows_of(is).ok_or_else(no_kind)?;
        let value = value_of(&part.rows, number).ok_or_else(no_row)?;
        let kind = part
            .kind
            .as_deref()
            .map_or(String::new(), |kind| format!("{kind}, "));
        let from = format_args!("{kind}{} {number}, {}", table.by, skill.place);
        Ok(with(value, from))
    }

    /// Binds a formula. Refused: the missing names, in the terms of a check (`values`,
    /// `difficulty`). Other calls use [`Values::try_bind`] and name their own parameters.
    pub fn bind(&self, formula: &Formula) -> Result<Expression, Refusal> {
        self.bind_beside(formula, &BTreeMap::new())
    }

    /// The same, with what `given` has besides, by folded names. Refused: as [`Values::bind`].
    pub fn bind_beside(
        &self,
        formula: &Formula,
        given: &BTreeMap<String, i64>,
    ) -> Result<Expression, Refusal> {
        let bound =
            formula.bind(&mut |name| self.get(name).or_else(|| given.get(&fold(name)).copied()));
        bound.map_err(|error| match error {
            BindError::Missing(names) => self.missing_in("The rule", None, &names, false),
            BindError::Dice(error) => dice_refusal(&error),
        })
    }

    /// Binds a formula. Refused: the names without a value, or what is wrong with the dice.
    pub fn try_bind(&self, formula: &Formula) -> Result<Expression, BindError> {
        formula.bind(&mut |name| self.get(name))
    }

    /// The refusal that lists the missing names, the rule that needs them, and how to send them;
    /// for the opposing side in terms of `opposed_by`.
    pub fn missing_in(
        &self,
        rule: &str,
        check: Option<&Check>,
        names: &[String],
        opposing: bool,
    ) -> Refusal {
        let how: Vec<String> = names
            .iter()
            .map(|name| self.how_to_pass(name, check, opposing))
            .collect();
        let (how, each) = (
            how.join(" and "),
            if names.len() == 1 { "it" } else { "each" },
        );
        let names = names
            .iter()
            .map(|name| format!("{{{name}}}"))
            .collect::<Vec<_>>()
            .join(", ");
        let summary = format!("{rule} needs {names} and nothing says what {each} is. Send {how}.");
        Refusal::new(Code::MissingValue, summary)
    }

    /// The fields of `manage_character` that set these: `attributes={"STR": …}`.
    pub fn fields_for(&self, names: &[String]) -> Vec<String> {
        let mut fields: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for name in names {
            let folded = fold(name);
            let bare = folded
                .strip_suffix(" score")
                .filter(|bare| self.system.named_attribute(bare).is_some());
            let attribute = self.system.attribute(bare.unwrap_or(name)).ok();
            let field = match (attribute, self.system.skill(name), self.system.track(name)) {
                (Some(_), ..) => "attributes",
                (None, Ok(_), _) => "skills",
                (None, Err(_), Ok(_)) => "tracks",
                // An undeclared name goes where sheets may have any name; a track always may.
                (None, Err(_), Err(_)) if self.system.attributes.is_empty() => "attributes",
                (None, Err(_), Err(_)) if self.system.skills.is_empty() => "skills",
                (None, Err(_), Err(_)) => "tracks",
            };
            let name = attribute.map_or(name.as_str(), |attribute| attribute.short());
            fields
                .entry(field)
                .or_default()
                .push(format!("\"{name}\": …"));
        }
        fields
            .into_iter()
            .map(|(field, named)| format!("{field}={{{}}}", named.join(", ")))
            .collect()
    }

    fn how_to_pass(&self, name: &str, check: Option<&Check>, opposing: bool) -> String {
        let of = if opposing { "opposed_by." } else { "" };
        let values = values_example(name, opposing);
        if target_name(name).is_some() {
            let difficulty = difficulty_example(self.system, check);
            return format!("target=\"…\" with whom it is tried against, or {difficulty}");
        }
        match (fold(name).as_str(), self.actor) {
            ("difficulty", _) => difficulty_example(self.system, check),
            ("skill" | "attribute", _) => format!("{of}{}=\"…\"", fold(name)),
            ("attribute score", _) => self.system.attributes.first().map_or(values, |first| {
                format!(
                    "{of}attribute=\"{}\" (or whichever is meant)",
                    first.short()
                )
            }),
            (word, Some(actor))
                if self
                    .system
                    .named_attribute(word.trim_end_matches(" score"))
                    .is_some() =>
            {
                let sets = self.fields_for(&[name.to_owned()]).concat();
                format!(
                    "manage_character action=\"update\" character=\"{}\" {sets}",
                    actor.name
                )
            }
            (word, _) => {
                let asked = check.and_then(|check| check.asked(word));
                asked.map_or(values.clone(), |asked| format!("{values} ({})", asked.from))
            }
        }
    }
}

/// How a variable of a rule is sent, for this side of a check or the opposing one.
pub fn values_example(name: &str, opposing: bool) -> String {
    let values = format!("{{\"{name}\": …}}");
    if opposing {
        format!("opposed_by={{\"character\": …, \"values\": {values}}}")
    } else {
        format!("values={values}")
    }
}

/// How a difficulty is sent, with a number of the rules' ladder, else one that suits the dice.
pub fn difficulty_example(system: &System, check: Option<&Check>) -> String {
    let numbers = system
        .difficulties
        .iter()
        .filter_map(|difficulty| Some((&difficulty.name, difficulty.number()?)));
    let numbers: Vec<(&String, i64)> = numbers.collect();
    if let Some((word, number)) = numbers.get(numbers.len() / 2) {
        return format!(
            "difficulty={number} (\"{}\"; or whatever the GM says)",
            quoted(word)
        );
    }
    let takes_one = |check: &&Check| {
        check
            .variables()
            .iter()
            .any(|name| same(name, "difficulty"))
    };
    let number = check
        .or_else(|| system.checks.iter().find(takes_one))
        .map_or(15, Check::example_difficulty);
    format!("difficulty={number} (or whatever the GM says)")
}

/// Whether a score that is not on the sheet counts as 0: its range starts there, others are on it.
pub fn is_omitted_zero(actor: &Character, attribute: &Attribute) -> bool {
    let starts_at_zero = attribute.range.is_some_and(|(low, _)| low == 0);
    let omitted = !actor.attributes.is_empty() && !actor.attributes.contains_key(&attribute.name);
    actor.kind.is_open() && starts_at_zero && omitted
}

/// A dice error as a refusal.
pub fn dice_refusal(error: &DiceError) -> Refusal {
    let hint = if error.hint.is_empty() {
        String::new()
    } else {
        format!(" {}", sentence(&error.hint))
    };
    let example = if error.example.is_empty() {
        String::new()
    } else {
        format!(" Example: \"{}\".", error.example)
    };
    let summary = format!("{}{hint}{example}", sentence(&error.message));
    let span = [error.span.start, error.span.end];
    let fault = Fault {
        span,
        hint: error.hint.clone(),
        example: error.example.clone(),
        is_meant: error.is_meant,
    };
    Refusal {
        fault: Some(Box::new(fault)),
        ..Refusal::new(error.code.into(), summary)
    }
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}
