//! Characters: creation, changes of the sheet, awards, rests.

use super::{Describe, Description, Field, Subject, Weight, arithmetic, in_brackets, optional};
use crate::record::entry::{Audience, Entry, RollRecord};
use crate::record::state::Kind;
use serde::{Deserialize, Serialize};

/// The field of an entry that has the ticks of hidden checks.
pub const HIDDEN_TICKS: &str = "hidden ticks";

/// Fields of a sheet that players do not see.
pub const GM_FIELDS: [&str; 2] = ["gm_notes", HIDDEN_TICKS];

/// How a sentence says that the GM went beyond the rules.
pub const RULING: &str = " (the GM's ruling";

/// A new character.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CharacterCreated {
    pub subject: Subject,
    /// The character or text it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Why a score lies outside its range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub override_reason: Option<String>,
}

impl Describe for CharacterCreated {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        Description {
            is_open: base.is_open && self.override_reason.is_none(),
            ..base
        }
    }

    fn sentence(&self, entry: &Entry, audience: Audience, _: bool) -> Option<String> {
        let name = &self.subject.name;
        let from = self
            .from
            .as_ref()
            .map_or(String::new(), |from| format!(" after {from}"));
        let more = dice(entry) + &ruling(self.override_reason.as_ref(), audience);
        Some(match self.subject.kind {
            Kind::Player | Kind::Companion => format!("{name} joins the story{from}{more}."),
            Kind::Npc => format!("{name} is made{from} (a non-player character){more}."),
            Kind::Template => format!("{name} is made{from} (a template){more}."),
        })
    }
}

/// A sheet that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CharacterUpdated {
    pub subject: Subject,
    pub fields: Vec<Field>,
    pub override_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<String>,
}

impl CharacterUpdated {
    /// The name that the character had, and the new one, where it is renamed.
    pub fn renamed(&self) -> Option<(&str, &str)> {
        let field = self.fields.iter().find(|field| field.field == "name")?;
        Some((field.before.as_deref()?, field.after.as_deref()?))
    }
}

impl Describe for CharacterUpdated {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        let names = self
            .fields
            .iter()
            .map(|field| ("notes", field.field.as_str()));
        Description {
            is_open: base.is_open && self.override_reason.is_none(),
            texts: new_values("notes", &self.fields).chain(names).collect(),
            ..base
        }
    }

    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let fields = changes(self.fields.iter().filter(|field| is_seen(field, audience)));
        Some(format!(
            "{}: {fields}{}.",
            self.subject.name,
            ruling(self.override_reason.as_ref(), audience)
        ))
    }
}

/// Things that a character got, lost or gave away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Items {
    pub subject: Subject,
    pub to: Option<Subject>,
    /// Each item before and after.
    pub fields: Vec<Field>,
    /// The same as players see it, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Vec<Field>>,
    /// The character got something.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub awarded: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Describe for Items {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        let is_open = self.to.as_ref().is_none_or(|to| to.kind.is_open()) && self.seen.is_none();
        Description {
            is_open: base.is_open && is_open,
            who: std::iter::once(&self.subject).chain(&self.to).collect(),
            texts: award_texts(&self.reason, &self.fields),
            weight: self.awarded.then_some(Weight::Award),
            ..base
        }
    }

    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let fields = self
            .seen
            .as_ref()
            .filter(|_| audience == Audience::Player)
            .unwrap_or(&self.fields);
        let name = &self.subject.name;
        let Some(to) = &self.to else {
            let gone = |field: &Field| format!("no {} any more", field.field);
            let render = |field: &Field| {
                if field.after.is_some() {
                    change(field)
                } else {
                    gone(field)
                }
            };
            let items = fields.iter().map(render).collect::<Vec<_>>().join("; ");
            return Some(format!(
                "{name}: {items}{}.",
                in_brackets(self.reason.as_deref())
            ));
        };
        let count = |text: &Option<String>| -> i64 {
            text.as_ref()
                .and_then(|text| text.split([',', ' ']).next()?.parse().ok())
                .unwrap_or(0)
        };
        let given = |field: &Field| match count(&field.before) - count(&field.after) {
            1 => field.field.clone(),
            many => format!("{many} {}", field.field),
        };
        let given: Vec<String> = fields.iter().map(given).collect();
        Some(format!("{name} gives {} {}.", to.name, given.join(", ")))
    }

    fn open(&mut self) {
        self.seen = None;
    }
}

/// Experience or ticks that a character got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awarded {
    pub subject: Subject,
    pub fields: Vec<Field>,
    pub reason: Option<String>,
}

