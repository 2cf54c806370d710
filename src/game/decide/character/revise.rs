//! Changing a sheet: what follows from the new numbers, and what the rules say happens on the way.

use super::{Sheet, bounds, fields, scores, tracks};
use crate::game::decide::items::{self, How};
use crate::game::mechanics::lookup;
use crate::game::mechanics::threshold::Crossing;
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::Visibility;
use crate::game::record::event::{Event, Field};
use crate::game::record::state::{Character, Track};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::visibility;
use crate::rules::System;

/// What a change of a sheet comes to, before it is written down.
pub struct Revision {
    pub after: Character,
    /// What differs; empty when nothing does.
    pub fields: Vec<Field>,
    /// What the rules did when a track crossed a bound, in the author's words.
    pub triggers: Vec<String>,
    /// The rule that decided last.
    pub rule: Option<String>,
    pub changes: Vec<Change>,
    /// Players may hear of it.
    pub visibility: Visibility,
}

/// Changes one and logs it: the fields, then the belongings.
pub fn update(table: &mut Table, who: &str, sheet: Sheet) -> Result<(), Refusal> {
    bounds::bounds(&sheet)?;
    let before = lookup::character(table.state, table.system(), who)?.clone();
    if let Some(name) = &sheet.name {
        bounds::taken(table.state, name, Some(before.id))?;
    }
    let after = scores::changed(table.system(), &before, &sheet)?;
    let Revision { after, fields, triggers, rule, changes, visibility } = revise(table, &before, after, &sheet)?;
    if fields.is_empty() && sheet.inventory.is_empty() {
        let summary = format!("{} already is as you say. Send the fields that differ.", before.name);
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    if !fields.is_empty() {
        let override_reason = sheet.override_reason;
        let event = Event::CharacterUpdated { subject: after.subject(), fields, override_reason, triggers };
        table.log(Draft { visibility, rule, ..Draft::new("gm", event, changes) });
    }
    if !sheet.inventory.is_empty() {
        items::change(table, &after, &sheet.inventory, How::Set)?;
    }
    Ok(())
}

/// The character with the sheet's fields in place, if the rules and the bounds allow them.
pub fn checked(system: &System, before: &Character, sheet: &Sheet) -> Result<Character, Refusal> {
    bounds::bounds(sheet)?;
    scores::changed(system, before, sheet)
}

/// What it comes to when `before` becomes `after` and the sheet's tracks are set.
pub fn revise(table: &mut Table, before: &Character, after: Character, sheet: &Sheet) -> Result<Revision, Refusal> {
    let since = table.next_id();
    let mut moved = tracks::recomputed(table.state, table.system(), &after, sheet)?;
    let crossing = crossed(table, before, &moved);
    for (was, now) in &crossing.moved {
        match moved.iter_mut().find(|images| images.after.as_ref().is_some_and(|track| track.name == now.name)) {
            Some(images) => images.after = Some(now.clone()),
            None => moved.push(Images::changed(was.clone(), now.clone())),
        }
    }
    crossing.bounds(table.state)?;
    let mut fields = fields::fields(before, &after, &moved);
    fields.extend(crossing.field(table.state));
    // That the GM wrote something down for himself is no news to players.
    let open = before.kind.is_open() && after.kind.is_open() && fields.iter().any(|field| field.field != "gm_notes");
    let mut changes = Vec::new();
    if *before != after {
        changes.push(Change::Character(Images::changed(before.clone(), after.clone())));
    }
    changes.extend(moved.into_iter().map(Change::Track));
    let (triggers, rule) = (crossing.triggers.clone(), crossing.rule.clone());
    changes.extend(crossing.changes(table.state, table.system(), since));
    let visibility = if open { visibility::of_sheet(table.state, before) } else { Visibility::Gm };
    Ok(Revision { after, fields, triggers, rule, changes, visibility })
}

/// What the moved tracks bring. A track that is new stands where it stands and has crossed nothing.
fn crossed(table: &Table, who: &Character, moved: &[Images<Track>]) -> Crossing {
    let mut crossing = Crossing::new(table.state, who.id);
    for images in moved {
        match (&images.before, &images.after) {
            (Some(before), Some(after)) => crossing.cross(table.state, table.system(), before, after, 0),
            (None, Some(after)) => crossing.standing.moved(after),
            _ => {}
        }
    }
    crossing
}
