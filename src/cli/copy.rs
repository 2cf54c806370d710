//! `rollbook copy`: campaigns from one database to another.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, say};
use crate::cli::progress::Progress;
use rollbook_table::session::{os, transfer};
use rollbook_text::names::counted;

/// Copy campaigns to another database.
///
/// From a file to a server, back, or between two of a kind. Each is verified before and where it arrives, with the same entries, receipts and chain. Stop
/// the server that plays it first, else what is played meanwhile stays behind. Keys are not copied.
/// A campaign that is there already, or another one of its name, is refused.
#[derive(Debug, Args)]
pub struct Copy {
    /// The database to copy from: a file or an address.
    #[arg(long, value_name = "FILE|URL")]
    from: PathBuf,
    /// The database to copy to; made where there is none.
    #[arg(long, value_name = "FILE|URL")]
    to: PathBuf,
    /// The campaign to copy [default: all of them].
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    /// Where checkpoints of a database on a server are written [default: rollbook in the user's
    /// data folder].
    #[arg(long, value_name = "DIR")]
    checkpoints: Option<PathBuf>,
}

impl Copy {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let now = os::valid(os::now())?;
        let side = |db: &PathBuf| DatabaseArg::for_side(db.clone(), self.checkpoints.clone());
        let (from, to) = (side(&self.from)?.to_read()?, side(&self.to)?.to_write()?);
        if let Some(why) = &to.fallback_reason {
            tracing::warn!("{why}");
        }
        let carried = transfer::copy(&from, &to.location, self.campaign.as_deref(), now);
        let carried =
            Progress::during("Verifying, copying, and verifying what arrived", carried).await?;
        for campaign in &carried {
            let entries = counted(campaign.entries, "entry", "entries");
            say(&format!(
                "{}: {entries} copied. Receipt: {}",
                campaign.name,
                campaign.head.receipt()
            ));
            campaign
                .findings
                .iter()
                .for_each(|finding| say(&format!("{}: {finding}", campaign.name)));
        }
        let campaigns = counted(carried.len() as u64, "campaign", "campaigns");
        say(&format!(
            "{campaigns} of {from} copied to {}; their keys stay behind",
            to.location
        ));
        Ok(Done::of(
            carried.iter().all(|campaign| campaign.findings.is_empty()),
        ))
    }
}
