//! Finds the roll to follow, also a character's last one, and the rule, and checks that it may be followed.

use std::collections::{BTreeMap, BTreeSet};

use crate::decide::check::consequences::{Move, lacking, price_reason, reverse_consequences};
use crate::decide::check::{CheckCall, Follow};
use crate::mechanics::lookup;
use crate::mechanics::values::Values;
use crate::record::entry::Entry;
use crate::record::event::{CheckEvent, Event, Subject};
use crate::record::state::{Character, State};
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_rules::{AgainChange, Check, CheckCost, Effect, Facts, FollowUp, System};
use rollbook_text::names::{Found, find, fold, quoted, same, suggest};

/// A roll that may be followed, and the rule.
pub struct Followed {
    pub seq: u64,
    pub entry: Entry,
    pub first: CheckEvent,
    pub rule: Check,
    pub follow_up: FollowUp,
    /// The follow-up rules that led to the roll, the new one last.
    pub by: Vec<String>,
}

/// Finds the roll and the rule.
pub fn find_followed(table: &Table, follow: &Follow) -> Result<Followed, Refusal> {
    let Some((seq, entry)) = table.referred.clone() else { return Err(not_a_check(follow.entry.unwrap_or(0))) };
    let Event::Check(first) = &entry.event else { return Err(not_a_check(seq)) };
    let first = CheckEvent::clone(first);
    if first.stated.is_some() {
        let summary = format!(
            "#{seq} was stated by its call, and rules for again are the rules' own: its roll stands. Leave again out; to try anew, state \
             it once more with roll."
        );
        return Err(Refusal::new(Code::NoFollowUp, summary));
    }
    let system = table.system();
    let rule = system.check(&first.check).map_err(|error| crate::mechanics::lookup::unknown(error, "check", ""))?;
    let follow_up = find_follow_up(rule, seq, follow.rule.as_deref())?;
    let family = FollowUpHistory::of(table, seq, &entry);
    check_times(&family, seq, follow_up)?;
    check_exclusive(&family, seq, rule, follow_up)?;
    check_outcome(&first, seq, follow_up)?;
    let by = family.behind.iter().chain([&follow_up.name]).cloned().collect();
    Ok(Followed { seq, first, rule: rule.clone(), follow_up: follow_up.clone(), by, entry })
}

/// The rules that may follow a check which was just made, by name: those that only roll dice again and that can be paid for. What takes
/// points waits for their number.
pub fn offers(table: &Table, (seq, entry): (u64, &Entry), event: &CheckEvent) -> Vec<String> {
    let Some(rule) = event.rule(table.system()) else { return Vec::new() };
    let fits = |own: &&FollowUp| {
        let rolls = matches!(own.change, AgainChange::Reroll { .. }) && own.times != Some(0);
        let offered = rolls && event.outcome.is_some_and(|outcome| own.is_offered_after(outcome));
        offered && can_pay(table, (seq, entry), event, own)
    };
    rule.follow_ups.iter().filter(fits).map(|own| own.name.clone()).collect()
}

/// The follow-ups of a roll and of the rolls that follow it.
struct FollowUpHistory {
    /// Every follow-up rule used on any of them.
    rules: Vec<String>,
    /// The follow-up rules that led to this roll.
    behind: Vec<String>,
}

impl FollowUpHistory {
    /// `table.later` begins after the first roll of the series, so an entry that is not in it is that first roll.
    fn of(table: &Table, seq: u64, entry: &Entry) -> FollowUpHistory {
        let (mut first, mut behind) = (seq, Vec::new());
        let mut event = Some(&entry.event);
        while let Some(again) = event.and_then(Event::again).filter(|again| again.entry < first) {
            first = again.entry;
            behind.insert(0, again.rule.clone());
            event = table.later.iter().find(|(seq, _)| *seq == first).map(|(_, entry)| &entry.event);
        }
        let (mut family, mut rules) = (BTreeSet::from([first]), Vec::new());
        for (seq, entry) in &table.later {
            if let Some(again) = entry.event.again().filter(|again| family.contains(&again.entry)) {
                family.insert(*seq);
                rules.push(again.rule.clone());
            }
        }
        FollowUpHistory { rules, behind }
    }
}

