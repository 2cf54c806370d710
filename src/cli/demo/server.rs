//! The server as a child process, and a client connected to it.

use std::process::Stdio;

use serde_json::{Map, Value};
use tokio::process::{Child, Command};

use super::workspace::Workspace;
use crate::cli::output::Failed;
use rollbook_server::mcp::{CallFailed, Client};

/// A running server.
pub struct Server {
    child: Child,
    client: Client,
}

impl Server {
    /// Starts `rollbook serve` and says hello.
    pub async fn start(workspace: &Workspace) -> Result<Server, Failed> {
        let mut child = Command::new(&workspace.program)
            .args(["serve", "--detail", "full"])
            .arg("--adventure")
            .arg(&workspace.adventure)
            .arg("--db")
            .arg(&workspace.database)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("the server did not start: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the server has no standard input and output".to_owned());
        };
        let client = Client::connect(output, input).await?;
        Ok(Server { child, client })
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id().unwrap_or(0)
    }

    /// Its name and version, as it says them.
    pub fn name(&self) -> String {
        self.client.server().unwrap_or_default()
    }

    /// Calls a tool; a refusal is a failure of the demo.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<Map<String, Value>, Failed> {
        self.client.call(tool, arguments.clone()).await.map_err(|failed| match failed {
            CallFailed::Refused(refusal) => {
                format!(
                    "{tool} {arguments} was refused: {}",
                    refusal.get("summary").and_then(Value::as_str).unwrap_or_default()
                )
            }
            CallFailed::Broken(reason) => format!("{tool} {arguments}: {reason}"),
        })
    }

    /// Kills it without a goodbye; answers its process id.
    pub async fn kill(mut self) -> Result<u32, Failed> {
        let pid = self.pid();
        self.child.kill().await.map_err(|error| format!("the server could not be killed: {error}"))?;
        self.client.close().await;
        Ok(pid)
    }

    /// Closes its input and waits for it to end well.
    pub async fn close(mut self) -> Result<(), Failed> {
        self.client.close().await;
        let ended = self.child.wait().await.map_err(|error| error.to_string())?;
        if ended.success() { Ok(()) } else { Err(format!("the server ended with {ended}")) }
    }
}

/// A text in a reply; empty where there is none.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A number in a reply; 0 where there is none.
pub(super) fn number(reply: &Map<String, Value>, name: &str) -> u64 {
    reply.get(name).and_then(Value::as_u64).unwrap_or(0)
}
