//! The exact chance of every outcome of a check: the check is resolved for every possible roll.
//!
//! Odds use the same code as play, so they agree with it for any rules. Rolls that look the same to
//! the check are taken together
//! ([`rules::Check::each_verdict`](rollbook_rules::Check::each_verdict)); in an opposed check each
//! side, and then each outcome of one with each of the other ([`opposed`]).

mod attack;
mod opposed;
#[cfg(test)]
mod tests;

pub use attack::chances_of_attack;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::decide::check::{CheckCall, CheckEnd, PlannedCheck};
use crate::record::{entry::Entry, event::Event, state::State};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Setting, Table, Unrecorded};
use crate::{decide::check, mechanics::values::dice_refusal};
use num_bigint::BigUint;
use rollbook_dice::odds::{Ratio, Walker};
use rollbook_dice::{DiceError, Expression, brief};
use rollbook_rules::{
    AgainChange, Attempt, Check, Dealt, Effect, FollowUp, Judgement, Means, NamedDice, Outcome,
    Verdict, Walked, Ways,
};
use rollbook_text::names::{Found, find};

/// Rolls that are resolved one by one; a check with more is refused.
const WAYS_MAX: u64 = 300_000;

/// The chance of each outcome, and of explosions beyond the limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Chances {
    pub check: Option<String>,
    /// The best first; rows of the same canonical outcome in the order of the table.
    pub rows: Vec<Row>,
    /// Each flag and its chance over all outcomes, in the order of the rules; opposed: the actor's.
    pub flags: Vec<(String, Ratio)>,
    /// What each value comes to, in the order of the rules; in an opposed check, the actor's.
    pub values: Vec<ValueOdds>,
    /// The chance of rolls beyond the limit.
    pub cut: Ratio,
    /// Who wins, in an opposed check.
    pub against: Option<ContestOdds>,
    /// The rule by which rolls are followed where that pays, and the chance of that.
    pub again: Option<(String, Ratio)>,
    /// What an attack does to its target.
    pub damage: Option<DamageOdds>,
    /// What would be refused at the table, in sentences.
    pub notes: Vec<String>,
}

/// A value of the check, and the chance of each number that it can come to.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueOdds {
    /// The author's word for it.
    pub name: String,
    /// The lowest number first.
    pub chances: Vec<(i64, Ratio)>,
}

impl ValueOdds {
    /// What it comes to on average.
    pub fn mean(&self) -> f64 {
        self.chances
            .iter()
            .map(|(number, chance)| *number as f64 * chance.to_f64())
            .sum()
    }
}

/// What an attack does to its target: the points that come through armour, 0 of a miss.
#[derive(Debug, Clone, PartialEq)]
pub struct DamageOdds {
    pub target: String,
    /// The chance of each number of points, the lowest first.
    pub points: Vec<(i64, Ratio)>,
    /// The points on average.
    pub mean: Ratio,
    /// The chance that the target is down then.
    pub down: Ratio,
    /// The chance that the damage is for the GM to say.
    pub unread: Ratio,
    /// The chance of rolls beyond the limit.
    pub cut: Ratio,
}

/// Who wins an opposed check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContestOdds {
    /// The chance that the actor wins.
    pub won: Ratio,
    /// The chance of a tie; to whom it goes, the rule says.
    pub tie: Ratio,
    /// Where both roll again on a tie: the chance that the actor wins in the end, each roll being
    /// like the first. `None` where a tie ends it, and where every roll is one.
    pub won_in_the_end: Option<Ratio>,
    /// By what it is decided, in the author's words: `higher total that succeeds; ties: other`.
    pub rule: String,
    /// Where that is written: `System.md:31`; `None` where nobody wrote it.
    pub place: Option<String>,
}

/// An outcome of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// `None` where the rules leave it to the GM.
    pub outcome: Option<Outcome>,
    /// The author's word for it.
    pub label: Option<String>,
    /// The place that decides: `System.md:31`.
    pub rule: Option<String>,
    pub chance: Ratio,
}

/// The key of an outcome, in the order in which they are shown.
type OutcomeKey = (
    std::cmp::Reverse<Option<Outcome>>,
    Option<u32>,
    Option<String>,
    Option<String>,
);
/// Counts of rolls, by the number of ways `n` of which each is one: a chance of count / n.
type WayCounts = BTreeMap<BigUint, BigUint>;

