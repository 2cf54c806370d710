//! `rollbook check`: what an author is told.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{Done, Failed, colour, explain, print, say, watching};
use crate::diagnostic::{Diagnostic, Fix, Severity, Sources, render};
use crate::rules::{links, proofs, understood};
use crate::session::adventure::Adventure;
use crate::session::author;

/// Read an adventure's rules: what was understood, what is wrong, and where.
///
/// Exit code 1 when there is an error. `rollbook explain CODE` says more about a finding.
#[derive(Debug, Args)]
pub struct Check {
    /// The adventure's folder.
    #[arg(value_name = "DIR", default_value = ".")]
    adventure: PathBuf,
    /// How remarks are shown.
    #[arg(long, value_enum, default_value = "human")]
    format: FormatArg,
    /// Make the edits that can be meant in one way only, and say which.
    #[arg(long)]
    fix: bool,
    /// Check again whenever a file is saved.
    #[arg(long)]
    watch: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// With the lines they are about, then the summary.
    Human,
    /// One line each: file:line:column: severity[code]: message.
    Plain,
    /// For programs.
    Json,
    /// Workflow commands, shown beside the lines of a change.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

impl Check {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        match self.watch {
            true => watching::each_save(&self.adventure, async || self.once()).await,
            false => self.once(),
        }
    }

    fn once(&self) -> Result<Done, Failed> {
        let mut adventure = Adventure::read(&self.adventure)?;
        if self.fix && mended(&adventure)? {
            adventure = Adventure::read(&self.adventure)?;
        }
        let reading = &adventure.reading;
        let sources = &adventure.pages();
        let found = findings(&adventure, sources);
        let root = root(&self.adventure);
        print(&match self.format {
            FormatArg::Human => {
                let drawn = render::human(&found, sources, colour());
                let gap = if drawn.is_empty() { "" } else { "\n" };
                format!("{drawn}{gap}{}{}", understood(reading), tally(&found))
            }
            FormatArg::Plain => render::plain(&found, sources),
            FormatArg::Json => render::json(&found, sources, &root),
            FormatArg::Github => render::github(&found, sources, &root),
            FormatArg::Sarif => render::sarif(&found, sources, &root, explain::about),
        })?;
        Ok(if adventure.is_sound() { Done::Well } else { Done::Findings })
    }
}

/// What cannot be read at all, then what is wrong with the rules and the links, in the order of the files.
fn findings(adventure: &Adventure, sources: &Sources) -> Vec<Diagnostic> {
    let mut found = adventure.reading.diagnostics.clone();
    found.extend(proofs(&adventure.reading));
    found.extend(links(sources, &|name| adventure.has(name)));
    // What is about no place, such as that there is more, stays at the end.
    found.sort_by_key(|one| one.span().map_or((1, None), |span| (0, Some((span.file, span.start)))));
    adventure.problems.iter().cloned().chain(found).collect()
}

/// Makes the sure edits and says which; whether there were any.
fn mended(adventure: &Adventure) -> Result<bool, Failed> {
    // A file that is no UTF-8 was read with other bytes than it has.
    if !adventure.problems.is_empty() {
        say("Nothing was fixed: first every file must be readable.");
        return Ok(false);
    }
    let sources = &adventure.pages();
    let fixes: Vec<Fix> = findings(adventure, sources).iter().filter_map(Diagnostic::sure_fix).cloned().collect();
    let changed = author::edit(&adventure.folder, sources, &fixes)?;
    for fix in fixes.iter().filter(|fix| changed.iter().any(|(file, _)| *file == sources.place(fix.span).file)) {
        say(&fixed(fix, sources));
    }
    if changed.is_empty() {
        say("Nothing to fix without asking.");
    }
    Ok(!changed.is_empty())
}

/// "System.md:3:4: Skils -> Skills (call it `Skills`)".
fn fixed(fix: &Fix, sources: &Sources) -> String {
    let before = sources.text(fix.span);
    format!("fixed {}: {before} -> {} ({})", sources.place(fix.span).full(), fix.replacement, fix.message)
}

/// What stands before the names of files so that they are found from here.
fn root(folder: &Path) -> String {
    let folder = folder.to_string_lossy().replace('\\', "/");
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    if folder.is_empty() || folder == "." { String::new() } else { format!("{folder}/") }
}

/// The last line: how many remarks of each kind.
fn tally(found: &[Diagnostic]) -> String {
    let of = |severity| found.iter().filter(|one| one.severity == severity).count();
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    match (of(Severity::Error), of(Severity::Warning), of(Severity::Note)) {
        (0, 0, 0) => "\nNothing to remark.\n".to_owned(),
        (errors, warnings, notes) => {
            let counts = [(errors, "error"), (warnings, "warning"), (notes, "note")].map(|(n, what)| counted(n, what));
            format!("\n{}.\n", counts.join(", "))
        }
    }
}
