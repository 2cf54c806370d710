//! Two who roll against each other: who wins, and when nobody does.

use serde_json::{Value, json};

use crate::table::{Table, each, with};

const RULES: &str = "# Two\n\n## Skills\n- Sneak\n- Notice\n\n## Checks\n\n### Degrees\n- Roll: `1d20 + {skill}`\n- Target: `{difficulty}`\n\
     - Again Push: reroll all; any number of times\n\n\
     | Outcome | When |\n|---|---|\n| Superb (critical success) | margin 5+ |\n| Fine (success) | margin 0+ |\n\
     | At a price (partial success) | margin -2 to -1 |\n| Poor (failure) | margin -9 to -3 |\n| Awful (critical failure) | otherwise |\n\n\
     ### Plain\n- Roll: `1d20`\n- Target: {skill} or less\n- Again Push: reroll all; any number of times\n\n\
     ### Low\n- Roll: `1d20`\n- Target: {difficulty} or less\n- Again Push: reroll all; any number of times\n\n\
     ### Moves\n- Roll: `2d6 + {skill}`\n\n| Outcome | When |\n|---|---|\n| success | total 10+ |\n| partial success | total 7-9 |\n\
     | failure | otherwise |\n";

fn table() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for (name, skills) in [("Ann", json!({"Sneak": 10})), ("Bo", json!({"Notice": 12}))] {
        table
            .manage_character(json!({"action": "create", "name": name, "skills": skills}))
            .is_fine();
    }
    table
}

fn against(check: &str) -> Value {
    let other = json!({"character": "Bo", "skill": "Notice"});
    json!({"character": "Ann", "skill": "Sneak", "check": check, "opposed_by": other})
}

/// Who wins: the one who tries, nobody, or the other.
fn ended(answer: &crate::table::Answer) -> &'static str {
    match (
        answer["opposed"]["won"].as_bool(),
        answer["opposed"]["tie"].as_bool(),
    ) {
        (Some(true), Some(false)) => "won",
        (Some(false), Some(true)) => "tie",
        (Some(false), Some(false)) => "lost",
        other => panic!("{other:?}"),
    }
}

#[test]
fn where_both_fail_nobody_wins_and_it_is_reported() {
    let mut table = table();
    // Ann has 10, Bo 12; 25 is to be reached: margins -10 and -3, failures both, and one of them
    // worse.
    let degrees = with(against("Degrees"), json!({"difficulty": 25}));
    for (dice, wins) in [
        ([5, 10], "tie"), // awful and poor
        ([9, 3], "tie"),  // poor and worse
        ([10, 8], "tie"), // poor both
        ([13, 8], "won"), // at a price is no failure
        ([15, 14], "lost"),
        ([5, 11], "lost"), // at a price wins over a failure
        ([17, 14], "won"),
        ([15, 13], "tie"), // both exactly
    ] {
        let answer = table.dice(dice).skill_check(degrees.clone());
        assert_eq!(ended(&answer), wins, "{dice:?}: {}", answer["summary"]);
        let is_tie = answer.text("summary").contains("both fail, a tie with Bo");
        assert_eq!(
            is_tie,
            ["failure", "critical_failure"].contains(&answer.text("outcome")) && wins == "tie"
        );
    }
    for (check, dice, wins) in [
        ("Plain", vec![11, 13], "tie"),
        ("Plain", vec![20, 13], "tie"),
        ("Plain", vec![10, 13], "won"),
        ("Plain", vec![3, 4], "lost"),
    ] {
        let answer = table.dice(dice.clone()).skill_check(against(check));
        assert_eq!(
            ended(&answer),
            wins,
            "{check} {dice:?}: {}",
            answer["summary"]
        );
    }
    let low = json!({"skill": "Sneak", "opposed_by": {"character": "Bo", "skill": "Sneak"}});
    let moves = table.dice([1, 2, 1, 1]).skill_check(with(
        with(against("Moves"), low),
        json!({"values": {"skill": 0}}),
    ));
    assert_eq!(ended(&moves), "tie", "{}", moves["summary"]);
}

