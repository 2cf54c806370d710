//! `--with NAME=COMMAND`: starts a server of the protocol, whose tools are mounted.
//!
//! It is a process apart, with little of this one's environment: no key of a model, no password of
//! a database. Its tools are handed the arguments of their calls and nothing else. What they answer
//! is data.

use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

use crate::cli::output::Failed;
use crate::play::toolbox::{RESULT_MAX, cut};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_server::mcp::{CallFailed, Client};
use rollbook_table::tools::{CannotRegister, Category, External, Registry, ToolEntry};
use rollbook_text::names::{printable, quoted, shortened};

const START: Duration = Duration::from_secs(30);
/// How long a server that did not start may take to end, and its standard error after it.
const END: Duration = Duration::from_millis(500);
/// Of its standard error: bytes kept, lines shown, and the characters of each.
const ERRORS_MAX: usize = 8_000;
const LINES: usize = 5;
const LINE_MAX: usize = 200;
/// What a server has of the environment: programs' and files' places, the language.
const ENVIRONMENT: &str = "PATH HOME USER LOGNAME SHELL LANG LC_ALL TZ TMPDIR TEMP TMP APPDATA LOCALAPPDATA USERPROFILE SYSTEMROOT PATHEXT";

/// A server whose tools are mounted: `NAME=COMMAND`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// The category of its tools, and what their names begin with.
    pub name: String,
    pub command: String,
}

impl Mount {
    pub fn parse(text: &str) -> Result<Mount, String> {
        let (name, command) = text.split_once('=').unwrap_or((text, ""));
        let (name, command) = (name.trim().to_owned(), command.trim().to_owned());
        let is_letter =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if !(1..=20).contains(&name.len()) || !name.chars().all(is_letter) || command.is_empty() {
            return Err("a name and a command are wanted, such as weather=\"npx -y some-weather-server\"; a name has small letters, \
                        digits and _"
                .to_owned());
        }
        match Category::named(&name) {
            Some(category) => Err(format!(
                "{} is a category of Rollbook's own. Take another name",
                category.as_str()
            )),
            None => Ok(Mount { name, command }),
        }
    }

    pub async fn start(&self, tools: &mut Registry) -> Result<Mounted, Failed> {
        let failed = |why: &str, last: &str| {
            let (why, command) = (
                printable(why.trim_end_matches('.')),
                printable(&self.command),
            );
            format!(
                "--with {}: {why}. See that `{command}` is a server of the protocol over standard input and output.{last}",
                self.name
            )
        };
        let server = shell(&self.command)
            .spawn()
            .map_err(|error| failed(&format!("it does not start: {error}"), ""))?;
        let mut mounted = Mounted::new(server);
        let started = async {
            let ends = mounted
                .server
                .stdout
                .take()
                .zip(mounted.server.stdin.take());
            let (read, write) = ends.ok_or_else(|| "it has no input or output".to_owned())?;
            register(&self.name, Client::connect(read, write).await?, tools).await
        };
        let started = tokio::time::timeout(START, started).await;
        match started
            .unwrap_or_else(|_| Err(format!("it did not answer within {} s", START.as_secs())))
        {
            Ok(left_out) => {
                for why in left_out {
                    tracing::warn!("--with {}: a tool is left out: {why}", self.name);
                }
                Ok(mounted)
            }
            Err(why) => Err(failed(&why, &mounted.last_lines().await)),
        }
    }
}

/// A server that was started; dropped, it ends with all that it started itself.
#[derive(Debug)]
pub struct Mounted {
    server: Child,
    group: Option<u32>, // Its process group, which has its own number
    errors: Arc<Mutex<Vec<u8>>>,
    read: JoinHandle<()>,
}

impl Mounted {
    fn new(mut server: Child) -> Mounted {
        let (stderr, group) = (server.stderr.take(), server.id());
        let errors: Arc<Mutex<Vec<u8>>> = Arc::default();
        let kept = errors.clone();
        let read = tokio::spawn(async move {
            let (Some(mut stderr), mut bytes) = (stderr, [0; 1024]) else {
                return;
            };
            while let Ok(read @ 1..) = stderr.read(&mut bytes).await {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(bytes.get(..read).unwrap_or_default());
                let before = kept.len().saturating_sub(ERRORS_MAX);
                kept.drain(..before);
            }
        });
        Mounted {
            server,
            group,
            errors,
            read,
        }
    }

    /// How a server ended that did not start, and its last lines on standard error.
    async fn last_lines(mut self) -> String {
        let status = match tokio::time::timeout(END, self.server.wait()).await {
            Ok(Ok(status)) => format!(" It ended with {status}."),
            Ok(Err(_)) | Err(_) => String::new(),
        };
        self.end();
        // Others that it started may hold it open: what came until now is shown.
        let _ = tokio::time::timeout(END, &mut self.read).await;
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&errors);
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let last = lines.iter().skip(lines.len().saturating_sub(LINES));
        let last: Vec<String> = last
            .map(|line| printable(&shortened(line, LINE_MAX)))
            .collect();
        match last.is_empty() {
            true => status,
            false => format!(
                "{status} Its last lines on standard error: {}",
                last.join(" | ")
            ),
        }
    }

    fn end(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self
            .group
            .take()
            .and_then(|id| rustix::process::Pid::from_raw(i32::try_from(id).ok()?))
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        #[cfg(not(unix))]
        let _ = self.group.take().map(|_| self.server.start_kill());
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.end();
    }
}

