//! One side of a check: prepared before the roll, then rolled and judged.

use std::collections::BTreeMap;

use super::call::{CheckCall, parse_values};
use super::chosen::Chosen;
use super::consequences::Move;
use super::dice::{apply_chain, apply_mode, cancelled, check_dice_in_values};
use super::modifiers::{attempt_refusal, modifiers};
use super::names::{LookedUp, Names};
use super::unused;
use crate::decide::check::call;
use crate::decide::check::call::StatedCheck;
use crate::decide::check::chosen;
use crate::decide::check::consequences;
use crate::decide::check::dice::{FromConditions, from_conditions};
use crate::decide::check::modifiers::{ignored_modifiers, modifier_as_successes, nothing_chosen};
use crate::decide::roll::Entered;
use crate::decide::roll::check_dice;
use crate::mechanics::health::Vitality;
use crate::mechanics::values::{Values, dice_refusal};
use crate::record::entry::RollRecord;
use crate::record::event::Modifier;
use crate::record::purpose::OPPOSING;
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_dice::{Bound, Roll};
use rollbook_rules::{Attempt, Check, Means, Side, System, Verdict, of_many, of_target};
use rollbook_text::names::{fold, quoted, same};

/// One side of a check, ready to roll.
pub struct PreparedCheck<'s> {
    pub chosen: Chosen<'s>,
    pub actor: Option<Character>,
    pub attempt: Attempt,
    pub modifiers: Vec<Modifier>,
    pub variables: Vec<Modifier>,
    /// Values of the call that are no numbers: `position: risky`.
    pub words: BTreeMap<String, String>,
    pub target_hidden: bool,
    pub difficulty_used: bool,
    pub adjustments: Vec<String>,
    /// Notes for the reply.
    pub notes: Vec<String>,
    /// What it costs.
    pub price: Vec<Move>,
    /// An effect counts that players know nothing of.
    pub counts_hidden: bool,
}

/// One side of a check, rolled.
pub struct RolledCheck {
    pub records: Vec<RollRecord>,
    pub verdict: Verdict,
}

