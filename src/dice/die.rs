//! The kinds of dice.

use crate::dice::text::push_int;
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
}

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
        }
    }

    /// The number of equally likely faces: 20 for a d20, 100 for d%, 3 for dF.
    pub fn sides(&self) -> u32 {
        u32::try_from(self.faces().len()).unwrap_or(u32::MAX)
    }

    /// Each face with the number of times it stands on the die, lowest first.
    pub fn weights(&self) -> Vec<(i64, u32)> {
        let mut faces: Vec<i64> = self.faces().iter().collect();
        faces.sort_unstable();
        let mut weights: Vec<(i64, u32)> = Vec::new();
        for face in faces {
            match weights.last_mut() {
                Some((last, weight)) if *last == face => *weight += 1,
                _ => weights.push((face, 1)),
            }
        }
        weights
    }

    /// Whether a table that allows `other` allows this die: d100 and d% are the same die.
    pub fn same_as(&self, other: &Die) -> bool {
        let percent = |die: &Die| matches!(die, Die::Percent | Die::Sides(100));
        self == other || (percent(self) && percent(other))
    }

    /// Appends `d20`, `d%`, `dF`, `dF.1` or `d{1,1,2}`.
    pub(crate) fn print(&self, out: &mut String) {
        out.push('d');
        match self {
            Die::Sides(sides) => push_int(out, i64::from(*sides)),
            Die::Percent => out.push('%'),
            Die::Fate => out.push('F'),
            Die::FateOne => out.push_str("F.1"),
            Die::Faces(faces) => {
                out.push('{');
                for (index, face) in faces.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    push_int(out, *face);
                }
                out.push('}');
            }
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
