//! Rolls against a number of the target, and advantage.

use serde_json::{Value, json};

use crate::table::{Table, jory, with};

/// A roll against a number of the target: `{target Armour}`.
const RULES: &str = "# Blades\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Strength (STR)\n- Range: 3 to 20\n- Modifier: `{score}`\n\n\
     ## Skills\n- Melee (STR)\n- Aim (STR)\n- Climb (STR)\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n\n## Combat\n- Initiative: none\n\n";

#[test]
fn a_foe_from_a_page_is_struck_at_its_armour_by_skill_and_by_its_own_attacks() {
    let mut table = Table::with_party();
    let wrecker = json!({"from": "Foes.md#Mag", "initiative": 1});
    table.start(json!([{"name": "Jory", "initiative": 5}, wrecker]));
    let sheet = table.get_character(json!({"character": "Mag"}))["character"].clone();
    assert_eq!(sheet["skills"]["Armour"], 12, "{}", sheet["skills"]);
    let call = json!({"character": "Jory", "skill": "Melee", "damage": "1d12", "target": "Mag"});
    let hit = table.dice([15, 6]).skill_check(call);
    assert_eq!(hit["target"], 12);
    // The hatchet has a bonus of its own, and no skill; Jory's description says no Armour, and the
    // rules 10.
    let back = table
        .dice([2])
        .skill_check(json!({"character": "Mag", "attack": "hatchet", "target": "Jory"}));
    assert_eq!(
        (&back["target"], &back["outcome"]),
        (&json!(10), &json!("failure"))
    );
}

#[test]
fn skills_after_the_scores_of_a_block_are_skills_that_contain_their_attribute() {
    let mut table = Table::of_rules(Some(RULES));
    let text = "# Gunner\n\n- Hit points: 8\n- Attributes: STR 5; Melee +7, Aim +5\n";
    table
        .manage_character(json!({"action": "import", "text": text, "kind": "npc"}))
        .is_fine();
    let character = table.get_character(json!({"character": "Gunner"}))["character"].clone();
    assert_eq!(
        (&character["skills"]["Melee"], &character["skills"]["Aim"]),
        (&json!(2), &json!(0)),
        "{character}"
    );
}

#[test]
fn armour_that_takes_damage_off_is_a_track_of_a_foe_from_a_block() {
    let rules = RULES.replace("max 10\n", "max 10\n- Armour: subtract {Armour}\n");
    let mut table = Table::of_rules(Some(&rules));
    let text = "# Wolf\n\n- Hit points: 8\n- Armour: 2\n";
    table
        .manage_character(json!({"action": "import", "text": text, "kind": "npc"}))
        .is_fine();
    let hurt = table.apply_damage(json!({"target": "Wolf", "amount": 5}));
    assert_eq!(hurt["tracks"][0]["after"], 5, "{}", hurt.value());
}

const STRIKE: &str = "## Dice\nRoll 1d20 + modifiers.\n\n## Attributes\n- Strength (STR)\n- Armour class (AC)\n- Range: -1 to 30\n- Modifier: `{score}`\n\n\
     ## Skills\n- Arms (STR)\n- Climb (STR)\n\n## Health\n- Hit points: max 40\n- Damage: Hit points\n\n## Combat\n- Initiative: none\n\n## Checks\n\n\
     ### Check\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n\n\
     ### Strike\nSENTENCE\n\n- For: attacks, Arms\n- Roll: `1d20 + {modifier}`\n- Target: {target Armour class}\n\n\
     | Outcome | When | Damage |\n|---|---|---|\n| Deep (critical success) | margin 10+ | twice |\n| Hit (success) | margin 0+ | once |\n| Miss (failure) | otherwise | none |\n\n\
     ### Save\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n\n\
     | Outcome | When | Damage |\n|---|---|---|\n| Saved (success) | margin 0+ | half |\n| Caught (failure) | otherwise | once |\n";

/// Ann before Grice, where a declared check is rolled against a character's armour.
fn duel(sentence: &str) -> Table {
    let rules = format!("# Bronze\n\n{}", STRIKE.replace("SENTENCE", sentence));
    let mut table = Table::of_people(
        &rules,
        &["Ann"],
        json!({"attributes": {"STR": 2, "AC": 12}, "skills": {"Arms": 5}}),
    );
    let text = "# Grice\n\n- Hit points: 40\n- Armour class: 15\n- Attack: hanger +7, damage 1d8+3\n- Attributes: STR 2\n";
    table
        .manage_character(json!({"action": "import", "text": text, "kind": "npc"}))
        .is_fine();
    table
}

