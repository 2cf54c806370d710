//! Exact chances, given before anybody rolls.

use serde_json::{Value, json};

use crate::table::{Table, cases, each, text};

#[test]
fn every_total_is_there_with_its_fraction() {
    let mut table = Table::with_party();
    let odds = table.call("odds", json!({"expression": "2d6"}));
    assert_eq!(
        json!([odds["mean"], odds["min"], odds["max"], odds["possible"]]),
        json!(["7.0000", 2, 12, 11])
    );
    assert_eq!(
        odds["totals"][5],
        json!({"total": 7, "percent": "16.6667", "fraction": "1/6"})
    );
    assert_eq!(odds["chances"], json!([]));
    assert_eq!(odds["summary"], "2d6; mean 7.0000, from 2 to 12.");
    assert_eq!(table.record().length(), 5, "nothing is logged");
}

#[test]
fn what_was_asked_for_is_answered_each_by_itself() {
    let mut table = Table::with_party();
    let call = json!({"expression": "d20 adv", "at_least": 11, "at_most": 1, "exactly": "20"});
    let odds = table.call("odds", call);
    let asked: Vec<(&str, &str)> = each(&odds["chances"])
        .map(|chance| {
            (
                chance["asked"].as_str().expect("text"),
                chance["fraction"].as_str().expect("text"),
            )
        })
        .collect();
    assert_eq!(
        asked,
        [
            ("at least 11", "3/4"),
            ("at most 1", "1/400"),
            ("exactly 20", "39/400")
        ]
    );
    assert!(
        odds.text("summary").contains("at least 11 75.0000 %"),
        "{}",
        odds["summary"]
    );
    let never = table.call("odds", json!({"expression": "d6", "at_least": 7}));
    assert_eq!(
        (
            &never["chances"][0]["fraction"],
            &never["chances"][0]["percent"]
        ),
        (&json!("0"), &json!("0.0000"))
    );
}

#[test]
fn long_lists_are_in_ranges_and_endless_dice_say_what_is_cut() {
    let mut table = Table::with_party();
    let long = table.call("odds", json!({"expression": "30d6"}));
    let totals = long["totals"].as_array().expect("totals");
    assert!(
        (2..=60).contains(&totals.len()) && long["possible"] == 151,
        "{} rows of {}",
        totals.len(),
        long["possible"]
    );
    let shown: Vec<i64> = totals
        .iter()
        .map(|row| row["total"].as_i64().expect("a total"))
        .collect();
    assert!(shown.is_sorted(), "{shown:?}");
    let percent = totals.iter().map(|row| {
        row["percent"]
            .as_str()
            .expect("text")
            .trim_start_matches(['<', ' '])
            .parse::<f64>()
            .expect("a number")
    });
    assert!(
        (99.9..100.1).contains(&percent.sum::<f64>()),
        "the rows are all there is: {totals:?}"
    );
    let exploding = table.call("odds", json!({"expression": "1d6!", "at_least": 7}));
    // One die of six sides that explodes 28 times: 1 / 6^28, to the last way.
    assert_eq!(exploding["cut_off"], "1/6140942214464815497216 (1.6e-22)");
    assert_eq!(
        table.call("odds", json!({"expression": "1d6"}))["cut_off"],
        Value::Null
    );
    let counted = table.call("odds", json!({"expression": "8d10>=8"}));
    assert_eq!(counted["max"], 8);
}

#[test]
fn odds_of_nonsense_say_what_to_send_and_no_more() {
    let mut table = Table::with_party();
    let refusal = table.call("odds", json!({"expression": "2d"}));
    let summary = refusal.refusal_text("invalid_die");
    assert!(
        summary.contains("Example") && !summary.contains("rolled"),
        "{summary}"
    );
    table.call("odds", json!({})).refused("invalid_parameters");
}

