//! The structured dice server: parameters in, every die out.

use std::sync::Arc;

use serde_json::{Value, json};

use super::plain_english_dice::{assert_fields, assert_timestamp};
use crate::http::web::Web;
use crate::process::{Process, rollbook};
use crate::table::{Table, cases, each};

/// The source's example of a roll, with its dice; over the protocol the fields are those of a full
/// reply.
#[test]
fn the_example_answers_as_it_says() {
    let mut table = Table::lockhouse();
    let call = json!({"dice_count": 4, "dice_sides": 6, "keep_highest": 3});
    let rolled = table.dice([5, 3, 6, 2]).roll_dice(call.clone());
    assert_fields(
        rolled.value(),
        &json!({
            "total": 14,
            "dice": [
                {"die": 1, "sides": 6, "rolls": [5], "value": 5, "kept": true, "special": null},
                {"die": 2, "sides": 6, "rolls": [3], "value": 3, "kept": true, "special": null},
                {"die": 3, "sides": 6, "rolls": [6], "value": 6, "kept": true, "special": null},
                {"die": 4, "sides": 6, "rolls": [2], "value": 2, "kept": false, "special": null},
            ],
            "operation": "4d6kh3",
            "description": "Rolled 4d6, keeping highest 3",
            "parameters": call,
        }),
    );
    // Only where dice are counted.
    assert!(
        rolled["successes"].is_null() && rolled["total_dice"].is_null(),
        "{}",
        rolled.value()
    );
    assert_timestamp(&rolled["timestamp"]);
}

/// A result whose dice are as the source says, whatever fell.
fn assert_result(result: &Value) {
    assert!(
        result["operation"].is_string() && result["description"].is_string(),
        "{result}"
    );
    assert!(result["total"].is_i64(), "{result}");
    let dice = result["dice"].as_array().expect("dice");
    for (die, nth) in dice.iter().zip(1..) {
        assert_eq!(die.as_object().expect("a die").len(), 6, "{die}");
        assert_eq!(die["die"], nth, "{die}");
        assert!(
            die["sides"].is_i64() && die["value"].is_i64() && die["kept"].is_boolean(),
            "{die}"
        );
        assert!(
            die["special"].is_null() || die["special"].is_string(),
            "{die}"
        );
        assert!(
            die["rolls"]
                .as_array()
                .is_some_and(|rolls| !rolls.is_empty() && rolls.iter().all(Value::is_i64))
        );
    }
}

fn kept(result: &Value) -> i64 {
    let dice = each(&result["dice"]);
    dice.filter(|die| die["kept"] == true)
        .filter_map(|die| die["value"].as_i64())
        .sum()
}

#[test]
fn the_plain_route_answers_result_and_metadata() {
    let server = Web::start();
    let call = json!({"dice_count": 4, "dice_sides": 6, "keep_highest": 3});
    let answer = server.post("/api/roll", &call);
    assert_eq!(answer.status, 200, "{answer:?}");
    let rolled = answer.json();
    let mut names: Vec<&String> = rolled.as_object().expect("an object").keys().collect();
    names.sort();
    assert_eq!(names, ["metadata", "result"]);
    let result = &rolled["result"];
    assert_result(result);
    assert_eq!(result["total"], kept(result));
    assert_eq!(
        each(&result["dice"])
            .filter(|die| die["kept"] == true)
            .count(),
        3
    );
    assert_fields(
        result,
        &json!({"operation": "4d6kh3", "description": "Rolled 4d6, keeping highest 3"}),
    );
    assert_eq!(rolled["metadata"]["parameters"], call);
    assert_timestamp(&rolled["metadata"]["timestamp"]);

    let counted = server
        .post("/api/roll", &json!({"expression": "5d10 count 8+"}))
        .json();
    assert_result(&counted["result"]);
    assert_fields(
        &counted["result"],
        &json!({"operation": "5d10t8", "total_dice": 5}),
    );
    let hits = each(&counted["result"]["dice"]).filter(|die| die["value"].as_i64() >= Some(8));
    assert_eq!(counted["result"]["successes"], hits.count());
    assert_eq!(
        counted["metadata"]["parameters"],
        json!({"expression": "5d10 count 8+"})
    );
}

