//! Reads the checks of the Checks section: each is one rule, read whole or lost.

use std::collections::HashMap;

use super::check::Check;
use super::lines::Lines;
use super::rows;
use crate::diagnostic::{Diagnostic, Span};
use crate::dice::parse_formula;
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::{Block, Section, Text};
use crate::rules::grammar::file::{Rule, TableRule};
use crate::rules::grammar::line::{CheckLine, Line};
use crate::rules::grammar::table::Table;
use crate::rules::language::clause::Clause;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::lower;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// The lines of one check.
pub struct Part<'a> {
    section: &'a Section,
    pub rules: Vec<(&'a Rule, &'a CheckLine)>,
    pub tables: Vec<&'a TableRule>,
    /// Whether a line of it is not read.
    is_broken: bool,
}

/// The parts of all sections of checks that hold a rule, in order.
pub fn parts<'a>(outline: &'a Outline<'a>) -> Vec<Part<'a>> {
    let rules = outline.rules(SectionKind::Checks).filter_map(|rule| match &rule.line {
        Line::Check(line) => Some((rule.span, (rule, line))),
        _ => None,
    });
    let rules = sorted(rules);
    let is_outcomes = |own: &&TableRule| matches!(own.table, Table::Outcomes(_));
    let tables = sorted(outline.file.tables.iter().filter(is_outcomes).map(|own| (own.span, own)));
    let errors =
        outline.file.findings.iter().filter(|own| [codes::NOT_UNDERSTOOD, codes::GIVEN_TWICE].contains(&own.code));
    let errors = sorted(errors.filter_map(|own| Some((own.span()?, ()))));
    let mut all = Vec::new();
    // A part may stand below the section of a base, and not below that of its file.
    let inner = outline.sections(SectionKind::Checks).flat_map(|section| &section.subsections);
    let inner = sorted(inner.map(|own| (own.span, ())));
    for section in outline.sections(SectionKind::Checks) {
        // The subsections of a section follow one another, so only the last that begins before a place can hold it.
        let is_inner = |span: Span| {
            let behind = inner.partition_point(|(own, _)| (own.file, own.start) <= (span.file, span.start));
            inner.get(..behind).and_then(<[_]>::last).is_some_and(|(own, _)| own.holds(span))
        };
        for own in std::iter::once(section).chain(&section.subsections) {
            let is_in = |span: &Span| own.level == 3 || !is_inner(*span);
            let rules = within(&rules, own.span).iter().filter(|(span, _)| is_in(span)).map(|(_, rule)| *rule);
            let tables = within(&tables, own.span).iter().filter(|(span, _)| is_in(span)).map(|(_, table)| *table);
            let is_broken = within(&errors, own.span).iter().any(|(span, _)| is_in(span));
            let part = Part { section: own, rules: rules.collect(), tables: tables.collect(), is_broken };
            if is_broken || !part.rules.is_empty() || !part.tables.is_empty() {
                all.push(part);
            }
        }
    }
    all
}

/// What stands at places, by place.
fn sorted<T>(all: impl Iterator<Item = (Span, T)>) -> Vec<(Span, T)> {
    let mut all: Vec<(Span, T)> = all.collect();
    all.sort_by_key(|(span, _)| *span);
    all
}

/// What begins within a stretch, of what is sorted by place.
fn within<T>(all: &[(Span, T)], stretch: Span) -> &[(Span, T)] {
    let before = |end: usize| all.partition_point(|(own, _)| (own.file, own.start) < (stretch.file, end));
    all.get(before(stretch.start)..before(stretch.end)).unwrap_or_default()
}

impl Part<'_> {
    pub fn heading(&self) -> Option<&Text> {
        self.section.heading.as_ref()
    }

    /// What the check is called: by its heading, else by what it is.
    pub fn name(&self) -> &str {
        match self.section.level {
            3 => self.heading().map_or("", Text::as_str),
            _ => "Check",
        }
    }

    /// The place of a check in the file.
    pub fn span(&self) -> Span {
        self.heading().map_or(self.section.span, Text::span)
    }

    fn about(&self) -> String {
        let prose = self.section.blocks.iter().map_while(|block| match block {
            Block::Paragraph(text) => Some(text.as_str()),
            _ => None,
        });
        prose.collect::<Vec<_>>().join("\n\n")
    }

    /// The table of the document that was read as this one.
    pub fn written(&self, table: &TableRule) -> Option<&crate::rules::document::Table> {
        self.section.blocks.iter().find_map(|block| match block {
            Block::Table(own) if own.span == table.span => Some(own),
            _ => None,
        })
    }
}

