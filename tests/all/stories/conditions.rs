//! Conditions: those that no rule knows, and those that the GM puts on a character: how long they
//! last, and what ends them.

use rollbook_game::view::Audience;
use rollbook_record::export::Format;
use serde_json::{Value, json};

use crate::table::{Answer, Table, with};

/// Conditions that no rule knows: a slip of the pen is refused, one of the GM's own says that it
/// does nothing by itself.
const RULES: &str = "\
# Bog

## Dice
Roll 1d20 + modifiers against a difficulty.

## Attributes
- Nerve (NRV)
- Range: 1 to 20

## Health
- Hit points: max 10
- Damage: Hit points
- At 0 Hit points: gain Unconscious, gain Dying if {Major wound}
- Long rest: Hit points to max

## Conditions
- Poisoned: disadvantage on checks
- Frightened (1-3): -{Frightened} on checks
- Major wound
";

fn ann() -> Table {
    Table::of_people(RULES, &["Ann"], json!({"attributes": {"NRV": 10}}))
}

fn refused(answer: &Answer, code: &str) -> String {
    answer.refusal_text(code).to_owned()
}

#[test]
fn a_condition_that_is_a_slip_away_from_one_of_the_rules_is_refused_at_every_door() {
    let mut table = ann();
    table.start(json!([{"name": "Ann", "initiative": 1}]));
    let before = table.record().everything();
    for free in [Value::Null, json!(true)] {
        let hit = table
            .apply_damage(json!({"target": "Ann", "apply_conditions": ["poisond"], "free": free}));
        let summary = refused(&hit, "unknown_condition");
        assert!(
            summary.contains("Send apply_conditions=[\"Poisoned\"]."),
            "{summary}"
        );
        assert_eq!(hit.value()["did_you_mean"], json!(["Poisoned"]));
        let put = json!({"action": "add_condition", "character": "Ann", "condition": "Frightned", "level": 2, "free": free});
        let summary = refused(&table.manage_character(put), "unknown_condition");
        assert!(
            summary.contains("Send condition=\"Frightened 2\"."),
            "{summary}"
        );
    }
    let effect =
        table.manage_combat(json!({"action": "add_effect", "name": "Posioned", "on": "Ann"}));
    assert!(refused(&effect, "unknown_condition").contains("Send name=\"Poisoned\"."));
    let hit = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["unconcious"]}));
    assert!(
        refused(&hit, "unknown_condition").contains("Send apply_conditions=[\"unconscious\"].")
    );
    assert_eq!(table.record().everything(), before);
    for known in [
        "poisoned",
        "Unconscious",
        "dying",
        "Major wound",
        "frightened 2",
    ] {
        let put = table.apply_damage(json!({"target": "Ann", "apply_conditions": [known]}));
        assert_eq!(put["noted"], Value::Null, "{known}");
    }
}

#[test]
fn a_condition_of_the_gms_own_is_asked_for_and_said_to_do_nothing() {
    let mut table = ann();
    let put = json!({"action": "add_condition", "character": "Ann", "condition": "Soaked"});
    let summary = refused(&table.manage_character(put), "unknown_condition");
    assert!(
        summary.contains("there is Poisoned, Frightened") && summary.contains("Send free=true"),
        "{summary}"
    );
    let summary = refused(
        &table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Soaked"]})),
        "unknown_condition",
    );
    assert!(summary.contains("Send free=true"), "{summary}");
    let free =
        json!({"action": "add_condition", "character": "Ann", "condition": "Soaked", "free": true});
    let soaked = table.manage_character(free);
    let note =
        json!(["Soaked has no effect by the rules: it is kept and shown, and changes no roll"]);
    assert_eq!(soaked["noted"], note);
    let longer = json!({"action": "add_condition", "character": "Ann", "condition": "Soaked", "duration": "until end of scene"});
    assert_eq!(
        table.manage_character(longer)["noted"],
        note,
        "what is there need not be asked for again"
    );
    let foretold = table.apply_damage(
        json!({"target": "Ann", "apply_conditions": ["Muddy"], "free": true, "preview": true}),
    );
    assert!(
        foretold["noted"][0]
            .as_str()
            .is_some_and(|note| note.starts_with("Muddy has no effect"))
    );
    let like = table
        .apply_damage(json!({"target": "Ann", "apply_conditions": ["Brightened"], "free": true}));
    assert!(
        like["noted"][0]
            .as_str()
            .is_some_and(|note| note.starts_with("Brightened has no effect")),
        "a word of its own"
    );
    let none = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Poisoned 2"]}));
    assert!(refused(&none, "invalid_parameters").contains("Poisoned has no levels"));
    let gone = json!({"action": "remove_condition", "character": "Ann", "condition": "Poisoned"});
    let summary = refused(&table.manage_character(gone), "unknown_condition");
    assert!(
        summary.contains("Ann is not Poisoned, only brightened, soaked"),
        "{summary}"
    );
}

