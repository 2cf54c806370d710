//! The same server for many, over HTTP: `/mcp` for the protocol, `/api/roll`, `/api/roll_multiple`
//! and `/api/odds` for scripts, and for its operator how it is.
//!
//! A request comes through the gate ([`gate`]) before anything else sees it: its Host and Origin,
//! its size, its rate. Each module uses only what stands before it:
//!
//! 1. [`refused`]: a request that is turned away.
//! 2. [`origin`]: the names under which the server may be asked for, and pages that may ask.
//! 3. [`rate`]: how often.
//! 4. [`shared`]: what the routes share.
//! 5. [`streams`]: answers that stay open.
//! 6. [`gate`]: what every request passes.
//! 7. [`api`]: plain JSON.
//! 8. [`places`]: connections that may be open at the same time.

mod api;
mod gate;
mod origin;
mod places;
pub mod rate;
mod refused;
mod shared;
mod streams;

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use axum_server::Handle;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::TokioTimer;
use rustls::ServerConfig;
use serde_json::json;
use tokio::net::TcpSocket;

pub use self::gate::{BODY_MAX, HEAD_MAX};
use self::gate::{Gate, RESOURCE_METADATA};
use self::origin::Names;
use self::places::Places;
use self::rate::Rate;
use self::refused::TurnedAway;
use self::shared::Shared;
use crate::mcp::http::Endpoint;
use rollbook_table::session::{Host, Seat};
use rollbook_table::tools::Registry;
use rollbook_text::names::for_shell;

/// How long a connection may take to send the head of a request, or its first bytes.
const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// Connections that wait to be taken; one more has to knock again a second later.
const WAITING_MAX: u32 = 4096;
/// Lines of a request's head.
const HEADERS_MAX: usize = 64;
/// When the server ends: how long calls may take to be answered, …
const DRAIN: Duration = Duration::from_secs(5);
/// … how long connections may take to close, …
const CLOSING: Duration = Duration::from_secs(1);
/// … and how long the campaigns.
const LAST: Duration = Duration::from_secs(3);

/// How the server is reached.
pub struct Settings {
    pub address: SocketAddr,
    /// Further names under which it is reached.
    pub hosts: Vec<String>,
    /// Pages of elsewhere that may ask.
    pub origins: Vec<String>,
    pub rate: Rate,
    /// The files of a certificate and its key.
    pub tls: Option<(PathBuf, PathBuf)>,
}

/// Serves until `stop` comes: then no new connection is taken, calls that run are answered, streams
/// are ended, and the campaigns closed, within 10 seconds. `ready` learns the address once it is
/// bound. Errors: One sentence when the address cannot be bound, a certificate not read, or the
/// files be opened.
pub async fn serve(
    host: Arc<Host>,
    tools: Arc<Registry>,
    settings: Settings,
    ready: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> Result<(), String> {
    // Brings the database up to date, so that its keys can be read.
    if let Err(why) = host.is_ready().await {
        tracing::error!("not ready: {why}");
    }
    if !settings.address.ip().is_loopback() && !host.keyring.has_any().await? {
        return Err(format!(
            "anybody who reaches {} could read and change every campaign. Make a key first, with `rollbook key new --campaign NAME \
             --seat gm --db {}`, and every request needs one; or serve 127.0.0.1",
            settings.address,
            for_shell(&host.database.to_string())
        ));
    }
    let bound = listen(settings.address);
    let listener =
        bound.map_err(|error| format!("{} cannot be served: {error}", settings.address))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let tls = match &settings.tls {
        Some((certificate, key)) => Some(tls(certificate, key).await?),
        None => None,
    };
    let endpoint = Endpoint::new(&host, &tools, BODY_MAX);
    let gate = Arc::new(Gate::new(
        &host,
        Names::new(&settings.hosts, &settings.origins)?,
        settings.rate,
        tls.is_some(),
    ));
    let shared = Shared {
        host: host.clone(),
        tools,
        endpoint: endpoint.clone(),
        is_tls: tls.is_some(),
    };
    let app = routes(shared, gate.clone());
    let app = app.into_make_service_with_connect_info::<SocketAddr>();

    let handle = Handle::new();
    let mut server = axum_server::from_tcp(listener)
        .map_err(|error| error.to_string())?
        .handle(handle.clone())
        .first_request_timeout(HEAD_LIMIT)
        .http1_only();
    let http = server.http_builder();
    http.http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_LIMIT)
        .max_buf_size(HEAD_MAX)
        .max_headers(HEADERS_MAX);
    let server = server.map(Places::new);
    let serving = tokio::spawn(async move {
        match tls {
            Some(config) => {
                server
                    .map(|places| RustlsAcceptor::new(config).acceptor(places))
                    .serve(app)
                    .await
            }
            None => server.serve(app).await,
        }
    });
    ready(address);
    tokio::pin!(serving);
    let ended = tokio::select! {
        ended = &mut serving => ended.map_err(|error| error.to_string()).and_then(|served| served.map_err(|error| error.to_string())),
        () = stop => {
            handle.graceful_shutdown(Some(DRAIN + CLOSING));
            host.end_waits();
            gate.drain(DRAIN).await;
            endpoint.end();
            let _ = tokio::time::timeout(CLOSING, &mut serving).await;
            handle.shutdown();
            Ok(())
        }
    };
    if tokio::time::timeout(LAST, host.close()).await.is_err() {
        tracing::warn!("the campaigns were not closed in good order");
    }
    ended.map_err(|error| format!("the server stopped: {error}"))
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()
    } else {
        TcpSocket::new_v6()
    }?;
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING_MAX)?.into_std()
}

