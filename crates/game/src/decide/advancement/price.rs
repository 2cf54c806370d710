//! The price of the next level, and whether a character can pay it.

use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::diagnostic::Place;

/// The price of a level or advance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Price {
    /// A total of experience, which is kept.
    Total(i64),
    /// Experience, which is spent.
    Spent(i64),
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

/// The price, or a refusal with what is missing.
pub fn price(system: &System, who: &Character) -> Result<Price, Refusal> {
    let rules = &system.advancement;
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
    Ok(Price::Free)
}

/// Whether a character can advance now.
pub fn is_due(system: &System, who: &Character) -> bool {
    let improves = system.advancement.improvement.is_some() && !who.ticks.is_empty();
    improves || matches!(price(system, who), Ok(Price::Total(_) | Price::Spent(_)))
}

/// "250 of 300 XP for level 2", where the rules count experience.
pub fn progress(system: &System, who: &Character) -> Option<String> {
    let (xp, ..) = xp_for_next(system, who.level)?;
    Some(format!("{} of {xp} XP for level {}", who.xp, who.level.saturating_add(1)))
}
