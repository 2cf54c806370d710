//! Dice at a table: several rolls in one call, labelled groups, symbols, sizes, and what dice show
//! beside their faces.

use serde_json::{Value, json};

use crate::table::{Table, each};

#[test]
fn six_scores_are_rolled_in_one_call() {
    let mut table = Table::with_party();
    let faces = [
        [6, 5, 4, 1],
        [3, 3, 3, 3],
        [1, 1, 1, 6],
        [2, 4, 6, 5],
        [6, 6, 6, 6],
        [5, 1, 2, 2],
    ];
    let call = json!({"rolls": [{"expression": "4d6kh3"}], "count": 6, "context": "scores", "character": "Jory"});
    let rolled = table.dice(faces.concat()).call("roll_multiple", call);
    assert_eq!(rolled["totals"], json!([15, 9, 8, 15, 18, 9]));
    assert_eq!(table.record().number("select count(*) from rolls"), 6);
}

#[test]
fn one_bad_roll_and_none_is_made() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    let call =
        json!({"rolls": [{"expression": "d20"}, {"expression": "d7"}, {"expression": "d20"}]});
    table.call("roll_multiple", call).refused("invalid_die");
    let eleven = vec![json!({"expression": "d6"}); 11];
    for call in [
        json!({"rolls": []}),
        json!({"rolls": [{"expression": "d6"}], "count": 101}),
        json!({"rolls": eleven, "count": 100}),
    ] {
        assert!(
            table.call("roll_multiple", call.clone()).is_refused(),
            "{call}"
        );
    }
    assert_eq!(table.record().everything(), before);
}

#[test]
fn each_roll_of_a_set_has_its_own_character_context_and_visibility() {
    let mut table = Table::with_party();
    table
        .call(
            "manage_character",
            json!({"action": "create", "name": "Reeve", "kind": "npc"}),
        )
        .is_fine();
    let call = json!({
        "rolls": [
            {"expression": "d20", "character": "Sabeth"},
            {"expression": "d20+3", "character": "Reeve", "context": "does he lie"},
            {"expression": "d6", "visibility": "gm"},
            {"expression": "d8"},
        ],
        "count": 2, "character": "Jory", "context": "watching the gate",
    });
    let rolled = table
        .dice([11, 7, 2, 8, 12, 17, 5, 1])
        .call("roll_multiple", call);
    assert_eq!(rolled["totals"], json!([11, 10, 2, 8, 12, 20, 5, 1]));
    let field = |name: &str| {
        each(&rolled["rolls"])
            .map(|roll| roll[name].clone())
            .collect::<Vec<_>>()
    };
    let once = |of: [&'static str; 4]| of.repeat(2);
    assert_eq!(
        field("character"),
        once(["Sabeth", "Reeve", "Jory", "Jory"])
    );
    assert_eq!(field("visibility"), once(["public", "gm", "gm", "public"]));
    let watching = "watching the gate";
    assert_eq!(
        field("context"),
        once([watching, "does he lie", watching, watching])
    );
    assert_eq!(
        (&rolled["visibility"], &rolled["visible"]),
        (&Value::Null, &json!(false))
    );
    let players = rolled["player_text"].as_str().unwrap();
    let expected = "Sabeth makes 2 rolls (watching the gate): 1d20: [11] = 11 | 1d20: [12] = 12. Jory makes 2 rolls (watching the gate): 1d8: \
     [8] = 8 | 1d8: [1] = 1.";
    assert_eq!(players, expected);
    assert_eq!(
        rolled["parameters"]["rolls"].as_array().map(Vec::len),
        Some(4)
    );
}

#[test]
fn what_is_wrong_with_each_roll_of_a_set_is_reported_at_once() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    let call = json!({"rolls": [
        {"expression": "d20"},
        {"expression": "d7"},
        {"expression": "d20", "character": "Nobody"},
        {"expression": "d20", "visibility": "public", "visible": false},
    ]});
    let refusal = table
        .call("roll_multiple", call)
        .refused("invalid_die")
        .clone();
    let summary = refusal["summary"].as_str().unwrap();
    for part in [
        "rolls[1]: d7",
        "rolls[2]:",
        "\"Nobody\"",
        "rolls[3]: visible=false",
    ] {
        assert!(summary.contains(part), "{part}: {summary}");
    }
    let shared =
        json!({"rolls": [{"expression": "d20"}, {"expression": "d6"}], "character": "Nobody"});
    let refusal = table
        .call("roll_multiple", shared)
        .refused("unknown_character")
        .clone();
    let summary = refusal["summary"].as_str().unwrap();
    assert!(
        summary.matches("\"Nobody\"").count() == 1 && !summary.contains("rolls["),
        "{summary}"
    );
    assert_eq!(table.record().everything(), before);
}

