//! Tracks: what goes down when a character is hurt, or up when they are harried.

use rollbook_dice::Formula;
use rollbook_text::diagnostic::{Place, Span};

pub use crate::grammar::line::{Direction, Start};

/// The name under which the game's time stands among the clocks; no clock of a game may have it.
pub const GAME_TIME: &str = "Game time";

/// A number that play moves: hit points, stress, momentum, a clock.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    pub name: String,
    /// Highest value, over a character's attributes and level; none when there is no top.
    pub max: Option<Formula>,
    /// Lowest value, over the same.
    pub min: Formula,
    pub start: Start<Formula>,
    pub counts: Direction,
    /// Players do not see it: of clocks and shared tracks alone.
    pub hidden: bool,
    /// What is added to it does not add up: the larger stays.
    pub keeps_larger: bool,
    /// It is a clock.
    pub clock: bool,
    pub place: Place,
    pub span: Span,
}

/// Marks that soak hits: `Physical stress: soak 1, 2, one a hit`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Soak {
    pub name: String,
    /// Each kind of mark, the least worth first.
    pub marks: Vec<Mark>,
    /// No more than one of them is made for one hit.
    pub one_a_hit: bool,
    pub place: Place,
    pub span: Span,
}

/// A kind of mark, which is kept as a track that fills up: `Physical stress (2)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The track's name.
    pub track: String,
    pub count: i64,
    /// What one of them takes off a hit.
    pub worth: i64,
}

/// A formula that is one number for everybody.
pub fn constant(formula: &Formula) -> Option<i64> {
    formula.bind(&mut |_| None).ok()?.constant()
}

impl Track {
    /// Points that stand before others and have no end, such as temporary hit points: nobody has any until they are given.
    pub fn is_given(&self) -> bool {
        self.max.is_none() && self.counts == Direction::Down && self.start == Start::Empty
    }

    /// In a few words: "max 12, starts full".
    pub fn describe(&self) -> String {
        let max = self.max.as_ref().map_or("no maximum".to_owned(), |max| format!("max {max}"));
        let min = if constant(&self.min) == Some(0) { String::new() } else { format!(", min {}", self.min) };
        let start = match &self.start {
            Start::Full => "starts full".to_owned(),
            Start::Empty => "starts empty".to_owned(),
            Start::At(value) => format!("starts at {value}"),
        };
        let counts = match self.counts {
            Direction::Down => "counts down",
            Direction::Up => "counts up",
        };
        let larger = if self.keeps_larger { ", keeps the larger" } else { "" };
        format!("{max}{min}, {start}, {counts}{larger}")
    }
}

impl Soak {
    /// In a few words: "soaks 1, 2 and 3 points; one a hit".
    pub fn describe(&self) -> String {
        let marks: Vec<String> = self.marks.iter().map(|own| own.worth.to_string()).collect();
        format!("marks that soak {}{}", marks.join(", "), if self.one_a_hit { "; one a hit" } else { "" })
    }
}
