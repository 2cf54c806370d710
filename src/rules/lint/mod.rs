//! Checks over the whole of what was read, one a file.

mod no_dice;
mod no_target;
mod undeclared_name;

use super::read::Ledger;
use super::system::System;

/// Runs every lint.
pub fn all(system: &System, ledger: &mut Ledger<'_>) {
    no_dice::lint(system, ledger);
    no_target::lint(system, ledger);
    undeclared_name::lint(system, ledger);
}
