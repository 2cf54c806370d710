//! What assistants send under other names and in other forms: understood, or pointed to what is
//! taken; never passed over.

use serde_json::{Value, json};

use crate::table::{Table, cases, each, has, text};

const RULES: &str = "# Rules\n\n## Dice\nRoll 1d20 + modifiers.\n\n- Difficulty Fair: 10\n- Difficulty Very hard: 20\n- Difficulty Easy: 5\n- Difficulty Hard: 15\n\n## Attributes\n- Might (0 to 5)\n- Wit (0 to 5)\n\n\
    ## Checks\n\n### Deed\n- Roll: `1d20 + {modifier}`\n- Target: {difficulty}\n\n\
    ## Health\n- Hit points: max 10\n- Damage: Hit points\n- At 0 Hit points: gain Dead\n- Resistance: half\n- Vulnerability: double\n";

fn summary(refusal: &Value) -> &str {
    refusal["summary"].as_str().expect("a summary")
}

fn ana() -> Table {
    Table::of_people(RULES, &["Ana"], json!({"attributes": {"Might": 2}}))
}

#[test]
fn a_difficulty_may_be_a_word_of_the_rules() {
    let mut table = ana();
    for (word, number) in [
        (json!("Fair"), 10),
        (json!("very HARD"), 20),
        (json!("easy"), 5),
        (json!("hard"), 15),
        (json!("very"), 20),
        (json!("12"), 12),
        (json!(13), 13),
    ] {
        let check = table
            .dice([9])
            .skill_check(json!({"attribute": "Might", "difficulty": word}));
        assert_eq!(check["difficulty"], number, "{word}");
        let odds = table.call("odds", json!({"attribute": "Might", "difficulty": word}));
        assert!(
            odds.text("summary")
                .contains(&format!("difficulty {number}")),
            "{}",
            odds.text("summary")
        );
    }
    let check = table
        .dice([9])
        .skill_check(json!({"attribute": "Might", "values": {"difficulty": "hard"}}));
    assert_eq!(check["target"], 15);
    let refusal = table.skill_check(json!({"attribute": "Might", "difficulty": "heroic"}));
    let words = summary(refusal.refused("unknown_difficulty"));
    assert!(
        words.contains("Known: Fair, Very hard, Easy, Hard"),
        "{words}"
    );
    let rules = table.call("get_rules", json!({"name": "hard"}));
    assert_eq!(rules["item"]["number"], 15);
}

#[test]
fn rules_without_words_for_difficulties_say_so() {
    let mut table = Table::of_rules(Some(
        "# R\n\n## Attributes\n- Might (0 to 5)\n\n## Dice\nRoll 1d20 + modifiers.\n",
    ));
    table.create("Ana", json!({"attributes": {"Might": 2}}));
    let refusal = table.skill_check(json!({"attribute": "Might", "difficulty": "hard"}));
    assert!(summary(refusal.refused("unknown_difficulty")).contains("Send difficulty=15"));
}

#[test]
fn a_table_of_difficulties_is_read_too() {
    let mut table = Table::with_party();
    let check = table.dice([9]).skill_check(
        json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": "Very hard"}),
    );
    assert_eq!(check["difficulty"], 18);
    let list = "# R\n\n## Dice\nRoll 1d20 + modifiers.\n\n- Difficulty easy: 8\n- Difficulty fair: 12\n- Difficulty hard: 15\n\n## Attributes\n- Might (0 to 5)\n";
    let mut table = Table::of_people(list, &["Ana"], json!({"attributes": {"Might": 2}}));
    assert_eq!(
        table
            .dice([9])
            .skill_check(json!({"attribute": "Might", "difficulty": "hard"}))["difficulty"],
        15
    );
}

