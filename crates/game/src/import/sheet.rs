//! Reads a sheet. People edit sheets by hand, so a line that is not understood is refused with its number, never dropped.

use std::collections::BTreeMap;

use crate::limits;
use crate::limits::LIMITS;
use crate::mechanics::attacks::read_damage;
use crate::mechanics::duration::ConditionDuration;
use crate::moment::next_moment;
use crate::record::state::{Attack, Item, Kind, Track, Until};
use crate::refusal::{Code, Refusal};
use crate::view::sheet::{FIXED, HIDDEN, HIDDEN_TICKS, RETIRED, WORTH, kind_label, split, split_nested};
use crate::view::snapshot::{CharacterSnapshot, SnapshotCondition};
use rollbook_rules::{System, call};
use rollbook_text::names::{numbered, printable, same, shortened};

/// Whether a text begins as a sheet does: a name, then kind, level and experience.
pub fn is_sheet(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.next().is_some_and(|line| line.starts_with("# ")) && lines.next().is_some_and(|line| head(line).is_some())
}

/// The character that a sheet describes. The rules say which conditions have levels. Refused: when a line is not of a sheet, or a limit is exceeded.
pub fn read(text: &str, system: &System) -> Result<CharacterSnapshot, Refusal> {
    if text.len() > LIMITS.document {
        return Err(Refusal::new(Code::LimitExceeded, format!("A sheet has at most {} bytes.", LIMITS.document)));
    }
    let mut reader = Reader { snapshot: CharacterSnapshot::empty("", Kind::Player), part: Part::Head, system };
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        reader.line(line).ok_or_else(|| unknown_line(number, line))?;
    }
    let CharacterSnapshot { notes, gm_notes, .. } = &mut reader.snapshot;
    // Each line of notes ended with a line break.
    for text in [notes, gm_notes] {
        text.pop();
    }
    limits::name("name", &reader.snapshot.name)?;
    reader.snapshot.check_limits()?;
    Ok(reader.snapshot)
}

fn unknown_line(number: usize, line: &str) -> Refusal {
    let summary = format!(
        "Line {number} is none of a sheet: \"{}\". get_character view=\"sheet\" shows what one looks like.",
        printable(&shortened(line, 60))
    );
    Refusal::new(Code::InvalidSheet, summary)
}

/// The part of the sheet that a line is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Head,
    Tracks,
    Attributes,
    Skills,
    Attacks,
    Items,
    Notes,
    GmNotes,
}

struct Reader<'s> {
    snapshot: CharacterSnapshot,
    part: Part,
    system: &'s System,
}

impl Reader<'_> {
    /// Reads one line; `None` when a sheet has no such line there.
    fn line(&mut self, line: &str) -> Option<()> {
        if line.trim().is_empty() {
            return Some(());
        }
        let to_notes = match self.part {
            Part::Notes => Some(&mut self.snapshot.notes),
            Part::GmNotes => Some(&mut self.snapshot.gm_notes),
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
            Some(name) if self.snapshot.name.is_empty() => {
                self.snapshot.name = name.trim().to_owned();
                Some(())
            }
            Some(_) => None,
            None if line.starts_with('|') => self.row(line),
            None if line.starts_with("- ") => self.bullet(line),
            None if self.part == Part::Head => {
                let (kind, level, xp, retired) = head(line.trim_end())?;
                self.part = Part::Tracks;
                CharacterSnapshot { kind, level, xp, retired, ..self.snapshot.clone() }.clone_into(&mut self.snapshot);
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
                split(value, ',').into_iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
            match label {
                "Conditions" => {
                    let all = split_nested(value, ',', Some('|'));
                    for fields in all.into_iter().filter(|fields| !fields.concat().trim().is_empty()) {
                        self.snapshot.conditions.push(condition(self.system, &fields)?);
                    }
                }
                "Ticks" => names.for_each(|name| self.snapshot.ticks.add(name, false)),
                HIDDEN_TICKS => names.for_each(|name| self.snapshot.ticks.add(name, true)),
                WORTH => self.snapshot.worth = Some(value.trim().parse().ok()?),
                _ => return None,
            }
            return Some(());
        }
        let (label, value) = line.strip_prefix("- **")?.rsplit_once("**: ")?;
        let name = split(label, '\0').concat();
        self.snapshot.tracks.push(track(name, value)?);
        Some(())
    }

    fn row(&mut self, line: &str) -> Option<()> {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        let cells: Vec<String> = split(inner, '|').into_iter().map(|cell| cell.trim_matches(' ').to_owned()).collect();
        if cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':'))) {
            return Some(());
        }
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        match (cells.as_slice(), self.part) {
            (["Attribute", "Score", ..], _) => self.part = Part::Attributes,
            (["Skill", "Bonus"], _) => self.part = Part::Skills,
            (["Attack", "Skill", ..], _) => self.part = Part::Attacks,
            (["Item", "Quantity", ..], _) => self.part = Part::Items,
            ([name, score, ..], Part::Attributes) => {
                self.snapshot.attributes.insert((*name).to_owned(), score.parse().ok()?);
            }
            ([name, bonus], Part::Skills) => {
                self.snapshot.skills.insert((*name).to_owned(), bonus.parse().ok()?);
            }
            ([name, skill, bonus, damage, range, conditions, effect], Part::Attacks) => {
                let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
                self.snapshot.attacks.push(Attack {
                    name: (*name).to_owned(),
                    skill: text(skill),
                    bonus: if bonus.is_empty() { None } else { Some(bonus.parse().ok()?) },
                    damage: if damage.is_empty() { Vec::new() } else { read_damage(damage)? },
                    range: text(range),
                    conditions: conditions.split(';').filter_map(|own| text(own.trim())).collect(),
                    effect: text(effect),
                });
            }
            ([name, quantity, equipped, uses, hidden, notes, properties @ ..], Part::Items) => {
                self.snapshot.items.push(Item {
                    character: 0,
                    name: (*name).to_owned(),
                    quantity: quantity.parse().ok()?,
                    equipped: flag(equipped)?,
                    uses: if uses.is_empty() { None } else { Some(uses.parse().ok()?) },
                    notes: (*notes).to_owned(),
                    hidden: flag(hidden)?,
                    properties: match properties {
                        [] | [""] => BTreeMap::new(),
                        [own] => serde_json::from_str(own.trim_matches('`')).ok()?,
                        _ => return None,
                    },
                })
            }
            _ => return None,
        }
        Some(())
    }
}

