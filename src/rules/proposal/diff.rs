//! Proposals as a unified diff, one hunk each, numbered.
//!
//! ```text
//! --- System.md
//! +++ System.md
//! @@ -12,3 +12,9 @@ 2: the bands of Scout ahead, as a check
//! ```
//!
//! The whole is a patch: with every hunk applied it is what accepting all proposals makes.

use std::ops::Range;

use super::edits::edits;
use super::look::Proposal;
use crate::diagnostic::{FileId, Sources, edited};

/// Lines shown before and behind what changes.
const CONTEXT: usize = 3;

/// A hunk: lines of the file that go, and what comes in their place.
struct Hunk {
    old: Range<usize>,
    new: Vec<String>,
    title: String,
}

/// The proposals as a diff of the files, in the order of the files, each with its number. Control characters of the files are left out.
pub fn diff(proposals: &[Proposal], sources: &Sources) -> String {
    let mut out = String::new();
    for (id, file) in sources.iter() {
        let lines: Vec<&str> = file.text.split('\n').collect();
        let hunks = hunks(proposals, id, &file.text);
        if hunks.is_empty() {
            continue;
        }
        out.push_str(&format!("--- {0}\n+++ {0}\n", clean(&file.name)));
        let mut shift = 0isize;
        let mut shown = 0;
        for (at, hunk) in hunks.iter().enumerate() {
            let next = hunks.get(at + 1).map_or(lines.len(), |next| next.old.start);
            let start = hunk.old.start.saturating_sub(CONTEXT).max(shown);
            // What stands behind the last line break is no line.
            let lines_end = if lines.last() == Some(&"") { lines.len() - 1 } else { lines.len() };
            let end = (hunk.old.end + CONTEXT).min(next).min(lines_end).max(hunk.old.end);
            let (old, new) = (end - start, end - start - hunk.old.len() + hunk.new.len());
            let first = |line: usize, count: usize| if count == 0 { line } else { line + 1 };
            let new_start = start.saturating_add_signed(shift);
            out.push_str(&format!(
                "@@ -{},{old} +{},{new} @@ {}\n",
                first(start, old),
                first(new_start, new),
                clean(&hunk.title)
            ));
            let mut put = |sign: char, line: &str| {
                out.push(sign);
                out.push_str(&clean(line));
                out.push('\n');
            };
            lines.get(start..hunk.old.start).unwrap_or_default().iter().for_each(|line| put(' ', line));
            lines.get(hunk.old.clone()).unwrap_or_default().iter().for_each(|line| put('-', line));
            hunk.new.iter().for_each(|line| put('+', line));
            lines.get(hunk.old.end..end).unwrap_or_default().iter().for_each(|line| put(' ', line));
            shift = shift.saturating_add_unsigned(new).saturating_sub_unsigned(old);
            shown = end;
        }
    }
    out
}

/// One hunk a proposal of this file. Where several come in at one place each is what it adds to those before it.
fn hunks(proposals: &[Proposal], file: FileId, text: &str) -> Vec<Hunk> {
    let own = proposals.iter().enumerate().filter(|(_, own)| own.edit.span.file == file);
    let mut own: Vec<(usize, &Proposal)> = own.collect();
    own.sort_by_key(|(number, own)| (own.place(), *number));
    let mut all: Vec<Hunk> = Vec::new();
    let mut here: Vec<&Proposal> = Vec::new();
    for (number, proposal) in own {
        let title = format!("{}: {}", number + 1, proposal.what);
        let span = proposal.edit.span;
        let stays = here.last().is_some_and(|last: &&Proposal| last.edit.span == span && span.start == span.end);
        if !stays {
            here.clear();
        }
        let before = added(&here);
        here.push(proposal);
        let first = text.get(..span.start).unwrap_or_default().matches('\n').count();
        let last = first + text.get(span.bytes()).unwrap_or_default().matches('\n').count();
        let (start, end) = (line_start(text, span.start), line_end(text, span.end));
        let edits = edits(here.iter().copied());
        let whole = edited(text, &edits).0;
        let grown = whole.len() + (end - start) - text.len();
        let new = whole.get(start..start + grown).unwrap_or_default();
        let old = text.get(start..end).unwrap_or_default();
        let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
        let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let rest = old.len().min(new.len()) - same;
        let behind = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
        let added = new.get(same + before..new.len() - behind).unwrap_or_default();
        all.push(Hunk {
            old: first + same..last + 1 - behind,
            new: added.iter().map(|line| (*line).to_owned()).collect(),
            title,
        });
    }
    all
}

/// How many lines some insertions at one place bring.
fn added(here: &[&Proposal]) -> usize {
    if here.is_empty() {
        return 0;
    }
    // An insertion in front of a line ends with a line break, one behind a line begins with one.
    edits(here.iter().copied()).iter().map(|edit| edit.replacement.matches('\n').count()).sum()
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| at + end)
}

/// A line for a terminal: tabs stay, other control characters go.
fn clean(line: &str) -> String {
    line.chars().filter(|letter| *letter == '\t' || !letter.is_control()).collect()
}