#[test]
fn the_rolls_of_a_hidden_character_are_no_part_of_the_public_ones() {
    let mut table = Table::with_party();
    table
        .call(
            "manage_character",
            json!({"action": "create", "name": "Ghoul", "kind": "npc"}),
        )
        .is_fine();
    table.start(json!([
        {"name": "Jory", "initiative": 10}, {"name": "Ghoul", "initiative": 5, "hp": 9, "hidden": true},
    ]));
    let call = json!({"rolls": [{"expression": "d20"}, {"expression": "d20", "character": "Ghoul"}], "character": "Jory"});
    let alone = json!({"rolls": [{"expression": "d20"}], "character": "Jory"});
    let both = table.dice([4, 19]).call("roll_multiple", call);
    let one = table.dice([4]).call("roll_multiple", alone);
    assert_eq!(both["player_text"], one["player_text"]);
    let expected = json!([[4, 19], true, false]);
    assert_eq!(
        json!([
            both["totals"],
            both["rolls"][0]["visible"],
            both["rolls"][1]["visible"]
        ]),
        expected
    );
    let shown =
        json!({"rolls": [{"expression": "d20", "character": "Ghoul"}], "visibility": "public"});
    assert!(table.call("roll_multiple", shown).is_refused());
}

/// Labelled groups of dice of which one is empty, at a table.
const RULES: &str = "# Thirst\n\n## Attributes\n- Hunger: red dice\n- Range: 0 to 5\n\n## Checks\n\n### Pool\n- Roll: `1d10 + {Hunger}d10[hunger]`\n\
     - Count: 6+\n- Again Push: reroll all but 1s; any number of times\n- Flag clean: hunger 10s 0\n\n\
     | Outcome | When |\n|---|---|\n| Messy (critical success) | hunger 10s and successes {difficulty}+ |\n\
     | Win (success) | hunger 10s 0 and successes {difficulty}+ |\n| Failure | otherwise |\n\n\
     ### Counted\n- Roll: `{Hunger}d10t8`\n\n| Outcome | When |\n|---|---|\n| Quiet (success) | successes 0 |\n| Loud (failure) | otherwise |\n";

#[test]
fn nobody_hungry_has_no_red_tens_in_outcomes_flags_odds_and_pushes() {
    let mut table = Table::of_people(RULES, &["Ann"], json!({"attributes": {"Hunger": 0}}));
    let call = json!({"difficulty": 1});
    let odds = table.call("odds", json!({"check": "Pool", "difficulty": 1}));
    assert_eq!(odds["outcomes"][0]["label"], "Win");
    assert_eq!(odds["outcomes"][0]["fraction"], "1/2");
    let rolled = table.dice([6]).skill_check(call);
    assert_eq!(
        (rolled.text("label"), &rolled["flags"]),
        ("Win", &json!(["clean"]))
    );
    let pushed = table.dice([9]).skill_check(json!({"again": "last push"}));
    assert_eq!(
        (pushed.text("label"), &pushed["flags"]),
        ("Win", &json!(["clean"])),
        "{}",
        pushed["summary"]
    );
    let quiet = table.skill_check(json!({"check": "Counted"}));
    assert_eq!(quiet["label"], "Quiet");
    table
        .manage_character(
            json!({"action": "update", "character": "Ann", "attributes": {"Hunger": 1}}),
        )
        .is_fine();
    let messy = table.dice([6, 10]).skill_check(json!({"difficulty": 2}));
    assert_eq!(
        (messy.text("label"), &messy["flags"]),
        ("Messy", &serde_json::Value::Null)
    );
}

