//! Arguments that several commands take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::game::view::Audience;

/// Where the campaigns are kept.
#[derive(Debug, Args)]
pub(super) struct DatabaseArg {
    /// The database [default: .rollbook/campaigns.db in $CLAUDE_PROJECT_DIR or the current folder, or, where that cannot be
    /// written, rollbook/campaigns.db in the user's data folder].
    #[arg(long, value_name = "FILE")]
    pub(super) db: Option<PathBuf>,
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
