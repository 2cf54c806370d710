//! Keep and drop: `kh3`, `kl`, `k>4`, `dh1`, `d=1`. After explosions and clamps, before counting;
//! of dice, and of the sub-totals of a group. On ties the earliest is kept.

use crate::compare::{ComparePoint, Int};
use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::modifiers::{Bounds, Form, Rule, Spelling, Stage};
use crate::record::RolledDie;
use crate::text::{Span, push_list};
use std::cmp::Ordering;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Highest,
    Lowest,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Selection {
    Keep(End, Int),
    KeepWhere(ComparePoint),
    Drop(End, Int),
    DropWhere(ComparePoint),
}

fn highest(count: Int) -> Selection {
    Selection::Keep(End::Highest, count)
}

fn lowest_dropped(count: Int) -> Selection {
    Selection::Drop(End::Lowest, count)
}

const fn spelling(word: &'static str, make: fn(Int) -> Selection) -> Spelling<Selection> {
    Spelling::new(word, Form::HowMany(make), "4d6kh3").of_groups()
}

impl Rule for Selection {
    const STAGE: Stage = Stage::Keep;
    const SPELLINGS: &'static [Spelling<Self>] = &[
        spelling("kh", highest),
        spelling("kl", |count| Selection::Keep(End::Lowest, count)),
        spelling("dh", |count| Selection::Drop(End::Highest, count)),
        spelling("dl", lowest_dropped),
        spelling("ph", |count| Selection::Drop(End::Highest, count)),
        spelling("pl", lowest_dropped),
        Spelling::new(
            "k",
            Form::HowManyOrPoint(highest, Selection::KeepWhere),
            "4d6k=6",
        )
        .of_groups(),
        Spelling::new(
            "d",
            Form::HowManyOrPoint(lowest_dropped, Selection::DropWhere),
            "4d6d=1",
        )
        .of_groups(),
    ];

    fn print(&self, out: &mut String) {
        out.push(
            if matches!(self, Selection::Keep(..) | Selection::KeepWhere(_)) {
                'k'
            } else {
                'd'
            },
        );
        match self {
            Selection::Keep(end, count) | Selection::Drop(end, count) => {
                out.push(if *end == End::Highest { 'h' } else { 'l' });
                count.print(out);
            }
            Selection::KeepWhere(point) | Selection::DropWhere(point) => point.print(out, None),
        }
    }

    fn int_mut(&mut self) -> Option<&mut Int> {
        match self {
            Selection::Keep(_, count) | Selection::Drop(_, count) => Some(count),
            Selection::KeepWhere(point) | Selection::DropWhere(point) => Some(&mut point.value),
        }
    }

    /// Keeps and drops by number are looked at all together, in [`check_all`].
    fn repeats(&self, earlier: &Self) -> bool {
        matches!(earlier, Selection::KeepWhere(_) | Selection::DropWhere(_)) && self == earlier
    }

    fn check(&self, bounds: &Bounds<'_>, span: Span) -> Result<(), DiceError> {
        match self {
            Selection::Keep(..) | Selection::Drop(..) => Ok(()),
            Selection::KeepWhere(point) | Selection::DropWhere(point) => {
                bounds.check_values(point, span)
            }
        }
    }
}

impl Selection {
    /// Which end is kept of so many dice, and how many of them; `None` where a comparison decides.
    pub(crate) fn best(&self, of: usize) -> Option<(End, usize)> {
        match self {
            Selection::Keep(end, count) => Some((*end, size(count))),
            Selection::Drop(End::Highest, count) => {
                Some((End::Lowest, of.saturating_sub(size(count))))
            }
            Selection::Drop(End::Lowest, count) => {
                Some((End::Highest, of.saturating_sub(size(count))))
            }
            Selection::KeepWhere(_) | Selection::DropWhere(_) => None,
        }
    }

    /// The least and the greatest number of dice kept, when between `least` and `most` are there.
    fn kept(&self, (least, most): (i64, i64)) -> (i64, i64) {
        match self {
            Selection::Keep(_, count) => (least.min(count.get()), most.min(count.get())),
            Selection::Drop(_, count) => {
                ((least - count.get()).max(0), (most - count.get()).max(0))
            }
            Selection::KeepWhere(_) | Selection::DropWhere(_) => (0, most),
        }
    }
}

fn size(count: &Int) -> usize {
    usize::try_from(count.get()).unwrap_or(0)
}

/// The least and the greatest number of dice kept by all of these.
pub(crate) fn kept<'a>(
    selections: impl Iterator<Item = &'a Selection>,
    least: i64,
    most: i64,
) -> (i64, i64) {
    selections.fold((least, most), |range, selection| selection.kept(range))
}

/// Refuses selections that contradict each other or the number of dice (or members).
pub(crate) fn check_all<'a>(
    selections: impl Iterator<Item = (&'a Selection, Span)>,
    count: i64,
) -> Result<(), DiceError> {
    let mut dropped = 0;
    let mut earlier: Option<&Selection> = None;
    for (selection, span) in selections {
        if let Some(earlier) = earlier {
            check_pair(earlier, selection, span)?;
        }
        earlier = Some(selection);
        match selection {
            Selection::Keep(_, kept) | Selection::Drop(_, kept) if kept.get() < 1 => {
                let hint = "Write a number from 1, or leave the modifier out.";
                return Err(invalid_keep(span, "Keep or drop at least one.", hint));
            }
            Selection::Keep(_, kept) if kept.get() > count => {
                let hint = "Roll more dice or keep fewer.";
                return Err(
                    invalid_keep(span, "More would be kept than are rolled.", hint)
                        .offering(Rewrite::new("to keep them all").delete(span.range())),
                );
            }
            Selection::Drop(_, drop) => {
                dropped += drop.get();
                if dropped >= count {
                    return Err(invalid_keep(
                        span,
                        "Every die would be dropped.",
                        "Roll more dice or drop fewer.",
                    ));
                }
            }
            Selection::Keep(..) | Selection::KeepWhere(_) | Selection::DropWhere(_) => {}
        }
    }
    Ok(())
}

