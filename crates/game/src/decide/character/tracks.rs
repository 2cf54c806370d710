//! A character's tracks as a call sets them: of a new character, of a copy, and after a change.

use super::call::{HitPoints, SheetCall};
use crate::mechanics::health::direction;
use crate::mechanics::tracks::{from_rule, from_rules, main_name, mark_tracks};
use crate::record::change::Images;
use crate::record::state::{Character, Kind, State, Track};
use crate::refusal::{Code, Detail, Refusal};
use crate::view::snapshot::CharacterSnapshot;
use rollbook_rules::{Direction, Start, System};
use rollbook_text::names::same;

/// The tracks of a new character: those of the rules, with the values that the call sets, and any others that it names.
pub fn new_tracks(state: &State, system: &System, who: &Character, sheet: &SheetCall) -> Result<Vec<Track>, Refusal> {
    let given = |track: &str| sheet.tracks.iter().find(|(name, _)| same(name, track)).map(|(_, value)| *value);
    let mut tracks = Vec::new();
    for rule in &system.tracks {
        let value = given(&rule.name);
        match (from_rule(state, system, who, rule), value) {
            // What is marked on a track that fills up is not how much it takes.
            (Some(track), Some(value)) if !who.kind.is_open() && rule.counts == Direction::Up => {
                tracks.push(set_value(who, track, value)?);
            }
            // Else a foe's value is also its maximum: the rules' maximum is for the players' side.
            (_, Some(value)) if !who.kind.is_open() => tracks.push(set_by_gm(who.id, &rule.name, value)?),
            (Some(track), value) if value.is_some() || !rule.is_temporary() => {
                tracks.push(with_value(track, value)?);
            }
            (Some(_), _) => {}
            (None, Some(value)) => tracks.push(set_by_gm(who.id, &rule.name, value)?),
            (None, None) => {}
        }
    }
    for row in system.soaks.iter().flat_map(|soak| mark_tracks(who.id, soak)) {
        tracks.push(match given(&row.name) {
            Some(value) => set_value(who, row, value)?,
            None => row,
        });
    }
    for (name, value) in &sheet.tracks {
        if !tracks.iter().any(|track| same(&track.name, name)) {
            tracks.push(set_by_gm(who.id, name.trim(), *value)?);
        }
    }
    replace_hit_points(&mut tracks, system, who, sheet.hp)?;
    Ok(tracks)
}

/// The tracks of a copied character: those of the rules are computed again and keep their value, those that the GM set
/// stay; then the values that the call sets.
pub fn tracks_after(
    state: &State,
    system: &System,
    who: &Character,
    from: &CharacterSnapshot,
    sheet: &SheetCall,
) -> Result<Vec<Track>, Refusal> {
    let mut tracks = new_tracks(state, system, who, &SheetCall::default())?;
    for drawn in &from.tracks {
        let mut drawn = Track { character: who.id, ..drawn.clone() };
        if from.described && tracks.contains(&Track { fixed: false, ..drawn.clone() }) {
            drawn.fixed = false;
        }
        // A foe has some because its block says so; how far they go the rules say.
        if !drawn.fixed && !tracks.iter().any(|track| same(&track.name, &drawn.name)) {
            tracks.extend(from_rules(state, system, who, &drawn.name));
        }
        match tracks.iter_mut().find(|track| same(&track.name, &drawn.name)) {
            Some(track) if drawn.fixed => *track = drawn,
            Some(track) => track.value = drawn.value.max(track.min).min(track.max.unwrap_or(i64::MAX)),
            None => tracks.push(drawn),
        }
    }
    for (name, value) in &sheet.tracks {
        match tracks.iter_mut().find(|track| same(&track.name, name)) {
            Some(track) => *track = set_value(who, track.clone(), *value)?,
            None => tracks.push(set_by_gm(who.id, name.trim(), *value)?),
        }
    }
    replace_hit_points(&mut tracks, system, who, sheet.hp)?;
    Ok(tracks)
}

/// Replaces hit points by those of the call.
fn replace_hit_points(
    tracks: &mut Vec<Track>,
    system: &System,
    who: &Character,
    hp: Option<HitPoints>,
) -> Result<(), Refusal> {
    let Some(hp) = hp else { return Ok(()) };
    let name = main_name(system);
    let track = hit_points(system, who, hp, tracks.iter().find(|track| track.name == name))?;
    tracks.retain(|other| other.name != track.name);
    tracks.push(track);
    Ok(())
}

