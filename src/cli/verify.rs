//! `rollbook verify`: whether a log is what was written.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print, reason};
use crate::cli::progress::Progress;
use rollbook_game::view::Audience;
use rollbook_record::export::{self, Checked};
use rollbook_store::Reader;
use rollbook_store::location::Location;
use rollbook_store::verify::{self, Finding, Opened, Receipt, Report, Verified, parse_receipt};
use rollbook_text::names::{counted, in_one_line, quoted};

const DEPTH_MAX: usize = 4; // Folders below the one that is named
const FILES_MAX: usize = 10_000;

/// Check a log, or an exported copy of it.
///
/// Its chain, contents, arithmetic of every roll, replay against the tables, checkpoints and a
/// receipt.
///
/// Exit code 0: all is well. 1: findings, or a receipt that cannot be compared with a copy. 2: it
/// could not be checked.
#[derive(Debug, Args)]
pub struct Verify {
    #[command(flatten)]
    database: DatabaseArg,
    /// Check this campaign only [default: every one there is]; the file as a whole is checked
    /// either way.
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    /// A receipt that was kept outside, such as "#128 9f3c21d07a44b81e6d05".
    #[arg(long)]
    receipt: Option<String>,
    /// Check exported files instead of a database: JSON lines, CSV or SQLite, each on its own.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["db", "campaign"])]
    copy: Vec<PathBuf>,
    /// Check every database in this folder and below, such as those of a league.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["db", "campaign", "copy", "receipt"])]
    all: Option<PathBuf>,
    /// Answer with JSON.
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let receipt = self
            .receipt
            .as_deref()
            .map(parse_receipt)
            .transpose()
            .map_err(reason)?;
        if !self.copy.is_empty() {
            return self.check_copies().await;
        }
        if let Some(folder) = &self.all {
            return check_all(folder, self.json).await;
        }
        let (database, campaign) = (self.database.to_read()?, self.campaign.as_deref());
        let shown = Progress::start("Verifying");
        let verified = check(&database, campaign, receipt.as_ref()).await?;
        drop(shown);
        print(&if self.json {
            format!("{:#}\n", to_json(&verified))
        } else {
            text_of(&verified)
        })?;
        Ok(Done::of(verified.is_sound()))
    }

    /// Checks each copy; one that cannot be checked keeps none of the others from being checked.
    async fn check_copies(self) -> Result<Done, Failed> {
        let (mut done, mut refused, mut all) = (Done::Well, Vec::new(), Vec::new());
        for (nth, path) in self.copy.iter().enumerate() {
            let shown = Progress::of_file(path, nth, self.copy.len());
            let checked = export::check_copy(path, self.receipt.as_deref()).await;
            drop(shown);
            match checked {
                Ok(copy) => {
                    if !copy.findings.is_empty() || copy.incomparable.is_some() {
                        done = Done::Findings;
                    }
                    if !self.json {
                        print(&text_of_copy(path, &copy, self.receipt.as_deref()))?;
                    }
                    all.push(copy_to_json(path, &copy));
                }
                Err(error) => {
                    all.push(json!({"file": path.display().to_string(), "verdict": "not_checked", "error": error.to_string()}));
                    refused.push(error.to_string());
                }
            }
        }
        if self.json {
            print(&format!("{:#}\n", json!({"copies": all})))?;
        }
        if refused.is_empty() {
            Ok(done)
        } else {
            Err(refused.join("\nrollbook: "))
        }
    }
}

async fn check(
    database: &Location,
    campaign: Option<&str>,
    receipt: Option<&Receipt>,
) -> Result<Verified, Failed> {
    let reader = Reader::open(database).await.map_err(reason)?;
    verify::audit(reader, campaign, receipt)
        .await
        .map_err(reason)
}

/// Checks every database of a folder; one that cannot be checked stops none.
async fn check_all(folder: &Path, as_json: bool) -> Result<Done, Failed> {
    let paths = databases(folder)?;
    if paths.is_empty() {
        return Err(format!(
            "there is no database (*.db) in {} or below",
            folder.display()
        ));
    }
    let (mut sound, mut refused, mut reports): (usize, u64, Vec<Value>) = (0, 0, Vec::new());
    for (nth, path) in paths.iter().enumerate() {
        let database = Location::from(path.as_path());
        let shown = Progress::of_file(path, nth, paths.len());
        let verified = check(&database, None, None).await;
        drop(shown);
        let path = path.display();
        let (report, text) = match &verified {
            Ok(verified) => (to_json(verified), text_of(verified)),
            Err(why) => (
                json!({"database": path.to_string(), "verdict": "not_checked", "error": why}),
                format!("{path}: NOT CHECKED, {why}\n"),
            ),
        };
        if !as_json {
            print(&text)?;
        }
        reports.push(report);
        sound += usize::from(verified.as_ref().is_ok_and(Verified::is_sound));
        refused += u64::from(verified.is_err());
    }
    print(&match as_json {
        true => format!(
            "{:#}\n",
            json!({"folder": folder.display().to_string(), "databases": reports})
        ),
        false => format!(
            "{sound} of {} verified\n",
            counted(paths.len() as u64, "database", "databases")
        ),
    })?;
    match refused {
        0 => Ok(Done::of(sound == paths.len())),
        _ => Err(format!(
            "{} could not be checked",
            counted(refused, "database", "databases")
        )),
    }
}

