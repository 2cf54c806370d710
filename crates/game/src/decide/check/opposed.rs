//! Opposed checks.

use std::cmp::Ordering;

use super::call::{CheckCall, Opponent};
use super::trial::{PreparedCheck, RolledCheck};
use crate::decide::check::call::StatedCheck;
use crate::mechanics::lookup;
use crate::record::event::{Opposed, TieGoes};
use crate::record::purpose::OPPOSED;
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use crate::view::secrets;
use rollbook_rules::{Check, Compared, Comparison, Facts, Opposition, Outcome, Succeed, System, Ties, Verdict};
use rollbook_text::names::same;

/// The opposing side, ready to roll: the same check unless another is named, against the same difficulty.
pub fn prepare<'c, 's: 'c>(
    table: &Table<'s>,
    (call, stated): (&CheckCall, Option<&'c StatedCheck>),
    rule: &Check,
    opponent: &Opponent,
) -> Result<PreparedCheck<'c>, Refusal> {
    let stated = stated.filter(|_| opponent.check.is_none());
    let theirs = CheckCall {
        skill: opponent.skill.clone(),
        attribute: opponent.attribute.clone(),
        check: opponent.check.clone().or_else(|| Some(rule.name.clone())),
        modifier: opponent.modifier,
        values: opponent.values.clone(),
        difficulty: call.difficulty,
        opposed: true,
        opposing: true,
        planned: call.planned,
        ..CheckCall::default()
    };
    let who = lookup::participant(table.state, table.system(), "opposed_by.character", &opponent.character)?.clone();
    let other = PreparedCheck::prepare(table, (&theirs, stated), Some(who), None)?;
    check_values(rule, other.chosen.rule, &opponent.character)?;
    Ok(other)
}

/// Refuses an opponent's check without a value that decides.
fn check_values(rule: &Check, theirs: &Check, who: &str) -> Result<(), Refusal> {
    let has = |name: &&str| theirs.values.iter().any(|own| own.is(name));
    let Some(name) = rule.opposition.values().find(|name| !has(name)) else { return Ok(()) };
    let summary = format!(
        "{} is decided by {}, and the check of {who}, {}, has no value {name}. Leave opposed_by.check out, or send one that has it.",
        rule.name,
        rule.decided_by(),
        theirs.name
    );
    Err(Refusal::new(Code::MissingValue, summary))
}

/// Refuses a character that would oppose itself.
pub fn check_two_people(actor: Option<&Character>, other: &PreparedCheck<'_>) -> Result<(), Refusal> {
    let same = actor.zip(other.actor.as_ref()).is_some_and(|(actor, other)| actor.id == other.id);
    if !same {
        return Ok(());
    }
    let summary = "Nobody opposes themself. Send opposed_by={\"character\": …} with somebody else's name.";
    Err(Refusal::new(Code::InvalidParameters, summary))
}

/// Refuses a target beside an opponent who is somebody else: whom it is tried against would be unclear.
pub fn check_one_other(table: &Table, call: &CheckCall, target: Option<&Character>) -> Result<(), Refusal> {
    let (Some(opponent), Some(target)) = (&call.opposed_by, target) else { return Ok(()) };
    let other = lookup::participant(table.state, table.system(), "opposed_by.character", &opponent.character)?;
    if other.id == target.id {
        return Ok(());
    }
    let summary = format!(
        "{0} rolls against it by opposed_by, and target names {1}. Send opposed_by={{\"character\": \"{1}\"}} with target=\"{1}\", or leave \
         target out where {0} is meant.",
        other.name, target.name
    );
    Err(Refusal::new(Code::InvalidParameters, summary))
}

/// Whether each side's result is what the other has to reach: neither has a target, nor a table that needs none.
pub fn is_contest(mine: (&Check, Option<i64>), theirs: (&Check, Option<i64>)) -> bool {
    let is_open = |(rule, target): (&Check, Option<i64>)| {
        target.is_none() && (rule.target.is_some() || rule.rows.is_empty()) && rule.opposing.is_none()
    };
    let alike = mine.0.succeed == theirs.0.succeed && mine.0.count.is_some() == theirs.0.count.is_some();
    is_open(mine) && is_open(theirs) && alike
}

