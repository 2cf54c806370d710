//! A check's entry, and what is logged with it.
//!
//! The rule's formulas in a check's event, so that a check can be verified without the rules: the sum of the modifiers must
//! be in the roll, and the target must follow from the difficulty.

use std::collections::BTreeMap;

use super::call::CheckCall;
use super::consequences::{Move, apply_moves, apply_shared_moves, end_overcome, end_spent, row_moves};
use super::modifiers::sum;
use super::trial::{PreparedCheck, Rolled};
use crate::decide::clock::{self, Rewind};
use crate::mechanics::clocks;
use crate::record::entry::Visibility;
use crate::record::event::{CheckEvent, Event, Formulas, Opposed};
use crate::refusal::Refusal;
use crate::table::{Draft, Table};
use rollbook_dice::{Bound, Expression, Formula, Roll, parse, parse_formula};
use rollbook_rules::{Attempt, Check, Judgement, Outcome, Verdict, without_column};
use rollbook_text::names::fold;

/// Refuses texts that name a hidden character: `words` and the context, which players read only in public entries, and what
/// the call states, of each visibility where players read the outcome.
pub(super) fn check_secrets(
    table: &Table,
    call: &CheckCall,
    visibility: Visibility,
    words: &BTreeMap<String, String>,
) -> Result<(), Refusal> {
    let mut texts = Vec::new();
    if visibility == Visibility::Public {
        texts.extend(call.context.iter().map(|context| ("context", context)));
        texts.extend(words.iter().flat_map(|(name, value)| [("values", name), ("values", value)]));
    }
    if let Some(stated) = &call.stated {
        texts.extend([("check", &stated.rule.name), ("roll", &stated.event.roll)]);
        texts.extend(stated.event.rows.iter().flat_map(|(when, outcome)| [("rows", when), ("rows", outcome)]));
    }
    texts.into_iter().try_for_each(|(parameter, text)| table.check_text(visibility, parameter, Some(text)))
}

pub(super) fn draft(by: &str, event: CheckEvent) -> Draft {
    Draft::new(by, Event::Check(Box::new(event)), Vec::new())
}

/// Logs a check and its consequences; returns the check's entry. `back` are the clocks that an earlier roll moved, which
/// this one follows: each goes back in an entry, since players may not see it. `price` is what following that roll costs.
pub(super) fn log(table: &mut Table, draft: Draft, back: &[Rewind], price: &[Move]) -> u64 {
    let visibility = draft.visibility;
    let Event::Check(event) = draft.event else { return table.log(draft) };
    let event = without_hidden(table, *event);
    let seq = table.log(Draft { event: Event::Check(Box::new(event.clone())), ..draft });
    for back in back {
        clock::rewind(table, back, visibility);
    }
    let apply = |table: &mut Table, moves: &[Move]| {
        if let Some(who) = &event.subject {
            apply_moves(table, who.id, moves, visibility);
        }
        apply_shared_moves(table, moves, visibility);
    };
    apply(table, price);
    end_overcome(table, &event, visibility);
    end_spent(table, &event, visibility);
    if let Some(rule) = event.rule(table.system()) {
        apply(table, &row_moves(rule, event.rank, &event.results));
    }
    seq
}

/// The event without what the row says of clocks that players do not see.
fn without_hidden(table: &Table, mut event: CheckEvent) -> CheckEvent {
    let row = event.rule(table.system()).and_then(|rule| rule.row(event.rank));
    for effect in row.into_iter().flat_map(|row| &row.moves).filter(|effect| effect.shared) {
        let clock = effect.track().and_then(|track| clocks::open_one(table.state, table.system(), track));
        if clock.is_some_and(|clock| clock.hidden) {
            event.row_text = without_column(event.row_text.take(), &effect.text);
        }
    }
    event
}

pub(super) fn event(trial: &PreparedCheck<'_>, tried: &Rolled, call: &CheckCall) -> CheckEvent {
    let (rule, verdict, records) = (trial.chosen.rule, &tried.verdict, &tried.records);
    let mut adjustments = trial.adjustments.clone();
    adjustments.extend(verdict.judgement.iter().flat_map(render_shifts));
    let tried = CheckEvent {
        modifiers: trial.modifiers.clone(),
        variables: trial.looked_up.used.clone(),
        said: trial.words.clone(),
        difficulty: call.difficulty.or_else(|| call.numbers().remove("difficulty")),
        reach: call.reach.clone(),
        target: trial.attempt.target,
        context: call.context.clone(),
        target_hidden: trial.looked_up.secret,
        pool: verdict.facts.pool,
        adjustments,
        attack_name: call.attack.clone(),
        stated: call.stated.as_ref().map(|stated| stated.event.clone()),
        ..trial.chosen.event(trial.actor.as_ref())
    };
    let roll = records.first().map(|record| &record.roll);
    let formulas = roll.map(|roll| Formulas::from_attempt(rule, &trial.attempt, &tried, roll));
    with_verdict(rule, verdict, CheckEvent { formulas, ..tried })
}

