//! What was found of one thing.

pub(super) struct Finding {
    /// `folder`, `file`, `backups`, `checkpoints`, `rules`, `client`, `stdout`.
    pub at: &'static str,
    pub found: String,
    /// What to do; `None` where it is well.
    pub fix: Option<String>,
}

pub(super) fn well(at: &'static str, found: impl Into<String>) -> Finding {
    Finding { at, found: found.into(), fix: None }
}

pub(super) fn ill(at: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Finding {
    Finding { at, found: found.into(), fix: Some(fix.into()) }
}
