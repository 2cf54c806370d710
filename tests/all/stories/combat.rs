//! A whole fight: initiative, ties, turns, wounds on both sides, sides that act together, and two
//! hundred members.

use serde_json::{Value, json};

use crate::table::{Answer, Table, each};

/// "Sabeth 17 13/13" and so on, in the order they act.
fn order(answer: &Answer) -> Vec<String> {
    let places = answer["order"].as_array().expect("an order");
    places
        .iter()
        .map(|place| {
            format!(
                "{} {} {}",
                place["name"].as_str().expect("a name"),
                place["initiative"],
                place["health"].as_str().expect("health")
            )
        })
        .collect()
}

fn next(table: &mut Table) -> (Value, Value) {
    let turn = table.manage_combat(json!({"action": "next_turn"}));
    (turn["round"].clone(), turn["current"].clone())
}

/// Jory 14, Sabeth 12, wreckers 13 and 5, in a fight on the stairs.
fn on_the_stairs(table: &mut Table) -> Answer {
    let call = json!({"action": "start", "title": "On the stairs", "combatants": [
        {"name": "Sabeth"}, {"name": "Jory"},
        {"name": "Wrecker", "count": 2, "hp": 7, "attributes": {"STR": 12, "DEX": 12}},
    ]});
    table.dice([10, 13, 12, 4]).manage_combat(call)
}

#[test]
fn initiative_is_rolled_for_everybody_by_the_rules_and_logged() {
    let mut table = Table::with_party();
    let fight = on_the_stairs(&mut table);
    assert_eq!(
        order(&fight),
        [
            "Jory 14 14/14",
            "Wrecker 1 13 7/7",
            "Sabeth 12 13/13",
            "Wrecker 2 5 7/7"
        ]
    );
    assert_eq!(
        (&fight["status"], &fight["round"], &fight["current"]),
        (&json!("running"), &json!(1), &json!("Jory"))
    );
    assert_eq!(fight["rule"], "System.md:140");
    assert_eq!(
        fight["next"],
        Value::Null,
        "that the first one acts goes without saying"
    );
    let rolls = table
        .record()
        .rows("select requested_by, expression, total, purpose, visible from rolls order by seq");
    assert_eq!(
        rolls[0],
        json!({"requested_by": "Sabeth", "expression": "1d20 + 2", "total": 12, "purpose": "initiative", "visible": 1})
    );
    let expected = json!({"requested_by": "Wrecker 2", "expression": "1d20 + 1", "total": 5, "purpose": "initiative", "visible": 0});
    assert_eq!(rolls[3], expected);
    let seen = fight.text("player_text");
    assert!(
        seen.contains("Wrecker 1 enters the fight.") && !seen.contains("= 13"),
        "{seen}"
    );
}

#[test]
fn ties_go_to_the_higher_score_then_to_players_then_to_who_was_first() {
    let mut table = Table::with_party();
    let call = json!({"action": "start", "combatants": [
        {"name": "Rat", "hp": 1, "initiative": 9}, {"name": "Cat", "hp": 1, "initiative": 9},
        {"name": "Eel", "hp": 18, "initiative": 9, "attributes": {"DEX": 12}}, {"name": "Jory", "initiative": 9},
        {"name": "Sabeth", "initiative": 9}, {"name": "Lull", "hp": 15, "initiative": 10},
    ]});
    let tied = table.manage_combat(call);
    let names: Vec<String> = order(&tied)
        .iter()
        .map(|line| line.split(' ').next().expect("a name").to_owned())
        .collect();
    assert_eq!(names, ["Lull", "Sabeth", "Jory", "Eel", "Rat", "Cat"]);
}

