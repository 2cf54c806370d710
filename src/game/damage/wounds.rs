//! Wounds by how far a hit goes over a threshold.

use super::hit::Hit;
use crate::dice::BindError;
use crate::game::refusal::Refusal;
use crate::game::tracks::marks;
use crate::game::values::{Values, dice_refusal};
use crate::rules::{Harm, Wounds};

/// One wound for every full `per` points over the threshold; one more than somebody bears brings what the rules say.
pub(super) fn take(hit: &mut Hit<'_>, wounds: &Wounds) -> Result<(), Refusal> {
    let threshold = threshold(hit, wounds)?;
    let over = hit.left.saturating_sub(threshold).max(0);
    let count = over / wounds.per.max(1);
    for row in marks(hit.target.id, &Harm::Wounds(wounds)) {
        let row = hit.now(&row);
        let value = row.value.saturating_add(count).min(row.max.unwrap_or(i64::MAX));
        let past = count > value - row.value;
        hit.step(format!("up to {} {threshold} it does no wound", wounds.over), over);
        hit.step(format!("{}: 1 for every {}, {count}", wounds.name, wounds.per), 0);
        hit.moves(row, value, 0);
        if past {
            hit.crossing.beyond(hit.state, hit.system, &wounds.then, &wounds.place);
        }
    }
    Ok(())
}

fn threshold(hit: &Hit<'_>, wounds: &Wounds) -> Result<i64, Refusal> {
    let values = Values::of(hit.state, hit.system, hit.target);
    let bound = values.try_bind(&wounds.over).map_err(|error| match error {
        BindError::Dice(error) => dice_refusal(&error),
        BindError::Missing(names) => {
            let names = names.join(", ");
            let summary = format!(
                "How hard {0} is to hurt ({1}) needs {names}, which the sheet lacks. Send manage_character action=\"update\" \
                 character=\"{0}\" attributes={{…}}, or say how many wounds: apply_damage track=\"{2}\" amount=1.",
                hit.target.name, wounds.over, wounds.name
            );
            Refusal::new("missing_value", summary)
        }
    })?;
    bound.constant().ok_or_else(|| {
        let summary = format!("What a hit must reach ({}, {}) has dice in it.", wounds.over, wounds.place);
        Refusal::new("rule_broken", summary).at(wounds.place.to_string())
    })
}
