use super::conditions::asking;
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::checks::PROBE;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::Quantity;

lint!("checks/successes-without-count", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in system.checks.iter().filter(|check| check.count.is_none()) {
        // `8d10t8` counts by itself; a Count that cannot be read has been reported.
        let counts = check.roll.bind(&mut |_| Some(PROBE)).is_ok_and(|roll| roll.counts());
        if counts || check.unread.iter().any(|unread| unread.label.eq_ignore_ascii_case("count")) {
            continue;
        }
        if let Some(place) = asking(check, ledger, |measure| measure.quantity == Quantity::Successes) {
            ledger.report(
                Diagnostic::error(LINT.code, format!("`{}` does not say what a success is", check.name))
                    .at(place, "asks for successes, and there never are any")
                    .and(check.span, "this check has no Count")
                    .help("say which faces count: - Count: `6+`"),
            );
        }
    }
}
