//! `rollbook try`: a prompt at a campaign that is thrown away.

use std::fs::OpenOptions;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::cli::args::AdventureArg;
use crate::cli::output::{Done, Failed, print, prompt, say};
use crate::cli::streams;
use rollbook_table::playtest::{Interactive, faces};
use rollbook_table::session::adventure::Adventure;

const HELP: &str = "\
Type what a GM's assistant would call, a line each:
  character Aria: DEX 14, Lockpicking +2      makes a character
  skill_check skill=Lockpicking difficulty=15  a call: tool key=value …
  dice 13 4                                    what falls next
  = outcome: success                           whether the last reply says so
  quit                                         ends it; so does the end of input
";

/// Try an adventure's rules at a prompt; nothing is kept.
///
/// Type the calls, read what comes back. /// Lines are read from a pipe, too. Exit code 1 when one of them could not be carried out.
#[derive(Debug, Args)]
pub struct Try {
    #[command(flatten)]
    adventure: AdventureArg,
    /// What falls first: 13,4,6. Real dice fall after them.
    #[arg(long, value_name = "FACES", allow_hyphen_values = true)]
    dice: Option<String>,
    /// Add what was played to this file, as a playtest that holds.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// What the recorded playtest is called.
    #[arg(long, value_name = "TEXT", default_value = "Recorded play")]
    name: String,
}

impl Try {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let adventure = Adventure::read(&self.adventure.folder()?)?;
        let dice = self.dice.as_deref().map(faces).transpose();
        let dice = dice
            .map_err(|word| format!("--dice: `{word}` is no face of a die"))?
            .unwrap_or_default();
        let folder =
            tempfile::tempdir().map_err(|error| format!("no folder for the campaign: {error}"))?;
        let mut play = Interactive::new(&adventure, folder.path(), dice);
        let by_hand = std::io::stdin().is_terminal();
        if by_hand {
            say(HELP);
        }
        let mut lines = BufReader::new(streams::input()).lines();
        let mut fine = true;
        loop {
            if by_hand {
                prompt("> ");
            }
            let line = lines
                .next_line()
                .await
                .map_err(|error| format!("standard input: {error}"))?;
            let Some(line) = line else { break };
            match line.trim() {
                "quit" | "exit" => break,
                "help" | "?" => say(HELP),
                line => {
                    let response = play.line(line).await;
                    fine &= response.fine || by_hand;
                    if !response.text.is_empty() {
                        print(&format!("{}\n", response.text))?;
                    }
                }
            }
        }
        if let Some(path) = &self.record {
            record(path, &self.name, play.recorded())?;
        }
        play.close().await;
        Ok(Done::of(fine))
    }
}

/// Adds a playtest to a file; what is in it stays.
fn record(path: &Path, name: &str, lines: &str) -> Result<(), Failed> {
    if lines.is_empty() {
        say("Nothing was played, so nothing was recorded.");
        return Ok(());
    }
    let name = name.replace(['`', '\n', '\r'], " ");
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .map_err(failed)?;
    let gap = if file.metadata().map_err(failed)?.len() > 0 {
        "\n"
    } else {
        ""
    };
    file.write_all(format!("{gap}```playtest {name}\n{lines}```\n").as_bytes())
        .map_err(failed)?;
    say(&format!("Recorded in {}.", path.display()));
    Ok(())
}
