//! A check is rolled with everything that decides it, or not at all.

use std::path::Path;

use serde_json::json;

use crate::table::{Answer, Table};

fn adventure(name: &str) -> Table {
    Table::of(&Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures")).join(name))
}

fn advice(answer: &Answer, code: &str) -> String {
    answer.refused(code)["summary"].as_str().expect("text").to_owned()
}

#[test]
fn a_linked_attribute_without_a_score_is_missing_and_not_the_skill() {
    let mut table = adventure("ninth-reel");
    let ann =
        json!({"action": "create", "name": "Ann", "attributes": {"MUS": 8}, "skills": {"Scrapping": 2, "Climbing": 1}});
    table.manage_character(ann).is_fine();
    let refused = table.skill_check(json!({"skill": "Scrapping"}));
    assert!(advice(&refused, "missing_value").starts_with("Ann has no Reflex score yet. Send manage_character"));
    let refused = table.skill_check(json!({"skill": "Bluffing"}));
    assert!(advice(&refused, "missing_value").contains("has no Charm score yet"), "{:?}", refused.value());
    let linked = table.dice([5, 3]).skill_check(json!({"skill": "Climbing"}));
    assert_eq!(linked["roll"]["total"], 6, "a d8 by Muscle and a point for Climbing");
}

#[test]
fn dice_that_nobody_chose_are_not_rolled() {
    let mut table = adventure("name-auction");
    table.manage_character(json!({"action": "create", "name": "Ann", "attributes": {"Read": 2}})).is_fine();
    let refused = table.skill_check(json!({"check": "Action"}));
    let said = advice(&refused, "missing_value");
    assert!(said.contains("as many dice as {modifier} says") && said.contains("values={\"modifier\": 0}"), "{said}");
    let none = table.dice([4, 2]).skill_check(json!({"check": "Action", "values": {"modifier": 0}}));
    assert_eq!(none["roll"]["individual_rolls"], json!([4, 2]));
}

#[test]
fn a_modifier_that_nobody_chose_is_said() {
    let mut table = Table::with_party();
    let bare = table.dice([12]).skill_check(json!({"character": "Sabeth", "difficulty": 10}));
    let noted = bare["noted"][0].as_str().expect("a note");
    assert!(noted.contains("neither skill nor attribute was sent: it counts as +0"), "{noted}");
    let chosen = table.dice([12]).skill_check(json!({"character": "Sabeth", "attribute": "DEX", "difficulty": 10}));
    assert!(chosen["noted"].is_null(), "{}", chosen["noted"]);
    let said = json!({"character": "Sabeth", "values": {"modifier": 3}, "difficulty": 10});
    assert!(table.dice([12]).skill_check(said)["noted"].is_null());
}

#[test]
fn what_opposes_is_asked_for_in_its_own_words() {
    let rules = "## Attributes\n- Strength (STR)\n- Range: 0 to 20\n\n## Checks\n### Save\n- Roll: `1d20`\n- Target: {attribute score} or less\n";
    let mut table = Table::of_rules(Some(rules));
    for name in ["Ann", "Bo"] {
        table.manage_character(json!({"action": "create", "name": name, "attributes": {"STR": 10}})).is_fine();
    }
    let refused = table.skill_check(json!({"character": "Ann", "attribute": "STR", "opposed_by": {"character": "Bo"}}));
    let said = advice(&refused, "missing_value");
    assert!(said.contains("Send opposed_by.attribute=\"STR\""), "{said}");
    let mine = table.skill_check(json!({"character": "Ann", "opposed_by": {"character": "Bo", "attribute": "STR"}}));
    assert!(advice(&mine, "missing_value").contains("Send attribute=\"STR\""));
}

#[test]
fn dice_in_values_are_those_of_the_table() {
    let rules = "## Dice\n- Dice: d6, d10, d20\n\n## Checks\n### Pool\n- Roll: `{{pool}, {more}}kh2 + 1d4`\n- Asks: pool dice, more dice\n- Target: `10`\n";
    let mut table = Table::of_rules(Some(rules));
    let refused = table.skill_check(json!({"values": {"pool": "d8,d6,d7", "more": "d6"}}));
    assert_eq!(advice(&refused, "invalid_die").split(';').next(), Some("d8 is not rolled at this table"));
    let fine = table.dice([6, 9, 2]).skill_check(json!({"values": {"pool": "d6", "more": "d10"}}));
    assert_eq!(fine["roll"]["total"], 17, "the rule's own d4 is always rolled");
}

#[test]
fn where_dice_are_counted_nobody_is_sent_to_the_modifier() {
    let rules = "## Checks\n### Pool\n- Roll: `{pool}d6`\n- Asks: pool 1 to 20\n- Count: 6+\n- Target: 1\n";
    let mut table = Table::of_rules(Some(rules));
    let refused = table.skill_check(json!({"difficulty": 2, "values": {"pool": 3}}));
    let said = advice(&refused, "no_effect");
    assert!(said.contains("Leave it out.") && !said.contains("modifier"), "{said}");
    let more = table.dice([1, 2, 3]).skill_check(json!({"modifier": 1, "values": {"pool": 3}}));
    assert_eq!(more["successes"], 1);
    let noted = more["noted"][0].as_str().expect("a note");
    assert!(noted.starts_with("modifier +1 is 1 success more, not a die: Pool"), "{noted}");
}

#[test]
fn a_roll_is_followed_as_it_was_made() {
    let mut table = adventure("down-special");
    let ann = json!({"action": "create", "name": "Ann", "skills": {"Listen": 50, "Climb": 30}});
    table.manage_character(ann).is_fine();
    let first = table.dice([77]).skill_check(json!({"skill": "Listen"}))["log"].clone();
    let other = json!({"again": format!("#{first} push"), "skill": "Climb"});
    let said = advice(&table.skill_check(other), "no_effect");
    assert!(said.contains("was made with skill Listen, and skill=\"Climb\" would change nothing"), "{said}");
    let attribute = json!({"again": format!("#{first} push"), "attribute": "DEX"});
    assert!(advice(&table.skill_check(attribute), "no_effect").contains("has no attribute"));
    table.dice([2]).skill_check(json!({"again": format!("#{first} push"), "skill": "listen"})).is_fine();
}

#[test]
fn a_check_that_could_not_be_read_is_said_with_its_line() {
    let rules = "# Stabs\n\n## Checks\n### Stab\n- Rol: `1d20`\n- Target: `10`\n";
    let mut table = Table::of_rules(Some(rules));
    for call in [json!({}), json!({"check": "Stab"})] {
        let said = advice(&table.skill_check(call), "rule_broken");
        assert!(
            said.contains("Stab (System.md:4) has a mistake") && !said.contains("give the adventure a System.md"),
            "{said}"
        );
    }
    let mut table = Table::of_rules(Some(&format!("{rules}### Other\n- Roll: `1d20`\n- Target: `10`\n")));
    let said = advice(&table.skill_check(json!({"check": "stab"})), "rule_broken");
    assert!(said.starts_with("Stab (System.md:4) has a mistake"), "{said}");
    table.dice([12]).skill_check(json!({})).is_fine();
}
