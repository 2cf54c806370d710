//! A scripted model plays the demo's scene of the Lockhouse through `rollbook play`: two lodgers, the harbour-master's lock, a secret, a
//! fight in rising water to its end. The dice are real, so the model looks at each reply for what comes next, as one does.

use std::collections::VecDeque;

use rollbook::play::model::Api;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::fake::{Answer, Asked, Fake, calls, says};
use super::piped::{piped, play};
use super::rig::{KEY, may_call, results};
use crate::process::rollbook;

const SECRET: &str = "do they hear the breathing?";

/// A model with a plan: what it says before a fight, and how it fights.
struct Scripted {
    plan: VecDeque<Answer>,
    fights: bool,
}

impl Scripted {
    fn new() -> Scripted {
        let person = |name: &str, scores: [i64; 6], skills: Value| {
            let [strength, dexterity, constitution, intelligence, wisdom, charisma] = scores;
            let attributes = json!({"STR": strength, "DEX": dexterity, "CON": constitution, "INT": intelligence, "WIS": wisdom, "CHA": charisma});
            json!({"action": "create", "name": name, "attributes": attributes, "skills": skills})
        };
        let plan = [
            calls([
                ("manage_session", json!({"action": "start", "title": "The dark lamp"})),
                ("manage_character", person("Jory Penrake", [15, 12, 14, 8, 13, 10], json!({"Melee": 3, "Perception": 2}))),
                ("manage_character", person("Sabeth Quoin", [8, 15, 12, 14, 13, 10], json!({"Lockpicking": 3, "Aim": 2}))),
            ])
            .into(),
            says("Nine at night, and the lamp is dark.").into(),
            calls([("skill_check", json!({"skill": "Lockpicking", "character": "Sabeth Quoin", "difficulty": 15, "context": "the lock"}))]).into(),
            says("The door gives.").into(),
            calls([("skill_check", json!({"skill": "Perception", "character": "Jory Penrake", "difficulty": 12, "visibility": "gm", "context": SECRET}))])
                .into(),
            says("It is quiet. Too quiet?").into(),
            calls([(
                "manage_combat",
                json!({"action": "start", "title": "The Mess", "combatants": [{"name": "Jory Penrake"}, {"name": "Sabeth Quoin"},
                       {"name": "Wrecker", "count": 2, "hp": 7, "attributes": {"STR": 12, "DEX": 12, "WIS": 8}}]}),
            )])
            .into(),
        ];
        Scripted { plan: plan.into(), fights: false }
    }

    fn answer(&mut self, asked: &Asked) -> Answer {
        if let Some(next) = self.plan.pop_front() {
            self.fights = self.plan.is_empty();
            return next;
        }
        if !may_call(&asked.body) {
            return says("Catch your breath.").into();
        }
        if !self.fights {
            return says("Good night.").into();
        }
        let replies: Vec<Map<String, Value>> =
            results(&asked.body).iter().map(|text| serde_json::from_str(text).expect("a reply")).collect();
        let Some(status) = replies.iter().find(|own| own.contains_key("order") && own.contains_key("status")) else {
            return calls([("manage_combat", json!({"action": "status", "detail": "full"}))]).into();
        };
        if status["status"] == "ended" {
            self.fights = false;
            return says("The Mess is quiet.").into();
        }
        let up = |side: &str| {
            let places = status["order"].as_array().expect("an order");
            places.iter().find(|own| own["side"] == side && own["defeated"] != true).map(|own| own["name"].clone())
        };
        let round = status["round"].as_u64().unwrap_or(0);
        let (Some(player), Some(foe), true) = (up("players"), up("foes"), round < 30) else {
            return calls([
                ("manage_combat", json!({"action": "end", "outcome": "somebody is down"})),
                ("manage_combat", json!({"action": "status", "detail": "full"})),
            ])
            .into();
        };
        let current = status["current"].as_str().expect("somebody's turn");
        let target = if current.starts_with("Wrecker") { player } else { foe };
        let skill = if current == "Sabeth Quoin" { "Aim" } else { "Melee" };
        let attack = json!({"skill": skill, "character": current, "target": target, "difficulty": 10, "damage": "1d8", "end_turn": true});
        calls([("skill_check", attack), ("manage_combat", json!({"action": "status", "detail": "full"}))]).into()
    }
}

#[test]
fn a_scripted_model_plays_the_scene_of_the_demo() {
    for api in Api::ALL {
        let mut model = Scripted::new();
        let fake = Fake::start(api, move |asked| model.answer(asked));
        let folder = TempDir::new().unwrap();
        let mut command = play(folder.path());
        command.args([
            "--model",
            &format!("{}:scripted", api.facts().name),
            "--endpoint",
            &fake.endpoint,
            "--max-calls",
            "1000",
        ]);
        command.env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY);
        let output = piped(
            command,
            "We come to the Lockhouse.\nSabeth picks the lock.\nDo we hear anything?\nIn we go!\n/recap\n/fight\n",
        );
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && err.is_empty(), "{out}{err}");
        for wanted in [
            "Jory Penrake",
            "against 15",
            "Nine at night",
            "The door gives.",
            "Round 1:",
            "'s turn",
            "The Mess is quiet.",
            "The fight is over",
        ] {
            assert!(out.contains(wanted), "{api:?} {wanted}:\n{out}");
        }
        assert!(!out.contains(SECRET), "what players must not see is not on their screen:\n{out}");
        // The log holds, and has what the screen has not.
        let run = |arguments: &[&str]| {
            let output = rollbook(folder.path()).args(arguments).output().expect("it runs");
            assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        run(&["verify", "--db", "campaigns.db"]);
        run(&["export", "--db", "campaigns.db", "--audience", "gm", "--format", "jsonl", "--out", "gm.jsonl"]);
        let log = std::fs::read_to_string(folder.path().join("gm.jsonl")).unwrap();
        assert!(log.contains(SECRET) && log.contains("somebody is down"));
    }
}
