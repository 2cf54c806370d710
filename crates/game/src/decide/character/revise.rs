//! Changes a character: its fields (all bad scores are reported together), its tracks, and what follows when a track crosses a threshold.

use std::collections::BTreeSet;

use crate::decide::character::{SheetCall, attacks, check_limits, check_name_free, tracks};
use crate::decide::items;
use crate::decide::items::QuantityMode;
use crate::limits::LIMITS;
use crate::mechanics::defence::Defence;
use crate::mechanics::lookup;
use crate::mechanics::threshold::Consequences;
use crate::mechanics::tracks::render_value;
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{CharacterUpdated, Event, Field, HIDDEN_TICKS, OF_GM};
use crate::record::state::{Character, Track};
use crate::refusal::{Code, Detail, Refusal};
use crate::table::{Draft, Table};
use crate::view::{secrets, visibility};
use rollbook_rules::{Effect, System};
use rollbook_text::names::{misspelt, same};

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
    let after = apply_sheet(table.system(), &before, &sheet)?;
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
    apply_sheet(system, before, sheet)
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

/// The issue of a score outside its range.
const OUT_OF_RANGE: &str = "is out of range";

/// The character with the call's fields applied; all bad scores are reported together.
pub fn apply_sheet(system: &System, before: &Character, sheet: &SheetCall) -> Result<Character, Refusal> {
    let mut after = before.clone();
    let mut bad = Vec::new();
    let mut named = BTreeSet::new();
    for (given, score) in &sheet.attributes {
        match check_score(system, given, *score, sheet.override_reason.is_some()) {
            Ok(name) if !named.insert(name.clone()) => bad.push(Detail {
                parameter: format!("attributes.{given}"),
                issue: format!("{name} is named twice"),
                valid_range: "once".to_owned(),
            }),
            Ok(name) => drop(after.attributes.insert(name, *score)),
            Err(detail) => bad.push(detail),
        }
    }
    for (name, bonus) in &sheet.skills {
        match system.meant(System::skill, name) {
            Ok(skill) if let Some(out) = beyond(*bonus, skill.range.filter(|_| sheet.override_reason.is_none())) => {
                bad.push(Detail { parameter: format!("skills.{name}"), ..out });
            }
            Ok(skill) => drop(after.skills.insert(skill.name.clone(), *bonus)),
            Err(_) if system.skills.is_empty() => drop(after.skills.insert(name.trim().to_owned(), *bonus)),
            Err(unknown) => bad.push(Detail {
                parameter: format!("skills.{name}"),
                issue: "no such skill".to_owned(),
                valid_range: valid_names(&unknown.suggestions, &unknown.known),
            }),
        }
    }
    for (parameter, number) in [("level", sheet.level), ("xp", sheet.xp), ("worth", sheet.worth)] {
        bad.extend(number.filter(|number| *number < 0).map(|number| Detail {
            parameter: parameter.to_owned(),
            issue: number.to_string(),
            valid_range: format!("0 to {}", LIMITS.number),
        }));
    }
    let tracks = system.tracks.iter().map(|track| track.name.as_str());
    for name in sheet.tracks.keys().filter(|_| sheet.override_reason.is_none()) {
        bad.extend(misspelt(name, tracks.clone()).map(|known| Detail {
            parameter: format!("tracks.{name}"),
            issue: "no such track".to_owned(),
            valid_range: known.to_owned(),
        }));
    }
    let unnamed = |name: &&String| sheet.override_reason.is_none() && !is_named_defence(system, name);
    bad.extend(sheet.tracks.keys().filter(unnamed).map(|name| Detail {
        parameter: format!("tracks.{name}"),
        issue: "the rules name nothing so that takes damage off".to_owned(),
        valid_range: match system.defences.is_empty() {
            true => "none; note it in notes".to_owned(),
            false => {
                let names = system.defences.iter().map(|own| match own.rule.from.is_empty() {
                    true => format!("\"{} (cold)\"", own.rule.name),
                    false => format!("\"{}\"", own.rule.name),
                });
                names.collect::<Vec<String>>().join(", ")
            }
        },
    }));
    if !bad.is_empty() {
        return Err(invalid(system, bad));
    }
    after.attacks = attacks::apply(system, &before.attacks, &sheet.attacks)?;
    after.worth = sheet.worth.or(after.worth);
    after.name = sheet.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
    after.kind = sheet.kind.unwrap_or(after.kind);
    after.level = sheet.level.unwrap_or(after.level);
    after.xp = sheet.xp.unwrap_or(after.xp);
    after.notes = sheet.notes.clone().unwrap_or(after.notes);
    after.gm_notes = sheet.gm_notes.clone().unwrap_or(after.gm_notes);
    Ok(after)
}

/// Whether a track's name is fine: a name that sounds like a defence against damage must be one of the rules.
fn is_named_defence(system: &System, name: &str) -> bool {
    let (base, typed) = name.split_once('(').map_or((name, false), |(base, _)| (base.trim(), true));
    let of_rules = system.defences.iter().any(|own| same(&own.rule.name, base) || own.on_sheet(name).is_some());
    let declared = system.track(name).is_ok();
    let defence = Defence::from_label(base).is_some() || (typed && is_misspelt_defence(system, base));
    !defence || of_rules || declared
}

/// Whether it is a misspelling of one of the rules' defences.
fn is_misspelt_defence(system: &System, base: &str) -> bool {
    misspelt(base, system.defences.iter().map(|own| own.rule.name.as_str())).is_some()
}

/// The attribute's own name when the score is allowed.
fn check_score(system: &System, name: &str, score: i64, overridden: bool) -> Result<String, Detail> {
    let attribute = match system.meant(System::attribute, name) {
        Ok(attribute) => attribute,
        Err(_) if system.attributes.is_empty() => return Ok(name.trim().to_owned()),
        Err(unknown) => {
            let valid_range = valid_names(&unknown.suggestions, &unknown.known);
            return Err(Detail {
                parameter: format!("attributes.{name}"),
                issue: "no such attribute".to_owned(),
                valid_range,
            });
        }
    };
    match beyond(score, attribute.range.filter(|_| !overridden)) {
        Some(out) => Err(Detail { parameter: format!("attributes.{name}"), ..out }),
        None => Ok(attribute.name.clone()),
    }
}

/// What is wrong with a number outside its range.
fn beyond(number: i64, range: Option<(i64, i64)>) -> Option<Detail> {
    let (low, high) = range.filter(|(low, high)| !(*low..=*high).contains(&number))?;
    let (issue, valid_range) = (format!("{number} {OUT_OF_RANGE}"), format!("{low} to {high}"));
    Some(Detail { parameter: String::new(), issue, valid_range })
}

fn valid_names(suggestions: &[String], known: &[String]) -> String {
    if suggestions.is_empty() { known.join(", ") } else { suggestions.join(", ") }
}

fn invalid(system: &System, bad: Vec<Detail>) -> Refusal {
    let list: Vec<String> = bad
        .iter()
        .map(|detail| format!("{}: {} (valid: {})", detail.parameter, detail.issue, detail.valid_range))
        .collect();
    // Advised only where it helps; newcomers of a fight are checked here too.
    let advice = match bad.iter().any(|detail| detail.issue.ends_with(OUT_OF_RANGE)) {
        true => " manage_character keeps a score outside its range when override_reason=\"…\" says why.",
        false => "",
    };
    let summary = format!("{}.{advice}", list.join("; "));
    let mut refusal = Refusal::new(Code::InvalidParameters, summary).details(bad);
    refusal.source = system.attributes.first().map(|attribute| attribute.place.to_string().into_boxed_str());
    refusal
}
