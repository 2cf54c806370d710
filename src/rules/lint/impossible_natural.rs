#![doc = include_str!("../explained/checks/impossible-natural.md")]

use super::conditions::line;
use crate::diagnostic::Diagnostic;
use crate::dice::Die;
use crate::rules::check::Check;
use crate::rules::codes;
use crate::rules::read::Ledger;
use crate::rules::system::System;

/// Faces that are looked for; no die has more.
const FACE_MAX: i64 = 1_000;

pub(super) fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        let Some(dice) = dice(check) else { continue };
        let shows = |face: i64| dice.iter().any(|die| die.weights().iter().any(|(own, _)| *own == face));
        for shift in
            check.shifts.iter().filter(|shift| !(-FACE_MAX..=FACE_MAX).any(|face| shift.is_by(face) && shows(face)))
        {
            let place = line(ledger.sources, &shift.place).unwrap_or(check.span);
            let named: Vec<String> = dice.iter().map(ToString::to_string).collect();
            ledger.report(
                Diagnostic::warning(codes::IMPOSSIBLE_NATURAL, format!("`{}` never happens", shift.text))
                    .at(place, format!("the check rolls {}, which has no such face", named.join(", ")))
                    .help("name a face that the dice can show"),
            );
        }
    }
}

/// The dice of the check, as long as the size of none is left open.
fn dice(check: &Check) -> Option<Vec<Die>> {
    let with = |value: i64| check.roll.bind(&mut |_| Some(value)).ok().map(|bound| bound.dice());
    let (six, seven) = (with(6)?, with(7)?);
    (!six.is_empty() && six == seven).then_some(six)
}
