//! Who joins a fight: a known character by name, or newcomers with hit points of their own, which are made.

use std::collections::BTreeMap;

use super::hit_points;
use super::names::{free_name, is_known};
use crate::game::character::{self, Sheet};
use crate::game::limits::{self, LIMITS};
use crate::game::lookup;
use crate::game::portrait::Portrait;
use crate::game::refusal::Refusal;
use crate::game::state::{Character, Kind, State};
use crate::game::table::Table;
use crate::names::{near, quoted};
use crate::rules::System;

/// Who joins: a character by name, or a newcomer with hit points of its own.
#[derive(Debug, Default, Clone)]
pub struct Newcomer {
    pub name: String,
    /// The template that it is made from; a name that is a template's means the same.
    pub template: Option<String>,
    /// How many of them, numbered when more than one.
    pub count: Option<i64>,
    /// Hit points of each, as the adventure says.
    pub hp: Option<i64>,
    /// Set by the GM instead of rolled; logged as such.
    pub initiative: Option<i64>,
    pub side: Option<String>,
    /// Players know nothing of it.
    pub hidden: bool,
    /// Scores of a newcomer, where they matter (initiative).
    pub attributes: BTreeMap<String, i64>,
}

/// A character that is about to join, and as what.
pub(super) type Fighter<'n> = (i64, &'n Newcomer);

/// The characters that a list of newcomers stands for; those that are new are made. Everybody is a character with hit points
/// before anybody joins.
pub(super) fn fighters<'n>(table: &mut Table, newcomers: &'n [Newcomer]) -> Result<Vec<Fighter<'n>>, Refusal> {
    let mut fighters: Vec<Fighter> = Vec::new();
    let mut made = Vec::new();
    for newcomer in newcomers {
        for id in characters(table, newcomer, &mut made)? {
            if fighters.iter().any(|(other, _)| *other == id) {
                let summary =
                    format!("{} is named twice. Name everybody once; use count for several of a kind.", newcomer.name);
                return Err(Refusal::new("duplicate_name", summary));
            }
            fighters.push((id, newcomer));
        }
    }
    let there = table.state.open_combat().map_or(0, |combat| table.state.combatants_of(combat.id).count());
    limits::count("combatants", there + fighters.len(), LIMITS.combatants)?;
    Ok(fighters)
}

/// The characters a newcomer stands for: the known one of that name, else `count` new ones.
fn characters(table: &mut Table, newcomer: &Newcomer, made: &mut Vec<i64>) -> Result<Vec<i64>, Refusal> {
    limits::name("combatants.name", &newcomer.name)?;
    limits::number("initiative", newcomer.initiative.unwrap_or(0))?;
    limits::number("hp", newcomer.hp.unwrap_or(0))?;
    if let Some(side) = &newcomer.side {
        limits::name("combatants.side", side)?;
    }
    let most = i64::try_from(LIMITS.combatants).unwrap_or(i64::MAX);
    let count = newcomer.count.unwrap_or(1);
    if !(1..=most).contains(&count) {
        let summary = format!("count for {} is {count}; it takes 1 to {most}.", newcomer.name);
        return Err(Refusal::new("limit_exceeded", summary));
    }
    if let Some(template) = template(table, newcomer)? {
        return copies(table, newcomer, &template, count, made);
    }
    // A name made by an earlier line of this very list is a second of its kind, not the same one again.
    let known = lookup::by_name(table.state, &newcomer.name).filter(|known| !made.contains(&known.id)).cloned();
    if let Some(known) = known.filter(|_| count == 1) {
        let fights = table.state.open_combatant(known.id).is_some();
        if fights && (known.kind.is_open() || newcomer.hp.is_none()) {
            let another = if known.kind.is_open() { "" } else { " Send hp, too, for another one of its kind." };
            let summary = format!("{} is in this fight already.{another}", known.name);
            return Err(Refusal::new("duplicate_name", summary));
        }
        if !fights && (known.kind.is_open() || newcomer.hp.is_none() || !spent(table.state, &known)) {
            lookup::takes_part(&known)?;
            hit_points::give(table, &known, newcomer)?;
            return Ok(vec![known.id]);
        }
    }
    if newcomer.hp.is_none() && !(is_described(newcomer) && has_marks(table.system())) {
        let near = near(&newcomer.name, table.state.characters.values().map(|known| known.name.as_str()));
        let hint = near.first().map_or(String::new(), |near| format!(" Or did you mean \"{near}\"?"));
        let summary = match has_marks(table.system()) {
            true => format!(
                "\"{0}\" is nobody the campaign knows. For a newcomer send {{\"name\": \"{0}\", \"count\": 1}}.{hint}",
                newcomer.name
            ),
            false => format!(
                "\"{0}\" is nobody the campaign knows, and a newcomer needs hit points. Send {{\"name\": \"{0}\", \"hp\": 7}}.{hint}",
                newcomer.name
            ),
        };
        return Err(Refusal::new("missing_value", summary).near(near));
    }
    let several = count > 1 || is_known(table.state, &newcomer.name);
    let mut ids = Vec::new();
    for _ in 0..count {
        let name = match several {
            true => free_name(table.state, &newcomer.name, newcomer.hidden),
            false => newcomer.name.clone(),
        };
        let sheet = Sheet {
            name: Some(name),
            kind: Some(Kind::Npc),
            attributes: newcomer.attributes.clone(),
            hp: newcomer.hp,
            ..Sheet::default()
        };
        let id = i64::try_from(character::create(table, sheet)?).unwrap_or(i64::MAX);
        made.push(id);
        ids.push(id);
    }
    Ok(ids)
}

