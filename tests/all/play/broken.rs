//! What goes wrong: each error says what to do, nothing of a broken reply is carried out, and the
//! table goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rollbook::play::assistant::Limits;
use rollbook::play::model::{Api, Choice, Model};
use rollbook_table::tools::{External, Registry, ToolEntry};
use serde_json::{Value, json};

use super::fake::{Answer, End, Fake, Reply, calls, says};
use super::rig::{KEY, Seat, answers, limits, results, whole};
use crate::table::has;

#[tokio::test]
async fn a_tool_that_is_invented_and_arguments_of_a_wrong_shape_are_answered_with_what_to_send() {
    for api in Api::ALL {
        let torn = |arguments: &str| ("roll_dice".to_owned(), arguments.to_owned());
        let wild = Reply {
            calls: vec![
                ("cast_fireball".to_owned(), "{}".to_owned()),
                ("roll_dise".to_owned(), "{}".to_owned()),
                torn("[1, 2]"),
                torn("not json"),
                torn("{\"expression\": [\"1d6\"]}"),
                torn("{\"dice\": \"1d6\", \"color\": \"red\"}"),
            ],
            ..Reply::default()
        };
        let fake = Fake::saying(api, answers([wild, says("I see.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        let before = seat.log_length().await;
        let (reply, happened) = seat.says("Burn it").await;
        assert_eq!(reply.unwrap(), "I see.", "{api:?} {happened:?}");
        assert_eq!(seat.log_length().await, before, "nothing was rolled");
        let back = results(&fake.asked()[1].body);
        for (text, wanted) in back.iter().zip([
            "there are roll_dice",
            "did you mean roll_dice?",
            "are no JSON object",
            "are no JSON object",
            "expression",
            "color",
        ]) {
            let refusal: Value = serde_json::from_str(text).unwrap();
            assert!(
                refusal["summary"].as_str().unwrap().contains(wanted) && refusal["rolled"] == false,
                "{wanted}: {text}"
            );
        }
        assert_eq!(back.len(), 6);
    }
}

#[tokio::test]
async fn too_many_requests_are_sent_again_when_the_api_says_so() {
    for api in Api::ALL {
        let busy = |status| {
            Answer::Status(
                status,
                vec![("retry-after", "0")],
                json!({"error": {"message": "slow down", "type": "rate_limit_error"}}),
            )
        };
        let fake = Fake::saying(
            api,
            [busy(429), busy(529), busy(503), says("Here I am.").into()],
        );
        let mut seat = Seat::at(&fake, limits()).await;
        let (reply, happened) = seat.says("Hello").await;
        assert_eq!(reply.unwrap(), "Here I am.");
        assert_eq!(
            happened
                .iter()
                .filter(|event| event.starts_with("again in 0: The model has too much to do (429 "))
                .count(),
            1,
            "{happened:?}"
        );
        assert_eq!(fake.asked().len(), 4);

        let fake = Fake::start(api, move |_| busy(429));
        let why = Seat::at(&fake, limits())
            .await
            .says("Hello")
            .await
            .0
            .unwrap_err();
        assert!(
            why.contains("slow down") && why.contains("in a minute"),
            "{why}"
        );
        assert_eq!(fake.asked().len(), 4, "and not for ever");

        // An hour is longer than the answer may take.
        let fake = Fake::start(api, |_| {
            Answer::Status(
                429,
                vec![("retry-after", "3600")],
                json!({"error": "slow down"}),
            )
        });
        let why = Seat::at(&fake, limits())
            .await
            .says("Hello")
            .await
            .0
            .unwrap_err();
        assert_eq!((why.contains("slow down"), fake.asked().len()), (true, 1));
        assert!(why.contains("in 60 minutes"), "{why}");
    }
}

#[tokio::test]
async fn a_model_that_refuses_or_says_nothing_is_named() {
    for api in Api::ALL {
        let refused = Reply {
            is_refused: true,
            ..Reply::default()
        };
        let roll = || calls([("roll_dice", json!({"expression": "1"}))]);
        let fake = Fake::saying(api, answers([refused, says(""), roll(), says("")]));
        let mut seat = Seat::at(
            &fake,
            Limits {
                calls: 1,
                ..limits()
            },
        )
        .await;
        let refusals = |happened: &[String]| {
            let refusals = happened
                .iter()
                .filter(|event| ["refused", "wordless"].contains(&event.as_str()));
            refusals.cloned().collect::<Vec<_>>()
        };
        let (reply, happened) = seat.says("Burn it").await;
        // Ollama knows no refusal.
        let wanted = if api == Api::Ollama {
            "wordless"
        } else {
            "refused"
        };
        assert_eq!(
            (reply.unwrap().as_str(), refusals(&happened)),
            ("", vec![wanted.to_owned()]),
            "{api:?}"
        );
        let (_, happened) = seat.says("And now?").await;
        assert_eq!(refusals(&happened), ["wordless"], "{api:?}");
        // Calls are used up, and it has no last words.
        let (_, happened) = seat.says("Roll").await;
        assert_eq!(refusals(&happened), ["wordless"], "{api:?} {happened:?}");
    }
}

#[tokio::test]
async fn a_model_that_calls_in_place_of_its_last_words_is_named() {
    for api in Api::ALL {
        let fake = Fake::start(api, |_| {
            calls([("roll_dice", json!({"expression": "1"}))]).into()
        });
        let (_, happened) = Seat::at(
            &fake,
            Limits {
                calls: 1,
                ..limits()
            },
        )
        .await
        .says("Roll")
        .await;
        assert!(
            happened.contains(&"wordless".to_owned()),
            "{api:?} {happened:?}"
        );
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_off_is_asked_for_again_and_nothing_of_it_is_done() {
    for (api, end) in [
        (Api::Anthropic, End::Breaks),
        (Api::OpenAi, End::Early),
        (Api::Ollama, End::Breaks),
    ] {
        let torn = Reply {
            text: "You strike".to_owned(),
            ..calls([("apply_damage", json!({"target": "Sabeth", "amount": 3}))])
        };
        let fake = Fake::saying(api, answers([torn.ending(end), says("You miss.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        let before = seat.log_length().await;
        let (reply, happened) = seat.says("I hit myself").await;
        assert_eq!(reply.unwrap(), "You miss.", "{api:?} {happened:?}");
        assert!(
            happened.iter().any(|event| event.starts_with("again in 2: The connection to the model broke off")),
            "{happened:?}"
        );
        assert_eq!(
            seat.log_length().await,
            before,
            "the call of a torn reply is not made"
        );
        assert!(!whole(&fake.asked()[1].body).contains("You strike"));
    }
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_is_reported() {
    let fake = Fake::start(Api::Ollama, |_| says("So ").ending(End::Overloaded).into());
    let why = Seat::at(&fake, limits())
        .await
        .says("Hello")
        .await
        .0
        .unwrap_err();
    assert!(why.contains("Overloaded"), "{why}");
    for api in [Api::Anthropic, Api::OpenAi] {
        let fake = Fake::saying(
            api,
            answers([says("So ").ending(End::Overloaded), says("Sorry.")]),
        );
        let (reply, happened) = Seat::at(&fake, limits()).await.says("Hello").await;
        assert_eq!(reply.unwrap(), "Sorry.");
        let wanted = if api == Api::OpenAi {
            "The API failed (Overloaded)"
        } else {
            "too much to do (Overloaded)"
        };
        assert!(
            happened
                .iter()
                .any(|event| event.contains(wanted) && event.ends_with("(void)")),
            "{happened:?}"
        );
    }
}

#[tokio::test]
async fn what_went_wrong_is_named_and_what_is_done_about_it_is_not_reported_twice() {
    for api in Api::ALL {
        let failed = || {
            Answer::Status(
                500,
                vec![("retry-after", "0")],
                json!({"error": {"message": "out of order"}}),
            )
        };
        let fake = Fake::saying(api, [failed(), says("Here I am.").into()]);
        let (_, happened) = Seat::at(&fake, limits()).await.says("Hello").await;
        let again: Vec<&String> = happened
            .iter()
            .filter(|event| event.starts_with("again"))
            .collect();
        assert_eq!(
            again,
            ["again in 0: The API failed (500 Internal Server Error, out of order)."],
            "{happened:?}"
        );
        let fake = Fake::start(api, move |_| failed());
        let why = Seat::at(&fake, limits())
            .await
            .says("Hello")
            .await
            .0
            .unwrap_err();
        has(&why, &["The API failed (500", "in a minute"]);
        assert!(!why.contains("too much"), "{why}");
        // It sends something all the time, and no word.
        let fake = Fake::saying(api, answers([says("").ending(End::Drips)]));
        let short = Limits {
            time: Duration::from_secs(1),
            ..limits()
        };
        let why = Seat::at(&fake, short)
            .await
            .says("Hello")
            .await
            .0
            .unwrap_err();
        assert!(
            why.contains("reply was not whole in the time") && why.contains("--max-seconds"),
            "{why}"
        );
    }
}

#[tokio::test]
async fn a_wrong_key_a_wrong_model_and_a_wrong_place_each_say_what_to_do() {
    for api in Api::ALL {
        let why = async |answer: fn() -> Answer| {
            let fake = Fake::start(api, move |_| answer());
            let why = Seat::at(&fake, limits())
                .await
                .says("Hello")
                .await
                .0
                .unwrap_err();
            assert!(!why.contains(KEY), "{why}");
            why
        };
        let text = why(|| {
            Answer::Status(
                401,
                vec![],
                json!({"error": {"message": "invalid x-api-key"}}),
            )
        })
        .await;
        assert!(text.contains("invalid x-api-key"), "{text}");
        if let Some(variable) = api.facts().variable {
            assert!(
                text.contains(&format!("Set {variable} to one that is valid")),
                "{text}"
            );
        }
        let text = why(|| {
            Answer::Status(
                404,
                vec![],
                json!({"error": {"message": "model 'scripted' not found"}}),
            )
        })
        .await;
        assert!(
            text.contains(
                "no model \"scripted\". It has scripted, scripted-mini. Name another with --model."
            ),
            "{text}"
        );
        let text =
            why(|| Answer::Status(404, vec![], json!({"error": "404 page not found"}))).await;
        assert!(
            text.contains("404 page not found") && text.contains("--endpoint"),
            "{text}"
        );
        let text = why(|| {
            Answer::Status(
                400,
                vec![],
                json!({"error": {"message": "max_tokens is bad\u{1b}[31m"}}),
            )
        })
        .await;
        assert!(
            text.contains("answered 400: max_tokens is bad\\u{1b}"),
            "{text}"
        );
        let text = why(|| {
            Answer::Status(
                307,
                vec![("location", "https://elsewhere.example/steal")],
                json!({}),
            )
        })
        .await;
        assert!(
            text.contains("leads on to https://elsewhere.example/steal, which is not followed"),
            "{text}"
        );
        let text = why(|| Answer::Bytes("text/html", "<html>Welcome</html>\n")).await;
        assert!(text.contains("What came is no reply of this API"), "{text}");
    }
}

#[tokio::test]
async fn nobody_who_listens_is_notified_with_the_address() {
    // A port that was free a moment ago.
    let address = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let fake = Fake::saying(Api::Ollama, answers([]));
    let mut seat = Seat::at(&fake, limits()).await;
    let choice =
        Choice::parse("ollama:qwen3", Some(&format!("http://{address}")), |_| None).unwrap();
    let model = Model::new(choice).unwrap();
    seat.assistant =
        rollbook::play::assistant::Assistant::new(model, limits(), String::new(), &seat.toolbox);
    let why = seat.says("Hello").await.0.unwrap_err();
    assert!(
        why.starts_with(&format!("http://{address} cannot be reached: "))
            && why.contains("--endpoint"),
        "{why}"
    );
}

#[tokio::test]
async fn an_answer_that_is_broken_off_leaves_a_conversation_that_goes_on() {
    for api in Api::ALL {
        let is_done = Arc::new(AtomicBool::new(false));
        let about = External {
            name: "slow".to_owned(),
            category: "test".to_owned(),
            input: json!({"type": "object"}).as_object().unwrap().clone(),
            ..External::default()
        };
        let done = is_done.clone();
        let slow = ToolEntry::external(about, move |_| {
            let done = done.clone();
            Box::pin(async move {
                tokio::time::sleep(Duration::from_millis(300)).await;
                done.store(true, Ordering::Relaxed);
                Ok(json!({"summary": "done"}).as_object().unwrap().clone())
            })
        });
        let mut tools = Registry::default();
        tools.register(slow).unwrap();
        let fake = Fake::saying(
            api,
            answers([calls([("slow", json!({}))]), says("Where were we?")]),
        );
        let mut seat = Seat::with(&fake, limits(), tools).await;
        let broken = tokio::time::timeout(Duration::from_millis(150), seat.says("Wait")).await;
        assert!(broken.is_err());
        assert_eq!(seat.says("Go on").await.0.unwrap(), "Where were we?");
        let text = whole(&fake.asked()[1].body);
        assert!(
            text.contains("The person broke the answer off") && text.contains("Go on"),
            "{text}"
        );
        tokio::time::sleep(Duration::from_millis(400)).await;
        assert!(
            is_done.load(Ordering::Relaxed),
            "a call that was begun is made to its end"
        );
    }
}

#[tokio::test]
async fn a_tool_that_is_late_and_one_that_fails_leave_the_others() {
    let tool = |name: &str, seconds: u64| {
        let about = External {
            name: name.to_owned(),
            category: "test".to_owned(),
            input: json!({"type": "object"}).as_object().unwrap().clone(),
            ..External::default()
        };
        ToolEntry::external(about, move |_| {
            Box::pin(async move {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                Err(rollbook_table::session::CallError::Failure(
                    "out of order".to_owned(),
                ))
            })
        })
    };
    let mut tools = Registry::default();
    tools
        .register(tool("late", 60).limited(Duration::from_millis(100)))
        .unwrap();
    tools.register(tool("broken", 0)).unwrap();
    let fake = Fake::saying(
        Api::Anthropic,
        answers([
            calls([
                ("late", json!({})),
                ("broken", json!({})),
                ("odds", json!({"expression": "1d6"})),
            ]),
            says("Well."),
        ]),
    );
    let mut seat = Seat::with(
        &fake,
        Limits {
            time: Duration::from_secs(5),
            ..limits()
        },
        tools,
    )
    .await;
    assert_eq!(seat.says("All at once").await.0.unwrap(), "Well.");
    let back = results(&fake.asked()[1].body);
    assert!(
        back[0].contains("did not answer within 0.1 seconds"),
        "{back:?}"
    );
    assert!(back[1].contains("could not carry this out"), "{back:?}");
    assert!(back[2].contains("mean 3.5"), "{back:?}");
}
