//! `rollbook serve`: the MCP server.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed};
use crate::game::table::Chance;
use crate::mcp;
use crate::session::adventure::Adventure;
use crate::session::os::{self, OsChance};
use crate::session::{Host, ReplyDetail, paths};

/// Serve an adventure to an MCP client over standard input and output.
///
/// Ends when the client closes the input or ends itself, or at Ctrl-C. Nothing but the protocol is written to standard output.
#[derive(Debug, Args)]
pub struct Serve {
    /// The adventure's folder [default: $CLAUDE_PROJECT_DIR, else the current folder].
    #[arg(long, value_name = "DIR")]
    adventure: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseArg,
    /// The campaign of calls that name none; made at its first write [default: the adventure's folder name].
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    /// How much a reply says where the call does not say it; programs that read the dice want full.
    #[arg(long, value_enum, default_value_t, hide_possible_values = false)]
    detail: ReplyDetail,
}

impl Serve {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let adventure = Adventure::read(&paths::adventure(self.adventure.as_deref()))?;
        for problem in &adventure.problems {
            tracing::warn!("{}", problem.message);
        }
        let database = paths::database(self.database.db.as_deref())?;
        if let Some(why) = &database.fallback_reason {
            tracing::warn!("{why}");
        }
        let chance = || OsChance::new().map(|chance| Box::new(chance) as Box<dyn Chance>);
        let host = Host::new(adventure, database.file, self.campaign, Box::new(chance), os::now);
        let host = host.replying(self.detail).following_saves().preparing_database();
        mcp::serve_stdio(Arc::new(host), stop_signal()).await.map(|()| Done::Well)
    }
}

/// Ctrl-C; on Unix also the polite end, and the end of the client.
async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
                () = parent_ended() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Returns when the process that started this one and holds its input has ended. Its pipe may be open all the same: another
/// child of it may have inherited the other end. A named pipe or a file outlives who opened it, so there only its end counts.
#[cfg(unix)]
async fn parent_ended() {
    let parent = std::os::unix::process::parent_id();
    let input = std::fs::read_link("/proc/self/fd/0").unwrap_or_default();
    let input = input.to_string_lossy();
    if !input.starts_with("pipe:") && !input.starts_with("socket:") {
        std::future::pending::<()>().await;
    }
    while std::os::unix::process::parent_id() == parent {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
}
