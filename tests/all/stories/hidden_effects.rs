//! Effects of which players know nothing: neither their names nor their share in a sum, in whatever they get, until they are revealed.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::secrets::taken_along;
use crate::table::{Table, with};

const RULES: &str = "# Mine\n\n## Dice\n\n## Attributes\n- Guard (5 to 20)\n\n## Checks\n\n### Try\n- Roll: `1d20 + {modifier}`\n\
    - Target: `{difficulty=10}`\n\n### Hit\n- Roll: `1d20 + {modifier}`\n- Target: {target Guard}\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n- Short rest: Hit points +2, lose Hexed\n- End of scene: lose Stung\n\n\
    ## Conditions\n- Hexed: -1 on checks\n- Doomed: -3 on checks\n- Fated: -4 on checks\n- Stung: -1 on Guard, until end of scene\n\n## Combat\n- Initiative: none\n";

fn mine() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for name in ["Ann", "Ben"] {
        let made = json!({"action": "create", "name": name, "kind": "player", "attributes": {"Guard": 12}});
        table.manage_character(made).is_fine();
    }
    let fight = json!({"action": "start", "combatants": [{"name": "Ann"}, {"name": "Ben"}, {"name": "Rat", "hp": 5, "attributes": {"Guard": 9}}]});
    table.manage_combat(fight).is_fine();
    table
}

fn hide(table: &mut Table, name: &str, more: Value) {
    let call = with(json!({"action": "add_effect", "name": name, "on": "Ann", "hidden": true}), more);
    let hidden = table.manage_combat(call);
    assert_eq!((&hidden["began"], &hidden["player_text"]), (&json!([format!("{name} on Ann")]), &Value::Null));
}

#[test]
fn the_gm_sees_it_and_players_do_not_until_it_is_revealed() {
    let mut table = mine();
    hide(&mut table, "Hexed", json!({"duration": "for 10 minutes"}));
    let status = table.manage_combat(json!({"action": "status"}));
    assert!(status.text("summary").contains("Ann 10/10 (Hexed (until day 1, 00:10; hidden))"), "{}", status["summary"]);
    assert!(!status.text("player_text").contains("exed"), "{}", status["player_text"]);
    let sheet = table.get_character(json!({"character": "Ann", "view": "sheet"}));
    assert!(!sheet.text("sheet").contains("exed"), "{}", sheet["sheet"]);
    for view in ["recap", "resume"] {
        let told = table.manage_session(json!({"action": view, "audience": "player"}));
        assert!(!told.text("player_text").contains("exed"), "{view}: {}", told["player_text"]);
    }

    let tried = table.dice([10]).skill_check(json!({"character": "Ann", "check": "Try"}));
    assert_eq!(tried.text("summary"), "Ann, Try: 1d20: [10]; - 1 = 9 against 10: failure by 1.");
    assert_eq!(tried.text("player_text"), "Ann, Try: failure.");
    let note = "a hidden effect counts, so players learn the outcome alone, without dice and sum";
    assert_eq!(tried["noted"][0], note);
    let other = table.dice([10]).skill_check(json!({"character": "Ben", "check": "Try"}));
    assert_eq!(other.text("player_text"), "Ben, Try: 1d20: [10]; + 0 = 10 against 10: success, exactly.");

    let shown = table.manage_combat(json!({"action": "reveal", "name": "hexed", "on": "Ann"}));
    assert_eq!(shown.text("summary"), "Players see Hexed on Ann from now on.");
    assert_eq!(shown.text("player_text"), "It shows: Hexed on Ann.");
    let tried = table.dice([10]).skill_check(json!({"character": "Ann", "check": "Try"}));
    assert_eq!(tried.text("player_text"), tried.text("summary"));
    table.manage_session(json!({"action": "undo", "entry": shown["log"]})).is_fine();
    let again = table.manage_combat(json!({"action": "status"}));
    assert!(again.text("summary").contains("hidden"), "what was revealed is taken back: {}", again["summary"]);
    table.manage_combat(json!({"action": "reveal", "name": "cursed"})).refused("unknown_effect");
    table.record().is_sound();
}

