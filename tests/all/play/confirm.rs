//! What cannot be taken back is asked of the person at the keyboard; and a key that the endpoint
//! repeats is shown nowhere.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rollbook::play::assistant::Limits;
use rollbook::play::model::Api;
use rollbook::play::toolbox::Asker;
use rollbook_table::session::Readers;
use rollbook_table::tools::{External, Registry, ToolEntry};
use serde_json::{Map, json};
use tempfile::TempDir;

use super::fake::{Answer, End, Fake, Reply, calls, says};
use super::piped::{piped, play};
use super::rig::{KEY, Seat, answers, limits, object, results};

/// A tool of others that destroys, and how often it did.
fn burns() -> (Registry, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let about = External {
        name: "burn".to_owned(),
        category: "fire".to_owned(),
        input: object(json!({"type": "object", "properties": {"what": {"type": "string"}}})),
        destructive: true,
        ..External::default()
    };
    let tool = ToolEntry::external(about, move |arguments| {
        assert_eq!(
            arguments.keys().collect::<Vec<_>>(),
            ["what"],
            "the word is the table's"
        );
        counted.fetch_add(1, Ordering::Relaxed);
        Box::pin(async { Ok(Map::from_iter([("summary".to_owned(), json!("burnt"))])) })
    });
    let mut tools = Registry::default();
    tools.register(tool).expect("the name is free");
    (tools, count)
}

/// A person who answers so, and what they were asked.
fn person(answers: bool) -> (Asker, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = asked.clone();
    let asker: Asker = Arc::new(move |question| {
        heard.lock().expect("a lock").push(question);
        Box::pin(async move { answers })
    });
    (asker, asked)
}

#[tokio::test]
async fn a_model_s_call_that_destroys_is_asked_of_the_person_whatever_the_model_sends() {
    for (yes, times, word) in [(true, 1, "burnt"), (false, 0, "declined")] {
        let call = json!({"what": "the map", "confirm": "burn"});
        let script = answers([
            calls([("burn", call), ("roll_dice", json!({"expression": "7"}))]),
            says("So be it."),
        ]);
        let fake = Fake::saying(Api::Anthropic, script);
        let (tools, burnt) = burns();
        let (asker, asked) = person(yes);
        let mut seat = Seat::with_person(&fake, limits(), tools, asker).await;
        let (reply, happened) = seat.says("Burn the map").await;
        assert_eq!(reply.unwrap(), "So be it.");
        assert_eq!(burnt.load(Ordering::Relaxed), times);
        let questions = asked.lock().unwrap().clone();
        let expected = [
            "The model calls burn {\"what\":\"the map\"}. burn of fire destroys something. That cannot be taken back. Do it?",
        ];
        assert_eq!(questions, expected);
        let matching = happened
            .iter()
            .filter(|event| event.starts_with("ended burn"))
            .count();
        assert_eq!(matching, 1, "{happened:?}");
        let requests = fake.asked();
        let tools = requests[0].body["tools"].as_array().unwrap();
        let burn = tools
            .iter()
            .find(|tool| tool["name"] == "burn")
            .expect("it is listed");
        assert!(
            burn["input_schema"]["properties"]["confirm"].is_null(),
            "{burn}"
        );
        let back = results(&requests[1].body);
        assert!(
            back[0].contains(word) && back[1].contains("7 = 7"),
            "{back:?}"
        );
    }
}

#[tokio::test]
async fn what_a_person_types_is_asked_too_and_their_own_word_is_enough() {
    let fake = Fake::saying(Api::Anthropic, answers([]));
    let (tools, burnt) = burns();
    let (asker, asked) = person(false);
    let seat = Seat::with_person(&fake, limits(), tools, asker).await;
    let declined = seat
        .toolbox
        .call(Readers::Gm, "burn", object(json!({"what": "it"})))
        .await;
    assert!(declined.summary().contains("declined"), "{declined:?}");
    let done = seat
        .toolbox
        .call(
            Readers::Gm,
            "burn",
            object(json!({"what": "it", "confirm": "burn"})),
        )
        .await;
    assert_eq!(done.summary(), "burnt");
    assert_eq!(
        (burnt.load(Ordering::Relaxed), asked.lock().unwrap().len()),
        (1, 1)
    );
}