#[test]
fn the_odds_of_winning_count_two_failures_as_a_tie() {
    let mut table = table();
    let odds = table.call("odds", with(against("Plain"), json!({})));
    // Ann succeeds on 1-10, Bo on 1-12; with two successes the larger margin wins.
    let (mut won, mut tie) = (0, 0);
    for (ann, bo) in (1..=20).flat_map(|ann| (1..=20).map(move |bo| (ann, bo))) {
        let (mine, theirs): (i32, i32) = (10 - ann, 12 - bo);
        match (mine >= 0, theirs >= 0) {
            (false, false) => tie += 1,
            (mine, theirs) if mine != theirs => won += u32::from(mine),
            _ if mine > theirs => won += 1,
            _ if mine == theirs => tie += 1,
            _ => {}
        }
    }
    let percent = |times: u32| format!("{:.4}", f64::from(times) / 4.0);
    assert_eq!(odds["won"]["percent"], percent(won));
    assert_eq!(odds["tie"]["percent"], percent(tie));
}

#[test]
fn a_roll_that_is_followed_is_compared_as_the_first_was() {
    let mut table = table();
    let first = table.dice([11, 13]).skill_check(against("Plain"));
    let again = |entry: &Value| json!({"again": format!("#{entry} push")});
    let worse = table.dice([20]).skill_check(again(&first["log"]));
    assert_eq!(ended(&worse), "tie", "{}", worse["summary"]);
    let better = table.dice([10]).skill_check(again(&worse["log"]));
    assert_eq!(ended(&better), "won", "{}", better["summary"]);
    // Without a difficulty the other side decides, then as before.
    let degrees = table.dice([10, 9]).skill_check(against("Degrees"));
    assert_eq!(
        (ended(&degrees), degrees.text("outcome")),
        ("lost", "partial_success")
    );
    let pushed = table.dice([12]).skill_check(again(&degrees["log"]));
    assert_eq!(
        (ended(&pushed), pushed.text("outcome")),
        ("won", "success"),
        "{}",
        pushed["summary"]
    );
    assert_eq!(
        (&pushed["margin"], &pushed["opposed"]["margin"]),
        (&json!(1), &json!(-1))
    );
    assert_eq!(pushed["opposed"]["label"], "At a price");
}

#[test]
fn where_low_is_good_and_nothing_is_to_be_reached_the_lower_roll_wins() {
    let mut table = table();
    let low = table.dice([3, 9]).skill_check(against("Low"));
    assert_eq!(
        (ended(&low), low.text("outcome")),
        ("won", "success"),
        "{}",
        low["summary"]
    );
    let high = table.dice([9, 3]).skill_check(against("Low"));
    assert_eq!(
        (ended(&high), high.text("outcome")),
        ("lost", "failure"),
        "{}",
        high["summary"]
    );
    let pushed = table
        .dice([2])
        .skill_check(json!({"again": format!("#{} push", high["log"])}));
    assert_eq!(ended(&pushed), "won", "{}", pushed["summary"]);
    let odds = table.call("odds", against("Low"));
    assert_eq!(odds["won"]["fraction"], "19/40");
}

