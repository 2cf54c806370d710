//! What changes at the table: effects, changes of rolls, and how long they last.

use super::condition::{Condition, condition};
use super::cursor::Cursor;
use super::expr::{self, amount};
use super::names::Thing;
use super::tree::{Expr, Ref};

/// One item of a list of effects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Effect(Box<Effect>),
    /// Words for people.
    Words(String),
}

/// Something that happens, if a condition holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    pub act: Act,
    pub only_if: Option<Condition>,
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// `Hit points +1d6`, `Stress to 0`, and where the place names the track the move alone.
    Move(Moved, Move),
    /// `gain Burning 2 until end of scene`
    Gain {
        condition: String,
        level: Option<Expr>,
        lasts: Option<Duration>,
    },
    Lose {
        condition: String,
    },
    /// `8 hours pass`
    Pass {
        amount: Expr,
        unit: Unit,
    },
    /// `2d6 fire damage`
    Damage {
        amount: Expr,
        kind: Option<String>,
    },
}

/// What is moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    /// A track, an attribute or a skill by its declared name.
    Named(String),
    /// The attribute or skill of the call.
    Ref(Ref),
    /// What the place names.
    Here,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    By(Sign, Expr),
    /// Along the dice chain.
    Steps(Sign, Expr),
    To(Expr),
    ToMax,
    /// The maximum itself, for a time or for good.
    Max(Sign, Expr, Option<Duration>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Plus,
    Minus,
}

/// What a condition or gear changes of rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub by: By,
    /// Each counts once.
    pub on: Vec<Scope>,
    /// Of those who act on the bearer.
    pub against_bearer: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    Add(Sign, Expr),
    Dice(Sign, Expr),
    Steps(Sign, Expr),
    Advantage,
    Disadvantage,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    Checks,
    Attacks,
    Saves,
    /// An attribute, skill, check or number by its declared name.
    Named(String),
}

/// How long something lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Duration {
    For(Expr, Unit),
    UntilRemoved,
    UntilNextCheck,
    /// Until a check with this skill, attribute or of this name succeeds.
    UntilSucceeds(String),
    UntilRest(Rest),
    Until(Edge, End),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    Short,
    Long,
    Breather,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Start,
    End,
}

/// What starts or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Scene,
    Fight,
    Session,
    Round,
    Turn { of_source: bool, next: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Round,
    Turn,
}

/// The spellings, once for reading and printing; the singular first.
pub const UNITS: [(&str, &str, Unit); 7] = [
    ("second", "seconds", Unit::Second),
    ("minute", "minutes", Unit::Minute),
    ("hour", "hours", Unit::Hour),
    ("day", "days", Unit::Day),
    ("week", "weeks", Unit::Week),
    ("round", "rounds", Unit::Round),
    ("turn", "turns", Unit::Turn),
];
pub const RESTS: [(&str, Rest); 3] =
    [("short rest", Rest::Short), ("long rest", Rest::Long), ("breather", Rest::Breather)];
pub const ENDS: [(&str, End); 8] = [
    ("scene", End::Scene),
    ("fight", End::Fight),
    ("session", End::Session),
    ("round", End::Round),
    ("bearer's turn", End::Turn { of_source: false, next: false }),
    ("bearer's next turn", End::Turn { of_source: false, next: true }),
    ("source's turn", End::Turn { of_source: true, next: false }),
    ("source's next turn", End::Turn { of_source: true, next: true }),
];
/// What a track, attribute or skill is moved as.
const MOVED: [Thing; 3] = [Thing::Track, Thing::Attribute, Thing::Skill];

/// Items with separators between them.
pub fn effects(at: &mut Cursor<'_>) -> Option<Vec<Item>> {
    at.list(item)
}

/// One of them. Where the place names the track, the effect may go without its name.
pub fn item(at: &mut Cursor<'_>) -> Option<Item> {
    if let Some(words) = at.emphasis() {
        return Some(Item::Words(words));
    }
    effect(at).map(|own| Item::Effect(Box::new(own)))
}

pub fn effect(at: &mut Cursor<'_>) -> Option<Effect> {
    let act = act(at)?;
    let only_if = match at.words("if") {
        Some(()) => Some(condition(at)?),
        None => None,
    };
    Some(Effect { act, only_if })
}

fn act(at: &mut Cursor<'_>) -> Option<Act> {
    if at.words("gain").is_some() {
        let condition = at.name(&[Thing::Condition], "a condition")?;
        let level = at.attempt(amount);
        let lasts = at.attempt(duration);
        return Some(Act::Gain { condition, level, lasts });
    }
    if at.words("lose").is_some() {
        return at.name(&[Thing::Condition], "a condition").map(|condition| Act::Lose { condition });
    }
    at.attempt(pass)
        .or_else(|| at.attempt(damage))
        .or_else(|| {
            at.attempt(|at| {
                let moved = moved(at)?;
                movement(at).map(|own| Act::Move(moved, own))
            })
        })
        .or_else(|| movement(at).map(|own| Act::Move(Moved::Here, own)))
}

