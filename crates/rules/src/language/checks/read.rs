//! Reads the checks of the Checks section. Each is read whole or lost.

use std::collections::HashMap;

use super::bullets::Reader;
use super::check::Check;
use crate::codes;
use crate::grammar::file::{CheckPart, File};
use crate::grammar::line::{CheckLine, Line};
use crate::grammar::table::Table;
use crate::language::clause::Clause;
use crate::language::effects::Reader as Effects;
use crate::language::ledger::Ledger;
use crate::language::lowering::{self, Refused};
use crate::language::outline::Outline;
use crate::language::system::System;
use rollbook_dice::parse_formula;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::{fold, same};

/// Reads every check. Those with a mistake keep their name.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let mut taken: HashMap<String, Span> = HashMap::new();
    let tracks = Effects::new(system);
    for part in &outline.file.checks {
        let name = fold(&part.name);
        if let Some(first) = taken.get(&name) {
            ledger.report(lowering::given_twice(&part.name, part.span, *first));
        } else if ledger.has_room(taken.len(), "checks", part.span) {
            taken.insert(name, part.span);
            match check(part, &outline.file, (system, &tracks), ledger) {
                Some(check) => system.checks.push(check),
                // The name is kept, so that calls get a refusal about the mistake.
                None if system.lost_checks.len() < ledger.limits.items => {
                    let place = ledger.place(part.span);
                    system.lost_checks.push(Clause {
                        what: part.name.clone(),
                        place,
                    });
                }
                None => {}
            }
        }
    }
}

/// One check; none where a part of it is not read or cannot be carried out.
pub fn check(
    part: &CheckPart,
    file: &File,
    (system, tracks): (&System, &Effects),
    ledger: &mut Ledger<'_>,
) -> Option<Check> {
    let rules = file.rules.get(part.rules.clone()).unwrap_or_default();
    let rules = rules.iter().filter_map(|rule| {
        if let Line::Check(check) = &rule.line {
            Some((rule, check))
        } else {
            None
        }
    });
    let rules: Vec<_> = rules.collect();
    let has_roll = rules
        .iter()
        .any(|(_, line)| matches!(line, CheckLine::Roll(_)));
    let mut lacks = |code, message: &str, help: &str| {
        ledger.report(
            Diagnostic::error(code, message)
                .at(part.span, "this check is not read")
                .help(help),
        );
    };
    if !has_roll && !part.is_broken {
        let message = format!("the check `{}` has no Roll", part.name);
        lacks(
            codes::NO_ROLL,
            &message,
            "say what is rolled: ``- Roll: `1d20 + {modifier}` ``",
        );
    }
    if part.name.trim().is_empty() {
        lacks(
            codes::NO_NAME,
            "a check has no name",
            "give it one: `### Attack`",
        );
    }
    // Without a Roll the rest is still read: one mistake does not hide others.
    let check = Check::new(
        &part.name,
        parse_formula("0").ok()?,
        ledger.place(part.span),
        part.span,
    );
    let mut reader = Reader {
        check,
        system,
        tracks,
        ledger,
        is_whole: true,
    };
    reader.read(&rules);
    let tables = file
        .tables
        .get(part.tables.clone())
        .unwrap_or_default()
        .iter();
    for (nth, table) in tables
        .filter(|table| matches!(table.table, Table::Outcomes(_)))
        .enumerate()
    {
        match nth {
            0 => reader.rows(table),
            _ => reader.refuse(
                table.span,
                &Refused::new("a table of outcomes is given before", "make one of the two"),
            ),
        }
    }
    let Reader {
        check, is_whole, ..
    } = reader;
    if !is_whole || part.is_broken || !has_roll || part.name.trim().is_empty() {
        return None;
    }
    report_unused(&check, ledger);
    Some(Check {
        about: part.about.clone(),
        ..check
    })
}

/// Reports values that the check asks for and never uses.
fn report_unused(check: &Check, ledger: &mut Ledger<'_>) {
    let of_moves = |name: &str| check.values.iter().any(|value| same(&value.name, name));
    for ask in check
        .asks
        .iter()
        .filter(|ask| !check.names(&fold(&ask.name)) && !of_moves(&ask.name))
    {
        let message = format!(
            "`{}` asks for `{}`, and nothing in it uses that",
            check.name, ask.name
        );
        ledger.report(
            Diagnostic::warning(codes::UNUSED_ASK, message)
                .at(
                    check.span_of("Asks"),
                    "names stand in braces where they are used",
                )
                .help("take it away, or write it where it counts: ``- Roll: `1d20 + {bonus}` ``"),
        );
    }
}
