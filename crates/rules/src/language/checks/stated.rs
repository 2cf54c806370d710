//! A check that a call states, read like the author's.

use super::check::{Check, Row, target_name};
use super::read;
use crate::codes;
use crate::document;
use crate::grammar::condition::{Condition, condition};
use crate::grammar::cursor::read_words;
use crate::grammar::expr::range;
use crate::grammar::file::{self, File};
use crate::grammar::names::{Names, Thing};
use crate::grammar::table::Table;
use crate::grammar::tree::{Expr, Measure, Word};
use crate::language::effects::Reader as Effects;
use crate::language::ledger::Ledger;
use crate::language::lowering;
use crate::language::system::System;
use crate::limits::Limits;
use crate::section::SectionKind;
use rollbook_text::diagnostic::{Diagnostic, Place, SourceFile, Sources, Span};
use rollbook_text::names::same;

/// The file name in the place of a stated check.
const THE_CALL: &str = "the call";

/// The check in a call.
#[derive(Debug, Clone, Copy)]
pub struct Stated<'a> {
    pub name: &'a str,
    /// An expression with names in braces: `1d20 + {DEX}`.
    pub roll: &'a str,
    pub ends: StatedEnds<'a>,
}

/// How a stated check ends.
#[derive(Debug, Clone, Copy)]
pub enum StatedEnds<'a> {
    /// By the call's difficulty, to be reached or not exceeded.
    Difficulty { or_less: bool },
    /// By rows of a condition and an outcome. Where no row holds it is a failure.
    Rows {
        rows: &'a [(String, String)],
        /// Whether the first that holds counts; else no two may hold at once, though a condition
        /// counts before a range of the total.
        in_order: bool,
    },
}

/// The part of a stated check that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedFault {
    /// The parameter: `roll`, `rows`.
    pub part: &'static str,
    /// What is wrong, and what to write instead.
    pub why: String,
}

impl Check {
    /// Whether a call states it, and not the rules.
    pub fn is_stated(&self) -> bool {
        self.place.file == THE_CALL
    }
}

/// The head of a table of outcomes.
pub(super) const HEADER: &str = "\n| Outcome | When |\n|---|---|\n";

/// The check that a call states.
///
/// # Errors
/// The first part that is not understood or cannot be carried out.
pub fn stated(system: &System, stated: Stated<'_>) -> Result<Check, StatedFault> {
    let rows = match stated.ends {
        StatedEnds::Difficulty { .. } => [].as_slice(),
        StatedEnds::Rows { rows, .. } => rows,
    };
    let names = names(
        system,
        std::iter::once(stated.roll).chain(rows.iter().map(|(when, _)| when.as_str())),
    );
    let cells = rows
        .iter()
        .flat_map(|(when, outcome)| [("rows", when.as_str()), ("rows", outcome.as_str())]);
    for (part, words) in std::iter::once(("roll", stated.roll)).chain(cells) {
        // No sign may end a line or a cell, or be Markdown outside code.
        let mut is_code = part == "roll";
        let is_foreign = |sign: &char| {
            is_code ^= *sign == '`';
            *sign == '|' || sign.is_control() || !is_code && "<[&\\".contains(*sign)
        };
        if let Some(sign) = words.chars().find(is_foreign) {
            return Err(fault(
                part,
                format!("`{}` is not understood", sign.escape_debug()),
            ));
        }
    }
    let mut text = format!("## Checks\n### Check\n- Roll: `{}`\n", stated.roll);
    match stated.ends {
        StatedEnds::Difficulty { or_less: true } => {
            text.push_str("- Target: {difficulty} or less\n")
        }
        StatedEnds::Difficulty { or_less: false } => text.push_str("- Target: {difficulty}\n"),
        StatedEnds::Rows { .. } => text.push_str(HEADER),
    }
    let rows_at = text.len();
    for (when, outcome) in rows {
        let is_condition = || read_words(when, &names, condition).is_some();
        let is_range = read_words(when, &names, range).is_some();
        let is_of_total =
            is_range || when.starts_with(|letter: char| letter.is_ascii_digit()) && !is_condition();
        text.push_str(&format!(
            "| {outcome} | {}{when} |\n",
            if is_of_total { "total " } else { "" }
        ));
    }
    if !rows.is_empty() && !rows.iter().any(|(when, _)| same(when, "otherwise")) {
        text.push_str("| failure | otherwise |\n");
    }
    let place = Place {
        file: THE_CALL.to_owned(),
        line: 0,
        column: 0,
    };
    let read = written(&text, names, system, (place, Span::default()));
    let (mut check, file) = read.map_err(|first| {
        let part = if first.span().is_some_and(|span| span.start >= rows_at) {
            "rows"
        } else {
            "roll"
        };
        let first = *first;
        // The message names a word that is not understood; the label says why a rule is impossible.
        let why = match first
            .labels
            .first()
            .filter(|_| first.message == lowering::NOT_CARRIED_OUT)
        {
            Some(label) => label.text.clone(),
            None => first.message,
        };
        fault(
            part,
            first
                .help
                .into_iter()
                .fold(why, |why, help| format!("{why}; {help}")),
        )
    })?;
    check.name = stated.name.to_owned();
    for (row, (when, _)) in check.rows.iter_mut().zip(rows) {
        row.when_text = when.trim().to_owned();
        if row
            .when
            .measures()
            .iter()
            .any(|measure| measure.is_one_of(&[Word::Margin, Word::Target, Word::Beaten]))
        {
            let why = format!(
                "`{}` asks for a number to reach; rows are of what the roll shows",
                row.when_text
            );
            return Err(fault("rows", why));
        }
    }
    if let StatedEnds::Rows {
        in_order: false, ..
    } = stated.ends
    {
        order(&mut check.rows, &file)?;
    }
    Ok(check)
}