#[test]
fn several_rolls_answer_results_and_metadata() {
    let server = Web::start();
    let call = json!({"rolls": [
        {"dice_count": 2, "dice_sides": 20, "keep_highest": 1},
        {"dice_count": 1, "dice_sides": 8, "modifier": 2},
    ]});
    let rolled = server.post("/api/roll_multiple", &call).json();
    let results = rolled["results"].as_array().expect("results");
    assert_eq!(results.len(), 2, "{rolled}");
    for (one, asked) in results.iter().zip(call["rolls"].as_array().expect("rolls")) {
        assert_result(&one["result"]);
        assert_eq!(&one["metadata"]["parameters"], asked);
        assert_timestamp(&one["metadata"]["timestamp"]);
    }
    assert_fields(
        &results[0]["result"],
        &json!({"operation": "2d20kh1", "description": "Rolled 2d20, keeping highest 1"}),
    );
    assert_fields(
        &results[1]["result"],
        &json!({"operation": "1d8 + 2", "description": "Rolled 1d8 plus 2"}),
    );
    assert_eq!(
        results[1]["result"]["total"],
        kept(&results[1]["result"]) + 2
    );
    assert_eq!(rolled["metadata"]["parameters"], call);
    assert_timestamp(&rolled["metadata"]["timestamp"]);

    // The whole set again and again, with expressions, too.
    let call =
        json!({"rolls": [{"expression": "4d6 keep highest 3"}, {"dice_sides": 20}], "count": 3});
    let rolled = server.post("/api/roll_multiple", &call).json();
    let operations: Vec<&Value> = each(&rolled["results"])
        .map(|one| &one["result"]["operation"])
        .collect();
    assert_eq!(
        json!(operations),
        json!(["4d6kh3", "1d20", "4d6kh3", "1d20", "4d6kh3", "1d20"])
    );
    assert_eq!(
        rolled["results"][3]["metadata"]["parameters"],
        json!({"dice_sides": 20})
    );
}

/// A player's key is answered the same of what players see.
#[test]
fn a_players_key_is_answered_with_every_die() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let seat = |seat: &[&str]| {
        let all = [&["new", "--campaign", "lockhouse", "--seat"], seat].concat();
        let made = crate::http::keys::key(folder.path(), &all);
        format!(
            "Bearer {}",
            String::from_utf8(made.stdout).expect("text").trim()
        )
    };
    let (gm, player) = (seat(&["gm"]), seat(&["player", "--character", "Ann"]));
    let server = Web::on(folder.clone(), &["--rate", "off"]);
    let create = json!({"action": "create", "name": "Ann", "kind": "player"});
    for (tool, call) in [
        ("manage_character", create),
        ("manage_session", json!({"action": "start"})),
    ] {
        assert_eq!(
            server.call(&[("Authorization", &gm)], tool, call).status,
            200
        );
    }
    let post = |path: &str, call: &Value| {
        let answer = server.ask(
            "POST",
            path,
            &[("Authorization", &player)],
            call.to_string().as_bytes(),
        );
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    };
    let call = json!({"dice_count": 4, "dice_sides": 6, "keep_highest": 3});
    let rolled = post("/api/roll", &call);
    assert_result(&rolled["result"]);
    assert_eq!(rolled["result"]["total"], kept(&rolled["result"]));
    assert_fields(
        &rolled["result"],
        &json!({"operation": "4d6kh3", "description": "Rolled 4d6, keeping highest 3"}),
    );
    assert_eq!(rolled["metadata"]["parameters"], call);
    assert_timestamp(&rolled["metadata"]["timestamp"]);

    let call = json!({"rolls": [{"dice_sides": 20}, {"expression": "1d8 + 2"}]});
    let rolled = post("/api/roll_multiple", &call);
    let results = rolled["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    for one in results {
        assert_result(&one["result"]);
        assert_timestamp(&one["metadata"]["timestamp"]);
    }
    assert_timestamp(&rolled["metadata"]["timestamp"]);

    // Over the protocol a brief reply stays small, and the smallest server's text is there.
    let formula = |detail: &str| {
        let call = json!({"formula": "3d6", "detail": detail});
        server
            .call(&[("Authorization", &player)], "roll_dice", call)
            .content()
    };
    let brief = formula("brief");
    assert!(
        brief["summary"]
            .as_str()
            .is_some_and(|text| text.starts_with("Sum: ")),
        "{brief}"
    );
    assert!(
        brief["rolls"][0]["dice"].is_null() && brief["rolls"][0]["individual_rolls"].is_array(),
        "{brief}"
    );
    assert_result(&formula("full")["rolls"][0]);
}