/// The refusal of an entry that is no check.
pub fn not_a_check(entry: u64) -> Refusal {
    let summary = format!(
        "Entry #{entry} is not the roll of a check, so it cannot be followed. Send again=\"#…\" with the log number of a \
         skill_check."
    );
    Refusal::new(Code::NotACheck, summary)
}

/// Refuses a call that names another character than the one who rolled.
pub fn check_same_person(table: &Table, call: &CheckCall, seq: u64, first: &CheckEvent) -> Result<(), Refusal> {
    let Some(name) = &call.character else { return Ok(()) };
    let named = lookup::character(table.state, table.system(), name)?;
    let whose = first.subject.as_ref();
    if whose.is_some_and(|own| own.id == named.id) {
        return Ok(());
    }
    let whose = whose.map_or("nobody's".to_owned(), |own| format!("{}'s", own.name));
    let summary = format!(
        "#{seq} is {whose} check, not {}'s. Leave character out, or send again=\"last\" for theirs.",
        named.name
    );
    Err(Refusal::new(Code::InvalidParameters, summary))
}

/// Refuses a call that names another check, skill or attribute than the first roll.
pub fn check_same_check(system: &System, call: &CheckCall, seq: u64, first: &CheckEvent) -> Result<(), Refusal> {
    let was = [
        ("check", &call.check, Some(&first.check)),
        ("skill", &call.skill, first.skill.as_ref()),
        ("attribute", &call.attribute, first.attribute.as_ref()),
    ];
    let full = |sent: &str| system.attribute(sent).map_or_else(|_| sent.to_owned(), |known| known.name.clone());
    let differs = |sent: &str, own: Option<&String>| own.is_none_or(|own| !same(own, sent) && *own != full(sent));
    let other = was.into_iter().find_map(|(name, sent, own)| {
        let sent = sent.as_deref().filter(|sent| differs(sent, own))?;
        Some((name, sent, own))
    });
    let Some((name, sent, own)) = other else { return Ok(()) };
    let own = own.map_or_else(|| format!("has no {name}"), |own| format!("was made with {name} {own}"));
    let summary = format!(
        "#{seq} {own}, and {name}=\"{}\" would change nothing: a roll is followed as it was made. Leave {name} out, or name another \
         roll.",
        quoted(sent)
    );
    Err(Refusal::new(Code::NoEffect, summary))
}

fn find_follow_up<'r>(rule: &'r Check, seq: u64, wanted: Option<&str>) -> Result<&'r FollowUp, Refusal> {
    let names: Vec<String> = rule.follow_ups.iter().map(|own| own.name.clone()).collect();
    match (wanted, rule.follow_ups.as_slice()) {
        (_, []) => {
            let summary =
                format!("The rules of {} ({}) have nothing like Push or Luck: its rolls stand.", rule.name, rule.place);
            return Err(Refusal::new(Code::NoFollowUp, summary).at(rule.place.to_string()));
        }
        (None, [only]) => return Ok(only),
        (None, _) => {}
        (Some(name), all) => {
            if let Found::One(found) = find(name, all.iter().map(|own| (own.name.as_str(), own))) {
                return Ok(found);
            }
        }
    }
    let suggestions = wanted.map_or_else(Vec::new, |wanted| suggest(wanted, names.iter().map(String::as_str)));
    let first = suggestions.first().or(names.first()).map_or("", String::as_str);
    let summary = format!(
        "The rolls of {} can be followed by {}. Send again=\"#{seq} {}\".",
        rule.name,
        names.join(" or "),
        fold(first)
    );
    let options = names.iter().map(|name| format!("#{seq} {}", fold(name))).collect();
    let question = format!("How is the roll of {} (#{seq}) followed?", rule.name);
    let refusal = Refusal::new(Code::WhichFollowUp, summary).did_you_mean(names).choosing("again", question, options);
    Err(refusal.at(rule.place.to_string()))
}

