//! What following a roll costs.

use crate::dice::Roll;
use crate::game::decide::check::consequences::Move;
use crate::game::mechanics::health::{Vitality, room};
use crate::game::mechanics::recovery::tracks_named;
use crate::game::mechanics::tracks::render_value;
use crate::game::record::state::Character;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;
use crate::rules::{Check, Cost, FollowUp};

/// Refuses a follow-up that its track has no room for. What depends on the dice is paid as far as it goes.
pub fn check(table: &Table, rule: &FollowUp, who: Option<&Character>) -> Result<(), Refusal> {
    let Some(who) = who else { return Ok(()) };
    let vitality = Vitality::of(table.state, who.id);
    for cost in rule.costs.iter().filter(|cost| cost.each.is_none()) {
        let Some(own) = cost.times(1).filter(|own| !own.shared) else { continue };
        let tracks = tracks_named(&vitality, table.system(), own.effect.track());
        let left = tracks.iter().map(|track| room(table.system(), track)).fold(0, i64::saturating_add);
        if tracks.is_empty() || left < i64::from(cost.count) {
            let now: Vec<String> =
                tracks.iter().map(|track| format!("{} {}", track.name, render_value(track))).collect();
            let has = if now.is_empty() { format!("no {}", own.effect.track()) } else { now.join(", ") };
            let summary = format!(
                "{} ({}) {}, and {} has {has}. Keep the roll that was made.",
                rule.name,
                rule.place,
                cost.describe(),
                who.name
            );
            return Err(Refusal::new(Code::NotEnough, summary).at(rule.place.to_string()));
        }
    }
    Ok(())
}

/// What the new roll costs.
pub fn costs<'r>(check: &Check, rule: &'r FollowUp, roll: &Roll) -> Vec<Move> {
    let dice = roll.dice();
    let paid = |cost: &'r Cost| {
        let times = cost.each.as_ref().map_or(1, |each| dice.iter().filter(|view| each.has(view)).count());
        let reason = reason(&check.name, &rule.name);
        let reason = match &cost.each {
            Some(each) => format!("{reason} ({})", each.describe()),
            None => reason,
        };
        Some(Move { own: cost.times(times)?, reason })
    };
    rule.costs.iter().filter_map(paid).collect()
}

/// For what the price is paid, whatever the dice show: it is not given back where the new roll is followed once more.
pub fn reason(check: &str, rule: &str) -> String {
    format!("{check}, {rule}")
}
