//! One connection to a database of either kind, and statements for both: parameters are `$1`, …;
//! whole numbers `bigint` and `integer`, flags `boolean` and `integer`, bytes `bytea`, `blob`.
//!
//! A limit is written `+$1`: a statement with the parameter alone SQLite prepares anew at each use.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use sqlx::postgres::{PgConnection, PgRow};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{
    Arguments as _, AssertSqlSafe, Column as _, Database, Encode, IntoArguments, Postgres,
    Row as _, SqlSafeStr, SqlStr, Type,
};
use tokio::time::timeout;

use super::error::is_gone;
use crate::StoreError;

/// Begins a transaction that writes on a server.
pub const BEGIN: &str = "begin isolation level read committed";

/// A connection to a database of logs.
pub enum Connection {
    Sqlite(SqliteConnection),
    Postgres(Box<Link>),
}

/// A connection to a server, and whether it was lost.
pub struct Link {
    pub(crate) connection: PgConnection,
    /// For good: what a later statement answers changes nothing about it.
    is_lost: bool,
    /// The answer to a statement was not read to its end: the next one would wait for that first.
    is_awaited: bool,
}

/// A statement and its parameters.
pub struct Query {
    pub(super) sql: SqlStr,
    pub(super) values: Vec<Value>,
}

/// A parameter of a statement.
pub enum Value {
    Int(Option<i64>),
    Flag(Option<bool>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

/// A row of either kind.
pub enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Connection {
    /// One to a server.
    pub fn to_server(connection: PgConnection) -> Connection {
        Connection::Postgres(Box::new(Link {
            connection,
            is_lost: false,
            is_awaited: false,
        }))
    }

    /// Whether it can be used no more.
    pub fn is_lost(&self) -> bool {
        match self {
            Connection::Sqlite(_) => false,
            Connection::Postgres(link) => link.is_lost || link.is_awaited,
        }
    }

    /// What is written for a file, or for a server.
    pub fn pick<T>(&self, of_file: T, of_server: T) -> T {
        match self {
            Connection::Sqlite(_) => of_file,
            Connection::Postgres(_) => of_server,
        }
    }

    /// Uses it no more: another takes its place.
    pub fn give_up(&mut self) {
        if let Connection::Postgres(link) = self {
            link.is_lost = true;
        }
    }

    /// Closes it in good order, unless it was lost.
    pub async fn close(self) -> Result<(), StoreError> {
        match self {
            _ if self.is_lost() => {}
            Connection::Sqlite(file) => sqlx::Connection::close(file).await?,
            Connection::Postgres(link) => sqlx::Connection::close(link.connection).await?,
        }
        Ok(())
    }
}

/// How long a server may take for a statement, the wait for another server's transaction included.
const PATIENCE: Duration = Duration::from_secs(15);

/// A statement without parameters yet.
pub fn query(sql: impl SqlSafeStr) -> Query {
    Query {
        sql: sql.into_sql_str(),
        values: Vec::new(),
    }
}

impl Query {
    /// The next parameter.
    #[must_use]
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Runs it.
    pub async fn execute(self, connection: &mut Connection) -> Result<(), sqlx::Error> {
        self.fetch_all(connection).await.map(drop)
    }

    /// Every row.
    pub async fn fetch_all(self, connection: &mut Connection) -> Result<Vec<Row>, sqlx::Error> {
        Ok(match connection {
            Connection::Sqlite(file) => self
                .ready()?
                .fetch_all(file)
                .await?
                .into_iter()
                .map(Row::Sqlite)
                .collect(),
            Connection::Postgres(link) => {
                link.is_awaited = true;
                let asked = self.ready()?.fetch_all(&mut link.connection);
                let late = |_| {
                    let words = format!("no answer within {} seconds", PATIENCE.as_secs());
                    io::Error::new(io::ErrorKind::TimedOut, words).into()
                };
                let rows = timeout(PATIENCE, asked).await.map_err(late).flatten();
                link.is_awaited = false;
                link.is_lost |= rows.as_ref().is_err_and(is_gone);
                rows?.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// The first row, if any.
    pub async fn fetch_optional(
        self,
        connection: &mut Connection,
    ) -> Result<Option<Row>, sqlx::Error> {
        Ok(self.fetch_all(connection).await?.into_iter().next())
    }

    /// The value of a column in the first row, if any.
    pub async fn fetch_value<T: for<'r> Column<'r>>(
        self,
        connection: &mut Connection,
        column: &str,
    ) -> Result<Option<T>, sqlx::Error> {
        self.fetch_optional(connection)
            .await?
            .map(|row| row.try_get(column))
            .transpose()
    }

    /// The first row; an error where there is none.
    pub async fn fetch_one(self, connection: &mut Connection) -> Result<Row, sqlx::Error> {
        self.fetch_optional(connection)
            .await?
            .ok_or(sqlx::Error::RowNotFound)
    }

    /// For a kind of database.
    fn ready<D: Database>(self) -> Result<sqlx::query::Query<'static, D, D::Arguments>, sqlx::Error>
    where
        Option<i64>: Encode<'static, D> + Type<D>,
        Option<bool>: Encode<'static, D> + Type<D>,
        Option<String>: Encode<'static, D> + Type<D>,
        Option<Vec<u8>>: Encode<'static, D> + Type<D>,
        D::Arguments: IntoArguments<D>,
    {
        let mut arguments = D::Arguments::default();
        for value in self.values {
            match value {
                Value::Int(value) => arguments.add(value),
                Value::Flag(value) => arguments.add(value),
                Value::Text(value) => arguments.add(value),
                Value::Bytes(value) => arguments.add(value),
            }
            .map_err(sqlx::Error::Encode)?;
        }
        Ok(sqlx::query_with(self.sql, arguments))
    }
}

impl Row {
    /// The value of a column; an error where there is none of that name, or of another kind.
    pub fn try_get<'r, T: Column<'r>>(&'r self, column: &str) -> Result<T, sqlx::Error> {
        T::of(self, column)
    }

    /// A number, or a flag as one.
    pub(super) fn number(&self, column: &str) -> Result<i64, sqlx::Error> {
        match self {
            Row::Postgres(row)
                if row.try_column(column)?.type_info()
                    == &<bool as Type<Postgres>>::type_info() =>
            {
                self.try_get::<bool>(column).map(i64::from)
            }
            _ => self.try_get(column),
        }
    }

    /// Bytes, or those of a text: both kinds of databases send a text as what it is.
    pub(super) fn bytes(&self, column: &str) -> Result<Option<&[u8]>, sqlx::Error> {
        match self {
            Row::Sqlite(row) => row.try_get_unchecked(column),
            Row::Postgres(row) => row.try_get_unchecked(column),
        }
    }
}

/// What a column can be read as.
pub trait Column<'r>: Sized {
    /// Reads it.
    fn of(row: &'r Row, column: &str) -> Result<Self, sqlx::Error>;
}

macro_rules! columns {
    ($($type:ty),*) => {
        $(impl<'r> Column<'r> for $type {
            fn of(row: &'r Row, column: &str) -> Result<Self, sqlx::Error> {
                match row {
                    Row::Sqlite(row) => sqlx::Row::try_get(row, column),
                    Row::Postgres(row) => sqlx::Row::try_get(row, column),
                }
            }
        })*
    };
}

columns!(i64, bool, String, Vec<u8>, &'r str, &'r [u8]);
columns!(
    Option<i64>,
    Option<bool>,
    Option<String>,
    Option<&'r str>,
    Option<&'r [u8]>,
    Option<Vec<u8>>
);

macro_rules! numbers {
    ($($type:ty),*) => {
        $(impl<'r> Column<'r> for $type {
            fn of(row: &'r Row, column: &str) -> Result<Self, sqlx::Error> {
                narrow(i64::of(row, column)?, column)
            }
        }
        impl<'r> Column<'r> for Option<$type> {
            fn of(row: &'r Row, column: &str) -> Result<Self, sqlx::Error> {
                Option::<i64>::of(row, column)?.map(|number| narrow(number, column)).transpose()
            }
        })*
    };
}

numbers!(u32, u64);

fn narrow<T: TryFrom<i64, Error: std::error::Error + Send + Sync + 'static>>(
    number: i64,
    column: &str,
) -> Result<T, sqlx::Error> {
    T::try_from(number).map_err(|error| sqlx::Error::ColumnDecode {
        index: column.to_owned(),
        source: Box::new(error),
    })
}

macro_rules! values {
    ($($kind:ident: $($type:ty),*;)*) => {
        $($(impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Value::$kind(Some(value.into()))
            }
        }
        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Self {
                Value::$kind(value.map(Into::into))
            }
        })*)*
    };
}

values! {
    Int: i64, u32;
    Flag: bool;
    Text: &str, &String, String;
    Bytes: &[u8];
}

/// The number of an entry; one that no database can hold is after every entry.
impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Int(Some(i64::try_from(number).unwrap_or(i64::MAX)))
    }
}

