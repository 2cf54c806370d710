//! `rollbook export`: the log for readers.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::cli::args::{AUDIENCES, CampaignArgs, Values, one_of};
use crate::cli::output::{Done, Failed, reason, say};
use crate::cli::progress::Progress;
use rollbook_game::view::Audience;
use rollbook_game::zone::Zone;
use rollbook_record::export::{self, Format, Seal, Sitting, Wanted};
use rollbook_table::session::os;
use rollbook_text::names::{counted, quoted};

/// Write a campaign's log as JSON lines, CSV or a SQLite file.
///
/// The players' export holds what players may see, and beside it the proof that nothing was left
/// out: the commitments of what is hidden, never its content.
#[derive(Debug, Args)]
pub struct Export {
    #[arg(long, value_parser = formats(), default_value = "jsonl")]
    format: Format,
    /// For whom.
    #[arg(long, value_parser = one_of(AUDIENCES), default_value = "player")]
    audience: Audience,
    /// The file to write; one that is there already is refused.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    of: CampaignArgs,
    /// Begin the CSV with the mark by which some spreadsheets know UTF-8.
    #[arg(long)]
    bom: bool,
    /// One session alone: its number, or last. A part of a log proves nothing of what was before
    /// it.
    #[arg(long, value_name = "N|last", value_parser = sitting)]
    session: Option<Sitting>,
    /// What players learn of hidden entries: where each stands, which proves everything, or only
    /// how many there were when the last session ended.
    #[arg(long, value_parser = one_of(SEALS), default_value = "positions")]
    seal: Seal,
    /// Only what was written from then on: 2026-11-20, "2026-11-20 19:30" (in UTC), or with its
    /// zone 2026-11-20T19:30:00+01:00.
    #[arg(long, value_name = "TIME", value_parser = instant)]
    since: Option<i64>,
}

const SEALS: &Values<Seal> = &[
    (
        "positions",
        Seal::Positions,
        "Where each stands: the copy proves that nothing was left out",
    ),
    (
        "total",
        Seal::Total,
        "How many there were: proves the lines before the last end of a session, with the receipt of that end",
    ),
];

fn sitting(text: &str) -> Result<Sitting, String> {
    if text.eq_ignore_ascii_case("last") {
        return Ok(Sitting::Last);
    }
    text.parse()
        .map(Sitting::Number)
        .map_err(|_| "a session is a number, or last".to_owned())
}

/// Microseconds since 1970; a date alone is its beginning, in UTC where no zone is named.
fn instant(text: &str) -> Result<i64, String> {
    let advice = "a time is 2026-11-20, \"2026-11-20 19:30\" or 2026-11-20T19:30:00Z";
    let moment = Zone::utc()
        .written(text)
        .map_err(|issue| format!("it {issue}; {advice}"))?;
    Ok(moment.timestamp_micros())
}

fn formats() -> impl TypedValueParser<Value = Format> {
    let named = |format: &Format| PossibleValue::new(format.name()).help(format.about());
    let format = |name: String| {
        Format::ALL
            .iter()
            .copied()
            .find(|format| format.name() == name)
            .ok_or("no format")
    };
    PossibleValuesParser::new(Format::ALL.iter().map(named)).try_map(format)
}

impl Export {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        if self.out.as_os_str() == "-" {
            return Err(
                "an export is a file that is there whole or not at all; name one with --out, not -"
                    .to_owned(),
            );
        }
        let database = self.of.database.to_read()?;
        let now = os::valid(os::now())?;
        if self.bom && self.format != Format::Csv {
            return Err("--bom is for spreadsheets: say --format csv with it".to_owned());
        }
        let Export {
            audience,
            format,
            bom,
            session,
            seal,
            since,
            ..
        } = self;
        let wanted = Wanted {
            campaign: self.of.campaign.clone(),
            audience,
            format,
            bom,
            session,
            seal,
            since,
        };
        let exported = export::export(&database, &wanted, &self.out, now);
        let exported = Progress::during("Exporting", exported)
            .await
            .map_err(reason)?;
        let of_end = match seal {
            Seal::Positions => "",
            Seal::Total => ", of the last end of a session, which alone it can be compared with",
        };
        let none = "No session has ended yet, so that no receipt can be compared with it; export it again when one has";
        let receipt = exported
            .bound
            .as_ref()
            .map(|head| format!("Receipt{of_end}: {}", head.receipt()));
        say(&format!(
            "{}: {} in {database}, written to {}. {}",
            quoted(&exported.campaign),
            match self.audience {
                Audience::Gm => format!("{} of {} entries", exported.shown, exported.entries),
                Audience::Player => format!(
                    "{} that players see, of {}",
                    counted(exported.shown, "entry", "entries"),
                    exported.entries
                ),
            },
            exported.out.display(),
            receipt.as_deref().unwrap_or(none)
        ));
        if self.audience == Audience::Gm {
            say("it is the GM's copy: it holds what players must not see");
        }
        exported
            .history_lost
            .iter()
            .for_each(|what| say(&format!("warning: {what}")));
        Ok(Done::Well)
    }
}
