//! `--with NAME=COMMAND`: starts a server of the protocol, whose tools are mounted.
//!
//! It is a process apart, with little of this one's environment: no key of a model, no password of a database.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, Command};

use crate::cli::output::Failed;
use crate::mcp::Client;
use crate::names::printable;
use crate::play::mounted;
use crate::tools::{Category, Registry};

/// How long a server may take to be there.
const START: Duration = Duration::from_secs(30);
/// What a server has of this program's environment: where programs and the person's own files are, and in which language.
const ENVIRONMENT: [&str; 16] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "APPDATA",
    "LOCALAPPDATA",
    "USERPROFILE",
    "SYSTEMROOT",
    "PATHEXT",
];

/// A server whose tools are mounted: `NAME=COMMAND`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// The category of its tools, and what their names begin with.
    pub name: String,
    /// As a shell reads it.
    pub command: String,
}

impl std::str::FromStr for Mount {
    type Err = String;

    fn from_str(text: &str) -> Result<Mount, String> {
        let (name, command) = text.split_once('=').unwrap_or((text, ""));
        let (name, command) = (name.trim(), command.trim());
        let is_name = !name.is_empty()
            && name.len() <= 20
            && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
        if !is_name || command.is_empty() {
            return Err("a name and a command are wanted, such as weather=\"npx -y some-weather-server\"; a name has small letters, \
                        digits and _"
                .to_owned());
        }
        match Category::named(name) {
            Some(own) => Err(format!("{} is a category of Rollbook's own. Take another name", own.as_str())),
            None => Ok(Mount { name: name.to_owned(), command: command.to_owned() }),
        }
    }
}

/// A server that was started; dropped, it ends.
#[derive(Debug)]
pub struct Mounted {
    _server: Child,
}

impl Mount {
    /// Starts the server and mounts its tools.
    pub async fn start(&self, tools: &mut Registry) -> Result<Mounted, Failed> {
        let started = async {
            let mut server = shell(&self.command).spawn().map_err(|error| format!("it does not start: {error}"))?;
            let ends = server.stdout.take().zip(server.stdin.take());
            let (read, write) = ends.ok_or_else(|| "it has no input or output".to_owned())?;
            mounted::mount(&self.name, Client::connect(read, write).await?, tools).await?;
            Ok(Mounted { _server: server })
        };
        let started = tokio::time::timeout(START, started).await;
        let started = started.unwrap_or_else(|_| Err(format!("it did not answer within {} s", START.as_secs())));
        started.map_err(|why: String| {
            let command = printable(&self.command);
            format!(
                "--with {}: {why}. See that `{command}` is a server of the protocol over standard input and output",
                self.name
            )
        })
    }
}

/// A command as the shell of this computer reads it.
fn shell(command: &str) -> Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut started = Command::new(shell);
    started
        .arg(flag)
        .arg(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    started.env_clear().envs(ENVIRONMENT.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))));
    started
}

#[cfg(test)]
mod tests {
    use super::Mount;

    #[test]
    fn a_mount_is_a_name_and_a_command() {
        let mount: Mount = "weather=npx -y a=b".parse().unwrap();
        assert_eq!((mount.name.as_str(), mount.command.as_str()), ("weather", "npx -y a=b"));
        for wrong in ["weather", "=x", "weather=", "We ather=x", "a-b=x"] {
            assert!(wrong.parse::<Mount>().unwrap_err().contains("weather=\"npx"), "{wrong}");
        }
        assert!("dice=x".parse::<Mount>().unwrap_err().contains("Take another name"));
    }
}
