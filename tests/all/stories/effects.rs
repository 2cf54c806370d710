//! Effects in a fight: how long they last, what they do to checks, which exclude one another, and
//! what ends with who holds it.

use serde_json::{Value, json};

use crate::table::{Answer, Table, cases, each, has, text, with};

/// Effects in a fight: how long they last, whose turns count them, what they do to checks, and
/// which exclude one another.
fn fight(table: &mut Table) {
    table.start(json!([
        {"name": "Jory", "initiative": 20}, {"name": "Sabeth", "initiative": 15},
        {"name": "Rat", "hp": 5, "initiative": 10},
    ]));
}

fn next(table: &mut Table) -> Answer {
    table.manage_combat(json!({"action": "next_turn"}))
}

fn put(table: &mut Table, effect: Value) -> Answer {
    let call = with(json!({"action": "add_effect"}), effect);
    table.manage_combat(call)
}

fn conditions(answer: &Answer, name: &str) -> Value {
    let order = answer["order"].as_array().expect("an order");
    order
        .iter()
        .find(|place| place["name"] == name)
        .expect("in the fight")["conditions"]
        .clone()
}

#[test]
fn an_effect_ends_at_the_start_or_end_of_the_turn_that_counts_it() {
    let mut table = Table::with_party();
    fight(&mut table);
    let begun = put(
        &mut table,
        json!({"name": "Blessed", "on": "Sabeth", "duration": "for 2 rounds", "anchor": "Jory", "ends": "start"}),
    );
    assert_eq!(begun["began"], json!(["blessed on Sabeth"]));
    assert_eq!(
        begun["player_text"],
        "blessed on Sabeth begins, until the start of Jory's turn in round 3."
    );
    assert_eq!(conditions(&begun, "Sabeth"), json!(["blessed (2 rounds)"]));
    put(
        &mut table,
        json!({"name": "Slowed", "on": "Rat", "duration": "for 1 round"}),
    )
    .is_fine();
    assert_eq!(next(&mut table)["current"], "Sabeth");
    assert_eq!(next(&mut table)["current"], "Rat");
    let over = next(&mut table);
    assert_eq!(
        (&over["current"], &over["round"]),
        (&json!("Jory"), &json!(2))
    );
    assert_eq!(
        over["ended"],
        json!(["slowed on Rat"]),
        "at the end of the rat's turn"
    );
    assert_eq!(conditions(&over, "Sabeth"), json!(["blessed (1 round)"]));
    assert_eq!(
        over["player_text"],
        "slowed on Rat ends. Round 2: Jory's turn."
    );
    for _ in 0..2 {
        assert_eq!(next(&mut table)["ended"], Value::Null);
    }
    assert_eq!(
        next(&mut table)["ended"],
        json!(["blessed on Sabeth"]),
        "at the second start of Jory's turn"
    );

    let back = table.manage_combat(json!({"action": "previous_turn"}));
    assert_eq!(
        (&back["current"], &back["round"]),
        (&json!("Rat"), &json!(2))
    );
    assert_eq!(back["began"], json!(["blessed on Sabeth"]), "it lasts on");
    assert_eq!(
        back["player_text"],
        "Jory's turn is taken back. blessed on Sabeth lasts on."
    );
    assert_eq!(
        next(&mut table)["ended"],
        json!(["blessed on Sabeth"]),
        "and is counted once"
    );
}

const DAZE: &str = "\
# Daze

## Dice
Roll 1d20 + modifiers against a difficulty.

## Attributes
- Nerve (NRV): all there is
- Range: 1 to 20

## Health
- Hit points: max 10
- Death marks: 3 boxes, full: gain Dead
- Damage: Hit points
- At 0 Hit points: gain Dying

## Conditions
- Shaken: -2 on checks, for 2 turns
- Dazed: disadvantage on checks, until start of source's turn
- Winded: -1 on checks, until end of fight
- Numb: -1 on checks, until end of bearer's next turn

## Combat
- Initiative: none said here
";

