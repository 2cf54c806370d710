//! What is taken off damage before it reaches a character, and how a wound is reported.

use serde_json::json;

use crate::table::{Answer, Table, cases, text, with};

/// What is taken off damage before it reaches anybody, in the order of the rules, on the Long Pour.
fn tam(tracks: serde_json::Value) -> Table {
    let mut table = Table::shipped("long-pour");
    let scores = json!({"STR": 0, "DEX": 3, "CON": 1, "INT": 1, "WIS": 2, "CHA": 2});
    table.create("Tam", json!({"attributes": scores, "tracks": tracks}));
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
    assert_eq!(
        table.record().bodies().pop().expect("an entry")["event"]["steps"],
        steps
    );
    let expected = "Tam takes 5 Cold damage (11 before Resistance (cold, fire)): Temporary hit points 3 to 0, Hit points 17 to 15/17.";
    assert_eq!(cold["summary"], expected);
    let sharp =
        table.apply_damage(json!({"target": "Tam", "amount": 5, "damage_type": "slashing"}));
    assert_eq!(
        sharp["steps"],
        json!([{"step": "Hit points", "before": 15, "after": 10}])
    );
}

#[test]
fn what_is_immune_and_vulnerable_comes_in_the_order_written() {
    let mut table = tam(json!({"Vulnerability": 1, "Immunity (poison)": 1}));
    let poison = table.apply_damage(json!({"target": "Tam", "amount": 4, "damage_type": "poison"}));
    let expected = json!([
        {"step": "Vulnerability: double", "before": 4, "after": 8},
        {"step": "Immunity (poison): no damage", "before": 8, "after": 0},
        {"step": "Hit points", "before": 17, "after": 17},
    ]);
    assert_eq!(poison["steps"], expected);
    assert_eq!(
        (&poison["conditions"], &poison["incapacitated"]),
        (&json!([]), &json!(false))
    );
    let spent = table.apply_damage(json!({"target": "Tam", "track": "Dying", "amount": 1}));
    assert_eq!(
        spent["tracks"][0]["after"], 1,
        "what is not health is not hit, so nothing helps it"
    );
}

#[test]
fn of_two_grants_the_larger_stays() {
    let mut table = tam(json!({}));
    let grant = |table: &mut Table, amount: i64| {
        let granted = table.apply_damage(
            json!({"target": "Tam", "track": "Temporary hit points", "amount": -amount}),
        );
        granted["tracks"][0]["after"].as_i64().expect("points")
    };
    assert_eq!(
        (
            grant(&mut table, 5),
            grant(&mut table, 3),
            grant(&mut table, 8)
        ),
        (5, 5, 8)
    );
    let hit = table.apply_damage(json!({"target": "Tam", "amount": 10}));
    assert_eq!(
        hit["tracks"][0],
        json!({"name": "Temporary hit points", "before": 8, "after": 0})
    );
    assert_eq!(
        hit["tracks"][1],
        json!({"name": "Hit points", "before": 17, "after": 15, "max": 17})
    );
}

#[test]
fn each_type_of_dice_meets_its_defence_however_it_is_written() {
    let expected =
        "Tam takes 5 damage (5 slashing, 3 fire before Immunity (fire)): Hit points 17 to 12/17.";
    let labelled = "1d8[slashing] + 1d6[fire]";
    let rolled = |table: &mut Table| {
        table
            .dice([5, 3])
            .roll_dice(json!({"expression": labelled}))["log"]
            .clone()
    };
    let attack = json!({"name": "Brand", "bonus": 20, "damage": "1d8 slashing plus 1d6 fire"});
    let marked = json!({"name": "Mark", "bonus": 20, "damage": labelled});
    for way in 0..5 {
        let mut table = tam(json!({"Immunity (fire)": 1}));
        table.create("Ann", json!({"attacks": [attack, marked]}));
        let sent = match way {
            0 => json!({"amount": "1d8 slashing plus 1d6 fire"}),
            1 => json!({"amount": labelled}),
            2 => json!({"roll": rolled(&mut table)}),
            _ => json!({}),
        };
        let hit = match way {
            3 | 4 => {
                let attack = if way == 3 { "Brand" } else { "Mark" };
                let call = json!({"character": "Ann", "attack": attack, "target": "Tam", "difficulty": 25});
                table.dice([10, 5, 3]).skill_check(call)["damage"].clone()
            }
            _ => {
                let faces: &[i64] = if way < 2 { &[5, 3] } else { &[] };
                let hit = with(sent, json!({"target": "Tam"}));
                let dice = table.dice(faces.iter().copied());
                dice.apply_damage(hit).value().clone()
            }
        };
        assert_eq!(hit["tracks"][0]["after"], 12, "{way}: {hit}");
        let event = table.record().bodies().pop().expect("an entry")["event"].clone();
        assert_eq!(
            event["parts"],
            json!([{"amount": 5, "damage_type": "slashing"}, {"amount": 3, "damage_type": "fire"}]),
            "{way}"
        );
        if way < 3 {
            assert_eq!(
                hit["summary"].as_str().map(|text| text.ends_with(expected)),
                Some(true),
                "{hit}"
            );
        }
    }
}

