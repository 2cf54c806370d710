//! Opposed checks.

use std::cmp::Ordering;

use super::call::{CheckCall, StatedCheck};
use super::trial::{Rolled, Trial};
use crate::record::event::{CheckEvent, Opposed, TieGoes};
use crate::record::{purpose::OPPOSED, state::Character};
use crate::refusal::{Code, Refusal, Result};
use crate::{table::Table, view::secrets};
use rollbook_rules::{
    Check, Compared, Comparison, Facts, Judgement, Opposition, Outcome, Row, Succeed, System, Ties,
    Verdict,
};
use rollbook_text::names::same;

/// The opposing side, ready to roll: by default the same check, against the same difficulty.
pub fn prepare<'c, 's: 'c>(
    table: &Table<'s>,
    (call, stated): (&CheckCall, Option<&'c StatedCheck>),
    rule: &Check,
    (opponent, who): (&CheckCall, &Character),
) -> Result<Trial<'c>> {
    let stated = stated.filter(|_| opponent.check.is_none());
    let check = opponent.check.clone().or_else(|| Some(rule.name.clone()));
    let (difficulty, planned) = (call.difficulty, call.planned);
    let theirs = CheckCall {
        opposing: true,
        check,
        difficulty,
        planned,
        ..opponent.clone()
    };
    let other = Trial::prepare(table, (&theirs, stated), Some(who.clone()), None)?;
    let Check {
        name: theirs,
        values,
        ..
    } = other.chosen.rule;
    let Some(value) = rule
        .opposition
        .values()
        .find(|name| !values.iter().any(|value| value.is(name)))
    else {
        return Ok(other);
    };
    let (check, by, who) = (&rule.name, rule.opposition_words(), &who.name);
    let summary = format!(
        "{check} is decided by {by}, and the check of {who}, {theirs}, has no value {value}. Leave opposed_by.check out, or send \
         one that has it."
    );
    Err(Refusal::new(Code::MissingValue, summary))
}

/// Refuses an opponent who is the actor, or not the target: whom it is tried against is unclear.
pub fn check_other(
    other: &Character,
    actor: Option<&Character>,
    target: Option<&Character>,
) -> Result<()> {
    if actor.is_some_and(|actor| actor.id == other.id) {
        let summary = "Nobody opposes themself. Send opposed_by={\"character\": …} with somebody else's name.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    let Some(target) = target.filter(|target| target.id != other.id) else {
        return Ok(());
    };
    let (other, target) = (&other.name, &target.name);
    let summary = format!(
        "{other} rolls against it by opposed_by, and target names {target}. Send opposed_by={{\"character\": \"{target}\"}} with \
         target=\"{target}\", or leave target out where {other} is meant."
    );
    Err(Refusal::new(Code::InvalidParameters, summary))
}

/// Whether each has to reach the other's result: neither has a target, nor a table without one.
pub fn is_contest(mine: (&Check, Option<i64>), theirs: (&Check, Option<i64>)) -> bool {
    let is_open = |(rule, target): (&Check, Option<i64>)| {
        target.is_none()
            && (rule.target.is_some() || rule.rows.is_empty())
            && rule.opposing.is_none()
    };
    let alike =
        mine.0.succeed == theirs.0.succeed && mine.0.count.is_some() == theirs.0.count.is_some();
    is_open(mine) && is_open(theirs) && alike
}

/// Refuses a contest without a target that is decided by what there is only with one.
pub fn check_open(mine: (&Check, Option<i64>), theirs: (&Check, Option<i64>)) -> Result<()> {
    let rule = mine.0;
    let asks = |rule: &Check, name: &str| {
        rule.values
            .iter()
            .any(|rule| rule.is(name) && rule.asks_target())
    };
    let decides = rule
        .opposition
        .values()
        .find(|name| asks(rule, name) || asks(theirs.0, name));
    let Some(name) = decides.filter(|_| is_contest(mine, theirs)) else {
        return Ok(());
    };
    let (check, by) = (&rule.name, rule.opposition_words());
    let summary = format!(
        "{check} is decided by {by}, and {name} is worked out from the number to reach. Send difficulty, which both try to reach."
    );
    Err(Refusal::new(Code::MissingValue, summary))
}

fn judge_contest((mine, verdict): (&Check, &mut Verdict), (theirs, other): (&Check, &mut Verdict)) {
    let (margin, judged) =
        mine.judge_contest(&verdict.facts, (verdict.result, other.result), false);
    let (against, judged_against) =
        theirs.judge_contest(&other.facts, (other.result, verdict.result), true);
    (verdict.facts.margin, verdict.judgement) = (Some(margin), Some(judged));
    (other.facts.margin, other.judgement) = (Some(against), Some(judged_against));
    verdict.values = mine.values_of(&Facts {
        target: Some(other.result),
        ..verdict.facts.clone()
    });
    other.values = theirs.values_of(&Facts {
        target: Some(verdict.result),
        ..other.facts.clone()
    });
}

