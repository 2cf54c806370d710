//! Finds the roll to follow, also a character's last one, and a rule by which it may be followed.

use std::collections::{BTreeMap, BTreeSet};

use crate::decide::check::consequences::{Move, lacking, paid_reason, reverse_consequences};
use crate::mechanics::{lookup, values::Values};
use crate::record::event::{CheckEvent, Event, Subject};
use crate::record::state::{Character, State};
use crate::refusal::{Code, Refusal, Result};
use crate::{decide::check::CheckCall, record::entry::Entry, table::Table};
use rollbook_dice::Roll;
use rollbook_rules::{AgainChange, Check, CheckCost, Facts, FollowUp, System};
use rollbook_text::names::{Found, find, fold, quoted, same, suggest};

pub struct Followed<'s> {
    pub seq: u64,
    pub entry: Entry,
    pub first: CheckEvent,
    pub roll: Roll,
    pub rule: &'s Check,
    pub follow_up: &'s FollowUp,
    /// The follow-up rules that led to the roll, the new one last.
    pub by: Vec<String>,
}

pub fn find_followed<'s>(table: &Table<'s>, call: &CheckCall) -> Result<Followed<'s>> {
    let follow = call.again.as_ref();
    let no_check = |seq: u64| {
        let summary = format!(
            "Entry #{seq} is not the roll of a check, so it cannot be followed. Send again=\"#…\" with the log number of a \
             skill_check."
        );
        Refusal::new(Code::NotACheck, summary)
    };
    let Some((seq, entry)) = table.referred.clone() else {
        return Err(no_check(
            follow.and_then(|follow| follow.entry).unwrap_or(0),
        ));
    };
    let (Event::Check(first), [record, ..]) = (&entry.event, entry.rolls.as_slice()) else {
        return Err(no_check(seq));
    };
    let (first, roll) = (CheckEvent::clone(first), record.roll.clone());
    if first.stated.is_some() {
        let summary = format!(
            "#{seq} was stated by its call, and rules for again are the rules' own: its roll stands. Leave again out; to try \
             anew, state it once more with roll."
        );
        return Err(Refusal::new(Code::NoFollowUp, summary));
    }
    let rule = table
        .system()
        .check(&first.check)
        .map_err(|error| lookup::unknown(error, "check", ""))?;
    let follow_up = find_follow_up(rule, seq, follow.and_then(|follow| follow.rule.as_deref()))?;
    let (used, mut by) = rules_used(table, seq, &entry);
    check_allowed(&used, (seq, &first), rule, follow_up)?;
    by.push(follow_up.name.clone());
    Ok(Followed {
        seq,
        first,
        roll,
        rule,
        follow_up,
        by,
        entry,
    })
}

/// The rules that may follow a check just made: those that only reroll and can be paid for.
pub fn offers(table: &Table, (seq, entry): (u64, &Entry), event: &CheckEvent) -> Vec<String> {
    let fits = |rule: &&FollowUp| {
        let rolls = matches!(rule.change, AgainChange::Reroll { .. }) && rule.times != Some(0);
        let offered = rolls
            && event
                .outcome
                .is_some_and(|outcome| rule.is_offered_after(outcome));
        offered && can_pay(table, (seq, entry), event, rule)
    };
    let all = event
        .rule(table.system())
        .into_iter()
        .flat_map(|rule| &rule.follow_ups);
    all.filter(fits).map(|rule| rule.name.clone()).collect()
}

/// The rules used in this roll's series (`table.later` is after its first), and what led to it.
fn rules_used(table: &Table, seq: u64, entry: &Entry) -> (Vec<String>, Vec<String>) {
    let (mut first, mut earlier) = (seq, Vec::new());
    let mut event = Some(&entry.event);
    while let Some(again) = event
        .and_then(Event::again)
        .filter(|again| again.entry < first)
    {
        first = again.entry;
        earlier.insert(0, again.rule.clone());
        event = table
            .later
            .iter()
            .find(|(seq, _)| *seq == first)
            .map(|(_, entry)| &entry.event);
    }
    let (mut series, mut rules) = (BTreeSet::from([first]), Vec::new());
    for (seq, entry) in &table.later {
        if let Some(again) = entry
            .event
            .again()
            .filter(|again| series.contains(&again.entry))
        {
            series.insert(*seq);
            rules.push(again.rule.clone());
        }
    }
    (rules, earlier)
}

