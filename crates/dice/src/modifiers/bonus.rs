//! Bonus and penalty dice of a percentile die: `d%b2`, `d%p1`. Drawn with the die: the unit, then
//! every tens die; of bonus dice the lowest value is kept, of penalty dice the highest.

use crate::compare::Int;
use crate::error::{Code, DiceError, Fault};
use crate::limits;
use crate::modifiers::{Bounds, Form, Rule, Spelling, Stage, no_effect};
use crate::record::{Face, Reason, RolledDie};
use crate::text::{Span, push_int, push_list};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tens {
    Bonus(Int),
    Penalty(Int),
}

impl Rule for Tens {
    const STAGE: Stage = Stage::Draw;
    const SPELLINGS: &'static [Spelling<Self>] = &[
        Spelling::new(
            "b",
            Form::OfPercentile(|count| Tens::Bonus(count).settled()),
            "1d%b1",
        ),
        Spelling::new(
            "p",
            Form::OfPercentile(|count| Tens::Penalty(count).settled()),
            "1d%p1",
        ),
    ];

    fn print(&self, out: &mut String) {
        let (word, count) = match self {
            Tens::Bonus(count) => ('b', count),
            Tens::Penalty(count) => ('p', count),
        };
        out.push(word);
        count.print(out);
    }

    fn int_mut(&mut self) -> Option<&mut Int> {
        match self {
            Tens::Bonus(count) | Tens::Penalty(count) => Some(count),
        }
    }

    fn check(&self, bounds: &Bounds<'_>, span: Span) -> Result<(), DiceError> {
        let refuse = |span, message: &str, hint: &str| {
            Err(Fault::new(Code::OutOfScopeSyntax, span, message).hint(hint, "1d%b1"))
        };
        let most = limits::PERCENTILE_DICE;
        if !bounds.is_percentile {
            return refuse(
                span,
                "Bonus dice belong to percentile dice.",
                "Write them after d%.",
            );
        }
        if self.signed() == 0 {
            return Err(no_effect(span, "No bonus dice are no bonus."));
        }
        if self.signed().abs() > most {
            return Err(DiceError::limit("bonus dice", most, span, "1d%b2"));
        }
        if bounds.rerolls || bounds.explodes {
            let message = "A percentile die with bonus dice is neither rerolled nor exploded.";
            return refuse(bounds.span, message, "Leave out one of the two.");
        }
        Ok(())
    }
}

impl Tens {
    /// How many: bonus dice above zero, penalty dice below.
    pub(crate) fn signed(&self) -> i64 {
        match self {
            Tens::Bonus(count) => count.get(),
            Tens::Penalty(count) => -count.get(),
        }
    }

    /// Fewer than no bonus dice are penalty dice, and the other way round.
    pub(crate) fn settled(self) -> Self {
        match self {
            Tens::Bonus(Int::Literal(count)) if count < 0 => Tens::Penalty(Int::Literal(-count)),
            Tens::Penalty(Int::Literal(count)) if count < 0 => Tens::Bonus(Int::Literal(-count)),
            other => other,
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        matches!(
            self,
            Tens::Bonus(Int::Literal(0)) | Tens::Penalty(Int::Literal(0))
        )
    }
}

/// Draws a percentile die with bonus (positive) or penalty (negative) dice; `digit` draws 0 to 9.
pub(crate) fn draw<E>(
    bonus: i64,
    mut digit: impl FnMut() -> Result<i64, E>,
) -> Result<RolledDie, E> {
    let mut die = RolledDie::blank();
    let unit = digit()?;
    die.rolls.push(Face {
        value: unit,
        reason: Reason::Unit,
    });
    for _ in 0..=bonus.unsigned_abs() {
        die.rolls.push(Face {
            value: digit()?,
            reason: Reason::Tens,
        });
    }
    let values = die.rolls.iter().skip(1).map(|tens| value(tens.value, unit));
    die.value = if bonus > 0 {
        values.min()
    } else {
        values.max()
    }
    .unwrap_or(0);
    Ok(die)
}

/// 00 and 0 is 100.
fn value(tens: i64, unit: i64) -> i64 {
    if tens == 0 && unit == 0 {
        100
    } else {
        tens * 10 + unit
    }
}

/// `tens 4, 2; unit 3 = 23`.
pub(crate) fn explain(out: &mut String, die: &RolledDie) {
    let faces = |reason| {
        die.rolls
            .iter()
            .filter(move |face| face.reason == reason)
            .map(|face| face.value)
    };
    out.push_str("tens ");
    push_list(out, faces(Reason::Tens));
    out.push_str("; unit ");
    push_list(out, faces(Reason::Unit));
    out.push_str(" = ");
    let clamp = faces(Reason::Clamp).next();
    out.push_str(if clamp.is_some() { "clamped to " } else { "" });
    push_int(out, clamp.unwrap_or(die.value));
}

/// The values of such a die with their ways, and the ways of all; for at most nine such dice.
pub(crate) fn odds(bonus: i64) -> (Vec<(i64, u64)>, u64) {
    let dice = u32::try_from(bonus.unsigned_abs()).unwrap_or(0) + 1;
    let mut faces = Vec::with_capacity(100);
    for unit in 0..10 {
        let mut values: Vec<i64> = (0..10).map(|tens| value(tens, unit)).collect();
        values.sort_unstable();
        if bonus < 0 {
            values.reverse();
        }
        // The best of so many: all at this value or worse, less all worse.
        for (value, worse) in values.into_iter().zip((0..10_u64).rev()) {
            faces.push((value, (worse + 1).pow(dice) - worse.pow(dice)));
        }
    }
    (faces, 10_u64.pow(dice + 1))
}

/// Draws that end with this value: the unit, then the same tens on every die.
pub(crate) fn draws_of(bonus: i64, value: i64) -> Vec<i64> {
    let tens = usize::try_from(bonus.unsigned_abs()).unwrap_or(0) + 1;
    std::iter::once(value % 10)
        .chain(std::iter::repeat_n(value / 10 % 10, tens))
        .collect()
}
