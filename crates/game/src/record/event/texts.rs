//! The free texts of an event, by the parameter that brought them.

use super::{Act, DamageEvent, Event, Field};

impl Event {
    /// What dice are rolled for, in the caller's words.
    pub fn context(&self) -> Option<&str> {
        match self {
            Event::Roll { context, .. } | Event::RollSet { context, .. } => context.as_deref(),
            Event::TableRoll(own) => own.context.as_deref(),
            Event::Check(check) => check.context.as_deref(),
            Event::CampaignCreated { .. }
            | Event::CampaignRenamed { .. }
            | Event::RulesLoaded { .. }
            | Event::SessionStarted { .. }
            | Event::SessionEnded { .. }
            | Event::LossAccepted(_)
            | Event::Restored { .. }
            | Event::Continued(_)
            | Event::Revealed(_)
            | Event::Note(_)
            | Event::Damage(_)
            | Event::CharacterCreated { .. }
            | Event::CharacterUpdated { .. }
            | Event::Items { .. }
            | Event::Awarded { .. }
            | Event::LevelUp { .. }
            | Event::Improved { .. }
            | Event::Retired { .. }
            | Event::Rested { .. }
            | Event::CombatPrepared { .. }
            | Event::CombatStarted { .. }
            | Event::CombatantJoined { .. }
            | Event::Combatant { .. }
            | Event::TurnBegan { .. }
            | Event::TurnTakenBack { .. }
            | Event::StructureChanged { .. }
            | Event::RoundBegan { .. }
            | Event::Clock(_)
            | Event::Deck(_)
            | Event::Time(_)
            | Event::Effects { .. }
            | Event::CombatEnded { .. }
            | Event::Undone(_) => None,
        }
    }

    /// Every free text that is new in this event; texts that repeat an earlier entry are left out.
    pub fn free_texts(&self) -> Vec<(&'static str, &str)> {
        match self {
            Event::SessionStarted { title, .. }
            | Event::CombatPrepared { title, .. }
            | Event::CombatStarted { title, .. } => optional("title", title),
            Event::Roll { input, context, check: _, deals: _ } => {
                std::iter::once(("expression", input.as_str())).chain(optional("context", context)).collect()
            }
            Event::RollSet { inputs, context, .. } => {
                inputs.iter().map(|input| ("expression", input.as_str())).chain(optional("context", context)).collect()
            }
            Event::TableRoll(own) => {
                let rows = own.drawn.iter().map(|drawn| ("table", drawn.result.as_str()));
                optional("context", &own.context).into_iter().chain(rows).collect()
            }
            Event::Check(check) => {
                let words = check.said.iter().flat_map(|(name, value)| [("values", name.as_str()), ("values", value)]);
                let stated = check.stated.iter().flat_map(|own| {
                    let rows = own.rows.iter().flat_map(|(when, outcome)| [("rows", when.as_str()), ("rows", outcome)]);
                    [("check", check.check.as_str()), ("roll", own.roll.as_str())].into_iter().chain(rows)
                });
                optional("context", &check.context).into_iter().chain(words).chain(stated).collect()
            }
            Event::Damage(event) => damage_texts(event),
            Event::Note(note) => vec![("text", note.text.as_str())],
            Event::Clock(event) => {
                std::iter::once(("name", event.name.as_str())).chain(optional("reason", &event.reason)).collect()
            }
            Event::Time(event) => optional("text", &event.reason),
            Event::Awarded { reason, fields, .. } | Event::Items { reason, fields, .. } => {
                optional("override_reason", reason).into_iter().chain(new_values("inventory", fields)).collect()
            }
            Event::CharacterUpdated { fields, .. } => {
                new_values("notes", fields).chain(fields.iter().map(|field| ("notes", field.field.as_str()))).collect()
            }
            Event::Combatant { act, .. } => match act {
                Act::Readied { trigger } => vec![("trigger", trigger)],
                Act::SideChanged { after, .. } => vec![("side", after)],
                Act::Left
                | Act::Defeated
                | Act::Revived
                | Act::Hidden
                | Act::Revealed { .. }
                | Act::Delayed
                | Act::Returned
                | Act::Lapsed
                | Act::Triggered { .. }
                | Act::InitiativeSet { .. }
                | Act::InitiativeRolled { .. }
                | Act::ActsNow => Vec::new(),
            },
            Event::Effects { began, .. } => began.iter().map(|own| ("name", own.name.as_str())).collect(),
            Event::CombatEnded { outcome, .. } => optional("outcome", outcome),
            Event::CampaignCreated { .. }
            | Event::CampaignRenamed { .. }
            | Event::RulesLoaded { .. }
            | Event::SessionEnded { .. }
            | Event::LossAccepted(_)
            | Event::Restored { .. }
            | Event::Continued(_)
            | Event::Revealed(_)
            | Event::CharacterCreated { .. }
            | Event::LevelUp { .. }
            | Event::Improved { .. }
            | Event::Retired { .. }
            | Event::Rested { .. }
            | Event::CombatantJoined { .. }
            | Event::TurnBegan { .. }
            | Event::TurnTakenBack { .. }
            | Event::StructureChanged { .. }
            | Event::RoundBegan { .. }
            | Event::Deck(_)
            | Event::Undone(_) => Vec::new(),
        }
    }
}

fn damage_texts(event: &DamageEvent) -> Vec<(&'static str, &str)> {
    let kinds = event.damage_type.iter().chain(event.parts.iter().filter_map(|part| part.damage_type.as_ref()));
    let kinds = kinds.map(|kind| ("damage_type", kind.as_str()));
    let conditions = event.gained.iter().map(|name| ("condition", name.as_str()));
    event.reason.iter().map(|reason| ("reason", reason.as_str())).chain(kinds).chain(conditions).collect()
}

fn new_values<'a>(parameter: &'static str, fields: &'a [Field]) -> impl Iterator<Item = (&'static str, &'a str)> {
    fields.iter().filter_map(move |field| Some((parameter, field.after.as_deref()?)))
}

fn optional<'a>(parameter: &'static str, text: &'a Option<String>) -> Vec<(&'static str, &'a str)> {
    text.as_deref().map(|text| (parameter, text)).into_iter().collect()
}
