//! `rollbook verify`: whether a log is what was written.

mod answer;
mod index;
mod league;
mod words;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print};
use crate::cli::progress::{Files, Progress};
use crate::export;
use crate::store::checkpoint::{self, Checkpoints};
use crate::store::verify::{Kept, parse_receipt};

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
    /// With --all: write a page with a line a campaign; a page that is there is written anew.
    #[arg(long, value_name = "FILE", requires = "all", conflicts_with_all = ["db", "campaign", "copy", "receipt"])]
    index: Option<PathBuf>,
    /// A file in which a witness signed how far the log reached (`rollbook witness sign`).
    #[arg(long, value_name = "FILE", conflicts_with = "copy")]
    witness: Option<PathBuf>,
    /// The public key, as hex, that must have signed the checkpoints from the first one that it signed on.
    #[arg(long, value_name = "HEX", conflicts_with = "copy")]
    key: Option<String>,
    /// Answer with JSON.
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        if !self.copy.is_empty() {
            return self.check_copies().await;
        }
        let (witness, key) = (self.witness()?, self.key()?);
        let receipt = self.receipt.as_deref().map(parse_receipt).transpose().map_err(|error| error.to_string())?;
        let kept = Kept { receipt: receipt.as_ref(), witness: witness.as_ref(), key: key.as_deref() };
        if let Some(folder) = &self.all {
            return league::check_all(folder, &kept, self.index.as_deref(), self.json).await;
        }
        let database = self.database.to_read()?;
        let shown = Progress::reading("Verifying", &database, self.campaign.as_deref()).await;
        let verified = league::check_one(&database, self.campaign.as_deref(), &kept).await?;
        drop(shown);
        match self.json {
            true => print(&format!("{:#}\n", answer::report(&verified)))?,
            false => print(&words::whole(&verified))?,
        }
        Ok(if verified.is_sound() { Done::Well } else { Done::Findings })
    }

    fn witness(&self) -> Result<Option<Checkpoints>, Failed> {
        let Some(path) = &self.witness else { return Ok(None) };
        if !path.is_file() {
            return Err(format!("there is no file {}; `rollbook witness sign --out FILE` writes one", path.display()));
        }
        let read = checkpoint::read_from(path);
        if read.lines.is_empty() && !(read.unreadable.is_empty() && read.torn.is_empty()) {
            return Err(format!(
                "{} holds no line that a witness signed; `rollbook witness sign --out FILE` writes one",
                path.display()
            ));
        }
        Ok(Some(read))
    }

    fn key(&self) -> Result<Option<String>, Failed> {
        let Some(key) = self.key.as_ref().map(|key| key.trim().to_lowercase()) else { return Ok(None) };
        match base16ct::lower::decode_vec(&key) {
            Ok(bytes) if bytes.len() == 32 => Ok(Some(key)),
            _ => Err("--key is 64 hex digits, as `rollbook witness key` prints them".to_owned()),
        }
    }

    /// Checks each copy; one that cannot be checked keeps none of the others from being checked.
    async fn check_copies(self) -> Result<Done, Failed> {
        self.receipt.as_deref().map(parse_receipt).transpose().map_err(|error| error.to_string())?;
        let (mut done, mut refused, mut all) = (Done::Well, Vec::new(), Vec::new());
        let mut files = Files::of("Verifying", self.copy.len());
        for path in &self.copy {
            let shown = Progress::of_copy(files.next(path), path).await;
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
