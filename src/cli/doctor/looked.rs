//! What was found of one thing.

/// One thing that was looked at.
pub(super) struct Looked {
    /// `folder`, `file`, `backups`, `checkpoints`, `rules`, `client`, `stdout`.
    pub at: &'static str,
    pub found: String,
    /// What to do; `None` where it is well.
    pub fix: Option<String>,
}

impl Looked {
    pub fn well(at: &'static str, found: impl Into<String>) -> Looked {
        Looked { at, found: found.into(), fix: None }
    }

    pub fn ill(at: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Looked {
        Looked { at, found: found.into(), fix: Some(fix.into()) }
    }
}
