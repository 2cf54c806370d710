//! Playing a playtest: a fresh campaign in a throw-away database, and every client's tools.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::codes;
use super::compare::{differs, shape};
use super::coverage::Coverage;
use super::read::{Playtest, Step};
use super::tray::Tray;
use crate::session::adventure::Adventure;
use crate::session::{CallError, Host, ReplyDetail};
use crate::tools::reply;
use rollbook_dice::DrawError;
use rollbook_game::record::entry::Entry;
use rollbook_game::refusal::Code;
use rollbook_store::location::Location;
use rollbook_store::{Reader, StoreError};
use rollbook_text::diagnostic::{Diagnostic, Fix, Span};

/// When every playtest is played: 2026-01-01T00:00:00Z, so that replies do not change with the day.
pub const CLOCK: fn() -> i64 = || 1_767_225_600_000_000;
const PAGE: u32 = 200;

/// A playtest after its run; it passed where there is no failure.
pub struct Played {
    pub name: String,
    pub span: Span,
    pub failures: Vec<Failure>,
    pub took: Duration,
}

/// What did not come as the playtest expects it.
pub struct Failure {
    pub diagnostic: Diagnostic,
    /// The edit that makes the file expect what came; none where only the author can know.
    pub update: Option<Fix>,
}

impl Failure {
    /// A failure that no edit of a value can fix.
    pub fn of(diagnostic: Diagnostic) -> Self {
        Failure {
            diagnostic,
            update: None,
        }
    }
}

/// A campaign with this tray for its dice, in a database of its own in `folder`.
pub fn host(adventure: &Adventure, folder: &Path, tray: &Tray, name: &str) -> Host {
    let dice = tray.clone();
    let database = folder.join(format!("{name}.db"));
    let mut host = Host::new(
        adventure.clone(),
        database,
        None,
        Box::new(move || dice.chance()),
        CLOCK,
    )
    .thrown_away();
    host.detail = ReplyDetail::Full;
    host
}

/// Plays one, in a folder of its own; what it reaches is marked in `coverage`.
pub async fn play(
    adventure: &Adventure,
    playtest: Playtest,
    folder: &Path,
    mut coverage: Option<&mut Coverage>,
) -> Played {
    let begun = Instant::now();
    let tray = Tray::pinned();
    let host = host(adventure, folder, &tray, "playtest");
    let mut failures = Vec::new();
    let last = playtest.steps.len();
    for (nth, step) in (1..).zip(&playtest.steps) {
        match made(&host, &tray, step).await {
            Ok(mut found) => {
                failures.append(&mut found);
                if let (Some(coverage), None) = (&mut coverage, &step.refusal) {
                    coverage.follow_call(&step.tool.name, &step.arguments);
                }
            }
            // What follows is on a call that was not made.
            Err(failure) => {
                let mut failure = *failure;
                match last - nth {
                    0 => {}
                    1 => failure
                        .diagnostic
                        .notes
                        .push("the call after it was not made".to_owned()),
                    left => failure
                        .diagnostic
                        .notes
                        .push(format!("the {left} calls after it were not made")),
                }
                failures.push(failure);
                break;
            }
        }
    }
    let database = host.database.clone();
    host.close().await;
    if let Some(coverage) = coverage
        && let Err(error) = follow(&database, coverage).await
    {
        let found = Diagnostic::error(codes::FAILED, "what the playtest reached cannot be read");
        failures.push(Failure::of(
            found.at(playtest.span, "this playtest").because(error),
        ));
    }
    Played {
        name: playtest.name,
        span: playtest.span,
        failures,
        took: begun.elapsed(),
    }
}

async fn follow(database: &Location, coverage: &mut Coverage) -> Result<(), String> {
    let failed = |error: StoreError| error.to_string();
    let Some(mut reader) = Reader::open_if_any(database).await.map_err(failed)? else {
        return Ok(());
    };
    for (_, identity) in reader.campaigns().await.map_err(failed)? {
        let mut after = 0;
        loop {
            let rows = reader
                .rows(identity.key, after, PAGE)
                .await
                .map_err(failed)?;
            let Some(last) = rows.last() else { break };
            after = last.seq;
            for row in &rows {
                let entry: Entry =
                    serde_json::from_slice(&row.body).map_err(|error| error.to_string())?;
                coverage.follow(&entry);
            }
        }
    }
    reader.close().await.map_err(failed)
}

