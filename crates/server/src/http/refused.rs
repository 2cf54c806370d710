//! A request that is turned away: a status, and `{error: {code, message, details}}` that says what
//! to send instead.

use std::time::Duration;

use axum::body::to_bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Bytes of a refusal's text.
const TEXT_MAX: usize = 4096;

/// Why a request reached no tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnedAway {
    pub status: StatusCode,
    pub code: &'static str,
    pub summary: String,
    /// When to come back.
    pub after: Option<Duration>,
    /// How to authenticate, where that is what was missing.
    pub challenge: Option<HeaderValue>,
}

impl TurnedAway {
    pub fn new(status: StatusCode, code: &'static str, summary: impl Into<String>) -> TurnedAway {
        TurnedAway {
            status,
            code,
            summary: summary.into(),
            after: None,
            challenge: None,
        }
    }

    #[must_use]
    pub fn come_back_in(mut self, after: Duration) -> TurnedAway {
        self.after = Some(after);
        self
    }
}

impl IntoResponse for TurnedAway {
    fn into_response(self) -> Response {
        let error = json!({"code": self.code, "message": self.summary, "details": []});
        let mut response = (self.status, axum::Json(json!({"error": error}))).into_response();
        if let Some(after) = self.after {
            // Whole seconds, and never too early.
            let seconds = after.as_secs() + u64::from(after.subsec_nanos() > 0);
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        if let Some(challenge) = self.challenge {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

/// An address that nothing answers to.
pub fn nowhere() -> Response {
    let summary = "Nothing is here. The protocol is served at /mcp, plain JSON at /api/roll, /api/roll_multiple and /api/odds; GET /api describes it.";
    TurnedAway::new(StatusCode::NOT_FOUND, "not_found", summary).into_response()
}

/// An address that does not answer to that method; `Allow` names those that it does.
pub fn not_so() -> Response {
    let summary = "Nothing answers to that method here; the header Allow names those that do. GET /api describes plain JSON.";
    TurnedAway::new(StatusCode::METHOD_NOT_ALLOWED, "method", summary).into_response()
}

/// A refusal of the protocol's transport, which comes as plain text or as nothing, as one of ours.
/// Answers in JSON stay as they are.
pub async fn as_json(response: Response) -> Response {
    if !response.status().is_client_error() || is_json(response.headers()) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text = to_bytes(body, TEXT_MAX).await.unwrap_or_default();
    let (code, summary) = match parts.status {
        StatusCode::NOT_FOUND => (
            "no_session",
            "There is no such session: it has ended, or belongs to another key. Begin one with initialize, or ask without a \
             session (2026-07-28)."
                .into(),
        ),
        StatusCode::METHOD_NOT_ALLOWED => {
            ("method", "The protocol takes POST, and with a session GET for its stream and DELETE for its end.".into())
        }
        _ => ("protocol", String::from_utf8_lossy(&text)),
    };
    let mut refused = TurnedAway::new(parts.status, code, summary).into_response();
    refused.headers_mut().extend(
        parts
            .headers
            .into_iter()
            .filter(|(name, _)| name.as_ref() == Some(&header::ALLOW)),
    );
    refused
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}
