//! What a command comes to, and where its words go: the answer to standard output, everything else to standard error.
//!
//! No other file touches a stream, so nothing that people wrote reaches a terminal unguarded.

use std::io::Write as _;

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

use crate::names::undirected;

/// What a command came to.
pub(super) enum Done {
    Well,
    Findings,
}

/// Why a command could not be carried out, in one sentence for the person at the keyboard.
pub(super) type Failed = String;

/// Writes text to standard output; a closed pipe ends the command quietly. What people wrote (names, comments, a file's lines)
/// cannot turn the direction of what the terminal shows.
pub(super) fn print(text: &str) -> Result<(), Failed> {
    let text = undirected(text);
    let mut out = anstream::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

/// Says something to the person at the keyboard without touching the answer.
pub(super) fn say(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", undirected(text));
}

/// Whether standard output wants colours: a terminal does, a pipe does not, and NO_COLOR and CLICOLOR_FORCE have the last word.
pub(super) fn colour() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// Text broken at blanks into lines of so many characters, its further lines indented under the first. Lines that it has stay lines.
pub(super) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let indent = format!("\n{}", " ".repeat(indent));
    let mut out = String::new();
    for (nth, line) in text.split('\n').enumerate() {
        if nth > 0 {
            out.push_str(&indent);
        }
        let mut column = 0;
        for word in line.split(' ') {
            let taken = word.chars().count();
            if column > 0 && column + 1 + taken > width {
                out.push_str(&indent);
                column = 0;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += taken;
        }
    }
    out
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

/// What a command logs.
pub(super) struct Logs {
    pub format: LogFormat,
    /// What is written where `ROLLBOOK_LOG` asks for nothing else.
    pub filter: &'static str,
}

impl Default for Logs {
    fn default() -> Logs {
        Logs { format: LogFormat::Text, filter: "warn,rmcp=error,sqlx=error" }
    }
}

/// Logs go to standard error, quiet unless `ROLLBOOK_LOG` asks for more. Bodies of entries are never logged.
pub(super) fn log_to_stderr(logs: &Logs) {
    let filter = EnvFilter::try_from_env("ROLLBOOK_LOG").unwrap_or_else(|_| EnvFilter::new(logs.filter));
    // A line of ~/.pgpass that is no line of it would be logged with the password in it.
    let filter = match "sqlx_postgres::options=off".parse() {
        Ok(off) => filter.add_directive(off),
        Err(_) => filter,
    };
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false);
    let _ = match logs.format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
}
