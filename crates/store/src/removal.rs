//! A database in which a campaign is removed or its state tables are made anew, each in one
//! transaction. The log's triggers keep every row, and are lifted inside it alone.

use sqlx::AssertSqlSafe;
use sqlx::sqlite::SqliteSynchronous;

use super::checkpoint::{self, Checkpoint};
use super::location::Location;
use super::postgres::server::looked_at;
use super::sql::connection::{Connection, Script, query};
use super::sql::tables as state;
use super::sqlite::{self, Alone};
use super::{Head, Identity, StoreError};
use rollbook_game::record::state::State;

/// Entries that are folded at a time.
const REBUILT: u32 = 500;

/// Rows that one statement removes on a server, which gives each no more than some seconds.
const ROWS: u32 = 10_000;

/// A database in which a campaign is removed or goes on in another log. Nobody else plays in a
/// file; on a server others may, and the campaign's row is locked.
pub struct Place {
    database: Location,
    _alone: Option<Alone>,
}

impl Place {
    /// Takes it; the database must be there.
    pub async fn take(database: &Location) -> Result<Place, StoreError> {
        let alone = match database {
            Location::File(file) => Some(Alone::take(file).await?),
            Location::Server(_) => None,
        };
        Ok(Place {
            database: database.clone(),
            _alone: alone,
        })
    }

    /// A connection that writes, closed before the place is given up.
    pub async fn connect(&self) -> Result<Connection, StoreError> {
        match &self.database {
            Location::File(file) => Ok(Connection::Sqlite(
                sqlite::writing(file, SqliteSynchronous::Full).await?,
            )),
            Location::Server(server) => Ok(looked_at(server).await?.0),
        }
    }

    /// Removes a campaign whose log ends at `head`, with its keys, after the line of its removal
    /// was written beside the database. On an error everything is as it was.
    pub async fn remove(
        &self,
        identity: &Identity,
        head: Head,
        line: &Checkpoint,
    ) -> Result<(), StoreError> {
        let removed = async |connection: &mut Connection| {
            remove_rows(connection, identity.key).await?;
            connection.keep_checkpoint(line).await?;
            // Before the commit: a line of a removal that was broken off is noted by `verify`, a
            // campaign that is gone without one is a loss.
            if let Some(note) = checkpoint::append(&self.database, line)? {
                tracing::warn!("{note}");
            }
            Ok(())
        };
        self.change(identity.key, head, removed).await
    }

    /// Changes a campaign whose log ends at `head`, and to which no other writes, all or nothing.
    async fn change(
        &self,
        campaign: i64,
        head: Head,
        change: impl AsyncFnOnce(&mut Connection) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut connection = self.connect().await?;
        let changed = async {
            connection.begin_alone(campaign).await?;
            if connection.head(campaign).await? != head {
                let what = "the campaign was played on meanwhile. Send the same command again";
                return Err(StoreError::Io(what.to_owned()));
            }
            change(&mut connection).await?;
            Ok(query("commit").execute(&mut connection).await?)
        };
        let changed = changed.await;
        // What was not committed is rolled back.
        connection.close().await.and(changed)
    }
}

/// Makes a campaign's state tables anew from its log, in one transaction: the log is the record,
/// and the tables only what it comes to. The log must verify and end at `head`; no other process
/// may have a file open, on a server others wait. On an error everything is as it was.
pub async fn rebuild_tables(
    database: &Location,
    identity: &Identity,
    head: Head,
) -> Result<(), StoreError> {
    let campaign = identity.key;
    let made = async |connection: &mut Connection| {
        // The log belongs to the campaign's own row, which is never taken away.
        for table in State::tables().filter(|table| *table != "campaigns") {
            let sql = format!("delete from {table} where campaign = $1");
            query(AssertSqlSafe(sql))
                .bind(campaign)
                .execute(connection)
                .await?;
        }
        let mut last = 0;
        loop {
            let entries = connection.after(campaign, last, REBUILT).await?;
            if entries.is_empty() {
                return Ok(());
            }
            for (seq, entry) in entries {
                let mut script = Script::default();
                state::fold(&mut script, campaign, &entry.changes)?;
                script.run(connection).await?;
                last = seq;
            }
        }
    };
    Place::take(database)
        .await?
        .change(campaign, head, made)
        .await
}

/// Removes every row of a campaign, its keys too, inside a transaction.
pub(super) async fn remove_rows(
    connection: &mut Connection,
    campaign: i64,
) -> Result<(), StoreError> {
    let lifted = lift_triggers(connection).await?;
    if let Connection::Sqlite(_) = connection {
        // Its rows have no campaign but that of their entry.
        let words = "delete from words where rowid in (select id from log where campaign = $1)";
        query(words).bind(campaign).execute(connection).await?;
    }
    let found = query(connection.pick(
        "select object.name as name from sqlite_schema as object where object.type = 'table' and exists
            (select 1 from pragma_table_info(object.name) as col where col.name = 'campaign')",
        "select object.relname::text as name from pg_catalog.pg_class as object
         join pg_catalog.pg_namespace as space on space.oid = object.relnamespace
         join pg_catalog.pg_attribute as col on col.attrelid = object.oid
         where space.nspname = current_schema() and object.relkind = 'r' and col.attname = 'campaign' and not col.attisdropped",
    ));
    for row in found.fetch_all(connection).await? {
        empty(connection, row.try_get("name")?, "campaign", campaign).await?;
    }
    empty(connection, "keys", "table_of", campaign).await?;
    empty(connection, "campaigns", "id", campaign).await?;
    for statement in lifted {
        query(AssertSqlSafe(statement)).execute(connection).await?;
    }
    Ok(())
}

/// Lifts the triggers, and answers the statements that put them back.
pub(super) async fn lift_triggers(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    // Opening a file has seen that they are ours alone. On a server other writes wait for this.
    let found = query(connection.pick(
        "select 'drop trigger ' || name as lift, sql as restore from sqlite_schema where type = 'trigger'",
        "select distinct format('alter table %I disable trigger user', object.relname) as lift,
            format('alter table %I enable trigger user', object.relname) as restore
         from pg_catalog.pg_trigger as kept join pg_catalog.pg_class as object on object.oid = kept.tgrelid
         join pg_catalog.pg_namespace as space on space.oid = object.relnamespace
         where space.nspname = current_schema() and object.relname in ('log', 'requests') and not kept.tgisinternal order by 1",
    ));
    let mut restore = Vec::new();
    for row in found.fetch_all(connection).await? {
        query(AssertSqlSafe(row.try_get::<String>("lift")?))
            .execute(connection)
            .await?;
        restore.push(row.try_get("restore")?);
    }
    Ok(restore)
}

async fn empty(
    connection: &mut Connection,
    table: &str,
    column: &str,
    campaign: i64,
) -> Result<(), StoreError> {
    let table = format!("\"{}\"", table.replace('"', "\"\""));
    match connection {
        Connection::Sqlite(_) => {
            let sql = format!("delete from {table} where {column} = $1");
            Ok(query(AssertSqlSafe(sql))
                .bind(campaign)
                .execute(connection)
                .await?)
        }
        Connection::Postgres(_) => {
            let sql = format!(
                "with gone as (delete from {table} where ctid = any (array
                    (select ctid from {table} where {column} = $1 limit {ROWS})) returning 1)
                 select count(*) as count from gone"
            );
            loop {
                let gone = query(AssertSqlSafe(sql.clone()))
                    .bind(campaign)
                    .fetch_one(connection)
                    .await?;
                if gone.try_get::<i64>("count")? < i64::from(ROWS) {
                    return Ok(());
                }
            }
        }
    }
}
