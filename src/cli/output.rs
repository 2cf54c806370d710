//! What a command comes to, and where its words go: the answer to standard output, everything else
//! to standard error.
//!
//! No other file writes to them, so nothing that people wrote reaches a terminal unguarded.

#![expect(
    clippy::disallowed_methods,
    reason = "it asks whether a terminal is there"
)]

use std::io::Write as _;

use anstream::adapter::strip_str;
use clap::ValueEnum;
use tracing::Level;
use tracing_subscriber::filter::{Targets, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

use crate::cli::streams::{self, Sink};
use rollbook_text::names::{counted, in_one_line};
use rollbook_text::terminal::{Colour, harmless};

pub(super) enum Done {
    Well,
    Findings,
}

impl Done {
    pub(super) fn of(is_well: bool) -> Done {
        if is_well { Done::Well } else { Done::Findings }
    }
}

pub(super) type Failed = String;

/// Prints what a command answers that has no findings.
pub(super) fn answer(text: &str) -> Result<Done, Failed> {
    print(text).map(|()| Done::Well)
}

pub(super) fn reason(error: impl std::fmt::Display) -> Failed {
    error.to_string()
}

/// Writes text to standard output; a closed pipe ends the command quietly. What people wrote
/// (names, comments, a file's lines) cannot turn the direction of what the terminal shows.
pub(super) fn print(text: &str) -> Result<(), Failed> {
    let text = shown(text, colour());
    match Sink::Output
        .write_all(text.as_bytes())
        .and_then(|()| Sink::Output.flush())
    {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}"))
        }
        _ => Ok(()),
    }
}

fn shown(text: &str, is_coloured: bool) -> String {
    let text = harmless(text);
    match is_coloured {
        true => text,
        false => strip_str(&text).to_string(),
    }
}

/// Says something to the person at the keyboard without touching the answer.
pub(super) fn say(text: &str) {
    prompt(&format!("{text}\n"));
}

pub(super) fn prompt(text: &str) {
    let is_coloured =
        anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    streams::push_error(shown(text, is_coloured).as_bytes());
    streams::finish_errors();
}

/// Says first and in red that a log does not hold, and what was found.
pub(super) fn does_not_hold(findings: &[String]) {
    let red = Colour(anstyle::AnsiColor::Red.on_default().bold());
    let found = counted(findings.len() as u64, "finding", "findings");
    say(&format!(
        "{red}The log does not hold ({found}). Do not rely on it, and keep no receipt of it.{red:#}"
    ));
    let shown = findings.iter().take(FINDINGS_MAX);
    shown.for_each(|finding| say(&format!("{red}  {}{red:#}", in_one_line(finding))));
    if let Some(more) = findings
        .len()
        .checked_sub(FINDINGS_MAX)
        .filter(|more| *more > 0)
    {
        say(&format!(
            "{red}  And {more} more; rollbook verify names each.{red:#}"
        ));
    }
}

const FINDINGS_MAX: usize = 10;

/// Whether standard output has colours: NO_COLOR and CLICOLOR_FORCE decide, else a terminal.
pub(super) fn colour() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum LogFormat {
    /// A line of words.
    #[default]
    Text,
    /// A JSON object a line.
    Json,
}

/// Logs go to standard error, by `ROLLBOOK_LOG` or else `filter`; never what people wrote.
pub(super) fn log_to_stderr((format, filter): (LogFormat, &str)) {
    let asked = std::env::var("ROLLBOOK_LOG")
        .ok()
        .and_then(|levels| levels.parse::<Targets>().ok());
    let filter = asked.or_else(|| filter.parse().ok()).unwrap_or_default();
    // Libraries log messages whole, with what people wrote, and a line of ~/.pgpass with its
    // password: of theirs errors are written alone.
    let ours =
        filter_fn(|line| line.target().starts_with("rollbook") || *line.level() == Level::ERROR);
    let lines = fmt::layer().with_writer(|| streams::Log);
    let lines = match format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let _ = registry().with(lines).with(ours).with(filter).try_init();
}