/// The six operations as parameters and as phrases come to the same dice.
#[test]
fn the_six_operations_are_parameters_and_phrases() {
    let mut table = Table::lockhouse();
    for [phrase, parameters, faces, total, specials] in cases(json!([
        ["4d6 keep highest 3", {"dice_count": 4, "dice_sides": 6, "keep_highest": 3}, [5, 3, 6, 2], 14,
         [null, null, null, null]],
        ["5d10 drop lowest 2", {"dice_count": 5, "dice_sides": 10, "drop_lowest": 2}, [5, 3, 6, 2, 9], 20,
         [null, null, null, null, null]],
        ["3d6 reroll 1s", {"dice_count": 3, "dice_sides": 6, "reroll": [1]}, [1, 1, 4, 6], 11,
         ["rerolled", null, null]],
        ["2d6 exploding", {"dice_count": 2, "dice_sides": 6, "exploding": true}, [6, 3, 2], 11,
         ["exploded", "extra", null]],
        ["5d10 count 8+", {"dice_count": 5, "dice_sides": 10, "target_number": 8}, [8, 10, 7, 1, 9], 3,
         [null, null, null, null, null]],
        ["4d6 minimum 2", {"dice_count": 4, "dice_sides": 6, "min_value": 2}, [1, 2, 3, 1], 9,
         ["raised", null, null, "raised"]],
    ])) {
        let faces = || each(&faces).filter_map(Value::as_i64);
        let rolled = table.dice(faces()).roll_dice(json!({"expression": phrase}));
        let sent = table.dice(faces()).roll_dice(parameters);
        for field in [
            "dice",
            "operation",
            "description",
            "total",
            "successes",
            "total_dice",
            "terms",
        ] {
            assert_eq!(rolled[field], sent[field], "{phrase}");
        }
        assert_eq!(rolled["total"], total, "{phrase}");
        let found: Vec<&Value> = each(&rolled["dice"]).map(|die| &die["special"]).collect();
        assert_eq!(json!(found), specials, "{phrase}");
    }
    // Every face of a die is there: the rerolled one, and what came of it.
    let rolled = table
        .dice([1, 1, 4, 6])
        .roll_dice(json!({"expression": "3d6 reroll 1s"}));
    assert_eq!(
        rolled["dice"][0]["rolls"],
        json!([1, 1]),
        "it is rerolled once"
    );
    assert_eq!(rolled["terms"][0]["rolls"], json!([1, 1, 4, 6]));
}

#[test]
fn the_phrases_are_read_at_the_shell() {
    let folder = tempfile::tempdir().expect("a folder");
    for (phrase, begins) in [
        ("4d6 keep highest 3", "4d6kh3: ["),
        ("5d10 drop lowest 2", "5d10dl2: ["),
        ("3d6 reroll 1s", "3d6ro1: ["),
        ("2d6 exploding", "2d6!: ["),
        ("5d10 count 8+", "5d10t8: ["),
        ("4d6 minimum 2", "4d6min2: ["),
    ] {
        let came = rollbook(folder.path())
            .args(["roll", phrase])
            .output()
            .expect("it runs");
        let line = String::from_utf8(came.stdout).expect("text");
        assert!(
            came.status.success() && line.starts_with(begins),
            "{phrase}: {line}"
        );
    }
}

