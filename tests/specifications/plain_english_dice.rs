//! Plain-English dice: one tool, one sentence, an audit trail.

use serde_json::{Value, json};

use crate::process::{Process, rollbook};
use crate::table::{Table, each};

/// A moment as ISO-8601 in UTC: `2026-01-22T19:03:12Z`.
pub fn assert_timestamp(value: &Value) {
    let text = value.as_str().expect("a timestamp");
    let shape: String = text
        .chars()
        .map(|char| if char.is_ascii_digit() { '0' } else { char })
        .collect();
    let seconds = shape
        .strip_suffix('Z')
        .and_then(|shape| shape.get(..19))
        .expect(text);
    assert_eq!(seconds, "0000-00-00T00:00:00", "{text}");
}

/// Every field of `wanted` is in `found` with that value.
pub fn assert_fields(found: &Value, wanted: &Value) {
    for (name, value) in wanted.as_object().expect("fields") {
        assert_eq!(&found[name], value, "{name} of {found}");
    }
}

/// The source's example of an answer, with its dice.
#[test]
fn the_example_answers_as_it_says() {
    let mut table = Table::lockhouse();
    let text = "roll a d20 with disadvantage +5 modifier";
    let rolled = table.dice([15, 7]).roll_dice(json!({"text": text}));
    assert_fields(
        rolled.value(),
        &json!({
            "input": "roll a d20 with disadvantage +5 modifier",
            "normalized_expression": "d20(disadv) + 5",
            "total": 12,
            // Golden: both rolls, the one that is kept, the constant, the total, in one line. Its
            // words are those of every roll of ours.
            "explanation": "d20(disadvantage): [15, 7] keep 7; + 5 = 12",
        }),
    );
    let terms = rolled["terms"].as_array().expect("terms");
    assert_eq!(terms.len(), 2);
    assert_fields(
        &terms[0],
        &json!({
            "type": "die", "count": 1, "sides": 20, "mode": "disadvantage", "rolls": [15, 7], "kept": [7], "subtotal": 7,
        }),
    );
    assert_eq!(
        terms[1],
        json!({"type": "constant", "value": 5, "subtotal": 5})
    );
    assert!(
        rolled["request_id"]
            .as_str()
            .is_some_and(|id| !id.is_empty())
    );
    assert_timestamp(&rolled["timestamp"]);
}

/// The source of chance is named, never its seed; every answer has a nonce and an id of its own.
#[test]
fn chance_is_the_operating_systems_and_named() {
    let mut server = Process::start_and_greet();
    let call = json!({"text": "d20", "detail": "full"});
    let (one, other) = (
        server.done("roll_dice", call.clone()),
        server.done("roll_dice", call),
    );
    for rolled in [&one, &other] {
        assert_eq!(rolled["rng"]["source"], "os-chacha12", "{rolled}");
        assert_eq!(
            rolled["rng"]
                .as_object()
                .expect("rng")
                .keys()
                .collect::<Vec<_>>(),
            ["nonce", "source"]
        );
        assert_timestamp(&rolled["timestamp"]);
    }
    assert!(
        one["rng"]["nonce"]
            .as_str()
            .is_some_and(|nonce| nonce.len() >= 16),
        "{one}"
    );
    assert_ne!(one["rng"]["nonce"], other["rng"]["nonce"]);
    assert_ne!(one["request_id"], other["request_id"]);
}

