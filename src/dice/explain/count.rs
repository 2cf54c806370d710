//! Which faces count as successes.

use crate::dice::ast::{Dice, DieSlot, Explosion, Modifier, ModifierKind, Stage};

use crate::dice::compare::{ComparePoint, Comparison, Int};
use crate::dice::explain::die::explosion;
use crate::dice::text::push_int;

/// ` success on 8-10, failure on 1`.
pub(super) fn push_counts(out: &mut String, dice: &Dice) {
    let mut separator = " ";
    for modifier in &dice.modifiers {
        if modifier.kind.stage() == Stage::Count {
            out.push_str(separator);
            push_count(out, dice, modifier);
            separator = ", ";
        }
    }
}

fn push_count(out: &mut String, dice: &Dice, modifier: &Modifier) {
    let (word, point) = match &modifier.kind {
        ModifierKind::Success(point) => ("success on ", Some(point)),
        ModifierKind::Failure(point) => ("failure on ", Some(point)),
        ModifierKind::Double(point) => ("double on ", Some(point)),
        ModifierKind::Even => ("success on even", None),
        ModifierKind::Odd => ("success on odd", None),
        _ => return,
    };
    out.push_str(word);
    if let Some(point) = point {
        push_matching(out, dice, point);
    }
}

/// The faces that meet a comparison, as ranges: `8-10` or `1, 3-6`.
fn push_matching(out: &mut String, dice: &Dice, point: &ComparePoint) {
    let Int::Literal(value) = point.value else {
        return;
    };
    let more = matches!(explosion(dice), Some((Explosion::Compound, _)));
    let faces = match &dice.die {
        DieSlot::Fixed(die) => die.faces(),
        DieSlot::Variable(_) => return,
    };
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
        let open = more && end == high && point.comparison != Comparison::Equal;
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
