//! A line of the rules that was read whole.

use std::fmt::{Display, Formatter, Result};

use super::again::Again;
use super::condition::Condition;
use super::effect::{Change, Duration, Effect};
use super::opposed::Opposition;
use super::tree::{Expr, Range};
use rollbook_dice::Side;

/// A line of one of the sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    Dice(DiceLine),
    Scores(ScoreLine),
    Check(CheckLine),
    Health(HealthLine),
    Condition(ConditionLine),
    Combat(CombatLine),
    Advancement(AdvancementLine),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DiceLine {
    /// Sizes that are used; none: any.
    Sizes(Option<Vec<i64>>),
    Chain(Vec<i64>),
    Die {
        name: String,
        faces: Vec<Side>,
    },
    Deck {
        name: String,
        cards: Cards,
    },
    Symbol {
        letter: char,
        name: String,
    },
    Cancel(Vec<(char, char)>),
    Difficulty {
        name: String,
        is: DifficultyValue,
    },
    Advantage(Added),
    Disadvantage(Added),
    Visibility(ShowingPolicy),
}

/// Who sees a roll unless the call says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShowingPolicy {
    /// Rolls of player characters and their companions, and rolls that name no character.
    pub players: Showing,
    /// Rolls of all other characters.
    pub others: Showing,
}

impl Default for ShowingPolicy {
    fn default() -> Self {
        Self {
            players: Showing::Public,
            others: Showing::Gm,
        }
    }
}

/// How much of a roll players see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// Everything.
    Public,
    /// The character, the check and the outcome's label.
    OutcomeOnly,
    /// That a roll was made.
    Blind,
    /// Nothing.
    Gm,
}

/// The spellings, once for reading and printing.
pub(crate) const SHOWINGS: [(&str, Showing); 4] = [
    ("public", Showing::Public),
    ("outcome only", Showing::OutcomeOnly),
    ("blind", Showing::Blind),
    ("gm", Showing::Gm),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cards {
    pub ranks: Vec<Rank>,
    pub suits: Vec<String>,
    /// Further cards, and how many of each.
    pub more: Vec<(i64, String)>,
    /// Whether drawn cards stay out, and the card after which the deck is shuffled.
    pub stay_out: Option<Option<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rank {
    Numbers(i64, i64),
    Letter(String),
}

/// What a difficulty asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DifficultyValue {
    Number(i64),
    /// A row of the check's table, by its label: a success below it counts as the table's failure.
    Row(String),
}

/// What advantage does to a roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added<T = Expr> {
    /// There is none.
    None,
    /// This is added to the dice.
    Amount(T),
    /// The whole roll instead.
    Roll(T),
}

impl<T> Added<T> {
    /// The dice, if it has any.
    pub fn dice(&self) -> Option<&T> {
        match self {
            Added::None => None,
            Added::Amount(dice) | Added::Roll(dice) => Some(dice),
        }
    }

    /// The same with converted dice; none where `dice` refuses.
    pub fn map<U>(&self, dice: impl FnOnce(&T) -> Option<U>) -> Option<Added<U>> {
        match self {
            Added::None => Some(Added::None),
            Added::Amount(what) => dice(what).map(Added::Amount),
            Added::Roll(what) => dice(what).map(Added::Roll),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScoreLine {
    Range((i64, i64)),
    Modifier(Expr),
    /// An attribute or a skill.
    Declared(Declared),
}

/// `Luck (LCK, 1 to 99, base 3)`
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Declared {
    pub name: String,
    pub short: Option<String>,
    /// Of a skill.
    pub attribute: Option<String>,
    pub range: Option<(i64, i64)>,
    pub base: Option<Expr>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CheckLine {
    Roll(Expr),
    WithNoDice(Expr),
    OpposingDice(Expr),
    Result(Expr),
    Value {
        name: String,
        is: Expr,
    },
    Target {
        amount: Expr,
        or_less: bool,
    },
    Count(Vec<(Range, i64)>),
    Asks(Vec<Ask>),
    While(Condition),
    For(Vec<For>),
    Costs(Vec<Effect>),
    Flag {
        name: String,
        when: Condition,
        after: Option<String>,
    },
    Again(Again),
    OnNatural {
        range: Range,
        steps: i64,
    },
    Opposed(Opposition),
    Advantage(Added),
    Disadvantage(Added),
    Chain(Vec<i64>),
}

/// A value that the call gives: `pool 1 to 20`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    pub name: String,
    pub from: AskedFrom,
}

/// What a call may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedFrom {
    /// A number, from the lowest to the highest.
    Range(i64, i64),
    /// An attribute by its name; the value is what the score is worth.
    Attributes,
    /// A skill by its name; the value is its rating.
    Skills,
    /// Dice, such as `1d6`.
    Dice,
}

impl Ask {
    /// The lowest and the highest number, if it is a number.
    pub fn range(&self) -> Option<(i64, i64)> {
        if let AskedFrom::Range(low, high) = self.from {
            Some((low, high))
        } else {
            None
        }
    }
}

impl Display for AskedFrom {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            AskedFrom::Range(low, high) => write!(to, "{low} to {high}"),
            AskedFrom::Attributes => write!(to, "an attribute"),
            AskedFrom::Skills => write!(to, "a skill"),
            AskedFrom::Dice => write!(to, "dice"),
        }
    }
}