#[test]
fn from_a_pipe_the_refusal_says_what_to_send_and_sending_it_works() {
    let folder = TempDir::new().unwrap();
    let lines = "/call manage_session action=accept_loss\n/call manage_session action=accept_loss confirm=\"accept loss\"\n";
    let output = piped(play(folder.path()), lines);
    let out = String::from_utf8_lossy(&output.stdout)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(output.status.success(), "{out}");
    assert!(
        out.contains("send the same call with confirm=\"accept loss\"") && !out.contains("y/n"),
        "{out}"
    );
    assert!(
        out.contains("there is nothing to accept"),
        "with the word the call is made: {out}"
    );
}

/// A key that the endpoint repeats stands nowhere: not on the screen, not in what is sent again.
#[tokio::test]
async fn errors_of_an_endpoint_are_without_the_key() {
    for api in Api::ALL {
        for status in [400, 401, 404, 429, 500] {
            // The first 300 characters of an error are shown: no beginning of the key stays at
            // their end.
            for blanks in [1, 285] {
                let words = format!("Bearer{}{KEY} is wrong", "x".repeat(blanks));
                let fake = Fake::start(api, move |_| {
                    Answer::Status(
                        status,
                        vec![("retry-after", "3600")],
                        json!({"error": {"message": words}}),
                    )
                });
                let (reply, happened) = Seat::at(&fake, limits()).await.says("Hello").await;
                let why = reply.unwrap_err();
                assert!(
                    !why.contains("sk-secret")
                        && happened.iter().all(|event| !event.contains("sk-secret")),
                    "{why}"
                );
                assert!(why.contains("[key]") || blanks > 1, "{why}");
            }
        }
        let text: &'static str = Box::leak(format!("<html>{KEY}</html>\n").into_boxed_str());
        let fake = Fake::start(api, move |_| Answer::Bytes("text/html", text));
        let why = Seat::at(&fake, limits())
            .await
            .says("Hello")
            .await
            .0
            .unwrap_err();
        assert!(!why.contains(KEY), "{why}");
        let leads: &'static str =
            Box::leak(format!("https://elsewhere.example/?key={KEY}").into_boxed_str());
        let fake = Fake::start(api, move |_| {
            Answer::Status(307, vec![("location", leads)], json!({}))
        });
        let why = Seat::at(&fake, limits())
            .await
            .says("Hello")
            .await
            .0
            .unwrap_err();
        assert!(why.contains("?key=[key]"), "{why}");
    }
}

#[tokio::test]
async fn a_model_that_says_the_key_is_not_heard_though_the_network_cuts_it() {
    for api in Api::ALL {
        for lead in 0..7 {
            let text = format!("{}{KEY} and sk-sec", "a".repeat(lead));
            let loud = Reply {
                text: text.clone(),
                ..calls([("roll_dice", json!({"expression": "3", "context": KEY}))])
            };
            let fake = Fake::saying(api, answers([loud, says(&text)]));
            let mut seat = Seat::at(
                &fake,
                Limits {
                    calls: 5,
                    ..limits()
                },
            )
            .await;
            let (reply, happened) = seat.says("Hello").await;
            let wanted = format!("{}[key] and sk-sec", "a".repeat(lead));
            assert_eq!(reply.unwrap(), format!("{wanted}\n{wanted}"));
            assert!(
                happened.iter().all(|event| !event.contains(KEY)),
                "{happened:?}"
            );
            assert!(happened.contains(&format!("text {wanted}")), "{happened:?}");
            let asked = fake.asked()[1].body.to_string();
            assert!(!asked.contains(KEY) && asked.contains("[key]"), "{asked}");
        }
        let fake = Fake::start(api, |_| says(KEY).ending(End::Hangs).into());
        let short = Limits {
            time: std::time::Duration::from_secs(1),
            ..limits()
        };
        let (_, happened) = Seat::at(&fake, short).await.says("Hello").await;
        assert!(
            happened.iter().all(|event| !event.contains(KEY)),
            "{happened:?}"
        );
    }
}

#[test]
fn the_screen_is_without_the_key() {
    let folder = TempDir::new().unwrap();
    let error = Answer::Status(
        401,
        vec![],
        json!({"error": {"message": format!("wrong: Bearer {KEY}")}}),
    );
    let fake = Fake::saying(
        Api::Anthropic,
        [says(&format!("I know {KEY}.")).into(), error],
    );
    let mut command = play(folder.path());
    command
        .args(["--model", "claude-test", "--endpoint", &fake.endpoint])
        .env("ANTHROPIC_API_KEY", KEY);
    let output = piped(command, "Hello\nAgain\n");
    for text in [
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    ] {
        assert!(!text.contains(KEY), "{text}");
    }
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("I know [key]."),
        "{output:?}"
    );
}