/// Refuses a contest without a target that is decided by what there is only with one.
pub fn check_open(mine: (&Check, Option<i64>), theirs: (&Check, Option<i64>)) -> Result<(), Refusal> {
    let rule = mine.0;
    let asks = |rule: &Check, name: &str| rule.values.iter().any(|own| own.is(name) && own.asks_target());
    let decides = rule.opposition.values().find(|name| asks(rule, name) || asks(theirs.0, name));
    let Some(name) = decides.filter(|_| is_contest(mine, theirs)) else { return Ok(()) };
    let summary = format!(
        "{} is decided by {}, and {name} is worked out from the number to reach. Send difficulty, which both try to reach.",
        rule.name,
        rule.decided_by()
    );
    Err(Refusal::new(Code::MissingValue, summary))
}

/// Judges both sides of a contest by the margin between them.
fn judge_contest((mine, own): (&Check, &mut Verdict), (theirs, other): (&Check, &mut Verdict)) {
    let (margin, judged) = mine.judge_contest(&own.facts, (own.result, other.result), false);
    let (against, judged_against) = theirs.judge_contest(&other.facts, (other.result, own.result), true);
    (own.facts.margin, own.judged) = (Some(margin), Some(judged));
    (other.facts.margin, other.judged) = (Some(against), Some(judged_against));
    own.values = mine.values_of(&Facts { target: Some(other.result), ..own.facts.clone() });
    other.values = theirs.values_of(&Facts { target: Some(own.result), ..other.facts.clone() });
}

/// Rolls the opposing side and compares; without a target both sides are judged only then.
pub fn roll(
    table: &mut Table,
    trial: &PreparedCheck<'_>,
    other: &PreparedCheck<'_>,
    mine: &mut RolledCheck,
) -> Result<(RolledCheck, Opposed), Refusal> {
    let mut tried = other.roll(table, OPPOSED, None)?;
    let (rule, against) = (trial.chosen.rule, other.chosen.rule);
    let decided = &rule.opposition;
    let results =
        (ContestResult::of(decided, rule, &mine.verdict), ContestResult::of(decided, against, &tried.verdict));
    let contest = is_contest((rule, trial.attempt.target), (against, other.attempt.target));
    if contest {
        judge_contest((rule, &mut mine.verdict), (against, &mut tried.verdict));
    }
    let verdict = &tried.verdict;
    let mut opposed = Opposed {
        subject: other.actor.as_ref().map(Character::subject),
        check: other.chosen.rule.name.clone(),
        skill: other.chosen.skill.as_ref().map(|skill| skill.name.clone()),
        attribute: other.chosen.attribute.map(|attribute| attribute.name.clone()),
        modifiers: other.modifiers.clone(),
        variables: other.variables.clone(),
        said: other.words.clone(),
        result: verdict.result,
        target: other.attempt.target,
        margin: verdict.facts.margin,
        outcome: verdict.judged.as_ref().map(|judged| judged.outcome),
        label: verdict.judged.as_ref().map(|judged| judged.label.clone()),
        results: verdict.values.iter().cloned().collect(),
        won: false,
        tie: false,
        tie_goes: None,
        both_failed: false,
        hidden: other.actor.as_ref().is_some_and(|own| secrets::is_hidden_from_players(table.state, own)),
    };
    set_winner(&mut opposed, decided, &results.0, &results.1);
    if contest {
        agree(rule, &mut mine.verdict, &opposed);
    }
    Ok((tried, opposed))
}