#[test]
fn a_rating_that_a_sheet_leaves_out_is_zero_where_the_range_starts_there() {
    let mut table = ana();
    let sheet = table.get_character(json!({}));
    assert_eq!(sheet["missing"], Value::Null, "{}", sheet.value());
    let check = table
        .dice([9])
        .skill_check(json!({"attribute": "Wit", "difficulty": 5}));
    assert_eq!(check["modifiers"][0]["value"], 0);
    table.create("Blank", json!({}));
    let blank = table.get_character(json!({"character": "Blank"}));
    assert_eq!(
        blank["missing"].as_array().map(Vec::len),
        Some(2),
        "nothing was written down yet"
    );
    let mut table = Table::of_rules(Some(&RULES.replace("Wit (0 to 5)", "Wit (1 to 5)")));
    let made = table
        .manage_character(json!({"action": "create", "name": "Ana", "attributes": {"Might": 2}}));
    assert_eq!(made["missing"], json!(["Wit, 1 to 5"]));
}

#[test]
fn a_companion_has_the_hit_points_that_are_given() {
    let mut table = ana();
    let made = table.manage_character(
        json!({"action": "create", "kind": "companion", "name": "Hound", "hp": 6}),
    );
    assert!(made.text("sheet").contains("6/6"), "{}", made.text("sheet"));
    table
        .manage_character(json!({"action": "update", "character": "Hound", "hp": 8}))
        .is_fine();
    let hound = json!({"name": "Hound", "hp": 9, "initiative": 3});
    let begun = table.manage_combat(
        json!({"action": "start", "combatants": [hound, {"name": "Ana", "initiative": 4}]}),
    );
    assert_eq!(begun["order"][1]["health"], "9/9");
    assert_eq!(begun["order"][1]["side"], "players");
    let refusal = table.manage_character(json!({"action": "update", "character": "Ana", "hp": 9}));
    assert!(summary(refusal.refused("invalid_parameters")).contains("tracks={\"Hit points\""));
}

#[test]
fn what_takes_damage_off_is_added_to_anybody_in_one_way() {
    let mut table = ana();
    let ogre = json!({"action": "create", "kind": "npc", "name": "Ogre", "hp": 20, "tracks": {"Resistance (cold)": 1}});
    table.manage_character(ogre).is_fine();
    let asked = json!({"action": "update", "character": "Ana", "tracks": {"resistance (cold)": 1}});
    table.manage_character(asked).is_fine();
    for target in ["Ogre", "Ana"] {
        let hurt =
            table.apply_damage(json!({"target": target, "amount": 6, "damage_type": "cold"}));
        let track = &hurt["tracks"][0];
        assert_eq!(
            track["before"].as_i64().unwrap() - track["after"].as_i64().unwrap(),
            3,
            "{target}"
        );
    }
    for (sent, words) in [
        (
            json!({"tracks": {"Immunity (fire)": 1}}),
            "\"Resistance (cold)\", \"Vulnerability (cold)\"",
        ),
        (
            json!({"tracks": {"Resistence (fire)": 1}}),
            "\"Resistance (cold)\"",
        ),
        (
            json!({"resistances": ["cold"]}),
            "tracks={\"Resistance (cold)\": 1}",
        ),
    ] {
        let call = crate::table::with(json!({"action": "update", "character": "Ana"}), sent);
        let refusal = table.manage_character(call);
        assert!(
            summary(refusal.refused("invalid_parameters")).contains(words),
            "{}",
            refusal.value()
        );
    }
}

#[test]
fn a_page_is_found_by_the_beginning_of_its_heading_and_makes_who_is_there() {
    let mut table = Table::lockhouse();
    let made = table.manage_character(json!({"action": "create", "from": "Characters.md#Sabeth"}));
    assert_eq!(made["character"], "Sabeth Quoin");
    let sheet = table.get_character(json!({"character": "Sabeth"}));
    assert_eq!(sheet["character"]["kind"], "player");
    assert_eq!(sheet["character"]["skills"]["Lockpicking"], 3);
    assert_eq!(sheet["character"]["tracks"][0]["max"], 13);
    assert_eq!(sheet["missing"], Value::Null);
    table
        .manage_character(json!({"action": "create", "from": "Foes.md#Mag"}))
        .is_fine();
    assert_eq!(
        table.get_character(json!({"character": "Mag"}))["character"]["kind"],
        "npc"
    );
    table
        .manage_character(json!({"action": "create", "from": "Foes.md#Wreck"}))
        .refused("which_entry");
    table
        .manage_character(json!({"action": "create", "from": "Characters.md#Jory", "name": "Jory"}))
        .is_fine();
    assert_eq!(
        table.get_character(json!({"character": "Jory"}))["character"]["name"],
        "Jory"
    );
}

