//! Whether a call is still wanted: a client may cancel it, or leave, while it waits for its turn to write.

use tokio::sync::watch;

/// The side of a call that may end it early. Dropping it ends nothing.
#[derive(Debug)]
pub struct Leave(watch::Sender<bool>);

/// The side that asks. The default one is never gone.
#[derive(Debug, Clone, Default)]
pub struct Caller(Option<watch::Receiver<bool>>);

impl Caller {
    /// A caller and the way to say that it is gone.
    pub fn new() -> (Leave, Caller) {
        let (leave, gone) = watch::channel(false);
        (Leave(leave), Caller(Some(gone)))
    }

    /// Whether nobody waits for the answer any more.
    pub fn is_gone(&self) -> bool {
        self.0.as_ref().is_some_and(|gone| *gone.borrow())
    }

    /// Returns once nobody waits for the answer any more. It may be dropped and asked again.
    pub async fn gone(&mut self) {
        if let Some(gone) = &mut self.0
            && gone.wait_for(|gone| *gone).await.is_ok()
        {
            return;
        }
        std::future::pending().await
    }
}

impl Leave {
    /// Says that nobody waits for the answer any more: what waits is given up, what was decided is finished.
    pub fn now(&self) {
        self.0.send_replace(true);
    }
}
