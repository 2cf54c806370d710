//! What is taken off a hit before it reaches anybody, in the order in which the rules name it.
//!
//! Who has it, against what, stands on the sheet as a track: `Armour` 3, `Resistance (cold)` 1, `Weakness (fire, acid)` 5. One
//! without damage types is against all. The value is the number where the step takes one; elsewhere 1 has it and 0 does
//! not. A number may be a score or a skill as well.

use super::hit::Hit;
use crate::game::refusal::Refusal;
use crate::game::values::Values;
use crate::names::same;
use crate::rules::{Mitigation, MitigationKind};

/// Takes off what the target has against this type of damage.
pub(super) fn mitigate(hit: &mut Hit<'_>, damage_type: Option<&str>) -> Result<(), Refusal> {
    for step in &hit.system.mitigations {
        let threshold = match &step.kind {
            MitigationKind::Threshold(Some(formula)) => {
                let values = Values::of(hit.state, hit.system, hit.target);
                values.bind(formula)?.constant().map(|value| (step.name.clone(), value))
            }
            _ => None,
        };
        let Some((name, value)) = threshold.or_else(|| own(hit, step, damage_type)) else { continue };
        if value < 1 {
            continue;
        }
        let left = hit.left;
        let (after, how) = match &step.kind {
            MitigationKind::Subtract => ((left - value).max(0), value.to_string()),
            MitigationKind::Half { up } => ((left + i64::from(*up)) / 2, step.kind.describe()),
            MitigationKind::Double => (left.saturating_mul(2), step.kind.describe()),
            MitigationKind::Nothing => (0, step.kind.describe()),
            MitigationKind::Threshold(_) if left < value => (0, format!("less than {value} does nothing")),
            MitigationKind::Threshold(_) => continue,
        };
        hit.step(format!("{name}: {how}"), after);
    }
    Ok(())
}

/// The largest value that the target has of it against this type, with its name on the sheet.
fn own(hit: &Hit<'_>, step: &Mitigation, damage_type: Option<&str>) -> Option<(String, i64)> {
    let tracks = hit.state.tracks_of(hit.target.id);
    let on_tracks = tracks.filter(|track| is_against(&track.name, &step.name, damage_type));
    let numbered = matches!(step.kind, MitigationKind::Subtract | MitigationKind::Threshold(_));
    let on_sheet = || {
        let found = Values::of(hit.state, hit.system, hit.target).get(&step.name)?;
        Some((step.name.clone(), found))
    };
    let largest = on_tracks.max_by_key(|track| track.value).map(|track| (track.name.clone(), track.value));
    largest.or_else(|| if numbered { on_sheet() } else { None })
}

/// `Resistance` and `Resistance (cold, fire)` are against cold.
fn is_against(track: &str, step: &str, damage_type: Option<&str>) -> bool {
    match track.split_once('(') {
        None => same(track, step),
        Some((name, types)) => {
            let mut types = types.trim_end().trim_end_matches(')').split(',');
            same(name, step) && damage_type.is_some_and(|wanted| types.any(|own| same(own, wanted)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_stand_in_brackets_and_none_is_all() {
        for (track, damage_type, against) in [
            ("Resistance", None, true),
            ("resistance", Some("cold"), true),
            ("Resistance (cold)", Some("Cold"), true),
            ("Resistance (fire, cold)", Some("cold"), true),
            ("Resistance (fire)", Some("cold"), false),
            ("Resistance (fire)", None, false),
            ("Resist", Some("cold"), false),
        ] {
            assert_eq!(is_against(track, "Resistance", damage_type), against, "{track} against {damage_type:?}");
        }
    }
}
