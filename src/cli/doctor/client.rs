//! What clients start: whether what their settings name is there, and this program's start as a client meets it.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use super::{Finding, ill, well};
use crate::cli::init::{Configured, configured};

/// As long as Claude Code waits for a start.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of its standard output that are read.
const READ_MAX: u64 = 1 << 20;

/// The settings of clients that name this server: whether what they start is there. Nothing of it is started.
pub(super) fn check_settings() -> Vec<Finding> {
    let finding = |Configured { client, file, of_project, server }: Configured| {
        let (command, arguments) = match server {
            Ok(started) => started,
            Err(why) => return ill("client", why, "put the file right; `rollbook init` edits it only then"),
        };
        let file = file.display();
        if let Some(why) = missing(&command, &arguments) {
            let fix = "`rollbook init --replace` writes it anew";
            return ill("client", format!("{client} ({file}): {why}"), fix);
        }
        if let Some(other) = of_project.and_then(|project| path_outside(&project, &arguments)) {
            let found =
                format!("{client} ({file}) opens a table of another folder, {other}: this one was copied or moved");
            return ill("client", found, "`rollbook init --place project --replace` writes it for this folder");
        }
        well("client", format!("{client} starts {command} ({file})"))
    };
    let findings: Vec<Finding> = configured().into_iter().map(finding).collect();
    if !findings.is_empty() {
        return findings;
    }
    let none = "no settings of a client name Rollbook; `rollbook init` writes them, and `rollbook play` and the plugin need none";
    vec![well("client", none)]
}

fn value<'a>(arguments: &'a [String], flag: &str) -> Option<&'a String> {
    let at = arguments.iter().position(|argument| argument == flag)?;
    arguments.get(at + 1)
}

/// What settings of a project name outside of it.
fn path_outside(project: &Path, arguments: &[String]) -> Option<String> {
    let mut paths = ["--adventure", "--db"].into_iter().filter_map(|flag| value(arguments, flag));
    let is_outside = |path: &&String| {
        !path.contains("://") && Path::new(path).is_absolute() && !Path::new(path).starts_with(project)
    };
    paths.find(is_outside).cloned()
}

fn missing(command: &str, arguments: &[String]) -> Option<String> {
    if !is_there(command) {
        return Some(format!("there is no program {command}"));
    }
    let adventure = value(arguments, "--adventure").map(Path::new);
    let database = value(arguments, "--db").filter(|file| !file.contains("://"));
    let folder = database.and_then(|file| Path::new(file).parent()).filter(|folder| !folder.as_os_str().is_empty());
    let folder = [adventure, folder].into_iter().flatten().find(|folder| !folder.is_dir())?;
    Some(format!("there is no folder {}", folder.display()))
}

/// Whether a program is where it is named, or on the path. Variables in it are the client's to read.
fn is_there(command: &str) -> bool {
    if command.contains("${") {
        return true;
    }
    let named = Path::new(command);
    if named.components().count() > 1 {
        return named.is_file();
    }
    let ends: &[&str] = if cfg!(windows) { &["", ".exe", ".cmd", ".bat"] } else { &[""] };
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| ends.iter().any(|end| folder.join(format!("{command}{end}")).is_file()))
}

/// Starts this program as a server of a campaign that is thrown away, and says hello. Every line on standard output must be the
/// protocol's.
pub(super) async fn check_server(adventure: &Path) -> Finding {
    let fix = "run `rollbook serve` by hand and read what it says; put the program back from where it was installed";
    match tokio::time::timeout(PATIENCE, hello(adventure)).await {
        Ok(Ok(name)) => well(
            "stdout",
            format!("the server answers as {name}, and writes nothing but the protocol to standard output"),
        ),
        Ok(Err(why)) => ill("stdout", format!("the server: {why}"), fix),
        Err(_) => ill("stdout", "the server did not answer within 30 seconds", fix),
    }
}

async fn hello(adventure: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("it cannot be started: {error}");
    let folder = tempfile::tempdir().map_err(failed)?;
    // That the adventure's folder is missing is a finding of the rules.
    let adventure = if adventure.is_dir() { adventure } else { folder.path() };
    let mut child = Command::new(std::env::current_exe().map_err(failed)?)
        .args(["serve", "--adventure"])
        .args([adventure, "--db".as_ref(), &folder.path().join("campaigns.db")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    let client = json!({"name": "rollbook doctor", "version": env!("CARGO_PKG_VERSION")});
    let parameters = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters});
    if let Some(mut input) = child.stdin.take() {
        input.write_all(format!("{call}\n").as_bytes()).await.map_err(failed)?;
    }
    let mut output = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(READ_MAX).read_to_end(&mut output).await.map_err(failed)?;
    }
    let parse = |line: &str| {
        serde_json::from_str(line).map_err(|_| format!("a line on standard output is not the protocol's: {line:?}"))
    };
    let lines: Vec<Value> = String::from_utf8_lossy(&output).lines().map(parse).collect::<Result<_, String>>()?;
    let ended = child.wait().await.map_err(failed)?;
    let reply = lines.first().ok_or_else(|| format!("it ended with {ended} and answered nothing"))?;
    let server = reply.pointer("/result/serverInfo").ok_or_else(|| format!("it refused to be greeted: {reply}"))?;
    let field = |name: &str| server.get(name).and_then(Value::as_str).unwrap_or_default();
    match ended.success() {
        true => Ok(format!("{} {}", field("name"), field("version"))),
        false => Err(format!("it ended with {ended}")),
    }
}
