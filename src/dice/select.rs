//! Which dice or sub-totals are kept.

use crate::dice::ast::{End, Modifier, ModifierKind};
use std::cmp::Ordering;

/// Marks in `kept` what the modifiers keep, given how two items compare.
///
/// Drops act one after the other on what is still kept; several `k=` (or `d=`) are one set. On
/// ties the earliest item is kept.
pub(crate) fn select(
    modifiers: &[Modifier],
    kept: &mut [bool],
    compare: &dyn Fn(usize, usize) -> Ordering,
    matches: &dyn Fn(usize, &crate::dice::compare::ComparePoint) -> bool,
) {
    let mut chosen = false;
    for modifier in modifiers {
        match &modifier.kind {
            ModifierKind::Keep(end, count) => {
                let order = ranked(kept, *end, compare);
                drop_all(kept, order.into_iter().skip(size(count.get())));
            }
            ModifierKind::Drop(end, count) => {
                let opposite = match end {
                    End::Highest => End::Lowest,
                    End::Lowest => End::Highest,
                };
                let order = ranked(kept, opposite, compare);
                drop_all(kept, order.into_iter().rev().take(size(count.get())));
            }
            ModifierKind::DropWhere(point) => {
                for (index, kept) in kept.iter_mut().enumerate() {
                    *kept &= !matches(index, point);
                }
            }
            ModifierKind::KeepWhere(point) => {
                for (index, kept) in kept.iter_mut().enumerate() {
                    let earlier = chosen && *kept;
                    *kept = earlier || matches(index, point);
                }
                chosen = true;
            }
            _ => {}
        }
    }
}

fn size(count: i64) -> usize {
    usize::try_from(count).unwrap_or(0)
}

/// The kept places, best first; ties in their order.
fn ranked(kept: &[bool], end: End, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let places = kept.iter().enumerate();
    let mut order: Vec<usize> = places.filter(|(_, kept)| **kept).map(|(place, _)| place).collect();
    order.sort_unstable_by(|a, b| {
        let ordering = match end {
            End::Highest => compare(*b, *a),
            End::Lowest => compare(*a, *b),
        };
        ordering.then(a.cmp(b))
    });
    order
}

fn drop_all(kept: &mut [bool], places: impl Iterator<Item = usize>) {
    for place in places {
        if let Some(kept) = kept.get_mut(place) {
            *kept = false;
        }
    }
}
