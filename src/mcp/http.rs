//! The protocol over HTTP (Streamable HTTP), by rmcp: both eras, one endpoint.
//!
//! Clients that begin with `initialize` get a session, whose answers come as streams; those of 2026-07-28 have none, and get plain
//! JSON. Who calls is known by each request alone: a session answers only to whom it was opened for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use futures_core::Stream;
use rmcp::model::{ClientJsonRpcMessage, ProtocolVersion, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, LocalSessionManagerError};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};

use super::Server;
use crate::session::Host;
use crate::tools::Registry;

/// Sessions of the protocol that are open at the same time.
pub const SESSIONS_MAX: usize = 10_000;
/// How long a session lives that is not used.
const IDLE: Duration = Duration::from_secs(300);

#[cfg(not(feature = "conformance"))]
type Served = Server;
#[cfg(feature = "conformance")]
type Served = super::conformance::Fixtures;

fn served(server: Server) -> Served {
    #[cfg(feature = "conformance")]
    let server = super::conformance::Fixtures(server);
    server
}

tokio::task_local! {
    /// Whom the request comes from.
    static OWNER: Owner;
}

/// Whom a session belongs to: the id of a key, or nobody where there are no keys.
pub type Owner = Option<Arc<str>>;

/// The endpoint; clones share it.
#[derive(Clone)]
pub struct Endpoint {
    service: StreamableHttpService<Served, Sessions>,
    sessions: Arc<Sessions>,
}

impl Endpoint {
    /// An endpoint for that host with these tools; bodies longer than that are refused.
    pub fn new(host: &Arc<Host>, tools: &Arc<Registry>, body_max: usize) -> Endpoint {
        let sessions = Arc::new(Sessions::new(host.clone()));
        // Host and Origin are looked at before a request comes here, for all addresses alike.
        let config = StreamableHttpServerConfig::default()
            .with_json_response(true)
            .with_max_request_body_bytes(body_max)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        // It is asked for a server for each session, and for each call without one.
        let server = Server::new(host.clone(), tools.clone());
        let factory = move || Ok(served(server.for_another()));
        let service = StreamableHttpService::new(factory, sessions.clone(), config);
        Endpoint { service, sessions }
    }

    /// Answers a request of that owner.
    pub async fn answer(self, owner: Owner, request: Request) -> Response {
        let is_end = request.method() == Method::DELETE;
        let request = match without_initialize(request).await {
            Ok(request) => request,
            Err(refused) => return refused,
        };
        let mut response = OWNER.scope(owner, async move { self.service.handle(request).await.map(Body::new) }).await;
        if is_end && response.status() == StatusCode::ACCEPTED {
            // The session is gone. Clients take 202 for a failure here (the Python SDK warns of it).
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        if is_end && response.status() == StatusCode::INTERNAL_SERVER_ERROR {
            // It is not there, or it is somebody else's.
            return StatusCode::NOT_FOUND.into_response();
        }
        response
    }

    /// Whether one session more would be too many.
    pub fn is_full(&self) -> bool {
        self.sessions.count() >= SESSIONS_MAX
    }

    /// Ends every stream and session.
    pub fn end(&self) {
        self.service.config.cancellation_token.cancel();
    }
}

/// Refuses `initialize` of a client of 2026-07-28, where there is no such method. rmcp would take it for one of the older protocols
/// whose parameters are missing.
async fn without_initialize(request: Request) -> Result<Request, Response> {
    if !is_headed(request.headers(), "mcp-protocol-version", ProtocolVersion::V_2026_07_28.as_str())
        || !is_headed(request.headers(), "mcp-method", "initialize")
    {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let is_older = message.pointer("/params/protocolVersion").is_some();
    if is_older || message.get("method").is_none_or(|method| method != "initialize") {
        return Ok(Request::from_parts(parts, Body::from(body)));
    }
    let text = "initialize is no method of 2026-07-28. Send the request itself, or server/discover.";
    let error = json!({"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": -32601, "message": text}});
    Err((StatusCode::NOT_FOUND, Json(error)).into_response())
}

fn is_headed(headers: &HeaderMap, name: &str, value: &str) -> bool {
    headers.get(name).is_some_and(|own| own == value)
}

/// rmcp's sessions, with an owner each and a limit to their number.
struct Sessions {
    inner: LocalSessionManager,
    owners: Mutex<HashMap<SessionId, Owner>>,
    host: Arc<Host>,
}

impl Sessions {
    fn new(host: Arc<Host>) -> Sessions {
        let mut inner = LocalSessionManager::default();
        inner.session_config.keep_alive = Some(IDLE);
        Sessions { inner, owners: Mutex::default(), host }
    }

    fn owners(&self) -> MutexGuard<'_, HashMap<SessionId, Owner>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self) -> usize {
        self.owners().len()
    }

    /// Refuses a session of somebody else as one that is not there. rmcp's own tasks, which end sessions, are nobody's request.
    fn check(&self, id: &SessionId) -> Result<(), LocalSessionManagerError> {
        let is_own = |owner: &Owner| self.owners().get(id).is_some_and(|own| own == owner);
        match OWNER.try_with(is_own) {
            Ok(false) => Err(LocalSessionManagerError::SessionNotFound(id.clone())),
            Ok(true) | Err(_) => Ok(()),
        }
    }

    fn told(&self, count: usize) {
        self.host.meter.sessions.set(i64::try_from(count).unwrap_or(i64::MAX));
    }
}

/// Why a session was not served.
#[derive(Debug, thiserror::Error)]
pub enum SessionFailed {
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
    #[error("{SESSIONS_MAX} sessions are open already")]
    Full,
}

type Local = LocalSessionManager;

impl SessionManager for Sessions {
    type Error = SessionFailed;
    type Transport = <Local as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), SessionFailed> {
        if self.count() >= SESSIONS_MAX {
            return Err(SessionFailed::Full);
        }
        let (id, transport) = self.inner.create_session().await?;
        let owner = OWNER.try_with(Owner::clone).unwrap_or_default();
        let mut owners = self.owners();
        owners.insert(id.clone(), owner);
        self.told(owners.len());
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, SessionFailed> {
        self.check(id)?;
        Ok(self.inner.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, SessionFailed> {
        Ok(self.check(id).is_ok() && self.inner.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), SessionFailed> {
        self.check(id)?;
        {
            let mut owners = self.owners();
            owners.remove(id);
            self.told(owners.len());
        }
        Ok(self.inner.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionFailed> {
        self.check(id)?;
        Ok(self.inner.create_stream(id, message).await?)
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), SessionFailed> {
        self.check(id)?;
        Ok(self.inner.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionFailed> {
        self.check(id)?;
        Ok(self.inner.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionFailed> {
        self.check(id)?;
        Ok(self.inner.resume(id, last_event_id).await?)
    }
}
