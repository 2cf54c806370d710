//! One die in a line: what it showed and what became of it.

use crate::dice::expression::tree::Dice;
use crate::dice::modifiers::explode::{Explode, Explosion};
use crate::dice::modifiers::{bonus, clamp};
use crate::dice::record::{Reason, RolledDie, Special};
use crate::dice::text::push_int;

pub(super) fn push_die(out: &mut String, die: &RolledDie, dice: &Dice) {
    if dice.bonus() != 0 {
        bonus::explain(out, die);
    } else {
        push_rolls(out, die, dice.explosion());
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
fn push_rolls(out: &mut String, die: &RolledDie, explode: Option<&Explode>) {
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
        push_int(out, face.value);
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
