use super::conditions::{asking, line};
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::grammar::tree::Choice;
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::facts::group_names;
use crate::rules::when::{Measure, Quantity};

lint!("checks/no-numbers", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        let is_empty = |measure: &Measure| needs_numbers(measure.quantity, check) && shows_none(measure, check);
        let value = || {
            let own = check.values.iter().find(|own| own.measures().into_iter().any(is_empty))?;
            line(ledger.sources, &own.place)
        };
        let Some(place) = asking(check, ledger, is_empty).or_else(value) else { continue };
        ledger.report(
            Diagnostic::error(LINT.code, format!("`{}` asks its dice for a number that none of them shows", check.name))
                .at(place, "these dice show symbols alone")
                .help("ask for a symbol by its name, `success 1+`, or write the number on the faces: `- Die Ability: blank, 1, 2`"),
        );
    }
}

/// Whether it is read from the numbers on dice.
fn needs_numbers(quantity: Quantity, check: &Check) -> bool {
    match quantity {
        Quantity::Natural
        | Quantity::Highest
        | Quantity::Lowest
        | Quantity::Width
        | Quantity::Height
        | Quantity::Dominates
        | Quantity::Doubled
        | Quantity::Face(_)
        | Quantity::Of(Choice::Count | Choice::Sum | Choice::Width | Choice::Height | Choice::Digit) => true,
        Quantity::Successes => check.count.is_some(),
        Quantity::Total
        | Quantity::Margin
        | Quantity::Dice
        | Quantity::Pool
        | Quantity::Target
        | Quantity::Beaten
        | Quantity::Match
        | Quantity::Of(Choice::Size)
        | Quantity::Symbol(_) => false,
    }
}

/// Whether it looks at dice of which none has a number.
fn shows_none(measure: &Measure, check: &Check) -> bool {
    let is_of = |labels: &[String]| match &measure.label {
        None => true,
        Some(label) => labels.iter().any(|own| group_names(own).any(|name| name == *label)),
    };
    let clauses = check.no_dice.iter().map(|clause| &clause.what);
    let dice: Vec<_> = std::iter::once(&check.roll).chain(clauses).flat_map(|roll| roll.labelled_dice()).collect();
    let mut those = dice.iter().filter(|(labels, _)| is_of(labels)).peekable();
    those.peek().is_some() && those.all(|(_, die)| die.as_ref().is_some_and(|die| die.is_numberless()))
}
