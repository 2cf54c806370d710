//! The exact chance of every outcome of a check: the check is resolved for every possible roll.
//!
//! Odds use the same code as play, so they agree with it for any rules. Rolls that look the same to the check are taken
//! together ([`rules::Check::each_verdict`](crate::rules::Check::each_verdict)); for an opposed check, each side is
//! resolved by itself, and then each outcome of one with each outcome of the other ([`opposed`]).

mod again;
mod opposed;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use num_bigint::BigUint;

use crate::dice::Expression;
use crate::dice::odds::{DeepWalker, Ratio};
use crate::game::decide::check::{self, CheckCall, PlannedRoll};
use crate::game::mechanics::values::dice_refusal;
use crate::game::record::event::Event;
use crate::game::record::state::State;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Unrecorded;
use crate::game::table::{Setting, Table};
use crate::rules::{Attempt, Check, Judgement, Outcome, Verdict, Walked, Ways};

pub use again::chances_again;

/// Rolls that are resolved one by one; a check with more is refused.
const WAYS_MAX: u64 = 300_000;

/// The chance of each outcome, and of explosions beyond the limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Chances {
    /// The check that is made.
    pub check: Option<String>,
    /// The best first; rows of the same canonical outcome in the order of the table.
    pub rows: Vec<Row>,
    /// The chance of each flag, in the order of the rules; in an opposed check, of the actor's.
    pub flags: Vec<Flag>,
    /// What each value of the check comes to, in the order of the rules; in an opposed check, the actor's.
    pub values: Vec<ValueOdds>,
    /// The chance of rolls beyond the limit.
    pub cut: Ratio,
    /// Who wins, in an opposed check.
    pub against: Option<ContestOdds>,
    /// The rule by which rolls are followed where that pays, and the chance of that.
    pub again: Option<(String, Ratio)>,
}

/// A flag and its chance.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// The author's word for it.
    pub name: String,
    /// Its chance, over all outcomes.
    pub chance: Ratio,
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
        self.chances.iter().map(|(number, chance)| *number as f64 * chance.to_f64()).sum()
    }
}

/// Who wins an opposed check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContestOdds {
    /// The chance that the actor wins.
    pub won: Ratio,
    /// The chance of a tie, which goes to the defender.
    pub tie: Ratio,
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
    /// Its chance.
    pub chance: Ratio,
}

/// The key of an outcome, in the order in which they are shown.
type OutcomeKey = (std::cmp::Reverse<Option<Outcome>>, Option<u32>, Option<String>, Option<String>);
/// Counts of rolls, by the number of ways `n` of which each is one: a chance of count / n.
type WayCounts = BTreeMap<BigUint, BigUint>;

/// The counts so far.
#[derive(Default)]
struct OddsTally {
    outcomes: BTreeMap<OutcomeKey, WayCounts>,
    /// By the flag's name.
    flags: BTreeMap<String, WayCounts>,
    /// By the value's name, by what it comes to.
    values: BTreeMap<String, BTreeMap<i64, WayCounts>>,
    cut: WayCounts,
}

/// The chances of this call. Nothing is rolled, and the state is not changed.
///
/// # Errors
/// The refusals of the call; `limit_exceeded` when there are too many possible rolls.
pub fn chances(state: &State, setting: &Setting, call: &CheckCall) -> Result<Chances, Refusal> {
    let mut state = state.clone();
    let mut dice = Unrecorded(DeepWalker::new());
    let table = Table::new(&mut state, setting, &mut dice, 0, 0, None);
    match check::planned_rolls(&table, call)? {
        Some((PlannedRoll { rule, attempt, .. }, None)) => by_verdicts(rule, &attempt),
        Some((mine, Some(theirs))) => opposed::chances(&mine, &theirs),
        None => by_decisions(&mut state, setting, call),
    }
}

