//! Health, Company and Clocks: tracks, defences, and what happens when.

use super::ValueReader;
use crate::grammar::cursor::Cursor;
use crate::grammar::effect::{ENDS, Effect, effects, unit};
use crate::grammar::expr::{amount, range};
use crate::grammar::line::{
    Against, Defence, Direction, HealthLine, Line, Soak, Start, Track, When,
};
use crate::grammar::names::Thing;
use crate::grammar::tree::Expr;

/// The most that one mark takes off a hit.
const WORTH_MAX: u32 = 1_000_000;

/// What a hit may be taken from.
const TAKEN: [Thing; 2] = [Thing::Track, Thing::Attribute];

/// Reads the value: the effects of this trigger.
pub fn trigger(when: When) -> ValueReader {
    Box::new(|at| effects(at).map(|effects| Line::Health(HealthLine::Trigger { when, effects })))
}

pub fn damage_types(at: &mut Cursor<'_>) -> Option<Line> {
    at.list(|at| {
        let name = at.new_name("a name")?;
        let is_joined = name
            .split_whitespace()
            .any(|word| ["and", "or"].contains(&word));
        if is_joined {
            at.miss("one name")
        } else {
            Some(name)
        }
    })
    .map(|all| Line::Health(HealthLine::DamageTypes(all)))
}

pub fn halving(at: &mut Cursor<'_>) -> Option<Line> {
    at.one_of(&[("rounded up", true), ("rounded down", false)])
        .map(|up| Line::Health(HealthLine::HalvingUp(up)))
}

pub fn damage(at: &mut Cursor<'_>) -> Option<ValueReader> {
    let kind = if at.is_end() {
        None
    } else {
        Some(at.name(&[Thing::Kind], "a damage type")?)
    };
    Some(Box::new(|at| taken_from(at, kind)))
}

/// `Temporary hit points, Hit points`, `Endurance, Strength or Dexterity`
fn taken_from(at: &mut Cursor<'_>, kind: Option<String>) -> Option<Line> {
    if at.words("none").is_some() {
        return Some(Line::Health(HealthLine::Damage {
            kind,
            from: Vec::new(),
        }));
    }
    at.list(|at| at.joined("or", |at| at.name(&TAKEN, "a track")))
        .map(|from| Line::Health(HealthLine::Damage { kind, from }))
}

pub fn at_range(at: &mut Cursor<'_>) -> Option<ValueReader> {
    let range = range(at)?;
    let track = if at.is_end() {
        None
    } else {
        Some(at.name(&TAKEN, "a track")?)
    };
    Some(trigger(When::At { range, track }))
}

pub fn damage_at(at: &mut Cursor<'_>) -> Option<ValueReader> {
    let range = range(at)?;
    at.name(&TAKEN, "a track")
        .map(|track| trigger(When::DamageAt { range, track }))
}

pub fn end_of(at: &mut Cursor<'_>) -> Option<ValueReader> {
    at.one_of(&ENDS).map(|end| trigger(When::EndOf(end)))
}

pub fn each(at: &mut Cursor<'_>) -> Option<ValueReader> {
    if at.words("round").is_some() {
        return Some(trigger(When::Round));
    }
    let many = at.attempt(|at| at.count(u32::MAX)).unwrap_or(1);
    match unit(at)?.seconds() {
        Some(seconds) => Some(trigger(When::Each(i64::from(many).saturating_mul(seconds)))),
        None => at.miss("a unit of time, or `round`"),
    }
}

/// A bullet without a known label: it declares a track, a soak or a defence.
pub fn declared(at: &mut Cursor<'_>, is_shared: bool) -> Option<ValueReader> {
    let name = at.new_name("a name")?;
    Some(Box::new(move |at| track_or_defence(at, name, is_shared)))
}

fn track_or_defence(at: &mut Cursor<'_>, name: String, is_shared: bool) -> Option<Line> {
    if !is_shared && let Some(defence) = at.attempt(|at| defence(at, name.clone())) {
        return Some(Line::Health(HealthLine::Defence(defence)));
    }
    if at.words("soak").is_some() {
        return soak(at, name, is_shared).map(|soak| Line::Health(HealthLine::Soak(soak)));
    }
    track(at, name).map(|track| Line::Health(HealthLine::Track(track)))
}

