//! Tracks: their values by the rules, their names, and how they are shown.

use crate::mechanics::health::HIT_POINTS;
use crate::mechanics::values::Values;
use crate::record::state::{Character, State, Track};
use rollbook_rules::{Soak, Start, System, Track as TrackRule};
use rollbook_text::names::{fold, same};

/// The name of the health track. Where damage is taken from several tracks or from marks, a foe made with hit points has a track of this name instead.
pub fn main_name(system: &System) -> &str {
    system.health_track().map_or(HIT_POINTS, |rule| &rule.name)
}

/// The tracks for a character's marks of one name, unmarked; the least worth first.
pub fn mark_tracks(character: i64, soak: &Soak) -> Vec<Track> {
    let row = |name: &String, count| Track {
        character,
        name: name.clone(),
        value: 0,
        min: 0,
        max: Some(count),
        fixed: false,
    };
    soak.marks.iter().map(|mark| row(&mark.track, mark.count)).collect()
}

/// A character's tracks in the order in which the rules declare them, then the others by name.
pub fn sorted<'s>(state: &'s State, system: &System, character: i64) -> Vec<&'s Track> {
    let place = |track: &Track| system.tracks.iter().position(|rule| same(&rule.name, &track.name));
    let mut tracks: Vec<&Track> = state.tracks_of(character).collect();
    tracks.sort_by_cached_key(|track| place(track).unwrap_or(usize::MAX));
    tracks
}

/// A character's tracks, each in a few words. Marks of one rule are shown together, with the marked ones:
/// `Physical stress 2/3 (1, 3)`.
pub fn summary(state: &State, system: &System, character: i64) -> Vec<String> {
    let mut tracks = sorted(state, system, character);
    let mut marked = Vec::new();
    for soak in &system.soaks {
        let names: Vec<String> = soak.marks.iter().map(|mark| mark.track.clone()).collect();
        let is_own = |track: &&Track| names.contains(&track.name);
        let rows: Vec<&Track> = tracks.iter().copied().filter(is_own).collect();
        if rows.len() > 1 {
            tracks.retain(|track| !is_own(track));
            marked.push(render_marks(&soak.name, &names, &rows));
        }
    }
    let unmarked = tracks.into_iter().map(|track| format!("{} {}", track.name, render_value(track)));
    unmarked.chain(marked).collect()
}

/// The marks of one rule in one text.
fn render_marks(name: &str, order: &[String], rows: &[&Track]) -> String {
    let sum: i64 = rows.iter().map(|row| row.value).sum();
    let max = rows.iter().map(|row| row.max).sum::<Option<i64>>().map_or(String::new(), |max| format!("/{max}"));
    let marked = order.iter().filter_map(|own| rows.iter().find(|row| row.name == *own && row.value > 0));
    let which: Vec<&str> =
        marked.map(|row| row.name.strip_prefix(name).unwrap_or(&row.name).trim_matches([' ', '(', ')'])).collect();
    let which = if which.is_empty() { String::new() } else { format!(" ({})", which.join(", ")) };
    format!("{name} {sum}{max}{which}")
}

/// `7/12`, or `7` without a maximum.
pub fn render_value(track: &Track) -> String {
    match track.max {
        Some(max) => format!("{}/{max}", track.value),
        None => track.value.to_string(),
    }
}

/// The track of this name by the rules, for a character who has none yet.
pub fn from_rules(state: &State, system: &System, character: &Character, name: &str) -> Option<Track> {
    let rule = system.tracks.iter().find(|rule| same(&rule.name, name))?;
    from_rule(state, system, character, rule)
}

/// By how much something keeps the maximum of a track other than its line says.
fn raised(state: &State, character: i64, track: &str) -> i64 {
    let name = of_maximum(track);
    let row = state.conditions_of(character).find(|row| same(&row.name, &name));
    row.and_then(|row| row.level).unwrap_or(0)
}

/// The track by its rule; `None` while a value that the rule needs is missing.
pub fn from_rule(state: &State, system: &System, character: &Character, rule: &TrackRule) -> Option<Track> {
    // A maximum is computed from undamaged scores.
    let values = Values::of(state, system, character).undamaged();
    let number = |formula| values.bind(formula).ok().and_then(|expression| expression.constant());
    let min = number(&rule.min)?;
    let max = match &rule.max {
        Some(formula) => Some(number(formula)?.saturating_add(raised(state, character.id, &rule.name)).max(min)),
        None => None,
    };
    let value = match &rule.start {
        Start::Full => max.unwrap_or(min),
        Start::Empty => min,
        Start::At(formula) => number(formula)?,
    };
    let value = value.max(min).min(max.unwrap_or(i64::MAX));
    Some(Track { character: character.id, name: rule.name.clone(), value, min, max, fixed: false })
}

/// What keeps a maximum other than its line says: `Hit points max`.
pub fn of_maximum(track: &str) -> String {
    format!("{track} max")
}

/// The track of which a condition of this name keeps the maximum.
pub fn maximum_of(condition: &str) -> Option<String> {
    fold(condition).strip_suffix(" max").map(str::to_owned)
}