/// Refuses a call that names another character, check, skill or attribute than the first roll.
pub fn check_same(table: &Table, call: &CheckCall, seq: u64, first: &CheckEvent) -> Result<()> {
    let system = table.system();
    if let Some(name) = &call.character {
        let named = lookup::character(table.state, system, name)?;
        let roller = first.subject.as_ref();
        if roller.is_none_or(|roller| roller.id != named.id) {
            let (whose, named) = (
                roller.map_or("nobody's".to_owned(), |who| format!("{}'s", who.name)),
                &named.name,
            );
            let summary = format!(
                "#{seq} is {whose} check, not {named}'s. Leave character out, or send again=\"last\" for theirs."
            );
            return Err(Refusal::new(Code::InvalidParameters, summary));
        }
    }
    let full = |sent: &str| {
        system
            .attribute(sent)
            .map_or_else(|_| sent.to_owned(), |known| known.name.clone())
    };
    for (name, sent, made) in [
        ("check", &call.check, Some(&first.check)),
        ("skill", &call.skill, first.skill.as_ref()),
        ("attribute", &call.attribute, first.attribute.as_ref()),
    ] {
        let Some(sent) = sent else { continue };
        if made.is_some_and(|made| same(made, sent) || *made == full(sent)) {
            continue;
        }
        let made = made.map_or_else(
            || format!("has no {name}"),
            |made| format!("was made with {name} {made}"),
        );
        let sent = quoted(sent);
        let summary = format!(
            "#{seq} {made}, and {name}=\"{sent}\" would change nothing: a roll is followed as it was made. Leave {name} out, or \
             name another roll."
        );
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    Ok(())
}

fn find_follow_up<'r>(rule: &'r Check, seq: u64, wanted: Option<&str>) -> Result<&'r FollowUp> {
    let Check {
        name: check,
        place,
        follow_ups,
        ..
    } = rule;
    let names: Vec<String> = follow_ups.iter().map(|rule| rule.name.clone()).collect();
    let found = wanted.map(|name| {
        find(
            name,
            follow_ups.iter().map(|rule| (rule.name.as_str(), rule)),
        )
    });
    match (found, follow_ups.as_slice()) {
        (_, []) => {
            let summary = format!(
                "The rules of {check} ({place}) have nothing like Push or Luck: its rolls stand."
            );
            return Err(Refusal::new(Code::NoFollowUp, summary).at(place));
        }
        (None, [only]) | (Some(Found::One(only)), _) => return Ok(only),
        (None | Some(Found::Several(_) | Found::Nothing), _) => {}
    }
    let suggestions = wanted.map_or_else(Vec::new, |wanted| {
        suggest(wanted, names.iter().map(String::as_str))
    });
    let first = fold(
        suggestions
            .first()
            .or(names.first())
            .map_or("", String::as_str),
    );
    let known = names.join(" or ");
    let summary =
        format!("The rolls of {check} can be followed by {known}. Send again=\"#{seq} {first}\".");
    let options = names
        .iter()
        .map(|name| format!("#{seq} {}", fold(name)))
        .collect();
    let question = format!("How is the roll of {check} (#{seq}) followed?");
    let refusal = Refusal::new(Code::WhichFollowUp, summary)
        .did_you_mean(names)
        .choosing("again", question, options);
    Err(refusal.at(place))
}

/// Refuses a rule that is used up, excludes a `used` one (Push and Luck), or is for other outcomes.
fn check_allowed(
    used: &[String],
    (seq, first): (u64, &CheckEvent),
    check: &Check,
    rule: &FollowUp,
) -> Result<()> {
    let FollowUp {
        name,
        place,
        text,
        after,
        ..
    } = rule;
    let uses = |rule: &FollowUp| used.iter().filter(|used| same(used, &rule.name)).count();
    let is_spent = rule
        .times
        .is_some_and(|times| uses(rule) >= usize::try_from(times).unwrap_or(usize::MAX));
    let excluded = check
        .follow_ups
        .iter()
        .find(|other| rule.excludes(other) && uses(other) > 0);
    let (code, what, advice) = match (excluded, first.outcome) {
        _ if is_spent => {
            let what = format!("#{seq} was followed by {name} before");
            (
                Code::AlreadyFollowed,
                what,
                "Keep the last roll, or make a new check.",
            )
        }
        (Some(FollowUp { name: other, .. }), _) => {
            let what = format!(
                "#{seq} was followed by {other}, and {name} is never used with it on one roll"
            );
            (Code::AlreadyFollowed, what, "Keep the last roll.")
        }
        (None, Some(outcome)) if !after.is_empty() && !after.contains(&outcome) => {
            let after = after
                .iter()
                .map(|outcome| outcome.as_str())
                .collect::<Vec<&str>>()
                .join(" or a ");
            let what = format!("#{seq} is a {outcome}, and {name} follows only a {after}");
            (Code::WrongOutcome, what, "The roll stands.")
        }
        (None, _) => return Ok(()),
    };
    Err(Refusal::new(code, format!("{what} ({place}: {text}). {advice}")).at(place))
}

