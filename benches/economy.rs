//! What play costs the assistant: calls, and bytes of replies that it reads.
//!
//! `cargo bench --bench economy` plays fixed evenings through a real server over standard input and
//! output and prints a table. The dice are random, so an evening has a few calls more or less each
//! time; what is printed is the middle one of several by bytes. Bytes are those of the reply's
//! structured content, which is what clients show the model.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use support::Peer;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// How often each evening is played.
const TIMES: usize = 5;
const ROUNDS: usize = 10;

fn main() -> Outcome<()> {
    // `cargo test --benches` asks whether it runs at all.
    let quick = std::env::args().any(|argument| argument == "--test");
    let (times, rounds) = if quick { (1, 1) } else { (TIMES, ROUNDS) };
    let fight = format!("d20: a fight of nine, {rounds} rounds");
    let long = "the same in the long way, detail full";
    let evenings: [(&str, &str, Evening); 5] = [
        (&fight, "lockhouse", fight_of_nine),
        (long, "lockhouse", fight_in_the_long_way),
        ("2d6: ten moves of two people", "six-covers", moves),
        ("d6 pools: a score", "name-auction", score),
        (
            "percentile: an investigation",
            "down-special",
            investigation,
        ),
    ];
    for (title, adventure, evening) in evenings {
        let mut played = Vec::new();
        for _ in 0..times {
            let mut table = Table::open(adventure, rounds)?;
            evening(&mut table)?;
            played.push(table.end()?);
        }
        played.sort_by_key(|spent| spent.values().map(|spent| spent.bytes).sum::<usize>());
        print(title, &played[played.len() / 2]);
    }
    Ok(())
}

type Evening = fn(&mut Table) -> Outcome<()>;

#[derive(Clone, Copy, Default)]
struct Spent {
    calls: usize,
    bytes: usize,
}

fn print(title: &str, spent: &BTreeMap<String, Spent>) {
    let (calls, bytes) = spent.values().fold((0, 0), |(calls, bytes), own| {
        (calls + own.calls, bytes + own.bytes)
    });
    println!("{title:42} {calls:5} calls {bytes:8} bytes");
    for (tool, own) in spent {
        println!(
            "  {tool:40} {:5} calls {:8} bytes, {:5} each",
            own.calls,
            own.bytes,
            own.bytes / own.calls.max(1)
        );
    }
}

/// A table at which every call is counted.
struct Table {
    peer: Peer,
    spent: BTreeMap<String, Spent>,
    rounds: usize,
    /// How much replies say, where it is not the default.
    detail: Option<&'static str>,
    _folder: tempfile::TempDir,
}

impl Table {
    fn open(adventure: &str, rounds: usize) -> Outcome<Table> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_rollbook"));
        let adventure = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("adventures")
            .join(adventure);
        command
            .arg("serve")
            .arg("--adventure")
            .arg(adventure)
            .arg("--db")
            .arg(folder.path().join("campaign.db"));
        Ok(Table {
            peer: Peer::start(command)?,
            spent: BTreeMap::new(),
            rounds,
            detail: None,
            _folder: folder,
        })
    }

    /// The reply of a call, which is no refusal.
    fn call(&mut self, tool: &str, arguments: &Value) -> Outcome<Value> {
        let mut arguments = arguments.clone();
        if let Some(detail) = self.detail {
            arguments["detail"] = json!(detail);
        }
        let result = self.peer.result(tool, &arguments)?;
        let shown = result["structuredContent"].to_string().len();
        let spent = self.spent.entry(tool.to_owned()).or_default();
        *spent = Spent {
            calls: spent.calls + 1,
            bytes: spent.bytes + shown,
        };
        Ok(result["structuredContent"].clone())
    }

    fn check(&mut self, arguments: &Value) -> Outcome<String> {
        let reply = self.call("skill_check", arguments)?;
        Ok(reply["outcome"].as_str().unwrap_or_default().to_owned())
    }

    /// Takes these turns, all of them.
    fn take(&mut self, turns: &mut Vec<Value>) -> Outcome<()> {
        let reply = self.call("skill_check", &json!({"turns": std::mem::take(turns)}))?;
        match &reply["left"] {
            Value::Null => Ok(()),
            left => Err(format!("{left} are left: {}", reply["next"]).into()),
        }
    }

    fn end(self) -> Outcome<BTreeMap<String, Spent>> {
        self.peer.end()?;
        Ok(self.spent)
    }
}

/// Four against five who do not fall: what players do who act in a row, and the foes after them, are
/// a call.
fn fight_of_nine(table: &mut Table) -> Outcome<()> {
    fight_begins(table)?;
    let status = table.call("manage_combat", &json!({"action": "status"}))?;
    let (_, summary) = status["summary"]
        .as_str()
        .and_then(|text| text.split_once("turn."))
        .ok_or("no order")?;
    let foes = (1..=5).map(|nth| format!("Wrecker {nth}"));
    let mut order: Vec<String> = PARTY.map(str::to_owned).into_iter().chain(foes).collect();
    order.sort_by_key(|name| summary.find(name.as_str()));
    let mut turns: Vec<Value> = Vec::new();
    for (nth, name) in order.iter().cycle().take(table.rounds * 9).enumerate() {
        let is_player = |name: &str| PARTY.contains(&name);
        let last = turns.last().and_then(|turn| turn["character"].as_str());
        if is_player(name) && last.is_some_and(|last| !is_player(last)) {
            table.take(&mut turns)?;
        }
        turns.push(blow(name, nth));
    }
    table.take(&mut turns)?;
    table.call(
        "manage_combat",
        &json!({"action": "end", "outcome": "they run"}),
    )?;
    Ok(())
}

