//! Tracks: their values by the rules, their names, and how they are shown.

use crate::mechanics::clocks::beginning;
use crate::mechanics::health::HIT_POINTS;
use crate::mechanics::values::Values;
use crate::record::state::{Character, State, Track, of_max};
use rollbook_dice::Formula;
use rollbook_rules::{Soak, System, Track as TrackRule};
use rollbook_text::names::{fold, same};

/// The name of the health track. Where damage is taken from several tracks or from marks, a foe made with hit points has a track of this name instead.
pub fn main_name(system: &System) -> &str {
    system.health_track().map_or(HIT_POINTS, |rule| &rule.name)
}

/// The tracks for a character's marks of one name, unmarked; the least worth first.
pub fn mark_tracks(character: i64, soak: &Soak) -> Vec<Track> {
    let row = |name: String, max| Track { character, name, value: 0, min: 0, max: Some(max), fixed: false };
    soak.marks.iter().map(|mark| row(mark.track.clone(), mark.count)).collect()
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
    for Soak { name, marks, .. } in &system.soaks {
        let row = |name: &String| tracks.iter().copied().find(|track| track.name == *name);
        let rows: Vec<&Track> = marks.iter().filter_map(|mark| row(&mark.track)).collect();
        if rows.len() < 2 {
            continue;
        }
        tracks.retain(|track| !rows.iter().any(|row| row.name == track.name));
        let sum = rows.iter().map(|row| row.value).sum();
        let max = rows.iter().map(|row| row.max).sum();
        let bare = |row: &&Track| {
            row.name.strip_prefix(name.as_str()).unwrap_or(&row.name).trim_matches([' ', '(', ')']).to_owned()
        };
        let which: Vec<String> = rows.iter().filter(|row| row.value > 0).map(bare).collect();
        let which = if which.is_empty() { String::new() } else { format!(" ({})", which.join(", ")) };
        marked.push(format!("{name} {}{which}", of_max(sum, max)));
    }
    let unmarked = tracks.into_iter().map(|track| format!("{} {}", track.name, render_value(track)));
    unmarked.chain(marked).collect()
}

/// `7/12`, or `7` without a maximum.
pub fn render_value(track: &Track) -> String {
    of_max(track.value, track.max)
}

/// The track of this name by the rules, for a character who has none yet.
pub fn from_rules(state: &State, system: &System, character: &Character, name: &str) -> Option<Track> {
    let rule = system.tracks.iter().find(|rule| same(&rule.name, name))?;
    from_rule(state, system, character, rule)
}

/// The track by its rule; `None` while a value that the rule needs is missing.
pub fn from_rule(state: &State, system: &System, character: &Character, rule: &TrackRule) -> Option<Track> {
    // A maximum is computed from undamaged scores.
    let values = Values::of(state, system, character).undamaged();
    let number = |formula: &Formula| values.bind(formula).ok()?.constant();
    // By how much something keeps the maximum other than its line says.
    let name = maximum_condition(&rule.name);
    let raised = state.conditions_of(character.id).find(|row| same(&row.name, &name)).and_then(|row| row.level);
    let (min, max, value) = beginning(rule, number, raised.unwrap_or(0))?;
    Some(Track { character: character.id, name: rule.name.clone(), value, min, max, fixed: false })
}

/// What keeps a maximum other than its line says: `Hit points max`.
pub fn maximum_condition(track: &str) -> String {
    format!("{track} max")
}

/// The track of which a condition of this name keeps the maximum.
pub fn track_of_maximum(condition: &str) -> Option<String> {
    fold(condition).strip_suffix(" max").map(str::to_owned)
}
