//! What every request passes before anything else sees it: Host and Origin, key, size, rate.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_core::Stream as _;
use serde::Deserialize;
use tokio::sync::{Semaphore, watch};

use super::origin::Names;
use super::rate::{Asks, Limits, Rate, Who};
use super::refused::TurnedAway;
use super::streams;
use rollbook_table::session::{Host, Seat};

/// Bytes of a request's head.
pub const HEAD_MAX: usize = 32 * 1024;
/// Bytes of a request's body.
pub const BODY_MAX: usize = 1024 * 1024;
/// How long a body may take to come.
const BODY_LIMIT: Duration = Duration::from_secs(10);
/// Bytes of bodies that are being read, of all requests together. Only what has come counts, so a
/// slow sender takes no place.
const BODIES_MAX: usize = 256 * BODY_MAX;
/// Headers that say who asks and what for.
const ONCE: [HeaderName; 4] = [
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    HeaderName::from_static("mcp-protocol-version"),
    HeaderName::from_static("mcp-session-id"),
];
/// Paths that need no key: how the server is, and where keys come from.
const OPEN: [&str; 2] = ["/healthz", "/readyz"];
/// Where clients look for who gives out keys (RFC 9728); the path of what is protected may follow.
pub const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource";

/// What the gate knows.
pub struct Gate {
    host: Arc<Host>,
    names: Names,
    limits: Limits,
    bodies: Semaphore,
    is_tls: bool,
    /// Requests that are not answered to the end, but for streams that only listen.
    running: watch::Sender<usize>,
}

impl Gate {
    pub fn new(host: &Arc<Host>, names: Names, rate: Rate, is_tls: bool) -> Gate {
        Gate {
            host: host.clone(),
            names,
            limits: Limits::new(rate),
            bodies: Semaphore::new(BODIES_MAX),
            is_tls,
            running: watch::Sender::new(0),
        }
    }

    /// Waits until every request is answered, no longer than that.
    pub async fn drain(&self, limit: Duration) {
        let mut running = self.running.subscribe();
        let _ = tokio::time::timeout(limit, running.wait_for(|running| *running == 0)).await;
    }

    async fn checked(&self, from: SocketAddr, request: Request) -> Result<Request, TurnedAway> {
        let (mut parts, body) = request.into_parts();
        if let Some(name) = ONCE
            .iter()
            .find(|name| parts.headers.get_all(*name).iter().count() > 1)
        {
            let summary = format!("There are two headers {name}, and one can hold. Send one.");
            return Err(TurnedAway::new(StatusCode::BAD_REQUEST, "header", summary));
        }
        let path = parts.uri.path().to_owned();
        if OPEN.contains(&path.as_str()) || path.starts_with(RESOURCE_METADATA) {
            return Ok(Request::from_parts(parts, Body::empty()));
        }
        let seat = self.seat(&parts.headers, from).await?;
        let who = seat
            .as_ref()
            .map_or_else(|| Who::at(from.ip()), |seat| Who::Key(seat.key.clone()));
        let is_player = seat.as_ref().is_some_and(|seat| seat.is_player());
        if let Some(seat) = seat {
            parts.extensions.insert(seat);
        }
        if path == "/metrics" {
            let summary = "Only the GM's seat sees how the server does.";
            let refused = || TurnedAway::new(StatusCode::FORBIDDEN, "seat", summary);
            return if is_player {
                Err(refused())
            } else {
                Ok(Request::from_parts(parts, Body::empty()))
            };
        }
        if parts.method != Method::POST {
            self.limits.pass(&who, Asks::Other).map_err(too_fast)?;
            return Ok(Request::from_parts(parts, Body::empty()));
        }
        let body = self.read(body).await?;
        let asks = if path.starts_with("/api/") || is_call(&body) {
            Asks::Call
        } else {
            Asks::Other
        };
        self.limits.pass(&who, asks).map_err(too_fast)?;
        Ok(Request::from_parts(parts, Body::from(body)))
    }

