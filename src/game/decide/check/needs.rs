//! Checks with a While bullet: a death save is only for dying characters.

use crate::game::mechanics::health::Vitality;
use crate::game::mechanics::recovery::tracks_named;
use crate::game::mechanics::tracks::render_value;
use crate::game::record::state::State;
use crate::game::refusal::{Code, Refusal};
use crate::names::same;
use crate::rules::{Check, Direction, Need, System, While};

/// Refuses a check whose While bullet is not met by the character.
pub fn check_needs(state: &State, system: &System, rule: &Check, who: Option<i64>) -> Result<(), Refusal> {
    let Some(own) = &rule.while_held else { return Ok(()) };
    let check = format!("{} is rolled only while: {} ({})", rule.name, own.text, own.place);
    let refused = |summary: String| Err(Refusal::new(Code::NotWhile, summary).at(own.place.to_string()));
    let Some(who) = who.and_then(|who| state.characters.get(&who)) else {
        return refused(format!("{check}. Send character=\"…\" to say who rolls."));
    };
    let vitality = Vitality::of(state, who.id);
    let about_death = own.of.iter().any(|held| matches!(held, Need::Condition(name) if same(name, "dead")));
    if vitality.is_dead() && !about_death {
        return refused(format!("{} is dead, and {check}. Leave the roll out.", who.name));
    }
    let is_so = |held: &Need| is_met(&vitality, system, held);
    let so = if own.all { own.of.iter().all(is_so) } else { own.of.iter().any(is_so) };
    if so {
        return Ok(());
    }
    let missing: Vec<&Need> = own.of.iter().filter(|held| !is_so(held)).collect();
    let now: Vec<String> = missing.iter().map(|held| render_current(&vitality, system, held)).collect();
    let send = missing.first().map_or(String::new(), |held| advice(&who.name, &vitality, system, held));
    refused(format!("{check}, and {} {}.{send}", who.name, joined(own, &now)))
}

fn joined(own: &While, now: &[String]) -> String {
    now.join(if own.all { " and " } else { ", and " })
}

fn value(vitality: &Vitality, system: &System, name: &str) -> Option<i64> {
    let rows = tracks_named(vitality, system, name);
    (!rows.is_empty()).then(|| rows.iter().map(|row| row.value).fold(0, i64::saturating_add))
}

fn is_met(vitality: &Vitality, system: &System, held: &Need) -> bool {
    match held {
        Need::Condition(name) => vitality.has_condition(name),
        Need::Track { name, low, high } => {
            value(vitality, system, name).is_some_and(|value| (*low..=*high).contains(&value))
        }
    }
}

/// "is not dying", "has Hit points 5/17".
fn render_current(vitality: &Vitality, system: &System, held: &Need) -> String {
    match held {
        Need::Condition(name) => format!("is not {}", name.to_lowercase()),
        Need::Track { name, .. } => {
            let rows = tracks_named(vitality, system, name);
            let all: Vec<String> = rows.iter().map(|row| format!("{} {}", row.name, render_value(row))).collect();
            if all.is_empty() { format!("has no {name}") } else { format!("has {}", all.join(", ")) }
        }
    }
}

/// The call that makes it so, where the GM wants it.
fn advice(who: &str, vitality: &Vitality, system: &System, held: &Need) -> String {
    let otherwise = " Leave the roll out; where it is otherwise in the story, send";
    match held {
        Need::Condition(name) => format!(
            "{otherwise} manage_character action=\"add_condition\" character=\"{who}\" condition=\"{}\" first.",
            name.to_lowercase()
        ),
        Need::Track { name, low, high } => {
            let rows = tracks_named(vitality, system, name);
            let [row] = rows.as_slice() else { return " Leave the roll out.".to_owned() };
            let missing = row.value.clamp(*low, *high).saturating_sub(row.value);
            let fills = system.track(&row.name).is_ok_and(|rule| rule.counts == Direction::Up);
            let amount = if fills { missing } else { -missing };
            format!("{otherwise} apply_damage target=\"{who}\" track=\"{}\" amount={amount} first.", row.name)
        }
    }
}