fn ann_and_ghoul() -> Table {
    let mut table = Table::of_people(DAZE, &["Ann"], json!({"attributes": {"NRV": 10}}));
    let ghoul = json!({"name": "Ghoul", "hp": 9, "initiative": 1, "attributes": {"NRV": 10}});
    table.start(json!([{"name": "Ann", "initiative": 5}, ghoul]));
    table
}

#[test]
fn a_condition_of_the_rules_counts_in_checks_and_lasts_as_they_say() {
    let mut table = ann_and_ghoul();
    table
        .apply_damage(json!({"target": "Ghoul", "apply_conditions": ["Shaken"]}))
        .is_fine();
    let begun = put(&mut table, json!({"name": "dazed", "on": "Ghoul"}));
    assert_eq!(
        conditions(&begun, "Ghoul"),
        json!(["Dazed (1 turn)", "Shaken (2 turns)"]),
        "as the rules declare them"
    );
    next(&mut table).is_fine();
    let check = table
        .dice([15, 4])
        .skill_check(json!({"character": "Ghoul", "attribute": "NRV", "difficulty": 5}));
    assert_eq!(check["roll"]["total"], 2, "the lower die, and two less");
    let anns = next(&mut table);
    assert_eq!(
        anns["ended"],
        json!(["Dazed on Ghoul"]),
        "at the start of the turn of whoever caused it"
    );
    next(&mut table).is_fine();
    assert_eq!(next(&mut table)["ended"], json!(["Shaken on Ghoul"]));
    table
        .apply_damage(json!({"target": "Ann", "apply_conditions": ["Winded"]}))
        .is_fine();
    put(
        &mut table,
        json!({"name": "Warded", "on": "Ann", "duration": "for 9 rounds"}),
    )
    .is_fine();
    put(&mut table, json!({"name": "Marked", "on": "Ann"})).is_fine();
    let ended = table.manage_combat(json!({"action": "end"}));
    assert_eq!(
        ended["ended"],
        json!(["Winded on Ann", "warded on Ann"]),
        "not what nobody counts"
    );
}

#[test]
fn the_end_of_the_next_turn_is_not_the_end_of_this_one() {
    let mut table = ann_and_ghoul();
    for name in ["Ann", "Ghoul"] {
        table
            .apply_damage(json!({"target": name, "apply_conditions": ["Numb"]}))
            .is_fine();
    }
    assert_eq!(
        next(&mut table)["ended"],
        Value::Null,
        "Ann's own turn is not her next"
    );
    assert_eq!(next(&mut table)["ended"], json!(["Numb on Ghoul"]));
    assert_eq!(next(&mut table)["ended"], json!(["Numb on Ann"]));
}

#[test]
fn who_concentrates_does_so_on_one_thing() {
    let mut table = Table::with_party();
    fight(&mut table);
    for on in ["Jory", "Sabeth"] {
        put(&mut table, json!({"name": "bless", "on": on, "duration": "for 10 rounds", "exclusive": "concentration"}))
            .is_fine();
    }
    let other = put(
        &mut table,
        json!({"name": "web", "on": "Rat", "exclusive": "concentration", "combatant": "Sabeth"}),
    );
    assert_eq!(other["ended"], Value::Null, "somebody else's");
    let web = put(
        &mut table,
        json!({"name": "fog", "on": "Rat", "duration": "for 10 rounds", "exclusive": "Concentration"}),
    );
    assert_eq!(web["ended"], json!(["bless on Sabeth", "bless on Jory"]));
    let gone = table.manage_combat(json!({"action": "remove_effect", "name": "Fog"}));
    assert_eq!(gone["ended"], json!(["fog on Rat"]));
    table
        .manage_combat(json!({"action": "remove_effect", "name": "wep", "on": "Rat"}))
        .refused("unknown_effect");
    put(
        &mut table,
        json!({"name": "fog", "on": "Rat", "duration": "a while"}),
    )
    .refused("invalid_parameters");
    put(
        &mut table,
        json!({"name": "fog", "on": "Rat", "ends": "start"}),
    )
    .refused("invalid_parameters");
    put(&mut table, json!({"on": "Rat"})).refused("missing_value");
}

