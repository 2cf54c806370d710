//! A check by the adventure's rules: skill, attribute, modifier, expression, roll, outcome row; in
//! that order, and every number with its source.
//!
//! Everything that can be refused is refused in [`trial`] before dice are rolled. [`opposed`] rolls
//! for two sides, [`again`] follows an earlier roll. The rules judge the roll
//! ([`Check::verdict`](rollbook_rules::Check::verdict)).

mod again;
mod call;
mod chosen;
mod consequences;
mod modifiers;
mod names;
mod opposed;
mod trial;

pub use again::{is_check_of, no_last_check, offers, whose_last};
pub use call::{AttackBonus, CheckCall, Follow, StatedCheck};
pub use chosen::{difficulty, is_open};
pub(crate) use opposed::{ContestResult, check_open, is_contest, render_rule, says_who_wins};
pub(crate) use trial::{Trial, roll_each};

use std::collections::BTreeMap;

use crate::decide::clock::{self, Rewind};
use crate::decide::roll::{Entered, default_visibility};
use crate::mechanics::{clocks, health::Vitality, lookup, values::Values};
use crate::record::event::{AttackOn, CheckEvent, Event, Formulas, Opposed, Subject};
use crate::record::{entry::Visibility, purpose, state::Character};
use crate::table::{Draft, Table};
use crate::{decide::advancement, refusal::Result, view::secrets};
use chosen::Chosen;
use consequences::{
    Move, apply_moves, apply_shared_moves, end_overcome, end_spent, row_moves, unpaid,
};
use modifiers::sum;
use rollbook_dice::{Bound, Expression, Formula, Roll, parse, parse_formula};
use rollbook_rules::{Attempt, Check, FollowUp, Judgement, Outcome, Verdict, without_column};
use rollbook_text::names::same;
use trial::{Rolled, check_difficulty};

/// Resolves and logs a check, with the tick that its skill earns; returns the check's entry. The
/// sender sees to it that no `entered` dice are left.
pub fn decide(table: &mut Table, call: CheckCall, entered: Option<&mut Entered>) -> Result<u64> {
    call.check_limits()?;
    let resolve = if call.again.is_some() {
        again::decide
    } else {
        resolve
    };
    let seq = resolve(table, &call, entered)?;
    let ticks = table.system().advancement.ticks.as_ref();
    if let Some((event, visibility)) = ticks.and_then(|_| logged(table, seq)) {
        advancement::tick(table, event, visibility)?;
    }
    Ok(seq)
}

fn resolve(table: &mut Table, call: &CheckCall, entered: Option<&mut Entered>) -> Result<u64> {
    let stated = call.stated.as_deref();
    let PlannedCheck {
        trial,
        other,
        against,
        attack,
        ..
    } = PlannedCheck::prepare(table, call, stated)?;
    let (rule, actor) = (trial.chosen.rule, trial.actor.as_ref());
    let sides = || std::iter::once(&trial).chain(&other);
    let rolling = || sides().flat_map(|side| &side.actor);
    rolling().try_for_each(|who| lookup::check_participant(table.state, who))?;
    let visibility = call
        .visibility
        .unwrap_or_else(|| default_visibility(table.state, table.system(), actor));
    let visibility = without_sum(
        table,
        visibility,
        sides().any(|side| side.looked_up.counts_hidden),
    );
    secrets::check_character(table.state, visibility, "character", actor)?;
    sides().try_for_each(|side| check_secrets(table, call, visibility, &side.words))?;
    // Dead characters may roll; the reply adds a note.
    let vitality = |who: &Character| Vitality::of(table.state, who.id);
    let dead = rolling().filter(|who| vitality(who).is_dead());
    let mut notes: Vec<String> = dead
        .map(|who| format!("{} is dead, and rolls all the same", who.name))
        .collect();
    let is_down =
        |who: &&Character| vitality(who).is_down(table.system()) && !vitality(who).is_dead();
    // Some checks are made only by those who are down.
    let down = rolling().filter(|who| rule.only_while.is_none() && is_down(who));
    let does = if call.struck { "strikes" } else { "rolls" };
    notes.extend(down.map(|who| format!("{} is down, and {does} all the same", who.name)));
    notes.extend(sides().flat_map(|side| &side.notes).cloned());
    table.note(notes);
    let mut tried = trial.roll(table, purpose::ROLL, entered)?;
    let against_it = other
        .as_ref()
        .map(|other| opposed::roll(table, &trial, other, &mut tried))
        .transpose()?;
    let mut event = CheckEvent {
        attack,
        against,
        ..event(&trial, &tried, call)
    };
    let mut theirs = None;
    if let Some((rolled, opposed)) = against_it {
        if trial.is_untargeted() && event.margin.is_none() {
            event = decided_by(&opposed, event);
        }
        event.adjustments.extend(render_rule(rule));
        event.opposed = Some(opposed);
        tried.records.extend(rolled.records);
        theirs = other
            .as_ref()
            .and_then(|other| Some((other.actor.as_ref()?.id, other, rolled.verdict)));
    }
    let rule = Some(deciding_place(rule, &tried.verdict));
    let draft = Draft {
        visibility,
        rolls: tried.records,
        rule,
        ..draft(trial.by(), event)
    };
    let seq = log(table, draft, &[], &trial.price);
    if let Some((who, other, verdict)) = theirs {
        // What a check shows of the actor is no reason to show an opponent whom players do not see.
        let row = table.state.characters.get(&who);
        let unseen = row.is_some_and(|row| secrets::is_hidden_from_players(table.state, row));
        let visibility = if unseen { Visibility::Gm } else { visibility };
        apply_moves(table, who, &other.price, visibility);
        let rank = verdict.judgement.and_then(|judged| judged.rank);
        let results = verdict.values.into_iter().collect();
        apply_moves(
            table,
            who,
            &row_moves(other.chosen.rule, rank, &results),
            visibility,
        );
    }
    Ok(seq)
}

