//! What a call sends counts, or is refused; what conditions change is changed wherever it is read.

use serde_json::{Value, json};

use crate::table::{Table, each, with};

const RULES: &str = "\
# Doors and Drakes

## Attributes

- Poise (POI): calm
- Armour class (AC): what a blow must reach
- Range: -3 to 30

## Skills

- Arms (POI): blades

## Checks

### Keep Still

- Roll: `2d6 + {Poise}`

| Outcome | When |
|---|---|
| Stone (success) | total 10+ |
| Twitch (failure) | otherwise |

### Strike

- Roll: `1d20 + {modifier}`
- Target: {target Armour class}

### Bear It

- Roll: `1d20`
- Target: {Poise} or less

### Reach

- Roll: `{pool}d6kh1`
- Asks: pool 1 to 10

| Outcome | When |
|---|---|
| Bright (success) | highest 6 |
| Dim (failure) | otherwise |

### Burn

- Roll: `max(1d10!!, 1d6!!) + 2`
- Target: `6`
- Again Retake: reroll all

## Conditions

- Flustered: -1 on Poise
- Off guard: -2 on AC
";

fn table() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    let ann = json!({"action": "create", "name": "Ann", "attributes": {"POI": 2, "AC": 15}, "skills": {"Arms": 3}});
    table.manage_character(ann).is_fine();
    let ogre = json!({"action": "create", "name": "Ogre", "kind": "npc", "attributes": {"POI": 1, "AC": 16}});
    table.manage_character(ogre).is_fine();
    table
}

fn suffer(table: &mut Table, who: &str, condition: &str) {
    table
        .apply_damage(json!({"target": who, "amount": 0, "apply_conditions": [condition]}))
        .is_fine();
}

#[test]
fn a_condition_counts_where_the_rule_itself_names_the_attribute() {
    let mut table = table();
    suffer(&mut table, "Ann", "Flustered");
    let still = table
        .dice([3, 5])
        .skill_check(json!({"character": "Ann", "check": "Keep Still"}));
    assert_eq!(
        (&still["roll"]["total"], &still["label"]),
        (&json!(9), &json!("Twitch"))
    );
    assert_eq!(still["modifiers"][0]["name"], "Flustered");
    let under = table
        .dice([2])
        .skill_check(json!({"character": "Ann", "check": "Bear It"}));
    assert_eq!(
        (&under["target"], &under["outcome"]),
        (&json!(1), &json!("failure")),
        "and where it is rolled under"
    );
}

#[test]
fn a_condition_changes_the_number_that_others_must_reach_and_no_roll_of_its_bearer() {
    let mut table = table();
    suffer(&mut table, "Ogre", "Off guard");
    suffer(&mut table, "Ann", "Off guard");
    let strike = json!({"character": "Ann", "check": "Strike", "skill": "Arms", "target": "Ogre"});
    let hit = table.dice([9]).skill_check(strike);
    assert_eq!(
        (&hit["target"], &hit["roll"]["total"], &hit["outcome"]),
        (&json!(14), &json!(14), &json!("success"))
    );
    let armour = each(&hit["modifiers"]).find(|part| part["name"] == "target Armour class");
    let from = armour.expect("the armour")["from"].as_str().expect("text");
    assert!(from.ends_with("; Off guard -2, System.md:53"), "{from}");
    assert_eq!(
        hit["player_text"], "Ann, Arms: 1d20: [9]; + 5 = 14: success.",
        "a foe's armour stays its secret"
    );
}

#[test]
fn a_difficulty_replaces_armour_that_is_nobodys_yet() {
    let mut table = table();
    let strike = |more: Value| {
        with(
            json!({"character": "Ann", "check": "Strike", "skill": "Arms"}),
            more,
        )
    };
    let foe = table
        .dice([10])
        .skill_check(strike(json!({"difficulty": 18})));
    assert_eq!(
        (&foe["target"], &foe["noted"]),
        (&json!(18), &Value::Null),
        "not Ann's own 15"
    );
    let nobody = table.skill_check(strike(json!({})));
    let summary = nobody.refusal_text("missing_value");
    assert!(
        summary.contains("Send target=\"…\" with whom it is tried against"),
        "not Ann's own either: {summary}"
    );
    table
        .skill_check(strike(json!({"difficulty": 12, "target": "Ogre"})))
        .refused("no_effect");
    let same = table
        .dice([10])
        .skill_check(strike(json!({"difficulty": 16, "target": "Ogre"})));
    assert_eq!(same["target"], 16, "what the target is anyway does no harm");
}