/// Where the actor's check needed no target, and the two results have no margin, the outcome is whether the actor wins.
pub(super) fn decided_by(opposed: &Opposed, event: CheckEvent) -> CheckEvent {
    let outcome = if opposed.won { Outcome::Success } else { Outcome::Failure };
    CheckEvent { outcome: Some(outcome), label: Some(outcome.to_string()), ..event }
}

/// The event with the rules' verdict.
pub(super) fn with_verdict(rule: &Check, verdict: &Verdict, tried: CheckEvent) -> CheckEvent {
    let judged = verdict.judgement.as_ref();
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

/// The place of the row that decided, else of the check.
pub(super) fn deciding_place(rule: &Check, verdict: &Verdict) -> String {
    verdict.judgement.as_ref().map_or(&rule.place, |judged| &judged.place).to_string()
}

/// Shifts of the outcome by natural faces, each with its place, and a success that did not reach its row.
pub(super) fn render_shifts(judged: &Judgement) -> Vec<String> {
    let shifts = judged.shifted.iter().map(|shift| format!("{}, {}", shift.text, shift.place));
    let short = judged.short.as_ref().map(|(had, row)| format!("{row} had to be reached: {had} is none"));
    shifts.chain(short).collect()
}

impl Formulas {
    /// The formulas of an attempt.
    pub fn from_attempt(rule: &Check, attempt: &Attempt, event: &CheckEvent, roll: &Roll) -> Formulas {
        let roll_formula =
            rule.no_dice.as_ref().filter(|_| attempt.no_dice).map_or(&rule.roll, |no_dice| &no_dice.what);
        let target = rule.target.as_ref().filter(|_| attempt.target.is_some()).map(Formula::to_string);
        let beside = !rule.names("modifier");
        let formulas = Formulas { roll: roll_formula.to_string(), target, beside, partial: false };
        let partial = formulas.contradiction(event, roll).is_some();
        Formulas { partial, ..formulas }
    }

    /// A contradiction between a check and its formulas, in words.
    pub fn contradiction(&self, event: &CheckEvent, roll: &Roll) -> Option<String> {
        if self.partial {
            return None;
        }
        let sum = sum(&event.modifiers);
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
            self.target.as_ref().map(|formula| bind_recorded(formula, event, sum).and_then(|bound| bound.constant()));
        let target_is = |number: i64| match (target, event.target) {
            (Some(Some(by_rule)), Some(target)) => by_rule.saturating_add(number) == target,
            (None, None) => true,
            _ => false,
        };
        let on_roll = plus(beside) || (target.is_none() && plus(beside.saturating_neg()));
        match (on_roll && target_is(0)) || (plus(0) && target_is(beside)) {
            true => None,
            false if on_roll || plus(0) => {
                let number = |number: Option<i64>| number.map_or("none".to_owned(), |number| number.to_string());
                let (difficulty, target) = (number(event.difficulty), number(event.target));
                let rule = self.target.as_deref().unwrap_or("none");
                Some(format!("its difficulty is {difficulty}, and by its rule `{rule}` its target is not {target}"))
            }
            false => Some(format!(
                "its modifiers come to {sum}, and by its rule `{}` its roll is not {}",
                self.roll, roll.expression
            )),
        }
    }
}

/// Binds a formula with the values in the event.
fn bind_recorded(formula: &str, event: &CheckEvent, sum: i64) -> Option<Expression> {
    let values: BTreeMap<String, i64> = event.variables.iter().map(|value| (fold(&value.name), value.value)).collect();
    let dice: BTreeMap<String, &String> = event.said.iter().map(|(name, text)| (fold(name), text)).collect();
    let mut lookup = |name: &str| match fold(name).as_str() {
        "modifier" => Some(Bound::Number(sum)),
        "difficulty" if event.difficulty.is_some() => event.difficulty.map(Bound::Number),
        folded => match values.get(folded) {
            Some(value) => Some(Bound::Number(*value)),
            None => dice.get(folded).map(|text| Bound::Dice((*text).clone())),
        },
    };
    parse_formula(formula).ok()?.bind_with(&mut lookup).ok()
}
