//! Clocks and what all share: made, moved, shown, hidden, taken back; and what comes of it.

use serde_json::{Value, json};

use crate::table::{Answer, Table, with};

const RULES: &str = "# Mine\n\n## Checks\n\n### Try\n- Roll: `1d6`\n- Target: `4`\n\n## Health\n- Stress: 4 boxes, full: *gone*\n- Damage: Stress\n\n\
    ## Company\n- Stress: 9 boxes, full: *a fight breaks out*, Stress to 0\n- Supplies: max 10\n  - At 0: gain Hungry\n\
    - Alarm: 6 boxes, full: *the watch comes*, The thing below +2\n\n## Clocks\n- Flooding: 6 boxes\n  - At 3: *wet feet*\n\
    - The thing below: 4 boxes, hidden, full: *it is here*\n\n## Conditions\n- Hungry: -1 on checks\n";

fn clock(table: &mut Table, name: &str, more: Value) -> Answer {
    table.manage_session(with(json!({"action": "clock", "name": name}), more))
}

fn mine() -> Table {
    let mut table = Table::of_people(RULES, &["Ann"], json!({"kind": "player"}));
    table.create("Foe", json!({"kind": "npc"}));
    table
}

#[test]
fn a_clock_is_made_moved_and_done_with() {
    let mut table = Table::lockhouse();
    let made = clock(
        &mut table,
        "Flooding",
        json!({"segments": 6, "text": "the sluice is open"}),
    );
    assert_eq!(
        made.text("summary"),
        "Flooding begins at 0/6 (the sluice is open)."
    );
    assert_eq!(made.text("player_text"), made.text("summary"));
    assert_eq!(
        clock(&mut table, "flooding", json!({"tick": 2})).text("summary"),
        "Flooding 0 to 2/6."
    );
    assert_eq!(
        clock(&mut table, "Flooding", json!({"tick": -1})).text("summary"),
        "Flooding 2 to 1/6."
    );
    let full = clock(&mut table, "Flooding", json!({"value": 9}));
    assert_eq!(full.text("summary"), "Flooding 1 to 6/6, full.");
    assert_eq!(
        full["noted"],
        json!(["Flooding goes no higher than 6, so 9 is taken as 6"])
    );
    let status = table.manage_session(json!({"action": "status"}));
    assert_eq!(status["clocks"][7], "Flooding 6/6, full");
    let recap = table.manage_session(json!({"action": "recap", "audience": "player"}));
    assert!(
        recap
            .text("summary")
            .ends_with("What happened:\n- Flooding 1 to 6/6, full."),
        "{}",
        recap["summary"]
    );
    let done = clock(&mut table, "Flooding", json!({"done": true}));
    assert_eq!(
        (done.text("summary"), &done["clock"]["done"]),
        ("Flooding 6/6 is done with.", &json!(true))
    );
    assert_eq!(
        table.manage_session(json!({"action": "status"}))["clocks"]
            .as_array()
            .map(Vec::len),
        Some(7)
    );
    let again = clock(&mut table, "Flooding", json!({"segments": 4, "value": 4}));
    assert_eq!(again.text("summary"), "Flooding begins at 4/4.");
    let used =
        table.apply_damage(json!({"target": "flooding", "amount": 4, "reason": "the pumps"}));
    assert_eq!(
        used.text("summary"),
        "Flooding 4 to 0/4 (the pumps), empty.",
        "one that begins full is used up"
    );
}

#[test]
fn what_the_rules_declare_is_there_before_anything_moves_it() {
    let mut table = mine();
    let company = table.get_character(json!({"character": "company"}));
    let all = "The company: Stress 0/9, Supplies 10/10, Alarm 0/6, Flooding 0/6, The thing below 0/4 (hidden).";
    assert_eq!(company.text("summary"), all);
    let sheet = table.get_character(json!({"character": "company", "view": "sheet"}));
    assert!(
        !sheet.value().to_string().contains("thing below"),
        "it is read out to players: {}",
        sheet.value()
    );
    let hit = table.apply_damage(json!({"target": "company", "track": "supplies", "amount": 3}));
    assert_eq!(
        hit["tracks"],
        json!([{"name": "Supplies", "before": 10, "after": 7, "max": 10}])
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        table
            .get_character(json!({"character": "company"}))
            .text("summary"),
        all,
        "taken back whole"
    );
    let meant = table.apply_damage(json!({"target": "the flooding", "amount": 1}));
    assert_eq!(
        meant.text("summary"),
        "Flooding 0 to 1/6.",
        "nobody is called so"
    );
    let hurt = table.apply_damage(json!({"target": "Ann", "track": "Stress", "amount": 1}));
    assert_eq!(
        hurt["tracks"][0]["max"], 4,
        "somebody's own track of the same name is another"
    );
}

