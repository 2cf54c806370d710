//! A character's tracks as a sheet sets them: of somebody new, of somebody drawn after another, and after a change.

use super::Sheet;
use crate::game::mechanics::tracks::{by_rule, main_name, marks};
use crate::game::record::change::Images;
use crate::game::record::state::{Character, Kind, State, Track};
use crate::game::refusal::{Code, Detail, Refusal};
use crate::game::view::snapshot::CharacterSnapshot;
use crate::names::same;
use crate::rules::{Direction, Harm, Start, System, Track as TrackRule};

/// The tracks of a new character: those the rules work out, with the values the call gives, and any the call names itself.
pub fn fresh(state: &State, system: &System, character: &Character, sheet: &Sheet) -> Result<Vec<Track>, Refusal> {
    let given = &sheet.tracks;
    let mut tracks = Vec::new();
    for rule in &system.tracks {
        let value = given.iter().find(|(name, _)| same(name, &rule.name)).map(|(_, value)| *value);
        match (by_rule(state, system, character, rule), value) {
            // A foe is as its description says, and whole: the rules' maximum is for the players' side.
            (_, Some(value)) if !character.kind.is_open() => tracks.push(by_hand(character.id, &rule.name, value)?),
            (Some(track), value) if value.is_some() || is_borne(system, character, rule) => {
                tracks.push(valued(track, value)?);
            }
            (Some(_), _) => {}
            (None, Some(value)) => tracks.push(by_hand(character.id, &rule.name, value)?),
            (None, None) => {}
        }
    }
    for row in system.marked().flat_map(|harm| marks(character.id, &harm)) {
        let value = given.iter().find(|(name, _)| same(name, &row.name)).map(|(_, value)| *value);
        tracks.push(match value {
            Some(value) => set(character, row, value)?,
            None => row,
        });
    }
    for (name, value) in given {
        if !tracks.iter().any(|track| same(&track.name, name)) {
            tracks.push(by_hand(character.id, name.trim(), *value)?);
        }
    }
    put_hit_points(&mut tracks, system, character, sheet.hp)?;
    Ok(tracks)
}

/// Whether somebody of this kind has the track unasked. What fills up from nothing and brings nothing when it is full (a road,
/// an oath) is the players' progress, and no foe's.
fn is_borne(system: &System, character: &Character, rule: &TrackRule) -> bool {
    let progress = rule.start == Start::Empty && rule.counts == Direction::Up;
    let watched = || system.triggers.iter().any(|trigger| same(trigger.when.track(), &rule.name));
    let health = || matches!(system.harm(), Some(Harm::Track(own)) if own.name == rule.name);
    character.kind.is_open() || !progress || watched() || health()
}

/// The tracks of somebody who is drawn after another: what the rules work out is worked out anew and stands where it stood, what
/// the GM set stays as it was set; then what the call says.
pub fn drawn(
    state: &State,
    system: &System,
    character: &Character,
    from: &CharacterSnapshot,
    sheet: &Sheet,
) -> Result<Vec<Track>, Refusal> {
    let mut tracks = fresh(state, system, character, &Sheet::default())?;
    for drawn in &from.tracks {
        let mut drawn = Track { character: character.id, ..drawn.clone() };
        if from.described && tracks.contains(&Track { fixed: false, ..drawn.clone() }) {
            drawn.fixed = false;
        }
        match tracks.iter_mut().find(|track| same(&track.name, &drawn.name)) {
            Some(track) if drawn.fixed => *track = drawn,
            Some(track) => track.value = drawn.value.max(track.min).min(track.max.unwrap_or(i64::MAX)),
            None => tracks.push(drawn),
        }
    }
    for (name, value) in &sheet.tracks {
        match tracks.iter_mut().find(|track| same(&track.name, name)) {
            Some(track) => *track = set(character, track.clone(), *value)?,
            None => tracks.push(by_hand(character.id, name.trim(), *value)?),
        }
    }
    put_hit_points(&mut tracks, system, character, sheet.hp)?;
    Ok(tracks)
}

