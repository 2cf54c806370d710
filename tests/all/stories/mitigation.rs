//! What is taken off damage before it reaches anybody, in the order of the rules, on the Long Pour.

use std::path::Path;

use serde_json::json;

use crate::table::Table;

fn tam(tracks: serde_json::Value) -> Table {
    let mut table = Table::of(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/long-pour")));
    let scores = json!({"STR": 0, "DEX": 3, "CON": 1, "INT": 1, "WIS": 2, "CHA": 2});
    table
        .manage_character(json!({"action": "create", "name": "Tam", "attributes": scores, "tracks": tracks}))
        .is_fine();
    table
}

#[test]
fn every_step_is_itemised_in_the_reply_and_in_the_log() {
    let mut table = tam(json!({"Resistance (cold, fire)": 1, "Temporary hit points": 3}));
    let cold = table.apply_damage(json!({"target": "Tam", "amount": 11, "damage_type": "Cold"}));
    let steps = json!([
        {"step": "Resistance (cold, fire): half, rounded down", "before": 11, "after": 5},
        {"step": "Temporary hit points", "before": 3, "after": 0},
        {"step": "Hit points", "before": 17, "after": 15},
    ]);
    assert_eq!(cold["steps"], steps);
    assert_eq!(table.record().bodies().pop().expect("an entry")["event"]["steps"], steps);
    assert_eq!(
        cold["summary"],
        "Tam takes 5 Cold damage (11 before Resistance (cold, fire)): Temporary hit points 3 to 0, Hit points 17 to 15/17."
    );
    let sharp = table.apply_damage(json!({"target": "Tam", "amount": 5, "damage_type": "slashing"}));
    assert_eq!(sharp["steps"], json!([{"step": "Hit points", "before": 15, "after": 10}]));
    table.record().is_sound();
}

#[test]
fn what_is_immune_and_vulnerable_comes_in_the_order_written() {
    let mut table = tam(json!({"Vulnerability": 1, "Immunity (poison)": 1}));
    let poison = table.apply_damage(json!({"target": "Tam", "amount": 4, "damage_type": "poison"}));
    assert_eq!(
        poison["steps"],
        json!([
            {"step": "Vulnerability: double", "before": 4, "after": 8},
            {"step": "Immunity (poison): no damage", "before": 8, "after": 0},
            {"step": "Hit points", "before": 17, "after": 17},
        ])
    );
    assert_eq!((&poison["conditions"], &poison["incapacitated"]), (&json!([]), &json!(false)));
    let spent = table.apply_damage(json!({"target": "Tam", "track": "Dying", "amount": 1}));
    assert_eq!(spent["tracks"][0]["after"], 1, "what is not health is not hit, so nothing helps it");
}

#[test]
fn of_two_grants_the_larger_stays() {
    let mut table = tam(json!({}));
    let grant = |table: &mut Table, amount: i64| {
        let granted = table.apply_damage(json!({"target": "Tam", "track": "Temporary hit points", "amount": -amount}));
        granted["tracks"][0]["after"].as_i64().expect("points")
    };
    assert_eq!((grant(&mut table, 5), grant(&mut table, 3), grant(&mut table, 8)), (5, 5, 8));
    let hit = table.apply_damage(json!({"target": "Tam", "amount": 10}));
    assert_eq!(hit["tracks"][0], json!({"name": "Temporary hit points", "before": 8, "after": 0}));
    assert_eq!(hit["tracks"][1], json!({"name": "Hit points", "before": 17, "after": 15, "max": 17}));
    table.record().is_sound();
}

#[test]
fn a_blow_of_several_kinds_is_taken_off_by_kind_and_falls_as_one() {
    let mut table = tam(json!({"Resistance (cold)": 1, "Vulnerability (fire)": 1}));
    let parts = json!([{"amount": 6, "damage_type": "slashing"}, {"amount": 5, "damage_type": "Cold"}]);
    let hit = table.apply_damage(json!({"target": "Tam", "parts": parts}));
    assert_eq!(
        hit["steps"],
        json!([
            {"step": "Resistance (cold): half, rounded down", "before": 11, "after": 8},
            {"step": "Hit points", "before": 17, "after": 9},
        ])
    );
    assert_eq!(
        (&hit["amount"], &hit["summary"]),
        (&json!(11), &json!("Tam takes 8 slashing, Cold damage (11 before Resistance (cold)): Hit points 17 to 9/17."))
    );
    assert_eq!(table.record().bodies().pop().expect("an entry")["event"]["parts"], parts);
    // What is passed by takes nothing off; the rest stays in its place.
    let fire = json!([{"amount": 1, "damage_type": "fire"}, {"amount": 2, "damage_type": "cold"}]);
    let through = table.apply_damage(json!({"target": "Tam", "parts": fire, "bypass": ["resistance"]}));
    assert_eq!(
        through["steps"],
        json!([
            {"step": "Vulnerability (fire): double", "before": 3, "after": 4},
            {"step": "Hit points", "before": 9, "after": 5},
        ])
    );
    let unknown = table.apply_damage(json!({"target": "Tam", "amount": 1, "bypass": ["Resistence"]}));
    assert_eq!(unknown.refused("unknown_mitigation")["did_you_mean"], json!(["Resistance"]));
    for wrong in [
        json!({"parts": [{"amount": 3}], "amount": 3}),
        json!({"parts": [{"amount": 0}]}),
        json!({"parts": [{"amount": -3, "damage_type": "cold"}]}),
        json!({"parts": [{"amount": 3}], "damage_type": "cold"}),
        json!({"parts": [{"damage_type": "cold"}]}),
        json!({"parts": [3]}),
    ] {
        let mut call = wrong;
        call["target"] = json!("Tam");
        table.apply_damage(call).refused("invalid_parameters");
    }
    table.record().is_sound();
}

#[test]
fn a_resistance_named_by_its_type_is_against_that_type_alone() {
    let rules = |own: &str| {
        format!(
            "# T\n\n## Attributes\n- Body\n\n## Checks\n### Try\n- Roll: `1d6`\n\n## Health\n- Hits: max 20\n- Damage: Hits\n\
             - Damage types: fire, cold, acid\n{own}"
        )
    };
    let left = |own: &str, tracks: serde_json::Value, damage: serde_json::Value| {
        let mut table = Table::of_rules(Some(&rules(own)));
        table.manage_character(json!({"action": "create", "name": "Tam", "tracks": tracks})).is_fine();
        let done = table.apply_damage(json!({"target": "Tam", "amount": 8, "damage_type": damage}));
        done["tracks"][0]["after"].as_i64().expect("a number")
    };
    let (half, of_fire) = ("- Resistance: half\n", "- Fire resistance: half from fire\n");
    let both = format!("{half}- Fire resistance: subtract {{Fire resistance}} from fire\n");
    for (own, track, takes) in [
        // Of fire, of cold, of damage without a type.
        (half, "Resistance (fire)", [4, 8, 8]),
        (half, "resistance (fire, acid)", [4, 8, 8]),
        (half, "Resistance", [4, 4, 4]),
        (of_fire, "Fire resistance", [4, 8, 8]),
        // Its own rule is meant, not the other.
        (both.as_str(), "Fire resistance", [7, 8, 8]),
    ] {
        let found = [json!("fire"), json!("cold"), json!(null)].map(|kind| 20 - left(own, json!({track: 1}), kind));
        assert_eq!(found, takes, "{own}{track}");
    }
    // What the rules have for fire alone is nothing against cold.
    let mut table = Table::of_rules(Some(&rules(of_fire)));
    let refused = table.manage_character(json!({"action": "create", "name": "Ann", "tracks": {"Cold resistance": 1}}));
    let words = refused.refused("invalid_parameters")["summary"].as_str().expect("words").to_owned();
    assert!(words.contains("tracks.Cold resistance") && words.contains("\"Fire resistance\""), "{words}");
}

#[test]
fn numbers_of_the_rules_types_that_are_let_through_and_the_least_that_gets_through_count() {
    let rules = |own: &str| {
        format!(
            "# T\n\n## Attributes\n- Endurance (END)\n\n## Checks\n### Try\n- Roll: `1d6`\n\n## Health\n- Hits: max 20\n- Damage: Hits\n\
             - Damage types: fire, cold\n- {own}\n"
        )
    };
    let takes = |own: &str, tracks: serde_json::Value, amount: i64, damage: serde_json::Value| {
        let mut table = Table::of_rules(Some(&rules(own)));
        let tam = json!({"action": "create", "name": "Tam", "attributes": {"END": 3}, "tracks": tracks});
        table.manage_character(tam).is_fine();
        let done = table.apply_damage(json!({"target": "Tam", "amount": amount, "damage_type": damage}));
        20 - done["tracks"][0]["after"].as_i64().expect("a number")
    };
    for (own, tracks, amount, damage, taken) in [
        // What is for all is everybody's.
        ("Toughness: subtract {END} for all", json!({}), 8, json!(null), 5),
        ("Toughness: subtract `floor({END} / 2)` for all", json!({}), 8, json!(null), 7),
        // Another is that of whoever has it on the sheet.
        ("Toughness: subtract {Toughness}", json!({"Toughness": 6}), 8, json!(null), 2),
        ("Leather coat: subtract 2", json!({}), 8, json!(null), 8),
        ("Leather coat: subtract 2", json!({"Leather coat": 1}), 8, json!(null), 6),
        ("Armour: subtract {Armour} except fire", json!({"Armour": 3}), 8, json!("cold"), 5),
        ("Armour: subtract {Armour} except fire", json!({"Armour": 3}), 8, json!("Fire"), 8),
        ("Armour: subtract {Armour}, at least 1 gets through", json!({"Armour": 9}), 8, json!(null), 1),
        ("Armour: subtract {Armour}, at least 2 gets through", json!({"Armour": 9}), 1, json!(null), 1),
        ("Armour: subtract {Armour}", json!({"Armour": 9}), 8, json!(null), 0),
        ("Threshold: ignore under 6 for all", json!({}), 5, json!(null), 0),
        ("Threshold: ignore under 6 for all", json!({}), 6, json!(null), 6),
        ("Threshold: ignore under 5 for all", json!({}), 5, json!(null), 5),
    ] {
        assert_eq!(takes(own, tracks.clone(), amount, damage.clone()), taken, "{own}, {tracks}, {amount} {damage}");
    }
}

#[test]
fn a_type_of_damage_is_multiplied_behind_armour_and_half_the_maximum_is_a_bound() {
    let mut table = Table::of_rules(Some(
        "# Steel\n\n## Checks\n### Test\n- Roll: `1d20`\n- Target: `10`\n\n## Health\n- Hit points: max 20\n- Damage: Hit points\n\
         - Damage types: impaling, cutting, fire\n- Armour: subtract {Armour}\n- Impaling: double from impaling for all\n\
         - Cutting: times `3 / 2` from cutting for all\n- At `{Hit points max} / 2` Hit points: gain bloodied\n\
         - At 0 Hit points: gain Dead\n\n## Conditions\n- bloodied\n",
    ));
    for (name, tracks) in [("Ann", json!({"Armour": 2})), ("Bo", json!({}))] {
        table.manage_character(json!({"action": "create", "name": name, "tracks": tracks})).is_fine();
    }
    let stabbed = table.apply_damage(json!({"target": "Ann", "amount": 5, "damage_type": "impaling"}));
    assert_eq!(
        stabbed["steps"],
        json!([
            {"step": "Armour: 2", "before": 5, "after": 3},
            {"step": "Impaling: double", "before": 3, "after": 6},
            {"step": "Hit points", "before": 20, "after": 14},
        ])
    );
    assert_eq!(stabbed["conditions"], json!([]));
    let burnt = table.apply_damage(json!({"target": "Ann", "amount": 5, "damage_type": "fire"}));
    assert_eq!((&burnt["tracks"][0]["after"], &burnt["conditions"]), (&json!(11), &json!([])));
    let cut = table.apply_damage(json!({"target": "Bo", "amount": 7, "damage_type": "cutting"}));
    assert_eq!((&cut["tracks"][0]["after"], &cut["conditions"]), (&json!(10), &json!(["bloodied"])), "{cut:?}");
    let healed = table.apply_damage(json!({"target": "Bo", "amount": -1}));
    assert_eq!((&healed["tracks"][0]["after"], &healed["conditions"]), (&json!(11), &json!([])), "{healed:?}");
    table.record().is_sound();
}
