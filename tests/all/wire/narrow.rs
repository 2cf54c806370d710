//! A pipe that takes little at a time: answers wait, and none is cut by another.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rollbook_server::mcp;
use rollbook_table::session::Host;
use rollbook_table::session::adventure::Adventure;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use crate::process::{LOCKHOUSE, call};
use crate::table::{NOW, Script, Scripted};

#[test]
fn an_answer_to_nonsense_is_not_cut_by_the_answer_to_a_call() {
    rollbook::migrations::MIGRATIONS.hand_down();
    let folder = TempDir::new().expect("a folder");
    let script = Script::default();
    script.add([11; 20]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (lines, status) = runtime.block_on(async {
        let adventure = Adventure::read(LOCKHOUSE.as_ref()).expect("the adventure");
        let chance = move || Ok(Box::new(Scripted::new(script.clone())) as Box<_>);
        let database = folder.path().join("campaigns.db");
        let host = Arc::new(Host::new(adventure, database.clone(), None, Box::new(chance), || NOW));
        let (mut to_server, input) = tokio::io::duplex(1024 * 1024);
        let (output, from_server) = tokio::io::duplex(8);
        let served = tokio::spawn(mcp::serve(host, Default::default(), input, output, std::future::pending()));
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "slow", "version": "1"},
        }});
        let mut all = format!("{hello}\n");
        for id in 1..=20 {
            all += &format!("{}\nnonsense\n", call(json!(id), "roll_dice", json!({"expression": "d20"})));
        }
        to_server.write_all(all.as_bytes()).await.expect("is taken");
        // The reader stops in the midst of the first answer to nonsense until the first call is in the book and wants to be
        // answered too.
        let mut lines = Vec::new();
        let mut reader = BufReader::with_capacity(3, from_server).lines();
        lines.extend(reader.next_line().await.expect("UTF-8"));
        let patience = Instant::now() + Duration::from_secs(60);
        while written(&database).await < 4 {
            assert!(Instant::now() < patience, "the first call is not in the book: {lines:?}");
        }
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        while lines.len() < 41 {
            match reader.next_line().await.expect("UTF-8") {
                Some(line) => lines.push(line),
                None => break,
            }
        }
        drop(to_server);
        while let Some(line) = reader.next_line().await.expect("UTF-8") {
            lines.push(line);
        }
        (lines, served.await.expect("no panic"))
    });
    assert_eq!(status, Ok(()));
    let messages: Vec<Value> =
        lines.iter().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect();
    assert_eq!(messages.len(), 41);
    assert_eq!(messages.iter().filter(|message| message["error"]["code"] == -32700).count(), 20);
    let mut ids: Vec<i64> = messages.iter().filter_map(|message| message["id"].as_i64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..=20).collect::<Vec<i64>>(), "each call is answered once");
}

/// Entries in the log; 0 before it is made.
async fn written(database: &Path) -> i64 {
    let connection = SqliteConnectOptions::new().filename(database).read_only(true).connect().await;
    let Ok(mut connection) = connection else { return 0 };
    let count = sqlx::query_scalar("select count(*) from log").fetch_one(&mut connection).await;
    connection.close().await.expect("closes");
    count.unwrap_or(0)
}
