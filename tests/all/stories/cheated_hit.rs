//! A cheated hit: a GM's assistant makes damage of what is no damage roll, and of one roll more
//! than it came to. What cannot be meant is refused, what may be meant is reported to everybody who
//! may know it, and the log keeps it.

use rollbook_game::view::Audience;
use rollbook_record::export::Format;
use serde_json::{Value, json};

use crate::table::{Answer, Table, has};

fn refused(answer: &Answer) -> String {
    answer.refusal_text("invalid_parameters").to_owned()
}

/// What verification, which finds nothing, notes of rolls that were named: entry and words.
fn notes(table: &Table) -> Vec<(i64, String)> {
    let verified = table.record().verified(None);
    assert!(verified.is_sound(), "{verified:?}");
    let notes = verified.campaigns.iter().flat_map(|report| &report.notes);
    let of_rolls = |what: &str| {
        [
            " rolled, #",
            " was used on ",
            " names #",
            " follows #",
            " has the dice of ",
        ]
        .iter()
        .any(|part| what.contains(part))
    };
    let notes = notes.filter(|note| of_rolls(&note.what));
    notes
        .map(|note| (i64::try_from(note.seq).expect("small"), note.what.clone()))
        .collect()
}

#[test]
fn a_cheated_hit_is_refused_or_reported_to_everybody() {
    let mut table = Table::with_party();
    let attack = json!({"character": "Jory", "skill": "Melee", "difficulty": 10, "context": "a blow at Sabeth"});
    let attack = table.dice([18]).skill_check(attack);
    let aimed = table
        .dice([17])
        .roll_dice(json!({"expression": "1d20+5 vs 15"}));
    let pool = table
        .dice([6, 5, 2])
        .roll_dice(json!({"expression": "3d6t>4"}));
    let before = table.record().everything();
    for (roll, why) in [
        (&attack, "is a check"),
        (&aimed, "is rolled against a target"),
        (&pool, "counts successes"),
    ] {
        for amount in [Value::Null, json!(9)] {
            let summary =
                refused(&table.apply_damage(
                    json!({"target": "Sabeth", "roll": roll["log"], "amount": amount}),
                ));
            assert!(
                summary.contains(why) && summary.contains("leave roll out"),
                "{summary}"
            );
        }
    }
    assert_eq!(
        table.record().everything(),
        before,
        "nothing of it happened"
    );

    let dealt = table
        .dice([4])
        .roll_dice(json!({"expression": "1d6", "context": "cudgel"}));
    let seq = dealt.number("log");
    let more = table
        .apply_damage(json!({"target": "Sabeth", "roll": seq, "amount": 9, "reason": "cudgel"}));
    let expected = format!(
        "Sabeth takes 9 damage (9 instead of 4 rolled, #{seq}) (cudgel): Hit points 13 to 4/13."
    );
    assert_eq!(more.text("summary"), expected);
    assert!(
        more.text("player_text")
            .starts_with("Sabeth takes 9 damage (9 instead of 4 rolled) (cudgel): ")
    );
    let again = table.apply_damage(json!({"target": "Sabeth", "roll": seq}));
    let first = more.number("log");
    assert!(
        again
            .text("summary")
            .contains(&format!("(#{seq} was used on Sabeth before, by #{first})"))
    );
    assert!(
        again
            .text("player_text")
            .contains("(a roll that was used on Sabeth before)"),
        "{}",
        again.value()
    );

    let log = std::fs::read_to_string(table.export(Audience::Gm, Format::Jsonl, "log.jsonl"))
        .expect("the log");
    assert!(
        log.contains(&format!("9 instead of 4 rolled, #{seq}")),
        "{log}"
    );
    let expected = [
        (first, format!("9 instead of 4 rolled, #{seq}")),
        (
            again.number("log"),
            format!("#{seq} was used on Sabeth before, by #{first}"),
        ),
    ];
    assert_eq!(notes(&table), expected);
}

