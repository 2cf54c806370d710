//! `rollbook completions` and `rollbook man`: what a shell completes, and the manual pages.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use crate::cli::output::{Done, Failed, answer, reason};

const AFTER_HELP: &str = "\
Where they belong:
  rollbook completions bash >~/.local/share/bash-completion/completions/rollbook
  rollbook completions zsh  >a folder of $fpath, as _rollbook
  rollbook completions fish >~/.config/fish/completions/rollbook.fish";

/// Print what a shell needs to complete commands and flags.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Completions {
    /// Whose.
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, mut command: clap::Command) -> Result<Done, Failed> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command, "rollbook", &mut text);
        answer(&String::from_utf8_lossy(&text))
    }
}

/// Write the manual pages, one a command, into a folder; without one, print the first.
///
/// `rollbook man > rollbook.1 && man ./rollbook.1` reads it.
#[derive(Debug, Args)]
pub struct Man {
    /// The folder; made when it is not there.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(&self, command: clap::Command) -> Result<Done, Failed> {
        let Some(folder) = &self.folder else {
            let mut page = Vec::new();
            clap_mangen::Man::new(command)
                .render(&mut page)
                .map_err(reason)?;
            return answer(&String::from_utf8_lossy(&page));
        };
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder));
        written.map_err(|error| format!("cannot write {}: {error}", folder.display()))?;
        Ok(Done::Well)
    }
}
