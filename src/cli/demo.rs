//! `rollbook demo`: the main job, whole. A server is started as a child process, a real client
//! plays a scene of the Lockhouse over its standard input and output, the server is killed twice,
//! and what it knew is compared with what it knew before. Then the log is exported and verified
//! with the program's own commands.
//!
//! The dice are real, so every run is another evening. The command fails when anything differs from
//! what it should be.

use std::path::PathBuf;
use std::process::Stdio;

use clap::Args;
use serde_json::{Map, Value, json};
use tokio::process::{Child, Command};

use crate::cli::output::{Done, Failed, print, reason};
use crate::cli::shelf::shipped;
use crate::play::toolbox::{around, list, text};
use rollbook_server::mcp::{CallFailed, Client};
use rollbook_text::names::for_shell;
use rollbook_text::terminal::{BOLD, DIM, SECRET, wrapped};

/// What players must never find in their copy of the log.
const SECRETS: [&str; 2] = [
    "do they hear the breathing?",
    "his grandmother is Mag Sorley's aunt",
];
const OPENING: &str = "\
A scene is played with a real server and real dice, and the server is killed twice without warning.
Watch for three things: nothing that happened is lost, players get no secret of the GM, and nobody
can change the log, or a copy of it, without being found out.";
const PROVEN: &str = "
Proven: two kills lost nothing, the log holds, the players' copy has none of the GM's secrets, and
one edited number was found. `rollbook init` sets a table of your own up here.";
/// Rounds after which the foes have had enough, so that every evening ends.
const ROUNDS_MAX: u64 = 30;
/// Characters of a line after its number, and blanks before the further lines of a text.
const WIDTH: usize = 92;
const INDENT: usize = 8;

type Reply = Map<String, Value>;

/// Play a scene, kill the server, bring it back, and check the log.
#[derive(Debug, Args)]
pub struct Demo {
    /// Where to put the campaign and its copies, and keep them [default: nothing is kept].
    #[arg(long, value_name = "DIR")]
    keep_in: Option<PathBuf>,
}

impl Demo {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let temporary = tempfile::Builder::new().prefix("rollbook-demo-").tempdir();
        let temporary = temporary.map_err(|error| format!("no temporary folder: {error}"))?;
        let folder = self.keep_in.as_deref().unwrap_or(temporary.path());
        let place = Place::prepare(std::path::absolute(folder).map_err(reason)?)?;
        note(OPENING)?;
        place.evening().await?;
        note(PROVEN)?;
        note(&match self.keep_in {
            None => "`rollbook demo --keep-in DIR` keeps the log and its copies.".to_owned(),
            Some(_) => format!(
                "All of it is in {}: players.jsonl for the players, with proofs, and gm.csv for the GM.",
                place.folder.display()
            ),
        })?;
        Ok(Done::Well)
    }
}

impl Place {
    async fn evening(&self) -> Result<(), Failed> {
        heading("The Lockhouse, nine at night. The lamp is dark.")?;
        let mut scene = self.serve().await?;
        let (name, pid) = (scene.client.server().unwrap_or_default(), scene.pid);
        note(&format!(
            "{name} plays over its standard input and output, as process {pid}."
        ))?;
        scene.begin().await?;
        for _ in 0..3 {
            if !scene.turn().await? {
                break;
            }
        }

        heading("The power fails")?;
        scene = self.kill(scene, "in the middle of the round").await?;
        show(&scene.status().await?)?;
        while scene.turn().await? {}
        scene.end_fight().await?;
        scene = self.kill(scene, "again after the fight").await?;

        heading("Midnight")?;
        let ended = scene
            .call("manage_session", json!({"action": "end"}))
            .await?;
        let status = scene
            .ask("manage_session", json!({"action": "status"}))
            .await?;
        list(&status, "party")
            .filter_map(Value::as_str)
            .try_for_each(gm)?;
        scene.client.close().await;
        let server = scene.child.wait().await.map_err(reason)?;
        if !server.success() {
            return Err(format!("the server ended with {server}"));
        }
        self.audit(text(&ended, "receipt"))
    }
}

