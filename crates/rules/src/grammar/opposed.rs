//! `Opposed: success, higher total; ties actor`: how it is decided where two roll against each other.

use std::cmp::Ordering;

use super::cursor::Cursor;
use super::expr::in_braces;
use super::names::Thing;

/// How an opposed check is decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opposition {
    /// What is compared, the first that differs decides.
    pub by: Vec<Comparison>,
    /// Who wins where nothing differs.
    pub ties: Ties,
    /// Whether two who fail are compared, too; else neither wins.
    pub failures: bool,
}

/// Something of both sides that is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
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
        let by = vec![plain(Compared::Outcome), plain(Compared::Margin)];
        Self { by, ties: Ties::Nobody, failures: false }
    }
}

impl Opposition {
    /// The names of the values that are compared.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.by.iter().filter_map(|own| if let Compared::Value(name) = &own.what { Some(name.as_str()) } else { None })
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

fn compared(at: &mut Cursor<'_>) -> Option<Compared> {
    let words = [("total", Compared::Total), ("margin", Compared::Margin), ("successes", Compared::Successes)];
    let plain = words.into_iter().find_map(|(word, own)| at.words(word).map(|()| own));
    let symbol = |at: &mut Cursor<'_>| at.attempt(|at| at.name(&[Thing::Symbol], "a symbol"));
    let value = |at: &mut Cursor<'_>| in_braces(at).map(|own| own.name);
    plain.or_else(|| symbol(at).or_else(|| value(at)).map(Compared::Value))
}

/// What decides, in order; then who wins a tie, and whether failures are compared.
pub fn opposed(at: &mut Cursor<'_>) -> Option<Opposition> {
    let tie = [
        ("ties actor", Ties::Actor),
        ("ties other", Ties::Other),
        ("ties nobody", Ties::Nobody),
        ("ties again", Ties::Again),
    ];
    let (mut by, mut succeeds): (Vec<Comparison>, bool) = (Vec::new(), false);
    let (mut ties, mut failures) = (None, None);
    loop {
        if ties.is_none() && failures.is_none() && at.words("success").is_some() {
            succeeds = true;
        } else if let Some(own) = at.one_of(&tie).filter(|_| ties.is_none() && !by.is_empty()) {
            ties = Some(own);
        } else if let Some(own) = at.one_of(&[("failures compared", true), ("failures tie", false)])
            && failures.is_none()
            && !by.is_empty()
        {
            failures = Some(own);
        } else if ties.is_none() && failures.is_none() {
            let low = at.one_of(&[("higher", false), ("lower", true)]);
            let what = match low {
                Some(_) => compared(at)?,
                None => at.words("better outcome").map(|()| Compared::Outcome)?,
            };
            by.push(Comparison { what, low: low == Some(true), succeeds });
        } else {
            return at.miss("the end");
        }
        if at.separator().is_none() {
            break;
        }
    }
    // Of two who succeed something has to decide.
    let Some(first) = by.first().filter(|_| by.last().is_some_and(|own| own.succeeds == succeeds)) else {
        return at.miss("`,` and what decides between two who succeed");
    };
    let heeds_failure = first.succeeds || first.what == Compared::Outcome;
    let failures = failures.unwrap_or(!heeds_failure);
    Some(Opposition { by, ties: ties.unwrap_or(Ties::Nobody), failures })
}