#[test]
fn without_a_difficulty_the_table_judges_both_by_the_margin_between_them() {
    let mut table = table();
    // Ann has 10, Bo 12.
    for (dice, wins, mine, theirs) in [
        (
            [20, 3],
            "won",
            ("critical_success", "Superb", 15),
            ("critical_failure", "Awful", -15),
        ),
        (
            [12, 9],
            "won",
            ("success", "Fine", 1),
            ("partial_success", "At a price", -1),
        ),
        (
            [10, 9],
            "lost",
            ("partial_success", "At a price", -1),
            ("success", "Fine", 1),
        ),
        (
            [10, 12],
            "lost",
            ("failure", "Poor", -4),
            ("success", "Fine", 4),
        ),
        (
            [12, 10],
            "tie",
            ("partial_success", "At a price", 0),
            ("success", "Fine", 0),
        ),
    ] {
        let answer = table.dice(dice).skill_check(against("Degrees"));
        assert_eq!(
            (ended(&answer), answer.text("contest")),
            (wins, wins),
            "{dice:?}"
        );
        let found = (
            answer.text("outcome"),
            answer.text("label"),
            answer["margin"].as_i64().expect("a margin"),
        );
        assert_eq!(found, mine, "{dice:?}: {}", answer["summary"]);
        let other = &answer["opposed"];
        assert_eq!(
            json!([other["outcome"], other["label"], other["margin"]]),
            json!([theirs.0, theirs.1, theirs.2])
        );
    }
    let brief = table
        .dice([10, 12])
        .skill_check(with(against("Degrees"), json!({"detail": "brief"})));
    assert_eq!(
        (brief.text("contest"), brief.text("label"), &brief["margin"]),
        ("lost", "Poor", &json!(-4))
    );
    // The odds are those of the same judgement.
    let odds = table.call("odds", against("Degrees"));
    let superb = each(&odds["outcomes"])
        .find(|row| row["label"] == "Superb")
        .expect("a row");
    let ways = (1..=20)
        .flat_map(|ann| (1..=20).map(move |bo| ann - bo - 2))
        .filter(|margin| *margin >= 5)
        .count();
    assert_eq!(
        superb["percent"],
        format!("{:.4}", ways as f64 / 4.0),
        "{}",
        odds.value()
    );
}

#[test]
fn what_two_came_to_is_no_clue_to_what_a_foe_rolled() {
    let mut table = table();
    table.create("Wolf", json!({"kind": "npc", "skills": {"Notice": 12}}));
    let call = with(
        against("Degrees"),
        json!({"opposed_by": {"character": "Wolf", "skill": "Notice"}, "visible": true}),
    );
    let answer = table.dice([10, 12]).skill_check(call);
    assert!(
        answer.text("summary").contains("poor by 4"),
        "{}",
        answer["summary"]
    );
    assert!(
        !answer.text("player_text").contains("by 4"),
        "{}",
        answer["player_text"]
    );
}

#[test]
fn rules_without_a_table_say_who_won_and_by_how_much() {
    let mut table = Table::of_rules(Some(
        "# Bare\n\n## Checks\n\n### Any\n- Roll: `1d20 + {modifier}`\n",
    ));
    for name in ["Ann", "Bo"] {
        table
            .manage_character(json!({"action": "create", "name": name}))
            .is_fine();
    }
    let call = json!({"character": "Ann", "check": "Any", "opposed_by": {"character": "Bo"}});
    let lost = table.dice([5, 9]).skill_check(call.clone());
    let expected = json!(["lost", "failure", -4]);
    assert_eq!(
        json!([ended(&lost), lost.text("outcome"), lost["margin"]]),
        expected,
        "{}",
        lost.value()
    );
    let tie = table.dice([9, 9]).skill_check(call);
    assert_eq!(
        (ended(&tie), tie.text("outcome"), &tie["margin"]),
        ("tie", "failure", &json!(0))
    );
}

/// Ana and a guard whom the players see, by a check of these bullets.
fn by_rule(bullets: &str) -> Table {
    let rules = format!("# O\n\n## Skills\n- Sneak\n- Notice\n\n## Checks\n\n### Test\n{bullets}");
    let mut table = Table::of_people(&rules, &["Ana"], json!({"skills": {"Sneak": 50}}));
    table.create("Guard", json!({"kind": "npc", "skills": {"Notice": 40}}));
    table
}

fn against_the_guard() -> serde_json::Value {
    json!({"character": "Ana", "skill": "Sneak", "opposed_by": {"character": "Guard", "skill": "Notice"}})
}

