//! Long conversations: old turns go, and the log tells of them.

use rollbook::play::assistant::Limits;
use rollbook::play::model::Api;
use serde_json::{Value, json};

use super::fake::{Answer, Fake, Said, calls, says};
use super::rig::{Seat, answers, limits, object, whole};

#[tokio::test]
async fn old_turns_are_dropped_and_the_log_stands_in_their_place() {
    for api in Api::ALL {
        let note = calls([("manage_session", json!({"action": "note", "text": "The bell has a crack."}))]);
        let long = "The sea. ".repeat(900);
        let mut said = vec![Answer::from(note), says("Noted.").into()];
        // What the API counts is what makes the conversation long.
        said.extend((1..9).map(|nth| Answer::from(Said { read: Some(2_000 * nth), ..says(&format!("{nth} {long}")) })));
        let fake = Fake::saying(api, said);
        let mut seat = Seat::at(&fake, Limits { context: 16_000, ..limits() }).await;
        let mut shortened = 0;
        for nth in 0..9 {
            let (said, happened) = seat.says(&format!("Question {nth}")).await;
            said.unwrap();
            shortened += happened.iter().filter(|own| own.starts_with("shortened ")).count();
        }
        assert!(shortened >= 1);
        let last = fake.asked().last().unwrap().body.clone();
        let text = whole(&last);
        assert!(!text.contains("Question 0") && text.contains("Question 8"), "{}", text.len());
        assert!(
            text.contains("Earlier turns of this conversation were dropped") && text.contains("The bell has a crack."),
            "{text}"
        );
        assert!(text.len() < 16_000 * 4, "{}", text.len());
        assert!(begins_with_a_person(api, &last), "{last}");
    }
}

/// Every API wants a person's word first, and no result without its call.
fn begins_with_a_person(api: Api, body: &Value) -> bool {
    let messages = body["messages"].as_array().unwrap();
    let first = if api == Api::Anthropic { &messages[0] } else { &messages[1] };
    first["role"] == "user"
}

#[tokio::test]
async fn a_model_that_reads_less_than_was_thought_is_asked_again_with_less() {
    for api in Api::ALL {
        let too_long = || {
            Answer::Status(
                400,
                vec![],
                json!({"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
            )
        };
        let fake = Fake::saying(api, [says("One.").into(), too_long(), says("Two.").into(), too_long(), too_long()]);
        let mut seat = Seat::at(&fake, limits()).await;
        seat.says("First").await.0.unwrap();
        let (said, happened) = seat.says("Second").await;
        assert_eq!(said.unwrap(), "Two.");
        assert!(happened.iter().any(|own| own.starts_with("shortened")), "{happened:?}");
        let why = seat.says("Third").await.0.unwrap_err();
        assert!(why.contains("longer than the model reads") && why.contains("--context"), "{why}");
        assert_eq!(fake.asked().len(), 5, "and not for ever");
    }
}

#[tokio::test]
async fn where_there_is_nothing_to_leave_out_nothing_is_said_to_be_and_it_is_not_asked_again() {
    for api in Api::ALL {
        let fake = Fake::start(api, |_| {
            Answer::Status(
                400,
                vec![],
                json!({"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
            )
        });
        let (said, happened) = Seat::at(&fake, limits()).await.says("First").await;
        assert!(said.unwrap_err().contains("--context"));
        assert_eq!((happened.len(), fake.asked().len()), (0, 1), "{happened:?}");
    }
}

#[tokio::test]
async fn a_game_that_was_played_before_is_told_at_the_beginning() {
    let fake = Fake::saying(Api::Anthropic, answers([says("Welcome back.")]));
    let mut seat = Seat::at(&fake, limits()).await;
    seat.toolbox
        .call("manage_session", object(json!({"action": "note", "kind": "scene", "text": "The boathouse at night"})))
        .await;
    seat.says("Where are we?").await.0.unwrap();
    let told = whole(&fake.asked()[0].body);
    assert!(told.contains("At the table: Go on with lockhouse") && told.contains("The boathouse at night"), "{told}");
}
