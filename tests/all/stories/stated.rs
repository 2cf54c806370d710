//! Checks that the call states: of rules that are prose, and against rules that have a check.

use rollbook_game::view::Audience;
use rollbook_record::export::Format;
use rollbook_record::report;
use serde_json::{Value, json};

use super::advice::follow;
use crate::report::rig;
use crate::table::{Table, cases, each, has, text, with};

const PROSE: &str = "# The Salt Road\n\nWe roll what fits. A hard thing is a fifteen; roll a twenty-sider and add what helps.\n\n\
     ## Of fear\n\nWho is afraid rolls under the nerve that is left.\n";

/// A table whose rules are prose, with Ann and her numbers.
fn prose() -> Table {
    Table::of_people(
        PROSE,
        &["Ann"],
        json!({"kind": "player", "attributes": {"DEX": 3, "Nerve": 45}, "skills": {"Climb": 2}}),
    )
}

fn refused(table: &mut Table, call: Value, words: &str) {
    let before = table.record().everything();
    let answer = table.skill_check(call.clone());
    assert!(answer.is_refused(), "{call}: {}", answer.value());
    let summary = answer.value()["summary"].as_str().expect("text").to_owned();
    assert!(summary.contains(words), "{call}: {summary}");
    assert_eq!(table.record().everything(), before, "{call}");
}

#[test]
fn a_stated_check_has_an_outcome_in_the_log_and_is_marked() {
    let mut table = prose();
    let climb = json!({"character": "Ann", "check": "Climb", "roll": "1d20 + {DEX} + {Climb}", "difficulty": 15, "modifier": -1, "context": "the sea wall"});
    let made = table.dice([11]).skill_check(climb);
    let expected = "Ann, Climb (stated) (the sea wall): 1d20: [11]; + 3; + 2; - 1 = 15 against 15: success, exactly.";
    assert_eq!(made.text("summary"), expected);
    assert_eq!(
        (&made["outcome"], &made["margin"], &made["target"]),
        (&json!("success"), &json!(0), &json!(15))
    );
    assert_eq!(made["stated"], json!({"roll": "1d20 + {DEX} + {Climb}"}));
    assert_eq!(made["rule"], "the call");
    assert_eq!(made["player_text"], made["summary"]);
    let logged = table.call("search_log", json!({"entry": made["log"]}));
    assert!(
        logged.value().to_string().contains("(stated)"),
        "{}",
        logged.value()
    );
    let hidden = table
        .dice([2])
        .skill_check(json!({"roll": "1d20", "difficulty": 15, "visibility": "outcome_only"}));
    assert_eq!(hidden["player_text"], "Ann, Check (stated): failure.");
}

#[test]
fn low_is_good_where_the_call_says_so() {
    let mut table = prose();
    let fear = json!({"check": "Fear", "roll": "d%", "difficulty": 45, "or_less": true});
    let held = table.dice([45]).skill_check(fear.clone());
    assert_eq!(
        (&held["outcome"], &held["margin"]),
        (&json!("success"), &json!(0))
    );
    let eased = table
        .dice([50])
        .skill_check(with(fear.clone(), json!({"modifier": 10})));
    assert_eq!(
        (&eased["outcome"], &eased["margin"], &eased["target"]),
        (&json!("success"), &json!(5), &json!(55))
    );
    let failed = table.dice([46]).skill_check(fear);
    assert_eq!(failed["outcome"], "failure");
}