fn moved(at: &mut Cursor<'_>) -> Option<Moved> {
    let named = at.attempt(|at| at.name(&MOVED, "a track"));
    named.map(Moved::Named).or_else(|| expr::in_braces(at).map(Moved::Ref))
}

fn pass(at: &mut Cursor<'_>) -> Option<Act> {
    let amount = amount(at)?;
    let unit = unit(at)?;
    at.words("pass").or_else(|| at.words("passes"))?;
    Some(Act::Pass { amount, unit })
}

fn damage(at: &mut Cursor<'_>) -> Option<Act> {
    let amount = amount(at)?;
    let kind = at.attempt(|at| at.name(&[Thing::Kind], "a damage type"));
    at.words("damage")?;
    Some(Act::Damage { amount, kind })
}

/// `+1d6`, `-1 step`, `to max`, `max +5 until long rest`.
fn movement(at: &mut Cursor<'_>) -> Option<Move> {
    if at.words("to").is_some() {
        return match at.words("max") {
            Some(()) => Some(Move::ToMax),
            None => amount(at).map(Move::To),
        };
    }
    if at.words("max").is_some() {
        let (sign, amount) = signed(at)?;
        let lasts = at.attempt(duration);
        return Some(Move::Max(sign, amount, lasts));
    }
    let (sign, amount) = signed(at)?;
    Some(match step(at) {
        Some(()) => Move::Steps(sign, amount),
        None => Move::By(sign, amount),
    })
}

pub fn step(at: &mut Cursor<'_>) -> Option<()> {
    at.words("step").or_else(|| at.words("steps"))
}

pub fn sign(at: &mut Cursor<'_>) -> Option<Sign> {
    at.sign('+').map(|()| Sign::Plus).or_else(|| at.sign('-').map(|()| Sign::Minus))
}

/// A sign and what it stands before.
pub fn signed(at: &mut Cursor<'_>) -> Option<(Sign, Expr)> {
    let sign = sign(at)?;
    match amount(at)? {
        // The sign is read: what follows has none of its own.
        Expr::Number(..0) => at.miss("one sign"),
        amount => Some((sign, amount)),
    }
}

/// A unit of time.
pub fn unit(at: &mut Cursor<'_>) -> Option<Unit> {
    let found = UNITS.iter().find(|(one, many, _)| at.words(one).or_else(|| at.words(many)).is_some());
    found.map(|(_, _, unit)| *unit)
}

/// `-2 on checks`, `advantage on attacks against bearer`.
pub fn change(at: &mut Cursor<'_>) -> Option<Change> {
    let by = if at.words("advantage").is_some() {
        By::Advantage
    } else if at.words("disadvantage").is_some() {
        By::Disadvantage
    } else {
        let (sign, amount) = signed(at)?;
        if at.words("die").or_else(|| at.words("dice")).is_some() {
            By::Dice(sign, amount)
        } else if step(at).is_some() {
            By::Steps(sign, amount)
        } else {
            By::Add(sign, amount)
        }
    };
    at.words("on")?;
    let on = at.joined("and", scope)?;
    Some(Change { by, on, against_bearer: at.words("against bearer").is_some() })
}

fn scope(at: &mut Cursor<'_>) -> Option<Scope> {
    let named = [Thing::Attribute, Thing::Skill, Thing::Check, Thing::Number];
    let own = at.attempt(|at| at.name(&named, "what is rolled")).map(Scope::Named);
    own.or_else(|| {
        let own = [("checks", 0), ("attacks", 1), ("saves", 2)];
        Some(match at.one_of(&own)? {
            0 => Scope::Checks,
            1 => Scope::Attacks,
            _ => Scope::Saves,
        })
    })
}

/// `for 3 rounds`, `until end of bearer's next turn`.
pub fn duration(at: &mut Cursor<'_>) -> Option<Duration> {
    if at.words("for").is_some() {
        let amount = amount(at)?;
        return unit(at).map(|unit| Duration::For(amount, unit));
    }
    at.words("until")?;
    let succeeds = |at: &mut Cursor<'_>| {
        let name = at.name(&[Thing::Check, Thing::Skill, Thing::Attribute], "a check")?;
        at.words("succeeds").map(|()| Duration::UntilSucceeds(name))
    };
    if let Some(own) = at.attempt(succeeds) {
        return Some(own);
    }
    if at.words("removed").is_some() {
        return Some(Duration::UntilRemoved);
    }
    if at.words("next check").is_some() {
        return Some(Duration::UntilNextCheck);
    }
    if let Some(rest) = at.one_of(&RESTS) {
        return Some(Duration::UntilRest(rest));
    }
    let edge = at.one_of(&[("start of", Edge::Start), ("end of", Edge::End)])?;
    at.one_of(&ENDS).map(|end| Duration::Until(edge, end))
}
