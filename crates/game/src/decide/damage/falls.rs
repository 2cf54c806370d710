//! What a hit falls on: what the call names, else what the rules say that damage is taken from ([`System::damage_line`]).

use super::call::DamageCall;
use super::hit::Hit;
use crate::mechanics::health::Vitality;
use crate::mechanics::lookup;
use crate::mechanics::tracks::{from_rules, main_name, mark_tracks};
use crate::record::state::{Character, State, Track};
use crate::refusal::{Code, Refusal};
use rollbook_rules::{DamageLine, System};
use rollbook_text::diagnostic::Place;
use rollbook_text::names::{Found, find, quoted, same, suggest};

/// What a hit is applied to.
#[derive(Debug, Clone)]
pub(super) enum DamageTarget<'a> {
    /// The points of one track, or a single mark that the call names.
    Points(Track),
    /// What damage is taken from, with the track that the call chooses.
    Line(&'a DamageLine, Option<&'a str>),
}

impl DamageTarget<'_> {
    /// Whether it is health, so that defences apply; other tracks are only counted.
    pub(super) fn is_health(&self, hit: &Hit<'_>) -> bool {
        match self {
            DamageTarget::Points(track) => {
                let is_main = |main: &Track| main.name == track.name;
                hit.consequences.vitality.main_track(hit.system).is_some_and(is_main)
            }
            DamageTarget::Line(..) => true,
        }
    }

    /// Its name, where the hit falls on something.
    pub(super) fn name(&self, system: &System) -> Option<String> {
        match self {
            DamageTarget::Points(track) => Some(track.name.clone()),
            DamageTarget::Line(_, Some(chosen)) => Some((*chosen).to_owned()),
            DamageTarget::Line(line, None) => {
                let is_given = |name: &&str| system.track(name).is_ok_and(|own| own.is_given());
                line.members().find(|name| !is_given(name)).map(str::to_owned)
            }
        }
    }
}

/// What a hit falls on, part by part: each target with the parts that fall on it. A call that names a track means it for all.
pub(super) fn find_all<'a>(
    state: &State,
    system: &'a System,
    target: &Character,
    call: &DamageCall,
    amount: i64,
) -> Result<Vec<(DamageTarget<'a>, Vec<usize>)>, Refusal> {
    let named = call.track.as_deref();
    let kinds: Vec<Option<&str>> = match call.parts.is_empty() {
        true => vec![call.damage_type.as_deref()],
        false => call.parts.iter().map(|part| part.damage_type.as_deref()).collect(),
    };
    let line = |kind: Option<&str>| system.damage_line(kind).filter(|_| named.is_none()).map(|own| own.place.clone());
    let mut groups: Vec<(Option<Place>, Vec<usize>)> = Vec::new();
    for (at, kind) in kinds.iter().enumerate() {
        let line = line(*kind);
        match groups.iter_mut().find(|(known, _)| *known == line) {
            Some((_, of)) => of.push(at),
            None => groups.push((line, vec![at])),
        }
    }
    let found = groups.into_iter().map(|(_, of)| {
        let kind = of.first().and_then(|at| kinds.get(*at)).copied().flatten();
        find_target(state, system, target, (named, kind), amount < 0).map(|found| (found, of))
    });
    found.collect()
}

