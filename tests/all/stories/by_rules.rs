//! Checks by rules of every shape, through the protocol.

use serde_json::{Value, json};

use crate::table::Table;

/// Rules with the whole of the language in them.
const RULES: &str = "\
# Every Shape

## Dice

Two dice are better than one,
and keep the better.
- Dice chain: d4, d6, d8, d10, d12, d20
- Visibility: npc rolls outcome only

## Attributes

- Might (MIG): strength
- Wits (WIT): quickness
- Range: -3 to 10

## Skills

- Climbing (MIG): up
- Noticing (WIT): what is there
- Armour class (base 10): what a blow has to reach

## Checks

### Try

- Roll: `1d20 + {modifier}`
- Target: `{difficulty}`
- On natural 20: +1 step
- Flag edge: margin 0 or natural 20

| Outcome | When | What it means |
|---|---|---|
| Splendid (critical success) | margin 10+ | and more |
| Done (success) | margin 0+ | it is done |
| Not done (failure) | otherwise | |

### Strike

- Roll: `1d20 + {modifier}`
- Target: {target Armour class}

### Pool

- Roll: `{rating}d6`
- Asks: rating -2 to 20
- Count: 6+
- Target: 1
- Again Push: reroll all but 1s, 6s

### Under

- Roll: `d%`
- Asks: score 0 to 100
- Target: {score} or less
- Again Luck: subtract {amount}; asks amount 1 to {Luck}; costs Luck -{amount}; any number of times

### Best of

- Roll: `{{pool}, {more}}kh1`
- Asks: pool dice, more dice

| Outcome | When |
|---|---|
| High (success) | total 6+ |
| Low (failure) | otherwise |

### Dare

- Roll: `{rating}d6kh1`
- Asks: rating -2 to 10
- With no dice: `2d6kl1`

| Outcome | When |
|---|---|
| Bright (success) | highest 6 |
| Dim (failure) | otherwise |

### Plain

- Roll: `2d6 + {attribute}`

| Outcome | When |
|---|---|
| Yes (success) | total 8+ |
| No (failure) | otherwise |

## Health

- Hit points: max 10
- Damage: Hit points
- Luck: from 0 to 99, start 20

## Conditions

- Weak: -1 on MIG, until removed
- Dazed: disadvantage on checks, for 2 rounds
";

fn table() -> Table {
    let mut table = Table::of_people(
        RULES,
        &["Ann"],
        json!({"attributes": {"MIG": 3, "WIT": 1}, "skills": {"Climbing": 2}}),
    );
    table.create("Bo", json!({"attributes": {"MIG": 1, "WIT": 2}}));
    table.create(
        "Ogre",
        json!({"kind": "npc", "attributes": {"MIG": 5, "WIT": 0}, "skills": {"Armour class": 13}}),
    );
    table
}

#[test]
fn a_natural_face_moves_the_outcome_and_says_by_which_line() {
    let mut table = table();
    let check = table
        .dice([20])
        .skill_check(json!({"character": "Ann", "skill": "Climbing", "difficulty": 18}));
    assert_eq!(
        json!([check["outcome"], check["label"], check["rank"]]),
        json!(["critical_success", "Splendid", 1])
    );
    assert_eq!(
        (&check["margin"], &check["row_text"]),
        (&json!(7), &json!("and more"))
    );
    assert_eq!(check["flags"], json!(["edge"]));
    assert_eq!(
        check["adjustments"],
        json!(["On natural 20: +1 step, System.md:28"])
    );
    assert_eq!(check["rule"], "System.md:33");
}

