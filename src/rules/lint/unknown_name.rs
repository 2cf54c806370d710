#![doc = include_str!("../explained/conditions/unknown-name.md")]

use super::conditions::inside;
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::misspellings;
use crate::rules::codes;
use crate::rules::read::Ledger;
use crate::rules::system::System;

/// Words around the name in a clause that changes something: "disadvantage on Stelth checks", "-2 to STG".
const AROUND: [&str; 10] = ["disadvantage", "advantage", "on", "to", "all", "checks", "rolls", "tests", "per", "level"];

pub(super) fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let attributes = system.attributes.iter().flat_map(|own| std::iter::once(&own.name).chain(&own.abbr));
    let others = system.skills.iter().map(|own| &own.name).chain(system.checks.iter().map(|own| &own.name));
    let known: Vec<&str> = attributes.chain(others).map(String::as_str).collect();
    for condition in &system.conditions {
        for clause in condition.left.iter().filter(|clause| changes(clause)) {
            let name = bare(clause);
            let near = misspellings(&name, known.iter().copied());
            let (Some(meant), false) = (near.first(), name.is_empty()) else { continue };
            let at = inside(ledger, condition.span, &name);
            let fix = Fix { span: at, replacement: (*meant).to_owned(), message: format!("call it `{meant}`") };
            let diagnostic =
                Diagnostic::warning(codes::UNKNOWN_NAME, format!("nothing is called `{name}` in the rules"))
                    .at(at, format!("so {} changes nothing here", condition.name))
                    .help(format!("did you mean `{meant}`?"));
            ledger.report(if near.len() == 1 && at != condition.span {
                diagnostic.fix(fix)
            } else {
                diagnostic.perhaps(fix)
            });
        }
    }
}

/// Whether a clause begins as one that changes a check.
fn changes(clause: &str) -> bool {
    let lower = clause.trim().to_lowercase();
    lower.starts_with("advantage")
        || lower.starts_with("disadvantage")
        || lower
            .strip_prefix(['+', '-', '\u{2212}'])
            .is_some_and(|rest| rest.trim_start().starts_with(|own: char| own.is_ascii_digit()))
}

/// The clause without the words around the name.
fn bare(clause: &str) -> String {
    let words = clause.trim().trim_end_matches('.').split_whitespace();
    let words = words.filter(|word| {
        let number = word.trim_start_matches(['+', '-', '\u{2212}']).parse::<i64>().is_ok();
        !number && !AROUND.contains(&word.to_lowercase().as_str())
    });
    words.collect::<Vec<_>>().join(" ")
}
