//! A check that a call states: its strings, read by the readers of a check's bullets and rows.

use super::check::{Check, Row, of_target};
use super::lines::Lines;
use super::outcome::Outcome;
use crate::diagnostic::{Place, Sources, Span};
use crate::dice::parse_formula;
use crate::rules::document::Text;
use crate::rules::grammar::condition::{Condition, condition};
use crate::rules::grammar::cursor::{Cursor, Unread};
use crate::rules::grammar::expr::{expr, range};
use crate::rules::grammar::file::Rule;
use crate::rules::grammar::finding;
use crate::rules::grammar::line::{CheckLine, Line};
use crate::rules::grammar::names::{Names, Thing};
use crate::rules::grammar::table::class;
use crate::rules::grammar::tree::{Expr, Measure, Part, Ref, Word};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::lower;
use crate::rules::language::system::System;
use crate::rules::limits::Limits;
use crate::rules::section::SectionKind;
use crate::rules::when::Lower;

/// Where a stated check is written.
const THE_CALL: &str = "the call";

/// What a call states of a check.
#[derive(Debug, Clone, Copy)]
pub struct Stated<'a> {
    /// What the check is called.
    pub name: &'a str,
    /// An expression with names in braces: `1d20 + {DEX}`.
    pub roll: &'a str,
    pub ends: StatedEnds<'a>,
}

/// How a stated check ends.
#[derive(Debug, Clone, Copy)]
pub enum StatedEnds<'a> {
    /// By the call's difficulty, which is to be reached, or not to be exceeded.
    Difficulty { or_less: bool },
    /// By rows: when each holds, and its outcome. What no row takes is a failure.
    Rows {
        rows: &'a [(String, String)],
        /// Whether the first that holds counts; else no two may hold at once, but a condition counts before a range of the total.
        in_order: bool,
    },
}

/// The part of a stated check that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedFault {
    /// The parameter: `roll`, `rows`.
    pub part: &'static str,
    /// What is wrong, and what may be written instead.
    pub why: String,
}

impl Check {
    /// Whether a call states it; else it is of the rules.
    pub fn is_stated(&self) -> bool {
        self.place == the_call()
    }
}

/// The check that a call states.
///
/// # Errors
/// The first part that is not understood to its last word, or that cannot be carried out.
pub fn stated(system: &System, own: Stated<'_>) -> Result<Check, StatedFault> {
    let rows = match own.ends {
        StatedEnds::Difficulty { .. } => [].as_slice(),
        StatedEnds::Rows { rows, .. } => rows,
    };
    let names = names(system, std::iter::once(own.roll).chain(rows.iter().map(|(when, _)| when.as_str())));
    let mut lines = vec![CheckLine::Roll(whole("roll", own.roll, &names, expr)?)];
    if let StatedEnds::Difficulty { or_less } = own.ends {
        let name = "difficulty".to_owned();
        let amount = Expr::Ref(Ref { of_target: false, name, part: Part::default(), default: None });
        lines.push(CheckLine::Target { amount, or_less });
    }
    let mut check = with_lines(system, own.name, lines)?;
    if let StatedEnds::Rows { rows, in_order } = own.ends {
        let read = rows.iter().map(|(when, outcome)| StatedRow::read(when, outcome, &names));
        let mut read = read.collect::<Result<Vec<StatedRow>, StatedFault>>()?;
        if !in_order {
            order(&mut read)?;
        }
        let rows = read.iter().map(|own| own.row(&check, system)).collect::<Result<Vec<Row>, StatedFault>>()?;
        check.rows = rows;
        if !check.rows.iter().any(|row| row.when == Condition::Otherwise) {
            let failure = Outcome::Failure;
            check.rows.push(row(failure.as_str().to_owned(), failure, Condition::Otherwise, "otherwise"));
        }
    }
    Ok(check)
}

fn the_call() -> Place {
    Place { file: THE_CALL.to_owned(), line: 0, column: 0 }
}

/// The names that the rules declare, and those in braces: whose those are shows when the check is prepared.
fn names<'t>(system: &System, texts: impl Iterator<Item = &'t str>) -> Names {
    let mut names = system.names.clone();
    for text in texts {
        enclosed(text, '[', ']').for_each(|label| names.declare(label, Thing::Label));
        for own in enclosed(text, '{', '}') {
            let name = own.split('=').next().unwrap_or_default().trim();
            let name = of_target(name).unwrap_or(name);
            let is_name = Cursor::new(&text_of(name), &Names::default()).whole(|at| at.new_name("a name")).is_ok();
            if is_name && name.starts_with(char::is_alphabetic) {
                names.declare(name, Thing::Ask);
            }
        }
    }
    names
}

/// What stands between two signs.
fn enclosed(text: &str, open: char, close: char) -> impl Iterator<Item = &str> {
    text.split(open).skip(1).filter_map(move |own| own.split_once(close)).map(|(inner, _)| inner)
}

fn text_of(words: &str) -> Text {
    Text::invented(words, Span::default())
}

