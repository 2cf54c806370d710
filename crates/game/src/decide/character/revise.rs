//! Changes a character: its fields (all bad scores at once), its tracks, and what follows.

use super::{AttackCall, SheetCall, check_limits, check_name_free, tracks};
use crate::decide::items::{self, Quantity};
use crate::limits::{self, LIMITS};
use crate::mechanics::attacks::{self, read_damage};
use crate::mechanics::{health::Defence, lookup, threshold::Consequences, tracks::render_value};
use crate::record::change::{Change, Images};
use crate::record::event::{CharacterUpdated, Event, Field, GM_FIELDS, HIDDEN_TICKS};
use crate::record::state::{Attack, Character, Track};
use crate::refusal::{Code, Detail, Refusal, Result};
use crate::table::{Draft, Table};
use crate::view::{secrets, visibility};
use crate::{decide::roll::check_die, record::entry::Visibility};
use rollbook_rules::{Effect, System, UnknownName, call};
use rollbook_text::names::{fold, listed, misspelt, quoted, same, suggest};
use std::collections::BTreeSet;

pub struct Revision {
    pub after: Character,
    /// The changed fields; empty when nothing differs.
    pub fields: Vec<Field>,
    pub triggers: Vec<String>,
    /// The rule that decided last.
    pub rule: Option<String>,
    pub changes: Vec<Change>,
    /// What it moves of that which all share.
    pub shared: Vec<(Effect, i64)>,
    pub visibility: Visibility,
}

