//! Time in the game: it passes by a call, by a rest of the party and by a fight; it ends what has lasted and moves clocks.

use serde_json::{Value, json};

use crate::table::{Answer, Table, with};

const RULES: &str = "# Mine\n\n## Checks\n\n### Try\n- Roll: `1d20 + {modifier}`\n- Target: `10`\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n\
    - Short rest: 1 hour passes, Hit points +2\n- Long rest: 8 hours pass, Hit points to max\n\n## Company\n- Supplies: max 10\n  - Each day: -2\n  - At 0: gain Hungry\n\n\
    ## Clocks\n- Torch: 6 boxes, full: *darkness*\n  - Each 10 minutes: +1\n- The thing below: 8 boxes, hidden\n  - Each hour: +1\n\n\
    ## Conditions\n- Hungry: -1 on checks\n- Blessed: +2 on checks, for 1 minute\n\n## Combat\n- Initiative: none\n- Round: 6 seconds\n";

fn mine() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for name in ["Ann", "Ben"] {
        table.manage_character(json!({"action": "create", "name": name, "kind": "player"})).is_fine();
    }
    table.manage_character(json!({"action": "create", "name": "Fiend", "kind": "npc"})).is_fine();
    table
}

fn advance(table: &mut Table, time: &str) -> Answer {
    table.manage_session(json!({"action": "advance", "time": time}))
}

fn condition(table: &mut Table, who: &str, name: &str, duration: &str) {
    let call =
        json!({"action": "add_condition", "character": who, "condition": name, "duration": duration, "free": true});
    table.manage_character(call).is_fine();
}

#[test]
fn time_passes_ends_what_has_lasted_and_moves_clocks() {
    let mut table = mine();
    condition(&mut table, "Ann", "hasted", "for 10 minutes");
    condition(&mut table, "Fiend", "warded", "for 5 minutes");
    let sheet = table.get_character(json!({"character": "Ann", "view": "full"}));
    assert_eq!(sheet["character"]["conditions"], json!(["hasted (until day 1, 00:10)"]));
    let passed =
        table.manage_session(json!({"action": "advance", "time": "1 hour and 5 minutes", "text": "the long stair"}));
    assert_eq!(
        passed["time"],
        json!({"now": "day 1, 01:05", "passed": "1 hour and 5 minutes", "ended": ["hasted on Ann", "warded on Fiend"]})
    );
    assert_eq!(
        passed.text("summary"),
        "1 hour and 5 minutes pass (the long stair): it is day 1, 01:05. hasted on Ann ends. warded on Fiend ends. Torch 0 to 6/6 (day 1, 01:05), full: darkness. \
         The thing below 0 to 1/8 (day 1, 01:05)."
    );
    assert_eq!(
        passed.text("player_text"),
        "1 hour and 5 minutes pass (the long stair): it is day 1, 01:05. hasted on Ann ends. Torch 0 to 6/6 (day 1, 01:05), full.",
        "players have met no Fiend and see no thing"
    );
    let status = table.manage_session(json!({"action": "status"}));
    assert_eq!(
        (&status["game_time"], &status["clocks"]),
        (&json!("day 1, 01:05"), &json!(["Supplies 10/10", "Torch 6/6, full", "The thing below 1/8 (hidden)"]))
    );
    let recap = table.manage_session(json!({"action": "recap"}));
    assert!(recap.text("summary").contains("\n- It is day 1, 01:05\n"), "{}", recap["summary"]);
    assert!(recap.text("summary").contains("1 hour and 5 minutes pass (the long stair)"), "{}", recap["summary"]);
    let undone = table.manage_session(json!({"action": "undo"}));
    assert!(!undone.text("player_text").contains("Fiend"), "{}", undone["player_text"]);
    let status = table.manage_session(json!({"action": "status"}));
    assert_eq!(
        (&status["game_time"], &status["clocks"]),
        (&json!("day 1, 00:00"), &json!(["Supplies 10/10", "Torch 0/6", "The thing below 0/8 (hidden)"]))
    );
    let sheet = table.get_character(json!({"character": "Ann", "view": "full"}));
    assert_eq!(sheet["character"]["conditions"], json!(["hasted (until day 1, 00:10)"]), "taken back whole");
    advance(&mut table, "until 23:00").is_fine();
    let hungry = advance(&mut table, "until day 6");
    assert!(hungry.text("summary").contains("Supplies 10 to 0/10 (day 6, 00:00), empty"), "{}", hungry["summary"]);
    assert!(hungry.text("summary").contains("Ann (Supplies) is now Hungry"), "{}", hungry["summary"]);
    table.record().is_sound();
}

#[test]
fn a_rest_takes_its_time_where_the_whole_party_rests() {
    let mut table = mine();
    let alone = table.manage_character(json!({"action": "rest", "character": "Ann", "kind": "Short rest"}));
    assert_eq!(
        alone["noted"],
        json!(["Not everybody rests, so no time passes. manage_session action=\"advance\" time=\"1 hour\" lets it."])
    );
    let all = table.manage_character(json!({"action": "rest", "kind": "Long rest"}));
    assert!(all.text("summary").starts_with("8 hours pass (Long rest): it is day 1, 08:00."), "{}", all["summary"]);
    assert_eq!(table.manage_session(json!({"action": "status"}))["game_time"], "day 1, 08:00");
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(table.manage_session(json!({"action": "status"}))["game_time"], "day 1, 00:00");
}