#[test]
fn a_fight_from_its_first_turn_to_its_end_with_a_restart_in_between() {
    let mut table = Table::with_party();
    on_the_stairs(&mut table).is_fine();
    let hit = table
        .dice([12])
        .skill_check(json!({"character": "Jory", "skill": "Melee", "difficulty": 10}));
    assert_eq!(hit["outcome"], "success");
    let damage = table
        .dice([6])
        .roll_dice(json!({"expression": "1d12+2", "character": "Jory"}));
    let felled = table.apply_damage(json!({"target": "Wrecker 1", "roll": damage["log"]}));
    assert_eq!(
        (&felled["amount"], &felled["incapacitated"]),
        (&json!(8), &json!(true))
    );
    assert_eq!(
        next(&mut table),
        (json!(1), json!("Sabeth")),
        "the fallen are passed over"
    );
    assert_eq!(next(&mut table), (json!(1), json!("Wrecker 2")));
    let back = table
        .dice([15])
        .skill_check(json!({"character": "Wrecker 2", "skill": "Melee", "difficulty": 12}));
    assert_eq!(
        (&back["roll"]["visible"], &back["player_text"]),
        (&json!(false), &Value::Null)
    );
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 13}))
        .is_fine();

    let before = table
        .manage_combat(json!({"action": "status"}))
        .value()
        .clone();
    let state = table.record().everything();
    table.restart();
    let call = json!({"action": "status"});
    assert_eq!(
        table.manage_combat(call).value(),
        &before,
        "in mid-round, as if nothing had been"
    );
    assert_eq!(table.record().everything(), state);

    assert_eq!(next(&mut table), (json!(2), json!("Jory")));
    let up = table.apply_damage(json!({"target": "Sabeth", "amount": -3}));
    assert_eq!(up["conditions"], json!([]));
    assert_eq!(
        next(&mut table),
        (json!(2), json!("Sabeth")),
        "healed, so up again"
    );
    let won = table.apply_damage(json!({"target": "Wrecker 2", "amount": 7}));
    assert!(
        won.text("next").starts_with("All foes are down."),
        "{}",
        won["next"]
    );
    assert_eq!(
        table.manage_combat(json!({"action": "status"}))["status"],
        "running",
        "nothing ends a fight but end"
    );
    let ended = table.manage_combat(json!({"action": "end", "outcome": "the stairs are theirs"}));
    assert_eq!(
        (&ended["status"], &ended["current"]),
        (&json!("ended"), &Value::Null)
    );
    assert_eq!(
        ended.player_text(),
        "The fight ends: the stairs are theirs. Rising tide 0 to 1/12 (End of fight)."
    );
    table
        .manage_combat(json!({"action": "next_turn"}))
        .refused("no_combat");
}

#[test]
fn players_hear_foes_health_in_words() {
    let mut table = Table::with_party();
    on_the_stairs(&mut table).is_fine();
    table
        .apply_damage(json!({"target": "Wrecker 1", "amount": 4}))
        .is_fine();
    let status = table.manage_combat(json!({"action": "status"}));
    assert_eq!(
        status["player_text"],
        "Round 1, Jory's turn. Jory 14/14, Wrecker 1 bloodied, Sabeth 13/13, Wrecker 2 unhurt. Rising tide 0/12, Ward sluice 0/1, Basin sluice 0/1, Marsh sluice 0/1, Dog drawn 0/1."
    );
    let expected = "Round 1, Jory's turn. Jory 14/14, Wrecker 1 3/7, Sabeth 13/13, Wrecker 2 7/7. Rising tide 0/12, Ward sluice 0/1, Basin sluice 0/1, Marsh sluice 0/1, Wheel turns 0/2 (hidden), Ward tally 0/5 (hidden), Dog drawn 0/1.";
    assert_eq!(status["summary"], expected);
}

#[test]
fn names_are_numbered_and_numbers_are_never_given_twice() {
    let mut table = Table::with_party();
    let start = |table: &mut Table, combatants: Value| {
        let fight = table.manage_combat(json!({"action": "start", "combatants": combatants}));
        let names: Vec<String> = each(&fight["order"])
            .map(|place| place["name"].as_str().expect("a name").to_owned())
            .collect();
        names
    };
    let rat = |count: i64| json!({"name": "Rat", "count": count, "hp": 1, "initiative": 1});
    assert_eq!(
        start(&mut table, json!([rat(2), rat(1)])),
        ["Rat 1", "Rat 2", "Rat 3"]
    );
    for name in ["Rat 1", "Rat 2", "Rat 3"] {
        table
            .apply_damage(json!({"target": name, "amount": 1}))
            .is_fine();
    }
    table.manage_combat(json!({"action": "end"})).is_fine();
    let call = json!([rat(1), {"name": "Crab", "hp": 2, "initiative": 0}, {"name": "Crab", "hp": 2, "initiative": 0}]);
    assert_eq!(start(&mut table, call), ["Rat 4", "Crab 1", "Crab 2"]);
}