#[test]
fn a_difficulty_that_no_rule_asks_for_is_refused() {
    let mut table = table();
    let still = json!({"character": "Ann", "check": "Keep Still", "difficulty": 9});
    let refusal = table.skill_check(still);
    let summary = refusal.refusal_text("no_effect").to_owned();
    let expected = "A difficulty would change nothing: Keep Still (System.md:15) rolls 2d6 + {Poise}. Leave it out; what makes it \
     easier or harder is modifier, such as modifier=-2. Nothing was rolled.";
    assert_eq!(summary, expected);
    let under = json!({"character": "Ann", "check": "Bear It", "difficulty": 40});
    table.skill_check(under).refused("no_effect");
    let beside = json!({"character": "Ann", "check": "Bear It", "values": {"difficulty": 40}});
    table.skill_check(beside).refused("no_effect");
}

#[test]
fn whom_it_is_tried_against_counts_or_is_refused() {
    let mut table = table();
    for call in [
        json!({"character": "Ann", "check": "Keep Still", "target": "Ogre"}),
        json!({"character": "Ann", "check": "Burn", "target": "Ogre"}),
        json!({"character": "Ann", "check": "Strike", "skill": "Arms", "target": "Ogre", "values": {"target Armour class": 12}}),
    ] {
        let refusal = table.skill_check(call);
        let summary = refusal.refusal_text("no_effect").to_owned();
        assert!(
            summary.starts_with("target would change nothing: ")
                && summary.contains("context says"),
            "{summary}"
        );
    }
    table
        .skill_check(json!({"character": "Ann", "check": "Burn", "target": "Ogress"}))
        .refused("unknown_character");
    let sent = json!({"character": "Ann", "check": "Strike", "skill": "Arms", "target": "Ogre"});
    table.dice([10]).skill_check(sent).is_fine();
}

#[test]
fn a_value_that_no_rule_names_is_refused_with_the_near_ones() {
    let mut table = table();
    let call = json!({"character": "Ann", "check": "Reach", "values": {"pool": 2, "poll": 2}});
    let refusal = table.skill_check(call);
    assert_eq!(
        refusal.refused("no_effect")["did_you_mean"],
        json!(["pool"])
    );
    let call = json!({"character": "Ann", "check": "Reach", "values": {"pool": "+1", "position": "risky"}});
    assert_eq!(
        table.dice([4]).skill_check(call)["said"]["position"],
        "risky",
        "words are kept"
    );
}

#[test]
fn a_modifier_that_no_row_looks_at_is_noted() {
    let mut table = table();
    let call = json!({"character": "Ann", "check": "Reach", "values": {"pool": 2}, "modifier": 2});
    let reach = table.dice([5, 3]).skill_check(call);
    assert_eq!(reach["label"], "Dim");
    let expected = json!([
        "situational +2 changed nothing: the table of Reach (System.md:34) looks at single dice, not at their total"
    ]);
    assert_eq!(reach["noted"], expected);
    let still = table
        .dice([3, 4])
        .skill_check(json!({"character": "Ann", "check": "Keep Still", "modifier": 1}));
    assert_eq!(still["noted"], Value::Null);
}

#[test]
fn a_missing_value_is_refused_with_the_rules_line() {
    let mut table = table();
    let refusal = table.skill_check(json!({"character": "Ann", "check": "Reach"}));
    let refusal = refusal.refused("missing_value");
    assert_eq!(refusal["source"], "System.md:34");
    let summary = refusal["summary"].as_str().expect("words");
    assert!(
        summary.starts_with("Reach (System.md:34) needs {pool} and nothing says what it is."),
        "{summary}"
    );
}

