//! Copies that count are whole, few, private and good.

use std::path::{Path, PathBuf};

use super::{APART, KEPT, all, folder, is_good, make, newest_good};
use crate::store::sqlite::open;
use crate::store::{Store, StoreError};

const NOW: i64 = 1_795_203_000_000_000;

/// A campaign with an entry, in any schema.
pub const ENTRY: &str = "
    insert into campaigns (id, uuid, name, adventure, rules_hash, created_at)
    values (1, '019aa0b2-0000-7000-8000-000000000009', 'a', 'a', '', 0);
    insert into log (campaign, seq, prev, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor)
    values (1, 1, zeroblob(32), x'7b7d', x'7b7d', zeroblob(32), zeroblob(32), zeroblob(32), zeroblob(32), 0, 0, 'roll', 'public', 'gm')";

/// A database with one entry; of no meaning, but whole as far as SQLite can tell.
async fn database(folder: &Path) -> PathBuf {
    let path = folder.join("campaigns.db");
    let mut store = open(&path).await.unwrap();
    sqlx::raw_sql(ENTRY).execute(&mut store.connection).await.unwrap();
    store.close().await.unwrap();
    path
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn one_an_hour_is_made_and_the_last_three_are_kept() {
    let place = tempfile::tempdir().unwrap();
    let path = database(place.path()).await;
    let first = make(&path, NOW).await.unwrap().unwrap();
    assert!(is_good(&first).await);
    for too_soon in [NOW, NOW + APART - 1_000_000, NOW - APART + 1_000_000] {
        assert_eq!(make(&path, too_soon).await.unwrap(), None);
    }
    for hours in 1..5 {
        make(&path, NOW + hours * APART).await.unwrap().unwrap();
    }
    assert_eq!(
        names(&folder(&path)),
        ["000003-2026-11-20T21-30-00Z.db", "000004-2026-11-20T22-30-00Z.db", "000005-2026-11-20T23-30-00Z.db"]
    );
    // A clock that was set back by a day makes the newest all the same.
    let newest = make(&path, NOW - 24 * APART).await.unwrap().unwrap();
    assert!(newest.ends_with("000006-2026-11-19T19-30-00Z.db"), "{newest:?}");
    assert_eq!((names(&folder(&path)).len(), newest_good(&path).await), (KEPT, Some(newest.clone())));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&newest), mode(&folder(&path))), (0o600, 0o700));
    }
}

#[tokio::test]
async fn an_empty_log_is_not_backed_up() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("campaigns.db");
    open(&path).await.unwrap().close().await.unwrap();
    assert_eq!(make(&path, NOW).await.unwrap(), None);
    assert_eq!(all(&path), [""; 0].map(PathBuf::from));
    assert!(!folder(&path).exists());
}

#[tokio::test]
async fn a_damaged_database_names_the_newest_good_backup_and_the_command_restores_it() {
    let place = tempfile::tempdir().unwrap();
    let home = place.path().join("it's a \"home\"");
    std::fs::create_dir(&home).unwrap();
    let path = database(&home).await;
    for hours in 0..3 {
        make(&path, NOW + hours * APART).await.unwrap().unwrap();
    }
    // The newest is damaged itself, and a copy that was broken off lies beside.
    let newest = all(&path).remove(0);
    let mut bytes = std::fs::read(&newest).unwrap();
    bytes.iter_mut().skip(4096).take(4096 * 3).for_each(|byte| *byte = 0xff);
    std::fs::write(&newest, bytes).unwrap();
    std::fs::create_dir(folder(&path).join(".rollbook-broken.part")).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.iter_mut().skip(100).take(4000).for_each(|byte| *byte = 0xff);
    std::fs::write(&path, bytes).unwrap();
    let refused = open(&path).await.map(drop).unwrap_err();
    assert!(matches!(refused, StoreError::Damaged { .. }));
    let told = refused.to_string();
    assert!(told.contains("The newest good backup is campaigns.db.backups/000002-2026-11-20T20-30-00Z.db."), "{told}");
    let command = told.split('`').nth(1).unwrap();
    let done = std::process::Command::new("sh").args(["-c", command]).output().unwrap();
    assert!(done.status.success(), "{command}: {done:?}");
    let mut store = open(&path).await.unwrap();
    assert_eq!(store.head(1).await.unwrap().seq, 1);
    store.close().await.unwrap();
    assert!(home.join("damaged/campaigns.db").exists(), "what was damaged is kept");
}