/// What players see where a hidden effect may count: no dice and no sum, which would show it.
fn without_sum(table: &mut Table, visibility: Visibility, counts_hidden: bool) -> Visibility {
    if !counts_hidden || visibility != Visibility::Public {
        return visibility;
    }
    table.note([
        "a hidden effect counts, so players learn the outcome alone, without dice and sum"
            .to_owned(),
    ]);
    Visibility::OutcomeOnly
}

/// The rule that a call names and who acts; no rule for a follow-up, which has the earlier roll's.
pub fn rule_and_actor<'t, 'c, 's: 'c>(
    table: &'t Table<'s>,
    call: &'c CheckCall,
) -> Result<(Option<&'c Check>, Option<&'t Character>)> {
    let actor = actor(table, call)?;
    let chosen = || Chosen::from_call(table.system(), call, call.stated.as_deref(), actor);
    let rule = if call.again.is_some() {
        None
    } else {
        Some(chosen()?.rule)
    };
    Ok((rule, actor))
}

fn actor<'t>(table: &'t Table, call: &CheckCall) -> Result<Option<&'t Character>> {
    let system = table.system();
    match &call.character {
        Some(name) => lookup::participant(table.state, system, "character", name).map(Some),
        None if system.attributes.is_empty()
            && system.skills.is_empty()
            && table.state.characters.is_empty() =>
        {
            Ok(None)
        }
        None => lookup::sole_player(table.state, system).map(Some),
    }
}

/// What a check comes to, as far as anything follows from it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CheckEnd {
    /// `None` where the rules leave it to the GM.
    pub outcome: Option<Outcome>,
    pub rank: Option<u32>,
    pub label: Option<String>,
    /// The values of the check that something may follow from.
    pub values: Vec<(String, i64)>,
    /// Whether the actor wins, in an opposed check.
    pub won: Option<bool>,
}

/// Both sides of a check, ready to roll; nothing is refused after this.
pub(crate) struct PlannedCheck<'s> {
    /// The side of the actor.
    pub trial: Trial<'s>,
    pub other: Option<Trial<'s>>,
    against: Option<Subject>,
    attack: Option<AttackOn>,
    stated: Option<&'s StatedCheck>,
}

impl<'s> PlannedCheck<'s> {
    /// Prepares a call that follows no earlier roll, with what it `stated`. Refused: as the check.
    pub fn of<'t: 's>(
        table: &Table<'t>,
        call: &CheckCall,
        stated: Option<&'s StatedCheck>,
    ) -> Result<Self> {
        call.check_limits()?;
        Self::prepare(
            table,
            &CheckCall {
                planned: true,
                ..call.clone()
            },
            stated,
        )
    }

