//! Tables whose headers are known.

use super::condition::{Condition, condition};
use super::cursor::{Cursor, Expected, Reader, Unread};
use super::dealt::Dealt;
use super::effect::{Effect, effects};
use super::expr::{self, range};
use super::findings::{not_a_rule, reads_as_rule};
use super::line::DifficultyValue;
use super::names::{Names, Thing};
use super::outcome::Outcome;
use super::read::{checks, dice};
use super::tree::Expr;
use crate::document::{Table as Written, Text};
use crate::section::SectionKind;
use rollbook_text::diagnostic::Diagnostic;

/// A table that was read whole.
#[derive(Debug, Clone, PartialEq)]
pub enum Table {
    Outcomes(Vec<Row>),
    Numbers(Numbers),
    /// Each difficulty's name, and its number or row.
    Difficulties(Vec<(String, DifficultyValue)>),
    Attacks(Vec<Attack>),
    /// Levels, and the total of experience points that each takes.
    Levels(Vec<(i64, i64)>),
}

/// A row of a check's outcomes.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub label: String,
    pub outcome: Outcome,
    pub when: Condition,
    pub deals: Option<Dealt>,
    /// The effects in the columns Effect, Target effect and those named like a track, by header.
    pub effects: Vec<(String, Vec<Effect>)>,
}

/// Numbers by a score, a level, or a class and level.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    pub by: By,
    pub columns: Vec<String>,
    pub rows: Vec<NumbersRow>,
}

/// The classes of a row, its range, and a number for each column.
pub type NumbersRow = (Vec<String>, (i64, i64), Vec<i64>);

