//! The one place that reads the clock.

/// Now, in microseconds since 1970-01-01T00:00:00Z.
#[expect(clippy::disallowed_methods, reason = "the clock is read here and nowhere else")]
pub fn now() -> i64 {
    chrono::Utc::now().timestamp_micros()
}
