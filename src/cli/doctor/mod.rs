//! `rollbook doctor`: what keeps a table from being played at, or its record from being safe, each with its fix.

mod client;
mod database;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print};
use crate::cli::progress::Progress;
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::paths;
use rollbook_text::names::counted;

/// Look at everything a table needs: folder, file, backups, checkpoints, rules, the client's settings, the server's start. Nothing is changed, but tables
/// that differ from a sound log: they are made anew from it.
///
/// Exit code 0: all is well. 1: findings, each with its fix.
#[derive(Debug, Args)]
pub struct Doctor {
    /// The adventure's folder [default: $CLAUDE_PROJECT_DIR, else the current folder].
    #[arg(long, value_name = "DIR")]
    adventure: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseArg,
    /// As JSON, for programs.
    #[arg(long)]
    json: bool,
}

/// What was found of one thing.
struct Finding {
    /// `folder`, `file`, `backups`, `checkpoints`, `rules`, `client`, `stdout`.
    at: &'static str,
    found: String,
    /// What to do; `None` where it is well.
    fix: Option<String>,
}

fn well(at: &'static str, found: impl Into<String>) -> Finding {
    Finding { at, found: found.into(), fix: None }
}

fn ill(at: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Finding {
    Finding { at, found: found.into(), fix: Some(fix.into()) }
}

impl Doctor {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let location = self.database.to_read()?;
        let adventure = paths::adventure(self.adventure.as_deref());
        let shown = Progress::start("Verifying");
        let mut findings = database::check(&location).await;
        findings.push(match &adventure {
            Ok(folder) => check_rules(folder),
            Err(why) => ill("rules", why.clone(), "name the folder of one with --adventure"),
        });
        findings.extend(client::check_settings());
        findings.push(client::check_server(adventure.as_deref().unwrap_or(".".as_ref())).await);
        drop(shown);
        let fixes = findings.iter().filter(|finding| finding.fix.is_some()).count();
        print(&if self.json { as_json(&findings) } else { as_text(&findings, fixes) })?;
        Ok(Done::of(fixes == 0))
    }
}

fn as_text(findings: &[Finding], fixes: usize) -> String {
    let mut text = String::new();
    for Finding { at, found, fix } in findings {
        let mark = if fix.is_some() { "!!" } else { "ok" };
        text.push_str(&format!("{mark}  {at}: {found}\n"));
        fix.iter().for_each(|fix| text.push_str(&format!("    Fix: {fix}\n")));
    }
    match fixes {
        0 => text + "All is well.\n",
        some => text + &format!("{}.\n", counted(some, "finding", "findings")),
    }
}

fn as_json(findings: &[Finding]) -> String {
    let json = |one: &Finding| json!({"at": one.at, "ok": one.fix.is_none(), "found": one.found, "fix": one.fix});
    format!("{:#}\n", json!(findings.iter().map(json).collect::<Vec<_>>()))
}

fn check_rules(folder: &std::path::Path) -> Finding {
    let shown = folder.display();
    if !paths::has_rules(folder) {
        let found = format!("{shown} has no System.md, so the dice roll and nothing else is known");
        let fix = "`rollbook init` or `rollbook new` makes one; or name its folder with --adventure";
        return ill("rules", found, fix);
    }
    let adventure = match Adventure::read(folder) {
        Ok(adventure) => adventure,
        Err(why) => return ill("rules", why, "make the folder readable"),
    };
    let title = adventure.reading.system.title.as_ref().unwrap_or(&adventure.name);
    if adventure.is_sound() {
        return well("rules", format!("{title} ({shown}) has no errors"));
    }
    let found = format!("{title} ({shown}) has errors; what they are about is left out of play");
    ill("rules", found, format!("`rollbook check {shown}` shows each with its line"))
}
