//! What of the rules no playtest reaches.
//!
//! [`Coverage::of`] lists what the rules declare ([`Item`]); [`Coverage::follow`] looks at each entry that a playtest logged and marks what
//! it came to. A thing is reached when it happened, not when it was expected: a row when it won, a track when it moved, a condition when it
//! came upon somebody.

mod listed;
mod reached;

use listed::Mark;
use rollbook_text::diagnostic::Place;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Check,
    Row,
    FollowUp,
    Track,
    Mitigation,
    Trigger,
    Condition,
    Attack,
    Rest,
    Table,
}

impl Kind {
    /// All of them, in the order of the report.
    pub const ALL: [Kind; 10] = [
        Kind::Check,
        Kind::Row,
        Kind::FollowUp,
        Kind::Track,
        Kind::Mitigation,
        Kind::Trigger,
        Kind::Condition,
        Kind::Attack,
        Kind::Rest,
        Kind::Table,
    ];

    /// The word for one.
    pub fn one(self) -> &'static str {
        match self {
            Kind::Check => "check",
            Kind::Row => "row",
            Kind::FollowUp => "follow-up",
            Kind::Track => "track",
            Kind::Mitigation => "mitigation",
            Kind::Trigger => "trigger",
            Kind::Condition => "condition",
            Kind::Attack => "attack",
            Kind::Rest => "rest",
            Kind::Table => "table",
        }
    }

    /// The word for several.
    pub fn many(self) -> &'static str {
        match self {
            Kind::Check => "checks",
            Kind::Row => "rows",
            Kind::FollowUp => "follow-ups",
            Kind::Track => "tracks",
            Kind::Mitigation => "mitigations",
            Kind::Trigger => "triggers",
            Kind::Condition => "conditions",
            Kind::Attack => "attacks",
            Kind::Rest => "rests",
            Kind::Table => "tables",
        }
    }
}

/// Something that the rules declare.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub kind: Kind,
    /// "Attack", of a row "Attack: Miss, natural 1".
    pub name: String,
    pub place: Place,
    /// The call of a playtest that would reach it.
    pub advice: String,
    pub reached: bool,
    mark: Mark,
}

/// What the rules declare, and what of it was reached so far.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    items: Vec<Item>,
}

impl Coverage {
    /// Everything, in the order of the report.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// How many of a kind were reached, and how many there are.
    pub fn count(&self, kind: Kind) -> (usize, usize) {
        count(self.items.iter().filter(|own| own.kind == kind))
    }

    /// How many of all were reached, and how many there are.
    pub fn total(&self) -> (usize, usize) {
        count(self.items.iter())
    }

    /// How much was reached, in whole percent, rounded down; 100 where nothing is declared.
    pub fn percent(&self) -> u8 {
        let (reached, all) = self.total();
        u8::try_from((reached * 100).checked_div(all).unwrap_or(100)).unwrap_or(100)
    }

    /// "checks 5 of 6, rows 18 of 24"; of kinds that the rules do not have nothing.
    pub fn summary(&self) -> String {
        let counted = Kind::ALL.into_iter().map(|kind| (kind, self.count(kind))).filter(|(_, (_, all))| *all > 0);
        let parts: Vec<String> =
            counted.map(|(kind, (reached, all))| format!("{} {reached} of {all}", kind.many())).collect();
        if parts.is_empty() { "the rules declare nothing".to_owned() } else { parts.join(", ") }
    }

    /// What no playtest reached.
    pub fn missed(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|own| !own.reached)
    }
}

fn count<'i>(items: impl Iterator<Item = &'i Item>) -> (usize, usize) {
    items.fold((0, 0), |(reached, all), own| (reached + usize::from(own.reached), all + 1))
}