#[test]
fn a_character_who_comes_from_outside_brings_only_conditions_that_are_known_or_meant() {
    let mut table = ann();
    let put =
        json!({"action": "add_condition", "character": "Ann", "condition": "Soaked", "free": true});
    table.manage_character(put).is_fine();
    let text = table
        .manage_character(json!({"action": "export", "character": "Ann"}))
        .text("document")
        .to_owned();
    let import = json!({"action": "import", "name": "Bea", "text": text});
    table.manage_character(import).is_fine();
    let elsewhere = text.replace("soaked", "poisond");
    let slip = json!({"action": "import", "name": "Cat", "text": elsewhere, "free": true});
    assert!(
        refused(&table.manage_character(slip), "unknown_condition")
            .contains("Write Poisoned there.")
    );
    let other = text.replace("soaked", "singing");
    let call = json!({"action": "import", "name": "Dot", "text": other});
    let summary = refused(&table.manage_character(call), "unknown_condition");
    assert!(
        summary.contains("send free=true") || summary.contains("Send free=true"),
        "{summary}"
    );
    let came = table
        .manage_character(json!({"action": "import", "name": "Dot", "text": other, "free": true}));
    assert!(
        came["noted"][0]
            .as_str()
            .is_some_and(|note| note.starts_with("singing has no effect")),
        "{}",
        came.value()
    );
}

#[test]
fn where_the_rules_declare_no_conditions_every_name_may_be_sent() {
    let plain = "# Plain\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Health\n- Hit points: max 5\n- Damage: Hit points\n\
        - At 0 Hit points: gain Unconscious\n";
    for (rules, slip) in [(None, "stuned"), (Some(plain), "unconcious")] {
        let mut table = Table::of_rules(rules);
        table.create("Ann", json!({"hp": 5, "kind": "npc"}));
        let put = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Soaked"]}));
        let note = put["noted"][0].as_str().expect("a note");
        assert!(
            note.starts_with("Soaked has no effect by the rules, which declare no conditions"),
            "{note}"
        );
        let slip = table.apply_damage(json!({"target": "Ann", "apply_conditions": [slip]}));
        assert_eq!(
            slip.is_refused(),
            rules.is_some(),
            "what a trigger brings is known all the same"
        );
        if rules.is_some() {
            slip.refused("unknown_condition");
        }
    }
}

/// Conditions that the GM puts on a character: how long they last, where they come from, and what
/// ends them.
const NERVES: &str = "\
# Nerves

## Dice
Roll 1d20 + modifiers against a difficulty.

## Attributes
- Nerve (NRV): all there is
- Range: 1 to 20
- Modifier: `floor(({score} - 10) / 2)`

## Conditions
- Held: disadvantage on checks, until Nerve succeeds
- Hidden: until end of scene
- Dazed: disadvantage on checks, until end of source's turn

## Health
- Hit points: max 10
- Damage: Hit points
- Long rest: Hit points to max

## Combat
- Initiative: 1d20
";

fn add(table: &mut Table, condition: Value) -> Answer {
    let call = with(json!({"action": "add_condition"}), condition);
    table.manage_character(call)
}

fn conditions(table: &mut Table, name: &str) -> Value {
    table.get_character(json!({"character": name}))["character"]["conditions"].clone()
}

fn nerves() -> Table {
    Table::of_people(NERVES, &["Ada", "Bo"], json!({"attributes": {"NRV": 10}}))
}

fn fight(table: &mut Table) {
    table.start(json!([{"name": "Ada", "initiative": 20}, {"name": "Bo", "initiative": 15}, {"name": "Rat", "hp": 5, "initiative": 10}]));
}

