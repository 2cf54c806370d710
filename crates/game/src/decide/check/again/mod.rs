//! Follow-ups of a roll: pushing it, spending luck on it.
//!
//! A follow-up is a new entry, linked to the first, which stays as it is. Its roll is the first one's expression with some
//! dice kept and the others rolled again, so it can be verified like any other roll. Its purpose in the record is `again`,
//! so that statistics can leave the kept dice out.

mod which;

pub use which::{Given, is_check_of, no_last_check, offers, unpaid, whose_last};

use std::collections::BTreeMap;

use crate::decide::check::call::{CheckCall, Follow, parse_values};
use crate::decide::check::consequences::{check_unhurt, reverse_consequences};
use crate::decide::check::opposed::{compare_again as against, render_rule};
use crate::decide::check::write::{check_secrets, decided_by, deciding_place, draft, log, render_shifts};
use crate::decide::check::{chosen, consequences};
use crate::decide::roll::Entered;
use crate::mechanics::health::Vitality;
use crate::mechanics::values::{Values, dice_refusal};
use crate::record::change::Change;
use crate::record::entry::{Entry, RollRecord, Visibility};
use crate::record::event::{Again, CheckEvent};
use crate::record::purpose::{AGAIN, OPPOSING};
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use rollbook_dice::{Bound, Expression, Formula, KeptRoller, Roll, Roller, parse};
use rollbook_rules::{AgainChange, Attempt, Check, Facts, FollowUp, System};
use rollbook_text::names::fold;
use which::{Followed, check_paid, costs, find_followed, paid_reason};

/// A follow-up before it is rolled.
struct Plan {
    expression: Expression,
    /// The faces in the order of draws; `None` where a die is rolled again.
    faces: Vec<Option<i64>>,
    amount: i64,
    /// The dice that are added: `1d6[stress]`.
    added: Option<String>,
}

/// Makes the follow-up and logs it; returns the entry's number.
pub fn decide(
    table: &mut Table,
    call: &CheckCall,
    follow: &Follow,
    entered: Option<&mut Entered>,
) -> Result<u64, Refusal> {
    let Followed { seq, entry, first, rule, follow_up, by } = find_followed(table, follow)?;
    super::unused::check_follow_up_call(call, &follow_up)?;
    which::check_same_person(table, call, seq, &first)?;
    which::check_same_check(table.system(), call, seq, &first)?;
    let actor = first.subject.as_ref().and_then(|subject| table.state.characters.get(&subject.id)).cloned();
    let Some(before) = entry.rolls.first() else { return Err(which::not_a_check(seq)) };
    check_unhurt(&table.later, &first, entry.call.unwrap_or(seq), seq)?;
    let who = first.subject.as_ref().map(|who| who.id);
    let kept = match &first.again {
        Some(again) => paid_reason(&first.check, &again.rule),
        None => consequences::price_reason(&first.check),
    };
    let made = (seq, entry.call.unwrap_or(seq));
    let reversal = reverse_consequences(table.state, &table.later, made, who, &kept)?;
    // The consequences of the first roll are reversed before this one is decided.
    let back = reversal.changes(table.state);
    table.state.apply(&back);
    let planned = chosen::check_needs(table.state, table.system(), &rule, who)
        .and_then(|()| points(table, call, &follow_up, actor.as_ref()))
        .and_then(|points| {
            let known = known(&first, &points);
            check_holds(table, (&rule, &first), &before.roll, &follow_up, (actor.as_ref(), &known))?;
            check_paid(table, &follow_up, actor.as_ref(), &known)?;
            Ok((plan(table, &before.roll, &follow_up, actor.as_ref(), &known)?, points))
        });
    let vitality = who.map(|who| Vitality::of(table.state, who));
    table.state.revert(&back);
    let (plan, points) = planned?;
    let redrawn = plan.faces.iter().filter(|face| face.is_none()).count();
    // The dice of a roll in which a hidden effect counted stay hidden with it.
    let counted = actor.as_ref().is_some_and(|who| table.state.conditions_of(who.id).any(|row| row.hidden));
    let counted = counted && entry.visibility == Visibility::OutcomeOnly;
    let visibility = call.visibility.unwrap_or(entry.visibility);
    let visibility = super::without_sum(table, visibility, counted);
    check_secrets(table, call, visibility, &first.said)?;
    let roll = |roller: &mut dyn Roller| plan.expression.roll(&mut KeptRoller::new(plan.faces.clone(), roller));
    let record = match entered {
        Some(entered) => {
            entered.again(&plan.expression, redrawn.saturating_add(follow_up.added_count()));
            entered.roll(table, &entry.actor, AGAIN, roll)?
        }
        None => table.roll_by(&entry.actor, AGAIN, roll).map_err(|error| dice_refusal(&error))?,
    };
    let again = Again {
        entry: seq,
        rule: follow_up.name.clone(),
        place: follow_up.place.to_string(),
        redrawn: u32::try_from(redrawn).unwrap_or(u32::MAX),
        amount: plan.amount,
        added: plan.added,
    };
    let first = CheckEvent { context: call.context.clone().or_else(|| first.context.clone()), ..first };
    let mut reversals: Vec<String> = reversal.rows.iter().filter_map(|change| render_reversal(change, seq)).collect();
    let (mut event, place, facts) =
        judged(table.system(), &rule, first, &entry, &record, plan.expression, (again, &by));
    event.adjustments.append(&mut reversals);
    let values = Values::of_optional(table.state, table.system(), actor.as_ref());
    let costs = costs(&rule, &follow_up, &facts, &values, &points);
    let draft = Draft { visibility, rolls: vec![record], rule: Some(place), ..draft(&entry.actor, event) };
    let risen = vitality.map_or(Vec::new(), |vitality| vitality.combatant_changes(table.state, table.system()));
    let mut changes = reversal.rows;
    changes.extend(risen);
    Ok(log(table, Draft { changes, ..draft }, &reversal.clocks, &costs))
}