/// The same in the long way, with full replies: a call for the blow, its damage roll, the damage
/// and the next turn.
fn fight_in_the_long_way(table: &mut Table) -> Outcome<()> {
    table.detail = Some("full");
    let mut turn = fight_begins(table)?;
    for nth in 0..table.rounds * 9 {
        let mut blow = blow(turn["current"].as_str().ok_or("nobody acts")?, nth);
        let (target, damage) = (blow["target"].clone(), blow["damage"].take());
        blow["context"] = json!(format!("at {}", target.as_str().unwrap_or_default()));
        let roll =
            json!({"expression": damage, "character": blow["character"], "context": "damage"});
        if table.check(&blow)? == "success" {
            table.call("roll_dice", &roll)?;
            table.call("apply_damage", &json!({"target": target, "roll": "last"}))?;
        }
        turn = table.call("manage_combat", &json!({"action": "next_turn"}))?;
    }
    table.call(
        "manage_combat",
        &json!({"action": "end", "outcome": "they run"}),
    )?;
    Ok(())
}

const PARTY: [&str; 4] = ["Jory", "Sabeth", "Fenner", "Merry"];

/// The fight begins; the reply says whose turn it is.
fn fight_begins(table: &mut Table) -> Outcome<Value> {
    for name in PARTY {
        let attributes = json!({"STR": 14, "DEX": 12, "CON": 14, "INT": 10, "WIS": 10, "CHA": 10});
        let sheet = json!({"action": "create", "name": name, "kind": "player", "level": 40, "attributes": attributes, "skills": {"Melee": 3}});
        table.call("manage_character", &sheet)?;
    }
    let mut combatants: Vec<Value> = PARTY.iter().map(|name| json!({"name": name})).collect();
    combatants.push(
        json!({"name": "Wrecker", "count": 5, "hp": 200, "attributes": {"STR": 12, "DEX": 12}}),
    );
    table.call(
        "manage_combat",
        &json!({"action": "start", "combatants": combatants}),
    )
}

/// The blow of the combatant whose turn it is.
fn blow(current: &str, nth: usize) -> Value {
    let is_player = PARTY.contains(&current);
    let target = if is_player {
        format!("Wrecker {}", nth % 5 + 1)
    } else {
        PARTY[nth % 4].to_owned()
    };
    let damage = if is_player { "1d12+2" } else { "1d6+1" };
    json!({"character": current, "skill": "Melee", "target": target, "damage": damage})
}

/// Two characters: moves, and damage where one misses.
fn moves(table: &mut Table) -> Outcome<()> {
    for (name, hands) in [("Sanna", 2), ("Pym", -1)] {
        let attributes = json!({"POI": 1, "HAN": hands, "NOS": 1, "CHE": 0, "HEA": 0});
        table.call(
            "manage_character",
            &json!({"action": "create", "name": name, "kind": "player", "attributes": attributes}),
        )?;
    }
    for nth in 0..table.rounds {
        let name = ["Sanna", "Pym"][nth % 2];
        let outcome = table.check(
            &json!({"character": name, "attribute": "Hands", "context": "the sauce boat"}),
        )?;
        if outcome == "failure" {
            table.call(
                "apply_damage",
                &json!({"target": name, "amount": 1, "reason": "it shows"}),
            )?;
        }
    }
    table.call("get_character", &json!({"name": "Sanna"}))?;
    Ok(())
}

/// Actions, and a resistance roll where one costs something.
fn score(table: &mut Table) -> Outcome<()> {
    let ratings = json!({"Rig": 3, "Case": 1, "Scale": 1, "Press": 1, "Brawl": 1});
    table.call(
        "manage_character",
        &json!({"action": "create", "name": "Hob", "kind": "player", "attributes": ratings}),
    )?;
    for nth in 0..table.rounds {
        let action = ["Rig", "Case", "Scale"][nth % 3];
        let outcome = table.check(
            &json!({"character": "Hob", "attribute": action, "context": "risky, standard"}),
        )?;
        if outcome != "success" && outcome != "critical_success" {
            table.check(
                &json!({"character": "Hob", "check": "Resistance", "skill": "Wit", "context": "the alarm"}),
            )?;
        }
    }
    table.call("get_character", &json!({"name": "Hob"}))?;
    Ok(())
}

/// Two people look for a letter: skills, and a second try where the first failed.
fn investigation(table: &mut Table) -> Outcome<()> {
    let scores = json!({"STR": 50, "CON": 45, "SIZ": 45, "DEX": 60, "WIT": 55, "SPI": 60});
    for name in ["Asher", "Kettle"] {
        table.call(
            "manage_character",
            &json!({"action": "create", "name": name, "kind": "player", "attributes": scores}),
        )?;
    }
    for nth in 0..table.rounds {
        let (name, skill) = (
            ["Asher", "Kettle"][nth % 2],
            ["Listen", "Spot", "Sorting"][nth % 3],
        );
        if table.check(&json!({"character": name, "skill": skill, "context": "the mail van"}))?
            == "failure"
        {
            table.check(&json!({"character": name, "again": "last push"}))?;
        }
    }
    table.call("manage_session", &json!({"action": "status"}))?;
    Ok(())
}