#[test]
fn a_declared_check_against_the_number_is_the_one_that_is_made() {
    let mut table = duel("Roll Arms against the Armour class of whoever you name as `target`.");
    let call = json!({"character": "Grice", "attack": "hanger", "target": "Ann"});
    let hit = table.dice([15, 4]).skill_check(call);
    assert_eq!(
        (&hit["check"], &hit["target"], &hit["label"]),
        (&json!("Strike"), &json!(12), &json!("Deep"))
    );
    assert_eq!(hit["damage"]["tracks"][0]["after"], 26, "{}", hit["damage"]);
    let dealt = json!({"character": "Ann", "skill": "Arms", "target": "Grice", "damage": "1d8+3"});
    let hit = table.dice([18, 4]).skill_check(dealt);
    assert_eq!(
        (&hit["check"], &hit["label"]),
        (&json!("Strike"), &json!("Deep"))
    );
    assert_eq!(hit["damage"]["tracks"][0]["after"], 26, "{}", hit["damage"]);
    let plain = json!({"character": "Ann", "skill": "Arms", "target": "Grice"});
    let hit = table.dice([18]).skill_check(plain.clone());
    assert_eq!(
        (&hit["check"], &hit["target"], &hit["label"]),
        (&json!("Strike"), &json!(15), &json!("Deep"))
    );
    let named = json!({"character": "Ann", "check": "Strike", "skill": "Arms", "target": "Grice"});
    let odds = table.call("odds", plain);
    assert_eq!(odds["check"], "Strike");
    assert_eq!(odds["outcomes"], table.call("odds", named)["outcomes"]);
    // What is not a strike stays the first check, and an opponent makes the same one.
    table
        .skill_check(json!({"character": "Ann", "skill": "Climb", "target": "Grice"}))
        .refused("missing_value");
    let climbs = json!({"character": "Ann", "skill": "Climb", "difficulty": 12});
    assert_eq!(table.dice([9]).skill_check(climbs)["check"], "Check");
    // Without a target the difficulty is for its number.
    let nobody = table
        .dice([9])
        .skill_check(json!({"character": "Ann", "skill": "Arms", "difficulty": 12}));
    assert_eq!(
        (&nobody["check"], &nobody["target"]),
        (&json!("Strike"), &json!(12))
    );
}

#[test]
fn an_attack_is_rolled_against_the_number_without_a_sentence_about_it() {
    let mut table = duel("With whatever is in your hand.");
    for call in [
        json!({"character": "Ann", "skill": "Arms", "target": "Grice", "damage": "1d8+3"}),
        json!({"character": "Grice", "attack": "hanger", "target": "Ann"}),
    ] {
        assert_eq!(table.dice([18, 1]).skill_check(call)["check"], "Strike");
    }
}

#[test]
fn an_attack_follows_from_its_rule_as_any_check_does() {
    let mut table = duel("To hit, roll Arms.");
    table
        .dice([7])
        .skill_check(json!({"character": "Ann", "skill": "Climb", "difficulty": 12}))
        .is_fine();
    table
        .dice([9])
        .skill_check(json!({"character": "Ann", "skill": "Arms", "target": "Grice"}))
        .is_fine();
    let verified = table.record().verified(None);
    let notes: Vec<&String> = verified
        .campaigns
        .iter()
        .flat_map(|campaign| &campaign.notes)
        .map(|note| &note.what)
        .collect();
    assert!(verified.is_sound() && notes.is_empty(), "{notes:?}");
}

// Whose number a check is tried against: the target's, or what the rules state for everybody; never
// the attacker's own.

/// Armour is an attribute, Ward a track, Parry a skill with a base; Guard comes with each call.
const TARGET_RULES: &str = "# Blades\n\n## Attributes\n- Strength (STR): hitting\n- Armour (AR): not being hit\n- Range: 3 to 20\n- Modifier: `{score}`\n\n\
     ## Skills\n- Melee (STR): blades\n- Parry (STR, base `5 + {STR}`)\n- Dodge (STR): out of the way\n- Bulk: being hard to move\n\n\
     ## Checks\n\n### Strike\n- Roll: `1d20 + {modifier}`\n- Target: {target Armour}\n\n### Hex\n- Roll: `1d20 + {modifier}`\n- Target: `10 + {target Ward}`\n\n\
     ### Feint\n- Roll: `1d20`\n- Asks: Guard 0 to 30\n- Target: {Guard}\n\n### Slip\n- Roll: `1d20`\n- Target: {target AR score} or less\n\n\
     ### Bind\n- Roll: `1d20 + {modifier}`\n- Target: {target Parry}\n\n### Grab\n- Roll: `1d20 + {modifier}`\n- Target: {target Dodge}\n\n\
     ### Default\n- Roll: `1d20`\n- Target: {target Bulk=7}\n\n## Health\n- Hit points: max 10\n- Ward: max 5, start 0\n- Damage: Hit points\n";

