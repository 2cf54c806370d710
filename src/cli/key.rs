//! `rollbook key`: keys of seats, for those who play over HTTP.

use chrono::{DateTime, Days, NaiveDate, TimeDelta};
use clap::{Args, Subcommand, ValueEnum};

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print, say};
use rollbook_game::record::instant::iso;
use rollbook_game::zone::Zone;
use rollbook_store::keys::Role;
use rollbook_table::session::{keys, os};
use rollbook_text::names::quoted;

/// Make, list and revoke the keys that people need over HTTP.
///
/// A key belongs to one campaign and one seat at its table. Once a database has a key, every
/// request over HTTP needs one.
#[derive(Debug, Args)]
pub struct Key {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a key. It is printed once, alone, and only its hash is kept.
    New(New),
    /// List the keys, never the keys themselves.
    List {
        #[command(flatten)]
        database: DatabaseArg,
    },
    /// Revoke a key: from a second later on it opens nothing.
    Revoke {
        /// The key's id, as `rollbook key list` shows it.
        id: String,
        #[command(flatten)]
        database: DatabaseArg,
    },
}

#[derive(Debug, Args)]
struct New {
    /// The campaign; made where there is none of that name.
    #[arg(long, value_name = "NAME")]
    campaign: String,
    /// What the key is for.
    #[arg(long, value_enum)]
    seat: SeatArg,
    /// Whose seat it is, for a player; the character may be made later.
    #[arg(long, value_name = "NAME", required_if_eq("seat", "player"))]
    character: Option<String>,
    /// How long it is good: 12h, 30d, a day (2027-01-31, to its end in UTC) or a moment (2027-01-31T18:00:00Z).
    #[arg(long, value_name = "WHEN")]
    expires: Option<String>,
    #[command(flatten)]
    database: DatabaseArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SeatArg {
    /// Everything.
    Gm,
    /// The players' view, and one character's own dice.
    Player,
}

impl Key {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        match self.action {
            Action::New(new) => new.run().await?,
            Action::List { database } => list(&database).await?,
            Action::Revoke { id, database } => revoke(&id, &database).await?,
        }
        Ok(Done::Well)
    }
}

impl New {
    async fn run(self) -> Result<(), Failed> {
        let role = match (self.seat, self.character) {
            (SeatArg::Gm, None) => Role::Gm,
            (SeatArg::Gm, Some(_)) => {
                return Err(
                    "the GM's seat belongs to no character. Leave --character out".to_owned(),
                );
            }
            // Clap sees to it that one is named.
            (SeatArg::Player, name) => Role::Player {
                character: name.unwrap_or_default().trim().to_owned(),
            },
        };
        let expires_at = self
            .expires
            .map(|text| moment(&text, os::now()))
            .transpose()?;
        let database = self.database.to_write()?;
        let (key, record) =
            keys::make(&database.location, &self.campaign, role, expires_at).await?;
        let whose = record.role.character().map_or("the GM".to_owned(), quoted);
        let until = record
            .expires_at
            .map_or(String::new(), |at| format!(", good until {}", iso(at)));
        say(&format!(
            "Key {} for {whose}'s seat in campaign \"{}\"{until}. Nobody can show it again. Send it as a header:",
            record.id,
            quoted(&record.campaign)
        ));
        say(
            "  claude mcp add --transport http rollbook http://ADDRESS/mcp --header \"Authorization: Bearer KEY\"",
        );
        print(&format!("{key}\n"))
    }
}

async fn list(database: &DatabaseArg) -> Result<(), Failed> {
    let (keys, now) = (keys::all(&database.to_read()?).await?, os::now());
    if keys.is_empty() {
        say(
            "There is no key: over HTTP this database is served to this computer alone, and to everybody on it.",
        );
    }
    let lines = keys.iter().map(|key| {
        let seat = key
            .role
            .character()
            .map_or(key.role.as_str().to_owned(), |name| {
                format!("player {}", quoted(name))
            });
        let (campaign, since) = (quoted(&key.campaign), iso(key.created_at));
        format!(
            "{}  {campaign}  {seat}  made {since}  {}\n",
            key.id,
            key.standing(now)
        )
    });
    print(&lines.collect::<String>())
}

async fn revoke(id: &str, database: &DatabaseArg) -> Result<(), Failed> {
    let database = database.to_read()?;
    // The whole key may be pasted; its id is in it.
    let id = id
        .trim()
        .trim_start_matches("rollbook_")
        .split('_')
        .next()
        .unwrap_or_default();
    if !database.exists() {
        return Err(database.missing());
    }
    let Some(key) = keys::revoke(&database, id).await? else {
        return Err(format!(
            "there is no key \"{}\"; `rollbook key list` shows the ids",
            quoted(id)
        ));
    };
    say(&format!(
        "Key {} is {}. From a second later on it opens nothing.",
        key.id,
        key.standing(os::now())
    ));
    Ok(())
}

fn moment(text: &str, now: i64) -> Result<i64, Failed> {
    let text = text.trim();
    let advice = || {
        format!(
            "--expires takes 12h, 30d, 2027-01-31 or 2027-01-31T18:00:00Z, not \"{}\"",
            quoted(text)
        )
    };
    let now = DateTime::from_timestamp_micros(now).ok_or_else(advice)?;
    let counted = |unit: char| {
        text.strip_suffix(unit)
            .and_then(|count| count.trim().parse::<u32>().ok())
    };
    let moment = if let Some(days) = counted('d') {
        now.checked_add_days(Days::new(u64::from(days)))
    } else if let Some(hours) = counted('h') {
        now.checked_add_signed(TimeDelta::hours(i64::from(hours)))
    } else if let Ok(day) = text.parse::<NaiveDate>() {
        day.succ_opt()
            .and_then(|next| next.and_hms_opt(0, 0, 0))
            .map(|end| end.and_utc())
    } else {
        Zone::utc().written(text).ok()
    };
    moment
        .map(|moment| moment.timestamp_micros())
        .ok_or_else(advice)
}

#[test]
fn a_moment_is_a_span_a_day_or_itself() {
    let now = 1_800_000_000_000_000; // 2027-01-15T08:00:00Z
    let hour = 3_600_000_000;
    for (text, at) in [
        ("12h", now + 12 * hour),
        ("30d", now + 30 * 24 * hour),
        ("2027-01-15", now + 16 * hour),
        ("2027-01-15T09:00:00Z", now + hour),
        ("2027-01-15T09:00:00+01:00", now),
    ] {
        assert_eq!(moment(text, now), Ok(at), "{text}");
    }
    for text in [
        "",
        "soon",
        "12",
        "-1d",
        "2027-02-30",
        "4294967296d",
        "99999999d",
    ] {
        assert!(moment(text, now).is_err(), "{text}");
    }
}