fn track(at: &mut Cursor<'_>, name: String) -> Option<Track> {
    let zero = Expr::Number(0);
    let mut says_from = false;
    let (min, max, start, counts) = if at.words("max").is_some() {
        (zero, Some(amount(at)?), Start::Full, Direction::Down)
    } else if at.words("from").is_some() {
        says_from = true;
        let low = amount(at)?;
        let high = at.after("to", amount)?;
        let start = if high.is_some() {
            Start::Full
        } else {
            Start::Empty
        };
        (low, high, start, Direction::Down)
    } else {
        (zero, Some(boxes(at)?), Start::Empty, Direction::Up)
    };
    let (hidden, keeps_larger, full, over) = (false, false, None, None);
    let mut track = Track {
        name,
        min,
        max,
        start,
        counts,
        hidden,
        keeps_larger,
        full,
        over,
    };
    let mut given = Vec::new();
    while at.separator().is_some() {
        if at.emphasis().is_some() {
        } else if at.once(&mut given, "start") {
            track.start = Start::At(amount(at)?);
        } else if !says_from && at.once(&mut given, "from") {
            track.min = amount(at)?;
        } else if at.once(&mut given, "counts") {
            track.counts = at.one_of(&[("up", Direction::Up), ("down", Direction::Down)])?;
        } else if at.once(&mut given, "hidden") {
            track.hidden = true;
        } else if at.once(&mut given, "keeps larger") {
            track.keeps_larger = true;
        } else if at.words("full").is_some() {
            track.full = Some(last_effects(at)?);
            break;
        } else {
            at.words("over")?;
            track.over = Some(last_effects(at)?);
            break;
        }
    }
    Some(track)
}

/// The effects of `full` and `over`, which end the line.
fn last_effects(at: &mut Cursor<'_>) -> Option<Vec<Effect>> {
    at.sign(':')?;
    effects(at)
}

/// Marks that are made one by one.
fn soak(at: &mut Cursor<'_>, name: String, is_shared: bool) -> Option<Soak> {
    if is_shared {
        return at.miss("nothing: marks that soak are a character's, and all share `6 boxes`");
    }
    let one = |at: &mut Cursor<'_>| {
        let name = at.attempt(Cursor::new_kind);
        let worth = i64::from(at.count(WORTH_MAX)?);
        Some((name.unwrap_or_else(|| worth.to_string()), worth))
    };
    let marks = at.run(one)?;
    let mut one_a_hit = Vec::new();
    while at.separator().is_some() {
        if at.emphasis().is_none() && !at.once(&mut one_a_hit, "one a hit") {
            return None;
        }
    }
    Some(Soak {
        name,
        marks,
        one_a_hit: !one_a_hit.is_empty(),
    })
}

/// `9 boxes`
pub fn boxes(at: &mut Cursor<'_>) -> Option<Expr> {
    let count = amount(at)?;
    at.words("boxes")
        .or_else(|| at.words("box"))
        .map(|()| count)
}

fn defence(at: &mut Cursor<'_>, name: String) -> Option<Defence<Expr>> {
    let does = if at.words("subtract").is_some() {
        Against::Subtract(amount(at)?)
    } else if at.words("times").is_some() {
        Against::Times(amount(at)?)
    } else if at.words("ignore under").is_some() {
        Against::IgnoreUnder(amount(at)?)
    } else if at.words("half").is_some() {
        Against::Half
    } else if at.words("double").is_some() {
        Against::Double
    } else {
        at.words("none")?;
        Against::None
    };
    let types =
        |at: &mut Cursor<'_>| at.joined("and", |at| at.name(&[Thing::Kind], "a damage type"));
    let from = at.after("from", types)?.unwrap_or_default();
    let except = at.after("except", types)?.unwrap_or_default();
    let for_all = at.words("for all").is_some();
    let least = match at.separator() {
        Some(()) => {
            at.words("at least")?;
            let least = amount(at)?;
            at.words("gets through")?;
            Some(least)
        }
        None => None,
    };
    Some(Defence {
        name,
        does,
        from,
        except,
        for_all,
        least,
    })
}
