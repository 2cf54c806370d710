use std::collections::HashSet;

use super::entry::lint;
use super::link::{Link, slug};
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::suggest;

lint!("document/broken-anchor", Link);

pub(super) fn lint(link: &Link, anchors: Option<&HashSet<String>>, found: &mut Vec<Diagnostic>) {
    let (Some(anchor), Some(anchors)) = (&link.anchor, anchors) else { return };
    if anchors.contains(anchor) {
        return;
    }
    let message = format!("{} has no heading `#{anchor}`", link.file);
    let diagnostic = Diagnostic::warning(LINT.code, message).at(link.span, "leads to the top of the file");
    let to = |anchor: &str| Fix {
        span: link.span,
        replacement: format!("{}#{anchor}", link.written),
        message: format!("link to `#{anchor}`"),
    };
    // Written as the heading is instead of as links name it: there is one way to mean it.
    let slug = slug(anchor);
    if anchors.contains(&slug) {
        found.push(diagnostic.help(format!("links name a heading in small letters: `#{slug}`")).fix(to(&slug)));
        return;
    }
    let mut known: Vec<&str> = anchors.iter().map(String::as_str).collect();
    known.sort_unstable();
    found.push(match suggest(anchor, known).first() {
        None => diagnostic.help("links name a heading in small letters, without punctuation, `-` for each space"),
        Some(meant) => diagnostic.help(format!("did you mean `#{meant}`?")).perhaps(to(meant)),
    });
}
