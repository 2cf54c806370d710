//! Names of commands and flags that are gone. Each is refused with what does its job now.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::output::say;

struct Removed {
    /// The command that had it; empty for a command of its own.
    command: &'static str,
    /// The command's name, or the flag's with its dashes.
    name: &'static str,
    /// A sentence: what to use now.
    instead: &'static str,
}

const RECEIPTS: &str = "Keep receipts outside: `rollbook receipt` prints one, `rollbook verify --receipt` compares it.";

const REMOVED: &[Removed] = &[
    Removed {
        command: "simulate",
        name: "--svg",
        instead: "The table shows the chances, the rounds and who falls; `--json` has them for a program that draws.",
    },
    Removed { command: "", name: "witness", instead: RECEIPTS },
    Removed { command: "", name: "--signing-key", instead: RECEIPTS },
    Removed { command: "verify", name: "--key", instead: RECEIPTS },
    Removed { command: "verify", name: "--witness", instead: RECEIPTS },
    Removed {
        command: "verify",
        name: "--index",
        instead: "`rollbook verify --all DIR --json` tells programs of every database.",
    },
    Removed {
        command: "",
        name: "archive",
        instead: "`rollbook campaigns continue NAME --export FILE` writes the whole log to a file and begins a new one where it ends.",
    },
];

/// Prints clap's error, or what does the job of a name that is gone, and ends with clap's exit code.
pub(super) fn refuse(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    match instead_of(error, arguments) {
        Some(removed) => {
            say(&format!("rollbook: `{}` is gone. {}", removed.name, removed.instead));
            ExitCode::from(2)
        }
        None => {
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    }
}

fn instead_of(error: &clap::Error, arguments: &[OsString]) -> Option<&'static Removed> {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return None,
    };
    let Some(ContextValue::String(name)) = error.get(kind) else { return None };
    let given = |word: &str| arguments.iter().any(|argument| argument == word);
    REMOVED.iter().find(|removed| removed.name == name && removed.command.split_whitespace().all(given))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    /// What is listed here as gone is refused with its sentence, so no name in the list still exists.
    #[test]
    fn a_name_that_is_gone_is_refused_with_what_does_its_job() {
        for removed in REMOVED {
            let mut arguments = vec![OsString::from("rollbook")];
            arguments.extend(removed.command.split_whitespace().map(OsString::from));
            arguments.push(OsString::from(removed.name));
            let error = Cli::command().try_get_matches_from(&arguments).expect_err(removed.name);
            let found =
                instead_of(&error, &arguments).unwrap_or_else(|| panic!("{} {}", removed.command, removed.name));
            assert_eq!(found.instead, removed.instead);
        }
    }
}