    fn prepare<'t: 's, 'c>(
        table: &Table<'t>,
        call: &'c CheckCall,
        stated: Option<&'s StatedCheck>,
    ) -> Result<Self> {
        let (state, system) = (&*table.state, table.system());
        let actor = actor(table, call)?.cloned();
        let find = |parameter: &str, name| lookup::participant(state, system, parameter, name);
        let target = call
            .target
            .as_deref()
            .map(|name| find("target", name))
            .transpose()?;
        let named = |by: &'c CheckCall| {
            find(
                "opposed_by.character",
                by.character.as_deref().unwrap_or_default(),
            )
        };
        let other = call
            .opposed_by
            .as_deref()
            .map(|by| Ok((by, named(by)?)))
            .transpose()?;
        other.map_or(Ok(()), |(_, other)| {
            opposed::check_other(other, actor.as_ref(), target)
        })?;
        let mut trial = Trial::prepare(table, (call, stated), actor, target)?;
        let unseen = target.is_some_and(|target| {
            secrets::is_hidden_from_players(state, target) || !state.is_met(target.id, target.kind)
        });
        trial.looked_up.secret |= unseen;
        let struck = target.filter(|_| call.struck);
        let attack = struck.map(|_| {
            if unseen {
                AttackOn::Unseen
            } else {
                AttackOn::Seen
            }
        });
        let rule = trial.chosen.rule;
        let other = other
            .map(|other| opposed::prepare(table, (call, stated), rule, other))
            .transpose()?;
        other
            .iter()
            .try_for_each(|other| check_open(trial.aim(), other.aim()))?;
        check_difficulty(call, &trial, other.as_ref())?;
        Ok(PlannedCheck {
            trial,
            other,
            against: target.map(Character::subject),
            attack,
            stated,
        })
    }

    /// What would be refused of it, because a character cannot pay for it.
    pub fn unpaid(&self, table: &Table) -> Vec<String> {
        // What an opponent has whom players do not know is no news for them.
        let known = |side: &&Trial<'s>| side.actor.as_ref().is_some_and(|who| who.kind.is_open());
        let sides = std::iter::once(&self.trial).chain(self.other.as_ref().filter(known));
        let unpaid = sides
            .filter_map(|side| unpaid(table, side.chosen.rule, &side.price, side.actor.as_ref()?));
        unpaid
            .map(|(_, why)| format!("{why}, so the check is refused at the table."))
            .collect()
    }

    /// Why the roll cannot be followed by this rule, once the check is paid for.
    pub fn unpaid_again(&self, table: &Table, rule: &FollowUp) -> Option<String> {
        let (who, paid) = (self.trial.actor.as_ref()?, self.trial.price.as_slice());
        let values = Values::of(table.state, table.system(), who);
        let why = again::unpaid(&values, rule, paid, &again::Given::new())?;
        Some(format!("{why}, so no roll is followed."))
    }

    /// Logs an end of it with what follows, as of a check that was rolled; returns the entry.
    pub fn log(&self, table: &mut Table, end: &CheckEnd) -> u64 {
        let PlannedCheck {
            trial,
            against,
            attack,
            other,
            stated,
        } = self;
        let other = other
            .as_ref()
            .and_then(|other| other.actor.as_ref())
            .map(Character::subject);
        let event = CheckEvent {
            against: against.clone(),
            attack: *attack,
            outcome: end.outcome,
            rank: end.rank,
            label: end.label.clone(),
            results: end.values.iter().cloned().collect(),
            stated: stated.map(|stated| stated.event.clone()),
            opposed: end.won.map(|won| Opposed {
                subject: other,
                won,
                ..Opposed::default()
            }),
            ..trial.chosen.event(trial.actor.as_ref())
        };
        log(table, draft(trial.by(), event), &[], &trial.price)
    }
}

/// The check at `seq`, which this call logged, and who sees it.
pub fn logged(table: &Table, seq: u64) -> Option<(CheckEvent, Visibility)> {
    let entry = &table.written_at(seq)?.entry;
    let Event::Check(event) = &entry.event else {
        return None;
    };
    Some((CheckEvent::clone(event), entry.visibility))
}

