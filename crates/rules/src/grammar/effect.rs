//! Effects, changes of rolls, and how long they last.

use super::condition::{Condition, condition};
use super::cursor::Cursor;
use super::expr::{self, amount};
use super::names::Thing;
use super::tree::{Expr, Part, Ref};
use rollbook_text::names::same;

/// Something that happens, if a condition holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    pub act: Act,
    pub only_if: Option<Condition>,
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// `Hit points +1d6`, `Stress to 0`; the move alone where the place names the track.
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
    /// So many seconds of the game's time: `8 hours pass`.
    Pass {
        seconds: i64,
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
    /// The track that the place names.
    Here,
}

/// How far a track, an attribute or a skill moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    By(Sign, Expr),
    /// Steps along the dice chain, down if negative.
    Steps(i64),
    To(Expr),
    ToMax,
    /// The maximum itself, for a time or for good.
    Max(Sign, Expr, Option<Duration>),
}

/// Whether an amount is added or taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Plus,
    Minus,
}

/// What a condition or gear changes about rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub by: By,
    /// Each counts once.
    pub on: Vec<Scope>,
    /// It changes the rolls of those who act on the bearer.
    pub against_bearer: bool,
}

/// What a change adds to a roll: to its total, to its dice or to their size, or a second roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    Add(Amount),
    Dice(Amount),
    Steps(Amount),
    Advantage,
    Disadvantage,
}

/// A number, or a number times the level of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    pub number: i64,
    pub level_of: Option<String>,
}

/// The rolls that a change is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    Checks,
    Attacks,
    Attribute(String),
    /// A skill, or a number of a table.
    Skill(String),
    Check(String),
}

/// How long something lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Duration {
    /// 1 to [`DURATION_MAX`] of them.
    For(u32, Unit),
    UntilRemoved,
    UntilNextCheck,
    /// Until a check with this skill, attribute or of this name succeeds.
    UntilSucceeds(String),
    UntilRest(Rest),
    UntilEnd(End),
    UntilTurn(Turn),
}

/// The longest span of time, in seconds: ten thousand days.
pub const SPAN_MAX: i64 = 10_000 * 86_400;

/// The most steps of one move, and dice or steps of one change.
const STEPS_MAX: u32 = 20;

/// The most rounds, hours or days that something lasts.
pub const DURATION_MAX: u32 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    Short,
    Long,
    Breather,
}

/// What ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Scene,
    Fight,
    Session,
}

/// Which end of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Start,
    End,
}

/// The start or the end of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    pub edge: Edge,
    /// The turn of the character who caused it, else of the bearer.
    pub of_source: bool,
    /// During that turn, the one after it is meant.
    pub next: bool,
}

/// A unit of time; the length of a round is a rule.
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

/// The spellings, for reading and printing; the singular first.
pub const UNITS: [(&str, &str, Unit); 7] = [
    ("second", "seconds", Unit::Second),
    ("minute", "minutes", Unit::Minute),
    ("hour", "hours", Unit::Hour),
    ("day", "days", Unit::Day),
    ("week", "weeks", Unit::Week),
    ("round", "rounds", Unit::Round),
    ("turn", "turns", Unit::Turn),
];
pub const RESTS: [(&str, Rest); 3] = [
    ("Short rest", Rest::Short),
    ("Long rest", Rest::Long),
    ("Breather", Rest::Breather),
];
pub const ENDS: [(&str, End); 3] = [
    ("scene", End::Scene),
    ("fight", End::Fight),
    ("session", End::Session),
];
pub const EDGES: [(&str, Edge); 2] = [("start of", Edge::Start), ("end of", Edge::End)];
/// Whose turn, whether it is that of the source, and whether the next one.
pub const TURNS: [(&str, bool, bool); 4] = [
    ("bearer's turn", false, false),
    ("bearer's next turn", false, true),
    ("source's turn", true, false),
    ("source's next turn", true, true),
];

impl Sign {
    /// The number with this sign.
    pub fn apply(self, number: i64) -> i64 {
        if self == Sign::Minus {
            number.saturating_neg()
        } else {
            number
        }
    }
}

impl Change {
    /// What it adds at this level, or how many dice or steps; 0 for advantage and disadvantage.
    pub fn amount(&self, level: i64) -> i64 {
        match &self.by {
            By::Add(amount) | By::Dice(amount) | By::Steps(amount) => match amount.level_of {
                Some(_) => amount.number.saturating_mul(level),
                None => amount.number,
            },
            By::Advantage | By::Disadvantage => 0,
        }
    }
}

