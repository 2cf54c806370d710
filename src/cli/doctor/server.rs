//! The server's start as a client meets it: every line on standard output is the protocol's.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;

use super::looked::Looked;

/// As long as Claude Code waits for a start.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of its output that are read.
const READ_MAX: u64 = 1 << 20;
const FIX: &str =
    "run `rollbook serve` by hand and read what it says; put the program back from where it was installed";

/// Starts this program as a server of a campaign that is thrown away, and says hello.
pub(super) async fn look(adventure: &Path) -> Looked {
    match tokio::time::timeout(PATIENCE, hello(adventure)).await {
        Ok(Ok(name)) => {
            Looked::well("stdout", format!("{name} starts, and writes nothing but the protocol to standard output"))
        }
        Ok(Err(why)) => Looked::ill("stdout", why, FIX),
        Err(_) => Looked::ill("stdout", "the server did not answer within 30 seconds", FIX),
    }
}

async fn hello(adventure: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("the server cannot be started: {error}");
    let program = std::env::current_exe().map_err(failed)?;
    let folder = tempfile::tempdir().map_err(failed)?;
    let mut child = Command::new(program)
        .args(["serve", "--adventure"])
        .arg(adventure)
        .arg("--db")
        .arg(folder.path().join("campaigns.db"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("the server has no standard input and output".to_owned());
    };
    let client = json!({"name": "rollbook doctor", "version": env!("CARGO_PKG_VERSION")});
    let parameters = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters});
    input.write_all(format!("{call}\n").as_bytes()).await.map_err(failed)?;
    let mut output = BufReader::new(output.take(READ_MAX));
    let mut line = String::new();
    output.read_line(&mut line).await.map_err(failed)?;
    let reply: Value = serde_json::from_str(&line)
        .map_err(|_| format!("its first line on standard output is not the protocol's: {:?}", line.trim_end()))?;
    let server = reply.pointer("/result/serverInfo");
    let server = server.ok_or_else(|| format!("it refused to be greeted: {reply}"))?;
    let named = |field: &str| server.get(field).and_then(Value::as_str).unwrap_or_default();
    let name = format!("{} {}", named("name"), named("version"));
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).await.map_err(failed)?;
    if let Some(stray) = rest.lines().find(|line| serde_json::from_str::<Value>(line).is_err()) {
        return Err(format!("a line on standard output is not the protocol's: {stray:?}"));
    }
    let ended = child.wait().await.map_err(failed)?;
    if ended.success() { Ok(name) } else { Err(format!("the server ended with {ended}")) }
}
