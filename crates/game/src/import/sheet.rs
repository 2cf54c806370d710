//! Reads a sheet. People edit it, so a line not understood is refused with its number, not dropped.

use crate::mechanics::{attacks::read_damage, duration::ConditionDuration};
use crate::record::state::{Attack, Condition, Item, Kind, Track, Until, Uses};
use crate::refusal::{Code, Refusal};
use crate::view::sheet::{
    FIXED, HIDDEN, HIDDEN_TICKS, RETIRED, WORTH, kind_label, split, split_nested,
};
use crate::{moment::next_moment, view::snapshot::CharacterSnapshot};
use rollbook_rules::{System, call};
use rollbook_text::names::{numbered, printable, same, shortened};
use std::collections::BTreeMap;

/// Whether a text begins as a sheet does: a name, then kind, level and experience.
pub fn is_sheet(text: &str) -> bool {
    let mut lines = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty());
    lines.next().is_some_and(|line| line.starts_with("# "))
        && lines.next().is_some_and(|line| head(line).is_some())
}

/// The character that a sheet describes. The rules say which conditions have levels. Refused: when
/// a line is not of a sheet. Limits are the caller's to check.
pub fn read(text: &str, system: &System) -> Result<CharacterSnapshot, Refusal> {
    let mut reader = Reader {
        snapshot: CharacterSnapshot::empty("", Kind::Player),
        part: Part::Head,
        system,
    };
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        reader.line(line).ok_or_else(|| {
            let line = printable(&shortened(line, 60));
            let summary = format!(
                "Line {number} is none of a sheet: \"{line}\". get_character view=\"sheet\" shows what one looks like."
            );
            Refusal::new(Code::InvalidSheet, summary)
        })?;
    }
    // Each line of notes ended with a line break.
    reader.snapshot.notes.pop();
    reader.snapshot.gm_notes.pop();
    Ok(reader.snapshot)
}

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
        if let Some(name) = line.strip_prefix("# ") {
            self.snapshot.name = self
                .snapshot
                .name
                .is_empty()
                .then(|| name.trim().to_owned())?;
        } else if line.starts_with('|') {
            return self.row(line);
        } else if line.starts_with("- ") {
            return self.bullet(line);
        } else {
            let head = head(line.trim_end()).filter(|_| self.part == Part::Head)?;
            let sheet = &mut self.snapshot;
            (sheet.kind, sheet.level, sheet.xp, sheet.retired) = head;
            self.part = Part::Tracks;
        }
        Some(())
    }

    fn bullet(&mut self, line: &str) -> Option<()> {
        let italic = line
            .strip_prefix("- *")
            .filter(|rest| !rest.starts_with('*'));
        if let Some((label, value)) = italic.and_then(|rest| rest.split_once("*: ")) {
            let names = split(value, ',')
                .into_iter()
                .map(|name| name.trim().to_owned());
            let names = names.filter(|name| !name.is_empty());
            match label {
                "Conditions" => {
                    let all = split_nested(value, ',', Some('|'));
                    for fields in all
                        .into_iter()
                        .filter(|fields| !fields.concat().trim().is_empty())
                    {
                        self.snapshot
                            .conditions
                            .push(condition(self.system, &fields)?);
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
        self.snapshot
            .tracks
            .push(track(split(label, '\0').concat(), value)?);
        Some(())
    }

    fn row(&mut self, line: &str) -> Option<()> {
        let cells = split(line.trim().strip_prefix('|')?.strip_suffix('|')?, '|');
        let cells: Vec<&str> = cells.iter().map(|cell| cell.trim_matches(' ')).collect();
        if cells
            .iter()
            .all(|cell| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':')))
        {
            return Some(());
        }
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let flag = |cell: &str| {
            ["", "no", "yes"]
                .iter()
                .position(|word| *word == cell)
                .map(|at| at == 2)
        };
        let number = |text: &str| {
            if text.is_empty() {
                Some(None)
            } else {
                text.parse().ok().map(Some)
            }
        };
        match (cells.as_slice(), self.part) {
            (["Attribute", "Score", ..], _) => self.part = Part::Attributes,
            (["Skill", "Bonus"], _) => self.part = Part::Skills,
            (["Attack", "Skill", ..], _) => self.part = Part::Attacks,
            (["Item", "Quantity", ..], _) => self.part = Part::Items,
            ([name, score, ..], Part::Attributes) => {
                self.snapshot
                    .attributes
                    .insert((*name).to_owned(), score.parse().ok()?);
            }
            ([name, bonus], Part::Skills) => {
                self.snapshot
                    .skills
                    .insert((*name).to_owned(), bonus.parse().ok()?);
            }
            ([name, skill, bonus, damage, range, conditions, effect], Part::Attacks) => {
                let damage = if damage.is_empty() {
                    Vec::new()
                } else {
                    read_damage(damage)?
                };
                let conditions = conditions
                    .split(';')
                    .filter_map(|name| text(name.trim()))
                    .collect();
                let (name, skill, bonus) = ((*name).to_owned(), text(skill), number(bonus)?);
                let (range, effect) = (text(range), text(effect));
                self.snapshot.attacks.push(Attack {
                    name,
                    skill,
                    bonus,
                    damage,
                    range,
                    conditions,
                    effect,
                });
            }
            (
                [
                    name,
                    quantity,
                    equipped,
                    uses,
                    hidden,
                    notes,
                    properties @ ..,
                ],
                Part::Items,
            ) => {
                let properties = match properties {
                    [] | [""] => BTreeMap::new(),
                    [json] => serde_json::from_str(json.trim_matches('`')).ok()?,
                    _ => return None,
                };
                let (quantity, uses) = (quantity.parse().ok()?, number(uses)?);
                let (equipped, hidden) = (flag(equipped)?, flag(hidden)?);
                let (name, notes) = ((*name).to_owned(), (*notes).to_owned());
                let item = Item {
                    character: 0,
                    name,
                    quantity,
                    equipped,
                    uses,
                    notes,
                    hidden,
                    properties,
                };
                self.snapshot.items.push(item);
            }
            _ => return None,
        }
        Some(())
    }
}

/// "Player character, level 2, 300 xp, retired".
fn head(line: &str) -> Option<(Kind, i64, i64, bool)> {
    let mut parts = line.split(", ");
    let named = parts.next()?;
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| same(kind_label(*kind), named))?;
    let level = parts.next()?.strip_prefix("level ")?.parse().ok()?;
    let xp = parts.next()?.strip_suffix(" xp")?.parse().ok()?;
    let retired = parts.next();
    let is_whole = retired.is_none_or(|word| word == RETIRED) && parts.next().is_none();
    is_whole.then_some((kind, level, xp, retired.is_some()))
}

