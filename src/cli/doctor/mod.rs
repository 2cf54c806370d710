//! `rollbook doctor`: what keeps a table from play or its record from safety, with fixes.

mod database;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use crate::cli::args::{BasesArg, DatabaseArg};
use crate::cli::init::{Configured, configured};
use crate::cli::output::{Done, Failed, print};
use crate::cli::progress::Progress;
use crate::play::toolbox::around;
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::paths;
use rollbook_text::names::{counted, for_shell};

/// Look at everything a table needs; each finding with its fix.
///
/// Folder, file, backups, checkpoints, rules, the client's settings, the server's start. Nothing is
/// changed, but tables that differ from a sound log: they are made anew from it.
///
/// Exit code 0: all is well. 1: findings, each with its fix.
#[derive(Debug, Args)]
pub struct Doctor {
    /// The adventure's folder [default: $CLAUDE_PROJECT_DIR, else the current folder].
    #[arg(long, value_name = "DIR")]
    adventure: Option<PathBuf>,
    #[command(flatten)]
    bases: BasesArg,
    #[command(flatten)]
    database: DatabaseArg,
    /// As JSON, for programs.
    #[arg(long)]
    json: bool,
}

struct Finding {
    at: &'static str, // `folder`, `file`, `backups`, `checkpoints`, `rules`, `client`, `stdout`
    found: String,
    fix: Option<String>, // What to do; `None` where it is well
}

fn well(at: &'static str, found: impl Into<String>) -> Finding {
    Finding {
        at,
        found: found.into(),
        fix: None,
    }
}

fn ill(at: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Finding {
    Finding {
        at,
        found: found.into(),
        fix: Some(fix.into()),
    }
}

impl Doctor {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        self.bases.read_below()?;
        let location = self.database.to_read()?;
        let adventure = paths::adventure(self.adventure.as_deref());
        let shown = Progress::start("Verifying");
        let mut findings = database::check(&location).await;
        findings.push(match &adventure {
            Ok(folder) => check_rules(folder),
            Err(why) => ill(
                "rules",
                why.clone(),
                "name the folder of one with --adventure",
            ),
        });
        findings.extend(check_settings());
        findings.push(check_server(adventure.as_deref().unwrap_or(".".as_ref())).await);
        drop(shown);
        let fixes = findings
            .iter()
            .filter(|finding| finding.fix.is_some())
            .count();
        let json = |one: &Finding| json!({"at": one.at, "ok": one.fix.is_none(), "found": one.found, "fix": one.fix});
        if self.json {
            print(&format!(
                "{:#}\n",
                findings.iter().map(json).collect::<Value>()
            ))?;
            return Ok(Done::of(fixes == 0));
        }
        for Finding { at, found, fix } in &findings {
            let mark = if fix.is_some() { "!!" } else { "ok" };
            let fix = around("    Fix: ", fix.as_deref().unwrap_or_default(), "\n");
            print(&format!("{mark}  {at}: {found}\n{fix}"))?;
        }
        let last = if fixes == 0 {
            "All is well".to_owned()
        } else {
            counted(fixes, "finding", "findings")
        };
        print(&format!("{last}.\n"))?;
        Ok(Done::of(fixes == 0))
    }
}

fn check_rules(folder: &Path) -> Finding {
    let shown = folder.display();
    if !paths::has_rules(folder) {
        let found = format!("{shown} has no System.md, so the dice roll and nothing else is known");
        let fix =
            "`rollbook init` or `rollbook new` makes one; or name its folder with --adventure";
        return ill("rules", found, fix);
    }
    let adventure = match Adventure::read(folder) {
        Ok(adventure) => adventure,
        Err(why) => return ill("rules", why, "make the folder readable"),
    };
    let title = adventure
        .reading
        .system
        .title
        .as_ref()
        .unwrap_or(&adventure.name);
    if adventure.is_sound() {
        return well("rules", format!("{title} ({shown}) has no errors"));
    }
    let found = format!("{title} ({shown}) has errors; what they are about is left out of play");
    ill(
        "rules",
        found,
        format!(
            "`rollbook check {}` shows each with its line",
            for_shell(&shown.to_string())
        ),
    )
}

const PATIENCE: Duration = Duration::from_secs(30); // As long as Claude Code waits for a start
const READ_MAX: u64 = 1 << 20; // Bytes of its standard output that are read

