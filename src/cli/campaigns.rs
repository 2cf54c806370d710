//! `rollbook campaigns`: the campaigns of a database as a whole.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print, say};
use crate::cli::progress::Progress;
use rollbook_game::record::instant::iso;
use rollbook_game::zone::Zone;
use rollbook_record::export;
use rollbook_store::record::CampaignSummary;
use rollbook_store::sql::zone::KeptZone;
use rollbook_table::session::{campaigns, os};
use rollbook_text::names::{counted, quoted};

/// List the campaigns of a database, rename one, say in which time zone it is played, go on in a new log, remove one.
#[derive(Debug, Args)]
pub struct Campaigns {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the campaigns: adventure, entries, sessions, characters, bytes of log, when last written, keys.
    List(List),
    /// Give a campaign another name. The log says so; its keys open it as before.
    Rename(Rename),
    /// Keep the clock at a campaign's table: `local_time` in SQL, in the database and in exports, is told by it. The log does not change.
    Zone(ZoneOf),
    /// Remove a campaign, after a whole export of it was written and verified. No server may be running on a file.
    ///
    /// checkpoints.log keeps a line that says so. The database's file does not get smaller: new entries take the room. Backups
    /// that were made before still hold the campaign. On PostgreSQL the other tables play on, and wait while the rows go.
    Remove(Remove),
    /// Go on in a new log, after a whole export of this one was written and verified. No server may be running on a file.
    ///
    /// The new log begins with everything as it is now: characters, clocks, open threads, a running fight. It has the campaign's name and keys. The
    /// earlier one stays for reading as `NAME (until DATE)`, where the date is that of its last entry; `campaigns remove` removes it. On PostgreSQL
    /// the others play on.
    Continue(Continue),
}

#[derive(Debug, Args)]
struct List {
    #[command(flatten)]
    database: DatabaseArg,
    /// As JSON, for programs.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Rename {
    /// The campaign.
    #[arg(value_name = "OLD")]
    from: String,
    /// The name that it gets.
    #[arg(value_name = "NEW")]
    to: String,
    #[command(flatten)]
    database: DatabaseArg,
}

#[derive(Debug, Args)]
struct ZoneOf {
    /// The campaign [default: the only one there is].
    name: Option<String>,
    /// The time zone, as the IANA names it, such as Europe/Berlin.
    #[arg(long, value_name = "ZONE")]
    zone: String,
    #[command(flatten)]
    database: DatabaseArg,
}

impl ZoneOf {
    async fn run(self) -> Result<Done, Failed> {
        let zone =
            Zone::named(&self.zone).map_err(|refusal| refusal.summary.replace("Send timezone=", "Say --zone "))?;
        let database = self.database.to_read()?;
        let kept = KeptZone { name: zone.name().to_owned(), offsets: zone.offsets(os::valid(os::now())?) };
        let name = campaigns::keep_zone(&database, self.name.as_deref(), &kept).await?;
        say(&format!(
            "{}: `local_time` in SQL and in exports as SQLite files is told as in {} from now on, that of earlier entries, too. The report and \
             `rollbook log` stay in UTC.",
            quoted(&name),
            kept.name
        ));
        Ok(Done::Well)
    }
}

#[derive(Debug, Args)]
struct Remove {
    /// The campaign.
    name: String,
    /// Where the export goes: a database with that campaign alone, the GM's secrets included. A file that is there is refused.
    #[arg(long, value_name = "FILE")]
    export: PathBuf,
    #[command(flatten)]
    database: DatabaseArg,
}

#[derive(Debug, Args)]
struct Continue {
    /// The campaign.
    name: String,
    /// Where the export goes: a database with that campaign alone, the GM's secrets included. A file that is there is refused.
    #[arg(long, value_name = "FILE")]
    export: PathBuf,
    #[command(flatten)]
    database: DatabaseArg,
}

impl Campaigns {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        match self.action {
            Action::List(list) => list.run().await,
            Action::Rename(rename) => rename.run().await,
            Action::Zone(zone) => zone.run().await,
            Action::Remove(remove) => remove.run().await,
            Action::Continue(continued) => continued.run().await,
        }
    }
}

