//! What clients start: their settings, and the server's start as a client meets it, where every line on standard output is the protocol's.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;

use super::finding::{Finding, ill, well};
use crate::cli::init::{Configured, configured};
use rollbook_text::names::for_shell;

/// As long as Claude Code waits for a start.
const PATIENCE: Duration = Duration::from_secs(30);
const READ_MAX: u64 = 1 << 20;

/// The settings of clients: whether one starts this server, and whether what it starts is there.
pub(super) async fn check_settings() -> Vec<Finding> {
    let mut findings = Vec::new();
    for Configured { client, file, of_project, server } in configured() {
        findings.push(match server {
            Err(why) => ill("client", why, "put the file right; `rollbook init` edits it only then"),
            Ok((command, arguments)) => {
                let named = format!("{client} ({})", file.display());
                check_entry(client, &named, of_project.as_deref(), &command, &arguments).await
            }
        });
    }
    if findings.is_empty() {
        findings.push(well(
            "client",
            "no settings of a client name Rollbook; `rollbook init` writes them, and `rollbook play` and the plugin need none",
        ));
    }
    findings
}

async fn check_entry(
    client: &str,
    named: &str,
    project: Option<&Path>,
    command: &str,
    arguments: &[String],
) -> Finding {
    if let Some(why) = missing(command, arguments) {
        return ill("client", format!("{named}: {why}"), "`rollbook init --replace` writes it anew");
    }
    if let Some(other) = project.and_then(|project| path_outside(project, arguments)) {
        let found = format!("{named} opens a table of another folder, {other}: this one was copied or moved");
        return ill("client", found, "`rollbook init --place project --replace` writes it for this folder");
    }
    // What only the client can expand is not started here.
    let is_expanded = |text: &str| !text.contains("${");
    if !is_expanded(command)
        || !arguments.iter().all(|argument| is_expanded(argument))
        || !arguments.iter().any(|argument| argument == "serve")
    {
        let file = named.strip_prefix(client).unwrap_or(named);
        return well("client", format!("{client} starts {command}{file}"));
    }
    // With a database that is thrown away.
    let mut all: Vec<OsString> = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--db" => drop(rest.next()),
            with_value if with_value.starts_with("--db=") => {}
            _ => all.push(argument.into()),
        }
    }
    all.push("--db".into());
    let words = std::iter::once(command).chain(arguments.iter().map(String::as_str)).map(for_shell);
    let fix = format!("run `{}` by hand and read what it says", words.collect::<Vec<_>>().join(" "));
    check_start("client", &format!("what {named} starts"), hello(OsStr::new(command), &all), &fix).await
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

/// Starts this program as a server of a campaign that is thrown away, and says hello.
pub(super) async fn check_server(adventure: &Path) -> Finding {
    let begun = async {
        let program = std::env::current_exe().map_err(failed)?;
        let nothing = tempfile::tempdir().map_err(failed)?;
        // That the folder is missing is a finding of the rules.
        let folder = if adventure.is_dir() { adventure } else { nothing.path() };
        let arguments = ["serve".into(), "--adventure".into(), folder.into(), "--db".into()];
        hello(program.as_os_str(), &arguments).await
    };
    let fix = "run `rollbook serve` by hand and read what it says; put the program back from where it was installed";
    check_start("stdout", "the server", begun, fix).await
}

async fn check_start(
    at: &'static str,
    server: &str,
    hello: impl Future<Output = Result<String, String>>,
    fix: &str,
) -> Finding {
    match tokio::time::timeout(PATIENCE, hello).await {
        Ok(Ok(name)) => {
            well(at, format!("{server} answers as {name}, and writes nothing but the protocol to standard output"))
        }
        Ok(Err(why)) => ill(at, format!("{server}: {why}"), fix),
        Err(_) => ill(at, format!("{server} did not answer within 30 seconds"), fix),
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
    let field = |name: &str| server.get(name).and_then(Value::as_str).unwrap_or_default();
    let name = format!("{} {}", field("name"), field("version"));
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).await.map_err(failed)?;
    if let Some(stray) = rest.lines().find(|line| serde_json::from_str::<Value>(line).is_err()) {
        return Err(format!("a line on standard output is not the protocol's: {stray:?}"));
    }
    let ended = child.wait().await.map_err(failed)?;
    if ended.success() { Ok(name) } else { Err(format!("it ended with {ended}")) }
}
