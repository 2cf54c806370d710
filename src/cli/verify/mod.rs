//! `rollbook verify`: whether a log is what was written.

mod all;
mod answer;
mod words;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print};
use crate::cli::progress::{Progress, file_step};
use rollbook_record::export;
use rollbook_store::verify::parse_receipt;

/// Check a log: chain, contents, arithmetic of every roll, replay against the tables, checkpoints and a receipt.
///
/// Exit code 0: all is well. 1: findings, or a receipt that cannot be compared with a copy. 2: it could not be checked.
#[derive(Debug, Args)]
pub struct Verify {
    #[command(flatten)]
    database: DatabaseArg,
    /// Check this campaign only [default: every one there is]; the file as a whole is checked either way.
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    /// A receipt that was kept outside, such as "#128 9f3c21d07a44b81e6d05".
    #[arg(long)]
    receipt: Option<String>,
    /// Check exported files instead of a database: JSON lines, CSV or SQLite, each on its own.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["db", "campaign"])]
    copy: Vec<PathBuf>,
    /// Check every database in this folder and below, such as those of a league.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["db", "campaign", "copy", "receipt"])]
    all: Option<PathBuf>,
    /// Answer with JSON.
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        if !self.copy.is_empty() {
            return self.check_copies().await;
        }
        let receipt = self.receipt.as_deref().map(parse_receipt).transpose().map_err(|error| error.to_string())?;
        if let Some(folder) = &self.all {
            return all::check_all(folder, self.json).await;
        }
        let database = self.database.to_read()?;
        let shown = Progress::reading(&["Verifying"], &database, self.campaign.as_deref()).await;
        let verified = all::check_one(&database, self.campaign.as_deref(), receipt.as_ref()).await?;
        drop(shown);
        match self.json {
            true => print(&format!("{:#}\n", answer::report(&verified)))?,
            false => print(&words::whole(&verified))?,
        }
        Ok(if verified.is_sound() { Done::Well } else { Done::Findings })
    }

    /// Checks each copy; one that cannot be checked keeps none of the others from being checked.
    async fn check_copies(self) -> Result<Done, Failed> {
        self.receipt.as_deref().map(parse_receipt).transpose().map_err(|error| error.to_string())?;
        let (mut done, mut refused, mut all) = (Done::Well, Vec::new(), Vec::new());
        for (nth, path) in self.copy.iter().enumerate() {
            let shown = Progress::of_copy(&file_step("Verifying", path, nth, self.copy.len()), path).await;
            let checked = export::check_copy(path, self.receipt.as_deref()).await;
            drop(shown);
            match checked {
                Ok(copy) => {
                    if !copy.findings.is_empty() || copy.incomparable.is_some() {
                        done = Done::Findings;
                    }
                    match self.json {
                        true => all.push(answer::copy_report(path, &copy)),
                        false => print(&words::copy(path, &copy, self.receipt.as_deref()))?,
                    }
                }
                Err(error) => {
                    all.push(json!({"file": path.display().to_string(), "verdict": "not_checked", "error": error.to_string()}));
                    refused.push(error.to_string());
                }
            }
        }
        if self.json {
            print(&format!("{:#}\n", json!({"copies": all})))?;
        }
        if refused.is_empty() { Ok(done) } else { Err(refused.join("\nrollbook: ")) }
    }
}
