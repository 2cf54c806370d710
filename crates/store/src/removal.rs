//! A database that a campaign is taken out of, and the removal, in one transaction: the log's triggers keep every row, and are lifted
//! inside it alone.

use sqlx::AssertSqlSafe;

use super::checkpoint::{self, Checkpoint};
use super::location::{Location, Server};
use super::postgres::server::writing;
use super::sql::connection::{Connection, Row, query};
use super::sqlite::{Alone, RawFile};
use super::{Head, Identity, StoreError};

/// Rows that are removed by one statement on a server, which gives no more than some seconds to each.
const ROWS: u32 = 10_000;

pub enum Place {
    /// Nobody else plays in it.
    File(Alone),
    /// Others may play in it: the campaign's row is locked.
    Server(Box<Server>),
}

impl Place {
    /// Takes it; the database must be there.
    pub async fn take(database: &Location) -> Result<Place, StoreError> {
        Ok(match database {
            Location::File(file) => Place::File(Alone::take(file).await?),
            Location::Server(server) => Place::Server(server.clone()),
        })
    }

    /// A connection that writes; the file stays open as long as it.
    pub async fn connect(&self) -> Result<(Option<RawFile>, Connection), StoreError> {
        Ok(match self {
            Place::File(alone) => {
                let (file, connection) = alone.connect().await?;
                (Some(file), connection)
            }
            Place::Server(server) => (None, writing(server).await?),
        })
    }

    /// Removes a campaign whose log ends at `head`, with its keys, after the line of its removal was written beside the database. On an error everything is as it was.
    pub async fn remove(
        &self,
        database: &Location,
        identity: &Identity,
        head: Head,
        line: &Checkpoint,
    ) -> Result<(), StoreError> {
        let (_file, mut connection) = self.connect().await?;
        let removed = remove(&mut connection, database, identity, head, line).await;
        // What was not committed is rolled back.
        connection.close().await.and(removed)
    }
}

async fn remove(
    connection: &mut Connection,
    database: &Location,
    identity: &Identity,
    head: Head,
    line: &Checkpoint,
) -> Result<(), StoreError> {
    connection.begin_alone(identity.key).await?;
    if connection.head(identity.key).await? != head {
        return Err(StoreError::Io("the campaign was played on meanwhile. Send the same command again".to_owned()));
    }
    remove_rows(connection, identity.key).await?;
    connection.keep_checkpoint(line).await?;
    // Before the commit: a line of a removal that was broken off is noted by `verify`, a campaign that is gone without one is a loss.
    if let Some(note) = checkpoint::append(database, line)? {
        tracing::warn!("{note}");
    }
    Ok(query("commit").execute(connection).await?)
}

/// Removes every row of a campaign, its keys too, inside a transaction.
pub(super) async fn remove_rows(connection: &mut Connection, campaign: i64) -> Result<(), StoreError> {
    let lifted = lift_triggers(connection).await?;
    if let Connection::Sqlite(_) = connection {
        // Its rows have no campaign but that of their entry.
        let words = "delete from words where rowid in (select id from log where campaign = $1)";
        query(words).bind(campaign).execute(connection).await?;
    }
    let of_campaign = tables(connection).await?.into_iter().map(|table| (table, "campaign"));
    for (table, column) in of_campaign.chain([("keys".to_owned(), "table_of"), ("campaigns".to_owned(), "id")]) {
        empty(connection, &table, column, campaign).await?;
    }
    for statement in lifted {
        query(AssertSqlSafe(statement)).execute(connection).await?;
    }
    Ok(())
}

/// Lifts the triggers, and answers the statements that put them back.
pub(super) async fn lift_triggers(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    let found = query(match connection {
        // Opening it has seen that they are those of our schema, and no others.
        Connection::Sqlite(_) => "select 'drop trigger ' || name as lift, sql as restore from sqlite_schema where type = 'trigger'",
        // Whoever writes elsewhere waits for the end of this transaction.
        Connection::Postgres(_) => {
            "select distinct format('alter table %I disable trigger user', object.relname) as lift,
                format('alter table %I enable trigger user', object.relname) as restore
             from pg_catalog.pg_trigger as kept join pg_catalog.pg_class as object on object.oid = kept.tgrelid
             join pg_catalog.pg_namespace as space on space.oid = object.relnamespace
             where space.nspname = current_schema() and object.relname in ('log', 'requests') and not kept.tgisinternal order by 1"
        }
    });
    let mut restore = Vec::new();
    for row in found.fetch_all(connection).await? {
        query(AssertSqlSafe(row.try_get::<String>("lift")?)).execute(connection).await?;
        restore.push(row.try_get("restore")?);
    }
    Ok(restore)
}

async fn tables(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    let found = query(match connection {
        Connection::Sqlite(_) => {
            "select object.name as name from sqlite_schema as object where object.type = 'table' and exists
                (select 1 from pragma_table_info(object.name) as col where col.name = 'campaign')"
        }
        Connection::Postgres(_) => {
            "select object.relname::text as name from pg_catalog.pg_class as object
             join pg_catalog.pg_namespace as space on space.oid = object.relnamespace
             join pg_catalog.pg_attribute as col on col.attrelid = object.oid
             where space.nspname = current_schema() and object.relkind = 'r' and col.attname = 'campaign' and not col.attisdropped"
        }
    });
    let rows = found.fetch_all(connection).await?;
    Ok(rows.iter().map(|row: &Row| row.try_get("name")).collect::<Result<_, _>>()?)
}

async fn empty(connection: &mut Connection, table: &str, column: &str, campaign: i64) -> Result<(), StoreError> {
    let table = format!("\"{}\"", table.replace('"', "\"\""));
    match connection {
        Connection::Sqlite(_) => {
            let sql = format!("delete from {table} where {column} = $1");
            Ok(query(AssertSqlSafe(sql)).bind(campaign).execute(connection).await?)
        }
        Connection::Postgres(_) => {
            let sql = format!(
                "with gone as (delete from {table} where ctid = any (array
                    (select ctid from {table} where {column} = $1 limit {ROWS})) returning 1)
                 select count(*) as count from gone"
            );
            loop {
                let gone = query(AssertSqlSafe(sql.clone())).bind(campaign).fetch_one(connection).await?;
                if gone.try_get::<i64>("count")? < i64::from(ROWS) {
                    return Ok(());
                }
            }
        }
    }
}
