//! The price of the next level, and whether a character can pay it.

use crate::diagnostic::Place;
use crate::game::mechanics::lookup;
use crate::game::record::state::{Character, State, Track};
use crate::game::refusal::{Code, Refusal};
use crate::names::{Found, find, same};
use crate::rules::System;

/// The price of a level or advance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Price {
    /// A total of experience, which is kept.
    Total(i64),
    /// Experience, which is spent.
    Spent(i64),
    /// A full track of advancement, which is cleared.
    Track(Track),
    /// A milestone of this kind, which is spent.
    Milestone(String),
    /// The rules leave it to the GM.
    Free,
}

/// The experience for the next level, whether it is spent, and the rule's place.
fn xp_for_next(system: &System, level: i64) -> Option<(i64, bool, Option<Place>)> {
    let rules = &system.advancement;
    let next = level.checked_add(1)?;
    if let Some(own) = rules.thresholds.iter().find(|own| own.level == next) {
        return Some((own.xp, false, rules.thresholds_place.clone()));
    }
    let place = rules.level_up.as_ref().map(|clause| clause.place.clone());
    Some((rules.xp_for_next(level)?, true, place))
}

/// The price, or a refusal with what is missing. `kind` names the milestone where several could be spent.
pub fn price(state: &State, system: &System, who: &Character, kind: Option<&str>) -> Result<Price, Refusal> {
    let rules = &system.advancement;
    let marked =
        rules.tracks.iter().filter_map(|own| state.tracks_of(who.id).find(|track| same(&track.name, &own.name)));
    if let Some(full) = marked.clone().find(|track| track.max == Some(track.value)) {
        return Ok(Price::Track(full.clone()));
    }
    if let Some((xp, spent, place)) = xp_for_next(system, who.level) {
        if who.xp >= xp {
            return Ok(if spent { Price::Spent(xp) } else { Price::Total(xp) });
        }
        let summary = format!(
            "{} has {} of the {xp} XP that level {} takes; {} are missing. Send action=\"award\" xp={3}, or override_reason=\"…\" \
             for a level all the same.",
            who.name,
            who.xp,
            who.level.saturating_add(1),
            xp - who.xp
        );
        let refusal = Refusal::new(Code::NotYet, summary);
        return Err(match place {
            Some(place) => refusal.at(place.to_string()),
            None => refusal,
        });
    }
    if !rules.thresholds.is_empty() {
        let summary = format!("The table of levels ends before level {}.", who.level.saturating_add(1));
        return Err(Refusal::new(Code::NotYet, summary));
    }
    if let Some(milestones) = &rules.milestones {
        return milestone_price(who, &milestones.what, kind)
            .map_err(|refusal| refusal.at(milestones.place.to_string()));
    }
    match rules.tracks.iter().zip(1..).next() {
        Some((own, _)) => {
            let mut marks = marked.map(|track| format!("{} {}/{}", track.name, track.value, track.max.unwrap_or(0)));
            let marks = marks.next().unwrap_or_else(|| format!("{} 0/{}", own.name, own.size));
            let summary = format!(
                "No track of {} is full ({marks}). Send action=\"award\" advance={{\"{}\": 1}}.",
                who.name, own.name
            );
            Err(Refusal::new(Code::NotYet, summary).at(own.place.to_string()))
        }
        None => Ok(Price::Free),
    }
}

fn milestone_price(who: &Character, kinds: &[String], named: Option<&str>) -> Result<Price, Refusal> {
    let has = |kind: &str| who.milestones.iter().find(|(own, count)| same(own, kind) && **count > 0);
    let held: Vec<&String> = kinds.iter().filter_map(|kind| has(kind).map(|(own, _)| own)).collect();
    match (named, held.as_slice()) {
        (Some(kind), _) if let Found::One(own) = find(kind, held.iter().map(|own| (own.as_str(), *own))) => {
            Ok(Price::Milestone(own.clone()))
        }
        (Some(kind), _) if let Found::Several(fit) = find(kind, held.iter().map(|own| (own.as_str(), *own))) => {
            Err(lookup::ambiguous("kind", kind, fit.into_iter().cloned().collect()))
        }
        (None, [only]) => Ok(Price::Milestone((*only).clone())),
        (None, [_, ..]) => {
            let held: Vec<&str> = held.iter().map(|kind| kind.as_str()).collect();
            let summary = format!("Which milestone of {}? Send kind as one of: {}.", who.name, held.join(", "));
            Err(Refusal::new(Code::WhichMilestone, summary))
        }
        _ => {
            let summary = format!(
                "{} has no such milestone to spend; the rules know {}. Send action=\"award\" advance={{\"{}\": 1}}.",
                who.name,
                kinds.join(", "),
                kinds.first().map_or("", String::as_str)
            );
            Err(Refusal::new(Code::NotYet, summary))
        }
    }
}

/// Whether a character can advance now.
pub fn is_due(state: &State, system: &System, who: &Character) -> bool {
    let improves = system.advancement.improvement.is_some() && !who.ticks.is_empty();
    match price(state, system, who, None) {
        Ok(Price::Free) => improves,
        Ok(_) => true,
        Err(refusal) => improves || refusal.code == Code::WhichMilestone,
    }
}

/// "250 of 300 XP for level 2", where the rules count experience.
pub fn progress(system: &System, who: &Character) -> Option<String> {
    let (xp, ..) = xp_for_next(system, who.level)?;
    Some(format!("{} of {xp} XP for level {}", who.xp, who.level.saturating_add(1)))
}
