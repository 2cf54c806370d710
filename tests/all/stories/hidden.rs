//! What players do not know: effects that are hidden until they are revealed, and who was hidden
//! when a fight was over.

use proptest::prelude::*;
use rollbook_game::view::Audience;
use rollbook_record::export::Format;
use serde_json::{Value, json};

use crate::secrets::taken_along;
use crate::table::{Answer, Table, with};

/// Effects of which players know nothing: neither their names nor their share in a sum, in whatever
/// they get, until they are revealed.
const RULES: &str = "# Mine\n\n## Dice\n\n## Attributes\n- Guard (5 to 20)\n\n## Checks\n\n### Try\n- Roll: `1d20 + {modifier}`\n\
    - Target: `{difficulty=10}`\n\n### Hit\n- Roll: `1d20 + {modifier}`\n- Target: {target Guard}\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n- Short rest: Hit points +2, lose Hexed\n- End of scene: lose Stung\n\n\
    ## Conditions\n- Hexed: -1 on checks\n- Doomed: -3 on checks\n- Fated: -4 on checks\n- Stung: -1 on Guard, until end of scene\n\n## Combat\n- Initiative: none\n";

fn mine() -> Table {
    let mut table = Table::of_people(
        RULES,
        &["Ann", "Ben"],
        json!({"kind": "player", "attributes": {"Guard": 12}}),
    );
    table.start(json!([{"name": "Ann"}, {"name": "Ben"}, {"name": "Rat", "hp": 5, "attributes": {"Guard": 9}}]));
    table
}

fn hide(table: &mut Table, name: &str, more: Value) {
    let call = with(
        json!({"action": "add_effect", "name": name, "on": "Ann", "hidden": true}),
        more,
    );
    let hidden = table.manage_combat(call);
    assert_eq!(
        (&hidden["began"], &hidden["player_text"]),
        (&json!([format!("{name} on Ann")]), &Value::Null)
    );
}

#[test]
fn the_gm_sees_it_and_players_do_not_until_it_is_revealed() {
    let mut table = mine();
    hide(&mut table, "Hexed", json!({"duration": "for 10 minutes"}));
    let status = table.manage_combat(json!({"action": "status"}));
    assert!(
        status
            .text("summary")
            .contains("Ann 10/10 (Hexed (until day 1, 00:10; hidden))"),
        "{}",
        status["summary"]
    );
    assert!(
        !status.text("player_text").contains("exed"),
        "{}",
        status["player_text"]
    );
    let sheet = table.get_character(json!({"character": "Ann", "view": "sheet"}));
    assert!(!sheet.text("sheet").contains("exed"), "{}", sheet["sheet"]);
    for view in ["recap", "resume"] {
        let answer = table.manage_session(json!({"action": view, "audience": "player"}));
        assert!(
            !answer.text("player_text").contains("exed"),
            "{view}: {}",
            answer["player_text"]
        );
    }

    let tried = table
        .dice([10])
        .skill_check(json!({"character": "Ann", "check": "Try"}));
    assert_eq!(
        tried.text("summary"),
        "Ann, Try: 1d20: [10]; - 1 = 9 against 10: failure by 1."
    );
    assert_eq!(tried.text("player_text"), "Ann, Try: failure.");
    let note = "a hidden effect counts, so players learn the outcome alone, without dice and sum";
    assert_eq!(tried["noted"][0], note);
    let other = table
        .dice([10])
        .skill_check(json!({"character": "Ben", "check": "Try"}));
    assert_eq!(
        other.text("player_text"),
        "Ben, Try: 1d20: [10]; + 0 = 10 against 10: success, exactly."
    );

    let shown = table.manage_combat(json!({"action": "reveal", "name": "hexed", "on": "Ann"}));
    assert_eq!(
        shown.text("summary"),
        "Players see Hexed on Ann from now on."
    );
    assert_eq!(shown.text("player_text"), "It shows: Hexed on Ann.");
    let tried = table
        .dice([10])
        .skill_check(json!({"character": "Ann", "check": "Try"}));
    assert_eq!(tried.text("player_text"), tried.text("summary"));
    table
        .manage_session(json!({"action": "undo", "entry": shown["log"]}))
        .is_fine();
    let again = table.manage_combat(json!({"action": "status"}));
    assert!(
        again.text("summary").contains("hidden"),
        "what was revealed is taken back: {}",
        again["summary"]
    );
    table
        .manage_combat(json!({"action": "reveal", "name": "cursed"}))
        .refused("unknown_effect");
}

