//! A check's entry, and what is logged with it.
//!
//! The rule's formulas in a check's event, so that a check can be verified without the rules: the sum of the modifiers must
//! be in the roll, and the target must follow from the difficulty.

use std::collections::BTreeMap;

use crate::decide::check::call::{CheckCall, StatedCheck, parse_values};
use crate::decide::check::consequences::{
    Move, apply_moves, apply_moves_of_all, apply_row_moves, apply_shared_moves, end_overcome, end_spent,
};
use crate::decide::check::trial::{PreparedCheck, RolledCheck};
use crate::decide::clock;
use crate::decide::clock::Rewind;
use crate::mechanics::clocks;
use crate::record::entry::Visibility;
use crate::record::event::{CheckEvent, Event, Formulas, Opposed, Subject};
use crate::record::state::Character;
use crate::refusal::Refusal;
use crate::table::{Draft, Table};
use rollbook_dice::{Bound, Expression, Formula, Roll, parse, parse_formula};
use rollbook_rules::{Attempt, Check, Judgement, Outcome, Verdict, without_column};
use rollbook_text::names::fold;

/// Refuses texts that name a hidden character. Players read them only in public entries.
pub(super) fn check_secrets(
    table: &Table,
    call: &CheckCall,
    visibility: Visibility,
    words: &BTreeMap<String, String>,
) -> Result<(), Refusal> {
    let context = call.context.as_ref().map(|context| ("context", context));
    let words = words.iter().flat_map(|(name, value)| [("values", name), ("values", value)]);
    let mut texts = context.into_iter().chain(words).filter(|_| visibility == Visibility::Public);
    texts.try_for_each(|(parameter, text)| table.check_text(visibility, parameter, Some(text)))
}

/// The same of what a call states; of each visibility where players read the outcome.
pub(super) fn check_stated_secrets(
    table: &Table,
    stated: Option<&StatedCheck>,
    visibility: Visibility,
) -> Result<(), Refusal> {
    let Some(StatedCheck { rule, event }) = stated else { return Ok(()) };
    let rows = event.rows.iter().flat_map(|(when, outcome)| [("rows", when), ("rows", outcome)]);
    let mut texts = [("check", &rule.name), ("roll", &event.roll)].into_iter().chain(rows);
    texts.try_for_each(|(parameter, text)| table.check_text(visibility, parameter, Some(text)))
}

pub(super) fn draft(by: &str, event: CheckEvent) -> Draft {
    Draft::new(by, Event::Check(Box::new(event)), Vec::new())
}

/// Logs a check and its consequences; returns the check's entry. `back` are the clocks that an earlier roll moved, which this one follows:
/// each goes back in an entry of its own, since players may not see it. `price` is what following that roll costs.
pub(super) fn log(table: &mut Table, draft: Draft, back: &[Rewind], price: &[Move]) -> u64 {
    let draft = match draft.event {
        Event::Check(event) => Draft { event: Event::Check(Box::new(without_hidden(table, *event))), ..draft },
        _ => draft,
    };
    let (event, visibility) = (draft.event.clone(), draft.visibility);
    let seq = table.log(draft);
    for own in back {
        clock::rewind(table, own, visibility);
    }
    if let Event::Check(event) = event {
        if let Some(who) = &event.subject {
            apply_moves(table, who.id, price, visibility);
        }
        apply_moves_of_all(table, price, visibility);
        end_overcome(table, &event, visibility);
        end_spent(table, &event, visibility);
        if let Some(rule) = event.rule(table.system()) {
            if let Some(who) = &event.subject {
                apply_row_moves(table, who.id, rule, (event.rank, &event.results), visibility);
            }
            apply_shared_moves(table, rule, (event.rank, &event.results), visibility);
        }
    }
    seq
}

/// The event without what the row says of clocks that players do not see.
fn without_hidden(table: &Table, mut event: CheckEvent) -> CheckEvent {
    let row = event.rule(table.system()).and_then(|rule| rule.row(event.rank));
    for own in row.into_iter().flat_map(|row| &row.moves).filter(|own| own.shared) {
        let clock = own.track().and_then(|own| clocks::open_one(table.state, table.system(), own));
        if clock.is_some_and(|clock| clock.hidden) {
            event.row_text = without_column(event.row_text.take(), &own.text);
        }
    }
    event
}

pub(super) fn event(
    trial: &PreparedCheck<'_>,
    tried: &RolledCheck,
    call: &CheckCall,
    against: Option<Subject>,
) -> CheckEvent {
    let (rule, verdict, records) = (trial.chosen.rule, &tried.verdict, &tried.records);
    let mut adjustments = trial.adjustments.clone();
    adjustments.extend(verdict.judged.iter().flat_map(render_shifts));
    let tried = CheckEvent {
        check: rule.name.clone(),
        subject: trial.actor.as_ref().map(Character::subject),
        skill: trial.chosen.skill.as_ref().map(|skill| skill.name.clone()),
        attribute: trial.chosen.attribute.map(|attribute| attribute.name.clone()),
        modifiers: trial.modifiers.clone(),
        variables: trial.variables.clone(),
        said: trial.words.clone(),
        difficulty: call.difficulty.or_else(|| difficulty_in_values(call)),
        reach: call.reach.clone(),
        target: trial.attempt.target,
        context: call.context.clone(),
        against,
        target_hidden: trial.target_hidden,
        pool: verdict.facts.pool,
        adjustments,
        attack_name: call.attack.clone(),
        stated: call.stated.as_ref().map(|own| own.event.clone()),
        ..CheckEvent::default()
    };
    let roll = records.first().map(|record| &record.roll);
    let formulas = roll.map(|roll| Formulas::of(rule, &trial.attempt, &tried, roll));
    with_verdict(rule, verdict, CheckEvent { formulas, ..tried })
}

