//! The values of measures.

use std::collections::BTreeSet;

use super::facts::{DieFacts, Facts};
use crate::grammar::tree::{Among, Choice, Expr, From, Measure, What, Which, Word};
use rollbook_dice::Fraction;

impl Measure {
    /// A word of the whole roll.
    pub fn plain(word: Word) -> Self {
        Self {
            label: None,
            what: What::Word(word),
        }
    }

    /// Whether it is one of these words, of any dice.
    pub fn is_one_of(&self, words: &[Word]) -> bool {
        matches!(&self.what, What::Word(word) if words.contains(word))
    }

    /// The dice of a function.
    pub fn among(&self) -> Option<&Among> {
        if let What::Of(_, among) = &self.what {
            Some(among)
        } else {
            None
        }
    }

    /// Its value; none when it is not known, such as of a group that the Roll does not have.
    pub fn value(&self, facts: &Facts) -> Option<i64> {
        match &self.label {
            None => self.roll_value(facts),
            Some(label) => facts
                .groups
                .contains(label)
                .then(|| self.group_value(label, facts))
                .flatten(),
        }
    }

    fn roll_value(&self, facts: &Facts) -> Option<i64> {
        match &self.what {
            What::Word(Word::Total) => Some(facts.total),
            What::Word(Word::Margin) => facts.margin,
            What::Word(Word::Target) => facts.target,
            What::Word(Word::Pool) => facts.pool,
            What::Word(Word::Beaten) => facts.beaten,
            What::Word(Word::Matches) => facts.matches,
            What::Word(Word::Successes) => facts.successes,
            What::Symbol(letter) => Some(
                facts
                    .symbols
                    .iter()
                    .find(|(known, _)| letter.starts_with(**known))
                    .map_or(0, |(_, many)| *many),
            ),
            _ => self.dice_value(&facts.dice.iter().collect::<Vec<_>>(), facts),
        }
    }

    /// A group without dice, or without kept dice, has the value 0.
    fn group_value(&self, label: &String, facts: &Facts) -> Option<i64> {
        let dice: Vec<&DieFacts> = facts
            .dice
            .iter()
            .filter(|die| die.labels.contains(label))
            .collect();
        let kept = || dice.iter().filter(|die| die.kept);
        match &self.what {
            What::Word(word) if !word.is_of_dice() => None,
            What::Word(Word::Dominates) => Some(i64::from(dominates(label, facts))),
            What::Word(Word::Successes) if kept().next().is_some() => kept()
                .filter_map(|die| die.counted)
                .reduce(i64::saturating_add),
            What::Symbol(letter) => Some(many(
                kept().flat_map(|die| die.symbols.matches(letter.as_str())),
            )),
            What::Of(..) => self.dice_value(&dice, facts),
            _ => Some(self.dice_value(&dice, facts).unwrap_or(0)),
        }
    }

    /// Its value for these dice.
    fn dice_value(&self, dice: &[&DieFacts], facts: &Facts) -> Option<i64> {
        let kept = || dice.iter().filter(|die| die.kept);
        match &self.what {
            What::Word(word) => match word {
                Word::Natural => kept().next().map(|die| die.number.unwrap_or(0)),
                Word::Highest => kept().map(|die| die.value).max(),
                Word::Lowest => kept().map(|die| die.value).min(),
                Word::Dice => Some(many(dice.iter())),
                Word::Width => Some(set(dice, 0).0),
                Word::Height => Some(set(dice, 0).1),
                Word::Doubled => kept().map(|die| die.doubled).reduce(i64::saturating_add),
                Word::Total | Word::Margin | Word::Target | Word::Successes => None,
                Word::Pool | Word::Beaten | Word::Matches | Word::Dominates => None,
            },
            What::Face(face) => Some(many(dice.iter().filter(|die| die.number == Some(*face)))),
            What::Symbol(_) => None,
            What::Of(choice, among) => choice_value(*choice, among, dice, facts),
        }
    }
}

/// Whether no other group has higher dice, the highest compared first; of equals the first leads. A
/// group that contains another's dice (a deck of which two hands are drawn) does not compete.
fn dominates(label: &String, facts: &Facts) -> bool {
    let dice_of = |label: &String| -> BTreeSet<usize> {
        (0..)
            .zip(&facts.dice)
            .filter(|(_, die)| die.labels.contains(label))
            .map(|(at, _)| at)
            .collect()
    };
    let groups: Vec<BTreeSet<usize>> = facts
        .dice
        .iter()
        .flat_map(|die| &die.labels)
        .map(dice_of)
        .collect();
    let is_rival = |group: &&BTreeSet<usize>| {
        !groups
            .iter()
            .any(|other| other.len() < group.len() && other.is_subset(group))
    };
    let faces = |group: &&BTreeSet<usize>| {
        let mut faces: Vec<i64> = group
            .iter()
            .filter_map(|at| facts.dice.get(*at)?.number)
            .collect();
        faces.sort_unstable_by(|one, other| other.cmp(one));
        faces
    };
    // The maximum is the last of equals, which is the first of the roll.
    let first = groups.iter().rev().filter(is_rival).max_by_key(faces);
    first.is_some_and(|group| !faces(&group).is_empty() && *group == dice_of(label))
}