/// Rolls the opposing side and compares; without a target both sides are judged only then.
pub fn roll(
    table: &mut Table,
    trial: &Trial,
    other: &Trial,
    mine: &mut Rolled,
) -> Result<(Rolled, Opposed)> {
    let mut tried = other.roll(table, OPPOSED, None)?;
    let (rule, against) = (trial.chosen.rule, other.chosen.rule);
    let result = |rule: &Check, verdict: &Verdict| {
        ContestResult::of(&trial.chosen.rule.opposition, rule, verdict)
    };
    let (mine_before, theirs_before) =
        (result(rule, &mine.verdict), result(against, &tried.verdict));
    let contest = is_contest(trial.aim(), other.aim());
    if contest {
        judge_contest((rule, &mut mine.verdict), (against, &mut tried.verdict));
    }
    let (verdict, actor) = (&tried.verdict, other.actor.as_ref());
    let CheckEvent {
        check,
        subject,
        skill,
        attribute,
        ..
    } = other.chosen.event(actor);
    let mut opposed = Opposed {
        subject,
        check,
        skill,
        attribute,
        modifiers: other.modifiers.clone(),
        variables: other.looked_up.used.clone(),
        said: other.words.clone(),
        result: verdict.result,
        target: other.attempt.target,
        margin: verdict.facts.margin,
        outcome: verdict.judgement.as_ref().map(|judged| judged.outcome),
        label: verdict
            .judgement
            .as_ref()
            .map(|judged| judged.label.clone()),
        results: verdict.values.iter().cloned().collect(),
        hidden: actor.is_some_and(|who| secrets::is_hidden_from_players(table.state, who)),
        ..Opposed::default()
    };
    set_winner(&mut opposed, &rule.opposition, &mine_before, &theirs_before);
    if contest {
        agree(rule, &mut mine.verdict, &opposed);
    }
    Ok((tried, opposed))
}

/// Compares a follow-up of the actor, which has this target, with the opponent's first roll.
pub fn compare_again(
    system: &System,
    mut opposed: Opposed,
    (rule, verdict): (&Check, &mut Verdict),
    target: Option<i64>,
) -> Opposed {
    // Where the rules have the opponent's check no longer, its result alone counts.
    let known = system.check(&opposed.check).ok();
    let against = known.unwrap_or(rule);
    let contest = known.is_some() && is_contest((rule, target), (against, opposed.target));
    // Of the opponent's dice the total counts, and of counted successes the entry says how many.
    let facts = Facts {
        total: opposed.result,
        margin: opposed.margin.filter(|_| !contest),
        ..Facts::default()
    };
    let judged = opposed
        .outcome
        .zip(opposed.label.clone())
        .filter(|_| !contest);
    let judgement = judged.map(|(outcome, label)| Judgement {
        label,
        ..against.plain(outcome)
    });
    let values = opposed.results.clone().into_iter().collect();
    let mut other = Verdict {
        facts,
        result: opposed.result,
        judgement,
        values,
        flags: Vec::new(),
    };
    let decided = &rule.opposition;
    let mine = ContestResult::of(decided, rule, verdict);
    let mut theirs = ContestResult::of(decided, against, &other);
    if known.is_none() {
        (theirs.row, theirs.worth) = (None, opposed.result);
    }
    set_winner(&mut opposed, decided, &mine, &theirs);
    if contest {
        judge_contest((rule, verdict), (against, &mut other));
        opposed.margin = other.facts.margin;
        (opposed.outcome, opposed.label) = other
            .judgement
            .map(|judged| (judged.outcome, judged.label))
            .unzip();
        agree(rule, verdict, &opposed);
    }
    opposed
}

/// How the author's rule decides between two, with its place; none where the usual one does.
pub fn render_rule(rule: &Check) -> Option<String> {
    let bullet = rule.bullet("Opposed")?;
    Some(format!(
        "opposed: {}, {}",
        rule.opposition_words(),
        bullet.place
    ))
}

/// Where the rules decide by something else than the margin, the outcome is still who wins.
fn agree(rule: &Check, verdict: &mut Verdict, opposed: &Opposed) {
    if verdict
        .judgement
        .as_ref()
        .is_some_and(|judged| !says_who_wins(judged.outcome, opposed.won))
    {
        verdict.judgement = Some(rule.plain(if opposed.won {
            Outcome::Success
        } else {
            Outcome::Failure
        }));
    }
}

/// Whether an outcome can be that of who wins, or of who does not: a partial success may be either.
pub fn says_who_wins(outcome: Outcome, won: bool) -> bool {
    if won {
        outcome.is_success()
    } else {
        outcome < Outcome::Success
    }
}

