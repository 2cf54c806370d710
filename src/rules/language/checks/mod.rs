//! The Checks section: how uncertain things are resolved, one level-3 heading a check.

pub mod asks;
pub mod check;
pub mod check_cost;
pub mod count;
pub mod dealt;
mod default_check;
pub mod follow_up;
mod lines;
pub mod moves;
mod naming;
pub mod opposition;
pub mod outcome;
pub mod price;
mod read;
pub mod row_move;
mod rows;
pub mod some_dice;
mod stated;

use std::collections::HashMap;

use crate::diagnostic::Span;
use crate::dice::brief;
use crate::rules::document::Block;
use crate::rules::grammar::line::For;
use crate::rules::language::attributes::worth;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::number_table::Base;
use crate::rules::language::outline::Outline;
use crate::rules::language::summary::Summary;
use crate::rules::language::summary::with_note;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;
use crate::rules::when::facts::Succeed;

pub use asks::{Asked, AskedFrom};
pub use check::{Check, Flag, PROBE, RESULT, Row, Shift, of_target};
pub use check_cost::{CheckCost, PaidFrom};
pub use count::{Count, Weight};
pub use dealt::{Deals, dice_twice, row_formula};
pub use follow_up::{FollowUp, FollowUpChange, Points};
pub use opposition::{Compared, Comparison, Opposition, Ties};
pub use outcome::Outcome;
pub use price::Added;
pub use row_move::{Need, While, without_column};
pub use some_dice::SomeDice;
pub use stated::{Stated, StatedEnds, StatedFault, stated};

/// The checks, else the one that is taken for granted.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    read::read(outline, system, ledger);
    // Where the author wrote a check that cannot be read, a default would be a rule that nobody wrote.
    if system.checks.is_empty() && system.lost_checks.is_empty() {
        system.checks.extend(default_check::read(outline, system, ledger));
    }
    assign_skills(outline, system);
    worth::assume_modifiers(system, ledger);
}

/// Gives each skill of a table that stands below a check's heading to that check.
fn assign_skills(outline: &Outline<'_>, system: &mut System) {
    let checks: HashMap<Span, &str> = system.checks.iter().map(|own| (own.span, own.name.as_str())).collect();
    let sections = outline.sections(SectionKind::Checks).flat_map(|own| std::iter::once(own).chain(&own.subsections));
    let tables: Vec<(Span, &str)> = sections
        .filter_map(|own| Some((own, *checks.get(&own.heading.as_ref()?.span())?)))
        .flat_map(|(own, check)| own.blocks.iter().map(move |block| (block, check)))
        .filter(|(block, _)| matches!(block, Block::Table(_)))
        .map(|(block, check)| (block.span(), check))
        .collect();
    for skill in &mut system.skills {
        let Some(Base::Table(table)) = &skill.base else { continue };
        let own = tables.iter().find(|(own, _)| own.holds(table.span));
        skill.check = own.map(|(_, check)| (*check).to_owned());
    }
}

/// Its lines of the summary.
pub fn describe(system: &System, summary: &mut Summary) {
    for check in &system.checks {
        describe_check(check, summary);
    }
}

/// The check in one line, then each part and each row in its own.
fn describe_check(check: &Check, summary: &mut Summary) {
    let what_is_compared = if check.count.is_some() { "successes " } else { "" };
    let target = check.target.as_ref().map(|target| match check.succeed {
        Succeed::AtLeast => format!(", {what_is_compared}at least {target}"),
        Succeed::AtMost => format!(", {what_is_compared}at most {target}"),
    });
    let what = format!("{}{}", brief(&check.roll.to_string()), target.unwrap_or_default());
    summary.line(&check.name, &with_note(what, check.assumed), Some(&check.place));
    for (name, clause) in [("with no dice", &check.no_dice), ("opposing dice", &check.opposing)] {
        if let Some(clause) = clause {
            summary.line(&format!("  {name}"), &brief(&clause.what.to_string()), Some(&clause.place));
        }
    }
    if let Some(count) = &check.count {
        summary.line("  successes", &count.describe(), Some(&count.place));
    }
    if let Some(result) = &check.result {
        summary.line("  result", &result.text, Some(&result.place));
    }
    for shift in &check.shifts {
        let steps = match shift.steps {
            1 => "one step better".to_owned(),
            -1 => "one step worse".to_owned(),
            steps if steps < 0 => format!("{} steps worse", -steps),
            steps => format!("{steps} steps better"),
        };
        let faces = shift.range();
        summary.line(&format!("  natural {faces}"), &steps, Some(&shift.place));
    }
    if !check.for_whom.is_empty() {
        let whom: Vec<&str> = check.for_whom.iter().map(For::words).collect();
        summary.line("  for", &whom.join(", "), Some(&check.place));
    }
    if let Some(own) = &check.while_held {
        summary.line("  while", &own.text, Some(&own.place));
    }
    for own in &check.asks {
        summary.line(&format!("  asks {}", own.name), &own.describe(), Some(&own.place));
    }
    for own in &check.costs {
        summary.line("  costs", &own.text, Some(&own.place));
    }
    for row in &check.rows {
        let label = if row.canonical.as_str() == row.label.to_lowercase() {
            row.label.clone()
        } else {
            format!("{} ({})", row.label, row.canonical)
        };
        summary.line(&format!("  {label}"), &row.when_text, Some(&row.place).filter(|_| !check.assumed));
        for own in &row.moves {
            summary.line("    moves", &own.text, Some(&own.place));
        }
        if let Some(damage) = &row.damage {
            summary.line("    deals", &damage.deals.describe(), Some(&damage.place));
        }
        for effect in &row.effects {
            summary.line("    brings", &effect.condition, Some(&effect.place));
        }
    }
    for (name, own) in [("  advantage", &check.advantage), ("  disadvantage", &check.disadvantage)] {
        if let Some(swap) = own.swap() {
            summary.line(name, &brief(&swap.roll.to_string()), swap.place.as_ref());
        }
    }
    if let Some(chain) = &check.chain {
        summary.line("  dice chain", &chain.list(), Some(&chain.place));
    }
    if let Some(place) = &check.opposition.place {
        summary.line("  opposed", &check.opposition.text, Some(place));
    }
    for own in check.values.iter().filter(|own| own.symbol.is_none()) {
        summary.line(&format!("  value {}", own.name), &own.text, Some(&own.place));
    }
    for flag in &check.flags {
        summary.line(&format!("  flag {}", flag.name), &flag.when_text, Some(&flag.place));
    }
    for follow in &check.follow_ups {
        summary.line(&format!("  {}", follow.name), &follow.describe(), Some(&follow.place));
    }
}
