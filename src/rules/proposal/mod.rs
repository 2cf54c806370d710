//! What sentences say of rules, offered as the bullets and tables that the program reads: rules pasted in as prose.
//!
//! Each file looks for one thing, sentence by sentence, and offers it where nothing in the rules does it yet. A miss costs the author a
//! bullet; a false alarm costs their trust: what is not plainly said is not offered. Nothing here changes a rule; whoever asked for
//! proposals accepts some of them, and [`diff`](mod@diff) and [`edits`](fn@edits) put those into the files.

mod attacks;
mod attributes;
mod blocks;
mod checks;
mod comparisons;
mod diff;
mod edits;
mod health;
mod look;
mod moves;
mod patterns;
mod pools;
mod sentences;
mod ties;

use look::Look;

use crate::diagnostic::{Applies, Diagnostic, Sources, Span};
use crate::rules::base;
use crate::rules::language;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Headings;
use crate::rules::limits::Limits;
use crate::rules::reading::{self, Reading};

pub use diff::diff;
pub use edits::edits;
pub use look::{Left, Proposal};

/// Letters of a mark.
const MARK: usize = 10;

/// What these proposals for these files are called: other files or other proposals have another mark.
pub fn mark(sources: &Sources, proposals: &[Proposal]) -> String {
    let hash = reading::hash(
        sources
            .iter()
            .map(|(_, file)| file)
            .flat_map(|file| [file.name.as_str(), &file.text])
            .chain(proposals.iter().map(|own| own.edit.replacement.as_str())),
    );
    hash.get(..MARK).unwrap_or_default().to_owned()
}

/// Proposals that are made at once; the others come when some of these are accepted.
const PROPOSALS_MAX: usize = 200;

/// Everything that can be offered for these rules, in the order in which it comes in. `pages` are all files of the adventure, those
/// of the rules first; `found` is what was found in them, whose edits only an author can decide about.
///
/// Beside them the rolls that are read and not offered.
pub fn proposals(reading: &Reading, pages: &Sources, found: &[Diagnostic]) -> (Vec<Proposal>, Vec<Left>) {
    let limits = &Limits::DEFAULT;
    let mut all: Vec<Proposal> = found.iter().filter_map(of_finding).collect();
    let mut left: Vec<Left> = Vec::new();
    if !reading.is_narrative() {
        let document = base::own_document(&reading.sources, limits);
        let mut ledger = Ledger::new(&reading.sources, limits);
        let outline = language::outline(&document, Headings::AsWritten, &mut ledger);
        let look = Look { outline: &outline, system: &reading.system, sources: pages, limits };
        let blocks = blocks::blocks(pages, |span| look.is_rule(span), limits);
        let (moves, mut wants, not_moves) = moves::proposals(&look);
        let (checks, asked, not_checks) = checks::proposals(&look, !moves.is_empty() || !not_moves.is_empty());
        left.extend(not_moves.into_iter().chain(not_checks));
        wants.extend(asked);
        let (attributes, names) = attributes::proposals(&look, &blocks, &wants);
        all.extend(moves.into_iter().chain(checks).chain(attributes));
        all.extend(health::proposals(&look, &names));
        all.extend(attacks::proposals(&look));
        all.extend(blocks.into_iter().map(|own| own.proposal));
    } else {
        all.extend(blocks::blocks(pages, |_| false, limits).into_iter().map(|own| own.proposal));
    }
    all.sort_by_key(|own| (own.place(), own.source.file, own.source.start));
    let mut kept: Vec<Proposal> = Vec::new();
    for proposal in all {
        let apart = |other: &Proposal| apart(other.edit.span, proposal.edit.span);
        if kept.len() < PROPOSALS_MAX && kept.iter().all(apart) {
            kept.push(proposal);
        }
    }
    left.sort_by_key(|own| (own.at.file, own.at.start));
    (kept, left)
}

/// An edit that a finding has and that only its author can decide about.
fn of_finding(found: &Diagnostic) -> Option<Proposal> {
    let edit = found.fix.clone().filter(|_| found.applies == Applies::Perhaps)?;
    let what = format!("{} ({})", edit.message, found.code);
    Some(Proposal { what, source: found.span()?, edit, heading: None })
}

/// Whether two edits touch nothing of each other; two insertions at one place follow each other.
fn apart(one: Span, other: Span) -> bool {
    let inserts = |span: Span| span.start == span.end;
    one.file != other.file
        || one.end < other.start
        || other.end < one.start
        || (inserts(one) || inserts(other)) && (one.end <= other.start || other.end <= one.start)
}