/// Hit points set by the call: see [`main_name`]. `ruled` are those that the character has without them.
fn hit_points(system: &System, who: &Character, hp: HitPoints, ruled: Option<&Track>) -> Result<Track, Refusal> {
    let name = main_name(system);
    let HitPoints { current, max } = hp;
    // Without a rule for hit points the GM may set those of player characters too.
    let is_ruled = who.kind == Kind::Player && system.tracks.iter().any(|track| track.name == name);
    let ruled = ruled.filter(|_| is_ruled);
    let most = ruled.and_then(|track| track.max);
    if is_ruled && most != Some(max) {
        let issue = format!("the maximum of {} follows from the rules", who.name);
        let is = most.map_or(String::new(), |most| format!(" and is {most}"));
        let instead = format!("tracks={{\"{name}\": {current}}}");
        let summary = format!(
            "hp.max: {issue}{is}. Send {instead} in place of hp: that sets where they stand, up to the maximum."
        );
        let valid_range = most.map_or(instead, |most| most.to_string());
        let detail = Detail { parameter: "hp.max".to_owned(), issue, valid_range };
        return Err(Refusal::new(Code::InvalidParameters, summary).details(vec![detail]));
    }
    if max < 1 {
        return Err(out_of_range("hp", max, "1 or more".to_owned()));
    }
    if !(0..=max).contains(&current) {
        return Err(out_of_range("hp.current", current, format!("0 to {max}")));
    }
    let track = ruled.cloned().map_or_else(|| set_by_gm(who.id, name, max), Ok)?;
    Ok(match direction(system, &track) {
        Direction::Down => Track { value: current, ..track },
        // Stress is marked up to its maximum.
        Direction::Up => Track { value: track.min + (max - current), ..track },
    })
}

/// The tracks that a change moves. When a maximum changes, the damage taken stays the same, within the track's bounds.
pub fn recompute(
    state: &State,
    system: &System,
    who: &Character,
    sheet: &SheetCall,
) -> Result<Vec<Images<Track>>, Refusal> {
    let old: Vec<Track> = state.tracks_of(who.id).cloned().collect();
    let mut moved = Vec::new();
    for rule in &system.tracks {
        let before = old.iter().find(|track| track.name == rule.name);
        match (before, from_rule(state, system, who, rule)) {
            (Some(before), Some(now)) if !before.fixed => {
                let value = match (before.max, now.max) {
                    (Some(was), Some(max)) if rule.start == Start::Full => {
                        (before.value + max - was).clamp(now.min, max)
                    }
                    (_, max) => before.value.clamp(now.min, max.unwrap_or(i64::MAX)),
                };
                moved.push(Images::changed(before.clone(), Track { value, ..now }));
            }
            // Nobody has points that are given until they are.
            (None, Some(now)) if !rule.is_temporary() || sheet.tracks.keys().any(|name| same(name, &rule.name)) => {
                moved.push(Images::made(now));
            }
            _ => {}
        }
    }
    for (name, value) in &sheet.tracks {
        let place = moved.iter_mut().find(|images| images.after.as_ref().is_some_and(|track| same(&track.name, name)));
        if let Some(images) = place {
            images.after = images.after.take().map(|track| set_value(who, track, *value)).transpose()?;
        } else if let Some(before) = old.iter().find(|track| same(&track.name, name)) {
            moved.push(Images::changed(before.clone(), set_value(who, before.clone(), *value)?));
        } else {
            moved.push(Images::made(set_by_gm(who.id, name.trim(), *value)?));
        }
    }
    if let Some(hp) = sheet.hp {
        let name = main_name(system);
        let changed = moved.iter().filter_map(|images| images.after.as_ref());
        let ruled = changed.chain(&old).find(|track| track.name == name).cloned();
        let now = hit_points(system, who, hp, ruled.as_ref())?;
        moved.retain(|images| images.after.as_ref().is_none_or(|track| track.name != now.name));
        let before = old.into_iter().find(|track| track.name == now.name);
        moved.push(Images { before, after: Some(now) });
    }
    moved.retain(|images| images.before != images.after);
    Ok(moved)
}

/// Sets a value. An NPC's value above its maximum raises the maximum.
fn set_value(who: &Character, track: Track, value: i64) -> Result<Track, Refusal> {
    match track.max {
        Some(max) if value > max && !who.kind.is_open() => Ok(Track { value, max: Some(value), fixed: true, ..track }),
        _ => with_value(track, Some(value)),
    }
}

fn set_by_gm(character: i64, name: &str, value: i64) -> Result<Track, Refusal> {
    if value < 0 {
        return Err(out_of_range(&format!("tracks.{name}"), value, "0 or more".to_owned()));
    }
    Ok(Track { character, name: name.to_owned(), value, min: 0, max: Some(value), fixed: true })
}

fn with_value(track: Track, value: Option<i64>) -> Result<Track, Refusal> {
    let Some(value) = value else { return Ok(track) };
    if value < track.min || track.max.is_some_and(|max| value > max) {
        let high = track.max.map_or("or more".to_owned(), |max| format!("to {max}"));
        return Err(out_of_range(&format!("tracks.{}", track.name), value, format!("{} {high}", track.min)));
    }
    Ok(Track { value, ..track })
}

fn out_of_range(parameter: &str, value: i64, valid_range: String) -> Refusal {
    let issue = format!("{value} is out of range");
    let summary = format!("{parameter}: {issue}; it takes {valid_range}.");
    let detail = Detail { parameter: parameter.to_owned(), issue, valid_range };
    Refusal::new(Code::InvalidParameters, summary).details(vec![detail])
}
