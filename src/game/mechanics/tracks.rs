//! Tracks: what the rules work out for one character, what they are called, and how they are written.

use crate::game::mechanics::health::HIT_POINTS;
use crate::game::mechanics::values::Values;
use crate::game::record::change::Images;
use crate::game::record::event::Field;
use crate::game::record::state::{Character, State, Track};
use crate::names::same;
use crate::rules::{Harm, Start, System, Track as TrackRule};

/// What the track is called whose points decide who stands. Where marks decide, a foe that is put on the table with hit
/// points has these instead.
pub fn main_name(system: &System) -> &str {
    match system.harm() {
        Some(Harm::Track(rule)) => &rule.name,
        _ => HIT_POINTS,
    }
}

/// The tracks that hold somebody's boxes, slots or wounds, none of them marked; the least worth first.
pub fn marks(character: i64, harm: &Harm<'_>) -> Vec<Track> {
    let rows = harm.marks().into_iter();
    rows.map(|marks| Track { character, name: marks.name, value: 0, min: 0, max: marks.count, fixed: false }).collect()
}

/// Somebody's tracks in the order in which the rules declare them, then the others by name.
pub fn in_order<'s>(state: &'s State, system: &System, character: i64) -> Vec<&'s Track> {
    let place = |track: &Track| system.tracks.iter().position(|rule| same(&rule.name, &track.name));
    let mut tracks: Vec<&Track> = state.tracks_of(character).collect();
    tracks.sort_by_cached_key(|track| place(track).unwrap_or(usize::MAX));
    tracks
}

/// Somebody's tracks in a few words. Boxes and slots of one rule are told together, those that are marked by name: `Physical
/// stress 2/3 (1, 3)`.
pub fn in_brief(state: &State, system: &System, character: i64) -> Vec<String> {
    let mut tracks = in_order(state, system, character);
    let mut marked = Vec::new();
    for harm in system.marked() {
        let own: Vec<String> = harm.marks().into_iter().map(|marks| marks.name).collect();
        let is_own = |track: &&Track| own.contains(&track.name);
        let rows: Vec<&Track> = tracks.iter().copied().filter(is_own).collect();
        if rows.len() > 1 {
            tracks.retain(|track| !is_own(track));
            marked.push(together(harm.name(), &own, &rows));
        }
    }
    let told = tracks.into_iter().map(|track| format!("{} {}", track.name, reading(track)));
    told.chain(marked).collect()
}

/// The marks of one rule, in its order.
fn together(name: &str, order: &[String], rows: &[&Track]) -> String {
    let sum: i64 = rows.iter().map(|row| row.value).sum();
    let max = rows.iter().map(|row| row.max).sum::<Option<i64>>().map_or(String::new(), |max| format!("/{max}"));
    let marked = order.iter().filter_map(|own| rows.iter().find(|row| row.name == *own && row.value > 0));
    let which: Vec<&str> =
        marked.map(|row| row.name.strip_prefix(name).unwrap_or(&row.name).trim_matches([' ', '(', ')'])).collect();
    let which = if which.is_empty() { String::new() } else { format!(" ({})", which.join(", ")) };
    format!("{name} {sum}{max}{which}")
}

/// A track that moved, as a field of the sheet.
pub fn field(images: &Images<Track>) -> Option<Field> {
    let text = |track: &Option<Track>| track.as_ref().map(reading);
    let name = images.row()?.name.clone();
    Some(Field { field: name, before: text(&images.before), after: text(&images.after) })
}

/// A track as people write it: `7/12`, or `7` without a maximum.
pub fn reading(track: &Track) -> String {
    match track.max {
        Some(max) => format!("{}/{max}", track.value),
        None => track.value.to_string(),
    }
}

/// The track of this name as the rules work it out for somebody who has none yet.
pub fn worked_out(state: &State, system: &System, character: &Character, name: &str) -> Option<Track> {
    let rule = system.tracks.iter().find(|rule| rule.name == name)?;
    by_rule(state, system, character, rule)
}

/// The track the rules work out; `None` while something they need is missing.
pub fn by_rule(state: &State, system: &System, character: &Character, rule: &TrackRule) -> Option<Track> {
    // A maximum follows from the scores as they were made, whatever damage has left of them.
    let values = Values::of(state, system, character).unhurt();
    let number = |formula| values.bind(formula).ok().and_then(|expression| expression.constant());
    let min = rule.min;
    let max = match &rule.max {
        Some(formula) => Some(number(formula)?.max(min)),
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
