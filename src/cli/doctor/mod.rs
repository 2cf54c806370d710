//! `rollbook doctor`: what keeps a table from being played at, or its record from being safe, each with its fix.

mod client;
mod database;
mod looked;
mod server;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::cli::args::DatabaseArg;
use crate::cli::output::{Done, Failed, print};
use crate::cli::progress::Progress;
use looked::Looked;
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

impl Doctor {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let location = self.database.to_read()?;
        let adventure = paths::adventure(self.adventure.as_deref());
        let shown = Progress::reading("Verifying", &location, None).await;
        let mut looked = database::look(&location).await;
        looked.extend(match &adventure {
            Ok(folder) => rules(folder),
            Err(why) => vec![Looked::ill("rules", why.clone(), "name the folder of one with --adventure")],
        });
        looked.extend(client::look().await);
        looked.push(server::look(adventure.as_deref().unwrap_or(".".as_ref())).await);
        drop(shown);
        let findings = looked.iter().filter(|own| own.fix.is_some()).count();
        print(&if self.json { as_json(&looked) } else { as_text(&looked, findings) })?;
        Ok(if findings == 0 { Done::Well } else { Done::Findings })
    }
}

fn as_text(looked: &[Looked], findings: usize) -> String {
    let mut text = String::new();
    for Looked { at, found, fix } in looked {
        let mark = if fix.is_some() { "!!" } else { "ok" };
        text.push_str(&format!("{mark}  {at}: {found}\n"));
        fix.iter().for_each(|fix| text.push_str(&format!("    Fix: {fix}\n")));
    }
    match findings {
        0 => text + "All is well.\n",
        some => text + &format!("{}.\n", counted(some as u64, "finding", "findings")),
    }
}

fn as_json(looked: &[Looked]) -> String {
    let one = |own: &Looked| json!({"at": own.at, "ok": own.fix.is_none(), "found": own.found, "fix": own.fix});
    format!("{:#}\n", json!(looked.iter().map(one).collect::<Vec<_>>()))
}

fn rules(folder: &std::path::Path) -> Vec<Looked> {
    let shown = folder.display();
    if !paths::has_rules(folder) {
        let found = format!("{shown} has no System.md, so the dice roll and nothing else is known");
        return vec![Looked::ill(
            "rules",
            found,
            "`rollbook init` or `rollbook new` makes one; or name its folder with --adventure",
        )];
    }
    let adventure = match Adventure::read(folder) {
        Ok(adventure) => adventure,
        Err(why) => return vec![Looked::ill("rules", why, "make the folder readable")],
    };
    let title = adventure.reading.system.title.clone().unwrap_or_else(|| adventure.name.clone());
    match adventure.is_sound() {
        true => vec![Looked::well("rules", format!("{title} ({shown}) has no errors"))],
        false => {
            let found = format!("{title} ({shown}) has errors; what they are about is left out of play");
            vec![Looked::ill("rules", found, format!("`rollbook check {shown}` shows each with its line"))]
        }
    }
}
