//! Conditions that last until a check succeeds: `- Held: until a Will save succeeds`.

use crate::game::damage::{self, DamageCall};
use crate::game::entry::Visibility;
use crate::game::event::CheckEvent;
use crate::game::lasting;
use crate::game::standing::Standing;
use crate::game::state::Until;
use crate::game::table::Table;
use crate::names::same;
use crate::rules::ANY_CHECK;

/// Ends what this success ends, in an entry of its own.
pub fn overcome(table: &mut Table, event: &CheckEvent, visibility: Visibility) {
    let Some(who) = event.subject.as_ref().filter(|_| event.outcome.is_some_and(|outcome| outcome.is_success())) else {
        return;
    };
    // What opposes a check is beaten by winning, whatever the total came to.
    if event.opposed.as_ref().is_some_and(|opposed| !opposed.won) || Standing::of(table.state, who.id).is_dead() {
        return;
    }
    let tried = [Some(&event.check), event.skill.as_ref(), event.attribute.as_ref()];
    let system = table.system();
    let ended = table.state.conditions_of(who.id).filter(|row| match lasting::until(system, row) {
        Some(Until::Check(name)) => name == ANY_CHECK || tried.into_iter().flatten().any(|tried| same(tried, &name)),
        _ => false,
    });
    let ended: Vec<String> = ended.map(|row| row.name.clone()).collect();
    if ended.is_empty() {
        return;
    }
    let by = event.skill.as_ref().or(event.attribute.as_ref()).unwrap_or(&event.check);
    let call = DamageCall {
        target: who.name.clone(),
        remove_conditions: ended,
        reason: Some(format!("{} succeeded", by)),
        ..DamageCall::default()
    };
    // Whoever stands in the story and has these conditions can lose them.
    let _ = damage::decide(table, call, Some(visibility));
}
