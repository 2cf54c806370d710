//! A key that the endpoint repeats stands nowhere: not on the screen, not in the transcript, not in what is sent again.

use rollbook::play::assistant::Limits;
use rollbook::play::model::Api;
use serde_json::json;
use tempfile::TempDir;

use super::fake::{Answer, End, Fake, Said, calls, says};
use super::piped::{piped, play};
use super::rig::{KEY, Seat, answers, limits};

#[tokio::test]
async fn errors_of_an_endpoint_are_without_the_key() {
    for api in Api::ALL {
        for status in [400, 401, 404, 429, 500] {
            // The first 300 characters of an error are shown: no beginning of the key stays at their end.
            for blanks in [1, 285] {
                let words = format!("Bearer{}{KEY} is wrong", "x".repeat(blanks));
                let fake = Fake::start(api, move |_| {
                    Answer::Status(status, vec![("retry-after", "3600")], json!({"error": {"message": words}}))
                });
                let (said, happened) = Seat::at(&fake, limits()).await.says("Hello").await;
                let why = said.unwrap_err();
                assert!(!why.contains("sk-secret") && happened.iter().all(|own| !own.contains("sk-secret")), "{why}");
                assert!(why.contains("[key]") || blanks > 1, "{why}");
            }
        }
        let text: &'static str = Box::leak(format!("<html>{KEY}</html>\n").into_boxed_str());
        let fake = Fake::start(api, move |_| Answer::Bytes("text/html", text));
        let why = Seat::at(&fake, limits()).await.says("Hello").await.0.unwrap_err();
        assert!(!why.contains(KEY), "{why}");
        let leads: &'static str = Box::leak(format!("https://elsewhere.example/?key={KEY}").into_boxed_str());
        let fake = Fake::start(api, move |_| Answer::Status(307, vec![("location", leads)], json!({})));
        let why = Seat::at(&fake, limits()).await.says("Hello").await.0.unwrap_err();
        assert!(why.contains("?key=[key]"), "{why}");
    }
}

#[tokio::test]
async fn a_model_that_says_the_key_is_not_heard_though_the_network_cuts_it() {
    for api in Api::ALL {
        for lead in 0..7 {
            let text = format!("{}{KEY} and sk-sec", "a".repeat(lead));
            let loud =
                Said { text: text.clone(), ..calls([("roll_dice", json!({"expression": "3", "context": KEY}))]) };
            let fake = Fake::saying(api, answers([loud, says(&text)]));
            let mut seat = Seat::at(&fake, Limits { calls: 5, ..limits() }).await;
            let (said, happened) = seat.says("Hello").await;
            let wanted = format!("{}[key] and sk-sec", "a".repeat(lead));
            assert_eq!(said.unwrap(), format!("{wanted}\n{wanted}"));
            assert!(happened.iter().all(|own| !own.contains(KEY)), "{happened:?}");
            assert!(happened.contains(&format!("text {wanted}")), "{happened:?}");
            let asked = fake.asked()[1].body.to_string();
            assert!(!asked.contains(KEY) && asked.contains("[key]"), "{asked}");
        }
        let fake = Fake::start(api, |_| says(KEY).ending(End::Hangs).into());
        let short = Limits { time: std::time::Duration::from_secs(1), ..limits() };
        let (_, happened) = Seat::at(&fake, short).await.says("Hello").await;
        assert!(happened.iter().all(|own| !own.contains(KEY)), "{happened:?}");
    }
}

#[test]
fn screen_and_transcript_are_without_the_key() {
    let folder = TempDir::new().unwrap();
    let error = Answer::Status(401, vec![], json!({"error": {"message": format!("wrong: Bearer {KEY}")}}));
    let fake = Fake::saying(Api::Anthropic, [says(&format!("I know {KEY}.")).into(), error]);
    let mut command = play(folder.path());
    command.args(["--model", "claude-test", "--endpoint", &fake.endpoint]).env("ANTHROPIC_API_KEY", KEY);
    let output = piped(command, "Hello\nAgain\n");
    let kept = std::fs::read_to_string(folder.path().join("talk/transcript.jsonl")).unwrap();
    for text in [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr), kept.into()] {
        assert!(!text.contains(KEY), "{text}");
    }
    assert!(String::from_utf8_lossy(&output.stdout).contains("I know [key]."), "{output:?}");
}