/// The files that end in `.db`, in order, without backups, replaced ones and links.
fn databases(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let (mut found, mut folders, mut looked_at) = (Vec::new(), vec![(folder.to_path_buf(), 0)], 0);
    while let Some((folder, depth)) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        for entry in entries.flatten() {
            looked_at += 1;
            if looked_at > FILES_MAX {
                let folder = folder.display();
                return Err(format!(
                    "there are more than {FILES_MAX} files in {folder}; name a folder further down"
                ));
            }
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else {
                continue;
            };
            let end = path
                .extension()
                .and_then(|end| end.to_str())
                .unwrap_or_default();
            let is_replaced = end.strip_prefix("replaced-").is_some_and(|nth| {
                !nth.is_empty() && nth.bytes().all(|digit| digit.is_ascii_digit())
            });
            if kind.is_file() && end == "db" {
                found.push(path);
            } else if kind.is_dir() && depth < DEPTH_MAX && end != "backups" && !is_replaced {
                folders.push((path, depth + 1));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn text_of(verified: &Verified) -> String {
    let mut text = format!("{}\n", in_one_line(&verified.database.to_string()));
    text.extend(
        verified
            .notes
            .iter()
            .map(|note| format!("note: {}\n", in_one_line(note))),
    );
    text.extend(
        verified
            .findings
            .iter()
            .map(|finding| format!("database: {}\n", in_one_line(finding))),
    );
    text.extend(verified.campaigns.iter().map(details));
    if !verified.findings.is_empty() {
        let found = counted(verified.findings.len() as u64, "finding", "findings");
        text.push_str(&format!("database: NOT VERIFIED, {found}\n"));
    }
    text
}

fn details(report: &Report) -> String {
    let name = in_one_line(&report.campaign);
    let finding = |one: &Finding| {
        let gap = if one.seq == 0 { ":" } else { "" };
        format!("{name}{gap} {}", in_one_line(&one.to_string()))
    };
    let note =
        |one: &Finding| format!("{name} {}: note: {}", one.entries(), in_one_line(&one.what));
    let mut lines: Vec<String> = report.findings.iter().map(finding).collect();
    lines.extend((report.more > 0).then(|| format!("{name}: and {} more", report.more)));
    lines.extend(report.notes.iter().map(note));
    let more = counted(report.more_notes, "more note", "more notes");
    lines.extend((report.more_notes > 0).then(|| format!("{name}: and {more}")));
    let left_out = counted(report.left_out, "comparison", "comparisons");
    lines.extend((report.left_out > 0).then(|| {
        format!("{name}: {left_out} with what the log adds up to were left out, because entries are missing")
    }));
    lines.extend(
        report
            .rules
            .iter()
            .map(|(entry, change)| format!("{name} #{entry}: {}", in_one_line(change))),
    );
    for Opened { entry, by, in_part } in &report.opened {
        let partly = if *in_part {
            ", of which players saw a part,"
        } else {
            ""
        };
        lines.push(format!(
            "{name}: #{entry}{partly} was opened by #{by}, as it was sealed"
        ));
    }
    let verdict = match report.findings.len() as u64 {
        0 => "verified".to_owned(),
        shown => format!(
            "NOT VERIFIED, {}",
            counted(shown + report.more, "finding", "findings")
        ),
    };
    lines.push(format!(
        "{name}: {verdict}. {}, {}, {}; the log ends at {}",
        counted(report.entries, "entry", "entries"),
        counted(report.rolls, "roll", "rolls"),
        counted(report.checkpoints as u64, "checkpoint", "checkpoints"),
        report.head.receipt()
    ));
    lines.join("\n") + "\n"
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
    if let Some(bound) = copy.bound {
        text.push_str(&match bound {
            0 => "It tells only how many entries are hidden, and no end of a session binds it: its lines hang together, and that is all.\n".to_owned(),
            bound => format!(
                "It tells only how many entries are hidden. The end of a session, {}, binds the {bound} lines before it; of the {} from there on, \
                 of where hidden entries stand, and of bodies nothing is proven.\n",
                copy.head.receipt(),
                copy.shown.saturating_sub(bound)
            ),
        });
    }
    if let Some(after) = copy.after {
        text.push_str(&format!(
            "It is a part of the log and begins after #{after}: what was before is not in it.\n"
        ));
    }
    let lost = |lost| {
        format!(
            "it was written from a log that lacked something: {}",
            quoted(lost)
        )
    };
    let notes = [
        copy.incomparable.clone(),
        copy.history_lost.as_deref().map(lost),
        copy.weakness.clone(),
    ];
    text.extend(
        notes
            .into_iter()
            .flatten()
            .map(|note| format!("note: {note}\n")),
    );
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

fn text_of_copy(path: &Path, copy: &Checked, receipt: Option<&str>) -> String {
    let mut text: String = copy
        .findings
        .iter()
        .map(|finding| format!("{}\n", in_one_line(finding)))
        .collect();
    let verdict = match (copy.findings.is_empty(), &copy.incomparable) {
        (false, _) => "NOT VERIFIED",
        (true, Some(_)) => "it holds together, and was NOT COMPARED with the receipt",
        (true, None) => "verified",
    };
    let whose = match copy.audience {
        Audience::Gm => "GM's",
        Audience::Player => "players'",
    };
    text.push_str(&format!(
        "{}: {verdict}. The {whose} copy of {} ends at {}\n",
        in_one_line(&path.display().to_string()),
        in_one_line(&copy.campaign),
        copy.head.receipt()
    ));
    text.push_str(&sealed(copy));
    text.push_str(&unchecked(copy, receipt));
    if !copy.findings.is_empty() {
        text.push_str("While something is wrong nothing is proven: ask for another copy, as `rollbook export` wrote it, and compare.\n");
    }
    text
}

/// What became of the entries that players do not see, and of those that they see in part.
fn sealed(copy: &Checked) -> String {
    let opened = |in_part: bool| {
        let all = copy
            .opened
            .iter()
            .filter(|opened| opened.in_part == in_part);
        all.map(|opened| format!("#{} (by #{})", opened.entry, opened.by))
            .collect::<Vec<String>>()
            .join(", ")
    };
    let (whole, partly) = (opened(false), opened(true));
    let sealed = counted(copy.sealed, "sealed entry", "sealed entries");
    if copy.bound.is_some() && copy.sealed > 0 {
        return format!(
            "{sealed}; where they stand, and which of them were opened, this copy does not tell.\n"
        );
    }
    let missing = if copy.findings.is_empty() {
        ", none missing"
    } else {
        ""
    };
    let mut text = match (copy.sealed, whole.is_empty()) {
        (0, true) => String::new(),
        (0, false) => format!("Opened, each as it was sealed: {whole}.\n"),
        (_, true) => format!("{sealed}{missing}, none opened.\n"),
        (_, false) => format!("{sealed}{missing}. Opened, each as it was sealed: {whole}.\n"),
    };
    if !partly.is_empty() {
        text.push_str(&format!(
            "Opened of what players saw in part, each as it was sealed: {partly}.\n"
        ));
    }
    text
}

fn verdict(is_sound: bool) -> &'static str {
    if is_sound { "verified" } else { "not_verified" }
}

fn copy_to_json(path: &Path, copy: &Checked) -> Value {
    json!({
        "file": path.display().to_string(),
        "verdict": match (copy.findings.is_empty(), &copy.incomparable) {
            (true, Some(_)) => "not_compared",
            (is_sound, _) => verdict(is_sound),
        },
        "campaign": copy.campaign,
        "audience": copy.audience,
        "entries": copy.head.seq,
        "head": copy.head.receipt(),
        "receipt_fits_entry": copy.receipted,
        "receipt_not_compared": copy.incomparable,
        "first_bad": copy.first_bad,
        "findings": copy.findings,
        "shown": copy.shown,
        "shown_without_body": copy.closed,
        "sealed": copy.sealed,
        "after": copy.after,
        "bound_lines": copy.bound,
        "opened": opened(&copy.opened),
        "notes": copy.weakness.iter().chain(&copy.history_lost).collect::<Vec<_>>(),
    })
}

fn opened(all: &[Opened]) -> Vec<Value> {
    all.iter()
        .map(|Opened { entry, by, in_part }| json!({"entry": entry, "by": by, "in_part": in_part}))
        .collect()
}

fn to_json(verified: &Verified) -> Value {
    let finding = |found: &Finding| json!({"entry": found.seq, "entries": found.entries(), "what": found.what});
    let findings = |all: &[Finding]| all.iter().map(finding).collect::<Vec<_>>();
    let campaigns = verified.campaigns.iter().map(|report| {
        json!({
            "campaign": report.campaign,
            "verdict": verdict(report.findings.is_empty()),
            "entries": report.entries,
            "rolls": report.rolls,
            "head": report.head.receipt(),
            "checkpoints": report.checkpoints,
            "opened": opened(&report.opened),
            "losses": report.losses.iter().map(|lost| json!({
                "by": lost.by, "log_ended": lost.log_ends, "reached": lost.reached, "what": lost.summary(),
            })).collect::<Vec<_>>(),
            "findings": findings(&report.findings),
            "more_findings": report.more,
            "notes": findings(&report.notes),
            "more_notes": report.more_notes,
        })
    });
    json!({
        "database": verified.database.to_string(),
        "verdict": verdict(verified.is_sound()),
        "findings": verified.findings,
        "notes": verified.notes,
        "removed": verified.removed,
        "campaigns": campaigns.collect::<Vec<_>>(),
    })
}
