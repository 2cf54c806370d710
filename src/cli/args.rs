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
    /// The database: a file, or one on a server (<postgres://USER@HOST/DATABASE>, with the password in PGPASSWORD or ~/.pgpass) [default: .rollbook/campaigns.db in $CLAUDE_PROJECT_DIR or the current folder, or, where that cannot be
    /// written, rollbook/campaigns.db in the user's data folder].
    // Not an address yet: where a value is no address the parser of arguments would print it, with its password.
    #[arg(long, value_name = "FILE|URL")]
    db: Option<PathBuf>,
    /// Where checkpoints of a database on a server are written; those of a file lie beside it [default: rollbook in the user's
    /// data folder].
    #[arg(long, value_name = "DIR")]
    checkpoints: Option<PathBuf>,
}

impl DatabaseArg {
    /// One of two databases that a command names; where checkpoints lie is said for the one on a server.
    pub(super) fn of(db: PathBuf, checkpoints: Option<PathBuf>) -> Result<Self, Failed> {
        let is_server = Location::parse(db.as_os_str())?.file().is_none();
        Ok(DatabaseArg { db: Some(db), checkpoints: checkpoints.filter(|_| is_server) })
    }

    /// Where the database is written; its folder is made.
    pub(super) fn to_write(&self) -> Result<paths::Database, Failed> {
        paths::database(self.db.as_deref(), self.checkpoints.as_deref())
    }

    /// The same flags for another start, with that database, which these led to.
    pub(super) fn as_arguments(&self, location: &Location) -> Vec<String> {
        let mut arguments = vec!["--db".to_owned(), location.to_string()];
        if let Some(folder) = &self.checkpoints {
            let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
            arguments.extend(["--checkpoints".to_owned(), folder.display().to_string()]);
        }
        arguments
    }

    /// Where a database is looked for.
    pub(super) fn to_read(&self) -> Result<Location, Failed> {
        paths::existing_database(self.db.as_deref(), self.checkpoints.as_deref())
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
