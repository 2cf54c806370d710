//! How the server ends: calmly, with nothing left behind but the book.

use serde_json::json;

use crate::process::Process;

/// A server that has written something, so that there is a log file of SQLite's to clean up.
fn in_the_middle() -> Process {
    let mut server = Process::start();
    server.initialize();
    server.done("roll_dice", json!({"expression": "d20"}));
    assert!(server.folder().path().join("campaigns.db-wal").exists(), "SQLite's own log is there while it plays");
    server
}

/// Nothing beside the database but what belongs there.
fn assert_tidy(folder: &std::path::Path) {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("lists")
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["campaigns.db", "campaigns.db.lock"]);
}

#[test]
fn the_end_of_input_ends_it() {
    let server = in_the_middle();
    let folder = server.folder();
    let (status, rest) = server.end();
    assert_eq!(status.code(), Some(0));
    assert!(rest.is_empty(), "{rest:?}");
    assert_tidy(folder.path());
}

#[test]
fn sigterm_and_sigint_end_it() {
    for signal in ["TERM", "INT"] {
        let mut server = in_the_middle();
        let folder = server.folder();
        server.signal(signal);
        let (status, rest) = server.wait();
        assert_eq!(status.code(), Some(0), "{signal}");
        assert_eq!(String::from_utf8_lossy(&rest), "", "{signal}");
        assert_tidy(folder.path());
    }
}

#[test]
fn the_end_of_input_or_a_signal_before_anything_began_ends_it_too() {
    let (status, rest) = Process::start().end();
    assert_eq!((status.code(), rest.len()), (Some(0), 0));
    for signal in ["TERM", "INT"] {
        let mut server = Process::start();
        // An answer shows that it is up and listens to signals.
        server.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
        server.signal(signal);
        let (status, rest) = server.wait();
        assert_eq!((status.code(), rest.len()), (Some(0), 0), "{signal}");
    }
}

#[test]
fn a_call_that_is_under_way_at_the_end_of_input_is_whole_or_absent() {
    let mut server = in_the_middle();
    let folder = server.folder();
    for id in 0..20 {
        server.send(&crate::process::call(json!(id), "roll_dice", json!({"expression": "d20"})));
    }
    let (status, answered) = server.end();
    assert_eq!(status.code(), Some(0));
    assert_tidy(folder.path());
    let mut again = Process::hello(folder);
    let status = again.done("manage_session", json!({"action": "status"}));
    let length = status["log_length"].as_u64().expect("a number");
    assert!(length >= 4 + answered.len() as u64, "{length} entries, {} answers", answered.len());
}