/// Compares a follow-up of the actor, which has this target, with the opponent's first roll.
pub fn compare_again(
    system: &System,
    opposed: Opposed,
    (rule, verdict): (&Check, &mut Verdict),
    target: Option<i64>,
) -> Opposed {
    let against = system.check(&opposed.check).ok();
    let contest = against.filter(|own| is_contest((rule, target), (own, opposed.target)));
    let judged = opposed.outcome.zip(opposed.label.as_deref()).filter(|_| contest.is_none());
    let theirs = ContestResult {
        outcome: opposed.outcome.filter(|_| contest.is_none()),
        row: judged.zip(against).and_then(|((outcome, label), against)| RowPlace::of(against, outcome, label)),
        margin: opposed.margin.filter(|_| contest.is_none()),
        worth: ContestResult::worth(against.map_or(Succeed::AtLeast, |rule| rule.succeed), opposed.result),
        compared: rule.opposition.by.iter().map(|own| compared_before(&own.what, &opposed)).collect(),
    };
    let mut opposed = opposed;
    set_winner(&mut opposed, &rule.opposition, &ContestResult::of(&rule.opposition, rule, verdict), &theirs);
    if let Some(against) = contest {
        // Of the opponent's dice the total counts.
        let facts = Facts { total: opposed.result, ..Facts::default() };
        let values = opposed.results.clone().into_iter().collect();
        let mut other = Verdict { facts, result: opposed.result, judged: None, values, flags: Vec::new() };
        judge_contest((rule, verdict), (against, &mut other));
        opposed.margin = other.facts.margin;
        opposed.outcome = other.judged.as_ref().map(|judged| judged.outcome);
        opposed.label = other.judged.map(|judged| judged.label);
        agree(rule, verdict, &opposed);
    }
    opposed
}

/// How the author's rule decides between two, with its place; none where the usual one does.
pub fn render_rule(rule: &Check) -> Option<String> {
    let own = rule.bullet("Opposed")?;
    Some(format!("opposed: {}, {}", rule.decided_by(), own.place))
}

/// Where the rules decide by something else than the margin between two results, the outcome is still who wins.
fn agree(rule: &Check, verdict: &mut Verdict, opposed: &Opposed) {
    if verdict.judged.as_ref().is_some_and(|judged| !says_who_wins(judged.outcome, opposed.won)) {
        verdict.judged = Some(rule.plain(if opposed.won { Outcome::Success } else { Outcome::Failure }));
    }
}

/// Whether an outcome can be that of who wins, or of who does not: a partial success may be either.
pub fn says_who_wins(outcome: Outcome, won: bool) -> bool {
    if won { outcome.is_success() } else { outcome < Outcome::Success }
}

/// What the opponent's first roll had of something that is compared; of counted successes alone the entry says how many.
fn compared_before(what: &Compared, opposed: &Opposed) -> Option<i64> {
    match what {
        Compared::Outcome | Compared::Margin => None,
        Compared::Total | Compared::Successes => Some(opposed.result),
        Compared::Value(name) => opposed.results.get(name).copied(),
    }
}

/// Sets who won.
fn set_winner(opposed: &mut Opposed, decided: &Opposition, mine: &ContestResult, theirs: &ContestResult) {
    let ended = mine.ended(theirs, decided);
    opposed.tie = ended.tie;
    opposed.both_failed = mine.has_failed() && theirs.has_failed();
    opposed.tie_goes = ended.tie_goes;
    opposed.won = ended.won;
}

/// How two who roll against each other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    pub won: bool,
    pub tie: bool,
    /// To whom a tie goes; `None`: to nobody.
    pub tie_goes: Option<TieGoes>,
}

/// A row of an outcome table: of two rows with the same of the five outcomes the upper one is the better.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowPlace {
    /// The check whose table it is.
    pub check: String,
    /// Rows above the first that has this label and outcome.
    pub above: usize,
}

impl RowPlace {
    /// That of these words; `None` where no row says them.
    fn of(rule: &Check, outcome: Outcome, label: &str) -> Option<RowPlace> {
        let above = rule.rows.iter().position(|row| row.canonical == outcome && row.label == label)?;
        Some(RowPlace { check: rule.name.clone(), above })
    }

    /// Which is the better; rows of two tables are alike.
    fn compare(&self, theirs: &RowPlace) -> Ordering {
        if self.check == theirs.check { theirs.above.cmp(&self.above) } else { Ordering::Equal }
    }
}

/// The part of a roll that counts in an opposed check.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContestResult {
    pub outcome: Option<Outcome>,
    /// Where the row of the outcome stands, where rows decide.
    pub row: Option<RowPlace>,
    pub margin: Option<i64>,
    /// The result, negated where low is good, so that more is always better.
    pub worth: i64,
    /// What it has of each thing that decides; `None` of outcome and margin, which stand above.
    pub compared: Vec<Option<i64>>,
}

