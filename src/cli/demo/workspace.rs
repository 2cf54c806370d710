//! The folder of a demo, with the adventure and the database in it, and the program that plays.

use std::path::PathBuf;
use std::process::Command;

use crate::cli::output::Failed;

/// The rules the demo plays by: the Lockhouse's own, carried along so that the demo runs anywhere.
const SYSTEM: &str = include_str!("../../../adventures/lockhouse/System.md");

/// The paths of a demo.
pub(super) struct Workspace {
    pub(super) program: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) adventure: PathBuf,
    pub(super) database: PathBuf,
}

impl Workspace {
    pub(super) fn prepare(keep_in: Option<PathBuf>) -> Result<Workspace, Failed> {
        let folder = match keep_in {
            Some(folder) => folder,
            None => tempfile::Builder::new()
                .prefix("rollbook-demo-")
                .tempdir()
                .map_err(|error| format!("no temporary folder: {error}"))?
                .keep(),
        };
        let adventure = folder.join("lockhouse");
        let database = folder.join("campaigns.db");
        // Files that are not the demo's own are never overwritten.
        for there in [&database, &adventure] {
            if there.exists() {
                return Err(format!("{} is there already; name an empty folder", there.display()));
            }
        }
        std::fs::create_dir_all(&adventure)
            .and_then(|()| std::fs::write(adventure.join("System.md"), SYSTEM))
            .map_err(|error| format!("cannot write {}: {error}", adventure.display()))?;
        let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        Ok(Workspace { program, folder, adventure, database })
    }

    /// Runs one of the program's own commands and answers its output, or fails when its exit code is not `expected`.
    pub(super) fn run(&self, expected: i32, arguments: &[&str]) -> Result<String, Failed> {
        let done = Command::new(&self.program).args(arguments).output().map_err(|error| error.to_string())?;
        let output = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
        if done.status.code() != Some(expected) {
            return Err(format!(
                "rollbook {} ended with {} instead of {expected}: {output}",
                arguments.join(" "),
                done.status
            ));
        }
        Ok(output)
    }
}
