//! Reading a database of logs: what became of a campaign, and what exports and verification read.

use std::ops::{Deref, DerefMut};
use std::path::Path;

use super::checkpoint::{self, Checkpoint, Checkpoints};
use super::error::StoreError;
use super::location::Location;
use super::postgres;
use super::record::{Head, Identity, Position, Remarks, read_hash};
use super::sql::connection::{Connection, query};
use super::sql::page::Page;
use super::{sqlite, transfer};
use rollbook_game::record::loss::{KnownBy, Loss};
use rollbook_text::names::{quoted, same};

/// What became of a campaign whose name no campaign has now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Former {
    /// It was removed, as this line says.
    Removed(Box<Checkpoint>),
    /// It has this name now.
    Renamed(String),
    /// It reached this entry, and the database does not hold it any more.
    Lost(u64),
}

impl Former {
    /// Of several that had the name, what matters most: a loss, the further the more.
    fn weight(&self) -> (u8, u64) {
        match self {
            Former::Removed(line) => (0, line.at.unsigned_abs()),
            Former::Renamed(_) => (1, 0),
            Former::Lost(reached) => (2, *reached),
        }
    }
}

impl Connection {
    /// The campaign of that name, case and accents folded: no capital letter makes a second one.
    pub async fn find(&mut self, name: &str) -> Result<Option<Identity>, StoreError> {
        let found = self
            .campaigns()
            .await?
            .into_iter()
            .find(|(held, _)| same(held, name));
        Ok(found.map(|(_, identity)| identity))
    }

    /// The names of all campaigns.
    pub async fn names(&mut self) -> Result<Vec<String>, StoreError> {
        Ok(self
            .campaigns()
            .await?
            .into_iter()
            .map(|(name, _)| name)
            .collect())
    }

    /// The campaign that is meant: the named or the only one. Earlier logs are meant by name alone.
    pub async fn meant(&mut self, name: Option<&str>) -> Result<(String, Identity), StoreError> {
        let all = self.campaigns().await?;
        let names = all
            .iter()
            .map(|(name, _)| quoted(name))
            .collect::<Vec<_>>()
            .join(", ");
        let what = match name {
            _ if all.is_empty() => "the database holds no campaign yet".to_owned(),
            Some(name) => match all.into_iter().find(|(held, _)| same(held, name)) {
                Some(found) => return Ok(found),
                None => format!(
                    "there is no campaign \"{}\"; there are {names}",
                    quoted(name)
                ),
            },
            None => {
                let mut open = Vec::new();
                for campaign in all {
                    if open.len() < 2 && !self.is_continued(campaign.1.key).await? {
                        open.push(campaign);
                    }
                }
                if let (Some(only), true) = (open.pop(), open.is_empty()) {
                    return Ok(only);
                }
                format!("the database holds several campaigns ({names}); name one with --campaign")
            }
        };
        Err(StoreError::Io(what))
    }

    /// What became of the campaign that had a name, by checkpoints of this book; `None` where one
    /// has it now, or none had it.
    pub async fn former(
        &mut self,
        database: impl Into<Location>,
        name: &str,
    ) -> Result<Option<Former>, StoreError> {
        let database = &database.into();
        let Some(book) = self.book().await? else {
            return Ok(None);
        };
        let held = self.campaigns().await?;
        if held.iter().any(|(held, _)| same(held, name)) {
            return Ok(None);
        }
        let checkpoints = self.checkpoints(database).await?;
        let named =
            |line: &&Checkpoint| line.book.as_ref() == Some(&book) && same(&line.name, name);
        let lines: Vec<&Checkpoint> = checkpoints.lines.iter().filter(named).collect();
        // A campaign that was begun under the name of a lost one accepted that.
        let since = lines
            .iter()
            .rposition(|line| line.loss_accepted)
            .unwrap_or(0);
        let became = lines.into_iter().skip(since).map(|line| {
            let renamed = held
                .iter()
                .find(|(_, identity)| identity.uuid == line.campaign);
            let removed = checkpoints.removal(database, Some(&book), &line.campaign);
            match (renamed, removed) {
                (Some((held, _)), _) => Former::Renamed(held.clone()),
                (None, Some(line)) => Former::Removed(Box::new(line.clone())),
                (None, None) => Former::Lost(line.seq),
            }
        });
        Ok(became.max_by_key(Former::weight))
    }

