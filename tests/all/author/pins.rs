//! Dice are pinned by an author's commands and by nobody else.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::author::bench::{Bench, RULES};
use crate::process::call;

/// A server with everything in its environment that somebody might try, asked for many dice.
#[test]
fn no_argument_and_no_variable_of_the_server_pins_a_die() {
    let bench = Bench::of(RULES);
    let mut command = bench.command(&["serve", "--adventure", ".", "--db", "a.db", "--detail", "full"]);
    for name in ["ROLLBOOK_DICE", "ROLLBOOK_PIN", "ROLLBOOK_SEED", "DICE", "SEED", "ROLLBOOK_TEST", "ROLLBOOK_SOURCE"] {
        command.env(name, "7 7 7 7 7 7 7 7");
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = vec![json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a raw client", "version": "1"},
    }})];
    lines.push(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    lines.push(call(json!(2), "roll_dice", json!({"expression": "8d100"})));
    for (id, name) in (3..).zip(["dice", "faces", "pinned", "seed", "rng", "source"]) {
        lines.push(call(json!(id), "roll_dice", json!({"expression": "8d100", (name): [7, 7, 7, 7, 7, 7, 7, 7]})));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut input = child.stdin.take().expect("its input");
    std::io::Write::write_all(&mut input, text.as_bytes()).expect("it reads");
    // The server leaves when its input ends, so the end waits for the last answer.
    let mut output = std::io::BufReader::new(child.stdout.take().expect("its output"));
    let mut answers = Vec::new();
    while answers.len() < lines.len() - 1 {
        let mut line = String::new();
        assert_ne!(std::io::BufRead::read_line(&mut output, &mut line).expect("a line"), 0, "it answers all");
        answers.push(serde_json::from_str::<Value>(&line).expect("JSON"));
    }
    drop(input);
    child.wait().expect("it ends");
    let answer = |id: i64| answers.iter().find(|answer| answer["id"] == id).expect("an answer")["result"].clone();
    let rolled = &answer(2)["structuredContent"];
    assert_eq!(rolled["rng"]["source"], "os-chacha12", "{rolled}");
    assert_ne!(rolled["individual_rolls"], json!([7, 7, 7, 7, 7, 7, 7, 7]), "once in 10^16 runs");
    for id in 3..9 {
        let refused = answer(id);
        assert_eq!(refused["isError"], true, "{refused}");
        assert_eq!(refused["structuredContent"]["code"], "invalid_parameters");
    }
}
