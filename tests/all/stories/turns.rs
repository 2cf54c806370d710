//! Turns taken back over a round's edge, fights in which nobody acts, what breaks ties, and several
//! turns in one call.

use serde_json::{Value, json};

use crate::table::{Answer, Table, each};

fn table(initiative: &str) -> Table {
    let rules = format!(
        "# Any\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Attributes\n- Dexterity (DEX)\n- Range: 1 to 20\n- Modifier: `floor(({{score}} - 10) / 2)`\n\n\
         ## Health\n- Hit points: max 5\n- Damage: Hit points\n\n## Conditions\n- Slow (1-4): -{{Slow}} on checks\n\n## Combat\n- Initiative: {initiative}\n"
    );
    Table::of_people(&rules, &["Ann", "Bob"], json!({"attributes": {"DEX": 10}}))
}

/// Ann 9, Bob 7, Rat 5.
fn three(table: &mut Table) {
    table.start(json!([
        {"name": "Ann", "initiative": 9}, {"name": "Bob", "initiative": 7}, {"name": "Rat", "hp": 2, "initiative": 5},
    ]));
}

fn act(table: &mut Table, action: &str, who: &str) -> Answer {
    table.manage_combat(json!({"action": action, "combatant": who}))
}

fn go(table: &mut Table, action: &str) -> Answer {
    table.manage_combat(json!({"action": action}))
}

fn turn(answer: &Answer) -> (Value, Value) {
    answer.is_fine();
    (answer["round"].clone(), answer["current"].clone())
}

fn names(answer: &Answer) -> Vec<&str> {
    each(&answer["order"])
        .filter_map(|place| place["name"].as_str())
        .collect()
}

#[test]
fn back_over_a_rounds_edge_nobody_waits_for_a_round_that_has_not_begun() {
    let mut table = table("`1d20`, highest first, once per fight");
    three(&mut table);
    for _ in 0..3 {
        go(&mut table, "next_turn").is_fine();
    }
    // Round 2, Ann's turn: Bob waits, and an Ogre comes who would act from round 3 on.
    act(&mut table, "delay", "Bob").is_fine();
    let call =
        json!({"action": "add", "combatants": [{"name": "Ogre", "hp": 9, "initiative": 20}]});
    table.manage_combat(call).is_fine();
    assert_eq!(
        turn(&go(&mut table, "previous_turn")),
        (json!(1), json!("Rat"))
    );
    let status = go(&mut table, "status");
    assert!(
        each(&status["order"]).all(|place| place["waits"].is_null()),
        "{}",
        status["order"]
    );
    for who in ["Ogre", "Ann", "Bob", "Rat"] {
        assert_eq!(turn(&go(&mut table, "next_turn")), (json!(2), json!(who)));
    }
}

#[test]
fn who_was_called_back_and_acts_again_waits_for_nothing() {
    let mut table = table("`1d20`, highest first, once per fight");
    three(&mut table);
    go(&mut table, "delay").is_fine();
    go(&mut table, "return").is_fine();
    assert_eq!(
        turn(&go(&mut table, "previous_turn")),
        (json!(1), json!("Ann"))
    );
    assert_eq!(
        turn(&go(&mut table, "next_turn")),
        (json!(1), json!("Bob")),
        "not Ann again"
    );
}

