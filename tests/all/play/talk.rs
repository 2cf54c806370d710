//! A model calls, its results go back, it answers, with each API; and a scripted one plays the
//! demo's scene.

use std::collections::VecDeque;

use rollbook::play::model::Api;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::fake::{Answer, Asked, Fake, Reply, calls, says};
use super::piped::{piped, play};
use super::rig::{KEY, Seat, answers, limits, may_call, results, whole};
use crate::process::rollbook;

#[tokio::test]
async fn a_model_calls_and_its_results_go_back_and_it_answers() {
    for api in Api::ALL {
        let both = Reply {
            text: "Żółty – a look".to_owned(),
            ..calls([
                ("roll_dice", json!({"expression": "2d6"})),
                ("get_character", json!({"list": true})),
            ])
        };
        let fake = Fake::saying(api, answers([both, says("A seven. The gulls scream 🎲.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        seat.script.add([3, 4]);
        let (reply, happened) = seat.says("I look around").await;
        assert_eq!(
            reply.unwrap(),
            "Żółty – a look\nA seven. The gulls scream 🎲.",
            "{api:?}"
        );
        let wanted = [
            "text Żółty – a look",
            "begun roll_dice",
            "begun get_character",
            "ended roll_dice: The GM rolls 2d6: [3, 4] = 7.",
        ];
        assert_eq!(&happened[..4], wanted, "{api:?}");
        assert!(
            happened[4].starts_with("ended get_character: ")
                && happened[5] == "text A seven. The gulls scream 🎲.",
            "{happened:?}"
        );
        assert_eq!(happened[6], "over, 200 read and 40 written", "{api:?}");

        let asked = fake.asked();
        assert_eq!(asked.len(), 2);
        assert!(
            may_call(&asked[0].body) && whole(&asked[0].body).contains("I look around"),
            "{:?}",
            asked[0].body
        );
        assert_eq!(asked[0].body["model"], "scripted");
        let back = results(&asked[1].body);
        let first: Value = serde_json::from_str(&back[0]).unwrap();
        let expected = json!([2, 7, "The GM rolls 2d6: [3, 4] = 7."]);
        assert_eq!(
            json!([back.len(), first["total"], first["summary"]]),
            expected
        );
        assert!(back[1].contains("Sabeth"), "{back:?}");
        assert!(is_keyed(api, &asked[0]), "{:?}", asked[0].headers);
    }
}

fn is_keyed(api: Api, asked: &Asked) -> bool {
    let header = |name: &str| {
        asked
            .headers
            .get(name)
            .and_then(|header| header.to_str().ok())
    };
    match api {
        Api::Anthropic => {
            header("x-api-key") == Some(KEY) && header("anthropic-version") == Some("2023-06-01")
        }
        Api::OpenAi => header("authorization") == Some(&format!("Bearer {KEY}")),
        Api::Ollama => header("authorization").is_none(),
    }
}

#[tokio::test]
async fn each_api_gets_the_conversation_in_its_own_form() {
    let script = || {
        answers([
            calls([("odds", json!({"expression": "1d6"}))]),
            says("One in six."),
        ])
    };
    let asked = |fake: Fake| async move {
        let mut seat = Seat::at(&fake, limits()).await;
        seat.says("What are my chances?").await.0.unwrap();
        fake.asked()[1].body.clone()
    };
    let body = asked(Fake::saying(Api::Anthropic, script())).await;
    let [question, call, result] = &body["messages"].as_array().unwrap()[..] else {
        panic!("{body}")
    };
    assert_eq!(
        json!([question["role"], call["role"], result["role"]]),
        json!(["user", "assistant", "user"])
    );
    let expected = json!({"type": "tool_use", "id": "toolu_0", "name": "odds", "input": {"expression": "1d6"}});
    assert_eq!(call["content"][0], expected);
    let wanted = json!(["toolu_0", false]);
    assert_eq!(
        json!([
            result["content"][0]["tool_use_id"],
            result["content"][0]["is_error"]
        ]),
        wanted
    );
    assert_eq!(body["system"][0]["text"], "You run the game.");
    assert!(
        body["tools"][0]["input_schema"]["properties"].is_object()
            && body["max_tokens"].as_u64().unwrap() <= 16_000
    );

    let body = asked(Fake::saying(Api::OpenAi, script())).await;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(
        messages[0],
        json!({"role": "system", "content": "You run the game."})
    );
    let call = &messages[messages.len() - 2]["tool_calls"][0];
    assert_eq!(
        call,
        &json!({"id": "call_0", "type": "function", "function": {"name": "odds", "arguments": "{\"expression\":\"1d6\"}"}})
    );
    assert_eq!(messages.last().unwrap()["tool_call_id"], "call_0");
    assert_eq!(
        (&body["tools"][0]["type"], &body["max_tokens"]),
        (&json!("function"), &json!(15_980))
    );

    let body = asked(Fake::saying(Api::Ollama, script())).await;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages.last().unwrap()["tool_name"], "odds");
    assert_eq!(
        messages[messages.len() - 2]["tool_calls"][0]["function"]["arguments"],
        json!({"expression": "1d6"})
    );
    assert_eq!(
        body["options"],
        json!({"num_ctx": 120_000, "num_predict": 15_980})
    );
    let properties = &body["tools"][0]["function"]["parameters"]["properties"];
    assert!(
        properties["expression"].is_object() && properties["request_id"].is_null(),
        "{properties}"
    );
}

#[tokio::test]
async fn what_was_done_with_commands_is_reported_with_the_next_question() {
    for api in Api::ALL {
        let fake = Fake::saying(api, answers([says("Ouch."), says("Again.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        seat.assistant
            .add_meanwhile("/damage Sabeth 4 (Sabeth takes 4 damage)");
        seat.says("I fall").await.0.unwrap();
        seat.says("And now?").await.0.unwrap();
        let asked = fake.asked();
        assert!(
            whole(&asked[0].body)
                .contains("At the table: /damage Sabeth 4 (Sabeth takes 4 damage)\\nI fall"),
            "{}",
            whole(&asked[0].body)
        );
        assert_eq!(
            whole(&asked[1].body)
                .matches("Sabeth takes 4 damage")
                .count(),
            1
        );
        assert!(
            whole(&asked[1].body).contains("Ouch.") && whole(&asked[1].body).contains("And now?")
        );
    }
}

#[tokio::test]
async fn calls_that_write_are_made_in_their_order_and_those_that_read_see_what_was_written() {
    for api in Api::ALL {
        let batch = calls([
            (
                "get_character",
                json!({"character": "Aria", "view": "full"}),
            ),
            (
                "manage_character",
                json!({"action": "create", "name": "Aria", "attributes": {"STR": 10, "DEX": 10, "CON": 10, "INT": 10, "WIS": 10, "CHA": 10}}),
            ),
            (
                "get_character",
                json!({"character": "Aria", "view": "full"}),
            ),
            ("apply_damage", json!({"target": "Aria", "amount": 2})),
            ("apply_damage", json!({"target": "Nobody", "amount": 2})),
            (
                "get_character",
                json!({"character": "Aria", "view": "full"}),
            ),
        ]);
        let fake = Fake::saying(api, answers([batch, says("Done.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        seat.says("A newcomer").await.0.unwrap();
        let back = results(&fake.asked()[1].body);
        assert_eq!(back.len(), 6);
        let parsed: Vec<Value> = back
            .iter()
            .map(|text| serde_json::from_str(text).unwrap())
            .collect();
        assert_eq!(
            [&parsed[0]["code"], &parsed[4]["code"]],
            [&json!("unknown_character"); 2],
            "{back:?}"
        );
        let left = |reply: &Value| reply["character"]["tracks"][0]["value"].as_i64();
        assert_eq!(
            left(&parsed[2]).unwrap() - 2,
            left(&parsed[5]).unwrap(),
            "{parsed:?}"
        );
    }
}

/// A scripted model plays the demo's scene of the Lockhouse through `rollbook play`: two lodgers,
/// the harbour-master's lock, a secret, a fight in rising water to its end. The dice are real, so
/// the model looks at each reply for what comes next, as one does.
const SECRET: &str = "do they hear the breathing?";

/// A model with a plan: what it says before a fight, and how it fights.
struct Scripted {
    plan: VecDeque<Answer>,
    fights: bool,
}

impl Scripted {
    fn new() -> Scripted {
        let person = |name: &str, scores: [i64; 6], skills: Value| {
            let [
                strength,
                dexterity,
                constitution,
                intelligence,
                wisdom,
                charisma,
            ] = scores;
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
        Scripted {
            plan: plan.into(),
            fights: false,
        }
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
        let replies: Vec<Map<String, Value>> = results(&asked.body)
            .iter()
            .map(|text| serde_json::from_str(text).expect("a reply"))
            .collect();
        let Some(status) = replies
            .iter()
            .find(|reply| reply.contains_key("order") && reply.contains_key("status"))
        else {
            return calls([(
                "manage_combat",
                json!({"action": "status", "detail": "full"}),
            )])
            .into();
        };
        if status["status"] == "ended" {
            self.fights = false;
            return says("The Mess is quiet.").into();
        }
        let up = |side: &str| {
            let places = status["order"].as_array().expect("an order");
            places
                .iter()
                .find(|place| place["side"] == side && place["defeated"] != true)
                .map(|place| place["name"].clone())
        };
        let round = status["round"].as_u64().unwrap_or(0);
        let (Some(player), Some(foe), true) = (up("players"), up("foes"), round < 30) else {
            return calls([
                (
                    "manage_combat",
                    json!({"action": "end", "outcome": "somebody is down"}),
                ),
                (
                    "manage_combat",
                    json!({"action": "status", "detail": "full"}),
                ),
            ])
            .into();
        };
        let current = status["current"].as_str().expect("somebody's turn");
        let target = if current.starts_with("Wrecker") {
            player
        } else {
            foe
        };
        let skill = if current == "Sabeth Quoin" {
            "Aim"
        } else {
            "Melee"
        };
        let attack = json!({"skill": skill, "character": current, "target": target, "difficulty": 10, "damage": "1d8", "end_turn": true});
        calls([
            ("skill_check", attack),
            (
                "manage_combat",
                json!({"action": "status", "detail": "full"}),
            ),
        ])
        .into()
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
        command
            .env("ANTHROPIC_API_KEY", KEY)
            .env("OPENAI_API_KEY", KEY);
        let output = piped(
            command,
            "We come to the Lockhouse.\nSabeth picks the lock.\nDo we hear anything?\nIn we go!\n/recap\n/fight\n",
        );
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
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
        assert!(
            !out.contains(SECRET),
            "what players must not see is not on their screen:\n{out}"
        );
        // The log holds, and has what the screen has not.
        let run = |arguments: &[&str]| {
            let output = rollbook(folder.path())
                .args(arguments)
                .output()
                .expect("it runs");
            assert!(
                output.status.success(),
                "{arguments:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        run(&["verify", "--db", "campaigns.db"]);
        run(&[
            "export",
            "--db",
            "campaigns.db",
            "--audience",
            "gm",
            "--format",
            "jsonl",
            "--out",
            "gm.jsonl",
        ]);
        let log = std::fs::read_to_string(folder.path().join("gm.jsonl")).unwrap();
        assert!(log.contains(SECRET) && log.contains("somebody is down"));
    }
}
