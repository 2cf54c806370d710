//! The cool-down of a tool: how soon one caller may call it again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::session::Caller;
use rollbook_game::refusal::{Code, Refusal};

/// Callers that are remembered before those are forgotten who need not wait any more.
const REMEMBERED: usize = 1024;

pub struct Cooling {
    pub time: Duration,
    last: Mutex<HashMap<String, Instant>>,
}

impl Cooling {
    pub fn new(time: Duration) -> Cooling {
        Cooling {
            time,
            last: Mutex::default(),
        }
    }

    pub fn forget(&self, caller: &Caller) {
        self.last
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(key(caller));
    }

    /// Lets the caller call and begins the time anew; by key. Errors: `too_soon`.
    pub fn enter(&self, tool: &str, caller: &Caller) -> Result<(), Refusal> {
        let who = key(caller);
        let now = Instant::now();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(left) = last
            .get(who)
            .and_then(|at| self.time.checked_sub(now.duration_since(*at)))
        {
            let summary = format!(
                "{tool} is called at most every {} seconds. Nothing was done. Send the call again in {} milliseconds.",
                self.time.as_secs_f64(),
                left.as_millis() + 1
            );
            return Err(Refusal::new(Code::TooSoon, summary));
        }
        if last.len() >= REMEMBERED {
            last.retain(|_, at| now.duration_since(*at) < self.time);
        }
        last.insert(who.to_owned(), now);
        Ok(())
    }
}

fn key(caller: &Caller) -> &str {
    caller.seat.as_ref().map_or("", |seat| seat.key.as_str())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::Cooling;
    use crate::session::{Caller, Seat};
    use rollbook_store::keys::Role;

    fn with_key(key: &str) -> Caller {
        let seat = Seat {
            key: key.to_owned(),
            campaign: "one".to_owned(),
            role: Role::Gm,
        };
        Caller::of(Some(Arc::new(seat)))
    }

    #[test]
    fn each_caller_waits_for_itself_and_a_refused_call_begins_nothing() {
        let cooling = Cooling::new(Duration::from_millis(40));
        let (one, other) = (with_key("1"), with_key("2"));
        assert_eq!(cooling.enter("calculator", &one), Ok(()));
        let refused = cooling.enter("calculator", &one).unwrap_err();
        assert_eq!(refused.code.as_str(), "too_soon");
        assert!(
            refused.summary.contains("every 0.04 seconds"),
            "{}",
            refused.summary
        );
        assert_eq!(cooling.enter("calculator", &other), Ok(()));
        cooling.forget(&other);
        assert_eq!(cooling.enter("calculator", &other), Ok(()));
        let since = std::time::Instant::now();
        while cooling.enter("calculator", &one).is_err() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(
            since.elapsed() < Duration::from_secs(5),
            "following the refusal works"
        );
    }
}
