//! What the rules ask for and a character lacks.

use crate::game::mechanics::values::{Values, is_omitted_zero};
use crate::game::record::state::{Character, State};
use crate::rules::{Attribute, System, Track};

/// What the rules ask for and the character lacks: "Strength (STR), 3 to 20".
pub fn missing(state: &State, system: &System, character: &Character) -> Vec<String> {
    let lacks = |own: &&Attribute| !character.attributes.contains_key(&own.name) && !is_omitted_zero(character, own);
    let attributes = system.attributes.iter().filter(lacks);
    let attributes = attributes.map(|attribute| {
        let abbr = attribute.abbr.as_ref().map_or(String::new(), |abbr| format!(" ({abbr})"));
        let range = attribute.range.map_or(String::new(), |(low, high)| format!(", {low} to {high}"));
        format!("{}{abbr}{range}", attribute.name)
    });
    // The track of an attribute comes with its score.
    let tracks = system.tracks.iter().filter(|rule| !system.takes_score(&rule.name));
    let tracks = tracks.filter(|rule| !state.tracks_of(character.id).any(|track| track.name == rule.name));
    let (undeclared, values) = (system.undeclared_scores(), Values::of(state, system, character));
    let track = |rule: &Track| {
        let mut needs = rule.variables();
        needs.retain(|name| undeclared.contains(name) && values.get(name).is_none());
        match needs.is_empty() {
            true => rule.name.clone(),
            false => format!("{} (from attributes {})", rule.name, needs.join(", ")),
        }
    };
    attributes.chain(tracks.map(track)).collect()
}
