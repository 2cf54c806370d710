//! Time in the game: what passes by a call, a rest and a fight; rounds that count for all; and the
//! time a call has.

use std::time::Duration;

use serde_json::{Value, json};

use crate::table::{Answer, Table, each, with};

/// Time in the game: it passes by a call, by a rest of the party and by a fight; it ends what has
/// lasted and moves clocks.
const RULES: &str = "# Mine\n\n## Checks\n\n### Try\n- Roll: `1d20 + {modifier}`\n- Target: `10`\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n\
    - Short rest: 1 hour passes, Hit points +2\n- Long rest: 8 hours pass, Hit points to max\n\n## Company\n- Supplies: max 10\n  - Each day: -2\n  - At 0: gain Hungry\n\n\
    ## Clocks\n- Torch: 6 boxes, full: *darkness*\n  - Each 10 minutes: +1\n- The thing below: 8 boxes, hidden\n  - Each hour: +1\n\n\
    ## Conditions\n- Hungry: -1 on checks\n- Blessed: +2 on checks, for 1 minute\n\n## Combat\n- Initiative: none\n- Round: 6 seconds\n";

fn mine() -> Table {
    let mut table = Table::of_people(RULES, &["Ann", "Ben"], json!({"kind": "player"}));
    table.create("Fiend", json!({"kind": "npc"}));
    table
}

fn advance(table: &mut Table, time: &str) -> Answer {
    table.manage_session(json!({"action": "advance", "time": time}))
}

fn condition(table: &mut Table, who: &str, name: &str, duration: &str) {
    let call = json!({"action": "add_condition", "character": who, "condition": name, "duration": duration, "free": true});
    table.manage_character(call).is_fine();
}

#[test]
fn time_passes_ends_what_has_lasted_and_moves_clocks() {
    let mut table = mine();
    condition(&mut table, "Ann", "hasted", "for 10 minutes");
    condition(&mut table, "Fiend", "warded", "for 5 minutes");
    let sheet = table.get_character(json!({"character": "Ann", "view": "full"}));
    assert_eq!(
        sheet["character"]["conditions"],
        json!(["hasted (until day 1, 00:10)"])
    );
    let passed = table.manage_session(
        json!({"action": "advance", "time": "1 hour and 5 minutes", "text": "the long stair"}),
    );
    assert_eq!(
        passed["time"],
        json!({"now": "day 1, 01:05", "passed": "1 hour and 5 minutes", "ended": ["hasted on Ann", "warded on Fiend"]})
    );
    let expected = "1 hour and 5 minutes pass (the long stair): it is day 1, 01:05. hasted on Ann ends. warded on Fiend ends. Torch 0 to 6/6 (day 1, 01:05), full: darkness. \
     The thing below 0 to 1/8 (day 1, 01:05).";
    assert_eq!(passed.text("summary"), expected);
    let expected = "1 hour and 5 minutes pass (the long stair): it is day 1, 01:05. hasted on Ann ends. Torch 0 to 6/6 (day 1, 01:05), full.";
    assert_eq!(
        passed.text("player_text"),
        expected,
        "players have met no Fiend and see no thing"
    );
    let status = table.manage_session(json!({"action": "status"}));
    let expected = json!([
        "day 1, 01:05",
        [
            "Supplies 10/10",
            "Torch 6/6, full",
            "The thing below 1/8 (hidden)"
        ]
    ]);
    assert_eq!(json!([status["game_time"], status["clocks"]]), expected);
    let recap = table.manage_session(json!({"action": "recap"}));
    assert!(
        recap.text("summary").contains("\n- It is day 1, 01:05\n"),
        "{}",
        recap["summary"]
    );
    assert!(
        recap
            .text("summary")
            .contains("1 hour and 5 minutes pass (the long stair)"),
        "{}",
        recap["summary"]
    );
    let undone = table.manage_session(json!({"action": "undo"}));
    assert!(
        !undone.text("player_text").contains("Fiend"),
        "{}",
        undone["player_text"]
    );
    let status = table.manage_session(json!({"action": "status"}));
    let expected = json!([
        "day 1, 00:00",
        [
            "Supplies 10/10",
            "Torch 0/6",
            "The thing below 0/8 (hidden)"
        ]
    ]);
    assert_eq!(json!([status["game_time"], status["clocks"]]), expected);
    let sheet = table.get_character(json!({"character": "Ann", "view": "full"}));
    assert_eq!(
        sheet["character"]["conditions"],
        json!(["hasted (until day 1, 00:10)"]),
        "taken back whole"
    );
    advance(&mut table, "until 23:00").is_fine();
    let hungry = advance(&mut table, "until day 6");
    assert!(
        hungry
            .text("summary")
            .contains("Supplies 10 to 0/10 (day 6, 00:00), empty"),
        "{}",
        hungry["summary"]
    );
    assert!(
        hungry
            .text("summary")
            .contains("Ann (Supplies) is now Hungry"),
        "{}",
        hungry["summary"]
    );
}

