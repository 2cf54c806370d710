//! What a wound is told as: what reached somebody, and why it was less; never more than happened.

use serde_json::json;

use crate::table::{Answer, Table, with};

const RULES: &str = "# Told\n\n## Attributes\n- Body\n- Range: 1 to 9\n\n## Skills\n- Bulk (Body)\n\n## Health\n\
    - Hit points: max 10\n- Fate points: from 0 to 5, start 3\n- Temporary hit points: from 0, keeps larger\n- Damage: Temporary hit points, Hit points\n\
    - Resistance: half\n- Immunity: none\n- At 0 Hit points: gain down\n- Long rest: Hit points to max\n\
    \n## Conditions\n- Rattled: -1 on checks\n- Weak (2-4): -{Weak} on Body\n- down\n";

fn ann() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    table.manage_character(json!({"action": "create", "name": "Ann", "attributes": {"Body": 4}})).is_fine();
    let tracks = json!({"Resistance (cold)": 1, "Immunity (poison)": 1});
    table.manage_character(json!({"action": "update", "character": "Ann", "tracks": tracks})).is_fine();
    table
}

fn hit(table: &mut Table, amount: i64, more: serde_json::Value) -> Answer {
    let call = with(json!({"target": "Ann", "amount": amount}), more);
    table.apply_damage(call)
}

#[test]
fn what_was_taken_off_is_said_and_what_changed_nothing_too() {
    let mut table = ann();
    for (amount, more, told) in [
        (
            7,
            json!({"damage_type": "cold"}),
            "Ann takes 3 cold damage (7 before Resistance (cold)): Hit points 10 to 7/10.",
        ),
        (
            5,
            json!({"half": true, "reason": "a spark"}),
            "Ann takes 2 damage (5 before half) (a spark): Hit points 7 to 5/10.",
        ),
        (9, json!({"damage_type": "poison"}), "9 poison damage (0 after Immunity (poison)) changes nothing for Ann."),
        (-4, json!({}), "Ann recovers 4: Hit points 5 to 9/10."),
        (-9, json!({"half": true}), "Ann recovers 1 (9 before half and the maximum): Hit points 9 to 10/10."),
        (-3, json!({}), "3 healing changes nothing for Ann."),
        (1, json!({"track": "Fate points"}), "Ann: Fate points 3 to 2/5."),
        (-6, json!({"track": "Temporary hit points"}), "Ann: Temporary hit points 0 to 6."),
        (-4, json!({"track": "Temporary hit points"}), "4 healing changes nothing for Ann."),
        (40, json!({}), "Ann takes 40 damage: Temporary hit points 6 to 0, Hit points 10 to 0/10; now down."),
        (4, json!({}), "4 damage changes nothing for Ann."),
    ] {
        let mut before = more.clone();
        before["preview"] = json!(true);
        let foretold = hit(&mut table, amount, before)["summary"].as_str().expect("a sentence").to_owned();
        let answer = hit(&mut table, amount, more);
        assert_eq!((&answer["summary"], &answer["player_text"]), (&json!(told), &json!(told)));
        let mut parts: Vec<&str> = told.trim_end_matches('.').split([':', ',', ';']).map(str::trim).collect();
        parts.retain(|part| !foretold.contains(part));
        assert_eq!(parts, Vec::<&str>::new(), "foretold: {foretold}");
        assert!(foretold.starts_with("It would be: ") && foretold.ends_with(" Nothing was changed."), "{foretold}");
    }
}

#[test]
fn players_hear_that_a_foe_is_none_the_worse_and_no_figure() {
    let mut table = ann();
    let rat = json!([{"name": "Ann", "initiative": 2}, {"name": "Rat", "hp": 6, "initiative": 1}]);
    table.manage_combat(json!({"action": "start", "combatants": rat})).is_fine();
    let tracks = json!({"Immunity (poison)": 1, "Resistance": 1});
    table.manage_character(json!({"action": "update", "character": "Rat", "tracks": tracks})).is_fine();
    let bitten = table.apply_damage(json!({"target": "Rat", "amount": 4, "damage_type": "poison"}));
    assert_eq!(
        bitten["summary"],
        "4 poison damage (0 after Resistance and Immunity (poison)) changes nothing for Rat."
    );
    assert_eq!(bitten["player_text"], "Poison damage changes nothing for Rat.");
    assert_eq!(
        table.apply_damage(json!({"target": "Rat", "amount": 4}))["player_text"],
        "Rat takes damage and is hurt."
    );
    table.record().is_sound();
}