/// Dice with faces of their own in play: rolled by name, entered by hand, opposed, and on the
/// record.
const SYMBOL_RULES: &str = "# Mine\n\n## Dice\n- Dice: d6\n- Dice chain: d4, d6, d8\n- Symbol S: success\n- Symbol F: failure\n- Symbol A: edge\n\
    - Die Talent: blank, S, SS, SA\n- Die Hazard: blank, F, FF\n- Die Fuel: 0, 1, 1\n- Cancel: S against F\n\n## Attributes\n- Wits\n- Range: 1 to 4\n\n\
    ## Checks\n\n### Venture\n- Roll: `{attribute} Talent + {difficulty=1} Hazard`\n- Value lead: `success - failure`\n\
    - Opposed: higher {lead}, higher edge; ties nobody\n- Again Push: reroll all\n\n\
    | Outcome | When | Lamp |\n|---|---|---|\n| Success | success 1+ | |\n| Failure | otherwise | -1 step |\n\n\
    ## Health\n- Lamp: max 8\n- Damage: none\n- At 0 Lamp: gain dark\n\n## Conditions\n- dark\n";

fn symbols() -> Table {
    let mut table = Table::of_rules(Some(SYMBOL_RULES));
    for (name, wits) in [("Ann", 2), ("Bo", 1)] {
        table
            .manage_character(
                json!({"action": "create", "name": name, "attributes": {"Wits": wits}}),
            )
            .is_fine();
    }
    table
}

fn lamp(table: &mut Table) -> Value {
    let sheet = table.get_character(json!({"character": "Ann"}))["character"]["tracks"].clone();
    sheet
        .as_array()
        .expect("tracks")
        .iter()
        .find(|track| track["name"] == "Lamp")
        .expect("the lamp")["value"]
        .clone()
}

#[test]
fn what_was_rolled_is_named_and_what_is_left_decides() {
    let mut table = symbols();
    let venture = json!({"character": "Ann", "attribute": "Wits"});
    let made = table.dice([4, 3, 2]).skill_check(venture.clone());
    assert_eq!(made["outcome"], "success");
    assert_eq!(
        made["results"],
        json!({"success": 2, "failure": 0, "edge": 1, "lead": 2})
    );
    assert_eq!(
        made["roll"]["explanation"],
        "2 Talent: [SA, SS]; + 1 Hazard: [F] = 3 S, 1 A, 1 F"
    );
    assert_eq!(made["roll"]["individual_rolls"], json!([4, 3, 2]));
    assert!(
        made.text("summary").contains("2 Talent: [SA, SS]"),
        "{}",
        made["summary"]
    );
    // The lamp's die goes down with a failure: from eight sides to six, to four, to none.
    for (value, dice) in [(6, [1, 1, 1]), (4, [1, 2, 3]), (0, [1, 1, 2])] {
        assert_eq!(
            table.dice(dice).skill_check(venture.clone())["outcome"],
            "failure"
        );
        assert_eq!(lamp(&mut table), value);
    }
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(lamp(&mut table), 4);
    assert_eq!(
        table.dice([1, 1, 2]).skill_check(venture.clone())["outcome"],
        "failure"
    );
    assert_eq!(lamp(&mut table), 0);
    let pushed = table
        .dice([3, 3, 1])
        .skill_check(json!({"character": "Ann", "again": "last"}));
    assert_eq!(pushed["results"]["lead"], 4);
}

#[test]
fn they_are_rolled_by_name_and_entered_by_the_place_of_a_face() {
    let mut table = symbols();
    let rolled = table
        .dice([2, 4, 3])
        .call("roll_dice", json!({"expression": "2 Talents + 1 hazard"}));
    assert_eq!(
        rolled["expression"],
        "2d{-,S,SS,SA}[Talent] + 1d{-,F,FF}[Hazard]"
    );
    assert_eq!(
        rolled["explanation"],
        "2 Talent: [S, SA]; + 1 Hazard: [FF] = 2 S, 1 A, 2 F"
    );
    assert_eq!(
        (&rolled["input"], &rolled["total"]),
        (&json!("2 Talents + 1 hazard"), &json!(0))
    );
    let fuel = table.dice([1, 0]).call(
        "roll_multiple",
        json!({"rolls": [{"expression": "2 Fuel + 1"}]}),
    );
    assert_eq!(fuel["totals"], json!([2]));
    let check =
        |entered: Value| json!({"character": "Bo", "attribute": "Wits", "entered": entered});
    assert_eq!(
        table.dice([]).skill_check(check(json!([4, 1])))["results"]["edge"],
        1
    );
    table
        .skill_check(check(json!([5, 1])))
        .refused_with("invalid_parameters", &["1 to 4"]);
    table
        .call("roll_dice", json!({"expression": "2 Tallent"}))
        .refused("unparseable_input");
    let odds = table.call("odds", json!({"character": "Bo", "attribute": "Wits"}));
    let row = each(&odds["outcomes"])
        .find(|row| row["outcome"] == "success")
        .expect("a row");
    // Of twelve falls four leave a success: one or one with an edge against nothing, two against
    // nothing or one.
    assert_eq!(row["fraction"], "1/3", "{odds:?}", odds = odds.value());
}

