//! `rollbook play` with its input from a pipe: one command a line, and exit 0.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rollbook::play::model::Api;
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;

use super::fake::{Answer, Fake, calls, says};
use super::rig::{KEY, answers};
use crate::process::{LOCKHOUSE, rollbook};
use crate::table::has;

/// The command at a table of the Lockhouse in that folder.
pub fn play(folder: &Path) -> Command {
    let mut command = rollbook(folder);
    command.args(["play", "--adventure", LOCKHOUSE, "--db", "campaigns.db"]);
    for key in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"] {
        command.env_remove(key);
    }
    command
}

/// What it answers to these lines.
pub fn piped(mut command: Command, lines: &str) -> Output {
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("it starts");
    // It may end before it has read all.
    let _ = child
        .stdin
        .take()
        .expect("an input")
        .write_all(lines.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn without_a_model_it_is_a_table_by_itself() {
    let folder = TempDir::new().unwrap();
    let lines = "\u{feff}/new Sabeth Quoin: STR 8, DEX 15, CON 12, INT 14, WIS 13, CHA 10, Lockpicking +3\n\
                 new Jory: STR 15, DEX 12, CON 14, INT 8, WIS 13, CHA 10, Melee +3\r\n\
                 \n\
                 /fight start Sabeth init 12, Jory init 9, Wrecker x2 hp 7 init 5 # The Mess\n\
                 /damage Wrecker 1 3 # the beam\n\
                 /fight\n\
                 /next\n\
                 /undo\n\
                 /note scene The boathouse at night\n\
                 /odds 1d4\n\
                 /heal wrecker 1 1d4\n\
                 3 + 4\n\
                 get_character list=true\n\
                 /sheet Nobody\n\
                 /frobnicate\n\
                 /check Sabeth Lockpicking 15 adv dis\n\
                 What now?\n\
                 /sheet sabeth\n\
                 /quit\n\
                 /roll 9\n";
    let output = piped(play(folder.path()), lines);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    assert_eq!(
        err,
        "The table works without a model; --model NAME adds one (claude-sonnet-4-5, gpt-5, ollama:qwen3:8b).\n"
    );
    for wanted in [
        "Wrecker 1 takes 3 damage (the beam): Hit points 7 to 4/7.",
        "the players hear: Wrecker 1 takes damage",
        "  Round 1\n  ▸ Sabeth Quoin  12  13/13 ██████████  players\n    Jory           9  14/14 ██████████  players\n",
        "    Wrecker 1      5    4/7 ██████░░░░  foes\n",
        "Jory's turn",
        "The GM rolls (healing): -(1d4: [",
        "Taken back",
        "Scene: The boathouse at night.",
        "1d4; mean 2.5",
        "The GM rolls 3; + 4 = 7.",
        "There is no command /frobnicate. /help lists them.",
        "This is no command and no dice, and no model listens.",
        "advantage and disadvantage cancel out: the dice are rolled as without either",
        "  Sabeth Quoin\n\n  Player character",
        "  Strength          8        -1\n",
        "  1  25.0 %  ██████████\n",
    ] {
        assert!(out.contains(wanted), "{wanted} is missing in:\n{out}");
    }
    assert!(
        !out.contains('\u{1b}') && !out.contains("9 = 9"),
        "no colours in a pipe, and nothing behind /quit:\n{out}"
    );
    // The campaign is there again.
    let again = piped(play(folder.path()), "/where\n");
    assert!(
        text(&again.stdout).contains("The boathouse at night"),
        "{}",
        text(&again.stdout)
    );
}

#[test]
fn an_input_that_ends_or_is_no_text_ends_the_evening_in_good_order() {
    let folder = TempDir::new().unwrap();
    let output = piped(play(folder.path()), "");
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(0), String::new())
    );
    assert!(
        !folder.path().join("campaigns.db").exists(),
        "nothing was played"
    );
    let mut child = play(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"/note \xff\xfe\x1b[31m\n/roll 1")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let out = text(&output.stdout);
    assert!(
        output.status.success() && !out.contains('\u{1b}') && out.contains("= 1"),
        "{out}"
    );
}