#[test]
fn rows_say_how_it_ends_and_what_none_takes_is_a_failure() {
    let mut table = prose();
    let rows = json!({"10+": "success", "7-9": "at a price (partial success)", "natural 6": "critical success"});
    let act = json!({"roll": "2d6 + {DEX}", "rows": rows});
    for (dice, outcome, label) in [
        ([5, 3], "success", "success"),
        ([3, 1], "partial_success", "at a price"),
        ([2, 1], "failure", "failure"),
        // A condition counts before a range.
        ([6, 1], "critical_success", "critical success"),
    ] {
        let made = table.dice(dice).skill_check(act.clone());
        assert_eq!(
            (&made["outcome"], &made["label"]),
            (&json!(outcome), &json!(label)),
            "{}",
            made["summary"]
        );
    }
    let listed = json!([{"natural 6 and total 15+": "critical success"}, {"natural 6": "success"}, {"otherwise": "critical failure"}]);
    let made = table
        .dice([6, 6])
        .skill_check(json!({"roll": "2d6 + {DEX}", "rows": listed}));
    assert_eq!(made["outcome"], "critical_success");
    let made = table
        .dice([1, 1])
        .skill_check(json!({"roll": "2d6 + {DEX}", "rows": listed}));
    assert_eq!(made["outcome"], "critical_failure");
}

#[test]
fn its_odds_are_those_worked_out_by_hand() {
    let mut table = prose();
    let mut fractions = |call: Value| -> Vec<(Value, Value)> {
        let odds = table.call("odds", call);
        let rows = odds["outcomes"]
            .as_array()
            .unwrap_or_else(|| panic!("{}", odds.value()))
            .clone();
        rows.iter()
            .map(|row| (row["outcome"].clone(), row["fraction"].clone()))
            .collect()
    };
    let expected = |all: &[(&str, &str)]| -> Vec<(Value, Value)> {
        all.iter()
            .map(|(outcome, chance)| (json!(outcome), json!(chance)))
            .collect()
    };
    // 1d20 + 3 reaches 15 with 12 to 20.
    let climb = json!({"character": "Ann", "roll": "1d20 + {DEX}", "difficulty": 15});
    assert_eq!(
        fractions(climb),
        expected(&[("success", "9/20"), ("failure", "11/20")])
    );
    let sent = json!({"roll": "1d100", "difficulty": 45, "or_less": true});
    assert_eq!(
        fractions(sent),
        expected(&[("success", "9/20"), ("failure", "11/20")])
    );
    // 2d6: 6 of 36 are 10 or more, 15 are 7 to 9.
    let rows = json!({"10+": "success", "7-9": "partial success"});
    let sent = json!({"roll": "2d6", "rows": rows});
    assert_eq!(
        fractions(sent),
        expected(&[
            ("success", "1/6"),
            ("partial_success", "5/12"),
            ("failure", "5/12")
        ])
    );
}

#[test]
fn where_the_rules_have_the_check_a_reason_sets_it_aside_and_is_counted() {
    let mut table = Table::with_party();
    let flip = json!({"character": "Sabeth", "roll": "1d20", "difficulty": 11});
    refused(
        &mut table,
        flip.clone(),
        "The rules have this check: Check (System.md:",
    );
    refused(
        &mut table,
        with(flip.clone(), json!({"context": "a whim"})),
        "override_reason=\"…\" as well",
    );
    refused(
        &mut table,
        with(flip.clone(), json!({"check": "check"})),
        "The rules have this check",
    );
    let reasoned = with(flip, json!({"override_reason": "the lock is a toy"}));
    let made = table.dice([12]).skill_check(reasoned);
    assert_eq!(
        made.text("summary"),
        "Sabeth, Check (stated) (the GM's ruling: the lock is a toy): 1d20: [12] = 12 against 11: success by 1."
    );
    let expected =
        "Sabeth, Check (stated) (the GM's ruling): 1d20: [12] = 12 against 11: success by 1.";
    assert_eq!(made["player_text"], expected);
    let fortune = json!({"character": "Sabeth", "check": "Fortune", "roll": "1d6", "rows": {"5+": "success"}});
    let made = table.dice([5]).skill_check(fortune.clone());
    assert_eq!(made["outcome"], "success", "the rules have no such check");
    refused(
        &mut table,
        with(fortune, json!({"override_reason": "no need"})),
        "override_reason would change nothing",
    );
    for audience in [Audience::Gm, Audience::Player] {
        let text = rig::report(&table, audience, report::Format::Markdown);
        let row = text
            .lines()
            .find(|line| line.contains("Rules overridden by the GM's ruling"))
            .expect("a row");
        assert!(row.contains(" 1 "), "{row}");
        assert!(text.contains("(stated)"), "{text}");
    }
    for (audience, knows) in [(Audience::Gm, true), (Audience::Player, false)] {
        let copy = table.export(audience, Format::Jsonl, audience.as_str());
        let copy = std::fs::read_to_string(copy).expect("a copy");
        assert!(copy.contains("(stated)"), "{copy}");
        assert_eq!(copy.contains("the lock is a toy"), knows, "{copy}");
    }
}

