//! `rollbook log`: what happened, in this terminal.

use std::time::Duration;

use clap::Args;
use tempfile::TempDir;

use crate::cli::args::{AUDIENCES, CampaignArgs, one_of};
use crate::cli::output::{Done, Failed, does_not_hold, print, reason, say};
use rollbook_game::view::Audience;
use rollbook_game::view::number::Numbers;
use rollbook_game::view::recap::{LoggedEntry, Undone};
use rollbook_game::view::words::Asked;
use rollbook_record::report::no_such_session;
use rollbook_store::location::Location;
use rollbook_store::verify::verify;
use rollbook_store::{Identity, Reader, Store, StoreError};
use rollbook_table::session::live::{LogSearch, find};
use rollbook_table::tools::{Line, line};
use rollbook_text::names::printable;

const PAGE: u32 = 200;
const PAUSE: Duration = Duration::from_millis(500);

/// Show what happened in a campaign, a line an entry.
///
/// The latest is last. Players count what they see: P12, as in their exports and their assistants' searches. The GM's numbers, of
/// all entries, have a #, and the players' beside them. Times are in UTC.
#[derive(Debug, Args)]
pub struct Log {
    /// Of this session alone, all of it.
    #[arg(long, value_name = "N")]
    session: Option<u32>,
    /// Where this character acts, or it is about them.
    #[arg(long, value_name = "NAME")]
    character: Option<String>,
    /// Where these words stand.
    #[arg(long, value_name = "WORDS")]
    text: Option<String>,
    /// For whom.
    #[arg(long, value_parser = one_of(AUDIENCES), default_value = "player")]
    audience: Audience,
    /// How many entries at most [default: 50, of a session 10000].
    #[arg(long, value_name = "N")]
    last: Option<u32>,
    /// Wait for what happens next, and show it too, until the command is interrupted.
    #[arg(long)]
    follow: bool,
    /// One JSON object an entry.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    of: CampaignArgs,
}

/// Brings the words by which entries are found up to date.
async fn index(database: &Location, campaign: i64) -> Result<(), StoreError> {
    let store = Store::open(database).await?;
    let indexed = store.index(campaign).await;
    store.close().await.and(indexed)
}

