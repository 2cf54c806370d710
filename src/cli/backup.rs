//! `rollbook backup`: a whole copy of a database.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, reason, say};
use crate::cli::progress::Progress;
use rollbook_record::export;
use rollbook_store::draft::make_folder;
use rollbook_store::location::Location;
use rollbook_table::session::os;
use rollbook_text::names::counted;

/// Back a database up into a new file, while it is played in.
///
/// Every campaign and secret of it is copied as it is at one moment, into a file that `rollbook restore` puts back.
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
            return Err(format!(
                "{} is there already; name another file with --out",
                out.display()
            ));
        }
        let database = self.database.to_read()?;
        let is_named_db = out
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("db"));
        if let Location::Server(server) = &database
            && !is_named_db
        {
            return Err(format!(
                "a backup is a file of SQLite; name it FILE.db. For PostgreSQL's own form run: pg_dump --format=custom --no-owner --dbname='{server}' --file={}",
                out.display()
            ));
        }
        if let Some(folder) = out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            make_folder(folder)
                .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        }
        let written = export::export_all(&database, out, os::valid(os::now())?);
        let heads = Progress::during("Backing up", written)
            .await
            .map_err(reason)?;
        say(&format!(
            "{} in it",
            counted(heads.len() as u64, "campaign", "campaigns")
        ));
        say(&format!("backed up to {}", out.display()));
        Ok(Done::Well)
    }
}
