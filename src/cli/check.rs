//! `rollbook check` and `rollbook show`: the findings in rules, and what was understood.

use std::path::Path;

use clap::{Args, ValueEnum};

use super::args::AdventureArg;
use super::output::{Done, Failed, answer, colour, print, say};
use super::shelf::{folder_of, names, refuse_change};
use rollbook_game::import::unread_lines;
use rollbook_rules::{Reading, codes, model, proofs, reading_summary, tables};
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::fixes;
use rollbook_table::session::watch::Watch;
use rollbook_text::diagnostic::{Diagnostic, Fix, Severity, Sources, render};
use rollbook_text::names::counted;
use rollbook_text::terminal::as_ours;

/// Read an adventure's rules: what was understood, what is wrong.
///
/// Exit code 1 when there is an error. `rollbook explain CODE` says more about a finding.
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    adventure: AdventureArg,
    /// How remarks are shown.
    #[arg(long, value_enum, default_value = "human")]
    format: FormatArg,
    /// Make the edits that can be meant in one way only, and say which.
    #[arg(long)]
    fix: bool,
    /// Check again whenever a file is saved.
    #[arg(long)]
    watch: bool,
    /// The findings as JSON, in short for --format json.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// What was understood, then the findings with the lines they are about.
    Human,
    #[value(help = "One line each: file:line:column: severity[code]: message")]
    Plain,
    /// For programs.
    Json,
}

impl Check {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        refuse_change(
            &self.adventure.named,
            &[("--fix", self.fix), ("--watch", self.watch)],
        )?;
        let folder = &self.adventure.folder()?;
        if !self.watch {
            return self.once(folder);
        }
        each_save(folder, async || self.once(folder)).await
    }

    fn once(&self, folder: &Path) -> Result<Done, Failed> {
        let adventure = self.read(folder)?;
        let sources = &adventure.pages();
        let found = findings(&adventure, sources);
        print(&match if self.json {
            FormatArg::Json
        } else {
            self.format
        } {
            FormatArg::Human => {
                let drawn = as_ours(&render::human(&found, sources, colour()));
                let gap = if drawn.is_empty() { "" } else { "\n" };
                let reading = &adventure.reading;
                format!(
                    "{}{gap}{drawn}{}{}",
                    reading_summary(reading),
                    match reading.system.narrative && found.is_empty() {
                        true => format!(
                            "\nThere is nothing to check. Name an adventure's folder, or one of {}; `rollbook new NAME` begins one.\n",
                            names()
                        ),
                        false => tally(&found),
                    },
                    closing(reading)
                )
            }
            FormatArg::Plain => render::plain(&found, sources),
            FormatArg::Json => {
                render::json(&found, sources, &root(folder_of(&self.adventure.named)))
            }
        })?;
        Ok(Done::of(adventure.is_sound()))
    }

    fn read(&self, folder: &Path) -> Result<Adventure, Failed> {
        let mut adventure = Adventure::read(folder)?;
        if !self.fix {
            return Ok(adventure);
        }
        // A file that is no UTF-8 was read with other bytes than it has.
        if !adventure.problems.is_empty() {
            say("Nothing was fixed: first every file must be readable.");
            return Ok(adventure);
        }
        // An edit may reveal further findings: those below a corrected heading, for example.
        for round in 0..ROUNDS_MAX {
            if !apply_sure_fixes(&adventure)? {
                if round == 0 {
                    say("Nothing to fix without asking.");
                }
                break;
            }
            adventure = Adventure::read(folder)?;
        }
        Ok(adventure)
    }
}

/// Show what was understood of the rules: each item with its line.
#[derive(Debug, Args)]
pub struct Show {
    #[command(flatten)]
    adventure: AdventureArg,
    /// The whole model, for programs.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let reading = Adventure::read(&self.adventure.folder()?)?.reading;
        answer(&if self.json {
            format!("{:#}\n", model(&reading))
        } else {
            reading_summary(&reading)
        })
    }
}