#[test]
fn an_honest_evening_has_no_such_note() {
    let mut table = Table::with_party();
    table.start(json!([
        {"name": "Sabeth", "initiative": 9}, {"name": "Jory", "initiative": 5},
        {"name": "Rat", "hp": 20, "initiative": 1},
    ]));
    let blast = table
        .dice([4, 5])
        .roll_dice(json!({"expression": "2d6", "context": "the boiler bursts"}));
    for hit in [
        json!({"target": "Sabeth", "roll": blast["log"]}),
        json!({"target": "Jory", "roll": blast["log"], "half": true}),
        json!({"target": "Rat", "roll": blast["log"], "amount": 9}),
    ] {
        let hit = table.apply_damage(hit);
        assert!(
            !hit.text("summary").contains("rolled") && !hit.text("summary").contains("before,"),
            "{}",
            hit.value()
        );
    }
    let set =
        json!({"rolls": [{"expression": "d6"}, {"expression": "d8"}], "context": "two bites"});
    let set = table.dice([2, 6]).call("roll_multiple", set);
    table
        .apply_damage(json!({"target": "Jory", "roll": set["log"], "amount": 2}))
        .is_fine();
    let second = table.apply_damage(json!({"target": "Jory", "roll": set["log"], "amount": 6}));
    assert!(
        !second.text("summary").contains("before"),
        "each of the two once: {}",
        second.value()
    );
    let salve = table.dice([3]).roll_dice(json!({"expression": "1d4+1"}));
    let slip = table.apply_damage(json!({"target": "Jory", "roll": salve["log"], "amount": -4}));
    table
        .manage_session(json!({"action": "undo", "entry": slip["log"]}))
        .is_fine();
    let healed = table.apply_damage(json!({"target": "Jory", "roll": salve["log"], "amount": -4}));
    assert!(
        !healed.text("summary").contains("before"),
        "what was undone is no use of it: {}",
        healed.value()
    );
    assert_eq!(notes(&table), []);
    table.manage_session(json!({"action": "undo"})).is_fine();
    let undo = table.manage_session(json!({"action": "undo", "entry": slip.number("log") + 1}));
    assert!(
        undo.text("summary").starts_with("Done again"),
        "{}",
        undo.value()
    );
    let third = table.apply_damage(json!({"target": "Jory", "roll": salve["log"], "amount": -4}));
    third.has("summary", &["was used on Jory before"]);
}

#[test]
fn of_a_roll_that_players_did_not_see_they_learn_nothing() {
    let mut table = Table::with_party();
    let secret = table
        .dice([4])
        .roll_dice(json!({"expression": "1d6", "visibility": "gm"}));
    let hit = table.apply_damage(json!({"target": "Jory", "roll": secret["log"], "amount": 3}));
    assert!(
        hit.text("summary").contains("3 instead of 4 rolled"),
        "{}",
        hit.value()
    );
    assert_eq!(
        hit.text("player_text"),
        "Jory takes 3 damage: Hit points 14 to 11/14."
    );
    let twice = table.apply_damage(json!({"target": "Jory", "roll": secret["log"]}));
    assert!(
        twice.text("summary").contains("used on Jory before")
            && !twice.text("player_text").contains("before")
    );
    let copy = std::fs::read_to_string(table.export(Audience::Player, Format::Jsonl, "copy.jsonl"))
        .expect("the copy");
    assert!(
        !copy.contains("\"rolled\":[4]") && !copy.contains("instead of"),
        "{copy}"
    );
}

#[test]
fn of_a_foe_players_learn_the_roll_without_figures() {
    let mut table = Table::with_party();
    table.start(json!([
        {"name": "Jory", "initiative": 5}, {"name": "Rat", "hp": 20, "initiative": 1},
    ]));
    let open = table.dice([4]).roll_dice(json!({"expression": "1d6"}));
    let hit = table.apply_damage(json!({"target": "Rat", "roll": open["log"], "amount": 3}));
    assert_eq!(
        hit.text("player_text"),
        "Rat takes damage (not the amount that was rolled) and is hurt."
    );
    let foretold =
        table.apply_damage(json!({"target": "Rat", "roll": open["log"], "preview": true}));
    assert!(
        foretold.text("summary").contains("was used on Rat before"),
        "{}",
        foretold.value()
    );
}