#[test]
fn a_round_without_a_turn_counts_rounds_and_not_turns() {
    let mut table = Table::with_party();
    fight(&mut table);
    put(
        &mut table,
        json!({"name": "fear", "on": "Jory", "duration": "for 2 rounds", "anchor": "Rat"}),
    )
    .is_fine();
    put(
        &mut table,
        json!({"name": "grip", "on": "Jory", "duration": "for 1 turn", "anchor": "Rat"}),
    )
    .is_fine();
    table
        .manage_combat(json!({"action": "defeat", "combatant": "Rat"}))
        .is_fine();
    next(&mut table).is_fine();
    let second = next(&mut table);
    assert_eq!(
        conditions(&second, "Jory"),
        json!(["fear (1 round)", "grip (1 turn)"])
    );
    next(&mut table).is_fine();
    assert_eq!(next(&mut table)["ended"], json!(["fear on Jory"]));
    let left = table.manage_combat(json!({"action": "remove", "combatant": "Rat"}));
    assert_eq!(
        left["ended"],
        json!(["grip on Jory"]),
        "nobody is left who counts it"
    );
}

#[test]
fn death_saves_are_a_track_like_any_other() {
    let mut table = ann_and_ghoul();
    let down = table.apply_damage(json!({"target": "Ann", "amount": 10}));
    assert_eq!(
        (&down["conditions"], &down["incapacitated"]),
        (&json!(["dying"]), &json!(true))
    );
    for mark in 1..=2 {
        let failed =
            table.apply_damage(json!({"target": "Ann", "track": "Death marks", "amount": 1}));
        assert_eq!(
            (&failed["tracks"][0]["after"], &failed["conditions"]),
            (&json!(mark), &json!(["dying"]))
        );
    }
    let third = table.apply_damage(json!({"target": "Ann", "track": "Death marks", "amount": 1}));
    assert_eq!(third["conditions"], json!(["dead", "dying"]));
}

#[test]
fn an_effect_is_put_on_several_and_ended_on_several_in_one_call() {
    let mut table = Table::with_party();
    fight(&mut table);
    let call = json!({"name": "bless", "on": ["Jory", "Sabeth"], "combatant": "Sabeth", "duration": "for 10 rounds", "exclusive": "concentration"});
    let begun = put(&mut table, call);
    assert_eq!(begun["began"], json!(["bless on Jory", "bless on Sabeth"]));
    let other = json!({"name": "haste", "on": "players", "combatant": "Sabeth", "exclusive": "concentration"});
    let other = put(&mut table, other);
    assert_eq!(
        other["ended"],
        json!(["bless on Sabeth", "bless on Jory"]),
        "each once"
    );
    table
        .manage_combat(json!({"action": "add_effect", "name": "soaked", "on": "Jory"}))
        .is_fine();
    let off =
        table.manage_combat(json!({"action": "remove_effect", "name": "soaked", "on": "party"}));
    assert_eq!(
        off["ended"],
        json!(["soaked on Jory"]),
        "of a side, on those who have it"
    );
    let off = table.manage_combat(
        json!({"action": "remove_effect", "name": "haste", "on": ["Sabeth", "Jory"]}),
    );
    assert_eq!(off["ended"].as_array().map(Vec::len), Some(2));
    let taken = table.manage_session(json!({"action": "undo"}));
    assert!(
        taken.is_fine()["summary"]
            .as_str()
            .unwrap()
            .contains("haste"),
        "{}",
        taken.value()
    );
}

