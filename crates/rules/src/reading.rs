//! One reading of an adventure's rules.

use sha2::{Digest, Sha256};

use crate::base::Find;
use crate::document::{Bound, Document, MARKS};
use crate::language;
use crate::language::ledger::Ledger;
use crate::language::outline::Outline;
use crate::language::summary::Summary;
use crate::language::system::System;
use crate::limits::Limits;
use crate::{base, codes, lint};
use rollbook_text::diagnostic::{Diagnostic, FileId, Severity, SourceFile, Sources, Span};
use rollbook_text::names::counted;

/// What was read: the system, the findings, and the texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub system: System,
    /// The findings, in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts, to show the places of findings.
    pub sources: Sources,
    /// SHA-256 over names and texts, in lower-case hex.
    pub hash: String,
}

impl Reading {
    /// How many findings are at least this bad.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics
            .iter()
            .filter(|found| found.severity >= severity)
            .count()
    }
}

/// Reads the rules in these files, in this order. No files: a narrative adventure.
///
/// Never fails: mistakes are in the diagnostics.
pub fn read(files: Vec<SourceFile>) -> Reading {
    read_within(files, &Limits::DEFAULT)
}

/// [`read`] with other limits.
pub fn read_within(files: Vec<SourceFile>, limits: &Limits) -> Reading {
    read_with_bases(files, limits, &mut base::builtin_only)
}

/// [`read`] with other limits, and with bases from `find`.
pub fn read_with_bases(files: Vec<SourceFile>, limits: &Limits, find: &mut Find<'_>) -> Reading {
    let (sources, document, heading) = base::document(files, limits, find);
    let hash = hash(
        sources
            .iter()
            .flat_map(|(_, file)| [file.name.as_str(), &file.text]),
    );
    let (mut system, ledger) = read_document(&document, &sources, limits);
    let Ledger {
        mut diagnostics,
        assumptions,
        ..
    } = ledger;
    diagnostics.extend(heading.findings);
    (system.version, system.bases) = (heading.version, heading.bases);
    system.assumptions = assumptions;
    system.narrative = sources.iter().next().is_none();
    sort_and_cut(&mut diagnostics, limits.diagnostics);
    Reading {
        system,
        diagnostics,
        sources,
        hash,
    }
}

/// Findings from rolling checks: gaps, rows that never win, checks that always or never succeed.
///
/// Checks with errors in the reading are left out.
pub fn proofs(reading: &Reading) -> Vec<Diagnostic> {
    lint::proofs(&reading.system, &reading.diagnostics, &|| false)
}

/// A summary for authors: one aligned line for each item with its place, then the assumptions.
pub fn reading_summary(reading: &Reading) -> String {
    let system = &reading.system;
    if system.narrative {
        return "A narrative adventure: no System.md. Dice, log and combat work; there are no checks.\n".to_owned();
    }
    let mut summary = Summary::default();
    summary.section("Rules");
    summary.line("title", system.title.as_deref().unwrap_or("(none)"), None);
    if let Some(version) = &system.version {
        summary.line("version", version, None);
    }
    if !system.bases.is_empty() {
        summary.line("base", &system.bases.join(", which is built on "), None);
    }
    language::describe(system, &mut summary);
    summary.section("Assumed");
    for assumption in &system.assumptions {
        summary.line("", &assumption.text, assumption.place.as_ref());
    }
    summary.finish()
}

/// Reads a document into a system, with findings and assumptions in the ledger.
fn read_document<'s>(
    document: &Document,
    sources: &'s Sources,
    limits: &'s Limits,
) -> (System, Ledger<'s>) {
    let mut ledger = Ledger::new(sources, limits);
    check_files(&mut ledger);
    document
        .cut
        .iter()
        .for_each(|(bound, at)| report_cut(*bound, *at, &mut ledger));
    let mut outline = Outline::new(document, &mut ledger);
    let mut system = language::read(document, &mut outline, &mut ledger);
    lint::all(&system, &mut ledger);
    system.rules_read = outline.file.rules.len()
        + outline
            .file
            .tables
            .iter()
            .map(|table| table.rows.len())
            .sum::<usize>();
    (system, ledger)
}

