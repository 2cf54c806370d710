//! A request that is turned away: a status, a code and what to send instead, as JSON.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

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
        TurnedAway { status, code, summary: summary.into(), after: None, challenge: None }
    }

    #[must_use]
    pub fn come_back_in(mut self, after: Duration) -> TurnedAway {
        self.after = Some(after);
        self
    }
}

impl IntoResponse for TurnedAway {
    fn into_response(self) -> Response {
        let mut response =
            (self.status, axum::Json(json!({"code": self.code, "summary": self.summary}))).into_response();
        if let Some(after) = self.after {
            // Whole seconds, and never too early.
            let seconds = after.as_secs() + u64::from(after.subsec_nanos() > 0);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        if let Some(challenge) = self.challenge {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

/// An address that nothing answers to.
pub fn nowhere() -> Response {
    let summary = "Nothing is here. The protocol is served at /mcp, plain JSON at /api/roll and /api/odds; GET /api describes it.";
    TurnedAway::new(StatusCode::NOT_FOUND, "not_found", summary).into_response()
}