/// Whether what clients' settings start is there; nothing of it is started.
fn check_settings() -> Vec<Finding> {
    let finding = |Configured {
                       client,
                       file,
                       of_project,
                       server,
                   }: Configured| {
        let (command, arguments) = match server {
            Ok(started) => started,
            Err(why) => {
                return ill(
                    "client",
                    why,
                    "put the file right; `rollbook init` edits it only then",
                );
            }
        };
        let file = file.display();
        if let Some(why) = missing(&command, &arguments) {
            let found = format!("{client} ({file}): {why}");
            return ill("client", found, "`rollbook init --replace` writes it anew");
        }
        if let Some(other) = of_project.and_then(|project| path_outside(&project, &arguments)) {
            let found = "opens a table of another folder";
            let found = format!("{client} ({file}) {found}, {other}: this one was copied or moved");
            return ill(
                "client",
                found,
                "`rollbook init --place project --replace` writes it for this folder",
            );
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
    arguments.get(arguments.iter().position(|argument| argument == flag)? + 1)
}

fn path_outside(project: &Path, arguments: &[String]) -> Option<String> {
    let mut paths = ["--adventure", "--db"]
        .into_iter()
        .filter_map(|flag| value(arguments, flag));
    let is_outside = |path: &&String| {
        !path.contains("://")
            && Path::new(path).is_absolute()
            && !Path::new(path).starts_with(project)
    };
    paths.find(is_outside).cloned()
}

fn missing(command: &str, arguments: &[String]) -> Option<String> {
    if !is_there(command) {
        return Some(format!("there is no program {command}"));
    }
    let adventure = value(arguments, "--adventure").map(Path::new);
    let database = value(arguments, "--db").filter(|file| !file.contains("://"));
    let folder = database
        .and_then(|file| Path::new(file).parent())
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = [adventure, folder]
        .into_iter()
        .flatten()
        .find(|folder| !folder.is_dir())?;
    Some(format!("there is no folder {}", folder.display()))
}

/// Whether a program is there or on the path; variables are the client's to read.
fn is_there(command: &str) -> bool {
    if command.contains("${") {
        return true;
    }
    let named = Path::new(command);
    if named.components().count() > 1 {
        return named.is_file();
    }
    let ends: &[&str] = if cfg!(windows) {
        &["", ".exe", ".cmd", ".bat"]
    } else {
        &[""]
    };
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| {
        ends.iter()
            .any(|end| folder.join(format!("{command}{end}")).is_file())
    })
}

/// Says hello to a server of a throw-away campaign: each line of it must be the protocol's.
async fn check_server(adventure: &Path) -> Finding {
    let fix = "run `rollbook serve` by hand and read what it says; put the program back from where it was installed";
    match tokio::time::timeout(PATIENCE, hello(adventure)).await {
        Ok(Ok(name)) => well(
            "stdout",
            format!(
                "the server answers as {name}, and writes nothing but the protocol to standard output"
            ),
        ),
        Ok(Err(why)) => ill("stdout", format!("the server: {why}"), fix),
        Err(_) => ill("stdout", "the server did not answer within 30 seconds", fix),
    }
}

async fn hello(adventure: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("it cannot be started: {error}");
    let folder = tempfile::tempdir().map_err(failed)?;
    // That the adventure's folder is missing is a finding of the rules.
    let adventure = if adventure.is_dir() {
        adventure
    } else {
        folder.path()
    };
    let mut child = Command::new(std::env::current_exe().map_err(failed)?)
        .args(["serve", "--adventure"])
        .args([
            adventure,
            "--db".as_ref(),
            &folder.path().join("campaigns.db"),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    let client = json!({"name": "rollbook doctor", "version": env!("CARGO_PKG_VERSION")});
    let parameters =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters});
    let (ends, mut output) = (child.stdin.take().zip(child.stdout.take()), Vec::new());
    let (mut input, stdout) = ends.ok_or("it has no standard input and output")?;
    input
        .write_all(format!("{call}\n").as_bytes())
        .await
        .map_err(failed)?;
    drop(input);
    stdout
        .take(READ_MAX)
        .read_to_end(&mut output)
        .await
        .map_err(failed)?;
    let parse = |line: &str| {
        serde_json::from_str(line)
            .map_err(|_| format!("a line on standard output is not the protocol's: {line:?}"))
    };
    let lines: Vec<Value> = String::from_utf8_lossy(&output)
        .lines()
        .map(parse)
        .collect::<Result<_, String>>()?;
    let ended = child.wait().await.map_err(failed)?;
    let reply = lines
        .first()
        .ok_or_else(|| format!("it ended with {ended} and answered nothing"))?;
    let server = reply
        .pointer("/result/serverInfo")
        .ok_or_else(|| format!("it refused to be greeted: {reply}"))?;
    let field = |name: &str| server.get(name).and_then(Value::as_str).unwrap_or_default();
    if !ended.success() {
        return Err(format!("it ended with {ended}"));
    }
    Ok(format!("{} {}", field("name"), field("version")))
}
