//! Proofs that are looked for beside everything else, while the author writes on.
//!
//! Apart from what is told: carrying a check out in every way may take a while, and a newer file makes it needless.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::JoinHandle;

use crate::diagnostic::Diagnostic;
use crate::rules::proofs_until;
use crate::session::adventure::Adventure;

/// Proofs that are being looked for beside everything else; those of what was saved before are given up.
#[derive(Default)]
pub(super) struct Proving(Arc<AtomicBool>);

impl Proving {
    /// Gives up those of what was saved before.
    pub(super) fn stop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.0 = Arc::default();
    }

    /// Whether these were given up.
    pub(super) fn stopped(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Looks for those of this adventure.
    pub(super) fn start(&self, adventure: Arc<Adventure>) -> JoinHandle<Vec<Diagnostic>> {
        let stopped = self.stopped();
        tokio::task::spawn_blocking(move || proofs_until(&adventure.reading, &|| stopped.load(Ordering::Relaxed)))
    }
}