    /// What checkpoints know of a campaign's log and it does not hold since the last loss that it
    /// accepts: the entry furthest on, and, where that is held, what was written after its
    /// checkpoint in another history.
    pub async fn shortened(
        &mut self,
        database: impl Into<Location>,
        identity: &Identity,
    ) -> Result<Option<Loss>, StoreError> {
        let database = &database.into();
        let (book, checkpoints) = (self.book().await?, self.checkpoints(database).await?);
        let all = checkpoints.applying(database, book.as_deref(), &identity.uuid);
        let mut since = &all[..];
        for (nth, line) in all
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, line)| line.loss_accepted)
        {
            if self.holds(identity, line).await? {
                since = all.get(nth..).unwrap_or_default();
                break;
            }
        }
        while let Some(furthest) = since.iter().map(|line| line.seq).max() {
            for line in since.iter().filter(|line| line.seq == furthest) {
                if !self.holds(identity, line).await? {
                    return Ok(Some(Loss {
                        log_ends: self.head(identity.key).await?.seq,
                        reached: line.seq,
                        known_by: KnownBy::Checkpoint,
                        chain: Some(line.chain.clone()),
                        known_since: Some(line.at),
                    }));
                }
            }
            let last = since.iter().rposition(|line| line.seq == furthest);
            since = last
                .and_then(|last| since.get(last + 1..))
                .unwrap_or_default();
        }
        Ok(None)
    }

    /// The checkpoints of a database: the lines beside it, and what a server's table knows besides.
    pub async fn checkpoints(&mut self, database: &Location) -> Result<Checkpoints, StoreError> {
        let mut found = checkpoint::read(database);
        if let Connection::Postgres(_) = self {
            let book = self.book().await?;
            let rows = query(
                "select uuid, name, seq, chain, at, loss_accepted, removed_to, database from checkpoints order by id",
            );
            for row in rows.fetch_all(self).await? {
                let seq = row.try_get("seq")?;
                let line = Checkpoint {
                    campaign: row.try_get("uuid")?,
                    seq,
                    chain: base16ct::lower::encode_string(&read_hash(row.try_get("chain")?, seq)?),
                    at: row.try_get("at")?,
                    name: row.try_get("name")?,
                    database: row.try_get("database")?,
                    book: book.clone(),
                    loss_accepted: row.try_get("loss_accepted")?,
                    removed_to: row.try_get("removed_to")?,
                    ..Checkpoint::default()
                };
                if !found.lines.contains(&line) {
                    found.lines.push(line);
                }
            }
            found.lines.sort_by_key(|line| line.at);
        }
        Ok(found)
    }

    /// Whether the table of a server knows of any campaign.
    pub async fn keeps_checkpoints(&mut self) -> Result<bool, StoreError> {
        let Connection::Postgres(_) = self else {
            return Ok(false);
        };
        Ok(query("select 1 as found from checkpoints limit 1")
            .fetch_optional(self)
            .await?
            .is_some())
    }

    /// Keeps a checkpoint in the table of a server; a file has none.
    pub async fn keep_checkpoint(&mut self, line: &Checkpoint) -> Result<(), StoreError> {
        let Connection::Postgres(_) = self else {
            return Ok(());
        };
        let mut chain = [0; 32];
        base16ct::mixed::decode(&line.chain, &mut chain).map_err(|error| {
            StoreError::Record(format!("a checkpoint has no chain value: {error}"))
        })?;
        let insert = query(
            "insert into checkpoints (uuid, name, seq, chain, at, loss_accepted, removed_to, database)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        );
        let insert = insert.bind(&line.campaign).bind(&line.name);
        let insert = insert.bind(line.seq).bind(&chain[..]).bind(line.at);
        let insert = insert
            .bind(line.loss_accepted)
            .bind(line.removed_to.as_deref())
            .bind(&line.database);
        Ok(insert.execute(self).await?)
    }

    async fn holds(&mut self, identity: &Identity, line: &Checkpoint) -> Result<bool, StoreError> {
        let there = self.chain(identity.key, line.seq).await?;
        Ok(there.is_some_and(|chain| {
            base16ct::lower::encode_string(&chain) == line.chain.to_lowercase()
        }))
    }
}

/// A database that is open for reading only, and what exports and verification read besides.
pub struct Reader {
    pub(super) connection: Connection,
    location: Location,
}

impl Deref for Reader {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl Reader {
    /// Opens it.
    pub async fn open(database: impl Into<Location>) -> Result<Self, StoreError> {
        let location = database.into();
        let connection = match &location {
            Location::File(file) => Connection::Sqlite(sqlite::connect_read_only(file).await?),
            Location::Server(server) => postgres::server::read_only(server).await?,
        };
        Ok(Reader {
            connection,
            location,
        })
    }