impl<'s> PreparedCheck<'s> {
    /// Resolves names, modifiers, target and dice. Nothing is rolled, and nothing is refused after this.
    pub fn prepare<'t: 's>(
        table: &Table<'t>,
        (call, stated): (&CheckCall, Option<&'s StatedCheck>),
        actor: Option<Character>,
        target: Option<&Character>,
    ) -> Result<Self, Refusal> {
        let system: &'s System = table.system();
        if let Some(stated) = stated.filter(|_| !call.opposing && !call.planned) {
            call::check_rules(table, call, stated, actor.as_ref())?;
        }
        let chosen = Chosen::of(system, call, stated, actor.as_ref())?;
        if !call.planned {
            chosen::check_needs(table.state, system, chosen.rule, actor.as_ref().map(|own| own.id))?;
        }
        let given = parse_values(&call.values);
        unused::check_ranges(call, system, &given, chosen.rule)?;
        let values = Values::of_optional(table.state, system, actor.as_ref());
        let brought = from_conditions(table.state, system, (actor.as_ref(), target), &chosen, call.struck);
        let mut names = Names::new(values, &chosen, target, call.difficulty, &given);
        names.opposing = call.opposing;
        names.attack = call.bonus.is_some();
        let modifiers = modifiers(call, &names, brought.modifiers.clone())?;
        names.modifier = modifiers.sum();
        let means = Means {
            lookup: &|name, side| names.lookup(name, side),
            extra: modifiers.extra,
            dice: brought.dice_in_all(),
            targeted: is_targeted(chosen.rule, call, &given),
        };
        let mut attempt = chosen.rule.attempt(&means).map_err(|error| attempt_refusal(error, &names))?;
        attempt.reach = reach(chosen.rule, call)?;
        let price = consequences::price(chosen.rule, &attempt, chosen.attribute);
        let price = price.map_err(|error| attempt_refusal(error, &names))?;
        if !call.planned {
            consequences::check_price(table, chosen.rule, &price, actor.as_ref())?;
        }
        let mut adjustments = Vec::new();
        check_dice_in_values(&attempt, system, &names)?;
        let unchosen = nothing_chosen(&attempt, &names)?;
        adjust_dice(&mut attempt, system, &names, call, &brought, &mut adjustments)?;
        if stated.is_some() {
            check_dice(system, &attempt.expression)?;
        }
        let looked_up = names.into_looked_up();
        unused::check_values(call.of(), &given, &looked_up, chosen.rule)?;
        // Somebody who lies there is struck by a check and, after it, damage.
        let lies_there = target.is_some_and(|own| Vitality::of(table.state, own.id).is_down(system));
        if !call.struck && !lies_there && !brought.of_target {
            unused::check_target(target, &looked_up, chosen.rule)?;
        }
        let LookedUp { used: variables, secret: target_hidden, counts_hidden, difficulty_used, .. } = looked_up;
        let mut notes: Vec<String> = cancelled(&adjustments, &brought).into_iter().collect();
        notes.extend(unchosen.filter(|_| call.bonus.is_none()));
        notes.extend(ignored_modifiers(chosen.rule, &modifiers, call));
        notes.extend(modifier_as_successes(chosen.rule, &modifiers));
        let words = call.values.iter().filter(|(name, _)| matches!(given.get(&fold(name)), Some(Bound::Dice(_))));
        let words = words.map(|(name, value)| (name.clone(), value.clone())).collect();
        let modifiers = modifiers.parts;
        Ok(PreparedCheck {
            chosen,
            actor,
            attempt,
            modifiers,
            variables,
            words,
            target_hidden,
            difficulty_used,
            adjustments,
            notes,
            price,
            counts_hidden: brought.hidden || counts_hidden,
        })
    }

    /// Who rolls.
    pub fn by(&self) -> &str {
        self.actor.as_ref().map_or("gm", |actor| actor.name.as_str())
    }

    /// Rolls and judges.
    pub fn roll(
        &self,
        table: &mut Table,
        purpose: &str,
        mut entered: Option<&mut Entered>,
    ) -> Result<RolledCheck, Refusal> {
        let by = self.by();
        let rolls = || {
            std::iter::once((&self.attempt.expression, purpose))
                .chain(self.attempt.opposing.iter().map(|own| (own, OPPOSING)))
        };
        if let Some(entered) = &mut entered {
            entered.next(rolls().map(|(expression, _)| expression), "the check");
        }
        let mut records = Vec::new();
        for (expression, purpose) in rolls() {
            records.push(match &mut entered {
                Some(entered) => entered.roll(table, by, purpose, |roller| expression.roll(roller))?,
                None => table.roll(expression, by, purpose).map_err(|error| dice_refusal(&error))?,
            });
        }
        let mut verdict = self.verdict(&records);
        if self.is_untargeted() {
            // Rows with a margin cannot apply without a target, so no row does: the other side decides.
            verdict.judged = None;
        }
        Ok(RolledCheck { records, verdict })
    }

    /// Whether the rule has a target and this opposed roll needs none.
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

/// The row that the call's difficulty asks for.
fn reach(rule: &Check, call: &CheckCall) -> Result<Option<u32>, Refusal> {
    let Some(row) = &call.reach else { return Ok(None) };
    let rank = rule.rank_of(row).map(Some);
    rank.ok_or_else(|| {
        let summary = format!(
            "This difficulty is reached by the row \"{}\", and {} ({}) has no such row. Leave difficulty out, or send another check.",
            quoted(row),
            rule.name,
            rule.place
        );
        Refusal::new(Code::NoEffect, summary).at(rule.place.to_string())
    })
}

/// Whether the roll has a target. Opposed checks need neither a difficulty nor somebody's number: without a difficulty the higher
/// result wins.
fn is_targeted(rule: &Check, call: &CheckCall, given: &BTreeMap<String, Bound>) -> bool {
    let by_difficulty = rule.target.as_ref().is_some_and(|target| {
        let mut names = target.variables().into_iter().filter(|own| own.default.is_none());
        names.any(|own| same(&own.name, "difficulty") || of_target(&own.name).is_some())
    });
    let has_one = call.difficulty.is_some() || given.contains_key("difficulty");
    !call.opposed || has_one || !by_difficulty
}

/// Advantage, disadvantage and the dice chain.
fn adjust_dice(
    attempt: &mut Attempt,
    system: &System,
    names: &Names<'_>,
    call: &CheckCall,
    brought: &FromConditions,
    adjustments: &mut Vec<String>,
) -> Result<(), Refusal> {
    let mut lookup = |name: &str| names.lookup(name, Side::Actor);
    let rule = names.chosen.rule;
    let said = |all: &[(i64, String)], one: &str, several: &str| -> Vec<String> {
        all.iter().map(|(many, why)| format!("{} ({why})", of_many(*many, one, several))).collect()
    };
    if attempt.pool.is_some() {
        adjustments.extend(said(&brought.dice, "die", "dice"));
    }
    if let Some(expression) =
        apply_mode(system, rule, (&attempt.expression, attempt.added), call, brought, &mut lookup, adjustments)?
    {
        attempt.expression = expression;
    }
    // The dice that advantage brings take the steps, too.
    let steps = call.steps.saturating_add(brought.steps_in_all());
    if steps != 0 {
        let sources = said(&brought.steps, "step", "steps");
        match apply_chain(system, rule, &attempt.expression, steps) {
            Ok((expression, note)) => {
                attempt.expression = expression;
                adjustments.push(note);
                adjustments.extend(sources);
            }
            Err(refusal) if call.steps != 0 => return Err(refusal),
            Err(_) => adjustments.push(format!("{}: the main die is on no dice chain", sources.join("; "))),
        }
    }
    Ok(())
}
