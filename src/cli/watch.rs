//! `--watch`: the same again whenever the author saves.

use std::path::Path;

use crate::cli::output::{Done, Failed, say};
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::watch::Watch;

/// Runs `once`, and again after each save, also of rules that these are built on, until it is interrupted. Mistakes in between are printed and do not end it: the
/// author is typing.
pub(super) async fn each_save(
    folder: &Path,
    mut once: impl AsyncFnMut() -> Result<Done, Failed>,
) -> Result<Done, Failed> {
    let mut watch = Watch::new(folder)?;
    loop {
        // Before they are read: a save meanwhile is seen.
        watch.also(Adventure::read(folder).map(|own| own.bases).unwrap_or_default());
        if let Err(reason) = once().await {
            say(&format!("rollbook: {reason}"));
        }
        say(&format!("Watching {}; Ctrl-C ends it.", folder.display()));
        if !watch.wait().await {
            return Ok(Done::Well);
        }
    }
}