#[test]
fn an_amount_whose_types_are_open_is_asked_about_before_a_die_falls() {
    let mut table = tam(json!({"Immunity (fire)": 1, "Resistance (slashing)": 1}));
    for (amount, says) in [
        (
            "1d8[slashing] + 1d6[fire] + 3",
            "\"3[slashing]\" or \"3[fire]\"",
        ),
        ("2 * (1d8[slashing] + 1d6[fire])", "is of several types"),
        (
            "1d8[slashing] + 1d6[fier]",
            "Send amount=\"1d8[slashing] + 1d6[fire]\"",
        ),
        (
            "1d8 slashing plus 1d6 fier",
            "Send amount=\"1d8[slashing] + 1d6[fire]\"",
        ),
        (
            "1d8 psychic plus 1d6 radiant",
            "Send amount=\"1d8[psychic] + 1d6[radiant]\"",
        ),
        ("1d8[slashing] - 1d6[fire]", "taken from nothing"),
    ] {
        let refused = table.apply_damage(json!({"target": "Tam", "amount": amount}));
        refused.refused_with("invalid_parameters", &[says]);
    }
    let both = json!({"target": "Tam", "amount": "1d6[fire]", "damage_type": "slashing"});
    table
        .apply_damage(both)
        .refused_with("invalid_parameters", &["one of the two"]);
    // What the refusals say to send is done: a number belongs to the dice before it.
    let told = table
        .dice([4, 6])
        .apply_damage(json!({"target": "Tam", "amount": "1d8[slashing] + 2 + 1d6[fire]"}));
    assert_eq!(told["tracks"][0]["after"], 14, "{}", told.value());
    let new = table
        .dice([1, 2])
        .apply_damage(json!({"target": "Tam", "amount": "1d8[psychic] + 1d6[radiant]"}));
    assert!(
        new.text("summary")
            .contains("3 damage (1 psychic, 2 radiant)"),
        "{}",
        new.value()
    );
}

#[test]
fn dice_that_heal_heal() {
    let mut table = tam(json!({}));
    table
        .apply_damage(json!({"target": "Tam", "amount": 12}))
        .is_fine();
    for (sent, after) in [
        (json!({"amount": "-1d4"}), 8),
        (json!({"amount": "−(1d4+1)"}), 12),
        (json!({"heal": "1d4"}), 15),
        (json!({"healing": "1d4"}), 17),
    ] {
        let healed = table
            .dice([3])
            .apply_damage(with(sent, json!({"target": "Tam"})));
        assert_eq!(healed["tracks"][0]["after"], after, "{}", healed.value());
    }
    table
        .apply_damage(json!({"target": "Tam", "amount": "9"}))
        .is_fine();
    table
        .dice([2])
        .roll_dice(json!({"expression": "-1d4"}))
        .is_fine();
    let last = table.apply_damage(json!({"target": "Tam", "roll": "last"}));
    assert_eq!(last["tracks"][0]["after"], 10, "{}", last.value());
    let hit = table
        .dice([1])
        .apply_damage(json!({"target": "Tam", "amount": "1d4-2"}));
    assert_eq!(
        hit["tracks"][0]["after"],
        10,
        "a weak hit heals nobody: {}",
        hit.value()
    );
    for wrong in [
        json!({"heal": 0}),
        json!({"heal": -3}),
        json!({"heal": "-1d4"}),
        json!({"heal": 3, "amount": 2}),
    ] {
        table
            .apply_damage(with(wrong, json!({"target": "Tam"})))
            .refused("invalid_parameters");
    }
}