/// A check in an author's text, read after the rules. All of it has this place.
///
/// # Errors
/// The first finding.
pub(super) fn written(
    text: &str,
    names: Names,
    system: &System,
    (place, span): (Place, Span),
) -> Result<(Check, File), Box<Diagnostic>> {
    let sources = Sources::new(vec![SourceFile::new(THE_CALL, text)]);
    let document = document::build(&sources, 0, &Limits::DEFAULT);
    let sections: Vec<_> = document
        .sections
        .iter()
        .map(|section| (SectionKind::Checks, section))
        .collect();
    let file = file::read_with_names(names, &sections);
    let mut ledger = Ledger::new(&sources, &Limits::DEFAULT);
    lowering::report(&file.findings, &mut ledger);
    let part = file
        .checks
        .first()
        .filter(|_| ledger.diagnostics.is_empty());
    let check = part
        .and_then(|part| read::check(part, &file, (system, &Effects::new(system)), &mut ledger));
    let Some(mut check) = check else {
        let unread = || Diagnostic::error(codes::NOT_UNDERSTOOD, "it is not understood");
        return Err(Box::new(
            ledger.diagnostics.into_iter().next().unwrap_or_else(unread),
        ));
    };
    check.bullets.clear();
    for row in &mut check.rows {
        (row.place, row.span) = (place.clone(), span);
    }
    Ok((
        Check {
            place,
            span,
            ..check
        },
        file,
    ))
}

/// The names that the rules declare, and those in braces, looked up when the check is prepared.
fn names<'t>(system: &System, texts: impl Iterator<Item = &'t str>) -> Names {
    let mut names = system.names.clone();
    for name in texts
        .flat_map(|text| text.split('{').skip(1))
        .filter_map(|name| name.split_once('}'))
    {
        let name = name.0.split('=').next().unwrap_or_default().trim();
        let name = target_name(name).unwrap_or(name);
        let is_name = read_words(name, &Names::default(), |at| at.new_name("a name")).is_some();
        if is_name && name.starts_with(char::is_alphabetic) {
            names.declare(name, Thing::Ask);
        }
    }
    names
}

fn fault(part: &'static str, why: impl Into<String>) -> StatedFault {
    StatedFault {
        part,
        why: why.into(),
    }
}

/// The rows' order if the call has none: conditions before ranges of the total, `otherwise` last.
fn rank(when: &Condition) -> u8 {
    let total = Expr::Measure(Measure::plain(Word::Total));
    match when {
        Condition::Within(measured, Some(_)) if *measured == total => 1,
        Condition::Otherwise => 2,
        _ => 0,
    }
}

/// Whether both cannot hold for one roll.
fn is_apart(one: &Condition, other: &Condition) -> bool {
    let (Condition::Within(mine, Some(range)), Condition::Within(theirs, Some(their_range))) =
        (one, other)
    else {
        return false;
    };
    let bounds = lowering::bounds(range).zip(lowering::bounds(their_range));
    mine == theirs && bounds.is_some_and(|((low, high), (least, most))| high < least || most < low)
}

/// Puts rows in the order in which they count.
fn order(rows: &mut Vec<Row>, file: &File) -> Result<(), StatedFault> {
    let Some(Table::Outcomes(all)) = file.tables.first().map(|table| &table.table) else {
        return Ok(());
    };
    let mut whens: Vec<(&Condition, Row)> = all
        .iter()
        .map(|row| &row.when)
        .zip(std::mem::take(rows))
        .collect();
    whens.sort_by_key(|(when, _)| rank(when));
    for (nth, (when, row)) in whens.iter().enumerate() {
        let mut others = whens
            .iter()
            .skip(nth + 1)
            .take_while(|(other, _)| rank(other) == rank(when));
        if let Some((_, other)) = others.find(|(other, _)| !is_apart(when, other)) {
            let why = format!(
                "`{0}` and `{1}` may both hold, and an object has no order; send a list, of which the first that holds counts: \
                 rows=[{{\"{0}\": \"{2}\"}}, …]",
                row.when_text, other.when_text, row.canonical
            );
            return Err(fault("rows", why));
        }
    }
    rows.extend(whens.into_iter().map(|(_, row)| row));
    Ok(())
}
