//! What accepted proposals come to: edits of the files.

use super::look::{Proposal, ends_in_bullet};
use crate::diagnostic::Fix;

/// The edits that some proposals come to, each heading once.
pub fn edits<'p>(chosen: impl IntoIterator<Item = &'p Proposal>) -> Vec<Fix> {
    let mut chosen: Vec<&Proposal> = chosen.into_iter().collect();
    chosen.sort_by_key(|own| own.place());
    let mut all: Vec<(Fix, Option<&str>)> = Vec::new();
    for own in chosen {
        let same =
            all.last_mut().filter(|(before, _)| before.span == own.edit.span && before.span.start == before.span.end);
        let heading = own.heading.filter(|heading| same.as_ref().is_none_or(|(_, last)| *last != Some(*heading)));
        let heading = heading.map(|heading| format!("\n\n## {heading}")).unwrap_or_default();
        let body = own.edit.replacement.as_str();
        // A bullet behind a bullet belongs to its list.
        let listed = same.as_ref().is_some_and(|(before, _)| ends_in_bullet(&before.replacement)) && heading.is_empty();
        let text = match body.strip_prefix("\n\n").filter(|bullet| listed && bullet.starts_with("- ")) {
            Some(bullet) => format!("\n{bullet}"),
            None => format!("{heading}{body}"),
        };
        match same {
            Some((before, last)) => {
                before.replacement.push_str(&text);
                *last = own.heading;
            }
            None => all.push((Fix { replacement: text, ..own.edit.clone() }, own.heading)),
        }
    }
    all.into_iter().map(|(edit, _)| edit).collect()
}
