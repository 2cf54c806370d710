//! Servers that cannot be used, and servers that only read for a while: each refusal says why and
//! what to do.

use std::ffi::OsStr;
use std::sync::Arc;

use rollbook_store::StoreError;
use rollbook_store::location::{Location, Server};
use rollbook_store::postgres::server::connect;
use serde_json::json;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::server::{Database, server};
use crate::faults::serve;
use crate::table::has;

/// Servers that cannot be used: each refusal says why and what to do, and no word of it is the
/// password.
const PASSWORD: &str = "hunter2";

fn parsed(address: &str) -> Box<Server> {
    match Location::parse(OsStr::new(address)).expect("an address") {
        Location::Server(server) => server,
        Location::File(file) => panic!("{} is a file", file.display()),
    }
}

/// The refusal of an address that cannot be used.
fn refused(address: &str) -> String {
    let server = parsed(address);
    let refused = Runtime::new()
        .expect("a runtime")
        .block_on(connect(&server))
        .map(drop);
    let Err(refused @ StoreError::NotOpened { .. }) = refused else {
        panic!("{refused:?}")
    };
    let words = format!("{refused} {refused:?}");
    assert!(!words.contains(PASSWORD), "{words}");
    assert!(
        words.contains(&server.to_string()),
        "it says which: {words}"
    );
    refused.to_string()
}

#[test]
fn a_server_that_is_not_there_cannot_be_reached() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("an address")
        .port();
    let words = refused(&format!(
        "postgres://gm:{PASSWORD}@127.0.0.1:{closed}/rollbook"
    ));
    assert!(
        words.contains("cannot be reached") && words.contains("Look whether it runs there"),
        "{words}"
    );
}

#[test]
fn what_listens_there_and_is_no_database_is_not_waited_for() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = silent.local_addr().expect("an address").port();
    let other = std::thread::spawn(move || {
        use std::io::Write as _;
        let (mut stream, _) = silent.accept().expect("somebody asks");
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    let words = refused(&format!(
        "postgres://gm:{PASSWORD}@127.0.0.1:{port}/rollbook"
    ));
    assert!(words.contains("Look whether"), "{words}");
    other.join().expect("ends");
}

#[test]
fn a_wrong_password_is_reported_without_it() {
    let Some(database) = Database::empty() else {
        return;
    };
    database.execute(
        "do $$ begin create role keeper login password 'another'; exception when duplicate_object then null; end $$",
    );
    let words = refused(&database.url_of(&format!("keeper:{PASSWORD}")));
    assert!(
        words.contains("password authentication failed") && words.contains("PGPASSWORD"),
        "{words}"
    );
    let words = refused(&database.url_of("keeper"));
    assert!(words.contains("PGPASSWORD"), "{words}");
    let server = parsed(&database.url_of("keeper:another"));
    Runtime::new()
        .expect("a runtime")
        .block_on(connect(&server))
        .expect("the right one is taken");
}

#[test]
fn a_database_that_is_not_there_is_to_be_made() {
    let Some(database) = Database::empty() else {
        return;
    };
    let url = database.url();
    let words = refused(&format!(
        "{}/nowhere",
        url.rsplit_once('/').expect("an address").0
    ));
    assert!(
        words.contains("database \"nowhere\" does not exist") && words.contains("createdb"),
        "{words}"
    );
}

#[test]
fn tls_is_wanted_where_it_is_asked_for() {
    let Some(database) = Database::empty() else {
        return;
    };
    let words = refused(&format!("{}?sslmode=require", database.url()));
    assert!(words.contains("TLS"), "{words}");
}

/// A server that only reads for a while, as one whose disk is full or that became a standby: what
/// is there is read, nothing is written or tried for long, and once it writes again so does
/// Rollbook.
#[test]
fn a_server_that_only_reads_is_read_and_written_to_again_when_it_writes() {
    let (Some(postgres), Some(database)) = (server(), Database::empty()) else {
        return;
    };
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let web = serve(&folder, &database.url());
    let roll = || {
        web.call(&[], "roll_dice", json!({"expression": "1d6"}))
            .content()
    };
    let create = json!({"action": "create", "name": "Ann", "kind": "player"});
    assert!(web.call(&[], "manage_character", create).content()["log"].is_u64());
    assert_eq!(web.get("/readyz").status, 200);

    let name = database.name();
    postgres.execute(&format!(
        "alter database {name} set default_transaction_read_only = on"
    ));
    database.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    assert_eq!(web.get("/readyz").status, 503);
    let refused = roll();
    let summary = refused["summary"].as_str().expect("a text");
    assert_eq!(refused["code"], "disk", "{refused}");
    has(
        summary,
        &[
            "the database server only reads for now",
            "Nothing was rolled",
        ],
    );
    let read = web
        .call(&[], "get_character", json!({"character": "Ann"}))
        .content();
    assert!(
        read["summary"]
            .as_str()
            .is_some_and(|text| text.contains("Ann")),
        "{read}"
    );
    let status = web
        .call(&[], "manage_session", json!({"action": "status"}))
        .content();
    assert!(status["code"].is_null(), "{status}");
    let refused = web
        .call(
            &[],
            "roll_dice",
            json!({"expression": "1d6", "campaign": "another"}),
        )
        .content();
    assert_eq!(refused["code"], "disk", "{refused}");

    // A server that starts meanwhile reads, too.
    let late = serve(&folder, &database.url());
    let read = late
        .call(&[], "get_character", json!({"character": "Ann"}))
        .content();
    assert!(
        read["summary"]
            .as_str()
            .is_some_and(|text| text.contains("Ann")),
        "{read}"
    );
    assert_eq!(late.get("/readyz").status, 503);

    // Connections of that time are not used any more.
    postgres.execute(&format!(
        "alter database {name} reset default_transaction_read_only"
    ));
    assert!(roll()["log"].is_u64());
    assert_eq!(web.get("/readyz").status, 200);
    assert!(
        late.call(&[], "roll_dice", json!({"expression": "1d6"}))
            .content()["log"]
            .is_u64()
    );
}

#[test]
fn a_search_path_that_names_no_schema_is_reported_at_the_start() {
    let Some(database) = Database::empty() else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let url = database.url();
    let joint = if url.contains('?') { '&' } else { '?' };
    let wrong = format!("{url}{joint}options=-csearch_path=nowhere");
    for arguments in [
        &["serve"][..],
        &["serve", "--http", "127.0.0.1:0"],
        &["campaigns", "list"],
    ] {
        let came = crate::process::rollbook(folder.path())
            .args(arguments)
            .args(["--db", &wrong])
            .stdin(std::process::Stdio::null())
            .output()
            .expect("it ends");
        let words = String::from_utf8_lossy(&came.stderr);
        assert!(
            !came.status.success()
                && words.contains("its search path names no schema that there is"),
            "{arguments:?}: {words}"
        );
    }
}
