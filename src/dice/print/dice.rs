//! The canonical text of one dice term: its count, its die and its modifiers, in their written order.
//!
//! Apart from the arithmetic around it, which decides about signs and parentheses and knows of no modifier.

use super::parenthesised;
use crate::dice::ast::{Count, Dice, DieSlot, End, Explosion, Int, Modifier, ModifierKind, Variable};
use crate::dice::compare::{ComparePoint, Comparison};
use crate::dice::text::push_int;

pub(crate) fn print_dice(out: &mut String, dice: &Dice) {
    match &dice.count {
        Count::Int(int) => print_int(out, int),
        Count::Computed(node) => parenthesised(out, node),
    }
    match &dice.die {
        DieSlot::Fixed(die) => die.print(out),
        DieSlot::Variable(variable) => {
            out.push('d');
            print_variable(out, variable);
        }
    }
    for modifier in &dice.modifiers {
        print_modifier(out, modifier);
    }
}

/// Appends `>=8`; the comparison that a bare number means here is left out.
fn print_point(out: &mut String, point: &ComparePoint, bare: Option<Comparison>) {
    if bare != Some(point.comparison) {
        out.push_str(point.comparison.as_str());
    }
    print_int(out, &point.value);
}

pub(crate) fn print_modifier(out: &mut String, modifier: &Modifier) {
    let equal = Some(Comparison::Equal);
    let mut number = |name: &str, int: &Int| {
        out.push_str(name);
        print_int(out, int);
    };
    match &modifier.kind {
        ModifierKind::Keep(End::Highest, int) => number("kh", int),
        ModifierKind::Keep(End::Lowest, int) => number("kl", int),
        ModifierKind::Drop(End::Highest, int) => number("dh", int),
        ModifierKind::Drop(End::Lowest, int) => number("dl", int),
        ModifierKind::Minimum(int) => number("min", int),
        ModifierKind::Maximum(int) => number("max", int),
        ModifierKind::Bonus(int) => number("b", int),
        ModifierKind::Penalty(int) => number("p", int),
        ModifierKind::KeepWhere(point) => print_named_point(out, "k", point, None),
        ModifierKind::DropWhere(point) => print_named_point(out, "d", point, None),
        ModifierKind::RerollOnce(point) => print_named_point(out, "ro", point, equal),
        ModifierKind::RerollUntil(point) => print_named_point(out, "rr", point, equal),
        ModifierKind::Success(point) => {
            print_named_point(out, "t", point, Some(Comparison::AtLeast));
        }
        ModifierKind::Failure(point) => print_named_point(out, "f", point, equal),
        ModifierKind::Double(point) => print_named_point(out, "ds", point, equal),
        ModifierKind::Crit(point) => print_named_point(out, "crit", point, equal),
        ModifierKind::Fumble(point) => print_named_point(out, "fumble", point, equal),
        ModifierKind::Even => out.push_str("even"),
        ModifierKind::Odd => out.push_str("odd"),
        ModifierKind::SortAscending => out.push_str("sa"),
        ModifierKind::SortDescending => out.push_str("sd"),
        ModifierKind::Explode { explosion, penetrating, point } => {
            out.push_str(match explosion {
                Explosion::Each => "!",
                Explosion::Once => "!o",
                Explosion::Compound => "!!",
            });
            if *penetrating {
                out.push('p');
            }
            if let Some(point) = point {
                print_point(out, point, equal);
            }
        }
    }
}

fn print_named_point(out: &mut String, name: &str, point: &ComparePoint, bare: Option<Comparison>) {
    out.push_str(name);
    print_point(out, point, bare);
}

fn print_int(out: &mut String, int: &Int) {
    match int {
        Int::Literal(value) => push_int(out, *value),
        Int::Variable(variable) => print_variable(out, variable),
    }
}

pub(super) fn print_variable(out: &mut String, variable: &Variable) {
    out.push('{');
    out.push_str(&variable.name);
    if let Some(default) = variable.default {
        out.push('=');
        push_int(out, default);
    }
    out.push('}');
}
