//! What a command comes to, and where its words go: the answer to standard output, everything else to standard error.
//!
//! No other file touches a stream, so nothing that people wrote reaches a terminal unguarded.

use std::io::Write as _;

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

/// A number with the word that fits it.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Logs go to standard error, quiet unless `ROLLBOOK_LOG` asks for more. Bodies of entries are never logged.
pub(super) fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("ROLLBOOK_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,rmcp=error,sqlx=error"));
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).try_init();
}