/// Terms in order with their sub-totals, which add up; explanations of one line, word for word.
#[test]
fn mixed_expressions_show_their_math() {
    let mut table = Table::lockhouse();
    let rolled = table
        .dice([7, 2, 4, 1])
        .roll_dice(json!({"text": "2d10 + 2d4 + 4"}));
    let kinds: Vec<Value> = each(&rolled["terms"])
        .map(|term| {
            json!([
                term["type"],
                term["count"],
                term["sides"],
                term["rolls"],
                term["value"],
                term["subtotal"]
            ])
        })
        .collect();
    assert_eq!(
        json!(kinds),
        json!([
            ["die", 2, 10, [7, 2], null, 9],
            ["die", 2, 4, [4, 1], null, 5],
            ["constant", null, null, null, 4, 4],
        ])
    );
    assert_eq!(
        (rolled.number("total"), &rolled["normalized_expression"]),
        (18, &json!("2d10 + 2d4 + 4"))
    );
    for (text, faces, explanation, total) in [
        (
            "2d10 + 2d4 + 4",
            vec![7, 2, 4, 1],
            "2d10: [7, 2]; + 2d4: [4, 1]; + 4 = 18",
            18,
        ),
        ("d20", vec![13], "1d20: [13] = 13", 13),
        ("d20 - 1", vec![13], "1d20: [13]; - 1 = 12", 12),
        (
            "roll a d20 with advantage and a +3 modifier",
            vec![4, 17],
            "d20(advantage): [4, 17] keep 17; + 3 = 20",
            20,
        ),
    ] {
        let rolled = table.dice(faces).roll_dice(json!({"text": text}));
        assert_eq!(
            (rolled.text("explanation"), rolled.number("total")),
            (explanation, total),
            "{text}"
        );
        let terms = rolled["terms"].as_array().expect("terms");
        assert_eq!(
            terms
                .iter()
                .filter_map(|term| term["subtotal"].as_i64())
                .sum::<i64>(),
            total,
            "{text}"
        );
    }
}

/// What the source accepts, its open questions (percentile, mod, word numbers, spaces, several d20)
/// answered with yes.
#[test]
fn what_is_accepted_is_normalized() {
    let mut table = Table::lockhouse();
    for (text, dice, normalized) in [
        ("d20", 1, "1d20"),
        ("d100", 1, "1d100"),
        ("1d12", 1, "1d12"),
        ("10d8", 10, "10d8"),
        ("2d10 + 2d4 + 4", 4, "2d10 + 2d4 + 4"),
        ("2d6 + 1d8 + 3", 3, "2d6 + 1d8 + 3"),
        (
            "roll a d20 with advantage and a +3 modifier",
            2,
            "d20(adv) + 3",
        ),
        (
            "roll a d20 with disadvantage +5 modifier",
            2,
            "d20(disadv) + 5",
        ),
        ("d20 with advantage +2d6+3", 4, "d20(adv) + 2d6 + 3"),
        ("a d20 plus 3", 1, "1d20 + 3"),
        ("a d20 minus 1", 1, "1d20 - 1"),
        ("+3 modifier and a d20", 1, "1d20 + 3"),
        ("a d20 and +5", 1, "1d20 + 5"),
        ("percentile", 1, "1d100"),
        ("d20 with a +2 mod", 1, "1d20 + 2"),
        ("d20 plus five", 1, "1d20 + 5"),
        ("2 d 6 +3", 2, "2d6 + 3"),
        ("d20 + d20", 2, "1d20 + 1d20"),
        // Decided: arithmetic and a leading minus are read, because they are plain and exact here;
        // the source leaves them for later.
        ("(2d6 + 3) * 2", 2, "(2d6 + 3) * 2"),
        ("-1d6", 1, "-1d6"),
    ] {
        let rolled = table.dice(vec![3; dice]).roll_dice(json!({"text": text}));
        assert_eq!(
            (rolled.text("input"), rolled.text("normalized_expression")),
            (text, normalized)
        );
        // Printed and read again it is the same.
        let again = table
            .dice(vec![3; dice])
            .roll_dice(json!({"text": normalized}));
        for field in ["expression", "normalized_expression", "terms", "total"] {
            assert_eq!(rolled[field], again[field], "{text}");
        }
    }
}

