//! Least and greatest values: `min3`, `max10`. After explosions, which look at the natural face;
//! only the value changes.

use crate::compare::Int;
use crate::error::DiceError;
use crate::modifiers::{Bounds, Form, Rule, Spelling, Stage, no_effect};
use crate::record::{Face, Reason, RolledDie, Special};
use crate::text::{Span, push_int};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Clamp {
    Minimum(Int),
    Maximum(Int),
}

impl Rule for Clamp {
    const STAGE: Stage = Stage::Clamp;
    const SPELLINGS: &'static [Spelling<Self>] = &[
        Spelling::new("min", Form::Number(Clamp::Minimum), "1d20min10"),
        Spelling::new("mi", Form::Number(Clamp::Minimum), "1d20min10"),
        Spelling::new("max", Form::Number(Clamp::Maximum), "1d20max10"),
        Spelling::new("ma", Form::Number(Clamp::Maximum), "1d20max10"),
    ];

    fn print(&self, out: &mut String) {
        let (word, value) = match self {
            Clamp::Minimum(value) => ("min", value),
            Clamp::Maximum(value) => ("max", value),
        };
        out.push_str(word);
        value.print(out);
    }

    fn int_mut(&mut self) -> Option<&mut Int> {
        match self {
            Clamp::Minimum(value) | Clamp::Maximum(value) => Some(value),
        }
    }

    fn repeats(&self, earlier: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(earlier)
    }

    fn check(&self, bounds: &Bounds<'_>, span: Span) -> Result<(), DiceError> {
        let (low, high) = bounds.values;
        match self {
            Clamp::Minimum(least) if least.get() <= low => {
                Err(no_effect(span, "No die can fall below this minimum."))
            }
            Clamp::Maximum(most) if most.get() >= high => {
                Err(no_effect(span, "No die can rise above this maximum."))
            }
            Clamp::Minimum(_) | Clamp::Maximum(_) => Ok(()),
        }
    }
}

/// The least and the greatest value that a term allows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clamps {
    minimum: Option<i64>,
    maximum: Option<i64>,
}

impl Clamps {
    pub(crate) fn new<'a>(clamps: impl Iterator<Item = &'a Clamp>) -> Clamps {
        clamps.fold(Clamps::default(), |all, clamp| match clamp {
            Clamp::Minimum(minimum) => Clamps {
                minimum: Some(minimum.get()),
                ..all
            },
            Clamp::Maximum(maximum) => Clamps {
                maximum: Some(maximum.get()),
                ..all
            },
        })
    }

    /// A value within them; the minimum goes first.
    pub(crate) fn clamped(&self, value: i64) -> i64 {
        let raised = self.minimum.map_or(value, |minimum| value.max(minimum));
        self.maximum.map_or(raised, |maximum| raised.min(maximum))
    }

    pub(crate) fn apply(&self, rolled: &mut [RolledDie]) {
        if self.minimum.is_none() && self.maximum.is_none() {
            return;
        }
        for die in rolled {
            let clamped = self.clamped(die.value);
            if clamped != die.value {
                let raised = clamped > die.value;
                die.special.push(if raised {
                    Special::Raised
                } else {
                    Special::Lowered
                });
                die.rolls.push(Face {
                    value: clamped,
                    reason: Reason::Clamp,
                });
                die.value = clamped;
            }
        }
    }
}

/// ` raised to 3`, where the die was raised or lowered.
pub(crate) fn explain(out: &mut String, die: &RolledDie) {
    if let Some(clamp) = die
        .rolls
        .iter()
        .rev()
        .find(|face| face.reason == Reason::Clamp)
    {
        let raised = die.special.contains(&Special::Raised);
        out.push_str(if raised {
            " raised to "
        } else {
            " lowered to "
        });
        push_int(out, clamp.value);
    }
}
