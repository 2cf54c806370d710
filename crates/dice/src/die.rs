//! The kinds of dice.

use crate::text::push_int;
use std::collections::BTreeMap;
use std::fmt;

/// One kind of die.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Die {
    /// `d6`: 1 to the number of sides.
    Sides(u32),
    /// `d%`: 1 to 100.
    Percent,
    /// `dF` (also `dF.2`): -1, 0 and 1, each one time in three.
    Fate,
    /// `dF.1`: one minus, one plus and four blanks.
    FateOne,
    /// `d{1,1,2,5}`: these faces, each as likely as its place in the list.
    Faces(Vec<i64>),
    /// `d{-,S,S,SA,2}`: faces with letters (symbols), nothing, numbers. A roll is a place, from 1.
    Symbols(Vec<Side>),
}

/// What is drawn on one side of a die with symbols: a number, symbols, both or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side {
    /// What it is worth; none is worth nothing.
    pub number: Option<i64>,
    /// A capital letter each, repeated as drawn.
    pub symbols: String,
}

/// Sides with rising numbers from which a list of them is written as a run: `2..14H`.
const RUN_MIN: usize = 3;
const FATE: [i64; 3] = [-1, 0, 1];
const FATE_ONE: [i64; 6] = [-1, 0, 0, 0, 0, 1];

/// The equally likely faces of a die.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Faces<'a> {
    /// Every integer from 1 to this one.
    UpTo(i64),
    /// These, in this order.
    List(&'a [i64]),
}

impl Die {
    pub(crate) fn faces(&self) -> Faces<'_> {
        match self {
            Die::Sides(sides) => Faces::UpTo(i64::from(*sides)),
            Die::Percent => Faces::UpTo(100),
            Die::Fate => Faces::List(&FATE),
            Die::FateOne => Faces::List(&FATE_ONE),
            Die::Faces(faces) => Faces::List(faces),
            Die::Symbols(sides) => Faces::UpTo(i64::try_from(sides.len()).unwrap_or(i64::MAX)),
        }
    }

    /// What is drawn on the side that was rolled; none of dice whose faces are numbers.
    pub fn side(&self, face: i64) -> Option<&Side> {
        let Die::Symbols(sides) = self else {
            return None;
        };
        sides.get(usize::try_from(face.checked_sub(1)?).ok()?)
    }

    /// The number on this face: of a card its rank, of symbols alone none.
    pub(crate) fn number(&self, face: i64) -> Option<i64> {
        if self.has_symbols() {
            self.side(face)?.number
        } else {
            Some(face)
        }
    }

    /// What a die is worth that shows this face; with symbols nothing.
    pub(crate) fn worth(&self, face: i64) -> i64 {
        self.number(face).unwrap_or(0)
    }

    /// The least and the greatest that a die is worth.
    pub(crate) fn range(&self) -> (i64, i64) {
        let Die::Symbols(sides) = self else {
            return (self.faces().lowest(), self.faces().highest());
        };
        let worths = || sides.iter().map(|side| side.number.unwrap_or(0));
        (worths().min().unwrap_or(0), worths().max().unwrap_or(0))
    }

    /// Whether there is no number on any of its faces.
    pub fn is_numberless(&self) -> bool {
        matches!(self, Die::Symbols(sides) if sides.iter().all(|side| side.number.is_none()))
    }

    pub(crate) fn has_symbols(&self) -> bool {
        matches!(self, Die::Symbols(_))
    }

    /// The number of equally likely faces: 20 for a d20, 100 for d%, 3 for dF.
    pub fn sides(&self) -> u32 {
        u32::try_from(self.faces().len()).unwrap_or(u32::MAX)
    }

    /// Each face with the number of times it is on the die, lowest first.
    pub fn weights(&self) -> Vec<(i64, u32)> {
        let mut weights: BTreeMap<i64, u32> = BTreeMap::new();
        self.faces()
            .iter()
            .for_each(|face| *weights.entry(face).or_default() += 1);
        weights.into_iter().collect()
    }

    /// Whether a table that allows `other` allows this die: d100 and d% are the same die.
    pub fn same_as(&self, other: &Die) -> bool {
        let percent = |die: &Die| matches!(die, Die::Percent | Die::Sides(100));
        self == other || (percent(self) && percent(other))
    }

    /// Appends `d20`, `d%`, `dF`, `dF.1`, `d{1,1,2}`, `d{-,S,SA}` or `d{2..14H,J}`.
    pub(crate) fn print(&self, out: &mut String) {
        out.push('d');
        match self {
            // `d66` is two dice that are read as digits.
            Die::Sides(sides) if digits(&sides.to_string()).is_some() => {
                out.extend(["(", &sides.to_string(), ")"])
            }
            Die::Sides(sides) => push_int(out, i64::from(*sides)),
            Die::Percent => out.push('%'),
            Die::Fate => out.push('F'),
            Die::FateOne => out.push_str("F.1"),
            Die::Faces(faces) => {
                for (index, face) in faces.iter().enumerate() {
                    out.push(if index == 0 { '{' } else { ',' });
                    push_int(out, *face);
                }
                out.push('}');
            }
            Die::Symbols(sides) => {
                let mut rest = sides.as_slice();
                while let Some(side) = rest.first() {
                    out.push(if rest.len() == sides.len() { '{' } else { ',' });
                    let run = side.run(rest);
                    let last = rest.get(run - 1).filter(|_| run >= RUN_MIN);
                    if let (Some(number), Some(_)) = (side.number, last) {
                        push_int(out, number);
                        out.push_str("..");
                    }
                    out.push_str(&last.unwrap_or(side).to_string());
                    rest = rest
                        .get(if last.is_some() { run } else { 1 }..)
                        .unwrap_or_default();
                }
                out.push('}');
            }
        }
    }
}