/// A rule follows a roll, or any roll that followed it, once, unless the rule says otherwise.
fn check_times(family: &FollowUpHistory, seq: u64, rule: &FollowUp) -> Result<(), Refusal> {
    let Some(times) = rule.times else { return Ok(()) };
    let count = family.rules.iter().filter(|own| same(own, &rule.name)).count();
    if count < usize::try_from(times).unwrap_or(usize::MAX) {
        return Ok(());
    }
    let summary = format!(
        "#{seq} was followed by {} before ({}: {}). Keep the last roll, or make a new check.",
        rule.name, rule.place, rule.text
    );
    Err(Refusal::new(Code::AlreadyFollowed, summary).at(rule.place.to_string()))
}

/// Refuses rules that exclude each other, such as Push and Luck.
fn check_exclusive(family: &FollowUpHistory, seq: u64, check: &Check, rule: &FollowUp) -> Result<(), Refusal> {
    let others = check.follow_ups.iter().filter(|other| rule.is_apart_from(other));
    let Some(other) = others.into_iter().find(|other| family.rules.iter().any(|own| same(own, &other.name))) else {
        return Ok(());
    };
    let summary = format!(
        "#{seq} was followed by {}, and {} is never used with it on one roll ({}: {}). Keep the last roll.",
        other.name, rule.name, rule.place, rule.text
    );
    Err(Refusal::new(Code::AlreadyFollowed, summary).at(rule.place.to_string()))
}

/// Refuses outcomes that the rule does not allow. A roll without an outcome may be followed.
fn check_outcome(first: &CheckEvent, seq: u64, rule: &FollowUp) -> Result<(), Refusal> {
    let Some(outcome) = first.outcome.filter(|own| !rule.after.is_empty() && !rule.after.contains(own)) else {
        return Ok(());
    };
    let after: Vec<&str> = rule.after.iter().map(|own| own.as_str()).collect();
    let summary = format!(
        "#{seq} is a {outcome}, and {} follows only a {} ({}: {}). The roll stands.",
        rule.name,
        after.join(" or a "),
        rule.place,
        rule.text
    );
    Err(Refusal::new(Code::WrongOutcome, summary).at(rule.place.to_string()))
}

/// Whose last check is meant: the named character's, else the only player character's; `None` for anybody's, where there
/// are no characters.
pub fn whose_last(state: &State, system: &System, who: Option<&str>) -> Result<Option<Subject>, Refusal> {
    let found = match who {
        Some(who) => lookup::character(state, system, who)?,
        None if state.characters.is_empty() => return Ok(None),
        None => lookup::sole_player(state, system)?,
    };
    Ok(Some(Character::subject(found)))
}

/// Whether an entry is a check of this character.
pub fn is_check_of(entry: &Entry, subject: Option<&Subject>) -> bool {
    let Event::Check(event) = &entry.event else { return false };
    subject.is_none_or(|wanted| event.subject.as_ref().is_some_and(|own| own.id == wanted.id))
}

/// The refusal when none is among the last `looked_at` entries.
pub fn no_last_check(subject: Option<&Subject>, looked_at: u32) -> Refusal {
    let who = subject.map_or("Nobody", |subject| subject.name.as_str());
    let no = if subject.is_some() { " no" } else { " a" };
    let summary = format!(
        "{who} made{no} check among the last {looked_at} entries. Make one, or send again=\"#128\" with the log number of one."
    );
    Refusal::new(Code::UnknownEntry, summary)
}

/// The points that a call gives, by folded name.
pub type Given = BTreeMap<String, i64>;

/// Refuses a follow-up that its track has no room for. What depends on the dice is paid as far as it goes.
pub fn check_paid(table: &Table, rule: &FollowUp, who: Option<&Character>, points: &Given) -> Result<(), Refusal> {
    let Some(why) = unpaid(table.state, table.system(), rule, who, (&[], points)) else { return Ok(()) };
    let summary = format!("{why}. Keep the roll that was made.");
    Err(Refusal::new(Code::NotEnough, summary).at(rule.place.to_string()))
}