fn set_winner(
    opposed: &mut Opposed,
    decided: &Opposition,
    mine: &ContestResult,
    theirs: &ContestResult,
) {
    opposed.both_failed = mine.has_failed() && theirs.has_failed();
    (opposed.won, opposed.tie, opposed.tie_goes) = mine.ended(theirs, decided);
}

/// The part of a roll that counts in an opposed check.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContestResult {
    pub outcome: Option<Outcome>,
    /// The check and the rows above its row: of two with the same outcome the upper is the better.
    pub row: Option<(String, usize)>,
    pub margin: Option<i64>,
    /// The result, negated where low is good, so that more is always better.
    pub worth: i64,
    /// What it has of each thing that decides; `None` of outcome and margin, which are above.
    pub compared: Vec<Option<i64>>,
}

impl ContestResult {
    pub fn of(decided: &Opposition, rule: &Check, verdict: &Verdict) -> ContestResult {
        let judged = verdict.judgement.as_ref();
        let compared = |by: &Comparison| match &by.what {
            Compared::Outcome | Compared::Margin => None,
            Compared::Total => Some(verdict.facts.total),
            Compared::Successes => Some(verdict.facts.successes.unwrap_or(verdict.result)),
            Compared::Value(name) => verdict
                .values
                .iter()
                .find(|(by, _)| same(by, name))
                .map(|(_, value)| *value),
        };
        let is_it = |row: &Row| {
            judged.is_some_and(|one| row.canonical == one.outcome && row.label == one.label)
        };
        ContestResult {
            outcome: judged.map(|judged| judged.outcome),
            row: rule
                .rows
                .iter()
                .position(is_it)
                .map(|above| (rule.name.clone(), above)),
            margin: verdict.facts.margin,
            worth: if rule.succeed == Succeed::AtMost {
                verdict.result.saturating_neg()
            } else {
                verdict.result
            },
            compared: decided.by.iter().map(compared).collect(),
        }
    }

    fn has_failed(&self) -> bool {
        self.outcome.map_or_else(
            || self.margin.is_some_and(|margin| margin < 0),
            |outcome| !outcome.is_success(),
        )
    }

    /// Whether it wins, whether it is a tie, and to whom that goes; `None`: to nobody.
    pub fn ended(
        &self,
        theirs: &ContestResult,
        decided: &Opposition,
    ) -> (bool, bool, Option<TieGoes>) {
        let order = self.compare(theirs, decided);
        let tie_goes = match decided.ties {
            // Two who fail are alike only in that neither wins.
            _ if order.is_ne() || self.fail_both(theirs, decided) => None,
            Ties::Actor => Some(TieGoes::Actor),
            Ties::Other => Some(TieGoes::Other),
            Ties::Again => Some(TieGoes::Again),
            Ties::Nobody => None,
        };
        (
            order.is_gt() || tie_goes == Some(TieGoes::Actor),
            order.is_eq(),
            tie_goes,
        )
    }

    fn fail_both(&self, theirs: &ContestResult, decided: &Opposition) -> bool {
        self.has_failed() && theirs.has_failed() && !decided.failures
    }

    /// By the first of what decides that differs; two who fail are alike, unless compared.
    fn compare(&self, theirs: &ContestResult, decided: &Opposition) -> Ordering {
        if self.fail_both(theirs, decided) {
            return Ordering::Equal;
        }
        let each = decided
            .by
            .iter()
            .zip(self.compared.iter().zip(&theirs.compared));
        each.fold(Ordering::Equal, |order, (by, (mine, other))| {
            let succeeds = (!self.has_failed()).cmp(&!theirs.has_failed());
            let order = order.then(if by.succeeds {
                succeeds
            } else {
                Ordering::Equal
            });
            order.then_with(|| match by.what {
                Compared::Outcome => {
                    let five = self
                        .outcome
                        .zip(theirs.outcome)
                        .map(|(mine, other)| by.order(mine, other));
                    // Rows of two tables are alike.
                    let both = self
                        .row
                        .as_ref()
                        .zip(theirs.row.as_ref())
                        .filter(|(mine, other)| mine.0 == other.0);
                    let rows = both.map_or(Ordering::Equal, |(mine, other)| other.1.cmp(&mine.1));
                    five.unwrap_or(Ordering::Equal)
                        .then(by.order(rows, Ordering::Equal))
                }
                Compared::Margin => match self.margin.zip(theirs.margin) {
                    Some((mine, other)) => by.order(mine, other),
                    None => by.order(self.worth, theirs.worth),
                },
                Compared::Total | Compared::Successes | Compared::Value(_) => by.order(mine, other),
            })
        })
    }
}
