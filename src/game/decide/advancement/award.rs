//! Awards: experience, items, ticks, marks and milestones.

use std::collections::BTreeMap;

use crate::game::decide::character::{SheetCall, revise};
use crate::game::decide::items::{self, ItemCall, QuantityMode};
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::lookup;
use crate::game::mechanics::tracks;
use crate::game::record::change::{Change, Images};
use crate::game::record::event::Event;
use crate::game::record::state::{Character, State, Track};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::visibility::sheet_visibility;
use crate::names::{Found, find, listed, quoted, same, suggest};
use crate::rules::System;

/// What each character gets.
#[derive(Debug, Default, Clone)]
pub struct Award {
    /// Experience that is added; below zero, taken away.
    pub xp: Option<i64>,
    pub items: Vec<ItemCall>,
    /// Marks by track of advancement, milestones by kind, or a skill to tick.
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
    let mut marks = Vec::new();
    for (name, many) in &award.advance {
        marks.extend(advance(table.state, table.system(), &mut after, name, *many)?);
    }
    // Tracks of advancement have no triggers and are not health.
    let mut revision = revise(table, before, after, &SheetCall::default())?;
    for images in marks {
        revision.fields.extend(tracks::track_field(&images));
        revision.changes.push(Change::Track(images));
    }
    if !revision.fields.is_empty() {
        let subject = revision.after.subject();
        let event = Event::Awarded { subject, fields: revision.fields, reason: award.reason.clone() };
        let visibility = sheet_visibility(table.state, before);
        table.log(Draft { visibility, ..Draft::new("gm", event, revision.changes) });
    }
    if award.items.is_empty() {
        return Ok(());
    }
    items::change(table, &revision.after, &award.items, QuantityMode::Add, award.reason.clone())
}

/// Advances one thing: a track's marks, a milestone, a tick.
fn advance(
    state: &State,
    system: &System,
    after: &mut Character,
    name: &str,
    many: i64,
) -> Result<Option<Images<Track>>, Refusal> {
    limits::number(name, many)?;
    let rules = &system.advancement;
    let kinds = rules.milestones.as_ref().map_or(&[][..], |milestones| &milestones.what);
    let known: Vec<&str> =
        rules.tracks.iter().map(|rule| rule.name.as_str()).chain(kinds.iter().map(String::as_str)).collect();
    let name = match find(name, known.iter().map(|own| (*own, *own))) {
        Found::One(own) => own,
        Found::Several(fit) => return Err(which_advance(name, &fit)),
        Found::Nothing => name,
    };
    if let Some(rule) = rules.tracks.iter().find(|rule| same(&rule.name, name)) {
        let before = state.tracks_of(after.id).find(|track| same(&track.name, &rule.name)).cloned();
        let value = before.as_ref().map_or(0, |track| track.value).saturating_add(many);
        if !(0..=rule.size).contains(&value) {
            let left = before.as_ref().map_or(rule.size, |track| rule.size - track.value);
            let summary = format!(
                "{} has room for {left} more of {}. action=\"level_up\" clears a full one.",
                rule.name, rule.size
            );
            return Err(Refusal::new(Code::NotEnough, summary).at(rule.place.to_string()));
        }
        let row =
            Track { character: after.id, name: rule.name.clone(), value, min: 0, max: Some(rule.size), fixed: true };
        return Ok(Some(Images { before, after: Some(row) }).filter(|images| images.before != images.after));
    }
    if let Some(kind) = kinds.iter().find(|kind| same(kind, name)) {
        let count = after.milestones.get(kind).copied().unwrap_or(0).saturating_add(many);
        match count {
            ..0 => {
                let summary = format!("{} has no milestone \"{kind}\" to take away.", after.name);
                return Err(Refusal::new(Code::NotEnough, summary));
            }
            0 => drop(after.milestones.remove(kind)),
            _ => drop(after.milestones.insert(kind.clone(), count)),
        }
        return Ok(None);
    }
    if rules.ticks.is_some() || rules.improvement.is_some() {
        let loose = after.skills.keys().filter(|_| system.skills.is_empty());
        let skill = match find(name, loose.map(|own| (own.as_str(), own))) {
            Found::One(own) => own.clone(),
            Found::Several(fit) => {
                return Err(which_advance(name, &fit.into_iter().map(String::as_str).collect::<Vec<_>>()));
            }
            Found::Nothing => {
                system.meant_skill(name).map_err(|unknown| lookup::unknown(unknown, "advance", ""))?.name.clone()
            }
        };
        match many {
            ..=0 => after.ticks.remove(&skill),
            _ => after.ticks.add(skill, false),
        }
        return Ok(None);
    }
    let suggestions = suggest(name, known.iter().copied());
    let summary = match suggestions.first() {
        _ if known.is_empty() => {
            format!("The rules know nothing to advance by the name \"{}\". Send xp, or level_up.", quoted(name))
        }
        Some(first) => {
            format!("Nothing to advance is called \"{}\". Send advance={{\"{first}\": {many}}}.", quoted(name))
        }
        None => format!(
            "Nothing to advance is called \"{}\". Send advance={{\"…\": 1}} with one of: {}.",
            quoted(name),
            known.join(", ")
        ),
    };
    Err(Refusal::new(Code::UnknownAdvance, summary).did_you_mean(suggestions))
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