/// Every bad parameter, with the reason and what it takes.
#[test]
fn a_bad_call_lists_every_bad_parameter() {
    let server = Web::start();
    let refused = server.post("/api/roll", &json!({"dice_count": 1500, "dice_sides": 6}));
    assert_eq!(refused.status, 400);
    let error = &refused.json()["error"];
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|text| text.contains("dice_count")),
        "{error}"
    );
    // The source's words for the same: "Value 1500 exceeds maximum allowed (1000)".
    let wanted = json!([{"parameter": "dice_count", "issue": "1500 is more than the maximum of 1000", "valid_range": "1-1000"}]);
    assert_eq!(error["details"], wanted);

    let names = |answer: &Value| -> Vec<String> {
        let details = answer["error"]["details"].as_array().expect("details");
        for detail in details {
            for field in ["parameter", "issue", "valid_range"] {
                assert!(
                    detail[field].as_str().is_some_and(|text| !text.is_empty()),
                    "{detail}"
                );
            }
        }
        details
            .iter()
            .filter_map(|detail| detail["parameter"].as_str().map(str::to_owned))
            .collect()
    };
    for (call, wanted) in [
        (
            json!({"dice_count": 0, "dice_sides": 101, "target_number": 0}),
            vec!["dice_count", "dice_sides", "target_number"],
        ),
        (
            json!({"dice_count": 4, "dice_sides": 6, "keep_highest": 3, "keep_lowest": 1}),
            vec!["keep_lowest"],
        ),
        (
            json!({"dice_count": 4, "dice_sides": 6, "keep_highest": 0, "min_value": -1}),
            vec!["keep_highest", "min_value"],
        ),
        (json!({"dice_count": 4}), vec!["dice_sides"]),
        (
            json!({"expression": "4d6 keep highest"  , "dice_sides": 6}),
            vec!["expression"],
        ),
        (json!({"expression": "4d6 keep 3"}), vec!["expression"]),
        (
            json!({"dice_count": "four", "dice_sides": 6}),
            vec!["dice_count"],
        ),
    ] {
        let refused = server.post("/api/roll", &call);
        let expected = (400, wanted.iter().map(|&name| name.into()).collect());
        assert_eq!((refused.status, names(&refused.json())), expected, "{call}");
    }
    let call = json!({"rolls": [{"dice_sides": 6}, {"dice_sides": 0, "dice_count": 1001}]});
    let refused = server.post("/api/roll_multiple", &call);
    assert_eq!(refused.status, 400);
    assert_eq!(
        names(&refused.json()),
        ["rolls[1].dice_count", "rolls[1].dice_sides"]
    );
    let list = server.ask("POST", "/api/roll", &[], b"[]");
    assert_eq!(
        (list.status, names(&list.json())),
        (400, vec!["body".to_owned()])
    );
    for (call, wanted) in [
        (json!({"rolls": "often"}), "rolls[0].expression"),
        (json!({"rolls": []}), "rolls"),
        (
            json!({"rolls": [{"dice_sides": 6}, {"expression": "4d6 keep 3"}]}),
            "rolls[1].expression",
        ),
        (
            json!({"rolls": [{"formula": "1d6 keep"}]}),
            "rolls[0].expression",
        ),
    ] {
        let refused = server.post("/api/roll_multiple", &call);
        assert_eq!(
            (refused.status, names(&refused.json())),
            (400, vec![wanted.to_owned()]),
            "{call}"
        );
    }
    let refused = server.post("/api/roll", &json!({"table": "Nope"}));
    assert_eq!(names(&refused.json()), ["table"]);
}

