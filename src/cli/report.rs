//! `rollbook report`: the log for people.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::{AUDIENCES, CampaignArgs, Values, one_of};
use crate::cli::output::{Done, Failed, does_not_hold, reason, say};
use crate::cli::progress::Progress;
use rollbook_game::view::Audience;
use rollbook_record::report::facts::Sessions;
use rollbook_record::report::{self, Format, Wanted};
use rollbook_text::names::{counted, quoted};

/// Write a report of what was played, for people.
///
/// One HTML file that loads nothing and runs nothing: whether the log holds, with a receipt to
/// keep; the story; fights round by round; the luck of everybody's dice, exactly; skills and
/// damage; what the GM decided. The players' report holds what players may see.
///
/// Exit code 0: written, and the log holds. 1: written, and verification found something. 2: it
/// could not be written.
#[derive(Debug, Args)]
pub struct Report {
    /// The session: its number, last, or all.
    #[arg(long, value_name = "N|last|all", default_value = "last", value_parser = sessions)]
    session: Sessions,
    /// For whom.
    #[arg(long, value_parser = one_of(AUDIENCES), default_value = "player")]
    audience: Audience,
    #[arg(long, value_parser = one_of(FORMATS), default_value = "html")]
    format: Format,
    /// The file to write; one that is there already is refused.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    of: CampaignArgs,
}

const FORMATS: &Values<Format> = &[
    (
        "html",
        Format::Html,
        "A page for any browser, for paper, and for a phone",
    ),
    (
        "markdown",
        Format::Markdown,
        "For a chat or a wiki; without pictures",
    ),
];

fn sessions(text: &str) -> Result<Sessions, String> {
    match text.to_lowercase().as_str() {
        "last" => Ok(Sessions::Last),
        "all" => Ok(Sessions::All),
        number => match number.parse() {
            Ok(number) if number > 0 => Ok(Sessions::Number(number)),
            _ => Err("say a session's number, such as 1 (rollbook campaigns list counts them), last or all".to_owned()),
        },
    }
}

impl Report {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        if self.out.as_os_str() == "-" {
            return Err(
                "a report is a file that is there whole or not at all; name one with --out, not -"
                    .to_owned(),
            );
        }
        let database = self.of.database.to_read()?;
        let wanted = Wanted {
            sessions: self.session,
            audience: self.audience,
            format: self.format,
        };
        let reported = report::report(&database, self.of.campaign.as_deref(), wanted, &self.out);
        let step = "Verifying the log, and gathering its report";
        let reported = Progress::during(step, reported).await.map_err(reason)?;
        let (campaign, entries) = (
            quoted(&reported.campaign),
            counted(reported.entries, "entry", "entries"),
        );
        let written = format!(
            "{campaign}: a report of {entries} written to {}.",
            self.out.display()
        );
        if reported.findings.is_empty() {
            say(&format!("{written} Receipt: {}", reported.receipt));
            return Ok(Done::Well);
        }
        does_not_hold(&reported.findings);
        say(&written);
        Ok(Done::Findings)
    }
}
