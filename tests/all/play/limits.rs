//! Whatever a model does, an answer ends: calls, tokens and time are bounded, and old turns of long
//! conversations go.

use std::time::{Duration, Instant};

use rollbook::play::assistant::Limits;
use rollbook::play::model::Api;
use rollbook_table::session::Readers;
use serde_json::{Value, json};

use super::fake::{Answer, End, Fake, Reply, calls, says};
use super::rig::{Seat, answers, limits, may_call, object, results, whole};
use crate::table::has;

/// A model that calls whenever it may.
pub fn calling(api: Api) -> Fake {
    Fake::start(api, |asked| match may_call(&asked.body) {
        true => calls([
            ("roll_dice", json!({"expression": "1"})),
            ("roll_dice", json!({"expression": "2"})),
        ])
        .into(),
        false => says("Enough. It is late.").into(),
    })
}

#[tokio::test]
async fn a_model_that_calls_though_it_may_not_is_not_obeyed() {
    for api in Api::ALL {
        let obstinate = || {
            let insists = Reply {
                text: "I insist.".to_owned(),
                ..calls([("roll_dice", json!({"expression": "3"}))])
            };
            Answer::from(insists)
        };
        let fake = Fake::start(api, move |_| obstinate());
        let mut seat = Seat::at(
            &fake,
            Limits {
                calls: 1,
                ..limits()
            },
        )
        .await;
        let (reply, happened) = seat.says("Go").await;
        assert_eq!(reply.unwrap(), "I insist.\nI insist.");
        assert_eq!(
            happened
                .iter()
                .filter(|event| event.starts_with("begun"))
                .count(),
            1,
            "{happened:?}"
        );
        assert_eq!(fake.asked().len(), 2);
    }
}

#[tokio::test]
async fn tokens_are_bounded() {
    for api in Api::ALL {
        let fake = calling(api);
        // Each reply of the fake has 20.
        let mut seat = Seat::at(
            &fake,
            Limits {
                tokens: 40,
                ..limits()
            },
        )
        .await;
        let (reply, happened) = seat.says("Roll").await;
        assert_eq!(reply.unwrap(), "Enough. It is late.");
        assert!(
            happened
                .iter()
                .any(|event| event.starts_with("reached 40 tokens are written")),
            "{happened:?}"
        );
        assert_eq!(fake.asked().len(), 3);
    }
}

