//! Verifying a database: what is wrong with the file as a whole, and then campaign by campaign.
//!
//! Of the file: SQLite's own check, the schema against the one the migrations make ([`schema`]), rows that belong to no
//! campaign, and campaigns that checkpoints know and the database does not hold ([`witness`]). Of a campaign:
//! [`campaign`], the numbers of its entries ([`numbers`]) and its kept answers ([`answers`]). It names what is bad and goes on.

mod again;
mod alone;
mod answers;
mod campaign;
mod cited;
mod fights;
mod improved;
mod links;
mod numbers;
mod receipt;
mod report;
mod scene;
mod schema;
mod undone;
mod witness;

use std::path::{Path, PathBuf};

use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;

pub use receipt::{Receipt, parse_receipt};
pub use report::{Finding, Report, missing};

use super::sqlite::{connect_read_only, inspect, read};
use super::{Identity, StoreError, checkpoint};
use campaign::Check;

/// What verification found.
#[derive(Debug, Default)]
pub struct Verified {
    pub database: PathBuf,
    /// What is wrong with the file as a whole.
    pub findings: Vec<String>,
    /// What a reader should know and is no fault.
    pub notes: Vec<String>,
    pub campaigns: Vec<Report>,
}

impl Verified {
    /// Whether nothing was found.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty() && self.campaigns.iter().all(|report| report.findings.is_empty())
    }
}

/// Verifies a database. `receipt` is one that was kept outside: "#128 9f3c21d07a44b81e6d05".
///
/// # Errors
/// When the file cannot be read at all, is of a later program, or neither holds such a campaign nor ever did.
pub async fn verify(database: &Path, campaign: Option<&str>, receipt: Option<&str>) -> Result<Verified, StoreError> {
    let receipt = receipt.map(parse_receipt).transpose()?;
    let mut connection = connect_read_only(database).await?;
    // One moment of the file, though others go on writing.
    read::begin(&mut connection).await?;
    let mut verified = Verified { database: database.to_path_buf(), ..Verified::default() };
    let done = whole(&mut connection, &mut verified, campaign, receipt.as_ref()).await;
    connection.close().await?;
    match done {
        // What stops the check in a file with findings is one more of them.
        Err(error @ (StoreError::Database(_) | StoreError::Unreadable { .. })) if !verified.findings.is_empty() => {
            verified.findings.push(format!("it could not be checked to its end: {error}"));
            Ok(verified)
        }
        done => done.map(|()| verified),
    }
}

async fn whole(
    connection: &mut SqliteConnection,
    verified: &mut Verified,
    campaign: Option<&str>,
    receipt: Option<&Receipt>,
) -> Result<(), StoreError> {
    schema::compare(connection, verified).await?;
    let behind = verified.findings.len();
    // SQLite looks at the file in a thread of its own, while the logs are looked at.
    let mut beside = connect_read_only(&verified.database).await?;
    let (sound, done) = tokio::join!(inspect::integrity(&mut beside), logs(connection, verified, campaign, receipt));
    beside.close().await?;
    let problems = sound?.into_iter().filter(|line| line != "ok");
    verified.findings.splice(behind..behind, problems.map(|problem| format!("SQLite's own check: {problem}")));
    done?;
    if verified.campaigns.is_empty() && verified.findings.is_empty() {
        let which = campaign.map_or("no campaign".to_owned(), |name| format!("no campaign \"{name}\""));
        return Err(StoreError::Io(format!("there is {which} in {}", verified.database.display())));
    }
    Ok(())
}

/// What campaigns there are, and the logs of those that are wanted.
async fn logs(
    connection: &mut SqliteConnection,
    verified: &mut Verified,
    campaign: Option<&str>,
    receipt: Option<&Receipt>,
) -> Result<(), StoreError> {
    let all = read::campaigns(connection).await?;
    for (table, rows) in inspect::orphans(connection).await? {
        verified.findings.push(format!("{rows} rows of {table} belong to no campaign: it was deleted"));
    }
    if let Some(count) = inspect::book_count(connection).await?.filter(|count| *count != 1) {
        verified.findings.push(format!(
            "the table book has {count} rows, and a database has one name in it: the name that checkpoints know was changed"
        ));
    }
    let book = read::book(connection).await?;
    let checkpoints = checkpoint::read(&verified.database);
    witness::campaigns(verified, &checkpoints, book.as_deref(), &all);
    witness::other_books(verified, &checkpoints, book.as_deref(), &all);
    witness::gone(verified, &checkpoints, book.as_deref());

    let wanted: Vec<(String, Identity)> = match campaign {
        Some(name) => all.into_iter().filter(|(known, _)| crate::names::same(known, name)).collect(),
        None => all,
    };
    if wanted.is_empty() && verified.findings.is_empty() {
        return Ok(());
    }
    let mut checks = Vec::new();
    for (name, identity) in wanted {
        let lines: Vec<_> = checkpoints.lines.iter().filter(|line| line.campaign == identity.uuid).collect();
        let (mut check, read) = Check::new(name, &identity, &lines, receipt).run(connection, &identity).await?;
        match read {
            Err(busy @ StoreError::Busy) => return Err(busy),
            Err(error) => check.find(0, format!("it could not be read to its end: {error}")),
            Ok(()) => {}
        }
        check.compare_checkpoints(&lines);
        checks.push(check);
    }
    if let Some(receipt) = receipt {
        witness::receipt(verified, receipt, &mut checks);
        verified.notes.extend(receipt.weakness());
    }
    verified.notes.extend(checks.iter().filter_map(|check| witness::unwitnessed(&check.report)));
    verified.campaigns = checks.into_iter().map(|check| check.report).collect();
    Ok(())
}