fn check_pair(earlier: &Selection, later: &Selection, span: Span) -> Result<(), DiceError> {
    let hint = "Write one of the two.";
    match (earlier, later) {
        (Selection::Keep(a, _), Selection::Keep(b, _))
        | (Selection::Drop(a, _), Selection::Drop(b, _))
            if a == b =>
        {
            Err(Fault::new(
                Code::Duplicate,
                span,
                "The same keep or drop is written twice.",
            )
            .hint(hint, "4d6kh3"))
        }
        (Selection::KeepWhere(_), Selection::KeepWhere(_))
        | (Selection::DropWhere(_), Selection::DropWhere(_))
        | (Selection::Drop(..), Selection::Drop(..)) => Ok(()),
        (Selection::Keep(..), Selection::Keep(..)) => Err(invalid_keep(
            span,
            "Highest and lowest cannot both be kept.",
            hint,
        )),
        _ => Err(invalid_keep(
            span,
            "These ways to keep and drop contradict each other.",
            hint,
        )),
    }
}

fn invalid_keep(span: Span, message: &str, hint: &str) -> DiceError {
    Fault::new(Code::InvalidKeep, span, message).hint(hint, "4d6kh3")
}

/// Which of so many items the selections keep, given how two of them compare.
///
/// Drops act one after the other on what is still kept; several `k=` (or `d=`) are one set.
pub(crate) fn select<'a>(
    selections: impl Iterator<Item = &'a Selection> + Clone,
    count: usize,
    compare: &dyn Fn(usize, usize) -> Ordering,
    matches: &dyn Fn(usize, &ComparePoint) -> bool,
) -> Vec<bool> {
    let wanted = |place| is_wanted(selections.clone(), |point| matches(place, point));
    let mut kept: Vec<bool> = (0..count).map(wanted).collect();
    for selection in selections {
        let left = kept.iter().filter(|kept| **kept).count();
        let Some((end, most)) = selection.best(left) else {
            continue;
        };
        for place in ranked(&kept, end, compare).into_iter().skip(most) {
            kept.get_mut(place)
                .into_iter()
                .for_each(|kept| *kept = false);
        }
    }
    kept
}

/// The kept places, best first; ties in their order.
fn ranked(kept: &[bool], end: End, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let places = kept.iter().enumerate();
    let mut order: Vec<usize> = places
        .filter(|(_, kept)| **kept)
        .map(|(place, _)| place)
        .collect();
    order.sort_unstable_by(|a, b| {
        let ordering = if end == End::Highest {
            compare(*b, *a)
        } else {
            compare(*a, *b)
        };
        ordering.then(a.cmp(b))
    });
    order
}

pub(crate) fn apply<'a>(
    selections: impl Iterator<Item = &'a Selection> + Clone,
    rolled: &mut [RolledDie],
) {
    if selections.clone().next().is_none() {
        return;
    }
    let values: Vec<i64> = rolled.iter().map(|die| die.value).collect();
    let value = |place: usize| values.get(place).copied().unwrap_or(0);
    let kept = select(
        selections,
        values.len(),
        &|a, b| value(a).cmp(&value(b)),
        &|place, point| point.matches(value(place)),
    );
    for (die, kept) in rolled.iter_mut().zip(kept) {
        die.kept = kept;
    }
}

/// ` keep 5, 1`, where not all are kept.
pub(crate) fn explain(out: &mut String, rolled: &[RolledDie], kept: &[i64]) {
    if kept.len() < rolled.len() {
        out.push_str(" keep ");
        if kept.is_empty() {
            out.push_str("none");
        }
        push_list(out, kept.iter().copied());
    }
}

/// The ranks that are kept of so many dice; `None` when no rank matters.
pub(crate) fn ranks<'a>(
    selections: impl Iterator<Item = &'a Selection>,
    count: usize,
) -> Option<Range<usize>> {
    let kept = selections
        .filter_map(|selection| selection.best(count))
        .map(|(end, most)| match end {
            End::Highest => 0..most.min(count),
            End::Lowest => count.saturating_sub(most)..count,
        });
    kept.reduce(|one, other| one.start.max(other.start)..one.end.min(other.end))
}

/// Whether the comparisons keep a value, given which of them it meets.
pub(crate) fn is_wanted<'a>(
    selections: impl Iterator<Item = &'a Selection>,
    matches: impl Fn(&ComparePoint) -> bool,
) -> bool {
    let (mut wanted, mut restricted, mut dropped) = (false, false, false);
    for selection in selections {
        match selection {
            Selection::KeepWhere(point) => {
                restricted = true;
                wanted |= matches(point);
            }
            Selection::DropWhere(point) => dropped |= matches(point),
            Selection::Keep(..) | Selection::Drop(..) => {}
        }
    }
    !dropped && (wanted || !restricted)
}
