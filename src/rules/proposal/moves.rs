//! Moves in sentences: 10+, 7-9 and 6-, with the check that decides them.

use super::attributes::Want;
use super::look::{Left, Look, Proposal};
use crate::rules::language::section::SectionKind;
use crate::rules::lint::moves;

/// The checks, the names that they add, and what is not offered.
pub(super) fn proposals(look: &Look<'_>) -> (Vec<Proposal>, Vec<Want>, Vec<Left>) {
    let (mut all, mut wants, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for told in moves(look.outline, look.system, look.limits.blocks, true) {
        if told.says_more {
            left.push(Left::new(told.first, Left::SAYS_MORE));
            continue;
        }
        if told.name.is_empty() {
            left.push(Left::new(told.first, Left::NAMELESS));
            continue;
        }
        let d20 = told.roll().starts_with("1d20");
        wants.extend(told.unknown().iter().map(|own| Want::added(own, d20, told.first)));
        // The finding of those below Checks has its edit.
        let free = look.declared_check(&told.name).is_none();
        if free && !told.below_checks() {
            let what = format!("the bands of {}, as a check", told.name);
            let body = format!("### {}\n{}", told.name, told.rules());
            all.push(look.below(SectionKind::Checks, what, told.first, body));
        }
    }
    (all, wants, left)
}
