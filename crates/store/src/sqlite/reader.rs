//! Reading a database that is there, without a right to change it.

use std::path::Path;

use sqlx::sqlite::SqliteConnection;

use super::connection::{close, read_only};
use super::{backups, header, migrate, owner, schema};
use crate::StoreError;
use crate::error::damaged;
use crate::sql::error::of_file;

/// What SQLite's own check of the pages and indexes finds. It takes long.
pub async fn check_storage(database: &Path) -> Result<Vec<String>, StoreError> {
    // SQLite looks at the file in the thread of this connection.
    let mut connection = connect_read_only(database).await?;
    let lines = sqlx::query_scalar("pragma integrity_check(20)").fetch_all(&mut connection).await;
    close(connection).await?;
    let problems = lines?.into_iter().filter(|line: &String| line != "ok");
    Ok(problems.map(|problem| format!("SQLite's own check: {problem}")).collect())
}

pub async fn connect_read_only(path: &Path) -> Result<SqliteConnection, StoreError> {
    backups::advised(path, read_sound(path).await).await
}

async fn read_sound(path: &Path) -> Result<SqliteConnection, StoreError> {
    if !path.exists() && !path.is_symlink() {
        owner::may_be_made(path).await?;
        return Err(StoreError::Io(format!("there is no database at {}", path.display())));
    }
    owner::check(path).await?;
    // Before SQLite opens it: beside a file that was emptied it would delete the log file, and fail where another process does too.
    owner::may_be_made_if_empty(path).await?;
    header::check_length(path)?;
    header::recover(path).await.map_err(|error| of_file(path, error))?;
    let mut connection = read_only(path).await?;
    schema::check_tables(&mut connection, path).await?;
    // A file without tables has nothing to read, and may be one that was emptied.
    if migrate::version(&mut connection).await.map_err(|error| of_file(path, error))? == 0 {
        if let Some(what) = migrate::contradiction(&mut connection, 0).await? {
            return Err(damaged(path, what));
        }
        owner::may_be_made(path).await?;
        return Err(StoreError::Io(format!("the database {} holds nothing yet", path.display())));
    }
    Ok(connection)
}