/// A reversed consequence of the first roll, in words.
fn render_reversal(change: &Change, seq: u64) -> Option<String> {
    let what = match change {
        Change::Track(images) => {
            let (before, after) = (images.before.as_ref()?, images.after.as_ref()?);
            format!("{} {} to {}", after.name, before.value, after.value)
        }
        Change::Condition(images) => match (&images.before, &images.after) {
            (Some(row), None) => format!("no longer {}", row.label()),
            (_, Some(row)) => format!("{} again", row.label()),
            (None, None) => return None,
        },
        _ => return None,
    };
    Some(format!("{what}, taken back from #{seq}"))
}

/// The check's verdict on the new roll, with everything else as at the first.
fn judged(
    system: &System,
    rule: &Check,
    first: CheckEvent,
    entry: &Entry,
    record: &RollRecord,
    expression: Expression,
    (again, by): (Again, &[String]),
) -> (CheckEvent, String, Facts) {
    let attempt = attempt(rule, &first, expression);
    let opposing = entry.rolls.iter().find(|roll| roll.purpose == OPPOSING).map(|record| &record.roll);
    let mut verdict = rule.verdict_after(&attempt, &record.roll, opposing, by);
    let untargeted = rule.target.is_some() && first.target.is_none();
    if untargeted {
        // As at the first roll, the opposing side decides.
        verdict.judged = None;
    }
    let opposed = first.opposed.clone().map(|other| against(system, other, (rule, &mut verdict), first.target));
    let tried = CheckEvent {
        adjustments: verdict
            .judged
            .iter()
            .flat_map(render_shifts)
            .chain(opposed.iter().flat_map(|_| render_rule(rule)))
            .collect(),
        opposed: opposed.clone(),
        again: Some(again),
        formulas: None,
        ..first
    };
    let event = super::write::with_verdict(rule, &verdict, tried);
    let event = match opposed.filter(|_| untargeted && verdict.facts.margin.is_none()) {
        Some(opposed) => decided_by(&opposed, event),
        None => event,
    };
    (event, deciding_place(rule, &verdict), verdict.facts)
}

/// The attempt of the first roll, with the new expression.
fn attempt(rule: &Check, first: &CheckEvent, expression: Expression) -> Attempt {
    let mut values: BTreeMap<String, i64> =
        first.variables.iter().map(|variable| (fold(&variable.name), variable.value)).collect();
    // The event has fields of their own for these two.
    values.extend(first.difficulty.map(|difficulty| ("difficulty".to_owned(), difficulty)));
    let modifier = first.modifiers.iter().map(|part| part.value).fold(0, i64::saturating_add);
    values.insert("modifier".to_owned(), modifier);
    let no_dice = first.pool == Some(0);
    let rolled = rule.no_dice.as_ref().filter(|_| no_dice).map_or(&rule.roll, |no_dice| &no_dice.what);
    Attempt {
        expression,
        added: 0,
        reach: first.reach.as_deref().and_then(|row| rule.rank_of(row)),
        opposing: None,
        target: first.target,
        pool: first.pool,
        no_dice,
        groups: rule.group_names(),
        counts: rolled.counts(),
        values,
    }
}

/// What is known beside the sheet: what this call gives, what the first one gave, and the values of its roll, by folded names.
fn known(first: &CheckEvent, points: &Given) -> Given {
    let variables = first.variables.iter().map(|value| (fold(&value.name), value.value));
    let results = first.results.iter().map(|(name, value)| (fold(name), *value));
    results.chain(variables).chain(points.iter().map(|(name, value)| (name.clone(), *value))).collect()
}