#[test]
fn a_rest_takes_its_time_where_the_whole_party_rests() {
    let mut table = mine();
    let alone =
        table.manage_character(json!({"action": "rest", "character": "Ann", "kind": "Short rest"}));
    assert_eq!(
        alone["noted"],
        json!([
            "Not everybody rests, so no time passes. manage_session action=\"advance\" time=\"1 hour\" lets it."
        ])
    );
    let all = table.manage_character(json!({"action": "rest", "kind": "Long rest"}));
    assert!(
        all.text("summary")
            .starts_with("8 hours pass (Long rest): it is day 1, 08:00."),
        "{}",
        all["summary"]
    );
    assert_eq!(
        table.manage_session(json!({"action": "status"}))["game_time"],
        "day 1, 08:00"
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        table.manage_session(json!({"action": "status"}))["game_time"],
        "day 1, 00:00"
    );
}

#[test]
fn the_rounds_of_a_fight_end_what_lasts_minutes_and_pass_when_it_is_over() {
    let mut table = mine();
    condition(&mut table, "Ann", "Blessed", "for 1 minute");
    condition(&mut table, "Ben", "steady", "for 5 rounds");
    let sheet = table.get_character(json!({"character": "Ben", "view": "full"}));
    assert_eq!(
        sheet["character"]["conditions"],
        json!(["steady (until day 1, 00:00:30)"]),
        "no fight counts them"
    );
    table.start(json!([{"name": "Ann"}, {"name": "Ben"}, {"name": "Fiend"}]));
    for round in 1..=12 {
        let ended = match round {
            5 => json!(["steady on Ben"]),
            10 => json!(["Blessed on Ann"]),
            _ => Value::Null,
        };
        let next = table.manage_combat(json!({"action": "next_round"}));
        assert_eq!(next["ended"], ended, "at the end of round {round}");
    }
    let over = table.manage_combat(json!({"action": "end"}));
    over.ends(
        "player_text",
        "1 minute and 18 seconds pass (the fight): it is day 1, 00:01:18.",
    );
}

#[test]
fn what_is_no_time_is_refused_with_what_is() {
    let mut table = mine();
    advance(&mut table, "2 hours").is_fine();
    for words in [
        "a while",
        "0 minutes",
        "-2 hours",
        "10001 days",
        "until day 1, 01:00",
        "until noon",
        "3 rounds",
        "half an hour",
        "1h 30m",
    ] {
        advance(&mut table, words).refused_with(
            "invalid_parameters",
            &["it is day 1, 02:00 in the game. Send time=\"10 minutes\""],
        );
    }
    let text = |answer: Answer, code: &str| answer.refusal_text(code).to_owned();
    let without = text(
        table.manage_session(json!({"action": "advance"})),
        "invalid_parameters",
    );
    assert!(without.starts_with("advance needs time"), "{without}");
    let misplaced = json!({"action": "note", "text": "x", "time": "1 hour"});
    let misplaced = text(table.manage_session(misplaced), "invalid_parameters");
    assert!(misplaced.contains("time is of advance"), "{misplaced}");
    let made = json!({"action": "clock", "name": "game time", "segments": 6});
    let made = text(table.manage_session(made), "duplicate_name");
    assert!(made.contains("is what the game itself counts"), "{made}");
    let named = json!({"action": "clock", "name": "Game time", "tick": 6});
    let named = text(table.manage_session(named), "unknown_track");
    assert!(
        named.starts_with("No clock and no shared track is called"),
        "{named}"
    );
    table.start(json!([{"name": "Ann"}, {"name": "Gaunt", "hp": 5, "hidden": true}]));
    let creeps = json!({"action": "advance", "time": "1 minute", "text": "Gaunt creeps closer"});
    table.manage_session(creeps).refused("names_hidden");
}

