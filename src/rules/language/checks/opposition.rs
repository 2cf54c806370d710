//! How an opposed check is decided: `Opposed: success, higher total; ties actor`.

use std::cmp::Ordering;

use crate::diagnostic::Place;

/// How an opposed check is decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opposition {
    /// What is compared, the first that differs decides.
    pub by: Vec<Comparison>,
    /// Who wins where nothing differs.
    pub ties: Ties,
    /// Whether two who fail are compared, too; else neither wins.
    pub failures: bool,
    /// The author's words.
    pub text: String,
    /// Where it stands; none: nobody wrote it.
    pub place: Option<Place>,
}

/// Something of both sides that is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// What.
    pub what: Compared,
    /// Whether less of it wins.
    pub low: bool,
    /// Whether who succeeds wins against who fails, whatever either has of it.
    pub succeeds: bool,
}

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// The outcome, and of two rows with the same one the upper.
    Outcome,
    /// The margin; where one has none, what was rolled.
    Margin,
    /// What was rolled.
    Total,
    /// The successes.
    Successes,
    /// A value that the check names.
    Value(String),
}

/// Who wins a tie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    Actor,
    Other,
    Nobody,
    /// Both roll again.
    Again,
}

impl Default for Opposition {
    /// The better outcome, then the higher margin; of two who fail neither wins, as of two who are alike.
    fn default() -> Self {
        let plain = |what| Comparison { what, low: false, succeeds: false };
        Self {
            by: vec![plain(Compared::Outcome), plain(Compared::Margin)],
            ties: Ties::Nobody,
            failures: false,
            text: "better outcome, higher margin".to_owned(),
            place: None,
        }
    }
}

impl Opposition {
    /// The names of the values that are compared.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.by.iter().filter_map(|own| match &own.what {
            Compared::Value(name) => Some(name.as_str()),
            Compared::Outcome | Compared::Margin | Compared::Total | Compared::Successes => None,
        })
    }

    /// Whether what is rolled is compared, beside what the check counts.
    pub fn compares_totals(&self) -> bool {
        self.by.iter().any(|own| own.what == Compared::Total)
    }
}

impl Comparison {
    /// Which of two is the better.
    pub fn order<T: Ord>(&self, mine: T, theirs: T) -> Ordering {
        let order = mine.cmp(&theirs);
        if self.low { order.reverse() } else { order }
    }
}