/// Reads all of a text.
fn whole<T>(
    part: &'static str,
    words: &str,
    names: &Names,
    read: impl FnOnce(&mut Cursor<'_>) -> Option<T>,
) -> Result<T, StatedFault> {
    Cursor::new(&text_of(words), names).whole(read).map_err(|unread| not_understood(part, unread))
}

fn not_understood(part: &'static str, unread: Unread) -> StatedFault {
    with_ledger(part, |ledger| {
        lower::report(&[finding::not_understood(unread)], ledger);
        None::<()>
    })
    .err()
    .unwrap_or_else(|| fault(part, "it is not understood"))
}

fn fault(part: &'static str, why: impl Into<String>) -> StatedFault {
    StatedFault { part, why: why.into() }
}

/// What a reader of rules comes to, or the first of its findings.
fn with_ledger<T>(part: &'static str, read: impl FnOnce(&mut Ledger<'_>) -> Option<T>) -> Result<T, StatedFault> {
    let sources = Sources::default();
    let mut ledger = Ledger::new(&sources, &Limits::DEFAULT);
    if let Some(found) = read(&mut ledger) {
        return Ok(found);
    }
    let first = ledger.diagnostics.into_iter().next();
    let Some(first) = first else { return Err(fault(part, "it cannot be carried out")) };
    // Of what is not understood the message names the word; of what cannot be carried out the label says why.
    let why = match first.labels.first().filter(|_| first.message == lower::NOT_CARRIED_OUT) {
        Some(label) => label.text.clone(),
        None => first.message,
    };
    Err(fault(part, first.help.into_iter().fold(why, |why, help| format!("{why}; {help}"))))
}

/// The check with what these bullets say.
fn with_lines(system: &System, name: &str, lines: Vec<CheckLine>) -> Result<Check, StatedFault> {
    let rules: Vec<Rule> = lines.into_iter().map(rule).collect();
    let rules: Vec<(&Rule, &CheckLine)> = rules
        .iter()
        .filter_map(|rule| match &rule.line {
            Line::Check(line) => Some((rule, line)),
            _ => None,
        })
        .collect();
    with_ledger("roll", |ledger| {
        let check = Check::new(name, parse_formula("0").ok()?, the_call(), Span::default());
        let mut read = Lines::new(check, system, ledger);
        read.read(&rules);
        let (check, is_whole) = read.end();
        is_whole.then_some(check)
    })
}

fn rule(line: CheckLine) -> Rule {
    Rule {
        section: SectionKind::Checks,
        part: None,
        below: None,
        span: Span::default(),
        depth: 0,
        line: Line::Check(line),
        words: String::new(),
    }
}

/// A row as it is read.
struct StatedRow<'a> {
    /// When it holds, as it was written.
    written: &'a str,
    when: Condition,
    label: String,
    outcome: Outcome,
}

impl<'a> StatedRow<'a> {
    fn read(written: &'a str, outcome: &str, names: &Names) -> Result<Self, StatedFault> {
        let when = whole("rows", written, names, when)?;
        let (label, class) = class(&text_of(outcome)).map_err(|unread| not_understood("rows", unread))?;
        let outcome = Outcome::named(&class).ok_or_else(|| fault("rows", format!("`{class}` is no outcome")))?;
        Ok(StatedRow { written, when, label, outcome })
    }

    /// What counts before what, where the rows have no order.
    fn rank(&self) -> u8 {
        match &self.when {
            Condition::Within(measured, Some(_)) if *measured == total() => 1,
            Condition::Otherwise => 2,
            _ => 0,
        }
    }

    fn row(&self, check: &Check, system: &System) -> Result<Row, StatedFault> {
        let lower = Lower { values: &check.values, letter: &|name| system.own_dice.letter(name) };
        let when = lower.when(&self.when).map_err(|why| fault("rows", format!("`{}`: {why}", self.written)))?;
        if when.measures().iter().any(|own| own.is_one_of(&[Word::Margin, Word::Target, Word::Beaten])) {
            let why = format!("`{}` asks for a number to reach; rows are of what the roll shows", self.written);
            return Err(fault("rows", why));
        }
        Ok(row(self.label.clone(), self.outcome, when, self.written.trim()))
    }

    /// Whether no roll can be in both.
    fn is_apart(&self, other: &Self) -> bool {
        let (Condition::Within(mine, Some(own)), Condition::Within(theirs, Some(range))) = (&self.when, &other.when)
        else {
            return false;
        };
        let bounds = lower::bounds(own).zip(lower::bounds(range));
        mine == theirs && bounds.is_some_and(|((low, high), (least, most))| high < least || most < low)
    }
}

/// A range of the total, or a condition of the roll.
fn when(at: &mut Cursor<'_>) -> Option<Condition> {
    let of_total = at.attempt(|at| range(at).filter(|_| at.is_end()));
    match of_total {
        Some(range) => Some(Condition::Within(total(), Some(range))),
        None => condition(at),
    }
}

fn total() -> Expr {
    Expr::Measure(Measure::plain(Word::Total))
}

/// Puts conditions before ranges of the total, and `otherwise` last.
fn order(rows: &mut [StatedRow<'_>]) -> Result<(), StatedFault> {
    rows.sort_by_key(StatedRow::rank);
    for (nth, row) in rows.iter().enumerate() {
        let others = rows.iter().skip(nth + 1).take_while(|other| other.rank() == row.rank());
        if let Some(other) = others.into_iter().find(|other| !row.is_apart(other)) {
            let why = format!(
                "`{}` and `{}` may both hold, and an object has no order; send a list, of which the first that holds counts: \
                 rows=[{{\"{}\": \"{}\"}}, …]",
                row.written, other.written, row.written, row.outcome
            );
            return Err(fault("rows", why));
        }
    }
    Ok(())
}

fn row(label: String, canonical: Outcome, when: Condition, when_text: &str) -> Row {
    Row {
        label,
        canonical,
        when,
        when_text: when_text.to_owned(),
        text: None,
        moves: Vec::new(),
        damage: None,
        effects: Vec::new(),
        place: the_call(),
        span: Span::default(),
    }
}
