//! `rollbook demo`: the main job, whole. A server is started as a child process, a real client plays a scene of the
//! Lockhouse over its standard input and output, the server is killed twice, and what it knew is compared with what it
//! knew before. Then the log is exported and verified with the program's own commands.
//!
//! The dice are real, so every run is another evening. The command fails when anything differs from what it should be.

use std::path::PathBuf;
use std::process::Stdio;

use clap::Args;
use serde_json::{Map, Value, json};
use tokio::process::{Child, Command};

use crate::cli::output::{Colour, Done, Failed, print, reason, wrapped};
use rollbook_server::mcp::{CallFailed, Client};

/// The rules the demo plays by, carried along so that the demo runs anywhere.
const SYSTEM: &str = include_str!("../../adventures/lockhouse/System.md");
/// What players must never find in their copy of the log.
const SECRETS: [&str; 2] = ["do they hear the breathing?", "his grandmother is Mag Sorley's aunt"];
/// Rounds after which the foes have had enough, so that every evening ends.
const ROUNDS_MAX: u64 = 30;
/// Characters of a line after its number, and blanks before the further lines of a text.
const WIDTH: usize = 92;
const INDENT: usize = 8;

const BOLD: Colour = Colour(anstyle::Style::new().bold());
const DIM: Colour = Colour(anstyle::Style::new().dimmed());
const SECRET: Colour = Colour(anstyle::AnsiColor::Magenta.on_default());

type Reply = Map<String, Value>;

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
        heading("The Lockhouse, nine at night. The lamp is dark.")?;
        let mut scene = Scene::start(&workspace).await?;
        let (name, pid) = (scene.client.server().unwrap_or_default(), scene.pid());
        note(&format!("{name} plays over its standard input and output, as process {pid}."))?;
        scene.make_characters().await?;
        scene.pick_the_lock().await?;
        scene.listen_in_secret().await?;
        scene.begin_fight().await?;
        for _ in 0..3 {
            if !scene.turn().await? {
                break;
            }
        }
        let (before, killed) = (scene.snapshot().await?, scene.pid());
        scene.kill().await?;

        heading("The power fails")?;
        note(&format!("Process {killed} was killed in the middle of the round (SIGKILL, no goodbye)."))?;
        let mut scene = Scene::start(&workspace).await?;
        note(&format!("Process {} opens the same campaign.", scene.pid()))?;
        compare("the fight and the characters after the kill", &before, &scene.snapshot().await?)?;
        show(&scene.status().await?)?;
        while scene.turn().await? {}
        scene.end_fight().await?;
        let before = scene.snapshot().await?;
        scene.kill().await?;
        let mut scene = Scene::start(&workspace).await?;
        compare("the ended fight and the characters after the second kill", &before, &scene.snapshot().await?)?;

        heading("Midnight")?;
        let ended = scene.call("manage_session", json!({"action": "end"})).await?;
        let status = scene.ask("manage_session", json!({"action": "status"})).await?;
        list(&status, "party").filter_map(Value::as_str).try_for_each(gm)?;
        scene.close().await?;
        audit(&workspace, text(&ended, "receipt"))?;
        Ok(Done::Well)
    }
}

/// A server as a child process, and the client that plays a scene with it.
struct Scene {
    child: Child,
    client: Client,
}

