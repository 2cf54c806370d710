//! Effects of an actor's conditions on a check, by the rules' Conditions section.

use super::chosen::Chosen;
use crate::game::record::event::Modifier;
use crate::game::record::state::{Character, State};
use crate::game::view::secrets;
use crate::names::fold;
use crate::rules::{ConditionEffect, ConditionRule, EffectChange, EffectOn, Succeed, System};

/// The effects of conditions on one check.
#[derive(Debug, Default)]
pub struct FromConditions {
    /// Modifiers, by the condition's name.
    pub modifiers: Vec<Modifier>,
    /// The conditions that give advantage, with their places.
    pub advantage: Vec<String>,
    /// The conditions that give disadvantage, with their places.
    pub disadvantage: Vec<String>,
    /// Dice more or fewer, with the conditions that bring them and their places.
    pub dice: Vec<(i64, String)>,
    /// Steps on the dice chain, likewise.
    pub steps: Vec<(i64, String)>,
    /// Something of the target counts.
    pub of_target: bool,
    /// One of them is hidden from players.
    pub hidden: bool,
}

impl FromConditions {
    /// How many dice more there are by all of them, or fewer.
    pub fn dice_in_all(&self) -> i64 {
        in_all(&self.dice)
    }

    /// How many steps they are in all.
    pub fn steps_in_all(&self) -> i64 {
        in_all(&self.steps)
    }
}

fn in_all(brought: &[(i64, String)]) -> i64 {
    brought.iter().map(|(many, _)| many).fold(0, |sum: i64, many| sum.saturating_add(*many))
}

/// All effects on this check: of the actor's conditions, and of those of the target that are about what others roll against it.
pub fn from_conditions(
    state: &State,
    system: &System,
    (actor, target): (Option<&Character>, Option<&Character>),
    chosen: &Chosen<'_>,
    strikes: bool,
) -> FromConditions {
    let mut brought = FromConditions::default();
    let own =
        actor.into_iter().flat_map(|actor| effects(state, system, actor)).filter(|(_, effect, ..)| !effect.against);
    let others =
        target.into_iter().flat_map(|target| effects(state, system, target)).filter(|(_, effect, ..)| effect.against);
    let mut last = None;
    for (rule, effect, amount, hidden) in own.chain(others) {
        // A clause about an attribute and a skill that goes by it counts once.
        let clause = Some((rule.span, effect.clause, effect.against));
        if !applies_to(&effect.on, system, chosen, strikes) || last == clause {
            continue;
        }
        last = clause;
        let of = target.filter(|_| effect.against);
        brought.of_target |= of.is_some();
        brought.hidden |= hidden || of.is_some_and(|own| secrets::is_hidden_from_players(state, own));
        let name = of.map_or_else(|| rule.name.clone(), |own| format!("{} on {}", rule.name, own.name));
        let named = || format!("{name}, {}", rule.place);
        match effect.change {
            EffectChange::Advantage => brought.advantage.push(named()),
            EffectChange::Disadvantage => brought.disadvantage.push(named()),
            EffectChange::Dice(_) => brought.dice.push((amount, named())),
            EffectChange::Steps(_) => brought.steps.push((amount, named())),
            EffectChange::Add(_) => {
                brought.modifiers.push(Modifier { name: name.clone(), value: amount, from: rule.place.to_string() });
            }
        }
    }
    brought
}

/// What a target's conditions add to a number of its sheet that a check is made against, -2 to the armour class of an
/// off-guard target; and whether each is hidden from players.
pub fn modifiers_of_number(state: &State, system: &System, whose: &Character, name: &str) -> Vec<(Modifier, bool)> {
    let name = fold(name);
    let is_it = |on: &EffectOn| match on {
        EffectOn::Attribute(own) => system.attribute(own).is_ok_and(|own| own.is_called(&name)),
        EffectOn::Skill(own) => fold(own) == name,
        EffectOn::Checks | EffectOn::Check(_) | EffectOn::Attacks => false,
    };
    let all = effects(state, system, whose).filter(|(_, effect, ..)| !effect.against && is_it(&effect.on));
    all.filter(|(_, effect, amount, _)| *amount != 0 && matches!(effect.change, EffectChange::Add(_)))
        .map(|(rule, _, value, hidden)| {
            (Modifier { name: rule.name.clone(), value, from: rule.place.to_string() }, hidden)
        })
        .collect()
}

/// Each effect of each condition of a character, with what it comes to, 0 where that is no number, and whether it is hidden.
fn effects<'a>(
    state: &'a State,
    system: &'a System,
    whose: &Character,
) -> impl Iterator<Item = (&'a ConditionRule, &'a ConditionEffect, i64, bool)> {
    state.conditions_of(whose.id).flat_map(|own| {
        system.condition(&own.name).into_iter().flat_map(move |rule| {
            let level = own.level.unwrap_or_else(|| rule.levels.map_or(1, |(low, _)| low));
            rule.effects.iter().map(move |effect| (rule, effect, effect.amount(level).unwrap_or(0), own.hidden))
        })
    })
}

fn applies_to(on: &EffectOn, system: &System, chosen: &Chosen<'_>, strikes: bool) -> bool {
    match on {
        EffectOn::Checks => true,
        EffectOn::Attacks => strikes,
        EffectOn::Attribute(name) => {
            let named = || {
                let own = system.attribute(name).ok();
                own.into_iter()
                    .flat_map(|own| std::iter::once(&own.name).chain(&own.abbr))
                    .any(|name| uses_number(chosen, name))
            };
            chosen.attribute.is_some_and(|own| own.name == *name) || named()
        }
        EffectOn::Skill(name) => {
            chosen.skill.as_ref().is_some_and(|own| own.name == *name) || uses_number(chosen, name)
        }
        EffectOn::Check(name) => chosen.rule.name == *name,
    }
}

/// Whether the rule uses this number of the actor: `2d6 + {Poise}`, or a Target of `{Poise}` that must not be exceeded. A
/// Target that must be reached is the target's number, and its conditions count there ([`modifiers_of_number`]).
fn uses_number(chosen: &Chosen<'_>, name: &str) -> bool {
    let name = fold(name);
    let own_target = chosen.rule.succeed == Succeed::AtMost && chosen.rule.names_in_target(&name);
    chosen.rule.names_beside_target(&name) || own_target
}
