use super::conditions::inside;
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::dice::Mode;
use crate::names::same;
use crate::rules::language::checks::Check;
use crate::rules::language::conditions::{EffectChange, EffectOn};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::resolve::Swapping;

lint!("conditions/no-such-dice", System(lint));

/// Tells of a condition that brings advantage or disadvantage to checks that have none.
fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for condition in &system.conditions {
        for effect in &condition.effects {
            let (mode, label) = match effect.change {
                EffectChange::Advantage => (Mode::Advantage, "Advantage"),
                EffectChange::Disadvantage => (Mode::Disadvantage, "Disadvantage"),
                EffectChange::Add(_) => continue,
            };
            let is_meant = |check: &&Check| match &effect.on {
                EffectOn::Check(name) => same(name, &check.name),
                EffectOn::Checks | EffectOn::Attacks | EffectOn::Attribute(_) | EffectOn::Skill(_) => true,
            };
            let has = |check: &Check| matches!(system.swapping(mode, check), Swapping::Own(_) | Swapping::By(_));
            let mut meant = system.checks.iter().filter(is_meant).peekable();
            let Some(first) = meant.peek().map(|check| check.roll.to_string()) else { continue };
            if meant.any(has) {
                continue;
            }
            let word = mode.as_str();
            let message =
                format!("`{}` brings {word}, and no check that it is about says what is rolled then", condition.name);
            ledger.report(
                Diagnostic::warning(LINT.code, message)
                    .at(inside(ledger, condition.span, word), "changes nothing")
                    .because(format!("the check rolls {first}"))
                    .help(format!(
                        "say in the check what is rolled: ``- {label}: `3d6kl2` ``; or write what it adds or takes: `-2 on checks`"
                    )),
            );
        }
    }
}
