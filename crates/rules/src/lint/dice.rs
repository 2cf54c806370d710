//! Dice that the rules do not allow, and changes of dice that no check has.

use super::conditions::inside;
use crate::codes;
use crate::grammar::effect::{By, Change, Scope};
use crate::grammar::print_effect::signed_count;
use crate::language::checks::Check;
use crate::language::conditions::ConditionRule;
use crate::language::dice::read::fixed_dice;
use crate::language::ledger::{Ledger, Scope as Names};
use crate::language::system::System;
use rollbook_dice::Mode;
use rollbook_text::diagnostic::Diagnostic;
use rollbook_text::names::same;

/// Warns about a condition that changes dice of checks which have none of that kind: advantage
/// without a rule how to roll it, steps without a chain, the only die removed.
pub fn no_such_dice(system: &System, ledger: &mut Ledger<'_>) {
    for condition in &system.conditions {
        for change in &condition.changes {
            ledger
                .diagnostics
                .extend(finding(system, condition, change, ledger));
        }
    }
}

fn finding(
    system: &System,
    condition: &ConditionRule,
    change: &Change,
    ledger: &Ledger<'_>,
) -> Option<Diagnostic> {
    let meant = || system.checks.iter().filter(|check| is_meant(change, check));
    let first = meant().next()?;
    let many = change.amount(1);
    let (word, what, lacks, help) = match change.by {
        By::Add(_) => return None,
        By::Advantage | By::Disadvantage => {
            let mode = if change.by == By::Advantage {
                Mode::Advantage
            } else {
                Mode::Disadvantage
            };
            if meant().any(|check| system.swap(mode, check).is_some()) {
                return None;
            }
            (
                mode.as_str(),
                mode.as_str().to_owned(),
                "says what is rolled then",
                swap(mode),
            )
        }
        By::Steps(_) if meant().any(|check| has_chain(system, check)) => return None,
        By::Steps(_) => {
            let help = "say under Dice or in the check which die comes after which: `- Dice chain: d4, d6, d8, d10, d12`";
            (
                "step",
                signed_count(many, "step", "steps"),
                "has a die on a dice chain",
                help.to_owned(),
            )
        }
        By::Dice(_) if meant().any(|check| keeps_dice(check, many)) => return None,
        By::Dice(_) => {
            let without = format!("`- With no dice: …` in {}", first.name);
            let help = format!(
                "write what it takes off the roll: `-2 on checks`; or what is rolled in the place of no dice: {without}"
            );
            let word = if many.abs() == 1 { "die" } else { "dice" };
            (
                word,
                signed_count(many, "die", "dice"),
                "has a die left",
                help,
            )
        }
    };
    let message = format!(
        "`{}` brings {what}, and no check that it is about {lacks}",
        condition.name
    );
    let found = Diagnostic::warning(codes::NO_SUCH_DICE, message)
        .at(inside(ledger, condition.span, word), "changes nothing");
    Some(
        found
            .because(format!("the check rolls {}", first.roll))
            .help(help),
    )
}

fn is_meant(change: &Change, check: &Check) -> bool {
    change.on.iter().any(|on| match on {
        Scope::Check(name) => same(name, &check.name),
        Scope::Checks | Scope::Attacks | Scope::Attribute(_) | Scope::Skill(_) => true,
    })
}

/// Whether its die may move along a chain. A die whose size depends on the sheet may.
fn has_chain(system: &System, check: &Check) -> bool {
    let chain = check.chain.as_ref().or(system.chain.as_ref());
    let varies = || check.roll.bind(&mut |_| None).is_err();
    chain.is_some_and(|chain| {
        check
            .main_die()
            .is_none_or(|die| chain.moved(&die, 0).is_some())
            || varies()
    })
}

/// Whether dice are left. Where their number depends on the sheet, there may be.
fn keeps_dice(check: &Check, many: i64) -> bool {
    check.no_dice.is_some()
        || constant_dice(check).is_none_or(|count| count.saturating_add(many) > 0)
}

/// How many dice of the first kind are rolled, where that does not depend on the sheet.
fn constant_dice(check: &Check) -> Option<i64> {
    let count_with = |value: i64| {
        check
            .roll
            .bind(&mut |_| Some(value))
            .ok()
            .map(|bound| bound.main_count())
    };
    count_with(1).filter(|count| count_with(2) == Some(*count) && *count > 0)
}

/// Help: what to write.
fn swap(mode: Mode) -> String {
    let (label, dice, number) = match mode {
        Mode::Advantage => ("Advantage", "2d20kh1 + {modifier}", "+2"),
        Mode::Disadvantage => ("Disadvantage", "2d20kl1 + {modifier}", "-2"),
    };
    format!(
        "say in the check what is rolled: ``- {label}: `{dice}` ``; or write what it adds: `{number} on checks`"
    )
}

/// Reports dice that the Dice bullet does not allow.
pub fn undeclared_die(system: &System, ledger: &mut Ledger<'_>) {
    if system.dice.place.is_none() || system.dice.is_any() {
        return;
    }
    let mut found = Vec::new();
    for written in ledger
        .written
        .iter()
        .filter(|written| written.scope == Names::Check)
    {
        let Some(die) = fixed_dice(&written.formula)
            .into_iter()
            .find(|die| !system.dice.allows(die))
        else {
            continue;
        };
        found.push(
            Diagnostic::warning(
                codes::UNDECLARED_DIE,
                format!("{die} is not one of the dice of this game"),
            )
            .at(written.text.span(), "rolled here")
            .because(format!(
                "the Dice bullet allows {}, and by hand nothing else may be rolled",
                system.dice.list()
            ))
            .help(format!("add {die} to the Dice bullet")),
        );
    }
    ledger.diagnostics.extend(found);
}
