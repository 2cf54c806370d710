//! Who joins a fight: a known character by name, or newcomers with hit points of their own, which are made.

use std::collections::BTreeMap;

use super::hit_points;
use crate::game::decide::character::{self, Sheet};
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::lookup;
use crate::game::mechanics::naming::{free_name, is_known};
use crate::game::record::state::{Character, Kind, State};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;
use crate::game::view::snapshot::CharacterSnapshot;
use crate::names::{Found, listed, near, quoted, same};
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
        // Those that players do not see have numbers of their own.
        let alike = |other: &&Newcomer| same(&other.name, &newcomer.name) && other.hidden == newcomer.hidden;
        let list = List { named: &fighters, several: newcomers.iter().filter(alike).count() > 1 };
        for id in characters(table, newcomer, &list, &mut made)? {
            if fighters.iter().any(|(other, _)| *other == id) {
                let name = table.state.characters.get(&id).map_or(newcomer.name.as_str(), |own| own.name.as_str());
                let summary = format!("{name} is named twice. Name everybody once; use count for several of a kind.");
                return Err(Refusal::new(Code::DuplicateName, summary));
            }
            fighters.push((id, newcomer));
        }
    }
    let there = table.state.open_combat().map_or(0, |combat| table.state.combatants_of(combat.id).count());
    limits::count("combatants", there + fighters.len(), LIMITS.combatants)?;
    Ok(fighters)
}

/// What a line of the list needs to know of the others.
struct List<'l, 'n> {
    /// Who is named by the lines before it.
    named: &'l [Fighter<'n>],
    /// Whether other lines have the same name.
    several: bool,
}

/// The characters a newcomer stands for: the known one of that name, else `count` new ones.
fn characters(
    table: &mut Table,
    newcomer: &Newcomer,
    list: &List<'_, '_>,
    made: &mut Vec<i64>,
) -> Result<Vec<i64>, Refusal> {
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
        return Err(Refusal::new(Code::LimitExceeded, summary));
    }
    if let Some(template) = template(table.state, newcomer)? {
        return copies(table, newcomer, &template, list, made);
    }
    let known = known(table.state, newcomer, made)?;
    // A foe that an earlier line of the list brings in is there already, as one that fights is.
    let fights = |known: &Character| {
        let named = list.named.iter().any(|(id, _)| *id == known.id) && !known.kind.is_open();
        named || table.state.open_combatant(known.id).is_some()
    };
    if let Some(known) = known.filter(|_| count == 1) {
        let fights = fights(&known);
        if fights && (known.kind.is_open() || newcomer.hp.is_none()) {
            return Err(fights_already(&newcomer.name, &known));
        }
        if !fights && (known.kind.is_open() || newcomer.hp.is_none() || !lookup::spent(table.state, &known)) {
            lookup::takes_part(table.state, &known)?;
            hit_points::give(table, &known, newcomer)?;
            return Ok(vec![known.id]);
        }
    }
    if newcomer.hp.is_none() && !(is_described(newcomer) && has_marks(table.system())) {
        return Err(nobody_known(table, newcomer));
    }
    let several = count > 1 || list.several || is_known(table.state, &newcomer.name);
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

/// The known character that is meant: the one of that name, else the only one with that word in its name. Where the call
/// describes somebody new (hit points, a count, scores), a word means nobody but those on the players' side: "Goblin" with hit
/// points is another goblin, "Jory" is Jory Penrake whatever else is said. What an earlier line of the very list made is a second
/// of its kind, not the same one again.
fn known(state: &State, newcomer: &Newcomer, made: &[i64]) -> Result<Option<Character>, Refusal> {
    let new = newcomer.hp.is_some() || is_described(newcomer);
    if let Some(known) = lookup::by_name(state, &newcomer.name) {
        return Ok((!made.contains(&known.id)).then(|| known.clone()));
    }
    let meant = |own: &&Character| {
        let takes_part = own.kind != Kind::Template && !own.retired && !lookup::spent(state, own);
        takes_part && !made.contains(&own.id) && (own.kind.is_open() || !new)
    };
    match lookup::ranked(&newcomer.name, state.characters.values().filter(meant), |_| 0) {
        Found::One(known) => Ok(Some(known.clone())),
        Found::Several(fit) => {
            let (fighting, free): (Vec<&Character>, Vec<&Character>) =
                fit.into_iter().partition(|own| state.open_combatant(own.id).is_some());
            // Of a kind that all fights already another one is wanted.
            match (fighting.as_slice(), free.as_slice()) {
                ([first, ..], []) => Err(fights_already(&newcomer.name, first)),
                _ => {
                    let names = free.iter().chain(&fighting).map(|own| own.name.clone());
                    Err(several(&newcomer.name, names.collect()))
                }
            }
        }
        Found::Nothing => Ok(None),
    }
}

/// The refusal of a name in the list that could mean several.
fn several(name: &str, fit: Vec<String>) -> Refusal {
    let first = fit.first().map_or("", String::as_str);
    let summary = format!(
        "\"{}\" could mean {}. Send {{\"name\": \"{first}\"}}, or another of these; somebody new of that name comes with hp.",
        quoted(name),
        listed(fit.iter().map(String::as_str), 300)
    );
    Refusal::new(Code::AmbiguousName, summary).near(fit)
}

fn fights_already(name: &str, known: &Character) -> Refusal {
    let another = match known.kind.is_open() {
        true => String::new(),
        false => format!(" Send {{\"name\": \"{}\", \"hp\": 7}} for another one of its kind.", quoted(name)),
    };
    Refusal::new(Code::DuplicateName, format!("{} is in this fight already.{another}", known.name))
}