#[test]
fn dice_that_explode_are_rolled_afresh_where_none_stays() {
    let mut table = table();
    let first = table
        .dice([2, 3])
        .skill_check(json!({"character": "Ann", "check": "Burn"}));
    assert_eq!(first["outcome"], "failure");
    let again = table
        .dice([10, 4, 1])
        .skill_check(json!({"again": format!("#{}", first["log"])}));
    assert_eq!(
        (&again["outcome"], &again["again"]["redrawn"]),
        (&json!("success"), &json!(2))
    );
}

#[test]
fn an_attribute_sent_as_a_skill_is_told_apart() {
    let mut table = table();
    let refusal = table.skill_check(json!({"character": "Ann", "skill": "poise"}));
    let refusal = refusal.refused("unknown_skill");
    let expected = "Poise is of the attributes (System.md:5) and not of the skills. Send attribute=\"Poise\" in place of skill. Nothing was rolled.";
    assert_eq!(refusal["summary"], expected);
    let refusal = table.skill_check(json!({"character": "Ann", "attribute": "Arms"}));
    assert_eq!(
        refusal.refused("unknown_attribute")["did_you_mean"],
        json!(["Arms"])
    );
}

#[test]
fn what_is_sent_beside_again_and_does_nothing_is_refused() {
    let mut table = table();
    let first = table
        .dice([2, 3])
        .skill_check(json!({"character": "Ann", "check": "Burn"}));
    let again = format!("#{}", first["log"]);
    for more in [
        json!({"difficulty": 4}),
        json!({"modifier": 2}),
        json!({"values": {"amount": 2}}),
    ] {
        let call = with(json!({"again": again}), more);
        table.skill_check(call).refused("no_effect");
    }
    table
        .dice([4, 1])
        .skill_check(json!({"again": again, "context": "once more"}))
        .is_fine();
}

#[test]
fn what_cannot_be_rolled_is_refused_with_what_to_send() {
    let rules = "# T\n\n## Attributes\n\n- Poise (POI)\n- Range: -3 to 30\n\n## Skills\n\n- Arms\n\n## Checks\n\n### Reach\n\n- Roll: `{pool}d6kh1`\n- Asks: pool 1 to 10\n\n\
        ### Grip\n\n- Roll: `1d{skill}`\n\n### Scrape\n\n- Roll: `{Poise}d6`\n\n### Bear It\n\n- Roll: `1d20`\n- Target: {target Poise} or less\n";
    let mut table = Table::of_rules(Some(rules));
    let ann = json!({"action": "create", "name": "Ann", "attributes": {"POI": -2}});
    table.manage_character(ann).is_fine();
    table
        .manage_character(json!({"action": "create", "name": "Ogre", "kind": "npc"}))
        .is_fine();
    for (call, code, said) in [
        (
            json!({"check": "Reach", "values": {"pool": "1.5"}}),
            "invalid_parameters",
            "values.pool is 1.5, and it takes a whole number. Send one.",
        ),
        (
            json!({"check": "Reach", "values": {"pool": "d6,d8"}}),
            "invalid_parameters",
            "values.pool is \"d6,d8\", which does not fit there. Send values={\"pool\": 2}.",
        ),
        (
            json!({"check": "Grip", "skill": "Arms"}),
            "invalid_die",
            "and Arms of Ann is 0, which is the size of no die. Send values={\"skill\": …} with a number",
        ),
        (
            json!({"check": "Scrape"}),
            "invalid_die",
            "comes to -2 dice here, and the rules do not say what fewer dice than none are.",
        ),
        (
            json!({"check": "Bear It", "target": "Ogre"}),
            "missing_value",
            "or the check without target to roll against Ann's own.",
        ),
    ] {
        let refusal = table.skill_check(with(json!({"character": "Ann"}), call.clone()));
        let summary = refusal.refusal_text(code);
        assert!(summary.contains(said), "{call}: {summary}");
    }
}