/// Why somebody cannot pay for following a roll, for which `before` is paid first: "Push (System.md:12) costs 1 stress, and Ana has
/// Stress 9/9". None where they can.
pub fn unpaid(
    state: &State,
    system: &System,
    rule: &FollowUp,
    who: Option<&Character>,
    (before, points): (&[Move], &Given),
) -> Option<String> {
    let values = Values::of_optional(state, system, who);
    rule.costs.iter().filter(|cost| !cost.is_of_roll()).find_map(|cost| {
        let own = cost.moves(cost.track()?, amount(cost, Facts::default(), &values, points))?;
        let left = lacking(state, system, who?, &beside(cost, own, before))?;
        Some(format!("{} ({}) costs {}, and {left}", rule.name, rule.place, cost.text))
    })
}

/// How many points it is, by what the roll shows, what the call gives and what is on the sheet; 0 where something is not known.
fn amount(cost: &CheckCost, mut facts: Facts, values: &Values<'_>, points: &Given) -> i64 {
    for (name, _) in cost.amount.variables() {
        let known = points.get(&fold(&name)).copied().or_else(|| values.get(&name));
        known.and_then(|value| facts.values.insert(fold(&name), value));
    }
    cost.amount.value(&facts).unwrap_or(0)
}

/// How many points an effect without names takes.
fn points_of(own: &Effect) -> i64 {
    own.amount.as_ref().and_then(|own| own.bind(&mut |_| None).ok()?.constant()).unwrap_or(0)
}

/// The move with what others take of the same track.
fn beside(cost: &CheckCost, own: Effect, before: &[Move]) -> Effect {
    let of_track = |other: &&Move| other.own.track() == own.track() && other.own.shared == own.shared;
    let count =
        before.iter().filter(of_track).map(|other| points_of(&other.own)).fold(points_of(&own), i64::saturating_add);
    own.track().and_then(|track| cost.moves((track, own.shared), count)).unwrap_or_else(|| own.clone())
}

/// Whether the one who made a check in this call could pay for following it: what the roll brought is taken back first.
pub fn can_pay(table: &Table, (seq, entry): (u64, &Entry), event: &CheckEvent, rule: &FollowUp) -> bool {
    let Some(who) = event.subject.as_ref().and_then(|who| table.state.characters.get(&who.id)) else { return true };
    if rule.costs.iter().all(CheckCost::is_of_roll) {
        return true;
    }
    let later = table.own_entries().filter(|own| own.seq > seq);
    let later: Vec<(u64, Entry)> = later.map(|own| (own.seq, own.entry.clone())).collect();
    if later.is_empty() {
        return unpaid(table.state, table.system(), rule, Some(who), (&[], &Given::new())).is_none();
    }
    let mut state = table.state.clone();
    let made = (seq, entry.call.unwrap_or(seq));
    let Ok(back) = reverse_consequences(&mut state, &later, made, Some(who.id), &price_reason(&event.check)) else {
        return false;
    };
    let changes = back.changes(&state);
    state.apply(&changes);
    unpaid(&state, table.system(), rule, Some(who), (&[], &Given::new())).is_none()
}

/// What the new roll costs, by what it shows and what the call gave.
pub fn costs(check: &Check, rule: &FollowUp, facts: &Facts, values: &Values<'_>, points: &Given) -> Vec<Move> {
    let reason = paid_reason(&check.name, &rule.name);
    let paid = |cost: &CheckCost| {
        let own = cost.moves(cost.track()?, amount(cost, facts.clone(), values, points))?;
        let reason = if cost.is_of_roll() { format!("{reason} ({})", cost.amount.text) } else { reason.clone() };
        Some(Move { own, given: BTreeMap::new(), reason })
    };
    rule.costs.iter().filter_map(paid).collect()
}

/// For what the price is paid, whatever the dice show: it is not given back where the new roll is followed once more.
pub fn paid_reason(check: &str, rule: &str) -> String {
    format!("{check}, {rule}")
}