#[test]
fn a_second_start_and_a_fight_of_nobody_are_refused() {
    let mut table = Table::with_party();
    table
        .manage_combat(json!({"action": "start"}))
        .refused("invalid_parameters");
    let call = json!({"action": "start", "combatants": [{"name": "Jory"}, {"name": "jory"}]});
    table.manage_combat(call).refused("duplicate_name");
    table
        .manage_combat(json!({"action": "start", "combatants": [{"name": "Wrecker"}]}))
        .refused("missing_value");
    let call = json!({"action": "start", "combatants": [{"name": "Jory", "hp": 3}]});
    table.manage_combat(call).refused("invalid_parameters");
    assert_eq!(table.record().number("select count(*) from combats"), 0);
    assert_eq!(
        table.record().number("select count(*) from characters"),
        2,
        "no half-made foes are left"
    );
    on_the_stairs(&mut table).is_fine();
    table
        .manage_combat(json!({"action": "start", "combatants": [{"name": "Rat", "hp": 1}]}))
        .refused("combat_running");
}

#[test]
fn who_was_declared_dead_by_mistake_acts_again() {
    let mut table = Table::with_party();
    on_the_stairs(&mut table).is_fine();
    let dead = table.apply_damage(json!({"target": "Wrecker 1", "apply_conditions": ["dead"]}));
    assert_eq!(dead["conditions"], json!(["dead"]));
    table
        .apply_damage(json!({"target": "Wrecker 1", "remove_conditions": ["dead"]}))
        .is_fine();
    assert_eq!(
        next(&mut table),
        (json!(1), json!("Wrecker 1")),
        "with hit points left, nothing keeps him down"
    );
}

