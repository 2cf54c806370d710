//! A model calls, its results go back, it answers: behind each API.

use rollbook::play::model::Api;
use serde_json::{Value, json};

use super::fake::{Asked, Fake, Said, calls, says};
use super::rig::{KEY, Seat, answers, limits, may_call, results, whole};

#[tokio::test]
async fn a_model_calls_and_its_results_go_back_and_it_answers() {
    for api in Api::ALL {
        let both = Said {
            text: "Żółty – a look".to_owned(),
            ..calls([("roll_dice", json!({"expression": "2d6"})), ("get_character", json!({"list": true}))])
        };
        let fake = Fake::saying(api, answers([both, says("A seven. The gulls scream 🎲.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        seat.script.add([3, 4]);
        let (said, happened) = seat.says("I look around").await;
        assert_eq!(said.unwrap(), "Żółty – a look\nA seven. The gulls scream 🎲.", "{api:?}");
        let wanted = [
            "text Żółty – a look",
            "begun roll_dice",
            "begun get_character",
            "ended roll_dice: The GM rolls 2d6: [3, 4] = 7.",
        ];
        assert_eq!(&happened[..4], wanted, "{api:?}");
        assert!(
            happened[4].starts_with("ended get_character: ") && happened[5] == "text A seven. The gulls scream 🎲.",
            "{happened:?}"
        );
        assert_eq!(happened[6], "over, 200 read and 40 written", "{api:?}");

        let asked = fake.asked();
        assert_eq!(asked.len(), 2);
        assert!(may_call(&asked[0].body) && whole(&asked[0].body).contains("I look around"), "{:?}", asked[0].body);
        assert_eq!(asked[0].body["model"], "scripted");
        let back = results(&asked[1].body);
        let first: Value = serde_json::from_str(&back[0]).unwrap();
        assert_eq!(
            (back.len(), &first["total"], &first["summary"]),
            (2, &json!(7), &json!("The GM rolls 2d6: [3, 4] = 7."))
        );
        assert!(back[1].contains("Sabeth"), "{back:?}");
        assert!(is_keyed(api, &asked[0]), "{:?}", asked[0].headers);
    }
}

fn is_keyed(api: Api, asked: &Asked) -> bool {
    let header = |name: &str| asked.headers.get(name).and_then(|own| own.to_str().ok());
    match api {
        Api::Anthropic => header("x-api-key") == Some(KEY) && header("anthropic-version") == Some("2023-06-01"),
        Api::OpenAi => header("authorization") == Some(&format!("Bearer {KEY}")),
        Api::Ollama => header("authorization").is_none(),
    }
}

#[tokio::test]
async fn each_api_gets_the_conversation_in_its_own_form() {
    let script = || answers([calls([("odds", json!({"expression": "1d6"}))]), says("One in six.")]);
    let asked = |fake: Fake| async move {
        let mut seat = Seat::at(&fake, limits()).await;
        seat.says("What are my chances?").await.0.unwrap();
        fake.asked()[1].body.clone()
    };
    let body = asked(Fake::saying(Api::Anthropic, script())).await;
    let [question, call, result] = &body["messages"].as_array().unwrap()[..] else { panic!("{body}") };
    assert_eq!(
        (&question["role"], &call["role"], &result["role"]),
        (&json!("user"), &json!("assistant"), &json!("user"))
    );
    assert_eq!(
        call["content"][0],
        json!({"type": "tool_use", "id": "toolu_0", "name": "odds", "input": {"expression": "1d6"}})
    );
    assert_eq!(
        (&result["content"][0]["tool_use_id"], &result["content"][0]["is_error"]),
        (&json!("toolu_0"), &json!(false))
    );
    assert_eq!(body["system"][0]["text"], "You run the game.");
    assert!(
        body["tools"][0]["input_schema"]["properties"].is_object() && body["max_tokens"].as_u64().unwrap() <= 16_000
    );

    let body = asked(Fake::saying(Api::OpenAi, script())).await;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages[0], json!({"role": "system", "content": "You run the game."}));
    let call = &messages[messages.len() - 2]["tool_calls"][0];
    assert_eq!(
        call,
        &json!({"id": "call_0", "type": "function", "function": {"name": "odds", "arguments": "{\"expression\":\"1d6\"}"}})
    );
    assert_eq!(messages.last().unwrap()["tool_call_id"], "call_0");
    assert_eq!((&body["tools"][0]["type"], &body["max_tokens"]), (&json!("function"), &json!(15_980)));

    let body = asked(Fake::saying(Api::Ollama, script())).await;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages.last().unwrap()["tool_name"], "odds");
    assert_eq!(messages[messages.len() - 2]["tool_calls"][0]["function"]["arguments"], json!({"expression": "1d6"}));
    assert_eq!(body["options"], json!({"num_ctx": 120_000, "num_predict": 15_980}));
    let properties = &body["tools"][0]["function"]["parameters"]["properties"];
    assert!(properties["expression"].is_object() && properties["request_id"].is_null(), "{properties}");
}

#[tokio::test]
async fn what_was_done_with_commands_is_told_with_the_next_question() {
    for api in Api::ALL {
        let fake = Fake::saying(api, answers([says("Ouch."), says("Again.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        seat.assistant.add_meanwhile("/damage Sabeth 4 (Sabeth takes 4 damage)");
        seat.says("I fall").await.0.unwrap();
        seat.says("And now?").await.0.unwrap();
        let asked = fake.asked();
        assert!(
            whole(&asked[0].body).contains("At the table: /damage Sabeth 4 (Sabeth takes 4 damage)\\nI fall"),
            "{}",
            whole(&asked[0].body)
        );
        assert_eq!(whole(&asked[1].body).matches("Sabeth takes 4 damage").count(), 1);
        assert!(whole(&asked[1].body).contains("Ouch.") && whole(&asked[1].body).contains("And now?"));
    }
}

#[tokio::test]
async fn calls_that_write_are_made_in_their_order_and_those_that_read_see_what_was_written() {
    for api in Api::ALL {
        let batch = calls([
            ("get_character", json!({"character": "Aria", "view": "full"})),
            (
                "manage_character",
                json!({"action": "create", "name": "Aria", "attributes": {"STR": 10, "DEX": 10, "CON": 10, "INT": 10, "WIS": 10, "CHA": 10}}),
            ),
            ("get_character", json!({"character": "Aria", "view": "full"})),
            ("apply_damage", json!({"target": "Aria", "amount": 2})),
            ("apply_damage", json!({"target": "Nobody", "amount": 2})),
            ("get_character", json!({"character": "Aria", "view": "full"})),
        ]);
        let fake = Fake::saying(api, answers([batch, says("Done.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        seat.says("A newcomer").await.0.unwrap();
        let back = results(&fake.asked()[1].body);
        assert_eq!(back.len(), 6);
        let parsed: Vec<Value> = back.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        assert_eq!([&parsed[0]["code"], &parsed[4]["code"]], [&json!("unknown_character"); 2], "{back:?}");
        let left = |own: &Value| own["character"]["tracks"][0]["value"].as_i64();
        assert_eq!(left(&parsed[2]).unwrap() - 2, left(&parsed[5]).unwrap(), "{parsed:?}");
    }
}