/// "Player character, level 2, 300 xp, retired".
pub fn head(line: &str) -> Option<(Kind, i64, i64, bool)> {
    let mut parts = line.split(", ");
    let named = parts.next()?;
    let kind = Kind::ALL.into_iter().find(|own| same(kind_label(*own), named))?;
    let level = parts.next()?.strip_prefix("level ")?.parse().ok()?;
    let xp = parts.next()?.strip_suffix(" xp")?.parse().ok()?;
    let retired = match parts.next() {
        None => false,
        Some(RETIRED) => true,
        Some(_) => return None,
    };
    parts.next().is_none().then_some((kind, level, xp, retired))
}

/// "2/10, from -6, set by the GM".
pub fn track(name: String, value: &str) -> Option<Track> {
    let mut parts = value.split(", ");
    let numbers = parts.next()?;
    let (value, max) = match numbers.split_once('/') {
        Some((value, max)) => (value.parse().ok()?, Some(max.parse().ok()?)),
        None => (numbers.parse().ok()?, None),
    };
    let mut track = Track { character: 0, name, value, min: 0, max, fixed: false };
    for part in parts {
        match part.strip_prefix("from ") {
            Some(from) => track.min = from.parse().ok()?,
            None if part == FIXED => track.fixed = true,
            None => return None,
        }
    }
    Some(track)
}

/// "frightened 2" where the rules declare levels, and what ends it.
pub fn condition(system: &System, fields: &[String]) -> Option<SnapshotCondition> {
    let (fields, hidden) = match fields.split_last() {
        Some((last, rest)) if last.trim() == HIDDEN && !rest.is_empty() => (rest, true),
        _ => (fields, false),
    };
    let (label, until) = match fields {
        [label] => (label.trim(), None),
        [label, until] => (label.trim(), Some(ending(system, until.trim())?)),
        _ => return None,
    };
    let (name, level) = numbered(label);
    let counted = level.is_some() && system.condition(name).is_some_and(|rule| rule.levels.is_some());
    let (name, level) = if counted { (name, level) } else { (label, None) };
    Some(SnapshotCondition { name: name.to_owned(), level, source: "sheet".to_owned(), until, cause: None, hidden })
}

/// "until end of scene", "until Will succeeds", "until day 2, 06:30".
fn ending(system: &System, words: &str) -> Option<Until> {
    let moment = words.strip_prefix("until ").and_then(|words| next_moment(words, -1));
    match call::duration(system, words).map(|own| ConditionDuration::new(system, &own)) {
        Some(ConditionDuration::Until(until)) => Some(until),
        Some(ConditionDuration::Counted(_) | ConditionDuration::For(_)) => None,
        None => moment.map(Until::Time),
    }
}

/// A cell with "yes" or nothing.
pub fn flag(cell: &str) -> Option<bool> {
    match cell {
        "" | "no" => Some(false),
        "yes" => Some(true),
        _ => None,
    }
}
