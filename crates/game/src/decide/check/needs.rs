//! Checks with a While bullet: a death save is only for dying characters.

use crate::mechanics::health::Vitality;
use crate::mechanics::recovery::tracks_named;
use crate::mechanics::threshold::Consequences;
use crate::mechanics::tracks::render_value;
use crate::record::state::State;
use crate::refusal::{Code, Refusal};
use rollbook_rules::{Check, Direction, Facts, System, When};
use rollbook_text::names::{fold, same};

/// How far a track may be from where it has to be, for the call that moves it there to be shown.
const POINTS_MAX: i64 = 1_000;

/// Refuses a check whose While bullet is not met by the character.
pub fn check_needs(state: &State, system: &System, rule: &Check, who: Option<i64>) -> Result<(), Refusal> {
    let (Some(when), Some(own)) = (&rule.while_held, rule.bullet("While")) else { return Ok(()) };
    let needed = own.text.replace(['{', '}'], "");
    let check = format!("{} is rolled only while: {needed} ({})", rule.name, own.place);
    let refused = |summary: String| Err(Refusal::new(Code::NotWhile, summary).at(own.place.to_string()));
    let Some(who) = who.and_then(|who| state.characters.get(&who)) else {
        return refused(format!("{check}. Send character=\"…\" to say who rolls."));
    };
    let variables = when.variables();
    let names: Vec<&str> = variables.iter().map(|(name, _)| name.as_ref()).collect();
    let vitality = Vitality::of(state, who.id);
    if vitality.is_dead() && !names.iter().any(|name| same(name, "dead")) {
        return refused(format!("{} is dead, and {check}. Leave the roll out.", who.name));
    }
    let sheet = Consequences::new(state, who.id);
    if sheet.holds(state, system, when, 0) {
        return Ok(());
    }
    let number = |name: &str| sheet.values(state, system).get(name);
    let now: Vec<String> = names.iter().map(|name| render_current(&vitality, system, name, number(name))).collect();
    let mut facts = Facts::default();
    for name in &names {
        number(name).and_then(|value| facts.values.insert(fold(name), value));
    }
    let send = names.iter().find_map(|name| advice((&who.name, &vitality), system, when, (name, &facts)));
    let send = send.map(|call| format!("; where it is otherwise in the story, send {call} first"));
    let joined = now.join(" and ");
    refused(format!("{check}, and {} {joined}. Leave the roll out{}.", who.name, send.unwrap_or_default()))
}

fn is_condition(system: &System, name: &str) -> bool {
    system.condition_names().any(|own| same(own, name))
}

/// "is not dying", "has Hit points 5/17".
fn render_current(vitality: &Vitality, system: &System, name: &str, number: Option<i64>) -> String {
    let rows = tracks_named(vitality, system, name);
    let all: Vec<String> = rows.iter().map(|row| format!("{} {}", row.name, render_value(row))).collect();
    match number {
        _ if !all.is_empty() => format!("has {}", all.join(", ")),
        _ if is_condition(system, name) => {
            format!("is {}{}", if vitality.has_condition(name) { "" } else { "not " }, name.to_lowercase())
        }
        Some(number) => format!("has {name} {number}"),
        None => format!("has no {name}"),
    }
}

/// The call that makes it hold: a condition more, or a track moved as little as that takes.
fn advice(
    (who, vitality): (&str, &Vitality),
    system: &System,
    when: &When,
    (name, now): (&str, &Facts),
) -> Option<String> {
    let holds_at = |value: i64| {
        let mut facts = now.clone();
        facts.values.insert(fold(name), value);
        when.holds(&facts)
    };
    if is_condition(system, name) {
        let call = "manage_character action=\"add_condition\"";
        return holds_at(1).then(|| format!("{call} character=\"{who}\" condition=\"{}\"", name.to_lowercase()));
    }
    let rows = tracks_named(vitality, system, name);
    let [row] = rows.as_slice() else { return None };
    let by = (1..=POINTS_MAX).flat_map(|far| [-far, far]).find(|by| holds_at(row.value.saturating_add(*by)))?;
    let fills = system.track(&row.name).is_ok_and(|rule| rule.counts == Direction::Up);
    let amount = if fills { by } else { -by };
    Some(format!("apply_damage target=\"{who}\" track=\"{}\" amount={amount}", row.name))
}
