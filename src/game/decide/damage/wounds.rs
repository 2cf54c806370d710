//! Wounds by how far a hit exceeds a threshold.

use super::hit::Hit;
use crate::dice::{BindError, Formula};
use crate::game::mechanics::tracks::mark_tracks;
use crate::game::mechanics::values::{Values, dice_refusal};
use crate::game::refusal::{Code, Refusal};
use crate::rules::{Harm, Wounds};

/// One wound for every full `per` points over the threshold; a wound without room has the consequences of the rules.
pub(super) fn take(hit: &mut Hit<'_>, wounds: &Wounds) -> Result<(), Refusal> {
    let threshold = threshold(hit, wounds)?;
    let over = hit.left.saturating_sub(threshold).max(0);
    let count = over / wounds.per.max(1);
    for row in mark_tracks(hit.target.id, &Harm::Wounds(wounds)) {
        let row = hit.current(&row);
        let value = row.value.saturating_add(count).min(row.max.unwrap_or(i64::MAX));
        let past = count > value - row.value;
        hit.step(format!("up to {} {threshold} it does no wound", render_threshold(&wounds.over)), over);
        hit.step(format!("{}: 1 for every {}, {count}", wounds.name, wounds.per), 0);
        hit.move_track(row, value, 0);
        if past {
            hit.consequences.mark_without_room(hit.state, hit.system, &wounds.then, &wounds.place);
        }
    }
    Ok(())
}

/// The formula; a single name without braces.
fn render_threshold(over: &Formula) -> String {
    let text = over.to_string();
    let name = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    name.filter(|name| !name.contains(['{', '}'])).map_or(text.clone(), str::to_owned)
}

fn threshold(hit: &Hit<'_>, wounds: &Wounds) -> Result<i64, Refusal> {
    let values = Values::of(hit.state, hit.system, hit.target);
    let bound = values.try_bind(&wounds.over).map_err(|error| match error {
        BindError::Dice(error) => dice_refusal(&error),
        BindError::Missing(names) => {
            let first = names.first().map_or("", String::as_str);
            let field = match (hit.system.attribute(first).is_ok(), hit.system.skill(first).is_ok()) {
                (true, _) => "attributes",
                (false, true) => "skills",
                (false, false) => "tracks",
            };
            let summary = format!(
                "How hard {0} is to hurt ({1}) needs {2}, which the sheet lacks. Send manage_character action=\"update\" \
                 character=\"{0}\" {field}={{\"{first}\": …}}, or say how many wounds: apply_damage track=\"{3}\" amount=1.",
                hit.target.name,
                render_threshold(&wounds.over),
                names.join(", "),
                wounds.name
            );
            Refusal::new(Code::MissingValue, summary)
        }
    })?;
    bound.constant().ok_or_else(|| {
        let summary = format!("What a hit must reach ({}, {}) has dice in it.", wounds.over, wounds.place);
        Refusal::new(Code::RuleBroken, summary).at(wounds.place.to_string())
    })
}