#[test]
fn what_ends_it_tells_players_the_rest_alone() {
    let mut table = mine();
    for name in ["Hexed", "Doomed", "Stung"] {
        hide(&mut table, name, json!({}));
    }
    let removed =
        table.manage_character(json!({"action": "remove_condition", "character": "Ann", "condition": "Doomed"}));
    assert_eq!((removed.text("summary"), &removed["player_text"]), ("Ann is no longer Doomed.", &Value::Null));
    let both = json!({"target": "Ann", "amount": 2, "remove_conditions": ["Hexed"], "apply_conditions": ["Fated"]});
    let both = table.apply_damage(both);
    assert_eq!(both.text("player_text"), "Ann takes 2 damage: Hit points 10 to 8/10; now Fated.");
    assert!(both.text("summary").ends_with("Hexed on Ann ends."), "{}", both["summary"]);
    hide(&mut table, "Hexed", json!({}));
    let rest = table.manage_character(json!({"action": "rest", "character": "Ann", "kind": "Short rest"}));
    assert_eq!(rest.text("player_text"), "Ann, short rest: Hit points 8/10 to 10/10.");
    assert!(rest.text("summary").contains("Hexed on Ann ends."), "{}", rest["summary"]);
    let struck = table.dice([11]).skill_check(json!({"character": "Ben", "check": "Hit", "target": "Ann"}));
    assert_eq!(struck.text("summary"), "Ben, Hit: 1d20: [11]; + 0 = 11 against 11: success, exactly.");
    assert_eq!(
        struck.text("player_text"),
        "Ben, Hit: 1d20: [11]; + 0 = 11: success.",
        "her guard is 12 for all that they know"
    );
    let over = table.manage_combat(json!({"action": "end"}));
    assert_eq!(over.text("player_text"), "The fight ends.");
    assert!(over.text("summary").ends_with("Stung on Ann ends."), "{}", over["summary"]);
    let full = table.get_character(json!({"character": "Ann", "view": "full"}));
    assert_eq!(full["character"]["conditions"], json!(["Fated"]));
    table.record().is_sound();
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
    let durations =
        prop::sample::select(vec![None, Some("for 8 hours"), Some("until removed"), Some("until end of scene")]);
    let sources = prop::sample::select(vec![None, Some("Rat"), Some("Ben")]);
    (prop::sample::select(NAMES.to_vec()), durations, sources, any::<bool>())
        .prop_map(|(name, duration, source, ends)| Hidden { name, duration, source, ends })
}

/// Everything that players get of the evening.
fn seen(hidden: &Hidden) -> Vec<(&'static str, Value)> {
    let mut table = mine();
    let mut told = Vec::new();
    let mut tell = |answer: crate::table::Answer| {
        told.extend(answer.is_fine()["player_text"].is_string().then(|| answer.told().to_owned()));
    };
    let call = json!({"action": "add_effect", "name": hidden.name, "on": "Ann", "hidden": true, "duration": hidden.duration, "combatant": hidden.source});
    tell(table.manage_combat(call));
    tell(table.dice([5]).skill_check(json!({"character": "Ann", "check": "Try"})));
    tell(table.dice([16]).skill_check(json!({"character": "Ann", "check": "Try", "context": "once more"})));
    tell(
        table
            .dice([5, 12])
            .skill_check(json!({"character": "Ann", "check": "Try", "opposed_by": {"character": "Ben"}})),
    );
    tell(
        table
            .dice([12, 5])
            .skill_check(json!({"character": "Ben", "check": "Try", "opposed_by": {"character": "Ann"}})),
    );
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
    let mut views = vec![("what is said", json!(told.join(" "))), ("the sheet", sheet["sheet"].clone())];
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
    let rules = RULES.replace("- Fated: -4 on checks\n", "- Fated: -4 on checks, for 10 minutes\n");
    let mut table = Table::of_rules(Some(&rules));
    table.manage_character(json!({"action": "create", "name": "Ann", "attributes": {"Guard": 12}})).is_fine();
    table.manage_combat(json!({"action": "start", "combatants": [{"name": "Ann"}]})).is_fine();
    hide(&mut table, "Fated", json!({}));
    let began = table.record().number("select max(seq) from log");
    let told = table.manage_session(json!({"action": "reveal", "entry": began}));
    assert!(
        told.refused("not_sealed")["summary"].to_string().contains("manage_combat action=\\\"reveal\\\""),
        "{told:?}"
    );
    table.manage_combat(json!({"action": "end"})).is_fine();
    let passed = table.manage_session(json!({"action": "advance", "time": "11 minutes"}));
    assert_eq!(passed["time"]["ended"], json!(["Fated on Ann"]), "{passed:?}");
    assert!(!passed.text("player_text").contains("Fated"), "{passed:?}");
}