/// Whether the call says what only a newcomer needs, so that its name is no slip for somebody who is known.
fn is_described(newcomer: &Newcomer) -> bool {
    newcomer.count.is_some() || !newcomer.attributes.is_empty()
}

/// Whether everybody has marks for harm by the rules (wounds, boxes, slots), so that nobody needs hit points.
fn has_marks(system: &System) -> bool {
    system.harm().is_some_and(|harm| !harm.marks().is_empty())
}

/// The template that is meant, if one is.
fn template(table: &Table, newcomer: &Newcomer) -> Result<Option<Character>, Refusal> {
    let Some(named) = &newcomer.template else {
        let known = lookup::by_name(table.state, &newcomer.name).filter(|known| known.kind == Kind::Template);
        return Ok(known.cloned());
    };
    let Some(known) = lookup::by_name(table.state, named) else { return Err(no_template(table.state, named)) };
    if known.kind == Kind::Template {
        return Ok(Some(known.clone()));
    }
    let summary = format!(
        "{0} is no template. Send {{\"name\": \"{0}\"}} to bring {0} in, or make one with manage_character action=\"create\" \
         kind=\"template\" from=\"{0}\" name=\"…\".",
        known.name
    );
    Err(Refusal::new("invalid_parameters", summary))
}

/// No template of that name is made yet; perhaps it stands on a page of the adventure.
fn no_template(state: &State, named: &str) -> Refusal {
    let templates = state.characters.values().filter(|own| own.kind == Kind::Template);
    let near = near(named, templates.map(|own| own.name.as_str()));
    let hint = near.first().map_or(String::new(), |near| format!(" Near: {near}."));
    let (page, name) = named.split_once('#').unwrap_or(("Foes.md", named));
    let (page, name) = (quoted(page), quoted(name));
    let summary = format!(
        "No template is called \"{}\".{hint} One that stands in the adventure is made first: manage_character action=\"create\" \
         kind=\"template\" name=\"{name}\" from=\"{page}#{name}\" (the page and its heading); then send template=\"{name}\".",
        quoted(named)
    );
    Refusal::new("unknown_character", summary).near(near)
}

/// As many of a template's kind as are wanted: numbered, unless a single one has a name of its own.
fn copies(
    table: &mut Table,
    newcomer: &Newcomer,
    template: &Character,
    count: i64,
    made: &mut Vec<i64>,
) -> Result<Vec<i64>, Refusal> {
    let own_name = lookup::by_name(table.state, &newcomer.name).is_none_or(|known| known.id != template.id);
    let from = Portrait { kind: Kind::Npc, ..Portrait::of(table.state, template) };
    let mut ids = Vec::new();
    for _ in 0..count {
        let name = match own_name && count == 1 {
            true => newcomer.name.clone(),
            false => free_name(table.state, &newcomer.name, newcomer.hidden),
        };
        let sheet = Sheet {
            name: Some(name),
            attributes: newcomer.attributes.clone(),
            hp: newcomer.hp,
            from: Some(Box::new(from.clone())),
            free: true,
            ..Sheet::default()
        };
        let id = i64::try_from(character::create(table, sheet)?).unwrap_or(i64::MAX);
        made.push(id);
        ids.push(id);
        let known = table.state.characters.get(&id).cloned();
        // Every combatant needs hit points, whether its template has them or the call gives them.
        known.map_or(Ok(()), |known| hit_points::give(table, &known, &Newcomer { hp: None, ..newcomer.clone() }))?;
    }
    Ok(ids)
}

/// Whether a foe of an earlier fight is out of it for good, so that its name may be taken by a new one.
fn spent(state: &State, known: &Character) -> bool {
    state.combatants.values().any(|combatant| combatant.character == known.id && combatant.defeated)
}
