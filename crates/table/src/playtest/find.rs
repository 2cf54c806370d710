//! Where playtests are: fenced blocks of that info, and tables whose first header cell is a tool.

use super::read::{Found, ReadPlaytest};
use super::{read, table};
use crate::tools::all_tools;
use rollbook_rules::document::{self, Block};
use rollbook_rules::grammar::file;
use rollbook_rules::{Limits, SectionKind, System};
use rollbook_text::diagnostic::{Diagnostic, FileId, Sources, Span};
use rollbook_text::names::{Slip, fold, same, slip};

/// Playtests in one adventure; what lies beyond is reported and not played.
const PLAYTESTS_MAX: usize = 2_000;

/// Every playtest, in order. In the rules' files tables count under Examples only, else anywhere.
pub fn find(sources: &Sources, system: &System) -> Found {
    let mut found = Found::default();
    // Those of a base are played with it.
    let document = document::build(sources, 0, &Limits::DEFAULT);
    for section in &document.sections {
        let kind = section
            .heading
            .as_ref()
            .and_then(|heading| file::section(heading.as_str()));
        let in_rules = sources
            .get(section.span.file)
            .is_some_and(|file| file.name.starts_with("System"));
        for block in section.all_blocks() {
            match block {
                Block::Fence { info, span } => {
                    if let Some(name) = info.trim().strip_prefix("playtest") {
                        found.take(fenced(name.trim(), *span, sources, system));
                    } else if let Some(written) = nearly(info) {
                        found.take(misnamed(written, "playtest", *span));
                    }
                }
                Block::Table(table) if !in_rules || kind == Some(SectionKind::Examples) => {
                    let first = table
                        .header
                        .first()
                        .map(|cell| cell.as_str().trim())
                        .unwrap_or_default();
                    let meant = all_tools()
                        .iter()
                        .find(|tool| tool.name != first && same(&tool.name, first));
                    match meant {
                        Some(tool) => found.take(misnamed(first, &tool.name, table.span)),
                        None => table::read(table, sources, system)
                            .into_iter()
                            .for_each(|one| found.take(one)),
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// The word of a fence that was meant for `playtest`: `Playtest`, `play-test`.
fn nearly(info: &str) -> Option<&str> {
    let written = info.split_whitespace().next()?;
    let bare: String = fold(written).split(' ').collect();
    (bare == "playtest" || slip(&bare, "playtest") == Some(Slip::Clear)).then_some(written)
}

/// Something that is surely meant for a playtest and would never be played.
fn misnamed(written: &str, meant: &str, span: Span) -> ReadPlaytest {
    let found = Diagnostic::error(
        super::codes::UNREADABLE,
        format!("`{written}` is not `{meant}`, so it is not played"),
    );
    let at = Span::new(span.file, span.start..span.start);
    Err((
        written.to_owned(),
        span,
        vec![found.at(at, "this one").help(format!("write `{meant}`"))],
    ))
}

impl Found {
    fn take(&mut self, one: ReadPlaytest) {
        let full = self.playtests.len() + self.unreadable.len() >= PLAYTESTS_MAX;
        match one {
            _ if full => {}
            Ok(playtest) => self.playtests.push(playtest),
            Err(unreadable) => self.unreadable.push(unreadable),
        }
        if full
            && self
                .unreadable
                .last()
                .is_none_or(|(name, ..)| name != "the limit")
        {
            let message = format!("more than {PLAYTESTS_MAX} playtests; the rest is not played");
            let found = Diagnostic::error(super::codes::UNREADABLE, message);
            self.unreadable.push((
                "the limit".to_owned(),
                Span::new(FileId(0), 0..0),
                vec![found],
            ));
        }
    }
}

fn fenced(name: &str, span: Span, sources: &Sources, system: &System) -> ReadPlaytest {
    let text = sources.text(span);
    let opening = text.find('\n').map_or(text.len(), |end| end + 1);
    let fence = text.trim_start().chars().next().unwrap_or('`');
    let mut lines = Vec::new();
    let mut at = opening;
    for line in text
        .get(opening..)
        .unwrap_or_default()
        .split_inclusive('\n')
    {
        let start = span.start + at;
        at += line.len();
        let words = line.trim();
        let closing =
            at >= text.len() && words.len() >= 3 && words.chars().all(|letter| letter == fence);
        if !closing {
            let indent = line.len() - line.trim_start().len();
            lines.push((
                words,
                Span::new(span.file, start + indent..start + indent + words.len()),
            ));
        }
    }
    let title = Span::new(
        span.file,
        span.start..span.start + text.lines().next().unwrap_or_default().trim_end().len(),
    );
    let name = if name.is_empty() {
        sources.place(span).to_string()
    } else {
        name.to_owned()
    };
    read::read(name, title, &lines, system)
}