#[test]
fn a_check_without_rules_shows_the_call_that_states_it() {
    for rules in [None, Some(PROSE)] {
        let mut table = Table::of_rules(rules);
        table.create("Ann", json!({"kind": "player", "skills": {"Climb": 2}}));
        for [call, shown, dice] in cases(json!([
            [{"skill": "climb", "difficulty": 12, "modifier": 1},
             "skill_check character=\"Ann\" skill=\"climb\" roll=\"1d20 + {skill}\" difficulty=12 modifier=1", [9]],
            [{"check": "Fear"}, "skill_check character=\"Ann\" check=\"Fear\" roll=\"1d20\" difficulty=15", [9]],
            [{"skill": "Diving", "disadvantage": true, "visibility": "gm"},
             "skill_check character=\"Ann\" check=\"Diving\" roll=\"1d20\" visibility=\"gm\" difficulty=15 disadvantage=true",
             [9, 4]],
        ])) {
            let refusal = table.skill_check(call.clone()).refused("no_rules").clone();
            has(text(&refusal["summary"]), &[text(&shown)]);
            table.dice(each(&dice).filter_map(Value::as_i64));
            follow(&mut table, "skill_check", &call, &refusal, 0)
                .expect("the call is taken as it stands");
        }
    }
}

#[test]
fn what_is_not_understood_is_refused_before_dice_fall() {
    let mut table = prose();
    let dex = json!({"roll": "1d20 + {DEX}"});
    for (more, words) in [
        (
            json!({"roll": "1d20 purple", "difficulty": 9}),
            "roll cannot be read: `purple` is not understood",
        ),
        (
            json!({"roll": "1d20 + {DEX", "difficulty": 9}),
            "roll cannot be read",
        ),
        (json!({"roll": "", "difficulty": 9}), "roll cannot be read"),
        (
            json!({"roll": "1d20\n## Checks", "difficulty": 9}),
            "one line",
        ),
        (
            json!({"roll": "1d20 + ".repeat(100), "difficulty": 9}),
            "at most 500 bytes",
        ),
        (json!({"roll": "99999999d6", "difficulty": 9}), ""),
        (
            json!({"roll": format!("{}1{}", "(".repeat(200), ")".repeat(200)), "difficulty": 9}),
            "fewer brackets",
        ),
        (json!({}), "does not say when it succeeds"),
        (
            json!({"difficulty": 9, "rows": {"10+": "success"}}),
            "not both",
        ),
        (
            json!({"or_less": true, "rows": {"10+": "success"}}),
            "not both",
        ),
        (json!({"rows": {}}), "rows is empty"),
        (
            json!({"rows": {"10+": ["success"]}}),
            "an outcome in words for each",
        ),
        (json!({"rows": [3]}), "an outcome in words for each"),
        (
            json!({"rows": {"10+": "triumph"}}),
            "`triumph` is not understood",
        ),
        (
            json!({"rows": {"10+ <!-- never -->": "success"}}),
            "rows cannot be read: `<` is not understood",
        ),
        (
            json!({"rows": {"10+ [](never)": "success"}}),
            "`[` is not understood",
        ),
        (
            json!({"rows": {"10+": "success&#32;"}}),
            "`&` is not understood",
        ),
        (
            json!({"rows": {"ten or so": "success"}}),
            "rows cannot be read: `ten` is not understood",
        ),
        (
            json!({"rows": {"9-7": "success"}}),
            "the lower number first",
        ),
        (
            json!({"rows": {"10+": "success", "9-12": "failure"}}),
            "may both hold",
        ),
        (
            json!({"rows": {"margin 5+": "success"}}),
            "asks for a number to reach",
        ),
        (
            json!({"rows": [{"10+": "success", "7+": "failure"}]}),
            "one row an object",
        ),
        (
            json!({"roll": "1d20 + {Luck}", "difficulty": 9}),
            "Ann's sheet has DEX, Nerve, Climb",
        ),
        (
            json!({"roll": null, "rows": {"10+": "success"}}),
            "roll is missing",
        ),
        (json!({"difficulty": "hard"}), "no words for difficulties"),
    ] {
        refused(&mut table, with(dex.clone(), more), words);
    }
    let rows: serde_json::Map<String, Value> = (0..21)
        .map(|nth| (nth.to_string(), json!("success")))
        .collect();
    refused(
        &mut table,
        json!({"roll": "1d20", "rows": rows}),
        "at most 20",
    );
    table
        .dice([9])
        .skill_check(json!({"roll": "1d20", "difficulty": 5}))
        .is_fine();
    let call = json!({"difficulty": 9, "again": "last"});
    refused(
        &mut table,
        with(dex, call),
        "states a new check, and again follows one",
    );
    refused(
        &mut table,
        json!({"again": "last"}),
        "was stated by its call",
    );
    let mut d6 = Table::of_rules(Some("# Small dice\n\n## Dice\n- Dice: d6\n"));
    d6.create("Ann", json!({"kind": "player"}));
    refused(
        &mut d6,
        json!({"roll": "1d20", "difficulty": 5}),
        "d20 is not rolled at this table",
    );
    d6.dice([6])
        .skill_check(json!({"roll": "1d6", "difficulty": 5}))
        .is_fine();
}

