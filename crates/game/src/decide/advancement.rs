//! Advancement by the rules' Advancement section.
//!
//! - Experience comes by [`award()`]. A table of levels compares the total; where a formula gives
//!   the cost of a level (``Level up at: `7 + {level}` XP``), a level spends it.
//! - A check ticks its skill where the rules say so ([`tick()`]); ticked skills are rolled for,
//!   which removes the tick.
//!
//! [`level_up`] is one step with everything that came with it, so one undo takes it back.

use std::collections::BTreeMap;

use crate::decide::character::{self, SheetCall, apply_sheet, revise};
use crate::decide::items::{self, ItemCall, Quantity};
use crate::limits::{self, LIMITS};
use crate::mechanics::values::{Values, dice_refusal};
use crate::mechanics::{health::Vitality, lookup, tracks::main_name};
use crate::record::change::{Change, Images};
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{
    Awarded, CheckEvent, CombatEnded, Event, Field, HIDDEN_TICKS, Improved, LevelUp,
};
use crate::record::state::{Character, State};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::{record::purpose::GAIN, view::visibility::sheet_visibility};
use rollbook_rules::{Improvement, Outcome, System};
use rollbook_text::diagnostic::Place;
use rollbook_text::names::{Found, find, fold, listed, quoted, same};

/// What each character gets.
#[derive(Debug, Default, Clone)]
pub struct Award {
    /// Experience that is added; below zero, taken away.
    pub xp: Option<i64>,
    pub items: Vec<ItemCall>,
    /// Skills to tick: 1, or 0 to take a tick away.
    pub advance: BTreeMap<String, i64>,
    pub reason: Option<String>,
}