struct Scene {
    pid: u32,
    child: Child,
    client: Client,
}

impl Scene {
    async fn ask(&self, tool: &str, arguments: Value) -> Result<Reply, Failed> {
        self.client
            .call(tool, arguments.clone())
            .await
            .map_err(|failed| match failed {
                CallFailed::Refused(refusal) => format!(
                    "{tool} {arguments} was refused: {}",
                    text(&refusal, "summary")
                ),
                CallFailed::Broken(reason) => format!("{tool} {arguments}: {reason}"),
            })
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<Reply, Failed> {
        let reply = self.ask(tool, arguments).await?;
        show(&reply)?;
        Ok(reply)
    }

    async fn begin(&self) -> Result<(), Failed> {
        heading("Two lodgers of the Low Ward")?;
        self.call(
            "manage_session",
            json!({"action": "start", "title": "The dark lamp"}),
        )
        .await?;
        for (name, gm_notes) in [("Jory Penrake", Some(SECRETS[1])), ("Sabeth Quoin", None)] {
            let from = format!("Characters.md#{name}");
            let sheet = json!({"action": "create", "name": name, "from": from, "kind": "player", "gm_notes": gm_notes});
            self.call("manage_character", sheet).await?;
        }

        heading("The harbour-master's lock")?;
        gm("The door is tarred oak, and the lock is newer than the door.")?;
        let call = json!({"skill": "Lockpicking", "character": "Sabeth Quoin", "difficulty": 15, "context": "the harbour-master's lock"});
        let reply = self.call("skill_check", call).await?;
        let modifiers = list(&reply, "modifiers")
            .filter_map(Value::as_object)
            .map(|modifier| {
                let value = modifier.get("value").and_then(Value::as_i64).unwrap_or(0);
                format!(
                    "{} {value:+} ({})",
                    text(modifier, "name"),
                    text(modifier, "from")
                )
            });
        gm(&format!(
            "      {}",
            modifiers.collect::<Vec<_>>().join(", ")
        ))?;
        gm(match text(&reply, "outcome") {
            "success" | "critical_success" => "The last pin lifts. Nobody heard.",
            _ => {
                "The pick snaps, and somebody inside stops talking. Jory leans on the door until it gives."
            }
        })?;

        heading("Behind the screen")?;
        let call = json!({"skill": "Perception", "character": "Jory Penrake", "difficulty": 12, "visibility": "gm", "context": SECRETS[0]});
        if self
            .call("skill_check", call)
            .await?
            .contains_key("player_text")
        {
            return Err("a hidden roll has words for the players".to_owned());
        }

        heading("The Mess, ankle-deep")?;
        let foes = json!({"from": "Foes.md#Wrecker", "count": 2});
        let call = json!({"action": "start", "title": "The Mess", "combatants": [{"name": "Jory Penrake"}, {"name": "Sabeth Quoin"}, foes]});
        let reply = self.call("manage_combat", call).await?;
        let names: Vec<&str> = combatants(&reply)
            .map(|combatant| text(combatant, "name"))
            .collect();
        if names.len() != 4 {
            return Err(format!("four should be in the order, not {}", names.len()));
        }
        gm("A sluice gives way below. Cold water sweeps the room and everybody in it.")?;
        let wave = json!({"target": names, "amount": "1d4", "each": true, "damage_type": "cold", "reason": "the wave"});
        self.call("apply_damage", wave).await?;
        let is_unhurt = |one: &&Reply| {
            text(one, "health")
                .split_once('/')
                .is_some_and(|(now, most)| now == most)
        };
        if let Some(unhurt) = combatants(&self.status().await?).find(is_unhurt) {
            return Err(format!(
                "{} was hit by the wave and has no wound",
                text(unhurt, "name")
            ));
        }
        Ok(())
    }

    async fn status(&self) -> Result<Reply, Failed> {
        self.ask("manage_combat", json!({"action": "status"})).await
    }

    async fn snapshot(&self) -> Result<Value, Failed> {
        let sheet = |name: &str| self.ask("get_character", json!({"character": name}));
        Ok(json!([
            self.status().await?,
            sheet("Jory Penrake").await?,
            sheet("Sabeth Quoin").await?
        ]))
    }

    /// The current combatant attacks the first foe who is up; false where the fight is over.
    async fn turn(&self) -> Result<bool, Failed> {
        let status = self.status().await?;
        let current = text(&status, "current");
        let (side, attack) = match current {
            "Jory Penrake" => ("foes", "boat hook"),
            "Sabeth Quoin" => ("foes", "crossbow"),
            _ => ("players", "cudgel"),
        };
        let is_long = status
            .get("round")
            .and_then(Value::as_u64)
            .is_some_and(|round| round > ROUNDS_MAX);
        if is_long
            || ["players", "foes"]
                .iter()
                .any(|side| up(&status, side).next().is_none())
        {
            return Ok(false);
        }
        let target = up(&status, side)
            .next()
            .map(|combatant| text(combatant, "name"));
        let call =
            json!({"character": current, "attack": attack, "target": target, "end_turn": true});
        self.call("skill_check", call).await.map(|_| true)
    }

    async fn end_fight(&self) -> Result<(), Failed> {
        let status = self.status().await?;
        let outcome = match (up(&status, "foes").count(), up(&status, "players").count()) {
            (0, _) => "the wreckers are down, and the Mess is quiet",
            (_, 0) => "the wreckers drag two wet heroes to the cellar",
            _ => "the wreckers have had enough and run",
        };
        self.call(
            "manage_combat",
            json!({"action": "end", "outcome": outcome}),
        )
        .await
        .map(drop)
    }
}

fn combatants(status: &Reply) -> impl Iterator<Item = &Reply> {
    list(status, "order").filter_map(Value::as_object)
}

fn up<'r>(status: &'r Reply, side: &str) -> impl Iterator<Item = &'r Reply> {
    combatants(status)
        .filter(move |one| text(one, "side") == side && one.get("defeated") != Some(&json!(true)))
}