type Values = Vec<(String, i64)>;

#[derive(Default)]
struct OddsTally {
    /// The ends of which something follows, where that is asked for.
    ends: Option<BTreeMap<CheckEnd, WayCounts>>,
    outcomes: BTreeMap<OutcomeKey, WayCounts>,
    /// By the flag's name.
    flags: BTreeMap<String, WayCounts>,
    /// By the value's name, by what it comes to.
    values: BTreeMap<String, BTreeMap<i64, WayCounts>>,
    cut: WayCounts,
}

/// The chances of this call. Refused: as the call; `limit_exceeded` of too many possible rolls.
pub fn chances(state: &State, setting: &Setting, call: &CheckCall) -> Result<Chances> {
    let mut state = state.clone();
    let mut dice = Unrecorded(Walker::new());
    let table = Table::new(&mut state, setting, &mut dice, 0, 0, None).with_whole_decks();
    if call.again.is_some() {
        return by_decisions(&mut state, setting, call);
    }
    let planned = PlannedCheck::of(&table, call, call.stated.as_deref())?;
    Ok(Chances {
        notes: planned.unpaid(&table),
        ..of_check(&planned, OddsTally::default())?.0
    })
}

fn of_check(planned: &PlannedCheck<'_>, tally: OddsTally) -> Result<(Chances, OddsTally)> {
    let rule = planned.trial.chosen.rule;
    if let Some(theirs) = &planned.other {
        return opposed::chances(&planned.trial, theirs, tally);
    }
    let found = by_verdicts(rule, &planned.trial.attempt, tally)?;
    Ok((found.chances(Some(rule)), found))
}

fn by_verdicts(rule: &Check, attempt: &Attempt, mut found: OddsTally) -> Result<OddsTally> {
    let walked = rule.each_verdict(attempt, WAYS_MAX, &mut |verdict, ways| {
        found.add(rule, verdict, ways);
        ControlFlow::Continue(())
    });
    check_whole(walked, attempt).map(|()| found)
}

fn check_whole(walked: Result<Walked, DiceError>, attempt: &Attempt) -> Result<()> {
    match walked.map_err(|error| dice_refusal(&error))? {
        Walked::Whole => Ok(()),
        Walked::Stopped | Walked::TooMany => Err(too_many(&attempt.expression)),
    }
}

fn key(rule: &Check, judged: Option<&Judgement>) -> OutcomeKey {
    (
        std::cmp::Reverse(judged.map(|judged| judged.outcome)),
        judged.and_then(|judged| judged.rank),
        judged.map(|judged| judged.label.clone()),
        Some(
            judged
                .map_or(&rule.place, |judged| &judged.place)
                .to_string(),
        ),
    )
}

/// An end of a check with the values that its damage, or what its rows move, may name.
fn end_of(rule: &Check, key: &OutcomeKey, values: &[(String, i64)], won: Option<bool>) -> CheckEnd {
    let (outcome, rank, label, _) = key;
    let names = |effect: &Effect| {
        effect
            .amount
            .as_ref()
            .is_some_and(|amount| !amount.variables().is_empty())
    };
    let named = rule
        .rows
        .iter()
        .any(|row| matches!(row.damage, Some(Dealt::Amount(_))) || row.moves.iter().any(names));
    let values = if named { values.to_vec() } else { Vec::new() };
    CheckEnd {
        outcome: outcome.0,
        rank: *rank,
        label: label.clone(),
        values,
        won,
    }
}

/// The chances by whole decisions, one sequence of faces after the other.
fn by_decisions(state: &mut State, setting: &Setting, call: &CheckCall) -> Result<Chances> {
    let mut dice = Unrecorded(Walker::new());
    let mut found = OddsTally::default();
    let mut rule = None;
    for _ in 0..WAYS_MAX {
        let mut table = Table::new(state, setting, &mut dice, 0, 0, None).with_whole_decks();
        let decided = check::decide(&mut table, call.clone(), None);
        let first = table.call_entries().next().map(|written| {
            let Entry { event, rule, .. } = &written.entry;
            (event.clone(), rule.clone())
        });
        table.roll_back();
        let (ways, once) = (dice.0.ways(), one());
        if dice.0.is_cut() {
            count(&mut found.cut, &ways, &once);
        } else {
            decided?;
            let mut key = OutcomeKey::default();
            if let Some((Event::Check(event), place)) = first {
                rule = rule.or_else(|| event.rule(&setting.system));
                found.add_flags(&event.flags, &ways, &once);
                let values: Values = event.results.clone().into_iter().collect();
                found.add_values(&values, &ways, &once);
                key = (
                    std::cmp::Reverse(event.outcome),
                    event.rank,
                    event.label.clone(),
                    place,
                );
            }
            count(found.outcomes.entry(key).or_default(), &ways, &once);
        }
        if !dice.0.advance() {
            return Ok(found.chances(rule));
        }
    }
    let summary = format!(
        "What follows this roll can fall in more than {WAYS_MAX} ways, too many to look at. Ask for the odds of a new check."
    );
    Err(Refusal::new(Code::LimitExceeded, summary))
}

