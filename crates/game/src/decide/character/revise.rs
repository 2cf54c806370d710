//! Changes a character: its fields, its tracks, and what follows when a track crosses a threshold.

use super::{SheetCall, check_limits, check_name_free, scores, tracks};

use crate::decide::items::{self, QuantityMode};
use crate::mechanics::lookup;
use crate::mechanics::threshold::Consequences;
use crate::mechanics::tracks::render_value;
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{CharacterUpdated, Event, Field, HIDDEN_TICKS, OF_GM};
use crate::record::state::{Character, Track};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use crate::view::secrets;
use crate::view::visibility;
use rollbook_rules::{Effect, System};

/// A change of a character, before it is logged.
pub struct Revision {
    pub after: Character,
    /// The changed fields; empty when nothing differs.
    pub fields: Vec<Field>,
    /// The texts of the triggers that fired.
    pub triggers: Vec<String>,
    /// The rule that decided last.
    pub rule: Option<String>,
    pub changes: Vec<Change>,
    /// What it moves of that which all share.
    pub shared: Vec<(Effect, i64)>,
    /// Whether players may see it.
    pub visibility: Visibility,
}

/// Changes a character and logs it: the fields, then the items.
pub fn update(table: &mut Table, who: &str, sheet: SheetCall) -> Result<(), Refusal> {
    check_limits(&sheet)?;
    let before = lookup::character(table.state, table.system(), who)?.clone();
    if let Some(name) = &sheet.name {
        check_name_free(table.state, name, Some(before.id))?;
        if !secrets::is_hidden_from_players(table.state, &before) {
            secrets::check_name(table.state, name)?;
        }
    }
    let after = scores::apply_sheet(table.system(), &before, &sheet)?;
    let Revision { after, fields, triggers, rule, changes, shared, visibility } =
        revise(table, &before, after, &sheet)?;
    if fields.is_empty() && sheet.inventory.is_empty() {
        let summary = format!("{} already is as you say. Send the fields that differ.", before.name);
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    if !fields.is_empty() {
        let override_reason = sheet.override_reason;
        let event =
            Event::CharacterUpdated(CharacterUpdated { subject: after.subject(), fields, override_reason, triggers });
        table.log(Draft { visibility, rule, ..Draft::new("gm", event, changes) });
        table.move_later(&shared, &after.name, visibility);
    }
    if !sheet.inventory.is_empty() {
        items::change(table, &after, &sheet.inventory, QuantityMode::Set, None)?;
    }
    Ok(())
}

/// The character with the call's fields applied, if the rules and the limits allow them.
pub fn apply_checked(system: &System, before: &Character, sheet: &SheetCall) -> Result<Character, Refusal> {
    check_limits(sheet)?;
    scores::apply_sheet(system, before, sheet)
}

/// Works out the change from `before` to `after`, with the tracks that the sheet sets.
pub fn revise(table: &mut Table, before: &Character, after: Character, sheet: &SheetCall) -> Result<Revision, Refusal> {
    let since = table.next_id();
    let mut moved = tracks::recompute(table.state, table.system(), &after, sheet)?;
    let mut consequences = consequences_of(table, before, &moved);
    for (was, now) in &std::mem::take(&mut consequences.moved) {
        match moved.iter_mut().find(|images| images.after.as_ref().is_some_and(|track| track.name == now.name)) {
            Some(images) => images.after = Some(now.clone()),
            None => moved.push(Images::changed(was.clone(), now.clone())),
        }
    }
    consequences.check_limits(table.state, table.system())?;
    let mut fields = fields(before, &after, &moved);
    fields.extend(consequences.conditions_field(table.state));
    // A change of what only the GM knows is not public.
    let open = before.kind.is_open()
        && after.kind.is_open()
        && fields.iter().any(|field| !OF_GM.contains(&field.field.as_str()));
    let mut changes = Vec::new();
    if *before != after {
        changes.push(Change::Character(Images::changed(before.clone(), after.clone())));
    }
    changes.extend(moved.into_iter().map(Change::Track));
    let (triggers, rule) = (consequences.triggers.clone(), consequences.rule.clone());
    let shared = consequences.shared.clone();
    changes.extend(consequences.into_changes(table.state, table.system(), since));
    let visibility = if open { visibility::sheet_visibility(table.state, before) } else { Visibility::Gm };
    Ok(Revision { after, fields, triggers, rule, changes, shared, visibility })
}

/// What follows from the moved tracks. A new track has crossed no threshold.
fn consequences_of(table: &Table, who: &Character, moved: &[Images<Track>]) -> Consequences {
    let mut consequences = Consequences::new(table.state, who.id);
    for images in moved {
        match (&images.before, &images.after) {
            (Some(before), Some(after)) => consequences.track_moved(table.state, table.system(), before, after),
            (None, Some(after)) => consequences.vitality.set_track(after),
            _ => {}
        }
    }
    consequences
}

/// Every field that differs.
pub fn fields(before: &Character, after: &Character, moved: &[Images<Track>]) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut field = |name: &str, before: Option<String>, after: Option<String>| {
        if before != after {
            fields.push(Field { field: name.to_owned(), before, after });
        }
    };
    field("name", Some(before.name.clone()), Some(after.name.clone()));
    field("kind", Some(before.kind.as_str().to_owned()), Some(after.kind.as_str().to_owned()));
    field("level", Some(before.level.to_string()), Some(after.level.to_string()));
    field("xp", Some(before.xp.to_string()), Some(after.xp.to_string()));
    for name in after.attributes.keys() {
        let text = |sheet: &Character| sheet.attributes.get(name).map(i64::to_string);
        field(name, text(before), text(after));
    }
    for name in after.skills.keys() {
        let text = |sheet: &Character| sheet.skills.get(name).map(i64::to_string);
        field(name, text(before), text(after));
    }
    field("ticks", listed(before.ticks.seen.iter().cloned()), listed(after.ticks.seen.iter().cloned()));
    let hidden = |sheet: &Character| listed(sheet.ticks.hidden.iter().cloned());
    field(HIDDEN_TICKS, hidden(before), hidden(after));
    for name in names_of_attacks(before, after) {
        let text = |sheet: &Character| {
            let own = sheet.attacks.iter().find(|own| own.name == name)?;
            Some(Some(own.render()).filter(|text| !text.is_empty()).unwrap_or_else(|| "there".to_owned()))
        };
        field(&format!("attack {name}"), text(before), text(after));
    }
    let worth = |sheet: &Character| sheet.worth.map(|worth| worth.to_string());
    field("worth", worth(before), worth(after));
    for images in moved {
        let text = |track: &Option<Track>| track.as_ref().map(render_value);
        let name = images.after.as_ref().or(images.before.as_ref()).map_or("", |track| track.name.as_str());
        field(name, text(&images.before), text(&images.after));
    }
    // The texts of notes are in the images; the field says only that they changed.
    let changed = |before: &str, after: &str| if before == after { None } else { Some("rewritten".to_owned()) };
    field("notes", None, changed(&before.notes, &after.notes));
    field("gm_notes", None, changed(&before.gm_notes, &after.gm_notes));
    fields
}

/// The names of all attacks, each once.
fn names_of_attacks<'c>(before: &'c Character, after: &'c Character) -> Vec<&'c str> {
    let gone = before.attacks.iter().filter(|own| after.attacks.iter().all(|other| other.name != own.name));
    after.attacks.iter().chain(gone).map(|own| own.name.as_str()).collect()
}

fn listed(names: impl Iterator<Item = String>) -> Option<String> {
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| names.join(", "))
}
