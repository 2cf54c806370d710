//! The Model Context Protocol: the only module that knows rmcp.
//!
//! Both eras work: clients that begin with `initialize` (2024-11-05 to 2025-11-25) and clients that
//! do not (2026-07-28, metadata on every request). No state hangs on a connection: campaigns are
//! named by arguments.

mod about;
mod client;
mod completion;
mod elicit;
mod flow;
pub mod http;
mod listing;
mod message;
mod outbox;
mod prompts;
mod request_id;
mod resources;
pub mod server;
mod sessions;
mod stdio;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};

pub use client::{CallFailed, Client};
pub use server::Server;
pub use stdio::Stdio;

use rollbook_table::session::Host;
use rollbook_table::tools::Registry;

/// How long the last answers may take when the server ends.
const LAST_WORDS: Duration = Duration::from_secs(4);

/// Serves two ends, whatever they are, until the client leaves or `stop` comes, then closes the
/// campaigns. Errors: One sentence when no client could be served.
pub async fn serve<R, W>(
    host: Arc<Host>,
    tools: Arc<Registry>,
    input: R,
    output: W,
    stop: impl Future<Output = ()>,
) -> Result<(), String>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    tokio::pin!(stop);
    let transport = Stdio::new(input, output);
    let flow = transport.flow();
    // The client may leave, or the person may press Ctrl-C, before anything began.
    let service = tokio::select! {
        service = Server::new(host.clone(), tools).serve(transport) => service,
        () = &mut stop => return Ok(()),
    };
    let ended = match service {
        Ok(service) => {
            let token = service.cancellation_token();
            let waiting = service.waiting();
            tokio::pin!(waiting);
            let ended = tokio::select! {
                ended = &mut waiting => Some(ended),
                () = flow.given_up() => None,
                () = &mut stop => None,
            };
            let ended = match ended {
                Some(ended) => Some(ended),
                None => {
                    // Calls that wait are given up; those that were decided are finished and
                    // answered, if anybody reads it.
                    token.cancel();
                    tokio::time::timeout(LAST_WORDS, waiting).await.ok()
                }
            };
            ended.map_or(Ok(()), |ended| {
                ended
                    .map(drop)
                    .map_err(|error| format!("the server stopped: {error}"))
            })
        }
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(format!("no client could be served: {error}")),
    };
    host.close().await;
    ended
}
