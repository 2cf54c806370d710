//! A session: one sitting of a campaign.

use serde::{Deserialize, Serialize};

/// The row of `sessions`; times in microseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// From 1, without gaps.
    pub number: u32,
    pub title: Option<String>,
    pub started_at: i64,
    /// `None` while it is open.
    pub ended_at: Option<i64>,
}
