//! The exact chance of every outcome of a check: the check is resolved once for every way the dice can fall.
//!
//! Nothing is worked out in a second way, so the odds are those of play, whatever the rules say.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use crate::dice::odds::{Ratio, Walker};
use crate::dice::{DrawError, Roller};
use crate::game::chance::Chance;
use crate::game::check::{self, CheckCall};
use crate::game::event::Event;
use crate::game::refusal::Refusal;
use crate::game::state::State;
use crate::game::table::{Setting, Table};
use crate::rules::Outcome;

/// Ways the dice can fall that are looked at; a check with more is refused.
const WAYS_MAX: u64 = 300_000;
/// A way that is one in more than this many is not followed any further: explosions have no end.
const DEPTH_BITS: u64 = 32;

/// The chance of each outcome, and what is left of endless explosions.
#[derive(Debug, Clone, PartialEq)]
pub struct Chances {
    /// The best first; rows of one canonical outcome in the order of the table.
    pub rows: Vec<Row>,
    /// The chance of what was not followed.
    pub cut: Ratio,
}

/// One way a check can end.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// None where the rules leave it to the GM.
    pub outcome: Option<Outcome>,
    /// The author's word for it.
    pub label: Option<String>,
    /// The line that decides: `System.md:31`.
    pub rule: Option<String>,
    /// How likely it is.
    pub chance: Ratio,
}

/// What tells two ends of a check apart, in the order in which they are shown.
type Key = (std::cmp::Reverse<Option<Outcome>>, Option<u32>, Option<String>, Option<String>);
/// How often each size of `1 / ways` came up.
type Parts = BTreeMap<BigUint, u64>;

/// The chances of this call, made by these people. Nothing is rolled, and the state is as it was.
///
/// # Errors
/// Whatever the call would be refused with; `limit_exceeded` when the dice can fall in too many ways.
pub fn chances(state: &State, setting: &Setting, call: &CheckCall) -> Result<Chances, Refusal> {
    let mut state = state.clone();
    let mut dice = Every { walker: Walker::new(usize::MAX), cut: false };
    let mut found: BTreeMap<Key, Parts> = BTreeMap::new();
    let mut cut = Parts::new();
    for _ in 0..WAYS_MAX {
        dice.cut = false;
        let mut table = Table::new(&mut state, setting, &mut dice, 0, 0, None);
        let decided = check::decide(&mut table, call.clone());
        let key = table.own().next().map(|written| match &written.entry.event {
            Event::Check(event) => {
                (std::cmp::Reverse(event.outcome), event.rank, event.label.clone(), written.entry.rule.clone())
            }
            _ => Key::default(),
        });
        table.undo_all();
        let ways = dice.walker.ways();
        match (dice.cut, decided) {
            (true, _) => *cut.entry(ways).or_default() += 1,
            (false, Ok(_)) => *found.entry(key.unwrap_or_default()).or_default().entry(ways).or_default() += 1,
            (false, Err(refusal)) => return Err(refusal),
        }
        if !dice.walker.advance() {
            return Ok(Chances { rows: found.iter().map(row).collect(), cut: sum(&cut) });
        }
    }
    let summary = format!(
        "The dice of this check can fall in more than {WAYS_MAX} ways, which is more than are looked at one by one. \
         Ask for the odds of its expression instead, or of a smaller pool."
    );
    Err(Refusal::new("limit_exceeded", summary))
}

fn row((key, parts): (&Key, &Parts)) -> Row {
    let (outcome, _, label, rule) = key;
    Row { outcome: outcome.0, label: label.clone(), rule: rule.clone(), chance: sum(parts) }
}

fn sum(parts: &Parts) -> Ratio {
    Ratio::sum_of_ways(parts.iter().map(|(ways, times)| (ways, *times)))
}

/// Dice that fall in every way, one after the other; names that nobody sees.
struct Every {
    walker: Walker,
    cut: bool,
}

impl Chance for Every {
    fn roller(&mut self) -> &mut dyn Roller {
        self
    }

    fn roll_id(&mut self, _: i64) -> String {
        String::new()
    }

    fn nonce(&mut self) -> String {
        String::new()
    }

    fn salt(&mut self) -> [u8; 32] {
        [0; 32]
    }
}

impl Roller for Every {
    fn source(&self) -> &'static str {
        self.walker.source()
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        if self.walker.ways().bits() > DEPTH_BITS {
            self.cut = true;
            return Err(DrawError::TooFew { used: 0 });
        }
        self.walker.draw(low, high)
    }
}