#[derive(Debug, Clone, PartialEq)]
pub enum By {
    Score,
    Named(String),
    Level,
    ClassAndLevel,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Attack {
    pub name: String,
    pub damage: Expr,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    pub bonus: Option<i64>,
    pub kind: Option<String>,
    pub target_effects: Vec<Effect>,
}

fn column(table: &Written, name: &str) -> Option<usize> {
    table.names.iter().position(|header| header == name)
}

pub fn is_outcomes(table: &Written) -> bool {
    column(table, "outcome").is_some() && column(table, "when").is_some()
}

pub fn is_attacks(table: &Written) -> bool {
    matches!(
        table.names.first().map(String::as_str),
        Some("attack" | "weapon")
    ) && column(table, "damage").is_some()
}

fn is_difficulties(table: &Written) -> bool {
    column(table, "difficulty") == Some(0) && column(table, "number") == Some(1)
}

/// The columns of levels and of their experience points.
fn levels(table: &Written) -> Option<(usize, usize)> {
    column(table, "level").zip(column(table, "xp"))
}

/// Whether it is a table of numbers by a score, a level or a declared name.
fn is_numbers(table: &Written, section: SectionKind, names: &Names) -> bool {
    let others = is_outcomes(table) || is_attacks(table) || is_difficulties(table);
    let Some((_, keys)) =
        table_key(table, names).filter(|_| !others && section != SectionKind::Advancement)
    else {
        return false;
    };
    (keys..table.header.len()).any(|column| is_of_numbers(table, column))
}

/// What looks up a row in a table of numbers, and how many columns that takes.
fn table_key(table: &Written, names: &Names) -> Option<(By, usize)> {
    let first = table.header.first()?;
    match (
        table.names.first()?.as_str(),
        table.names.get(1).map(String::as_str),
    ) {
        ("class", Some("level")) => Some((By::ClassAndLevel, 2)),
        ("level", _) => Some((By::Level, 1)),
        ("score", _) => Some((By::Score, 1)),
        _ => {
            let is_named = names.has(
                first.as_str(),
                &[Thing::Attribute, Thing::Skill, Thing::Track],
            );
            is_named.then(|| (By::Named(first.as_str().to_owned()), 1))
        }
    }
}

/// Whether a column is read: one of its cells is a number.
fn is_of_numbers(table: &Written, column: usize) -> bool {
    table.rows.iter().any(|row| {
        row.get(column)
            .is_some_and(|cell| is_meant_as_number(cell.as_str()))
    })
}

/// Whether a cell holds digits and signs only, in any spelling: `14`, `-2`, `15+`, `35%`, `1,200`.
fn is_meant_as_number(words: &str) -> bool {
    let is_sign = |letter: char| {
        matches!(
            letter,
            '+' | '-' | '\u{2212}' | '%' | ',' | '.' | '\'' | ' '
        )
    };
    words.contains(|letter: char| letter.is_ascii_digit())
        && words
            .chars()
            .all(|letter| letter.is_ascii_digit() || is_sign(letter))
}

/// Declares the names in a table.
pub fn declare(table: &Written, names: &mut Names) {
    if is_outcomes(table) {
        let outcome = column(table, "outcome").unwrap_or_default();
        for cell in table.rows.iter().filter_map(|row| row.get(outcome)) {
            names.declare(
                cell.as_str().split('(').next().unwrap_or_default(),
                Thing::Outcome,
            );
        }
    } else if is_difficulties(table) {
        let words = table.rows.iter().filter_map(|row| row.first());
        words.for_each(|cell| names.declare(cell.as_str(), Thing::Difficulty));
    } else if let Some((_, keys)) = table_key(table, names) {
        let columns = table
            .header
            .iter()
            .enumerate()
            .skip(keys)
            .filter(|(nth, _)| is_of_numbers(table, *nth));
        columns.for_each(|(_, cell)| names.declare(cell.as_str(), Thing::Number));
    }
}

/// Declares the types of damage in a table of attacks.
pub fn declare_types(table: &Written, names: &mut Names) {
    let Some(at) = column(table, "type").filter(|_| is_attacks(table)) else {
        return;
    };
    table
        .rows
        .iter()
        .filter_map(|row| row.get(at))
        .for_each(|cell| names.declare(cell.as_str(), Thing::Kind));
}

/// Reads a table with known headers; `None` for any other.
///
/// # Errors
/// Each cell that is not understood.
pub fn read(
    table: &Written,
    section: SectionKind,
    names: &Names,
) -> Option<Result<Table, Vec<Unread>>> {
    let mut reader = Cells {
        names,
        unread: Vec::new(),
    };
    let found = if is_outcomes(table) && section == SectionKind::Checks {
        Table::Outcomes(
            table
                .rows
                .iter()
                .filter_map(|row| reader.outcome(table, row))
                .collect(),
        )
    } else if is_attacks(table) {
        Table::Attacks(
            table
                .rows
                .iter()
                .filter_map(|row| reader.attack(table, row))
                .collect(),
        )
    } else if is_difficulties(table) && section == SectionKind::Dice {
        Table::Difficulties(
            table
                .rows
                .iter()
                .filter_map(|row| reader.difficulty(row))
                .collect(),
        )
    } else if let Some((level, points)) =
        levels(table).filter(|_| section == SectionKind::Advancement)
    {
        let rows = table.rows.iter().filter_map(|row| {
            let mut number = |at: usize| reader.cell(row.get(at)?, signed_number);
            number(level).zip(number(points))
        });
        Table::Levels(rows.collect())
    } else {
        let (by, keys) = table_key(table, names).filter(|_| is_numbers(table, section, names))?;
        let columns: Vec<usize> = (keys..table.header.len())
            .filter(|column| is_of_numbers(table, *column))
            .collect();
        reader.numbers(table, by, keys, &columns)
    };
    Some(if reader.unread.is_empty() {
        Ok(found)
    } else {
        Err(reader.unread)
    })
}

/// Columns of outcomes that are always read.
pub const READ: [&str; 5] = ["outcome", "when", "damage", "effect", "target effect"];

/// Columns of attacks after the name.
const OF_ATTACKS: [&str; 6] = [
    "damage",
    "skill",
    "attribute",
    "bonus",
    "type",
    "target effect",
];

/// Warnings about a table: one that is not read but has numbers or half of an outcome table's
/// headers, and cells for people that would be a rule.
pub fn warnings(table: &Written, section: SectionKind, names: &Names) -> Vec<Diagnostic> {
    let is_of_outcomes = is_outcomes(table) && section == SectionKind::Checks;
    if is_of_outcomes || is_attacks(table) {
        let is_free = |(nth, header): &(usize, &String)| match is_of_outcomes {
            true => !READ.contains(&header.as_str()) && !names.has(header, &[Thing::Track]),
            false => *nth > 0 && !OF_ATTACKS.contains(&header.as_str()),
        };
        let free = table
            .names
            .iter()
            .enumerate()
            .filter(is_free)
            .map(|(nth, _)| nth);
        let cells = free.flat_map(|nth| table.rows.iter().filter_map(move |row| row.get(nth)));
        let cells = cells.filter(|cell| !cell.is_empty() && is_rule(cell, names));
        return cells
            .map(|cell| reads_as_rule(cell.as_str(), cell.span()))
            .collect();
    }
    let is_half = section == SectionKind::Checks
        && (column(table, "outcome").is_some() || column(table, "when").is_some());
    let fits = |cell: &Text, read: Reader<'_>| Cursor::fits(cell, names, &[read]);
    let names_dice = table
        .header
        .first()
        .is_some_and(|cell| fits(cell, &|at| expr::dice(at).map(drop)));
    let looked_at = [
        SectionKind::Attributes,
        SectionKind::Skills,
        SectionKind::Checks,
        SectionKind::Attacks,
        SectionKind::Dice,
    ];
    let has_numbers = table
        .rows
        .iter()
        .flatten()
        .any(|cell| !cell.is_empty() && fits(cell, &|at| range(at).map(drop)));
    let is_rule_like = is_half || has_numbers && !names_dice && looked_at.contains(&section);
    if !is_rule_like || read(table, section, names).is_some() {
        return Vec::new();
    }
    let label = table
        .header
        .iter()
        .map(Text::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    vec![not_a_rule(&label, table.span, None, &[])]
}

/// Whether a cell for people would be an effect, or an amount of damage.
fn is_rule(cell: &Text, names: &Names) -> bool {
    let deals = |at: &mut Cursor<'_>| {
        checks::dealt(at)
            .filter(|dealt| !matches!(dealt, Dealt::None | Dealt::Once))
            .map(drop)
    };
    Cursor::fits(cell, names, &[&deals, &|at| effects(at).map(drop)])
}

struct Cells<'a> {
    names: &'a Names,
    unread: Vec<Unread>,
}

