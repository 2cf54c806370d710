//! Reading a database that is there, without a right to change it.

use std::path::{Path, PathBuf};

use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::connection::{close, read_only};
use super::error::{damaged, of_file};
use super::page::Batch;
use super::{append, backups, copy, header, journal, load, migrate, owner, read, schema};
use crate::game::record::state::State;
use crate::store::{Auditor, Head, Identity, Position, Reader, Remarks, Remembered, StoreError};

/// A database that is open for reading only.
pub struct ReadOnly {
    pub(super) connection: SqliteConnection,
    database: PathBuf,
}

impl ReadOnly {
    /// Opens it.
    ///
    /// # Errors
    /// When there is none, or it is not ours, damaged or empty.
    pub async fn open(database: &Path) -> Result<Self, StoreError> {
        Ok(ReadOnly { connection: connect_read_only(database).await?, database: database.to_path_buf() })
    }
}

impl Reader for ReadOnly {
    fn database(&self) -> &Path {
        &self.database
    }

    async fn begin_read(&mut self) -> Result<(), StoreError> {
        read::begin(&mut self.connection).await
    }

    async fn campaigns(&mut self) -> Result<Vec<(String, Identity)>, StoreError> {
        read::campaigns(&mut self.connection).await
    }

    async fn book(&mut self) -> Result<Option<String>, StoreError> {
        read::book(&mut self.connection).await
    }

    async fn head(&mut self, campaign: i64) -> Result<Head, StoreError> {
        read::head(&mut self.connection, campaign).await
    }

    async fn chain(&mut self, campaign: i64, seq: u64) -> Result<Option<[u8; 32]>, StoreError> {
        read::chain(&mut self.connection, campaign, seq).await
    }

    async fn load(&mut self, campaign: i64) -> Result<State, StoreError> {
        load::state(&mut self.connection, campaign).await
    }

    async fn close(self) -> Result<(), StoreError> {
        close(self.connection).await
    }
}

impl Auditor for ReadOnly {
    type Page = Batch;

    async fn page(&mut self, at: &mut Position) -> Result<Option<Batch>, StoreError> {
        Batch::read(&mut self.connection, at).await
    }

    async fn answers(
        &mut self,
        campaign: i64,
        request_id: &str,
        limit: u32,
    ) -> Result<Vec<(String, Remembered)>, StoreError> {
        let rows =
            sqlx::query("select * from requests where campaign = $1 and request_id > $2 order by request_id limit $3")
                .bind(campaign)
                .bind(request_id)
                .bind(limit)
                .fetch_all(&mut self.connection)
                .await?;
        rows.iter().map(|row| Ok((row.try_get("request_id")?, append::remembered(row)?))).collect()
    }

    async fn roll_count(&mut self, campaign: i64) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar("select count(*) from rolls where campaign = $1")
            .bind(campaign)
            .fetch_one(&mut self.connection)
            .await?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    async fn check_schema(&mut self) -> Result<Remarks, StoreError> {
        schema::compare(&mut self.connection).await
    }

    fn check_storage(&self) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send + 'static {
        let database = self.database.clone();
        async move {
            // SQLite looks at the file in the thread of this connection.
            let mut connection = connect_read_only(&database).await?;
            let lines = sqlx::query_scalar("pragma integrity_check(20)").fetch_all(&mut connection).await;
            close(connection).await?;
            let problems = lines?.into_iter().filter(|line: &String| line != "ok");
            Ok(problems.map(|problem| format!("SQLite's own check: {problem}")).collect())
        }
    }

    async fn orphans(&mut self) -> Result<Vec<(String, i64)>, StoreError> {
        // SQLite's check would read every body; the log's own key says as much.
        let sql = "select 'log' as name, count(*) as rows from log where campaign not in (select id from campaigns) having rows > 0
                   union all
                   select own.name, count(*) from sqlite_schema as own, pragma_foreign_key_check(own.name)
                   where own.type = 'table' and own.name <> 'log' group by own.name order by 1";
        let rows = sqlx::query(sql).fetch_all(&mut self.connection).await?;
        rows.iter().map(|row| Ok((row.try_get("name")?, row.try_get("rows")?))).collect()
    }

    async fn book_count(&mut self) -> Result<Option<i64>, StoreError> {
        match sqlx::query_scalar("select count(*) from book").fetch_one(&mut self.connection).await {
            Err(error) if error.to_string().contains("no such table") => Ok(None),
            count => Ok(Some(count?)),
        }
    }

    fn copy_campaign(
        &self,
        campaign: i64,
        out: &Path,
    ) -> impl Future<Output = Result<(Head, u64), StoreError>> + Send + 'static {
        let (database, out) = (self.database.clone(), out.to_path_buf());
        async move { copy::campaign(&database, campaign, &out).await }
    }

    fn copy_all(&self, out: &Path) -> impl Future<Output = Result<(), StoreError>> + Send + 'static {
        let (database, out) = (self.database.clone(), out.to_path_buf());
        async move {
            let mut connection = connect_read_only(&database).await?;
            let copied = copy::all(&mut connection, &out).await;
            close(connection).await?;
            copied
        }
    }
}

/// Opens a connection for reading only.
pub async fn connect_read_only(path: &Path) -> Result<SqliteConnection, StoreError> {
    backups::advised(path, read_sound(path).await).await
}

async fn read_sound(path: &Path) -> Result<SqliteConnection, StoreError> {
    if !path.exists() && !path.is_symlink() {
        owner::may_be_made(path).await?;
        return Err(StoreError::Io(format!("there is no database at {}", path.display())));
    }
    owner::check(path).await?;
    header::check_length(path)?;
    journal::recover(path).await.map_err(|error| of_file(path, error))?;
    let mut connection = read_only(path).await?;
    // A file without tables has nothing to read, and may be one that was emptied.
    if migrate::version(&mut connection).await.map_err(|error| of_file(path, error))? == 0 {
        if let Some(what) = migrate::contradiction(&mut connection, 0).await? {
            return Err(damaged(path, &what));
        }
        owner::may_be_made(path).await?;
        return Err(StoreError::Io(format!("the database {} holds nothing yet", path.display())));
    }
    Ok(connection)
}
