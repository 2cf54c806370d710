//! A character's tracks as a call sets them: of a new character, of a copy, and after a change.

use super::{HitPoints, SheetCall};
use crate::mechanics::tracks::{from_rule, from_rules, main_name, mark_tracks};
use crate::record::state::{Character, Kind, State, Track};
use crate::refusal::{Code, Detail, Refusal, Result};
use crate::{limits::bad_value, mechanics::health::direction, record::change::Images};
use rollbook_rules::{Direction, Start, System};
use rollbook_text::names::same;
use serde_json::json;

/// The tracks of a new character: those of the rules, with the values that the call sets, and any
/// others that it names. Where it is copied from another, those of the rules are computed again and
/// keep their value, and those that the GM set stay.
pub fn new_tracks(
    state: &State,
    system: &System,
    who: &Character,
    sheet: &SheetCall,
) -> Result<Vec<Track>> {
    let from = sheet.from.as_deref();
    let given = sheet.tracks.iter().filter(|_| from.is_none());
    let mut tracks = Vec::new();
    for rule in &system.tracks {
        let value = given
            .clone()
            .find(|(name, _)| same(name, &rule.name))
            .map(|(_, value)| *value);
        tracks.extend(match (from_rule(state, system, who, rule), value) {
            // Set below. What is marked on a track that fills up is not how much it takes.
            (Some(track), Some(_)) if who.kind.is_open() || rule.counts == Direction::Up => {
                Some(track)
            }
            // Else a foe's value is also its maximum: the rules' maximum is for the players' side.
            (_, Some(value)) => Some(set_by_gm(who.id, &rule.name, value)?),
            (track, None) => track.filter(|_| !rule.is_temporary()),
        });
    }
    tracks.extend(
        system
            .soaks
            .iter()
            .flat_map(|soak| mark_tracks(who.id, soak)),
    );
    for drawn in from.iter().flat_map(|from| &from.tracks) {
        let mut drawn = Track {
            character: who.id,
            ..drawn.clone()
        };
        if from.is_some_and(|from| from.described)
            && tracks.contains(&Track {
                fixed: false,
                ..drawn.clone()
            })
        {
            drawn.fixed = false;
        }
        // A foe has some because its block says so; how far they go the rules say.
        if !drawn.fixed && !tracks.iter().any(|track| same(&track.name, &drawn.name)) {
            tracks.extend(from_rules(state, system, who, &drawn.name));
        }
        match tracks
            .iter_mut()
            .find(|track| same(&track.name, &drawn.name))
        {
            Some(track) if drawn.fixed => *track = drawn,
            Some(track) => {
                track.value = drawn
                    .value
                    .max(track.min)
                    .min(track.max.unwrap_or(i64::MAX))
            }
            None => tracks.push(drawn),
        }
    }
    set_all(&mut tracks, system, who, sheet, &[])?;
    Ok(tracks)
}

/// Sets the values and the hit points of the call in `tracks`; `rest` are the other tracks.
fn set_all(
    tracks: &mut Vec<Track>,
    system: &System,
    who: &Character,
    sheet: &SheetCall,
    rest: &[Track],
) -> Result<()> {
    for (name, value) in &sheet.tracks {
        let other = rest.iter().find(|track| same(&track.name, name));
        match (
            tracks.iter_mut().find(|track| same(&track.name, name)),
            other,
        ) {
            (Some(track), _) => *track = set_value(who, track.clone(), *value)?,
            (None, Some(other)) => tracks.push(set_value(who, other.clone(), *value)?),
            (None, None) => tracks.push(set_by_gm(who.id, name.trim(), *value)?),
        }
    }
    let Some(hp) = sheet.hp else { return Ok(()) };
    let name = main_name(system);
    let track = hit_points(
        system,
        who,
        hp,
        tracks.iter().chain(rest).find(|track| track.name == name),
    )?;
    tracks.retain(|other| other.name != track.name);
    tracks.push(track);
    Ok(())
}