    /// The seat whose key the request carries; nobody's where there are no keys.
    async fn seat(
        &self,
        headers: &HeaderMap,
        from: SocketAddr,
    ) -> Result<Option<Arc<Seat>>, TurnedAway> {
        let unreadable = |why: String| {
            tracing::error!("the keys cannot be read: {why}");
            let summary = "The keys cannot be read; the server's log says why. Send the same request again later.";
            TurnedAway::new(StatusCode::SERVICE_UNAVAILABLE, "keys", summary)
                .come_back_in(Duration::from_secs(5))
        };
        let Some(key) = bearer(headers) else {
            if headers.contains_key(header::AUTHORIZATION)
                || self.host.keyring.has_any().await.map_err(unreadable)?
            {
                let summary = "This server needs a key. Send it as a header: Authorization: Bearer KEY. The server's operator makes one \
                               with `rollbook key new`.";
                return Err(self.unauthorized("no_key", summary, headers));
            }
            return Ok(None);
        };
        if let Some(seat) = self.host.keyring.seat(key).await.map_err(unreadable)? {
            return Ok(Some(seat));
        }
        self.limits
            .pass(&Who::at(from.ip()), Asks::Guess)
            .map_err(too_fast)?;
        let summary = "That key opens nothing: it is none, expired or was revoked. Ask the server's operator for a new one.";
        Err(self.unauthorized("bad_key", summary, headers))
    }

    /// 401, with where keys come from.
    fn unauthorized(&self, code: &'static str, summary: &str, headers: &HeaderMap) -> TurnedAway {
        let metadata = format!(
            "{}{RESOURCE_METADATA}/mcp",
            own_address(headers, self.is_tls)
        );
        let challenge = HeaderValue::try_from(format!("Bearer resource_metadata=\"{metadata}\""));
        TurnedAway {
            challenge: challenge.ok(),
            ..TurnedAway::new(StatusCode::UNAUTHORIZED, code, summary)
        }
    }

    async fn read(&self, body: Body) -> Result<Bytes, TurnedAway> {
        tokio::time::timeout(BODY_LIMIT, self.collected(body))
            .await
            .unwrap_or_else(|_| {
                let summary = format!(
                    "The body did not come within {} seconds. Send it again.",
                    BODY_LIMIT.as_secs()
                );
                Err(TurnedAway::new(
                    StatusCode::REQUEST_TIMEOUT,
                    "body",
                    summary,
                ))
            })
    }

    async fn collected(&self, body: Body) -> Result<Bytes, TurnedAway> {
        let mut stream = pin!(body.into_data_stream());
        let (mut whole, mut places) = (BytesMut::new(), Vec::new());
        while let Some(part) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
            let part = part.map_err(|_| {
                let summary = "The body broke off, or is not sent as its head says. Send it again.";
                TurnedAway::new(StatusCode::BAD_REQUEST, "body", summary)
            })?;
            if whole.len() + part.len() > BODY_MAX {
                let summary =
                    format!("The body is longer than {BODY_MAX} bytes. Send less in one call.");
                return Err(TurnedAway::new(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "body",
                    summary,
                ));
            }
            let place = u32::try_from(part.len())
                .ok()
                .and_then(|length| self.bodies.try_acquire_many(length).ok());
            places.push(place.ok_or_else(|| {
                let summary = "Too much is being sent at the same time. Send it again in a second.";
                let busy = TurnedAway::new(StatusCode::SERVICE_UNAVAILABLE, "busy", summary);
                busy.come_back_in(Duration::from_secs(1))
            })?);
            whole.extend_from_slice(&part);
        }
        Ok(whole.freeze())
    }
}

fn too_fast(after: Duration) -> TurnedAway {
    let wait = after.as_millis() + 1;
    let summary =
        format!("That was too soon after the last. Send it again in {wait} milliseconds.");
    TurnedAway::new(StatusCode::TOO_MANY_REQUESTS, "rate", summary).come_back_in(after)
}