/// "2/10, from -6, set by the GM", "0/1, set by the GM, recharge 5-6".
fn track(name: String, value: &str) -> Option<Track> {
    let mut parts = value.split(", ");
    let numbers = parts.next()?;
    let (value, max) = match numbers.split_once('/') {
        Some((value, max)) => (value.parse().ok()?, Some(max.parse().ok()?)),
        None => (numbers.parse().ok()?, None),
    };
    let mut track = Track {
        name,
        value,
        max,
        ..Track::default()
    };
    for part in parts {
        match part.strip_prefix("from ") {
            Some(from) => track.min = from.parse().ok()?,
            None if part == FIXED => track.fixed = true,
            None => track.renewal = Some(Uses::parse(part)?.renewal),
        }
    }
    Some(track)
}

/// "frightened 2" where the rules declare levels, and what ends it.
fn condition(system: &System, fields: &[String]) -> Option<Condition> {
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
    let counted = level.is_some()
        && system
            .condition(name)
            .is_some_and(|rule| rule.levels.is_some());
    let (name, level) = if counted {
        (name, level)
    } else {
        (label, None)
    };
    let (name, source) = (name.to_owned(), "sheet".to_owned());
    Some(Condition {
        name,
        level,
        source,
        until,
        hidden,
        ..Condition::default()
    })
}

/// "until end of scene", "until Will succeeds", "until day 2, 06:30".
fn ending(system: &System, words: &str) -> Option<Until> {
    match call::duration(system, words).map(|duration| ConditionDuration::new(system, &duration)) {
        Some(ConditionDuration::Until(until)) => Some(until),
        Some(ConditionDuration::Counted(_) | ConditionDuration::For(_)) => None,
        None => next_moment(words.strip_prefix("until ")?, -1).map(Until::Time),
    }
}
