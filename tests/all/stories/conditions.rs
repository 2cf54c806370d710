//! Conditions that no rule knows: a slip of the pen is refused, one of the GM's own says that it does nothing by itself.

use serde_json::{Value, json};

use crate::table::{Answer, Table};

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
    let mut table = Table::of_rules(Some(RULES));
    table.manage_character(json!({"action": "create", "name": "Ann", "attributes": {"NRV": 10}})).is_fine();
    table
}

fn refused(answer: &Answer, code: &str) -> String {
    answer.refused(code)["summary"].as_str().expect("text").to_owned()
}

#[test]
fn a_condition_that_is_a_slip_away_from_one_of_the_rules_is_refused_at_every_door() {
    let mut table = ann();
    table.manage_combat(json!({"action": "start", "combatants": [{"name": "Ann", "initiative": 1}]})).is_fine();
    let before = table.record().everything();
    for free in [Value::Null, json!(true)] {
        let blow = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["poisond"], "free": free}));
        let said = refused(&blow, "unknown_condition");
        assert!(said.contains("Send apply_conditions=[\"Poisoned\"]."), "{said}");
        assert_eq!(blow.value()["did_you_mean"], json!(["Poisoned"]));
        let put =
            json!({"action": "add_condition", "character": "Ann", "condition": "Frightned", "level": 2, "free": free});
        let said = refused(&table.manage_character(put), "unknown_condition");
        assert!(said.contains("Send condition=\"Frightened 2\"."), "{said}");
    }
    let effect = table.manage_combat(json!({"action": "add_effect", "name": "Posioned", "on": "Ann"}));
    assert!(refused(&effect, "unknown_condition").contains("Send name=\"Poisoned\"."));
    let brought = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["unconcious"]}));
    assert!(refused(&brought, "unknown_condition").contains("Send apply_conditions=[\"unconscious\"]."));
    assert_eq!(table.record().everything(), before);
    for known in ["poisoned", "Unconscious", "dying", "Major wound", "frightened 2"] {
        let put = table.apply_damage(json!({"target": "Ann", "apply_conditions": [known]}));
        assert_eq!(put["noted"], Value::Null, "{known}");
    }
    table.record().is_sound();
}

#[test]
fn a_condition_of_the_gms_own_is_asked_for_and_said_to_do_nothing() {
    let mut table = ann();
    let put = json!({"action": "add_condition", "character": "Ann", "condition": "Soaked"});
    let said = refused(&table.manage_character(put), "unknown_condition");
    assert!(said.contains("there is Poisoned, Frightened") && said.contains("Send free=true"), "{said}");
    let said =
        refused(&table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Soaked"]})), "unknown_condition");
    assert!(said.contains("Send free=true"), "{said}");
    let free = json!({"action": "add_condition", "character": "Ann", "condition": "Soaked", "free": true});
    let soaked = table.manage_character(free);
    let note = json!(["Soaked has no effect by the rules: it is kept and shown, and changes no roll"]);
    assert_eq!(soaked["noted"], note);
    let longer =
        json!({"action": "add_condition", "character": "Ann", "condition": "Soaked", "duration": "until end of scene"});
    assert_eq!(table.manage_character(longer)["noted"], note, "what is there need not be asked for again");
    let foretold =
        table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Muddy"], "free": true, "preview": true}));
    assert!(foretold["noted"][0].as_str().is_some_and(|note| note.starts_with("Muddy has no effect")));
    let like = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Brightened"], "free": true}));
    assert!(
        like["noted"][0].as_str().is_some_and(|note| note.starts_with("Brightened has no effect")),
        "a word of its own"
    );
    let none = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Poisoned 2"]}));
    assert!(refused(&none, "invalid_parameters").contains("Poisoned has no levels"));
    let gone = json!({"action": "remove_condition", "character": "Ann", "condition": "Poisoned"});
    let said = refused(&table.manage_character(gone), "unknown_condition");
    assert!(said.contains("Ann is not Poisoned, only brightened, soaked"), "{said}");
    table.record().is_sound();
}

#[test]
fn somebody_who_comes_from_outside_brings_only_conditions_that_are_known_or_meant() {
    let mut table = ann();
    let put = json!({"action": "add_condition", "character": "Ann", "condition": "Soaked", "free": true});
    table.manage_character(put).is_fine();
    let text = table.manage_character(json!({"action": "export", "character": "Ann"})).text("document").to_owned();
    let own = json!({"action": "import", "name": "Bea", "text": text});
    table.manage_character(own).is_fine();
    let elsewhere = text.replace("soaked", "poisond");
    let slip = json!({"action": "import", "name": "Cat", "text": elsewhere, "free": true});
    assert!(refused(&table.manage_character(slip), "unknown_condition").contains("Write Poisoned there."));
    let other = text.replace("soaked", "singing");
    let said = refused(
        &table.manage_character(json!({"action": "import", "name": "Dot", "text": other})),
        "unknown_condition",
    );
    assert!(said.contains("send free=true") || said.contains("Send free=true"), "{said}");
    let came = table.manage_character(json!({"action": "import", "name": "Dot", "text": other, "free": true}));
    assert!(
        came["noted"][0].as_str().is_some_and(|note| note.starts_with("singing has no effect")),
        "{}",
        came.value()
    );
    table.record().is_sound();
}

#[test]
fn where_the_rules_declare_no_conditions_every_name_may_be_sent() {
    let plain = "# Plain\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Health\n- Hit points: max 5\n- Damage: Hit points\n\
        - At 0 Hit points: gain Unconscious\n";
    for (rules, slip) in [(None, "stuned"), (Some(plain), "unconcious")] {
        let mut table = Table::of_rules(rules);
        table.manage_character(json!({"action": "create", "name": "Ann", "hp": 5, "kind": "npc"})).is_fine();
        let put = table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Soaked"]}));
        let note = put["noted"][0].as_str().expect("a note");
        assert!(note.starts_with("Soaked has no effect by the rules, which declare no conditions"), "{note}");
        let slip = table.apply_damage(json!({"target": "Ann", "apply_conditions": [slip]}));
        assert_eq!(slip.is_refused(), rules.is_some(), "what a trigger brings is known all the same");
        if rules.is_some() {
            slip.refused("unknown_condition");
        }
        table.record().is_sound();
    }
}