#[test]
fn the_target_is_looked_up_on_whom_it_is_tried_against_and_stays_the_gms() {
    let mut table = table();
    let strike =
        json!({"character": "Ann", "check": "Strike", "skill": "Climbing", "target": "Ogre"});
    let hit = table.dice([8]).skill_check(strike);
    assert_eq!(
        (&hit["target"], &hit["margin"], &hit["outcome"]),
        (&json!(13), &json!(0), &json!("success"))
    );
    let expected = json!({"name": "target Armour class", "value": 13, "from": "Ogre: Ogre's sheet, System.md:20"});
    assert_eq!(hit["modifiers"][2], expected);
    assert_eq!(hit["against"], "Ogre");
    assert_eq!(
        hit["summary"],
        "Ann, Climbing: 1d20: [8]; + 5 = 13 against 13: success, exactly."
    );
    assert_eq!(
        hit["player_text"], "Ann, Climbing: 1d20: [8]; + 5 = 13: success.",
        "a foe's armour is its secret"
    );
    let seq = hit.number("log");
    let public = table.record().rows(&format!(
        "select cast(public as text) as public from log where seq = {seq}"
    ));
    let public = public[0]["public"].as_str().expect("text").to_owned();
    assert!(
        public.contains("\"rolls\"") && !public.to_lowercase().contains("armour"),
        "the dice are open, the armour is not: {public}"
    );
    let call =
        json!({"character": "Ann", "check": "Strike", "skill": "Climbing", "difficulty": 12});
    let named = table.dice([8]).skill_check(call);
    assert_eq!(
        named["target"], 12,
        "a foe without a sheet has the armour that the call says"
    );
}