#[test]
fn what_ends_it_tells_players_the_rest_alone() {
    let mut table = mine();
    for name in ["Hexed", "Doomed", "Stung"] {
        hide(&mut table, name, json!({}));
    }
    let removed = table.manage_character(
        json!({"action": "remove_condition", "character": "Ann", "condition": "Doomed"}),
    );
    assert_eq!(
        (removed.text("summary"), &removed["player_text"]),
        ("Ann is no longer Doomed.", &Value::Null)
    );
    let both = json!({"target": "Ann", "amount": 2, "remove_conditions": ["Hexed"], "apply_conditions": ["Fated"]});
    let both = table.apply_damage(both);
    assert_eq!(
        both.text("player_text"),
        "Ann takes 2 damage: Hit points 10 to 8/10; now Fated."
    );
    assert!(
        both.text("summary").ends_with("Hexed on Ann ends."),
        "{}",
        both["summary"]
    );
    hide(&mut table, "Hexed", json!({}));
    let rest =
        table.manage_character(json!({"action": "rest", "character": "Ann", "kind": "Short rest"}));
    assert_eq!(
        rest.text("player_text"),
        "Ann, short rest: Hit points 8/10 to 10/10."
    );
    assert!(
        rest.text("summary").contains("Hexed on Ann ends."),
        "{}",
        rest["summary"]
    );
    let struck = table
        .dice([11])
        .skill_check(json!({"character": "Ben", "check": "Hit", "target": "Ann"}));
    assert_eq!(
        struck.text("summary"),
        "Ben, Hit: 1d20: [11]; + 0 = 11 against 11: success, exactly."
    );
    let expected = "Ben, Hit: 1d20: [11]; + 0 = 11: success.";
    assert_eq!(
        struck.text("player_text"),
        expected,
        "her guard is 12 for all that they know"
    );
    let over = table.manage_combat(json!({"action": "end"}));
    assert_eq!(over.text("player_text"), "The fight ends.");
    assert!(
        over.text("summary").ends_with("Stung on Ann ends."),
        "{}",
        over["summary"]
    );
    let full = table.get_character(json!({"character": "Ann", "view": "full"}));
    assert_eq!(full["character"]["conditions"], json!(["Fated"]));
}

/// What differs between two evenings: which effect lies on Ann, since when, why, and how it ends.
#[derive(Debug, Clone)]
struct Hidden {
    name: &'static str,
    duration: Option<&'static str>,
    source: Option<&'static str>,
    ends: bool,
}

const NAMES: [&str; 3] = ["Hexed", "Doomed", "Fated"];

fn hidden() -> impl Strategy<Value = Hidden> {
    let durations = prop::sample::select(vec![
        None,
        Some("for 8 hours"),
        Some("until removed"),
        Some("until end of scene"),
    ]);
    let sources = prop::sample::select(vec![None, Some("Rat"), Some("Ben")]);
    (
        prop::sample::select(NAMES.to_vec()),
        durations,
        sources,
        any::<bool>(),
    )
        .prop_map(|(name, duration, source, ends)| Hidden {
            name,
            duration,
            source,
            ends,
        })
}

/// Everything that players get of the evening.
fn seen(hidden: &Hidden) -> Vec<(&'static str, Value)> {
    let mut table = mine();
    let mut seen = Vec::new();
    let mut tell = |answer: crate::table::Answer| {
        seen.extend(
            answer.is_fine()["player_text"]
                .is_string()
                .then(|| answer.player_text().to_owned()),
        );
    };
    let call = json!({"action": "add_effect", "name": hidden.name, "on": "Ann", "hidden": true, "duration": hidden.duration, "combatant": hidden.source});
    tell(table.manage_combat(call));
    tell(
        table
            .dice([5])
            .skill_check(json!({"character": "Ann", "check": "Try"})),
    );
    tell(
        table
            .dice([16])
            .skill_check(json!({"character": "Ann", "check": "Try", "context": "once more"})),
    );
    let sent = json!({"character": "Ann", "check": "Try", "opposed_by": {"character": "Ben"}});
    tell(table.dice([5, 12]).skill_check(sent));
    let sent = json!({"character": "Ben", "check": "Try", "opposed_by": {"character": "Ann"}});
    tell(table.dice([12, 5]).skill_check(sent));
    tell(table.apply_damage(json!({"target": "Ann", "amount": 2})));
    tell(table.manage_combat(json!({"action": "next_round"})));
    tell(table.manage_combat(json!({"action": "add_effect", "name": "bleeding", "on": "Ann"})));
    tell(table.manage_session(json!({"action": "advance", "time": "1 hour"})));
    tell(table.manage_combat(json!({"action": "status"})));
    if hidden.ends {
        tell(table.manage_combat(json!({"action": "remove_effect", "name": hidden.name})));
    }
    tell(table.manage_session(json!({"action": "resume", "audience": "player"})));
    tell(table.manage_session(json!({"action": "recap"})));
    let sheet = table.get_character(json!({"character": "Ann", "view": "sheet"}));
    let mut views = vec![
        ("what is said", json!(seen.join(" "))),
        ("the sheet", sheet["sheet"].clone()),
    ];
    views.extend(taken_along(&table));
    views
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn players_cannot_tell_two_hidden_effects_apart(one in hidden(), other in hidden()) {
        for ((view, of_one), (_, of_other)) in seen(&one).into_iter().zip(seen(&other)) {
            prop_assert_eq!(&of_one, &of_other, "{}", view);
            let text = of_one.to_string().to_lowercase();
            for name in NAMES {
                prop_assert!(!text.contains(&name.to_lowercase()), "{view} names {name}: {text}");
            }
        }
    }
}

