use crate::codes;
use crate::language::dice::read::fixed_dice;
use crate::language::ledger::{Ledger, Scope};
use crate::language::system::System;
use rollbook_text::diagnostic::Diagnostic;

pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    if system.dice.place.is_none() || system.dice.is_any() {
        return;
    }
    let mut found = Vec::new();
    for written in ledger.written.iter().filter(|written| written.scope == Scope::Check) {
        let Some(die) = fixed_dice(&written.formula).into_iter().find(|die| !system.dice.allows(die)) else { continue };
        found.push(
            Diagnostic::warning(codes::UNDECLARED_DIE, format!("{die} is not one of the dice of this game"))
                .at(written.text.span(), "rolled here")
                .because(format!(
                    "the Dice bullet allows {}, and by hand nothing else may be rolled",
                    system.dice.list()
                ))
                .help(format!("add {die} to the Dice bullet")),
        );
    }
    for diagnostic in found {
        ledger.report(diagnostic);
    }
}
