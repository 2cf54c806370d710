//! `rollbook archive`: old sessions moved out of a database.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print, say};
use crate::cli::progress::Progress;
use crate::game::view::Audience;
use crate::names::{counted, quoted};
use crate::session::archive::{self, Step, Wanted};
use crate::session::os;
use crate::store::archive::command;

/// Move old sessions out of a database into a sealed file, which goes on to be read and verified with its log.
///
/// The file, a segment, is a database: `log`, `report`, `export` and `verify` read it with --db, and SQL answers from it. The log has the file's hash, so
/// nothing of it can be changed unseen. Keep it, and copy it once: what is archived is in no later backup of the database. No server may be running on a file; on
/// PostgreSQL the others play on, and wait while the rows go.
#[derive(Debug, Args)]
pub struct Archive {
    /// The first session that stays; at most the last one there is.
    #[arg(long, value_name = "N")]
    before: u32,
    /// The folder of the segment [default: beside a file, in campaigns.db.archive; for a server, archive in the folder of its checkpoints].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The campaign [default: the only one there is].
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    #[command(flatten)]
    database: DatabaseArg,
}

impl Archive {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let database = self.database.to_read()?;
        let wanted = Wanted { campaign: self.campaign, before: self.before, out: self.out };
        let mut shown = None;
        let mut told = |step: Step| {
            drop(shown.take());
            shown = Some(Progress::of(match step {
                Step::Verify => "Verifying the campaign",
                Step::Write => "Writing the segment",
                Step::ReadBack => "Verifying the segment",
                Step::Move | Step::Commit => "Moving the entries",
                Step::Shrink => "Making the database smaller",
            }));
            Ok(())
        };
        let archived = archive::archive(&database, &wanted, os::valid(os::now())?, &mut told).await;
        drop(shown);
        let archived = archived?;
        let own = &archived.segment;
        print(&format!(
            "{}: {} (sessions up to {}) archived in {}. Receipt: {}\n",
            quoted(&archived.campaign),
            counted(own.last - own.first + 1, "entry", "entries"),
            own.sessions.1,
            archived.path.display(),
            archived.receipt
        ))?;
        if let Some((before, after)) = archived.bytes {
            say(&format!("{database} had {before} bytes, and has {after}"));
        }
        let command = command(&archived.path, None, None, Audience::Gm);
        say(&format!("`{command}` shows what is in it; keep the file, and a copy of it elsewhere"));
        Ok(Done::Well)
    }
}