/// Puts the hit points that a call gives a foe in the place of any it has.
fn put_hit_points(
    tracks: &mut Vec<Track>,
    system: &System,
    character: &Character,
    hp: Option<i64>,
) -> Result<(), Refusal> {
    let Some(hp) = hp else { return Ok(()) };
    let own = hit_points(system, character, hp)?;
    tracks.retain(|track| track.name != own.name);
    tracks.push(own);
    Ok(())
}

/// A foe's hit points, set by the GM, full at `hp`: see [`main_name`].
fn hit_points(system: &System, character: &Character, hp: i64) -> Result<Track, Refusal> {
    let name = main_name(system);
    // Without a rule for hit points they are the GM's to set, a player's too.
    if character.kind == Kind::Player && system.tracks.iter().any(|own| own.name == name) {
        let summary = format!(
            "hp is for non-player characters and companions; the maximum of {0} follows from the rules. Send tracks={{\"{name}\": {hp}}} in place of hp: \
             that sets where they stand, up to the maximum.",
            character.name
        );
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if hp < 1 {
        return Err(out_of_range("hp", hp, "1 or more".to_owned()));
    }
    by_hand(character.id, name, hp)
}

/// The tracks that a change moves. The damage taken stays the same when a maximum changes, and no value leaves its bounds.
pub fn recomputed(
    state: &State,
    system: &System,
    character: &Character,
    sheet: &Sheet,
) -> Result<Vec<Images<Track>>, Refusal> {
    let old: Vec<Track> = state.tracks_of(character.id).cloned().collect();
    let mut moved = Vec::new();
    for rule in &system.tracks {
        let before = old.iter().find(|track| track.name == rule.name);
        let worked_out = by_rule(state, system, character, rule);
        match (before, worked_out) {
            (Some(before), Some(now)) if !before.fixed => {
                let value = match (before.max, now.max) {
                    (Some(was), Some(max)) if rule.start == Start::Full => {
                        (before.value + max - was).clamp(now.min, max)
                    }
                    (_, max) => before.value.clamp(now.min, max.unwrap_or(i64::MAX)),
                };
                moved.push(Images::changed(before.clone(), Track { value, ..now }));
            }
            (None, Some(now)) => moved.push(Images::made(now)),
            _ => {}
        }
    }
    for (name, value) in &sheet.tracks {
        let place = moved.iter_mut().find(|images| images.after.as_ref().is_some_and(|track| same(&track.name, name)));
        if let Some(images) = place {
            images.after = images.after.take().map(|track| set(character, track, *value)).transpose()?;
        } else if let Some(before) = old.iter().find(|track| same(&track.name, name)) {
            moved.push(Images::changed(before.clone(), set(character, before.clone(), *value)?));
        } else {
            moved.push(Images::made(by_hand(character.id, name.trim(), *value)?));
        }
    }
    if let Some(hp) = sheet.hp {
        let own = hit_points(system, character, hp)?;
        moved.retain(|images| images.after.as_ref().is_none_or(|track| track.name != own.name));
        let before = old.into_iter().find(|track| track.name == own.name);
        moved.push(Images { before, after: Some(own) });
    }
    moved.retain(|images| images.before != images.after);
    Ok(moved)
}

/// A value the GM sets. An NPC's may lie above its maximum and becomes that too: a foe is as its description says.
fn set(character: &Character, track: Track, value: i64) -> Result<Track, Refusal> {
    match track.max {
        Some(max) if value > max && !character.kind.is_open() => {
            Ok(Track { value, max: Some(value), fixed: true, ..track })
        }
        _ => valued(track, Some(value)),
    }
}

fn by_hand(character: i64, name: &str, value: i64) -> Result<Track, Refusal> {
    if value < 0 {
        return Err(out_of_range(&format!("tracks.{name}"), value, "0 or more".to_owned()));
    }
    Ok(Track { character, name: name.to_owned(), value, min: 0, max: Some(value), fixed: true })
}

fn valued(track: Track, value: Option<i64>) -> Result<Track, Refusal> {
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
    Refusal::new(Code::InvalidParameters, summary).details(vec![Detail {
        parameter: parameter.to_owned(),
        issue,
        valid_range,
    }])
}
