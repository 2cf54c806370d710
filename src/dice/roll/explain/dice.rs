//! One dice term in the line: its text, its faces in the order that is asked for, what was kept and counted.

use crate::dice::expression::advantage::mode_of;
use crate::dice::expression::print::print_dice;
use crate::dice::expression::tree::Dice;
use crate::dice::modifiers::explode::Explosion;
use crate::dice::modifiers::sort::Sort;
use crate::dice::modifiers::{Stage, count, keep};
use crate::dice::record::RolledDie;
use crate::dice::roll::explain::die::push_die;
use crate::dice::text::push_int;

pub(super) fn push_dice(out: &mut String, dice: &Dice, rolled: &[RolledDie], kept: &[i64], subtotal: i64) {
    push_title(out, dice);
    out.push_str(": [");
    let sorted = dice.each::<Sort>().next().map(|sort| sort.dice(rolled));
    let shown: &mut dyn Iterator<Item = &RolledDie> = match &sorted {
        Some(sorted) => &mut sorted.iter().copied(),
        None => &mut rolled.iter(),
    };
    for (index, die) in shown.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        push_die(out, die, dice);
    }
    out.push(']');
    keep::explain(out, rolled, kept);
    if dice.counts() {
        let is_open = dice.explosion().is_some_and(|explode| explode.explosion == Explosion::Compound);
        count::explain(out, dice.each(), dice.die().faces(), is_open);
        out.push_str(": ");
        push_int(out, subtotal);
    }
}

/// `4d6kh3`, or `d20(advantage)` for one d20 rolled twice.
fn push_title(out: &mut String, dice: &Dice) {
    match mode_of(dice) {
        None => print_dice(out, dice),
        Some(mode) => {
            out.push_str("d20");
            for modifier in &dice.modifiers {
                if modifier.kind.stage() != Stage::Keep {
                    modifier.kind.print(out);
                }
            }
            out.push('(');
            out.push_str(mode.as_str());
            out.push(')');
        }
    }
}
