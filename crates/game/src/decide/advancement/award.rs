//! Awards: experience, items, ticks.

use std::collections::BTreeMap;

use crate::decide::character::{SheetCall, revise};
use crate::decide::items::{self, ItemCall, QuantityMode};
use crate::limits::{self, LIMITS};
use crate::mechanics::lookup;
use crate::record::event::{Awarded, Event};
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use crate::view::visibility::sheet_visibility;
use rollbook_rules::System;
use rollbook_text::names::{Found, find, listed, quoted};

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
pub fn award(table: &mut Table, who: Option<&str>, award: &Award) -> Result<(), Refusal> {
    limits::number("xp", award.xp.unwrap_or(0))?;
    limits::count("advance", award.advance.len(), LIMITS.map)?;
    limits::text("reason", award.reason.as_deref().unwrap_or_default(), LIMITS.context)?;
    if award.xp.unwrap_or(0) == 0 && award.items.is_empty() && award.advance.is_empty() {
        let summary = "Nothing is awarded. Send xp=100, inventory=[{\"name\": \"rope\"}] or advance={\"…\": 1}.";
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    let to: Vec<Character> = match who {
        Some(who) => vec![lookup::character(table.state, table.system(), who)?.clone()],
        None => table.state.characters.values().filter(|own| own.is_in_party()).cloned().collect(),
    };
    if to.is_empty() {
        return Err(lookup::no_character_yet(table.system()));
    }
    to.iter().try_for_each(|own| award_one(table, own, award))
}

fn award_one(table: &mut Table, before: &Character, award: &Award) -> Result<(), Refusal> {
    let mut after = before.clone();
    after.xp = before.xp.saturating_add(award.xp.unwrap_or(0));
    if after.xp < 0 {
        let summary = format!("{} has {} XP; no more can be taken.", before.name, before.xp);
        return Err(Refusal::new(Code::NotEnough, summary));
    }
    limits::number("xp", after.xp)?;
    for (name, many) in &award.advance {
        tick(table.system(), &mut after, name, *many)?;
    }
    let revision = revise(table, before, after, &SheetCall::default())?;
    if !revision.fields.is_empty() {
        let subject = revision.after.subject();
        let event = Event::Awarded(Awarded { subject, fields: revision.fields, reason: award.reason.clone() });
        let visibility = sheet_visibility(table.state, before);
        table.log(Draft { visibility, ..Draft::new("gm", event, revision.changes) });
    }
    if award.items.is_empty() {
        return Ok(());
    }
    items::change(table, &revision.after, &award.items, QuantityMode::Add, award.reason.clone())
}

/// Ticks a skill, or takes its tick away.
fn tick(system: &System, after: &mut Character, name: &str, many: i64) -> Result<(), Refusal> {
    limits::number(name, many)?;
    let rules = &system.advancement;
    if rules.ticks.is_none() && rules.improvement.is_none() {
        let summary =
            format!("The rules know nothing to advance by the name \"{}\". Send xp, or level_up.", quoted(name));
        return Err(Refusal::new(Code::UnknownAdvance, summary));
    }
    let loose = after.skills.keys().filter(|_| system.skills.is_empty());
    let skill = match find(name, loose.map(|own| (own.as_str(), own))) {
        Found::One(own) => own.clone(),
        Found::Several(fit) => {
            return Err(which_advance(name, &fit.into_iter().map(String::as_str).collect::<Vec<_>>()));
        }
        Found::Nothing => {
            system.meant(System::skill, name).map_err(|unknown| lookup::unknown(unknown, "advance", ""))?.name.clone()
        }
    };
    match many {
        ..=0 => after.ticks.remove(&skill),
        _ => after.ticks.add(skill, false),
    }
    Ok(())
}

fn which_advance(name: &str, fit: &[&str]) -> Refusal {
    let summary = format!(
        "\"{}\" could mean {}. Send advance={{\"{}\": 1}}, or another of these.",
        quoted(name),
        listed(fit.iter().copied(), 300),
        fit.first().copied().unwrap_or_default()
    );
    Refusal::new(Code::AmbiguousName, summary).did_you_mean(fit.iter().map(|own| (*own).to_owned()).collect())
}