fn target_table(rules: &str) -> Table {
    let mut table = Table::of_people(
        rules,
        &["Ann"],
        json!({"attributes": {"STR": 4, "AR": 9}, "skills": {"Melee": 2}}),
    );
    table.create("Grice", json!({"kind": "npc", "hp": 8}));
    table
}

fn strike(check: &str) -> Value {
    json!({"character": "Ann", "check": check, "skill": "Melee", "target": "Grice"})
}

/// The call that a refusal asks for, with this number for each `…`.
fn advised(summary: &str, number: i64) -> Value {
    let advice = summary
        .split("Send manage_character ")
        .nth(1)
        .unwrap_or_else(|| panic!("{summary}"));
    let mut call = json!({});
    for field in ["action", "character"] {
        let value = advice
            .split(&format!("{field}=\""))
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        call[field] = json!(value.expect("a value"));
    }
    for field in ["attributes", "skills", "tracks"] {
        if let Some(rest) = advice.split(&format!("{field}=")).nth(1) {
            let map = rest
                .split_inclusive('}')
                .next()
                .expect("a map")
                .replace('…', &number.to_string());
            call[field] =
                serde_json::from_str(&map).unwrap_or_else(|error| panic!("{map}: {error}"));
        }
    }
    call
}

#[test]
fn a_target_without_the_number_is_named_with_the_call_that_sets_it_which_then_works() {
    for (check, name, number) in [
        ("Strike", "Armour", 11),
        ("Slip", "AR score", 6),
        // Its base is worked out from an attribute that nobody wrote down.
        ("Bind", "Parry", 13),
        ("Grab", "Dodge", 14),
    ] {
        let mut table = target_table(TARGET_RULES);
        let refused = table.skill_check(strike(check));
        let summary = refused.refusal_text("missing_value").to_owned();
        assert!(
            summary.contains(&format!("the target's {name}, and Grice has none")),
            "{summary}"
        );
        let odds = table.call("odds", strike(check));
        odds.refused_with("missing_value", &["Grice has none"]);
        table.manage_character(advised(&summary, number)).is_fine();
        let rolled = table.dice([10]).skill_check(strike(check));
        assert_eq!(rolled["target"], number, "{check}: {}", rolled["summary"]);
    }
}

#[test]
fn both_lacking_is_the_same_refusal() {
    let mut table = target_table(TARGET_RULES);
    let one = table.skill_check(strike("Strike")).refused("missing_value")["summary"].clone();
    table.create("Bo", json!({"attributes": {"STR": 4}}));
    let both = table.skill_check(with(strike("Strike"), json!({"character": "Bo"})));
    assert_eq!(both.refused("missing_value")["summary"], one);
    let expected = "Strike (System.md:17) is tried against the target's Armour, and Grice has none. Send manage_character action=\"update\" \
     character=\"Grice\" attributes={\"AR\": …}, or difficulty=… for this roll alone. Nothing was rolled.";
    assert_eq!(one, expected);
}

#[test]
fn a_number_that_is_there_or_said_counts_as_before() {
    let mut table = target_table(TARGET_RULES);
    let check = table
        .dice([10])
        .skill_check(with(strike("Strike"), json!({"difficulty": 13})));
    assert_eq!(
        (&check["target"], &check["noted"][0]),
        (&json!(13), &Value::Null),
        "{}",
        check["noted"]
    );
    let parry = table
        .dice([10])
        .skill_check(json!({"character": "Ann", "check": "Feint", "values": {"Guard": 4}}));
    assert_eq!(parry["target"], 4);
    let hexed = table.dice([10]).skill_check(strike("Hex"));
    assert_eq!(hexed["target"], 10, "a track that everybody has");
}

