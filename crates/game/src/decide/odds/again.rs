//! Odds of a roll that is followed by a rule of its check, such as Push, wherever that pays.

use super::{Chances, OddsTally, WAYS_MAX, WayCounts, by_verdicts, sum, too_many};
use crate::decide::check::{CheckCall, PlannedCheck, PlannedRoll};
use crate::mechanics::values::dice_refusal;
use crate::record::state::State;
use crate::refusal::{Code, Refusal};
use crate::table::{Setting, Table, Unrecorded};
use rollbook_dice::odds::DeepWalker;
use rollbook_rules::{AgainChange, Check, FollowUp, Walked};
use rollbook_text::names::{Found, find};

/// The chances of this call where each roll is followed by the rule of that name wherever that pays
/// ([`Check::each_followed`](rollbook_rules::Check::each_followed)). Nothing is rolled, and the state is not changed.
///
/// # Errors
/// As [`chances`](super::chances); `no_follow_up` and `which_follow_up` where the check has no rule of that name that rolls dice again.
pub fn chances_again(state: &State, setting: &Setting, call: &CheckCall, name: &str) -> Result<Chances, Refusal> {
    let mut state = state.clone();
    let mut dice = Unrecorded(DeepWalker::new());
    let table = Table::new(&mut state, setting, &mut dice, 0, 0, None).with_whole_decks();
    let summary = "Odds of a roll that is followed are those of one side alone. Leave out who rolls against it.";
    let one_side = || Refusal::new(Code::NoEffect, summary);
    let planned = if call.again.is_some() {
        return Err(one_side());
    } else {
        PlannedCheck::of(&table, call, call.stated.as_deref())?
    };
    let (PlannedRoll { rule, attempt, .. }, None) = planned.rolls() else { return Err(one_side()) };
    let own = rerolls(rule, name)?;
    let mut notes = planned.unpaid(&table);
    if let Some(why) = planned.unpaid_again(&table, own) {
        notes.push(why);
        let found = by_verdicts(rule, &attempt, OddsTally::default())?.chances(Some(rule));
        return Ok(Chances { again: Some((own.name.clone(), sum(&WayCounts::new()))), notes, ..found });
    }
    let (mut found, mut followed) = (OddsTally::default(), WayCounts::new());
    let walked = rule.each_followed(&attempt, own, WAYS_MAX, &mut |again, verdict, ways| {
        if again {
            *followed.entry(ways.of.clone()).or_default() += &ways.times;
        }
        found.add_beside(verdict, ways);
        found.add_outcome(rule, verdict, ways);
    });
    match walked.map_err(|error| dice_refusal(&error))? {
        Walked::Whole => {
            let again = Some((own.name.clone(), sum(&followed)));
            Ok(Chances { again, notes, ..found.chances(Some(rule)) })
        }
        Walked::Stopped | Walked::TooMany => Err(too_many(&attempt.expression)),
    }
}

/// The rule of that name, which must roll dice again: what takes points depends on how many somebody takes.
fn rerolls<'r>(rule: &'r Check, name: &str) -> Result<&'r FollowUp, Refusal> {
    let all = || rule.follow_ups.iter().filter(|own| matches!(own.change, AgainChange::Reroll { .. }));
    if let Found::One(found) = find(name, all().map(|own| (own.name.as_str(), own))) {
        return Ok(found);
    }
    let names: Vec<String> = all().map(|own| own.name.clone()).collect();
    let (code, what) = match names.as_slice() {
        [] => (Code::NoFollowUp, "has no rule by which dice are rolled again. Leave it out.".to_owned()),
        names => (Code::WhichFollowUp, format!("rolls dice again by {}. Name one of these.", names.join(" or "))),
    };
    let summary = format!("{} ({}) {what}", rule.name, rule.place);
    Err(Refusal::new(code, summary).did_you_mean(names).at(rule.place.to_string()))
}