#[test]
fn a_hit_of_several_kinds_is_taken_off_by_kind_and_falls_as_one() {
    let mut table = tam(json!({"Resistance (cold)": 1, "Vulnerability (fire)": 1}));
    let parts =
        json!([{"amount": 6, "damage_type": "slashing"}, {"amount": 5, "damage_type": "Cold"}]);
    let hit = table.apply_damage(json!({"target": "Tam", "parts": parts}));
    let expected = json!([
        {"step": "Resistance (cold): half, rounded down", "before": 11, "after": 8},
        {"step": "Hit points", "before": 17, "after": 9},
    ]);
    assert_eq!(hit["steps"], expected);
    assert_eq!(
        (&hit["amount"], &hit["summary"]),
        (
            &json!(11),
            &json!(
                "Tam takes 8 damage (6 slashing, 5 Cold before Resistance (cold)): Hit points 17 to 9/17."
            )
        )
    );
    assert_eq!(
        table.record().bodies().pop().expect("an entry")["event"]["parts"],
        parts
    );
    // What is passed by takes nothing off; the rest stays in its place.
    let fire = json!([{"amount": 1, "damage_type": "fire"}, {"amount": 2, "damage_type": "cold"}]);
    let through =
        table.apply_damage(json!({"target": "Tam", "parts": fire, "bypass": ["resistance"]}));
    let expected = json!([
        {"step": "Vulnerability (fire): double", "before": 3, "after": 4},
        {"step": "Hit points", "before": 9, "after": 5},
    ]);
    assert_eq!(through["steps"], expected);
    let unknown =
        table.apply_damage(json!({"target": "Tam", "amount": 1, "bypass": ["Resistence"]}));
    assert_eq!(
        unknown.refused("unknown_mitigation")["did_you_mean"],
        json!(["Resistance"])
    );
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
}

#[test]
fn a_resistance_named_by_its_type_is_against_that_type_alone() {
    let rules = |rule: &str| {
        format!(
            "# T\n\n## Attributes\n- Body\n\n## Checks\n### Try\n- Roll: `1d6`\n\n## Health\n- Hits: max 20\n- Damage: Hits\n\
             - Damage types: fire, cold, acid\n{rule}"
        )
    };
    let left = |mitigation: &str, tracks: serde_json::Value, damage: serde_json::Value| {
        let mut table = Table::of_people(&rules(mitigation), &["Tam"], json!({"tracks": tracks}));
        let done = table.apply_damage(json!({"target": "Tam", "amount": 8, "damage_type": damage}));
        done["tracks"][0]["after"].as_i64().expect("a number")
    };
    let (half, of_fire) = (
        "- Resistance: half\n",
        "- Fire resistance: half from fire\n",
    );
    let both = format!("{half}- Fire resistance: subtract {{Fire resistance}} from fire\n");
    for (mitigation, track, takes) in [
        // Of fire, of cold, of damage without a type.
        (half, "Resistance (fire)", [4, 8, 8]),
        (half, "resistance (fire, acid)", [4, 8, 8]),
        (half, "Resistance", [4, 4, 4]),
        (of_fire, "Fire resistance", [4, 8, 8]),
        // Its own rule is meant, not the other.
        (both.as_str(), "Fire resistance", [7, 8, 8]),
    ] {
        let found = [json!("fire"), json!("cold"), json!(null)]
            .map(|kind| 20 - left(mitigation, json!({track: 1}), kind));
        assert_eq!(found, takes, "{mitigation}{track}");
    }
    // What the rules have for fire alone is nothing against cold.
    let mut table = Table::of_rules(Some(&rules(of_fire)));
    let refused = table.manage_character(
        json!({"action": "create", "name": "Ann", "tracks": {"Cold resistance": 1}}),
    );
    refused.refused_with(
        "invalid_parameters",
        &["tracks.Cold resistance", "\"Fire resistance\""],
    );
}

