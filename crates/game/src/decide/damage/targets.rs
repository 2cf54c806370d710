//! What a hit falls on: what the call names, else by the rules ([`System::damage_line`]).
//!
//! Defences are taken off a hit in the order of the rules. A defence is everybody's where the rules
//! say so (`for all`), else that of a character who has something of its name on the sheet: a track
//! `Armour` 3, `Resistance (cold)` 1, an attribute or a skill. Types of damage in brackets after
//! the name keep it to these. 0 means that nothing is there.

use crate::mechanics::tracks::{from_rules, main_name, mark_tracks};
use crate::mechanics::{lookup, values::Values};
use crate::record::{event::Part, state::Track};
use crate::refusal::{Code, Refusal, Result};
use crate::{decide::damage::call, decide::damage::hit::Hit};
use rollbook_dice::{Formula, parse_formula};
use rollbook_rules::{Against, DamageLine, Defence, System};
use rollbook_text::diagnostic::Place;
use rollbook_text::names::{Found, find, quoted, same, suggest};

#[derive(Debug, Clone)]
pub(super) enum DamageTarget<'a> {
    /// The points of one track, or a single mark that the call names.
    Points(Track),
    /// What damage is taken from, with the track that the call chooses.
    Line(&'a DamageLine, Option<&'a str>),
}

/// What it falls on, and which of its parts do.
pub(super) type Fall<'a> = (DamageTarget<'a>, Vec<usize>);

impl DamageTarget<'_> {
    /// Whether it is health, so that defences apply; other tracks are only counted.
    pub(super) fn is_health(&self, hit: &Hit<'_>) -> bool {
        let main = hit.consequences.vitality.main_track(hit.system);
        match self {
            DamageTarget::Points(track) => main.is_some_and(|main| main.name == track.name),
            DamageTarget::Line(..) => true,
        }
    }

    pub(super) fn name(&self, system: &System) -> Option<String> {
        match self {
            DamageTarget::Points(track) => Some(track.name.clone()),
            DamageTarget::Line(_, Some(chosen)) => Some((*chosen).to_owned()),
            DamageTarget::Line(line, None) => {
                let is_temporary =
                    |name: &&str| system.track(name).is_ok_and(|track| track.is_temporary());
                line.members()
                    .find(|name| !is_temporary(name))
                    .map(str::to_owned)
            }
        }
    }
}

/// What a hit falls on: each target with its parts. A track that the call names is for all.
pub(super) fn find_all<'a>(
    hit: &Hit<'a>,
    named: Option<&str>,
    parts: &[Part],
) -> Result<Vec<Fall<'a>>> {
    let mut groups: Vec<(Option<&Place>, Option<&str>, Vec<usize>)> = Vec::new();
    for (at, kind) in parts
        .iter()
        .map(|part| part.damage_type.as_deref())
        .enumerate()
    {
        let line = hit
            .system
            .damage_line(kind)
            .filter(|_| named.is_none())
            .map(|line| &line.place);
        match groups.iter_mut().find(|(known, ..)| *known == line) {
            Some((.., of)) => of.push(at),
            None => groups.push((line, kind, vec![at])),
        }
    }
    groups
        .into_iter()
        .map(|(_, kind, of)| Ok((find_target(hit, named, kind)?, of)))
        .collect()
}

