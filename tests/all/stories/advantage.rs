//! Advantage is the better die of the very check that is rolled, and of no other die.

use serde_json::json;

use crate::table::Table;

/// High is good in one check, low in the next, and the third is on other dice; no bullet says what advantage is.
const MIXED: &str = "\
# Mixed

## Attributes
- Strength (STR): lifting
- Range: 3 to 18

## Skills
- Open Locks

## Checks

### Attack
- Roll: `1d20 + {modifier}`
- Target: `{difficulty}`

### Save
- Roll: `1d20`
- Target: {attribute} or less

### Thief skill
- Roll: `d100`
- Target: {skill} or less

### Feat
- Roll: `2d6 + {STR}`

| Outcome | When |
|---|---|
| success | total 10+ |
| failure | otherwise |

## Conditions
- Poisoned: disadvantage on checks
";

fn table(rules: &str) -> Table {
    let mut table = Table::of_rules(Some(rules));
    let ann = json!({"action": "create", "name": "Ann", "attributes": {"STR": 10}, "skills": {"Open Locks": 30}});
    table.manage_character(ann).is_fine();
    table
}

#[test]
fn each_check_on_one_d20_has_its_own_better_die() {
    let mut table = table(MIXED);
    let attack = json!({"check": "Attack", "attribute": "STR", "difficulty": 24, "advantage": true});
    let attack = table.dice([5, 14]).skill_check(attack);
    assert_eq!((&attack["outcome"], &attack["margin"]), (&json!("success"), &json!(0)));
    let save = table.dice([5, 14]).skill_check(json!({"check": "Save", "attribute": "STR", "advantage": true}));
    assert_eq!((&save["outcome"], &save["margin"]), (&json!("success"), &json!(5)));
    assert_eq!(save["adjustments"], json!(["advantage: 2d20kl1, System.md:16"]));
    let worse = table.dice([5, 14]).skill_check(json!({"check": "Save", "attribute": "STR", "disadvantage": true}));
    assert_eq!((&worse["outcome"], &worse["margin"]), (&json!("failure"), &json!(-4)));
}

#[test]
fn a_check_on_other_dice_has_no_advantage_that_nobody_declared() {
    let mut table = table(MIXED);
    for (check, rolls) in [("Thief skill", "rolls 1d100"), ("Feat", "rolls 2d6 + 10")] {
        let call = json!({"check": check, "skill": "Open Locks", "advantage": true});
        let refusal = table.skill_check(call).refused("invalid_advantage_usage").clone();
        let summary = refusal["summary"].as_str().expect("text");
        assert!(summary.contains(rolls) && summary.contains("Send the check without advantage"), "{summary}");
        assert!(!summary.contains("2d20kh1"), "no advice for other tools: {summary}");
    }
    // What a condition asks for is left to the GM, and does not stop the check.
    table.manage_character(json!({"action": "add_condition", "name": "Ann", "condition": "Poisoned"})).is_fine();
    let roll = table.dice([25]).skill_check(json!({"check": "Thief skill", "skill": "Open Locks"}));
    assert_eq!(roll["outcome"], "success");
    assert!(
        roll["adjustments"][0].as_str().expect("text").contains("do not say how to roll"),
        "{}",
        roll["adjustments"]
    );
}

#[test]
fn what_is_declared_is_added_to_every_check() {
    let declared = MIXED.replace("## Skills", "## Dice\n- Advantage: +1d4\n- Disadvantage: -2\n\n## Skills");
    let mut table = table(&declared);
    let save = |mode: &str| json!({"check": "Save", "attribute": "STR", mode: true});
    let better = table.dice([9, 3]).skill_check(save("advantage"));
    assert_eq!(better["roll"]["total"], 12, "{}", better.value());
    let worse = table.dice([9]).skill_check(save("disadvantage"));
    assert_eq!(worse["roll"]["total"], 7, "{}", worse.value());
}
