//! What players read at a table in the terminal: nothing of it depends on what is hidden.
//!
//! Two tables are played alike but for their secrets. The same commands get the same answers at
//! both, but for the numbers of entries, which count all of them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tempfile::TempDir;

use super::piped::{piped, play};

/// A table with players before its screen.
struct Table {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    _folder: TempDir,
}

impl Table {
    /// Begun with these commands, before the GM.
    fn begun(commands: &[&str]) -> Table {
        let folder = TempDir::new().expect("a folder");
        let lines = commands.join("\n") + "\n";
        let begun = piped(play(folder.path()), &lines);
        let text = String::from_utf8_lossy(&begun.stdout).into_owned();
        assert!(
            begun.status.success() && !text.contains("There is no"),
            "{text}"
        );
        let mut command = play(folder.path());
        command
            .args(["--audience", "player"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let (input, output) = (
            child.stdin.take(),
            BufReader::new(child.stdout.take().expect("an output")),
        );
        let mut table = Table {
            child,
            input,
            output,
            _folder: folder,
        };
        table.types("/rules");
        table
    }

    /// What the screen says to a command, blanks as one, and without the receipt, which is a proof
    /// of everything.
    fn types(&mut self, command: &str) -> String {
        const END: &str = "There is no command /end-of-answer";
        let input = self.input.as_mut().expect("an input");
        writeln!(input, "{command}\n/end-of-answer").expect("it listens");
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).expect("text") > 0,
                "it ended after {command}: {answer}"
            );
            if line.contains(END) {
                let text = answer.split_whitespace().collect::<Vec<&str>>().join(" ");
                return match text.split_once(" Receipt: #") {
                    Some((before, _)) => before.to_owned(),
                    None => text,
                };
            }
            answer.push_str(&line);
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

const SCORES: &str = "STR 14, DEX 12, CON 10, INT 10, WIS 10, CHA 10";

fn open_steps() -> Vec<String> {
    vec![
        "/session start The weir".to_owned(),
        format!("/new Jory: {SCORES}, Melee +2"),
        format!("/new Sabeth: {SCORES}"),
        "/note thread The gate is shut".to_owned(),
        "/call manage_combat action=start combatants='[{\"name\": \"Jory\", \"initiative\": 15}, {\"name\": \"Sabeth\", \
         \"initiative\": 12}, {\"name\": \"Wrecker\", \"hp\": 70, \"initiative\": 9}]'"
            .to_owned(),
        "/damage Jory 2".to_owned(),
        "/clock Flood 6".to_owned(),
    ]
}

/// What the GM does at one of them alone.
const SECRETS: &[&str] = &[
    "/roll 3d6 visibility=gm # does the Shade wake",
    "/check Jory Stealth 12 visibility=gm # does the reeve hear",
    "/check Jory Melee 12 visibility=gm",
    "/note secret The reeve is the Shade",
    "/note thread secret Who pays the wreckers?",
    "/call manage_session action=note text=\"The Shade shut it\" closes=gate visibility=gm",
    "/call manage_character action=create name=Shade kind=npc hp=9",
    "/call manage_character action=update character=Jory gm_notes=\"Cursed, and does not know it\"",
    "/call manage_session action=clock name=Doom segments=4 tick=1 visibility=gm",
    "/call manage_combat action=add combatants='[{\"name\": \"Lurker\", \"hp\": 5, \"hidden\": true, \"initiative\": 1}]'",
    "/fight effect brand on Jory for 1 hour hidden=true",
];

/// What is typed at both.
fn commands() -> Vec<String> {
    let mut all: Vec<String> = [
        "/roll 2 # past the Lurker",
        "/roll 1d20 visibility=gm entered=[7]",
        "/check Jory Melee 12 entered=[13]",
        "/check Jory Melee 12 again=last",
        "/check Jory Stealth 12 entered=[3]",
        "/attack Jory Wrecker with Melee 1d4 entered=[15,2]",
        "/damage Wrecker 1",
        "/damage Wrecker roll=last",
        "/heal Jory 1",
        "/condition Jory prone",
        "/condition Jory -prone",
        "/fight",
        "/next",
        "/fight end",
        "/sheet Jory",
        "/sheet Shad",
        "/sheet",
        "/party",
        "/rest Jory",
        "/note The gate creaks",
        "/note The Lurker waits",
        "/note secret Nobody reads this",
        "/clock",
        "/clock Flood +1",
        "/time",
        "/time 10 minutes",
        "/session",
        "/session list",
        "/recap",
        "/resume audience=player",
        "/odds 2d6 at_least=9",
        "/odds Jory Melee 12",
        "/rules",
        "/call manage_session action=undo",
        "/call manage_session action=compare entry=3",
        "/undo",
        "/undo",
        "/undo",
    ]
    .map(str::to_owned)
    .into();
    for name in ["Shade", "Lurker", "Shad", "Wrecker", "Brand"] {
        all.extend([
            format!("/damage {name} 1"),
            format!("/condition {name} prone"),
            format!("/check {name} Melee 12 entered=[4]"),
            format!("/check Jory Melee 12 target={name} entered=[4]"),
            format!("/attack Jory {name} with Melee 1d4 entered=[15,2]"),
            format!("/odds {name} Melee 12"),
            format!("/roll 1 character={name}"),
            format!("/rest {name}"),
        ]);
    }
    all.push("/clock Doom +1".to_owned());
    all
}

#[test]
fn no_word_that_players_read_depends_on_secrets() {
    let (opens, commands) = (open_steps(), commands());
    let opens: Vec<&str> = opens.iter().map(String::as_str).collect();
    let cases = std::env::var("ROLLBOOK_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(4);
    let mut runner = TestRunner::new(Config {
        max_shrink_iters: 20,
        failure_persistence: None,
        ..Config::with_cases(cases)
    });
    let cases = (
        prop::collection::vec(0..commands.len(), 30),
        prop::collection::vec(prop::option::weighted(0.5, 0..SECRETS.len()), 30),
    );
    let run = runner.run(&cases, |(order, secrets)| {
        let (mut plain, mut secret) = (Table::begun(&opens), Table::begun(&opens));
        for (nth, hidden) in order.into_iter().zip(secrets) {
            if let Some(hidden) = hidden {
                let answer = secret.types(SECRETS[hidden]);
                for word in ["Shade", "Lurker", "Doom", "reeve", "Cursed"] {
                    prop_assert!(!answer.contains(word), "{}: {}", SECRETS[hidden], answer);
                }
            }
            let command = &commands[nth];
            let (one, mut other) = (plain.types(command), secret.types(command));
            // What players know nothing of is taken back first.
            while command.ends_with("undo")
                && other.ends_with("Something was taken back.")
                && one != other
            {
                other = secret.types(command);
            }
            prop_assert_eq!(one, other, "{}", command);
        }
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn an_undo_before_players_tells_nothing_that_is_hidden() {
    let opens = open_steps();
    let mut table = Table::begun(&opens.iter().map(String::as_str).collect::<Vec<&str>>());
    table.types("/damage Wrecker 4");
    table.types("/roll 3d6 visibility=gm # does the Shade wake");
    let back = table.types("/undo");
    assert!(
        back.starts_with("P14 Taken back: Wrecker takes damage and is hurt."),
        "{back}"
    );
    table.types("/note secret The reeve is the Shade");
    assert_eq!(table.types("/undo"), "Something was taken back.");
    table.types("/note secret The reeve is the Shade");
    table.types("/roll 5");
    let refused = table.types("/undo");
    assert!(
        refused.contains("5 = 5") && refused.contains("Flood") && !refused.contains("reeve"),
        "{refused}"
    );
    table.types("/damage Jory 1");
    let number = table.types("/call manage_session action=status");
    assert!(!number.contains("reeve"), "{number}");
    table.types("/call manage_character action=update character=Jory gm_notes=Cursed");
    assert_eq!(table.types("/undo"), "Something was taken back.");
    let back = table.types("/undo");
    assert!(back.contains("Jory takes 1 damage"), "{back}");
}

#[test]
fn a_change_that_players_did_not_see_refuses_an_undo_without_its_words() {
    let opens = open_steps();
    let mut table = Table::begun(&opens.iter().map(String::as_str).collect::<Vec<&str>>());
    let whole = |table: &mut Table, command: &str| {
        writeln!(table.input.as_mut().expect("an input"), "{command}").expect("it listens");
    };
    whole(&mut table, "/damage Jory 1");
    let number = {
        let mut line = String::new();
        table.output.read_line(&mut line).expect("text");
        line.trim_start()
            .trim_start_matches('#')
            .split_whitespace()
            .next()
            .expect("a number")
            .to_owned()
    };
    table.types("/call manage_character action=update character=Jory gm_notes=Cursed");
    let refused = table.types(&format!("/undo {number}"));
    assert_eq!(
        refused,
        "The table as it is does not allow that. Ask the GM. Nothing was changed."
    );
}
