//! Values of a rule's names in one call, in the look-up order of the rules language: the call's
//! `values`; its choices (`skill`, `modifier`, `difficulty`, `attribute`); the actor's sheet.
//!
//! `{target Armour}` is asked of the target character's sheet: without one the call's `difficulty`
//! is used, else the rules' default, which a note names. Without any of them the check is refused;
//! the actor's number is never used. Conditions change the check, and the target's number.

use std::{cell::RefCell, collections::BTreeMap};

use super::{call::CheckCall, chosen::Chosen};
use crate::mechanics::values::{SourcedValue, Values};
use crate::record::event::{GIVEN, Modifier};
use crate::record::state::{Character, State};
use crate::view::secrets;
use rollbook_dice::{Bound, Variable};
use rollbook_rules::{
    AskedFrom, By, Change, ConditionRule, Scope, Side, Skill, Succeed, System, target_name,
};
use rollbook_text::names::{fold, same};

pub struct Names<'a> {
    pub values: Values<'a>,
    pub chosen: &'a Chosen<'a>,
    pub target: Option<&'a Character>,
    pub call: &'a CheckCall,
    /// The call's values, by folded name.
    pub given: &'a BTreeMap<String, Bound>,
    pub modifier: i64,
    pub looked_up: RefCell<LookedUp>,
}

#[derive(Default)]
pub struct LookedUp {
    /// The names, for the event.
    pub used: Vec<Modifier>,
    /// The target's sheet gave a number that players do not know.
    pub secret: bool,
    /// A condition that players do not see counts in the roll.
    pub counts_hidden: bool,
    pub difficulty_used: bool,
    /// The target character's sheet was read.
    pub target_asked: bool,
    /// Names of the Target that the target character lacks.
    lacking: Vec<String>,
}

impl<'a> Names<'a> {
    /// The value of a name; recorded for the event.
    pub fn lookup(&self, name: &str, side: Side) -> Option<Bound> {
        let folded = fold(name);
        let called = if side == Side::Target {
            format!("target {name}")
        } else {
            name.to_owned()
        };
        let named = self.named_by_call(&folded, side);
        let found = match self.given.get(&fold(&called)).filter(|_| named.is_none()) {
            Some(Bound::Dice(text)) => return Some(Bound::Dice(text.clone())),
            Some(Bound::Number(value)) => Some(SourcedValue {
                value: *value,
                from: GIVEN.to_owned(),
            }),
            None => named.or_else(|| self.number(&folded, name, side)),
        }?;
        let value = found.value;
        let used = &mut self.looked_up.borrow_mut().used;
        let called_folded = fold(&called);
        // The event has fields for these two.
        let has_field = ["modifier", "difficulty"].contains(&called_folded.as_str());
        if !has_field && used.iter().all(|known| fold(&known.name) != called_folded) {
            used.push(Modifier {
                name: called,
                value,
                from: found.from,
            });
        }
        Some(Bound::Number(value))
    }

    /// What the attribute or skill is worth that the call names where the check asks for one.
    fn named_by_call(&self, folded: &str, side: Side) -> Option<SourcedValue> {
        let asked = self
            .chosen
            .rule
            .asked(folded)
            .filter(|_| side == Side::Actor)?;
        let text = self.text_given(folded)?;
        let system = self.values.system;
        let name = match asked.from {
            AskedFrom::Attributes => &system.find_by_words(System::attribute, text).ok()?.name,
            AskedFrom::Skills => &system.find_by_words(System::skill, text).ok()?.name,
            AskedFrom::Range(..) | AskedFrom::Dice => return None,
        };
        let found = self.values.found(name)?;
        Some(SourcedValue {
            from: format!("{name}: {}", found.from),
            ..found
        })
    }