#[test]
fn of_several_bearers_every_fault_is_reported_and_nothing_is_changed() {
    let mut table = Table::with_party();
    fight(&mut table);
    put(&mut table, json!({"name": "soaked", "on": "Rat"})).is_fine();
    let before = table.record().everything();
    for [tool, call, parts] in cases(json!([
        ["manage_combat", {"action": "add_effect", "name": "wet", "on": ["Jory", "Nobody", "Nobodi"]},
         ["\"Nobody\"", "\"Nobodi\""]],
        ["manage_combat", {"action": "remove_effect", "name": "soaked", "on": ["Jory", "Rat", "Sabeth"]},
         ["Jory does not", "Sabeth does not"]],
        ["manage_combat", {"action": "add_effect", "name": "wet", "on": []}, ["names nobody"]],
        ["manage_character", {"action": "add_condition", "condition": "prone", "on": ["Jory", "Nobody", "Nobodi"]},
         ["\"Nobody\"", "\"Nobodi\""]],
        ["manage_character", {"action": "remove_condition", "condition": "soaked", "on": ["Jory", "Rat", "Sabeth"]},
         ["Jory", "Sabeth"]],
        ["manage_character", {"action": "add_condition", "condition": "prone", "on": "Jory", "character": "Rat"},
         ["on alone"]],
        ["manage_character", {"action": "update", "on": "Jory", "character": "Rat"}, ["update does not take this: on"]],
    ])) {
        let refused = table.call(text(&tool), call.clone());
        assert!(refused.is_refused(), "{call}");
        has(
            refused.value()["summary"].as_str().unwrap(),
            &each(&parts).map(text).collect::<Vec<_>>(),
        );
    }
    assert_eq!(table.record().everything(), before);
}

#[test]
fn a_condition_is_put_on_several_and_taken_from_several_in_one_call() {
    let mut table = Table::with_party();
    let call = json!({"action": "add_condition", "condition": "soaked", "free": true, "on": ["Jory", "Sabeth"]});
    let put = table.manage_character(call);
    assert_eq!(put["character"], "Jory, Sabeth");
    let fields: Vec<&Value> = each(&put["changed"])
        .map(|change| &change["field"])
        .collect();
    assert_eq!(fields, ["Jory: condition", "Sabeth: condition"]);
    table
        .manage_character(
            json!({"action": "remove_condition", "condition": "soaked", "character": "Jory"}),
        )
        .is_fine();
    let off = table.manage_character(
        json!({"action": "remove_condition", "condition": "soaked", "on": "party"}),
    );
    assert_eq!(
        off["character"], "Sabeth",
        "of a side, from those who have it"
    );
}

/// What a character holds (concentration, a stance) ends when they can no longer act, and damage
/// reminds of the check.
const RULES: &str = "\
# Held

## Dice
Roll 1d20 + modifiers against a difficulty.

## Attributes
- Nerve (NRV): all there is
- Range: 1 to 20

## Health
- Hit points: max 30
- Luck: max 3
- Damage: Hit points
- At 0 Hit points: gain Dying

## Conditions
- Stunned: -2 on checks
- Shaken: -1 on checks

## Combat
- Held effects: ask Nerve against `max(10, floor({hit} / 2))`, end with Stunned
";

fn scene(rules: &str) -> Table {
    let mut table = Table::of_people(rules, &["Ann", "Bo"], json!({"attributes": {"NRV": 10}}));
    table.start(json!([
        {"name": "Ann", "initiative": 20}, {"name": "Bo", "initiative": 15},
        {"name": "Ghoul", "hp": 5, "initiative": 10},
    ]));
    table
}

fn holds(table: &mut Table, by: &str, name: &str, on: &str) {
    let call = json!({"action": "add_effect", "name": name, "on": on, "combatant": by, "exclusive": "concentration"});
    table.manage_combat(call).is_fine();
}

fn conditions_of(table: &mut Table, name: &str) -> Value {
    table.get_character(json!({"character": name}))["character"]["conditions"].clone()
}