#[test]
fn the_author_says_who_wins_and_the_log_is_sound() {
    // bullets, dice, contest, outcome
    for (bullets, dice, contest, outcome) in [
        (
            "- Roll: `1d20`\n- Opposed: lower total; ties actor\n",
            [3, 9],
            "won",
            "success",
        ),
        (
            "- Roll: `1d20`\n- Opposed: lower total; ties actor\n",
            [9, 9],
            "won",
            "success",
        ),
        (
            "- Roll: `1d20`\n- Opposed: lower total; ties actor\n",
            [10, 9],
            "lost",
            "failure",
        ),
        (
            "- Roll: `1d20`\n- Opposed: higher total; ties again\n",
            [9, 9],
            "again",
            "failure",
        ),
        (
            "- Roll: `1d100`\n- Target: {skill} or less\n- Opposed: success, higher total\n",
            [60, 39],
            "lost",
            "failure",
        ),
        (
            "- Roll: `1d100`\n- Target: {skill} or less\n- Opposed: success, higher total\n",
            [38, 39],
            "lost",
            "success",
        ),
        (
            "- Roll: `1d100`\n- Target: {skill} or less\n- Opposed: higher total\n",
            [60, 59],
            "won",
            "failure",
        ),
        (
            "- Roll: `1d100`\n- Target: {skill} or less\n- Opposed: better outcome; ties other; failures compared\n",
            [60, 59],
            "lost",
            "failure",
        ),
    ] {
        let mut table = by_rule(bullets);
        let reply = table.dice(dice).skill_check(against_the_guard());
        assert_eq!(
            (&reply["contest"], &reply["outcome"]),
            (&json!(contest), &json!(outcome)),
            "{bullets} {dice:?}"
        );
        let text = reply["adjustments"][0].as_str().expect("the rule");
        assert!(
            text.starts_with("opposed: ") && text.contains("System.md:"),
            "{text}"
        );
    }
}

#[test]
fn an_opponent_has_the_value_that_decides() {
    let mut table = by_rule(
        "- Roll: `1d100`\n- Value depth: `total / 10`\n- Opposed: higher {depth}\n\n### Other\n- Roll: `1d100`\n",
    );
    let mut call = against_the_guard();
    let reply = table.dice([41, 39]).skill_check(call.clone());
    assert_eq!(
        (&reply["results"]["depth"], &reply["contest"]),
        (&json!(4), &json!("won"))
    );
    call["opposed_by"]["check"] = json!("Other");
    let refused = table.skill_check(call);
    let summary = refused.refusal_text("missing_value").to_owned();
    assert!(summary.contains("Leave opposed_by.check out"), "{summary}");
}

#[test]
fn values_of_a_hidden_number_are_the_gms() {
    let rules = "# V\n\n## Skills\n- Aim\n\n## Attributes\n- Armour\n\n## Checks\n\n### Strike\n- Roll: `1d20 + {skill}`\n- Target: {target Armour}\n- Value over: `margin`\n";
    let mut table = Table::of_rules(Some(rules));
    let call = json!({"action": "create", "name": "Ana", "attributes": {"Armour": 9}, "skills": {"Aim": 2}});
    table.manage_character(call).is_fine();
    table.create("Rat", json!({"kind": "npc", "attributes": {"Armour": 11}}));
    let reply = table
        .dice([15])
        .skill_check(json!({"character": "Ana", "skill": "Aim", "target": "Rat"}));
    assert_eq!(reply["results"]["over"], 6);
    assert!(
        reply["summary"]
            .as_str()
            .is_some_and(|text| text.contains("over 6")),
        "{}",
        reply["summary"]
    );
    assert!(
        reply["player_text"]
            .as_str()
            .is_some_and(|text| !text.contains("over")),
        "{}",
        reply["summary"]
    );
}

const DUEL: &str = "# Two\n\n## Attributes\n- Nerve\n\n## Checks\n\n### Duel\n- Roll: `{pool}d6`\n- Asks: pool 1 to 20\n- Opposed: higher total\n\n\
     ### Draw\n- Roll: `1d{speed}`\n- Asks: speed 2 to 20\n- While: {Doom} 1+\n\n## Health\n- Doom: max 3\n- Damage: none\n";

