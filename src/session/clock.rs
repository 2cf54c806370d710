//! The one place that reads the clock.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::game::record::instant::iso;

/// Now, in microseconds since 1970-01-01T00:00:00Z; negative before.
#[expect(clippy::disallowed_methods, reason = "the clock is read here and nowhere else")]
pub fn now() -> i64 {
    micros(SystemTime::now())
}

fn micros(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_micros()).map_or(i64::MIN, |micros| -micros),
    }
}

/// The moment, where entries can be written with it.
///
/// # Errors
/// In words, when it lies before 1970: the computer's clock is wrong.
pub fn sound(at: i64) -> Result<i64, String> {
    match at {
        0.. => Ok(at),
        _ => Err(format!(
            "The clock of this computer says {}, and entries are dated from 1970 on. Set the clock right and do the same again",
            iso(at)
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::{micros, sound};

    #[test]
    fn a_clock_before_1970_is_read_and_refused() {
        assert_eq!(micros(UNIX_EPOCH + Duration::from_millis(2)), 2_000);
        let at = micros(UNIX_EPOCH - Duration::from_secs(86_400));
        assert_eq!(at, -86_400_000_000);
        assert!(sound(at).unwrap_err().contains("says 1969-12-31T00:00:00.000000Z"));
        assert_eq!(sound(0), Ok(0));
    }
}
