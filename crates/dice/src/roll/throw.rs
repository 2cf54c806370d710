//! Drawing the dice of one term and settling them: die by die, each with its rerolls and then its
//! explosions before the next. The order is fixed: a record can be rolled again from its faces.

use crate::die::{Die, Faces};
use crate::error::{Code, DiceError, Fault};
use crate::expression::tree::{Check, Dice};
use crate::limits;
use crate::modifiers::clamp::Clamps;
use crate::modifiers::explode::explodes;
use crate::modifiers::{Stage, bonus, count, keep, mark, reroll};
use crate::record::{Face, Reason, RolledDie};
use crate::roll::roller::{DrawError, Roller};
use crate::text::Span;

/// A roller with a bound on draws.
pub(crate) struct Thrower<'r> {
    roller: &'r mut dyn Roller,
    draws: u64,
    /// The dice of which nothing falls twice, with the faces left: all terms of a roll share them.
    decks: Vec<(Die, Vec<i64>)>,
}

impl<'r> Thrower<'r> {
    pub(crate) fn new(roller: &'r mut dyn Roller) -> Self {
        Thrower {
            roller,
            draws: 0,
            decks: Vec::new(),
        }
    }

    /// A check begins: what was drawn for the one before may be drawn again.
    pub(crate) fn begin(&mut self, check: &Check) {
        self.decks.clear();
        let hands = check.hands();
        if !hands.is_empty() {
            self.roller.deal(&hands);
        }
    }

    /// Rolls the term; every die is settled, kept or dropped, counted and marked.
    pub(crate) fn throw(&mut self, dice: &Dice) -> Result<Vec<RolledDie>, DiceError> {
        let count = usize::try_from(dice.count()).unwrap_or(0);
        let mut rolled = Vec::with_capacity(count);
        let faces = dice.die().faces();
        let (rerolls, explosion) = (dice.has(Stage::Reroll), dice.explosion());
        let bonus = dice.bonus();
        for _ in 0..count {
            if bonus != 0 {
                rolled.push(bonus::draw(bonus, || self.digit(dice.span))?);
                continue;
            }
            let mut die = RolledDie::blank();
            if dice.is_unique() {
                die.value = self.draw_left(dice)?;
                die.rolls.push(Face {
                    value: die.value,
                    reason: Reason::Initial,
                });
                rolled.push(die);
                continue;
            }
            let mut settle = |reason, die: &mut RolledDie| {
                let face = self.draw(faces, dice.span)?;
                die.rolls.push(Face {
                    value: face,
                    reason,
                });
                if rerolls {
                    reroll::settle(dice.each(), face, die, || self.draw(faces, dice.span))
                } else {
                    Ok(face)
                }
            };
            die.value = settle(Reason::Initial, &mut die)?;
            let again = |face| explodes(dice.each(), faces, face);
            match explosion.filter(|_| again(die.value)) {
                Some(explode) => {
                    explode.chain(die, &mut rolled, again, |die| settle(Reason::Explode, die))?
                }
                None => rolled.push(die),
            }
        }
        if dice.die().has_symbols() {
            for die in &mut rolled {
                let face = die.natural();
                die.value = dice.die().worth(face);
                die.shows = dice.die().side(face).map(ToString::to_string);
            }
        }
        if !dice.modifiers.is_empty() {
            Clamps::new(dice.each()).apply(&mut rolled);
            keep::apply(dice.each(), &mut rolled);
            count::apply(dice.each(), &mut rolled);
            mark::apply(dice.each(), &mut rolled);
        }
        Ok(rolled)
    }

    /// A face that is left of dice of which nothing falls twice.
    fn draw_left(&mut self, dice: &Dice) -> Result<i64, DiceError> {
        let at = self.decks.iter().position(|(die, _)| die == dice.die());
        let all = || (dice.die().clone(), dice.die().faces().iter().collect());
        let (die, mut left) = at.map_or_else(all, |at| self.decks.swap_remove(at));
        self.note(dice.span)?;
        let face = self
            .roller
            .card(dice.die(), &left)
            .map_err(|error| failed(error, dice.span))?;
        if let Some(place) = left.iter().position(|other| *other == face) {
            left.remove(place);
        }
        self.decks.push((die, left));
        Ok(face)
    }

    fn draw(&mut self, faces: Faces<'_>, span: Span) -> Result<i64, DiceError> {
        self.note(span)?;
        match faces {
            Faces::UpTo(sides) => self.roller.draw(1, sides),
            Faces::List(faces) => self.roller.pick(faces),
        }
        .map_err(|error| failed(error, span))
    }

    fn digit(&mut self, span: Span) -> Result<i64, DiceError> {
        self.note(span)?;
        self.roller.draw(0, 9).map_err(|error| failed(error, span))
    }

    fn note(&mut self, span: Span) -> Result<(), DiceError> {
        self.draws += 1;
        if self.draws <= limits::DRAWS {
            return Ok(());
        }
        Err(DiceError::limit("draws", limits::DRAWS, span, "100d6!"))
    }
}

fn failed(error: DrawError, span: Span) -> DiceError {
    Fault::new(Code::DrawFailed, span, error.to_string()).hint("The roll was not made.", "1d20 + 5")
}
