//! What making a check costs: found before the dice fall, paid after them.

use std::collections::BTreeMap;

use super::consequences::Move;
use crate::mechanics::clocks;
use crate::mechanics::health::Vitality;
use crate::mechanics::recovery::{left_of, tracks_named};
use crate::mechanics::tracks::render_value;
use crate::record::state::{Character, State};
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_rules::{Attempt, AttemptError, Attribute, Check, Effect, Facts, System};

/// What is paid for this attempt. Nothing is taken from an attribute that the call does not choose.
///
/// # Errors
/// [`AttemptError::Missing`] where the attribute is missing from which something is to be paid.
pub fn price(rule: &Check, attempt: &Attempt, attribute: Option<&Attribute>) -> Result<Vec<Move>, AttemptError> {
    let facts = Facts { values: attempt.values.clone(), ..Facts::default() };
    let mut moves = Vec::new();
    for own in &rule.costs {
        let count = own.amount.value(&facts).unwrap_or(0);
        if count < 1 {
            continue;
        }
        let chosen = || attribute.map(|own| (own.name.as_str(), false));
        let Some(from) = own.track().or_else(chosen) else {
            return Err(AttemptError::Missing(vec!["attribute".to_owned()]));
        };
        moves.extend(own.moves(from, count).map(|own| Move {
            own,
            given: BTreeMap::new(),
            reason: reason(&rule.name),
        }));
    }
    Ok(moves)
}

/// Refuses a check that somebody cannot pay for.
pub fn check(table: &Table, rule: &Check, price: &[Move], who: Option<&Character>) -> Result<(), Refusal> {
    let Some((own, why)) = unpaid(table, rule, price, who) else { return Ok(()) };
    let summary = format!("{why}. Send what costs less, or leave the roll out.");
    Err(Refusal::new(Code::NotEnough, summary).at(own.place.to_string()))
}

/// What somebody cannot pay of the price, and why: "Task costs 4 Might (System.md:9), and Ana has Might 2/12". None where they can.
pub fn unpaid<'p>(
    table: &Table,
    rule: &Check,
    price: &'p [Move],
    who: Option<&Character>,
) -> Option<(&'p Effect, String)> {
    price.iter().find_map(|Move { own, .. }| {
        let left = lacking(table.state, table.system(), who?, own)?;
        Some((own, format!("{} {} ({}), and {left}", rule.name, own.text, own.place)))
    })
}

/// What there is where it is too little to pay this: "Ana has Might 2/12". None where it is enough.
pub fn lacking(state: &State, system: &System, who: &Character, own: &Effect) -> Option<String> {
    let (track, count) = (own.track()?, own.amount.as_ref()?.bind(&mut |_| None).ok()?.constant()?);
    if own.shared {
        let Some(clock) = clocks::open_one(state, system, track) else {
            return Some(format!("there is no {track}"));
        };
        let worse = clock.worse_by(count);
        return (clocks::nearest(&clock, worse) != worse).then(|| format!("all share {}", clock.render()));
    }
    let tracks = tracks_named(&Vitality::of(state, who.id), system, track);
    let left = left_of(&Vitality::of(state, who.id), system, track);
    let now: Vec<String> = tracks.iter().map(|track| format!("{} {}", track.name, render_value(track))).collect();
    let has = if now.is_empty() { format!("no {track}") } else { now.join(", ") };
    (tracks.is_empty() || left < count).then(|| format!("{} has {has}", who.name))
}

/// For what it is paid, whatever the dice show: it is not given back where the roll is followed.
pub fn reason(check: &str) -> String {
    format!("price of {check}")
}