/// Nobody of that name is there, and nothing says that somebody new is meant.
fn nobody_known(table: &Table, newcomer: &Newcomer) -> Refusal {
    let name = quoted(&newcomer.name);
    let joins =
        |own: &&Character| own.kind != Kind::Template && !own.retired && table.state.open_combatant(own.id).is_none();
    let near = near(&newcomer.name, table.state.characters.values().filter(joins).map(|own| own.name.as_str()));
    let (new, hp, why) = match has_marks(table.system()) {
        true => ("count", "\"count\": 1", "; these rules count no hit points"),
        false => ("hp", "\"hp\": 7", ", with its own hit points for 7"),
    };
    let has_players = table.state.characters.values().any(Character::is_of_the_party);
    let hint = match near.first() {
        Some(first) => {
            format!("Near: {}. Send {{\"name\": \"{first}\"}}; somebody new comes with {new}.", near.join(", "))
        }
        None if has_players => format!(
            "Send {{\"name\": \"{name}\", {hp}}} for a new foe{why}.{} A player's character is made with manage_character \
             action=\"create\" name=\"{name}\" kind=\"player\".",
            of_a_kind(table.state, &name)
        ),
        // Before anybody is made, a bare name is a player's more often than a foe's.
        None => format!(
            "A character of the players is made first: manage_character action=\"create\" name=\"{name}\". A foe that is new comes as \
             {{\"name\": \"Goblin\", {hp}}}{why}.{}",
            of_a_kind(table.state, &name)
        ),
    };
    Refusal::new(Code::MissingValue, format!("\"{name}\" is nobody the campaign knows. {hint}")).near(near)
}

/// How one of a kind joins, where a kind is made.
fn of_a_kind(state: &State, name: &str) -> String {
    let template = state.characters.values().find(|own| own.kind == Kind::Template && !own.retired);
    template.map_or(String::new(), |own| {
        format!(" One of a kind joins as {{\"name\": \"{name}\", \"template\": \"{}\"}}.", quoted(&own.name))
    })
}

/// Whether the call says what only a newcomer needs, so that its name is no slip for somebody who is known.
fn is_described(newcomer: &Newcomer) -> bool {
    newcomer.count.is_some() || !newcomer.attributes.is_empty()
}

/// Whether everybody has marks for harm by the rules (wounds, boxes, slots), so that nobody needs hit points.
fn has_marks(system: &System) -> bool {
    system.harm().is_some_and(|harm| !harm.marks().is_empty())
}

/// The template that is meant, if one is: by its name, or by a word that it alone has. A bare name means whoever lives before it
/// means a template by a word.
fn template(state: &State, newcomer: &Newcomer) -> Result<Option<Character>, Refusal> {
    let templates = || state.characters.values().filter(|own| own.kind == Kind::Template);
    let found = |name: &str| match lookup::ranked(name, templates(), |_| 0) {
        Found::One(found) => Ok(Some(found.clone())),
        Found::Several(fit) => {
            Err(lookup::several("template", name, fit.into_iter().map(|own| own.name.clone()).collect()))
        }
        Found::Nothing => Ok(None),
    };
    let Some(named) = &newcomer.template else {
        let lives = |own: &&Character| own.kind != Kind::Template && !own.retired && !lookup::spent(state, own);
        let living = state.characters.values().filter(lives);
        return match lookup::by_name(state, &newcomer.name) {
            Some(known) => Ok((known.kind == Kind::Template).then(|| known.clone())),
            None if newcomer.hp.is_some() => Ok(None),
            None if lookup::ranked(&newcomer.name, living, |_| 0) != Found::Nothing => Ok(None),
            None => found(&newcomer.name),
        };
    };
    if let Some(found) = found(named)? {
        return Ok(Some(found));
    }
    let Some(known) = lookup::by_name(state, named) else { return Err(no_template(state, named)) };
    let summary = format!(
        "{0} is no template. Send {{\"name\": \"{0}\"}} to bring {0} in, or make one with manage_character action=\"create\" \
         kind=\"template\" from=\"{0}\" name=\"…\".",
        known.name
    );
    Err(Refusal::new(Code::InvalidParameters, summary))
}

/// No template of that name is made. Whether one stands on a page of the adventure, the tool looks.
fn no_template(state: &State, named: &str) -> Refusal {
    let templates = state.characters.values().filter(|own| own.kind == Kind::Template);
    let near = near(named, templates.map(|own| own.name.as_str()));
    let hint = near.first().map_or(String::new(), |first| {
        format!(" Near: {}. Send {{\"template\": \"{}\"}}.", near.join(", "), quoted(first))
    });
    let summary = format!("No template is called \"{}\".{hint}", quoted(named));
    Refusal::new(Code::UnknownTemplate, summary).near(near)
}

/// As many of a template's kind as are wanted: numbered, unless a single one has a name of its own.
fn copies(
    table: &mut Table,
    newcomer: &Newcomer,
    template: &Character,
    list: &List<'_, '_>,
    made: &mut Vec<i64>,
) -> Result<Vec<i64>, Refusal> {
    // A name that only says which template is meant is none of its own.
    let says_which = |named: &String| !same(named, &newcomer.name) && !same(&template.name, &newcomer.name);
    let own_name = newcomer.template.as_ref().is_some_and(says_which);
    let (kind, count) = (if own_name { &newcomer.name } else { &template.name }, newcomer.count.unwrap_or(1));
    let from = CharacterSnapshot { kind: Kind::Npc, ..CharacterSnapshot::of(table.state, template) };
    let mut ids = Vec::new();
    for _ in 0..count {
        let name = match own_name && count == 1 && !list.several {
            true => newcomer.name.clone(),
            false => free_name(table.state, kind, newcomer.hidden),
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