/// What a check is rolled for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum For {
    Attacks,
    Saves,
    Named(String),
}

impl For {
    /// As it is written.
    pub fn words(&self) -> &str {
        match self {
            For::Attacks => "attacks",
            For::Saves => "saves",
            For::Named(name) => name,
        }
    }
}

/// Under Health, Company and Clocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HealthLine {
    Track(Track),
    Soak(Soak),
    Defence(Defence<Expr>),
    /// What a hit is taken from, in order; the call chooses between several in one place. Only for
    /// damage of this `kind`.
    Damage {
        kind: Option<String>,
        from: Vec<Vec<String>>,
    },
    DamageTypes(Vec<String>),
    HalvingUp(bool),
    Trigger {
        when: When,
        effects: Vec<Effect>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Track {
    pub name: String,
    pub min: Expr,
    pub max: Option<Expr>,
    pub start: Start<Expr>,
    pub counts: Direction,
    pub hidden: bool,
    pub keeps_larger: bool,
    /// What happens when it is full, and for each point more than it holds.
    pub full: Option<Vec<Effect>>,
    pub over: Option<Vec<Effect>>,
}

/// Where a track begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start<N> {
    /// At its maximum.
    Full,
    /// At its minimum.
    Empty,
    At(N),
}

/// Which way harm moves a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Hit points: damage takes away.
    Down,
    /// Stress: harm adds.
    Up,
}

/// Marks that take something off a hit: `soak mild 2, moderate 4, one a hit`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Soak {
    pub name: String,
    /// Each mark's name and what it takes off. Without a name, the number is the name.
    pub marks: Vec<(String, i64)>,
    pub one_a_hit: bool,
}

/// A step between damage dealt and damage taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defence<N> {
    /// As the author writes it: "Resistance".
    pub name: String,
    pub does: Against<N>,
    /// The types of damage that it affects; empty: all.
    pub from: Vec<String>,
    /// The types of damage that it does not affect.
    pub except: Vec<String>,
    /// Every character has it; else those whose sheet has its name.
    pub for_all: bool,
    /// The least that it leaves of a hit.
    pub least: Option<N>,
}

/// What a step does to damage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Against<N> {
    /// This is taken off, never below zero.
    Subtract(N),
    /// The damage is multiplied, and rounded as halves are.
    Times(N),
    /// Damage below this number does nothing.
    IgnoreUnder(N),
    Half,
    Double,
    /// Nothing is left.
    None,
}

/// When a line's effects happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum When {
    /// The track reaches the range; without a name, the track above the line.
    At {
        range: Range,
        track: Option<String>,
    },
    OneHit(Range),
    LeftOver(Range),
    DamageAt {
        range: Range,
        track: String,
    },
    Holds(Condition),
    NotSoaked,
    Rest(super::effect::Rest),
    EndOf(super::effect::End),
    /// Seconds of the game's time.
    Each(i64),
    /// A round of a fight ends.
    Round,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConditionLine {
    pub name: String,
    pub levels: Option<(i64, i64)>,
    pub changes: Vec<Change>,
    pub lasts: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CombatLine {
    Fights(Fights),
    /// Seconds.
    Round(i64),
    Ties(Vec<TieBreak>),
    HeldEffects {
        ask: String,
        against: Option<Expr>,
        end_with: Vec<String>,
    },
    Initiative {
        kind: InitiativeKind<Expr>,
        highest_first: bool,
        when: InitiativeWhen,
        by_kind: bool,
    },
}

/// Whether fights have turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fights {
    TurnBased,
    Narrative,
    /// Both: a fight begins with turns, and the GM may change.
    Hybrid,
}

/// What decides between equal numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TieBreak {
    /// The higher score in this attribute, or worth of this skill.
    Higher(String),
    /// Player characters before the others.
    Players,
    /// The one who entered the fight first.
    Entered,
}

/// Where initiative numbers come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InitiativeKind<N> {
    /// Each combatant rolls this, or has this number where it has no dice.
    Each(N),
    /// Whole sides act, and each rolls this.
    PerSide(N),
    /// Cards are drawn.
    Cards,
    /// The GM gives the numbers; without them combatants act in the order of entry.
    Given,
    /// There are no turns.
    None,
}

/// How often initiative is rolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InitiativeWhen {
    #[default]
    OncePerFight,
    EachRound,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AdvancementLine {
    LevelUpAt(Expr),
    Tick(Vec<String>),
    EachTick(Vec<Effect>),
}
