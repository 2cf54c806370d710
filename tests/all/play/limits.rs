//! Whatever a model does, an answer ends: calls, tokens and time are bounded, and what it may not do any more it is told. The bound on
//! calls is the tool foundation's, and its test stands with it.

use std::time::{Duration, Instant};

use rollbook::play::assistant::Limits;
use rollbook::play::model::Api;
use serde_json::{Value, json};

use super::fake::{Answer, End, Fake, Said, calls, says};
use super::rig::{Seat, answers, limits, may_call, results};

/// A model that calls whenever it may.
pub fn calling(api: Api) -> Fake {
    Fake::start(api, |asked| match may_call(&asked.body) {
        true => calls([("roll_dice", json!({"expression": "1"})), ("roll_dice", json!({"expression": "2"}))]).into(),
        false => says("Enough. It is late.").into(),
    })
}

#[tokio::test]
async fn a_model_that_calls_though_it_may_not_is_not_obeyed() {
    for api in Api::ALL {
        let obstinate = || {
            let said = Said { text: "I insist.".to_owned(), ..calls([("roll_dice", json!({"expression": "3"}))]) };
            Answer::from(said)
        };
        let fake = Fake::start(api, move |_| obstinate());
        let mut seat = Seat::at(&fake, Limits { calls: 1, ..limits() }).await;
        let (said, happened) = seat.says("Go").await;
        assert_eq!(said.unwrap(), "I insist.\nI insist.");
        assert_eq!(happened.iter().filter(|own| own.starts_with("begun")).count(), 1, "{happened:?}");
        assert_eq!(fake.asked().len(), 2);
    }
}

#[tokio::test]
async fn tokens_are_bounded() {
    for api in Api::ALL {
        let fake = calling(api);
        // Each reply of the fake has 20.
        let mut seat = Seat::at(&fake, Limits { tokens: 40, ..limits() }).await;
        let (said, happened) = seat.says("Roll").await;
        assert_eq!(said.unwrap(), "Enough. It is late.");
        assert!(happened.iter().any(|own| own.starts_with("reached 40 tokens are written")), "{happened:?}");
        assert_eq!(fake.asked().len(), 3);
    }
}

#[tokio::test]
async fn a_reply_that_was_cut_off_says_so() {
    for api in Api::ALL {
        let long = Said { is_cut_off: true, ..says("Once upon a ") };
        let fake = Fake::saying(api, answers([long]));
        let (said, happened) = Seat::at(&fake, limits()).await.says("Tell").await;
        assert_eq!((said.unwrap().as_str(), happened.contains(&"cut off".to_owned())), ("Once upon a", true));
        // Of a call that was cut off nothing is carried out.
        let torn = Said {
            calls: vec![("apply_damage".to_owned(), "{\"target\": \"Sabeth\", \"amount\": 1".to_owned())],
            is_cut_off: true,
            ..Said::default()
        };
        let fake = Fake::saying(api, answers([torn, says("I will be short.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        let before = seat.log_length().await;
        assert_eq!(seat.says("Hit").await.0.unwrap(), "I will be short.");
        assert_eq!(seat.log_length().await, before);
        let back = results(&fake.asked()[1].body);
        assert!(back[0].contains("reply was cut") && back[0].contains("Send the calls again"), "{back:?}");
    }
}

#[tokio::test]
async fn whole_calls_of_a_reply_that_was_cut_are_not_made_and_not_asked_for_without_end() {
    for api in Api::ALL {
        let cut = || Said { is_cut_off: true, ..calls([("apply_damage", json!({"target": "Sabeth", "amount": 1}))]) };
        let fake =
            Fake::saying(api, answers([cut(), calls([("roll_dice", json!({"expression": "3"}))]), says("Three.")]));
        let mut seat = Seat::at(&fake, limits()).await;
        let (said, happened) = seat.says("Hit").await;
        assert_eq!(said.unwrap(), "Three.");
        let begun: Vec<&String> = happened.iter().filter(|own| own.starts_with("begun")).collect();
        assert_eq!(begun, ["begun roll_dice"], "{happened:?}");

        let fake = Fake::start(api, move |_| cut().into());
        let mut seat = Seat::at(&fake, limits()).await;
        let before = seat.log_length().await;
        let (_, happened) = seat.says("Hit").await;
        assert_eq!((seat.log_length().await, fake.asked().len()), (before, 4), "{happened:?}");
        assert!(!may_call(&fake.asked()[3].body) && happened.contains(&"cut off".to_owned()), "{happened:?}");
    }
}

#[tokio::test]
async fn one_reply_may_have_what_the_answer_has_left() {
    let most = |body: &Value| {
        let named = ["/max_tokens", "/max_completion_tokens", "/options/num_predict"];
        named.iter().find_map(|place| body.pointer(place)?.as_u64()).unwrap()
    };
    for api in Api::ALL {
        for (tokens, context, wanted) in [(100_000, 120_000, 16_000), (9_000, 120_000, 9_000), (100_000, 32_000, 8_000)]
        {
            let fake = Fake::saying(api, answers([calls([("roll_dice", json!({"expression": "3"}))]), says("Three.")]));
            let mut seat = Seat::at(&fake, Limits { tokens, context, ..limits() }).await;
            seat.says("Roll").await.0.unwrap();
            let asked = fake.asked();
            assert_eq!(most(&asked[0].body), wanted);
            // Each reply of the fake has 20.
            assert_eq!(most(&asked[1].body), if wanted == 9_000 { 8_980 } else { wanted });
        }
    }
}

#[tokio::test]
async fn an_endpoint_that_hangs_and_a_stream_without_end_take_no_longer_than_an_answer_may() {
    let short = Limits { time: Duration::from_secs(1), ..limits() };
    for api in Api::ALL {
        let began = Instant::now();
        let fake = Fake::start(api, |_| Answer::Silence);
        let mut seat = Seat::at(&fake, short).await;
        let why = seat.says("Hello?").await.0.unwrap_err();
        assert!(why.contains("said nothing for 1 s") && why.contains("--max-seconds"), "{why}");

        let fake = Fake::saying(api, answers([says("The tide ").ending(End::Hangs), says("It is in.")]));
        let mut seat = Seat::at(&fake, short).await;
        let (said, happened) = seat.says("And?").await;
        assert_eq!(said.unwrap(), "", "words that never ended are not believed");
        assert!(
            happened.contains(&"reached 1 s are over, as long as an answer may take (--max-seconds)".to_owned()),
            "{happened:?}"
        );
        assert_eq!(seat.says("Again").await.0.unwrap(), "It is in.", "the table goes on");

        let fake = Fake::saying(api, answers([says("On ").ending(End::Never)]));
        let (_, happened) = Seat::at(&fake, short).await.says("And?").await;
        assert!(happened.iter().any(|own| own.starts_with("reached 1 s are over")), "{happened:?}");
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    }
}
