//! Copies of the database: for the GM whole or one campaign of it, and for players a file of its own shape. Each is written
//! to a file nobody else has open, which the caller throws away when it fails.

use std::path::Path;

use sqlx::sqlite::{SqliteArguments, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Execute};

use super::migrate;
use crate::game::record::entry::RollRecord;
use crate::game::record::instant::iso;
use crate::game::view::visibility::VisibleEntry;
use crate::store::{LogRow, StoreError};

type Insert<'q> = sqlx::query::Query<'q, sqlx::Sqlite, SqliteArguments>;

/// The players' file. `proof` holds what re-computes the chain; everything else numbers only what players see.
const PLAYERS_SCHEMA: &str = "
create table campaign (name text not null, uuid text not null) strict;
create table entries (
    n integer primary key, time text not null, session integer not null, kind text not null, actor text, text text not null,
    outcome text, label text, visibility text not null, rule text
) strict;
create table rolls (
    n integer not null references entries (n), id text not null, expression text not null, individual_rolls text not null,
    total integer not null, explanation text not null, requested_by text not null, source text not null
) strict;
create table proof (
    seq integer primary key, public blob not null, commitment blob not null, chain blob not null, salt blob, body blob
) strict;
";

/// One entry of the players' file.
pub struct PlayersRow {
    pub n: Option<u64>,
    pub seen: Option<VisibleEntry>,
    /// Salt and body are in it.
    pub whole: bool,
    pub row: LogRow,
}

/// A whole copy by `vacuum into` an empty file.
pub async fn whole(database: &Path, out: &Path) -> Result<(), StoreError> {
    let mut connection = super::connect_read_only(database).await?;
    let path = out.to_str().ok_or_else(|| StoreError::Io(format!("{} is no UTF-8 path", out.display())))?;
    sqlx::query("vacuum into $1").bind(path).execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

/// A database with one campaign only, in an empty file: a book of its own, with the same log.
pub async fn one(database: &Path, campaign: i64, out: &Path) -> Result<(), StoreError> {
    let mut connection = empty(out).await?;
    migrate::make(&mut connection).await?;
    sqlx::query("attach $1 as source").bind(read_only_uri(database)?).execute(&mut connection).await?;
    sqlx::query("begin").execute(&mut connection).await?;
    // Of every table of ours the columns that the source has too: it may be of an older schema.
    let tables: Vec<(String, String, String)> = sqlx::query_as(
        "select ours.name, group_concat(col.name), iif(ours.name = 'campaigns', 'id', 'campaign')
         from main.sqlite_schema as ours, pragma_table_info(ours.name, 'main') as col
         where ours.type = 'table' and (ours.name = 'campaigns' or exists
                (select 1 from pragma_table_info(ours.name, 'main') as key where key.name = 'campaign'))
            and col.name in (select name from pragma_table_info(ours.name, 'source'))
         group by ours.name order by ours.name <> 'campaigns'",
    )
    .fetch_all(&mut connection)
    .await?;
    // Each link is compared by whoever verifies the copy; here the trigger would look the last one up for every entry.
    let trigger = "select sql from main.sqlite_schema where type = 'trigger' and name = 'log_grows_by_one_link'";
    let trigger: String = sqlx::query_scalar(trigger).fetch_one(&mut connection).await?;
    sqlx::query("drop trigger main.log_grows_by_one_link").execute(&mut connection).await?;
    for (table, columns, key) in tables {
        // Entries that follow each other lie beside each other.
        let order = if table == "log" { " order by seq" } else { "" };
        // Names of our own schema, not of the source's.
        let sql = format!(
            "insert into main.{table} ({columns}) select {columns} from source.{table} where {key} = $1{order}"
        );
        sqlx::query(AssertSqlSafe(sql)).bind(campaign).execute(&mut connection).await?;
    }
    sqlx::query(AssertSqlSafe(trigger)).execute(&mut connection).await?;
    sqlx::query("commit").execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

/// Opens an empty file to be filled in one go, with rows that belong together already.
async fn empty(out: &Path) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::new().filename(out).foreign_keys(false);
    Ok(options.journal_mode(SqliteJournalMode::Memory).synchronous(SqliteSynchronous::Off).connect().await?)
}

/// The database as SQLite attaches it without a right to change it.
fn read_only_uri(database: &Path) -> Result<String, StoreError> {
    let path = database.to_str().ok_or_else(|| StoreError::Io(format!("{} is no UTF-8 path", database.display())))?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    let encoded =
        path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02x}") });
    Ok(format!("file:{}?mode=ro", encoded.collect::<String>()))
}

