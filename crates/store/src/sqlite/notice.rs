//! What a GM's file says in the first of its tables: that it is not for players.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use crate::StoreError;

/// What a GM's copy says first.
pub const NOTICE: &str = "THE GM'S COPY: it holds what players must not see";

/// Its name begins with a digit, so that programs which list tables by name list it first.
pub const TABLE: &str = "0_not_for_players";
/// As SQLite keeps it.
pub const SCHEMA: &str = "CREATE TABLE \"0_not_for_players\" (notice text not null) strict";

/// The entries that players saw, with their numbers; a database has those up to the last search.
const NUMBERS: &str = "insert into seen (campaign, seq, n)
    select campaign, seq, row_number() over (partition by campaign order by seq) from log
    where substr(public, 1, 21) <> cast('{\"hidden\":true,\"seq\":' as blob) on conflict do nothing";

/// Puts it into a file.
pub async fn put(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let is_there = "select count(*) from sqlite_schema where name = $1";
    let is_there: i64 = sqlx::query_scalar(is_there)
        .bind(TABLE)
        .fetch_one(&mut *connection)
        .await?;
    if is_there == 0 {
        sqlx::query(SCHEMA).execute(&mut *connection).await?;
        sqlx::query("insert into \"0_not_for_players\" (notice) values ($1)")
            .bind(NOTICE)
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Makes a GM's copy out of a copied database: with the notice, and numbers for players.
pub async fn mark(copy: &Path) -> Result<(), StoreError> {
    let mut connection = SqliteConnectOptions::new().filename(copy).connect().await?;
    sqlx::query("begin").execute(&mut connection).await?;
    put(&mut connection).await?;
    sqlx::query(NUMBERS).execute(&mut connection).await?;
    sqlx::query("commit").execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}
