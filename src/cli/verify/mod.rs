//! `rollbook verify`: whether a log is what was written.

mod answer;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print, reason};
use crate::cli::progress::Progress;
use rollbook_record::export;
use rollbook_store::location::Location;
use rollbook_store::verify::{self, Receipt, Verified, parse_receipt};
use rollbook_store::{Reader, StoreError};
use rollbook_text::names::counted;

/// Folders below the one that is named, and files that are looked at.
const DEPTH_MAX: usize = 4;
const FILES_MAX: usize = 10_000;

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
        let receipt = self.receipt.as_deref().map(parse_receipt).transpose().map_err(reason)?;
        if !self.copy.is_empty() {
            return self.check_copies().await;
        }
        if let Some(folder) = &self.all {
            return check_all(folder, self.json).await;
        }
        let (database, campaign) = (self.database.to_read()?, self.campaign.as_deref());
        let shown = Progress::start("Verifying");
        let verified = check(&database, campaign, receipt.as_ref()).await?;
        drop(shown);
        print(&match self.json {
            true => format!("{:#}\n", answer::report(&verified)),
            false => answer::whole(&verified),
        })?;
        Ok(Done::of(verified.is_sound()))
    }

    /// Checks each copy; one that cannot be checked keeps none of the others from being checked.
    async fn check_copies(self) -> Result<Done, Failed> {
        let (mut done, mut refused, mut all) = (Done::Well, Vec::new(), Vec::new());
        for (nth, path) in self.copy.iter().enumerate() {
            let shown = Progress::of_file("Verifying", path, nth, self.copy.len());
            let checked = export::check_copy(path, self.receipt.as_deref()).await;
            drop(shown);
            match checked {
                Ok(copy) => {
                    if !copy.findings.is_empty() || copy.incomparable.is_some() {
                        done = Done::Findings;
                    }
                    match self.json {
                        true => all.push(answer::copy_report(path, &copy)),
                        false => print(&answer::copy(path, &copy, self.receipt.as_deref()))?,
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

/// Verifies a database, beside a receipt that was kept outside.
async fn check(database: &Location, campaign: Option<&str>, receipt: Option<&Receipt>) -> Result<Verified, Failed> {
    let verified = async { verify::audit(Reader::open(database).await?, campaign, receipt).await };
    verified.await.map_err(|error: StoreError| error.to_string())
}

/// Checks every database of a folder; one that cannot be checked keeps none of the others from being checked.
async fn check_all(folder: &Path, as_json: bool) -> Result<Done, Failed> {
    let paths = databases(folder)?;
    if paths.is_empty() {
        return Err(format!("there is no database (*.db) in {} or below", folder.display()));
    }
    let (mut sound, mut refused, mut reports): (usize, u64, Vec<Value>) = (0, 0, Vec::new());
    for (nth, path) in paths.iter().enumerate() {
        let database = Location::from(path.as_path());
        let shown = Progress::of_file("Verifying", path, nth, paths.len());
        let verified = check(&database, None, None).await;
        drop(shown);
        let path = path.display();
        let (report, text) = match &verified {
            Ok(verified) => (answer::report(verified), answer::whole(verified)),
            Err(why) => (
                json!({"database": path.to_string(), "verdict": "not_checked", "error": why}),
                format!("{path}: NOT CHECKED, {why}\n"),
            ),
        };
        if as_json {
            reports.push(report)
        } else {
            print(&text)?
        }
        sound += usize::from(verified.as_ref().is_ok_and(Verified::is_sound));
        refused += u64::from(verified.is_err());
    }
    print(&match as_json {
        true => format!("{:#}\n", json!({"folder": folder.display().to_string(), "databases": reports})),
        false => format!("{sound} of {} verified\n", counted(paths.len() as u64, "database", "databases")),
    })?;
    match refused {
        0 if sound == paths.len() => Ok(Done::Well),
        0 => Ok(Done::Findings),
        _ => Err(format!("{} could not be checked", counted(refused, "database", "databases"))),
    }
}

/// The files that end in `.db`, in order; backups, what `rollbook restore` replaced, and links are passed over.
fn databases(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let (mut found, mut folders, mut looked_at) = (Vec::new(), vec![(folder.to_path_buf(), 0)], 0);
    while let Some((folder, depth)) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        for entry in entries.flatten() {
            looked_at += 1;
            if looked_at > FILES_MAX {
                let folder = folder.display();
                return Err(format!("there are more than {FILES_MAX} files in {folder}; name a folder further down"));
            }
            let path = entry.path();
            let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
            let nth = end.strip_prefix("replaced-").unwrap_or_default();
            let is_replaced = !nth.is_empty() && nth.bytes().all(|digit| digit.is_ascii_digit());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < DEPTH_MAX && end != "backups" && !is_replaced => {
                    folders.push((path, depth + 1));
                }
                Ok(kind) if kind.is_file() && end == "db" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}