#[test]
fn who_becomes_unable_to_act_loses_what_it_holds_and_an_undo_brings_it_back() {
    let stuns = json!({"target": "Ann", "amount": 3, "apply_conditions": ["Stunned"]});
    let ways: [(&str, Value); 4] = [
        ("apply_damage", json!({"target": "Ann", "amount": 30})),
        ("apply_damage", stuns),
        (
            "manage_combat",
            json!({"action": "defeat", "combatant": "Ann"}),
        ),
        (
            "manage_combat",
            json!({"action": "add_effect", "name": "Stunned", "on": "Ann", "combatant": "Ghoul"}),
        ),
    ];
    for (tool, call) in ways {
        let mut table = scene(RULES);
        holds(&mut table, "Ann", "bless", "Bo");
        let before = conditions_of(&mut table, "Bo");
        let answer = table.call(tool, call.clone());
        let text = "bless on Bo ends: Ann can no longer hold it.";
        assert!(
            answer.text("summary").contains(text),
            "{call}: {}",
            answer.value()
        );
        assert!(
            answer.text("player_text").contains(text),
            "{call}: {}",
            answer.value()
        );
        assert_eq!(conditions_of(&mut table, "Bo"), json!([]), "{call}");
        table.manage_session(json!({"action": "undo"})).is_fine();
        assert_eq!(conditions_of(&mut table, "Bo"), before, "{call}");
    }
}

#[test]
fn what_ends_is_what_the_one_holds_and_nothing_else() {
    let mut table = scene(RULES);
    holds(&mut table, "Ann", "bless", "Bo");
    holds(&mut table, "Bo", "shield", "Bo");
    table
        .manage_combat(
            json!({"action": "add_effect", "name": "curse", "on": "Bo", "combatant": "Ann"}),
        )
        .is_fine();
    let shaken = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Shaken"]}));
    assert!(
        !shaken.text("summary").contains("ends"),
        "one can act while shaken"
    );
    table
        .apply_damage(json!({"target": "Ann", "amount": 30}))
        .is_fine();
    let left = conditions_of(&mut table, "Bo").to_string();
    assert!(
        left.contains("shield") && left.contains("curse") && !left.contains("bless"),
        "{left}"
    );
}

#[test]
fn damage_to_a_holder_asks_for_the_check_of_the_rules_with_the_call_to_send() {
    let mut table = scene(RULES);
    let free = table.apply_damage(json!({"target": "Ann", "amount": 1}));
    assert_eq!(free["noted"], Value::Null, "nothing is held");
    holds(&mut table, "Ann", "bless", "Bo");
    for (amount, difficulty) in [(3, 10), (24, 12)] {
        let hit = table.apply_damage(json!({"target": "Ann", "amount": amount}));
        let noted = hit["noted"].to_string().replace('\\', "");
        let call =
            format!("skill_check character=\"Ann\" attribute=\"Nerve\" difficulty={difficulty}");
        assert!(noted.contains(&call), "{noted}");
        assert!(
            noted.contains("remove_effect\" name=\"bless\" on=\"Bo\""),
            "{noted}"
        );
    }
    table.dice([2]);
    let check =
        table.skill_check(json!({"character": "Ann", "attribute": "Nerve", "difficulty": 12}));
    check.is_fine();
    let ended =
        table.manage_combat(json!({"action": "remove_effect", "name": "bless", "on": "Bo"}));
    assert_eq!(ended["ended"], json!(["bless on Bo"]));
    for quiet in [
        json!({"target": "Ann", "amount": -5}),
        json!({"target": "Ann", "amount": 1, "track": "Luck"}),
    ] {
        holds(&mut table, "Ann", "bless", "Bo");
        assert_eq!(
            table.apply_damage(quiet.clone())["noted"],
            Value::Null,
            "{quiet}"
        );
    }
}

#[test]
fn a_hidden_holder_is_not_named_to_players() {
    let mut table = scene(RULES);
    let call = json!({"action": "add", "combatants": [{"name": "Lich", "hp": 5, "initiative": 5, "hidden": true}]});
    table.manage_combat(call).is_fine();
    holds(&mut table, "Lich", "grip", "Bo");
    let dead = table.apply_damage(json!({"target": "Lich", "amount": 5}));
    assert!(
        dead.text("summary")
            .contains("grip on Bo ends: Lich can no longer hold it."),
        "{}",
        dead.value()
    );
    assert_eq!(dead["player_text"], "grip on Bo ends.");
}

