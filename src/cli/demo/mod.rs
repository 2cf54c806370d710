//! `rollbook demo`: the main job, whole. A server is started as a child process, a real client plays a scene of the
//! Lockhouse over its standard input and output, the server is killed twice, and what it knew is compared with what it
//! knew before. Then the log is exported and verified with the program's own commands.
//!
//! The dice are real, so every run is another evening. The command fails when anything differs from what it should be.

mod fight;
mod scene;
mod server;
mod transcript;
mod workspace;

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use self::scene::Scene;
use self::server::Server;
use self::transcript::Transcript;
use self::workspace::Workspace;
use crate::cli::output::{Done, Failed};

/// Play a scene of the Lockhouse through a real server, kill it, bring it back, and check the log.
#[derive(Debug, Args)]
pub struct Demo {
    /// Where to put the campaign [default: a new folder for temporary files].
    #[arg(long, value_name = "DIR")]
    keep_in: Option<PathBuf>,
}

impl Demo {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let workspace = Workspace::prepare(self.keep_in)?;
        let mut out = Transcript::default();
        out.heading("The Lockhouse, nine at night. The lamp is dark.")?;

        let server = Server::start(&workspace).await?;
        out.note(&format!("{} plays over its standard input and output, as process {}.", server.name(), server.pid()))?;
        let mut scene = Scene::new(server, &mut out);
        scene.make_characters().await?;
        scene.pick_the_lock().await?;
        scene.listen_in_secret().await?;
        scene.begin_the_fight().await?;
        scene.three_turns().await?;
        let before = scene.snapshot().await?;
        let killed = scene.server.kill().await?;

        out.heading("The power fails")?;
        out.note(&format!("Process {killed} was killed in the middle of the round (SIGKILL, no goodbye)."))?;
        let server = Server::start(&workspace).await?;
        out.note(&format!("Process {} opens the same campaign.", server.pid()))?;
        let mut scene = Scene::new(server, &mut out);
        same("the fight and the characters after the kill", &before, &scene.snapshot().await?)?;
        scene.resume().await?;
        scene.fight_to_the_end().await?;
        let before = scene.snapshot().await?;
        let receipt = scene.receipt.clone();
        scene.server.kill().await?;
        let mut scene = Scene::new(Server::start(&workspace).await?, &mut out);
        same("the ended fight and the characters after the second kill", &before, &scene.snapshot().await?)?;
        scene.end_of_session().await?;
        let receipt_at_end = if scene.receipt.is_empty() { receipt } else { scene.receipt.clone() };
        scene.server.close().await?;

        audit(&workspace, &mut out, &receipt_at_end)?;
        Ok(Done::Well)
    }
}

/// Export, verify, and what happens to somebody who edits the copy.
fn audit(workspace: &Workspace, out: &mut Transcript, receipt: &str) -> Result<(), Failed> {
    out.heading("After the session")?;
    let path = |name: &str| workspace.folder.join(name).display().to_string();
    let database = workspace.database.display().to_string();
    let (players, gm, table, forged) =
        (path("players.jsonl"), path("gm.csv"), path("players.db"), path("forged.jsonl"));
    let export = |audience, format, file: &str| {
        workspace.run(0, &["export", "--db", &database, "--audience", audience, "--format", format, "--out", file])
    };
    for (audience, format, file) in [("player", "jsonl", &players), ("gm", "csv", &gm), ("player", "db", &table)] {
        out.command(&format!("rollbook export --audience {audience} --format {format}"))?;
        out.output(&export(audience, format, file)?)?;
    }
    out.command(&format!("rollbook verify --receipt \"{receipt}\""))?;
    out.output(&workspace.run(0, &["verify", "--db", &database, "--receipt", receipt])?)?;
    out.command(&format!("rollbook verify --copy players.jsonl --receipt \"{receipt}\""))?;
    out.output(&workspace.run(0, &["verify", "--copy", &players, "--receipt", receipt])?)?;

    let text = std::fs::read_to_string(&players).map_err(|error| error.to_string())?;
    for secret in [scene::HIDDEN_CONTEXT, scene::HIDDEN_NOTE] {
        if text.contains(secret) {
            return Err(format!("the players' copy holds a secret: {secret}"));
        }
    }
    let edited = text.replacen("\"total\":", "\"total\":1", 1);
    std::fs::write(&forged, edited).map_err(|error| error.to_string())?;
    out.note("A player who edits one number of the copy:")?;
    out.command("rollbook verify --copy forged.jsonl")?;
    out.output(&workspace.run(1, &["verify", "--copy", &forged])?)?;

    out.heading("Where it lies")?;
    for (what, file) in [
        ("the campaign", &database),
        ("for the players, with proofs", &players),
        ("for the players, as a database", &table),
        ("for the GM, as a table", &gm),
    ] {
        out.line(&format!("  {what:32} {file}"))?;
    }
    out.line("")
}

/// Fails with both sides when what should be the same is not.
fn same(what: &str, before: &Map<String, Value>, after: &Map<String, Value>) -> Result<(), Failed> {
    if before == after {
        return Ok(());
    }
    Err(format!("{what} differ.\nbefore: {}\nafter:  {}", json!(before), json!(after)))
}