/// Makes one call and compares; `Err` when the call did not come to what it was meant to.
async fn made(host: &Host, tray: &Tray, step: &Step) -> Result<Vec<Failure>, Box<Failure>> {
    tray.lay(&step.dice);
    let answer = step.tool.call(host, step.arguments.clone()).await;
    if let Some(problem) = tray.problem() {
        return Err(Box::new(Failure::of(no_die(step, &problem))));
    }
    let mut failures = Vec::new();
    let reply = match (answer, &step.refusal) {
        (Ok(reply), None) => reply,
        (Ok(reply), Some((code, span))) => {
            let found = Diagnostic::error(
                codes::NOT_REFUSED,
                format!("the call was carried out, not refused with {code}"),
            )
            .at(*span, "was to be refused")
            .and(step.span, "this call")
            .because(format!("the reply: {}", shape(&reply)));
            return Err(Box::new(Failure::of(found)));
        }
        (Err(CallError::Refusal(refusal)), None) => {
            let found = Diagnostic::error(
                codes::REFUSED,
                format!("the call was refused: {}", refusal.code),
            )
            .at(step.span, "this call")
            .because(refusal.summary)
            .help(format!(
                "if that is meant, say so in the line below: ! {}",
                refusal.code
            ));
            return Err(Box::new(Failure::of(found)));
        }
        (Err(CallError::Refusal(refusal)), Some((code, span))) => {
            if *code != refusal.code {
                failures.push(other_code(
                    step,
                    *code,
                    *span,
                    refusal.code,
                    &refusal.summary,
                ));
            }
            reply::refused(&refusal)
        }
        (Err(CallError::Failure(reason)), _) => {
            let found = Diagnostic::error(codes::FAILED, "the program failed")
                .at(step.span, "this call")
                .because(reason);
            return Err(Box::new(Failure::of(found)));
        }
    };
    failures.extend(left_over(step, &tray.left()));
    failures.extend(compared(step, &reply));
    Ok(failures)
}

/// How the reply differs from what was expected; the first difference shows the whole reply.
fn compared(step: &Step, reply: &Map<String, Value>) -> impl Iterator<Item = Failure> {
    let differing = step
        .expected
        .iter()
        .filter_map(|expected| differs(expected, reply, step.span));
    differing
        .enumerate()
        .map(|(nth, (diagnostic, update))| Failure {
            diagnostic: match nth {
                0 => diagnostic.because(format!("the reply: {}", shape(reply))),
                _ => diagnostic,
            },
            update,
        })
}

fn other_code(step: &Step, wanted: Code, span: Span, code: Code, summary: &str) -> Failure {
    let diagnostic = Diagnostic::error(
        codes::REFUSED,
        format!("the call was refused with {code}, not with {wanted}"),
    )
    .at(span, format!("came: {code}"))
    .and(step.span, "this call")
    .because(summary);
    let update = Fix {
        span,
        replacement: code.to_string(),
        message: "expect what came".to_owned(),
    };
    Failure {
        diagnostic,
        update: Some(update),
    }
}

fn no_die(step: &Step, problem: &DrawError) -> Diagnostic {
    let (message, label) = match problem {
        DrawError::TooFew { used } => {
            let are = if *used == 1 { "is" } else { "are" };
            (
                format!("too few dice: {used} {are} given and the call needs more"),
                "one more die is needed".to_owned(),
            )
        }
        DrawError::NoSuchFace { place, face, faces } => (
            format!("die number {place} cannot show {face}"),
            format!("its faces are {faces}"),
        ),
        other => (other.to_string(), String::new()),
    };
    let found = Diagnostic::error(codes::DICE, message);
    match step.dice_span {
        Some(span) => found.at(span, label).and(step.span, "for this call"),
        None => found
            .at(step.span, "rolls dice")
            .help("say what falls in the line below: dice 13"),
    }
}

fn left_over(step: &Step, left: &[i64]) -> Option<Failure> {
    if left.is_empty() {
        return None;
    }
    let faces = left
        .iter()
        .map(i64::to_string)
        .collect::<Vec<_>>()
        .join(" ");
    let found = Diagnostic::error(codes::DICE, format!("dice left over: {faces}"))
        .at(
            step.dice_span.unwrap_or(step.span),
            "more than the call rolls",
        )
        .and(step.span, "this call");
    Some(Failure::of(found))
}