#[test]
fn a_turn_taken_back_leaves_what_was_noted_since_and_names_the_dice() {
    let mut table = table("`1d20`, highest first, each round");
    three(&mut table);
    for _ in 0..2 {
        go(&mut table, "next_turn").is_fine();
    }
    assert_eq!(
        turn(
            &table
                .dice([3, 12, 4])
                .manage_combat(json!({"action": "next_turn"}))
        ),
        (json!(2), json!("Bob"))
    );
    let call =
        json!({"action": "set_initiative", "combatants": [{"name": "Ann", "initiative": 15}]});
    table.manage_combat(call).is_fine();
    let back = go(&mut table, "previous_turn");
    assert_eq!(turn(&back), (json!(1), json!("Rat")));
    let numbers: Vec<&Value> = each(&back["order"])
        .map(|place| &place["initiative"])
        .collect();
    assert_eq!(
        numbers,
        [5, 15, 7],
        "Rat's and Bob's as they were; Ann's was said since"
    );
    let number = back.number("log");
    let text = format!(
        "The initiative of round 2 is taken back, too, and next_turn rolls anew. To go on with the numbers that fell, send \
         manage_session action=\"undo\" entry={number}."
    );
    assert!(
        back.value()
            .to_string()
            .contains(&text.replace('"', "\\\"")),
        "{}",
        back.value()
    );
    table
        .manage_session(json!({"action": "undo", "entry": number}))
        .is_fine();
    assert_eq!(turn(&go(&mut table, "status")), (json!(2), json!("Bob")));
}

#[test]
fn where_nobody_acts_it_is_reported_and_what_to_send() {
    let mut table = table("`1d20`, highest first, once per fight");
    three(&mut table);
    let first = go(&mut table, "previous_turn");
    assert!(
        first
            .refusal_text("no_previous_turn")
            .starts_with("No turn stands before this one.")
    );
    for who in ["Ann", "Bob", "Rat"] {
        act(&mut table, "defeat", who).is_fine();
    }
    let halted = act(&mut table, "remove", "Ann");
    assert!(
        halted.text("next").starts_with("Everybody is down"),
        "{}",
        halted["next"]
    );
    let nobody = go(&mut table, "previous_turn");
    assert!(
        nobody
            .refusal_text("no_previous_turn")
            .starts_with("It is nobody's turn.")
    );
    let revived = act(&mut table, "revive", "Bob");
    assert_eq!(
        revived["next"],
        "manage_combat action=\"next_turn\" begins a turn."
    );
    let status = go(&mut table, "status");
    assert!(
        status
            .text("summary")
            .starts_with("Round 1, and it is nobody's turn yet. Bob"),
        "{}",
        status["summary"]
    );
    assert_eq!(turn(&go(&mut table, "next_turn")), (json!(1), json!("Bob")));
    for who in ["Rat", "Bob"] {
        act(&mut table, "remove", who).is_fine();
    }
    let empty = go(&mut table, "status");
    assert_eq!(empty["summary"], "Round 1, and nobody is in the fight.");
    empty.starts(
        "next",
        "Nobody is in the fight: manage_combat action=\"add\"",
    );
    let refused = go(&mut table, "next_turn");
    assert!(
        refused
            .refusal_text("nobody_up")
            .starts_with("Nobody is in the fight.")
    );
}

#[test]
fn who_left_is_named_where_their_turn_cannot_come_back() {
    let mut table = table("`1d20`, highest first, once per fight");
    three(&mut table);
    let left = act(&mut table, "remove", "Ann");
    let refused = go(&mut table, "previous_turn");
    let expected = "Ann, whose turn was before this one, has left the fight. Bring them back with manage_session action=\"undo\" and the \
     entry of their leaving. Nothing was rolled or changed.";
    assert_eq!(refused.refused("no_previous_turn")["summary"], expected);
    let entry = left.number("log");
    table
        .manage_session(json!({"action": "undo", "entry": entry}))
        .is_fine();
    assert_eq!(turn(&go(&mut table, "status")), (json!(1), json!("Ann")));
}

#[test]
fn a_hidden_one_who_left_does_not_come_back_with_their_turn() {
    let mut table = table("`1d20`, highest first, once per fight");
    three(&mut table);
    go(&mut table, "next_turn").is_fine();
    assert_eq!(turn(&go(&mut table, "next_turn")), (json!(1), json!("Rat")));
    act(&mut table, "hide", "Rat").is_fine();
    let bless =
        json!({"action": "add_effect", "name": "bless", "on": "Rat", "duration": "for 1 turn"});
    table.manage_combat(bless).is_fine();
    act(&mut table, "remove", "Rat").is_fine();
    go(&mut table, "previous_turn").refused("no_previous_turn");
    assert_eq!(turn(&go(&mut table, "status")), (json!(2), json!("Ann")));
}