/// Where the actor's check has a target and needed none, and the two results cannot be compared by a margin, the outcome is whether
/// the actor wins.
pub(super) fn decided_by(opposed: &Opposed, event: CheckEvent) -> CheckEvent {
    let outcome = if opposed.won { Outcome::Success } else { Outcome::Failure };
    CheckEvent { outcome: Some(outcome), label: Some(outcome.to_string()), ..event }
}

/// The event with the rules' verdict.
pub(super) fn with_verdict(rule: &Check, verdict: &Verdict, tried: CheckEvent) -> CheckEvent {
    let judged = verdict.judged.as_ref();
    CheckEvent {
        margin: verdict.facts.margin,
        outcome: judged.map(|judged| judged.outcome),
        label: judged.map(|judged| judged.label.clone()),
        rank: judged.and_then(|judged| judged.rank),
        row_text: judged.and_then(|judged| judged.text.clone()),
        successes: rule.count.as_ref().and(verdict.facts.successes),
        beaten: verdict.facts.beaten.or(tried.beaten),
        results: verdict.values.iter().cloned().collect(),
        flags: verdict.flags.clone(),
        ..tried
    }
}

/// A difficulty among the call's values.
pub(super) fn difficulty_in_values(call: &CheckCall) -> Option<i64> {
    match parse_values(&call.values).get("difficulty") {
        Some(Bound::Number(difficulty)) => Some(*difficulty),
        Some(Bound::Dice(_)) | None => None,
    }
}

/// The place of the row that decided, else of the check.
pub(super) fn deciding_place(rule: &Check, verdict: &Verdict) -> String {
    verdict.judged.as_ref().map_or(&rule.place, |judged| &judged.place).to_string()
}

/// Shifts of the outcome by natural faces, each with its place, and a success that did not reach its row.
pub(super) fn render_shifts(judged: &Judgement) -> Vec<String> {
    let shifts = judged.shifted.iter().map(|shift| format!("{}, {}", shift.text, shift.place));
    let short = judged.short.as_ref().map(|(had, row)| format!("{row} had to be reached: {had} is none"));
    shifts.chain(short).collect()
}

impl Formulas {
    /// The formulas of an attempt.
    pub fn of(rule: &Check, attempt: &Attempt, event: &CheckEvent, roll: &Roll) -> Formulas {
        let own = rule.no_dice.as_ref().filter(|_| attempt.no_dice).map_or(&rule.roll, |no_dice| &no_dice.what);
        let target = rule.target.as_ref().filter(|_| attempt.target.is_some());
        let formulas = Formulas {
            roll: own.to_string(),
            target: target.map(Formula::to_string),
            beside: !rule.names("modifier"),
            partial: false,
        };
        let partial = formulas.contradiction(event, roll).is_some();
        Formulas { partial, ..formulas }
    }

    /// A contradiction between a check and its formulas, in words.
    pub fn contradiction(&self, event: &CheckEvent, roll: &Roll) -> Option<String> {
        if self.partial {
            return None;
        }
        let sum = event.modifiers.iter().fold(0_i64, |sum, own| sum.saturating_add(own.value));
        let beside = if self.beside { sum } else { 0 };
        let Some(by_rule) = bind_recorded(&self.roll, event, sum) else {
            return Some(format!("its rule is `{}`, and it does not hold the values that the rule names", self.roll));
        };
        let fits = |expression: &Expression| match event.adjustments.is_empty() {
            true => expression.to_string() == roll.expression,
            // The dice were replaced, so only the rest is compared.
            false => parse(&roll.expression).is_ok_and(|rolled| rolled.beside_dice() == expression.beside_dice()),
        };
        let plus = |number: i64| by_rule.plus(number).ok().filter(|expression| fits(expression)).is_some();
        let target =
            self.target.as_ref().map(|formula| bind_recorded(formula, event, sum).and_then(|own| own.constant()));
        let target_is = |number: i64| match (target, event.target) {
            (Some(Some(by_rule)), Some(target)) => by_rule.saturating_add(number) == target,
            (None, None) => true,
            _ => false,
        };
        let on_roll = plus(beside) || (target.is_none() && plus(beside.saturating_neg()));
        match (on_roll && target_is(0)) || (plus(0) && target_is(beside)) {
            true => None,
            false if on_roll || plus(0) => Some(format!(
                "its difficulty is {}, and by its rule `{}` its target is not {}",
                number_or_none(event.difficulty),
                self.target.as_deref().unwrap_or("none"),
                number_or_none(event.target)
            )),
            false => Some(format!(
                "its modifiers come to {sum}, and by its rule `{}` its roll is not {}",
                self.roll, roll.expression
            )),
        }
    }
}

fn number_or_none(number: Option<i64>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}

/// Binds a formula with the values in the event.
fn bind_recorded(formula: &str, event: &CheckEvent, sum: i64) -> Option<Expression> {
    let values: BTreeMap<String, i64> = event.variables.iter().map(|own| (fold(&own.name), own.value)).collect();
    let dice: BTreeMap<String, &String> = event.said.iter().map(|(name, text)| (fold(name), text)).collect();
    let mut lookup = |name: &str| match fold(name).as_str() {
        "modifier" => Some(Bound::Number(sum)),
        "difficulty" if event.difficulty.is_some() => event.difficulty.map(Bound::Number),
        folded => {
            let number = values.get(folded).map(|value| Bound::Number(*value));
            number.or_else(|| dice.get(folded).map(|text| Bound::Dice((*text).clone())))
        }
    };
    parse_formula(formula).ok()?.bind_with(&mut lookup).ok()
}