#[test]
fn thresholds_bring_conditions_upon_the_party_move_others_and_are_taken_back_in_one() {
    let mut table = mine();
    let conditions = |table: &mut Table, who: &str| {
        table.get_character(json!({"character": who, "view": "full"}))["character"]["conditions"]
            .clone()
    };
    let hungry = clock(&mut table, "Supplies", json!({"value": 0}));
    assert_eq!(
        hungry.text("summary"),
        "Supplies 10 to 0/10, empty: gain Hungry. Ann (Supplies) is now Hungry."
    );
    assert_eq!(
        hungry.text("player_text"),
        "Supplies 10 to 0/10, empty. Ann (Supplies) is now Hungry."
    );
    assert_eq!(
        (conditions(&mut table, "Ann"), conditions(&mut table, "Foe")),
        (json!(["Hungry"]), json!([]))
    );
    clock(&mut table, "Supplies", json!({"tick": 2})).is_fine();
    assert_eq!(conditions(&mut table, "Ann"), json!([]), "no longer");
    let stress = clock(&mut table, "Stress", json!({"tick": 9}));
    assert_eq!(
        stress.text("summary"),
        "Stress 0 to 9/9, full: a fight breaks out, Stress to 0. Stress 9 to 0/9."
    );
    assert_eq!(stress["clock"]["value"], 0);
    let before = table.get_character(json!({"character": "company"}))["company"].clone();
    let alarm = clock(&mut table, "Alarm", json!({"tick": 6}));
    assert!(
        alarm.text("summary").contains("The thing below 0 to 2/4."),
        "{}",
        alarm.text("summary")
    );
    let expected = "Alarm 0 to 6/6, full.";
    assert_eq!(
        alarm.text("player_text"),
        expected,
        "what it brings about and what is hidden are the GM's"
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        table.get_character(json!({"character": "company"}))["company"],
        before
    );
}

#[test]
fn players_learn_nothing_of_a_hidden_clock_until_it_is_shown() {
    let mut table = mine();
    table.start(json!([{"name": "Ann"}]));
    for more in [
        json!({"tick": 1}),
        json!({"tick": 3, "text": "steps"}),
        json!({"value": 1}),
    ] {
        let text = clock(&mut table, "The thing below", more);
        assert_eq!(text["player_text"], Value::Null, "{}", text.value());
    }
    clock(
        &mut table,
        "A doom",
        json!({"segments": 12, "visibility": "gm"}),
    )
    .is_fine();
    table
        .endless_dice(3)
        .apply_damage(json!({"target": "A doom", "amount": "1d4"}))
        .is_fine();
    clock(&mut table, "Flooding", json!({"tick": 1})).is_fine();
    let fight = table.manage_combat(json!({"action": "status"}));
    assert!(
        fight
            .text("summary")
            .contains("The thing below 1/4 (hidden)"),
        "{}",
        fight.value()
    );
    fight.ends(
        "player_text",
        " Stress 0/9, Supplies 10/10, Alarm 0/6, Flooding 1/6.",
    );
    let recap = table.manage_session(json!({"action": "recap"}));
    recap.has(
        "summary",
        &["Clocks and what all share, as they stand now:\n- Flooding 1/6"],
    );
    assert!(
        !recap.text("summary").contains("thing below") && !recap.text("summary").contains("doom"),
        "{}",
        recap.value()
    );
    let shown = clock(&mut table, "thing", json!({"visibility": "public"}));
    assert_eq!(
        shown.text("summary"),
        "Players see The thing below 1/4 from now on."
    );
    assert_eq!(shown.text("player_text"), "The thing below 1/4.");
    assert_eq!(
        clock(&mut table, "thing", json!({"tick": 1})).text("player_text"),
        "The thing below 1 to 2/4."
    );
    let hidden = clock(&mut table, "thing", json!({"visibility": "gm", "tick": 1}));
    assert_eq!(hidden["player_text"], Value::Null, "{}", hidden.value());
}