#[test]
fn it_lasts_as_long_as_the_rules_say_and_what_only_tells_of_it_is_not_opened() {
    let rules = RULES.replace(
        "- Fated: -4 on checks\n",
        "- Fated: -4 on checks, for 10 minutes\n",
    );
    let mut table = Table::of_people(&rules, &["Ann"], json!({"attributes": {"Guard": 12}}));
    table.start(json!([{"name": "Ann"}]));
    hide(&mut table, "Fated", json!({}));
    let began = table.record().number("select max(seq) from log");
    let answer = table.manage_session(json!({"action": "reveal", "entry": began}));
    answer.refused_with("not_sealed", &["manage_combat action=\"reveal\""]);
    table.manage_combat(json!({"action": "end"})).is_fine();
    let passed = table.manage_session(json!({"action": "advance", "time": "11 minutes"}));
    assert_eq!(
        passed["time"]["ended"],
        json!(["Fated on Ann"]),
        "{passed:?}"
    );
    assert!(!passed.text("player_text").contains("Fated"), "{passed:?}");
}

// Who was hidden when a fight was over stays so, until the GM shows them.

/// A fight that is over, of which players saw the rat, and neither Kell nor the two who lurked.
fn over() -> Table {
    let mut table = Table::with_party();
    table.start(json!([
        {"name": "Jory", "initiative": 9}, {"name": "Rat", "hp": 9, "initiative": 7},
        {"name": "Kell", "hp": 9, "initiative": 5, "hidden": true},
        {"name": "Lurker", "count": 2, "hp": 9, "initiative": 4, "hidden": true},
    ]));
    table
        .manage_combat(json!({"action": "end", "outcome": "the rat fled"}))
        .is_fine();
    table
}

