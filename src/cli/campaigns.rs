//! `rollbook campaigns`: the campaigns of a database as a whole.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print, reason, say};
use crate::cli::progress::Progress;
use rollbook_game::record::instant::iso;
use rollbook_game::zone::Zone;
use rollbook_record::export;
use rollbook_store::record::CampaignSummary;
use rollbook_store::sql::zone::KeptZone;
use rollbook_table::session::{campaigns, os};
use rollbook_text::names::{counted, quoted};
use rollbook_text::terminal::columns;

/// List the campaigns of a database; rename, continue or remove one.
///
/// Also: say in which time zone one is played, go on in a new log.
#[derive(Debug, Args)]
pub struct Campaigns {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the campaigns: adventure, entries, sessions, characters, bytes of log, when last
    /// written, keys.
    List {
        #[command(flatten)]
        database: DatabaseArg,
        /// As JSON, for programs.
        #[arg(long)]
        json: bool,
    },
    /// Give a campaign another name. The log says so; its keys open it as before.
    Rename {
        /// The campaign.
        #[arg(value_name = "OLD")]
        from: String,
        /// The name that it gets.
        #[arg(value_name = "NEW")]
        to: String,
        #[command(flatten)]
        database: DatabaseArg,
    },
    /// Keep the clock at a campaign's table: `local_time` in SQL, in the database and in exports,
    /// is told by it. The log does not change.
    Zone {
        /// The campaign [default: the only one there is].
        name: Option<String>,
        /// The time zone, as the IANA names it, such as Europe/Berlin.
        #[arg(long, value_name = "ZONE")]
        zone: String,
        #[command(flatten)]
        database: DatabaseArg,
    },
    /// Remove a campaign, after a whole export of it was written and verified. No server may be
    /// running on a file.
    ///
    /// checkpoints.log keeps a line that says so. The database's file does not get smaller: new
    /// entries take the room. Backups that were made before still hold the campaign. On PostgreSQL
    /// the other tables play on, and wait while the rows go.
    Remove(Exported),
    /// Go on in a new log, after a whole export of this one was written and verified. No server may
    /// be running on a file.
    ///
    /// The new log begins with everything as it is now: characters, clocks, open threads, a running
    /// fight. It has the campaign's name and keys. The earlier one stays for reading as
    /// `NAME (until DATE)`, where the date is that of its last entry; `campaigns remove` removes
    /// it. On PostgreSQL the others play on.
    Continue(Exported),
}

#[derive(Debug, Args)]
struct Exported {
    /// The campaign.
    name: String,
    /// Where the export goes: a database with that campaign alone, the GM's secrets included. A
    /// file that is there is refused.
    #[arg(long, value_name = "FILE")]
    export: PathBuf,
    #[command(flatten)]
    database: DatabaseArg,
}

impl Campaigns {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        match self.action {
            Action::List { database, json } => list(&database, json).await?,
            Action::Rename { from, to, database } => rename(&database, &from, to.trim()).await?,
            Action::Zone {
                name,
                zone,
                database,
            } => keep_zone(&database, name.as_deref(), &zone).await?,
            Action::Remove(exported) => exported.remove().await?,
            Action::Continue(exported) => exported.continue_campaign().await?,
        }
        Ok(Done::Well)
    }
}

async fn list(database: &DatabaseArg, as_json: bool) -> Result<(), Failed> {
    let database = database.to_read()?;
    let all: Vec<Value> = campaigns::all(&database)
        .await?
        .iter()
        .map(to_json)
        .collect();
    match (as_json, all.is_empty()) {
        (true, _) => print(&format!("{:#}\n", json!(all))),
        (false, false) => print(&table(&all)),
        (false, true) => {
            say(&format!("{database} holds no campaign."));
            Ok(())
        }
    }
}

const COLUMNS: [&str; 8] = [
    "name",
    "adventure",
    "entries",
    "sessions",
    "characters",
    "bytes",
    "last_written",
    "keys",
];