#[test]
fn a_condition_lasts_as_long_as_the_gm_says_and_names_where_it_comes_from() {
    let mut table = nerves();
    fight(&mut table);
    let call = json!({"character": "Ada", "condition": "Frightened", "free": true, "duration": "for 2 rounds", "source": "Rat"});
    let begun = add(&mut table, call);
    assert_eq!(
        begun.text("summary"),
        "Ada is now frightened (until the end of Ada's turn in round 3)."
    );
    assert_eq!(
        conditions(&mut table, "Ada"),
        json!(["frightened (2 rounds; from Rat)"])
    );
    let copy = table.export(Audience::Player, Format::Jsonl, "players.jsonl");
    let copy = std::fs::read_to_string(copy).expect("a copy");
    assert!(
        copy.contains("now frightened (until the end of Ada's turn in round 3)")
            && !copy.contains("\"cause\""),
        "the cause is the GM's"
    );
    let row = &table
        .record()
        .rows("select cause, caused_by from conditions")[0];
    assert_eq!(
        (&row["cause"], row["caused_by"].is_number()),
        (&json!("Rat"), true)
    );
    // Counted at the end of Ada's own turns, but of the one in which it began.
    for _ in 0..6 {
        table
            .manage_combat(json!({"action": "next_turn"}))
            .is_fine();
    }
    assert_eq!(
        conditions(&mut table, "Ada"),
        json!(["frightened (1 round; from Rat)"])
    );
    // One that is there begins anew.
    add(
        &mut table,
        json!({"character": "Ada", "condition": "frightened", "duration": "until removed"}),
    )
    .is_fine();
    assert_eq!(
        conditions(&mut table, "Ada"),
        json!(["frightened (until removed; from Rat)"])
    );
    let undo = table.manage_session(json!({"action": "undo"}));
    undo.is_fine();
    assert_eq!(
        conditions(&mut table, "Ada"),
        json!(["frightened (1 round; from Rat)"])
    );
    let over = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!(over["ended"], json!(["frightened on Ada"]));
}

#[test]
fn the_source_counts_where_the_rules_say_so() {
    let mut table = nerves();
    fight(&mut table);
    add(
        &mut table,
        json!({"character": "Bo", "condition": "Dazed", "source": "Rat"}),
    )
    .is_fine();
    for _ in 0..2 {
        let on = table.manage_combat(json!({"action": "next_turn"}));
        assert_eq!(on["ended"], Value::Null);
    }
    let over = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!(
        over["ended"],
        json!(["Dazed on Bo"]),
        "at the end of the rat's turn, not of whoever acted"
    );
}

#[test]
fn what_lasts_until_a_rest_a_scene_or_a_fight_ends_with_it() {
    let mut table = nerves();
    add(&mut table, json!({"character": "Ada", "condition": "Drained", "free": true, "duration": "until long rest"}))
        .is_fine();
    let refused = add(
        &mut table,
        json!({"character": "Bo", "condition": "Dazed", "duration": "for 3 rounds"}),
    );
    let expected = "Rounds and turns are counted in a fight, and Bo is in none. Send a time, as duration=\"10 minutes\", or \"until end of scene\" or \"until removed\".";
    assert!(
        refused.refused("no_turns")["summary"]
            .as_str()
            .is_some_and(|text| text.starts_with(expected))
    );
    add(
        &mut table,
        json!({"character": "Bo", "condition": "Dazed", "duration": "until end of fight"}),
    )
    .refused("no_turns");
    fight(&mut table);
    add(
        &mut table,
        json!({"character": "Bo", "condition": "Dazed", "duration": "until end of fight"}),
    )
    .is_fine();
    add(
        &mut table,
        json!({"character": "Ada", "condition": "Hidden"}),
    )
    .is_fine();
    let ended = table.manage_combat(json!({"action": "end", "outcome": "won"}));
    assert_eq!(ended["ended"], json!(["Hidden on Ada", "Dazed on Bo"]));
    assert_eq!(
        conditions(&mut table, "Ada"),
        json!(["drained (until Long rest)"])
    );
    table
        .manage_character(json!({"action": "rest", "kind": "Long rest"}))
        .is_fine();
    assert_eq!(conditions(&mut table, "Ada"), json!([]));
}