/// Reports files that are too large, and rules in both System.md and System/.
fn check_files(ledger: &mut Ledger<'_>) {
    let files: Vec<(FileId, String, usize)> = ledger
        .sources
        .iter()
        .map(|(id, source)| (id, source.name.clone(), source.text.len()))
        .collect();
    let megabytes = |bytes: usize| bytes.div_ceil(1_000_000);
    for (id, name, bytes) in &files {
        if *bytes > ledger.limits.file_bytes {
            let message = format!(
                "{name} has {} MB and is not read: the limit is {} MB",
                megabytes(*bytes),
                megabytes(ledger.limits.file_bytes)
            );
            ledger.report(
                Diagnostic::error(codes::FILE_TOO_LARGE, message)
                    .at(Span::new(*id, 0..0), "")
                    .help("keep rules in System.md and move everything else to other files"),
            );
        }
    }
    let read: Vec<FileId> = ledger
        .limits
        .within(ledger.sources)
        .map(|(id, _)| id)
        .collect();
    let left_out = |(id, _, bytes): &&(FileId, String, usize)| {
        *bytes <= ledger.limits.file_bytes && !read.contains(id)
    };
    if let Some((id, name, _)) = files.iter().find(left_out) {
        let most = megabytes(ledger.limits.total_bytes);
        let message = format!("{name} is not read: all files together have more than {most} MB");
        ledger.report(
            Diagnostic::error(codes::FILES_TOO_LARGE, message)
                .at(Span::new(*id, 0..0), "")
                .help("keep rules in System/ and move everything else to other folders"),
        );
    }
    let single = files.iter().find(|(_, name, _)| name == "System.md");
    let folder = files
        .iter()
        .find(|(_, name, _)| name.starts_with("System/"));
    if let (Some((single, ..)), Some((folder, name, _))) = (single, folder) {
        ledger.report(
            Diagnostic::warning(
                codes::TWO_HOMES,
                "rules stand both in System.md and in System/",
            )
            .at(Span::new(*single, 0..0), "this file")
            .and(Span::new(*folder, 0..0), format!("and {name}"))
            .because("they are read as one, in this order")
            .help("keep one of the two"),
        );
    }
}

/// Reports where a file is cut.
fn report_cut(bound: Bound, at: Span, ledger: &mut Ledger<'_>) {
    let what = match bound {
        Bound::Lines => format!("{} lines", ledger.limits.lines),
        Bound::Marks => format!("{} of the letters {MARKS}", ledger.limits.marks),
        Bound::Pieces => format!(
            "{} headings, bullets, paragraphs and cells",
            ledger.limits.pieces
        ),
    };
    let message = format!("a file has more than {what}; the rest is not read");
    ledger.report(
        Diagnostic::error(codes::TOO_MANY_ITEMS, message)
            .at(
                Span::new(at.file, at.start..at.start),
                "the limit is reached here",
            )
            .help("keep rules in System.md and move everything else to other files"),
    );
}

/// Sorts findings in the order of the files, and keeps the worst where there are too many.
fn sort_and_cut(diagnostics: &mut Vec<Diagnostic>, limit: usize) {
    let left = diagnostics.len().saturating_sub(limit);
    if left > 0 {
        diagnostics.sort_by_key(|found| std::cmp::Reverse(found.severity));
        diagnostics.truncate(limit);
    }
    diagnostics.sort_by_key(|found| {
        found
            .span()
            .map_or((FileId::default(), 0), |span| (span.file, span.start))
    });
    if left > 0 {
        diagnostics.push(Diagnostic::note(
            codes::TOO_MANY_FINDINGS,
            format!("and {}", counted(left, "more finding", "more findings")),
        ));
    }
}

/// A hash of texts and their lengths, so that different lists of texts have different hashes.
pub(super) fn hash<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut hash = Sha256::new();
    for part in texts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    base16ct::lower::encode_string(&hash.finalize())
}