#[test]
fn a_score_counts_in_the_tie_as_it_counts_in_the_number() {
    let mut table = table("`{DEX}`, highest first\n- Ties: higher DEX");
    table
        .manage_combat(
            json!({"action": "create", "combatants": [{"name": "Ann"}, {"name": "Bob"}]}),
        )
        .is_fine();
    // Both add 0: the score decides, and it is another when the fight begins than when it was
    // prepared.
    let better = json!({"action": "update", "character": "Bob", "attributes": {"DEX": 11}});
    table.manage_character(better).is_fine();
    assert_eq!(names(&go(&mut table, "start")), ["Bob", "Ann"]);
}

#[test]
fn a_score_that_damage_took_breaks_no_tie_any_more() {
    let far = "# Far\n\n## Attributes\n- Endurance (END)\n- Dexterity (DEX)\n- Range: 0 to 15\n- Modifier: `floor({score} / 5)`\n\n\
        ## Checks\n\n### Task\n- Roll: `2d6 + {DEX}`\n- Target: `8`\n\n## Health\n- Damage: Endurance, Dexterity\n\
        - When {END score} 0 and {DEX score} 0: gain Dead\n\n## Combat\n- Initiative: {DEX}, highest first\n- Ties: higher DEX\n";
    let mut table = Table::of_rules(Some(far));
    for (name, score) in [("Ann", 9), ("Bob", 8)] {
        let scores = json!({"END": 2, "DEX": score});
        table
            .manage_character(json!({"action": "create", "name": name, "attributes": scores}))
            .is_fine();
    }
    table
        .apply_damage(json!({"target": "Ann", "amount": 4}))
        .is_fine();
    let begun = table.manage_combat(
        json!({"action": "start", "combatants": [{"name": "Ann"}, {"name": "Bob"}]}),
    );
    assert_eq!(
        names(&begun),
        ["Bob", "Ann"],
        "7 of 9 and 8 add the same, and 8 is more"
    );
}

#[test]
fn an_effect_put_on_anew_keeps_its_level_and_one_of_another_is_found() {
    let mut table = table("`1d20`, highest first, once per fight");
    three(&mut table);
    table
        .apply_damage(json!({"target": "Bob", "apply_conditions": ["Slow 3"]}))
        .is_fine();
    let anew =
        json!({"action": "add_effect", "name": "Slow", "on": "Bob", "duration": "for 2 rounds"});
    table.manage_combat(anew).is_fine();
    let status = go(&mut table, "status");
    let bob = each(&status["order"])
        .find(|place| place["name"] == "Bob")
        .expect("Bob");
    assert_eq!(bob["conditions"], json!(["Slow 3 (2 rounds)"]));
    let refused =
        table.manage_combat(json!({"action": "remove_effect", "name": "Slow", "on": "Ann"}));
    let expected =
        "Ann does not have \"Slow\". Bob has it. Send on=\"Bob\". Nothing was rolled or changed.";
    assert_eq!(refused.refused("unknown_effect")["summary"], expected);
    let unnamed = table.manage_combat(json!({"action": "remove_effect"}));
    assert!(!unnamed.refusal_text("missing_value").contains("duration"));
}

/// Jory 20, Wrecker 1 to 3, Sabeth.
fn brawl() -> Table {
    let mut table = Table::with_party();
    let wrecker =
        |nth: i64| json!({"name": format!("Wrecker {nth}"), "hp": 5, "initiative": 20 - nth});
    table.start(json!([
        {"name": "Jory", "initiative": 20}, wrecker(1), wrecker(2), wrecker(3), {"name": "Sabeth", "initiative": 5},
    ]));
    table
}