/// Runs `once`, and again after each save, also of rules that these are built on, until it is
/// interrupted. Mistakes in between are printed and do not end it: the author is typing.
pub(super) async fn each_save(
    folder: &Path,
    mut once: impl AsyncFnMut() -> Result<Done, Failed>,
) -> Result<Done, Failed> {
    let mut watch = Watch::new(folder)?;
    loop {
        // Before they are read: a save meanwhile is seen.
        watch.also(
            Adventure::read(folder)
                .map(|adventure| adventure.bases)
                .unwrap_or_default(),
        );
        if let Err(reason) = once().await {
            say(&format!("rollbook: {reason}"));
        }
        say(&format!("Watching {}; Ctrl-C ends it.", folder.display()));
        if !watch.wait().await {
            return Ok(Done::Well);
        }
    }
}

/// The findings in an adventure's rules, a line each, and whether none is an error.
pub(super) fn plain(adventure: &Adventure) -> (String, bool) {
    let sources = &adventure.pages();
    (
        render::plain(&findings(adventure, sources), sources),
        adventure.is_sound(),
    )
}

const ROUNDS_MAX: usize = 10; // How often all sure edits are made, one after the other

/// What comes before the names of files so that they are found from here.
fn root(folder: &Path) -> String {
    let folder = folder.to_string_lossy().replace('\\', "/");
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    if folder.is_empty() || folder == "." {
        String::new()
    } else {
        format!("{folder}/")
    }
}

/// The last line: what was read, what was not, and what is assumed.
fn closing(reading: &Reading) -> String {
    if reading.system.narrative {
        return String::new();
    }
    let system = &reading.system;
    let not_rules = match reading
        .diagnostics
        .iter()
        .filter(|finding| finding.code == codes::NOT_A_RULE)
        .count()
    {
        0 => String::new(),
        many => counted(many as u64, "line is not a rule; ", "lines are not rules; "),
    };
    let assumed = match system.assumptions.len() {
        0 => "nothing is assumed".to_owned(),
        many => counted(many as u64, "thing is assumed", "things are assumed"),
    };
    let read = counted(system.rules_read, "rule", "rules");
    format!("{read} read; {not_rules}{assumed}; the rest is prose.\n")
}

fn tally(found: &[Diagnostic]) -> String {
    let of = |severity| found.iter().filter(|one| one.severity == severity).count();
    match (
        of(Severity::Error),
        of(Severity::Warning),
        of(Severity::Note),
    ) {
        (0, 0, 0) => "\nNothing to remark.\n".to_owned(),
        (errors, warnings, notes) => format!(
            "\n{}, {}, {}.\n",
            counted(errors, "error", "errors"),
            counted(warnings, "warning", "warnings"),
            counted(notes, "note", "notes")
        ),
    }
}

/// The findings: what cannot be read at all, then the rest in the order of the files.
fn findings(adventure: &Adventure, sources: &Sources) -> Vec<Diagnostic> {
    let reading = &adventure.reading;
    let mut found = reading.diagnostics.clone();
    found.extend(
        tables(sources)
            .into_iter()
            .chain(unread_lines(sources, &reading.system))
            .chain(proofs(reading)),
    );
    // What is about no place, such as that there is more, stays at the end.
    found.sort_by_key(|one| {
        one.span()
            .map_or((1, None), |span| (0, Some((span.file, span.start))))
    });
    adventure.problems.iter().cloned().chain(found).collect()
}

fn apply_sure_fixes(adventure: &Adventure) -> Result<bool, Failed> {
    let sources = &adventure.pages();
    let fixes: Vec<Fix> = findings(adventure, sources)
        .iter()
        .filter_map(Diagnostic::sure_fix)
        .cloned()
        .collect();
    let changed = fixes::apply(&adventure.folder, sources, &fixes)?;
    for fix in fixes.iter().filter(|fix| {
        changed
            .iter()
            .any(|(file, _)| *file == sources.place(fix.span).file)
    }) {
        // "System.md:3:4: Skils -> Skills (call it `Skills`)".
        let (place, before) = (sources.place(fix.span).full(), sources.text(fix.span));
        say(&format!(
            "fixed {place}: {before} -> {} ({})",
            fix.replacement, fix.message
        ));
    }
    Ok(!changed.is_empty())
}
