//! Layers: points that damage takes before a track, such as temporary hit points.

use super::hit::Hit;
use crate::game::record::event::Step;
use crate::game::record::state::Track;
use crate::names::same;
use crate::rules::Layer;

/// Damage to the track `on` takes its layers first.
pub(super) fn soak(hit: &mut Hit<'_>, on: &str) {
    for layer in hit.system.layers.iter().filter(|layer| layer.track.as_ref().is_none_or(|track| same(track, on))) {
        let Some(row) = hit.consequences.vitality.track(&layer.name).cloned() else { continue };
        let taken = hit.left.min(row.value);
        if taken > 0 {
            let after = hit.left - taken;
            hit.step(layer.name.clone(), after);
            let value = row.value - taken;
            hit.move_track(row, value, 0);
        }
    }
}

/// The layer of this name.
pub(super) fn layer_named<'a>(hit: &Hit<'a>, track: &str) -> Option<&'a Layer> {
    hit.system.layers.iter().find(|layer| same(&layer.name, track))
}

/// Grants points: the larger grant stays where the rules say so, else they add up. A layer has no maximum.
pub(super) fn grant(hit: &mut Hit<'_>, layer: &Layer, row: Track) {
    let granted = hit.left.abs();
    let value = if layer.keeps_larger { row.value.max(granted) } else { row.value.saturating_add(granted) };
    let used = value - row.value;
    hit.steps.push(Step { step: layer.name.clone(), before: row.value, after: value });
    if used < granted {
        hit.steps.push(Step { step: "the larger is kept".to_owned(), before: granted - used, after: 0 });
    }
    hit.left = 0;
    // A layer set on the sheet has a maximum.
    let after = Track { value, max: row.max.filter(|max| *max >= value), ..row.clone() };
    hit.change_track(row, after, 0);
}