/// A table that cannot be opened at all is none: the first line says why, and scripts learn of it
/// by the exit code.
#[test]
fn a_database_that_cannot_be_opened_ends_it_with_2() {
    let refused = |folder: &Path, database: &str| {
        let mut command = rollbook(folder);
        command.args(["play", "--adventure", LOCKHOUSE, "--db", database]);
        let output = piped(command, "\n/roll 5\n/roll 6\n");
        assert_eq!(
            output.status.code(),
            Some(2),
            "{database}: {}{}",
            text(&output.stdout),
            text(&output.stderr)
        );
        assert_eq!(text(&output.stdout), "", "{database}");
        text(&output.stderr)
    };
    let folder = TempDir::new().unwrap();
    std::fs::write(
        folder.path().join("campaigns.db"),
        "a letter to my aunt, and no database at all",
    )
    .unwrap();
    let why = refused(folder.path(), "campaigns.db");
    assert!(
        why.contains("campaigns.db was not opened") && why.contains("Nothing was changed"),
        "{why}"
    );
    assert!(
        !folder.path().join("talk").exists(),
        "nothing is written beside somebody else's file"
    );

    let folder = TempDir::new().unwrap();
    assert!(piped(play(folder.path()), "/roll 5\n").status.success());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let file = SqliteConnectOptions::new().filename(folder.path().join("campaigns.db"));
        let mut later = file.connect().await.unwrap();
        let version = "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (99, 'x', 1, x'00', 0)";
        sqlx::query(version).execute(&mut later).await.unwrap();
        later.close().await.unwrap();
    });
    let why = refused(folder.path(), "campaigns.db");
    assert!(why.contains("99") && why.contains("newer"), "{why}");

    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let folder = TempDir::new().unwrap();
    let why = refused(
        folder.path(),
        &format!("postgres://nobody@127.0.0.1:{port}/nothing?sslmode=disable"),
    );
    assert!(why.contains(&port.to_string()), "{why}");
    // Who only leaves has no use for it.
    let folder = TempDir::new().unwrap();
    let output = piped(play(folder.path()), "\n/quit\n");
    assert!(
        output.status.success() && !folder.path().join("campaigns.db").exists(),
        "{output:?}"
    );
}

#[test]
fn a_model_plays_with_what_is_piped_and_players_see_what_they_may() {
    for (api, variable) in [
        (Api::Anthropic, "ANTHROPIC_API_KEY"),
        (Api::OpenAi, "OPENAI_API_KEY"),
        (Api::Ollama, "OPENAI_API_KEY"),
    ] {
        let script = || {
            answers([
                calls([
                    (
                        "roll_dice",
                        json!({"expression": "7", "context": "the gulls"}),
                    ),
                    (
                        "roll_dice",
                        json!({"expression": "8", "context": "what nobody hears", "visibility": "gm"}),
                    ),
                    ("get_rules", json!({"section": "Clocks"})),
                    ("roll_dice", json!({"expression": "d"})),
                ]),
                says("The gulls scream.\n\nWhat do you do?"),
                says("You \u{1b}[2J wait."),
            ])
        };
        let run = |audience: &[&str]| {
            let folder = TempDir::new().unwrap();
            let fake = Fake::saying(api, script());
            let mut command = play(folder.path());
            command
                .args([
                    "--model",
                    &format!("{}:scripted", api.facts().name),
                    "--endpoint",
                    &fake.endpoint,
                ])
                .args(audience)
                .env(variable, KEY);
            let output = piped(command, "I listen\n/roll 5 # a stone\nI wait\n");
            assert!(output.status.success(), "{}", text(&output.stderr));
            assert_eq!(text(&output.stderr), "");
            (text(&output.stdout), fake.asked())
        };
        let (out, asked) = run(&[]);
        let expected = "        P3  The GM rolls (the gulls): 7 = 7.\nThe gulls scream.\n\nWhat do you do?\n        P4  The GM rolls (a stone): 5 = 5.\nYou \\u{1b}[2J wait.\n";
        assert_eq!(out, expected, "{api:?}");
        assert!(
            asked[2].body["messages"]
                .to_string()
                .contains("At the table: /roll 5 # a stone (The GM rolls (a stone): 5 = 5.)")
        );
        let (out, _) = run(&["--audience", "gm"]);
        for wanted in [
            "what nobody hears",
            "the players hear nothing of it",
            "get_rules: ",
            "roll_dice was refused: ",
        ] {
            assert!(out.contains(wanted), "{wanted}: {out}");
        }
    }
}

#[test]
fn a_player_at_the_keyboard_sees_what_players_may_hear() {
    let folder = TempDir::new().unwrap();
    let mut command = play(folder.path());
    command.args(["--audience", "player"]);
    let output = piped(
        command,
        "/roll 7 visibility=gm # the trap\n/note secret hush\n/roll 5\n",
    );
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}");
    assert!(
        !out.contains("7") && !out.contains("hush") && !out.contains("the trap"),
        "{out}"
    );
    assert_eq!(
        out.matches("the players hear nothing of it").count(),
        2,
        "{out}"
    );
    assert!(out.contains("5 = 5"), "{out}");
}