impl Unit {
    /// The word, in the singular or the plural.
    pub fn word(self, is_one: bool) -> &'static str {
        let found = UNITS.iter().find(|(_, _, unit)| *unit == self);
        found.map_or("", |(one, many, _)| if is_one { one } else { many })
    }

    /// Seconds of the game's time; none for a round and a turn.
    pub fn seconds(self) -> Option<i64> {
        match self {
            Unit::Second => Some(1),
            Unit::Minute => Some(60),
            Unit::Hour => Some(3_600),
            Unit::Day => Some(86_400),
            Unit::Week => Some(604_800),
            Unit::Round | Unit::Turn => None,
        }
    }
}

impl End {
    /// The event, as rules and replies call it.
    pub fn name(self) -> &'static str {
        match self {
            End::Scene => "End of scene",
            End::Fight => "End of fight",
            End::Session => "End of session",
        }
    }
}

impl Rest {
    /// Its name in rules and replies.
    pub fn name(self) -> &'static str {
        RESTS
            .iter()
            .find(|(_, rest)| *rest == self)
            .map_or("", |(name, _)| name)
    }
}

/// What a move may name.
const MOVED: [Thing; 3] = [Thing::Track, Thing::Attribute, Thing::Skill];

/// Effects with separators between them. Words for people are skipped.
pub fn effects(at: &mut Cursor<'_>) -> Option<Vec<Effect>> {
    at.list(|at| {
        if at.emphasis().is_some() {
            Some(None)
        } else {
            effect(at).map(Some)
        }
    })
    .map(|all| all.into_iter().flatten().collect())
}

/// One effect. Where the place names the track, the effect may leave it out.
pub fn effect(at: &mut Cursor<'_>) -> Option<Effect> {
    Some(Effect {
        act: act(at)?,
        only_if: at.after("if", condition)?,
    })
}

fn act(at: &mut Cursor<'_>) -> Option<Act> {
    if at.words("gain").is_some() {
        let condition = at.name(&[Thing::Condition], "a condition")?;
        let level = at.attempt(amount);
        let lasts = at.attempt(duration);
        return Some(Act::Gain {
            condition,
            level,
            lasts,
        });
    }
    if at.words("lose").is_some() {
        return at
            .name(&[Thing::Condition], "a condition")
            .map(|condition| Act::Lose { condition });
    }
    at.attempt(pass)
        .or_else(|| at.attempt(damage))
        .or_else(|| {
            at.attempt(|at| {
                let moved = moved(at)?;
                movement(at).map(|change| Act::Move(moved, change))
            })
        })
        .or_else(|| movement(at).map(|change| Act::Move(Moved::Here, change)))
}

fn moved(at: &mut Cursor<'_>) -> Option<Moved> {
    let named = at.attempt(|at| at.name(&MOVED, "a track"));
    named
        .map(Moved::Named)
        .or_else(|| expr::in_braces(at).map(Moved::Ref))
}

fn pass(at: &mut Cursor<'_>) -> Option<Act> {
    let seconds = span(at)?;
    at.words("pass").or_else(|| at.words("passes"))?;
    Some(Act::Pass { seconds })
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
    if let Some(steps) = at.attempt(steps) {
        return Some(Move::Steps(steps));
    }
    signed(at).map(|(sign, amount)| Move::By(sign, amount))
}

/// `-1 step`
pub fn steps(at: &mut Cursor<'_>) -> Option<i64> {
    let sign = sign(at)?;
    let many = at.count(STEPS_MAX)?;
    step(at).map(|()| sign.apply(many.into()))
}

pub fn step(at: &mut Cursor<'_>) -> Option<()> {
    at.words("step").or_else(|| at.words("steps"))
}

pub fn sign(at: &mut Cursor<'_>) -> Option<Sign> {
    at.sign('+')
        .map(|()| Sign::Plus)
        .or_else(|| at.sign('-').map(|()| Sign::Minus))
}

/// A sign and the amount after it.
pub fn signed(at: &mut Cursor<'_>) -> Option<(Sign, Expr)> {
    let sign = sign(at)?;
    match amount(at)? {
        // The sign is read already.
        Expr::Number(..0) => at.miss("one sign"),
        amount => Some((sign, amount)),
    }
}