/// Changes a character and logs it: the fields, then the items.
pub fn update(table: &mut Table, who: &str, sheet: SheetCall) -> Result<()> {
    check_limits(&sheet)?;
    let before = lookup::character(table.state, table.system(), who)?.clone();
    if let Some(name) = &sheet.name {
        check_name_free(table.state, name, Some(before.id))?;
        if !secrets::is_hidden_from_players(table.state, &before) {
            secrets::check_name(table.state, name)?;
        }
    }
    let after = apply_sheet(table.system(), &before, &sheet)?;
    let Revision {
        after,
        fields,
        triggers,
        rule,
        changes,
        shared,
        visibility,
    } = revise(table, &before, after, &sheet)?;
    if fields.is_empty() && sheet.inventory.is_empty() {
        let summary = format!(
            "{} already is as you say. Send the fields that differ.",
            before.name
        );
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    if !fields.is_empty() {
        let (subject, override_reason) = (after.subject(), sheet.override_reason);
        let event = Event::CharacterUpdated(CharacterUpdated {
            subject,
            fields,
            override_reason,
            triggers,
        });
        table.log(Draft {
            visibility,
            rule,
            ..Draft::new("gm", event, changes)
        });
        table.move_later(&shared, &after.name, visibility);
    }
    if !sheet.inventory.is_empty() {
        items::change(table, &after, &sheet.inventory, Quantity::Set, None)?;
    }
    Ok(())
}

/// Works out the change from `before` to `after`, with the tracks that the sheet sets.
pub fn revise(
    table: &mut Table,
    before: &Character,
    after: Character,
    sheet: &SheetCall,
) -> Result<Revision> {
    let since = table.next_id();
    let mut moved = tracks::recompute(table.state, table.system(), &after, sheet)?;
    // A new track has crossed no threshold.
    let mut consequences = Consequences::new(table.state, before.id);
    for images in &moved {
        match (&images.before, &images.after) {
            (Some(before), Some(after)) => {
                consequences.track_moved(table.state, table.system(), before, after)
            }
            (None, Some(after)) => consequences.vitality.set_track(after),
            _ => {}
        }
    }
    for (was, now) in &std::mem::take(&mut consequences.moved) {
        match moved.iter_mut().find(|images| {
            images
                .after
                .as_ref()
                .is_some_and(|track| track.name == now.name)
        }) {
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
        && fields
            .iter()
            .any(|field| !GM_FIELDS.contains(&field.field.as_str()));
    let mut changes = Vec::new();
    if *before != after {
        changes.push(Change::Character(Images::changed(
            before.clone(),
            after.clone(),
        )));
    }
    changes.extend(moved.into_iter().map(Change::Track));
    let (triggers, rule) = (consequences.triggers.clone(), consequences.rule.clone());
    let shared = consequences.shared.clone();
    changes.extend(consequences.into_changes(table.state, table.system(), since));
    let visibility = if open {
        visibility::sheet_visibility(table.state, before)
    } else {
        Visibility::Gm
    };
    Ok(Revision {
        after,
        fields,
        triggers,
        rule,
        changes,
        shared,
        visibility,
    })
}

fn fields(before: &Character, after: &Character, moved: &[Images<Track>]) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut field = |name: &str, before: Option<String>, after: Option<String>| {
        if before != after {
            fields.push(Field {
                field: name.to_owned(),
                before,
                after,
            });
        }
    };
    field("name", Some(before.name.clone()), Some(after.name.clone()));
    field(
        "kind",
        Some(before.kind.as_str().to_owned()),
        Some(after.kind.as_str().to_owned()),
    );
    field(
        "level",
        Some(before.level.to_string()),
        Some(after.level.to_string()),
    );
    field(
        "xp",
        Some(before.xp.to_string()),
        Some(after.xp.to_string()),
    );
    for (had, has) in [
        (&before.attributes, &after.attributes),
        (&before.skills, &after.skills),
    ] {
        has.iter().for_each(|(name, value)| {
            field(
                name,
                had.get(name).map(i64::to_string),
                Some(value.to_string()),
            )
        });
    }
    let joined = |names: &BTreeSet<String>| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    field(
        "ticks",
        joined(&before.ticks.seen),
        joined(&after.ticks.seen),
    );
    field(
        HIDDEN_TICKS,
        joined(&before.ticks.hidden),
        joined(&after.ticks.hidden),
    );
    let gone = before
        .attacks
        .iter()
        .filter(|attack| after.attacks.iter().all(|other| other.name != attack.name));
    for Attack { name, .. } in after.attacks.iter().chain(gone) {
        let text = |sheet: &Character| {
            let attack = sheet.attacks.iter().find(|attack| attack.name == *name)?;
            Some(
                Some(attack.render())
                    .filter(|text| !text.is_empty())
                    .unwrap_or_else(|| "there".to_owned()),
            )
        };
        field(&format!("attack {name}"), text(before), text(after));
    }
    let worth = |sheet: &Character| sheet.worth.map(|worth| worth.to_string());
    field("worth", worth(before), worth(after));
    for images in moved {
        let text = |track: &Option<Track>| track.as_ref().map(render_value);
        field(
            images.row().map_or("", |track| &track.name),
            text(&images.before),
            text(&images.after),
        );
    }
    // The texts of notes are in the images; the field says only that they changed.
    field(
        "notes",
        None,
        (before.notes != after.notes).then(|| "rewritten".to_owned()),
    );
    field(
        "gm_notes",
        None,
        (before.gm_notes != after.gm_notes).then(|| "rewritten".to_owned()),
    );
    fields
}

/// The character with the call's fields applied; all bad scores are reported together.
pub fn apply_sheet(system: &System, before: &Character, sheet: &SheetCall) -> Result<Character> {
    let mut after = before.clone();
    let (mut bad, mut named) = (Vec::new(), BTreeSet::new());
    let overridden = sheet.override_reason.is_some();
    let detail = |parameter: String, issue: String, valid_range: String| Detail {
        parameter,
        issue,
        valid_range,
    };
    for (given, score) in &sheet.attributes {
        let found = system.find_by_words(System::attribute, given);
        let found =
            found.map(|attribute| (&*attribute.name, attribute.range.filter(|_| !overridden)));
        match checked(given, *score, found, system.attributes.is_empty()) {
            Ok(name) if !named.insert(name) => {
                bad.push(detail(
                    format!("attributes.{given}"),
                    format!("{name} is named twice"),
                    "once".to_owned(),
                ));
            }
            Ok(name) => drop(after.attributes.insert(name.to_owned(), *score)),
            Err((issue, valid_range)) => {
                bad.push(detail(format!("attributes.{given}"), issue, valid_range))
            }
        }
    }
    for (given, bonus) in &sheet.skills {
        let found = system.find_by_words(System::skill, given);
        let found = found.map(|skill| (&*skill.name, skill.range.filter(|_| !overridden)));
        match checked(given, *bonus, found, system.skills.is_empty()) {
            Ok(name) => drop(after.skills.insert(name.to_owned(), *bonus)),
            Err((issue, valid_range)) => {
                bad.push(detail(format!("skills.{given}"), issue, valid_range))
            }
        }
    }
    for (parameter, number) in [
        ("level", sheet.level),
        ("xp", sheet.xp),
        ("worth", sheet.worth),
    ] {
        let negative = number.filter(|number| *number < 0);
        let valid = || format!("0 to {}", LIMITS.number);
        bad.extend(
            negative.map(|number| detail(parameter.to_owned(), number.to_string(), valid())),
        );
    }
    let mut once = BTreeSet::new();
    for name in sheet.tracks.keys().filter(|name| !once.insert(fold(name))) {
        bad.push(detail(
            format!("tracks.{name}"),
            "is named twice".to_owned(),
            "once".to_owned(),
        ));
    }
    let tracks = system.tracks.iter().map(|track| track.name.as_str());
    for name in sheet.tracks.keys().filter(|_| !overridden) {
        let known = misspelt(name, tracks.clone());
        let issue = || "no such track".to_owned();
        bad.extend(known.map(|known| detail(format!("tracks.{name}"), issue(), known.to_owned())));
    }
    for name in sheet
        .tracks
        .keys()
        .filter(|name| !overridden && !is_named_defence(system, name))
    {
        let defences = system
            .defences
            .iter()
            .map(|defence| match defence.rule.from.is_empty() {
                true => format!("\"{} (cold)\"", defence.rule.name),
                false => format!("\"{}\"", defence.rule.name),
            });
        let valid = defences.collect::<Vec<String>>().join(", ");
        let valid = if valid.is_empty() {
            "none; note it in notes".to_owned()
        } else {
            valid
        };
        let issue = "the rules name nothing so that takes damage off".to_owned();
        bad.push(detail(format!("tracks.{name}"), issue, valid));
    }
    if !bad.is_empty() {
        let text = |detail: &Detail| {
            format!(
                "{}: {} (valid: {})",
                detail.parameter, detail.issue, detail.valid_range
            )
        };
        let list: Vec<String> = bad.iter().map(text).collect();
        // Advised only where it helps; newcomers of a fight are checked here too.
        let advice = match bad
            .iter()
            .any(|detail| detail.issue.ends_with(OUT_OF_RANGE))
        {
            true => {
                " manage_character keeps a score outside its range when override_reason=\"…\" says why."
            }
            false => "",
        };
        let summary = format!("{}.{advice}", list.join("; "));
        let source = system
            .attributes
            .first()
            .map(|attribute| attribute.place.to_string().into_boxed_str());
        return Err(Refusal {
            source,
            ..Refusal::new(Code::InvalidParameters, summary).details(bad)
        });
    }
    after.attacks = apply_attacks(system, &before.attacks, &sheet.attacks)?;
    after.worth = sheet.worth.or(after.worth);
    after.name = sheet
        .name
        .as_deref()
        .map_or(after.name, |name| name.trim().to_owned());
    after.kind = sheet.kind.unwrap_or(after.kind);
    after.level = sheet.level.unwrap_or(after.level);
    after.xp = sheet.xp.unwrap_or(after.xp);
    after.notes = sheet.notes.clone().unwrap_or(after.notes);
    after.gm_notes = sheet.gm_notes.clone().unwrap_or(after.gm_notes);
    Ok(after)
}

/// Whether a track's name is fine: one that sounds like a defence must be one of the rules.
fn is_named_defence(system: &System, name: &str) -> bool {
    let (base, typed) = name
        .split_once('(')
        .map_or((name, false), |(base, _)| (base.trim(), true));
    let of_rules = system
        .defences
        .iter()
        .any(|rule| same(&rule.rule.name, base) || rule.on_sheet(name).is_some());
    let names = system
        .defences
        .iter()
        .map(|defence| defence.rule.name.as_str());
    let is_defence =
        Defence::from_label(base).is_some() || (typed && misspelt(base, names).is_some());
    !is_defence || of_rules || system.track(name).is_ok()
}

const OUT_OF_RANGE: &str = "is out of range";

/// A name of the rules, with the range of its numbers.
type Ranged<'a> = (&'a str, Option<(i64, i64)>);

/// The name of the score, any where the rules name none; else what is wrong and what is valid.
fn checked<'a>(
    given: &'a str,
    number: i64,
    found: Result<Ranged<'a>, UnknownName>,
    is_free: bool,
) -> Result<&'a str, (String, String)> {
    match found {
        Ok((_, Some((low, high)))) if !(low..=high).contains(&number) => Err((
            format!("{number} {OUT_OF_RANGE}"),
            format!("{low} to {high}"),
        )),
        Ok((name, _)) => Ok(name),
        Err(_) if is_free => Ok(given.trim()),
        Err(UnknownName {
            kind,
            suggestions,
            known,
            ..
        }) => {
            let names = if suggestions.is_empty() {
                known
            } else {
                suggestions
            };
            Err((format!("no such {kind}"), names.join(", ")))
        }
    }
}

