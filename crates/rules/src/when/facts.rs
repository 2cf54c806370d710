//! What is known about a roll when its outcome is looked up.

use std::collections::{BTreeMap, BTreeSet};

use crate::grammar::tree::{Measure, Word};
use rollbook_dice::{DieView, Reason, Roll, Term};
use rollbook_text::names::fold;

/// Which totals succeed against a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Succeed {
    /// Those that reach it.
    AtLeast,
    /// Those that do not exceed it.
    AtMost,
}

impl Succeed {
    /// By how much a total succeeds; positive is always good.
    pub fn margin(self, total: i64, target: i64) -> i64 {
        match self {
            Self::AtLeast => total.saturating_sub(target),
            Self::AtMost => target.saturating_sub(total),
        }
    }
}

/// What is known of a roll when its outcome is looked up. A condition on a `None` never holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The roll's total, or the check's Result instead.
    pub total: i64,
    /// The check's Result, if it has one.
    pub result: Option<i64>,
    /// By how much the roll succeeds; positive is always good.
    pub margin: Option<i64>,
    /// The number to reach, or not to exceed.
    pub target: Option<i64>,
    /// Dice that count as successes.
    pub successes: Option<i64>,
    /// How many dice the first dice term asks for.
    pub pool: Option<i64>,
    /// Opposing dice that the total beats; ties lose.
    pub beaten: Option<i64>,
    /// Opposing dice that show the same as another: 1 when two of two are equal.
    pub matches: Option<i64>,
    /// Every die, kept or not, in the order of draws.
    pub dice: Vec<DieFacts>,
    /// How many of each symbol the kept dice show, before cancellations.
    pub symbols: BTreeMap<char, i64>,
    /// The labelled groups of the check's Roll, folded, also those without dice.
    pub groups: BTreeSet<String>,
    /// Numbers that a condition may name, by folded name.
    pub values: BTreeMap<String, i64>,
}

/// A rolled die.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DieFacts {
    /// Its number, unless it shows symbols only.
    pub number: Option<i64>,
    pub value: i64,
    pub sides: i64,
    pub kept: bool,
    /// The successes that it counts.
    pub counted: Option<i64>,
    /// Its last face, doubled for each explosion before it.
    pub doubled: i64,
    /// The letters of the symbols that it shows.
    pub symbols: String,
    /// The folded labels of the groups that it is in.
    pub labels: Vec<String>,
}

impl Facts {
    /// Facts of a roll, with a target if any. The caller adds `beaten`, `matches` and `values`.
    pub fn of_roll(roll: &Roll, target: Option<i64>, succeed: Succeed) -> Self {
        let dice: Vec<DieFacts> = roll.dice().iter().map(DieFacts::new).collect();
        let mut symbols: BTreeMap<char, i64> = BTreeMap::new();
        for letter in dice
            .iter()
            .filter(|die| die.kept)
            .flat_map(|die| die.symbols.chars())
        {
            *symbols.entry(letter).or_default() += 1;
        }
        Self {
            total: roll.total,
            margin: target.map(|target| succeed.margin(roll.total, target)),
            target,
            successes: roll.successes,
            pool: Some(roll.terms.iter().find_map(pool).unwrap_or(0)),
            groups: dice
                .iter()
                .flat_map(|die| die.labels.iter().cloned())
                .collect(),
            symbols,
            dice,
            ..Self::default()
        }
    }

    /// The number on the first kept die; 0 where it shows symbols only.
    pub fn natural(&self) -> Option<i64> {
        Measure::plain(Word::Natural).value(self)
    }
}

impl DieFacts {
    fn new(view: &DieView<'_>) -> Self {
        Self {
            number: view.die.number(),
            value: view.die.value,
            sides: i64::from(view.sides),
            kept: view.kept,
            counted: view.die.counted,
            doubled: doubled(view),
            symbols: view.die.symbols().collect(),
            labels: view.labels.iter().copied().flat_map(group_names).collect(),
        }
    }

    /// Dice that show these numbers.
    #[cfg(test)]
    pub fn showing(numbers: &[i64]) -> Vec<Self> {
        let die = |number: &i64| Self {
            number: Some(*number),
            value: *number,
            kept: true,
            ..Self::default()
        };
        numbers.iter().map(die).collect()
    }
}

/// The last face of a die, doubled for each explosion before it.
fn doubled(view: &DieView<'_>) -> i64 {
    let exploded = view
        .die
        .rolls
        .iter()
        .filter(|face| face.reason == Reason::Explode)
        .count();
    let last = view
        .die
        .rolls
        .iter()
        .rfind(|face| face.reason != Reason::Clamp)
        .map_or(0, |face| face.value);
    let times = u32::try_from(exploded)
        .ok()
        .and_then(|exploded| 2_i64.checked_pow(exploded));
    if exploded == 0 {
        view.die.value
    } else {
        last.saturating_mul(times.unwrap_or(i64::MAX))
    }
}

/// Folded names of the groups in a label: `2d6[hunger][red]` has two, kept by a roll as one text.
pub(crate) fn group_names(label: &str) -> impl Iterator<Item = String> {
    label.split(", ").map(fold)
}

/// How many dice the first dice term asks for; for a group the sum of its members.
fn pool(term: &Term) -> Option<i64> {
    match term {
        Term::Dice { count, .. } => Some(*count),
        Term::Constant { .. } => None,
        Term::Group { terms, .. } => terms.iter().filter_map(pool).reduce(i64::saturating_add),
        Term::Compute { terms, .. } => terms.iter().find_map(pool),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollbook_dice::{ScriptedRoller, parse};

    #[test]
    fn a_roll_shows_its_kept_dice_and_every_face() {
        let roll = parse("4d6kh3 + 2")
            .expect("dice")
            .roll(&mut ScriptedRoller::new([6, 1, 3, 6]))
            .expect("a roll");
        let facts = Facts::of_roll(&roll, Some(15), Succeed::AtLeast);
        assert_eq!((facts.total, facts.margin), (17, Some(2)));
        let words = [
            Word::Natural,
            Word::Highest,
            Word::Lowest,
            Word::Dice,
            Word::Pool,
        ];
        assert_eq!(
            words.map(|word| Measure::plain(word).value(&facts)),
            [6, 6, 3, 4, 4].map(Some)
        );
        assert_eq!(
            Facts::of_roll(&roll, Some(20), Succeed::AtMost).margin,
            Some(3)
        );
    }
}
