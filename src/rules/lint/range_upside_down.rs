use super::conditions::{first, inside};
use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix};
use crate::dice::Fraction;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::{Expr, Range, When};

lint!("checks/range-upside-down", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        let conditions = check.conditions();
        for (low, high) in conditions.flat_map(upside_down) {
            let Some(place) = first(check, ledger, |when| upside_down(when).contains(&(low, high))) else { continue };
            let message = format!("the range from {low} to {high} is upside down");
            let mut diagnostic = Diagnostic::error(LINT.code, message);
            let written = ["-", " - ", "\u{2013}", " to "].map(|between| (between, format!("{low}{between}{high}")));
            let found = written.iter().find_map(|(between, words)| {
                let span = inside(ledger, place, words);
                (span != place).then_some((span, *between))
            });
            diagnostic = match found {
                None => diagnostic.at(place, "nothing lies in it").help(format!("write {high} to {low}")),
                Some((span, between)) => {
                    let replacement = format!("{high}{between}{low}");
                    let message = format!("write `{replacement}`");
                    diagnostic.at(span, "nothing lies in it").fix(Fix { span, replacement, message })
                }
            };
            ledger.report(diagnostic);
        }
    }
}

/// The ranges of a condition whose ends are numbers, the first the greater one.
fn upside_down(when: &When) -> Vec<(Fraction, Fraction)> {
    let When::Any(alternatives) = when else { return Vec::new() };
    let ends = alternatives.iter().flatten().filter_map(|condition| match &condition.range {
        Range::Between(Expr::Number(low), Expr::Number(high)) => Some((*low, *high)),
        _ => None,
    });
    ends.filter(|(low, high)| low.compare(*high).is_some_and(std::cmp::Ordering::is_gt)).collect()
}
