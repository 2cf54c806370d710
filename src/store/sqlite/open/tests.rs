//! A file is opened private and sound, or refused and left as it is.

use super::{connect_read_only, open};
use crate::store::{Store, StoreError};

fn place() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaigns.db");
    (folder, path)
}

#[tokio::test]
async fn a_new_file_is_private_and_opens_again() {
    let (_folder, path) = place();
    open(&path).await.unwrap().close().await.unwrap();
    open(&path).await.unwrap().close().await.unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let (_folder, path) = place();
    std::fs::write(&path, "a shopping list").unwrap();
    assert!(matches!(open(&path).await, Err(StoreError::NotOpened { .. })));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a shopping list");
}

#[tokio::test]
async fn a_file_that_was_a_database_is_damaged_though_it_does_not_begin_as_one() {
    let (folder, path) = place();
    std::fs::write(&path, "overwritten").unwrap();
    std::fs::write(folder.path().join("campaigns.db.backup-schema0001-entries000000000007"), "").unwrap();
    assert!(matches!(open(&path).await, Err(StoreError::Damaged { .. })));
}

#[tokio::test]
async fn a_backup_that_is_not_good_is_not_named() {
    let (folder, path) = place();
    open(&path).await.unwrap().close().await.unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.iter_mut().skip(100).take(4000).for_each(|byte| *byte = 0xff);
    std::fs::write(&path, bytes).unwrap();
    std::fs::write(folder.path().join("campaigns.db.backup-schema0001-entries000000000007"), "").unwrap();
    let refused = open(&path).await.map(|_| ()).unwrap_err();
    assert!(refused.to_string().contains("There is no good backup beside it."), "{refused}");
}

#[tokio::test]
async fn a_file_of_a_later_program_is_refused() {
    let (_folder, path) = place();
    let mut store = open(&path).await.unwrap();
    sqlx::query("insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (99, 'x', 1, x'00', 0)")
        .execute(&mut store.connection)
        .await
        .unwrap();
    store.close().await.unwrap();
    assert!(matches!(open(&path).await, Err(StoreError::Newer { found: 99, .. })));
}

#[tokio::test]
async fn a_missing_file_is_not_made_by_a_reader() {
    let (_folder, path) = place();
    assert!(connect_read_only(&path).await.is_err());
    assert!(!path.exists());
}

#[tokio::test]
async fn many_first_starts_at_once_make_one_schema() {
    let (_folder, path) = place();
    let starts = (0..20).map(|_| {
        let path = path.clone();
        tokio::spawn(async move { open(&path).await.map(|_| ()) })
    });
    for start in starts.collect::<Vec<_>>() {
        start.await.unwrap().unwrap();
    }
}
