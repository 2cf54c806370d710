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
        let Line::Condition(own) = &rule.line else { continue };
        if !ledger.has_room(all.len(), "conditions", rule.span) {
            break;
        }
        let (own, about, place) = (own.clone(), rule.words().to_owned(), ledger.place(rule.span));
        let (name, levels, changes, duration) = (own.name, own.levels, own.changes, own.lasts);
        all.push(ConditionRule { name, levels, changes, duration, about, place, span: rule.span });
    }
    all
}

/// The ends that conditions need, and what numbers mean that they add.
pub fn assume(system: &mut System, ledger: &mut Ledger<'_>) {
    declare_end(End::Scene, system, ledger);
    declare_end(End::Session, system, ledger);
    assume_successes(system, ledger);
}

/// What lasts until the end of the scene or the session needs such an end, with which nothing else comes.
fn declare_end(end: End, system: &mut System, ledger: &mut Ledger<'_>) {
    let lasts = |own: &&ConditionRule| own.duration == Some(Duration::UntilEnd(end));
    let Some(first) = system.conditions.iter().find(lasts) else { return };
    if system.rests.iter().any(|own| own.when == TriggerWhen::EndOf(end)) {
        return;
    }
    let name = end.name();
    let call = match end {
        End::Session => "manage_session action=\"end\"".to_owned(),
        End::Scene | End::Fight => format!("manage_character action=\"rest\" kind=\"{name}\""),
    };
    ledger.assume(format!("{} and the like end with `{call}`", first.name), Some(first.place.clone()));
    let (place, span, text) = (first.place.clone(), first.span, "ends what lasts until then".to_owned());
    let (when, label, effects, tables) = (TriggerWhen::EndOf(end), name.to_owned(), Vec::new(), Vec::new());
    system.rests.push(Trigger { when, label, effects, text, tables, place, span });
}

/// Where successes are counted, a number that is added is so many of them, which `+2` does not say.
fn assume_successes(system: &System, ledger: &mut Ledger<'_>) {
    let Some(check) = system.checks.iter().find(|own| own.count.is_some() && !own.names("modifier")) else { return };
    let is_about = |on: &Scope| match on {
        Scope::Checks | Scope::Attacks => true,
        Scope::Check(name) => same(name, &check.name),
        Scope::Attribute(_) | Scope::Skill(_) => false,
    };
    let adds = |own: &Change| matches!(own.by, By::Add(_)) && own.on.iter().any(is_about);
    let condition = system.conditions.iter().find(|own| own.changes.iter().any(adds));
    let attack = || system.attacks.iter().find(|own| own.bonus.is_some()).map(|own| &own.place);
    if let Some(place) = condition.map(|own| &own.place).or_else(attack).cloned() {
        let name = &check.name;
        let text = format!(
            "what conditions and attacks add to {name} are successes, and no dice, which are `-1 die on checks`"
        );
        ledger.assume(text, Some(place));
    }
}

/// Its lines of the summary.
pub fn describe(system: &System, summary: &mut Summary) {
    for own in &system.conditions {
        let name = own.levels.map_or(own.name.clone(), |(low, high)| format!("{} ({low} to {high})", own.name));
        let changes = own.changes.iter().map(Change::to_string);
        let parts: Vec<String> = changes.chain(own.duration.as_ref().map(Duration::to_string)).collect();
        summary.line(&name, &parts.join("; "), Some(&own.place));
    }
}