#[test]
fn leaving_the_fight_keeps_what_is_held_and_says_so_and_leaving_the_story_ends_it() {
    let mut table = scene(RULES);
    holds(&mut table, "Ann", "bless", "Bo");
    table
        .manage_combat(json!({"action": "hide", "combatant": "Ann"}))
        .is_fine();
    table
        .manage_combat(json!({"action": "reveal", "combatant": "Ann"}))
        .is_fine();
    let left = table.manage_combat(json!({"action": "remove", "combatant": "Ann"}));
    assert!(
        left["noted"]
            .to_string()
            .contains("Ann left and still holds bless on Bo"),
        "{}",
        left.value()
    );
    assert!(
        conditions_of(&mut table, "Bo")
            .to_string()
            .contains("bless")
    );
    let gone = table.manage_character(json!({"action": "retire", "character": "Ann"}));
    assert!(
        gone.text("summary")
            .contains("bless on Bo ends: Ann can no longer hold it."),
        "{}",
        gone.value()
    );
    assert_eq!(conditions_of(&mut table, "Bo"), json!([]));
}

#[test]
fn what_is_held_ends_outside_a_fight_too() {
    let mut table = scene(RULES);
    holds(&mut table, "Ann", "bless", "Bo");
    table.manage_combat(json!({"action": "end"})).is_fine();
    let down = table.apply_damage(json!({"target": "Ann", "amount": 30}));
    assert!(
        down.text("player_text")
            .contains("bless on Bo ends: Ann can no longer hold it."),
        "{}",
        down.value()
    );
}

#[test]
fn damage_says_of_what_group_each_held_effect_is_where_they_differ() {
    let mut table = scene(RULES);
    holds(&mut table, "Ann", "bless", "Bo");
    let alone = table.apply_damage(json!({"target": "Ann", "amount": 4}));
    assert!(
        alone["noted"]
            .to_string()
            .contains("Ann holds bless on Bo and was hit"),
        "{}",
        alone.value()
    );
    let stance = json!({"action": "add_effect", "name": "low guard", "on": "Ann", "combatant": "Ann", "exclusive": "stance"});
    table.manage_combat(stance).is_fine();
    let both = table.apply_damage(json!({"target": "Ann", "amount": 4}));
    let noted = both["noted"].to_string();
    assert!(
        noted.contains("low guard on Ann (stance)")
            && noted.contains("bless on Bo (concentration)"),
        "{noted}"
    );
}

#[test]
fn what_a_character_keeps_who_leaves_the_fight_ends_by_the_call_that_is_named() {
    let mut table = scene(RULES);
    holds(&mut table, "Ann", "bless", "Bo");
    let left = table.manage_combat(json!({"action": "remove", "combatant": "Ann"}));
    let call = "manage_combat action=\\\"remove_effect\\\" name=\\\"bless\\\" on=\\\"Bo\\\"";
    assert!(
        left["noted"].to_string().contains(call),
        "{}",
        left["noted"]
    );
    table
        .manage_combat(json!({"action": "remove_effect", "name": "bless", "on": "Bo"}))
        .is_fine();
    assert_eq!(conditions_of(&mut table, "Bo"), json!([]));
}

#[test]
fn who_cannot_act_begins_to_hold_nothing() {
    let unable: [(&str, Value); 3] = [
        ("apply_damage", json!({"target": "Ann", "amount": 30})),
        (
            "apply_damage",
            json!({"target": "Ann", "amount": 1, "apply_conditions": ["Stunned"]}),
        ),
        (
            "manage_combat",
            json!({"action": "defeat", "combatant": "Ann"}),
        ),
    ];
    for (tool, call) in unable {
        let mut table = scene(RULES);
        table.call(tool, call.clone()).is_fine();
        let bless = json!({"action": "add_effect", "name": "bless", "on": "Bo", "combatant": "Ann", "exclusive": "concentration"});
        let refused = table.manage_combat(bless);
        assert!(
            refused
                .refusal_text("cannot_act")
                .starts_with("Ann cannot act")
        );
        // What the refusal says: another holder, or no holder at all.
        holds(&mut table, "Bo", "bless", "Bo");
        table
            .manage_combat(
                json!({"action": "add_effect", "name": "curse", "on": "Bo", "combatant": "Ann"}),
            )
            .is_fine();
    }
}