#[test]
fn names_of_parameters_in_camel_case_and_their_synonyms_are_understood() {
    let mut table = Table::with_party();
    let start = json!({"action": "start", "combatants": [
        {"name": "Rat", "hitPoints": 3, "initiativeRoll": 4, "isHidden": false}, {"name": "Jory", "initiative": 9}]});
    let begun = table.manage_combat(start);
    assert_eq!(begun["order"][1]["initiative"], 4);
    let turned = table.manage_combat(json!({"action": "nextTurn"}));
    assert_eq!(turned["current"], "Rat");
    let hurt = table
        .apply_damage(json!({"character": "Rat", "damage": 2, "damageType": "cold", "applyConditions": ["dazed"]}));
    assert_eq!(
        (&hurt["target"], &hurt["conditions"]),
        (&json!("Rat"), &json!(["dazed"]))
    );
    let check = table
        .dice([9])
        .skill_check(json!({"character": "Jory", "skillName": "Melee", "DC": 10, "bonus": "+2"}));
    assert_eq!(
        (&check["difficulty"], &check["modifier"]),
        (&json!(10), &json!(7))
    );
    let twice = table
        .skill_check(json!({"character": "Jory", "skill": "Melee", "difficulty": 10, "dc": 12}));
    assert!(
        summary(twice.refused("invalid_parameters"))
            .contains("dc: means difficulty, which is sent, too")
    );
    let enemy = table.manage_combat(
        json!({"action": "add", "combatants": [{"name": "Bat", "hp": 2, "isEnemy": true}]}),
    );
    assert!(
        summary(enemy.refused("invalid_parameters")).contains("side=\"players\" or side=\"foes\"")
    );
    for (action, words) in [
        ("delete", "action=\"retire\""),
        ("remove", "action=\"retire\""),
    ] {
        let refusal = table.manage_character(json!({"action": action, "character": "Jory"}));
        assert!(summary(refusal.refused("invalid_parameters")).contains(words));
    }
}

#[test]
fn a_refusal_names_the_parameter_that_was_sent() {
    let mut table = Table::with_party();
    for [tool, call, words] in cases(json!([
        ["apply_damage", {"target": "Jorry", "amount": 1}, "Send target=\"Jory\""],
        ["apply_damage", {"character": "Jorry", "amount": 1}, "Send character=\"Jory\""],
        ["manage_character", {"action": "update", "target": "Jorry", "level": 2}, "Send target=\"Jory\""],
        ["skill_check", {"character": "Jory", "skill": "Melee", "target": "Sabet", "difficulty": 3},
         "Send target=\"Sabeth\""],
        ["skill_check", {"character": "Jory", "skill": "Melee", "opposed_by": {"character": "Sabet"}},
         "Send opposed_by.character=\"Sabeth\""],
        ["skill_check", {"character": "Jory", "skill_name": "Mele", "difficulty": 3}, "Send skill_name=\"Melee\""],
    ])) {
        let refusal = table.call(text(&tool), call.clone());
        assert!(
            refusal.is_refused() && summary(refusal.value()).contains(text(&words)),
            "{call}: {}",
            refusal.value()
        );
    }
}

