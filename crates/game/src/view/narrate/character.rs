//! Sentences about characters: creation, changes, awards, rests.

use super::{arithmetic, in_brackets};
use crate::record::entry::{Entry, RollRecord};
use crate::record::event::{Event, Field, Subject};
use crate::record::state::Kind;
use crate::view::Audience;
use crate::view::OF_GM;

/// How a sentence says that the GM went beyond the rules.
pub const RULING: &str = " (the GM's ruling";

/// The sentence. `whole`: nothing of the entry is secret.
pub(super) fn render(entry: &Entry, audience: Audience, whole: bool) -> String {
    match &entry.event {
        Event::CharacterCreated { subject, from, override_reason } => {
            let from = from.as_ref().map_or(String::new(), |from| format!(" after {from}"));
            let dice = render_dice(entry);
            let ruling = ruling(override_reason.as_ref(), audience);
            match subject.kind {
                Kind::Player | Kind::Companion => format!("{} joins the story{from}{dice}{ruling}.", subject.name),
                Kind::Npc => format!("{} is made{from} (a non-player character){dice}{ruling}.", subject.name),
                Kind::Template => format!("{} is made{from} (a template){dice}{ruling}.", subject.name),
            }
        }
        Event::CharacterUpdated { subject, fields, override_reason, .. } => {
            let fields = fields.iter().filter(|field| is_told(field, audience));
            format!("{}: {}{}.", subject.name, render_fields(fields), ruling(override_reason.as_ref(), audience))
        }
        Event::Items { subject, to, fields, seen, reason, .. } => {
            let fields = seen.as_ref().filter(|_| audience == Audience::Player).unwrap_or(fields);
            match to {
                Some(to) => render_gift(subject, to, fields),
                None => format!("{}: {}{}.", subject.name, render_items(fields), in_brackets(reason.as_deref())),
            }
        }
        Event::Awarded { subject, fields, reason } => {
            format!("{}: {}{}.", subject.name, render_fields(fields.iter()), in_brackets(reason.as_deref()))
        }
        Event::LevelUp { subject, level, fields, override_reason, .. } => {
            let fields: Vec<&Field> = fields.iter().filter(|field| is_told(field, audience)).collect();
            let up = fields.iter().any(|field| field.field == "level");
            let what = if up { format!("reaches level {level}") } else { "gets better".to_owned() };
            let with = render_fields(fields.into_iter().filter(|field| field.field != "level"));
            let with = if with.is_empty() { with } else { format!(": {with}") };
            format!("{} {what}{with}{}.", subject.name, ruling(override_reason.as_ref(), audience))
        }
        Event::Improved { subject, fields } => {
            format!(
                "{} looks back on what was learned{}: {}.",
                subject.name,
                render_dice(entry),
                render_fields(fields.iter())
            )
        }
        Event::Retired { subject, back: false } => format!("{} leaves the story.", subject.name),
        Event::Retired { subject, back: true } => format!("{} comes back into the story.", subject.name),
        Event::Rested { subject, rest, open: false, .. } if !whole => {
            format!("{}: {}.", subject.name, rest.to_lowercase())
        }
        Event::Rested { subject, rest, fields, .. } => {
            let changes = render_fields(fields.iter());
            let changes = if changes.is_empty() { "nothing to mend".to_owned() } else { changes };
            format!("{}, {}{}: {changes}.", subject.name, rest.to_lowercase(), render_dice(entry))
        }
        _ => String::new(),
    }
}

/// Players hear nothing of what only the GM knows.
fn is_told(field: &Field, audience: Audience) -> bool {
    audience == Audience::Gm || !OF_GM.contains(&field.field.as_str())
}

/// That it is beyond what the rules allow; why is the GM's to know.
pub(super) fn ruling(reason: Option<&String>, audience: Audience) -> String {
    match (reason, audience) {
        (Some(reason), Audience::Gm) => format!("{RULING}: {reason})"),
        (Some(_), Audience::Player) => format!("{RULING})"),
        (None, _) => String::new(),
    }
}

fn render_dice(entry: &Entry) -> String {
    let render =
        |record: &RollRecord| record.attribute().map_or(String::new(), |name| format!("{name} ")) + &arithmetic(record);
    let dice: Vec<String> = entry.rolls.iter().map(render).collect();
    if dice.is_empty() { String::new() } else { format!(" ({})", dice.join("; ")) }
}

fn render_gift(from: &Subject, to: &Subject, fields: &[Field]) -> String {
    let count = |text: &Option<String>| {
        let text = text.as_deref().unwrap_or("0");
        text.split([',', ' ']).next().and_then(|count| count.parse::<i64>().ok()).unwrap_or(0)
    };
    let given = |field: &Field| match count(&field.before) - count(&field.after) {
        1 => field.field.clone(),
        many => format!("{many} {}", field.field),
    };
    let given: Vec<String> = fields.iter().map(given).collect();
    format!("{} gives {} {}.", from.name, to.name, given.join(", "))
}

fn render_items(fields: &[Field]) -> String {
    let render = |field: &Field| match (&field.before, &field.after) {
        (Some(before), Some(after)) => format!("{} {before} to {after}", field.field),
        (None, Some(after)) => format!("{} {after}", field.field),
        _ => format!("no {} any more", field.field),
    };
    fields.iter().map(render).collect::<Vec<_>>().join("; ")
}

fn render_fields<'f>(fields: impl Iterator<Item = &'f Field>) -> String {
    let render = |field: &Field| match (&field.before, &field.after) {
        (Some(before), Some(after)) => format!("{} {before} to {after}", field.field),
        (None, Some(after)) => format!("{} {after}", field.field),
        (Some(before), None) => format!("{} {before} to none", field.field),
        (None, None) => field.field.clone(),
    };
    fields.map(render).collect::<Vec<_>>().join("; ")
}