/// The bytes of a request's head as it was sent, line ends and the version included. hyper's own
/// limit is that of a buffer, which takes some more.
fn head_bytes(request: &Request) -> usize {
    let uri = request.uri();
    let authority = uri
        .authority()
        .map_or(0, |authority| authority.as_str().len() + "http://".len());
    let path = uri.path_and_query().map_or(0, |path| path.as_str().len());
    let first = request.method().as_str().len() + authority + path + "  HTTP/1.1\r\n".len();
    let lines = request
        .headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    first + lines.sum::<usize>() + "\r\n".len()
}

/// The key of `Authorization: Bearer KEY`.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = headers
        .get(header::AUTHORIZATION)?
        .to_str()
        .ok()?
        .split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

/// Whether a message of the protocol asks for work: a call, or a reading that looks at a campaign.
fn is_call(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow, default)]
        method: std::borrow::Cow<'a, str>,
    }
    let message: Option<Message> = serde_json::from_slice(body).ok();
    message.is_none_or(|message| {
        matches!(
            &*message.method,
            "tools/call" | "resources/read" | "prompts/get"
        )
    })
}

/// One request that is not answered yet.
struct Running(Arc<Gate>);

impl Running {
    fn begin(gate: Arc<Gate>) -> Running {
        gate.running.send_modify(|count| *count += 1);
        Running(gate)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.send_modify(|count| *count -= 1);
    }
}

/// Lets a request pass, or turns it away.
pub async fn pass(
    State(gate): State<Arc<Gate>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let running = Running::begin(gate.clone());
    let is_call = request.method() == Method::POST;
    if head_bytes(&request) > HEAD_MAX {
        let summary = format!(
            "The head is longer than {HEAD_MAX} bytes. Send less in the address and the headers."
        );
        let refused = TurnedAway::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head", summary);
        return turned_away(&gate, refused);
    }
    let origin = match gate.names.check(request.uri(), request.headers()) {
        Ok(origin) => origin,
        Err(refused) => return turned_away(&gate, refused),
    };
    if let (Some(origin), &Method::OPTIONS) = (&origin, request.method()) {
        return preflight(origin.clone());
    }
    let mut response = match gate.checked(from, request).await {
        Ok(request) => {
            let seat = request.extensions().get::<Arc<Seat>>().cloned();
            let response = next.run(request).await;
            let response = match seat {
                Some(seat) => streams::ending_with_key(response, gate.host.clone(), seat),
                None => response,
            };
            // The answer to a call may come as a stream.
            if is_call {
                streams::holding(response, running)
            } else {
                response
            }
        }
        Err(refused) => turned_away(&gate, refused),
    };
    if let Some(origin) = origin {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("mcp-session-id"),
        );
        headers.append(header::VARY, HeaderValue::from_static("origin"));
    }
    response
}

fn turned_away(gate: &Gate, refused: TurnedAway) -> Response {
    gate.host.meter.turned_away(refused.code);
    tracing::info!(
        status = refused.status.as_u16(),
        code = refused.code,
        "a request was turned away"
    );
    refused.into_response()
}

/// The server's address as the caller knows it: by a proxy's word with TLS, where there is one.
pub fn own_address(headers: &HeaderMap, is_tls: bool) -> String {
    let text = |name: &str| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    };
    let is_tls = is_tls || text("x-forwarded-proto").eq_ignore_ascii_case("https");
    let host = text("host").replace(
        |c: char| !c.is_ascii_alphanumeric() && !".-_:[]".contains(c),
        "",
    );
    format!("{}://{host}", if is_tls { "https" } else { "http" })
}

/// What a browser asks before a page of elsewhere may send a request.
fn preflight(origin: HeaderValue) -> Response {
    let allowed = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, origin),
        (
            header::ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static("GET, POST, DELETE"),
        ),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static(
                "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
            ),
        ),
        (
            header::ACCESS_CONTROL_MAX_AGE,
            HeaderValue::from_static("600"),
        ),
        (header::VARY, HeaderValue::from_static("origin")),
    ];
    (StatusCode::NO_CONTENT, allowed).into_response()
}