fn too_many(expression: &Expression) -> Refusal {
    let called = brief(expression.as_str());
    let summary = format!(
        "{called} can fall in more ways that this check tells apart than can be looked at ({WAYS_MAX}, and fewer of many dice). Ask \
         for the odds of a smaller pool, or of the dice alone: odds \"{called}\"."
    );
    Refusal::new(Code::LimitExceeded, summary)
}

impl OddsTally {
    /// Adds a verdict: its outcome, its flags and its values. `None` is cut.
    fn add(&mut self, rule: &Check, verdict: Option<&Verdict>, ways: &Ways) {
        let Ways { of, times, .. } = ways;
        let Some(verdict) = verdict else {
            return count(&mut self.cut, of, times);
        };
        self.add_flags(&verdict.flags, of, times);
        self.add_values(&verdict.values, of, times);
        let key = key(rule, verdict.judgement.as_ref());
        if let Some(ends) = &mut self.ends {
            count(
                ends.entry(end_of(rule, &key, &verdict.values, None))
                    .or_default(),
                of,
                times,
            );
        }
        count(self.outcomes.entry(key).or_default(), of, times);
    }

    fn add_flags(&mut self, flags: &[String], of: &BigUint, times: &BigUint) {
        flags
            .iter()
            .for_each(|flag| count(self.flags.entry(flag.clone()).or_default(), of, times));
    }

    fn add_values(&mut self, values: &[(String, i64)], of: &BigUint, times: &BigUint) {
        for (name, number) in values {
            count(
                self.values
                    .entry(name.clone())
                    .or_default()
                    .entry(*number)
                    .or_default(),
                of,
                times,
            );
        }
    }

    fn chances(&self, rule: Option<&Check>) -> Chances {
        let flag = |name: &String| {
            (
                name.clone(),
                self.flags.get(name).map_or_else(Ratio::default, sum),
            )
        };
        let mut flags: Vec<_> = rule
            .iter()
            .flat_map(|rule| &rule.flags)
            .map(|rule| flag(&rule.name))
            .collect();
        flags.extend(self.flags.keys().map(flag));
        let mut seen = BTreeSet::new();
        flags.retain(|(name, _)| seen.insert(name.clone()));
        let value = |name: &String| {
            let ways = self.values.get(name)?;
            let chances = ways
                .iter()
                .map(|(number, ways)| (*number, sum(ways)))
                .collect();
            Some(ValueOdds {
                name: name.clone(),
                chances,
            })
        };
        let values = rule
            .iter()
            .flat_map(|rule| &rule.values)
            .filter_map(|rule| value(&rule.name))
            .collect();
        let check = rule.map(|rule| rule.name.clone());
        let row = |((outcome, _, label, rule), parts): (&OutcomeKey, &WayCounts)| Row {
            outcome: outcome.0,
            label: label.clone(),
            rule: rule.clone(),
            chance: sum(parts),
        };
        let rows = self.outcomes.iter().map(row).collect();
        let cut = sum(&self.cut);
        Chances {
            check,
            rows,
            flags,
            values,
            cut,
            against: None,
            again: None,
            damage: None,
            notes: Vec::new(),
        }
    }
}

fn sum(parts: &WayCounts) -> Ratio {
    Ratio::sum_of_ways(parts)
}

/// Adds rolls, each one of `of` ways.
fn count(parts: &mut WayCounts, of: &BigUint, times: &BigUint) {
    *parts.entry(of.clone()).or_default() += times;
}