struct Place {
    program: PathBuf,
    folder: PathBuf,
}

impl Place {
    fn prepare(folder: PathBuf) -> Result<Place, Failed> {
        let adventure = folder.join("lockhouse");
        if let Some(there) = [&folder.join("campaigns.db"), &adventure]
            .into_iter()
            .find(|path| path.exists())
        {
            return Err(format!(
                "{} is there already; name an empty folder",
                there.display()
            ));
        }
        shipped("lockhouse")
            .ok_or("the program has no Lockhouse")?
            .write(&adventure)?;
        let program = std::env::current_exe()
            .map_err(|error| format!("cannot find this program: {error}"))?;
        Ok(Place { program, folder })
    }

    async fn serve(&self) -> Result<Scene, Failed> {
        let mut child = Command::new(&self.program)
            .args([
                "serve",
                "--detail",
                "full",
                "--adventure",
                "lockhouse",
                "--db",
                "campaigns.db",
            ])
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("the server did not start: {error}"))?;
        let ends = child.stdout.take().zip(child.stdin.take());
        let (output, input) = ends.ok_or("the server has no standard input and output")?;
        Ok(Scene {
            pid: child.id().unwrap_or(0),
            child,
            client: Client::connect(output, input).await?,
        })
    }

    /// Kills the server, and opens the campaign in another, which must know what that one knew.
    async fn kill(&self, mut scene: Scene, when: &str) -> Result<Scene, Failed> {
        let (before, killed) = (scene.snapshot().await?, scene.pid);
        scene
            .child
            .kill()
            .await
            .map_err(|error| format!("the server could not be killed: {error}"))?;
        scene.client.close().await;
        note(&format!(
            "Process {killed} was killed {when} (SIGKILL, no goodbye)."
        ))?;
        let scene = self.serve().await?;
        note(&format!("Process {} opens the same campaign.", scene.pid))?;
        let after = scene.snapshot().await?;
        if before != after {
            return Err(format!(
                "{when} the table differs after a kill.\nbefore: {before}\nafter:  {after}"
            ));
        }
        Ok(scene)
    }

    /// Runs a command in the folder and shows it; fails when its exit code is not `expected`.
    fn run(&self, expected: i32, arguments: &[&str]) -> Result<(), Failed> {
        let words: Vec<String> = arguments.iter().map(|word| for_shell(word)).collect();
        let line = format!("rollbook {}", words.join(" "));
        print(&format!("  {DIM}${DIM:#} {line}\n"))?;
        let done = std::process::Command::new(&self.program)
            .args(arguments)
            .current_dir(&self.folder)
            .output();
        let done = done.map_err(reason)?;
        let output = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
        match done.status.code() == Some(expected) {
            true => output
                .lines()
                .try_for_each(|line| print(&format!("    {line}\n"))),
            false => Err(format!(
                "{line} ended with {} instead of {expected}: {output}",
                done.status
            )),
        }
    }

    fn audit(&self, receipt: &str) -> Result<(), Failed> {
        heading("After the session")?;
        for (audience, format, file) in [
            ("player", "jsonl", "players.jsonl"),
            ("gm", "csv", "gm.csv"),
            ("player", "db", "players.db"),
        ] {
            let audience = ["--audience", audience, "--format", format, "--out", file];
            self.run(
                0,
                &[&["export", "--db", "campaigns.db"][..], &audience].concat(),
            )?;
        }
        self.run(0, &["verify", "--db", "campaigns.db", "--receipt", receipt])?;
        self.run(
            0,
            &["verify", "--copy", "players.jsonl", "--receipt", receipt],
        )?;
        let players = std::fs::read_to_string(self.folder.join("players.jsonl")).map_err(reason)?;
        if let Some(secret) = SECRETS.iter().find(|secret| players.contains(**secret)) {
            return Err(format!("the players' copy holds a secret: {secret}"));
        }
        let forged = players.replacen("\"total\":", "\"total\":1", 1);
        std::fs::write(self.folder.join("forged.jsonl"), forged).map_err(reason)?;
        note("A player who edits one number of the copy:")?;
        self.run(1, &["verify", "--copy", "forged.jsonl"])
    }
}

fn heading(text: &str) -> Result<(), Failed> {
    print(&format!("\n{BOLD}{text}{BOLD:#}\n"))
}

fn note(text: &str) -> Result<(), Failed> {
    print(&format!("{DIM}{text}{DIM:#}\n"))
}

fn gm(text: &str) -> Result<(), Failed> {
    print(&format!("  {text}\n"))
}

fn show(reply: &Reply) -> Result<(), Failed> {
    let number = reply
        .get("log")
        .and_then(Value::as_u64)
        .map_or(String::new(), |log| format!("#{log}"));
    let rule = around(
        &format!("  {DIM}"),
        text(reply, "rule"),
        &format!("{DIM:#}"),
    );
    print(&format!(
        "  {DIM}{number:>4}{DIM:#}  {}{rule}\n",
        wrapped(text(reply, "summary"), WIDTH, INDENT)
    ))?;
    let players = match text(reply, "player_text") {
        "" => "the players hear nothing of it".to_owned(),
        players if players == text(reply, "summary") => return Ok(()),
        players => wrapped(&format!("the players hear: {players}"), WIDTH, INDENT),
    };
    print(&format!("        {SECRET}{players}{SECRET:#}\n"))
}
