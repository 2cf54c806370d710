//! `rollbook verify`: whether a log is what was written.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, counted, print};
use crate::cli::progress::Progress;
use crate::export::{self, Checked};
use crate::game::view::Audience;
use crate::names::quoted;
use crate::store::verify::{self, Report, Verified};

/// Check a log: chain, contents, arithmetic of every roll, replay against the tables, checkpoints and a receipt.
///
/// Exit code 0: all is well. 1: findings. 2: it could not be checked.
#[derive(Debug, Args)]
pub struct Verify {
    #[command(flatten)]
    database: DatabaseArg,
    /// Check this campaign only [default: every one there is]; the file as a whole is checked either way.
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    /// A receipt that was kept outside, such as "#128 9f3c21d07a44b81e6d05".
    #[arg(long)]
    receipt: Option<String>,
    /// Check an exported JSON lines file instead of a database.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["db", "campaign"])]
    copy: Option<PathBuf>,
}

impl Verify {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        if let Some(copy) = &self.copy {
            return check_copy(copy, self.receipt.as_deref());
        }
        let database = self.database.to_read()?;
        let shown = Progress::reading("Verifying", &database, self.campaign.as_deref()).await;
        let verified = verify::verify(&database, self.campaign.as_deref(), self.receipt.as_deref())
            .await
            .map_err(|error| error.to_string())?;
        drop(shown);
        print(&whole(&verified))?;
        Ok(if verified.is_sound() { Done::Well } else { Done::Findings })
    }
}

fn whole(verified: &Verified) -> String {
    let mut text = format!("{}\n", verified.database);
    for note in &verified.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    for finding in &verified.findings {
        text.push_str(&format!("database: {finding}\n"));
    }
    text.extend(verified.campaigns.iter().map(details));
    if !verified.findings.is_empty() {
        text.push_str(&format!("database: NOT VERIFIED, {}\n", findings(verified.findings.len() as u64)));
    }
    text
}

fn findings(count: u64) -> String {
    counted(count, "finding", "findings")
}

fn details(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let gap = if finding.seq == 0 { ":" } else { "" };
        text.push_str(&format!("{}{gap} {finding}\n", report.campaign));
    }
    if report.more > 0 {
        text.push_str(&format!("{}: and {} more\n", report.campaign, report.more));
    }
    for note in &report.notes {
        text.push_str(&format!("{} {}: note: {}\n", report.campaign, note.entries(), note.what));
    }
    if report.more_notes > 0 {
        text.push_str(&format!("{}: and {} more notes\n", report.campaign, report.more_notes));
    }
    if report.left_out > 0 {
        text.push_str(&format!(
            "{}: {} with what the log adds up to were left out, because entries are missing\n",
            report.campaign,
            counted(report.left_out, "comparison", "comparisons")
        ));
    }
    let verdict = match report.findings.is_empty() {
        true => "verified".to_owned(),
        false => format!("NOT VERIFIED, {}", findings(report.findings.len() as u64 + report.more)),
    };
    if report.unbound_answers > 0 {
        text.push_str(&format!(
            "{}: {} kept answers of an older program are not bound to the log; only their number and receipt were compared\n",
            report.campaign, report.unbound_answers
        ));
    }
    if report.earlier > 0 {
        text.push_str(&format!(
            "{}: {} entries are of an earlier program; their dice and numbers were worked out anew, their words taken as they were frozen\n",
            report.campaign, report.earlier
        ));
    }
    text.push_str(&format!(
        "{}: {verdict}. {}, {}, {}; the log ends at {}\n",
        report.campaign,
        counted(report.entries, "entry", "entries"),
        counted(report.rolls, "roll", "rolls"),
        counted(report.checkpoints as u64, "checkpoint", "checkpoints"),
        report.head.receipt()
    ));
    text
}

/// What a reader of the verdict might take for checked.
fn unchecked(copy: &Checked, receipt: Option<&str>) -> String {
    let mut text = String::new();
    if copy.closed > 0 {
        text.push_str(&format!(
            "{} of its {} lines cannot be looked into: the body is not in the copy, and what players see of it is all that the \
             chain vouches for.\n",
            copy.closed, copy.shown
        ));
    }
    if let Some(lost) = &copy.history_lost {
        text.push_str(&format!("note: it was written from a log that lacked something: {}\n", quoted(lost)));
    }
    if let Some(weakness) = &copy.weakness {
        text.push_str(&format!("note: {weakness}\n"));
    }
    match copy.receipted {
        Some(seq) if seq < copy.head.seq => text.push_str(&format!(
            "By the receipt nothing is missing up to #{seq}. What was written after #{seq} was not checked by it: lines cut off \
             the end leave no mark. Name the latest receipt there is.\n"
        )),
        None if receipt.is_none() => text.push_str(
            "Whether it is complete was not checked: lines cut off its end leave no mark. Name a receipt that was kept outside \
             with --receipt, the latest there is.\n",
        ),
        _ => {}
    }
    text
}

fn check_copy(path: &Path, receipt: Option<&str>) -> Result<Done, Failed> {
    let copy = export::check_copy(path, receipt).map_err(|error| error.to_string())?;
    let mut text: String = copy.findings.iter().map(|finding| format!("{finding}\n")).collect();
    let verdict = if copy.findings.is_empty() { "verified" } else { "NOT VERIFIED" };
    let whose = match copy.audience {
        Audience::Gm => "GM's",
        Audience::Player => "players'",
    };
    text.push_str(&format!(
        "{}: {verdict}. The {whose} copy of {} ends at {}\n",
        path.display(),
        copy.campaign,
        copy.head.receipt()
    ));
    text.push_str(&unchecked(&copy, receipt));
    print(&text)?;
    Ok(if copy.findings.is_empty() { Done::Well } else { Done::Findings })
}