impl Cells<'_> {
    fn cell<T>(
        &mut self,
        text: &Text,
        read: impl FnOnce(&mut Cursor<'_>) -> Option<T>,
    ) -> Option<T> {
        match Cursor::new(text, self.names).whole(read) {
            Ok(found) => Some(found),
            Err(unread) => {
                self.unread.push(unread);
                None
            }
        }
    }

    /// What is in the cell of a column; an inner none where it is empty.
    fn filled<T>(
        &mut self,
        (table, row): (&Written, &[Text]),
        name: &str,
        read: impl FnOnce(&mut Cursor<'_>) -> Option<T>,
    ) -> Option<Option<T>> {
        let cell = column(table, name)
            .and_then(|at| row.get(at))
            .filter(|cell| !cell.is_empty());
        cell.map_or(Some(None), |cell| self.cell(cell, read).map(Some))
    }

    fn outcome(&mut self, table: &Written, row: &[Text]) -> Option<Row> {
        let written = row.get(column(table, "outcome")?)?;
        let (label, outcome) = class(written)
            .map_err(|unread| self.unread.push(unread))
            .ok()?;
        let when = self.cell(row.get(column(table, "when")?)?, condition)?;
        let deals = self.filled((table, row), "damage", checks::dealt)?;
        let mut all = Vec::new();
        for ((header, name), cell) in table
            .header
            .iter()
            .zip(&table.names)
            .zip(row)
            .filter(|(_, cell)| !cell.is_empty())
        {
            let effects = match name.as_str() {
                "effect" | "target effect" => self.cell(cell, effects)?,
                name if !READ.contains(&name) && self.names.has(name, &[Thing::Track]) => {
                    self.cell(cell, checks::moves)?
                }
                _ => continue,
            };
            all.push((header.as_str().to_owned(), effects));
        }
        Some(Row {
            label,
            outcome,
            when,
            deals,
            effects: all,
        })
    }

    fn attack(&mut self, table: &Written, row: &[Text]) -> Option<Attack> {
        let name = row.first().map(|cell| cell.as_str().to_owned())?;
        let damage = self.cell(row.get(column(table, "damage")?)?, expr::amount)?;
        let here = (table, row);
        let skill = self.filled(here, "skill", |at| at.name(&[Thing::Skill], "a skill"))?;
        let attribute = self.filled(here, "attribute", |at| {
            at.name(&[Thing::Attribute], "an attribute")
        })?;
        let kind = self.filled(here, "type", |at| at.name(&[Thing::Kind], "a damage type"))?;
        let bonus = self.filled(here, "bonus", signed_number)?;
        let target_effects = self
            .filled(here, "target effect", effects)?
            .unwrap_or_default();
        Some(Attack {
            name,
            damage,
            skill,
            attribute,
            bonus,
            kind,
            target_effects,
        })
    }

    fn difficulty(&mut self, row: &[Text]) -> Option<(String, DifficultyValue)> {
        let name = row.first()?.as_str().to_owned();
        self.cell(row.get(1)?, dice::to_reach).map(|is| (name, is))
    }

    fn numbers(&mut self, table: &Written, by: By, keys: usize, columns: &[usize]) -> Table {
        let mut rows = Vec::new();
        let mut classes: Vec<String> = Vec::new();
        for row in &table.rows {
            if keys == 2
                && let Some(cell) = row.first().filter(|cell| !cell.is_empty())
            {
                classes = cell
                    .split_all(&[","])
                    .iter()
                    .map(|class| class.as_str().to_owned())
                    .collect();
            }
            let Some(range) = row
                .get(keys - 1)
                .and_then(|cell| self.cell(cell, expr::numbers))
            else {
                continue;
            };
            let numbers = columns
                .iter()
                .filter_map(|column| self.cell(row.get(*column)?, signed_number))
                .collect();
            rows.push((classes.clone(), range, numbers));
        }
        let headers = columns
            .iter()
            .filter_map(|column| table.header.get(*column));
        let columns = headers.map(|header| header.as_str().to_owned()).collect();
        Table::Numbers(Numbers { by, columns, rows })
    }
}

/// Label and class in a cell of the column Outcome: `Hit (success)`, or a class alone.
///
/// # Errors
/// When it has none of the five outcomes.
pub fn class(written: &Text) -> Result<(String, Outcome), Unread> {
    let whole = written.as_str().trim();
    let (label, class) = match whole
        .strip_suffix(')')
        .and_then(|words| words.rsplit_once('('))
    {
        Some((label, class)) => (label.trim(), class),
        None => (whole, whole),
    };
    if let Some(outcome) = Outcome::named(class).filter(|_| !label.is_empty()) {
        return Ok((label.to_owned(), outcome));
    }
    let expected = Outcome::ALL.map(Expected::Outcome).to_vec();
    Err(Unread {
        span: written.span(),
        word: whole.to_owned(),
        expected,
    })
}

/// A number, with or without a sign.
fn signed_number(at: &mut Cursor<'_>) -> Option<i64> {
    let _ = at.sign('+');
    expr::whole_number(at)
}