/// Adds these ways, each followed by `times` of `of` others.
fn add(parts: &mut WayCounts, ways: &WayCounts, (times, of): (&BigUint, &BigUint)) {
    for (ways_of, ways) in ways {
        *parts.entry(ways_of * of).or_default() += ways * times;
    }
}

fn one() -> BigUint {
    BigUint::from(1_u8)
}

/// How likely each number of each symbol is, those that cancel taken off: the values alone. `None`
/// without symbols, or where dice are compared or repeated. Refused: `limit_exceeded` of many ways.
pub fn chances_of_symbols(expression: &Expression, dice: &NamedDice) -> Result<Option<Chances>> {
    let Some(rule) = expression
        .has_symbols()
        .then(|| Check::for_symbols(expression, dice))
        .flatten()
    else {
        return Ok(None);
    };
    let means = Means {
        lookup: &|_, _| None,
        extra: 0,
        dice: 0,
        targeted: false,
    };
    let Ok(attempt) = rule.attempt(&means) else {
        return Ok(None);
    };
    match by_verdicts(&rule, &attempt, OddsTally::default()) {
        Ok(found) => Ok(Some(Chances {
            rows: Vec::new(),
            ..found.chances(Some(&rule))
        })),
        // The totals tell of cards what there is to tell.
        Err(refusal) if refusal.code == Code::LimitExceeded && !expression.is_numberless() => {
            Ok(None)
        }
        Err(refusal) => Err(refusal),
    }
}

/// The chances of this call where each roll is followed by the rule of that name wherever that pays
/// ([`Check::each_followed`](rollbook_rules::Check::each_followed)). Refused: as [`chances`];
/// `no_follow_up`, `which_follow_up` where the check has no such rule that rolls dice again.
pub fn chances_again(
    state: &State,
    setting: &Setting,
    call: &CheckCall,
    name: &str,
) -> Result<Chances> {
    let mut state = state.clone();
    let mut dice = Unrecorded(Walker::new());
    let table = Table::new(&mut state, setting, &mut dice, 0, 0, None).with_whole_decks();
    let summary = "Odds of a roll that is followed are those of one side alone. Leave out who rolls against it.";
    let one_side = || Refusal::new(Code::NoEffect, summary);
    if call.again.is_some() {
        return Err(one_side());
    }
    let planned = PlannedCheck::of(&table, call, call.stated.as_deref())?;
    let (rule, attempt, None) = (
        planned.trial.chosen.rule,
        &planned.trial.attempt,
        &planned.other,
    ) else {
        return Err(one_side());
    };
    let follow_up = rerolls(rule, name)?;
    let mut notes = planned.unpaid(&table);
    let (mut found, mut followed) = (OddsTally::default(), WayCounts::new());
    if let Some(why) = planned.unpaid_again(&table, follow_up) {
        notes.push(why);
        found = by_verdicts(rule, attempt, found)?;
    } else {
        let walked =
            rule.each_followed(attempt, follow_up, WAYS_MAX, &mut |again, verdict, ways| {
                if again {
                    count(&mut followed, &ways.of, &ways.times);
                }
                found.add(rule, verdict, ways);
            });
        check_whole(walked, attempt)?;
    }
    let again = Some((follow_up.name.clone(), sum(&followed)));
    Ok(Chances {
        again,
        notes,
        ..found.chances(Some(rule))
    })
}

/// The rule of that name, which must roll dice again: one that takes points depends on how many.
fn rerolls<'r>(rule: &'r Check, name: &str) -> Result<&'r FollowUp> {
    let all = || {
        rule.follow_ups
            .iter()
            .filter(|rule| matches!(rule.change, AgainChange::Reroll { .. }))
    };
    if let Found::One(found) = find(name, all().map(|rule| (rule.name.as_str(), rule))) {
        return Ok(found);
    }
    let names: Vec<String> = all().map(|rule| rule.name.clone()).collect();
    let (code, what) = match names.as_slice() {
        [] => (
            Code::NoFollowUp,
            "has no rule by which dice are rolled again. Leave it out.".to_owned(),
        ),
        names => (
            Code::WhichFollowUp,
            format!(
                "rolls dice again by {}. Name one of these.",
                names.join(" or ")
            ),
        ),
    };
    let summary = format!("{} ({}) {what}", rule.name, rule.place);
    Err(Refusal::new(code, summary)
        .did_you_mean(names)
        .at(rule.place.to_string()))
}