/// Without rules every die from 1 to 100 sides is rolled. Decided: where rules name their dice,
/// those alone.
#[test]
fn the_limits_are_1000_dice_and_100_sides() {
    let mut table = Table::of_rules(None);
    for (call, dice) in [
        (json!({"dice_count": 1, "dice_sides": 1}), 1),
        (json!({"dice_count": 1000, "dice_sides": 1}), 1000),
        (json!({"dice_count": 1, "dice_sides": 100}), 1),
    ] {
        let rolled = table.dice(vec![1; dice]).roll_dice(call);
        assert_eq!(
            (
                rolled.number("total"),
                rolled["dice"].as_array().map(Vec::len)
            ),
            (dice as i64, Some(dice))
        );
    }
    Table::lockhouse()
        .roll_dice(json!({"dice_count": 1, "dice_sides": 7}))
        .refused("invalid_die");
    for (call, parameter, range) in [
        (
            json!({"dice_count": 1001, "dice_sides": 6}),
            "dice_count",
            "1-1000",
        ),
        (
            json!({"dice_count": 0, "dice_sides": 6}),
            "dice_count",
            "1-1000",
        ),
        (
            json!({"dice_count": 1, "dice_sides": 101}),
            "dice_sides",
            "1-100",
        ),
        (
            json!({"dice_count": 1, "dice_sides": 0}),
            "dice_sides",
            "1-100",
        ),
    ] {
        let refused = table.roll_dice(call);
        let details = &refused.refused("invalid_parameters")["details"];
        assert_eq!(
            (&details[0]["parameter"], &details[0]["valid_range"]),
            (&json!(parameter), &json!(range))
        );
    }
}

/// 200 milliseconds between the calls of a client. Decided: exactly so with `--rate strict`; else
/// on average, ten at once, because a game master's assistant makes several calls in a breath.
#[test]
fn a_client_that_calls_too_fast_is_turned_away() {
    let server = Web::with(&["--rate", "strict"]);
    let answers: Vec<_> = (0..20)
        .map(|_| server.post("/api/roll", &json!({"dice_sides": 6})))
        .collect();
    assert_eq!(answers[0].status, 200);
    let refused = answers
        .iter()
        .find(|answer| answer.status == 429)
        .expect("twenty in a row are not 200 ms apart");
    let error = &refused.json()["error"];
    assert!(
        error["message"].is_string() && error["details"].is_array(),
        "{error}"
    );
}

/// The guide's translations of what players say; over standard input and output as well as HTTP.
#[test]
fn common_rolls_are_translated_to_these_calls() {
    let mut table = Table::lockhouse();
    let initiative = table
        .dice([14])
        .roll_dice(json!({"dice_count": 1, "dice_sides": 20, "modifier": 2}));
    assert_eq!(
        (initiative.number("total"), initiative.text("operation")),
        (16, "1d20 + 2")
    );
    let attack = table
        .dice([4, 17])
        .roll_dice(json!({"dice_count": 2, "dice_sides": 20, "keep_highest": 1}));
    assert_eq!(
        (attack.number("total"), attack.text("operation")),
        (17, "2d20kh1")
    );
    let scores =
        json!({"rolls": [{"dice_count": 4, "dice_sides": 6, "keep_highest": 3}], "count": 6});
    let scores = table
        .dice([5, 3, 6, 2].repeat(6))
        .call("roll_multiple", scores);
    assert_eq!(scores["totals"], json!([14, 14, 14, 14, 14, 14]));
    let rolls = scores["rolls"].as_array().expect("rolls");
    assert_eq!(rolls.len(), 6);
    rolls.iter().for_each(assert_result);
    let skill = table
        .dice([37])
        .roll_dice(json!({"dice_count": 1, "dice_sides": 100}));
    assert_eq!(
        (skill.number("total"), skill.text("operation")),
        (37, "1d100")
    );

    let mut server = Process::start_and_greet();
    let rolled = server.done(
        "roll_dice",
        json!({"dice_count": 2, "dice_sides": 20, "keep_highest": 1, "detail": "full"}),
    );
    assert_result(&rolled);
    assert_eq!(rolled["total"], kept(&rolled));
}

/// The source's last requirement: locally and in a container.
#[test]
fn the_container_is_documented() {
    let hosting = include_str!("../../docs/hosting.md");
    assert!(hosting.contains("docker build -f Containerfile ."));
    for route in ["POST /api/roll", "POST /api/roll_multiple"] {
        assert!(hosting.contains(route), "{route}");
    }
}