#[test]
fn two_who_meet_compare_what_is_left() {
    let mut table = symbols();
    let call = json!({"character": "Ann", "attribute": "Wits", "opposed_by": {"character": "Bo", "attribute": "Wits"}});
    let met = table.dice([2, 1, 1, 4, 1]).skill_check(call.clone());
    assert_eq!(
        (&met["results"]["lead"], &met["opposed"]["results"]["lead"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(met["contest"], "lost", "the edge is the other's");
    let met = table.dice([3, 1, 1, 4, 1]).skill_check(call);
    assert_eq!(met["contest"], "won");
}

/// What dice show beside their faces, in play: results that are no totals, sizes, sets, dice that
/// dominate.
const SIZE_RULES: &str = "# Mine\n\n## Dice\n- Dice chain: d14, d16, d20, d24\n\n## Skills\n- Lore\n- Guile\n\n## Checks\n\n\
    ### Scene\n- Roll: `{1d{role}, 1d{bond}, 1d{place}}kh2`\n- Asks: role 4 to 12, bond 4 to 12, place 4 to 12\n- Target: `{difficulty}`\n\
    - Result: `total - max(0, 1s + 2 - dice)`\n- Value effect: `max(4, size(dropped 2+))`\n\n\
    ### Duel\n- Roll: `2d6[red] + 1d6[blue]`\n- Result: `sum(highest 2) + {skill}`\n- Flag hot: red dominates\n\n\
    ### Attack\n- Roll: `1d20`\n- Target: `{difficulty}`\n\n| Outcome | When |\n|---|---|\n\
    | Critical (critical success) | `natural = size(natural)` |\n| Hit (success) | margin 0+ |\n| Miss (failure) | otherwise |\n";

fn sizes() -> Table {
    let mut table = Table::of_rules(Some(SIZE_RULES));
    for (name, kind) in [("Ann", "player"), ("Bo", "npc")] {
        table.create(
            name,
            json!({"kind": kind, "skills": {"Lore": 2, "Guile": 1}}),
        );
    }
    table
}

#[test]
fn a_result_is_what_is_compared_and_the_log_is_sound() {
    let mut table = sizes();
    let scene = json!({"character": "Ann", "check": "Scene", "difficulty": 9, "values": {"role": 8, "bond": 6, "place": 4}});
    let made = table.dice([1, 6, 1]).skill_check(scene.clone());
    assert_eq!(
        (&made["roll"]["total"], &made["margin"]),
        (&json!(7), &json!(-3))
    );
    assert_eq!(made["results"], json!({"Result": 6, "effect": 4}));
    let made = table.dice([5, 6, 4]).skill_check(scene);
    assert_eq!(
        (&made["margin"], &made["results"]["effect"]),
        (&json!(2), &json!(4))
    );
    let critical = json!({"character": "Ann", "check": "Attack", "difficulty": 18, "steps": -1});
    assert_eq!(table.dice([16]).skill_check(critical)["label"], "Critical");
}

#[test]
fn two_who_meet_compare_their_results() {
    let mut table = sizes();
    let duel = json!({"character": "Ann", "check": "Duel", "skill": "Guile",
                      "opposed_by": {"character": "Bo", "check": "Duel", "skill": "Lore"}});
    let met = table.dice([6, 1, 5, 4, 4, 4]).skill_check(duel);
    assert_eq!(met["results"]["Result"], 12);
    assert_eq!(met["opposed"]["result"], 10);
    assert_eq!(
        (&met["contest"], &met["flags"]),
        (&json!("won"), &json!(["hot"]))
    );
}