#[test]
fn numbers_of_the_rules_types_that_are_let_through_and_the_least_that_gets_through_count() {
    let rules = |rule: &str| {
        format!(
            "# T\n\n## Attributes\n- Endurance (END)\n\n## Checks\n### Try\n- Roll: `1d6`\n\n## Health\n- Hits: max 20\n- Damage: Hits\n\
             - Damage types: fire, cold\n- {rule}\n"
        )
    };
    let takes = |rule: &str, tracks: serde_json::Value, amount: i64, damage: serde_json::Value| {
        let mut table = Table::of_people(
            &rules(rule),
            &["Tam"],
            json!({"attributes": {"END": 3}, "tracks": tracks}),
        );
        let done =
            table.apply_damage(json!({"target": "Tam", "amount": amount, "damage_type": damage}));
        20 - done["tracks"][0]["after"].as_i64().expect("a number")
    };
    for (rule, tracks, amount, damage, taken) in [
        // What is for all is everybody's.
        (
            "Toughness: subtract {END} for all",
            json!({}),
            8,
            json!(null),
            5,
        ),
        (
            "Toughness: subtract `floor({END} / 2)` for all",
            json!({}),
            8,
            json!(null),
            7,
        ),
        // Another is that of who has it on the sheet.
        (
            "Toughness: subtract {Toughness}",
            json!({"Toughness": 6}),
            8,
            json!(null),
            2,
        ),
        ("Leather coat: subtract 2", json!({}), 8, json!(null), 8),
        (
            "Leather coat: subtract 2",
            json!({"Leather coat": 1}),
            8,
            json!(null),
            6,
        ),
        (
            "Armour: subtract {Armour} except fire",
            json!({"Armour": 3}),
            8,
            json!("cold"),
            5,
        ),
        (
            "Armour: subtract {Armour} except fire",
            json!({"Armour": 3}),
            8,
            json!("Fire"),
            8,
        ),
        (
            "Armour: subtract {Armour}, at least 1 gets through",
            json!({"Armour": 9}),
            8,
            json!(null),
            1,
        ),
        (
            "Armour: subtract {Armour}, at least 2 gets through",
            json!({"Armour": 9}),
            1,
            json!(null),
            1,
        ),
        (
            "Armour: subtract {Armour}",
            json!({"Armour": 9}),
            8,
            json!(null),
            0,
        ),
        (
            "Threshold: ignore under 6 for all",
            json!({}),
            5,
            json!(null),
            0,
        ),
        (
            "Threshold: ignore under 6 for all",
            json!({}),
            6,
            json!(null),
            6,
        ),
        (
            "Threshold: ignore under 5 for all",
            json!({}),
            5,
            json!(null),
            5,
        ),
    ] {
        assert_eq!(
            takes(rule, tracks.clone(), amount, damage.clone()),
            taken,
            "{rule}, {tracks}, {amount} {damage}"
        );
    }
}

#[test]
fn a_type_of_damage_is_multiplied_after_armour_and_half_the_maximum_is_a_bound() {
    let mut table = Table::of_rules(Some(
        "# Steel\n\n## Checks\n### Test\n- Roll: `1d20`\n- Target: `10`\n\n## Health\n- Hit points: max 20\n- Damage: Hit points\n\
         - Damage types: impaling, cutting, fire\n- Armour: subtract {Armour}\n- Impaling: double from impaling for all\n\
         - Cutting: times `3 / 2` from cutting for all\n- At `{Hit points max} / 2` Hit points: gain bloodied\n\
         - At 0 Hit points: gain Dead\n\n## Conditions\n- bloodied\n",
    ));
    for (name, tracks) in [("Ann", json!({"Armour": 2})), ("Bo", json!({}))] {
        table
            .manage_character(json!({"action": "create", "name": name, "tracks": tracks}))
            .is_fine();
    }
    let stabbed =
        table.apply_damage(json!({"target": "Ann", "amount": 5, "damage_type": "impaling"}));
    let expected = json!([
        {"step": "Armour: 2", "before": 5, "after": 3},
        {"step": "Impaling: double", "before": 3, "after": 6},
        {"step": "Hit points", "before": 20, "after": 14},
    ]);
    assert_eq!(stabbed["steps"], expected);
    assert_eq!(stabbed["conditions"], json!([]));
    let burnt = table.apply_damage(json!({"target": "Ann", "amount": 5, "damage_type": "fire"}));
    assert_eq!(
        (&burnt["tracks"][0]["after"], &burnt["conditions"]),
        (&json!(11), &json!([]))
    );
    let cut = table.apply_damage(json!({"target": "Bo", "amount": 7, "damage_type": "cutting"}));
    assert_eq!(
        (&cut["tracks"][0]["after"], &cut["conditions"]),
        (&json!(10), &json!(["bloodied"])),
        "{cut:?}"
    );
    let healed = table.apply_damage(json!({"target": "Bo", "amount": -1}));
    assert_eq!(
        (&healed["tracks"][0]["after"], &healed["conditions"]),
        (&json!(11), &json!([])),
        "{healed:?}"
    );
}

