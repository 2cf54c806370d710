//! `rollbook check --propose` and `--accept`: what sentences say, as rules that the program reads.

use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use clap::Args;
use serde_json::{Value, json};

use super::output::{Done, Failed, print, say};
use crate::diagnostic::{Diagnostic, Fix, Sources};
use crate::names::{counted, for_shell};
use crate::rules::proposal::{Left, Proposal, diff, edits, mark, proposals};
use crate::session::adventure::Adventure;
use crate::session::fixes;

/// No list of proposals is as long as this.
const NUMBER_MAX: usize = 10_000;

#[derive(Debug, Clone, Args)]
pub(super) struct Propose {
    /// Offer what sentences say as bullets and tables: a diff with a numbered hunk for each. Nothing is written.
    #[arg(long, conflicts_with_all = ["fix", "watch"])]
    propose: bool,
    /// Write these proposals into the files: 2,5 or 1-4.
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with_all = ["fix", "watch"])]
    accept: Vec<Numbers>,
    /// The list from which they are chosen, as --propose names it; refused when the files are others by now.
    #[arg(long, value_name = "MARK", requires = "accept")]
    of: Option<String>,
    /// The proposals as JSON.
    #[arg(long)]
    json: bool,
}

impl Propose {
    /// Whether it is about proposals at all.
    pub fn is_asked(&self) -> bool {
        self.propose || !self.accept.is_empty()
    }

    /// Whether findings are asked for as JSON in short.
    pub fn json(&self) -> bool {
        self.json
    }

    /// Shows the proposals, or accepts some; `found` is what was found in the files.
    pub fn run(
        &self,
        folder: &Path,
        adventure: &Adventure,
        sources: &Sources,
        found: &[Diagnostic],
        json: bool,
    ) -> Result<Done, Failed> {
        let json = json || self.json;
        let (all, left) = proposals(&adventure.reading, sources, found);
        let mark = mark(sources, &all);
        match self.accept.is_empty() {
            true => {
                for own in left.iter().filter(|_| !json) {
                    say(&format!(
                        "{}: this roll is not offered, since {}. Where no check of yours does it yet, write it below ## Checks.",
                        sources.place(own.at),
                        own.why
                    ));
                }
                self.show(folder, (&all, &left), &mark, sources, json)
            }
            false => self.write(folder, adventure, &all, &mark, sources, json),
        }
    }

    fn show(
        &self,
        folder: &Path,
        (all, left): (&[Proposal], &[Left]),
        mark: &str,
        sources: &Sources,
        json: bool,
    ) -> Result<Done, Failed> {
        if json {
            let held = |own: &Left| {
                let at = sources.place(own.at);
                json!({"file": at.file, "line": at.line, "column": at.column, "text": sources.text(own.at), "why": own.why})
            };
            let value = json!({
                "version": 1,
                "of": mark,
                "proposals": (1..).zip(all).map(|(number, own)| one(number, own, sources)).collect::<Vec<Value>>(),
                "not_offered": left.iter().map(held).collect::<Vec<Value>>(),
                "diff": diff(all, sources),
            });
            print(&format!("{value:#}\n"))?;
            return Ok(Done::Well);
        }
        if all.is_empty() {
            say(match left.is_empty() {
                true => "Nothing to propose: no sentence says a rule that is not read already.",
                false => "Nothing to propose beside that.",
            });
            return Ok(Done::Well);
        }
        print(&diff(all, sources))?;
        let folder = for_shell(&folder.to_string_lossy());
        say(&format!(
            "{}. To write {}: rollbook check {folder} --accept {} --of {mark}",
            counted(all.len(), "proposal", "proposals"),
            if all.len() == 1 { "it" } else { "some of them" },
            if all.len() == 1 { "1" } else { "1,2" },
        ));
        Ok(Done::Well)
    }

    fn write(
        &self,
        folder: &Path,
        adventure: &Adventure,
        all: &[Proposal],
        mark: &str,
        sources: &Sources,
        json: bool,
    ) -> Result<Done, Failed> {
        let again = || format!("See them with: rollbook check {} --propose", for_shell(&folder.to_string_lossy()));
        if !adventure.problems.is_empty() {
            return Err(format!("nothing was written: first every file must be readable. {}", again()));
        }
        if self.of.as_deref().is_some_and(|of| of != mark) {
            return Err(format!(
                "the files are not those that the proposals were made for, so nothing was written. {}",
                again()
            ));
        }
        let mut numbers: Vec<usize> = self.accept.iter().flat_map(|own| own.0.clone()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let chosen = |number: &usize| number.checked_sub(1).and_then(|at| all.get(at));
        if let Some(other) = numbers.iter().find(|number| chosen(number).is_none()) {
            let there = match all.len() {
                0 => "there is nothing to propose".to_owned(),
                1 => "there is only 1".to_owned(),
                many => format!("there are 1 to {many}"),
            };
            return Err(format!("there is no proposal {other}, so nothing was written: {there}. {}", again()));
        }
        let edits = edits(numbers.iter().filter_map(chosen)).into_iter().map(|edit| as_in_file(edit, sources));
        let edits: Vec<Fix> = edits.collect();
        let changed = fixes::apply(&adventure.folder, sources, &edits)?;
        if json {
            let files: Vec<&str> = changed.iter().map(|(file, _)| file.as_str()).collect();
            print(&format!("{:#}\n", json!({"version": 1, "accepted": numbers, "files": files})))?;
            return Ok(Done::Well);
        }
        for number in &numbers {
            let Some(own) = chosen(number) else { continue };
            print(&format!("{number}: {} ({})\n", own.what, sources.place(own.edit.span)))?;
        }
        let files: Vec<String> = changed.into_iter().map(|(file, _)| file).collect();
        say(&format!("{} written to {}.", counted(numbers.len(), "proposal", "proposals"), files.join(", ")));
        Ok(Done::Well)
    }
}

/// A number of a proposal, or several: `2`, `1-4`.
#[derive(Debug, Clone)]
struct Numbers(RangeInclusive<usize>);

impl FromStr for Numbers {
    type Err = String;

    fn from_str(words: &str) -> Result<Self, String> {
        let (low, high) = words.split_once(['-', '\u{2013}']).unwrap_or((words, words));
        let number = |own: &str| own.trim().parse::<usize>().ok().filter(|own| *own <= NUMBER_MAX);
        match (number(low), number(high)) {
            (Some(low), Some(high)) if low <= high => Ok(Self(low..=high)),
            (Some(low), Some(high)) => Err(format!("write the lower number first: {high}-{low}")),
            _ => Err("write the numbers that --propose shows, as 2,5 or 1-4".to_owned()),
        }
    }
}

/// An edit with the line breaks of its file.
fn as_in_file(edit: Fix, sources: &Sources) -> Fix {
    let crlf = sources.get(edit.span.file).is_some_and(|file| file.text.contains("\r\n"));
    let replacement = if crlf { edit.replacement.replace('\n', "\r\n") } else { edit.replacement };
    Fix { replacement, ..edit }
}

fn one(number: usize, own: &Proposal, sources: &Sources) -> Value {
    let (from, at, end) = (sources.place(own.source), sources.place(own.edit.span), sources.end(own.edit.span));
    json!({
        "number": number,
        "what": own.what,
        "source": {"file": from.file, "line": from.line, "column": from.column, "text": sources.text(own.source)},
        "edit": {
            "file": at.file,
            "line": at.line,
            "column": at.column,
            "end_line": end.line,
            "end_column": end.column,
            "heading": own.heading,
            "replacement": own.edit.replacement,
        },
    })
}
