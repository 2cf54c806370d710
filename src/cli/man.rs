//! `rollbook man`: the manual pages.

use std::path::PathBuf;

use clap::Args;

use crate::cli::output::{Done, Failed, print};

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
            clap_mangen::Man::new(command).render(&mut page).map_err(|error| error.to_string())?;
            return print(&String::from_utf8_lossy(&page)).map(|()| Done::Well);
        };
        let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
        written.map_err(|error| format!("cannot write {}: {error}", folder.display()))?;
        Ok(Done::Well)
    }
}
