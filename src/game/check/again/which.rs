//! Which roll is followed, by which rule, and whether it may be.

use super::Follow;
use crate::game::entry::Entry;
use crate::game::event::{CheckEvent, Event};
use crate::game::refusal::Refusal;
use crate::game::table::Table;
use crate::names::{fold, same};
use crate::rules::{Check, FollowUp};

/// A roll that may be followed.
pub struct Followed {
    pub entry: Entry,
    pub first: CheckEvent,
    pub rule: Check,
    pub follow_up: FollowUp,
}

/// Finds the roll and the rule.
pub fn which(table: &Table, follow: &Follow) -> Result<Followed, Refusal> {
    let Some(entry) = table.referred.clone() else { return Err(no_roll(follow.entry)) };
    let Event::Check(first) = &entry.event else { return Err(no_roll(follow.entry)) };
    let first = CheckEvent::clone(first);
    let system = table.system();
    let rule = system.check(&first.check).map_err(|error| crate::game::lookup::unknown(error, "check", ""))?;
    let follow_up = follow_up(rule, follow)?;
    used(table, follow, &first, follow_up)?;
    Ok(Followed { entry, first, rule: rule.clone(), follow_up: follow_up.clone() })
}

/// The refusal of an entry that is no check.
pub fn no_roll(entry: u64) -> Refusal {
    let summary = format!(
        "Entry #{entry} is not the roll of a check, so it cannot be followed. Send again=\"#…\" with the log number of a \
         skill_check."
    );
    Refusal::new("not_a_check", summary)
}

fn follow_up<'r>(rule: &'r Check, follow: &Follow) -> Result<&'r FollowUp, Refusal> {
    let names: Vec<String> = rule.follow_ups.iter().map(|own| own.name.clone()).collect();
    let named = |name: &String| rule.follow_ups.iter().find(|own| same(&own.name, name));
    match (&follow.rule, rule.follow_ups.as_slice()) {
        (_, []) => {
            let summary =
                format!("The rules of {} ({}) have nothing like Push or Luck: its rolls stand.", rule.name, rule.place);
            Err(Refusal::new("no_follow_up", summary).at(rule.place.to_string()))
        }
        (None, [only]) => Ok(only),
        (Some(name), _) if named(name).is_some() => named(name).ok_or_else(|| no_roll(follow.entry)),
        _ => {
            let first = names.first().map_or("", String::as_str);
            let summary = format!(
                "The rolls of {} can be followed by {}. Send again=\"#{} {}\".",
                rule.name,
                names.join(" or "),
                follow.entry,
                fold(first)
            );
            Err(Refusal::new("which_follow_up", summary).near(names).at(rule.place.to_string()))
        }
    }
}

/// One roll is followed by one rule once, unless the rule says otherwise; a roll that follows counts as the first one.
fn used(table: &Table, follow: &Follow, first: &CheckEvent, rule: &FollowUp) -> Result<(), Refusal> {
    let Some(times) = rule.times else { return Ok(()) };
    let by_it = |event: &CheckEvent| event.again.as_ref().is_some_and(|again| same(&again.rule, &rule.name));
    let later = table.later.iter().filter(|(_, entry)| match &entry.event {
        Event::Check(event) => by_it(event) && event.again.as_ref().is_some_and(|again| again.entry == follow.entry),
        _ => false,
    });
    let count = later.count() + usize::from(by_it(first));
    if count < usize::try_from(times).unwrap_or(usize::MAX) {
        return Ok(());
    }
    let summary = format!(
        "#{} was followed by {} before ({}: {}). Keep the last roll, or make a new check.",
        follow.entry, rule.name, rule.place, rule.text
    );
    Err(Refusal::new("already_followed", summary).at(rule.place.to_string()))
}