/// How a wound is reported: what reached a character, and why it was less; never more than
/// happened.
const WOUND_RULES: &str = "# Told\n\n## Attributes\n- Body\n- Range: 1 to 9\n\n## Skills\n- Bulk (Body)\n\n## Health\n\
    - Hit points: max 10\n- Fate points: from 0 to 5, start 3\n- Temporary hit points: from 0, keeps larger\n- Damage: Temporary hit points, Hit points\n\
    - Resistance: half\n- Immunity: none\n- At 0 Hit points: gain down\n- Long rest: Hit points to max\n\
    \n## Conditions\n- Rattled: -1 on checks\n- Weak (2-4): -{Weak} on Body\n- down\n";

fn wounded_ann() -> Table {
    let mut table = Table::of_people(WOUND_RULES, &["Ann"], json!({"attributes": {"Body": 4}}));
    let tracks = json!({"Resistance (cold)": 1, "Immunity (poison)": 1});
    table
        .manage_character(json!({"action": "update", "character": "Ann", "tracks": tracks}))
        .is_fine();
    table
}

fn wound(table: &mut Table, amount: i64, more: serde_json::Value) -> Answer {
    let call = with(json!({"target": "Ann", "amount": amount}), more);
    table.apply_damage(call)
}

#[test]
fn what_was_taken_off_is_reported_and_what_changed_nothing_too() {
    let mut table = wounded_ann();
    for [amount, more, expected] in cases(json!([
        [7, {"damage_type": "cold"}, "Ann takes 3 cold damage (7 before Resistance (cold)): Hit points 10 to 7/10."],
        [5, {"half": true, "reason": "a spark"}, "Ann takes 2 damage (5 before half) (a spark): Hit points 7 to 5/10."],
        [9, {"damage_type": "poison"}, "9 poison damage (0 after Immunity (poison)) changes nothing for Ann."],
        [-4, {}, "Ann recovers 4: Hit points 5 to 9/10."],
        [-9, {"half": true}, "Ann recovers 1 (9 before half and the maximum): Hit points 9 to 10/10."],
        [-3, {}, "3 healing changes nothing for Ann."],
        [1, {"track": "Fate points"}, "Ann: Fate points 3 to 2/5."],
        [-6, {"track": "Temporary hit points"}, "Ann: Temporary hit points 0 to 6."],
        [-4, {"track": "Temporary hit points"}, "4 healing changes nothing for Ann."],
        [40, {}, "Ann takes 40 damage: Temporary hit points 6 to 0, Hit points 10 to 0/10; now down."],
        [4, {}, "4 damage changes nothing for Ann."],
    ])) {
        let (amount, expected) = (amount.as_i64().expect("a number"), text(&expected));
        let mut before = more.clone();
        before["preview"] = json!(true);
        let foretold = wound(&mut table, amount, before)["summary"]
            .as_str()
            .expect("a sentence")
            .to_owned();
        let answer = wound(&mut table, amount, more);
        assert_eq!(
            (&answer["summary"], &answer["player_text"]),
            (&json!(expected), &json!(expected))
        );
        let mut parts: Vec<&str> = expected
            .trim_end_matches('.')
            .split([':', ',', ';'])
            .map(str::trim)
            .collect();
        parts.retain(|part| !foretold.contains(part));
        assert_eq!(parts, Vec::<&str>::new(), "foretold: {foretold}");
        assert!(
            foretold.starts_with("It would be: ") && foretold.ends_with(" Nothing was changed."),
            "{foretold}"
        );
    }
}

