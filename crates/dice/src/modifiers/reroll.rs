//! Rerolls: `ro1` once, `rr1` until another face falls. Right after each draw, before explosions.
//!
//! Where both match, `rr` rerolls; the one reroll of `ro` is left for a face that only it matches.

use crate::compare::{ComparePoint, Comparison, Int};
use crate::die::Faces;
use crate::error::DiceError;
use crate::limits;
use crate::modifiers::{Bounds, Form, Rule, Spelling, Stage, never_ends};
use crate::record::{Face, Reason, RolledDie, Special};
use crate::text::Span;

/// Faces that are rerolled, and how often.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reroll {
    again: Again,
    point: ComparePoint,
}

/// How often a face is rerolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Again {
    Once,
    Until,
}

const fn spelling(word: &'static str, make: fn(ComparePoint) -> Reroll) -> Spelling<Reroll> {
    Spelling::new(word, Form::Point(Comparison::Equal, make), "2d6ro1")
}

impl Rule for Reroll {
    const STAGE: Stage = Stage::Reroll;
    const SPELLINGS: &'static [Spelling<Self>] = &[
        spelling("ro", |point| Reroll {
            again: Again::Once,
            point,
        }),
        spelling("r", |point| Reroll {
            again: Again::Once,
            point,
        }),
        spelling("rr", |point| Reroll {
            again: Again::Until,
            point,
        }),
    ];

    fn print(&self, out: &mut String) {
        out.push_str(if self.again == Again::Once {
            "ro"
        } else {
            "rr"
        });
        self.point.print(out, Some(Comparison::Equal));
    }

    fn int_mut(&mut self) -> Option<&mut Int> {
        Some(&mut self.point.value)
    }

    fn repeats(&self, earlier: &Self) -> bool {
        self == earlier
    }

    fn check(&self, bounds: &Bounds<'_>, span: Span) -> Result<(), DiceError> {
        if self.again == Again::Until && bounds.faces.iter().all(|face| self.point.matches(face)) {
            return Err(never_ends(span, "Every face is rerolled, for ever."));
        }
        bounds.check_faces(&self.point, span)
    }
}

pub(crate) fn rerolled<'a>(rerolls: impl Iterator<Item = &'a Reroll>, face: i64) -> Option<Again> {
    rerolls
        .filter(|reroll| reroll.point.matches(face))
        .map(|reroll| reroll.again)
        .max()
}

/// Draws again as long as the face that was rolled is rerolled; the face that stays.
pub(crate) fn settle<'a, E>(
    rerolls: impl Iterator<Item = &'a Reroll> + Clone,
    mut face: i64,
    die: &mut RolledDie,
    mut draw: impl FnMut() -> Result<i64, E>,
) -> Result<i64, E> {
    let mut once_left = true;
    let mut count = 0;
    loop {
        match rerolled(rerolls.clone(), face) {
            None => break,
            Some(Again::Once) if !once_left => break,
            Some(Again::Once) => once_left = false,
            Some(Again::Until) => {}
        }
        if count == limits::CHAIN {
            die.special.push(Special::Capped);
            break;
        }
        count += 1;
        face = draw()?;
        die.rolls.push(Face {
            value: face,
            reason: Reason::Reroll,
        });
    }
    if count > 0 {
        die.special.push(Special::Rerolled);
    }
    Ok(face)
}

/// The chances of one die's first settled face, as weights of equally likely faces.
///
/// With `n` faces of which `u` are rerolled until another falls and `o` others once, a face outside
/// both has weight `m + o` of `m * m`, one of the `o` has weight `o`, where `m = n - u`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled {
    pub(crate) faces: usize,
    pub(crate) until: usize,
    pub(crate) once: usize,
}

impl Settled {
    pub(crate) fn new<'a>(
        rerolls: impl Iterator<Item = &'a Reroll> + Clone,
        faces: Faces<'_>,
    ) -> Settled {
        let mut settled = Settled {
            faces: faces.len(),
            until: 0,
            once: 0,
        };
        if rerolls.clone().next().is_none() {
            return settled;
        }
        for face in faces.iter() {
            match rerolled(rerolls.clone(), face) {
                Some(Again::Until) => settled.until += 1,
                Some(Again::Once) => settled.once += 1,
                None => {}
            }
        }
        settled
    }
}

/// The faces of one die after its rerolls with their ways, and the ways of them all. The limit of
/// 100 rerolls is left out: it is reached with a chance below 2^-64, or the expression is refused.
pub(crate) fn odds<'a>(
    rerolls: impl Iterator<Item = &'a Reroll> + Clone,
    faces: Faces<'_>,
) -> (Vec<(i64, u64)>, u64) {
    let settled = Settled::new(rerolls.clone(), faces);
    let small = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let stays = settled.faces - settled.until.min(settled.faces);
    let mut weighted = Vec::with_capacity(settled.faces);
    for face in faces.iter() {
        let ways = match (rerolled(rerolls.clone(), face), settled.once) {
            (Some(Again::Until), _) => continue,
            (_, 0) => 1,
            (Some(Again::Once), once) => small(once),
            (None, once) => small(stays + once),
        };
        weighted.push((face, ways));
    }
    // At most 1000 faces: the square is far from the end of 64 bits.
    let each = small(stays).pow(if settled.once == 0 { 1 } else { 2 });
    (weighted, each)
}