/// Refuses what the check is refused for; a follow-up's refusals depend on the earlier roll.
pub fn check_call(table: &Table, call: &CheckCall) -> Result<()> {
    if call.again.is_some() {
        Ok(())
    } else {
        PlannedCheck::of(table, call, call.stated.as_deref()).map(drop)
    }
}

/// Refuses texts that name a hidden character: `words` and the context, if public, and what the
/// call states wherever players read the outcome.
fn check_secrets(
    table: &Table,
    call: &CheckCall,
    seen: Visibility,
    words: &BTreeMap<String, String>,
) -> Result<()> {
    let mut texts = Vec::new();
    if seen == Visibility::Public {
        texts.extend(call.context.iter().map(|context| ("context", context)));
        texts.extend(
            words
                .iter()
                .flat_map(|(name, value)| [("values", name), ("values", value)]),
        );
    }
    if let Some(stated) = &call.stated {
        texts.extend([("check", &stated.rule.name), ("roll", &stated.event.roll)]);
        texts.extend(
            stated
                .event
                .rows
                .iter()
                .flat_map(|(when, outcome)| [("rows", when), ("rows", outcome)]),
        );
    }
    texts
        .into_iter()
        .try_for_each(|(parameter, text)| table.check_text(seen, parameter, Some(text)))
}

fn draft(by: &str, event: CheckEvent) -> Draft {
    Draft::new(by, Event::Check(Box::new(event)), Vec::new())
}