/// The same in plain Rust, two hundred times by chance.
#[test]
fn time_agrees_with_a_plain_count() {
    let mut table = mine();
    let (mut now, mut torch, mut below, mut supplies, mut seed) = (0i64, 0i64, 0i64, 10i64, 17u64);
    let mut lasting: Vec<(String, i64)> = Vec::new();
    let mut next = |most: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((seed >> 33) % most).expect("a small number")
    };
    let words = |value: &Value| value.as_str().expect("a text").to_owned();
    for turn in 0..200 {
        if next(3) == 0 {
            let (many, unit, length) = (
                next(50) + 1,
                ["seconds", "minutes", "hours"][usize::try_from(next(3)).expect("one")],
                now,
            );
            let seconds = many
                * match unit {
                    "seconds" => 1,
                    "minutes" => 60,
                    _ => 3600,
                };
            condition(
                &mut table,
                "Ann",
                &format!("spell {turn}"),
                &format!("for {many} {unit}"),
            );
            lasting.push((format!("spell {turn} on Ann"), length + seconds));
        }
        let (hours, minutes, seconds) = (next(4), next(60), next(60) + 1);
        let reply = advance(
            &mut table,
            &format!("{hours} hours, {minutes} minutes and {seconds} seconds"),
        );
        let then = now + hours * 3600 + minutes * 60 + seconds;
        torch = (torch + then / 600 - now / 600).min(6);
        below = (below + then / 3600 - now / 3600).min(8);
        supplies = (supplies - 2 * (then / 86_400 - now / 86_400)).max(0);
        now = then;
        let (over, on): (Vec<_>, Vec<_>) = std::mem::take(&mut lasting)
            .into_iter()
            .partition(|(_, until)| *until <= now);
        lasting = on;
        let mut over: Vec<String> = over.into_iter().map(|(name, _)| name).collect();
        let mut ended: Vec<String> = each(&reply["time"]["ended"]).map(words).collect();
        over.sort();
        ended.sort();
        assert_eq!(ended, over);
        let (day, second) = (now / 86_400 + 1, now % 86_400);
        let clock = format!("day {day}, {:02}:{:02}", second / 3600, second / 60 % 60);
        let clock = if second % 60 == 0 {
            clock
        } else {
            format!("{clock}:{:02}", second % 60)
        };
        assert_eq!(reply["time"]["now"], clock);
        if turn % 20 == 19 {
            let status = table.manage_session(json!({"action": "status"}));
            let end = |full: bool, word: &str| {
                if full {
                    format!(", {word}")
                } else {
                    String::new()
                }
            };
            let clocks = json!([
                format!("Supplies {supplies}/10{}", end(supplies == 0, "empty")),
                format!("Torch {torch}/6{}", end(torch == 6, "full")),
                format!(
                    "The thing below {below}/8{} (hidden)",
                    end(below == 8, "full")
                ),
            ]);
            assert_eq!(status["clocks"], clocks);
            for (name, to) in [("Torch", 0), ("The thing below", 0), ("Supplies", 10)] {
                table.manage_session(with(
                    json!({"action": "clock", "name": name, "value": to}),
                    json!({}),
                ));
            }
            (torch, below, supplies) = (0, 0, 10);
        }
    }
}

/// What time does to what all share: each round of a fight, its end, the end of a session; and a
/// turn taken back.
const ROUND_RULES: &str = "# Any\n\n## Attributes\n- Might (MIG, -1 to 5)\n\n## Checks\n### Strike\n- Roll: `1d20 + {MIG} + {escalation}`\n- Target: `{difficulty}`\n\n\
     ## Health\n- Hit points: max 10\n- Damage: Hit points\n\n## Company\n- Escalation: 6 boxes\n  - Each round: +1\n  - End of fight: to 0\n\
     - Torches: max 3\n  - End of session: -1\n\n## Clocks\n- The thing: 3 boxes, hidden\n  - Each round: +1\n- Smoke: 2 boxes, full: gain Blinded\n  \
     - Each round: +1\n\n## Conditions\n- Blinded: -2 on checks\n\n## Combat\n- Initiative: {MIG}, highest first\nCOMBAT";

fn table(combat: &str) -> Table {
    let mut table = Table::of_rules(Some(&ROUND_RULES.replace("COMBAT", combat)));
    for (name, might) in [("Ann", 2), ("Bea", 1)] {
        table.create(name, json!({"attributes": {"MIG": might}}));
    }
    table.start(json!([{"name": "Ann"}, {"name": "Bea"}]));
    table
}

fn shared(table: &mut Table) -> [i64; 4] {
    let company = table.get_character(json!({"character": "company"}))["company"].clone();
    let all = company.as_array().expect("tracks").clone();
    ["Escalation", "Torches", "The thing", "Smoke"].map(|name| {
        all.iter()
            .find(|row| row["name"] == name)
            .and_then(|row| row["value"].as_i64())
            .expect(name)
    })
}

