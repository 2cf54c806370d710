//! How long, and how often, a call tries again.

use std::time::{Duration, Instant};

use super::answer::CallError;
use rollbook_game::refusal::Code;

/// Between two attempts to get the file's write lock; the campaign is free for readers meanwhile.
pub const PAUSE: Duration = Duration::from_millis(5);
/// Between two attempts to reach a server that was lost, at most.
const PAUSE_MAX: Duration = Duration::from_secs(1);

/// How long a server that was lost is tried again, with longer and longer pauses.
pub struct Patience {
    deadline: Instant,
    pause: Duration,
}

impl Patience {
    pub fn until(deadline: Instant) -> Self {
        Patience { deadline, pause: PAUSE }
    }

    pub fn is_left(&self) -> bool {
        Instant::now() + self.pause < self.deadline
    }

    /// Waits before the next attempt at what a lost server did not answer.
    /// Errors: The same, where it is something else or there is no time left.
    pub async fn pause_for(&mut self, error: CallError) -> Result<(), CallError> {
        match error {
            CallError::Refusal(refusal) if refusal.code == Code::Unreachable && self.is_left() => {
                self.pause().await;
                Ok(())
            }
            error => Err(error),
        }
    }

    pub async fn pause(&mut self) {
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(PAUSE_MAX);
    }
}
