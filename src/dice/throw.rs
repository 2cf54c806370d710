//! Drawing the dice of one term and settling them.
//!
//! The order of draws is fixed: die by die, each with its rerolls and then its explosions before
//! the next die, so that a record can be rolled again from its faces.

use crate::dice::ast::{Dice, Explosion, Modifier, ModifierKind, Stage};
use crate::dice::compare::ComparePoint;
use crate::dice::die::{Die, Faces};
use crate::dice::error::{Code, DiceError};
use crate::dice::limits::Limits;
use crate::dice::roll::{Face, Reason, RolledDie, Special};
use crate::dice::roller::{DrawError, Roller};
use crate::dice::select::select;
use crate::dice::span::Span;

/// A roller with a bound on draws.
pub(crate) struct Thrower<'r> {
    pub(crate) roller: &'r mut dyn Roller,
    pub(crate) draws: u64,
}

/// The modifiers of a term by stage.
struct Rules<'a> {
    modifiers: &'a [Modifier],
    faces: Faces<'a>,
    rerolls: bool,
    explosion: Option<(Explosion, bool)>,
    minimum: Option<i64>,
    maximum: Option<i64>,
}

impl<'a> Rules<'a> {
    fn new(dice: &'a Dice) -> Self {
        let mut rules = Rules {
            modifiers: &dice.modifiers,
            faces: dice.die().faces(),
            rerolls: false,
            explosion: None,
            minimum: None,
            maximum: None,
        };
        for modifier in &dice.modifiers {
            match &modifier.kind {
                ModifierKind::RerollOnce(_) | ModifierKind::RerollUntil(_) => rules.rerolls = true,
                ModifierKind::Explode { explosion, penetrating, .. } => {
                    rules.explosion = Some((*explosion, *penetrating));
                }
                ModifierKind::Minimum(int) => rules.minimum = Some(int.get()),
                ModifierKind::Maximum(int) => rules.maximum = Some(int.get()),
                _ => {}
            }
        }
        rules
    }

    fn rerolled_once(&self, face: i64) -> bool {
        any(self.modifiers, face, |kind| match kind {
            ModifierKind::RerollOnce(point) => Some(point),
            _ => None,
        })
    }

    fn rerolled_until(&self, face: i64) -> bool {
        any(self.modifiers, face, |kind| match kind {
            ModifierKind::RerollUntil(point) => Some(point),
            _ => None,
        })
    }

    fn explodes(&self, face: i64) -> bool {
        explodes(self.modifiers, self.faces, face)
    }
}

fn any(modifiers: &[Modifier], face: i64, point: impl Fn(&ModifierKind) -> Option<&ComparePoint>) -> bool {
    let mut points = modifiers.iter().filter_map(|modifier| point(&modifier.kind));
    points.any(|point| point.matches(face))
}

/// Whether a natural face explodes.
pub(crate) fn explodes(modifiers: &[Modifier], faces: Faces<'_>, face: i64) -> bool {
    modifiers.iter().any(|modifier| match &modifier.kind {
        ModifierKind::Explode { point: Some(point), .. } => point.matches(face),
        ModifierKind::Explode { point: None, .. } => face == faces.highest(),
        _ => false,
    })
}

/// How many successes a value counts.
pub(crate) fn successes(modifiers: &[Modifier], value: i64) -> i64 {
    let mut success = false;
    let mut double = false;
    let mut failure = false;
    for modifier in modifiers {
        match &modifier.kind {
            ModifierKind::Success(point) => success |= point.matches(value),
            ModifierKind::Even => success |= value.rem_euclid(2) == 0,
            ModifierKind::Odd => success |= value.rem_euclid(2) == 1,
            ModifierKind::Double(point) => double |= point.matches(value),
            ModifierKind::Failure(point) => failure |= point.matches(value),
            _ => {}
        }
    }
    let counted = match (double, success) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    };
    counted - i64::from(failure)
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

fn clamp(rolled: &mut [RolledDie], rules: &Rules<'_>) {
    if rules.minimum.is_none() && rules.maximum.is_none() {
        return;
    }
    for die in rolled {
        let clamped = rules.minimum.map_or(die.value, |minimum| die.value.max(minimum));
        let clamped = rules.maximum.map_or(clamped, |maximum| clamped.min(maximum));
        if clamped != die.value {
            let raised = clamped > die.value;
            die.special.push(if raised { Special::Raised } else { Special::Lowered });
            die.rolls.push(Face { value: clamped, reason: Reason::Clamp });
            die.value = clamped;
        }
    }
}

fn keep(rolled: &mut [RolledDie], modifiers: &[Modifier]) {
    if !modifiers.iter().any(|modifier| modifier.kind.stage() == Stage::Keep) {
        return;
    }
    let values: Vec<i64> = rolled.iter().map(|die| die.value).collect();
    let mut kept = vec![true; values.len()];
    let value = |place: usize| values.get(place).copied().unwrap_or(0);
    select(modifiers, &mut kept, &|a, b| value(a).cmp(&value(b)), &|place, point| point.matches(value(place)));
    for (die, kept) in rolled.iter_mut().zip(kept) {
        die.kept = kept;
    }
}

/// Counts successes and sets marks.
fn finish(rolled: &mut [RolledDie], dice: &Dice) {
    let counts = dice.counts();
    let last = dice.modifiers.iter().any(|modifier| modifier.kind.stage() == Stage::Show);
    if !counts && !last {
        return;
    }
    let marked = |face: i64, crit: bool| {
        any(&dice.modifiers, face, |kind| match kind {
            ModifierKind::Crit(point) if crit => Some(point),
            ModifierKind::Fumble(point) if !crit => Some(point),
            _ => None,
        })
    };
    for die in rolled {
        if counts && die.kept {
            die.counted = Some(successes(&dice.modifiers, die.value));
        }
        let natural = die.natural();
        if marked(natural, true) {
            die.special.push(Special::Crit);
        }
        if marked(natural, false) {
            die.special.push(Special::Fumble);
        }
    }
}

/// Whether the die is a percentile die.
pub(crate) fn is_percentile(dice: &Dice) -> bool {
    matches!(dice.die(), Die::Percent)
}
