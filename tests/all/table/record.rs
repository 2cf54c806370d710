//! The database as a person with SQLite in hand finds it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rollbook_store::location::Location;
use rollbook_store::verify::{self, Report, Verified};
use serde_json::{Value, json};
use sqlx::postgres::PgRow;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Column, ConnectOptions, Connection, Row, TypeInfo, ValueRef};
use tokio::runtime::Runtime;

use crate::postgres::server::Database;
use crate::process;

/// What lies in the file, read through a connection of our own.
pub struct Record<'a> {
    runtime: Arc<Runtime>,
    location: Location,
    server: Option<&'a Database>,
    /// Is set when rows are changed.
    touched: Option<&'a Cell<bool>>,
}

/// Every table there is, with its order of rows.
pub const TABLES: [(&str, &str); 14] = [
    ("book", "id"),
    ("campaigns", "id"),
    ("log", "campaign, seq"),
    ("requests", "campaign, request_id"),
    ("sessions", "campaign, number"),
    ("characters", "campaign, id"),
    ("tracks", "campaign, character, name"),
    ("items", "campaign, character, name"),
    ("notes", "campaign, id"),
    ("clocks", "campaign, name"),
    ("conditions", "campaign, character, name"),
    ("combats", "campaign, id"),
    ("combatants", "campaign, id"),
    ("rolls", "campaign, seq, nth"),
];

impl<'a> Record<'a> {
    /// Of a file.
    pub fn of(database: impl Into<Location>) -> Record<'static> {
        let runtime = Arc::new(process::runtime());
        Record {
            runtime,
            location: database.into(),
            server: None,
            touched: None,
        }
    }

    /// Of a table, on its server; it is noted when rows are changed.
    pub fn of_table(
        runtime: &Arc<Runtime>,
        location: Location,
        server: Option<&'a Database>,
        touched: &'a Cell<bool>,
    ) -> Record<'a> {
        Record {
            runtime: runtime.clone(),
            location,
            server,
            touched: Some(touched),
        }
    }

    /// The rows of a query, as objects; bytes as hex.
    #[track_caller]
    pub fn rows(&self, sql: &str) -> Vec<Value> {
        self.runtime.block_on(async {
            if let Some(server) = self.server {
                // The one thing that both call differently.
                let sql = ["body", "public"]
                    .iter()
                    .fold(sql.to_owned(), |sql, column| {
                        sql.replace(
                            &format!("cast({column} as text)"),
                            &format!("convert_from({column}, 'UTF8')"),
                        )
                    });
                let mut connection = server.connect().await;
                let rows = sqlx::query(AssertSqlSafe(sql.clone()))
                    .fetch_all(&mut connection)
                    .await;
                let rows = rows.unwrap_or_else(|error| panic!("{sql}: {error}"));
                connection.close().await.expect("closes");
                return rows.iter().map(object_on_server).collect();
            }
            let mut connection = self.connect().await;
            let rows = sqlx::query(AssertSqlSafe(sql.to_owned()))
                .fetch_all(&mut connection)
                .await;
            let rows = rows.unwrap_or_else(|error| panic!("{sql}: {error}"));
            connection.close().await.expect("closes");
            rows.iter().map(object).collect()
        })
    }

    /// Runs statements as a vandal would: on the file itself. An error is what SQLite reports.
    pub fn execute(&self, sql: &str) -> Result<(), String> {
        let done = self.runtime.block_on(async {
            if let Some(server) = self.server {
                let sql = sql.replace(
                    "drop trigger log_is_never_updated",
                    "drop trigger log_is_never_updated on log",
                );
                let sql = sql.replace("x'7b'", "'\\x7b'");
                let mut connection = server.connect().await;
                let done = sqlx::raw_sql(AssertSqlSafe(sql))
                    .execute(&mut connection)
                    .await;
                return done.map(drop).map_err(|error| error.to_string());
            }
            let mut connection = self.connect().await;
            let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
                .execute(&mut connection)
                .await;
            connection.close().await.expect("closes");
            done.map(drop).map_err(|error| error.to_string())
        });
        self.touched
            .inspect(|touched| touched.set(touched.get() || done.is_ok()));
        done
    }

    /// The number in the first column of the only row.
    #[track_caller]
    pub fn number(&self, sql: &str) -> i64 {
        let rows = self.rows(sql);
        let row = rows
            .first()
            .and_then(Value::as_object)
            .unwrap_or_else(|| panic!("{sql} has a row"));
        row.values()
            .next()
            .and_then(Value::as_i64)
            .unwrap_or_else(|| panic!("{sql} is a number"))
    }

    /// Entries in the log; 0 before the database is made.
    pub fn length(&self) -> i64 {
        if self.is_empty() {
            0
        } else {
            self.number("select count(*) from log")
        }
    }

    /// Every row of every table: two equal ones mean that nothing at all was written between them.
    pub fn everything(&self) -> BTreeMap<&'static str, Vec<Value>> {
        if self.is_empty() {
            return BTreeMap::new();
        }
        TABLES
            .iter()
            .map(|(table, order)| {
                (
                    *table,
                    self.rows(&format!("select * from {table} order by {order}")),
                )
            })
            .collect()
    }

    /// The bodies of the log, in order.
    pub fn bodies(&self) -> Vec<Value> {
        let rows = self.rows("select cast(body as text) as body from log order by seq");
        rows.iter()
            .map(|row| serde_json::from_str(row["body"].as_str().expect("text")).expect("JSON"))
            .collect()
    }

    /// What verification finds, for the only campaign there is.
    pub fn verify(&self) -> Report {
        self.verify_with(None)
    }

    /// The same with a receipt that was kept outside.
    pub fn verify_with(&self, receipt: Option<&str>) -> Report {
        let [report] =
            <[Report; 1]>::try_from(self.verified(receipt).campaigns).expect("one campaign");
        report
    }

    /// What verification finds in the file as a whole and in each campaign.
    pub fn verified(&self, receipt: Option<&str>) -> Verified {
        self.runtime
            .block_on(verify::verify(&self.location, None, receipt))
            .expect("can be verified")
    }

    /// Fails unless verification finds nothing.
    #[track_caller]
    pub fn is_sound(&self) {
        let verified = self.verified(None);
        assert!(
            verified.is_sound() && verified.notes.is_empty(),
            "{verified:?}"
        );
    }

    /// The same for a database of several campaigns.
    #[track_caller]
    pub fn is_sound_beside(&self, campaigns: usize) {
        let verified = self.verified(None);
        assert!(
            verified.is_sound() && verified.campaigns.len() == campaigns,
            "{verified:?}"
        );
    }

    fn is_empty(&self) -> bool {
        let Some(file) = self.location.file() else {
            return false;
        };
        std::fs::metadata(file).map_or(0, |file| file.len()) == 0
    }

    async fn connect(&self) -> SqliteConnection {
        SqliteConnectOptions::new()
            .filename(self.location.file().expect("a file"))
            .connect()
            .await
            .expect("the database opens")
    }
}

