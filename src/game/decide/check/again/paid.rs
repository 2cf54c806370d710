//! What following a roll costs.

use crate::dice::Roll;
use crate::game::decide::check::consequences::Move;
use crate::game::decide::check::price::lacking;
use crate::game::record::state::Character;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;
use crate::rules::{Check, Cost, FollowUp};

/// Refuses a follow-up that its track has no room for. What depends on the dice is paid as far as it goes.
pub fn check(table: &Table, rule: &FollowUp, who: Option<&Character>) -> Result<(), Refusal> {
    let Some(who) = who else { return Ok(()) };
    for cost in rule.costs.iter().filter(|cost| cost.each.is_none()) {
        if let Some(left) = cost.times(1).and_then(|own| lacking(table, who, &own)) {
            let summary =
                format!("{} ({}) {}, and {left}. Keep the roll that was made.", rule.name, rule.place, cost.describe());
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