fn strike(who: &str, target: &str) -> Value {
    json!({"character": who, "skill": "Melee", "target": target, "damage": "1d6"})
}

fn current(table: &mut Table) -> String {
    go(table, "status").text("current").to_owned()
}

#[test]
fn several_turns_are_taken_in_one_call_and_undone_one_by_one() {
    let mut table = brawl();
    let health = |table: &mut Table| {
        let status = go(table, "status");
        let all = each(&status["order"]).map(|place| place["health"].to_string());
        all.collect::<Vec<String>>()
    };
    let before = health(&mut table);
    let turns = json!([
        strike("Jory", "Wrecker 1"),
        strike("Wrecker 1", "Jory"),
        strike("Wrecker 2", "Sabeth")
    ]);
    let taken = table
        .dice([19, 2, 19, 3, 1])
        .skill_check(json!({"turns": turns, "request_id": "all three"}));
    assert_eq!(turn(&taken), (json!(1), json!("Wrecker 3")));
    assert_eq!(taken["left"], Value::Null);
    let lines: Vec<&str> = taken.text("summary").lines().collect();
    assert!(
        taken.text("summary").matches(" is up.").count() == 1
            && taken.player_text().matches("'s turn.").count() <= 1,
        "whose turn it is now, once: {}",
        taken.value()
    );
    assert!(
        matches!(lines[..], [first, second, third] if first.starts_with("Jory hits Wrecker 1 ")
            && second.starts_with("Wrecker 1 hits Jory ") && third.ends_with("Wrecker 3 is up.")),
        "{lines:?}"
    );
    let outcome = |nth: usize| taken["turns"][nth]["outcome"].clone();
    assert_eq!(
        [outcome(0), outcome(1), outcome(2)],
        ["success", "success", "failure"]
    );
    let again = table.skill_check(json!({"turns": turns, "request_id": "all three"}));
    assert_eq!(
        (&again["replayed"], &again["summary"]),
        (&json!(true), &taken["summary"])
    );
    for who in ["Wrecker 2", "Wrecker 1", "Jory"] {
        table.manage_session(json!({"action": "undo"})).is_fine();
        assert_eq!(current(&mut table), who);
    }
    assert_eq!(health(&mut table), before);
}

#[test]
fn turns_stop_before_what_needs_a_decision_and_the_rest_can_be_sent_as_it_is() {
    let mut table = brawl();
    let after = [strike("Sabeth", "Wrecker 3"), strike("Jory", "Wrecker 2")];
    let rest = [
        strike("Wrecker 2", "Wrecker 1"),
        after[0].clone(),
        after[1].clone(),
    ];
    let turns = json!([strike("Jory", "Wrecker 1"), rest[0], rest[1], rest[2]]);
    // Wrecker 1 falls and is passed over, and nobody strikes the fallen unasked.
    let taken = table.dice([19, 6]).skill_check(json!({"turns": turns}));
    assert_eq!(
        (turn(&taken).1, &taken["left"]),
        (json!("Wrecker 2"), &json!(rest))
    );
    taken.has("next", &["3 left: Wrecker 1 is down"]);
    assert!(
        !taken.text("summary").contains("left"),
        "{}",
        taken.text("summary")
    );
    let refused = table.skill_check(json!({"turns": taken["left"]}));
    refused.refused_with("target_down", &["Wrecker 1 is down"]);
    // One whose turn is not next.
    let turns = json!([strike("Wrecker 2", "Jory"), after[0], after[1]]);
    let taken = table.dice([1]).skill_check(json!({"turns": turns}));
    assert_eq!(
        (turn(&taken).1, &taken["left"]),
        (json!("Wrecker 3"), &json!(after))
    );
    taken.has("next", &["2 left: It is Wrecker 3's turn, not Sabeth's"]);
    table
        .skill_check(json!({"turns": taken["left"]}))
        .refused("not_their_turn");
    go(&mut table, "next_turn").is_fine();
    // A readied action.
    let readied =
        json!({"action": "ready", "combatant": "Wrecker 3", "trigger": "Jory comes near"});
    table.manage_combat(readied).is_fine();
    let taken = table.dice([1]).skill_check(json!({"turns": taken["left"]}));
    assert_eq!(
        (turn(&taken).1, &taken["left"]),
        (json!("Jory"), &json!([after[1]]))
    );
    taken.has(
        "next",
        &[
            "1 left: Wrecker 3 has readied an action for \"Jory comes near\"",
            "action=\"return\" combatant=\"Wrecker 3\"",
        ],
    );
    act(&mut table, "return", "Wrecker 3").is_fine();
    let taken = table.dice([1]).skill_check(json!({"turns": taken["left"]}));
    assert_eq!(
        (turn(&taken).1, &taken["left"]),
        (json!("Wrecker 2"), &Value::Null)
    );
}

