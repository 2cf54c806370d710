//! Long answers, a screen at a time.

#![expect(clippy::disallowed_methods, reason = "it asks whether a terminal is there")]

use std::io::{IsTerminal as _, Write as _};
use std::process::{Command, Stdio};

use crate::cli::output::{Failed, colour, harmless, print};

/// Shown by `$PAGER`, or `less`, when standard output is a terminal; printed when it is a pipe, when there is no pager, or
/// when `PAGER` is empty or `cat`. A pager that is left early is no failure.
pub(super) fn page(text: &str) -> Result<(), Failed> {
    let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    if std::io::stdout().is_terminal() && shown(&pager, text) { Ok(()) } else { print(text) }
}

fn shown(pager: &str, text: &str) -> bool {
    let mut words = pager.split_whitespace();
    let Some(program) = words.next().filter(|program| *program != "cat") else { return false };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // As git asks it: end when all fits on the screen, pass colours on, leave the text where it was.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut input) = child.stdin.take() {
        let text = harmless(text);
        let plain = (!colour()).then(|| anstream::adapter::strip_str(&text).to_string());
        let _ = input.write_all(plain.as_deref().unwrap_or(&text).as_bytes());
    }
    child.wait().is_ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::cli::output::as_ours;

    /// What a pager that writes to a file gets.
    fn got(text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("got");
        assert!(shown(&format!("  cp /dev/stdin {} ", file.display()), text), "a program with its arguments");
        std::fs::read_to_string(file).unwrap()
    }

    #[test]
    fn it_gets_the_whole_text_and_colours_only_where_they_are_shown() {
        let long = "A line of a page.\n".repeat(20_000);
        assert_eq!(got(&long), long, "more than a pipe holds");
        // Standard output of a test may be a terminal.
        let expected = if colour() { "\u{1b}[1mRolls\u{1b}[0m" } else { "Rolls" };
        assert_eq!(got(&as_ours("\u{1b}[1mRolls\u{1b}[0m")), expected);
    }

    #[test]
    fn without_a_pager_the_text_is_printed_and_one_that_is_left_early_has_shown_it() {
        for none in ["", "  ", "cat", "rollbook-has-no-such-pager -R"] {
            assert!(!shown(none, "text"), "{none:?}");
        }
        assert!(shown("true", &"more than a pipe holds ".repeat(20_000)) && shown("false", "its own business"));
    }
}