#[test]
fn a_call_that_cannot_be_meant_says_what_to_send() {
    let mut table = mine();
    let refused = |table: &mut Table, arguments: Value, code: &str, part: &str| {
        let reply = table.manage_session(with(json!({"action": "clock"}), arguments));
        let summary = reply.refused(code)["summary"].clone();
        assert!(
            summary.as_str().expect("text").contains(part),
            "{part} in {summary}"
        );
    };
    refused(
        &mut table,
        json!({}),
        "invalid_parameters",
        "clock needs name",
    );
    let call = json!({"name": "Floding", "tick": 1});
    refused(
        &mut table,
        call,
        "unknown_track",
        "Send name=\"Flooding\", or segments=6 to make it",
    );
    refused(
        &mut table,
        json!({"name": "Flooding"}),
        "no_effect",
        "Flooding is at 0/6. Send tick=1",
    );
    refused(
        &mut table,
        json!({"name": "Flooding", "tick": -1}),
        "no_effect",
        "Flooding is at 0/6 already and goes from 0 to 6. Send another number. Nothing was changed.",
    );
    refused(
        &mut table,
        json!({"name": "Flooding", "tick": 1, "value": 1}),
        "invalid_parameters",
        "one of the two",
    );
    refused(
        &mut table,
        json!({"name": "Flooding", "segments": 6}),
        "duplicate_name",
        "done=true",
    );
    refused(
        &mut table,
        json!({"name": "Ann", "segments": 6}),
        "duplicate_name",
        "another name",
    );
    refused(
        &mut table,
        json!({"name": "Doom", "segments": 0}),
        "limit_exceeded",
        "segments=6",
    );
    refused(
        &mut table,
        json!({"name": "Flooding", "visibility": "public"}),
        "no_effect",
        "already",
    );
    let call = json!({"name": "Flooding", "tick": 1, "budget": 900});
    refused(&mut table, call, "invalid_parameters", "budget is of recap");
    let hit = |table: &mut Table, arguments: Value, code: &str, part: &str| {
        let reply = table.apply_damage(arguments);
        let summary = reply.refused(code)["summary"].clone();
        assert!(
            summary.as_str().expect("text").contains(part),
            "{part} in {summary}"
        );
    };
    hit(
        &mut table,
        json!({"target": "company", "amount": 1}),
        "unknown_track",
        "Send track=\"Stress\"",
    );
    let call = json!({"target": "company", "track": "Suplies", "amount": 1});
    hit(&mut table, call, "unknown_track", "track=\"Supplies\"");
    hit(
        &mut table,
        json!({"target": "Suplies", "amount": 1}),
        "unknown_track",
        "Send target=\"Supplies\"",
    );
    hit(
        &mut table,
        json!({"target": "Alarm", "amount": 1, "half": true}),
        "invalid_parameters",
        "does not take half",
    );
    hit(
        &mut table,
        json!({"target": "Alarm"}),
        "no_effect",
        "Send amount=1",
    );
    table
        .manage_session(json!({"action": "note", "text": "x", "segments": 3}))
        .refused("invalid_parameters");
}

#[test]
fn an_expression_names_what_is_shared_unless_it_is_hidden() {
    let rules = RULES.replace(
        "- Target: `4`",
        "- Target: `2 + {Alarm}`\n\n### Dread\n- Roll: `1d6`\n- Target: `{The thing below}`",
    );
    let mut table = Table::of_people(&rules, &["Ann"], json!({"kind": "player"}));
    clock(&mut table, "Alarm", json!({"tick": 3})).is_fine();
    let tried = table.dice([4]).skill_check(json!({"character": "Ann"}));
    assert_eq!(
        (&tried["target"], &tried["outcome"]),
        (&json!(5), &json!("failure")),
        "{}",
        tried.value()
    );
    table
        .skill_check(json!({"character": "Ann", "check": "Dread"}))
        .refused("missing_value");
    clock(
        &mut table,
        "thing",
        json!({"visibility": "public", "tick": 2}),
    )
    .is_fine();
    assert_eq!(
        table
            .dice([4])
            .skill_check(json!({"character": "Ann", "check": "Dread"}))["target"],
        2
    );
    assert!(table.record().verify().findings.is_empty());
}