#[test]
fn what_is_not_listed_is_reported() {
    let mut table = Table::with_party();
    let odds = table.call("odds", json!({"expression": "100d20"}));
    assert!(
        odds.text("summary")
            .contains("are too unlikely to be listed."),
        "{}",
        odds["summary"]
    );
    let odds = table.call("odds", json!({"expression": "3d6"}));
    assert!(
        !odds.text("summary").contains("listed"),
        "{}",
        odds["summary"]
    );
}

#[test]
fn the_odds_of_a_check_are_those_of_its_rows_for_who_tries() {
    let mut table = Table::with_party();
    let call = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15});
    let odds = table.call("odds", call);
    assert_eq!(odds["check"], "Pick a lock");
    let expected = json!([
        {"outcome": "success", "label": "Success", "rule": "System.md:80", "percent": "55.0000", "fraction": "11/20"},
        {"outcome": "failure", "label": "Failure", "rule": "System.md:81", "percent": "45.0000", "fraction": "9/20"},
    ]);
    assert_eq!(odds["outcomes"], expected);
    assert_eq!(
        odds["summary"],
        "Pick a lock, Lockpicking, difficulty 15: Success 55.0000 %, Failure 45.0000 %."
    );
    let better = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "advantage": true, "modifier": "-5"});
    assert_eq!(
        table.call("odds", better)["outcomes"][0]["fraction"],
        "51/100"
    );
    let whole = json!({"character": "Sabeth", "difficulty": 15, "check": "Check", "values": {"modifier": 4}});
    assert_eq!(table.call("odds", whole)["outcomes"][0]["fraction"], "1/2");
    let against = json!({"character": "Sabeth", "skill": "Stealth", "opposed_by": {"character": "Jory", "skill": "Perception"}});
    let against = table.call("odds", against);
    assert_eq!(
        (&against["won"]["fraction"], &against["tie"]["fraction"]),
        (&json!("21/40"), &json!("19/400"))
    );
    assert_eq!(table.record().length(), 5, "nothing is logged");
}

#[test]
fn odds_of_a_check_are_refused_as_the_check_would_be() {
    let mut table = Table::with_party();
    let unknown = table.call("odds", json!({"character": "Sabeth", "skill": "Lockpik"}));
    assert_eq!(
        unknown.refused("unknown_skill")["did_you_mean"][0],
        "Lockpicking"
    );
    table
        .call(
            "odds",
            json!({"character": "Sabeth", "skill": "Lockpicking"}),
        )
        .refused("missing_value");
    for (call, parameter) in [
        (
            json!({"expression": "2d6", "skill": "Lockpicking"}),
            "skill",
        ),
        (json!({"skill": "Lockpicking", "at_least": 7}), "at_least"),
        (json!({}), "expression"),
        (json!({"difficulty": 15}), "expression"),
    ] {
        let refused = table.call("odds", call);
        assert_eq!(
            refused.refused("invalid_parameters")["details"][0]["parameter"],
            parameter
        );
    }
}

#[test]
fn flags_have_their_chances_beside_the_outcomes() {
    let rules = "## Checks\n### Any\n- Roll: `2d6`\n- Target: `{difficulty}`\n- Flag fumble: 1s 2\n- Flag six: 6s 1+\n";
    let mut table = Table::of_rules(Some(rules));
    let odds = table.call("odds", json!({"check": "Any", "difficulty": 7}));
    let raised: Vec<(&str, &str)> = each(&odds["flags"])
        .map(|flag| {
            (
                flag["flag"].as_str().expect("a name"),
                flag["fraction"].as_str().expect("a chance"),
            )
        })
        .collect();
    assert_eq!(raised, [("fumble", "1/36"), ("six", "11/36")]);
    assert!(
        odds.text("summary")
            .ends_with("Flags: fumble 2.7778 %, six 30.5556 %."),
        "{}",
        odds["summary"]
    );
}

