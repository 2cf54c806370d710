//! Explosions: `!` rolls a die more, `!o` once, `!!` adds to the same die; with `p` each extra face
//! counts one less. After rerolls, die by die; a die made by one is settled by the same rules.

use crate::compare::{ComparePoint, Comparison, Int};
use crate::die::Faces;
use crate::error::DiceError;
use crate::limits;
use crate::modifiers::{Bounds, Form, Rule, Spelling, Stage, never_ends, no_effect};
use crate::record::{RolledDie, Special};
use crate::text::Span;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Explode {
    pub(crate) explosion: Explosion,
    /// Each extra die counts one less.
    pub(crate) penetrating: bool,
    /// `None`: on the highest face.
    point: Option<ComparePoint>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Explosion {
    /// Each extra die is a separate one and may explode again.
    Each,
    /// One extra die, which does not explode.
    Once,
    /// Extra faces are added to the die.
    Compound,
}

const fn spelling(
    word: &'static str,
    make: fn(Option<ComparePoint>) -> Explode,
) -> Spelling<Explode> {
    Spelling::new(word, Form::AnyPoint(make), "4d6!6")
}

fn exploding(explosion: Explosion, penetrating: bool, point: Option<ComparePoint>) -> Explode {
    Explode {
        explosion,
        penetrating,
        point,
    }
}

impl Rule for Explode {
    const STAGE: Stage = Stage::Explode;
    const SPELLINGS: &'static [Spelling<Self>] = &[
        spelling("!", |point| exploding(Explosion::Each, false, point)),
        spelling("x", |point| exploding(Explosion::Each, false, point)),
        spelling("e", |point| exploding(Explosion::Each, false, point)),
        spelling("!o", |point| exploding(Explosion::Once, false, point)),
        spelling("xo", |point| exploding(Explosion::Once, false, point)),
        spelling("!!", |point| exploding(Explosion::Compound, false, point)),
        spelling("!p", |point| exploding(Explosion::Each, true, point)),
        spelling("!!p", |point| exploding(Explosion::Compound, true, point)),
    ];

    fn print(&self, out: &mut String) {
        out.push_str(match self.explosion {
            Explosion::Each => "!",
            Explosion::Once => "!o",
            Explosion::Compound => "!!",
        });
        if self.penetrating {
            out.push('p');
        }
        if let Some(point) = &self.point {
            point.print(out, Some(Comparison::Equal));
        }
    }

    fn int_mut(&mut self) -> Option<&mut Int> {
        self.point.as_mut().map(|point| &mut point.value)
    }

    /// Several faces may explode, all in the same way.
    fn repeats(&self, earlier: &Self) -> bool {
        let same = self.explosion == earlier.explosion && self.penetrating == earlier.penetrating;
        match (&earlier.point, &self.point) {
            (Some(one), Some(other)) => !same || one == other,
            _ => true,
        }
    }

    fn check(&self, bounds: &Bounds<'_>, span: Span) -> Result<(), DiceError> {
        let once = self.explosion == Explosion::Once;
        let all = bounds
            .faces
            .iter()
            .all(|face| self.explodes(bounds.faces, face));
        match &self.point {
            _ if all && !once => Err(never_ends(span, "Every face explodes, for ever.")),
            Some(point) => bounds.check_faces(point, span),
            None if all => Err(no_effect(span, "Every face explodes.")),
            None => Ok(()),
        }
    }
}

impl Explode {
    /// How many extra dice or faces one die may get at most.
    pub(crate) fn extra_max(&self) -> u32 {
        match self.explosion {
            Explosion::Once => 1,
            Explosion::Each | Explosion::Compound => limits::CHAIN,
        }
    }

    pub(crate) fn less(&self) -> i64 {
        i64::from(self.penetrating)
    }

    fn explodes(&self, faces: Faces<'_>, face: i64) -> bool {
        match &self.point {
            Some(point) => point.matches(face),
            None => face == faces.highest(),
        }
    }

    /// The least and the greatest value of a die that explodes up to so often.
    pub(crate) fn values(&self, (low, high): (i64, i64), extra: i64) -> (i64, i64) {
        let less = self.less();
        if self.explosion != Explosion::Compound {
            return (low - less, high);
        }
        let low_extra = low.saturating_add((low - less).saturating_mul(extra));
        (
            low.min(low_extra),
            high.saturating_add((high - less).saturating_mul(extra).max(0)),
        )
    }

    /// Rolls what a die explodes into, and notes it all. `extra` draws one more face for a die,
    /// `again` says whether it explodes, too.
    pub(crate) fn chain<E>(
        &self,
        mut die: RolledDie,
        rolled: &mut Vec<RolledDie>,
        again: impl Fn(i64) -> bool,
        mut extra: impl FnMut(&mut RolledDie) -> Result<i64, E>,
    ) -> Result<(), E> {
        let compound = self.explosion == Explosion::Compound;
        let mut extras = 0;
        loop {
            if extras == self.extra_max() {
                if self.explosion != Explosion::Once {
                    die.special.push(Special::Capped);
                }
                break;
            }
            extras += 1;
            if extras == 1 || !compound {
                die.special.push(Special::Exploded);
            }
            if !compound {
                rolled.push(std::mem::replace(&mut die, RolledDie::blank()));
                die.special.push(Special::Extra);
            }
            let natural = extra(&mut die)?;
            die.value += natural - self.less();
            if !again(natural) {
                break;
            }
        }
        rolled.push(die);
        Ok(())
    }
}

pub(crate) fn explodes<'a>(
    mut all: impl Iterator<Item = &'a Explode>,
    faces: Faces<'_>,
    face: i64,
) -> bool {
    all.any(|explode| explode.explodes(faces, face))
}
