//! `rollbook restore`: a database put back from a copy.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print, say};
use crate::cli::progress::Progress;
use rollbook_table::session::restore;
use rollbook_text::names::{counted, quoted};

/// Put a database back from a backup: verified, and logged.
///
/// FILE is what `rollbook backup` wrote, or what a session's end left in campaigns.db.backups. No
/// server may be running on a file. On PostgreSQL the
/// campaigns of FILE are put back, others stay as they are and are played on; what a session's end
/// left there lies in the folder backups of --checkpoints. A copy that lacks a campaign is refused
/// unless --without names it. What the copy lacks is lost, and the log says for ever up to where;
/// what was replaced is kept in a folder or file that is named at the end.
#[derive(Debug, Args)]
pub struct Restore {
    /// The copy.
    file: PathBuf,
    /// Give up this campaign, which FILE lacks and no other copy has.
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    #[command(flatten)]
    database: DatabaseArg,
}

impl Restore {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let database = self.database.to_write()?.location;
        let restored = restore::restore(&database, &self.file, &self.without);
        let restored =
            Progress::during("Verifying the copy, and what is put back", restored).await?;
        for campaign in &restored.campaigns {
            let entries = counted(campaign.reaches, "entry", "entries");
            print(&format!(
                "{}: {entries} put back. Receipt: {}\n",
                quoted(&campaign.name),
                campaign.receipt
            ))?;
            campaign
                .lost
                .iter()
                .for_each(|lost| say(&format!("lost: {}: {lost}", quoted(&campaign.name))));
        }
        restored
            .given_up
            .iter()
            .for_each(|what| say(&format!("given up: {what}")));
        say(&format!(
            "{database} was put back from {}",
            self.file.display()
        ));
        restored
            .replaced
            .iter()
            .for_each(|kept| say(&format!("what it was before lies in {}", kept.display())));
        Ok(Done::Well)
    }
}