#[test]
fn of_a_turn_that_is_refused_after_its_dice_nothing_is_left() {
    let mut table = brawl();
    let entered = |mut turn: Value, dice: Value| {
        turn["entered"] = dice;
        turn
    };
    let bad = entered(strike("Wrecker 1", "Jory"), json!([19, 3, 6]));
    let turns = json!([entered(strike("Jory", "Wrecker 1"), json!([2])), bad]);
    let before = table.record().length();
    let taken = table.skill_check(json!({"turns": turns}));
    assert_eq!(
        (turn(&taken).1, &taken["left"]),
        (json!("Wrecker 1"), &json!([bad]))
    );
    assert_eq!(table.record().length() - before, 2, "a check and a turn");
    table
        .skill_check(json!({"turns": [bad]}))
        .refused("invalid_parameters");
    assert_eq!(table.record().length() - before, 2);
}

#[test]
fn turns_are_whole_calls_of_their_own() {
    let mut table = brawl();
    let refused = |table: &mut Table, call: Value, words: &str| {
        let answer = table.skill_check(call);
        assert!(
            answer.refusal_text("invalid_parameters").contains(words),
            "{}",
            answer.value()
        );
    };
    let one = strike("Jory", "Wrecker 1");
    refused(
        &mut table,
        json!({"turns": [one], "character": "Jory"}),
        "Put character into those",
    );
    refused(
        &mut table,
        json!({"turns": []}),
        "turns is empty, and it takes 1 to 12",
    );
    refused(
        &mut table,
        json!({"turns": vec![&one; 13]}),
        "turns: 13 items (valid: at most 12 items)",
    );
    refused(
        &mut table,
        json!({"turns": [{"again": "last"}]}),
        "turns[0]: again follows a roll",
    );
    for name in ["campaign", "request_id", "turns", "wepon"] {
        refused(
            &mut table,
            json!({"turns": [{"character": "Jory", name: []}]}),
            &format!("turns[0].{name}: no such parameter"),
        );
    }
    let words = json!({"attacker": "Jory", "skill": "Melee", "target": ["Wrecker 1"], "damage": "1d6", "modifier": "2"});
    let taken = table
        .dice([1])
        .skill_check(json!({"turns": [words, {"character": "Jory"}]}));
    let left = json!([{"character": "Jory"}]);
    assert_eq!(
        (turn(&taken).1, &taken["left"]),
        (json!("Wrecker 1"), &left)
    );
    // Two attacks in one turn.
    let mut first = strike("Wrecker 1", "Jory");
    first["end_turn"] = json!(false);
    let taken = table
        .dice([1, 1])
        .skill_check(json!({"turns": [first, strike("Wrecker 1", "Sabeth")]}));
    assert_eq!(
        (turn(&taken).1, &taken["left"]),
        (json!("Wrecker 2"), &Value::Null)
    );
    let mut table = self::table("none");
    let refused = table.skill_check(json!({"turns": [one]}));
    refused.refused("no_combat");
}

