//! Tracks: numbers that play moves, and marks.

use rollbook_dice::Formula;
use rollbook_text::diagnostic::{Place, Span};

pub use crate::grammar::line::{Direction, Start};

/// The name of the game's time among the clocks; no clock of a game may have it.
pub const GAME_TIME: &str = "Game time";

/// A number that play moves: hit points, stress, momentum, a clock.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    pub name: String,
    /// The highest value; none without a maximum.
    pub max: Option<Formula>,
    pub min: Formula,
    pub start: Start<Formula>,
    pub counts: Direction,
    /// Players do not see it. Only for clocks and shared tracks.
    pub hidden: bool,
    /// Points that are added do not add up: the larger number is kept.
    pub keeps_larger: bool,
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
    /// At most one of them is made for a hit.
    pub one_a_hit: bool,
    pub place: Place,
    pub span: Span,
}

/// A kind of mark, which is kept as a track that fills up: `Physical stress (2)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub track: String,
    pub count: i64,
    /// What one of them takes off a hit.
    pub worth: i64,
}

/// The number of a formula that is the same for every character.
pub fn constant(formula: &Formula) -> Option<i64> {
    formula.bind(&mut |_| None).ok()?.constant()
}

impl Track {
    /// Whether its points are given, without maximum, and taken first, like temporary hit points.
    pub fn is_temporary(&self) -> bool {
        self.max.is_none() && self.counts == Direction::Down && self.start == Start::Empty
    }

    /// In a few words: "max 12, starts full".
    pub fn describe(&self) -> String {
        let max = self
            .max
            .as_ref()
            .map_or("no maximum".to_owned(), |max| format!("max {max}"));
        let min = if constant(&self.min) == Some(0) {
            String::new()
        } else {
            format!(", min {}", self.min)
        };
        let start = match &self.start {
            Start::Full => "starts full".to_owned(),
            Start::Empty => "starts empty".to_owned(),
            Start::At(value) => format!("starts at {value}"),
        };
        let counts = match self.counts {
            Direction::Down => "counts down",
            Direction::Up => "counts up",
        };
        let larger = if self.keeps_larger {
            ", keeps the larger"
        } else {
            ""
        };
        format!("{max}{min}, {start}, {counts}{larger}")
    }
}

impl Soak {
    /// In a few words: "soaks 1, 2 and 3 points; one a hit".
    pub fn describe(&self) -> String {
        let marks: Vec<String> = self
            .marks
            .iter()
            .map(|mark| mark.worth.to_string())
            .collect();
        format!(
            "marks that soak {}{}",
            marks.join(", "),
            if self.one_a_hit { "; one a hit" } else { "" }
        )
    }
}
