//! Turns taken back over a round's edge, fights in which nobody acts, and what breaks ties.

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
        "Ann does not have \"Slow\". Bob has it: send on=\"Bob\". Nothing was rolled or changed.";
    assert_eq!(refused.refused("unknown_effect")["summary"], expected);
    let unnamed = table.manage_combat(json!({"action": "remove_effect"}));
    assert!(!unnamed.refusal_text("missing_value").contains("duration"));
}