impl Scene {
    async fn start(workspace: &Workspace) -> Result<Scene, Failed> {
        let mut child = Command::new(&workspace.program)
            .args(["serve", "--detail", "full", "--adventure"])
            .arg(&workspace.adventure)
            .arg("--db")
            .arg(&workspace.database)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("the server did not start: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the server has no standard input and output".to_owned());
        };
        let client = Client::connect(output, input).await?;
        Ok(Scene { child, client })
    }

    fn pid(&self) -> u32 {
        self.child.id().unwrap_or(0)
    }

    async fn kill(mut self) -> Result<(), Failed> {
        self.child.kill().await.map_err(|error| format!("the server could not be killed: {error}"))?;
        self.client.close().await;
        Ok(())
    }

    async fn close(mut self) -> Result<(), Failed> {
        self.client.close().await;
        let ended = self.child.wait().await.map_err(reason)?;
        if ended.success() { Ok(()) } else { Err(format!("the server ended with {ended}")) }
    }

    /// Calls a tool; a refusal is a failure of the demo.
    async fn ask(&self, tool: &str, arguments: Value) -> Result<Reply, Failed> {
        self.client.call(tool, arguments.clone()).await.map_err(|failed| match failed {
            CallFailed::Refused(refusal) => format!("{tool} {arguments} was refused: {}", text(&refusal, "summary")),
            CallFailed::Broken(reason) => format!("{tool} {arguments}: {reason}"),
        })
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Result<Reply, Failed> {
        let reply = self.ask(tool, arguments).await?;
        show(&reply)?;
        Ok(reply)
    }

    async fn make_characters(&mut self) -> Result<(), Failed> {
        heading("Two lodgers of the Low Ward")?;
        self.call("manage_session", json!({"action": "start", "title": "The dark lamp"})).await?;
        let jory = json!({"action": "create", "name": "Jory Penrake",
            "attributes": {"STR": 15, "DEX": 12, "CON": 14, "INT": 8, "WIS": 13, "CHA": 10},
            "skills": {"Melee": 3, "Athletics": 2, "Endurance": 2, "Perception": 2},
            "notes": "Dock porter. Boat hook, leather coat (Armour 12).", "gm_notes": SECRETS[1]});
        let sabeth = json!({"action": "create", "name": "Sabeth Quoin",
            "attributes": {"STR": 8, "DEX": 15, "CON": 12, "INT": 14, "WIS": 13, "CHA": 10},
            "skills": {"Lockpicking": 3, "Stealth": 2, "Engineering": 2, "Aim": 2},
            "notes": "Locksmith. Crossbow, leather coat (Armour 12)."});
        for character in [jory, sabeth] {
            let reply = self.call("manage_character", character).await?;
            let hit_points = text(&reply, "sheet").lines().find(|line| line.contains("Hit points")).unwrap_or_default();
            let hit_points = hit_points.trim_start_matches("- ").replace("**", "");
            gm(&format!("      {hit_points}, worked out from System.md"))?;
        }
        Ok(())
    }

    async fn pick_the_lock(&mut self) -> Result<(), Failed> {
        heading("The harbour-master's lock")?;
        gm("The door is tarred oak, and the lock is newer than the door.")?;
        let call = json!({"skill": "Lockpicking", "character": "Sabeth Quoin", "difficulty": 15, "context": "the harbour-master's lock"});
        let reply = self.call("skill_check", call).await?;
        let modifiers = list(&reply, "modifiers").filter_map(Value::as_object).map(|modifier| {
            let value = modifier.get("value").and_then(Value::as_i64).unwrap_or(0);
            format!("{} {value:+} ({})", text(modifier, "name"), text(modifier, "from"))
        });
        gm(&format!("      {}", modifiers.collect::<Vec<_>>().join(", ")))?;
        gm(match is_success(&reply) {
            true => "The last pin lifts. Nobody heard.",
            false => "The pick snaps, and somebody inside stops talking. Jory leans on the door until it gives.",
        })
    }

    /// A roll the players must not know of.
    async fn listen_in_secret(&mut self) -> Result<(), Failed> {
        heading("Behind the screen")?;
        let call = json!({"skill": "Perception", "character": "Jory Penrake", "difficulty": 12, "visibility": "gm", "context": SECRETS[0]});
        match self.call("skill_check", call).await?.contains_key("player_text") {
            true => Err("a hidden roll has words for the players".to_owned()),
            false => Ok(()),
        }
    }

    async fn begin_fight(&mut self) -> Result<(), Failed> {
        heading("The Mess, ankle-deep")?;
        let call = json!({"action": "start", "title": "The Mess", "combatants": [
            {"name": "Jory Penrake"}, {"name": "Sabeth Quoin"},
            {"name": "Wrecker", "count": 2, "hp": 7, "attributes": {"STR": 12, "DEX": 12, "WIS": 8}}]});
        let reply = self.call("manage_combat", call).await?;
        let names: Vec<&str> = places(&reply).map(|place| text(place, "name")).collect();
        if names.len() != 4 {
            return Err(format!("four should stand in the order, not {}", names.len()));
        }
        gm("A sluice gives way below. Cold water sweeps the room and everybody in it.")?;
        for name in names {
            self.hurt(name, "1d4", "cold", "the wave").await?;
        }
        Ok(())
    }

    async fn status(&self) -> Result<Reply, Failed> {
        self.ask("manage_combat", json!({"action": "status"})).await
    }

    /// What must be the same before and after a kill.
    async fn snapshot(&self) -> Result<Reply, Failed> {
        let mut snapshot = self.status().await?;
        for name in ["Jory Penrake", "Sabeth Quoin"] {
            snapshot.insert(name.to_owned(), self.ask("get_character", json!({"character": name})).await?.into());
        }
        Ok(snapshot)
    }

    /// The current combatant attacks the first of the other side who is up; whether the fight goes on, with the next turn.
    async fn turn(&mut self) -> Result<bool, Failed> {
        let status = self.status().await?;
        let current = text(&status, "current");
        let (side, skill, damage, kind, difficulty, modifier) = match current {
            "Jory Penrake" => ("foes", "Melee", "1d12 + 2", "piercing", 10, 0),
            "Sabeth Quoin" => ("foes", "Aim", "1d8", "piercing", 10, 0),
            // The Wrecker's description says +3: 1 from Strength, 2 from habit.
            _ => ("players", "Melee", "1d6 + 1", "bludgeoning", 12, 2),
        };
        if is_over(&status) {
            return Ok(false);
        }
        let target = up(&status, side).next().map(|place| text(place, "name")).unwrap_or_default();
        let call = json!({"skill": skill, "character": current, "difficulty": difficulty, "modifier": modifier, "context": format!("at {target}")});
        if is_success(&self.call("skill_check", call).await?) {
            self.hurt(target, damage, kind, &format!("{current}'s hit")).await?;
        }
        if is_over(&self.status().await?) {
            return Ok(false);
        }
        self.call("manage_combat", json!({"action": "next_turn"})).await?;
        Ok(true)
    }

    async fn hurt(&mut self, target: &str, dice: &str, kind: &str, why: &str) -> Result<(), Failed> {
        let roll = self.call("roll_dice", json!({"expression": dice, "context": format!("{why} on {target}")})).await?;
        let call = json!({"target": target, "roll": roll.get("log"), "damage_type": kind, "reason": why});
        self.call("apply_damage", call).await.map(drop)
    }

    /// The GM ends the fight. The wave hit all four, so a combatant who is unhurt lost damage.
    async fn end_fight(&mut self) -> Result<(), Failed> {
        let status = self.status().await?;
        let outcome = match (up(&status, "foes").count(), up(&status, "players").count()) {
            (0, _) => "the wreckers are down, and the Mess is quiet",
            (_, 0) => "the wreckers drag two wet heroes to the cellar",
            _ => "the wreckers have had enough and run",
        };
        self.call("manage_combat", json!({"action": "end", "outcome": outcome})).await?;
        let is_unhurt = |place: &&Reply| text(place, "health").split_once('/').is_some_and(|(now, max)| now == max);
        match places(&status).find(is_unhurt) {
            Some(place) => Err(format!("{} was hit by the wave and has no wound", text(place, "name"))),
            None => Ok(()),
        }
    }
}