impl ContestResult {
    /// From a verdict.
    pub fn of(decided: &Opposition, rule: &Check, verdict: &Verdict) -> ContestResult {
        let judged = verdict.judged.as_ref();
        let outcome = judged.map(|judged| judged.outcome);
        let compared = |own: &Comparison| match &own.what {
            Compared::Outcome | Compared::Margin => None,
            Compared::Total => Some(verdict.facts.total),
            Compared::Successes => Some(verdict.facts.successes.unwrap_or(verdict.result)),
            Compared::Value(name) => verdict.values.iter().find(|(own, _)| same(own, name)).map(|(_, value)| *value),
        };
        ContestResult {
            outcome,
            row: judged.and_then(|judged| RowPlace::of(rule, judged.outcome, &judged.label)),
            margin: verdict.facts.margin,
            worth: Self::worth(rule.succeed, verdict.result),
            compared: decided.by.iter().map(compared).collect(),
        }
    }

    fn worth(succeed: Succeed, result: i64) -> i64 {
        match succeed {
            Succeed::AtLeast => result,
            Succeed::AtMost => result.saturating_neg(),
        }
    }

    /// Whether it failed its own check; without a target it cannot fail.
    fn has_failed(&self) -> bool {
        match self.outcome {
            Some(outcome) => !outcome.is_success(),
            None => self.margin.is_some_and(|margin| margin < 0),
        }
    }

    /// Who wins, by what decides.
    pub fn ended(&self, theirs: &ContestResult, decided: &Opposition) -> Ended {
        let order = self.compare(theirs, decided);
        let goes = match decided.ties {
            Ties::Actor => Some(TieGoes::Actor),
            Ties::Other => Some(TieGoes::Other),
            Ties::Again => Some(TieGoes::Again),
            Ties::Nobody => None,
        };
        // Two who fail are alike only in that neither wins.
        let tie_goes = goes.filter(|_| order.is_eq() && !self.fail_both(theirs, decided));
        Ended { won: order.is_gt() || tie_goes == Some(TieGoes::Actor), tie: order.is_eq(), tie_goes }
    }

    /// Whether both fail, and neither wins for that.
    fn fail_both(&self, theirs: &ContestResult, decided: &Opposition) -> bool {
        self.has_failed() && theirs.has_failed() && !decided.failures
    }

    fn compare_five(&self, theirs: &ContestResult, by: &Comparison) -> Ordering {
        let both = self.outcome.zip(theirs.outcome);
        both.map_or(Ordering::Equal, |(mine, other)| by.order(mine, other))
    }

    /// By what decides, the first that differs. Of two who fail neither is the better, where that is not said otherwise.
    fn compare(&self, theirs: &ContestResult, decided: &Opposition) -> Ordering {
        if self.fail_both(theirs, decided) {
            return Ordering::Equal;
        }
        let each = decided.by.iter().zip(self.compared.iter().zip(&theirs.compared));
        each.fold(Ordering::Equal, |order, (by, (mine, other))| {
            order.then_with(|| {
                let succeeds = (!self.has_failed()).cmp(&!theirs.has_failed());
                succeeds_first(by, succeeds).then_with(|| match by.what {
                    Compared::Outcome => {
                        let rows =
                            || self.row.as_ref().zip(theirs.row.as_ref()).map(|(mine, other)| mine.compare(other));
                        self.compare_five(theirs, by)
                            .then_with(|| by.order(rows().unwrap_or(Ordering::Equal), Ordering::Equal))
                    }
                    Compared::Margin => match self.margin.zip(theirs.margin) {
                        Some((mine, other)) => by.order(mine, other),
                        None => by.order(self.worth, theirs.worth),
                    },
                    Compared::Total | Compared::Successes | Compared::Value(_) => by.order(mine, other),
                })
            })
        })
    }
}

fn succeeds_first(by: &Comparison, succeeds: Ordering) -> Ordering {
    if by.succeeds { succeeds } else { Ordering::Equal }
}
