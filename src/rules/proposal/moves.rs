//! Moves in sentences: 10+, 7-9 and 6-, with the check that decides them.

use super::attributes::Want;
use super::look::{Look, Proposal};
use crate::rules::language::section::SectionKind;
use crate::rules::lint::moves;

/// The checks, and the names that they add.
pub(super) fn proposals(look: &Look<'_>) -> (Vec<Proposal>, Vec<Want>) {
    let (mut all, mut wants) = (Vec::new(), Vec::new());
    for told in moves(look.outline, look.system, look.limits.blocks, true) {
        let d20 = told.roll().starts_with("1d20");
        wants.extend(told.unknown().iter().map(|own| Want::added(own, d20, told.first)));
        // The finding of those below Checks has its edit.
        let free = !told.name.is_empty() && look.declared_check(&told.name).is_none();
        if free && !told.below_checks() {
            let what = format!("the bands of {}, as a check", told.name);
            let body = format!("### {}\n{}", told.name, told.rules());
            all.push(look.below(SectionKind::Checks, what, told.first, body));
        }
    }
    (all, wants)
}
