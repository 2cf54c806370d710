//! `rollbook export`: the log for readers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{AudienceArg, Done, Failed, Kept, say};
use crate::export::{self, Format};
use crate::session::{clock, place};

/// Write a campaign's log for readers.
///
/// The players' export holds what players may see, and beside it the proof that nothing was left out: the commitments of
/// what is hidden, never its content.
#[derive(Debug, Args)]
pub struct Export {
    #[arg(long, value_enum, default_value = "jsonl")]
    format: FormatArg,
    /// For whom.
    #[arg(long, value_enum, default_value = "player")]
    audience: AudienceArg,
    /// The file to write; one that is there already is refused.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    kept: Kept,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormatArg {
    /// One JSON object a line, with proofs; `rollbook verify --copy` checks it.
    Jsonl,
    /// One row an entry, for a spreadsheet.
    Csv,
    /// A SQLite file.
    Db,
}

impl Export {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let format = match self.format {
            FormatArg::Jsonl => Format::Jsonl,
            FormatArg::Csv => Format::Csv,
            FormatArg::Db => Format::Db,
        };
        let database = place::existing_database(self.kept.db.as_deref());
        let exported = export::export(
            &database,
            self.kept.campaign.as_deref(),
            self.audience.into(),
            format,
            &self.out,
            clock::now(),
        )
        .await
        .map_err(|error| error.to_string())?;
        say(&format!(
            "{}: {} of {} entries written to {}. Receipt: {}",
            exported.campaign,
            exported.shown,
            exported.entries,
            exported.out.display(),
            exported.head.receipt()
        ));
        Ok(Done::Well)
    }
}