fn is_over(status: &Reply) -> bool {
    let is_long = status.get("round").and_then(Value::as_u64).is_some_and(|round| round > ROUNDS_MAX);
    is_long || ["players", "foes"].iter().any(|side| up(status, side).next().is_none())
}

fn is_success(reply: &Reply) -> bool {
    matches!(text(reply, "outcome"), "success" | "critical_success")
}

fn text<'r>(reply: &'r Reply, name: &str) -> &'r str {
    reply.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn list<'r>(reply: &'r Reply, name: &str) -> impl Iterator<Item = &'r Value> {
    reply.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn places(status: &Reply) -> impl Iterator<Item = &Reply> {
    list(status, "order").filter_map(Value::as_object)
}

/// Those of a side who are not defeated.
fn up<'r>(status: &'r Reply, side: &str) -> impl Iterator<Item = &'r Reply> {
    places(status).filter(move |place| text(place, "side") == side && place.get("defeated") != Some(&json!(true)))
}

fn compare(what: &str, before: &Reply, after: &Reply) -> Result<(), Failed> {
    match before == after {
        true => Ok(()),
        false => Err(format!("{what} differ.\nbefore: {}\nafter:  {}", json!(before), json!(after))),
    }
}

/// The folder of a demo, with the adventure and the database in it, and the program that plays.
struct Workspace {
    program: PathBuf,
    folder: PathBuf,
    adventure: PathBuf,
    database: PathBuf,
}

