//! Counting dice instead of adding them: `t8`, `even`, `odd`, `f1`, `ds10`. After keep and drop; of
//! dice, and of the sub-totals of a group.

use crate::compare::{ComparePoint, Comparison, Int};
use crate::die::Faces;
use crate::error::DiceError;
use crate::fraction::Fraction;
use crate::modifiers::{Bounds, Form, Rule, Spelling, Stage, no_effect};
use crate::record::RolledDie;
use crate::text::{Span, push_int};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Counting {
    Success(ComparePoint),
    Even,
    Odd,
    /// One success less.
    Failure(ComparePoint),
    /// Two successes.
    Double(ComparePoint),
}

impl Rule for Counting {
    const STAGE: Stage = Stage::Count;
    const SPELLINGS: &'static [Spelling<Self>] = &[
        Spelling::new(
            "t",
            Form::Point(Comparison::AtLeast, Counting::Success),
            "5d10t8",
        )
        .of_groups(),
        Spelling::new(
            "f",
            Form::Point(Comparison::Equal, Counting::Failure),
            "5d10t8f1",
        ),
        Spelling::new(
            "ds",
            Form::Point(Comparison::Equal, Counting::Double),
            "5d10t8ds10",
        ),
        Spelling::new("even", Form::Bare(|| Counting::Even), "5d10even"),
        Spelling::new("odd", Form::Bare(|| Counting::Odd), "5d10odd"),
    ];

    fn print(&self, out: &mut String) {
        let (word, point) = match self {
            Counting::Success(point) => ("t", Some((point, Comparison::AtLeast))),
            Counting::Failure(point) => ("f", Some((point, Comparison::Equal))),
            Counting::Double(point) => ("ds", Some((point, Comparison::Equal))),
            Counting::Even => ("even", None),
            Counting::Odd => ("odd", None),
        };
        out.push_str(word);
        if let Some((point, bare)) = point {
            point.print(out, Some(bare));
        }
    }

    fn int_mut(&mut self) -> Option<&mut Int> {
        match self {
            Counting::Success(point) | Counting::Failure(point) | Counting::Double(point) => {
                Some(&mut point.value)
            }
            Counting::Even | Counting::Odd => None,
        }
    }

    fn repeats(&self, earlier: &Self) -> bool {
        let whole = |counting: &Self| {
            matches!(
                counting,
                Counting::Success(_) | Counting::Even | Counting::Odd
            )
        };
        self == earlier || (whole(self) && whole(earlier))
    }

    fn check(&self, bounds: &Bounds<'_>, span: Span) -> Result<(), DiceError> {
        match self {
            Counting::Success(point) | Counting::Failure(point) | Counting::Double(point) => {
                bounds.check_values(point, span)
            }
            Counting::Even | Counting::Odd => {
                let odd = bounds
                    .faces
                    .iter()
                    .filter(|face| face.rem_euclid(2) == 1)
                    .count();
                let is_same = bounds.is_natural && (odd == 0 || odd == bounds.faces.len());
                if is_same {
                    Err(no_effect(span, "The faces are all even or all odd."))
                } else {
                    Ok(())
                }
            }
        }
    }
}

pub(crate) fn successes<'a>(countings: impl Iterator<Item = &'a Counting>, value: i64) -> i64 {
    let (mut success, mut double, mut failure) = (false, false, false);
    for counting in countings {
        match counting {
            Counting::Success(point) => success |= point.matches(value),
            Counting::Even => success |= value.rem_euclid(2) == 0,
            Counting::Odd => success |= value.rem_euclid(2) == 1,
            Counting::Double(point) => double |= point.matches(value),
            Counting::Failure(point) => failure |= point.matches(value),
        }
    }
    (if double { 2 } else { i64::from(success) }) - i64::from(failure)
}

pub(crate) fn apply<'a>(
    countings: impl Iterator<Item = &'a Counting> + Clone,
    rolled: &mut [RolledDie],
) {
    if countings.clone().next().is_none() {
        return;
    }
    for die in rolled.iter_mut().filter(|die| die.kept) {
        die.counted = Some(successes(countings.clone(), die.value));
    }
}

/// How many successes a sub-total counts, which need not be whole.
pub(crate) fn successes_of(counting: &Counting, value: Fraction) -> i64 {
    match (value.whole(), counting) {
        (Some(value), _) => successes(std::iter::once(counting), value),
        (None, Counting::Success(point)) => i64::from(point.holds(value)),
        (None, Counting::Even | Counting::Odd | Counting::Failure(_) | Counting::Double(_)) => 0,
    }
}

/// The least and the greatest number of successes of so many dice.
pub(crate) fn range<'a>(countings: impl Iterator<Item = &'a Counting>, dice: i64) -> (i64, i64) {
    let (mut low, mut high) = (0, dice);
    for counting in countings {
        match counting {
            Counting::Failure(_) => low = -dice,
            Counting::Double(_) => high = 2 * dice,
            Counting::Success(_) | Counting::Even | Counting::Odd => {}
        }
    }
    (low, high)
}

/// ` success on 8-10, failure on 1`; `is_open` says that a value may pass the highest face.
pub(crate) fn explain<'a>(
    out: &mut String,
    countings: impl Iterator<Item = &'a Counting>,
    faces: Faces<'_>,
    is_open: bool,
) {
    let mut separator = " ";
    for counting in countings {
        out.push_str(separator);
        separator = ", ";
        let (word, point) = match counting {
            Counting::Even => ("success on even", None),
            Counting::Odd => ("success on odd", None),
            Counting::Success(point) => ("success on ", Some(point)),
            Counting::Failure(point) => ("failure on ", Some(point)),
            Counting::Double(point) => ("double on ", Some(point)),
        };
        out.push_str(word);
        point
            .into_iter()
            .for_each(|point| push_matching(out, point, faces, is_open));
    }
}

/// The faces that meet a comparison, as ranges: `8-10` or `1, 3-6`.
fn push_matching(out: &mut String, point: &ComparePoint, faces: Faces<'_>, is_open: bool) {
    let value = point.value.get();
    let (low, high) = (faces.lowest(), faces.highest());
    let ranges: [Option<(i64, i64)>; 2] = match point.comparison {
        Comparison::Equal => [Some((value, value)), None],
        Comparison::NotEqual => [Some((low, value - 1)), Some((value + 1, high))],
        Comparison::Less => [Some((low, value - 1)), None],
        Comparison::AtMost => [Some((low, value)), None],
        Comparison::Greater => [Some((value + 1, high)), None],
        Comparison::AtLeast => [Some((value, high)), None],
    };
    let mut separator = "";
    for (start, end) in ranges.into_iter().flatten() {
        let open = is_open && end == high && point.comparison != Comparison::Equal;
        let end = end.max(if open { start } else { end });
        if start > end {
            continue;
        }
        out.push_str(separator);
        push_int(out, start);
        if open {
            out.push_str(" or more");
        } else if end > start {
            out.push_str(if start < 0 || end < 0 { " to " } else { "-" });
            push_int(out, end);
        }
        separator = ", ";
    }
}