#[tokio::test]
async fn a_reply_that_was_cut_off_says_so() {
    for api in Api::ALL {
        let long = Reply {
            is_cut_off: true,
            ..says("Once upon a ")
        };
        let fake = Fake::saying(api, answers([long]));
        let (reply, happened) = Seat::at(&fake, limits()).await.says("Tell").await;
        assert_eq!(
            (
                reply.unwrap().as_str(),
                happened.contains(&"cut off".to_owned())
            ),
            ("Once upon a", true)
        );
        // Of a call that was cut off nothing is carried out.
        let torn = Reply {
            calls: vec![(
                "apply_damage".to_owned(),
                "{\"target\": \"Sabeth\", \"amount\": 1".to_owned(),
            )],
            is_cut_off: true,
            ..Reply::default()
        };
        let fake = Fake::saying(api, answers([torn, says("I will be short.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        let before = seat.log_length().await;
        assert_eq!(seat.says("Hit").await.0.unwrap(), "I will be short.");
        assert_eq!(seat.log_length().await, before);
        let back = results(&fake.asked()[1].body);
        assert!(
            back[0].contains("reply was cut") && back[0].contains("Send the calls again"),
            "{back:?}"
        );
    }
}

#[tokio::test]
async fn whole_calls_of_a_reply_that_was_cut_are_not_made_and_not_asked_for_without_end() {
    for api in Api::ALL {
        let cut = || Reply {
            is_cut_off: true,
            ..calls([("apply_damage", json!({"target": "Sabeth", "amount": 1}))])
        };
        let fake = Fake::saying(
            api,
            answers([
                cut(),
                calls([("roll_dice", json!({"expression": "3"}))]),
                says("Three."),
            ]),
        );
        let mut seat = Seat::at(&fake, limits()).await;
        let (reply, happened) = seat.says("Hit").await;
        assert_eq!(reply.unwrap(), "Three.");
        let begun: Vec<&String> = happened
            .iter()
            .filter(|event| event.starts_with("begun"))
            .collect();
        assert_eq!(begun, ["begun roll_dice"], "{happened:?}");

        let fake = Fake::start(api, move |_| cut().into());
        let mut seat = Seat::at(&fake, limits()).await;
        let before = seat.log_length().await;
        let (_, happened) = seat.says("Hit").await;
        assert_eq!(
            (seat.log_length().await, fake.asked().len()),
            (before, 4),
            "{happened:?}"
        );
        assert!(
            !may_call(&fake.asked()[3].body) && happened.contains(&"cut off".to_owned()),
            "{happened:?}"
        );
    }
}

#[tokio::test]
async fn one_reply_may_have_what_the_answer_has_left() {
    let most = |body: &Value| {
        let named = [
            "/max_tokens",
            "/max_completion_tokens",
            "/options/num_predict",
        ];
        named
            .iter()
            .find_map(|place| body.pointer(place)?.as_u64())
            .unwrap()
    };
    for api in Api::ALL {
        for (tokens, context, wanted) in [
            (100_000, 120_000, 16_000),
            (9_000, 120_000, 9_000),
            (100_000, 32_000, 8_000),
        ] {
            let fake = Fake::saying(
                api,
                answers([
                    calls([("roll_dice", json!({"expression": "3"}))]),
                    says("Three."),
                ]),
            );
            let mut seat = Seat::at(
                &fake,
                Limits {
                    tokens,
                    context,
                    ..limits()
                },
            )
            .await;
            seat.says("Roll").await.0.unwrap();
            let asked = fake.asked();
            assert_eq!(most(&asked[0].body), wanted);
            // Each reply of the fake has 20.
            assert_eq!(
                most(&asked[1].body),
                if wanted == 9_000 { 8_980 } else { wanted }
            );
        }
    }
}

#[tokio::test]
async fn an_endpoint_that_hangs_and_a_stream_without_end_take_no_longer_than_an_answer_may() {
    let short = Limits {
        time: Duration::from_secs(1),
        ..limits()
    };
    for api in Api::ALL {
        let began = Instant::now();
        let fake = Fake::start(api, |_| Answer::Silence);
        let mut seat = Seat::at(&fake, short).await;
        let why = seat.says("Hello?").await.0.unwrap_err();
        assert!(
            why.contains("said nothing for 1 s") && why.contains("--max-seconds"),
            "{why}"
        );

        let fake = Fake::saying(
            api,
            answers([says("The tide ").ending(End::Hangs), says("It is in.")]),
        );
        let mut seat = Seat::at(&fake, short).await;
        let (reply, happened) = seat.says("And?").await;
        assert_eq!(
            reply.unwrap(),
            "",
            "words that never ended are not believed"
        );
        assert!(
            happened.contains(
                &"reached 1 s are over, as long as an answer may take (--max-seconds)".to_owned()
            ),
            "{happened:?}"
        );
        assert_eq!(
            seat.says("Again").await.0.unwrap(),
            "It is in.",
            "the table goes on"
        );

        let fake = Fake::saying(api, answers([says("On ").ending(End::Never)]));
        let (_, happened) = Seat::at(&fake, short).await.says("And?").await;
        assert!(
            happened
                .iter()
                .any(|event| event.starts_with("reached 1 s are over")),
            "{happened:?}"
        );
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{:?}",
            began.elapsed()
        );
    }
}

/// Long conversations: old turns go, and the log tells of them.
#[tokio::test]
async fn old_turns_are_dropped_and_the_log_is_in_their_place() {
    for api in Api::ALL {
        let note = calls([(
            "manage_session",
            json!({"action": "note", "text": "The bell has a crack."}),
        )]);
        let long = "The sea. ".repeat(900);
        let mut replies = vec![Answer::from(note), says("Noted.").into()];
        // What the API counts is what makes the conversation long.
        replies.extend((1..9).map(|nth| {
            Answer::from(Reply {
                read: Some(2_000 * nth),
                ..says(&format!("{nth} {long}"))
            })
        }));
        let fake = Fake::saying(api, replies);
        let mut seat = Seat::at(
            &fake,
            Limits {
                context: 16_000,
                ..limits()
            },
        )
        .await;
        let mut shortened = 0;
        for nth in 0..9 {
            let (replies, happened) = seat.says(&format!("Question {nth}")).await;
            replies.unwrap();
            shortened += happened
                .iter()
                .filter(|event| event.starts_with("shortened "))
                .count();
        }
        assert!(shortened >= 1);
        let last = fake.asked().last().unwrap().body.clone();
        let text = whole(&last);
        assert!(
            !text.contains("Question 0") && text.contains("Question 8"),
            "{}",
            text.len()
        );
        has(
            &text,
            &[
                "Earlier turns of this conversation were dropped",
                "The bell has a crack.",
            ],
        );
        assert!(text.len() < 16_000 * 4, "{}", text.len());
        assert!(begins_with_a_person(api, &last), "{last}");
    }
}

/// Every API wants a person's word first, and no result without its call.
fn begins_with_a_person(api: Api, body: &Value) -> bool {
    let messages = body["messages"].as_array().unwrap();
    let first = if api == Api::Anthropic {
        &messages[0]
    } else {
        &messages[1]
    };
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
        let fake = Fake::saying(
            api,
            [
                says("One.").into(),
                too_long(),
                says("Two.").into(),
                too_long(),
                too_long(),
            ],
        );
        let mut seat = Seat::at(&fake, limits()).await;
        seat.says("First").await.0.unwrap();
        let (reply, happened) = seat.says("Second").await;
        assert_eq!(reply.unwrap(), "Two.");
        assert!(
            happened.iter().any(|event| event.starts_with("shortened")),
            "{happened:?}"
        );
        let why = seat.says("Third").await.0.unwrap_err();
        assert!(
            why.contains("longer than the model reads") && why.contains("--context"),
            "{why}"
        );
        assert_eq!(fake.asked().len(), 5, "and not for ever");
    }
}

#[tokio::test]
async fn where_there_is_nothing_to_leave_out_no_note_says_so_and_it_is_not_asked_again() {
    for api in Api::ALL {
        let fake = Fake::start(api, |_| {
            Answer::Status(
                400,
                vec![],
                json!({"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
            )
        });
        let (reply, happened) = Seat::at(&fake, limits()).await.says("First").await;
        assert!(reply.unwrap_err().contains("--context"));
        assert_eq!((happened.len(), fake.asked().len()), (0, 1), "{happened:?}");
    }
}

#[tokio::test]
async fn a_game_that_was_played_before_is_reported_at_the_beginning() {
    let fake = Fake::saying(Api::Anthropic, answers([says("Welcome back.")]));
    let mut seat = Seat::at(&fake, limits()).await;
    let sent = json!({"action": "note", "kind": "scene", "text": "The boathouse at night"});
    seat.toolbox
        .call(Readers::Gm, "manage_session", object(sent))
        .await;
    seat.says("Where are we?").await.0.unwrap();
    let text = whole(&fake.asked()[0].body);
    assert!(
        text.contains("At the table: Go on with lockhouse")
            && text.contains("The boathouse at night"),
        "{text}"
    );
}
