//! What somebody holds (concentration, a stance) ends when they can no longer act, and damage reminds of the check.

use serde_json::{Value, json};

use crate::table::Table;

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
    let mut table = Table::of_rules(Some(rules));
    for name in ["Ann", "Bo"] {
        table.manage_character(json!({"action": "create", "name": name, "attributes": {"NRV": 10}})).is_fine();
    }
    table
        .manage_combat(json!({"action": "start", "combatants": [
            {"name": "Ann", "initiative": 20}, {"name": "Bo", "initiative": 15}, {"name": "Ghoul", "hp": 5, "initiative": 10},
        ]}))
        .is_fine();
    table
}

fn holds(table: &mut Table, by: &str, name: &str, on: &str) {
    let call = json!({"action": "add_effect", "name": name, "on": on, "combatant": by, "exclusive": "concentration"});
    table.manage_combat(call).is_fine();
}

fn conditions(table: &mut Table, name: &str) -> Value {
    table.get_character(json!({"character": name}))["character"]["conditions"].clone()
}

#[test]
fn whoever_becomes_unable_to_act_loses_what_it_holds_and_an_undo_brings_it_back() {
    let stuns = json!({"target": "Ann", "amount": 3, "apply_conditions": ["Stunned"]});
    let ways: [(&str, Value); 4] = [
        ("apply_damage", json!({"target": "Ann", "amount": 30})),
        ("apply_damage", stuns),
        ("manage_combat", json!({"action": "defeat", "combatant": "Ann"})),
        ("manage_combat", json!({"action": "add_effect", "name": "Stunned", "on": "Ann", "combatant": "Ghoul"})),
    ];
    for (tool, call) in ways {
        let mut table = scene(RULES);
        holds(&mut table, "Ann", "bless", "Bo");
        let before = conditions(&mut table, "Bo");
        let answer = table.call(tool, call.clone());
        let told = "bless on Bo ends: Ann can no longer hold it.";
        assert!(answer.text("summary").contains(told), "{call}: {}", answer.value());
        assert!(answer.text("player_text").contains(told), "{call}: {}", answer.value());
        assert_eq!(conditions(&mut table, "Bo"), json!([]), "{call}");
        table.manage_session(json!({"action": "undo"})).is_fine();
        assert_eq!(conditions(&mut table, "Bo"), before, "{call}");
        table.record().is_sound();
    }
}

#[test]
fn what_ends_is_what_the_one_holds_and_nothing_else() {
    let mut table = scene(RULES);
    holds(&mut table, "Ann", "bless", "Bo");
    holds(&mut table, "Bo", "shield", "Bo");
    table.manage_combat(json!({"action": "add_effect", "name": "curse", "on": "Bo", "combatant": "Ann"})).is_fine();
    let shaken = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Shaken"]}));
    assert!(!shaken.text("summary").contains("ends"), "one can act while shaken");
    table.apply_damage(json!({"target": "Ann", "amount": 30})).is_fine();
    let left = conditions(&mut table, "Bo").to_string();
    assert!(left.contains("shield") && left.contains("curse") && !left.contains("bless"), "{left}");
    table.record().is_sound();
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
        let call = format!("skill_check character=\"Ann\" attribute=\"Nerve\" difficulty={difficulty}");
        assert!(noted.contains(&call), "{noted}");
        assert!(noted.contains("remove_effect\" name=\"bless\" on=\"Bo\""), "{noted}");
    }
    table.dice([2]);
    let check = table.skill_check(json!({"character": "Ann", "attribute": "Nerve", "difficulty": 12}));
    check.is_fine();
    let ended = table.manage_combat(json!({"action": "remove_effect", "name": "bless", "on": "Bo"}));
    assert_eq!(ended["ended"], json!(["bless on Bo"]));
    for quiet in [json!({"target": "Ann", "amount": -5}), json!({"target": "Ann", "amount": 1, "track": "Luck"})] {
        holds(&mut table, "Ann", "bless", "Bo");
        assert_eq!(table.apply_damage(quiet.clone())["noted"], Value::Null, "{quiet}");
    }
}

#[test]
fn a_hidden_holder_is_not_named_to_players() {
    let mut table = scene(RULES);
    table
        .manage_combat(
            json!({"action": "add", "combatants": [{"name": "Lich", "hp": 5, "initiative": 5, "hidden": true}]}),
        )
        .is_fine();
    holds(&mut table, "Lich", "grip", "Bo");
    let dead = table.apply_damage(json!({"target": "Lich", "amount": 5}));
    assert!(dead.text("summary").contains("grip on Bo ends: Lich can no longer hold it."), "{}", dead.value());
    assert_eq!(dead["player_text"], "grip on Bo ends.");
    table.record().is_sound();
}