/// A pool that may be pushed, and an attack whose damage depends on it.
const DUEL: &str = "## Attributes\n- Body\n- Range: 1 to 5\n\n## Checks\n### Test\n- Roll: `{attribute}d6`\n- Count: 6\n- Target: `{difficulty}`\n\
    - Again Push: reroll all but 6s\n- Opposed: higher successes; ties other\n\n## Attacks\n| Attack | Attribute | Damage |\n|---|---|---|\n| Club | Body | 1d4 |\n\n\
    ## Health\n- Hit points: max 3\n- Damage: Hit points\n- Armour: subtract {Armour}\n- At 0 Hit points: gain Out\n\n## Conditions\n- Out: *cannot act*\n";

fn duel() -> Table {
    let mut table = Table::of_rules(Some(DUEL));
    let sheet = json!({"action": "create", "name": "Ida", "attributes": {"Body": 1}});
    table.call("manage_character", sheet).is_fine();
    let sheet = json!({"action": "create", "name": "Guard", "kind": "npc", "attributes": {"Body": 1}, "tracks": {"Armour": 1}});
    table.call("manage_character", sheet).is_fine();
    table
}

#[test]
fn a_push_has_odds_wherever_it_pays() {
    let mut table = duel();
    let odds = table.call(
        "odds",
        json!({"character": "Ida", "attribute": "Body", "difficulty": 1, "again": "push"}),
    );
    assert_eq!(odds["outcomes"][0]["fraction"], "11/36");
    assert_eq!(
        odds["again"],
        json!({"rule": "Push", "percent": "83.3333", "fraction": "5/6"})
    );
    assert!(
        odds.text("summary").contains("Push follows 83.3333 %."),
        "{}",
        odds["summary"]
    );
    let odds = table.call(
        "odds",
        json!({"character": "Ida", "attribute": "Body", "difficulty": 1, "again": "luck"}),
    );
    odds.refused("which_follow_up");
    let both = json!({"character": "Ida", "attack": "Club", "target": "Guard", "difficulty": 1, "again": "push"});
    let refused = table.call("odds", both);
    refused.refused_with("invalid_parameters", &["Leave again out"]);
}

#[test]
fn an_attack_has_odds_of_what_it_does() {
    let mut table = duel();
    let before = table.record().length();
    let odds = table.call(
        "odds",
        json!({"character": "Ida", "attack": "Club", "target": "Guard", "difficulty": 1}),
    );
    // A six hits; of 1d4 the armour takes one, and three are the end.
    let damage = &odds["damage"];
    assert_eq!(
        (&damage["target"], &damage["mean"]),
        (&json!("Guard"), &json!("0.2500"))
    );
    assert_eq!(
        damage["percent"],
        json!({"0": "87.5000", "1": "4.1667", "2": "4.1667", "3": "4.1667"})
    );
    assert_eq!(damage["down"]["fraction"], "1/24");
    odds.ends(
        "summary",
        "Guard takes 0.2500 on average and is down 4.1667 %.",
    );
    let dice = json!({"character": "Ida", "attribute": "Body", "damage": "2", "target": "Guard", "difficulty": 1, "opposed_by": {"character": "Guard", "attribute": "Body"}});
    let odds = table.call("odds", dice);
    assert_eq!(
        json!([odds["won"]["fraction"], odds["decided_by"]]),
        json!(["5/36", "higher successes; ties other"])
    );
    assert_eq!(
        odds["damage"]["percent"],
        json!({"0": "86.1111", "1": "13.8889"})
    );
    for [call, code] in cases(json!([
        [{"character": "Ida", "attack": "Club", "difficulty": 1}, "invalid_parameters"],
        [{"character": "Ida", "attack": "Clbu", "target": "Guard", "difficulty": 1}, "unknown_attack"],
        [{"character": "Ida", "attribute": "Body", "damage_type": "fire", "difficulty": 1}, "invalid_parameters"],
        [{"expression": "2d6", "attack": "Club"}, "invalid_parameters"],
    ])) {
        table.call("odds", call).refused(text(&code));
    }
    assert_eq!(table.record().length(), before, "nothing is logged");
}