#[test]
fn what_a_formula_states_for_who_has_none_counts() {
    let mut table = target_table(TARGET_RULES);
    let bulk = table.dice([10]).skill_check(strike("Default"));
    assert_eq!(bulk["target"], 7);
    table
        .manage_character(json!({"action": "update", "character": "Grice", "skills": {"Bulk": 9}}))
        .is_fine();
    let bulk = table.dice([10]).skill_check(strike("Default"));
    assert_eq!((&bulk["target"], &bulk["noted"]), (&json!(9), &Value::Null));
}

#[test]
fn an_effect_is_on_the_one_who_is_named_and_not_on_who_acts() {
    for parameter in ["target", "character", "combatant", "on"] {
        let mut table = Table::lockhouse();
        table.manage_character(jory()).is_fine();
        table.start(json!([{"name": "Goblin", "hp": 7, "initiative": 12}, {"name": "Jory", "initiative": 9}]));
        let answer = table
            .manage_combat(json!({"action": "add_effect", "name": "haste", parameter: "Jory"}));
        let summary = answer.is_fine()["summary"]
            .as_str()
            .expect("a summary")
            .to_owned();
        assert!(
            summary.starts_with("haste on Jory"),
            "{parameter}: {summary}"
        );
    }
}

// Advantage is the better die of the very check that is rolled, and of no other die.

/// High is good in one check, low in the next, and the third is on other dice; no bullet says what
/// advantage is.
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

fn mixed_table(rules: &str) -> Table {
    Table::of_people(
        rules,
        &["Ann"],
        json!({"attributes": {"STR": 10}, "skills": {"Open Locks": 30}}),
    )
}

#[test]
fn each_check_on_one_d20_has_its_own_better_die() {
    let mut table = mixed_table(MIXED);
    let attack =
        json!({"check": "Attack", "attribute": "STR", "difficulty": 24, "advantage": true});
    let attack = table.dice([5, 14]).skill_check(attack);
    assert_eq!(
        (&attack["outcome"], &attack["margin"]),
        (&json!("success"), &json!(0))
    );
    let save = table
        .dice([5, 14])
        .skill_check(json!({"check": "Save", "attribute": "STR", "advantage": true}));
    assert_eq!(
        (&save["outcome"], &save["margin"]),
        (&json!("success"), &json!(5))
    );
    assert_eq!(
        save["adjustments"],
        json!(["advantage: 2d20kl1, System.md:16"])
    );
    let worse = table
        .dice([5, 14])
        .skill_check(json!({"check": "Save", "attribute": "STR", "disadvantage": true}));
    assert_eq!(
        (&worse["outcome"], &worse["margin"]),
        (&json!("failure"), &json!(-4))
    );
}

#[test]
fn a_check_on_other_dice_has_no_advantage_that_nobody_declared() {
    let mut table = mixed_table(MIXED);
    for (check, rolls) in [("Thief skill", "rolls 1d100"), ("Feat", "rolls 2d6 + 10")] {
        let call = json!({"check": check, "skill": "Open Locks", "advantage": true});
        let refusal = table
            .skill_check(call)
            .refused("invalid_advantage_usage")
            .clone();
        let summary = refusal["summary"].as_str().expect("text");
        assert!(
            summary.contains(rolls) && summary.contains("Send the check without advantage"),
            "{summary}"
        );
        assert!(
            !summary.contains("2d20kh1"),
            "no advice for other tools: {summary}"
        );
    }
    // What a condition asks for is left to the GM, and does not stop the check.
    table
        .manage_character(
            json!({"action": "add_condition", "name": "Ann", "condition": "Poisoned"}),
        )
        .is_fine();
    let roll = table
        .dice([25])
        .skill_check(json!({"check": "Thief skill", "skill": "Open Locks"}));
    assert_eq!(roll["outcome"], "success");
    assert!(
        roll["adjustments"][0]
            .as_str()
            .expect("text")
            .contains("do not say how to roll"),
        "{}",
        roll["adjustments"]
    );
}

#[test]
fn what_is_declared_is_added_to_every_check() {
    let declared = MIXED.replace(
        "## Skills",
        "## Dice\n- Advantage: +1d4\n- Disadvantage: -2\n\n## Skills",
    );
    let mut table = mixed_table(&declared);
    let save = |mode: &str| json!({"check": "Save", "attribute": "STR", mode: true});
    let better = table.dice([9, 3]).skill_check(save("advantage"));
    assert_eq!(better["roll"]["total"], 12, "{}", better.value());
    let worse = table.dice([9]).skill_check(save("disadvantage"));
    assert_eq!(worse["roll"]["total"], 7, "{}", worse.value());
}
