//! The schema on a server: made under an advisory lock, and never run backwards.
//!
//! sqlx takes the lock (`pg_advisory_lock`, of the session) before it looks which migrations are
//! there, and runs each in a transaction of its own with the row that says so. So of many first
//! starts at once one makes the tables, and the others find them. The lock belongs to the
//! connection: through a proxy that hands out one connection to several clients it holds nothing.

use sqlx::Row;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::PgConnection;

use crate::StoreError;
use crate::error::not_opened;
use crate::migrations::{Migrations, Steps};
use crate::sql::error::state;

/// What this program has for servers. Their schemas are counted apart from SQLite's.
pub fn steps() -> Result<Steps, StoreError> {
    Ok(Migrations::handed_down()?.postgres)
}

/// The first server with all that the schema wants (`gen_random_uuid`), by `server_version_num`.
const SERVER_MIN: i32 = 130_000;

/// The schema of our tables in the database, which this program knows, without changing it; `None`
/// where there is no table at all, or nothing but an empty table of migrations.
pub async fn look(connection: &mut PgConnection, place: &str) -> Result<Option<i64>, StoreError> {
    // One moment of what another first start may be making. What extensions made is no program's.
    let tables = "select current_schema()::text as schema, (
            select array_agg(object.relname::text order by object.relname) from pg_catalog.pg_class as object
            join pg_catalog.pg_namespace as space on space.oid = object.relnamespace
            where space.nspname = current_schema() and object.relkind in ('r', 'p', 'v', 'm', 'f') and not exists (
                select 1 from pg_catalog.pg_depend as part
                where part.classid = 'pg_catalog.pg_class'::regclass and part.objid = object.oid and part.deptype = 'e')
        ) as tables";
    let row = sqlx::query(tables).fetch_one(&mut *connection).await?;
    if row.try_get::<Option<String>, _>("schema")?.is_none() {
        let reason = "its search path names no schema that there is".to_owned();
        return Err(not_opened(
            place,
            reason,
            "Make the schema, or name another with ?options=-csearch_path=NAME",
        ));
    }
    let tables = row
        .try_get::<Option<Vec<String>>, _>("tables")?
        .unwrap_or_default();
    let (ours, others): (Vec<String>, Vec<String>) = tables
        .into_iter()
        .partition(|name| name == "_sqlx_migrations");
    let applied = if ours.is_empty() {
        Vec::new()
    } else {
        applied(connection).await?
    };
    let steps = steps()?;
    match (applied.last(), others.first()) {
        (None, None) => Ok(None),
        (None, Some(other)) => Err(another_programs(place, other)),
        (Some((found, ..)), _) if !applied.starts_with(&known(steps, *found)) => {
            Err(another_programs(place, "_sqlx_migrations"))
        }
        (Some((found, ..)), _) if *found > steps.current() => Err(StoreError::Newer {
            found: *found,
            known: steps.current(),
        }),
        (Some((found, ..)), _) => Ok(Some(*found)),
    }
}

/// Migrations that were run: version, checksum, whether it was run to its end.
type Applied = (i64, Vec<u8>, bool);

/// Those in the database; a table of that name with other columns is none of sqlx's.
async fn applied(connection: &mut PgConnection) -> Result<Vec<Applied>, StoreError> {
    let rows = "select version, checksum, success from _sqlx_migrations order by version";
    match sqlx::query_as(rows).fetch_all(connection).await {
        Ok(rows) => Ok(rows),
        Err(error)
            if matches!(error, sqlx::Error::ColumnDecode { .. })
                || state(&error) == Some("42703") =>
        {
            Ok(vec![(0, Vec::new(), false)])
        }
        Err(error) => Err(error.into()),
    }
}

/// Those of this program, as far as a database of schema `found` has them; never none.
fn known(steps: Steps, found: i64) -> Vec<Applied> {
    steps
        .each()
        .filter(|step| step.version <= found.max(1))
        .map(|step| (step.version, step.checksum.into_owned(), true))
        .collect()
}

/// Makes every table where there is none, and brings an older schema up to date; else two queries.
pub async fn bring_up_to_date(
    connection: &mut PgConnection,
    place: &str,
) -> Result<(), StoreError> {
    let steps = steps()?;
    match look(connection, place).await? {
        Some(found) if found == steps.current() => return Ok(()),
        Some(_) => {}
        None => check_server(connection, place).await?,
    }
    let migrator = Migrator::with_migrations(steps.each().collect());
    match migrator.run_direct(None, connection, false).await {
        Ok(()) => Ok(()),
        // A later program was faster.
        Err(MigrateError::VersionMissing(found)) => Err(StoreError::Newer {
            found,
            known: steps.current(),
        }),
        Err(MigrateError::ExecuteMigration(error, _) | MigrateError::Execute(error)) => {
            Err(not_allowed(place, error))
        }
        Err(error) => Err(StoreError::Io(format!(
            "the schema could not be brought up to date: {error}"
        ))),
    }
}

/// Refuses a server on which the tables could not be made, or could not hold every text.
async fn check_server(connection: &mut PgConnection, place: &str) -> Result<(), StoreError> {
    let row =
        "select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
        current_setting('server_encoding') as encoding";
    let row = sqlx::query(row).fetch_one(connection).await?;
    let (version, encoding): (String, String) = (row.try_get("version")?, row.try_get("encoding")?);
    if row.try_get::<i32, _>("number")? < SERVER_MIN {
        let reason = format!("the server is PostgreSQL {version}");
        return Err(not_opened(
            place,
            reason,
            "Use a server of PostgreSQL 13 or later",
        ));
    }
    if encoding != "UTF8" {
        let reason = format!("its encoding is {encoding}, which cannot hold every name");
        return Err(not_opened(
            place,
            reason,
            "Make one with: create database rollbook encoding 'UTF8' template template0",
        ));
    }
    Ok(())
}

fn another_programs(place: &str, table: &str) -> StoreError {
    let reason = format!(
        "it holds tables of another program, such as {}",
        rollbook_text::names::quoted(table)
    );
    not_opened(
        place,
        reason,
        "Name a database of Rollbook's own (create database rollbook), or a schema of its own in this one \
         (create schema rollbook, then ?options=-csearch_path=rollbook behind the address)",
    )
}

/// A user without the right to make tables (42501) can be helped; the rest is the server's words.
fn not_allowed(place: &str, error: sqlx::Error) -> StoreError {
    match error.as_database_error() {
        Some(refused) if state(&error) == Some("42501") => {
            let reason = format!("this user may not make tables there: {}", refused.message());
            not_opened(
                place,
                reason,
                "Grant it the right (grant create on schema … to …), or make it the database's owner",
            )
        }
        _ => error.into(),
    }
}