/// The players' file, being written.
pub struct Players {
    connection: SqliteConnection,
}

impl Players {
    /// Begins it in an empty file.
    pub async fn make(out: &Path, campaign: &str, uuid: &str) -> Result<Self, StoreError> {
        let mut connection = empty(out).await?;
        sqlx::raw_sql(PLAYERS_SCHEMA).execute(&mut connection).await?;
        sqlx::query("begin").execute(&mut connection).await?;
        sqlx::query("insert into campaign (name, uuid) values ($1, $2)")
            .bind(campaign)
            .bind(uuid)
            .execute(&mut connection)
            .await?;
        Ok(Players { connection })
    }

    /// Adds the next entries.
    pub async fn add(&mut self, page: PlayersPage) -> Result<(), StoreError> {
        for (sql, arguments) in page.0 {
            sqlx::query_with(AssertSqlSafe(sql), arguments).execute(&mut self.connection).await?;
        }
        Ok(())
    }

    /// Makes it whole.
    pub async fn finish(mut self) -> Result<(), StoreError> {
        sqlx::query("commit").execute(&mut self.connection).await?;
        self.connection.close().await?;
        Ok(())
    }
}

/// Entries that follow each other, as the statements that insert them.
pub struct PlayersPage(Vec<(String, SqliteArguments)>);

impl PlayersPage {
    pub fn of(rows: &[PlayersRow]) -> Result<Self, StoreError> {
        let seen: Vec<(i64, &VisibleEntry)> =
            rows.iter().filter_map(|row| Some((number(row.n?), row.seen.as_ref()?))).collect();
        let rolls: Vec<(i64, &RollRecord)> =
            seen.iter().flat_map(|(n, seen)| seen.rolls.iter().map(|record| (*n, record))).collect();
        let mut page = PlayersPage(Vec::new());
        page.insert(ENTRIES, &seen, entry)?;
        page.insert(ROLLS, &rolls, roll)?;
        page.insert(PROOF, rows, proof)?;
        Ok(page)
    }

    /// Inserts rows into a table with its columns, many at a time.
    fn insert<T>(
        &mut self,
        (table, columns): (&str, usize),
        rows: &[T],
        bind: impl for<'q> Fn(Insert<'q>, &'q T) -> Insert<'q>,
    ) -> Result<(), StoreError> {
        for rows in rows.chunks(ROWS) {
            let row = format!("({})", vec!["?"; columns].join(", "));
            // A table's name and question marks.
            let sql = format!("insert into {table} values {}", vec![row; rows.len()].join(", "));
            let mut bound = rows.iter().fold(sqlx::query(""), &bind);
            let arguments = bound.take_arguments().map_err(sqlx::Error::Encode)?;
            self.0.push((sql, arguments.unwrap_or_default()));
        }
        Ok(())
    }
}

/// Rows that one statement inserts: a statement is a change of threads.
const ROWS: usize = 64;

const ENTRIES: (&str, usize) = ("entries", 10);
const ROLLS: (&str, usize) = ("rolls", 8);
const PROOF: (&str, usize) = ("proof", 6);

fn entry<'q>(insert: Insert<'q>, (n, seen): &'q (i64, &VisibleEntry)) -> Insert<'q> {
    insert
        .bind(n)
        .bind(iso(seen.at))
        .bind(seen.session)
        .bind(&seen.kind)
        .bind(&seen.actor)
        .bind(&seen.text)
        .bind(seen.outcome.map(|outcome| outcome.as_str()))
        .bind(&seen.label)
        .bind(seen.visibility.as_str())
        .bind(&seen.rule)
}

fn roll<'q>(insert: Insert<'q>, (n, record): &'q (i64, &RollRecord)) -> Insert<'q> {
    insert
        .bind(n)
        .bind(&record.roll_id)
        .bind(&record.roll.expression)
        .bind(serde_json::to_string(&record.roll.faces()).unwrap_or_default())
        .bind(record.roll.total)
        .bind(&record.roll.explanation)
        .bind(&record.by)
        .bind(&record.source)
}

fn proof<'q>(insert: Insert<'q>, PlayersRow { whole, row, .. }: &'q PlayersRow) -> Insert<'q> {
    insert
        .bind(number(row.seq))
        .bind(&row.public[..])
        .bind(&row.commitment[..])
        .bind(&row.chain[..])
        .bind(whole.then_some(&row.salt[..]))
        .bind(whole.then_some(&row.body[..]))
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