    /// The same; `None` where nothing was ever written.
    pub async fn open_if_any(location: &Location) -> Result<Option<Self>, StoreError> {
        let any = match location {
            Location::File(file) => std::fs::metadata(file).is_ok_and(|about| about.len() > 0),
            Location::Server(server) => postgres::server::holds_any(server).await?,
        };
        if any {
            Reader::open(location).await.map(Some)
        } else {
            Ok(None)
        }
    }

    /// Where it lies.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Closes it in good order.
    pub async fn close(self) -> Result<(), StoreError> {
        self.connection.close().await
    }

    /// Keeps a checkpoint in a server's table, the one thing that a reader writes; a file has none.
    pub async fn keep_checkpoint(&mut self, line: &Checkpoint) -> Result<(), StoreError> {
        let Location::Server(_) = self.location else {
            return Ok(());
        };
        query("begin read write")
            .execute(&mut self.connection)
            .await?;
        let kept = self.connection.keep_checkpoint(line).await;
        let end = if kept.is_ok() { "commit" } else { "rollback" };
        query(end).execute(&mut self.connection).await?;
        kept
    }

    /// What checkpoints know of a campaign's log and it does not hold.
    pub async fn shortened(&mut self, identity: &Identity) -> Result<Option<Loss>, StoreError> {
        self.connection.shortened(&self.location, identity).await
    }

    /// The next rows of a log, in order; `None` at the end.
    pub async fn page(&mut self, at: &mut Position) -> Result<Option<Page>, StoreError> {
        Page::read(&mut self.connection, at).await
    }

    /// How many rows of rolls a campaign has.
    pub async fn roll_count(&mut self, campaign: i64) -> Result<u64, StoreError> {
        let count = query("select count(id) as rows from rolls where campaign = $1").bind(campaign);
        Ok(count.fetch_one(self).await?.try_get("rows")?)
    }

    /// Compares the schema with the program's; [`StoreError::Newer`] for one of a later program.
    pub async fn check_schema(&mut self) -> Result<Remarks, StoreError> {
        match &mut self.connection {
            Connection::Sqlite(file) => sqlite::schema::compare(file).await,
            Connection::Postgres(_) => postgres::schema::compare(&mut self.connection).await,
        }
    }

    /// What the database's own check of pages and indexes finds: long, and beside other reading.
    pub fn check_storage(
        &self,
    ) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send + 'static {
        let location = self.location.clone();
        async move {
            // SQLite looks at the file in the thread of its connection.
            let mut other = Reader::open(location).await?;
            let problems = match &mut other.connection {
                Connection::Sqlite(file) => sqlite::check_storage(file).await,
                Connection::Postgres(_) => postgres::schema::storage(&mut other.connection).await,
            };
            other.close().await?;
            problems
        }
    }

    /// Rows of each table that belong to no campaign there is, as table and count.
    pub async fn orphans(&mut self) -> Result<Vec<(String, i64)>, StoreError> {
        // SQLite's check would read every body; the log's own key says as much.
        let sql = self.connection.pick(
            "select 'log' as name, count(*) as rows from log where campaign not in (select id from campaigns) having rows > 0
               union all
               select object.name, count(*) from sqlite_schema as object, pragma_foreign_key_check(object.name)
               where object.type = 'table' and object.name <> 'log' group by object.name order by 1",
            "select 'log' as name, count(*) as rows from log where campaign not in (select id from campaigns)
                having count(*) > 0",
        );
        let rows = query(sql).fetch_all(self).await?;
        rows.iter()
            .map(|row| Ok((row.try_get("name")?, row.try_get("rows")?)))
            .collect()
    }

    /// Writes one campaign into an empty file, as a book of its own; its log's end and length.
    pub fn copy_campaign(
        &self,
        campaign: i64,
        out: &Path,
    ) -> impl Future<Output = Result<(Head, u64), StoreError>> + Send + 'static {
        let (location, out) = (self.location.clone(), out.to_path_buf());
        async move {
            match &location {
                Location::File(file) => sqlite::copy::campaign(file, campaign, &out).await,
                Location::Server(server) => transfer::one_to_file(server, campaign, &out).await,
            }
        }
    }

    /// The same of every campaign, with the same book's name.
    pub async fn copy_all(&self, out: &Path) -> Result<(), StoreError> {
        match &self.location {
            Location::File(file) => sqlite::copy::all_of(file, out).await,
            Location::Server(server) => transfer::write(server, None, out).await,
        }
    }
}