#[test]
fn a_success_ends_what_lasts_until_it_and_the_turn_reminds_of_it() {
    let mut table = nerves();
    fight(&mut table);
    add(&mut table, json!({"character": "Bo", "condition": "Held"})).is_fine();
    let turn = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!(
        turn.text("next"),
        "Bo acts (Held until Nerve succeeds); then manage_combat action=\"next_turn\"."
    );
    let failed = table
        .dice([3, 15])
        .skill_check(json!({"character": "Bo", "attribute": "Nerve", "difficulty": 12}));
    assert_eq!(failed["outcome"], "failure");
    assert_eq!(conditions(&mut table, "Bo"), json!(["Held"]));
    let free = table
        .dice([13, 15])
        .skill_check(json!({"character": "Bo", "attribute": "Nerve", "difficulty": 12}));
    assert_eq!(free["outcome"], "success");
    assert!(
        free.text("summary")
            .contains("Bo (Nerve succeeded) is no longer Held."),
        "{}",
        free.text("summary")
    );
    assert_eq!(conditions(&mut table, "Bo"), json!([]));
    // The check and what it ended are one call, and taken back as one.
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(conditions(&mut table, "Bo"), json!(["Held"]));
}

#[test]
fn an_effect_may_last_until_something_happens() {
    let mut table = nerves();
    fight(&mut table);
    let until = json!({"action": "add_effect", "name": "Cursed", "on": "Bo", "duration": "until Nerve succeeds"});
    assert_eq!(table.manage_combat(until)["began"], json!(["cursed on Bo"]));
    assert_eq!(
        conditions(&mut table, "Bo"),
        json!(["cursed (until Nerve succeeds)"])
    );
    let both = json!({"action": "add_effect", "name": "Lost", "on": "Bo", "duration": "until end of scene", "anchor": "Rat"});
    table.manage_combat(both).refused("invalid_parameters");
    let words = json!({"action": "add_effect", "name": "Lost", "on": "Bo", "duration": "a while"});
    let refused = table.manage_combat(words);
    assert!(
        refused
            .refused("invalid_parameters")
            .to_string()
            .contains("Long rest")
    );
}

#[test]
fn what_is_no_duration_is_refused_with_what_is_one_and_changes_nothing() {
    let mut table = nerves();
    for words in [
        "0 rounds",
        "for 10001 rounds",
        "scene",
        "until treated",
        "for an hour",
        "until the end of the scene or so",
        "until Short rest",
    ] {
        let call = json!({"character": "Ada", "condition": "Dazed", "duration": words});
        let refused = add(&mut table, call).refused("invalid_parameters")["summary"].to_string();
        for form in [
            "for 3 rounds",
            "until end of scene",
            "until Nerve succeeds",
            "until Long rest",
            "until removed",
        ] {
            assert!(refused.contains(form), "{words}: {refused}");
        }
        assert_eq!(conditions(&mut table, "Ada"), json!([]), "{words}");
    }
}

#[test]
fn what_lasts_until_it_is_removed_outlasts_what_the_rules_say() {
    let mut table = nerves();
    fight(&mut table);
    add(
        &mut table,
        json!({"character": "Ada", "condition": "Hidden", "duration": "until removed"}),
    )
    .is_fine();
    add(
        &mut table,
        json!({"character": "Bo", "condition": "Hidden"}),
    )
    .is_fine();
    let ended = table.manage_combat(json!({"action": "end", "outcome": "won"}));
    assert_eq!(ended["ended"], json!(["Hidden on Bo"]));
    assert_eq!(
        conditions(&mut table, "Ada"),
        json!(["Hidden (until removed)"])
    );
    table
        .manage_character(
            json!({"action": "remove_condition", "character": "Ada", "condition": "Hidden"}),
        )
        .is_fine();
    assert_eq!(conditions(&mut table, "Ada"), json!([]));
}

#[test]
fn what_lasts_until_the_end_of_the_session_ends_with_it() {
    let rules = NERVES.replace(
        "## Conditions\n",
        "## Conditions\n- Weary: -1 on checks, until end of session\n",
    );
    let mut table = Table::of_people(&rules, &["Ada"], json!({"attributes": {"NRV": 10}}));
    add(
        &mut table,
        json!({"character": "Ada", "condition": "Weary"}),
    )
    .is_fine();
    add(
        &mut table,
        json!({"character": "Ada", "condition": "Dazed", "duration": "until end of session"}),
    )
    .is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    assert_eq!(conditions(&mut table, "Ada"), json!([]));
}

const FORWARD: &str = "\
# Forward

## Attributes
- Wit
- Range: -1 to 3

## Skills
- Blades (Wit, base 0)
- Lore (Wit, base 0)

## Checks

### Move
- Roll: `2d6 + {modifier}`

| Outcome | When | What |
|---|---|---|
| Success | total 10+ | all |
| Partial success | total 7-9 | some |
| Failure | otherwise | none |

- Again Push: reroll all