/// Reads every check that has its roll; those with a mistake keep their name.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let mut taken: HashMap<String, Span> = HashMap::new();
    for part in parts(outline) {
        let span = part.span();
        if let Some(first) = taken.get(&fold(part.name())) {
            ledger.report(lower::twice(part.name(), span, *first));
        } else if ledger.has_room(taken.len(), "checks", span) {
            taken.insert(fold(part.name()), span);
            match check(&part, system, ledger) {
                Some(check) => system.checks.push(check),
                None => lose(part.name(), span, system, ledger),
            }
        }
    }
}

/// Keeps the name of a check with a mistake, so that a call to it hears of the mistake.
pub fn lose(name: &str, span: Span, system: &mut System, ledger: &Ledger<'_>) {
    if system.lost_checks.len() < ledger.limits.items {
        system.lost_checks.push(Clause { what: name.to_owned(), place: ledger.place(span) });
    }
}

fn check(part: &Part<'_>, system: &System, ledger: &mut Ledger<'_>) -> Option<Check> {
    let has_roll = part.rules.iter().any(|(_, line)| matches!(line, CheckLine::Roll(_)));
    if !has_roll && !part.is_broken {
        report_no_roll(part, ledger);
    }
    if part.name().trim().is_empty() {
        report_no_name(part, ledger);
    }
    // Without a Roll everything else is looked at all the same: one mistake does not hide the others.
    let roll = parse_formula("0").ok()?;
    let check = Check::new(part.name(), roll, ledger.place(part.span()), part.span());
    let mut lines = Lines::new(check, system, ledger);
    lines.read(&part.rules);
    let (mut check, mut is_whole) = lines.end();
    for second in part.tables.iter().skip(1) {
        lower::refuse(second.span, "a table of outcomes is given before", "make one of the two", ledger);
        is_whole = false;
    }
    if let Some(own) = part.tables.first() {
        match rows::read(part, own, &check, system, ledger) {
            Some(rows) => check.rows = rows,
            None => is_whole = false,
        }
    }
    if !is_whole || part.is_broken || !has_roll || part.name().trim().is_empty() {
        return None;
    }
    check.about = part.about();
    assume_extra_dice(&check, ledger);
    assume_no_dice(&check, ledger);
    Some(check)
}

/// Of dice that explode and are kept in part each explosion is a die of its own, which is told, as most games add it to its die.
fn assume_extra_dice(check: &Check, ledger: &mut Ledger<'_>) {
    let roll = check.roll.to_string();
    let apart = |mark: &str| roll.match_indices(mark).any(|(at, _)| !roll.get(..at).unwrap_or_default().ends_with('!'));
    if apart("!kh") || apart("!kl") {
        let text = format!(
            "{}: each die that an explosion throws is kept or dropped by itself; with `!!` in the place of `!` it is added to its own die",
            check.name
        );
        ledger.assume(text, Some(check.place.clone()));
    }
}

/// Where something is taken off the number of dice, there may be none left.
fn assume_no_dice(check: &Check, ledger: &mut Ledger<'_>) {
    let roll = check.roll.to_string();
    let Some((count, _)) = roll.split_once(")d").filter(|_| check.no_dice.is_none() && check.roll.is_one_term()) else {
        return;
    };
    if count.starts_with('(') && count.contains(" - ") {
        let text = format!(
            "{}: where no dice are left the call is refused; with ``- With no dice: `0` `` it fails, and ``- With no dice: `2d6kl1` `` rolls others",
            check.name
        );
        ledger.assume(text, Some(check.place.clone()));
    }
}

fn report_no_roll(part: &Part<'_>, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::error(codes::NO_ROLL, format!("the check `{}` has no Roll", part.name()))
            .at(part.span(), "this check is not read")
            .help("say what is rolled: ``- Roll: `1d20 + {modifier}` ``"),
    );
}

fn report_no_name(part: &Part<'_>, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::error(codes::NO_NAME, "a check has no name")
            .at(part.span(), "this check is not read")
            .help("give it one: `### Attack`"),
    );
}