fn conditions_of(table: &mut Table) -> serde_json::Value {
    table.get_character(json!({"character": "Ann"}))["character"]["conditions"].clone()
}

#[test]
fn each_round_moves_what_all_share_and_a_turn_taken_back_moves_it_back() {
    let mut table = table("");
    let turn = |table: &mut Table, action: &str| table.manage_combat(json!({"action": action}));
    turn(&mut table, "next_turn").is_fine();
    assert_eq!(shared(&mut table), [0, 3, 0, 0], "the first round goes on");
    let round = turn(&mut table, "next_turn");
    assert_eq!(shared(&mut table), [1, 3, 1, 1]);
    let (summary, seen) = (round.text("summary"), round.text("player_text"));
    assert!(seen.contains("Escalation 0 to 1/6 (Each round)."), "{seen}");
    assert!(
        summary.contains("The thing") && !seen.contains("thing"),
        "{summary} {seen}"
    );
    let hit = table
        .dice([10])
        .skill_check(json!({"character": "Ann", "difficulty": 13}));
    assert_eq!(
        (&hit["margin"], &hit["modifiers"][1]["from"]),
        (&json!(0), &json!("Escalation of all"))
    );
    let check = table
        .dice([10])
        .skill_check(json!({"character": "Ann", "difficulty": 13, "values": {"escalation": 4}}));
    assert_eq!(check["margin"], 3, "a call may say otherwise");
    turn(&mut table, "next_turn").is_fine();
    turn(&mut table, "next_turn").is_fine();
    assert_eq!(
        (shared(&mut table), conditions_of(&mut table)),
        ([2, 3, 2, 2], json!(["Blinded"]))
    );
    let back = turn(&mut table, "previous_turn");
    assert_eq!(
        (shared(&mut table), conditions_of(&mut table)),
        ([1, 3, 1, 1], json!([])),
        "{}",
        back["summary"]
    );
    turn(&mut table, "next_turn").is_fine();
    assert_eq!(
        (shared(&mut table), conditions_of(&mut table)),
        ([2, 3, 2, 2], json!(["Blinded"]))
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    for _ in 0..12 {
        turn(&mut table, "next_turn").is_fine();
    }
    assert_eq!(shared(&mut table), [6, 3, 3, 2], "no further than the end");
    turn(&mut table, "end").is_fine();
    assert_eq!(shared(&mut table), [0, 3, 3, 2]);
}

#[test]
fn what_was_moved_since_is_left_by_a_turn_taken_back() {
    let mut table = table("");
    for _ in 0..2 {
        table
            .manage_combat(json!({"action": "next_turn"}))
            .is_fine();
    }
    table
        .manage_session(json!({"action": "clock", "name": "Escalation", "value": 5}))
        .is_fine();
    table
        .manage_combat(json!({"action": "previous_turn"}))
        .is_fine();
    assert_eq!(shared(&mut table), [5, 3, 0, 0]);
}

#[test]
fn rounds_that_the_gm_counts_and_sessions_move_it_too() {
    let mut table = table("- Combat: narrative\n");
    table
        .manage_combat(json!({"action": "next_round"}))
        .is_fine();
    assert_eq!(shared(&mut table), [1, 3, 1, 1]);
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    assert_eq!(shared(&mut table), [0, 2, 1, 1]);
}

/// The time a call has.
#[test]
fn a_call_beyond_its_time_is_taken_back_whole() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    table.restart_with_limit(Duration::ZERO);
    // Whether the die falls before the time is over depends on whether the file is known to be
    // sound by then.
    table.endless_dice(6);
    std::thread::sleep(Duration::from_millis(300));
    let late = table.roll_dice(json!({"expression": "d6", "request_id": "late"}));
    late.refused_with("timed_out", &["Send it again"]);
    let call =
        json!({"action": "start", "combatants": [{"name": "Rat", "hp": 1, "initiative": 3}]});
    table.manage_combat(call).refused("timed_out");
    assert_eq!(
        table.record().everything(),
        before,
        "nothing of it was written"
    );
    let call = json!({"list": true});
    assert_eq!(
        table.get_character(call)["characters"]
            .as_array()
            .map(Vec::len),
        Some(2),
        "no rat is left"
    );

    table.restart_with_limit(Duration::from_secs(30));
    let again = table.roll_dice(json!({"expression": "d6", "request_id": "late"}));
    let next = before["log"].len() + 1;
    assert_eq!(
        (&again["log"], &again["replayed"]),
        (&json!(next), &json!(null)),
        "the first one never was"
    );
}
