//! The Model Context Protocol: the only module that knows rmcp.
//!
//! Both eras work: clients that begin with `initialize` (2024-11-05 to 2025-11-25) and clients that do not
//! (2026-07-28, metadata on every request). No state hangs on a connection: campaigns are named by arguments.

pub mod client;
pub mod prompts;
pub mod resources;
pub mod server;
pub mod stdio;

use std::future::Future;
use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};

pub use client::{CallFailed, Client};
pub use server::Server;
pub use stdio::Stdio;

use crate::session::Host;

/// Serves standard input and output until the client leaves or `stop` comes, then closes the campaigns.
///
/// # Errors
/// One sentence when no client could be served.
pub async fn serve_stdio(host: Arc<Host>, stop: impl Future<Output = ()>) -> Result<(), String> {
    let (input, output) = rmcp::transport::stdio_pipes();
    serve(host, input, output, stop).await
}

/// Serves two ends, whatever they are.
///
/// # Errors
/// One sentence when no client could be served.
pub async fn serve<R, W>(host: Arc<Host>, input: R, output: W, stop: impl Future<Output = ()>) -> Result<(), String>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    tokio::pin!(stop);
    // The client may leave, or the person may press Ctrl-C, before anything began.
    let service = tokio::select! {
        service = Server::new(host.clone()).serve(Stdio::new(input, output)) => service,
        () = &mut stop => return Ok(()),
    };
    let ended = match service {
        Ok(service) => {
            let token = service.cancellation_token();
            let waiting = service.waiting();
            tokio::pin!(waiting);
            tokio::select! {
                ended = &mut waiting => ended.map(drop).map_err(|error| format!("the server stopped: {error}")),
                () = &mut stop => {
                    token.cancel();
                    Ok(())
                }
            }
        }
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(format!("no client could be served: {error}")),
    };
    host.close().await;
    ended
}