#[test]
fn each_round_rolls_for_all_turns_of_a_combatant() {
    let mut table = table("`1d20`, highest first, each round");
    table.start(json!([{"name": "Ann", "initiative": 20}, {"name": "Dragon", "hp": 9, "initiatives": [18, 5]}]));
    go(&mut table, "next_turn").is_fine();
    go(&mut table, "next_turn").is_fine();
    let round = table
        .dice([11, 3, 16])
        .manage_combat(json!({"action": "next_turn"}));
    assert_eq!(turn(&round), (json!(2), json!("Dragon")));
    for who in ["Ann", "Dragon"] {
        assert_eq!(turn(&go(&mut table, "next_turn")), (json!(2), json!(who)));
    }
    table.record().is_sound();
}

#[test]
fn one_combatant_has_two_turns_in_each_round_and_one_set_of_hit_points() {
    let mut table = table("`1d20`, highest first, once per fight");
    table.start(json!([
        {"name": "Ann", "initiative": 20}, {"name": "Dragon", "hp": 9, "initiative": 18},
        {"name": "Bob", "initiative": 10},
    ]));
    let again = json!([{"name": "Dragon", "initiative": 5}]);
    let refused = table.manage_combat(json!({"action": "add", "combatants": again}));
    let advice = "manage_combat action=\"set_initiative\" combatants=[{\"name\": \"Dragon\", \"initiatives\": [18, 5]}]";
    refused.refused_with("duplicate_name", &[advice]);
    let turns = json!([{"name": "Dragon", "initiatives": [5, 18]}]);
    let set = table.manage_combat(json!({"action": "set_initiative", "combatants": turns}));
    assert_eq!(set["summary"], "Dragon acts at 18 and at 5 in each round.");
    assert_eq!(set["player_text"], json!(null), "its numbers are the GM's");
    let slow =
        json!({"action": "add_effect", "name": "dulled", "on": "Dragon", "duration": "2 rounds"});
    let slow = table.manage_combat(slow);
    assert_eq!(
        slow["summary"],
        "dulled on Dragon begins, until the end of Dragon's turn in round 2."
    );
    let status = go(&mut table, "status");
    let order = each(&status["order"]);
    let order: Vec<Value> = order
        .map(|it| json!([it["name"], it["initiative"]]))
        .collect();
    let both = json!([["Ann", 20], ["Dragon", 18], ["Bob", 10], ["Dragon", 5]]);
    assert_eq!(json!(order), both);
    let all = [
        ("Dragon", 1),
        ("Bob", 1),
        ("Dragon", 1),
        ("Ann", 2),
        ("Dragon", 2),
    ];
    for (who, round) in all {
        let passed = go(&mut table, "next_turn");
        assert_eq!(turn(&passed), (json!(round), json!(who)));
        assert_eq!(
            passed["ended"],
            json!(null),
            "rounds are counted, not turns"
        );
    }
    assert_eq!(
        go(&mut table, "next_turn")["ended"],
        json!(["dulled on Dragon"])
    );
    assert_eq!(
        turn(&go(&mut table, "next_turn")),
        (json!(2), json!("Dragon"))
    );
    assert_eq!(
        turn(&go(&mut table, "previous_turn")),
        (json!(2), json!("Bob"))
    );
    assert_eq!(
        turn(&go(&mut table, "next_turn")),
        (json!(2), json!("Dragon"))
    );
    go(&mut table, "delay").refused("cannot_delay");
    act(&mut table, "defeat", "Dragon").is_fine();
    for (who, round) in [("Ann", 3), ("Bob", 3)] {
        assert_eq!(
            turn(&go(&mut table, "next_turn")),
            (json!(round), json!(who))
        );
    }
    for wrong in [
        json!([18, 5_000_000_000_000_000_000_i64]),
        json!([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    ] {
        let turns = json!([{"name": "Dragon", "initiatives": wrong}]);
        table
            .manage_combat(json!({"action": "set_initiative", "combatants": turns}))
            .refused("limit_exceeded");
    }
}
