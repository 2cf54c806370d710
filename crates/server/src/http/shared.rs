//! What the routes share.

use std::sync::Arc;

use crate::mcp::http::Endpoint;
use rollbook_table::session::Host;
use rollbook_table::tools::Registry;

/// The host, its tools, and the endpoint of the protocol.
#[derive(Clone)]
pub struct Shared {
    pub host: Arc<Host>,
    pub tools: Arc<Registry>,
    pub endpoint: Endpoint,
    /// Whether the server itself speaks TLS.
    pub is_tls: bool,
}