/// Whose last check is meant: the named one's, else the only player character's; `None`: anybody's.
pub fn whose_last(state: &State, system: &System, who: Option<&str>) -> Result<Option<Subject>> {
    let found = match who {
        Some(who) => lookup::character(state, system, who)?,
        None if state.characters.is_empty() => return Ok(None),
        None => lookup::sole_player(state, system)?,
    };
    Ok(Some(Character::subject(found)))
}

/// Whether an entry is a check of this character.
pub fn is_check_of(entry: &Entry, subject: Option<&Subject>) -> bool {
    let is_theirs = |event: &CheckEvent, who: &Subject| {
        event.subject.as_ref().is_some_and(|by| by.id == who.id)
    };
    matches!(&entry.event, Event::Check(event) if subject.is_none_or(|who| is_theirs(event, who)))
}

/// The refusal when none is among the last `looked_at` entries.
pub fn no_last_check(subject: Option<&Subject>, looked_at: u32) -> Refusal {
    let who = subject.map_or("Nobody made a".to_owned(), |subject| {
        format!("{} made no", subject.name)
    });
    let summary = format!(
        "{who} check among the last {looked_at} entries. Make one, or send again=\"#128\" with the log number of one."
    );
    Refusal::new(Code::UnknownEntry, summary)
}

/// The points that a call gives, by folded name.
pub type Given = BTreeMap<String, i64>;

/// Why a character cannot pay for it after `before`: "Push (System.md:12) costs …"; `None`: can.
pub fn unpaid(
    values: &Values<'_>,
    rule: &FollowUp,
    before: &[Move],
    points: &Given,
) -> Option<String> {
    rule.costs
        .iter()
        .filter(|cost| !cost.is_of_roll())
        .find_map(|cost| {
            let track = cost.track()?;
            let count = amount(cost, Facts::default(), values, points);
            let of_track = |paid: &&Move| {
                paid.effect.track() == Some(track.0) && paid.effect.shared == track.1
            };
            let points_of = |paid: &Move| {
                paid.effect
                    .amount
                    .as_ref()?
                    .bind(&mut |_| None)
                    .ok()?
                    .constant()
            };
            let paid = before.iter().filter(of_track).filter_map(points_of);
            // Without points of its price there is nothing to pay.
            let effect = cost
                .moves(track, paid.fold(count, i64::saturating_add))
                .filter(|_| count > 0)?;
            let left = lacking(values.state, values.system, values.actor?, &effect)?;
            Some(format!(
                "{} ({}) costs {}, and {left}",
                rule.name, rule.place, cost.text
            ))
        })
}

/// How many points it is, by the roll, the call and the sheet; 0 where something is not known.
fn amount(cost: &CheckCost, mut facts: Facts, values: &Values<'_>, points: &Given) -> i64 {
    for (name, _) in cost.amount.variables() {
        let known = points
            .get(&fold(&name))
            .copied()
            .or_else(|| values.get(&name));
        known.and_then(|value| facts.values.insert(fold(&name), value));
    }
    cost.amount.value(&facts).unwrap_or(0)
}

/// Whether who made a check in this call could pay for following it, its consequences taken back.
fn can_pay(
    table: &Table,
    (seq, entry): (u64, &Entry),
    event: &CheckEvent,
    rule: &FollowUp,
) -> bool {
    let Some(who) = event
        .subject
        .as_ref()
        .and_then(|who| table.state.characters.get(&who.id))
    else {
        return true;
    };
    if rule.costs.iter().all(CheckCost::is_of_roll) {
        return true;
    }
    let later = table.call_entries().filter(|written| written.seq > seq);
    let later: Vec<(u64, Entry)> = later
        .map(|written| (written.seq, written.entry.clone()))
        .collect();
    let is_paid = |state: &State| {
        unpaid(
            &Values::of(state, table.system(), who),
            rule,
            &[],
            &Given::new(),
        )
        .is_none()
    };
    if later.is_empty() {
        return is_paid(table.state);
    }
    let mut state = table.state.clone();
    let made = (seq, entry.call.unwrap_or(seq));
    let Ok(back) = reverse_consequences(&mut state, &later, event, made) else {
        return false;
    };
    let changes = back.changes(&state);
    state.apply(&changes);
    is_paid(&state)
}

/// What the new roll costs, by what it shows and what the call gave.
pub fn costs(
    check: &Check,
    rule: &FollowUp,
    facts: &Facts,
    values: &Values<'_>,
    points: &Given,
) -> Vec<Move> {
    let reason = paid_reason(&check.name, &rule.name);
    let paid = |cost: &CheckCost| {
        let effect = cost.moves(cost.track()?, amount(cost, facts.clone(), values, points))?;
        let reason = if cost.is_of_roll() {
            format!("{reason} ({})", cost.amount.text)
        } else {
            reason.clone()
        };
        Some(Move {
            effect,
            given: BTreeMap::new(),
            reason,
        })
    };
    rule.costs.iter().filter_map(paid).collect()
}
