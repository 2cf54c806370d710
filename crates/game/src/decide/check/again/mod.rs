//! Follow-ups of a roll: pushing it, spending luck on it.
//!
//! A follow-up is a new entry, linked to the first. Its roll is the first one's expression with
//! some dice kept and the others rolled again, so it can be verified like any roll. Its purpose is
//! `again`, so that statistics can leave the kept dice out.

mod which;

pub use which::{Given, is_check_of, no_last_check, offers, unpaid, whose_last};

use super::call::{CheckCall, parse_values};
use super::consequences::{check_unhurt, reverse_consequences};
use super::opposed::{compare_again, render_rule};
use super::{
    check_secrets, decided_by, deciding_place, draft, log, render_shifts, with_verdict, without_sum,
};
use super::{chosen::check_needs, modifiers::sum, trial::check_follow_up_call};
use crate::mechanics::values::{Values, dice_refusal};
use crate::record::event::{Again, CheckEvent};
use crate::record::purpose::{AGAIN, OPPOSING};
use crate::record::{change::Change, entry::Visibility};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::{decide::roll::Entered, mechanics::health::Vitality};
use rollbook_dice::{Bound, Expression, Formula, KeptRoller, Roll, Roller, parse};
use rollbook_rules::{AgainChange, Attempt, Facts, FollowUp, System};
use rollbook_text::names::fold;
use which::{Followed, check_same, costs, find_followed};

struct Plan {
    expression: Expression,
    /// The faces in the order of draws; `None` where a die is rolled again.
    faces: Vec<Option<i64>>,
    again: Again,
    points: Given,
}

/// Makes the follow-up and logs it; returns the entry's number.
pub fn decide(table: &mut Table, call: &CheckCall, entered: Option<&mut Entered>) -> Result<u64> {
    let followed = find_followed(table, call)?;
    let Followed {
        seq,
        entry,
        first,
        rule,
        follow_up,
        ..
    } = &followed;
    check_follow_up_call(call, follow_up)?;
    check_same(table, call, *seq, first)?;
    let (system, who) = (table.system(), first.subject.as_ref().map(|who| who.id));
    let actor = who
        .and_then(|who| table.state.characters.get(&who))
        .cloned();
    let made = (*seq, entry.call.unwrap_or(*seq));
    check_unhurt(&table.later, first, made)?;
    let reversal = reverse_consequences(table.state, &table.later, first, made)?;
    // The consequences of the first roll are reversed before this one is decided.
    let back = reversal.changes(table.state);
    table.state.apply(&back);
    let planned = check_needs(table.state, system, rule, who)
        .and_then(|()| followed.plan(call, &Values::of(table.state, system, actor.as_ref())));
    let vitality = who.map(|who| Vitality::of(table.state, who));
    table.state.revert(&back);
    let Plan {
        expression,
        faces,
        again,
        points,
    } = planned?;
    // The dice of a roll in which a hidden effect counted stay hidden with it.
    let counted = actor
        .as_ref()
        .is_some_and(|who| table.state.conditions_of(who.id).any(|row| row.hidden));
    let counted = counted && entry.visibility == Visibility::OutcomeOnly;
    if call.visibility.is_none() {
        table.reader.clone_from(&entry.reader);
    }
    let visibility = without_sum(table, call.visibility.unwrap_or(entry.visibility), counted);
    check_secrets(table, call, visibility, &first.said)?;
    let roll =
        |roller: &mut dyn Roller| expression.roll(&mut KeptRoller::new(faces.clone(), roller));
    let record = match entered {
        Some(entered) => {
            entered.again(
                &expression,
                again.redrawn as usize + follow_up.added_count(),
            );
            entered.roll(table, &entry.actor, AGAIN, roll)?
        }
        None => table
            .roll_by(None, &entry.actor, AGAIN, roll)
            .map_err(|error| dice_refusal(&error))?,
    };
    let (mut event, place, facts) = followed.judged(system, &record.roll, expression, again);
    event.context = call.context.clone().or(event.context);
    event.adjustments.extend(
        reversal
            .rows
            .iter()
            .filter_map(|change| render_reversal(change, *seq)),
    );
    let values = Values::of(table.state, system, actor.as_ref());
    let costs = costs(rule, follow_up, &facts, &values, &points);
    let mut changes = reversal.rows;
    changes.extend(
        vitality
            .iter()
            .flat_map(|vitality| vitality.combatant_changes(table.state, system)),
    );
    let draft = Draft {
        visibility,
        rolls: vec![record],
        rule: Some(place),
        changes,
        ..draft(&entry.actor, event)
    };
    Ok(log(table, draft, &reversal.clocks, &costs))
}

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

