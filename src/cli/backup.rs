//! `rollbook backup`: a whole copy of a database.

use std::path::PathBuf;

use clap::Args;
use tokio::process::Command;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, reason, say};
use crate::cli::progress::Progress;
use rollbook_record::export::{self, Purpose};
use rollbook_store::draft::make_folder;
use rollbook_store::location::Location;
use rollbook_table::session::os;
use rollbook_text::names::counted;

/// Back a database up into a new file, every campaign and secret of it, while it is played in.
///
/// It is copied as it is at one moment, into a file that `rollbook restore` puts back. Of a database on a server that is so where the file's name ends in .db. Under another name PostgreSQL's own `pg_dump` writes it, which must be installed; put that back
/// with `pg_restore --dbname=URL FILE` into an empty database.
#[derive(Debug, Args)]
pub struct Backup {
    #[command(flatten)]
    database: DatabaseArg,
    /// The file to write, which is not there yet.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Backup {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let out = &self.out;
        if out.is_symlink() || out.exists() {
            return Err(format!("{} is there already; name another file with --out", out.display()));
        }
        let database = self.database.to_read()?;
        let is_ours = database.file().is_some() || out.extension().is_some_and(|end| end.eq_ignore_ascii_case("db"));
        // `pg_dump` leaves no checkpoint.
        if let Some(folder) = out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            make_folder(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        }
        let shown = Progress::unmeasured("Backing up");
        match &database {
            Location::Server(server) if !is_ours => {
                dump(&server.to_string(), out).await?;
                drop(shown);
            }
            Location::File(_) | Location::Server(_) => {
                let heads =
                    export::export_all(&database, Purpose::Backup, out, os::valid(os::now())?).await.map_err(reason)?;
                drop(shown);
                say(&format!("{} in it", counted(heads.len() as u64, "campaign", "campaigns")));
            }
        }
        say(&format!("backed up to {}", out.display()));
        Ok(Done::Well)
    }
}

async fn dump(address: &str, out: &std::path::Path) -> Result<(), String> {
    let arguments = ["--format=custom", "--no-password", "--no-owner"];
    let mut command = Command::new("pg_dump");
    command.args(arguments).arg(format!("--dbname={address}")).arg("--file").arg(out).kill_on_drop(true);
    let line = format!("pg_dump {} --dbname='{address}' --file={}", arguments.join(" "), out.display());
    let ended = command.output().await.map_err(|error| {
        format!("pg_dump cannot be run here ({error}). Install PostgreSQL's client programs, or run this where they are: {line}")
    })?;
    if ended.status.success() {
        return Ok(());
    }
    let _ = std::fs::remove_file(out);
    let why = rollbook_text::names::printable(String::from_utf8_lossy(&ended.stderr).trim());
    Err(format!(
        "pg_dump did not write the backup: {why}. It takes the password from PGPASSWORD or ~/.pgpass. To run it yourself: {line}"
    ))
}
