//! What following a roll adds to it and what it costs: `adds one stress die`, `costs 1 stress`, `costs 1 health for each base 1`.

use super::row_move::RowMove;
use super::some_dice::SomeDice;
use crate::diagnostic::Place;
use crate::dice::Expression;
use crate::names::fold;
use crate::rules::document::Text;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::number_words::counted;
use crate::rules::language::rests::RestEffect;

/// Dice that are added to a roll that is followed; they are rolled with those that are rolled again.
#[derive(Debug, Clone, PartialEq)]
pub struct Added {
    /// The folded label of the group that they belong to.
    pub label: String,
    /// How many.
    pub count: i64,
    /// The same as dice: `1d6[stress]`; none until the Roll is known, and where it has no such group.
    pub dice: Option<Expression>,
}

/// What somebody who follows a roll pays.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// How many points, at least 1.
    pub count: u8,
    /// For each of which dice of the new roll; none: once.
    pub each: Option<SomeDice>,
    /// What is paid; none until tracks are known.
    pub moves: Option<RowMove>,
    /// The name of what is paid, as the author writes it.
    pub(in crate::rules) what: Text,
    place: Place,
}

/// The most dice that one follow-up adds, and the most points that it costs.
const MOST: i64 = 20;

impl Added {
    /// `one stress die`, `2 stress dice`.
    pub fn read(words: &str) -> Option<Self> {
        let folded = fold(words);
        let (count, rest) = folded.split_once(' ')?;
        let label = rest.strip_suffix(" die").or_else(|| rest.strip_suffix(" dice"))?.trim();
        Some(Self { label: label.to_owned(), count: number(count)?, dice: None })
    }

    /// In a few words: `adds 1d6[stress]`.
    pub fn describe(&self) -> String {
        match &self.dice {
            Some(dice) => format!("adds {dice}"),
            None => format!("adds {} {} {}", self.count, self.label, if self.count == 1 { "die" } else { "dice" }),
        }
    }
}

impl Cost {
    /// `1 stress`, `1 health for each base 1`.
    pub fn read(words: &Text, ledger: &Ledger<'_>) -> Option<Self> {
        let (paid, each) = match words.split_at_any(&[" for each ", " for every ", " per ", " each "]) {
            Some((paid, dice)) => (paid, Some(dice)),
            None => (words.clone(), None),
        };
        let each = match each.map(|dice| SomeDice::read_all(dice.as_str())) {
            None => None,
            Some(Some(all)) => match <[SomeDice; 1]>::try_from(all) {
                Ok([only]) => Some(only),
                Err(_) => return None,
            },
            Some(None) => return None,
        };
        let (count, what) = paid.split_at_any(&[" "])?;
        let count = u8::try_from(number(&fold(count.as_str()))?).ok()?;
        Some(Self { count, each, moves: None, what: what.trim(), place: ledger.place(words.span()) })
    }

    /// The move that it is, once it is known what is called so: `track`, and whether all share it.
    pub fn moves(&self, track: &str, shared: bool) -> RowMove {
        RowMove {
            effect: RestEffect::Marks { track: track.to_owned(), count: u32::from(self.count) },
            shared,
            amount: 0,
            value: None,
            fills: false,
            text: self.describe(),
            place: self.place.clone(),
        }
    }

    /// What is paid for so many of its dice; none where that is nothing, or where nothing is called so.
    pub fn times(&self, dice: usize) -> Option<RowMove> {
        let own = self.moves.clone()?;
        let times = if self.each.is_some() { dice } else { 1 };
        let count = u32::try_from(usize::from(self.count).saturating_mul(times)).unwrap_or(u32::MAX);
        let track = own.effect.track().to_owned();
        (count > 0).then_some(RowMove { effect: RestEffect::Marks { track, count }, ..own })
    }

    /// In a few words: "costs 1 stress".
    pub fn describe(&self) -> String {
        let each = self.each.as_ref().map(|dice| format!(" for each of the {}", dice.describe()));
        format!("costs {} {}{}", self.count, self.what.as_str(), each.unwrap_or_default())
    }
}

/// A small number, in letters or digits.
fn number(word: &str) -> Option<i64> {
    counted(word, 1..=MOST)
}