/// The attacks after a call's: changed, added, removed. Refused: an unknown skill, no damage.
fn apply_attacks(system: &System, before: &[Attack], calls: &[AttackCall]) -> Result<Vec<Attack>> {
    limits::count("attacks", calls.len(), LIMITS.attacks)?;
    let mut all = before.to_vec();
    for (nth, call) in calls.iter().enumerate() {
        limits::name("attacks.name", &call.name)?;
        if calls
            .iter()
            .take(nth)
            .any(|other| same(&other.name, &call.name))
        {
            let summary = format!(
                "The attack \"{}\" is named twice. Name each once.",
                quoted(&call.name)
            );
            return Err(Refusal::new(Code::DuplicateName, summary));
        }
        let known = all.iter().position(|attack| same(&attack.name, &call.name));
        if call.remove == Some(true) {
            let Some(known) = known else {
                let names = || all.iter().map(|attack| attack.name.as_str());
                let there = format!("There is {}", listed(names(), 300));
                let there = if all.is_empty() {
                    "The sheet has no attacks".to_owned()
                } else {
                    there
                };
                let summary = format!(
                    "No attack is called \"{}\", so none is removed. {there}.",
                    quoted(&call.name)
                );
                return Err(Refusal::new(Code::UnknownAttack, summary)
                    .did_you_mean(suggest(&call.name, names())));
            };
            all.remove(known);
            continue;
        }
        let new = || Attack {
            name: call.name.trim().to_owned(),
            ..Attack::default()
        };
        let attack = known
            .and_then(|at| all.get(at).cloned())
            .unwrap_or_else(new);
        let attack = merged(system, attack, call)?;
        match known.and_then(|at| all.get_mut(at)) {
            Some(place) => *place = attack,
            None => all.push(attack),
        }
    }
    attacks::check_limits(&all)?;
    Ok(all)
}

