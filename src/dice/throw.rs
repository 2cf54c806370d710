//! Drawing the dice of one term and settling them.
//!
//! The order of draws is fixed: die by die, each with its rerolls and then its explosions before
//! the next die, so that a record can be rolled again from its faces.

mod rules;
mod settle;

use crate::dice::ast::{Dice, Explosion};
use crate::dice::die::{Die, Faces};
use crate::dice::error::{Code, DiceError};
use crate::dice::limits::Limits;
use crate::dice::roll::{Face, Reason, RolledDie, Special};
use crate::dice::roller::{DrawError, Roller};
use crate::dice::span::Span;

use rules::Rules;
use settle::{clamp, finish, keep};

pub(crate) use rules::{explodes, successes};

/// A roller with a bound on draws.
pub(crate) struct Thrower<'r> {
    pub(crate) roller: &'r mut dyn Roller,
    pub(crate) draws: u64,
}

impl Thrower<'_> {
    /// Rolls the term; every die is settled, kept or dropped, counted and marked.
    pub(crate) fn throw(&mut self, dice: &Dice) -> Result<Vec<RolledDie>, DiceError> {
        let count = usize::try_from(dice.count()).unwrap_or(0);
        let mut rolled = Vec::with_capacity(count);
        let rules = Rules::new(dice);
        let bonus = dice.bonus();
        for _ in 0..count {
            if bonus == 0 {
                self.one(dice, &rules, &mut rolled)?;
            } else {
                rolled.push(self.percentile(bonus, dice.span)?);
            }
        }
        if !dice.modifiers.is_empty() {
            clamp(&mut rolled, &rules);
            keep(&mut rolled, &dice.modifiers);
            finish(&mut rolled, dice);
        }
        Ok(rolled)
    }

    /// One die, its rerolls and its explosions.
    fn one(&mut self, dice: &Dice, rules: &Rules<'_>, rolled: &mut Vec<RolledDie>) -> Result<(), DiceError> {
        let mut die = blank();
        let mut natural = self.settle(dice, rules, Reason::Initial, &mut die)?;
        die.value = natural;
        let Some((explosion, penetrating)) = rules.explosion else {
            rolled.push(die);
            return Ok(());
        };
        let most = match explosion {
            Explosion::Once => 1,
            Explosion::Each | Explosion::Compound => Limits::DEFAULT.chain,
        };
        let mut extras = 0;
        while rules.explodes(natural) {
            if extras == most {
                if explosion != Explosion::Once {
                    die.special.push(Special::Capped);
                }
                break;
            }
            extras += 1;
            if extras == 1 || explosion != Explosion::Compound {
                die.special.push(Special::Exploded);
            }
            if explosion != Explosion::Compound {
                rolled.push(std::mem::replace(&mut die, blank()));
                die.special.push(Special::Extra);
            }
            natural = self.settle(dice, rules, Reason::Explode, &mut die)?;
            die.value += natural - i64::from(penetrating);
        }
        rolled.push(die);
        Ok(())
    }

    /// Draws one face and rerolls it as long as the rules say; the face that stays.
    fn settle(
        &mut self,
        dice: &Dice,
        rules: &Rules<'_>,
        reason: Reason,
        die: &mut RolledDie,
    ) -> Result<i64, DiceError> {
        let mut face = self.draw(rules.faces, dice.span)?;
        die.rolls.push(Face { value: face, reason });
        if !rules.rerolls {
            return Ok(face);
        }
        let mut once_left = true;
        let mut rerolls = 0;
        loop {
            if !rules.rerolled_until(face) {
                if !once_left || !rules.rerolled_once(face) {
                    break;
                }
                once_left = false;
            }
            if rerolls == Limits::DEFAULT.chain {
                die.special.push(Special::Capped);
                break;
            }
            rerolls += 1;
            face = self.draw(rules.faces, dice.span)?;
            die.rolls.push(Face { value: face, reason: Reason::Reroll });
        }
        if rerolls > 0 {
            die.special.push(Special::Rerolled);
        }
        Ok(face)
    }

    /// A percentile die with bonus (positive) or penalty (negative) tens dice.
    fn percentile(&mut self, bonus: i64, span: Span) -> Result<RolledDie, DiceError> {
        let mut die = blank();
        let unit = self.digit(span)?;
        die.rolls.push(Face { value: unit, reason: Reason::Unit });
        let mut best = None;
        for _ in 0..=bonus.unsigned_abs() {
            let tens = self.digit(span)?;
            die.rolls.push(Face { value: tens, reason: Reason::Tens });
            let value = percentile_value(tens, unit);
            best = Some(match best {
                None => value,
                Some(best) if bonus > 0 => value.min(best),
                Some(best) => value.max(best),
            });
        }
        die.value = best.unwrap_or(0);
        Ok(die)
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
        if self.draws <= Limits::DEFAULT.draws {
            return Ok(());
        }
        Err(DiceError::limit("draws", Limits::DEFAULT.draws, span, "100d6!"))
    }
}

/// 00 and 0 is 100.
pub(crate) fn percentile_value(tens: i64, unit: i64) -> i64 {
    match tens * 10 + unit {
        0 => 100,
        value => value,
    }
}

fn blank() -> RolledDie {
    RolledDie { rolls: Vec::with_capacity(1), value: 0, kept: true, counted: None, special: Vec::new() }
}

fn failed(error: DrawError, span: Span) -> DiceError {
    DiceError::new(Code::DrawFailed, span, error.to_string(), "The roll was not made.", "1d20 + 5")
}

/// Whether the die is a percentile die.
pub(crate) fn is_percentile(dice: &Dice) -> bool {
    matches!(dice.die(), Die::Percent)
}
