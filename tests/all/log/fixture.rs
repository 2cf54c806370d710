//! `tests/fixtures/evening`: a database as the program writes it. From the first release on it
//! stays as it is, and every later program reads it. Until then
//! `cargo test --test all log::fixture::write -- --ignored` writes it anew after a change of
//! entries or of the schema.

use std::path::{Path, PathBuf};

use rollbook_game::record::event::Event;
use rollbook_store::sqlite;
use rollbook_store::verify::{Verified, verify};
use serde_json::json;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::evening;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/evening");
const FILES: [&str; 2] = ["campaigns.db", "checkpoints.log"];

fn verified(runtime: &Runtime, database: &Path) -> Verified {
    let verified = runtime
        .block_on(verify(database, None, None))
        .expect("can be verified");
    assert!(
        verified.is_sound(),
        "entries or the schema have changed: until a release has the fixture, write it anew. {verified:?}"
    );
    verified
}

/// A copy, which the tests may change.
fn copied() -> (TempDir, PathBuf) {
    rollbook::migrations::MIGRATIONS.hand_down();
    let folder = tempfile::tempdir().expect("a folder");
    for name in FILES {
        std::fs::copy(Path::new(FOLDER).join(name), folder.path().join(name))
            .expect("can be copied");
    }
    let database = folder.path().join("campaigns.db");
    (folder, database)
}

#[test]
fn the_fixture_verifies_as_it_lies_and_when_it_was_opened_to_play() {
    let runtime = Runtime::new().expect("a runtime");
    let (_folder, database) = copied();
    let [campaign] = &verified(&runtime, &database).campaigns[..] else {
        panic!("one campaign")
    };
    assert!(
        campaign.entries > 20 && campaign.rolls > 5 && campaign.opened.len() == 1,
        "{campaign:?}"
    );
    runtime.block_on(async {
        sqlite::open(&database)
            .await
            .expect("opens")
            .close()
            .await
            .expect("closes")
    });
    verified(&runtime, &database);
}

#[test]
fn the_fixture_has_entries_of_many_kinds() {
    let (_folder, database) = copied();
    let kinds = crate::queries::in_file(&database, |record| {
        record.rows("select distinct kind from log")
    });
    assert!(
        kinds.len() * 2 > Event::KINDS.len(),
        "{} of {}",
        kinds.len(),
        Event::KINDS.len()
    );
}

#[test]
#[ignore = "writes the fixture anew"]
fn write() {
    let mut table = evening();
    for call in [
        json!({"action": "note", "text": "Whose boat is it?", "kind": "thread"}),
        json!({"action": "note", "text": "The reeve's", "closes": "boat"}),
        json!({"action": "note", "text": "The miller lies", "visibility": "gm"}),
        json!({"action": "clock", "name": "Tide", "segments": 6}),
        json!({"action": "clock", "name": "Tide", "tick": 2}),
    ] {
        table.manage_session(call).is_fine();
    }
    let hidden = table
        .dice([17])
        .roll_dice(json!({"expression": "1d20", "visibility": "gm"}))
        .number("log");
    table
        .manage_session(json!({"action": "reveal", "entry": hidden}))
        .is_fine();
    table
        .dice([3, 6])
        .call(
            "roll_multiple",
            json!({"rolls": [{"expression": "d6"}, {"expression": "d8"}]}),
        )
        .is_fine();
    table
        .manage_character(json!({"action": "award", "xp": 50, "inventory": [{"name": "rope"}]}))
        .is_fine();
    table
        .manage_character(json!({"action": "rest", "character": "Jory", "kind": "Long rest"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 1}))
        .is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table
        .manage_character(json!({"action": "retire", "character": "Jory"}))
        .is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    table.record().is_sound();
    table.away(|table| {
        std::fs::create_dir_all(FOLDER).expect("can be made");
        for name in FILES {
            std::fs::copy(table.path(name), Path::new(FOLDER).join(name)).expect("can be copied");
        }
    });
}
