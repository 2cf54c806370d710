//! One dice term in the line: its text, its faces in the order that is asked for, what was kept and counted.

use crate::dice::ast::{Dice, ModifierKind, Stage};
use crate::dice::explain::count::push_counts;
use crate::dice::explain::die::{explosion, push_die};
use crate::dice::print::{print_dice, print_modifier};
use crate::dice::roll::RolledDie;
use crate::dice::text::{push_int, push_list};

pub(super) fn push_dice(out: &mut String, dice: &Dice, rolled: &[RolledDie], kept: &[i64], subtotal: i64) {
    push_title(out, dice);
    out.push_str(": [");
    let explosion = explosion(dice);
    let sorted = sorted(dice, rolled);
    let shown: &mut dyn Iterator<Item = &RolledDie> = match &sorted {
        Some(sorted) => &mut sorted.iter().copied(),
        None => &mut rolled.iter(),
    };
    for (index, die) in shown.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        push_die(out, die, dice.bonus(), explosion);
    }
    out.push(']');
    if kept.len() < rolled.len() {
        out.push_str(" keep ");
        if kept.is_empty() {
            out.push_str("none");
        }
        push_list(out, kept.iter().copied());
    }
    if dice.counts() {
        push_counts(out, dice);
        out.push_str(": ");
        push_int(out, subtotal);
    }
}

/// The dice in the order that a sort asks for.
fn sorted<'a>(dice: &Dice, rolled: &'a [RolledDie]) -> Option<Vec<&'a RolledDie>> {
    let descending = dice.modifiers.iter().find_map(|modifier| match modifier.kind {
        ModifierKind::SortAscending => Some(false),
        ModifierKind::SortDescending => Some(true),
        _ => None,
    })?;
    let mut sorted: Vec<&RolledDie> = rolled.iter().collect();
    match descending {
        true => sorted.sort_by_key(|die| std::cmp::Reverse(die.value)),
        false => sorted.sort_by_key(|die| die.value),
    }
    Some(sorted)
}

/// `4d6kh3`, or `d20(advantage)` for one d20 rolled twice.
fn push_title(out: &mut String, dice: &Dice) {
    match crate::dice::advantage::mode_of(dice) {
        None => print_dice(out, dice),
        Some(mode) => {
            out.push_str("d20");
            for modifier in &dice.modifiers {
                if modifier.kind.stage() != Stage::Keep {
                    print_modifier(out, modifier);
                }
            }
            out.push('(');
            out.push_str(mode.as_str());
            out.push(')');
        }
    }
}
