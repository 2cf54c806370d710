//! Every database of a folder.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{answer, words};
use crate::cli::output::{Done, Failed, print};
use crate::cli::progress::{Progress, file_step};
use rollbook_store::location::Location;
use rollbook_store::verify::{self, Receipt, Verified};
use rollbook_store::{Reader, StoreError};
use rollbook_text::names::counted;

const DEPTH_MAX: usize = 4;
const FILES_MAX: usize = 10_000;

struct Table {
    path: PathBuf,
    verified: Result<Verified, String>,
}

/// Verifies a database, beside a receipt that was kept outside.
pub async fn check_one(
    database: &Location,
    campaign: Option<&str>,
    receipt: Option<&Receipt>,
) -> Result<Verified, Failed> {
    let verified = async { verify::audit(Reader::open(database).await?, campaign, receipt).await };
    verified.await.map_err(|error: StoreError| error.to_string())
}

/// Checks all of them; one that cannot be checked keeps none of the others from being checked.
pub async fn check_all(folder: &Path, as_json: bool) -> Result<Done, Failed> {
    let paths = databases(folder)?;
    let (mut tables, count) = (Vec::new(), paths.len());
    for (nth, path) in paths.into_iter().enumerate() {
        let database = Location::from(path.as_path());
        let shown = Progress::reading(&[&file_step("Verifying", &path, nth, count)], &database, None).await;
        let verified = check_one(&database, None, None).await;
        drop(shown);
        if !as_json {
            match &verified {
                Ok(verified) => print(&words::whole(verified))?,
                Err(why) => print(&format!("{}: NOT CHECKED, {why}\n", path.display()))?,
            }
        }
        tables.push(Table { path, verified });
    }
    if tables.is_empty() {
        return Err(format!("there is no database (*.db) in {} or below", folder.display()));
    }
    let sound = tables.iter().filter(|own| own.verified.as_ref().is_ok_and(Verified::is_sound)).count();
    let refused = tables.iter().filter(|own| own.verified.is_err()).count();
    if as_json {
        let all: Vec<Value> = tables.iter().map(report).collect();
        print(&format!("{:#}\n", json!({"folder": folder.display().to_string(), "databases": all})))?;
    } else {
        print(&format!("{} of {} verified\n", sound, counted(tables.len() as u64, "database", "databases")))?;
    }
    match refused {
        0 if sound == tables.len() => Ok(Done::Well),
        0 => Ok(Done::Findings),
        _ => Err(format!("{} could not be checked", counted(refused as u64, "database", "databases"))),
    }
}

fn report(table: &Table) -> Value {
    match &table.verified {
        Ok(verified) => answer::report(verified),
        Err(why) => json!({"database": table.path.display().to_string(), "verdict": "not_checked", "error": why}),
    }
}

/// Whether that is the folder in which `rollbook restore` kept what a database was before.
fn is_replaced(path: &Path) -> bool {
    let nth = path.extension().and_then(|own| own.to_str()?.strip_prefix("replaced-"));
    nth.is_some_and(|nth| !nth.is_empty() && nth.bytes().all(|own| own.is_ascii_digit()))
}

/// The files that end in `.db`, in order; backups, what was replaced, and links are passed over.
fn databases(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_path_buf(), 0)];
    let mut looked_at = 0;
    while let Some((folder, depth)) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        for entry in entries.flatten() {
            looked_at += 1;
            if looked_at > FILES_MAX {
                return Err(format!(
                    "there are more than {FILES_MAX} files in {}; name a folder further down",
                    folder.display()
                ));
            }
            let (path, kind) = (entry.path(), entry.file_type());
            let ends_in = |what: &str| path.extension().is_some_and(|own| own == what);
            let is_kept = ends_in("backups") || is_replaced(&path);
            match kind {
                Ok(kind) if kind.is_dir() && depth < DEPTH_MAX && !is_kept => folders.push((path, depth + 1)),
                Ok(kind) if kind.is_file() && ends_in("db") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}
