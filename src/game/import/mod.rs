//! Characters that come from outside, and leave: a lossless JSON, the Markdown sheet, foes in the JSON of the open 5e data
//! sets, and stat blocks in Markdown. All of it is untrusted: a bound on the size comes first, and nothing is taken over that a
//! sheet could not hold.

mod foe;
mod json;
mod open5e;
pub mod sheet;
mod stat_block;

use crate::game::decide::character::Sheet;
use crate::game::limits::LIMITS;
use crate::game::record::state::{Character, Kind, State};
use crate::game::refusal::{Code, Refusal};
use crate::game::view::sheet::sheet as write_sheet;
use crate::game::view::snapshot::CharacterSnapshot;
use crate::rules::System;

/// How a character is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Everything, to be read back without loss.
    Json,
    /// The sheet, which a person reads, too.
    Markdown,
}

/// What was read, and what kind of text it was.
pub struct Came {
    pub portrait: CharacterSnapshot,
    /// It is a foe's block: its numbers are as its author gives them, whatever range the rules have for players.
    pub is_foe: bool,
    /// What the text says it is.
    pub kind: Option<Kind>,
}

impl Came {
    /// The sheet that makes it: what else the sheet says goes before it. A person's scores are held to the rules' ranges; a
    /// foe's are as its author gives them, and where that leaves a range, the log says why.
    pub fn onto(self, mut sheet: Sheet, system: &System) -> Sheet {
        let Came { mut portrait, is_foe, .. } = self;
        if is_foe {
            let out = |(name, score): (&String, &i64)| system.attribute(name).is_ok_and(|own| !own.allows(*score));
            if portrait.attributes.iter().any(out) {
                sheet.override_reason = sheet.override_reason.or_else(|| Some("as its block has it".to_owned()));
            }
        } else {
            for (own, given) in
                [(&mut portrait.attributes, &mut sheet.attributes), (&mut portrait.skills, &mut sheet.skills)]
            {
                let mut all = std::mem::take(own);
                all.append(given);
                *given = all;
            }
        }
        Sheet { from: Some(Box::new(portrait)), ..sheet }
    }
}

/// A character as a text of its own.
pub fn export(state: &State, system: &System, who: &Character, form: Form) -> String {
    match form {
        Form::Json => json::written(CharacterSnapshot::of(state, who)),
        Form::Markdown => write_sheet(state, system, who, true),
    }
}

/// The character that a text describes, whatever it is written in. `which` names one of several; `origin` says where the text
/// comes from.
///
/// # Errors
/// When it is none of these, too long, or holds several and none is named.
pub fn import(text: &str, system: &System, which: Option<&str>, origin: &str) -> Result<Came, Refusal> {
    if text.len() > LIMITS.document {
        let summary = format!("The text has {} bytes; at most {} are read.", text.len(), LIMITS.document);
        return Err(Refusal::new(Code::LimitExceeded, summary));
    }
    let text = text.trim_start_matches('\u{feff}');
    let came = match text.trim_start().chars().next() {
        Some('{' | '[') => match json::read(text, which)? {
            json::Found::Own(portrait) => Came { portrait: *portrait, is_foe: false, kind: None },
            json::Found::Foe(fields) => {
                Came { portrait: open5e::read(&fields)?.portrait(system), is_foe: true, kind: None }
            }
        },
        Some(_) if sheet::is_sheet(text) => Came { portrait: sheet::read(text, system)?, is_foe: false, kind: None },
        Some(_) => {
            let (foe, kind) = stat_block::read(text, system, which, origin)?;
            person_or_foe(foe.portrait(system), kind)
        }
        None => {
            return Err(Refusal::new(
                Code::InvalidParameters,
                "The text is empty. Send a sheet, a stat block or JSON.",
            ));
        }
    };
    came.portrait.bounds()?;
    Ok(Came { portrait: CharacterSnapshot { origin: origin.to_owned(), ..came.portrait }, ..came })
}

/// The names of the stat blocks in a page, in their order.
pub fn block_names(text: &str, system: &System) -> Vec<String> {
    match text.len() > LIMITS.document || sheet::is_sheet(text) {
        true => Vec::new(),
        false => stat_block::names(text, system),
    }
}

/// A block of somebody on the players' side is held to the rules as any character is, and what the rules have no name for is for
/// everybody to read. The heading's first part is the name: "Sabeth Quoin, locksmith".
fn person_or_foe(portrait: CharacterSnapshot, kind: Option<Kind>) -> Came {
    if !kind.is_some_and(Kind::is_open) {
        return Came { portrait, is_foe: true, kind };
    }
    let name = portrait.name.split([',', '(', '\u{2013}', '\u{2014}']).next().unwrap_or_default().trim().to_owned();
    let name = if name.is_empty() { portrait.name.clone() } else { name };
    let notes = portrait.gm_notes;
    Came { portrait: CharacterSnapshot { name, notes, gm_notes: String::new(), ..portrait }, is_foe: false, kind }
}