/// Finds the target of a hit. Damage to a track of a line falls on all of the line, and the name is the choice; healing goes to the
/// track that is named. Somebody who has nothing of it and hit points of their own, such as a foe made with `hp`, is hurt there.
fn find_target<'a>(
    state: &State,
    system: &'a System,
    target: &Character,
    (named, kind): (Option<&str>, Option<&str>),
    heals: bool,
) -> Result<DamageTarget<'a>, Refusal> {
    let vitality = Vitality::of(state, target.id);
    let own_points = || vitality.main_track(system).filter(|own| system.track(&own.name).is_err()).cloned();
    let chosen = |name: &str| {
        let short = system.named_attribute(name).map(|own| own.name.as_str());
        let has = |line: &'a DamageLine| Some((line, line.member(name).or_else(|| line.member(short?))?));
        let first = system.damage_line(kind);
        first.into_iter().chain(&system.damage).find_map(has)
    };
    let found = match named {
        Some(name) => match chosen(name) {
            Some((line, own)) if !heals || system.soak(own).is_some() => Some(DamageTarget::Line(line, Some(own))),
            chosen => {
                let name = chosen.map_or(name, |(_, own)| own);
                let own = vitality.track(name).cloned().or_else(|| undeclared_on_sheet(state, system, target, name));
                own.map(DamageTarget::Points)
            }
        },
        None => match system.damage_line(kind) {
            // What a hit takes nothing of by itself is not healed by itself either.
            Some(line) if heals && line.stages.is_empty() => own_points().map(DamageTarget::Points),
            Some(line) => Some(own_points().map_or(DamageTarget::Line(line, None), DamageTarget::Points)),
            None => vitality.main_track(system).cloned().map(DamageTarget::Points),
        },
    };
    if let Some(found) = found {
        return Ok(found);
    }
    match named.map(|name| (name, find(name, target_names(state, system, target).map(|own| (own, own))))) {
        Some((_, Found::One(own))) if named.is_some_and(|name| !same(name, own)) => {
            find_target(state, system, target, (Some(own), kind), heals)
        }
        Some((name, Found::Several(fit))) => {
            Err(lookup::ambiguous("track", name, fit.into_iter().map(str::to_owned).collect()))
        }
        Some((name, _)) if same(name, "hp") && vitality.main_track(system).is_some() => {
            find_target(state, system, target, (None, kind), heals)
        }
        _ => Err(unknown(state, system, target, named)),
    }
}

/// The names that a hit on a character can be applied to.
fn target_names<'a>(state: &'a State, system: &'a System, target: &Character) -> impl Iterator<Item = &'a str> {
    let own: Vec<&str> = state.tracks_of(target.id).map(|track| track.name.as_str()).collect();
    let given = system.tracks.iter().filter(|own| own.is_given()).map(|own| own.name.as_str());
    let rules = system.soaks.iter().map(|own| own.name.as_str()).chain(given);
    let others: Vec<&str> = rules.filter(|name| !own.iter().any(|known| same(known, name))).collect();
    own.into_iter().chain(others)
}

/// A track or mark of the rules that the character's sheet does not have yet.
fn undeclared_on_sheet(state: &State, system: &System, target: &Character, name: &str) -> Option<Track> {
    let mut marks = system.soaks.iter().flat_map(|soak| mark_tracks(target.id, soak));
    let given = || system.tracks.iter().any(|own| own.is_given() && same(&own.name, name));
    let fresh = || given().then(|| from_rules(state, system, target, name)).flatten();
    marks.find(|row| same(&row.name, name)).or_else(fresh)
}

fn unknown(state: &State, system: &System, target: &Character, named: Option<&str>) -> Refusal {
    let names: Vec<&str> = target_names(state, system, target).collect();
    let suggestions = named.map_or_else(Vec::new, |name| suggest(name, names.iter().copied()));
    let main = named.map_or_else(|| main_name(system).to_owned(), quoted);
    let has = match (names.is_empty(), named) {
        (true, _) => "no track yet. Send".to_owned(),
        (false, Some(name)) => {
            let first = suggestions.first().map_or_else(|| names.first().copied().unwrap_or_default(), String::as_str);
            format!(
                "no track \"{}\", only {}. Send track=\"{first}\" or another of these, or",
                quoted(name),
                names.join(", ")
            )
        }
        (false, None) if names.iter().any(|own| same(own, &main)) => {
            format!("{}. Send track=\"…\" for one of these, or", names.join(", "))
        }
        (false, None) => {
            format!("no {main} for a hit to fall on, only {}. Send track=\"…\" for one of these, or", names.join(", "))
        }
    };
    let summary = format!(
        "{0} has {has} manage_character action=\"update\" character=\"{0}\" tracks={{\"{main}\": 8}} to give it one.",
        target.name
    );
    let suggestions =
        if suggestions.is_empty() { names.into_iter().take(3).map(str::to_owned).collect() } else { suggestions };
    Refusal::new(Code::UnknownTrack, summary).did_you_mean(suggestions)
}