impl List {
    async fn run(self) -> Result<Done, Failed> {
        let database = self.database.to_read()?;
        let all = campaigns::all(&database).await?;
        if self.json {
            return print(&as_json(&all)).map(|()| Done::Well);
        }
        if all.is_empty() {
            say(&format!("{} holds no campaign.", database));
            return Ok(Done::Well);
        }
        print(&table(&all)).map(|()| Done::Well)
    }
}

fn as_json(all: &[CampaignSummary]) -> String {
    let one = |own: &CampaignSummary| {
        json!({
            "name": own.name,
            "adventure": adventure(own),
            "entries": own.entries,
            "sessions": own.sessions,
            "characters": own.characters,
            "bytes": own.bytes,
            "last_written": own.last_written.map(iso),
            "keys": own.keys,
        })
    };
    format!("{:#}\n", json!(all.iter().map(one).collect::<Vec<_>>()))
}

/// The adventure whose rules were loaded last; none while nobody has played since the first key.
fn adventure(own: &CampaignSummary) -> Option<&str> {
    Some(own.adventure.as_str()).filter(|name| !name.is_empty())
}

/// One line a campaign below a line of headings; numbers stand to the right.
fn table(all: &[CampaignSummary]) -> String {
    const HEADINGS: [&str; 8] =
        ["NAME", "ADVENTURE", "ENTRIES", "SESSIONS", "CHARACTERS", "BYTES", "LAST WRITTEN", "KEYS"];
    let line = |own: &CampaignSummary| {
        [
            quoted(&own.name),
            adventure(own).map_or("-".to_owned(), quoted),
            own.entries.to_string(),
            own.sessions.to_string(),
            own.characters.to_string(),
            own.bytes.to_string(),
            own.last_written.map_or("never".to_owned(), iso),
            own.keys.to_string(),
        ]
    };
    let lines: Vec<[String; 8]> = [HEADINGS.map(str::to_owned)].into_iter().chain(all.iter().map(line)).collect();
    let mut widths = [0; 8];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for line in &lines {
        let cells = line.iter().zip(widths).zip(HEADINGS).map(|((cell, width), heading)| match heading {
            "NAME" | "ADVENTURE" | "LAST WRITTEN" => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

impl Rename {
    async fn run(self) -> Result<Done, Failed> {
        let database = self.database.to_read()?;
        let (was, receipt) = campaigns::rename(&database, &self.from, &self.to).await?;
        let (was, to) = (quoted(&was), quoted(self.to.trim()));
        print(&format!("\"{was}\" is called \"{to}\" from now on. Receipt: {receipt}\n"))?;
        say(&format!(
            "Who starts a server for \"{was}\" by --campaign, or by the adventure's folder name, now says --campaign \"{to}\"."
        ));
        Ok(Done::Well)
    }
}

impl Remove {
    async fn run(self) -> Result<Done, Failed> {
        let database = self.database.to_read()?;
        let now = os::valid(os::now())?;
        let shown = Progress::of("Exporting, verifying, removing");
        let removed =
            export::remove(&database, &self.name, &self.export, now).await.map_err(|error| error.to_string())?;
        drop(shown);
        removed.history_lost.iter().for_each(|lost| say(&format!("warning: {lost}")));
        print(&format!(
            "\"{}\" is removed: {}, receipt {}. {} holds all of it; `rollbook serve --db` goes on with it there.\n",
            quoted(&removed.campaign),
            counted(removed.entries, "entry", "entries"),
            removed.head.receipt(),
            removed.out.display()
        ))
        .map(|()| Done::Well)
    }
}

impl Continue {
    async fn run(self) -> Result<Done, Failed> {
        let database = self.database.to_read()?;
        let now = os::valid(os::now())?;
        let shown = Progress::of("Exporting, verifying, beginning the new log");
        let continued = export::continue_campaign(&database, &self.name, &self.export, now).await;
        drop(shown);
        let continued = continued.map_err(|error| error.to_string())?;
        let old = &continued.exported;
        old.history_lost.iter().for_each(|lost| say(&format!("warning: {lost}")));
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
        .map(|()| Done::Well)
    }
}
