//! One side of a check: everything settled before a die falls, then the roll and what comes of it.

use std::collections::BTreeMap;

use super::call::CheckCall;
use super::chosen::Chosen;
use super::conditions::{Brought, brought};
use super::dice::{chain, in_values, mode};
use super::modifiers::{attempt_refusal, modifiers};
use super::names::{LookedUp, Names};
use super::remarks::{successes, unchosen, unheeded};
use super::unused;
use crate::dice::{Bound, Roll};
use crate::game::mechanics::values::{Values, dice_refusal};
use crate::game::record::entry::RollRecord;
use crate::game::record::event::Modifier;
use crate::game::record::purpose::OPPOSING;
use crate::game::record::state::Character;
use crate::game::refusal::Refusal;
use crate::game::table::Table;
use crate::names::{fold, same};
use crate::rules::{Attempt, Check, Means, Side, System, Verdict};

/// One side of a check, ready to be rolled.
pub struct Trial<'s> {
    pub chosen: Chosen<'s>,
    pub actor: Option<Character>,
    pub attempt: Attempt,
    pub modifiers: Vec<Modifier>,
    pub variables: Vec<Modifier>,
    /// What the call said that is no number: `position: risky`.
    pub said: BTreeMap<String, String>,
    pub target_hidden: bool,
    pub difficulty_used: bool,
    pub adjustments: Vec<String>,
    /// What the caller should know that is no part of the record.
    pub noted: Vec<String>,
}

/// A trial that was rolled.
pub struct Tried {
    pub records: Vec<RollRecord>,
    pub verdict: Verdict,
}

impl<'s> Trial<'s> {
    /// Settles names, modifiers, target and dice. Nothing is rolled, and nothing can be refused after it.
    pub fn prepare(
        table: &Table<'s>,
        call: &CheckCall,
        actor: Option<Character>,
        target: Option<&Character>,
    ) -> Result<Self, Refusal> {
        let system: &'s System = table.system();
        let chosen = Chosen::of(system, call, actor.as_ref())?;
        let given = given(&call.values);
        let values = Values::maybe(table.state, system, actor.as_ref());
        let brought = brought(table.state, system, actor.as_ref(), &chosen);
        let mut names = Names::new(values, &chosen, target, call.difficulty, &given);
        names.opposing = call.opposing;
        let modifiers = modifiers(call, &names, brought.modifiers.clone())?;
        names.modifier = modifiers.sum();
        let means = Means {
            lookup: &|name, side| names.lookup(chosen.rule, name, side),
            extra: modifiers.extra,
            targeted: is_targeted(chosen.rule, call, &given),
        };
        let mut attempt = chosen.rule.attempt(&means).map_err(|error| attempt_refusal(error, &names))?;
        let mut adjustments = Vec::new();
        in_values(&attempt, system, &names)?;
        let unchosen = unchosen(&attempt, &names)?;
        dice(&mut attempt, system, &names, call, &brought, &mut adjustments)?;
        let looked_up = names.into_looked_up();
        unused::values(&given, &looked_up, chosen.rule)?;
        unused::target(target, &looked_up, chosen.rule)?;
        let LookedUp { used: variables, secret: target_hidden, difficulty_used, remarks, .. } = looked_up;
        let mut noted = remarks;
        noted.extend(unchosen);
        noted.extend(unheeded(chosen.rule, &modifiers, call));
        noted.extend(successes(chosen.rule, &modifiers));
        let said = call.values.iter().filter(|(name, _)| matches!(given.get(&fold(name)), Some(Bound::Dice(_))));
        let said = said.map(|(name, value)| (name.clone(), value.clone())).collect();
        let modifiers = modifiers.parts;
        Ok(Trial {
            chosen,
            actor,
            attempt,
            modifiers,
            variables,
            said,
            target_hidden,
            difficulty_used,
            adjustments,
            noted,
        })
    }

    /// Whose roll it is.
    pub fn by(&self) -> &str {
        self.actor.as_ref().map_or("gm", |actor| actor.name.as_str())
    }

    /// Rolls, and looks the outcome up.
    pub fn roll(&self, table: &mut Table, purpose: &str) -> Result<Tried, Refusal> {
        let by = self.by();
        let refused = |error| dice_refusal(&error);
        let mut records = vec![table.roll(&self.attempt.expression, by, purpose).map_err(refused)?];
        if let Some(opposing) = &self.attempt.opposing {
            records.push(table.roll(opposing, by, OPPOSING).map_err(refused)?);
        }
        let mut verdict = self.verdict(&records);
        if self.is_untargeted() {
            // Rows that ask for a margin cannot win, so those below them must not: the other side decides.
            verdict.judged = None;
        }
        Ok(Tried { records, verdict })
    }

    /// Whether the rule has a target and this roll needs none, because two roll against each other.
    pub fn is_untargeted(&self) -> bool {
        self.chosen.rule.target.is_some() && self.attempt.target.is_none()
    }

    fn verdict(&self, records: &[RollRecord]) -> Verdict {
        let rolls: Vec<&Roll> = records.iter().map(|record| &record.roll).collect();
        match rolls.as_slice() {
            [roll, opposing] => self.chosen.rule.verdict(&self.attempt, roll, Some(opposing)),
            [roll] => self.chosen.rule.verdict(&self.attempt, roll, None),
            _ => self.chosen.rule.verdict(&self.attempt, &Roll::default(), None),
        }
    }
}

/// The call's values: numbers as numbers, anything else as text, which a rule may take for dice.
pub fn given(values: &BTreeMap<String, String>) -> BTreeMap<String, Bound> {
    let read = |value: &String| match value.trim().strip_prefix('+').unwrap_or(value.trim()).parse() {
        Ok(number) => Bound::Number(number),
        Err(_) => Bound::Dice(value.clone()),
    };
    values.iter().map(|(name, value)| (fold(name), read(value))).collect()
}

/// Two who roll against each other need no difficulty: without one the higher result wins.
fn is_targeted(rule: &Check, call: &CheckCall, given: &BTreeMap<String, Bound>) -> bool {
    let by_difficulty = rule.target.as_ref().is_some_and(|target| {
        target.variables().iter().any(|variable| same(&variable.name, "difficulty") && variable.default.is_none())
    });
    let has_one = call.difficulty.is_some() || given.contains_key("difficulty");
    !call.opposed || has_one || !by_difficulty
}

/// Advantage, disadvantage and the dice chain.
fn dice(
    attempt: &mut Attempt,
    system: &System,
    names: &Names<'_>,
    call: &CheckCall,
    brought: &Brought,
    adjustments: &mut Vec<String>,
) -> Result<(), Refusal> {
    if call.steps != 0 {
        let (expression, note) = chain(system, &attempt.expression, call.steps)?;
        attempt.expression = expression;
        adjustments.push(note);
    }
    let mut lookup = |name: &str| names.lookup(names.chosen.rule, name, Side::Actor);
    let rule = names.chosen.rule;
    if let Some(expression) = mode(system, rule, &attempt.expression, call, brought, &mut lookup, adjustments)? {
        attempt.expression = expression;
    }
    Ok(())
}