#[test]
fn two_roll_against_each_other() {
    let mut table = table();
    let call = json!({"character": "Ann", "skill": "Climbing", "opposed_by": {"character": "Bo", "attribute": "MIG", "modifier": 1}});
    let won = table.dice([10, 12]).skill_check(call.clone());
    assert_eq!(
        (&won["opposed"]["won"], &won["opposed"]["tie"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        (&won["outcome"], &won["target"]),
        (&json!("success"), &Value::Null),
        "no difficulty: the higher total"
    );
    assert_eq!(
        (&won["opposed"]["result"], &won["opposed"]["roll"]["total"]),
        (&json!(14), &json!(14))
    );
    let expected = "Ann, Climbing: 1d20: [10]; + 5 = 15: done by 1; wins against Bo, who rolls 1d20: [12]; + 2 = 14.";
    assert_eq!(won["summary"], expected);
    assert_eq!(
        (&won["rule"], &won["adjustments"]),
        (&json!("System.md:34"), &Value::Null),
        "the row that decided"
    );
    let tie = table.dice([10, 13]).skill_check(call.clone());
    let wanted = json!([true, false, "failure"]);
    assert_eq!(
        json!([tie["opposed"]["tie"], tie["opposed"]["won"], tie["outcome"]]),
        wanted
    );
    let mut against_fifteen = call;
    against_fifteen["difficulty"] = json!(15);
    let degrees = table.dice([20, 19]).skill_check(against_fifteen);
    assert_eq!(
        (&degrees["outcome"], &degrees["opposed"]["outcome"]),
        (&json!("critical_success"), &json!("success"))
    );
    assert_eq!(degrees["opposed"]["won"], true, "the higher outcome wins");
    let alone = json!({"character": "Ann", "opposed_by": {"character": "ann"}});
    table.skill_check(alone).refused("invalid_parameters");
}

#[test]
fn a_foe_that_opposes_keeps_its_dice() {
    let mut table = table();
    let call = json!({"character": "Ann", "skill": "Climbing", "opposed_by": {"character": "Ogre", "attribute": "MIG"}});
    let lost = table.dice([2, 17]).skill_check(call);
    assert!(
        lost.text("summary")
            .contains("loses to Ogre, who rolls 1d20: [17]; + 5 = 22"),
        "{}",
        lost["summary"]
    );
    assert_eq!(
        lost["player_text"],
        "Ann, Climbing: 1d20: [2]; + 5 = 7: not done; loses to Ogre."
    );
    let seq = lost.number("log");
    let public = table.record().rows(&format!(
        "select cast(public as text) as public from log where seq = {seq}"
    ));
    let public = public[0]["public"].as_str().expect("text");
    assert!(
        public.contains("[2]") && !public.contains("[17]") && !public.contains(":17}"),
        "{public}"
    );
}

#[test]
fn a_roll_is_pushed_once_and_the_first_stays_as_it_was() {
    let mut table = table();
    let first = table
        .dice([1, 6, 3, 2])
        .skill_check(json!({"character": "Ann", "check": "Pool", "values": {"rating": 4}}));
    assert_eq!(
        (&first["successes"], &first["margin"], &first["outcome"]),
        (&json!(1), &json!(0), &json!("success"))
    );
    let again = format!("#{}", first["log"]);
    let pushed = table.dice([6, 5]).skill_check(json!({"again": again}));
    assert_eq!(
        pushed["roll"]["individual_rolls"],
        json!([1, 6, 6, 5]),
        "the 1 and the 6 lie as they fell"
    );
    assert_eq!(
        (&pushed["successes"], &pushed["margin"]),
        (&json!(2), &json!(1))
    );
    let expected = json!({"entry": first["log"], "rule": "Push", "place": "System.md:48", "redrawn": 2, "amount": 0});
    assert_eq!(pushed["again"], expected);
    assert!(
        pushed
            .text("summary")
            .starts_with("Ann, Pool (Push): 4d6: [1, 6, 6, 5]"),
        "{}",
        pushed["summary"]
    );
    table
        .skill_check(json!({"again": again}))
        .refused("already_followed");
    table
        .skill_check(json!({"again": format!("#{}", pushed["log"])}))
        .refused("already_followed");
    let whole = table
        .dice([6, 1])
        .skill_check(json!({"character": "Ann", "check": "Pool", "values": {"rating": 2}}));
    table
        .skill_check(json!({"again": format!("#{}", whole["log"])}))
        .refused("no_effect");
}

#[test]
fn luck_is_spent_from_its_track() {
    let mut table = table();
    let first = table
        .dice([57])
        .skill_check(json!({"character": "Ann", "check": "Under", "values": {"score": 50}}));
    assert_eq!(
        (&first["outcome"], &first["margin"]),
        (&json!("failure"), &json!(-7))
    );
    let again = format!("#{}", first["log"]);
    table
        .skill_check(json!({"again": again}))
        .refused("missing_value");
    table
        .skill_check(json!({"again": again, "values": {"amount": 21}}))
        .refused("missing_value");
    let lucky = table.skill_check(json!({"again": again, "values": {"amount": 7}}));
    assert_eq!(
        json!([lucky["roll"]["total"], lucky["outcome"], lucky["margin"]]),
        json!([50, "success", 0])
    );
    let left = table
        .record()
        .rows("select value from tracks where name = 'Luck' and value <> 20");
    assert_eq!(left, [json!({"value": 13})]);
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let mut table = table();
    table
        .skill_check(json!({"again": "the last one"}))
        .refused("invalid_parameters");
    table
        .skill_check(json!({"again": "#1"}))
        .refused("not_a_check");
    table
        .skill_check(json!({"again": "#9999"}))
        .refused("unknown_entry");
    let plain = table
        .dice([3, 4])
        .skill_check(json!({"character": "Ann", "check": "Plain", "attribute": "MIG"}));
    table
        .skill_check(json!({"again": format!("#{}", plain["log"])}))
        .refused("no_follow_up");
}

#[test]
fn dice_move_along_the_chain() {
    let mut table = table();
    let call = |steps: i64| json!({"character": "Ann", "skill": "Climbing", "difficulty": 10, "steps": steps});
    let down = table.dice([12]).skill_check(call(-1));
    assert_eq!(down["roll"]["expression"], "1d12 + 5");
    assert_eq!(
        down["adjustments"],
        json!(["dice chain -1: d20 to d12, System.md:7"])
    );
    let end = table.dice([4]).skill_check(call(-50));
    assert_eq!(
        end["roll"]["expression"], "1d4 + 5",
        "beyond the end is the end"
    );
    table.skill_check(call(1000)).refused("limit_exceeded");
    let mut other = Table::with_party();
    let sent = json!({"character": "Jory", "skill": "Melee", "difficulty": 9, "steps": 1});
    other.skill_check(sent).refused("no_dice_chain");
}

#[test]
fn conditions_are_named_in_the_result() {
    let mut table = table();
    table
        .apply_damage(json!({"target": "Ann", "amount": 0, "apply_conditions": ["Weak", "Dazed"]}))
        .is_fine();
    let check = table
        .dice([15, 4])
        .skill_check(json!({"character": "Ann", "skill": "Climbing", "difficulty": 9}));
    assert_eq!(
        check["modifiers"][2],
        json!({"name": "Weak", "value": -1, "from": "System.md:95"})
    );
    assert_eq!(
        (&check["roll"]["total"], &check["modifier"]),
        (&json!(8), &json!(4))
    );
    assert_eq!(
        check["adjustments"],
        json!(["disadvantage (Dazed, System.md:96): 2d20kl1, System.md:24"])
    );
    let edge = json!({"character": "Ann", "skill": "Noticing", "difficulty": 9, "advantage": true});
    let both = table.dice([15]).skill_check(edge);
    assert_eq!(
        both["adjustments"],
        json!(["advantage and disadvantage cancel out"])
    );
    let noted = "advantage and disadvantage cancel out (Dazed, System.md:96): the dice are rolled as without either";
    assert_eq!(
        both["noted"],
        json!([noted]),
        "a short reply has no adjustments"
    );
    assert_eq!(
        both["modifiers"].as_array().map(Vec::len),
        Some(2),
        "Weak is no matter of wits"
    );
}

#[test]
fn values_may_be_dice_or_words() {
    let mut table = table();
    let values = json!({"pool": "d8,d6", "more": "d10", "position": "risky"});
    let check = table
        .dice([3, 2, 7])
        .skill_check(json!({"character": "Ann", "check": "Best of", "values": values}));
    assert_eq!(
        (&check["roll"]["total"], &check["label"]),
        (&json!(7), &json!("High"))
    );
    assert_eq!(check["roll"]["expression"], "{1d8, 1d6, 1d10}kh1");
    assert_eq!(check["said"]["position"], "risky");
    let words = json!({"pool": "three of them", "more": "and one of these"});
    table
        .skill_check(json!({"character": "Ann", "check": "Best of", "values": words}))
        .refused("unparseable_input");
    let slip =
        json!({"character": "Ann", "check": "Plain", "attribute": "MIG", "values": {"bonsu": 2}});
    table.skill_check(slip).refused("no_effect");
}

#[test]
fn words_under_the_names_of_parameters_are_refused_with_what_to_send() {
    let mut table = table();
    let check = |values: Value| json!({"character": "Ann", "check": "Plain", "attribute": "MIG", "values": values});
    for (name, field) in [
        ("target", "target"),
        ("Target", "target"),
        ("skill", "skill"),
        ("end_turn", "end_turn"),
        ("opposed by", "opposed_by"),
        ("damage", "damage"),
    ] {
        for tool in ["skill_check", "odds"] {
            let refused = table.call(tool, check(json!({name: "the ogre"})));
            refused.refused_with("no_effect", &[&format!("Send {field} beside values")]);
        }
    }
    assert_eq!(
        table
            .dice([4, 5])
            .skill_check(check(json!({"position": "risky"})))["said"]["position"],
        "risky"
    );
}

#[test]
fn no_dice_is_a_roll_of_its_own_where_the_rules_say_so() {
    let mut table = table();
    let dare =
        |rating: i64| json!({"character": "Ann", "check": "Dare", "values": {"rating": rating}});
    let none = table.dice([6, 2]).skill_check(dare(0));
    assert_eq!(
        (&none["roll"]["expression"], &none["label"]),
        (&json!("2d6kl1"), &json!("Dim"))
    );
    let fewer = table.dice([6, 6]).skill_check(dare(-2));
    assert_eq!(fewer["label"], "Bright");
    let pool =
        |rating: i64| json!({"character": "Ann", "check": "Pool", "values": {"rating": rating}});
    let nothing = table.skill_check(pool(0));
    assert_eq!(
        (&nothing["successes"], &nothing["outcome"]),
        (&json!(0), &json!("failure")),
        "no dice, no successes"
    );
    let refusal = table.skill_check(pool(-1)).refused("invalid_die").clone();
    assert_eq!(refusal["source"], "System.md:42");
}

#[test]
fn a_modifier_the_rule_does_not_name_is_added_to_the_result() {
    let mut table = table();
    let check = table.dice([3, 2]).skill_check(
        json!({"character": "Bo", "check": "Plain", "attribute": "MIG", "modifier": 2}),
    );
    assert_eq!(
        (&check["roll"]["expression"], &check["label"]),
        (&json!("2d6 + 1 + 2"), &json!("Yes"))
    );
    let expected = json!([
        {"name": "situational", "value": 2, "from": "the call"},
        {"name": "attribute", "value": 1, "from": "score 1, System.md:12"},
    ]);
    assert_eq!(check["modifiers"], expected);
    let call = json!({"character": "Bo", "check": "Under", "values": {"score": 50}, "modifier": 5});
    let low = table.dice([55]).skill_check(call);
    assert_eq!(
        (&low["target"], &low["outcome"]),
        (&json!(55), &json!("success")),
        "where low is good, to the target"
    );
    let replaced = table.dice([10]).skill_check(
        json!({"character": "Ann", "skill": "Climbing", "difficulty": 9, "modifier": 4, "values": {"modifier": -1}}),
    );
    assert_eq!(
        json!([replaced["roll"]["total"], replaced["modifier"]]),
        json!([9, -1]),
        "values replace the whole"
    );
}

#[test]
fn everything_that_is_missing_is_reported_at_once() {
    let mut table = table();
    let refusal = table
        .skill_check(json!({"character": "Ann", "check": "Pool"}))
        .refused("missing_value")
        .clone();
    assert!(
        refusal["summary"]
            .as_str()
            .is_some_and(|text| text.contains("values={\"rating\": …}")),
        "{refusal}"
    );
    let mut table = Table::of_rules(Some(
        "## Checks\n\n### T\n\n- Roll: `{a}d6 + {b}`\n- Asks: a 1 to 9, b 0 to 9, c 0 to 99, d 0 to 99\n- Target: {c}\n\n| Outcome | When |\n|---|---|\n| Success | total {d}+ |\n| Failure | otherwise |\n",
    ));
    let refusal = table
        .skill_check(json!({"values": {"b": 1}}))
        .refused("missing_value")
        .clone();
    assert!(
        refusal["summary"]
            .as_str()
            .is_some_and(|text| text.contains("{a}, {c}, {d}")),
        "{refusal}"
    );
    assert_eq!(refusal["source"], "System.md:3");
}

#[test]
fn the_rules_say_who_sees_a_foes_roll() {
    let mut table = table();
    let seen = table
        .dice([15])
        .skill_check(json!({"character": "Ogre", "attribute": "MIG", "difficulty": 12}));
    assert_eq!(seen["roll"]["visibility"], "outcome_only");
    assert_eq!(seen["player_text"], "Ogre, Try: done.");
}

#[test]
fn rules_without_skills_leave_them_to_the_sheet() {
    let mut table = Table::of_people(
        include_str!("../../../crates/rules/src/tests/systems/coc.md"),
        &["Ida"],
        json!({"attributes": {"CON": 60, "SIZ": 55, "POW": 50}, "skills": {"Spot Hidden": 47}}),
    );
    let spotted = table
        .dice([3, 9, 1])
        .skill_check(json!({"character": "Ida", "skill": "spot hidden", "values": {"bonus": 1}}));
    assert_eq!(
        (&spotted["target"], &spotted["label"]),
        (&json!(47), &json!("Hard success"))
    );
    assert_eq!(spotted["roll"]["total"], 13, "the lower of 93 and 13");
    let health = table
        .record()
        .rows("select name, value from tracks order by name");
    assert_eq!(
        health,
        [
            json!({"name": "Hit points", "value": 11}),
            json!({"name": "Sanity", "value": 50})
        ]
    );
    table
        .skill_check(json!({"character": "Ida", "skill": "Occult"}))
        .refused("unknown_skill");
}