/// Logs a check and its consequences; returns the check's entry. `back` are the clocks that an
/// earlier roll moved, which this one follows: each goes back in an entry, since players may not
/// see it. `price` is what following that roll costs.
fn log(table: &mut Table, draft: Draft, back: &[Rewind], price: &[Move]) -> u64 {
    let visibility = draft.visibility;
    let Event::Check(mut event) = draft.event else {
        return table.log(draft);
    };
    // What the row says of clocks that players do not see is left out.
    let row = event
        .rule(table.system())
        .and_then(|rule| rule.row(event.rank));
    for effect in row
        .into_iter()
        .flat_map(|row| &row.moves)
        .filter(|effect| effect.shared)
    {
        let clock = effect
            .track()
            .and_then(|track| clocks::open_one(table.state, table.system(), track));
        if clock.is_some_and(|clock| clock.hidden) {
            event.row_text = without_column(event.row_text.take(), &effect.text);
        }
    }
    let seq = table.log(Draft {
        event: Event::Check(event.clone()),
        ..draft
    });
    back.iter()
        .for_each(|back| clock::rewind(table, back, visibility));
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

fn event(trial: &Trial<'_>, tried: &Rolled, call: &CheckCall) -> CheckEvent {
    let (rule, verdict, records) = (trial.chosen.rule, &tried.verdict, &tried.records);
    let mut adjustments = trial.adjustments.clone();
    adjustments.extend(verdict.judgement.iter().flat_map(render_shifts));
    let tried = CheckEvent {
        modifiers: trial.modifiers.clone(),
        variables: trial.looked_up.used.clone(),
        said: trial.words.clone(),
        difficulty: call
            .difficulty
            .or_else(|| call.numbers().remove("difficulty")),
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

/// Without a target and without a margin between the two, the outcome is whether the actor wins.
fn decided_by(opposed: &Opposed, event: CheckEvent) -> CheckEvent {
    let outcome = if opposed.won {
        Outcome::Success
    } else {
        Outcome::Failure
    };
    CheckEvent {
        outcome: Some(outcome),
        label: Some(outcome.to_string()),
        ..event
    }
}

fn with_verdict(rule: &Check, verdict: &Verdict, tried: CheckEvent) -> CheckEvent {
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

fn deciding_place(rule: &Check, verdict: &Verdict) -> String {
    verdict
        .judgement
        .as_ref()
        .map_or(&rule.place, |judged| &judged.place)
        .to_string()
}

/// Shifts by natural faces, each with its place, and a success that did not reach its row.
fn render_shifts(judged: &Judgement) -> Vec<String> {
    let shifts = judged
        .shifted
        .iter()
        .map(|shift| format!("{}, {}", shift.text, shift.place));
    let short = judged
        .short
        .as_ref()
        .map(|(had, row)| format!("{row} had to be reached: {had} is none"));
    shifts.chain(short).collect()
}

impl Formulas {
    /// To verify a check without the rules: its roll has the modifiers, its target the difficulty.
    pub fn from_attempt(
        rule: &Check,
        attempt: &Attempt,
        event: &CheckEvent,
        roll: &Roll,
    ) -> Formulas {
        let rolled = rule
            .no_dice
            .as_ref()
            .filter(|_| attempt.no_dice)
            .map_or(&rule.roll, |no_dice| &no_dice.what);
        let target = rule.target.as_ref().filter(|_| attempt.target.is_some());
        let mut formulas = Formulas {
            roll: rolled.to_string(),
            target: target.map(Formula::to_string),
            beside: !rule.names("modifier"),
            partial: false,
        };
        let bound = |formula: &Formula| bind_recorded(formula, event);
        let bound = (bound(rolled), target.map(bound));
        formulas.partial = formulas.contradiction_of(event, roll, bound).is_some();
        formulas
    }

    /// A contradiction between a check and its formulas, in words.
    pub fn contradiction(&self, event: &CheckEvent, roll: &Roll) -> Option<String> {
        if self.partial {
            return None;
        }
        let bound = |text: &String| bind_recorded(&parse_formula(text).ok()?, event);
        let bound = (bound(&self.roll), self.target.as_ref().map(bound));
        self.contradiction_of(event, roll, bound)
    }

    /// The same of its roll and its target with the values that the check holds.
    fn contradiction_of(
        &self,
        event: &CheckEvent,
        roll: &Roll,
        (by_rule, target): (Option<Expression>, Option<Option<Expression>>),
    ) -> Option<String> {
        let sum = sum(&event.modifiers);
        let beside = if self.beside { sum } else { 0 };
        let Some(by_rule) = by_rule else {
            return Some(format!(
                "its rule is `{}`, and it does not hold the values that the rule names",
                self.roll
            ));
        };
        let fits = |expression: &Expression| match event.adjustments.is_empty() {
            true => expression.as_str() == roll.expression,
            // The dice were replaced, so only the rest is compared.
            false => parse(&roll.expression)
                .is_ok_and(|rolled| rolled.beside_dice() == expression.beside_dice()),
        };
        let plus = |number: i64| match number {
            0 => fits(&by_rule),
            _ => by_rule.plus(number).is_ok_and(|sum| fits(&sum)),
        };
        let target = target.map(|target| target?.constant());
        let target_is = |number: i64| match (target, event.target) {
            (Some(Some(by_rule)), Some(target)) => by_rule.saturating_add(number) == target,
            (None, None) => true,
            _ => false,
        };
        let on_roll = plus(beside) || (target.is_none() && plus(beside.saturating_neg()));
        match (on_roll && target_is(0)) || (plus(0) && target_is(beside)) {
            true => None,
            false if on_roll || plus(0) => {
                let number = |number: Option<i64>| {
                    number.map_or("none".to_owned(), |number| number.to_string())
                };
                let (difficulty, target) = (number(event.difficulty), number(event.target));
                let rule = self.target.as_deref().unwrap_or("none");
                Some(format!(
                    "its difficulty is {difficulty}, and by its rule `{rule}` its target is not {target}"
                ))
            }
            false => Some(format!(
                "its modifiers come to {sum}, and by its rule `{}` its roll is not {}",
                self.roll, roll.expression
            )),
        }
    }
}

fn bind_recorded(formula: &Formula, event: &CheckEvent) -> Option<Expression> {
    let value = |name: &str| event.variables.iter().rev().find(|it| same(&it.name, name));
    let dice = |name: &str| event.said.iter().rev().find(|(it, _)| same(it, name));
    let mut lookup = |name: &str| match event.difficulty {
        _ if same(name, "modifier") => Some(Bound::Number(sum(&event.modifiers))),
        Some(difficulty) if same(name, "difficulty") => Some(Bound::Number(difficulty)),
        _ => match value(name) {
            Some(value) => Some(Bound::Number(value.value)),
            None => dice(name).map(|(_, text)| Bound::Dice(text.clone())),
        },
    };
    formula.bind_with(&mut lookup).ok()
}
