//! The players' file: a SQLite file of its own shape with what players may see.

use std::path::Path;

use sqlx::sqlite::{SqliteArguments, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection, Execute};

use super::copy::empty;
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
        page.entries.execute(&mut self.connection, "entries").await?;
        page.rolls.execute(&mut self.connection, "rolls").await?;
        page.proof.execute(&mut self.connection, "proof").await
    }

    /// Makes it whole.
    pub async fn finish(mut self) -> Result<(), StoreError> {
        sqlx::query("commit").execute(&mut self.connection).await?;
        self.connection.close().await?;
        Ok(())
    }
}

/// Rows that one statement inserts: a statement is a change of threads.
const ROWS: usize = 64;

/// Entries that follow each other, as the statements that insert them.
#[derive(Default)]
pub struct PlayersPage {
    entries: Inserts<10>,
    rolls: Inserts<8>,
    proof: Inserts<6>,
}

impl PlayersPage {
    /// Adds the next entry.
    pub fn add(&mut self, row: &PlayersRow) -> Result<(), StoreError> {
        if let (Some(n), Some(seen)) = (row.n.map(number), &row.seen) {
            self.entries.add(|insert| entry(insert, n, seen))?;
            for record in &seen.rolls {
                self.rolls.add(|insert| roll(insert, n, record))?;
            }
        }
        self.proof.add(|insert| proof(insert, row))
    }
}

/// Inserts into a table of so many columns, many rows at a time: how many, and their values.
#[derive(Default)]
struct Inserts<const COLUMNS: usize>(Vec<(usize, SqliteArguments)>);

impl<const COLUMNS: usize> Inserts<COLUMNS> {
    fn add<'q>(&mut self, bind: impl FnOnce(Insert<'q>) -> Insert<'q>) -> Result<(), StoreError> {
        let (rows, arguments) = self.0.pop_if(|(rows, _)| *rows < ROWS).unwrap_or_default();
        let arguments = bind(sqlx::query_with("", arguments)).take_arguments().map_err(sqlx::Error::Encode)?;
        self.0.push((rows + 1, arguments.unwrap_or_default()));
        Ok(())
    }

    async fn execute(self, connection: &mut SqliteConnection, table: &str) -> Result<(), StoreError> {
        for (rows, arguments) in self.0 {
            let row = format!("({})", ["?"; COLUMNS].join(", "));
            // A table's name and question marks.
            let sql = format!("insert into {table} values {}", vec![row; rows].join(", "));
            sqlx::query_with(AssertSqlSafe(sql), arguments).execute(&mut *connection).await?;
        }
        Ok(())
    }
}

fn entry<'q>(insert: Insert<'q>, n: i64, seen: &'q VisibleEntry) -> Insert<'q> {
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

fn roll<'q>(insert: Insert<'q>, n: i64, record: &'q RollRecord) -> Insert<'q> {
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
