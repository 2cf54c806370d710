//! `rollbook test`: the author's examples, run.

use std::path::Path;

use clap::{Args, ValueEnum};

use crate::cli::args::AdventureArg;
use crate::cli::check::each_save;
use crate::cli::output::{Done, Failed, colour, print, say};
use crate::cli::shelf::refuse_change;
use rollbook_table::playtest::report::{self, Report};
use rollbook_table::playtest::{Coverage, Failure, Played, find, play};
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::fixes;
use rollbook_text::diagnostic::{Fix, Sources};
use rollbook_text::names::counted;
use rollbook_text::terminal::as_ours;

/// Play an adventure's own examples, and say which do not hold.
///
/// They are fenced `playtest` blocks and tables in System.md and tests/*.md. Each is a campaign of its own that is thrown away, with the dice that the example says. Exit
/// code 1 when one fails.
#[derive(Debug, Args)]
pub struct Test {
    #[command(flatten)]
    adventure: AdventureArg,
    /// Only playtests whose name contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Put what came in the place of what was expected, and change nothing else.
    #[arg(long)]
    update: bool,
    /// Say, too, what of the rules no playtest reaches: checks, rows, tracks, conditions and more,
    /// each with the call that would. With =PERCENT the exit code is 1 where less of them is
    /// reached.
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, require_equals = true, default_missing_value = "0", value_parser = clap::value_parser!(u8).range(0..=100))]
    coverage: Option<u8>,
    /// Run again whenever a file is saved.
    #[arg(long)]
    watch: bool,
    /// How the result is shown.
    #[arg(long, value_enum, default_value = "human")]
    format: FormatArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// A line each, and every failure with the lines it is about.
    Human,
    /// For programs.
    Json,
}

impl Test {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        refuse_change(
            &self.adventure.named,
            &[("--update", self.update), ("--watch", self.watch)],
        )?;
        let folder = &self.adventure.folder()?;
        if !self.watch {
            return self.once(folder).await;
        }
        each_save(folder, async || self.once(folder).await).await
    }

    async fn once(&self, folder: &Path) -> Result<Done, Failed> {
        let play = || Whole::play(folder, self.only.as_deref(), self.coverage.is_some());
        let mut whole = play().await?;
        if self.update {
            let failures = whole.played.iter().flat_map(|one| &one.failures);
            let edits: Vec<Fix> = failures
                .filter_map(|failure| failure.update.clone())
                .collect();
            for (file, edits) in fixes::apply(&whole.adventure.folder, &whole.sources, &edits)? {
                say(&format!(
                    "{file}: {} rewritten.",
                    counted(edits, "value", "values")
                ));
            }
            if !edits.is_empty() {
                whole = play().await?;
            }
        }
        if let (Some(only), true) = (&self.only, whole.played.is_empty() && whole.passed_over > 0) {
            let many = whole.passed_over;
            return Err(format!(
                "none of the {many} playtests has {only:?} in its name"
            ));
        }
        let report = Report {
            played: &whole.played,
            sources: &whole.sources,
            coverage: whole.coverage.as_ref(),
        };
        print(&match self.format {
            FormatArg::Human => as_ours(&report::human(&report, colour())),
            FormatArg::Json => report::json(&report),
        })?;
        let least = self.coverage.unwrap_or(0);
        if let Some(reached) = whole
            .coverage
            .as_ref()
            .map(Coverage::percent)
            .filter(|reached| *reached < least)
        {
            say(&format!(
                "The playtests reach {reached} % of the rules, and --coverage={least} asks for more."
            ));
            return Ok(Done::Findings);
        }
        Ok(Done::of(report.failed() == 0))
    }
}

struct Whole {
    adventure: Adventure,
    sources: Sources,
    played: Vec<Played>,
    passed_over: usize,
    coverage: Option<Coverage>, // What of the rules they reach, where that is asked for
}

impl Whole {
    async fn play(folder: &Path, only: Option<&str>, covers: bool) -> Result<Whole, Failed> {
        let adventure = Adventure::read(folder)?;
        let (tests, problems) = adventure.tests();
        for problem in adventure.problems.iter().chain(&problems) {
            say(&format!("error: {}", problem.message));
        }
        let rules = adventure
            .reading
            .sources
            .iter()
            .map(|(_, file)| file.clone());
        let sources = Sources::new(rules.chain(tests).collect());
        let found = find(&sources, &adventure.reading.system);
        let wanted =
            |name: &str| only.is_none_or(|part| name.to_lowercase().contains(&part.to_lowercase()));
        let all = found.playtests.len() + found.unreadable.len();
        let mut played = Vec::new();
        let mut coverage =
            covers.then(|| Coverage::of(&adventure.reading.system, &adventure.reading.sources));
        for playtest in found.playtests.into_iter().filter(|one| wanted(&one.name)) {
            let place = tempfile::tempdir()
                .map_err(|error| format!("no folder for the campaign: {error}"))?;
            played.push(play(&adventure, playtest, place.path(), coverage.as_mut()).await);
        }
        let unreadable = found
            .unreadable
            .into_iter()
            .filter(|(name, ..)| wanted(name));
        // A file that holds tests and cannot be read is a test that fails.
        let unread = problems
            .into_iter()
            .map(|problem| ("tests/".to_owned(), Default::default(), vec![problem]));
        played.extend(unreadable.chain(unread).map(|(name, span, wrong)| {
            let failures = wrong.into_iter().map(Failure::of).collect();
            Played {
                name,
                span,
                failures,
                took: Default::default(),
            }
        }));
        played.sort_by_key(|one| (one.span.file, one.span.start));
        let passed_over = all.saturating_sub(played.len());
        Ok(Whole {
            adventure,
            sources,
            played,
            passed_over,
            coverage,
        })
    }
}