impl Log {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let database = self.of.database.to_read()?;
        let most = self
            .last
            .unwrap_or(if self.session.is_some() { 10_000 } else { 50 });
        let held = self.check(&database).await?;
        let mut after = self.show(&database, 0, most).await?;
        if !self.follow {
            return Ok(held);
        }
        loop {
            tokio::time::sleep(PAUSE).await;
            after = self.show(&database, after, u32::MAX).await?;
        }
    }

    async fn check(&self, database: &Location) -> Result<Done, Failed> {
        let verified = verify(database, self.of.campaign.as_deref(), None)
            .await
            .map_err(reason)?;
        let of_it = verified.campaigns.first();
        let findings = of_it.map_or_else(
            || verified.findings.clone(),
            |report| verified.findings_with(report),
        );
        if !findings.is_empty() {
            does_not_hold(&findings);
        }
        Ok(Done::of(findings.is_empty()))
    }

    /// Shows the latest entries after a number, at most so many; answers the last number.
    async fn show(&self, database: &Location, after: u64, most: u32) -> Result<u64, Failed> {
        let (found, undone) = self.found(database, after, most).await.map_err(reason)?;
        if found.is_empty() && after == 0 {
            say(&self.nothing_fits());
        }
        let mut text = String::new();
        for (number, entry) in found.iter().rev() {
            let Some(line) = line(*number, entry, self.audience, &undone) else {
                continue;
            };
            let shown = if self.json {
                serde_json::to_string(&line).unwrap_or_default()
            } else {
                plain(&line)
            };
            text.push_str(&format!("{shown}\n"));
        }
        print(&text)?;
        Ok(found.first().map_or(after, |(numbers, _)| value(numbers)))
    }

    /// What was looked for: nothing on the screen could be an answer or a mistake.
    fn nothing_fits(&self) -> String {
        let sees = match self.audience {
            Audience::Player => "players see",
            Audience::Gm => "the GM sees",
        };
        let filters = [
            self.session.map(|number| format!("session {number}")),
            self.character
                .as_ref()
                .map(|name| format!("character \"{}\"", printable(name))),
            self.text
                .as_ref()
                .map(|words| format!("text \"{}\"", printable(words))),
        ];
        let filters: Vec<String> = filters.into_iter().flatten().collect();
        if filters.is_empty() {
            return format!("there is no entry that {sees}");
        }
        format!("no entry that {sees} fits {}", filters.join(", "))
    }

    /// Opens the campaign with its words indexed: of a copy in that folder where need be.
    async fn indexed(
        &self,
        database: &Location,
    ) -> Result<(Reader, Identity, Option<TempDir>), StoreError> {
        let mut reader = Reader::open(database).await?;
        let (_, identity) = reader.meant(self.of.campaign.as_deref()).await?;
        if !reader.lacks_words(identity.key).await? {
            return Ok((reader, identity, None));
        }
        let Err(why) = index(database, identity.key).await else {
            return Ok((reader, identity, None));
        };
        if database.file().is_none() {
            return Err(why);
        }
        let folder = tempfile::tempdir().map_err(|error| StoreError::Io(error.to_string()))?;
        let copy = Location::from(folder.path().join("copy.db"));
        reader
            .copy_all(copy.file().unwrap_or(folder.path()))
            .await?;
        reader.close().await?;
        index(&copy, identity.key).await.map_err(|_| why)?;
        Ok((Reader::open(&copy).await?, identity, Some(folder)))
    }

    async fn found(
        &self,
        database: &Location,
        after: u64,
        most: u32,
    ) -> Result<(Vec<(Option<Numbers>, LoggedEntry)>, Undone), StoreError> {
        let (mut reader, identity, _copy) = self.indexed(database).await?;
        let end = reader.head(identity.key).await?.seq;
        if let Some(number) = self.session
            && reader
                .span(identity.key, Some(number), None)
                .await?
                .is_none()
        {
            let last = reader
                .logged(identity.key, end)
                .await?
                .map(|last| last.entry.session)
                .filter(|last| *last > 0);
            reader.close().await?;
            return Err(no_such_session(
                number,
                last,
                "leave --session out",
                ", or leave it out",
            ));
        }
        let asked = Asked {
            text: self.text.clone(),
            character: self.character.clone(),
            ..Asked::default()
        };
        if let Some((name, text)) = asked.without_words() {
            let text = printable(text);
            return Err(StoreError::Io(format!(
                "--{name} \"{text}\" holds no word; say words that stand in an entry, or leave it out"
            )));
        }
        let mut wanted = LogSearch {
            audience: self.audience,
            reader: None,
            asked,
            session: self.session,
            since: None,
            until: None,
            before: None,
            limit: PAGE,
            statistics: false,
            entry: None,
        };
        let mut all: Vec<(Option<Numbers>, LoggedEntry)> = Vec::new();
        let undone = loop {
            wanted.limit = most
                .saturating_sub(u32::try_from(all.len()).unwrap_or(u32::MAX))
                .clamp(1, PAGE);
            let mut page = find(&mut reader, &identity, end, &wanted).await?;
            let last = page.entries.last().map_or(0, |(numbers, _)| value(numbers));
            let is_new = |(numbers, _): &(Option<Numbers>, _)| value(numbers) > after;
            all.extend(page.entries.drain(..).filter(is_new));
            let is_full = u32::try_from(all.len()).is_ok_and(|all| all >= most);
            if !page.more || last <= after || is_full {
                break page.undone;
            }
            wanted.before = Some(last);
        };
        reader.close().await?;
        Ok((all, undone))
    }
}

/// "#128 P97 2026-11-20 19:30:00 public  Sabeth, Lockpicking: …", harmless to the terminal.
fn plain(line: &Line) -> String {
    let time: String = line.time.chars().take(19).collect();
    let (time, text) = (
        time.replace('T', " "),
        printable(&line.marked()).replace('\n', "\n      "),
    );
    let numbers = line
        .numbers
        .map_or(String::new(), |numbers| numbers.to_string());
    format!("{numbers:<6} {time} {:<12} {text}", line.r#for)
}

fn value(numbers: &Option<Numbers>) -> u64 {
    numbers.map_or(0, |numbers| numbers.first().value())
}
