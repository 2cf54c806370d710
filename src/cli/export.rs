//! `rollbook export`: the log for readers.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::cli::args::{AudienceArg, DatabaseArg};
use crate::cli::output::{Done, Failed, counted, say};
use crate::cli::progress::Progress;
use crate::export::{self, Format};
use crate::game::view::Audience;
use crate::session::os;
use crate::store::location::Location;

/// Write a campaign's log for readers.
///
/// The players' export holds what players may see, and beside it the proof that nothing was left out: the commitments of
/// what is hidden, never its content.
#[derive(Debug, Args)]
pub struct Export {
    #[arg(long, value_enum, default_value = "jsonl")]
    format: Format,
    /// For whom.
    #[arg(long, value_enum, default_value = "player")]
    audience: AudienceArg,
    /// The file to write; one that is there already is refused.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    database: DatabaseArg,
    /// The campaign to write [default: the only one there is].
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    /// Copy the whole database with every campaign in it; only with --format db --audience gm.
    #[arg(long, conflicts_with = "campaign")]
    all: bool,
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        Format::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.about()))
    }
}

impl Export {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        if self.out.as_os_str() == "-" {
            return Err("an export is a file that is there whole or not at all; name one with --out, not -".to_owned());
        }
        let database = self.database.to_read()?;
        let now = os::valid(os::now())?;
        if self.all {
            return self.copy_all(&database, now).await;
        }
        let shown = Progress::reading("Exporting", &database, self.campaign.as_deref()).await;
        let exported =
            export::export(&database, self.campaign.as_deref(), self.audience.into(), self.format, &self.out, now)
                .await
                .map_err(|error| error.to_string())?;
        drop(shown);
        say(&format!(
            "{}: {} of {} entries of {} written to {}. Receipt: {}",
            exported.campaign,
            exported.shown,
            exported.entries,
            database,
            exported.out.display(),
            exported.head.receipt()
        ));
        exported.history_lost.into_iter().for_each(|lost| say(&format!("warning: {lost}")));
        Ok(Done::Well)
    }

    async fn copy_all(&self, database: &Location, now: i64) -> Result<Done, Failed> {
        if self.format != Format::Db || Audience::from(self.audience) != Audience::Gm {
            return Err(
                "--all copies the whole database: say --format db --audience gm with it, or name one campaign with \
                        --campaign"
                    .to_owned(),
            );
        }
        let shown = Progress::of("Copying the database");
        let heads = export::export_all(database, &self.out, now).await.map_err(|error| error.to_string())?;
        drop(shown);
        for (campaign, head, history_lost) in &heads {
            say(&format!("{campaign}: {} entries. Receipt: {}", head.seq, head.receipt()));
            history_lost.iter().for_each(|lost| say(&format!("warning: {campaign}: {lost}")));
        }
        let (campaigns, out) = (heads.len(), self.out.display());
        let campaigns = counted(campaigns as u64, "campaign", "campaigns");
        say(&format!("{campaigns} of {} written to {out}, the GM's secrets included", database));
        Ok(Done::Well)
    }
}
