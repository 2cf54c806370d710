//! Effects of an actor's conditions on a check, by the rules' Conditions section.

use super::chosen::Chosen;
use crate::record::event::Modifier;
use crate::record::state::{Character, State};
use crate::view::secrets;
use rollbook_rules::{By, Change, ConditionRule, Scope, Succeed, System};
use rollbook_text::names::{fold, same};

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
    let own = actor.into_iter().flat_map(|own| changes(state, system, own)).filter(|(_, own, ..)| !own.against_bearer);
    let others =
        target.into_iter().flat_map(|own| changes(state, system, own)).filter(|(_, own, ..)| own.against_bearer);
    for (rule, change, amount, hidden) in own.chain(others) {
        if !change.on.iter().any(|on| applies_to(on, system, chosen, strikes)) {
            continue;
        }
        let of = target.filter(|_| change.against_bearer);
        brought.of_target |= of.is_some();
        brought.hidden |= hidden || of.is_some_and(|own| secrets::is_hidden_from_players(state, own));
        let name = of.map_or_else(|| rule.name.clone(), |own| format!("{} on {}", rule.name, own.name));
        let named = || format!("{name}, {}", rule.place);
        match change.by {
            By::Advantage => brought.advantage.push(named()),
            By::Disadvantage => brought.disadvantage.push(named()),
            By::Dice(_) => brought.dice.push((amount, named())),
            By::Steps(_) => brought.steps.push((amount, named())),
            By::Add(_) => {
                brought.modifiers.push(Modifier { name: name.clone(), value: amount, from: rule.place.to_string() });
            }
        }
    }
    brought
}

/// What a target's conditions add to a number of its sheet that a check is made against, -2 to the armour class of an
/// off-guard target; and whether each is hidden from players.
pub fn modifiers_of_number(state: &State, system: &System, whose: &Character, name: &str) -> Vec<(Modifier, bool)> {
    let is_it = |on: &Scope| match on {
        Scope::Attribute(own) => system.named_attribute(own).is_some_and(|own| own.is_called(&fold(name))),
        Scope::Skill(own) => same(own, name),
        Scope::Checks | Scope::Check(_) | Scope::Attacks => false,
    };
    let counts = |own: &Change| !own.against_bearer && matches!(own.by, By::Add(_)) && own.on.iter().any(is_it);
    let all = changes(state, system, whose).filter(|(_, own, amount, _)| *amount != 0 && counts(own));
    all.map(|(rule, _, value, hidden)| {
        (Modifier { name: rule.name.clone(), value, from: rule.place.to_string() }, hidden)
    })
    .collect()
}

/// Each change by each condition of a character, with what it comes to, 0 where that is no number, and whether it is hidden.
fn changes<'a>(
    state: &'a State,
    system: &'a System,
    whose: &Character,
) -> impl Iterator<Item = (&'a ConditionRule, &'a Change, i64, bool)> {
    state.conditions_of(whose.id).flat_map(|own| {
        system.condition(&own.name).into_iter().flat_map(move |rule| {
            let level = own.level.unwrap_or_else(|| rule.levels.map_or(1, |(low, _)| low));
            rule.changes.iter().map(move |change| (rule, change, change.amount(level), own.hidden))
        })
    })
}

fn applies_to(on: &Scope, system: &System, chosen: &Chosen<'_>, strikes: bool) -> bool {
    match on {
        Scope::Checks => true,
        Scope::Attacks => strikes,
        Scope::Attribute(name) => system.named_attribute(name).is_some_and(|own| {
            let mut names = std::iter::once(&own.name).chain(&own.abbr);
            chosen.attribute.is_some_and(|chosen| chosen.name == own.name)
                || names.any(|name| uses_number(chosen, name))
        }),
        Scope::Skill(name) => {
            chosen.skill.as_ref().is_some_and(|own| same(&own.name, name)) || uses_number(chosen, name)
        }
        Scope::Check(name) => same(&chosen.rule.name, name),
    }
}

/// Whether the rule uses this number of the actor: `2d6 + {Poise}`, or a Target of `{Poise}` that must not be exceeded. A
/// Target that must be reached is the target's number, and its conditions count there ([`modifiers_of_number`]).
fn uses_number(chosen: &Chosen<'_>, name: &str) -> bool {
    let name = fold(name);
    let own_target = chosen.rule.succeed == Succeed::AtMost && chosen.rule.names_in_target(&name);
    chosen.rule.names_beside_target(&name) || own_target
}
