//! What can be the matter with a character, from the lines of the section.

use super::condition::{ConditionEffect, ConditionRule, EffectChange, EffectOn};
use crate::names::same;
use crate::rules::grammar::effect::{By, Change, Scope, Sign};
use crate::rules::grammar::file::Rule;
use crate::rules::grammar::line::{ConditionLine, Line};
use crate::rules::grammar::names::Thing;
use crate::rules::grammar::tree::{Expr, Part};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::lower;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// Dice or steps of one change.
const DICE_MAX: i64 = 20;

/// The conditions, with what they change and how long they last.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<ConditionRule> {
    let mut all: Vec<ConditionRule> = Vec::new();
    for rule in outline.rules(SectionKind::Conditions) {
        let Line::Condition(own) = &rule.line else { continue };
        if !ledger.has_room(all.len(), "conditions", rule.span) {
            break;
        }
        let levels = own.levels.as_ref().map(|range| lower::both_ends(range, rule.span, ledger));
        let mut effects = Vec::new();
        let is_read = levels != Some(None)
            && own.changes.iter().enumerate().all(|(clause, change)| {
                let found = changed(change, &own.name, clause, system);
                let found = found.map_err(|why| lower::refuse(rule.span, why.0, why.1, ledger));
                found.map(|all| effects.extend(all)).is_ok()
            });
        if is_read {
            all.push(made(rule, own, levels.flatten(), effects, ledger));
        }
    }
    all
}

fn made(
    rule: &Rule,
    line: &ConditionLine,
    levels: Option<(i64, i64)>,
    effects: Vec<ConditionEffect>,
    ledger: &Ledger<'_>,
) -> ConditionRule {
    let (name, duration) = (line.name.clone(), line.lasts.clone());
    let (about, place) = (rule.words.clone(), ledger.place(rule.span));
    ConditionRule { name, levels, effects, duration, about, place, span: rule.span }
}

/// Why something cannot be carried out, and what to write instead.
type Why = (&'static str, &'static str);

/// One change on each thing that it is on; they count once together.
fn changed(own: &Change, condition: &str, clause: usize, system: &System) -> Result<Vec<ConditionEffect>, Why> {
    let (change, per_level) = match &own.by {
        By::Advantage => (EffectChange::Advantage, false),
        By::Disadvantage => (EffectChange::Disadvantage, false),
        By::Add(sign, amount) => {
            let (amount, per_level) = amount_of(*sign, amount, condition)?;
            (EffectChange::Add(amount), per_level)
        }
        By::Dice(sign, amount) | By::Steps(sign, amount) => {
            let (many, per_level) = amount_of(*sign, amount, condition)?;
            if !(1..=DICE_MAX).contains(&many.abs()) {
                return Err(("a condition changes from 1 to 20 dice or steps", "write `-1 die on checks`"));
            }
            let is_dice = matches!(own.by, By::Dice(..));
            (if is_dice { EffectChange::Dice(many) } else { EffectChange::Steps(many) }, per_level)
        }
    };
    let against = own.against_bearer;
    let all = own.on.iter().map(|scope| {
        let on = match scope {
            Scope::Checks => EffectOn::Checks,
            Scope::Attacks => EffectOn::Attacks,
            Scope::Saves => return Err(("saves are not told apart from other checks", "name the check or the skill")),
            Scope::Named(name) => named(name, system)
                .ok_or(("nothing that is rolled is called so", "name a check, a skill or an attribute"))?,
        };
        Ok(ConditionEffect { on, change, per_level, against, clause })
    });
    all.collect()
}

/// A number, or as much as the condition's own level.
fn amount_of(sign: Sign, amount: &Expr, condition: &str) -> Result<(i64, bool), Why> {
    let signed = |number: i64| if sign == Sign::Minus { -number } else { number };
    match amount {
        Expr::Ref(own) if same(&own.name, condition) && own.part == Part::Whole => Ok((signed(1), true)),
        other => {
            let number =
                lower::number(other).ok_or(("expected a number", "write a number, or the condition's own level"))?;
            Ok((signed(number), false))
        }
    }
}

/// An attribute comes before a skill of the same name, a skill before a check.
fn named(name: &str, system: &System) -> Option<EffectOn> {
    let attribute = system.named_attribute(name).map(|own| EffectOn::Attribute(own.name.clone()));
    let skill = || system.named_skill(name).map(|own| EffectOn::Skill(own.name.clone()));
    let check = || system.names.has(name, Thing::Check).then(|| EffectOn::Check(name.to_owned()));
    attribute.or_else(skill).or_else(check)
}
