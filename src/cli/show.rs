//! `rollbook show`: what the program made of the rules.

use std::path::PathBuf;

use clap::Args;

use crate::cli::output::{Done, Failed, print};
use rollbook_rules::{model, understood};
use rollbook_table::session::adventure::Adventure;

/// What was understood of an adventure's rules: every item with its file and line, and what was assumed.
#[derive(Debug, Args)]
pub struct Show {
    /// The adventure's folder.
    #[arg(value_name = "DIR", default_value = ".")]
    adventure: PathBuf,
    /// The whole model, for programs.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let reading = Adventure::read(&self.adventure)?.reading;
        let text = match self.json {
            true => format!("{:#}\n", model(&reading)),
            false => understood(&reading),
        };
        print(&text).map(|()| Done::Well)
    }
}