#[test]
fn each_side_of_a_duel_has_values_of_its_own() {
    let mut table = Table::of_rules(Some(DUEL));
    for (name, kind) in [("Ann", "player"), ("Bo", "npc")] {
        let attributes = json!({"Nerve": 1});
        table.create(name, json!({"kind": kind, "attributes": attributes}));
    }
    let call = |theirs: Value| {
        let other = with(json!({"character": "Bo"}), theirs);
        json!({"character": "Ann", "check": "Duel", "values": {"pool": 2}, "opposed_by": other, "visibility": "public"})
    };
    let answer = table
        .dice([3, 4, 1, 2, 3])
        .skill_check(call(json!({"values": {"pool": 3}})));
    assert_eq!((ended(&answer), answer.text("contest")), ("won", "won"));
    assert_eq!(
        answer["opposed"]["variables"],
        json!([{"name": "pool", "value": 3, "from": "the call"}])
    );
    let seen = answer.text("player_text");
    assert!(
        !seen.contains('3') || !seen.contains("1, 2, 3"),
        "a foe's dice are not shown: {seen}"
    );
    let lost = table
        .dice([3, 4, 4, 4])
        .skill_check(call(json!({"values": {"pool": "2"}})));
    assert_eq!(ended(&lost), "lost");
    // What is refused names the way out, which works.
    let without = table.skill_check(call(json!({})));
    without.refused_with(
        "missing_value",
        &["opposed_by={\"character\": …, \"values\": {\"pool\": …}} (1 to 20)"],
    );
    let beyond = table.skill_check(call(json!({"values": {"pool": 30}})));
    beyond.refused_with("invalid_parameters", &["opposed_by.values.pool is 30"]);
    let unused = table.skill_check(call(json!({"values": {"pool": 3, "edge": 2}})));
    unused.refused_with(
        "no_effect",
        &["opposed_by.values.edge would change nothing"],
    );
    let odds = json!({"check": "Duel", "character": "Ann", "values": {"pool": 2}, "opposed_by": {"character": "Bo", "values": {"pool": 1}}});
    let mut won = 0;
    for mine in 1..=6 {
        for more in 1..=6 {
            won += (1..=6).filter(|theirs| mine + more > *theirs).count();
        }
    }
    let found = table.call("odds", odds);
    assert_eq!(
        found["won"]["fraction"],
        json!(format!("{won}/216").as_str()),
        "{found:?}"
    );
}

