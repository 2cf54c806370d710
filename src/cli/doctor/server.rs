//! The server's start as a client meets it: every line on standard output is the protocol's.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;

use super::looked::Looked;
use rollbook_text::names::for_shell;

/// As long as Claude Code waits for a start.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of its output that are read.
const READ_MAX: u64 = 1 << 20;

/// Starts this program as a server of a campaign that is thrown away, and says hello.
pub(super) async fn look(adventure: &Path) -> Looked {
    let begun = async {
        let program = std::env::current_exe().map_err(failed)?;
        let nothing = tempfile::tempdir().map_err(failed)?;
        // That the folder is missing is said of the rules.
        let folder = if adventure.is_dir() { adventure } else { nothing.path() };
        let arguments = ["serve".into(), "--adventure".into(), folder.into(), "--db".into()];
        hello(program.as_os_str(), &arguments).await
    };
    let (own, hand) = ("the server", "run `rollbook serve` by hand and read what it says");
    told("stdout", begun, own, &format!("{hand}; put the program back from where it was installed")).await
}

/// Starts what a client's settings start, with a database that is thrown away in place of its own; `None` where that cannot be put in its
/// place.
pub(super) async fn look_at(client: &str, command: &str, arguments: &[String]) -> Option<Looked> {
    let is_of_the_client = |own: &str| own.contains("${");
    let serves = arguments.iter().any(|own| own == "serve");
    if !serves || is_of_the_client(command) || arguments.iter().any(|own| is_of_the_client(own)) {
        return None;
    }
    let mut own: Vec<OsString> = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--db" => drop(rest.next()),
            named if named.starts_with("--db=") => {}
            _ => own.push(argument.into()),
        }
    }
    own.push("--db".into());
    let started = format!("what {client} starts");
    let words = std::iter::once(command).chain(arguments.iter().map(String::as_str)).map(for_shell);
    let fix = format!("run `{}` by hand and read what it says", words.collect::<Vec<_>>().join(" "));
    Some(told("client", hello(OsStr::new(command), &own), &started, &fix).await)
}

async fn told(
    at: &'static str,
    hello: impl Future<Output = Result<String, String>>,
    started: &str,
    fix: &str,
) -> Looked {
    match tokio::time::timeout(PATIENCE, hello).await {
        Ok(Ok(name)) => Looked::well(
            at,
            format!("{started} answers as {name}, and writes nothing but the protocol to standard output"),
        ),
        Ok(Err(why)) => Looked::ill(at, format!("{started}: {why}"), fix),
        Err(_) => Looked::ill(at, format!("{started} did not answer within 30 seconds"), fix),
    }
}

fn failed(error: std::io::Error) -> String {
    format!("it cannot be started: {error}")
}

/// Starts a server; `arguments` end with the flag of its database.
async fn hello(program: &OsStr, arguments: &[OsString]) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(failed)?;
    let mut child = Command::new(program)
        .args(arguments)
        .arg(folder.path().join("campaigns.db"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("it has no standard input and output".to_owned());
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
    if ended.success() { Ok(name) } else { Err(format!("it ended with {ended}")) }
}