fn object(row: &SqliteRow) -> Value {
    let fields = row.columns().iter().map(|column| {
        let raw = row.try_get_raw(column.ordinal()).expect("a value");
        let value = match (raw.is_null(), raw.type_info().name()) {
            (true, _) => Value::Null,
            (_, "INTEGER") => json!(row.get_unchecked::<i64, _>(column.ordinal())),
            (_, "BLOB") => json!(base16ct::lower::encode_string(
                &row.get_unchecked::<Vec<u8>, _>(column.ordinal())
            )),
            _ => json!(row.get_unchecked::<String, _>(column.ordinal())),
        };
        (column.name().to_owned(), value)
    });
    Value::Object(fields.collect())
}

/// The same as SQLite shows it: flags are 0 and 1.
fn object_on_server(row: &PgRow) -> Value {
    let fields = row.columns().iter().map(|column| {
        let (at, raw) = (
            column.ordinal(),
            row.try_get_raw(column.ordinal()).expect("a value"),
        );
        let value = match (raw.is_null(), raw.type_info().name()) {
            (true, _) => Value::Null,
            (_, "INT8") => json!(row.get::<i64, _>(at)),
            (_, "INT4") => json!(row.get::<i32, _>(at)),
            (_, "BOOL") => json!(i64::from(row.get::<bool, _>(at))),
            (_, "BYTEA") => json!(base16ct::lower::encode_string(&row.get::<Vec<u8>, _>(at))),
            _ => json!(row.get::<String, _>(at)),
        };
        (column.name().to_owned(), value)
    });
    Value::Object(fields.collect())
}