#[test]
fn a_player_at_the_keyboard_looks_at_the_table_without_what_is_hidden() {
    let folder = TempDir::new().unwrap();
    let lines = "/new Nobody: STR 10, DEX 10, CON 10, INT 10, WIS 10, CHA 10\n/fight start party, Rat hp 3, Ghost hp 9\n\
                 /fight hide Ghost\n/call manage_session action=clock name=Doom segments=4 visibility=gm\n/clock Alarm 6\n";
    piped(play(folder.path()), lines);
    let looks = "/party\n/session\n/clock\n/rules Clocks\n";
    let mut player = play(folder.path());
    player.args(["--audience", "player"]);
    let seen = text(&piped(player, looks).stdout);
    assert!(!seen.contains("Ghost") && !seen.contains("Doom"), "{seen}");
    // What a clock of the rules brings is the GM's, too.
    assert!(
        seen.contains("12 boxes") && !seen.contains("Drewitt"),
        "{seen}"
    );
    let time = piped(
        {
            let mut time = play(folder.path());
            time.args(["--audience", "player"]);
            time
        },
        "/time\n",
    );
    assert!(
        !text(&time.stdout).contains("Doom"),
        "{}",
        text(&time.stdout)
    );
    for known in [
        "Nobody  player, level 1  ██████████  Hit points",
        "Rat     npc                          unhurt",
        "Clocks: ",
        "Alarm 0/6",
    ] {
        assert!(seen.contains(known), "{known} is missing in: {seen}");
    }
    let whole = text(&piped(play(folder.path()), looks).stdout);
    assert!(
        whole.contains("Ghost   npc") && whole.matches("Doom 0/4 (hidden)").count() == 2,
        "{whole}"
    );
}