/// A certificate and its key, both PEM.
async fn tls(certificate: &PathBuf, key: &PathBuf) -> Result<RustlsConfig, String> {
    // Another part of the process may have chosen already; then that is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let read = RustlsConfig::from_pem_file(certificate, key)
        .await
        .map_err(|error| {
            format!(
                "--tls-cert {} and --tls-key {} cannot be used: {error}",
                certificate.display(),
                key.display()
            )
        })?;
    // No other version is served.
    let mut config = ServerConfig::clone(&read.get_inner());
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(RustlsConfig::from_config(Arc::new(config)))
}

fn routes(shared: Shared, gate: Arc<Gate>) -> Router {
    Router::new()
        .route("/mcp", any(protocol))
        .route("/mcp/", any(protocol))
        .route("/api/roll", post(api::roll))
        .route("/api/roll_multiple", post(api::roll_multiple))
        .route("/api/odds", post(api::odds))
        .route("/api/openapi.json", get(api::described))
        .route("/api", get(api::page))
        .route("/healthz", get(healthy))
        .route("/readyz", get(ready_to_serve))
        .route("/metrics", get(metrics))
        .route(RESOURCE_METADATA, get(resource_metadata))
        .route(&format!("{RESOURCE_METADATA}/mcp"), get(resource_metadata))
        .fallback(nowhere)
        .method_not_allowed_fallback(not_so)
        .layer(middleware::from_fn_with_state(gate, gate::pass))
        .with_state(shared)
}

async fn protocol(State(shared): State<Shared>, request: Request) -> Response {
    let seat: Option<Arc<Seat>> = request.extensions().get().cloned();
    if shared.endpoint.is_too_many(&request) {
        let summary = "As many sessions are open as there may be. Come back later, or ask without a session (2026-07-28).";
        let full = TurnedAway::new(StatusCode::SERVICE_UNAVAILABLE, "sessions", summary);
        return full.come_back_in(Duration::from_secs(30)).into_response();
    }
    let key = seat.map(|seat| Arc::from(seat.key.as_str()));
    refused::as_json(shared.endpoint.answer(key, request).await).await
}

/// Where keys come from (RFC 9728). No authorization server is named: the operator makes the keys.
async fn resource_metadata(State(shared): State<Shared>, headers: HeaderMap) -> Response {
    let resource = format!("{}/mcp", gate::own_address(&headers, shared.is_tls));
    Json(json!({
        "resource": resource,
        "resource_name": "Rollbook",
        "bearer_methods_supported": ["header"],
    }))
    .into_response()
}

/// The process runs.
async fn healthy() -> &'static str {
    "ok\n"
}

/// The database can be used: there is one and it is read, or one could be made.
async fn ready_to_serve(State(shared): State<Shared>) -> Response {
    let ready = match shared.host.keyring.is_readable().await {
        Ok(()) => shared.host.is_ready().await,
        unreadable => unreadable,
    };
    match ready {
        Ok(()) => "ready\n".into_response(),
        Err(why) => {
            tracing::error!("not ready: {why}");
            (
                StatusCode::SERVICE_UNAVAILABLE,
                "The database cannot be used; the server's log says why.\n",
            )
                .into_response()
        }
    }
}

async fn metrics(State(shared): State<Shared>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], shared.host.meter.text()).into_response()
}

async fn nowhere() -> Response {
    refused::nowhere()
}

async fn not_so() -> Response {
    refused::not_so()
}