    fn number(&self, folded: &str, name: &str, side: Side) -> Option<SourcedValue> {
        let of_call = |value: i64| {
            Some(SourcedValue {
                value,
                from: GIVEN.to_owned(),
            })
        };
        match folded {
            "modifier" => of_call(self.modifier),
            "difficulty" if let Some(difficulty) = self.call.difficulty => {
                self.looked_up.borrow_mut().difficulty_used = true;
                of_call(difficulty)
            }
            "skill" if self.chosen.skill.is_some() => {
                self.chosen.skill_value(&self.values).ok().flatten()
            }
            "attribute" if self.chosen.attribute.is_some() => {
                self.chosen.attribute_value(&self.values)
            }
            "attribute score" if self.chosen.attribute.is_some() => self.chosen.score(&self.values),
            _ if side == Side::Actor => {
                let found = self.values.found(name)?;
                let is_hidden = self.values.condition(name).is_some_and(|row| row.hidden);
                self.looked_up.borrow_mut().counts_hidden |= is_hidden;
                Some(found)
            }
            _ => self.target_number(name).or_else(|| {
                // It is that of a target who is not named: the armour class of a foe without a
                // sheet.
                let looked_up = &mut *self.looked_up.borrow_mut();
                looked_up.difficulty_used |= self.call.difficulty.is_some();
                let lacks = self.call.difficulty.is_none() && self.target.is_some();
                looked_up.lacking.extend(lacks.then(|| name.to_owned()));
                self.call.difficulty.map(|value| SourcedValue {
                    value,
                    from: "the call's difficulty".to_owned(),
                })
            }),
        }
    }

    /// The number on the target character's sheet, with its conditions; a foe's is secret.
    fn target_number(&self, name: &str) -> Option<SourcedValue> {
        let (target, system) = (self.target?, self.values.system);
        let looked_up = &mut self.looked_up.borrow_mut();
        looked_up.target_asked = true;
        // A foe's missing number is 0 for its rolls, but no target number.
        let is_learned =
            |skill: &Skill| skill.base.is_some() || target.skills.contains_key(&skill.name);
        let written = is_on_sheet(system, target, name, BASES_MAX)
            && system.named_skill(name).is_none_or(is_learned);
        let mut found = Values::of(self.values.state, system, target)
            .found(name)
            .filter(|_| written)?;
        found.from = format!("{}: {}", target.name, found.from);
        looked_up.secret |= !target.kind.is_open();
        let is_it = |on: &Scope| match on {
            Scope::Attribute(on) => system
                .named_attribute(on)
                .is_some_and(|score| score.is_called(&fold(name))),
            Scope::Skill(on) => same(on, name),
            Scope::Checks | Scope::Check(_) | Scope::Attacks => false,
        };
        let counts = |it: &Change| {
            !it.against_bearer && matches!(it.by, By::Add(_)) && it.on.iter().any(is_it)
        };
        // Such as -2 to the armour class of an off-guard target.
        let all = changes(self.values.state, system, target);
        for (rule, _, value, hidden) in
            all.filter(|(_, change, value, _)| *value != 0 && counts(change))
        {
            looked_up.secret |= hidden;
            found.value = found.value.saturating_add(value);
            found
                .from
                .push_str(&format!("; {} {value:+}, {}", rule.name, rule.place));
        }
        Some(found)
    }

    /// What the call gives for a name, where that is no number.
    pub fn text_given(&self, name: &str) -> Option<&String> {
        match self.given.get(&fold(name)) {
            Some(Bound::Dice(text)) => Some(text),
            Some(Bound::Number(_)) | None => None,
        }
    }

    /// Those of the missing names that the target character lacks.
    pub fn lacking(&self, missing: &[String]) -> Vec<String> {
        let lacking = &self.looked_up.borrow().lacking;
        let asked = missing.iter().filter_map(|name| target_name(name));
        asked
            .filter(|name| lacking.iter().any(|lacked| same(lacked, name)))
            .map(str::to_owned)
            .collect()
    }

    /// The names of the roll that came to 0 or less.
    pub fn zeros_in_roll(&self) -> Vec<(String, i64)> {
        let used = &self.looked_up.borrow().used;
        let names = self.chosen.rule.roll.variables();
        let is_of_roll = |part: &&Modifier| names.iter().any(|name| same(&name.name, &part.name));
        let zeros = used
            .iter()
            .filter(|part| part.value <= 0)
            .filter(is_of_roll);
        zeros.map(|part| (part.name.clone(), part.value)).collect()
    }
}

/// How deep the bases of unlearned skills may name one another.
const BASES_MAX: u8 = 8;

