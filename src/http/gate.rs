//! What every request passes before anything else sees it: Host and Origin, size, rate.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::Deserialize;
use tokio::sync::{Semaphore, watch};

use super::origin::Names;
use super::rate::{Asks, Limits, Rate, Who};
use super::refused::TurnedAway;
use crate::session::Host;

/// Bytes of a request's body.
pub const BODY_MAX: usize = 1024 * 1024;
/// How long a body may take to come.
const BODY_LIMIT: Duration = Duration::from_secs(10);
/// Bodies that are read at the same time.
const BODIES: usize = 256;
/// Paths that whoever watches over the server asks for.
const WATCHED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// What the gate knows.
pub struct Gate {
    host: Arc<Host>,
    names: Names,
    limits: Limits,
    bodies: Semaphore,
    /// Requests that are not answered yet, but for streams.
    running: watch::Sender<usize>,
}

impl Gate {
    pub fn new(host: &Arc<Host>, names: Names, rate: Rate) -> Gate {
        Gate {
            host: host.clone(),
            names,
            limits: Limits::new(rate),
            bodies: Semaphore::new(BODIES),
            running: watch::Sender::new(0),
        }
    }

    /// Waits until every request is answered, no longer than that.
    pub async fn drain(&self, limit: Duration) {
        let mut running = self.running.subscribe();
        let _ = tokio::time::timeout(limit, running.wait_for(|running| *running == 0)).await;
    }

    async fn checked(&self, from: SocketAddr, request: Request) -> Result<Request, TurnedAway> {
        let who = Who::at(from.ip());
        let (parts, body) = request.into_parts();
        let path = parts.uri.path();
        if WATCHED.contains(&path) {
            return Ok(Request::from_parts(parts, Body::empty()));
        }
        let too_fast = |after: Duration| {
            let summary =
                format!("That was too soon after the last. Send it again in {} milliseconds.", after.as_millis() + 1);
            TurnedAway::new(StatusCode::TOO_MANY_REQUESTS, "rate", summary).come_back_in(after)
        };
        if parts.method != Method::POST {
            self.limits.pass(&who, Asks::Other).map_err(too_fast)?;
            return Ok(Request::from_parts(parts, Body::empty()));
        }
        let body = self.read(body).await?;
        let asks = if path.starts_with("/api/") || is_call(&body) { Asks::Call } else { Asks::Other };
        self.limits.pass(&who, asks).map_err(too_fast)?;
        Ok(Request::from_parts(parts, Body::from(body)))
    }

    async fn read(&self, body: Body) -> Result<Bytes, TurnedAway> {
        let reading = async {
            let _place = self.bodies.acquire().await;
            to_bytes(body, BODY_MAX).await
        };
        match tokio::time::timeout(BODY_LIMIT, reading).await {
            Ok(Ok(body)) => Ok(body),
            Ok(Err(_)) => {
                let summary = format!("The body is longer than {BODY_MAX} bytes, or broke off. Send less in one call.");
                Err(TurnedAway::new(StatusCode::PAYLOAD_TOO_LARGE, "body", summary))
            }
            Err(_) => {
                let summary = format!("The body did not come within {} seconds. Send it again.", BODY_LIMIT.as_secs());
                Err(TurnedAway::new(StatusCode::REQUEST_TIMEOUT, "body", summary))
            }
        }
    }
}

/// Whether a message of the protocol asks for work: a call, or a reading that looks at a campaign.
fn is_call(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow, default)]
        method: std::borrow::Cow<'a, str>,
    }
    let message: Option<Message> = serde_json::from_slice(body).ok();
    message.is_none_or(|message| matches!(&*message.method, "tools/call" | "resources/read" | "prompts/get"))
}

/// One request that is not answered yet.
struct Running<'a>(&'a watch::Sender<usize>);

impl<'a> Running<'a> {
    fn begin(count: &'a watch::Sender<usize>) -> Running<'a> {
        count.send_modify(|count| *count += 1);
        Running(count)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

/// Lets a request pass, or turns it away.
pub async fn pass(
    State(gate): State<Arc<Gate>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let _running = Running::begin(&gate.running);
    let origin = match gate.names.check(request.uri(), request.headers()) {
        Ok(origin) => origin,
        Err(refused) => return turned_away(&gate, refused),
    };
    if let (Some(origin), &Method::OPTIONS) = (&origin, request.method()) {
        return preflight(origin.clone());
    }
    let mut response = match gate.checked(from, request).await {
        Ok(request) => next.run(request).await,
        Err(refused) => turned_away(&gate, refused),
    };
    if let Some(origin) = origin {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("mcp-session-id"));
        headers.append(header::VARY, HeaderValue::from_static("origin"));
    }
    response
}

fn turned_away(gate: &Gate, refused: TurnedAway) -> Response {
    gate.host.meter.turned_away(refused.code);
    tracing::info!(status = refused.status.as_u16(), code = refused.code, "a request was turned away");
    refused.into_response()
}

/// What a browser asks before a page of elsewhere may send a request.
fn preflight(origin: HeaderValue) -> Response {
    let allowed = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, origin),
        (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE")),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static(
                "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
            ),
        ),
        (header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600")),
        (header::VARY, HeaderValue::from_static("origin")),
    ];
    (StatusCode::NO_CONTENT, allowed).into_response()
}