#[test]
fn several_adventures_in_a_folder_are_named_and_none_is_played() {
    let folder = TempDir::new().unwrap();
    let started = |arguments: &[&str]| {
        let mut command = rollbook(folder.path());
        command.args(arguments);
        let output = piped(command, "/roll 1\n");
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    // Without rules one line says that there are none.
    let (code, out, err) = started(&["play"]);
    assert_eq!(
        (
            code,
            out.contains("1 = 1"),
            err.matches("No adventure is here").count()
        ),
        (Some(0), true, 1),
        "{out}{err}"
    );
    for name in ["lockhouse", "quorum"] {
        started(&["init", "--adventure", name, "--client", "none"]);
    }
    for command in ["play", "serve"] {
        let (code, out, err) = started(&[command]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{command}: {err}");
        assert!(
            err.contains("lockhouse, quorum") && err.contains("--adventure ./lockhouse"),
            "{command}: {err}"
        );
    }
    let (code, _, err) = started(&["play", "--adventure", "./lockhouse"]);
    assert_eq!(
        (code, err.contains("No adventure")),
        (Some(0), false),
        "{err}"
    );
}

#[test]
fn refusals_at_the_terminal_speak_of_what_is_typed() {
    let folder = TempDir::new().unwrap();
    let lines = "/new Nobody: STR 10, DEX 10, CON 10, INT 10, WIS 10, CHA 10\n/sheet Zed\n/check Zed Melee 12\n/damage Zed 3\n\
                 /condition Nobody -prone\n/new Cobb from Foes.md#Wrecker\n/new Sabeth Quoin\n/new Characters.md#fenner\n/new ../../etc/passwd#root\n\
                 /fight start Nobody init 3\n/session end\n/resume\n/fight end\n/session end\n";
    let out = text(&piped(play(folder.path()), lines).stdout);
    assert_eq!(out.matches("/party names everybody.").count(), 3, "{out}");
    let flat = out.split_whitespace().collect::<Vec<_>>().join(" ");
    for program in ["list=true", "remove_conditions", "/new Cobb:"] {
        assert!(!flat.contains(program), "{program}: {out}");
    }
    assert!(
        flat.contains("Nobody is not prone") && flat.contains("Fenner Loy"),
        "{out}"
    );
    for asked in [
        "has Sabeth Quoin ready to be played. Take that one?",
        "If yes, type /new Characters.md#Sabeth Quoin",
        "End this session? If yes, type /session end anyway",
        "What happened: - A fight begins. lockhouse (The Lockhouse: rules of play): session 1 is open.",
        "Session 1 ends.",
    ] {
        assert!(flat.contains(asked), "{asked}: {flat}");
    }
    assert!(!flat.contains("Sabeth Quoin joins"), "{flat}");
    let (_, line) = flat.split_once("numbers of your own: ").unwrap();
    let line = &line[..=line.find('}').unwrap()];
    assert!(
        line.starts_with("/call manage_character action=update character=\"Cobb\""),
        "{line}"
    );
    let whole = text(&piped(play(folder.path()), &format!("{line}\n/party\n")).stdout);
    let cobb = whole
        .lines()
        .find(|line| line.contains("Cobb") && line.contains("npc"))
        .unwrap();
    assert!(
        !cobb.contains("Missing"),
        "following it does what was meant: {whole}"
    );
    assert!(!whole.contains("root"), "{whole}");
}

#[test]
fn refusals_name_commands_and_an_incomplete_sheet_what_to_type() {
    let folder = TempDir::new().unwrap();
    let lines = "/new Nobody\n/next\n/fight start Bob\n/session end\n/session end\n\
                 /new Jory: STR 15, DEX 12, CON 14, INT 8, WIS 13, CHA 10, Melee +3\n\
                 /fight start Jory init 9, Foes.md#Wrecker x2\n/damage Wrecker 1\n";
    let output = piped(play(folder.path()), lines);
    let out = text(&output.stdout)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for wanted in [
        "Nobody still lacks Strength (STR)",
        "Type /undo, then with numbers of your own: /new Nobody: STR 10, DEX 10, CON 10, INT 10, WIS 10, CHA 10",
        "Send /fight start Goblin x2 hp",
        "Send /session start to open one.",
        "Wrecker 2",
        "How much? The number belongs to the name Wrecker 1",
    ] {
        assert!(out.contains(wanted), "{wanted} is missing in:\n{out}");
    }
    assert!(!out.contains("action=") && !out.contains("{\""), "{out}");
    // What it says works.
    let line = "/new Nobody: STR 10, DEX 10, CON 10, INT 10, WIS 10, CHA 10";
    let folder = TempDir::new().unwrap();
    let again = piped(
        play(folder.path()),
        &format!("/new Nobody\n/undo\n{line}\n/fight start Nobody\n"),
    );
    assert!(
        text(&again.stdout).contains("Nobody's turn"),
        "{line}: {}",
        text(&again.stdout)
    );
}

#[test]
fn a_model_that_cannot_be_reached_ends_nothing() {
    let folder = TempDir::new().unwrap();
    let fake = Fake::start(Api::OpenAi, |_| {
        Answer::Status(401, vec![], json!({"error": {"message": "bad key"}}))
    });
    let mut command = play(folder.path());
    command
        .args(["--model", "openai:scripted", "--endpoint", &fake.endpoint])
        .env("OPENAI_API_KEY", KEY)
        .env("ROLLBOOK_LOG", "trace");
    let output = piped(command, "Hello?\n/roll 5\n");
    let out = text(&output.stdout);
    assert!(
        output.status.success()
            && out.contains("Set OPENAI_API_KEY to one that is valid")
            && out.contains("5 = 5"),
        "{out}"
    );
    assert!(!out.contains(KEY) && !text(&output.stderr).contains(KEY));
}

#[test]
fn what_cannot_be_played_is_refused_before_anything_is_made() {
    let refused = |arguments: &[&str]| {
        let folder = TempDir::new().unwrap();
        let mut command = play(folder.path());
        command.args(arguments);
        let output = piped(command, "/roll 5\n");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !folder.path().join("campaigns.db").exists());
        text(&output.stderr)
    };
    let words = refused(&["--model", "claude-sonnet-4-5"]);
    has(
        &words,
        &[
            "ANTHROPIC_API_KEY is not set",
            "Without --model the table works",
        ],
    );
    assert!(refused(&["--model", "gpt-5"]).contains("OPENAI_API_KEY is not set"));
    assert!(refused(&["--model", "a b"]).contains("is no model's name"));
    assert!(
        refused(&["--model", "m", "--endpoint", "localhost:80"]).contains("an address is wanted")
    );
    assert!(refused(&["--endpoint", "http://127.0.0.1"]).contains("--model"));
    assert!(refused(&["--max-calls", "3"]).contains("--model"));
    assert!(refused(&["--model", "m", "--max-calls", "0"]).contains("1..=1000"));
    assert!(refused(&["--campaign", ""]).contains("--campaign"));
    assert!(
        refused(&["--adventure", "/nowhere"]).contains("cannot be used multiple times")
            || !refused(&["--campaign", ""]).is_empty()
    );
}
