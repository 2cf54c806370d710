//! What is not ours is never written to, and what was ours is never made anew.

use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::store::checkpoint::{self, Checkpoint};
use crate::store::sqlite::{connect_read_only, open};
use crate::store::{Head, Store, StoreError};

async fn words(path: &Path) -> String {
    match open(path).await.map(drop) {
        Err(error @ StoreError::NotOpened { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

async fn execute(path: &Path, sql: &'static str) {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test]
async fn somebody_elses_database_is_left_as_it_is() {
    for sql in [
        "create table shopping (what text); insert into shopping values ('milk')",
        // Another program that is built with the same library.
        "create table _sqlx_migrations (version bigint primary key); create table log (line text)",
        "pragma application_id = 42",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.db");
        execute(&path, sql).await;
        let before = std::fs::read(&path).unwrap();
        assert!(words(&path).await.contains("of another program"), "{sql}");
        assert!(matches!(connect_read_only(&path).await, Err(StoreError::NotOpened { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(names(folder.path()), ["shop.db"], "nothing was put beside it");
    }
}

#[tokio::test]
async fn a_first_start_that_was_killed_is_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaigns.db");
    execute(&path, "pragma journal_mode = wal").await;
    open(&path).await.unwrap().close().await.unwrap();
}

#[tokio::test]
async fn a_folder_is_refused_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let words = words(folder.path()).await;
    assert!(words.contains("it is a folder") && words.contains(&folder.path().display().to_string()), "{words}");
}

#[tokio::test]
async fn a_database_that_checkpoints_know_is_never_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaigns.db");
    let line = Checkpoint::of(&path, None, "u", "lockhouse", Head { seq: 9, chain: [1; 32] }, 0);
    checkpoint::append(&path, &line).unwrap();
    let told = words(&path).await;
    assert!(told.contains("campaign \"lockhouse\" up to entry #9") && told.contains("move checkpoints.log"), "{told}");
    assert!(!path.exists(), "not even an empty file");
    std::fs::write(&path, b"").unwrap();
    words(&path).await;
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
    execute(&path, "pragma journal_mode = wal").await;
    words(&path).await;
    open(&folder.path().join("another.db")).await.unwrap().close().await.unwrap();
    std::fs::remove_file(checkpoint::path(&path)).unwrap();
    open(&path).await.unwrap().close().await.unwrap();
}

#[tokio::test]
async fn a_database_cut_to_nothing_beside_its_log_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaigns.db");
    std::fs::write(&path, b"").unwrap();
    std::fs::write(folder.path().join("campaigns.db-wal"), [1; 64]).unwrap();
    assert!(words(&path).await.contains("its log file is still beside it"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere");
    for name in ["campaigns.db", "campaigns.db-wal", "campaigns.db.lock"] {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
        assert!(words(&folder.path().join("campaigns.db")).await.contains("symbolic link"));
        assert!(!elsewhere.exists());
        std::fs::remove_file(link).unwrap();
    }
}