#[test]
fn an_attack_roll_without_a_target_is_no_damage_unless_its_amount_is_reported() {
    let mut table = Table::with_party();
    for (expression, dice) in [
        ("1d20+5", vec![18]),
        ("d20", vec![3]),
        ("d20 advantage + 5", vec![18, 4]),
        ("1d20+5+1d4", vec![2, 2]),
    ] {
        let attack = table
            .dice(dice)
            .roll_dice(json!({"expression": expression, "context": "a blow at Sabeth"}));
        let summary =
            refused(&table.apply_damage(json!({"target": "Sabeth", "roll": attack["log"]})));
        has(
            &summary,
            &[
                "has the dice of the check",
                "Roll the damage with roll_dice",
            ],
        );
        let advised = format!("send amount={} beside roll", attack.number("total"));
        assert!(summary.contains(&advised), "{summary}");
    }
    let seq = table
        .dice([3])
        .roll_dice(json!({"expression": "1d20", "context": "the cannon"}))
        .number("log");
    let hit = table.apply_damage(json!({"target": "Sabeth", "roll": seq, "amount": 3}));
    assert!(hit.text("summary").starts_with(&format!(
        "Sabeth takes 3 damage (#{seq} has the dice of a check): "
    )));
    assert!(
        hit.text("player_text")
            .starts_with("Sabeth takes 3 damage (a roll with the dice of a check): ")
    );
    assert_eq!(
        notes(&table),
        [(hit.number("log"), format!("#{seq} has the dice of a check"))]
    );
    let log = std::fs::read_to_string(table.export(Audience::Gm, Format::Jsonl, "log.jsonl"))
        .expect("the log");
    assert!(log.contains("\"like_check\":true"), "{log}");
}

#[test]
fn of_an_attack_and_its_damage_in_one_entry_the_damage_is_meant() {
    let mut table = Table::with_party();
    let both = json!({"rolls": [{"expression": "1d20+5"}, {"expression": "1d6"}]});
    let both = table.dice([18, 4]).call("roll_multiple", both);
    let hit = table.apply_damage(json!({"target": "Sabeth", "roll": both["log"]}));
    assert_eq!(
        hit.text("summary"),
        "Sabeth takes 4 damage: Hit points 13 to 9/13."
    );
    assert_eq!(notes(&table), []);
    let wrong = table.apply_damage(json!({"target": "Jory", "roll": both["log"], "amount": 23}));
    assert!(
        wrong.text("summary").contains("has the dice of a check"),
        "{}",
        wrong.value()
    );
}

#[test]
fn without_rules_a_d20_is_an_attack_and_a_sum_of_small_dice_is_damage() {
    let mut table = Table::of_rules(None);
    table.create("Ann", json!({"tracks": {"Hit points": 20}}));
    let attack = table
        .dice([17])
        .roll_dice(json!({"expression": "1d20+3"}))
        .number("log");
    let summary = refused(&table.apply_damage(json!({"target": "Ann", "roll": attack})));
    assert!(summary.contains("has the dice of a check"), "{summary}");
    for (expression, dice) in [("1d12", vec![2]), ("2d20", vec![1, 2]), ("1d100", vec![2])] {
        let seq = table
            .dice(dice)
            .roll_dice(json!({"expression": expression}))
            .number("log");
        table
            .apply_damage(json!({"target": "Ann", "roll": seq}))
            .is_fine();
    }
}

#[test]
fn of_a_roll_behind_the_screen_players_learn_that_the_amount_is_another() {
    let mut table = Table::with_party();
    table.start(json!([
        {"name": "Jory", "initiative": 5}, {"name": "Rat", "hp": 20, "initiative": 1},
    ]));
    for visibility in ["blind", "outcome_only"] {
        let unseen = json!({"expression": "1d6", "visibility": visibility});
        let seq = table.dice([4]).roll_dice(unseen.clone()).number("log");
        let hit = table.apply_damage(json!({"target": "Jory", "roll": seq, "amount": 2}));
        assert!(hit.text("summary").starts_with(&format!(
            "Jory takes 2 damage (2 instead of 4 rolled, #{seq}): "
        )));
        hit.starts(
            "player_text",
            "Jory takes 2 damage (not the amount that was rolled): ",
        );
        let foe = table.apply_damage(json!({"target": "Rat", "roll": seq, "amount": 3}));
        foe.starts(
            "player_text",
            "Rat takes damage (not the amount that was rolled) and is ",
        );
        // As it was rolled there is nothing to tell, nor that a roll is used again.
        let seq = table.dice([4]).roll_dice(unseen).number("log");
        for _ in 0..2 {
            let hit = table.apply_damage(json!({"target": "Rat", "roll": seq}));
            assert!(
                hit.text("player_text")
                    .starts_with("Rat takes damage and is "),
                "{hit:?}"
            );
        }
    }
    let copy = std::fs::read_to_string(table.export(Audience::Player, Format::Jsonl, "copy.jsonl"))
        .expect("the copy");
    assert!(
        copy.contains("not the amount that was rolled") && !copy.contains("instead of"),
        "{copy}"
    );
    assert!(!copy.contains("\"rolled\""), "{copy}");
}
