//! Reading a sheet back. It may come from anywhere, and people write in sheets by hand: what is not understood is refused with
//! its line, never dropped.

mod value;

use crate::game::limits::{self, LIMITS};
use crate::game::record::state::{Item, Kind};
use crate::game::refusal::{Code, Refusal};
use crate::game::view::sheet::escape::{fields, pieces};
use crate::game::view::snapshot::CharacterSnapshot;
use crate::names::{printable, shortened};
use crate::rules::System;
use value::{condition, flag, head, track};

/// Whether a text begins as a sheet does: a name, and what and how far somebody is.
pub fn is_sheet(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.next().is_some_and(|line| line.starts_with("# ")) && lines.next().is_some_and(|line| head(line).is_some())
}

/// The character that a sheet describes. The rules say which conditions have levels.
///
/// # Errors
/// When a line is none that a sheet has, or a bound does not hold.
pub fn read(text: &str, system: &System) -> Result<CharacterSnapshot, Refusal> {
    if text.len() > LIMITS.document {
        return Err(Refusal::new(Code::LimitExceeded, format!("A sheet has at most {} bytes.", LIMITS.document)));
    }
    let mut reader = Reader { portrait: CharacterSnapshot::blank("", Kind::Player), part: Part::Head, system };
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        reader.line(line).ok_or_else(|| not_a_line(number, line))?;
    }
    let CharacterSnapshot { notes, gm_notes, .. } = &mut reader.portrait;
    // Each line of notes brought its line end.
    for text in [notes, gm_notes] {
        text.pop();
    }
    limits::name("name", &reader.portrait.name)?;
    reader.portrait.bounds()?;
    Ok(reader.portrait)
}

fn not_a_line(number: usize, line: &str) -> Refusal {
    let summary = format!(
        "Line {number} is none of a sheet: \"{}\". get_character view=\"sheet\" shows what one looks like.",
        printable(&shortened(line, 60))
    );
    Refusal::new(Code::InvalidSheet, summary)
}

/// Where in the sheet a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Head,
    Tracks,
    Attributes,
    Skills,
    Items,
    Notes,
    GmNotes,
}

struct Reader<'s> {
    portrait: CharacterSnapshot,
    part: Part,
    system: &'s System,
}

impl Reader<'_> {
    /// Takes one line; `None` when a sheet has no such line there.
    fn line(&mut self, line: &str) -> Option<()> {
        if line.trim().is_empty() {
            return Some(());
        }
        let to_notes = match self.part {
            Part::Notes => Some(&mut self.portrait.notes),
            Part::GmNotes => Some(&mut self.portrait.gm_notes),
            _ => None,
        };
        if let (Some(notes), Some(text)) = (to_notes, line.strip_prefix('>')) {
            notes.push_str(text.strip_prefix(' ').unwrap_or(text));
            notes.push('\n');
            return Some(());
        }
        if let Some(heading) = line.strip_prefix("## ") {
            self.part = match heading.trim() {
                "Notes" => Part::Notes,
                "For the GM" => Part::GmNotes,
                _ => return None,
            };
            return Some(());
        }
        match line.strip_prefix("# ") {
            Some(name) if self.portrait.name.is_empty() => {
                self.portrait.name = name.trim().to_owned();
                Some(())
            }
            Some(_) => None,
            None if line.starts_with('|') => self.row(line),
            None if line.starts_with("- ") => self.bullet(line),
            None if self.part == Part::Head => {
                let (kind, level, xp, retired) = head(line.trim_end())?;
                self.part = Part::Tracks;
                CharacterSnapshot { kind, level, xp, retired, ..self.portrait.clone() }.clone_into(&mut self.portrait);
                Some(())
            }
            None => None,
        }
    }

    fn bullet(&mut self, line: &str) -> Option<()> {
        if let Some((label, value)) =
            line.strip_prefix("- *").filter(|rest| !rest.starts_with('*')).and_then(|rest| rest.split_once("*: "))
        {
            let names =
                pieces(value, ',').into_iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
            match label {
                "Conditions" => {
                    let all = fields(value, ',', Some('|'));
                    for own in all.into_iter().filter(|own| !own.concat().trim().is_empty()) {
                        self.portrait.conditions.push(condition(self.system, &own)?);
                    }
                }
                "Ticks" => self.portrait.ticks.extend(names),
                "Milestones" => {
                    for name in names {
                        let (kind, count) = name.rsplit_once(' ')?;
                        self.portrait.milestones.insert(kind.to_owned(), count.parse().ok()?);
                    }
                }
                _ => return None,
            }
            return Some(());
        }
        let (label, value) = line.strip_prefix("- **")?.rsplit_once("**: ")?;
        let name = pieces(label, '\0').concat();
        self.portrait.tracks.push(track(name, value)?);
        Some(())
    }

    fn row(&mut self, line: &str) -> Option<()> {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        let cells: Vec<String> = pieces(inner, '|').into_iter().map(|cell| cell.trim_matches(' ').to_owned()).collect();
        if cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':'))) {
            return Some(());
        }
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        match (cells.as_slice(), self.part) {
            (["Attribute", "Score", ..], _) => self.part = Part::Attributes,
            (["Skill", "Bonus"], _) => self.part = Part::Skills,
            (["Item", "Quantity", ..], _) => self.part = Part::Items,
            ([name, score, ..], Part::Attributes) => {
                self.portrait.attributes.insert((*name).to_owned(), score.parse().ok()?);
            }
            ([name, bonus], Part::Skills) => {
                self.portrait.skills.insert((*name).to_owned(), bonus.parse().ok()?);
            }
            ([name, quantity, equipped, uses, hidden, notes], Part::Items) => self.portrait.items.push(Item {
                character: 0,
                name: (*name).to_owned(),
                quantity: quantity.parse().ok()?,
                equipped: flag(equipped)?,
                uses: if uses.is_empty() { None } else { Some(uses.parse().ok()?) },
                notes: (*notes).to_owned(),
                hidden: flag(hidden)?,
            }),
            _ => return None,
        }
        Some(())
    }
}