#[test]
fn the_rounds_of_a_fight_end_what_lasts_minutes_and_pass_when_it_is_over() {
    let mut table = mine();
    condition(&mut table, "Ann", "Blessed", "for 1 minute");
    condition(&mut table, "Ben", "steady", "for 5 rounds");
    let sheet = table.get_character(json!({"character": "Ben", "view": "full"}));
    assert_eq!(sheet["character"]["conditions"], json!(["steady (until day 1, 00:00:30)"]), "no fight counts them");
    let fighters = json!([{"name": "Ann"}, {"name": "Ben"}, {"name": "Fiend"}]);
    table.manage_combat(json!({"action": "start", "combatants": fighters})).is_fine();
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
    assert!(
        over.text("player_text").ends_with("1 minute and 18 seconds pass (the fight): it is day 1, 00:01:18."),
        "{}",
        over["player_text"]
    );
    table.record().is_sound();
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
        let told = advance(&mut table, words).refused("invalid_parameters")["summary"].to_string();
        assert!(told.contains("it is day 1, 02:00 in the game. Send time=\\\"10 minutes\\\""), "{words}: {told}");
    }
    let told = |answer: Answer, code: &str| answer.refused(code)["summary"].as_str().expect("a text").to_owned();
    let without = told(table.manage_session(json!({"action": "advance"})), "invalid_parameters");
    assert!(without.starts_with("advance needs time"), "{without}");
    let misplaced = json!({"action": "note", "text": "x", "time": "1 hour"});
    let misplaced = told(table.manage_session(misplaced), "invalid_parameters");
    assert!(misplaced.contains("time is of advance"), "{misplaced}");
    let made = json!({"action": "clock", "name": "game time", "segments": 6});
    let made = told(table.manage_session(made), "duplicate_name");
    assert!(made.contains("is what the game itself counts"), "{made}");
    let named = json!({"action": "clock", "name": "Game time", "tick": 6});
    let named = told(table.manage_session(named), "unknown_track");
    assert!(named.starts_with("No clock and no shared track is called"), "{named}");
    let fight = json!({"action": "start", "combatants": [{"name": "Ann"}, {"name": "Gaunt", "hp": 5, "hidden": true}]});
    table.manage_combat(fight).is_fine();
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
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((seed >> 33) % most).expect("a small number")
    };
    let words = |value: &Value| value.as_str().expect("a text").to_owned();
    for turn in 0..200 {
        if next(3) == 0 {
            let (many, unit, length) =
                (next(50) + 1, ["seconds", "minutes", "hours"][usize::try_from(next(3)).expect("one")], now);
            let seconds = many
                * match unit {
                    "seconds" => 1,
                    "minutes" => 60,
                    _ => 3600,
                };
            condition(&mut table, "Ann", &format!("spell {turn}"), &format!("for {many} {unit}"));
            lasting.push((format!("spell {turn} on Ann"), length + seconds));
        }
        let (hours, minutes, seconds) = (next(4), next(60), next(60) + 1);
        let reply = advance(&mut table, &format!("{hours} hours, {minutes} minutes and {seconds} seconds"));
        let then = now + hours * 3600 + minutes * 60 + seconds;
        torch = (torch + then / 600 - now / 600).min(6);
        below = (below + then / 3600 - now / 3600).min(8);
        supplies = (supplies - 2 * (then / 86_400 - now / 86_400)).max(0);
        now = then;
        let (over, on): (Vec<_>, Vec<_>) =
            std::mem::take(&mut lasting).into_iter().partition(|(_, until)| *until <= now);
        lasting = on;
        let mut over: Vec<String> = over.into_iter().map(|(name, _)| name).collect();
        let mut ended: Vec<String> = reply["time"]["ended"].as_array().expect("a list").iter().map(words).collect();
        over.sort();
        ended.sort();
        assert_eq!(ended, over);
        let (day, second) = (now / 86_400 + 1, now % 86_400);
        let clock = format!("day {day}, {:02}:{:02}", second / 3600, second / 60 % 60);
        let clock = if second % 60 == 0 { clock } else { format!("{clock}:{:02}", second % 60) };
        assert_eq!(reply["time"]["now"], clock);
        if turn % 20 == 19 {
            let status = table.manage_session(json!({"action": "status"}));
            let end = |full: bool, word: &str| if full { format!(", {word}") } else { String::new() };
            let clocks = json!([
                format!("Supplies {supplies}/10{}", end(supplies == 0, "empty")),
                format!("Torch {torch}/6{}", end(torch == 6, "full")),
                format!("The thing below {below}/8{} (hidden)", end(below == 8, "full")),
            ]);
            assert_eq!(status["clocks"], clocks);
            for (name, to) in [("Torch", 0), ("The thing below", 0), ("Supplies", 10)] {
                table.manage_session(with(json!({"action": "clock", "name": name, "value": to}), json!({})));
            }
            (torch, below, supplies) = (0, 0, 10);
        }
    }
    table.record().is_sound();
}