/// Awards it to one character, or to everybody in the party.
pub fn award(table: &mut Table, who: Option<&str>, award: &Award) -> Result<()> {
    limits::number("xp", award.xp.unwrap_or(0))?;
    limits::count("advance", award.advance.len(), LIMITS.map)?;
    limits::text(
        "reason",
        award.reason.as_deref().unwrap_or_default(),
        LIMITS.context,
    )?;
    if award.xp.unwrap_or(0) == 0 && award.items.is_empty() && award.advance.is_empty() {
        let summary = "Nothing is awarded. Send xp=100, inventory=[{\"name\": \"rope\"}] or advance={\"…\": 1}.";
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    let state = &*table.state;
    let is_dead = |who: &Character| Vitality::of(state, who.id).is_dead();
    let to: Vec<Character> = match who {
        Some(who) => {
            let who = lookup::character(state, table.system(), who)?;
            if award.items.is_empty() && is_dead(who) {
                return Err(dead(who));
            }
            vec![who.clone()]
        }
        None => {
            let party = state.characters.values().filter(|who| who.is_in_party());
            let (dead, living): (Vec<&Character>, _) = party.partition(|who| is_dead(who));
            let names = listed(dead.iter().map(|who| who.name.as_str()), 300);
            let living: Vec<Character> = living.into_iter().cloned().collect();
            table.note((!dead.is_empty()).then(|| format!("Nothing for the dead: {names}")));
            living
        }
    };
    if to.is_empty() {
        return Err(lookup::no_character(table.system(), None));
    }
    let since = table.next_id();
    to.iter().try_for_each(|who| award_one(table, who, award))?;
    if table.next_id() == since {
        let summary = "Everybody who is named has that tick, or had none that could be taken away: nothing is awarded.";
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    Ok(())
}

/// The refusal of what the dead no longer get.
fn dead(who: &Character) -> Refusal {
    let summary = format!("{} is dead, and gets nothing any more.", who.name);
    Refusal::new(Code::TargetDead, summary)
}

fn award_one(table: &mut Table, before: &Character, award: &Award) -> Result<()> {
    let mut after = before.clone();
    after.xp = before.xp.saturating_add(award.xp.unwrap_or(0));
    if after.xp < 0 {
        let summary = format!(
            "{} has {} XP; no more can be taken.",
            before.name, before.xp
        );
        return Err(Refusal::new(Code::NotEnough, summary));
    }
    limits::number("xp", after.xp)?;
    for (name, many) in &award.advance {
        set_tick(table.system(), &mut after, name, *many)?;
    }
    let revision = revise(table, before, after, &SheetCall::default())?;
    if !revision.fields.is_empty() {
        let subject = revision.after.subject();
        let event = Event::Awarded(Awarded {
            subject,
            fields: revision.fields,
            reason: award.reason.clone(),
        });
        let visibility = sheet_visibility(table.state, before);
        table.log(Draft {
            visibility,
            ..Draft::new("gm", event, revision.changes)
        });
    }
    if award.items.is_empty() {
        return Ok(());
    }
    items::change(
        table,
        &revision.after,
        &award.items,
        Quantity::Add,
        award.reason.as_deref(),
    )
}

fn set_tick(system: &System, after: &mut Character, name: &str, many: i64) -> Result<()> {
    limits::number(name, many)?;
    let rules = &system.advancement;
    if rules.ticks.is_none() && rules.improvement.is_none() {
        let why = format!(
            "The rules know nothing to advance by the name \"{}\". Send xp, or level_up.",
            quoted(name)
        );
        return Err(Refusal::new(Code::UnknownAdvance, why));
    }
    let loose = after.skills.keys().filter(|_| system.skills.is_empty());
    let skill = match find(name, loose.map(|skill| (skill.as_str(), skill))) {
        Found::One(skill) => skill.clone(),
        Found::Several(fit) => {
            let first = fit.first().map_or("", |first| first.as_str());
            let (name, several) = (
                quoted(name),
                listed(fit.iter().map(|fit| fit.as_str()), 300),
            );
            let why = format!(
                "\"{name}\" could mean {several}. Send advance={{\"{first}\": 1}}, or another of these."
            );
            let refusal = Refusal::new(Code::AmbiguousName, why);
            return Err(refusal.did_you_mean(fit.into_iter().cloned().collect()));
        }
        Found::Nothing => system
            .find_by_words(System::skill, name)
            .map_err(|unknown| lookup::unknown(unknown, "advance", ""))?
            .name
            .clone(),
    };
    match many {
        ..=0 => after.ticks.remove(&skill),
        _ => after.ticks.add(skill, false),
    }
    Ok(())
}

/// Levels up with the choices. Ticked skills are rolled for first, or alone.
pub fn level_up(table: &mut Table, who: Option<&str>, call: &SheetCall) -> Result<()> {
    let named = who.map(|who| lookup::character(table.state, table.system(), who));
    let before = named
        .unwrap_or_else(|| lookup::sole_player(table.state, table.system()))?
        .clone();
    if Vitality::of(table.state, before.id).is_dead() {
        return Err(dead(&before));
    }
    let rules = &table.system().advancement;
    let others = rules.level_up.is_some() || !rules.thresholds.is_empty();
    match &rules.improvement {
        Some(improvement) if !before.ticks.is_empty() => {
            let improved = improve(table, &before, improvement)?;
            let is_due = others && price(table.system(), &improved).is_ok();
            if is_due {
                step(table, improved, call)
            } else {
                Ok(())
            }
        }
        Some(improvement) if !others => {
            let name = &before.name;
            let summary = format!(
                "{name} has no ticked skill to improve. Send action=\"award\" advance={{\"…\": 1}} for each skill that earned a \
                 tick."
            );
            Err(Refusal::new(Code::NotYet, summary).at(&improvement.place))
        }
        Some(_) | None => step(table, before, call),
    }
}

fn step(table: &mut Table, before: Character, call: &SheetCall) -> Result<()> {
    let override_reason = call.override_reason.clone();
    let price = match price(table.system(), &before) {
        // The GM may give a level early; it is free.
        Err(refusal) if refusal.code == Code::NotYet && override_reason.is_some() => None,
        other => other?,
    };
    character::check_limits(call)?;
    let mut after = apply_sheet(table.system(), &before, call)?;
    after.level = before.level.saturating_add(1);
    if let Some((xp, true)) = price {
        after.xp = before.xp - xp;
    }
    let revision = revise(table, &before, after, call)?;
    let follows = |field: &Field| !["level", "xp"].contains(&field.field.as_str());
    if override_reason.is_none()
        && call.inventory.is_empty()
        && !revision.fields.iter().any(follows)
    {
        let summary = format!(
            "Nothing follows from a level of {} by itself, and the call says nothing that comes with it. Send attributes, skills or \
             notes as the rules say, or override_reason=\"…\" for the bare level.",
            before.name
        );
        return Err(Refusal::new(Code::MissingValue, summary));
    }
    let (subject, level) = (revision.after.subject(), revision.after.level);
    let (fields, triggers, visibility) = (revision.fields, revision.triggers, revision.visibility);
    let event = Event::LevelUp(LevelUp {
        subject,
        level,
        fields,
        override_reason,
        triggers,
    });
    let rules = &table.system().advancement;
    let level_up = || rules.level_up.as_ref().map(|clause| &clause.place);
    let rule = rules
        .thresholds_place
        .as_ref()
        .or_else(level_up)
        .map(ToString::to_string);
    table.log(Draft {
        visibility,
        rule,
        ..Draft::new("gm", event, revision.changes)
    });
    table.move_later(&revision.shared, &revision.after.name, visibility);
    Ok(())
}

fn xp_for_next(system: &System, level: i64) -> Option<(i64, bool, Option<&Place>)> {
    let rules = &system.advancement;
    let next = level.checked_add(1)?;
    match rules.thresholds.iter().find(|row| row.level == next) {
        Some(row) => Some((row.xp, false, rules.thresholds_place.as_ref())),
        None => Some((
            rules.next_level_xp(level)?,
            true,
            rules.level_up.as_ref().map(|clause| &clause.place),
        )),
    }
}

/// The experience for a level, and whether it is spent; `None`: the GM says. Refused: too little.
fn price(system: &System, who: &Character) -> Result<Option<(i64, bool)>> {
    let (Character { name, xp: has, .. }, level) = (who, who.level.saturating_add(1));
    match xp_for_next(system, who.level) {
        Some((xp, is_spent, _)) if *has >= xp => Ok(Some((xp, is_spent))),
        Some((xp, _, place)) => {
            let missing = xp - has;
            let summary = format!(
                "{name} has {has} of the {xp} XP that level {level} takes; {missing} are missing. Send action=\"award\" \
                 xp={missing}, or override_reason=\"…\" for a level all the same."
            );
            let source = place.map(|place| place.to_string().into_boxed_str());
            Err(Refusal {
                source,
                ..Refusal::new(Code::NotYet, summary)
            })
        }
        None if system.advancement.thresholds.is_empty() => Ok(None),
        None => Err(Refusal::new(
            Code::NotYet,
            format!("The table of levels ends before level {level}."),
        )),
    }
}

/// Whether a character can advance now.
pub fn is_due(system: &System, who: &Character) -> bool {
    let improves = system.advancement.improvement.is_some() && !who.ticks.is_empty();
    improves || matches!(price(system, who), Ok(Some(_)))
}

/// "250 of 300 XP for level 2", where the rules count experience.
pub fn progress(system: &System, who: &Character) -> Option<String> {
    let (xp, ..) = xp_for_next(system, who.level)?;
    Some(format!(
        "{} of {xp} XP for level {}",
        who.xp,
        who.level.saturating_add(1)
    ))
}

/// Ticks the skill of a check whose outcome earned it. The GM removes one with `award` and 0.
pub fn tick(table: &mut Table, check: CheckEvent, visibility: Visibility) -> Result<()> {
    let rule = table
        .system()
        .advancement
        .ticks
        .as_ref()
        .filter(|rule| has_earned(&check, &rule.what));
    let Some(rule) = rule else { return Ok(()) };
    let shown = matches!(visibility, Visibility::Public | Visibility::OutcomeOnly);
    let who = check
        .subject
        .as_ref()
        .and_then(|subject| table.state.characters.get(&subject.id));
    let (Some(before), Some(skill)) = (who.filter(|it| it.is_in_party()).cloned(), check.skill)
    else {
        return Ok(());
    };
    let mut after = before.clone();
    after.ticks.add(skill, !shown);
    if after == before {
        return Ok(());
    }
    let mut revision = revise(table, &before, after, &SheetCall::default())?;
    if shown {
        // That it had a hidden one players do not read.
        revision.fields.retain(|field| field.field != HIDDEN_TICKS);
    }
    let event = Event::Awarded(Awarded {
        subject: revision.after.subject(),
        fields: revision.fields,
        reason: None,
    });
    // A tick shows the check's outcome.
    let visibility = if shown {
        Visibility::Public
    } else {
        Visibility::Gm
    };
    let rule = Some(rule.place.to_string());
    table.log(Draft {
        visibility,
        rule,
        ..Draft::new("system", event, revision.changes)
    });
    Ok(())
}

/// What a check that is opened shows players of its character's ticks.
pub fn opened(state: &State, system: &System, entry: &Entry) -> Option<Change> {
    let (rule, Event::Check(check)) = (system.advancement.ticks.as_ref()?, &entry.event) else {
        return None;
    };
    let (who, skill) = (
        state.characters.get(&check.subject.as_ref()?.id)?,
        check.skill.as_ref()?,
    );
    let is_shown = who.ticks.hidden.contains(skill) && has_earned(check, &rule.what);
    is_shown.then(|| shown(who, [skill].into_iter().cloned()))
}

/// The change that shows players these ticks.
pub fn shown(who: &Character, skills: impl Iterator<Item = String>) -> Change {
    let mut after = who.clone();
    skills.for_each(|skill| after.ticks.add(skill, false));
    Change::Character(Images::changed(who.clone(), after))
}

/// Whether the outcome is one of these. The loser of an opposed check did not succeed.
fn has_earned(check: &CheckEvent, ways: &[String]) -> bool {
    let lost = check.opposed.as_ref().is_some_and(|opposed| !opposed.won);
    let is = |way: &String| match Outcome::named(&fold(way)) {
        Some(outcome) => check.outcome == Some(outcome) && !(lost && outcome >= Outcome::Success),
        None => check.label.as_ref().is_some_and(|label| same(label, way)) && !lost,
    };
    ways.iter().any(is)
}

fn improve(table: &mut Table, before: &Character, rule: &Improvement) -> Result<Character> {
    let mut after = before.clone();
    let mut rolls = Vec::new();
    let ticks = std::mem::take(&mut after.ticks);
    for name in ticks.all().into_iter().cloned() {
        let values = Values::of(table.state, table.system(), before);
        let known = match table.system().skill(&name) {
            Ok(skill) => Some(values.skill(skill).map_or(0, |found| found.value)),
            // Where the rules declare no skills, sheets may have any.
            Err(_) => before.skills.get(&name).copied(),
        };
        let Some(known) = known else { continue };
        let (roll, gain) = (values.bind(&rule.roll)?, values.bind(&rule.gain)?);
        let given = BTreeMap::from([("skill".to_owned(), known)]);
        let against = values
            .bind_beside(&rule.against, &given)?
            .constant()
            .unwrap_or(known);
        let mut throw = |expression, purpose| -> Result<i64> {
            let record = table
                .roll(expression, &before.name, purpose)
                .map_err(|error| dice_refusal(&error))?;
            let total = record.roll.total;
            rolls.push(record);
            Ok(total)
        };
        let thrown = throw(&roll, &name)?;
        if rule.is_met(thrown, against) {
            let gained = throw(&gain, GAIN)?;
            after.skills.insert(
                name,
                known
                    .saturating_add(gained)
                    .clamp(-LIMITS.number, LIMITS.number),
            );
        }
    }
    let revision = revise(table, before, after, &SheetCall::default())?;
    let event = Event::Improved(Improved {
        subject: revision.after.subject(),
        fields: revision.fields,
    });
    let visibility = sheet_visibility(table.state, before);
    let rule = Some(rule.place.to_string());
    table.log(Draft {
        visibility,
        rolls,
        rule,
        ..Draft::new("gm", event, revision.changes)
    });
    Ok(revision.after)
}

/// What the foes defeated in this call, or in the fight it ended, are worth; how to award it.
pub fn offer(table: &Table) -> Option<String> {
    let ended = table
        .call_entries()
        .find_map(|written| match written.entry.event {
            Event::CombatEnded(CombatEnded { combat, .. }) => Some(combat),
            _ => None,
        });
    let down = |combat| {
        table
            .state
            .combatants_of(combat)
            .filter(|member| member.defeated)
    };
    let defeated = ended.map(|combat| down(combat).map(|member| member.character).collect());
    let defeated: Vec<i64> = defeated.unwrap_or_else(|| newly_defeated(table));
    let worth = |id: &i64| {
        let who = table
            .state
            .characters
            .get(id)
            .filter(|who| !who.kind.is_open())?;
        Some((who.name.as_str(), who.worth.filter(|worth| *worth > 0)?))
    };
    let worthy: Vec<(&str, i64)> = defeated.iter().filter_map(worth).collect();
    let total = worthy
        .iter()
        .fold(0_i64, |sum, (_, worth)| sum.saturating_add(*worth));
    let party = table
        .state
        .characters
        .values()
        .filter(|who| who.is_in_party())
        .count();
    let party = i64::try_from(party)
        .ok()
        .filter(|party| *party > 0 && !worthy.is_empty())?;
    let names = listed(worthy.iter().map(|(name, _)| *name), 120);
    let verb = if worthy.len() == 1 { "is" } else { "are" };
    if ended.is_none() && table.state.running_combat().is_some() {
        return Some(format!(
            "{names} {verb} worth {total} XP, which the fight's end offers with the others'."
        ));
    }
    let each = total / party;
    let share = if party == 1 {
        String::new()
    } else {
        format!(", {each} for each of {party}")
    };
    Some(format!(
        "{names} {verb} worth {total} XP{share}: manage_character action=\"award\" xp={each} gives it to each of the party."
    ))
}

fn newly_defeated(table: &Table) -> Vec<i64> {
    let main = main_name(table.system());
    let mut defeated = Vec::new();
    for change in table
        .call_entries()
        .flat_map(|written| &written.entry.changes)
    {
        let who = match change {
            Change::Combatant(Images {
                before: Some(before),
                after: Some(after),
            }) => (after.defeated && !before.defeated).then_some(after.character),
            Change::Track(Images {
                before: Some(before),
                after: Some(after),
            }) if after.name == main => {
                (after.value <= after.min && before.value > before.min).then_some(after.character)
            }
            _ => None,
        };
        defeated.extend(who.filter(|who| !defeated.contains(who)));
    }
    defeated
}