/// The chances of one roll by one rule.
fn by_verdicts(rule: &Check, attempt: &Attempt) -> Result<Chances, Refusal> {
    let mut found = OddsTally::default();
    let walked = rule.each_verdict(attempt, WAYS_MAX, &mut |verdict, ways| {
        found.add_beside(verdict, ways);
        found.add_outcome(rule, verdict, ways);
        ControlFlow::Continue(())
    });
    match walked.map_err(|error| dice_refusal(&error))? {
        Walked::Whole => Ok(found.chances(Some(rule))),
        Walked::Stopped | Walked::TooMany => Err(too_many(&attempt.expression)),
    }
}

fn key(rule: &Check, judged: Option<&Judgement>) -> OutcomeKey {
    (
        std::cmp::Reverse(judged.map(|judged| judged.outcome)),
        judged.and_then(|judged| judged.rank),
        judged.map(|judged| judged.label.clone()),
        Some(judged.map_or(&rule.place, |judged| &judged.place).to_string()),
    )
}

/// The chances by whole decisions, one sequence of faces after the other.
fn by_decisions(state: &mut State, setting: &Setting, call: &CheckCall) -> Result<Chances, Refusal> {
    let mut dice = Unrecorded(DeepWalker::new());
    let mut found = OddsTally::default();
    let mut rule = None;
    for _ in 0..WAYS_MAX {
        let mut table = Table::new(state, setting, &mut dice, 0, 0, None);
        let decided = check::decide(&mut table, call.clone(), None);
        let (mut raised, mut values, mut by) = (Vec::new(), Vec::new(), None);
        let key = table.own_entries().next().map(|written| match &written.entry.event {
            Event::Check(event) => {
                raised.clone_from(&event.flags);
                values = event.results.clone().into_iter().collect();
                by = setting.system.check(&event.check).ok();
                (std::cmp::Reverse(event.outcome), event.rank, event.label.clone(), written.entry.rule.clone())
            }
            _ => OutcomeKey::default(),
        });
        rule = rule.or(by);
        table.roll_back();
        if !dice.0.is_cut() {
            found.add_flags(&raised, dice.0.ways(), &BigUint::from(1_u8));
            found.add_values(&values, &dice.0.ways(), &BigUint::from(1_u8));
        }
        let parts = match (dice.0.is_cut(), decided) {
            (true, _) => &mut found.cut,
            (false, Ok(_)) => found.outcomes.entry(key.unwrap_or_default()).or_default(),
            (false, Err(refusal)) => return Err(refusal),
        };
        *parts.entry(dice.0.ways()).or_default() += 1_u8;
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
    let summary = format!(
        "{expression} can fall in more ways that this check tells apart than can be looked at ({WAYS_MAX}, and fewer of many dice). Ask \
         for the odds of a smaller pool, or of the dice alone: odds \"{expression}\"."
    );
    Refusal::new(Code::LimitExceeded, summary)
}

impl OddsTally {
    /// What stands beside the outcome of a verdict: its flags and its values.
    fn add_beside(&mut self, verdict: Option<&Verdict>, ways: &Ways) {
        if let Some(verdict) = verdict {
            self.add_flags(&verdict.flags, ways.of.clone(), &ways.times);
            self.add_values(&verdict.values, &ways.of, &ways.times);
        }
    }

    fn add_outcome(&mut self, rule: &Check, verdict: Option<&Verdict>, ways: &Ways) {
        let parts = match verdict {
            None => &mut self.cut,
            Some(verdict) => self.outcomes.entry(key(rule, verdict.judged.as_ref())).or_default(),
        };
        *parts.entry(ways.of.clone()).or_default() += &ways.times;
    }

    fn add_flags(&mut self, flags: &[String], of: BigUint, times: &BigUint) {
        for flag in flags {
            *self.flags.entry(flag.clone()).or_default().entry(of.clone()).or_default() += times;
        }
    }

    fn add_values(&mut self, values: &[(String, i64)], of: &BigUint, times: &BigUint) {
        for (name, number) in values {
            let ways = self.values.entry(name.clone()).or_default().entry(*number).or_default();
            *ways.entry(of.clone()).or_default() += times;
        }
    }

    fn chances(&self, rule: Option<&Check>) -> Chances {
        let flag =
            |name: &String| Flag { name: name.clone(), chance: self.flags.get(name).map_or_else(Ratio::default, sum) };
        let mut flags: Vec<Flag> = rule.iter().flat_map(|rule| &rule.flags).map(|own| flag(&own.name)).collect();
        flags.extend(self.flags.keys().map(flag));
        let mut seen = BTreeSet::new();
        flags.retain(|flag| seen.insert(flag.name.clone()));
        let value = |name: &String| {
            let ways = self.values.get(name)?;
            let chances = ways.iter().map(|(number, ways)| (*number, sum(ways))).collect();
            Some(ValueOdds { name: name.clone(), chances })
        };
        let values = rule.iter().flat_map(|rule| &rule.values).filter_map(|own| value(&own.name)).collect();
        let check = rule.map(|rule| rule.name.clone());
        let rows = self.outcomes.iter().map(row).collect();
        Chances { check, rows, flags, values, cut: sum(&self.cut), against: None, again: None }
    }
}

fn row((key, parts): (&OutcomeKey, &WayCounts)) -> Row {
    let (outcome, _, label, rule) = key;
    Row { outcome: outcome.0, label: label.clone(), rule: rule.clone(), chance: sum(parts) }
}

fn sum(parts: &WayCounts) -> Ratio {
    Ratio::sum_of_ways(parts)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diagnostic::SourceFile;
    use crate::game::decide::check::Opponent;
    use crate::game::record::state::{Character, Kind};
    use crate::rules;

    fn setting(rules: &str) -> Setting {
        let reading = rules::read(vec![SourceFile::new("System.md", rules)]);
        Setting {
            system: Arc::new(reading.system),
            rules_hash: String::new(),
            rules_files: Vec::new(),
            adventure: "odds".to_owned(),
            campaign: "odds".to_owned(),
            campaign_uuid: String::new(),
            characters_max: 2000,
        }
    }

    #[test]
    fn the_odds_by_verdicts_are_those_of_whole_decisions() {
        for rules in [
            "- Roll: `{pool}d6kh1`\n- With no dice: `2d6kl1`\n- On natural 6: one step better\n\n| Outcome | When |\n|---|---|\n| critical success | sixes 2+ |\n| success | highest 6 |\n| partial success | highest 4-5 |\n| failure | otherwise |\n",
            "- Roll: `1d6! + {pool}`\n- Opposing dice: `2d4`\n\n| Outcome | When |\n|---|---|\n| Strong (success) | beaten 2 |\n| Weak (partial success) | beaten 1 |\n",
            "- Roll: `d%b{pool}`\n- Target: `{difficulty}`\n- Succeed: at most the target\n",
            "- Roll: `{pool}d6`\n- Count: `5+`\n- Target: `{difficulty}`\n",
        ] {
            let setting = setting(&format!("## Checks\n### Any\n{rules}"));
            for pool in ["0", "1", "2"] {
                let values = BTreeMap::from([("pool".to_owned(), pool.to_owned())]);
                let difficulty = rules.contains("{difficulty}").then_some(2);
                let call = CheckCall { difficulty, values, ..CheckCall::default() };
                let short = chances(&State::default(), &setting, &call).expect("odds");
                let long = by_decisions(&mut State::default(), &setting, &call).expect("odds");
                // Whole decisions reach the limit earlier; where nothing is cut off, both are exact.
                assert!(short.cut <= long.cut && (long.cut.is_zero() || !short.cut.is_zero()), "{rules} with {pool}");
                let cells = |chances: &Chances| {
                    let cell = |row: &Row| (row.outcome, row.label.clone(), row.rule.clone());
                    chances.rows.iter().map(|row| (cell(row), row.chance.clone())).collect::<BTreeMap<_, _>>()
                };
                let (mine, theirs) = (cells(&short), cells(&long));
                for cell in mine.keys().chain(theirs.keys()) {
                    let chance = |cells: &BTreeMap<_, Ratio>| cells.get(cell).cloned().unwrap_or_default().to_f64();
                    let gap = (chance(&mine) - chance(&theirs)).abs();
                    assert!(gap <= long.cut.to_f64() + 1e-12, "{rules} with {pool}: {cell:?}");
                }
                let sum = short.rows.iter().fold(short.cut.clone(), |sum, row| sum.plus(&row.chance));
                assert!(sum.is_one(), "{rules}");
            }
        }
    }

    #[test]
    fn the_odds_of_two_are_those_of_whole_decisions() {
        for (rules, difficulty) in [
            ("- Roll: `1d6 + {pool}`\n", None),
            ("- Roll: `2d4 + {modifier}`\n- Target: `{difficulty}`\n", None),
            (
                "- Roll: `2d4 + {modifier}`\n- Target: `{difficulty}`\n\n| Outcome | When |\n|---|---|\n| critical success | natural 4 |\n| success | margin 0+ |\n| failure | otherwise |\n",
                Some(6),
            ),
            ("- Roll: `3d6`\n- Count: `5+`\n- Pairs: 6s add 1\n- Target: `1`\n", None),
            ("- Roll: `1d4! + {pool}`\n- Target: `3`\n", None),
            ("- Roll: `2d6 + {modifier}`\n- Opposed: lower total; ties: actor\n", None),
            ("- Roll: `1d10 + {pool}`\n- Target: `6`\n- Opposed: higher total that succeeds; ties: again\n", None),
            ("- Roll: `2d6`\n- Count: `5+`\n- Target: `1`\n- Opposed: higher total\n", None),
            (
                "- Roll: `2d6`\n- Value low: `lowest + 1`\n- Opposed: higher {low}, then higher total; ties: other\n",
                None,
            ),
            (
                "- Roll: `1d12 + {pool}`\n- Target: `{difficulty}`\n- Value half: `margin / 2`\n- Opposed: higher half; two failures: by the rule\n\n| Outcome | When |\n|---|---|\n| critical success | half 3+ |\n| success | margin 0+ |\n| failure | otherwise |\n",
                Some(6),
            ),
        ] {
            let setting = setting(&format!("## Skills\n- Any\n## Checks\n### Any\n{rules}"));
            let mut state = State::default();
            for (id, name) in [(1, "Ann"), (2, "Bo")] {
                let skills = BTreeMap::from([("Any".to_owned(), id), ("pool".to_owned(), id)]);
                let character = Character {
                    id,
                    name: name.to_owned(),
                    kind: Kind::Player,
                    level: 1,
                    xp: 0,
                    attributes: BTreeMap::from([("pool".to_owned(), id)]),
                    skills,
                    ..Character::default()
                };
                state.characters.insert(id, character);
            }
            let opponent =
                Opponent { character: "Bo".to_owned(), skill: Some("Any".to_owned()), ..Opponent::default() };
            let call = CheckCall {
                character: Some("Ann".to_owned()),
                skill: Some("Any".to_owned()),
                difficulty,
                opposed_by: Some(opponent),
                ..CheckCall::default()
            };
            let short = chances(&state, &setting, &call).expect("odds");
            let of_its_own = rules.contains("Opposed");
            let wins = of_its_own.then(|| won_by_decisions(&mut state, &setting, &call));
            let long = by_decisions(&mut state, &setting, &call).expect("odds");
            let of = |chances: &Chances, row: &Row| {
                let same = |own: &&Row| (own.outcome, &own.label) == (row.outcome, &row.label);
                chances.rows.iter().find(same).map(|own| own.chance.clone()).unwrap_or_default()
            };
            for row in &long.rows {
                // Both rolls together reach the limit earlier than each by itself.
                let gap = (of(&short, row).to_f64() - row.chance.to_f64()).abs();
                assert!(gap <= long.cut.to_f64(), "{rules}: {row:?} and {:?}", of(&short, row));
            }
            let sum = short.rows.iter().fold(short.cut.clone(), |sum, row| sum.plus(&row.chance));
            assert!(sum.is_one(), "{rules}");
            assert_eq!(long.values, short.values, "{rules}");
            let against = short.against.expect("who wins");
            let found = [&against.won, &against.tie].map(Ratio::to_f64);
            for (found, wins) in found.into_iter().zip(wins.into_iter().flatten()) {
                assert!((found - wins).abs() <= long.cut.to_f64() + 1e-12, "{rules}: {found} and {wins}");
            }
            assert!(against.won.to_f64() + against.tie.to_f64() < 1.0 && against.tie.to_f64() > 0.0, "{against:?}");
        }
    }

    /// How often the actor wins, and how often it is a tie, of whole decisions.
    fn won_by_decisions(state: &mut State, setting: &Setting, call: &CheckCall) -> [f64; 2] {
        let mut dice = Unrecorded(DeepWalker::new());
        let mut found = [0.0; 2];
        loop {
            let mut table = Table::new(state, setting, &mut dice, 0, 0, None);
            let decided = check::decide(&mut table, call.clone(), None);
            let event = table.own_entries().next().map(|written| written.entry.event.clone());
            table.roll_back();
            if !dice.0.is_cut() {
                decided.expect("a check");
                let Some(Event::Check(event)) = event else { panic!("no check") };
                let opposed = event.opposed.expect("an opponent");
                let chance = 1.0 / dice.0.ways().to_string().parse::<f64>().expect("a number");
                found[0] += if opposed.won { chance } else { 0.0 };
                found[1] += if opposed.tie { chance } else { 0.0 };
            }
            if !dice.0.advance() {
                return found;
            }
        }
    }

    #[test]
    fn what_cannot_be_looked_at_is_told_from_what_can() {
        for roll in ["20d6!dl2", "9d10!!sa", "40d20sa + 20d12 + 10d100", "12d6rr<3sa"] {
            let natural = "- On natural 6: one step better";
            let setting = setting(&format!("## Checks\n### Any\n- Roll: `{roll}`\n- Target: `20`\n{natural}\n"));
            let refused = chances(&State::default(), &setting, &CheckCall::default()).expect_err("too much");
            assert_eq!(refused.code.as_str(), "limit_exceeded");
            assert!(refused.summary.contains(&format!("odds \"{roll}\"")), "{}", refused.summary);
        }
        for roll in ["2d6!", "1d20!", "5d6ro1", "3d4!!", "2d6!p", "20d6!", "8d10!!", "12d6ro1", "4d100ro<50"] {
            let setting = setting(&format!("## Checks\n### Any\n- Roll: `{roll}`\n- Target: `7`\n"));
            assert!(chances(&State::default(), &setting, &CheckCall::default()).is_ok(), "{roll} can be looked at");
        }
    }

    #[test]
    fn flags_have_their_chances_beside_the_outcomes() {
        let rules = "- Roll: `2d6`\n- Target: `{difficulty}`\n- Flag doubles six: sixes 2+\n- Flag a one: ones 1+\n- Flag never: sixes 3+\n";
        let setting = setting(&format!("## Checks\n### Any\n{rules}"));
        let call = CheckCall { difficulty: Some(7), ..CheckCall::default() };
        let found = chances(&State::default(), &setting, &call).expect("odds");
        let flags: Vec<String> = found.flags.iter().map(|flag| format!("{} {}", flag.name, flag.chance)).collect();
        assert_eq!(flags, ["doubles six 1/36", "a one 11/36", "never 0"]);
        let long = by_decisions(&mut State::default(), &setting, &call).expect("odds");
        assert_eq!(found.flags, long.flags);
    }

    #[test]
    fn a_great_pool_has_odds_at_once() {
        let setting = setting("## Checks\n### Any\n- Roll: `20d10`\n- Count: `6+`\n- Target: `{difficulty}`\n");
        let call = CheckCall { difficulty: Some(20), ..CheckCall::default() };
        let found = chances(&State::default(), &setting, &call).expect("odds");
        let chances: Vec<String> = found.rows.iter().map(|row| row.chance.to_string()).collect();
        assert_eq!(chances, ["1/1048576", "1048575/1048576"]);
    }
}