## Conditions
- Inspired: +1 on checks, until next check
- Aiming: +2 on Blades, until next check
- Lit: advantage on checks against bearer, until next check
- Advantage-less: -1 on checks, until next check

## Health
- Hit points: max 10
- Damage: Hit points
";

#[test]
fn what_counts_for_the_next_check_ends_with_the_one_for_which_it_counts() {
    let mut table = Table::of_rules(Some(FORWARD));
    for name in ["Ada", "Bo"] {
        table.create(
            name,
            json!({"attributes": {"Wit": 1}, "skills": {"Blades": 1, "Lore": 1}}),
        );
    }
    for name in ["Inspired", "Aiming"] {
        add(&mut table, json!({"character": "Ada", "condition": name})).is_fine();
    }
    // Lore: the aim counts for Blades alone.
    let lore = table
        .dice([3, 3])
        .skill_check(json!({"character": "Ada", "skill": "Lore"}));
    assert_eq!(lore["roll"]["total"], 6 + 2 + 1, "{lore:?}");
    assert_eq!(conditions(&mut table, "Ada"), json!(["Aiming"]));
    // A second throw of the same check has what the first had, and ends it, too.
    let pushed = table
        .dice([6, 6])
        .skill_check(json!({"character": "Ada", "again": "last"}));
    assert_eq!(pushed["roll"]["total"], 12 + 2 + 1, "{pushed:?}");
    assert_eq!(conditions(&mut table, "Ada"), json!(["Aiming"]));
    let blades = table
        .dice([3, 3])
        .skill_check(json!({"character": "Ada", "skill": "Blades"}));
    assert_eq!(blades["roll"]["total"], 6 + 2 + 2, "{blades:?}");
    assert_eq!(conditions(&mut table, "Ada"), json!([]));
    let plain = table
        .dice([3, 3])
        .skill_check(json!({"character": "Ada", "skill": "Blades"}));
    assert_eq!(plain["roll"]["total"], 6 + 2);
    // One that the GM ends in this way, and that no rule knows.
    let call = json!({"character": "Bo", "condition": "Blessed", "free": true, "duration": "until next check"});
    add(&mut table, call).is_fine();
    assert_eq!(
        conditions(&mut table, "Bo"),
        json!(["blessed (until next check)"])
    );
    table
        .dice([3, 3])
        .skill_check(json!({"character": "Bo", "skill": "Lore"}))
        .is_fine();
    assert_eq!(conditions(&mut table, "Bo"), json!([]));
    // Undone, it is there again.
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        conditions(&mut table, "Bo"),
        json!(["blessed (until next check)"])
    );
}

#[test]
fn an_if_counts_for_damage_too_and_of_two_full_tracks_each_ends_what_it_alone_brings() {
    let rules = "# T\n\n## Health\n\n- Hit points: max 10\n- Damage: Hit points\n- Damage types: fire\n\
        - Left leg: 2 boxes, full: gain Lame, gain Bleeding\n- Right leg: 2 boxes, full: gain Lame\n\
        - Each round: 1d4 fire damage if {Bleeding}\n\n## Conditions\n\n- Lame\n- Bleeding\n\n## Combat\n\n- Initiative: `1d20`, highest first, once per fight\n";
    let mut table = Table::of_people(rules, &["Ana", "Bo"], json!({}));
    let mut legs = |left: i64, right: i64| {
        let tracks = json!({"Left leg": left, "Right leg": right});
        let update = json!({"action": "update", "character": "Ana", "tracks": tracks});
        table.manage_character(update).is_fine();
        conditions(&mut table, "Ana")
    };
    assert_eq!(legs(2, 2), json!(["Bleeding", "Lame"]));
    assert_eq!(
        legs(1, 2),
        json!(["Lame"]),
        "Bleeding was of the left leg alone"
    );
    assert_eq!(legs(1, 1), json!([]));
    assert_eq!(legs(2, 0), json!(["Bleeding", "Lame"]));
    table.start(json!([{"name": "Bo", "initiative": 9}, {"name": "Ana", "initiative": 5}]));
    let next = json!({"action": "next_turn"});
    let up = table.manage_combat(next.clone());
    up.starts(
        "next",
        "Ana acts (1d4 fire damage if {Bleeding} at the round's end",
    );
    let round = table.dice([3]).manage_combat(next);
    let hurt = "Ana takes 3 fire damage (Each round): Hit points 10 to 7/10.";
    assert_eq!(round["summary"], format!("{hurt} Round 2: Bo's turn."));
}