/// Finds the target of a hit. Damage to a track of a line falls on all of the line, and the name is
/// the choice; healing goes to the track that is named. A character who has nothing of it and other
/// hit points, such as a foe made with `hp`, is hurt there.
fn find_target<'a>(
    hit: &Hit<'a>,
    named: Option<&str>,
    kind: Option<&str>,
) -> Result<DamageTarget<'a>> {
    let (system, vitality, heals) = (hit.system, &hit.consequences.vitality, hit.left < 0);
    let bare_points = || {
        vitality
            .main_track(system)
            .filter(|track| system.track(&track.name).is_err())
            .cloned()
    };
    let chosen = |name: &str| {
        let short = system
            .named_attribute(name)
            .map(|attribute| attribute.name.as_str());
        let has =
            |line: &'a DamageLine| Some((line, line.member(name).or_else(|| line.member(short?))?));
        system
            .damage_line(kind)
            .into_iter()
            .chain(&system.damage)
            .find_map(has)
    };
    let found = match named {
        Some(name) => match chosen(name) {
            Some((line, name)) if !heals || system.soak(name).is_some() => {
                Some(DamageTarget::Line(line, Some(name)))
            }
            chosen => {
                let name = chosen.map_or(name, |(_, member)| member);
                // The sheet may lack a track or mark of the rules yet.
                let mut marks = system
                    .soaks
                    .iter()
                    .flat_map(|soak| mark_tracks(hit.target.id, soak));
                let given = || {
                    system
                        .tracks
                        .iter()
                        .any(|track| track.is_temporary() && same(&track.name, name))
                };
                let fresh = || from_rules(hit.state, system, hit.target, name).filter(|_| given());
                let track = vitality
                    .track(name)
                    .cloned()
                    .or_else(|| marks.find(|row| same(&row.name, name)));
                track.or_else(fresh).map(DamageTarget::Points)
            }
        },
        None => match system.damage_line(kind) {
            // What a hit takes nothing of by itself is not healed by itself either.
            Some(line) if heals && line.stages.is_empty() => {
                bare_points().map(DamageTarget::Points)
            }
            Some(line) => {
                Some(bare_points().map_or(DamageTarget::Line(line, None), DamageTarget::Points))
            }
            None => vitality
                .main_track(system)
                .cloned()
                .map(DamageTarget::Points),
        },
    };
    let (None, Some(name)) = (&found, named) else {
        return found.ok_or_else(|| unknown(hit, None));
    };
    let found = find(name, target_names(hit).into_iter().map(|name| (name, name)));
    match lookup::one("track", name, found, str::to_owned)? {
        Some(found) if !same(name, found) => find_target(hit, Some(found), kind),
        _ if same(name, "hp") && vitality.main_track(system).is_some() => {
            find_target(hit, None, kind)
        }
        _ => Err(unknown(hit, named)),
    }
}

fn target_names<'a>(hit: &Hit<'a>) -> Vec<&'a str> {
    let system = hit.system;
    let mut names: Vec<&str> = hit
        .state
        .tracks_of(hit.target.id)
        .map(|track| track.name.as_str())
        .collect();
    let given = system
        .tracks
        .iter()
        .filter(|track| track.is_temporary())
        .map(|track| track.name.as_str());
    let rules = system
        .soaks
        .iter()
        .map(|soak| soak.name.as_str())
        .chain(given);
    let others: Vec<&str> = rules
        .filter(|name| !names.iter().any(|known| same(known, name)))
        .collect();
    names.extend(others);
    names
}

fn unknown(hit: &Hit<'_>, named: Option<&str>) -> Refusal {
    let names = target_names(hit);
    let mut suggestions = named.map_or_else(Vec::new, |name| suggest(name, names.iter().copied()));
    let main = named.map_or_else(|| main_name(hit.system).to_owned(), quoted);
    let list = names.join(", ");
    let has = match named {
        _ if names.is_empty() => "no track yet. Send".to_owned(),
        Some(name) => {
            let first = suggestions
                .first()
                .map(String::as_str)
                .or(names.first().copied())
                .unwrap_or_default();
            format!(
                "no track \"{}\", only {list}. Send track=\"{first}\" or another of these, or",
                quoted(name)
            )
        }
        None if names.iter().any(|name| same(name, &main)) => {
            format!("{list}. Send track=\"…\" for one of these, or")
        }
        None => format!(
            "no {main} for a hit to fall on, only {list}. Send track=\"…\" for one of these, or"
        ),
    };
    let summary = format!(
        "{0} has {has} manage_character action=\"update\" character=\"{0}\" tracks={{\"{main}\": 8}} to give it one.",
        hit.target.name
    );
    if suggestions.is_empty() {
        suggestions = names.into_iter().take(3).map(str::to_owned).collect();
    }
    Refusal::new(Code::UnknownTrack, summary).did_you_mean(suggestions)
}