#[test]
fn dice_where_a_number_belongs_are_at_fault_and_not_a_number_that_is_nothing() {
    let rules = DUEL
        .replace("`{pool}d6`", "`{pool}d6 + {edge}`")
        .replace("pool 1 to 20", "pool 1 to 20, edge 0 to 20");
    let mut table = Table::of_people(&rules, &["Ann", "Bo"], json!({"attributes": {"Nerve": 1}}));
    let call = |theirs: Value| {
        let other = json!({"character": "Bo", "values": theirs});
        json!({"character": "Ann", "check": "Duel", "values": {"pool": 1, "edge": 0}, "opposed_by": other})
    };
    let refused = table.skill_check(call(json!({"pool": "d6,d8", "edge": 0})));
    let summary = refused.refused("invalid_parameters")["summary"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(
        summary.contains("opposed_by.values.pool is \"d6,d8\"") && !summary.contains("and edge"),
        "{summary}"
    );
    assert!(
        summary.contains("Send opposed_by={\"character\": …, \"values\": {\"pool\": 2}}"),
        "{summary}"
    );
    table
        .dice([3, 1, 2])
        .skill_check(call(json!({"pool": 2, "edge": 0})))
        .is_fine();
}

#[test]
fn who_may_roll_comes_before_what_is_rolled() {
    let mut table = Table::of_people(DUEL, &["Ann"], json!({"tracks": {"Doom": 0}}));
    let refused = table.skill_check(json!({"character": "Ann", "check": "Draw"}));
    refused.refused("not_while");
}

#[test]
fn a_value_of_the_margin_decides_only_where_there_is_one_and_tells_players_nothing_of_the_others_dice()
 {
    const RULES: &str = "# Duels\n\n## Attributes\n- Wit\n- Edge\n- Range: 0 to 9\n\n## Checks\n\n### Duel\n- Roll: `1d6 + {Wit}`\n- Target: `{difficulty}`\n\
        - Value Adv: `margin + {Edge}`\n- Opposed: higher {Adv}; ties other\n\n### Talk\n- Roll: `1d6 + {Wit}`\n- Target: `{difficulty}`\n- Value By: `margin`\n\n\
        ## Health\n- Hit points: max 10\n- Damage: Hit points\n";
    let mut table = Table::of_rules(Some(RULES));
    for (name, kind, edge) in [("Ann", "player", 5), ("Orc", "npc", 1)] {
        table.create(
            name,
            json!({"kind": kind, "attributes": {"Wit": 3, "Edge": edge}}),
        );
    }
    let against = |check: &str| json!({"character": "Ann", "attribute": "Wit", "check": check, "opposed_by": {"character": "Orc"}});
    table
        .skill_check(against("Duel"))
        .refused_with("missing_value", &["Send difficulty"]);
    table.call("odds", against("Duel")).refused("missing_value");
    let both = with(against("Duel"), json!({"difficulty": 6}));
    let won = table.dice([6, 1]).skill_check(both);
    assert_eq!(
        (&won["results"]["Adv"], &won["opposed"]["won"]),
        (&json!(8), &json!(true)),
        "{won:?}"
    );

    let talk = table.dice([6, 2]).skill_check(against("Talk"));
    assert_eq!(talk["results"]["By"], json!(4), "{talk:?}");
    assert!(
        talk.text("summary").contains("By 4") && !talk.text("player_text").contains("By"),
        "{talk:?}"
    );
}

#[test]
fn of_two_rows_with_the_same_outcome_the_upper_wins_whatever_the_margin() {
    let rules = "# Two\n\n## Skills\n- Sneak\n- Notice\n\n## Checks\n\n### Test\n- Roll: `1d100`\n- Target: {skill} or less\n- Again Push: reroll all; any number of times\n\n\
         | Outcome | When |\n|---|---|\n| Special (success) | `total <= target / 5` |\n| Fine (success) | margin 50+ |\n\
         | Good (success) | margin 0+ |\n| Failure | otherwise |\n";
    for (opposed, first, second) in [
        ("", "won", "lost"),
        ("- Opposed: success, higher margin\n", "lost", "lost"),
    ] {
        let rules = rules.replace("- Again", &format!("{opposed}- Again"));
        let mut table = Table::of_rules(Some(&rules));
        for (name, skills) in [("Ann", json!({"Sneak": 50})), ("Bo", json!({"Notice": 90}))] {
            table
                .manage_character(json!({"action": "create", "name": name, "skills": skills}))
                .is_fine();
        }
        // A special by 42 against a success by 50, then by 60, which is a row of its own below it.
        let call = against("Test");
        assert_eq!(
            ended(&table.dice([8, 40]).skill_check(call.clone())),
            first,
            "{opposed}"
        );
        let pushed = table
            .dice([20])
            .skill_check(json!({"character": "Ann", "again": "last"}));
        assert_eq!(
            ended(&pushed),
            second,
            "a success by 30 against the first roll of the other"
        );
        let back = table
            .dice([5])
            .skill_check(json!({"character": "Ann", "again": "last"}));
        assert_eq!(ended(&back), first, "{opposed}");
        assert_eq!(
            ended(&table.dice([20, 61]).skill_check(call)),
            "won",
            "the same row, and the margin decides"
        );
    }
}
