//! Mitigation of a hit, in the order of the rules.
//!
//! A target's mitigation is a track on its sheet: `Armour` 3, `Resistance (cold)` 1, `Fire resistance` 1, `Weakness (fire, acid)` 5.
//! Without damage types, in its own name or in that of the rules' step, it is against all. The value is the number where the step takes one; elsewhere 1 means yes and 0 no. A
//! number may also be a score or a skill.

use super::call;
use super::hit::Hit;
use crate::game::mechanics::lookup;
use crate::game::mechanics::values::Values;
use crate::game::record::event::{Part, Step};
use crate::game::record::state::Track;
use crate::game::refusal::{Code, Refusal};
use crate::names::{Found, find, quoted, same, suggest};
use crate::rules::{Layer, Mitigation, MitigationKind};

/// Applies the target's mitigation to each part of the hit, except bypassed ones.
pub(super) fn mitigate(hit: &mut Hit<'_>, mut parts: Vec<Part>, bypass: &[String]) -> Result<(), Refusal> {
    let bypass: Vec<&str> = bypass.iter().map(|name| mitigation_named(hit, name)).collect::<Result<_, _>>()?;
    let system = hit.system;
    for step in system.mitigations.iter().filter(|step| !bypass.contains(&step.name.as_str())) {
        if hit.left == 0 {
            return Ok(());
        }
        for (name, value, of) in applicable_parts(hit, step, &parts)? {
            let left: i64 = of.iter().filter_map(|at| parts.get(*at)).map(|part| part.amount).sum();
            let (after, how) = match &step.kind {
                MitigationKind::Subtract(_) => ((left - value).max(0), value.to_string()),
                MitigationKind::Halves { count, up } => {
                    let halves = left.saturating_mul(*count);
                    (halves / 2 + i64::from(*up && halves % 2 == 1), step.kind.describe())
                }
                MitigationKind::Nothing => (0, step.kind.describe()),
                MitigationKind::Threshold(_) if left < value => (0, format!("less than {value} does nothing")),
                MitigationKind::Threshold(_) => continue,
            };
            let after = after.max(left.min(step.least));
            call::share(&mut parts, &of, after);
            let others = hit.left - left;
            hit.step(format!("{name}: {how}"), others.saturating_add(after));
        }
    }
    Ok(())
}

/// The mitigation of the rules that a name means.
fn mitigation_named<'s>(hit: &Hit<'s>, name: &str) -> Result<&'s str, Refusal> {
    let names: Vec<&str> = hit.system.mitigations.iter().map(|step| step.name.as_str()).collect();
    match find(name, names.iter().map(|own| (*own, *own))) {
        Found::One(own) => return Ok(own),
        Found::Several(fit) => {
            return Err(lookup::ambiguous_in_list("bypass", name, fit.into_iter().map(str::to_owned).collect()));
        }
        Found::Nothing => {}
    }
    let suggestions = suggest(name, names.iter().copied());
    let summary = match (names.first(), suggestions.first()) {
        (None, _) => "These rules name nothing that takes damage off, so there is nothing to bypass. Leave bypass out."
            .to_owned(),
        (_, Some(first)) => {
            format!("Nothing in these rules is called {}. Send bypass=[\"{first}\"].", quoted(name))
        }
        (Some(first), None) => format!(
            "Nothing in these rules is called {}; there is {}. Send bypass=[\"{first}\"], or another of these.",
            quoted(name),
            names.join(", ")
        ),
    };
    Err(Refusal::new(Code::UnknownMitigation, summary).did_you_mean(suggestions))
}

/// The target's values for a step: the name on the sheet, the number, and the parts it applies to.
fn applicable_parts(
    hit: &Hit<'_>,
    step: &Mitigation,
    parts: &[Part],
) -> Result<Vec<(String, i64, Vec<usize>)>, Refusal> {
    let on_sheet = || hit.state.tracks_of(hit.target.id).any(|track| same(&track.name, &step.name));
    let constant = step.kind.constant();
    let formula = match &step.kind {
        MitigationKind::Threshold(Some(below)) => Some(below),
        MitigationKind::Subtract(Some(amount)) if constant.is_none() && !on_sheet() => Some(amount),
        _ => None,
    };
    let value = match formula {
        Some(formula) => Some(Values::of(hit.state, hit.system, hit.target).bind(formula)?.constant()),
        None => step.is_of_a_type().then_some(constant.or(Some(1))),
    };
    if let Some(value) = value {
        let counts = |kind: Option<&str>| step.is_against(kind) && !step.lets_through(kind);
        let is_against = |at: &usize| parts.get(*at).is_some_and(|part| counts(part.damage_type.as_deref()));
        let of: Vec<usize> = (0..parts.len()).filter(is_against).collect();
        let value = value.filter(|value| *value > 0 && !of.is_empty());
        return Ok(value.map(|value| (step.name.clone(), value, of)).into_iter().collect());
    }
    let mut found: Vec<(String, i64, Vec<usize>)> = Vec::new();
    let reached = parts.iter().enumerate().filter(|(_, part)| !step.lets_through(part.damage_type.as_deref()));
    for (at, part) in reached {
        let Some((name, value)) = largest_value(hit, step, part.damage_type.as_deref()).filter(|(_, value)| *value > 0)
        else {
            continue;
        };
        let value = constant.unwrap_or(value);
        match found.iter_mut().find(|(known, ..)| *known == name) {
            Some((.., of)) => of.push(at),
            None => found.push((name, value, vec![at])),
        }
    }
    Ok(found)
}

/// The largest value of the target against this type, with its name on the sheet.
fn largest_value(hit: &Hit<'_>, step: &Mitigation, damage_type: Option<&str>) -> Option<(String, i64)> {
    let is_against = |name: &str| {
        let of_type = |types: &[&str]| damage_type.is_some_and(|wanted| types.iter().any(|own| same(own, wanted)));
        step.against(name, &hit.system.mitigations).is_some_and(|types| types.is_empty() || of_type(&types))
    };
    let tracks = hit.state.tracks_of(hit.target.id).filter(|track| is_against(&track.name));
    let numbered = matches!(step.kind, MitigationKind::Subtract(_) | MitigationKind::Threshold(_));
    let on_sheet = || {
        let found = Values::of(hit.state, hit.system, hit.target).get(&step.name)?;
        Some((step.name.clone(), found))
    };
    let largest = tracks.max_by_key(|track| track.value).map(|track| (track.name.clone(), track.value));
    largest.or_else(|| if numbered && is_against(&step.name) { on_sheet() } else { None })
}

/// Damage to the track `on` takes its layers first.
pub(super) fn soak_by_layers(hit: &mut Hit<'_>, on: &str) {
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
