//! Arguments that several commands take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::output::Failed;
use crate::game::view::Audience;
use crate::session::paths;
use crate::store::location::Location;

/// Where the campaigns are kept.
#[derive(Debug, Args)]
pub(super) struct DatabaseArg {
    /// The database: a file [default: .rollbook/campaigns.db in $CLAUDE_PROJECT_DIR or the current folder, or, where that cannot be
    /// written, rollbook/campaigns.db in the user's data folder].
    // Not an address yet: where a value is no address the parser of arguments would print it, with its password.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Where checkpoints of a database on a server are written; those of a file lie beside it [default: rollbook in the user's
    /// data folder].
    #[arg(long, value_name = "DIR", hide = true)]
    checkpoints: Option<PathBuf>,
}

impl DatabaseArg {
    /// Where the database is written; its folder is made.
    pub(super) fn to_write(&self) -> Result<paths::Database, Failed> {
        paths::database(self.db.as_deref(), self.checkpoints.as_deref())
    }

    /// Where a database is looked for.
    pub(super) fn to_read(&self) -> Result<Location, Failed> {
        paths::existing_database(self.db.as_deref(), self.checkpoints.as_deref())
    }

    /// [`DatabaseArg::to_write`] as a file, which alone can be played on yet.
    pub(super) fn file_to_write(&self) -> Result<(PathBuf, Option<String>), Failed> {
        let found = self.to_write()?;
        Ok((file(found.location)?, found.fallback_reason))
    }

    /// [`DatabaseArg::to_read`] as a file.
    pub(super) fn file_to_read(&self) -> Result<PathBuf, Failed> {
        file(self.to_read()?)
    }
}

fn file(location: Location) -> Result<PathBuf, Failed> {
    match location {
        Location::File(file) => Ok(file),
        Location::Server(server) => {
            Err(format!("{server} is a server, and this version keeps campaigns in files alone. Name a file"))
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum AudienceArg {
    /// What players may see.
    Player,
    /// Everything.
    Gm,
}

impl From<AudienceArg> for Audience {
    fn from(audience: AudienceArg) -> Self {
        match audience {
            AudienceArg::Player => Audience::Player,
            AudienceArg::Gm => Audience::Gm,
        }
    }
}
