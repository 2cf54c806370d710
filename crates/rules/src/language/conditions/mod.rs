//! The Conditions section: what conditions do, and how long they last.

pub mod condition;

use crate::grammar::effect::{By, Change, Duration, End, Scope};
use crate::grammar::line::Line;
use crate::language::health::{Trigger, TriggerWhen};
use crate::language::ledger::Ledger;
use crate::language::outline::Outline;
use crate::language::summary::Summary;
use crate::language::system::System;
use crate::section::SectionKind;
use rollbook_text::names::same;

pub use condition::ConditionRule;

/// The conditions, with what they change and how long they last.
pub fn read(outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> Vec<ConditionRule> {
    let mut all: Vec<ConditionRule> = Vec::new();
    for rule in outline.rules(SectionKind::Conditions) {
        let Line::Condition(line) = &rule.line else {
            continue;
        };
        if !ledger.has_room(all.len(), "conditions", rule.span) {
            break;
        }
        let (line, about, place) = (
            line.clone(),
            rule.words().to_owned(),
            ledger.place(rule.span),
        );
        let (name, levels, changes, duration) = (line.name, line.levels, line.changes, line.lasts);
        all.push(ConditionRule {
            name,
            levels,
            changes,
            duration,
            about,
            place,
            span: rule.span,
        });
    }
    all
}

/// Adds the ends that conditions need, and notes what their numbers add.
pub fn assume(system: &mut System, ledger: &mut Ledger<'_>) {
    declare_end(End::Scene, system, ledger);
    declare_end(End::Session, system, ledger);
    assume_successes(system, ledger);
}

/// A condition until the end of the scene or session needs such an end, without effects.
fn declare_end(end: End, system: &mut System, ledger: &mut Ledger<'_>) {
    let lasts = |condition: &&ConditionRule| condition.duration == Some(Duration::UntilEnd(end));
    let Some(first) = system.conditions.iter().find(lasts) else {
        return;
    };
    if system
        .rests
        .iter()
        .any(|trigger| trigger.when == TriggerWhen::EndOf(end))
    {
        return;
    }
    let name = end.name();
    let call = match end {
        End::Session => "manage_session action=\"end\"".to_owned(),
        End::Scene | End::Fight => format!("manage_character action=\"rest\" kind=\"{name}\""),
    };
    ledger.assume(
        format!("{} and the like end with `{call}`", first.name),
        Some(first.place.clone()),
    );
    let (place, span, text) = (
        first.place.clone(),
        first.span,
        "ends what lasts until then".to_owned(),
    );
    let (when, label, effects, tables) = (
        TriggerWhen::EndOf(end),
        name.to_owned(),
        Vec::new(),
        Vec::new(),
    );
    system.rests.push(Trigger {
        when,
        label,
        effects,
        text,
        tables,
        place,
        span,
    });
}

/// Notes that `+2` adds successes where a check counts successes.
fn assume_successes(system: &System, ledger: &mut Ledger<'_>) {
    let Some(check) = system
        .checks
        .iter()
        .find(|check| check.count.is_some() && !check.names("modifier"))
    else {
        return;
    };
    let is_about = |on: &Scope| match on {
        Scope::Checks | Scope::Attacks => true,
        Scope::Check(name) => same(name, &check.name),
        Scope::Attribute(_) | Scope::Skill(_) => false,
    };
    let adds = |change: &Change| matches!(change.by, By::Add(_)) && change.on.iter().any(is_about);
    let condition = system
        .conditions
        .iter()
        .find(|condition| condition.changes.iter().any(adds));
    let attack = || {
        system
            .attacks
            .iter()
            .find(|attack| attack.bonus.is_some())
            .map(|attack| &attack.place)
    };
    if let Some(place) = condition
        .map(|condition| &condition.place)
        .or_else(attack)
        .cloned()
    {
        let name = &check.name;
        let text = format!(
            "what conditions and attacks add to {name} are successes, and no dice, which are `-1 die on checks`"
        );
        ledger.assume(text, Some(place));
    }
}

/// Writes the summary's lines about conditions.
pub fn describe(system: &System, summary: &mut Summary) {
    for condition in &system.conditions {
        let levels = condition
            .levels
            .map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
        let name = format!("{}{levels}", condition.name);
        let changes = condition.changes.iter().map(Change::to_string);
        let parts: Vec<String> = changes
            .chain(condition.duration.as_ref().map(Duration::to_string))
            .collect();
        summary.line(&name, &parts.join("; "), Some(&condition.place));
    }
}
