//! A server that only reads for a while, as one whose disk is full or that became a standby: what is there is read, nothing is written or
//! tried for long, and once it writes again so does Rollbook.

use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;

use super::server::{Database, server};
use crate::faults::serve;

#[test]
fn a_server_that_only_reads_is_read_and_written_to_again_when_it_writes() {
    let (Some(postgres), Some(database)) = (server(), Database::empty()) else { return };
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let web = serve(&folder, &database.url());
    let roll = || web.call(&[], "roll_dice", json!({"expression": "1d6"})).content();
    let create = json!({"action": "create", "name": "Ann", "kind": "player"});
    assert!(web.call(&[], "manage_character", create).content()["log"].is_u64());
    assert_eq!(web.get("/readyz").status, 200);

    let name = database.name();
    postgres.execute(&format!("alter database {name} set default_transaction_read_only = on"));
    database.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    assert_eq!(web.get("/readyz").status, 503);
    let refused = roll();
    let summary = refused["summary"].as_str().expect("a text");
    assert_eq!(refused["code"], "disk", "{refused}");
    assert!(
        summary.contains("the database server only reads for now") && summary.contains("Nothing was rolled"),
        "{summary}"
    );
    let read = web.call(&[], "get_character", json!({"character": "Ann"})).content();
    assert!(read["summary"].as_str().is_some_and(|text| text.contains("Ann")), "{read}");
    let status = web.call(&[], "manage_session", json!({"action": "status"})).content();
    assert!(status["code"].is_null(), "{status}");
    let refused = web.call(&[], "roll_dice", json!({"expression": "1d6", "campaign": "another"})).content();
    assert_eq!(refused["code"], "disk", "{refused}");

    // A server that starts meanwhile reads, too.
    let late = serve(&folder, &database.url());
    let read = late.call(&[], "get_character", json!({"character": "Ann"})).content();
    assert!(read["summary"].as_str().is_some_and(|text| text.contains("Ann")), "{read}");
    assert_eq!(late.get("/readyz").status, 503);

    // Connections of that time are not used any more.
    postgres.execute(&format!("alter database {name} reset default_transaction_read_only"));
    assert!(roll()["log"].is_u64());
    assert_eq!(web.get("/readyz").status, 200);
    assert!(late.call(&[], "roll_dice", json!({"expression": "1d6"})).content()["log"].is_u64());
}

#[test]
fn a_search_path_that_names_no_schema_is_said_at_the_start() {
    let Some(database) = Database::empty() else { return };
    let folder = TempDir::new().expect("a folder");
    let url = database.url();
    let joint = if url.contains('?') { '&' } else { '?' };
    let wrong = format!("{url}{joint}options=-csearch_path=nowhere");
    for arguments in [&["serve"][..], &["serve", "--http", "127.0.0.1:0"], &["campaigns", "list"]] {
        let came = crate::process::rollbook(folder.path())
            .args(arguments)
            .args(["--db", &wrong])
            .stdin(std::process::Stdio::null())
            .output()
            .expect("it ends");
        let words = String::from_utf8_lossy(&came.stderr);
        assert!(
            !came.status.success() && words.contains("its search path names no schema that there is"),
            "{arguments:?}: {words}"
        );
    }
}