/// The value of a function; none where its choice of dice is not known.
fn choice_value(choice: Choice, among: &Among, dice: &[&DieFacts], facts: &Facts) -> Option<i64> {
    let natural = || dice.iter().find(|die| die.kept);
    let face = || natural().and_then(|die| die.number).unwrap_or(0);
    let of_set = |(width, height): (i64, i64)| {
        if choice == Choice::Width {
            width
        } else {
            height
        }
    };
    Some(match among {
        Among::Natural => natural().map_or(0, |die| die.sides),
        // 100 is rolled as two noughts: both digits are 0.
        Among::Units => face().rem_euclid(10),
        Among::Tens => face().div_euclid(10).rem_euclid(10),
        Among::Set(nth) => of_set(set(dice, usize::from(nth.saturating_sub(1)))),
        Among::Dice { from, which } => {
            let dice = chosen_dice(*from, which.as_ref(), dice, facts)?;
            match choice {
                Choice::Count => many(dice.iter()),
                Choice::Sum => dice
                    .iter()
                    .map(|die| die.value)
                    .fold(0, i64::saturating_add),
                Choice::Size => dice.iter().map(|die| die.sides).max().unwrap_or(0),
                Choice::Width | Choice::Height => of_set(set(&dice, 0)),
                Choice::Digit => return None,
            }
        }
    })
}

fn chosen_dice<'d>(
    from: From,
    which: Option<&Which>,
    dice: &[&'d DieFacts],
    facts: &Facts,
) -> Option<Vec<&'d DieFacts>> {
    let is_from = |die: &&DieFacts| match from {
        From::Kept => die.kept,
        From::All => true,
        From::Dropped => !die.kept,
    };
    let mut all: Vec<&DieFacts> = dice.iter().copied().filter(is_from).collect();
    let many =
        |amount: &Expr| Some(usize::try_from(amount.value(facts)?.floor().whole()?).unwrap_or(0));
    match which {
        None => {}
        Some(Which::Highest(count)) => {
            all.sort_by_key(|die| std::cmp::Reverse((die.value, die.sides)));
            all.truncate(many(count)?);
        }
        Some(Which::Lowest(count)) => {
            all.sort_by_key(|die| (die.value, die.sides));
            all.truncate(many(count)?);
        }
        Some(Which::Showing(range)) => {
            all.retain(|die| die.number.is_some());
            let holds =
                |die: &&DieFacts| range.holds(Fraction::from(die.number.unwrap_or(0)), facts);
            let known: Vec<bool> = all.iter().map(holds).collect::<Option<_>>()?;
            let mut known = known.into_iter();
            all.retain(|_| known.next().unwrap_or(false));
        }
    }
    Some(all)
}

/// How many dice show each face, and the face: the widest first, then the highest.
fn sets(dice: &[&DieFacts]) -> Vec<(i64, i64)> {
    let faces = || dice.iter().filter_map(|die| die.number);
    let mut sets: Vec<(i64, i64)> = faces()
        .map(|face| (many(faces().filter(|other| *other == face)), face))
        .collect();
    sets.sort_unstable_by(|one, other| other.cmp(one));
    sets.dedup();
    sets
}

/// The set at this place, from 0; (0, 0) where there are not that many.
fn set(dice: &[&DieFacts], nth: usize) -> (i64, i64) {
    sets(dice).get(nth).copied().unwrap_or((0, 0))
}

fn many<T>(all: impl Iterator<Item = T>) -> i64 {
    i64::try_from(all.count()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_the_widest_first_and_of_several_the_highest() {
        let dice = DieFacts::showing(&[7, 3, 9, 7, 9, 9, 3]);
        assert_eq!(
            sets(&dice.iter().collect::<Vec<_>>()),
            [(3, 9), (2, 7), (2, 3)]
        );
        assert_eq!(
            (
                set(&[&dice[0], &dice[1]], 1),
                set(&[&dice[0]], 1),
                set(&[], 0)
            ),
            ((1, 3), (0, 0), (0, 0))
        );
    }
}