/// A unit of time.
pub fn unit(at: &mut Cursor<'_>) -> Option<Unit> {
    let found = UNITS
        .iter()
        .find(|(one, many, _)| at.words(one).or_else(|| at.words(many)).is_some());
    found.map(|(_, _, unit)| *unit)
}

/// `-2 on checks`, `advantage on attacks against bearer`. `bearer` is the condition's name.
pub fn change(at: &mut Cursor<'_>, bearer: &str) -> Option<Change> {
    let by = if at.words("advantage").is_some() {
        By::Advantage
    } else if at.words("disadvantage").is_some() {
        By::Disadvantage
    } else {
        let many = amount_by_level(at, bearer)?;
        let few = (1..=STEPS_MAX.into()).contains(&many.number.abs());
        if few && at.words("die").or_else(|| at.words("dice")).is_some() {
            By::Dice(many)
        } else if few && step(at).is_some() {
            By::Steps(many)
        } else {
            By::Add(many)
        }
    };
    at.words("on")?;
    let on = at.joined("and", scope)?;
    Some(Change {
        by,
        on,
        against_bearer: at.words("against bearer").is_some(),
    })
}

/// A number with its sign, or the level of this condition.
fn amount_by_level(at: &mut Cursor<'_>, condition: &str) -> Option<Amount> {
    let (sign, amount) = signed(at)?;
    match &amount {
        Expr::Ref(reference)
            if reference.part == Part::Whole && same(&reference.name, condition) =>
        {
            Some(Amount {
                number: sign.apply(1),
                level_of: Some(reference.name.clone()),
            })
        }
        other => match expr::constant(other) {
            Some(number) => Some(Amount {
                number: sign.apply(number),
                level_of: None,
            }),
            None => at.miss("a number, or the condition's own level"),
        },
    }
}

/// An attribute comes before a skill of the same name, a skill before a check.
fn scope(at: &mut Cursor<'_>) -> Option<Scope> {
    let named = [Thing::Attribute, Thing::Skill, Thing::Number, Thing::Check];
    let scope = at
        .attempt(|at| at.name(&named, "what is rolled"))
        .map(
            |name| match named.iter().find(|thing| at.names.has(&name, &[**thing])) {
                Some(Thing::Attribute) => Scope::Attribute(name),
                Some(Thing::Skill | Thing::Number) => Scope::Skill(name),
                _ => Scope::Check(name),
            },
        );
    scope.or_else(
        || match at.one_of(&[("checks", true), ("attacks", false)])? {
            true => Some(Scope::Checks),
            false => Some(Scope::Attacks),
        },
    )
}

/// `1 day, 4 hours and 10 minutes`, in seconds, 1 to [`SPAN_MAX`].
pub fn span(at: &mut Cursor<'_>) -> Option<i64> {
    let mut total: i64 = 0;
    loop {
        let many = at.number()?;
        let seconds = match unit(at)?.seconds() {
            Some(seconds) => many.checked_mul(seconds)?,
            None => return at.miss("a unit of time"),
        };
        total = total.checked_add(seconds)?;
        if at.separator().or_else(|| at.words("and")).is_none() {
            return if (1..=SPAN_MAX).contains(&total) {
                Some(total)
            } else {
                at.miss("from 1 second to 10000 days")
            };
        }
    }
}

/// `for 3 rounds`, `until end of bearer's next turn`.
pub fn duration(at: &mut Cursor<'_>) -> Option<Duration> {
    if at.words("for").is_some() {
        let many = at.count(DURATION_MAX)?;
        return unit(at).map(|unit| Duration::For(many, unit));
    }
    at.words("until")?;
    let succeeds = |at: &mut Cursor<'_>| {
        let name = at.name(&[Thing::Check, Thing::Skill, Thing::Attribute], "a check")?;
        at.words("succeeds").map(|()| Duration::UntilSucceeds(name))
    };
    if let Some(until) = at.attempt(succeeds) {
        return Some(until);
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
    let edge = at.one_of(&EDGES)?;
    if edge == Edge::End
        && let Some(end) = at.one_of(&ENDS)
    {
        return Some(Duration::UntilEnd(end));
    }
    let turn = TURNS.iter().find(|(words, ..)| at.words(words).is_some());
    turn.map(|&(_, of_source, next)| {
        Duration::UntilTurn(Turn {
            edge,
            of_source,
            next,
        })
    })
}