/// A command as the shell of this computer reads it.
fn shell(command: &str) -> Command {
    let (shell, flag) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let mut started = Command::new(shell);
    started
        .arg(flag)
        .arg(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // A group of its own, which is ended as a whole: a shell may start others.
    #[cfg(unix)]
    started.process_group(0);
    let environment = ENVIRONMENT
        .split(' ')
        .filter_map(|name| Some((name, std::env::var_os(name)?)));
    started.kill_on_drop(true).env_clear().envs(environment);
    started
}

const TOOLS_MAX: usize = 100;
const TEXT_MAX: usize = 2_000;

/// Characters of a tool's title and of its description, which every request to a model carries.
const TITLE_MAX: usize = 100;
const DESCRIPTION_MAX: usize = 2_000;
/// Bytes of the schema of a tool's arguments; a tool with more is left out.
const SCHEMA_MAX: usize = 20_000;

/// Registers a server's tools as `NAME_TOOL`, in the category of that name; answers a sentence for
/// each that was left out. Errors: it lists none, or too many.
async fn register(name: &str, client: Client, tools: &mut Registry) -> Result<Vec<String>, String> {
    let described = client.described(name).await.map_err(|error| match error {
        CallFailed::Broken(why) => format!("it lists no tools: {}", shown(&why)),
        CallFailed::Refused(_) => "it lists no tools".to_owned(),
    })?;
    if described.len() > TOOLS_MAX {
        return Err(format!(
            "it has {} tools; at most {TOOLS_MAX} are mounted",
            described.len()
        ));
    }
    let client = Arc::new(client);
    let mut left_out = Vec::new();
    for external in described {
        let registered = external.and_then(bounded).and_then(|external| {
            tools
                .register(entry(name, external, &client))
                .map_err(|error| match error {
                    CannotRegister::Taken {
                        name: tool,
                        category,
                    } if category == name => {
                        format!("the server lists {tool} twice, and the first is taken")
                    }
                    CannotRegister::Taken { .. }
                    | CannotRegister::Name(_)
                    | CannotRegister::Input(_) => error.to_string(),
                })
        });
        left_out.extend(registered.err().map(|why| shown(&why)));
    }
    Ok(left_out)
}

fn bounded(external: External) -> Result<External, String> {
    let bytes = serde_json::to_string(&external.input).map_or(0, |schema| schema.len());
    if bytes > SCHEMA_MAX {
        return Err(format!(
            "the schema of \"{}\" has {bytes} bytes; at most {SCHEMA_MAX} are taken",
            quoted(&external.name)
        ));
    }
    let title = shortened(&external.title, TITLE_MAX);
    let description = shortened(&external.description, DESCRIPTION_MAX);
    Ok(External {
        title,
        description,
        ..external
    })
}

/// An answer of a size that a model can read: of a larger one the beginning.
fn cut_down(mut answer: Map<String, Value>) -> Map<String, Value> {
    let whole = serde_json::to_string(&answer).unwrap_or_default();
    if whole.len() <= RESULT_MAX {
        return answer;
    }
    let summary = match answer.remove("summary") {
        Some(Value::String(summary)) if !summary.is_empty() => summary,
        _ => whole,
    };
    Map::from_iter([("summary".to_owned(), cut(summary).into())])
}

fn entry(server: &str, external: External, client: &Arc<Client>) -> ToolEntry {
    let (tool, client) = (external.name.clone(), client.clone());
    let about = External {
        name: format!("{server}_{}", external.name),
        ..external
    };
    let server = server.to_owned();
    ToolEntry::external(about, move |arguments| {
        let (server, tool, client) = (server.clone(), tool.clone(), client.clone());
        Box::pin(async move {
            let why = match client.ask(&tool, arguments).await {
                Ok(answer) => return Ok(cut_down(answer)),
                Err(CallFailed::Refused(answer)) => answer
                    .get("summary")
                    .and_then(|text| text.as_str())
                    .map(shown)
                    .unwrap_or_default(),
                Err(CallFailed::Broken(why)) => {
                    format!(
                        "{}. Go on without it, or start again to have {} back",
                        shown(&why),
                        quoted(&server)
                    )
                }
            };
            Err(Refusal::new(
                Code::ToolFailed,
                format!("{tool} of {server} failed: {why}."),
            )
            .into())
        })
    })
}

fn shown(text: &str) -> String {
    printable(&shortened(text.trim().trim_end_matches('.'), TEXT_MAX))
}

#[test]
fn a_mount_is_a_name_and_a_command() {
    let mount = Mount::parse("weather=npx -y a=b").unwrap();
    assert_eq!(
        (mount.name.as_str(), mount.command.as_str()),
        ("weather", "npx -y a=b")
    );
    for wrong in ["weather", "=x", "weather=", "We ather=x", "a-b=x"] {
        assert!(
            Mount::parse(wrong).unwrap_err().contains("weather=\"npx"),
            "{wrong}"
        );
    }
    assert!(
        Mount::parse("dice=x")
            .unwrap_err()
            .contains("Take another name")
    );
}