/// Refuses a rule that asks for what does not hold of the one who rolled, or of the first roll.
fn check_holds(
    table: &Table,
    (rule, first): (&Check, &CheckEvent),
    roll: &Roll,
    follow_up: &FollowUp,
    (actor, known): (Option<&Character>, &Given),
) -> Result<(), Refusal> {
    let Some(only_if) = &follow_up.only_if else { return Ok(()) };
    let values = Values::of_optional(table.state, table.system(), actor);
    let mut facts = Facts::of_roll(roll, first.target, rule.succeed);
    for (name, _) in only_if.variables() {
        let value = known.get(&fold(&name)).copied().or_else(|| values.get(&name));
        value.and_then(|value| facts.values.insert(fold(&name), value));
    }
    if only_if.holds(&facts) {
        return Ok(());
    }
    let summary = format!(
        "{} ({}) is for a roll of which its condition holds: {}. Keep the roll that was made.",
        follow_up.name, follow_up.place, follow_up.text
    );
    Err(Refusal::new(Code::NotWhile, summary).at(follow_up.place.to_string()))
}

fn plan(
    table: &Table,
    roll: &Roll,
    follow_up: &FollowUp,
    actor: Option<&Character>,
    known: &Given,
) -> Result<Plan, Refusal> {
    let expression = parse(&roll.expression).map_err(|error| dice_refusal(&error))?;
    let values = Values::of_optional(table.state, table.system(), actor);
    let number = |formula: &Formula| Ok(values.bind_beside(formula, known)?.constant().unwrap_or(0));
    let amount = match &follow_up.change {
        AgainChange::Reroll { .. } => {
            let faces = kept_faces(&expression, roll, follow_up)?;
            let (expression, added) = with_added(expression, follow_up)?;
            return Ok(Plan { expression, faces, amount: 0, added });
        }
        AgainChange::Add(amount) => number(amount)?,
        AgainChange::Set(amount) => number(amount)?.saturating_sub(roll.total),
    };
    let (expression, added) = with_added(expression.plus(amount).map_err(|error| dice_refusal(&error))?, follow_up)?;
    Ok(Plan { expression, faces: follow_up.kept_faces(roll), amount, added })
}

/// The expression with the dice that the rule adds, and these.
fn with_added(expression: Expression, follow_up: &FollowUp) -> Result<(Expression, Option<String>), Refusal> {
    let expression = follow_up.with_added(&expression).map_err(|error| dice_refusal(&error))?;
    let added: Vec<String> = follow_up.added().map(ToString::to_string).collect();
    Ok((expression, (!added.is_empty()).then(|| added.join(" + "))))
}

/// The points that the call gives: `values` of each name that the rule asks for, as many as it allows.
fn points(table: &Table, call: &CheckCall, follow_up: &FollowUp, actor: Option<&Character>) -> Result<Given, Refusal> {
    let (sent, values) = (parse_values(&call.values), Values::of_optional(table.state, table.system(), actor));
    let mut given = Given::new();
    for (name, low, high) in &follow_up.asks {
        let least = values.bind(low)?.constant().unwrap_or(0);
        let most = values.bind(high)?.constant().unwrap_or(0);
        let refuse = |what: String| {
            let summary = format!(
                "{} ({}): {what}; {least} to {most} can be taken. Send values={{\"{}\": …}}.",
                follow_up.name, follow_up.place, name
            );
            Err(Refusal::new(Code::MissingValue, summary).at(follow_up.place.to_string()))
        };
        match sent.get(&fold(name)) {
            Some(Bound::Number(points)) if (least..=most).contains(points) => given.insert(fold(name), *points),
            Some(Bound::Number(points)) => return refuse(format!("{points} points were asked for")),
            Some(_) | None => return refuse("how many points is not said".to_owned()),
        };
    }
    Ok(given)
}

/// The faces of a roll in the order of draws; `None` for dice that are rolled again.
fn kept_faces(expression: &Expression, roll: &Roll, rule: &FollowUp) -> Result<Vec<Option<i64>>, Refusal> {
    let refuse = |code: Code, why: String| Err(Refusal::new(code, why).at(rule.place.to_string()));
    // A new face may explode where the old one did not, which would shift the kept faces to other dice. Without kept faces
    // nothing can shift.
    if expression.redraws() && rule.keeps_some() {
        let why = format!(
            "{} cannot be carried out on {expression}, whose dice explode or are rerolled. Roll the dice that count \
             with roll_dice.",
            rule.name
        );
        return refuse(Code::OutOfScopeSyntax, why);
    }
    let faces = rule.kept_faces(roll);
    if faces.iter().all(Option::is_some) && rule.adds.is_empty() {
        let why = format!(
            "{} ({}) leaves every die of {expression} as it lies. Keep the roll that was made.",
            rule.text, rule.place
        );
        return refuse(Code::NoEffect, why);
    }
    Ok(faces)
}
