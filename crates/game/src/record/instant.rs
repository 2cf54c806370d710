//! Instants: stored as microseconds since 1970-01-01T00:00:00Z, shown as ISO-8601 in UTC.

use chrono::{DateTime, SecondsFormat, Utc};

/// `2026-11-21T19:30:00.123456Z`; an instant out of range is shown as its number.
pub fn iso(at: i64) -> String {
    let instant = DateTime::<Utc>::from_timestamp_micros(at);
    instant.map_or_else(
        || at.to_string(),
        |instant| instant.to_rfc3339_opts(SecondsFormat::Micros, true),
    )
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn instants_are_written_to_the_microsecond_in_utc() {
        assert_eq!(iso(1_763_700_000_123_456), "2025-11-21T04:40:00.123456Z");
        assert_eq!(iso(i64::MAX), i64::MAX.to_string());
    }
}
