//! One die in a line: what it showed and what became of it.

use crate::dice::ast::{Dice, Explosion, ModifierKind};
use crate::dice::roll::{Reason, RolledDie, Special};
use crate::dice::text::{push_int, push_list};

pub(super) fn push_die(out: &mut String, die: &RolledDie, bonus: i64, explosion: Option<(Explosion, bool)>) {
    if bonus != 0 {
        push_percentile(out, die);
    } else {
        push_rolls(out, die, explosion);
    }
    for special in &die.special {
        match special {
            Special::Crit => out.push_str(" crit"),
            Special::Fumble => out.push_str(" fumble"),
            Special::Capped => out.push_str(" capped"),
            _ => {}
        }
    }
}

fn push_rolls(out: &mut String, die: &RolledDie, explosion: Option<(Explosion, bool)>) {
    let compound = matches!(explosion, Some((Explosion::Compound, _)));
    let mut clamp = None;
    let mut extra_faces = 0;
    let mut sum = 0;
    let mut last = 0;
    for (index, face) in die.rolls.iter().enumerate() {
        match face.reason {
            Reason::Clamp => {
                clamp = Some(face.value);
                continue;
            }
            Reason::Reroll => {
                out.push_str(" -> ");
                sum -= last;
            }
            Reason::Explode => {
                extra_faces += 1;
                out.push_str(if index > 0 { "! + " } else { "" });
            }
            _ => {}
        }
        push_int(out, face.value);
        sum += face.value;
        last = face.value;
    }
    if !compound && die.special.contains(&Special::Exploded) {
        out.push('!');
    }
    let penetrating = matches!(explosion, Some((_, true)));
    let less = if penetrating { extra_faces } else { 0 };
    if less > 0 {
        out.push_str(" - ");
        push_int(out, less);
    }
    if less > 0 || (compound && extra_faces > 0) {
        out.push_str(" = ");
        push_int(out, sum - less);
    }
    if let Some(clamp) = clamp {
        let raised = die.special.contains(&Special::Raised);
        out.push_str(if raised { " raised to " } else { " lowered to " });
        push_int(out, clamp);
    }
}

/// How the dice explode, and whether each extra face counts one less.
pub(super) fn explosion(dice: &Dice) -> Option<(Explosion, bool)> {
    dice.modifiers.iter().find_map(|modifier| match modifier.kind {
        ModifierKind::Explode { explosion, penetrating, .. } => Some((explosion, penetrating)),
        _ => None,
    })
}

/// `tens 4, 2; unit 3 = 23`.
fn push_percentile(out: &mut String, die: &RolledDie) {
    let of = |reason| die.rolls.iter().filter(move |face| face.reason == reason).map(|face| face.value);
    out.push_str("tens ");
    push_list(out, of(Reason::Tens));
    out.push_str("; unit ");
    push_list(out, of(Reason::Unit));
    out.push_str(" = ");
    match of(Reason::Clamp).next() {
        None => push_int(out, die.value),
        Some(clamp) => {
            out.push_str("clamped to ");
            push_int(out, clamp);
        }
    }
}
