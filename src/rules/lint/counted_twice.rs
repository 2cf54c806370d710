#![doc = include_str!("../explained/checks/counted-twice.md")]

use super::conditions::inside;
use crate::diagnostic::Diagnostic;
use crate::names::same;
use crate::rules::chosen::ATTRIBUTE_WORDS;
use crate::rules::codes;
use crate::rules::read::Ledger;
use crate::rules::system::System;

pub(super) fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in system.checks.iter().filter(|check| check.modifier.is_none() && !check.assumed) {
        for formula in [Some(&check.roll), check.target.as_ref()].into_iter().flatten() {
            let names = formula.variables();
            let named = |wanted: &str| names.iter().any(|own| same(&own.name, wanted));
            let declared = |part: &str| system.attribute(part).is_ok() || system.skill(part).is_ok();
            let written = formula.to_string();
            // What `{modifier}` is made of. A declared attribute is not among it: a check may add a second one on purpose.
            let mut parts = ["skill", "attribute"].into_iter().chain(ATTRIBUTE_WORDS);
            let twice = parts.find(|part| named(part) && !declared(part) && is_added(&written, part));
            let (Some(part), true) = (twice, named("modifier")) else { continue };
            let place = inside(ledger, check.span, &written);
            ledger.report(
                Diagnostic::warning(codes::COUNTED_TWICE, format!("`{}` counts {{{part}}} twice", check.name))
                    .at(place, format!("`{{modifier}}` already holds `{{{part}}}`"))
                    .help("name `{modifier}` alone, or the parts alone; or say with a Modifier bullet what `{modifier}` means"),
            );
        }
    }
}

/// Whether a name is a summand of the whole, and not a die's size or how many there are.
fn is_added(written: &str, name: &str) -> bool {
    let wanted = format!("{{{name}}}");
    let mut depth = 0_i32;
    let mut summand = String::new();
    for letter in written.chars().filter(|letter| !letter.is_whitespace()).chain(['+']) {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            '+' | '-' if depth == 0 => {
                if summand.eq_ignore_ascii_case(&wanted) {
                    return true;
                }
                summand.clear();
                continue;
            }
            _ => {}
        }
        summand.push(letter);
    }
    false
}