#[test]
fn players_hear_that_a_foe_is_none_the_worse_and_no_figure() {
    let mut table = wounded_ann();
    table.start(
        json!([{"name": "Ann", "initiative": 2}, {"name": "Rat", "hp": 6, "initiative": 1}]),
    );
    let tracks = json!({"Immunity (poison)": 1, "Resistance": 1});
    table
        .manage_character(json!({"action": "update", "character": "Rat", "tracks": tracks}))
        .is_fine();
    let bitten = table.apply_damage(json!({"target": "Rat", "amount": 4, "damage_type": "poison"}));
    let expected =
        "4 poison damage (0 after Resistance and Immunity (poison)) changes nothing for Rat.";
    assert_eq!(bitten["summary"], expected);
    assert_eq!(
        bitten["player_text"],
        "Poison damage changes nothing for Rat."
    );
    let call = json!({"target": "Rat", "amount": 4});
    assert_eq!(
        table.apply_damage(call)["player_text"],
        "Rat takes damage and is hurt."
    );
}

#[test]
fn a_condition_that_is_there_is_not_caused_again() {
    let mut table = wounded_ann();
    table
        .apply_damage(json!({"target": "Ann", "apply_conditions": ["rattled"]}))
        .is_fine();
    let again = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Rattled"]}));
    let summary = again.refusal_text("no_effect");
    assert!(summary.starts_with("Ann is Rattled already"), "{summary}");
    let hit =
        table.apply_damage(json!({"target": "Ann", "amount": 1, "apply_conditions": ["Rattled"]}));
    assert_eq!(
        hit["tracks"][0]["after"], 9,
        "beside a blow it does no harm"
    );
}

#[test]
fn a_level_out_of_range_gets_the_nearest() {
    let mut table = wounded_ann();
    for (level, nearest) in [("Weak 1", "Weak 2"), ("Weak 9", "Weak 4")] {
        let refusal = table.apply_damage(json!({"target": "Ann", "apply_conditions": [level]}));
        refusal.refused_with("invalid_parameters", &[&format!("Send \"{nearest}\"")]);
    }
}

#[test]
fn a_template_rests_as_little_as_it_is_hurt() {
    let mut table = wounded_ann();
    table.create("Mould", json!({"kind": "template"}));
    table
        .manage_character(json!({"action": "rest", "character": "Mould"}))
        .refused("is_template");
}

#[test]
fn what_a_threshold_needs_is_asked_for_where_it_belongs() {
    let rules = "# Hard\n\n## Attributes\n- Body\n\n## Skills\n- Bulk (Body)\n\n## Health\n\
        - Wounds: 3 boxes, over: gain Incapacitated\n- Damage: none\n- One hit {Body}+: Wounds +`floor(({hit} - {Body}) / 4)`\n";
    let mut table = Table::of_people(rules, &["Ann"], json!({}));
    let refusal = table.apply_damage(json!({"target": "Ann", "amount": 5}));
    refusal.refused_with("missing_value", &["needs Body", "attributes={\"Body\": …}"]);
    table
        .manage_character(
            json!({"action": "update", "character": "Ann", "attributes": {"Body": 3}}),
        )
        .is_fine();
    let hit = table.apply_damage(json!({"target": "Ann", "amount": 8}));
    assert_eq!(
        hit["tracks"],
        json!([{"name": "Wounds", "before": 0, "after": 1, "max": 3}])
    );
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
    let mut table = wounded_ann();
    for context in contexts {
        for (who, call) in [("The GM", json!({})), ("Ann", json!({"character": "Ann"}))] {
            let call = with(json!({"expression": "1d6", "context": context}), call);
            let answer = table.dice([3]).roll_dice(call);
            let texts = [answer.text("summary"), answer.text("player_text")].map(str::to_owned);
            // In one line.
            let begins = format!(
                "{who} rolls ({}): ",
                context.trim_end_matches('.').replace('\n', " ")
            );
            assert!(
                texts.iter().all(|text| text.starts_with(&begins)),
                "{texts:?}"
            );
        }
    }
    let answer = table
        .dice([3])
        .roll_dice(json!({"expression": "1d6", "context": "  "}));
    assert!(
        answer.text("summary").starts_with("The GM rolls 1d6: "),
        "{}",
        answer.value()
    );
}