impl Followed<'_> {
    /// The follow-up. Refused: its condition does not hold, or the price has no room.
    fn plan(&self, call: &CheckCall, values: &Values<'_>) -> Result<Plan> {
        let points = self.points(call, values)?;
        // What is known beside the sheet, by folded names.
        let results = self
            .first
            .results
            .iter()
            .map(|(name, value)| (fold(name), *value));
        let variables = self
            .first
            .variables
            .iter()
            .map(|value| (fold(&value.name), value.value));
        let given = points.iter().map(|(name, value)| (name.clone(), *value));
        let known: Given = results.chain(variables).chain(given).collect();
        let FollowUp {
            name,
            place,
            text,
            change,
            ..
        } = self.follow_up;
        if let Some(only_if) = &self.follow_up.only_if {
            let mut facts = Facts::of_roll(&self.roll, self.first.target, self.rule.succeed);
            for (name, _) in only_if.variables() {
                let value = known
                    .get(&fold(&name))
                    .copied()
                    .or_else(|| values.get(&name));
                value.and_then(|value| facts.values.insert(fold(&name), value));
            }
            if !only_if.holds(&facts) {
                let what =
                    format!("{name} ({place}) is for a roll of which its condition holds: {text}");
                let summary = format!("{what}. Keep the roll that was made.");
                return Err(Refusal::new(Code::NotWhile, summary).at(place));
            }
        }
        if let Some(why) = unpaid(values, self.follow_up, &[], &known) {
            return Err(Refusal::new(
                Code::NotEnough,
                format!("{why}. Keep the roll that was made."),
            )
            .at(place));
        }
        let expression = parse(&self.roll.expression).map_err(|error| dice_refusal(&error))?;
        let number =
            |formula: &Formula| Ok(values.bind_beside(formula, &known)?.constant().unwrap_or(0));
        let (faces, amount) = match change {
            AgainChange::Reroll { .. } => (self.kept_faces(&expression)?, None),
            AgainChange::Add(amount) => {
                (self.follow_up.kept_faces(&self.roll), Some(number(amount)?))
            }
            AgainChange::Set(amount) => {
                let amount = number(amount)?.saturating_sub(self.roll.total);
                (self.follow_up.kept_faces(&self.roll), Some(amount))
            }
        };
        let changed = amount.map_or(Ok(expression.clone()), |amount| expression.plus(amount));
        let changed = changed.and_then(|expression| self.follow_up.with_added(&expression));
        let expression = changed.map_err(|error| dice_refusal(&error))?;
        let added: Vec<String> = self.follow_up.added().map(ToString::to_string).collect();
        let added = (!added.is_empty()).then(|| added.join(" + "));
        let redrawn =
            u32::try_from(faces.iter().filter(|face| face.is_none()).count()).unwrap_or(u32::MAX);
        let (rule, place, amount) = (name.clone(), place.to_string(), amount.unwrap_or(0));
        let again = Again {
            entry: self.seq,
            rule,
            place,
            redrawn,
            amount,
            added,
        };
        Ok(Plan {
            expression,
            faces,
            again,
            points,
        })
    }

    /// The points of the call: `values` of each name that the rule asks for, as many as it allows.
    fn points(&self, call: &CheckCall, values: &Values<'_>) -> Result<Given> {
        let sent = parse_values(&call.values);
        let mut given = Given::new();
        let FollowUp {
            name: rule, place, ..
        } = self.follow_up;
        for (name, low, high) in &self.follow_up.asks {
            let least = values.bind(low)?.constant().unwrap_or(0);
            let most = values.bind(high)?.constant().unwrap_or(0);
            let what = match sent.get(&fold(name)) {
                Some(Bound::Number(points)) if (least..=most).contains(points) => {
                    given.insert(fold(name), *points);
                    continue;
                }
                Some(Bound::Number(points)) => format!("{points} points were asked for"),
                Some(Bound::Dice(_)) | None => "how many points is not said".to_owned(),
            };
            let summary = format!(
                "{rule} ({place}): {what}; {least} to {most} can be taken. Send values={{\"{name}\": …}}."
            );
            return Err(Refusal::new(Code::MissingValue, summary).at(place));
        }
        Ok(given)
    }

    /// The faces of the roll in the order of draws; `None` for dice that are rolled again.
    fn kept_faces(&self, expression: &Expression) -> Result<Vec<Option<i64>>> {
        let FollowUp {
            name, place, text, ..
        } = self.follow_up;
        // A new face may explode where the old one did not, which would shift the kept faces to
        // other dice. Without kept faces nothing can shift.
        if expression.redraws() && self.follow_up.keeps_some() {
            let summary = format!(
                "{name} cannot be carried out on {expression}, whose dice explode or are rerolled. Roll the dice that count \
                 with roll_dice."
            );
            return Err(Refusal::new(Code::OutOfScopeSyntax, summary).at(place));
        }
        let faces = self.follow_up.kept_faces(&self.roll);
        if faces.iter().all(Option::is_some) && self.follow_up.adds.is_empty() {
            let summary = format!(
                "{text} ({place}) leaves every die of {expression} as it lies. Keep the roll that was made."
            );
            return Err(Refusal::new(Code::NoEffect, summary).at(place));
        }
        Ok(faces)
    }

    fn judged(
        &self,
        system: &System,
        roll: &Roll,
        dice: Expression,
        again: Again,
    ) -> (CheckEvent, String, Facts) {
        let (rule, first) = (self.rule, self.first.clone());
        let opposing = self
            .entry
            .rolls
            .iter()
            .find(|roll| roll.purpose == OPPOSING)
            .map(|record| &record.roll);
        let mut verdict = rule.verdict_after(&self.attempt(dice), roll, opposing, &self.by);
        let untargeted = rule.target.is_some() && first.target.is_none();
        if untargeted {
            // As at the first roll, the opposing side decides.
            verdict.judgement = None;
        }
        let opposed = first.opposed.clone();
        let opposed =
            opposed.map(|other| compare_again(system, other, (rule, &mut verdict), first.target));
        let mut adjustments: Vec<String> =
            verdict.judgement.iter().flat_map(render_shifts).collect();
        adjustments.extend(opposed.iter().flat_map(|_| render_rule(rule)));
        let (again, formulas) = (Some(again), None);
        let tried = CheckEvent {
            adjustments,
            opposed: opposed.clone(),
            again,
            formulas,
            ..first
        };
        let mut event = with_verdict(rule, &verdict, tried);
        if let Some(opposed) = opposed.filter(|_| untargeted && verdict.facts.margin.is_none()) {
            event = decided_by(&opposed, event);
        }
        (event, deciding_place(rule, &verdict), verdict.facts)
    }

    fn attempt(&self, expression: Expression) -> Attempt {
        let (rule, first) = (self.rule, &self.first);
        let variables = first
            .variables
            .iter()
            .map(|variable| (fold(&variable.name), variable.value));
        // The event has fields for these two.
        let difficulty = first
            .difficulty
            .map(|difficulty| ("difficulty".to_owned(), difficulty));
        let modifier = ("modifier".to_owned(), sum(&first.modifiers));
        let no_dice = first.pool == Some(0);
        let rolled = rule
            .no_dice
            .as_ref()
            .filter(|_| no_dice)
            .map_or(&rule.roll, |no_dice| &no_dice.what);
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
            values: variables.chain(difficulty).chain([modifier]).collect(),
        }
    }
}
