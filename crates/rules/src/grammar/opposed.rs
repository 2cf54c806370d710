//! `Opposed: success, higher total; ties actor`: how two rolls against each other are decided.

use std::cmp::Ordering;

use super::cursor::Cursor;
use super::expr::in_braces;
use super::names::Thing;

/// How an opposed check is decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opposition {
    /// What is compared in order; the first difference decides.
    pub by: Vec<Comparison>,
    /// Who wins without a difference.
    pub ties: Ties,
    /// Whether two failures are compared, too; else neither side wins.
    pub failures: bool,
}

/// One comparison of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    pub what: Compared,
    /// Whether the lower wins.
    pub low: bool,
    /// Whether a success wins against a failure before this is compared.
    pub succeeds: bool,
}

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// The outcome; of two rows with the same outcome the upper wins.
    Outcome,
    /// The margin; where a side has none, the totals.
    Margin,
    Total,
    Successes,
    /// A value of the check.
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
    /// The better outcome, then the higher margin; two failures and ties have no winner.
    fn default() -> Self {
        let plain = |what| Comparison {
            what,
            low: false,
            succeeds: false,
        };
        let by = vec![plain(Compared::Outcome), plain(Compared::Margin)];
        Self {
            by,
            ties: Ties::Nobody,
            failures: false,
        }
    }
}

impl Opposition {
    /// Names of the compared values.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.by
            .iter()
            .filter_map(|comparison| match &comparison.what {
                Compared::Value(name) => Some(name.as_str()),
                Compared::Outcome | Compared::Margin | Compared::Total | Compared::Successes => {
                    None
                }
            })
    }
}

impl Comparison {
    /// Which of the two is better.
    pub fn order<T: Ord>(&self, mine: T, theirs: T) -> Ordering {
        let order = mine.cmp(&theirs);
        if self.low { order.reverse() } else { order }
    }
}

fn compared(at: &mut Cursor<'_>) -> Option<Compared> {
    let words = [
        ("total", Compared::Total),
        ("margin", Compared::Margin),
        ("successes", Compared::Successes),
    ];
    let plain = words
        .into_iter()
        .find_map(|(word, compared)| at.words(word).map(|()| compared));
    let symbol = |at: &mut Cursor<'_>| at.attempt(|at| at.name(&[Thing::Symbol], "a symbol"));
    let value = |at: &mut Cursor<'_>| in_braces(at).map(|reference| reference.name);
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
        } else if let Some(tie) = at.one_of(&tie).filter(|_| ties.is_none() && !by.is_empty()) {
            ties = Some(tie);
        } else if let Some(compare) =
            at.one_of(&[("failures compared", true), ("failures tie", false)])
            && failures.is_none()
            && !by.is_empty()
        {
            failures = Some(compare);
        } else if ties.is_none() && failures.is_none() {
            let low = at.one_of(&[("higher", false), ("lower", true)]);
            let what = match low {
                Some(_) => compared(at)?,
                None => at.words("better outcome").map(|()| Compared::Outcome)?,
            };
            by.push(Comparison {
                what,
                low: low == Some(true),
                succeeds,
            });
        } else {
            return at.miss("the end");
        }
        if at.separator().is_none() {
            break;
        }
    }
    // Something has to decide between two successes.
    let Some(first) = by.first().filter(|_| {
        by.last()
            .is_some_and(|comparison| comparison.succeeds == succeeds)
    }) else {
        return at.miss("`,` and what decides between two who succeed");
    };
    let heeds_failure = first.succeeds || first.what == Compared::Outcome;
    let failures = failures.unwrap_or(!heeds_failure);
    Some(Opposition {
        by,
        ties: ties.unwrap_or(Ties::Nobody),
        failures,
    })
}
