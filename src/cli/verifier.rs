//! `rollbook verifier`: the page with which players check their copies.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use crate::cli::output::{Done, Failed, answer, reason, say};
use rollbook_record::export;
use rollbook_store::draft::Draft;

/// Write a page that checks players' copies in any browser.
///
/// It needs no network. Give it to the players once; it checks JSON lines and CSV that `rollbook
/// export` writes for them, against a receipt they kept. It finds what `rollbook verify --copy` finds.
#[derive(Debug, Args)]
pub struct Verifier {
    /// The HTML file to write; one that is there already is refused.
    #[arg(long, value_name = "FILE", required_unless_present = "digest")]
    out: Option<PathBuf>,
    /// Print the page's SHA-256 instead, which the documents and reports name: a page from anywhere
    /// is the right one if it has this.
    #[arg(long, conflicts_with = "out")]
    digest: bool,
}

impl Verifier {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let Some(out) = self.out else {
            return answer(&format!("{}\n", export::page_digest()));
        };
        let mut draft = Draft::of(&out).map_err(reason)?;
        let written = draft.file().write_all(export::page().as_bytes());
        written.map_err(|error| format!("cannot write {}: {error}", out.display()))?;
        draft.finish().map_err(reason)?;
        say(&format!(
            "{} written, SHA-256 {}. Players open it in a browser and choose the copy they were given",
            out.display(),
            export::page_digest()
        ));
        Ok(Done::Well)
    }
}
