//! A log that goes on in a new one.

use serde::{Deserialize, Serialize};

/// The earlier log, of which this one goes on. The state in which it ended is what the entry changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContinuedEvent {
    /// The UUID of its campaign.
    pub campaign: String,
    /// The name that it has from then on.
    pub name: String,
    /// Its last entry before the one that closed it, …
    pub entries: u64,
    /// … and the chain value of that, as hex.
    pub chain: String,
    /// The name of the file with the whole of it.
    pub export: String,
}