#[test]
fn a_condition_that_is_there_is_not_brought_again() {
    let mut table = ann();
    table.apply_damage(json!({"target": "Ann", "apply_conditions": ["rattled"]})).is_fine();
    let again = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Rattled"]}));
    let said = again.refused("no_effect")["summary"].as_str().expect("words");
    assert!(said.starts_with("Ann is Rattled already"), "{said}");
    let hit = table.apply_damage(json!({"target": "Ann", "amount": 1, "apply_conditions": ["Rattled"]}));
    assert_eq!(hit["tracks"][0]["after"], 9, "beside a blow it does no harm");
}

#[test]
fn a_level_out_of_range_is_told_the_nearest() {
    let mut table = ann();
    for (level, nearest) in [("Weak 1", "Weak 2"), ("Weak 9", "Weak 4")] {
        let refusal = table.apply_damage(json!({"target": "Ann", "apply_conditions": [level]}));
        let said = refusal.refused("invalid_parameters")["summary"].as_str().expect("words");
        assert!(said.contains(&format!("Send \"{nearest}\"")), "{said}");
    }
}

#[test]
fn a_template_rests_as_little_as_it_is_hurt() {
    let mut table = ann();
    table.manage_character(json!({"action": "create", "name": "Mould", "kind": "template"})).is_fine();
    table.manage_character(json!({"action": "rest", "character": "Mould"})).refused("is_template");
}

#[test]
fn what_a_threshold_needs_is_asked_for_where_it_belongs() {
    let rules = "# Hard\n\n## Attributes\n- Body\n\n## Skills\n- Bulk (Body)\n\n## Health\n\
        - Wounds: 3 boxes, over: gain Incapacitated\n- Damage: none\n- One hit {Body}+: Wounds +`floor(({hit} - {Body}) / 4)`\n";
    let mut table = Table::of_rules(Some(rules));
    table.manage_character(json!({"action": "create", "name": "Ann"})).is_fine();
    let refusal = table.apply_damage(json!({"target": "Ann", "amount": 5}));
    let said = refusal.refused("missing_value")["summary"].as_str().expect("words");
    assert!(said.contains("needs Body") && said.contains("attributes={\"Body\": …}"), "{said}");
    table.manage_character(json!({"action": "update", "character": "Ann", "attributes": {"Body": 3}})).is_fine();
    let hit = table.apply_damage(json!({"target": "Ann", "amount": 8}));
    assert_eq!(hit["tracks"], json!([{"name": "Wounds", "before": 0, "after": 1, "max": 3}]));
}

#[test]
fn a_sentence_survives_whatever_a_roll_is_for() {
    let contexts = [
        "does Lisk look in",
        "for does Lisk look in",
        "Does Lisk look in?",
        "attack",
        "Attack.",
        "the GM rolls for does Lisk look in",
        "…",
        "-",
        "for",
        "(a guess)",
        "(",
        ")",
        "a: b",
        "one. Two.",
        "rolls",
        "\"quoted\"",
        "it's 20%",
        "1d6",
        "to hit!",
        "läuft er weg?",
        "a\nb",
    ];
    let mut table = ann();
    for context in contexts {
        for (who, call) in [("The GM", json!({})), ("Ann", json!({"character": "Ann"}))] {
            let call = with(json!({"expression": "1d6", "context": context}), call);
            let told = table.dice([3]).roll_dice(call);
            let told = [told.text("summary"), told.text("player_text")].map(str::to_owned);
            // In one line.
            let begins = format!("{who} rolls ({}): ", context.trim_end_matches('.').replace('\n', " "));
            assert!(told.iter().all(|text| text.starts_with(&begins)), "{told:?}");
        }
    }
    let told = table.dice([3]).roll_dice(json!({"expression": "1d6", "context": "  "}));
    assert!(told.text("summary").starts_with("The GM rolls 1d6: "), "{}", told.value());
}