/// Of one trip at most: statements, as each text of several is prepared and kept, or rows of one.
const TOGETHER: usize = 16;
const ROWS: usize = 64;

/// Statements in a row: in SQLite in few trips to its thread, on a server one at a time.
#[derive(Default)]
pub struct Script {
    statements: Vec<Query>,
}

impl Script {
    /// Adds the next statement.
    pub fn push(&mut self, statement: Query) {
        self.statements.push(statement);
    }

    /// Runs them up to the first that fails.
    pub async fn run(self, connection: &mut Connection) -> Result<(), sqlx::Error> {
        let mut rest = self.statements.into_iter();
        while let Some(first) = rest.next() {
            let together = connection.pick(row(first.sql.as_str()).map_or(TOGETHER, |_| ROWS), 1);
            joined(first, rest.by_ref().take(together - 1))
                .execute(connection)
                .await?;
        }
        Ok(())
    }
}

/// The end of the row of an insert that writes its parameters as `?`.
fn row(sql: &str) -> Option<&str> {
    Some(sql.split_once(" values (?")?.1)
}

/// Several statements as one, whose parameters are numbered on. Those that insert a row each into
/// the same table, and write their parameters as `?`, are one insert of many rows.
fn joined(first: Query, others: impl Iterator<Item = Query>) -> Query {
    let (mut sql, mut values) = (first.sql.as_str().to_owned(), first.values);
    let row = row(first.sql.as_str());
    for mut other in others {
        if let Some(row) = row {
            sql.push_str(", (?");
            sql.push_str(row);
        } else {
            sql.push_str(";\n");
            renumber(other.sql.as_str(), values.len(), &mut sql);
        }
        values.append(&mut other.values);
    }
    // Put together of statements of this program.
    Query {
        sql: AssertSqlSafe(sql).into_sql_str(),
        values,
    }
}

