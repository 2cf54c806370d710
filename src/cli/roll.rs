//! `rollbook roll`: a roll at the shell, without a campaign and without a log.

use clap::Args;
use serde_json::json;

use crate::cli::output::{Done, Failed, answer, print, reason};
use rollbook_dice::{DiceError, OsRoller};

/// Roll dice at the shell; nothing is logged.
///
/// Halves are exact: 7/2 stays 3 1/2 until the whole result is rounded down, toward minus infinity.
/// round( ) goes to the nearest whole number and halves upward (round(-1/2) is 0), floor( ) down,
/// ceil( ) up.
#[derive(Debug, Args)]
pub struct Roll {
    /// Notation or plain English: 4d6kh3, "d20 adv + 5", "four d six drop the lowest".
    #[arg(required = true, allow_negative_numbers = true)]
    expression: Vec<String>,
    /// Print the whole roll as JSON, die by die.
    #[arg(long)]
    json: bool,
}

impl Roll {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let text = self.expression.join(" ").trim_start().to_owned();
        let expression =
            rollbook_dice::read(&text).map_err(|error| refused(&text, &error, self.json))?;
        let roll = expression
            .roll(&mut OsRoller::new())
            .map_err(|error| refused(&text, &error, self.json))?;
        let line = if self.json {
            serde_json::to_string_pretty(&roll).map_err(reason)?
        } else {
            roll.explanation
        };
        answer(&format!("{line}\n"))
    }
}

/// What the dice refuse: to a program as `{code, message, span, hint, example}` on its standard
/// output, the span in bytes from the first to after the last; to a person as [`render`].
pub(super) fn refused(text: &str, error: &DiceError, as_json: bool) -> Failed {
    if as_json {
        let refusal = json!({
            "code": error.code.as_str(),
            "message": error.message,
            "span": [error.span.start, error.span.end],
            "hint": error.hint,
            "example": error.example,
        });
        if let Err(failed) = print(&format!("{refusal:#}\n")) {
            return failed;
        }
    }
    render(text, error)
}

/// What the dice refuse, with the place underlined, a hint and an example.
pub(super) fn render(text: &str, error: &DiceError) -> Failed {
    let before = text
        .get(..error.span.start)
        .unwrap_or_default()
        .chars()
        .count();
    let width = text
        .get(error.span.clone())
        .unwrap_or_default()
        .chars()
        .count()
        .max(1);
    let mark = format!("{}{}", " ".repeat(before), "^".repeat(width));
    let line = |before: &str, line: &str| {
        if line.is_empty() {
            String::new()
        } else {
            format!("\n  {before}{line}")
        }
    };
    let (hint, example) = (line("", &error.hint), line("For example: ", &error.example));
    let (code, text) = (error.code.as_str(), rollbook_dice::shown(text));
    format!(
        "{} [{code}]\n  {text}\n  {mark}{hint}{example}",
        error.message
    )
}