/// The sides of each die, and how many there are, where dice are read as digits: `66`, `888`.
pub(crate) fn digits(sides: &str) -> Option<(u32, u32)> {
    let first = sides
        .chars()
        .next()
        .filter(|first| "468".contains(*first))?;
    let is_run = (2..=3).contains(&sides.len()) && sides.chars().all(|digit| digit == first);
    Some((
        first.to_digit(10).filter(|_| is_run)?,
        if sides.len() == 2 { 2 } else { 3 },
    ))
}

impl Side {
    pub(crate) fn new(number: Option<i64>, symbols: &str) -> Self {
        Side {
            number,
            symbols: symbols.to_owned(),
        }
    }

    /// How many of these sides, from the first on, have equal symbols and numbers that rise by one.
    fn run(&self, sides: &[Side]) -> usize {
        let Some(number) = self.number else { return 1 };
        let is_next = |(number, side): &(i64, &Side)| {
            side.number == Some(*number) && side.symbols == self.symbols
        };
        (number..).zip(sides).take_while(is_next).count().max(1)
    }
}

impl fmt::Display for Side {
    /// `SA`, `3`, `10H`, `-` where it is blank.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            Some(number) => write!(f, "{number}{}", self.symbols),
            None => f.write_str(if self.symbols.is_empty() {
                "-"
            } else {
                &self.symbols
            }),
        }
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.print(&mut text);
        f.write_str(&text)
    }
}

impl<'a> Faces<'a> {
    pub(crate) fn len(self) -> usize {
        match self {
            Faces::UpTo(sides) => usize::try_from(sides).unwrap_or(0),
            Faces::List(faces) => faces.len(),
        }
    }

    pub(crate) fn lowest(self) -> i64 {
        match self {
            Faces::UpTo(_) => 1,
            Faces::List(faces) => faces.iter().copied().min().unwrap_or(0),
        }
    }

    pub(crate) fn highest(self) -> i64 {
        match self {
            Faces::UpTo(sides) => sides,
            Faces::List(faces) => faces.iter().copied().max().unwrap_or(0),
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = i64> + 'a {
        let (sides, list): (i64, &[i64]) = match self {
            Faces::UpTo(sides) => (sides, &[]),
            Faces::List(faces) => (0, faces),
        };
        (1..=sides).chain(list.iter().copied())
    }
}