/// Whether a sheet has the number, or everything that it is computed from.
fn is_on_sheet(system: &System, whose: &Character, name: &str, bases: u8) -> bool {
    let folded = fold(name);
    let bare = folded.strip_suffix(" score").unwrap_or(&folded);
    if let Some(attribute) = system.named_attribute(bare) {
        return whose.attributes.contains_key(&attribute.name);
    }
    let base = system
        .named_skill(name)
        .filter(|skill| !whose.skills.contains_key(&skill.name));
    let parts = base
        .and_then(|skill| skill.base.as_ref())
        .map(|base| base.formula().variables())
        .unwrap_or_default();
    let deeper = bases.checked_sub(1);
    let is_known = |part: &Variable| {
        part.default.is_some()
            || deeper.is_some_and(|left| is_on_sheet(system, whose, &part.name, left))
    };
    parts.iter().all(is_known)
}

/// The remark on a check with advantage and disadvantage.
pub const CANCEL: &str = "advantage and disadvantage cancel out";

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

/// How many dice or steps they are in all, more or fewer.
pub fn in_all(effects: &[(i64, String)]) -> i64 {
    effects
        .iter()
        .map(|(many, _)| *many)
        .fold(0, i64::saturating_add)
}

/// All effects on this check: of the actor's conditions, and of the target's on rolls against it.
pub fn from_conditions(names: &Names<'_>) -> FromConditions {
    let (
        Values {
            state,
            system,
            actor,
            ..
        },
        chosen,
        target,
    ) = (names.values, names.chosen, names.target);
    let mut effects = FromConditions::default();
    let of_actor = actor
        .into_iter()
        .flat_map(|who| changes(state, system, who))
        .map(|all| (all, None));
    let of_target = target
        .into_iter()
        .flat_map(|who| changes(state, system, who))
        .map(|all| (all, target));
    for ((rule, change, amount, hidden), of) in of_actor.chain(of_target) {
        let applies = change
            .on
            .iter()
            .any(|on| applies_to(on, system, chosen, names.call.struck));
        if change.against_bearer != of.is_some() || !applies {
            continue;
        }
        effects.of_target |= of.is_some();
        effects.hidden |=
            hidden || of.is_some_and(|who| secrets::is_hidden_from_players(state, who));
        let name = of.map_or_else(
            || rule.name.clone(),
            |who| format!("{} on {}", rule.name, who.name),
        );
        let named = || format!("{name}, {}", rule.place);
        match change.by {
            By::Advantage => effects.advantage.push(named()),
            By::Disadvantage => effects.disadvantage.push(named()),
            By::Dice(_) => effects.dice.push((amount, named())),
            By::Steps(_) => effects.steps.push((amount, named())),
            By::Add(_) => {
                effects.modifiers.push(Modifier {
                    name: name.clone(),
                    value: amount,
                    from: rule.place.to_string(),
                });
            }
        }
    }
    effects
}

/// Each change by a character's conditions: what it comes to (0: no number), and if it is hidden.
fn changes<'a>(
    state: &'a State,
    system: &'a System,
    whose: &Character,
) -> impl Iterator<Item = (&'a ConditionRule, &'a Change, i64, bool)> {
    state.conditions_of(whose.id).flat_map(|row| {
        system
            .condition(&row.name)
            .into_iter()
            .flat_map(move |rule| {
                let level = row
                    .level
                    .unwrap_or_else(|| rule.levels.map_or(1, |(low, _)| low));
                rule.changes
                    .iter()
                    .map(move |change| (rule, change, change.amount(level), row.hidden))
            })
    })
}

fn applies_to(on: &Scope, system: &System, chosen: &Chosen<'_>, strikes: bool) -> bool {
    match on {
        Scope::Checks => true,
        Scope::Attacks => strikes,
        Scope::Attribute(name) => system.named_attribute(name).is_some_and(|attribute| {
            let mut names = std::iter::once(&attribute.name).chain(&attribute.abbr);
            chosen
                .attribute
                .is_some_and(|chosen| chosen.name == attribute.name)
                || names.any(|name| uses_number(chosen, name))
        }),
        Scope::Skill(name) => {
            chosen.skill.as_ref().is_some_and(|it| same(&it.name, name))
                || uses_number(chosen, name)
        }
        Scope::Check(name) => same(&chosen.rule.name, name),
    }
}

/// Whether the rule uses this number of the actor: `2d6 + {Poise}`, or a Target of `{Poise}` that
/// must not be exceeded. One that must be reached is the target's ([`Names::lookup`]).
fn uses_number(chosen: &Chosen<'_>, name: &str) -> bool {
    let name = fold(name);
    let own_target = chosen.rule.succeed == Succeed::AtMost && chosen.rule.names_in_target(&name);
    chosen.rule.names_beside_target(&name) || own_target
}