impl Workspace {
    fn prepare(keep_in: Option<PathBuf>) -> Result<Workspace, Failed> {
        let temporary = || tempfile::Builder::new().prefix("rollbook-demo-").tempdir();
        let folder = match keep_in {
            Some(folder) => folder,
            None => temporary().map_err(|error| format!("no temporary folder: {error}"))?.keep(),
        };
        let (adventure, database) = (folder.join("lockhouse"), folder.join("campaigns.db"));
        if let Some(there) = [&database, &adventure].into_iter().find(|path| path.exists()) {
            return Err(format!("{} is there already; name an empty folder", there.display()));
        }
        std::fs::create_dir_all(&adventure)
            .and_then(|()| std::fs::write(adventure.join("System.md"), SYSTEM))
            .map_err(|error| format!("cannot write {}: {error}", adventure.display()))?;
        let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        Ok(Workspace { program, folder, adventure, database })
    }

    /// Runs one of the program's commands and shows `line` and its output; fails when its exit code is not `expected`.
    fn run(&self, expected: i32, line: &str, arguments: &[&str]) -> Result<(), Failed> {
        print(&format!("  {DIM}${DIM:#} {line}\n"))?;
        let done = std::process::Command::new(&self.program).args(arguments).output();
        let done = done.map_err(reason)?;
        let output = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
        match done.status.code() == Some(expected) {
            true => output.lines().try_for_each(|line| print(&format!("    {line}\n"))),
            false => Err(format!("{line} ended with {} instead of {expected}: {output}", done.status)),
        }
    }
}

fn audit(workspace: &Workspace, receipt: &str) -> Result<(), Failed> {
    heading("After the session")?;
    let path = |name: &str| workspace.folder.join(name).display().to_string();
    let database = workspace.database.display().to_string();
    let [players, gm, table, forged] = ["players.jsonl", "gm.csv", "players.db", "forged.jsonl"].map(path);
    for (audience, format, file) in [("player", "jsonl", &players), ("gm", "csv", &gm), ("player", "db", &table)] {
        let line = format!("rollbook export --audience {audience} --format {format}");
        let arguments = ["export", "--db", &database, "--audience", audience, "--format", format, "--out", file];
        workspace.run(0, &line, &arguments)?;
    }
    let line = format!("rollbook verify --receipt \"{receipt}\"");
    workspace.run(0, &line, &["verify", "--db", &database, "--receipt", receipt])?;
    let line = format!("rollbook verify --copy players.jsonl --receipt \"{receipt}\"");
    workspace.run(0, &line, &["verify", "--copy", &players, "--receipt", receipt])?;

    let text = std::fs::read_to_string(&players).map_err(reason)?;
    if let Some(secret) = SECRETS.iter().find(|secret| text.contains(**secret)) {
        return Err(format!("the players' copy holds a secret: {secret}"));
    }
    let edited = text.replacen("\"total\":", "\"total\":1", 1);
    std::fs::write(&forged, edited).map_err(reason)?;
    note("A player who edits one number of the copy:")?;
    workspace.run(1, "rollbook verify --copy forged.jsonl", &["verify", "--copy", &forged])?;

    heading("Where it lies")?;
    for (what, file) in [
        ("the campaign", &database),
        ("for the players, with proofs", &players),
        ("for the players, as a database", &table),
        ("for the GM, as a table", &gm),
    ] {
        print(&format!("  {what:32} {file}\n"))?;
    }
    print("\n")
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

/// A reply: its number, its sentence, the rule, and what players hear where it differs.
fn show(reply: &Reply) -> Result<(), Failed> {
    let number = reply.get("log").and_then(Value::as_u64).map_or(String::new(), |log| format!("#{log}"));
    let rule = match text(reply, "rule") {
        "" => String::new(),
        rule => format!("  {DIM}{rule}{DIM:#}"),
    };
    print(&format!("  {DIM}{number:>4}{DIM:#}  {}{rule}\n", wrapped(text(reply, "summary"), WIDTH, INDENT)))?;
    let players = match text(reply, "player_text") {
        "" => "the players hear nothing of it".to_owned(),
        players if players == text(reply, "summary") => return Ok(()),
        players => wrapped(&format!("the players hear: {players}"), WIDTH, INDENT),
    };
    print(&format!("        {SECRET}{players}{SECRET:#}\n"))
}