/// Hit points set by the call (see [`main_name`]); `ruled`: those that the character has without.
fn hit_points(
    system: &System,
    who: &Character,
    hp: HitPoints,
    ruled: Option<&Track>,
) -> Result<Track> {
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
        let summary = format!("hp.max: {issue}{is}.");
        let after = " in place of hp: that sets where they are, up to the maximum";
        let refusal = Refusal::new(Code::InvalidParameters, summary)
            .send("tracks", json!({name: current}), after)
            .without("hp");
        let valid_range = most.map_or(instead, |most| most.to_string());
        let detail = Detail {
            parameter: "hp.max".to_owned(),
            issue,
            valid_range,
        };
        return Err(refusal.details(vec![detail]));
    }
    if max < 1 {
        return Err(out_of_range("hp", max, "1 or more"));
    }
    if !(0..=max).contains(&current) {
        return Err(out_of_range("hp.current", current, &format!("0 to {max}")));
    }
    let track = ruled
        .cloned()
        .map_or_else(|| set_by_gm(who.id, name, max), Ok)?;
    Ok(match direction(system, &track) {
        Direction::Down => Track {
            value: current,
            ..track
        },
        // Stress is marked up to its maximum.
        Direction::Up => Track {
            value: track.min + (max - current),
            ..track
        },
    })
}

/// The tracks that a change moves. A changed maximum keeps the damage taken, within the bounds.
pub fn recompute(
    state: &State,
    system: &System,
    who: &Character,
    sheet: &SheetCall,
) -> Result<Vec<Images<Track>>> {
    let old: Vec<Track> = state.tracks_of(who.id).cloned().collect();
    let mut tracks = Vec::new();
    for rule in &system.tracks {
        let before = old.iter().find(|track| track.name == rule.name);
        match (before, from_rule(state, system, who, rule)) {
            (Some(had), Some(now)) if !had.fixed => {
                let value = match (had.max, now.max) {
                    (Some(was), Some(max)) if rule.start == Start::Full => {
                        (had.value + max - was).clamp(now.min, max)
                    }
                    (_, max) => had.value.clamp(now.min, max.unwrap_or(i64::MAX)),
                };
                tracks.push(Track { value, ..now });
            }
            // Nobody has points that are given until they are.
            (None, Some(now))
                if !rule.is_temporary()
                    || sheet.tracks.keys().any(|name| same(name, &rule.name)) =>
            {
                tracks.push(now);
            }
            _ => {}
        }
    }
    set_all(&mut tracks, system, who, sheet, &old)?;
    let before = |name: &str| old.iter().find(|track| track.name == name).cloned();
    let moved = tracks.into_iter().map(|track| Images {
        before: before(&track.name),
        after: Some(track),
    });
    Ok(moved
        .filter(|images| images.before != images.after)
        .collect())
}

/// Sets a value. An NPC's value above its maximum raises the maximum.
fn set_value(who: &Character, track: Track, value: i64) -> Result<Track> {
    let is_above = track.max.is_some_and(|max| value > max);
    if is_above && !who.kind.is_open() {
        return Ok(Track {
            value,
            max: Some(value),
            fixed: true,
            ..track
        });
    }
    if value < track.min || is_above {
        let high = track
            .max
            .map_or("or more".to_owned(), |max| format!("to {max}"));
        let valid = format!("{} {high}", track.min);
        return Err(out_of_range(
            &format!("tracks.{}", track.name),
            value,
            &valid,
        ));
    }
    Ok(Track { value, ..track })
}

fn set_by_gm(character: i64, name: &str, value: i64) -> Result<Track> {
    if value < 0 {
        return Err(out_of_range(&format!("tracks.{name}"), value, "0 or more"));
    }
    Ok(Track::full(character, name, value))
}

fn out_of_range(parameter: &str, value: i64, valid: &str) -> Refusal {
    bad_value(
        Code::InvalidParameters,
        parameter,
        &format!("{value} is out of range"),
        valid,
    )
}
