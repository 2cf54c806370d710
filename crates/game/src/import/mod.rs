//! Import and export of characters: lossless JSON, the Markdown sheet, foes in the JSON of the open
//! 5e data sets, and stat blocks in Markdown. All input is untrusted: its size is limited first,
//! and nothing is taken that a sheet could not hold.

mod attack;
mod damage_types;
mod foe;
mod foreign;
mod open5e;
mod question;
pub mod sheet;
mod stat_block;

pub use stat_block::unread_lines;

use self::question::Question;
use crate::record::state::{Character, Kind, State};
use crate::refusal::{Code, Refusal};
use crate::{
    decide::character::SheetCall, limits::LIMITS, mechanics::attacks,
    view::snapshot::CharacterSnapshot,
};
use rollbook_rules::System;
use rollbook_text::names::{listed, quoted, same, shortened, suggest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An imported character, and what its text was.
pub struct Imported {
    pub snapshot: CharacterSnapshot,
    /// What was not read.
    questions: Vec<Question>,
    /// It is a foe's block, whose scores may be outside the rules' ranges.
    pub is_foe: bool,
    /// The kind that the text states.
    pub kind: Option<Kind>,
}

impl Imported {
    /// The call that creates it; the fields of `sheet` override it. Scores of the players' side
    /// must be in the rules' ranges; a foe's may be outside, and the log then says why. Refused:
    /// `invalid_sheet` where a number was not read and the call has none for it.
    pub fn into_sheet(self, mut sheet: SheetCall, system: &System) -> Result<SheetCall, Refusal> {
        let Imported {
            mut snapshot,
            questions,
            is_foe,
            ..
        } = self;
        let kind = sheet.kind.or(self.kind).unwrap_or(snapshot.kind);
        let unread = question::settle(questions, &sheet, (system, kind), &snapshot.origin)?;
        if is_foe {
            let out = |(name, score): (&String, &i64)| {
                system
                    .named_attribute(name)
                    .is_some_and(|attribute| !attribute.allows(*score))
            };
            if snapshot.attributes.iter().any(out) {
                sheet.override_reason = sheet
                    .override_reason
                    .or_else(|| Some("as its block has it".to_owned()));
            }
        } else {
            snapshot.attributes.append(&mut sheet.attributes);
            snapshot.skills.append(&mut sheet.skills);
            sheet.attributes = std::mem::take(&mut snapshot.attributes);
            sheet.skills = std::mem::take(&mut snapshot.skills);
        }
        Ok(SheetCall {
            unread,
            from: Some(Box::new(snapshot)),
            ..sheet
        })
    }
}

/// A character as JSON, with everything that it has.
pub fn export(state: &State, who: &Character) -> String {
    let document = Document {
        rollbook_character: VERSION,
        character: CharacterSnapshot::of(state, who),
    };
    // Serialising cannot fail: all keys are strings.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// The character that a text of any format describes. `which` names one of several; `origin` is the
/// source of the text. Refused: another format, too long a text, several characters and none named.
pub fn import(
    text: &str,
    system: &System,
    which: Option<&str>,
    origin: &str,
) -> Result<Imported, Refusal> {
    if text.len() > LIMITS.document {
        let summary = format!(
            "The text has {} bytes; at most {} are read.",
            text.len(),
            LIMITS.document
        );
        return Err(Refusal::new(Code::LimitExceeded, summary));
    }
    let text = text.trim_start_matches('\u{feff}');
    let mut imported = if text.trim().is_empty() {
        let summary = "The text is empty. Send a sheet, a stat block or JSON.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    } else if text.trim_start().starts_with(['{', '[']) {
        read_json(text, system, which)?
    } else if sheet::is_sheet(text) {
        Imported {
            snapshot: sheet::read(text, system)?,
            questions: Vec::new(),
            is_foe: false,
            kind: None,
        }
    } else {
        let (mut foe, kind) = stat_block::read(text, system, which, origin)?;
        // Values without a name are those of the character that the call names.
        if foe.name.is_empty() {
            let summary = "The text has no name. Send name=\"Aria\" beside it.";
            let name = which.ok_or_else(|| Refusal::new(Code::InvalidParameters, summary))?;
            name.clone_into(&mut foe.name);
        }
        person_or_foe(foe.into_snapshot(system), kind)
    };
    imported.snapshot.check_limits()?;
    imported
        .snapshot
        .attacks
        .iter_mut()
        .flat_map(|attack| &mut attack.damage)
        .for_each(attacks::normalise);
    imported.snapshot.origin = origin.to_owned();
    Ok(imported)
}

/// The names of the stat blocks in a page, in their order.
pub fn block_names(text: &str, system: &System) -> Vec<String> {
    if text.len() > LIMITS.document || sheet::is_sheet(text) {
        Vec::new()
    } else {
        stat_block::names(text, system)
    }
}

/// A block of the players' side is held to the rules like any character, and its notes are public.
/// The first part of the heading is the name: "Sabeth Quoin, locksmith".
fn person_or_foe(
    (snapshot, questions): (CharacterSnapshot, Vec<Question>),
    kind: Option<Kind>,
) -> Imported {
    if !kind.is_some_and(Kind::is_open) {
        return Imported {
            snapshot,
            questions,
            is_foe: true,
            kind,
        };
    }
    let name = snapshot
        .name
        .split([',', '(', '\u{2013}', '\u{2014}'])
        .next()
        .unwrap_or_default()
        .trim()
        .to_owned();
    let name = if name.is_empty() {
        snapshot.name.clone()
    } else {
        name
    };
    // Of a character of the players' side it is what they have.
    let (notes, xp) = (snapshot.gm_notes, snapshot.worth.unwrap_or(snapshot.xp));
    Imported {
        snapshot: CharacterSnapshot {
            name,
            notes,
            xp,
            worth: None,
            gm_notes: String::new(),
            ..snapshot
        },
        questions,
        is_foe: false,
        kind,
    }
}

/// The version of the format, and the field that marks it.
const VERSION: u32 = 1;
const MARK: &str = "rollbook_character";

#[derive(Serialize, Deserialize)]
struct Document {
    rollbook_character: u32,
    character: CharacterSnapshot,
}

/// Reads a document, or a foe of a data set; of a list, the entry named `which`.
fn read_json(text: &str, system: &System, which: Option<&str>) -> Result<Imported, Refusal> {
    let fields = match serde_json::from_str(text).map_err(|error| unreadable(&error))? {
        // A page of a data set's server, or a file of them.
        Value::Object(mut fields) if !fields.contains_key("name") => {
            let is_list = |value: &Value| {
                let all = value.as_array().filter(|all| !all.is_empty());
                all.is_some_and(|all| all.iter().all(|one| name_of(one).is_some()))
            };
            let list = fields.values_mut().find(|value| is_list(value));
            match list.map(Value::take) {
                Some(Value::Array(all)) => one_of(all, which)?,
                _ => fields,
            }
        }
        Value::Object(fields) => fields,
        Value::Array(all) => one_of(all, which)?,
        _ => return Err(unreadable(&"it is neither an object nor a list")),
    };
    if !fields.contains_key(MARK) && !open5e::is_foe(&fields) {
        return Err(foreign::refusal(&Value::Object(fields), system));
    }
    if !fields.contains_key(MARK) {
        let foe = open5e::read(&fields, system);
        return Ok(person_or_foe(foe.into_snapshot(system), None));
    }
    let document: Document =
        serde_json::from_value(Value::Object(fields)).map_err(|error| unreadable(&error))?;
    if document.rollbook_character != VERSION {
        let version = document.rollbook_character;
        let summary = format!(
            "{MARK} is {version}, and this program reads {VERSION}. Export it again, or update Rollbook."
        );
        return Err(Refusal::new(Code::InvalidDocument, summary));
    }
    Ok(Imported {
        snapshot: document.character,
        questions: Vec::new(),
        is_foe: false,
        kind: None,
    })
}

fn name_of(value: &Value) -> Option<String> {
    let name = value.get("name").or_else(|| value.get("Name"));
    name?.as_str().map(str::to_owned)
}

fn one_of(mut all: Vec<Value>, which: Option<&str>) -> Result<Map<String, Value>, Refusal> {
    let names: Vec<String> = all
        .iter()
        .map(|value| name_of(value).unwrap_or_default())
        .collect();
    let is_meant = |value: &Value| match which {
        Some(which) => value.is_object() && name_of(value).is_some_and(|name| same(&name, which)),
        None => value.is_object() && names.len() == 1,
    };
    if let Some(Value::Object(fields)) = all.iter().position(is_meant).map(|at| all.swap_remove(at))
    {
        return Ok(fields);
    }
    let listed = listed(names.iter().map(String::as_str), 200);
    let suggestions = which.map_or_else(Vec::new, |which| {
        suggest(which, names.iter().map(String::as_str))
    });
    let summary = match which {
        _ if names.is_empty() => "The list is empty: nobody is in it.".to_owned(),
        Some(which) => format!(
            "Nobody in the list is called \"{}\". There is {listed}.",
            quoted(which)
        ),
        None => format!(
            "The list holds {} entries. Send name as one of: {listed}.",
            names.len()
        ),
    };
    Err(Refusal::new(Code::WhichEntry, summary).did_you_mean(suggestions))
}

fn unreadable(what: &dyn std::fmt::Display) -> Refusal {
    let what = shortened(&what.to_string(), 200);
    Refusal::new(
        Code::InvalidDocument,
        format!("The JSON cannot be read: {what}. export shows what one looks like."),
    )
}
