//! One dice term in the line: its text, its dice in the order that is asked for and what became of each, what was kept and
//! counted.

use crate::expression::advantage::mode_of;
use crate::expression::print::print_dice;
use crate::expression::tree::Dice;
use crate::modifiers::explode::{Explode, Explosion};
use crate::modifiers::sort::Sort;
use crate::modifiers::{Stage, bonus, clamp, count, keep};
use crate::record::{Reason, RolledDie, Special};
use crate::text::push_int;

/// The dice; those with symbols are called by the name that they have.
pub(super) fn push_dice(
    out: &mut String,
    dice: &Dice,
    (rolled, kept): (&[RolledDie], &[i64]),
    subtotal: i64,
    name: Option<&str>,
) {
    match name {
        Some(name) => {
            push_int(out, dice.count());
            out.push(' ');
            out.push_str(name);
        }
        None => push_title(out, dice),
    }
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

/// What a die showed and what became of it.
fn push_die(out: &mut String, die: &RolledDie, dice: &Dice) {
    if dice.bonus() != 0 {
        bonus::explain(out, die);
    } else {
        push_rolls(out, die, dice);
        clamp::explain(out, die);
    }
    for special in &die.special {
        match special {
            Special::Crit => out.push_str(" crit"),
            Special::Fumble => out.push_str(" fumble"),
            Special::Capped => out.push_str(" capped"),
            // Seen from its faces.
            Special::Rerolled | Special::Exploded | Special::Extra | Special::Raised | Special::Lowered => {}
        }
    }
}

/// `1 -> 4`, `6!`, `6! + 3 = 9`.
fn push_rolls(out: &mut String, die: &RolledDie, dice: &Dice) {
    let explode: Option<&Explode> = dice.explosion();
    let compound = explode.is_some_and(|explode| explode.explosion == Explosion::Compound);
    let mut extra_faces = 0;
    let mut sum = 0;
    let mut last = 0;
    for (index, face) in die.rolls.iter().enumerate() {
        match face.reason {
            Reason::Clamp => continue,
            Reason::Reroll => {
                out.push_str(" -> ");
                sum -= last;
            }
            Reason::Explode => {
                extra_faces += 1;
                out.push_str(if index > 0 { "! + " } else { "" });
            }
            Reason::Initial | Reason::Unit | Reason::Tens => {}
        }
        match dice.die().side(face.value) {
            Some(side) => side.print(out),
            None => push_int(out, face.value),
        }
        sum += face.value;
        last = face.value;
    }
    if !compound && die.special.contains(&Special::Exploded) {
        out.push('!');
    }
    let less = explode.map_or(0, |explode| explode.less() * extra_faces);
    if less > 0 {
        out.push_str(" - ");
        push_int(out, less);
    }
    if less > 0 || (compound && extra_faces > 0) {
        out.push_str(" = ");
        push_int(out, sum - less);
    }
}
