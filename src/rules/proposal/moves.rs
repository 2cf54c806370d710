//! Moves in sentences: 10+, 7-9 and 6-, with the check that decides them.

use super::look::{Look, Proposal};
use crate::names::same;
use crate::rules::language::section::SectionKind;
use crate::rules::lint::moves;

pub(super) fn proposals(look: &Look<'_>) -> Vec<Proposal> {
    let told = moves(look.outline, look.system, look.limits.blocks);
    // The finding of those below Checks has its edit.
    let elsewhere = told.into_iter().filter(|own| !own.below_checks());
    let named = elsewhere.filter_map(|own| Some((own.heading?.as_str().trim().to_owned(), own)));
    let new = named.filter(|(name, _)| !name.is_empty() && !look.system.checks.iter().any(|own| same(&own.name, name)));
    new.map(|(name, own)| {
        let body = format!("### {name}\n{}", own.rules());
        look.below(SectionKind::Checks, format!("the bands of {name}, as a check"), own.first(), body)
    })
    .collect()
}