/// Applies the target's defences to each part of the hit, except bypassed ones.
pub(super) fn defend(hit: &mut Hit<'_>, parts: &mut [Part], bypass: &[String]) -> Result<()> {
    let bypass: Vec<&str> = bypass
        .iter()
        .map(|name| defence_named(hit, name))
        .collect::<Result<_, _>>()?;
    let system = hit.system;
    for step in system
        .defences
        .iter()
        .filter(|step| !bypass.contains(&step.rule.name.as_str()))
    {
        if hit.left == 0 {
            return Ok(());
        }
        for (name, value, of) in applied(hit, step, parts) {
            let left: i64 = of
                .iter()
                .filter_map(|at| parts.get(*at))
                .map(|part| part.amount)
                .sum();
            let number = |amount: &Formula| -> Result<i64> {
                // The name of a defence is what the sheet has of it.
                let values = Values::of(hit.state, hit.system, hit.target);
                let value = |name: &str| value.filter(|_| same(name, &step.rule.name));
                let bound = amount.bind(&mut |name| value(name).or_else(|| values.get(name)));
                Ok(bound
                    .or_else(|_| values.bind(amount))?
                    .constant()
                    .unwrap_or(0))
            };
            let (after, how) = match &step.rule.does {
                Against::Subtract(amount) => {
                    let number = number(amount)?.max(0);
                    ((left - number).max(0), number.to_string())
                }
                Against::Half => {
                    let (how, after) = halved(left, system.halving_up);
                    (after, how.to_owned())
                }
                Against::Double => (left.saturating_mul(2), "double".to_owned()),
                Against::None => (0, "no damage".to_owned()),
                Against::Times(factor) => {
                    let rounded = if system.halving_up { "ceil" } else { "floor" };
                    let after = parse_formula(&format!("{rounded}(({factor}) * {left})"));
                    (
                        after.as_ref().map_or(Ok(left), number)?.max(0),
                        step.rule.does.to_string(),
                    )
                }
                Against::IgnoreUnder(amount) => {
                    let number = number(amount)?;
                    if left >= number {
                        continue;
                    }
                    (0, format!("less than {number} does nothing"))
                }
            };
            let after = after.max(left.min(step.rule.least.as_ref().map_or(Ok(0), number)?));
            if after == left {
                continue;
            }
            call::share(parts, &of, after);
            let others = hit.left - left;
            hit.step(format!("{name}: {how}"), others.saturating_add(after));
        }
    }
    Ok(())
}

/// "half, rounded down" and half of a number, rounded as the rules round what halves.
pub(super) fn halved(amount: i64, up: bool) -> (&'static str, i64) {
    if up {
        ("half, rounded up", amount / 2 + amount % 2)
    } else {
        ("half, rounded down", amount / 2)
    }
}

/// How the target has this defence: by which name and number, against which parts of the hit.
fn applied(
    hit: &Hit<'_>,
    step: &Defence,
    parts: &[Part],
) -> Vec<(String, Option<i64>, Vec<usize>)> {
    let mut found: Vec<(String, Option<i64>, Vec<usize>)> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let kind = part.damage_type.as_deref();
        if !step.is_against(kind) {
            continue;
        }
        let largest = || largest_value(hit, step, kind).map(|(name, value)| (name, Some(value)));
        let has = if step.rule.for_all {
            Some((step.rule.name.clone(), None))
        } else {
            largest()
        };
        let Some((name, value)) = has else { continue };
        match found.iter_mut().find(|(known, ..)| *known == name) {
            Some((.., against)) => against.push(at),
            None => found.push((name, value, vec![at])),
        }
    }
    found
}

fn largest_value(
    hit: &Hit<'_>,
    step: &Defence,
    damage_type: Option<&str>,
) -> Option<(String, i64)> {
    let tracks = hit
        .state
        .tracks_of(hit.target.id)
        .filter(|track| step.covers(&track.name, damage_type));
    let largest = tracks
        .max_by_key(|track| track.value)
        .map(|track| (track.name.clone(), track.value));
    let name = &step.rule.name;
    let on_sheet = || {
        Some((
            name.clone(),
            Values::of(hit.state, hit.system, hit.target).get(name)?,
        ))
    };
    largest.or_else(on_sheet).filter(|(_, value)| *value > 0)
}

fn defence_named<'s>(hit: &Hit<'s>, name: &str) -> Result<&'s str> {
    let names: Vec<&str> = hit
        .system
        .defences
        .iter()
        .map(|step| step.rule.name.as_str())
        .collect();
    match find(name, names.iter().map(|name| (*name, *name))) {
        Found::One(found) => return Ok(found),
        Found::Several(fit) => {
            return Err(lookup::ambiguous_in_list(
                "bypass",
                name,
                fit.into_iter().map(str::to_owned).collect(),
            ));
        }
        Found::Nothing => {}
    }
    let (suggestions, quoted) = (suggest(name, names.iter().copied()), quoted(name));
    let summary = match (names.first(), suggestions.first()) {
        (None, _) => "These rules name nothing that takes damage off, so there is nothing to bypass. Leave bypass out."
            .to_owned(),
        (_, Some(first)) => format!("Nothing in these rules is called {quoted}. Send bypass=[\"{first}\"]."),
        (Some(first), None) => format!(
            "Nothing in these rules is called {quoted}; there is {}. Send bypass=[\"{first}\"], or another of these.",
            names.join(", ")
        ),
    };
    Err(Refusal::new(Code::UnknownMitigation, summary).did_you_mean(suggestions))
}