#[test]
fn leaving_the_fight_keeps_what_is_held_and_says_so_and_leaving_the_story_ends_it() {
    let mut table = scene(RULES);
    holds(&mut table, "Ann", "bless", "Bo");
    table.manage_combat(json!({"action": "hide", "combatant": "Ann"})).is_fine();
    table.manage_combat(json!({"action": "reveal", "combatant": "Ann"})).is_fine();
    let left = table.manage_combat(json!({"action": "remove", "combatant": "Ann"}));
    assert!(left["noted"].to_string().contains("Ann left and still holds bless on Bo"), "{}", left.value());
    assert!(conditions(&mut table, "Bo").to_string().contains("bless"));
    let gone = table.manage_character(json!({"action": "retire", "character": "Ann"}));
    assert!(gone.text("summary").contains("bless on Bo ends: Ann can no longer hold it."), "{}", gone.value());
    assert_eq!(conditions(&mut table, "Bo"), json!([]));
    table.record().is_sound();
}

#[test]
fn what_is_held_ends_outside_a_fight_too() {
    let mut table = scene(RULES);
    holds(&mut table, "Ann", "bless", "Bo");
    table.manage_combat(json!({"action": "end"})).is_fine();
    let down = table.apply_damage(json!({"target": "Ann", "amount": 30}));
    assert!(down.text("player_text").contains("bless on Bo ends: Ann can no longer hold it."), "{}", down.value());
    table.record().is_sound();
}

#[test]
fn damage_says_of_what_group_each_held_effect_is_where_they_differ() {
    let mut table = scene(RULES);
    holds(&mut table, "Ann", "bless", "Bo");
    let alone = table.apply_damage(json!({"target": "Ann", "amount": 4}));
    assert!(alone["noted"].to_string().contains("Ann holds bless on Bo and was hit"), "{}", alone.value());
    let stance =
        json!({"action": "add_effect", "name": "low guard", "on": "Ann", "combatant": "Ann", "exclusive": "stance"});
    table.manage_combat(stance).is_fine();
    let both = table.apply_damage(json!({"target": "Ann", "amount": 4}));
    let noted = both["noted"].to_string();
    assert!(noted.contains("low guard on Ann (stance)") && noted.contains("bless on Bo (concentration)"), "{noted}");
}

#[test]
fn what_somebody_keeps_who_leaves_the_fight_ends_by_the_call_that_is_named() {
    let mut table = scene(RULES);
    holds(&mut table, "Ann", "bless", "Bo");
    let left = table.manage_combat(json!({"action": "remove", "combatant": "Ann"}));
    let call = "manage_combat action=\\\"remove_effect\\\" name=\\\"bless\\\" on=\\\"Bo\\\"";
    assert!(left["noted"].to_string().contains(call), "{}", left["noted"]);
    table.manage_combat(json!({"action": "remove_effect", "name": "bless", "on": "Bo"})).is_fine();
    assert_eq!(conditions(&mut table, "Bo"), json!([]));
}

#[test]
fn whoever_cannot_act_begins_to_hold_nothing() {
    let unable: [(&str, Value); 3] = [
        ("apply_damage", json!({"target": "Ann", "amount": 30})),
        ("apply_damage", json!({"target": "Ann", "amount": 1, "apply_conditions": ["Stunned"]})),
        ("manage_combat", json!({"action": "defeat", "combatant": "Ann"})),
    ];
    for (tool, call) in unable {
        let mut table = scene(RULES);
        table.call(tool, call.clone()).is_fine();
        let bless = json!({"action": "add_effect", "name": "bless", "on": "Bo", "combatant": "Ann", "exclusive": "concentration"});
        let refused = table.manage_combat(bless);
        assert_eq!(
            refused.refused("cannot_act")["summary"].as_str().map(|text| text.starts_with("Ann cannot act")),
            Some(true)
        );
        // What the refusal says: another holder, or no holder at all.
        holds(&mut table, "Bo", "bless", "Bo");
        table.manage_combat(json!({"action": "add_effect", "name": "curse", "on": "Bo", "combatant": "Ann"})).is_fine();
    }
}
