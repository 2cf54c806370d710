//! How an opposed check is decided: `Opposed: higher total that succeeds; ties: actor`.

use std::cmp::Ordering;

use crate::diagnostic::{Diagnostic, Place};
use crate::rules::codes;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::when::Named;

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
    /// The outcome, of the five, whichever row says it.
    Five,
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
            text: "better outcome, then higher margin".to_owned(),
            place: None,
        }
    }
}

impl Opposition {
    /// The names of the values that are compared.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.by.iter().filter_map(|own| match &own.what {
            Compared::Value(name) => Some(name.as_str()),
            Compared::Outcome | Compared::Five | Compared::Margin | Compared::Total | Compared::Successes => None,
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

/// What can be written.
const HELP: &str = "write `better outcome, then higher margin`, `higher total`, `higher total that succeeds`, `most successes` or \
                    `higher {SL}`, a Value of the check (``- Value rank: `{skill}` ``), and behind it `; ties: actor`, `other`, `nobody` or \
                    `again`";

/// Reads it; `values` are those of the check.
///
/// # Errors
/// The words that cannot be read.
pub fn read(label: &Labelled, values: &[Named], ledger: &Ledger<'_>) -> Result<Opposition, String> {
    // In French a space stands before the semicolon.
    let parts = label.value.as_str().trim().trim_end_matches('.').split(';').map(str::trim);
    let text = parts.collect::<Vec<&str>>().join("; ");
    let words = text.replace('`', "").to_lowercase();
    let mut parts = words.split(';').map(str::trim);
    let mut by: Vec<Comparison> = Vec::new();
    let first = parts.next().unwrap_or_default().replace(" then ", ",");
    for part in first.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        by.push(comparison(part.strip_prefix("then ").unwrap_or(part), values).ok_or_else(|| part.to_owned())?);
    }
    let Some(leading) = by.first() else { return Err(text) };
    let heeds_failure = leading.succeeds || matches!(leading.what, Compared::Outcome | Compared::Five);
    let (mut ties, mut failures) = (Ties::Nobody, !heeds_failure);
    for part in parts.filter(|part| !part.is_empty()) {
        let last = part.rsplit([' ', ':']).next().unwrap_or_default();
        let of = |openings: &[&str]| openings.iter().any(|opening| part.starts_with(opening));
        match (of(&["tie", "a tie"]), of(&["two failures", "two who fail", "both fail"])) {
            (true, _) => {
                ties = match last {
                    "actor" => Ties::Actor,
                    "other" | "opponent" | "defender" => Ties::Other,
                    "nobody" | "neither" | "none" => Ties::Nobody,
                    "again" => Ties::Again,
                    _ => return Err(part.to_owned()),
                }
            }
            (false, true) => {
                failures = match last {
                    "rule" => true,
                    "nobody" | "neither" | "none" => false,
                    _ => return Err(part.to_owned()),
                }
            }
            (false, false) => return Err(part.to_owned()),
        }
    }
    Ok(Opposition { by, ties, failures, text, place: Some(ledger.place(label.span)) })
}

/// `higher total that succeeds`, `most successes`, `lower {Strain}`.
fn comparison(words: &str, values: &[Named]) -> Option<Comparison> {
    let words = words.strip_prefix("the ").unwrap_or(words);
    let (what, succeeds) = [" that succeeds", " of those that succeed", " among those that succeed"]
        .iter()
        .find_map(|ending| words.strip_suffix(ending))
        .map_or((words, false), |rest| (rest, true));
    let (how, what) = what.split_once(' ')?;
    let low = match how {
        "higher" | "highest" | "better" | "best" | "larger" | "more" | "most" => false,
        "lower" | "lowest" | "smaller" | "fewer" | "fewest" => true,
        _ => return None,
    };
    let name = what.trim_start_matches('{').trim_end_matches('}').trim();
    let what = match name {
        "outcome" => Compared::Outcome,
        "of the five outcomes" | "of five outcomes" => Compared::Five,
        "margin" => Compared::Margin,
        "total" | "roll" | "result" => Compared::Total,
        "successes" => Compared::Successes,
        name => Compared::Value(values.iter().find(|own| own.is(name))?.name.clone()),
    };
    Some(Comparison { what, low, succeeds })
}

/// Reports one that cannot be read.
pub fn report(label: &Labelled, words: &str, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::error(
            codes::UNREADABLE_OPPOSED,
            format!("how an opposed check is decided cannot be read: `{words}`"),
        )
        .at(label.value.span(), "not understood")
        .because("until then the better outcome wins, then the higher margin")
        .help(HELP),
    );
}