/// Writes a statement with `by` added to the numbers of its parameters.
fn renumber(sql: &str, by: usize, to: &mut String) {
    let mut parts = sql.split('$');
    to.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        match part.strip_suffix(rest).map(str::parse::<usize>) {
            Some(Ok(number)) => {
                let _ = write!(to, "${}{rest}", number + by);
            }
            Some(Err(_)) | None => {
                to.push('$');
                to.push_str(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::ConnectOptions as _;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::{Connection, Script, query};

    #[tokio::test]
    async fn every_statement_takes_its_values_and_the_first_that_fails_ends_it() {
        // Each for itself up to one that fails, or all rows or none.
        let each = "insert into t values ($1, replace($2, '$.a', ''))";
        let all = "insert into t values (?, ?)";
        for (many, insert) in [1, 15, 16, 17, 63, 64, 65]
            .into_iter()
            .flat_map(|many| [(many, each), (many, all)])
        {
            let memory = SqliteConnectOptions::new()
                .in_memory(true)
                .connect()
                .await
                .unwrap();
            let mut connection = Connection::Sqlite(memory);
            let table = query("create table t (a integer primary key, b text)");
            table.execute(&mut connection).await.unwrap();
            let whole = (0..many).collect::<Vec<i64>>();
            // The last writes a row that is there.
            for (rows, fails) in [(&whole[..], false), (&[100, 0, 101], true)] {
                let mut script = Script::default();
                for a in rows {
                    script.push(query(insert).bind(*a).bind(format!("row {a}")));
                }
                assert_eq!(script.run(&mut connection).await.is_err(), fails);
            }
            let all = query("select a, b from t order by a")
                .fetch_all(&mut connection)
                .await
                .unwrap();
            let all = all
                .iter()
                .map(|row| (row.try_get("a").unwrap(), row.try_get("b").unwrap()));
            let written = whole
                .into_iter()
                .chain((insert == each).then_some(100))
                .map(|a| (a, format!("row {a}")));
            assert!(all.eq(written), "{many}");
        }
    }
}
