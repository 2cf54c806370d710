//! What was found, for programs.

use std::path::Path;

use serde_json::{Value, json};

use rollbook_record::export::Checked;
use rollbook_store::verify::{Finding, Opened, Verified};

/// The word for an exit code of 0 or 1.
fn verdict(is_sound: bool) -> &'static str {
    if is_sound { "verified" } else { "not_verified" }
}

pub fn copy_report(path: &Path, copy: &Checked) -> Value {
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
    all.iter().map(|Opened { entry, by, in_part }| json!({"entry": entry, "by": by, "in_part": in_part})).collect()
}

pub fn report(verified: &Verified) -> Value {
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