#[test]
fn the_last_roll_decides_the_amount_where_it_is_one() {
    let mut table = Table::with_party();
    table
        .apply_damage(json!({"target": "Jory", "roll": "last"}))
        .refused("unknown_entry");
    let rolled = table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .number("log");
    let hurt = table.apply_damage(json!({"target": "Jory", "roll": "last"}));
    assert_eq!(hurt["amount"], 4);
    assert_eq!(
        table.record().bodies().last().expect("an entry")["event"]["roll"],
        json!(rolled)
    );
    table
        .dice([9])
        .skill_check(json!({"character": "Jory", "skill": "Melee", "difficulty": 9}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Jory", "roll": "last"}))
        .refused("invalid_parameters");
    let wrong = table.apply_damage(json!({"target": "Jory", "roll": "the damage"}));
    assert!(summary(wrong.refused("invalid_parameters")).contains("Send roll=\"last\""));
}

#[test]
fn a_defence_that_the_rules_do_not_know_is_not_pointed_to_as_a_track() {
    let mut table = Table::with_party();
    for sent in ["resistances", "Resistance", "vulnerabilities", "immunities"] {
        let call = json!({"action": "update", "character": "Jory", sent: ["cold"]});
        let refusal = table.manage_character(call);
        let words = summary(refusal.refused("invalid_parameters"));
        has(
            words,
            &["valid: notes, since these rules have nothing of the kind"],
        );
        assert!(!words.contains("tracks"), "{words}");
    }
    table
        .manage_character(
            json!({"action": "update", "character": "Jory", "notes": "Resistant to cold"}),
        )
        .is_fine();
    // The rules of Ana have resistance and vulnerability, and no immunity.
    let mut table = ana();
    for (sent, words) in [
        ("vulnerabilities", "tracks={\"Vulnerability (cold)\": 1}"),
        ("immunities", "notes, since these rules"),
    ] {
        let refusal =
            table.manage_character(json!({"action": "update", "character": "Ana", sent: ["cold"]}));
        assert!(
            summary(refusal.refused("invalid_parameters")).contains(words),
            "{}",
            refusal.value()
        );
    }
}

#[test]
fn what_a_check_asks_for_goes_as_far_as_it_says() {
    let rules = "# Rules\n\n## Checks\n\n### Act\n- Roll: `{pool}d6kh1`\n- Asks: pool 1 to 10, difficulty 2 to 6\n- Target: `{difficulty}`\n";
    let mut table = Table::of_rules(Some(rules));
    let refusal = table.skill_check(json!({"check": "Act", "difficulty": 4}));
    assert!(
        summary(refusal.refused("missing_value")).contains("Send values={\"pool\": …} (1 to 10)."),
        "{refusal:?}"
    );
    for (call, words) in [
        (
            json!({"difficulty": 4, "values": {"pool": 11}}),
            "pool is 11; Act asks for pool 1 to 10 (System.md:7).",
        ),
        (
            json!({"difficulty": 9, "values": {"pool": 2}}),
            "difficulty is 9; Act asks for difficulty 2 to 6",
        ),
    ] {
        for tool in ["skill_check", "odds"] {
            let mut call = call.clone();
            call["check"] = json!("Act");
            let refusal = table.call(tool, call);
            let refusal = refusal.refused("invalid_parameters");
            assert!(summary(refusal).contains(words), "{tool}: {refusal}");
            assert_eq!(refusal["source"], "System.md:7");
        }
    }
    let done = table
        .dice([3, 5])
        .skill_check(json!({"check": "Act", "difficulty": 4, "values": {"pool": 2}}));
    assert_eq!(done["outcome"], "success");
}

/// Where degrees of success are rows, a difficulty may be the row that must be reached.
#[test]
fn a_difficulty_may_be_a_row_that_must_be_reached() {
    const DEGREES: &str = "# Cases\n\n## Dice\n- Difficulty Hard: Hard success\n- Difficulty Extreme: Extreme success\n\n## Skills\n- Spot\n- Range: 0 to 100\n\n\
        ## Checks\n\n### Try\n- Roll: `d%`\n- Target: {skill} or less\n\n\
        | Outcome | When |\n|---|---|\n| Extreme success (success) | `total <= target / 5` |\n| Hard success (success) | `total <= target / 2` |\n\
        | Success | margin 0+ |\n| Failure | otherwise |\n\n### Luck\n- Roll: `d%`\n- Target: 50 or less\n";
    let mut table = Table::of_people(DEGREES, &["Ana"], json!({"skills": {"Spot": 60}}));
    let spot = |difficulty: Value| json!({"character": "Ana", "check": "Try", "skill": "Spot", "difficulty": difficulty});
    for (face, word, label, outcome) in [
        (12, "Hard", "Extreme success", "success"),
        (30, "hard", "Hard success", "success"),
        (31, "Hard", "Failure", "failure"),
        (30, "Extreme", "Failure", "failure"),
        (61, "Hard", "Failure", "failure"),
    ] {
        let check = table.dice([face]).skill_check(spot(json!(word)));
        assert_eq!(
            (&check["label"], &check["outcome"]),
            (&json!(label), &json!(outcome)),
            "{face} {word}"
        );
    }
    let short = table.dice([31]).skill_check(spot(json!("Hard")));
    assert!(
        short
            .value()
            .to_string()
            .contains("Hard success had to be reached: Success is none"),
        "{}",
        short.value()
    );
    let odds = table.call("odds", spot(json!("Hard")));
    let chance = |label: &str| {
        let rows = each(&odds["outcomes"])
            .find(|row| row["label"] == label)
            .cloned();
        rows.map(|row| row["percent"].clone())
    };
    assert_eq!(
        (chance("Extreme success"), chance("Hard success")),
        (Some(json!("12.0000")), Some(json!("18.0000")))
    );
    assert_eq!(
        (chance("Success"), chance("Failure")),
        (None, Some(json!("70.0000")))
    );
    let luck =
        table.skill_check(json!({"character": "Ana", "check": "Luck", "difficulty": "Hard"}));
    assert!(
        summary(luck.refused("no_effect")).contains("has no such row"),
        "{:?}",
        luck.value()
    );
    let in_values = json!({"character": "Ana", "check": "Try", "skill": "Spot", "values": {"difficulty": "Hard"}});
    assert!(
        summary(table.skill_check(in_values).refused("invalid_parameters"))
            .contains("Send difficulty=\"Hard\"")
    );
    table.record().is_sound();
    let unknown = DEGREES.replace("Hard: Hard success", "Hard: Uncanny success");
    let reading = rollbook_rules::read(vec![rollbook_text::diagnostic::SourceFile::new(
        "System.md",
        unknown.as_str(),
    )]);
    let expected = ["document/not-understood"];
    assert_eq!(
        reading
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code)
            .collect::<Vec<_>>(),
        expected
    );
}

/// Two attributes that the call chooses, what a track holds at most, and a condition's level, in
/// one roll.
#[test]
fn a_call_names_attributes_and_a_roll_asks_for_maxima_and_conditions() {
    const TWO: &str = "# Two\n\n## Attributes\n- Might (MIG)\n- Wits (WIT)\n- Range: 0 to 5\n\n## Checks\n\n### Both\n- Asks: first from Attributes, second from Attributes\n\
        - Roll: `1d6 + {first} + {second} + {Hit points max} - {Shaken}`\n- Target: 10\n\n\
        ## Conditions\n- Shaken (1-3)\n- Hidden\n\n## Health\n- Hit points: max 4\n- Damage: Hit points\n";
    let mut table = Table::of_people(TWO, &["Ana"], json!({"attributes": {"MIG": 3, "WIT": 1}}));
    let both =
        |first: &str| json!({"character": "Ana", "values": {"first": first, "second": "Wits"}});
    let check = table.dice([2]).skill_check(both("Might"));
    assert_eq!(
        (&check["roll"]["total"], &check["outcome"]),
        (&json!(10), &json!("success")),
        "{}",
        check.value()
    );
    let used = check["modifiers"].to_string();
    assert!(
        used.contains("Might: score 3") && used.contains("Ana is not shaken"),
        "{used}"
    );
    let odds = table.call("odds", both("mig"));
    assert_eq!(odds["outcomes"][0]["fraction"], "5/6", "{}", odds.value());
    table
        .manage_character(
            json!({"action": "add_condition", "character": "Ana", "condition": "Shaken 2"}),
        )
        .is_fine();
    assert_eq!(
        table.dice([2]).skill_check(both("Might"))["roll"]["total"],
        8
    );
    let wrong = table.skill_check(both("Mihgt"));
    assert!(
        summary(wrong.refused("unknown_attribute")).contains("Might"),
        "{:?}",
        wrong.value()
    );
    let missing = table.skill_check(json!({"character": "Ana", "values": {"first": "Might"}}));
    assert!(
        summary(missing.refused("missing_value")).contains("values={\"second\": …} (an attribute)"),
        "{:?}",
        missing.value()
    );
    table.record().is_sound();
    let verified = table.record().verified(None);
    let notes: Vec<&String> = verified
        .campaigns
        .iter()
        .flat_map(|campaign| &campaign.notes)
        .map(|note| &note.what)
        .collect();
    assert!(verified.is_sound() && notes.is_empty(), "{notes:?}");
}
