//! Odds of opposed checks: the outcomes of each side with their chances, then each of one with each
//! of the other. Their dice are never combined: two large pools take as long as each by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::{cmp::Reverse, ops::ControlFlow};

use super::{
    Chances, ContestOdds, OddsTally, OutcomeKey, Values, WAYS_MAX, WayCounts, add, check_whole,
    count, end_of, key, one, sum, too_many,
};
use crate::decide::check::{ContestResult, Trial, check_open, is_contest, says_who_wins};
use crate::{record::event::TieGoes, refusal::Result};
use rollbook_rules::{Facts, Opposition, Outcome, Succeed, Ties};

/// Pairs of outcomes that are compared.
const PAIRS_MAX: usize = 1_000_000;

/// A side's possible results with outcome and values; in a contest against each of the other side.
struct Side {
    ends: BTreeMap<(Vec<SideEnd>, ContestResult), WayCounts>,
    cut: WayCounts,
    flags: BTreeMap<String, WayCounts>,
}

/// An outcome with the values of the check.
type SideEnd = (OutcomeKey, Values);
/// Whether the actor wins, whether it is a tie, and whether both roll again, with the outcome.
type PairEnd = ((bool, bool, bool), SideEnd);

/// The chances of the actor's outcomes and of winning, with the counts; of ends if `found` asks.
pub(super) fn chances(
    mine: &Trial,
    theirs: &Trial,
    mut found: OddsTally,
) -> Result<(Chances, OddsTally)> {
    check_open(mine.aim(), theirs.aim())?;
    let rule = mine.chosen.rule;
    let decided = &rule.opposition;
    let other = side(theirs, decided, &[])?;
    let is_low = theirs.chosen.rule.succeed == Succeed::AtMost;
    let result = |end: &ContestResult| if is_low { -end.worth } else { end.worth };
    let contest = is_contest(mine.aim(), theirs.aim());
    let results: BTreeSet<i64> = other
        .ends
        .iter()
        .filter(|_| contest)
        .map(|((_, end), _)| result(end))
        .collect();
    let results: Vec<i64> = results.into_iter().collect();
    let actor = side(mine, decided, &results)?;
    if actor.ends.len().saturating_mul(other.ends.len()) > PAIRS_MAX {
        return Err(too_many(&mine.attempt.expression));
    }
    let (mut won, mut tied, mut repeated) = (WayCounts::new(), WayCounts::new(), WayCounts::new());
    found.flags = actor.flags;
    let once = (&one(), &one());
    for ((keys, end), parts) in &actor.ends {
        // The other side's chances, perhaps hundreds, are summed before they are multiplied.
        let mut sums: BTreeMap<PairEnd, WayCounts> = BTreeMap::new();
        for ((_, against), others) in &other.ends {
            let (won, tie, tie_goes) = end.ended(against, decided);
            let again = tie_goes == Some(TieGoes::Again);
            let place = if contest {
                results.binary_search(&result(against)).unwrap_or(0)
            } else {
                0
            };
            let Some((key, values)) = keys.get(place) else {
                continue;
            };
            let outcome = if won {
                Outcome::Success
            } else {
                Outcome::Failure
            };
            // Where no row says who wins, the outcome is whether the actor does.
            let differs = key.0.0.is_some_and(|outcome| !says_who_wins(outcome, won));
            let key = match (mine.is_untargeted() && !contest, contest && differs) {
                (false, false) => key.clone(),
                (true, _) => (
                    Reverse(Some(outcome)),
                    None,
                    Some(outcome.to_string()),
                    key.3.clone(),
                ),
                (false, true) => super::key(rule, Some(&rule.plain(outcome))),
            };
            add(
                sums.entry(((won, tie, again), (key, values.clone())))
                    .or_default(),
                others,
                once,
            );
        }
        for (((wins, ties, again), (key, values)), others) in sums {
            let mut both = WayCounts::new();
            parts
                .iter()
                .for_each(|(of, times)| add(&mut both, &others, (times, of)));
            let kept = [(wins, &mut won), (ties, &mut tied), (again, &mut repeated)];
            kept.into_iter()
                .filter(|(is, _)| *is)
                .for_each(|(_, kept)| add(kept, &both, once));
            if let Some(ends) = &mut found.ends {
                add(
                    ends.entry(end_of(rule, &key, &values, Some(wins)))
                        .or_default(),
                    &both,
                    once,
                );
            }
            both.iter()
                .for_each(|(of, times)| found.add_values(&values, of, times));
            add(found.outcomes.entry(key).or_default(), &both, once);
        }
        parts
            .iter()
            .for_each(|(of, times)| add(&mut found.cut, &other.cut, (times, of)));
    }
    // Rolls of one side beyond the limit are cut, whatever the other side rolls.
    add(&mut found.cut, &actor.cut, once);
    let against = ContestOdds {
        won_in_the_end: (decided.ties == Ties::Again)
            .then(|| sum(&won).repeated(&sum(&repeated)))
            .flatten(),
        won: sum(&won),
        tie: sum(&tied),
        rule: rule.opposition_words(),
        place: rule
            .bullet("Opposed")
            .map(|bullet| bullet.place.to_string()),
    };
    Ok((
        Chances {
            against: Some(against),
            ..found.chances(Some(rule))
        },
        found,
    ))
}

/// The rolls of a side; in a contest, judged against each of these results of the other.
fn side(roll: &Trial<'_>, decided: &Opposition, results: &[i64]) -> Result<Side> {
    let (mut ends, mut judged_in_all) = (BTreeMap::<_, WayCounts>::new(), 0_usize);
    let (mut cut, mut raised) = (WayCounts::new(), OddsTally::default());
    let rule = roll.chosen.rule;
    let walked = rule.each_result(&roll.attempt, decided, WAYS_MAX, &mut |verdict, ways| {
        let Some(verdict) = verdict else {
            count(&mut cut, &ways.of, &ways.times);
            return ControlFlow::Continue(());
        };
        raised.add_flags(&verdict.flags, &ways.of, &ways.times);
        let judged = verdict.judgement.as_ref().filter(|_| !roll.is_untargeted());
        let mut end = ContestResult::of(decided, rule, verdict);
        // As at the table, no row decides where there is no target.
        if judged.is_none() {
            (end.outcome, end.row) = (None, None);
        }
        // In a contest the result of the other side is what has to be reached.
        let contested = |other: &i64| {
            let (margin, judged) =
                rule.judge_contest(&verdict.facts, (verdict.result, *other), false);
            let facts = Facts {
                target: Some(*other),
                margin: Some(margin),
                ..verdict.facts.clone()
            };
            (key(rule, Some(&judged)), rule.values_of(&facts))
        };
        let mut keys: Vec<SideEnd> = results.iter().map(contested).collect();
        judged_in_all = judged_in_all.saturating_add(keys.len());
        if judged_in_all > PAIRS_MAX {
            return ControlFlow::Break(());
        }
        if keys.is_empty() {
            keys.push((key(rule, judged), verdict.values.clone()));
        }
        count(ends.entry((keys, end)).or_default(), &ways.of, &ways.times);
        ControlFlow::Continue(())
    });
    check_whole(walked, &roll.attempt)?;
    Ok(Side {
        ends,
        cut,
        flags: raised.flags,
    })
}
