use super::conditions::{asking, line};
use super::entry::lint;
use crate::diagnostic::{Diagnostic, Place};
use crate::rules::language::checks::{Check, Compared, PROBE};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::Quantity;

lint!("checks/successes-without-count", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in system.checks.iter().filter(|check| check.count.is_none()) {
        // `8d10t8` counts by itself; a Count that cannot be read has been reported.
        let counts = check.roll.bind(&mut |_| Some(PROBE)).is_ok_and(|roll| roll.counts());
        if counts {
            continue;
        }
        if let Some(place) = asking(check, ledger, |measure| measure.quantity == Quantity::Successes) {
            ledger.report(
                Diagnostic::error(LINT.code, format!("`{}` does not say what a success is", check.name))
                    .at(place, "asks for successes, and there never are any")
                    .and(check.span, "this check has no Count")
                    .help("say which faces count: - Count: `6+`"),
            );
        } else if let Some(place) = opposed(check, system) {
            let place = line(ledger.sources, place).unwrap_or(check.span);
            let help = match check.values.iter().find(|own| own.symbol.is_some() && own.is("success")) {
                Some(symbol) => format!("compare the symbol: - Opposed: `higher {{{}}}`", symbol.name),
                None => "say which faces count: - Count: `6+`; or compare what is rolled: - Opposed: `higher total`"
                    .to_owned(),
            };
            ledger.report(
                Diagnostic::warning(LINT.code, format!("`{}` does not say what a success is", check.name))
                    .at(place, "compares successes, and there never are any: totals are compared")
                    .and(check.span, "this check has no Count")
                    .help(help),
            );
        }
    }
}

/// Where successes are compared of two who roll this check against each other; none where the bullet is for checks that count them, too.
fn opposed<'s>(check: &'s Check, system: &System) -> Option<&'s Place> {
    let place = check.opposition.place.as_ref()?;
    check.opposition.by.iter().find(|own| own.what == Compared::Successes)?;
    let counts = |own: &Check| own.count.is_some() && own.opposition.place.as_ref() == Some(place);
    (!system.checks.iter().any(counts)).then_some(place)
}