/// The attack with the fields that the call sends; a text of nothing takes a field away.
fn merged(system: &System, mut attack: Attack, call: &AttackCall) -> Result<Attack> {
    let written = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if let Some(skill) = &call.skill {
        attack.skill = written(skill)
            .map(|skill| skill_name(system, &call.name, &skill))
            .transpose()?;
    }
    attack.bonus = call.bonus.or(attack.bonus);
    if let Some(damage) = &call.damage {
        let (name, text) = (quoted(&call.name), quoted(damage.trim()));
        let no_damage = || {
            let summary = format!(
                "The damage of \"{name}\" is \"{text}\"; it takes dice, with a type or without: \"1d6+3\", \"1d6 slashing plus 1d4 \
                 fire\". Words go into effect."
            );
            Refusal::new(Code::InvalidParameters, summary)
        };
        let read = written(damage)
            .map(|damage| read_damage(&damage).ok_or_else(no_damage))
            .transpose()?;
        attack.damage = read.unwrap_or_default();
        // Sizes of dice that depend on a number of the sheet are looked at when they are rolled.
        let known = attack
            .damage
            .iter()
            .filter_map(|part| rollbook_dice::read(&part.amount).ok());
        known
            .flat_map(|expression| expression.dice())
            .try_for_each(|die| check_die(system, &die))?;
    }
    if let Some(kind) = &call.damage_type {
        let count = attack.damage.len();
        let [only] = attack.damage.as_mut_slice() else {
            let (name, kind) = (quoted(&call.name), quoted(kind));
            let summary = format!(
                "damage_type says the type of one amount, and the attack \"{name}\" has {count}. Send damage=\"1d6 {kind}\", the \
                 types with the dice."
            );
            return Err(Refusal::new(Code::InvalidParameters, summary));
        };
        only.damage_type = written(kind);
    }
    if let Some(range) = &call.range {
        attack.range = written(range);
    }
    if let Some(effect) = &call.effect {
        (attack.conditions, attack.effect) = match call::gains(system, effect) {
            Some(conditions) => (conditions, None),
            None => (Vec::new(), written(effect)),
        };
    }
    Ok(attack)
}

fn skill_name(system: &System, attack: &str, name: &str) -> Result<String> {
    let attribute = || {
        system
            .attribute(name)
            .map(|attribute| attribute.name.clone())
            .ok()
    };
    if let Some(known) = system
        .skill(name)
        .map(|skill| skill.name.clone())
        .ok()
        .or_else(attribute)
    {
        return Ok(known);
    }
    let skill = match system.find_by_words(System::skill, name) {
        Ok(skill) => return Ok(skill.name.clone()),
        Err(_) if system.skills.is_empty() && system.attributes.is_empty() => {
            return Ok(name.to_owned());
        }
        Err(unknown) => unknown,
    };
    let suggestions = if skill.suggestions.is_empty() {
        skill.known
    } else {
        skill.suggestions
    };
    let attributes = system
        .attributes
        .iter()
        .map(|attribute| attribute.name.as_str());
    let names = listed(
        suggestions.iter().map(String::as_str).chain(attributes),
        300,
    );
    let (attack, name) = (quoted(attack), quoted(name));
    let summary = format!(
        "The attack \"{attack}\" rolls \"{name}\", which the rules do not have. skill takes one of {names}; bonus=3 does without."
    );
    Err(Refusal::new(Code::UnknownSkill, summary).did_you_mean(suggestions))
}