impl Describe for Awarded {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        Description {
            texts: award_texts(&self.reason, &self.fields),
            ..base
        }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let reason = in_brackets(self.reason.as_deref());
        Some(format!(
            "{}: {}{reason}.",
            self.subject.name,
            changes(self.fields.iter())
        ))
    }
}

/// A character who reached the next level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelUp {
    pub subject: Subject,
    pub level: i64,
    pub fields: Vec<Field>,
    /// Why the GM gave it early.
    pub override_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<String>,
}

impl Describe for LevelUp {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        Description {
            is_open: base.is_open && self.override_reason.is_none(),
            ..base
        }
    }

    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let fields = self.fields.iter().filter(|field| is_seen(field, audience));
        let (level, others): (Vec<&Field>, Vec<&Field>) =
            fields.partition(|field| field.field == "level");
        let what = if level.is_empty() {
            "gets better".to_owned()
        } else {
            format!("reaches level {}", self.level)
        };
        let with = changes(others.into_iter());
        let with = if with.is_empty() {
            with
        } else {
            format!(": {with}")
        };
        Some(format!(
            "{} {what}{with}{}.",
            self.subject.name,
            ruling(self.override_reason.as_ref(), audience)
        ))
    }
}

/// The rolls are in the entry's `rolls`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Improved {
    pub subject: Subject,
    pub fields: Vec<Field>,
}

impl Describe for Improved {
    fn sentence(&self, entry: &Entry, _: Audience, _: bool) -> Option<String> {
        let (name, changes) = (&self.subject.name, changes(self.fields.iter()));
        Some(format!(
            "{name} looks back on what was learned{}: {changes}.",
            dice(entry)
        ))
    }
}

/// A character who retired, or came back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retired {
    pub subject: Subject,
    /// The character comes back instead.
    pub back: bool,
}

impl Describe for Retired {
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let what = if self.back {
            "comes back into"
        } else {
            "leaves"
        };
        Some(format!("{} {what} the story.", self.subject.name))
    }
}

/// The rolls are in the entry's `rolls`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rested {
    pub subject: Subject,
    /// The rest's name.
    pub rest: String,
    pub fields: Vec<Field>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<String>,
    /// Players see the fields, though a changed row holds a secret cause of a condition.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

impl Describe for Rested {
    fn sentence(&self, entry: &Entry, _: Audience, whole: bool) -> Option<String> {
        let (name, rest) = (&self.subject.name, self.rest.to_lowercase());
        if !self.open && !whole {
            return Some(format!("{name}: {rest}."));
        }
        let changes = changes(self.fields.iter());
        let changes = if changes.is_empty() {
            "nothing to mend"
        } else {
            &changes
        };
        Some(format!("{name}, {rest}{}: {changes}.", dice(entry)))
    }
}

fn award_texts<'a>(
    reason: &'a Option<String>,
    fields: &'a [Field],
) -> Vec<(&'static str, &'a str)> {
    optional("override_reason", reason)
        .into_iter()
        .chain(new_values("inventory", fields))
        .collect()
}

fn new_values<'a>(
    parameter: &'static str,
    fields: &'a [Field],
) -> impl Iterator<Item = (&'static str, &'a str)> {
    fields
        .iter()
        .filter_map(move |field| Some((parameter, field.after.as_deref()?)))
}

fn is_seen(field: &Field, audience: Audience) -> bool {
    audience == Audience::Gm || !GM_FIELDS.contains(&field.field.as_str())
}

/// That it is beyond what the rules allow; why is the GM's to know.
pub(super) fn ruling(reason: Option<&String>, audience: Audience) -> String {
    match (reason, audience) {
        (Some(reason), Audience::Gm) => format!("{RULING}: {reason})"),
        (Some(_), Audience::Player) => format!("{RULING})"),
        (None, _) => String::new(),
    }
}

fn dice(entry: &Entry) -> String {
    let name = |record: &RollRecord| {
        record
            .attribute()
            .map_or(String::new(), |name| format!("{name} "))
    };
    let dice: Vec<String> = entry
        .rolls
        .iter()
        .map(|record| name(record) + &arithmetic(record))
        .collect();
    if dice.is_empty() {
        String::new()
    } else {
        format!(" ({})", dice.join("; "))
    }
}

fn changes<'f>(fields: impl Iterator<Item = &'f Field>) -> String {
    fields.map(change).collect::<Vec<_>>().join("; ")
}

fn change(field: &Field) -> String {
    match (&field.before, &field.after) {
        (Some(before), Some(after)) => format!("{} {before} to {after}", field.field),
        (None, Some(after)) => format!("{} {after}", field.field),
        (Some(before), None) => format!("{} {before} to none", field.field),
        (None, None) => field.field.clone(),
    }
}
