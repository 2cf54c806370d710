//! The protocol over HTTP (Streamable HTTP), by rmcp: both eras, one endpoint.
//!
//! Clients that begin with `initialize` get a session, whose answers come as streams; those of
//! 2026-07-28 have none, and get plain JSON. Who calls is known by each request alone: a session
//! answers only to whom it was opened for.

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use rmcp::ServerHandler;
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};

use super::Server;
use super::message::{Bad, message_of, object_of};
use super::sessions::{Asker, Sessions};
use rollbook_table::session::Host;
use rollbook_table::tools::Registry;

/// The endpoint; clones share it.
#[derive(Clone)]
pub struct Endpoint<S = Server> {
    service: StreamableHttpService<S, Sessions>,
    sessions: Arc<Sessions>,
}

impl Endpoint {
    /// An endpoint for that host with these tools; bodies longer than that are refused.
    pub fn new(host: &Arc<Host>, tools: &Arc<Registry>, body_max: usize) -> Endpoint {
        let server = Server::new(host.clone(), tools.clone());
        Endpoint::with_handler(host, body_max, move || server.for_another())
    }
}

impl<S: ServerHandler> Endpoint<S> {
    /// The same with another handler, which is made anew for each session, and for each call
    /// without one.
    pub fn with_handler(
        host: &Arc<Host>,
        body_max: usize,
        handler: impl Fn() -> S + Send + Sync + 'static,
    ) -> Endpoint<S> {
        let sessions = Arc::new(Sessions::new(host.clone()));
        // Host and Origin are looked at before a request comes here, for all addresses alike.
        let mut config = StreamableHttpServerConfig::default()
            .with_json_response(true)
            .with_max_request_body_bytes(body_max)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        config.session_store = Some(sessions.clone());
        let service = StreamableHttpService::new(move || Ok(handler()), sessions.clone(), config);
        Endpoint { service, sessions }
    }

    /// Answers a request of the key with that id; `None` where there are no keys.
    pub async fn answer(self, key: Option<Arc<str>>, request: Request) -> Response {
        let asker = Asker::of(key, request.headers());
        let (is_end, is_json) = (
            request.method() == Method::DELETE,
            is_json(request.headers()),
        );
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        let request = Request::from_parts(parts, Body::from(body.clone()));
        let request = match without_initialize(request).await {
            Ok(request) => request,
            Err(refused) => return refused,
        };
        let mut response = asker
            .scope(async move { self.service.handle(request).await.map(Body::new) })
            .await;
        if is_json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
            // It is JSON by its head, and no message.
            return (StatusCode::BAD_REQUEST, Json(bad(&body).answer())).into_response();
        }
        if is_end && response.status() == StatusCode::ACCEPTED {
            // The session is gone. Clients take 202 for a failure here (the Python SDK warns of
            // it).
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        if is_end && response.status() == StatusCode::INTERNAL_SERVER_ERROR {
            // It is not there, or it is another's.
            return StatusCode::NOT_FOUND.into_response();
        }
        response
    }

    /// Whether a request begins a session, and one more would be too many.
    pub fn is_too_many(&self, request: &Request) -> bool {
        let headers = request.headers();
        let has_session = headers.contains_key("mcp-session-id")
            || is_headed(headers, VERSION, SESSIONLESS.as_str());
        !has_session && self.sessions.is_full()
    }

    /// Ends every stream and session.
    pub fn end(&self) {
        self.service.config.cancellation_token.cancel();
    }
}

/// What is wrong with a body that is no message.
fn bad(body: &[u8]) -> Bad {
    let message = object_of(body).and_then(message_of);
    message
        .err()
        .unwrap_or_else(|| Bad::new(Value::Null, -32600, "this is no JSON-RPC 2.0 message"))
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or_default();
    kind.split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .eq_ignore_ascii_case("application/json")
}

/// Refuses `initialize` of a client of 2026-07-28, where there is no such method. rmcp would take
/// it for one of the older protocols whose parameters are missing.
async fn without_initialize(request: Request) -> Result<Request, Response> {
    if !is_headed(request.headers(), VERSION, SESSIONLESS.as_str())
        || !is_headed(request.headers(), "mcp-method", "initialize")
    {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let is_older = message.pointer("/params/protocolVersion").is_some();
    if is_older
        || message
            .get("method")
            .is_none_or(|method| method != "initialize")
    {
        return Ok(Request::from_parts(parts, Body::from(body)));
    }
    let text =
        "initialize is no method of 2026-07-28. Send the request itself, or server/discover.";
    let error = json!({"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": -32601, "message": text}});
    Err((StatusCode::NOT_FOUND, Json(error)).into_response())
}

/// The header with the version of the protocol, and the version that has no sessions.
const VERSION: &str = "mcp-protocol-version";
const SESSIONLESS: ProtocolVersion = ProtocolVersion::V_2026_07_28;

fn is_headed(headers: &HeaderMap, name: &str, value: &str) -> bool {
    headers.get(name).is_some_and(|sent| sent == value)
}
