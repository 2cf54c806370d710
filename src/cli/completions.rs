//! `rollbook completions`: what a shell completes.

use clap::Args;
use clap_complete::Shell;

use crate::cli::output::{Done, Failed, print};

const AFTER_HELP: &str = "\
Where they belong:
  rollbook completions bash >~/.local/share/bash-completion/completions/rollbook
  rollbook completions zsh  >a folder of $fpath, as _rollbook
  rollbook completions fish >~/.config/fish/completions/rollbook.fish";

/// Print what a shell needs to complete rollbook's commands and flags.
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
        print(&String::from_utf8_lossy(&text)).map(|()| Done::Well)
    }
}
