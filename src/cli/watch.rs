//! `--watch`: the same again whenever the author saves.

use std::path::Path;

use crate::cli::output::{Done, Failed, say};
use crate::session::watch::Watch;

/// Runs `once`, and again after each save, until it is interrupted. What is wrong in between is said and waited out: the
/// author is typing.
pub(super) async fn each_save(
    folder: &Path,
    mut once: impl AsyncFnMut() -> Result<Done, Failed>,
) -> Result<Done, Failed> {
    let mut watch = Watch::new(folder)?;
    loop {
        if let Err(reason) = once().await {
            say(&format!("rollbook: {reason}"));
        }
        say(&format!("Watching {}; Ctrl-C ends it.", folder.display()));
        if !watch.wait().await {
            return Ok(Done::Well);
        }
    }
}