#[test]
fn it_is_made_against_a_character_by_several_and_taken_back_as_any_check() {
    let mut table = prose();
    let call =
        json!({"action": "create", "name": "Bo", "kind": "player", "attributes": {"DEX": 1}});
    table.manage_character(call).is_fine();
    table.create(
        "Rat",
        json!({"kind": "npc", "hp": 9, "attributes": {"DEX": 2}, "tracks": {"Armour": 12}}),
    );
    let strike = json!({"character": "Ann", "target": "Rat", "roll": "1d20 + {DEX}", "rows": {"{target Armour}+": "hit (success)"}});
    let hit = table
        .dice([9, 4])
        .skill_check(with(strike.clone(), json!({"damage": "1d6"})));
    assert_eq!(
        (&hit["label"], &hit["damage"]["amount"]),
        (&json!("hit"), &json!(4)),
        "{}",
        hit.value()
    );
    let missed = table.dice([8]).skill_check(strike);
    assert_eq!(missed["outcome"], "failure");
    let both =
        json!({"character": "party", "group": "all", "roll": "1d20 + {DEX}", "difficulty": 10});
    let both = table.dice([7, 9]).skill_check(both);
    assert_eq!(both["outcome"], "success", "{}", both.value());
    let against =
        json!({"character": "Ann", "roll": "1d20 + {DEX}", "opposed_by": {"character": "Rat"}});
    let won = table.dice([10, 10]).skill_check(against);
    assert_eq!(won["contest"], "won", "{}", won.value());
    let entered = table
        .dice([])
        .skill_check(json!({"character": "Ann", "roll": "1d20", "difficulty": 5, "entered": [7]}));
    assert_eq!(entered["outcome"], "success");
    let call = json!({"character": "Ann", "roll": "1d20", "difficulty": 15, "advantage": true});
    let edged = table.dice([3, 17]).skill_check(call);
    assert_eq!(edged["outcome"], "success");
    table
        .manage_session(json!({"action": "undo", "entry": hit["log"]}))
        .is_fine();
    assert!(
        table
            .get_character(json!({"character": "Rat"}))
            .value()
            .to_string()
            .contains("9/9")
    );
}