/// Nothing is rolled or logged; the message begins with its code, and has a hint and an example
/// that rolls.
#[test]
fn what_is_rejected_fails_with_its_code() {
    let mut server = Process::start_and_greet();
    for (text, code) in [
        ("2d7 + 1", "INVALID_DIE"),
        ("d13", "INVALID_DIE"),
        ("advantage", "INVALID_ADVANTAGE_USAGE"),
        ("2d20 with advantage", "INVALID_ADVANTAGE_USAGE"),
        ("d20 + d20 with advantage", "INVALID_ADVANTAGE_USAGE"),
        ("d6 with disadvantage", "INVALID_ADVANTAGE_USAGE"),
        ("2d6^2", "OUT_OF_SCOPE_SYNTAX"),
        ("roll for initiative", "UNPARSEABLE_INPUT"),
        ("2d6 and some luck", "UNPARSEABLE_INPUT"),
    ] {
        let refused = server.call("roll_dice", json!({"text": text}));
        assert_eq!(refused["isError"], true, "{text}: {refused}");
        let message = refused["content"][0]["text"]
            .as_str()
            .expect("text")
            .to_owned();
        assert!(
            message.starts_with(&format!("[{code}] ")),
            "{text}: {message}"
        );
        let example = message
            .split("Example: \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .expect(&message);
        // A hint: what to write instead, or which dice there are.
        let hint = refused["structuredContent"]["fault"]["hint"]
            .as_str()
            .unwrap_or("d4, d6, d8, d10, d12, d20, d100");
        assert!(
            !hint.is_empty() && message.contains(hint),
            "{text}: {message}"
        );
        server.done("roll_dice", json!({"text": example}));
    }
    // Nine examples were rolled, and no refusal.
    let first = server.done("roll_dice", json!({"text": "d20"}))["log"]
        .as_u64()
        .expect("an entry");
    server.call("roll_dice", json!({"text": "2d7 + 1"}));
    assert_eq!(
        server.done("roll_dice", json!({"text": "d20"}))["log"],
        first + 1
    );
}

/// Only the classic dice, each from 1 to its sides.
#[test]
fn the_classic_dice_are_all_there_is() {
    let mut table = Table::lockhouse();
    for sides in [4, 6, 8, 10, 12, 20, 100] {
        for face in [1, sides] {
            let rolled = table
                .dice([face])
                .roll_dice(json!({"text": format!("d{sides}")}));
            assert_eq!(
                (rolled.number("total"), &rolled["terms"][0]["rolls"]),
                (face, &json!([face]))
            );
        }
    }
    for sides in [0, 1, 2, 3, 5, 7, 13, 30] {
        table
            .roll_dice(json!({"text": format!("d{sides}")}))
            .refused("invalid_die");
    }
    table.endless_dice(7);
    for sides in [4, 6, 8, 10, 12, 20, 100] {
        for _ in 0..20 {
            let rolled = table.roll_dice(json!({"text": format!("d{sides}")}));
            assert!(
                (1..=sides).contains(&rolled.number("total")),
                "{}",
                rolled.value()
            );
        }
    }
}

/// The same at the shell, without a campaign.
#[test]
fn the_shell_reads_what_was_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    for (text, begins) in [
        (&["d20(disadv) + 5"][..], "d20(disadvantage): ["),
        (&["+3", "modifier", "and", "a", "d20"], "1d20: ["),
        (&["4d6", "keep", "highest", "3"], "4d6kh3: ["),
    ] {
        let came = rollbook(folder.path())
            .arg("roll")
            .args(text)
            .output()
            .expect("it runs");
        let line = String::from_utf8(came.stdout).expect("text");
        assert!(
            came.status.success() && line.starts_with(begins),
            "{text:?}: {line}"
        );
        assert_eq!(line.trim_end().lines().count(), 1, "{line}");
    }
    let refused = rollbook(folder.path())
        .args(["roll", "2d6 twice"])
        .output()
        .expect("it runs");
    let words = String::from_utf8(refused.stderr).expect("text");
    assert!(
        !refused.status.success()
            && words.contains("[unparseable_input]")
            && words.contains("repeat("),
        "{words}"
    );
}
