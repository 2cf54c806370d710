//! The verdict: what a roll results in by the rules of its check.

use std::collections::HashSet;

use super::attempt::Attempt;
use super::judge::Judgement;
use crate::language::checks::{Check, RESULT};
use crate::when::facts::Facts;
use rollbook_dice::Roll;

/// What a roll results in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Everything that conditions may use.
    pub facts: Facts,
    /// The number that is compared with the target: the Result, the successes, or the total.
    pub result: i64,
    /// The outcome; none when the GM has to decide.
    pub judgement: Option<Judgement>,
    /// The check's values that are known, in the author's order.
    pub values: Vec<(String, i64)>,
    /// Raised flags, as the author names them.
    pub flags: Vec<String>,
}

impl Check {
    /// The verdict on a roll of this attempt, with the opposing dice if the check has them.
    pub fn verdict(&self, attempt: &Attempt, roll: &Roll, opposing: Option<&Roll>) -> Verdict {
        self.verdict_after(attempt, roll, opposing, &[])
    }

    /// The verdict on a roll after these rules for again: pushed, changed by luck.
    pub fn verdict_after(
        &self,
        attempt: &Attempt,
        roll: &Roll,
        opposing: Option<&Roll>,
        followed_by: &[String],
    ) -> Verdict {
        let facts = self.facts(attempt, roll, opposing);
        let result = facts
            .result
            .unwrap_or(match (&self.count, facts.successes) {
                (Some(_), Some(successes)) => successes,
                _ => facts.total,
            });
        let judged = self
            .judge(&facts)
            .map(|judged| self.with_reach(judged, attempt.reach));
        let flags = self
            .raised_flags(&facts, followed_by)
            .into_iter()
            .map(|flag| flag.name.clone())
            .collect();
        Verdict {
            values: self.values_of(&facts),
            facts,
            result,
            judgement: judged,
            flags,
        }
    }

    /// Removes symbols that cancel, in the author's order.
    fn cancel(&self, facts: &mut Facts) {
        for (one, other) in &self.cancels {
            let count = |letter| facts.symbols.get(letter).copied().unwrap_or(0);
            let gone = count(one).min(count(other));
            for letter in [one, other] {
                facts
                    .symbols
                    .entry(*letter)
                    .and_modify(|many| *many -= gone);
            }
        }
    }

    /// Its values, and its Result.
    pub fn values_of(&self, facts: &Facts) -> Vec<(String, i64)> {
        let values = self
            .values
            .iter()
            .filter_map(|value| Some((value.name.clone(), value.value(facts)?)));
        values
            .chain(facts.result.map(|result| (RESULT.to_owned(), result)))
            .collect()
    }

    pub(super) fn facts(&self, attempt: &Attempt, roll: &Roll, opposing: Option<&Roll>) -> Facts {
        let mut facts = Facts::of_roll(roll, attempt.target, self.succeed);
        facts.pool = attempt.pool.or(facts.pool);
        facts.values.clone_from(&attempt.values);
        facts.groups.extend(attempt.groups.iter().cloned());
        if attempt.counts && facts.successes.is_none() {
            facts.successes = Some(facts.total);
        }
        if let Some(count) = self.count_in(attempt) {
            // Constants beside counted dice are successes that need no die.
            let automatic = roll.modifiers();
            let mut successes = automatic;
            for die in facts.dice.iter_mut().filter(|die| die.kept) {
                let worth = count.successes(die.number.as_slice());
                die.counted = Some(worth);
                successes = successes.saturating_add(worth);
            }
            facts.successes = Some(successes);
            facts.margin = attempt
                .target
                .map(|target| self.succeed.margin(successes, target));
        }
        self.cancel(&mut facts);
        if let Some(result) = &self.result {
            let result = result.value(&facts);
            facts.margin = result
                .zip(attempt.target)
                .map(|(result, target)| self.succeed.margin(result, target));
            facts.total = result.unwrap_or(facts.total);
            facts.result = result;
        }
        if let Some(opposing) = opposing {
            let faces: Vec<i64> = opposing.dice().iter().map(|view| view.die.value).collect();
            let beaten = faces.iter().filter(|face| facts.total > **face).count();
            let distinct: HashSet<i64> = faces.iter().copied().collect();
            facts.beaten = i64::try_from(beaten).ok();
            facts.matches = i64::try_from(faces.len() - distinct.len()).ok();
        }
        facts
    }
}
