//! Odds of opposed checks: the outcomes of each side with their chances, and then each of one side with each of the other.
//! The dice of both sides are never combined, so two large pools take as long as each by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::{
    Chances, ContestOdds, OddsTally, OutcomeKey, Values, WAYS_MAX, WayCounts, add, check_whole, count, end_of, key,
    one, sum, too_many,
};
use crate::decide::check::{ContestResult, Ended, PlannedRoll, check_open, is_contest, says_who_wins};
use crate::record::event::TieGoes;
use crate::refusal::Refusal;
use rollbook_rules::{Facts, Opposition, Outcome, Succeed, Ties, Verdict};

/// Pairs of outcomes that are compared.
const PAIRS_MAX: usize = 1_000_000;

/// The possible results of one side, each with its outcome and values; in a contest with those against each result of the other side.
struct Side {
    ends: Vec<(Vec<SideEnd>, ContestResult, WayCounts)>,
    cut: WayCounts,
    flags: BTreeMap<String, WayCounts>,
}

/// An outcome with the values of the check.
type SideEnd = (OutcomeKey, Values);
/// Whether the actor wins, whether it is a tie, and whether both roll again, with the outcome.
type PairEnd = ((bool, bool, bool), SideEnd);

/// The chances of the actor's outcomes, and of winning; with the counts, those of ends where `found` asks for them.
pub(super) fn chances(
    mine: &PlannedRoll<'_>,
    theirs: &PlannedRoll<'_>,
    mut found: OddsTally,
) -> Result<(Chances, OddsTally), Refusal> {
    check_open((mine.rule, mine.attempt.target), (theirs.rule, theirs.attempt.target))?;
    let decided = &mine.rule.opposition;
    let other = side(theirs, decided, &[])?;
    let result = |end: &ContestResult| if theirs.rule.succeed == Succeed::AtMost { -end.worth } else { end.worth };
    let contest = is_contest((mine.rule, mine.attempt.target), (theirs.rule, theirs.attempt.target));
    let results: BTreeSet<i64> =
        if contest { other.ends.iter().map(|(_, end, _)| result(end)).collect() } else { BTreeSet::new() };
    let results: Vec<i64> = results.into_iter().collect();
    let actor = side(mine, decided, &results)?;
    if actor.ends.len().saturating_mul(other.ends.len()) > PAIRS_MAX {
        return Err(too_many(&mine.attempt.expression));
    }
    let (mut won, mut tied, mut repeated) = (WayCounts::new(), WayCounts::new(), WayCounts::new());
    found.flags = actor.flags;
    let once = (&one(), &one());
    for (keys, end, parts) in &actor.ends {
        // The other side's chances are summed before they are multiplied, since there may be hundreds.
        let mut sums: BTreeMap<PairEnd, WayCounts> = BTreeMap::new();
        for (_, against, others) in &other.ends {
            let Ended { won, tie, tie_goes } = end.ended(against, decided);
            let again = tie_goes == Some(TieGoes::Again);
            let place = if contest { results.binary_search(&result(against)).unwrap_or(0) } else { 0 };
            let Some((key, values)) = keys.get(place) else { continue };
            let outcome = if won { Outcome::Success } else { Outcome::Failure };
            // Where no row says who wins, the outcome is whether the actor does.
            let differs = key.0.0.is_some_and(|outcome| !says_who_wins(outcome, won));
            let key = match (mine.untargeted && !contest, contest && differs) {
                (false, false) => key.clone(),
                (true, _) => untargeted(key, outcome),
                (false, true) => super::key(mine.rule, Some(&mine.rule.plain(outcome))),
            };
            add(sums.entry(((won, tie, again), (key, values.clone()))).or_default(), others, once);
        }
        for (((wins, ties, again), (key, values)), others) in sums {
            let mut both = WayCounts::new();
            parts.iter().for_each(|(of, times)| add(&mut both, &others, (times, of)));
            for (_, kept) in
                [(wins, &mut won), (ties, &mut tied), (again, &mut repeated)].into_iter().filter(|(is, _)| *is)
            {
                add(kept, &both, once);
            }
            if let Some(ends) = &mut found.ends {
                add(ends.entry(end_of(mine.rule, &key, &values, Some(wins))).or_default(), &both, once);
            }
            both.iter().for_each(|(of, times)| found.add_values(&values, of, times));
            add(found.outcomes.entry(key).or_default(), &both, once);
        }
        parts.iter().for_each(|(of, times)| add(&mut found.cut, &other.cut, (times, of)));
    }
    // Rolls of one side beyond the limit are cut, whatever the other side rolls.
    add(&mut found.cut, &actor.cut, once);
    let against = ContestOdds {
        won_in_the_end: (decided.ties == Ties::Again).then(|| sum(&won).repeated(&sum(&repeated))).flatten(),
        won: sum(&won),
        tie: sum(&tied),
        rule: mine.rule.opposition_words(),
        place: mine.rule.bullet("Opposed").map(|bullet| bullet.place.to_string()),
    };
    Ok((Chances { against: Some(against), ..found.chances(Some(mine.rule)) }, found))
}

fn untargeted(key: &OutcomeKey, outcome: Outcome) -> OutcomeKey {
    (std::cmp::Reverse(Some(outcome)), None, Some(outcome.to_string()), key.3.clone())
}

/// The rolls of a side; in a contest, judged against each of these results of the other.
fn side(roll: &PlannedRoll<'_>, decided: &Opposition, results: &[i64]) -> Result<Side, Refusal> {
    let mut ends: BTreeMap<(Vec<SideEnd>, ContestResult), WayCounts> = BTreeMap::new();
    let mut judged_in_all = 0_usize;
    let mut cut = WayCounts::new();
    let mut raised = OddsTally::default();
    let walked = roll.rule.each_result(&roll.attempt, decided, WAYS_MAX, &mut |verdict, ways| {
        if let Some(verdict) = verdict {
            raised.add_flags(&verdict.flags, &ways.of, &ways.times);
        }
        let parts = match verdict {
            None => &mut cut,
            Some(verdict) => {
                let judged = verdict.judgement.as_ref().filter(|_| !roll.untargeted);
                let end = ContestResult::of(decided, roll.rule, verdict);
                // As at the table, no row decides where there is no target.
                let end = match judged {
                    Some(_) => end,
                    None => ContestResult { outcome: None, row: None, ..end },
                };
                let mut keys: Vec<SideEnd> = results.iter().map(|other| contested(roll, verdict, *other)).collect();
                judged_in_all = judged_in_all.saturating_add(keys.len());
                if judged_in_all > PAIRS_MAX {
                    return ControlFlow::Break(());
                }
                if keys.is_empty() {
                    keys.push((key(roll.rule, judged), verdict.values.clone()));
                }
                ends.entry((keys, end)).or_default()
            }
        };
        count(parts, &ways.of, &ways.times);
        ControlFlow::Continue(())
    });
    check_whole(walked, &roll.attempt)?;
    Ok(Side {
        ends: ends.into_iter().map(|((keys, end), parts)| (keys, end, parts)).collect(),
        cut,
        flags: raised.flags,
    })
}

/// The outcome and the values against a result of the other side, which is what has to be reached.
fn contested(roll: &PlannedRoll<'_>, verdict: &Verdict, other: i64) -> SideEnd {
    let (margin, judged) = roll.rule.judge_contest(&verdict.facts, (verdict.result, other), false);
    let facts = Facts { target: Some(other), margin: Some(margin), ..verdict.facts.clone() };
    (key(roll.rule, Some(&judged)), roll.rule.values_of(&facts))
}
