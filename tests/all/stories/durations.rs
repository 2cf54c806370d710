//! Durations of calls: whose turns count, when they end in full, and what needs no fight.

use serde_json::{Value, json};

use crate::table::{Answer, Table, with};

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
    table.manage_combat(with(json!({"action": "add_effect"}), effect))
}

#[test]
fn a_duration_names_anybody_and_the_answer_says_when_it_ends() {
    let mut table = Table::with_party();
    fight(&mut table);
    for (duration, ends) in [
        ("1 round", "until the end of Jory's turn in round 2"),
        ("for 1 turn", "until the end of Jory's turn in round 1"),
        (
            "until the end of Sabeth's turn",
            "until the end of Sabeth's turn in round 1",
        ),
        (
            "until start of rat's next turn",
            "until the start of Rat's turn in round 1",
        ),
        (
            "until the end of Jory’s next turn",
            "until the end of Jory's turn in round 2",
        ),
        ("1 hour", "until day 1, 01:00"),
        ("until the end of the fight", "until end of fight"),
    ] {
        let begun = put(
            &mut table,
            json!({"name": "haste", "on": "Jory", "duration": duration}),
        );
        assert_eq!(
            begun["summary"],
            format!("haste on Jory begins, {ends}."),
            "{duration}"
        );
    }
    put(
        &mut table,
        json!({"name": "slow", "on": "Jory", "duration": "until the end of Sabeth's turn"}),
    )
    .is_fine();
    put(
        &mut table,
        json!({"name": "swift", "on": "Jory", "duration": "1 round"}),
    )
    .is_fine();
    assert_eq!(next(&mut table)["ended"], Value::Null);
    assert_eq!(next(&mut table)["ended"], json!(["slow on Jory"]));
    assert_eq!(next(&mut table)["ended"], Value::Null);
    assert_eq!(next(&mut table)["ended"], json!(["swift on Jory"]));
}

#[test]
fn a_duration_that_means_nobody_or_two_or_nothing_is_refused_and_nothing_is_changed() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Jory", "initiative": 20}, {"name": "Goblin", "count": 2, "hp": 5, "initiative": 10}]));
    let before = table.record().everything();
    for (duration, code, parts) in [
        (
            "until the end of Goblin's turn",
            "ambiguous_name",
            "Goblin 1, Goblin 2. Send duration=\"until end of Goblin 1's turn\"",
        ),
        (
            "until start of Mara's next turn",
            "unknown_combatant",
            "Send duration=\"until start of Jory's next turn\"",
        ),
        ("0 rounds", "invalid_parameters", "number up to 10000"),
        (
            "99999999999999999999 rounds",
            "invalid_parameters",
            "number up to 10000",
        ),
    ] {
        let refused = put(
            &mut table,
            json!({"name": "slow", "on": "Jory", "duration": duration}),
        );
        assert!(
            refused.refusal_text(code).contains(parts),
            "{}",
            refused.value()
        );
    }
    let both = json!({"name": "slow", "on": "Jory", "duration": "until the end of Jory's turn", "anchor": "Goblin 1"});
    put(&mut table, both).refused("invalid_parameters");
    assert_eq!(table.record().everything(), before);
}

#[test]
fn what_lasts_longer_than_a_fight_needs_none() {
    let mut table = Table::with_party();
    let lit = put(
        &mut table,
        json!({"name": "light", "on": "Jory", "duration": "10 minutes", "combatant": "Sabeth"}),
    );
    assert_eq!(lit["summary"], "light on Jory begins, until day 1, 00:10.");
    put(
        &mut table,
        json!({"name": "fly", "on": "Jory", "duration": "2 turns"}),
    )
    .refused("no_turns");
    put(
        &mut table,
        json!({"name": "fly", "on": "Jory", "duration": "until end of Sabeth's turn"}),
    )
    .refused("no_turns");
    fight(&mut table);
    let rest = table.manage_session(json!({"action": "advance", "time": "8 hours"}));
    rest.refused_with("combat_running", &["manage_combat action=\"end\""]);
    let end = json!({"action": "end", "outcome": "won"});
    assert_eq!(
        table.manage_combat(end)["ended"],
        Value::Null,
        "it outlasts the fight"
    );
    let off =
        table.manage_combat(json!({"action": "remove_effect", "name": "light", "on": "Jory"}));
    assert_eq!(off["summary"], "light on Jory ends.");
}

#[test]
fn the_dead_are_brought_back_as_the_refusal_says() {
    let mut table = Table::with_party();
    fight(&mut table);
    table
        .apply_damage(json!({"target": "Rat", "amount": 40}))
        .is_fine();
    let refused = table.manage_combat(json!({"action": "revive", "combatant": "Rat"}));
    let advice = "send apply_damage target=\"Rat\" amount=-1 remove_conditions=[\"dead\"]";
    assert!(
        refused.refusal_text("target_dead").contains(advice),
        "{}",
        refused.value()
    );
    table
        .apply_damage(json!({"target": "Rat", "amount": -1, "remove_conditions": ["dead"]}))
        .is_fine();
    for who in ["Sabeth", "Rat"] {
        assert_eq!(next(&mut table)["current"], who);
    }
}