#[test]
fn resume_and_the_log_have_clocks() {
    let mut table = mine();
    clock(
        &mut table,
        "Flooding",
        json!({"tick": 3, "text": "the pumps stop"}),
    )
    .is_fine();
    let rolled = table
        .endless_dice(3)
        .apply_damage(json!({"target": "Alarm", "amount": "1d4", "reason": "shouting"}));
    assert!(
        rolled.text("summary").contains("Alarm 0 to "),
        "{}",
        rolled.value()
    );
    let text = table
        .manage_session(json!({"action": "resume"}))
        .text("summary")
        .to_owned();
    for part in [
        "Clocks and what all share:\n- Stress 0/9\n- Supplies 10/10\n- Alarm ",
        "- Flooding 3/6",
        "(hidden)",
        "Flooding 0 to 3/6 (the pumps stop): wet feet.",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(table.record().verified(None).is_sound());
}

#[test]
fn dice_that_were_rolled_are_logged_also_where_they_move_nothing() {
    let mut table = mine();
    let before = table.record().length();
    for amount in ["1d6 - 6", "0 * 1d6"] {
        table.dice([3]);
        let stays = table.apply_damage(json!({"target": "Alarm", "amount": amount}));
        assert!(stays.text("summary").contains("1d6"), "{}", stays.value());
        assert!(
            stays.value().to_string().contains("Alarm stays at 0/6"),
            "{}",
            stays.value()
        );
    }
    assert_eq!(table.record().length(), before + 2);
    table.record().is_sound();
    let over = table.apply_damage(json!({"target": "Alarm", "amount": 1_000_000}));
    assert_eq!(
        over["tracks"][0]["after"], 6,
        "a large number goes as far as there is room"
    );
}

#[test]
fn one_that_is_made_anew_is_as_hidden_as_it_was_and_goes_the_way_of_its_rules() {
    let mut table = mine();
    for name in ["The thing below", "Supplies"] {
        clock(&mut table, name, json!({"done": true})).is_fine();
    }
    let thing = clock(&mut table, "The thing below", json!({"segments": 4}));
    assert!(
        thing.value().get("player_text").is_none_or(Value::is_null),
        "{}",
        thing.value()
    );
    let supplies = clock(&mut table, "Supplies", json!({"segments": 4}));
    assert_eq!(supplies.text("summary"), "Supplies begins at 4/4.");
    let used = table.apply_damage(json!({"target": "company", "track": "Supplies", "amount": 4}));
    assert!(
        used.text("summary").starts_with("Supplies 4 to 0/4"),
        "{}",
        used.value()
    );
    assert!(
        table
            .get_character(json!({"character": "Ann"}))
            .value()
            .to_string()
            .contains("Hungry")
    );
}

#[test]
fn a_word_of_a_clock_s_name_moves_nothing() {
    let mut table = mine();
    clock(&mut table, "Wolf comes", json!({"segments": 4})).is_fine();
    let refused = table.apply_damage(json!({"target": "Wolf", "amount": 1}));
    assert_eq!(
        refused.refused("unknown_track")["did_you_mean"],
        json!(["Wolf comes"])
    );
}

#[test]
fn a_number_beyond_an_end_goes_as_far_as_the_end_also_where_one_is_made() {
    let mut table = mine();
    for (number, begins, end) in [(5, 4, "higher than 4"), (-1, 0, "lower than 0")] {
        for parameter in ["value", "tick"] {
            let name = format!("Doom {parameter} {begins}");
            let made = clock(&mut table, &name, json!({"segments": 4, parameter: number}));
            assert_eq!(
                made.text("summary"),
                format!("{name} begins at {begins}/4.")
            );
            assert_eq!(
                made["noted"],
                json!([format!(
                    "{name} goes no {end}, so {number} is taken as {begins}"
                )])
            );
        }
    }
    let moved = clock(&mut table, "Supplies", json!({"tick": -12}));
    assert_eq!(
        moved["noted"],
        json!(["Supplies goes no lower than 0, so -2 is taken as 0"])
    );
}

#[test]
fn texts_that_players_read_do_not_name_a_hidden_clock() {
    let mut table = mine();
    let note = |table: &mut Table, more: Value| {
        table.manage_session(with(
            json!({"action": "note", "text": "They hear The thing below."}),
            more,
        ))
    };
    let refused = note(&mut table, json!({}));
    let summary = refused.refused("names_hidden")["summary"].to_string();
    assert!(
        summary.contains("text names the clock The thing below") && summary.contains("visibility"),
        "{summary}"
    );
    note(&mut table, json!({"visibility": "gm"})).is_fine();
    table
        .roll_dice(json!({"expression": "1d6", "context": "the thing below"}))
        .refused("names_hidden");
    let update = json!({"action": "update", "character": "Ann", "notes": "fears the thing below"});
    table.manage_character(update).refused("names_hidden");
    clock(&mut table, "Alarm", json!({"visibility": "gm"})).is_fine();
    for (text, is_refused) in [
        ("the alarm rings", false),
        ("a thing, far below", false),
        ("they see the Alarm", true),
    ] {
        let answer = table.manage_session(json!({"action": "note", "text": text}));
        if is_refused {
            let _ = answer.refused("names_hidden");
        } else {
            answer.is_fine();
        }
    }
    let shown = clock(
        &mut table,
        "thing",
        json!({"visibility": "public", "text": "The thing below is here"}),
    );
    assert_eq!(
        shown.text("summary"),
        "Players see The thing below 0/4 from now on (The thing below is here)."
    );
    note(&mut table, json!({})).is_fine();
}

#[test]
fn a_random_table_that_a_trigger_names_is_offered_as_the_next_call() {
    let rules = "# Mine\n\n## Checks\n\n### Sneak\n- Roll: `1d6`\n\n| Outcome | When | Alarm |\n|---|---|---|\n| Success | total 4+ | |\n\
        | Failure | otherwise | +1 |\n\n## Health\n- Nerve: max 3\n- Damage: Nerve\n- Long rest: Alarm to max\n\n\
        ## Clocks\n- Alarm: 6 boxes, full: *they come*\n  - At 1: *roll on Patrols*\n  - At 3: *a bell*\n\n\
        # Patrols\n\n| d6 | Patrol |\n|---|---|\n| 1-3 | two guards |\n| 4-6 | a dog |\n";
    let offered = "roll_dice table=\"Patrols\" rolls what the clock asks for.";
    let mut table = Table::of_people(rules, &["Ann"], json!({"kind": "player"}));
    let ticked = table.manage_session(json!({"action": "clock", "name": "Alarm", "tick": 1}));
    assert_eq!(ticked["next"], offered, "{ticked:?}");
    table
        .dice([2])
        .roll_dice(json!({"table": "Patrols"}))
        .is_fine();
    let later = table.manage_session(json!({"action": "clock", "name": "Alarm", "tick": 2}));
    assert_eq!(later["next"], Value::Null, "{later:?}");
    for call in ["skill_check", "rest"] {
        table
            .manage_session(json!({"action": "clock", "name": "Alarm", "value": 0}))
            .is_fine();
        let moved = match call {
            "rest" => table.manage_character(json!({"action": "rest", "character": "Ann"})),
            _ => table
                .dice([2])
                .skill_check(json!({"character": "Ann", "check": "Sneak"})),
        };
        assert_eq!(moved["next"], offered, "{moved:?}");
    }
}

#[test]
fn what_a_clock_brings_comes_whole_or_says_what_is_missing() {
    let mut table = Table::of_rules(Some(
        "# T\n\n## Attributes\n- Grit\n\n## Health\n- Nerve: max 9\n- Damage: Nerve\n\n## Clocks\n- Flooding: 6 boxes\n\
         \x20 - At 2: gain Wet, Nerve -{Grit}\n\n## Conditions\n- Wet\n",
    ));
    table.create("Ann", json!({"attributes": {"Grit": 2}}));
    table.create("Bo", json!({}));
    let risen = clock(&mut table, "Flooding", json!({"tick": 2}));
    let noted = risen["noted"].to_string();
    assert!(
        noted.contains("did not happen to Bo") && noted.contains("needs Grit"),
        "{noted}"
    );
    let wet = table
        .record()
        .rows("select count(*) as many from conditions");
    assert_eq!(wet, [json!({"many": 1})]);
    let nerve = table
        .record()
        .rows("select value from tracks where name = 'Nerve'");
    assert_eq!(
        nerve.iter().filter(|row| row["value"] == 7).count(),
        1,
        "{nerve:?}"
    );
}

#[test]
fn a_clock_moves_what_all_share_where_a_character_ends_as_before() {
    let rules = "# T\n\n## Health\n- Stress: 3 boxes, full: Doom +1, Stress to 0\n- Damage: Stress\n\n\
        ## Clocks\n- Alarm: 2 boxes, full: Stress +3\n- Doom: 6 boxes\n";
    let mut table = Table::of_people(rules, &["Ann"], json!({"kind": "player"}));
    clock(&mut table, "Alarm", json!({"tick": 2})).is_fine();
    let doom = table
        .record()
        .rows("select value from clocks where name = 'Doom'");
    assert_eq!(doom, [json!({"value": 1})]);
}
