//! Attacks that all may make: tables of rules with the columns Attack or Weapon, and Damage.

mod attack;
mod read;

use super::summary::Summary;
use super::system::System;

pub use attack::CommonAttack;
pub use read::read;

/// Writes the summary's lines about attacks.
pub fn describe(system: &System, summary: &mut Summary) {
    if !system.attacks.is_empty() && system.checks.len() > 1 {
        let of_attacks = system.check_for_name(None, true);
        let first = || {
            system
                .checks
                .first()
                .map(|first| (first, "the first check"))
        };
        if let Some((check, why)) = of_attacks.map(|check| (check, "")).or_else(first) {
            let why = if why.is_empty() {
                String::new()
            } else {
                format!(", {why}; another is said by `check`")
            };
            summary.line(
                "rolled by",
                &format!("{}{why}", check.name),
                Some(&check.place),
            );
        }
    }
    for attack in &system.attacks {
        summary.line(&attack.name, &attack.describe(), Some(&attack.place));
    }
}
