//! Tools of others: a server that is started, in a category of its own, and apart from the campaign.

use rollbook::play::model::Api;
use serde_json::json;
use tempfile::TempDir;

use super::fake::{Fake, calls, says};
use super::piped::{piped, play};
use super::rig::{KEY, answers, results};
use crate::process::LOCKHOUSE;

/// A server of the protocol as somebody else would write one: a second Rollbook, which plays for itself.
fn other() -> String {
    format!(
        "other=env > seen.txt; exec '{}' serve --adventure '{LOCKHOUSE}' --db other.db --campaign Elsewhere",
        env!("CARGO_BIN_EXE_rollbook")
    )
}

#[test]
fn tools_of_another_server_are_called_by_their_own_names_and_see_nothing_of_the_campaign() {
    let folder = TempDir::new().unwrap();
    let script = answers([
        calls([
            ("other_roll_dice", json!({"expression": "4 + 5"})),
            ("other_roll_dice", json!({"expression": "bad dice"})),
            ("roll_dice", json!({"expression": "7"})),
        ]),
        says("Two tables."),
    ]);
    let fake = Fake::saying(Api::Anthropic, script);
    let mut command = play(folder.path());
    command
        .args(["--with", &other(), "--model", "claude-test", "--endpoint", &fake.endpoint])
        .env("ANTHROPIC_API_KEY", KEY)
        .env("PGPASSWORD", "pw");
    let output = piped(command, "Roll at both\n/call other_manage_session action=status\n/session\n");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        out.contains("Two tables.")
            && out.contains("Elsewhere (The Lockhouse")
            && out.contains("lockhouse (The Lockhouse"),
        "{out}"
    );
    let asked = fake.asked();
    let named: Vec<&str> =
        asked[0].body["tools"].as_array().unwrap().iter().filter_map(|own| own["name"].as_str()).collect();
    assert!(named.contains(&"other_roll_dice") && named.contains(&"roll_dice"), "{named:?}");
    let back = results(&asked[1].body);
    assert!(
        back[0].contains("4; + 5 = 9") && back[1].contains("roll_dice of other failed") && back[2].contains("7 = 7"),
        "{back:?}"
    );
    let seen = std::fs::read_to_string(folder.path().join("seen.txt")).unwrap();
    assert!(seen.contains("PATH=") && !seen.contains(KEY) && !seen.contains("PGPASSWORD"), "{seen}");
}

#[test]
fn a_server_that_is_none_is_refused_with_what_to_send() {
    let refused = |with: &str| {
        let folder = TempDir::new().unwrap();
        let mut command = play(folder.path());
        command.args(["--with", with]);
        let output = piped(command, "");
        assert_eq!(output.status.code(), Some(2), "{with}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused("weather=no-such-program-here").contains("--with weather: the server did not answer"));
    assert!(refused("weather=echo hello").contains("See that `echo hello` is a server of the protocol"));
    assert!(refused("weather").contains("a name and a command are wanted"));
    assert!(refused("combat=x").contains("Take another name"));
}
