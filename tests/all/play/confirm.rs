//! What cannot be taken back: the person at the keyboard is asked, and no model answers in their place. From a pipe the word is sent.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rollbook::play::model::Api;
use rollbook::play::toolbox::Asker;
use rollbook_table::tools::{External, Registry, ToolEntry};
use serde_json::{Map, json};
use tempfile::TempDir;

use super::fake::{Fake, calls, says};
use super::piped::{piped, play};
use super::rig::{Seat, answers, limits, object, results};

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
        assert_eq!(arguments.keys().collect::<Vec<_>>(), ["what"], "the word is the table's");
        counted.fetch_add(1, Ordering::Relaxed);
        Box::pin(async { Ok(Map::from_iter([("summary".to_owned(), json!("burnt"))])) })
    });
    let mut tools = Registry::default();
    tools.register(tool).expect("the name is free");
    (tools, count)
}

/// Somebody who answers so, and what they were asked.
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
        let script = answers([
            calls([("burn", json!({"what": "the map", "confirm": "burn"})), ("roll_dice", json!({"expression": "7"}))]),
            says("So be it."),
        ]);
        let fake = Fake::saying(Api::Anthropic, script);
        let (tools, burnt) = burns();
        let (asker, asked) = person(yes);
        let mut seat = Seat::with_person(&fake, limits(), tools, asker).await;
        let (said, happened) = seat.says("Burn the map").await;
        assert_eq!(said.unwrap(), "So be it.");
        assert_eq!(burnt.load(Ordering::Relaxed), times);
        let questions = asked.lock().unwrap().clone();
        assert_eq!(
            questions,
            [
                "The model calls burn {\"what\":\"the map\"}. burn of fire destroys something. That cannot be taken back. Do it?"
            ]
        );
        let told = happened.iter().filter(|own| own.starts_with("ended burn")).count();
        assert_eq!(told, 1, "{happened:?}");
        let requests = fake.asked();
        let tools = requests[0].body["tools"].as_array().unwrap();
        let burn = tools.iter().find(|own| own["name"] == "burn").expect("it is told of");
        assert!(burn["input_schema"]["properties"]["confirm"].is_null(), "{burn}");
        let back = results(&requests[1].body);
        assert!(back[0].contains(word) && back[1].contains("7 = 7"), "{back:?}");
    }
}

#[tokio::test]
async fn what_a_person_types_is_asked_too_and_their_own_word_is_enough() {
    let fake = Fake::saying(Api::Anthropic, answers([]));
    let (tools, burnt) = burns();
    let (asker, asked) = person(false);
    let seat = Seat::with_person(&fake, limits(), tools, asker).await;
    let declined = seat.toolbox.call("burn", object(json!({"what": "it"}))).await;
    assert!(declined.summary().contains("declined"), "{declined:?}");
    let done = seat.toolbox.call("burn", object(json!({"what": "it", "confirm": "burn"}))).await;
    assert_eq!(done.summary(), "burnt");
    assert_eq!((burnt.load(Ordering::Relaxed), asked.lock().unwrap().len()), (1, 1));
}

#[test]
fn from_a_pipe_the_refusal_says_what_to_send_and_sending_it_works() {
    let folder = TempDir::new().unwrap();
    let lines =
        "/call manage_session action=accept_loss\n/call manage_session action=accept_loss confirm=\"accept loss\"\n";
    let output = piped(play(folder.path()), lines);
    let out = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(output.status.success(), "{out}");
    assert!(out.contains("send the same call with confirm=\"accept loss\"") && !out.contains("y/n"), "{out}");
    assert!(out.contains("there is nothing to accept"), "with the word the call is made: {out}");
}
