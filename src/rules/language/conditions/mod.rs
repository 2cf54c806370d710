//! The Conditions section: what conditions do, and how long they last.

pub mod condition;
pub mod read;

use crate::names::same;
use crate::rules::grammar::effect::{Duration, End};
use crate::rules::language::entry::SectionEntry;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::rests::{Rest, RestKind};
use crate::rules::language::summary::Summary;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

pub use condition::{ConditionEffect, ConditionRule, EffectChange, EffectOn, of_many};

/// The section.
pub const SECTION: SectionEntry = SectionEntry {
    read: |outline, system, ledger| system.conditions = read::read(outline, system, ledger),
    resolve: |_, system, ledger| {
        declare_end(End::Scene, RestKind::Scene, system, ledger);
        declare_end(End::Session, RestKind::Session, system, ledger);
        assume_successes(system, ledger);
    },
    describe,
    ..SectionEntry::of(SectionKind::Conditions)
};

/// What lasts until the end of the scene or the session needs such an end, with which nothing else comes.
fn declare_end(end: End, kind: RestKind, system: &mut System, ledger: &mut Ledger<'_>) {
    let lasts = |own: &&ConditionRule| own.duration == Some(Duration::UntilEnd(end));
    let Some(first) = system.conditions.iter().find(lasts) else { return };
    if system.rests.iter().any(|own| own.kind == kind) {
        return;
    }
    let name = end.name();
    let call = match end {
        End::Session => "manage_session action=\"end\"".to_owned(),
        End::Scene | End::Fight => format!("manage_character action=\"rest\" kind=\"{name}\""),
    };
    ledger.assume(format!("{} and the like end with `{call}`", first.name), Some(first.place.clone()));
    system.rests.push(Rest {
        name: name.to_owned(),
        kind,
        effects: Vec::new(),
        text: "what lasts until then ends".to_owned(),
        place: first.place.clone(),
        span: first.span,
    });
}

/// Where successes are counted, a number that is added is so many of them, which `+2` does not say.
fn assume_successes(system: &System, ledger: &mut Ledger<'_>) {
    let Some(check) = system.checks.iter().find(|own| own.count.is_some() && !own.names("modifier")) else { return };
    let is_about = |on: &EffectOn| match on {
        EffectOn::Checks | EffectOn::Attacks => true,
        EffectOn::Check(name) => same(name, &check.name),
        EffectOn::Attribute(_) | EffectOn::Skill(_) => false,
    };
    let adds = |own: &&ConditionEffect| matches!(own.change, EffectChange::Add(_)) && is_about(&own.on);
    let condition = system.conditions.iter().find(|own| own.effects.iter().any(|effect| adds(&effect)));
    let attack = || system.attacks.iter().find(|own| own.bonus.is_some()).map(|own| &own.place);
    if let Some(place) = condition.map(|own| &own.place).or_else(attack).cloned() {
        let name = &check.name;
        let text = format!(
            "what conditions and attacks add to {name} are successes, and no dice, which are `-1 die on checks`"
        );
        ledger.assume(text, Some(place));
    }
}

fn describe(system: &System, summary: &mut Summary) {
    for own in &system.conditions {
        describe_condition(own, summary);
    }
}

fn describe_condition(own: &ConditionRule, summary: &mut Summary) {
    let name = own.levels.map_or(own.name.clone(), |(low, high)| format!("{} ({low} to {high})", own.name));
    let effects = own.effects.iter().map(ConditionEffect::describe);
    let parts: Vec<String> = effects.chain(own.duration.as_ref().map(Duration::to_string)).collect();
    summary.line(&name, &parts.join("; "), Some(&own.place));
}