fn to_json(campaign: &CampaignSummary) -> Value {
    json!({
        "name": campaign.name,
        // The one whose rules were loaded last; none while nobody has played since the first key.
        "adventure": Some(&campaign.adventure).filter(|name| !name.is_empty()),
        "entries": campaign.entries,
        "sessions": campaign.sessions,
        "characters": campaign.characters,
        "bytes": campaign.bytes,
        "last_written": campaign.last_written.map(iso),
        "keys": campaign.keys,
    })
}

fn table(all: &[Value]) -> String {
    let cell = |campaign: &Value, key: &str| match (campaign.get(key), key) {
        (Some(Value::String(text)), _) => quoted(text),
        (Some(Value::Null) | None, "adventure") => "-".to_owned(),
        (Some(Value::Null) | None, _) => "never".to_owned(),
        (Some(number), _) => number.to_string(),
    };
    let headings = COLUMNS
        .map(|key| key.replace('_', " ").to_uppercase())
        .to_vec();
    let rows = all
        .iter()
        .map(|campaign| COLUMNS.map(|key| cell(campaign, key)).to_vec());
    columns(&[vec![headings], rows.collect()].concat(), |nth| {
        (0, matches!(nth, 2..=5 | 7))
    })
}

async fn rename(database: &DatabaseArg, from: &str, to: &str) -> Result<(), Failed> {
    let (was, receipt) = campaigns::rename(&database.to_read()?, from, to).await?;
    let (was, to) = (quoted(&was), quoted(to));
    print(&format!(
        "\"{was}\" is called \"{to}\" from now on. Receipt: {receipt}\n"
    ))?;
    say(&format!(
        "Who starts a server for \"{was}\" by --campaign, or by the adventure's folder name, now says --campaign \"{to}\"."
    ));
    Ok(())
}

async fn keep_zone(database: &DatabaseArg, name: Option<&str>, zone: &str) -> Result<(), Failed> {
    let zone = Zone::named(zone)
        .map_err(|refusal| refusal.summary.replace("Send timezone=", "Say --zone "))?;
    let database = database.to_read()?;
    let kept = KeptZone {
        name: zone.name().to_owned(),
        offsets: zone.offsets(os::valid(os::now())?),
    };
    let name = campaigns::keep_zone(&database, name, &kept).await?;
    say(&format!(
        "{}: `local_time` in SQL and in exports as SQLite files is told as in {} from now on, that of earlier entries, too. The report and \
         `rollbook log` stay in UTC.",
        quoted(&name),
        kept.name
    ));
    Ok(())
}

impl Exported {
    async fn remove(self) -> Result<(), Failed> {
        let (database, now) = (self.database.to_read()?, os::valid(os::now())?);
        let removed = export::remove(&database, &self.name, &self.export, now);
        let removed = Progress::during("Exporting, verifying, removing", removed)
            .await
            .map_err(reason)?;
        removed
            .history_lost
            .iter()
            .for_each(|lost| say(&format!("warning: {lost}")));
        print(&format!(
            "\"{}\" is removed: {}, receipt {}. {} holds all of it; `rollbook serve --db` goes on with it there.\n",
            quoted(&removed.campaign),
            counted(removed.entries, "entry", "entries"),
            removed.head.receipt(),
            removed.out.display()
        ))
    }

    async fn continue_campaign(self) -> Result<(), Failed> {
        let (database, now) = (self.database.to_read()?, os::valid(os::now())?);
        let continued = export::continue_campaign(&database, &self.name, &self.export, now);
        let step = "Exporting, verifying, beginning the new log";
        let continued = Progress::during(step, continued).await.map_err(reason)?;
        let old = &continued.exported;
        old.history_lost
            .iter()
            .for_each(|lost| say(&format!("warning: {lost}")));
        print(&format!(
            "\"{}\" goes on in a new log, receipt {}. The earlier one is \"{}\" now, to be read: {}, receipt {}, and one more that closes it. {} holds all \
             of it up to there.\n",
            quoted(&continued.campaign),
            continued.receipt,
            quoted(&continued.former),
            counted(old.entries, "entry", "entries"),
            old.head.receipt(),
            old.out.display()
        ))
    }
}
