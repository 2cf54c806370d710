//! What an actor's conditions do to a check, by the rules' Conditions section.

use super::chosen::Chosen;
use crate::game::event::Modifier;
use crate::game::state::{Character, State};
use crate::names::{fold, same};
use crate::rules::{EffectChange, EffectOn, System};

/// What conditions bring to one check.
#[derive(Debug, Default)]
pub struct Brought {
    /// Numbers, by the condition's name.
    pub modifiers: Vec<Modifier>,
    /// The conditions that give advantage, with their lines.
    pub advantage: Vec<String>,
    /// The conditions that give disadvantage, with their lines.
    pub disadvantage: Vec<String>,
}

/// Everything that the actor's conditions do to this check.
pub fn brought(state: &State, system: &System, actor: Option<&Character>, chosen: &Chosen<'_>) -> Brought {
    let mut brought = Brought::default();
    let Some(actor) = actor else { return brought };
    for own in state.conditions_of(actor.id) {
        let Some(rule) = system.conditions.iter().find(|rule| same(&rule.name, &own.name)) else { continue };
        let level = own.level.unwrap_or_else(|| rule.levels.map_or(1, |(low, _)| low));
        for effect in rule.effects.iter().filter(|effect| is_about(&effect.on, system, chosen)) {
            let named = || format!("{}, {}", rule.name, rule.place);
            match effect.change {
                EffectChange::Advantage => brought.advantage.push(named()),
                EffectChange::Disadvantage => brought.disadvantage.push(named()),
                EffectChange::Add(_) => brought.modifiers.push(Modifier {
                    name: rule.name.clone(),
                    value: effect.amount(level).unwrap_or(0),
                    from: rule.place.to_string(),
                }),
            }
        }
    }
    brought
}

fn is_about(on: &EffectOn, system: &System, chosen: &Chosen<'_>) -> bool {
    match on {
        EffectOn::Checks => true,
        // A rule may name an attribute or a skill itself: `2d6 + {Poise}`.
        EffectOn::Attribute(name) => {
            chosen.attribute.is_some_and(|own| own.name == *name)
                || system.attribute(name).is_ok_and(|own| {
                    [Some(&own.name), own.abbr.as_ref()]
                        .into_iter()
                        .flatten()
                        .any(|name| chosen.rule.names(&fold(name)))
                })
        }
        EffectOn::Skill(name) => {
            chosen.skill.as_ref().is_some_and(|own| own.name == *name) || chosen.rule.names(&fold(name))
        }
        EffectOn::Check(name) => chosen.rule.name == *name,
    }
}