#[test]
fn when_everybody_is_down_nobody_acts() {
    let mut table = Table::with_party();
    table.start(
        json!([{"name": "Jory", "initiative": 2}, {"name": "Rat", "hp": 1, "initiative": 1}]),
    );
    table
        .apply_damage(json!({"target": "Jory", "amount": 14}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Rat", "amount": 1}))
        .is_fine();
    table
        .manage_combat(json!({"action": "next_turn"}))
        .refused("nobody_up");
    table.manage_combat(json!({"action": "end"})).is_fine();
}

#[test]
fn an_empty_lantern_puts_nobody_out_of_the_fight() {
    let mut table = Table::with_party();
    table
        .manage_character(
            json!({"action": "update", "character": "Jory", "tracks": {"Lantern oil": 6}}),
        )
        .is_fine();
    on_the_stairs(&mut table).is_fine();
    table
        .apply_damage(json!({"target": "Jory", "track": "Lantern oil", "amount": 6}))
        .is_fine();
    let status = table.manage_combat(json!({"action": "status"}));
    assert_eq!(
        (&status["order"][0]["name"], &status["order"][0]["defeated"]),
        (&json!("Jory"), &Value::Null)
    );
}

/// Whole sides that act together have one number, no matter for whom of them it is rolled.
fn table(initiative: &str) -> Table {
    let rules = format!(
        "# Any\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Health\n- Hit points: max 5\n- Damage: Hit points\n\n## Combat\n- Initiative: {initiative}\n\
         - Ties: players\n"
    );
    Table::of_people(&rules, &["Ann", "Bob"], json!({}))
}

fn combat(table: &mut Table, arguments: Value) -> Answer {
    table.manage_combat(arguments)
}

/// Everybody in the order, with their numbers.
fn order_of_sides(table: &mut Table) -> Vec<(String, Option<i64>)> {
    let status = combat(table, json!({"action": "status"}));
    let order = each(&status["order"]);
    order
        .map(|place| {
            (
                place["name"].as_str().expect("a name").to_owned(),
                place["initiative"].as_i64(),
            )
        })
        .collect()
}

fn places<const N: usize>(places: [(&str, i64); N]) -> Vec<(String, Option<i64>)> {
    places
        .into_iter()
        .map(|(name, number)| (name.to_owned(), Some(number)))
        .collect()
}

#[test]
fn what_is_rolled_or_said_for_one_is_so_for_its_side() {
    let mut table = table("per side `1d6`, highest first, each round");
    table
        .dice([4, 2])
        .start(json!([{"name": "Ann"}, {"name": "Bob"}, {"name": "Rat", "count": 2, "hp": 2}]));
    let call = combat(
        &mut table,
        json!({"action": "set_initiative", "combatants": [{"name": "Rat 2", "initiative": 5}]}),
    );
    assert_eq!(
        call["summary"],
        "Rat 2 stands at initiative 5. Rat 1 stands at initiative 5."
    );
    assert_eq!(
        order_of_sides(&mut table),
        places([("Rat 1", 5), ("Rat 2", 5), ("Ann", 4), ("Bob", 4)])
    );
    // One die for the side, though both are named.
    let both =
        json!({"action": "roll_initiative", "combatants": [{"name": "Bob"}, {"name": "Ann"}]});
    table.dice([6]).manage_combat(both).is_fine();
    assert_eq!(
        order_of_sides(&mut table),
        places([("Ann", 6), ("Bob", 6), ("Rat 1", 5), ("Rat 2", 5)])
    );
    // Who falls and is up again acts with its side.
    combat(
        &mut table,
        json!({"action": "defeat", "combatant": "Rat 1"}),
    )
    .is_fine();
    for _ in 0..2 {
        combat(&mut table, json!({"action": "next_turn"})).is_fine();
    }
    table
        .dice([1, 3])
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    assert_eq!(
        order_of_sides(&mut table),
        places([("Rat 1", 3), ("Rat 2", 3), ("Ann", 1), ("Bob", 1)])
    );
}

#[test]
fn who_changes_sides_acts_with_the_new_one() {
    let mut table = table("per side `1d6`, highest first, once per fight");
    table
        .dice([4, 4, 6])
        .start(json!([{"name": "Ann"}, {"name": "Rat", "hp": 2}, {"name": "Imp", "hp": 2, "side": "demons"}]));
    assert_eq!(
        order_of_sides(&mut table),
        places([("Imp", 6), ("Ann", 4), ("Rat", 4)])
    );
    combat(
        &mut table,
        json!({"action": "update", "combatants": [{"name": "Imp", "side": "players"}]}),
    )
    .is_fine();
    let expected = places([("Ann", 4), ("Imp", 4), ("Rat", 4)]);
    assert_eq!(
        order_of_sides(&mut table),
        expected,
        "by the players' number and tie"
    );
    assert_eq!(
        combat(&mut table, json!({"action": "status"}))["current"],
        "Imp",
        "nobody's turn moves"
    );
}

/// Two hundred in one fight, which is as many as there may be.
#[test]
fn two_hundred_fight_a_round() {
    let mut table = Table::with_party();
    let horde = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 30}, {"name": "Rat", "count": 199, "hp": 2, "initiative": 5}]});
    let fight = table.manage_combat(horde);
    let listed = |field: &str| fight[field].as_array().map(Vec::len);
    assert_eq!((listed("order"), listed("others")), (Some(6), Some(194)));
    assert!(
        fight.value().to_string().len() < 12_000,
        "{} bytes",
        fight.value().to_string().len()
    );
    assert!(
        fight.text("summary").chars().count() <= 2000,
        "{}",
        fight["summary"]
    );
    table.record().is_sound();
    table
        .apply_damage(json!({"target": "Rat 1", "amount": 2}))
        .is_fine();
    let turn = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!(
        (&turn["current"], &turn["round"]),
        (&json!("Rat 2"), &json!(1))
    );
    table.restart();
    for _ in 0..197 {
        table
            .manage_combat(json!({"action": "next_turn"}))
            .is_fine();
    }
    let turn = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!(
        (&turn["current"], &turn["round"]),
        (&json!("Jory"), &json!(2))
    );
    let many = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 1}, {"name": "Bat", "count": 200, "hp": 2, "initiative": 5}]});
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.manage_combat(many).refused("limit_exceeded");
}
