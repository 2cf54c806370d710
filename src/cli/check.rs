//! `rollbook check`: what an author is told.

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::{Args, ValueEnum};

use super::{Done, Failed, print};
use crate::diagnostic::Severity;
use crate::diagnostic::render;
use crate::rules::understood;
use crate::session::adventure::Adventure;

/// Read an adventure's rules: what was understood, what is wrong, and where.
#[derive(Debug, Args)]
pub struct Check {
    /// The adventure's folder.
    #[arg(value_name = "DIR", default_value = ".")]
    adventure: PathBuf,
    /// How remarks are shown.
    #[arg(long, value_enum, default_value = "human")]
    format: FormatArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// With the lines they are about, then the summary.
    Human,
    /// One line each: file:line:column: severity[code]: message.
    Plain,
}

impl Check {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let adventure = Adventure::read(&self.adventure)?;
        let reading = &adventure.reading;
        let mut text = String::new();
        for problem in &adventure.problems {
            text.push_str(&format!("error: {problem}\n"));
        }
        match self.format {
            FormatArg::Human => {
                let colour = anstream::AutoStream::choice(&std::io::stdout()) != ColorChoice::Never;
                text.push_str(&render::human(&reading.diagnostics, &reading.sources, colour));
                text.push_str(&understood(reading));
                text.push_str(&tally(&adventure));
            }
            FormatArg::Plain => text.push_str(&render::plain(&reading.diagnostics, &reading.sources)),
        }
        print(&text)?;
        Ok(if adventure.is_sound() { Done::Well } else { Done::Findings })
    }
}

/// The last line: how many remarks of each kind.
fn tally(adventure: &Adventure) -> String {
    let of =
        |severity| adventure.reading.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let errors = of(Severity::Error) + adventure.problems.len();
    let (warnings, notes) = (of(Severity::Warning), of(Severity::Note));
    match (errors, warnings, notes) {
        (0, 0, 0) => "\nNothing to remark.\n".to_owned(),
        _ => format!("\n{errors} errors, {warnings} warnings, {notes} notes.\n"),
    }
}