/// Calls whose words players would read.
fn calls() -> [(&'static str, Value); 7] {
    [
        (
            "roll_dice",
            json!({"expression": "1d6", "context": "an arrow from Kell"}),
        ),
        (
            "skill_check",
            json!({"character": "Jory", "skill": "Perception", "difficulty": 9, "context": "Kell?"}),
        ),
        (
            "apply_damage",
            json!({"target": "Jory", "amount": 1, "reason": "Kell's arrow"}),
        ),
        (
            "manage_character",
            json!({"action": "update", "character": "Jory", "notes": "owes Kell"}),
        ),
        (
            "manage_session",
            json!({"action": "note", "text": "Kell is gone."}),
        ),
        (
            "manage_session",
            json!({"action": "clock", "name": "Kell's patience", "segments": 4}),
        ),
        (
            "manage_combat",
            json!({"action": "start", "title": "Kell again", "combatants": [{"name": "Jory"}]}),
        ),
    ]
}

fn refused(answer: &Answer) -> String {
    answer.refusal_text("names_hidden").to_owned()
}

#[test]
fn the_name_of_a_character_hidden_is_not_free_when_the_fight_is_over() {
    let mut table = over();
    for (tool, call) in calls() {
        table.endless_dice(7);
        assert!(
            refused(&table.call(tool, call.clone())).contains("Kell, whom players do not see"),
            "{tool} {call}"
        );
    }
    let secret = with(
        json!({"action": "note", "text": "Kell is gone."}),
        json!({"visibility": "gm"}),
    );
    let note = table.manage_session(secret)["log"].clone();
    table
        .manage_session(json!({"action": "reveal", "entry": note}))
        .refused("names_hidden");
    // Of what becomes of them players read nothing.
    for call in [
        json!({"action": "add_condition", "character": "Kell", "condition": "poisoned", "free": true}),
        json!({"action": "remove_condition", "character": "Kell", "condition": "poisoned"}),
        json!({"action": "update", "character": "Kell", "level": 2}),
    ] {
        let answer = table.manage_character(call);
        assert_eq!(answer.is_fine()["player_text"], Value::Null);
    }
    assert_eq!(
        table
            .apply_damage(json!({"target": "Kell", "amount": 2}))
            .is_fine()["player_text"],
        Value::Null
    );
    for format in Format::ALL {
        let copy = table.export(
            Audience::Player,
            *format,
            &format!("players.{}", format.name()),
        );
        let bytes = std::fs::read(copy).expect("is read");
        assert!(
            !bytes
                .windows(4)
                .any(|window| window.eq_ignore_ascii_case(b"kell")),
            "{format:?}"
        );
    }
}

#[test]
fn the_gm_shows_them_after_the_fight_and_then_they_are_named() {
    let mut table = over();
    let shown = table.manage_combat(json!({"action": "reveal", "combatant": "Kell"}));
    assert_eq!(shown.text("player_text"), "Kell appears.");
    for (tool, call) in calls() {
        table.endless_dice(7).call(tool, call).is_fine();
    }
    table.manage_combat(json!({"action": "end"})).is_fine();
    // A numbered one gets a name that does not count those who are still hidden.
    let ambiguous = table.manage_combat(json!({"action": "reveal", "combatant": "Lurker"}));
    ambiguous.refused("ambiguous_name");
    let shown = table.manage_combat(json!({"action": "reveal", "combatant": "Unseen Lurker 2"}));
    assert_eq!(shown.text("player_text"), "Lurker 1 appears.");
    table
        .manage_combat(json!({"action": "reveal", "combatant": "Kell"}))
        .is_refused();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table
        .roll_dice(json!({"expression": "1d6", "context": "a lurker"}))
        .refused("names_hidden");
}

#[test]
fn in_another_fight_who_is_seen_is_free_and_the_others_are_not() {
    let mut table = over();
    table.start(json!([{"name": "Jory", "initiative": 9}, {"name": "Kell", "initiative": 3}]));
    let context = |words: &str| json!({"expression": "1d6", "context": words});
    table.dice([1]).roll_dice(context("Kell's arrow")).is_fine();
    table.roll_dice(context("a lurker")).refused("names_hidden");
    table
        .manage_combat(json!({"action": "reveal", "combatant": "Unseen Lurker 1"}))
        .is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.dice([1]).roll_dice(context("Kell's arrow")).is_fine();
}

#[test]
fn one_who_is_taken_out_of_the_fight_unseen_stays_hidden_and_one_of_the_party_does_not() {
    let mut table = Table::with_party();
    table.start(json!([
        {"name": "Jory", "initiative": 9, "hidden": true}, {"name": "Sabeth", "initiative": 8}, {"name": "Kell", "hp": 9, "initiative": 5, "hidden": true},
    ]));
    for who in ["Kell", "Jory"] {
        table
            .manage_combat(json!({"action": "remove", "combatant": who}))
            .is_fine();
    }
    let context = |words: &str| json!({"expression": "1d6", "context": words});
    let look = |table: &mut Table| {
        table
            .roll_dice(context("Kell's arrow"))
            .refused("names_hidden");
        table.dice([1]).roll_dice(context("Jory's arrow")).is_fine();
    };
    look(&mut table);
    table.manage_combat(json!({"action": "end"})).is_fine();
    look(&mut table);
}

#[test]
fn a_gift_to_a_character_whom_players_never_met_names_nobody() {
    let mut table = Table::with_party();
    table.create("Vex Marrow", json!({"kind": "npc", "hp": 5}));
    table
        .manage_character(
            json!({"action": "award", "character": "Jory", "inventory": [{"name": "ring"}]}),
        )
        .is_fine();
    let give = |from: &str, to: &str| json!({"action": "give", "character": from, "item": "ring", "to": to});
    let given = table.manage_character(give("Jory", "Vex Marrow"));
    assert_eq!(given.is_fine()["player_text"], Value::Null);
    assert!(
        given["noted"]
            .to_string()
            .contains("players do not know Vex Marrow"),
        "{given:?}"
    );
    let back = table.manage_character(give("Vex Marrow", "Jory"));
    assert_eq!(back.is_fine()["player_text"], Value::Null);
    // Whom they have met in a fight they know.
    table
        .start(json!([{"name": "Jory", "initiative": 9}, {"name": "Vex Marrow", "initiative": 3}]));
    table.manage_combat(json!({"action": "end"})).is_fine();
    assert_eq!(
        table
            .manage_character(give("Jory", "Vex Marrow"))
            .text("player_text"),
        "Jory gives Vex Marrow ring."
    );
}
