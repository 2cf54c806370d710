//! What lines mean at a table whose names are known.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::fight::{ACTIONS, WORDS};
use super::*;
use rollbook_text::diagnostic::SourceFile;

fn names() -> Names {
    let rules = "# A\n\n## Attributes\n- Strength (STR)\n- Dexterity (DEX)\n\n## Skills\n- Lockpicking (DEX)\n";
    let list = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect();
    Names {
        people: list(&["Sabeth Quoin", "Jory Penrake", "Wrecker 1", "Wrecker 2"]),
        party: list(&["Sabeth Quoin", "Jory Penrake"]),
        attacks: list(&["boat hook", "Crossbow"]),
        skills: list(&["Lockpicking", "Sleight of Hand", "Melee"]),
        attributes: list(&["STR", "DEX"]),
        checks: list(&["Save"]),
        difficulties: list(&["Hard", "Very hard"]),
        conditions: list(&["prone", "frightened"]),
        damage_types: list(&["cold", "slashing"]),
        rests: list(&["Long rest"]),
        sheets: list(&["Characters.md#Fenner Loy"]),
        foes: list(&["Foes.md#Wrecker"]),
        sections: list(&["Checks", "Health"]),
        clocks: list(&["Flooding"]),
        turn: None,
        is_without_turns: false,
        system: Arc::new(rollbook_rules::read(vec![SourceFile::new("System.md", rules)]).system),
    }
}

#[track_caller]
fn call(line: &str) -> (String, Value) {
    match read(line, &names()) {
        Ok(Deed::Call { tool, arguments }) => (tool, Value::Object(arguments)),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn every_example_is_a_command_whose_fields_its_tool_has() {
    for entry in ALL {
        assert!(entry.example.starts_with(&format!("/{}", entry.name)), "{}", entry.example);
        assert!(entry.about.len() <= 80 && entry.about.ends_with('.'), "{}", entry.about);
        if let Deed::Call { tool, arguments } = read(entry.example, &names()).expect(entry.example) {
            let tool = tool_named(&tool).expect("a tool");
            let known = tool.input["properties"].as_object().expect("properties");
            let unknown: Vec<&String> = arguments.keys().filter(|key| !known.contains_key(*key)).collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", entry.example);
        }
    }
}

#[test]
fn no_word_means_two_commands() {
    assert_eq!(words().collect::<BTreeSet<_>>().len(), words().count());
}

#[test]
fn what_cannot_be_read_says_what_to_type() {
    for (line, why) in [
        ("/rol 1d6", "There is no command /rol. Did you mean /roll?"),
        ("/xyzzy", "There is no command /xyzzy. /help lists them."),
        ("/roll context=\"x", "is not closed"),
        ("/attack Wrecker 1", "Who attacks whom?"),
        ("/attack Jory Wrecker 1", "With what? Attacks here are boat hook, Crossbow; a skill will do, too."),
        ("/new Aria: DEX", "`DEX` has no number"),
        ("/damage", "Type: /damage WHOM AMOUNT [TYPE]"),
        ("/damage 7", "How much?"),
        ("/damage Sabeth", "How much?"),
        ("/damage Sabeth -3", "Damage is no"),
        ("/damage Wrecker 1", "How much? The number belongs to the name Wrecker 1"),
        ("/damage Sabeth, Wrecker 1", "How much? The number"),
        ("/damage Wrecker 1 cold", "How much? The number"),
        ("/heal Wrecker 2", "How much? The number"),
        ("/damage Sabeth 1 abc", "There is no damage of the type \"abc\": there is cold, slashing."),
        ("/condition Jory", "Who, and which condition?"),
        ("/fight start Wrecker hp", "A number stands behind hp."),
        ("/fight sing", "A fight can start, prepare"),
        ("/note scene", "What?"),
        ("/undo it all", "\"it\" is too much."),
        ("/undo abc", "\"abc\" is no number of an entry"),
    ] {
        let refused = read(line, &names()).unwrap_err();
        assert!(refused.contains(why), "{line}: {refused}");
    }
    assert!(matches!(read("QUIT", &names()), Ok(Deed::Quit)));
}

#[test]
fn what_goes_on_at_the_table_changes_what_a_line_means() {
    let turn = Some((2, Some("Sabeth Quoin".to_owned())));
    let sabeth = json!({"character": "Sabeth Quoin", "target": "Wrecker 1", "attack": "Crossbow", "end_turn": true});
    let named = json!({"target": "Wrecker", "amount": 1, "reason": "abc"});
    let untyped = json!({"target": "Jory", "amount": 2, "damage_type": "abc"});
    for (line, names, sent) in [
        ("/attack Wrecker 1 with Crossbow end_turn=true", Names { turn, ..names() }, sabeth),
        // No name ends at the number.
        ("/damage Wrecker 1 # abc", Names { people: vec!["Wrecker".to_owned()], ..names() }, named),
        ("/damage Jory 2 abc", Names { damage_types: Vec::new(), ..names() }, untyped),
        ("/n", Names { is_without_turns: true, ..names() }, json!({"action": "next_round"})),
        // Rules may need no more.
        ("/attack Jory Rat", Names { attacks: Vec::new(), ..names() }, json!({"character": "Jory", "target": "Rat"})),
    ] {
        let Ok(Deed::Call { arguments, .. }) = read(line, &names) else { panic!("{line}") };
        assert_eq!(Value::Object(arguments), sent, "{line}");
    }
    let healed = read("/heal Sabeth 1d8+1 # the salve", &names());
    let Ok(Deed::Heal { dice, arguments }) = healed else { panic!("{healed:?}") };
    assert_eq!((dice.as_str(), json!(arguments)), ("1d8+1", json!({"target": "Sabeth", "reason": "the salve"})));
}

#[test]
fn each_line_is_the_call_that_it_means() {
    for (line, sent) in [
        (
            "/check Sabeth Quoin Sleight of Hand 15",
            json!({"character": "Sabeth Quoin", "skill": "Sleight of Hand", "difficulty": 15}),
        ),
        (
            "/check sabeth dex very hard adv",
            json!({"character": "sabeth", "attribute": "dex", "difficulty": "very hard", "advantage": true}),
        ),
        ("/check Lockpicking +2 12", json!({"skill": "Lockpicking", "modifier": 2, "difficulty": 12})),
        ("/save Jory Save 12", json!({"character": "Jory", "check": "Save", "difficulty": 12})),
        ("/check Bob Lockpicking", json!({"character": "Bob", "skill": "Lockpicking"})),
        ("/check Lockpickin 9", json!({"skill": "Lockpickin", "difficulty": 9})),
        (
            "/check Jory Melee vs Wrecker 1 STR",
            json!({"character": "Jory", "skill": "Melee", "opposed_by": {"character": "Wrecker 1", "attribute": "STR"}}),
        ),
        ("/check Jory Melee vs 14", json!({"character": "Jory", "skill": "Melee", "difficulty": 14})),
        (
            "/check Jory skill=Melee # over the rail",
            json!({"character": "Jory", "skill": "Melee", "context": "over the rail"}),
        ),
        (
            "/attack Jory Wrecker 1 with boat hook",
            json!({"character": "Jory", "target": "Wrecker 1", "attack": "boat hook"}),
        ),
        (
            "/a Jory Penrake Wrecker 2 with Melee 1d12+2 slashing",
            json!({"character": "Jory Penrake", "target": "Wrecker 2", "skill": "Melee", "damage": "1d12+2", "damage_type": "slashing"}),
        ),
        (
            "/attack Jory Wrecker 1, Wrecker 2 with Melee",
            json!({"character": "Jory", "target": ["Wrecker 1", "Wrecker 2"], "skill": "Melee"}),
        ),
        (
            "/roll 2d6 + 3 # the ogre's club visibility=gm",
            json!({"expression": "2d6 + 3", "context": "the ogre's club visibility=gm"}),
        ),
        ("/r 1d20 visibility=gm", json!({"expression": "1d20", "visibility": "gm"})),
        ("/roll table=Rumours", json!({"table": "Rumours"})),
        ("/odds 3d6>=4", json!({"expression": "3d6>=4", "detail": "full"})),
        (
            "/odds Sabeth Lockpicking 15",
            json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "detail": "full"}),
        ),
        ("/sheet Sabeth Quoin", json!({"view": "sheet", "character": "Sabeth Quoin"})),
        ("/party", json!({"list": true})),
        (
            "/new Aria of the Quay: DEX 14, Lockpicking +2, npc notes=\"a locksmith\"",
            json!({"action": "create", "name": "Aria of the Quay", "kind": "npc", "attributes": {"DEX": 14},
                   "skills": {"Lockpicking": 2}, "notes": "a locksmith"}),
        ),
        ("/new Cobb from Foes.md#Wrecker", json!({"action": "create", "name": "Cobb", "from": "Foes.md#Wrecker"})),
        (
            "/new Characters.md#Fenner Loy notes=\"late\"",
            json!({"action": "create", "name": "Fenner Loy", "from": "Characters.md#Fenner Loy", "notes": "late"}),
        ),
        ("/new ../../etc/passwd#root", json!({"action": "create", "name": "root", "from": "../../etc/passwd#root"})),
        ("/rest long rest Jory", json!({"action": "rest", "kind": "long rest", "character": "Jory"})),
        ("/rest", json!({"action": "rest"})),
        ("/rest Jory Penrake", json!({"action": "rest", "character": "Jory Penrake"})),
        ("/damage Wrecker 1 7 # the beam", json!({"target": "Wrecker 1", "amount": 7, "reason": "the beam"})),
        ("/d Wrecker 1 2d6 cold", json!({"target": "Wrecker 1", "amount": "2d6", "damage_type": "cold"})),
        ("/damage Sabeth, Jory 3", json!({"target": ["Sabeth", "Jory"], "amount": 3})),
        ("/damage foes roll=last", json!({"target": "foes", "roll": "last"})),
        ("/damage Wrecker 1 roll=last", json!({"target": "Wrecker 1", "roll": "last"})),
        ("/heal Sabeth 5", json!({"target": "Sabeth", "amount": -5})),
        (
            "/condition Jory Penrake frightened for 2 rounds",
            json!({"action": "add_condition", "on": "Jory Penrake", "condition": "frightened", "duration": "for 2 rounds"}),
        ),
        ("/cond Wrecker 1 -prone", json!({"action": "remove_condition", "on": "Wrecker 1", "condition": "prone"})),
        (
            "/condition Jory soaked to the skin free=true",
            json!({"action": "add_condition", "on": "Jory", "condition": "soaked to the skin", "free": true}),
        ),
        ("/fight", json!({"action": "status", "detail": "full"})),
        ("/f end the wreckers run", json!({"action": "end", "outcome": "the wreckers run"})),
        ("/fight hide Wrecker 2", json!({"action": "hide", "combatant": "Wrecker 2"})),
        (
            "/fight effect bless on Sabeth, Jory for 3 rounds",
            json!({"action": "add_effect", "name": "bless", "on": ["Sabeth", "Jory"], "duration": "for 3 rounds"}),
        ),
        ("/fight effect -bless on Sabeth", json!({"action": "remove_effect", "name": "bless", "on": "Sabeth"})),
        (
            "/fight initiative Wrecker 1 12",
            json!({"action": "set_initiative", "combatants": [{"name": "Wrecker 1", "initiative": 12}]}),
        ),
        (
            "/fight ready Jory until the door opens",
            json!({"action": "ready", "combatant": "Jory", "trigger": "the door opens"}),
        ),
        ("/next", json!({"action": "next_turn"})),
        ("/note It's \"odd\": a=b {", json!({"action": "note", "text": "It's \"odd\": a=b {"})),
        (
            "/note secret thread: Who pays?",
            json!({"action": "note", "kind": "thread", "visibility": "gm", "text": "Who pays?"}),
        ),
        ("/clock Alarm 6", json!({"action": "clock", "name": "Alarm", "segments": 6})),
        (
            "/clock Flooding +2 # the tide",
            json!({"action": "clock", "name": "Flooding", "tick": 2, "text": "the tide"}),
        ),
        ("/clock Flooding 3", json!({"action": "clock", "name": "Flooding", "value": 3})),
        ("/clock Flooding done", json!({"action": "clock", "name": "Flooding", "done": true})),
        ("/clock", json!({"character": "company"})),
        ("/session start The dark lamp", json!({"action": "start", "title": "The dark lamp"})),
        ("/session", json!({"action": "status", "detail": "full"})),
        ("/recap 2 audience=gm", json!({"action": "recap", "session": 2, "audience": "gm"})),
        ("/undo #17", json!({"action": "undo", "entry": 17})),
        ("/rules health", json!({"section": "health"})),
        ("/rules prone", json!({"name": "prone"})),
    ] {
        assert_eq!(call(line).1, sent, "{line}");
    }
    for (line, tool) in [
        ("/check Bob Melee", "skill_check"),
        ("/attack Jory Wrecker 1 with Melee", "skill_check"),
        ("/roll 1d6", "roll_dice"),
        ("/odds 1d6", "odds"),
        ("/party", "get_character"),
        ("/clock", "get_character"),
    ] {
        assert_eq!(call(line).0, tool, "{line}");
    }
}

#[test]
fn people_are_made_shown_and_rested() {
    for line in ["/new Aria: DEX 14 npc", "/new Aria: npc, DEX 14", "/new Aria: DEX 14, npc"] {
        let sent = call(line).1;
        assert_eq!((&sent["kind"], &sent["attributes"]), (&json!("npc"), &json!({"DEX": 14})), "{line}");
    }
    for typed in ["fenner", "Fenner Loy", "LOY"] {
        let sent = call(&format!("/new Characters.md#{typed}")).1;
        assert_eq!(sent["name"], "Fenner Loy", "{typed}: a block's name is whole");
    }
}

#[test]
fn a_sheet_that_lacks_something_has_the_line_that_makes_it_whole() {
    let dexterity = "Dexterity (DEX), 3 to 18";
    for (name, missing, is_of_block, line) in [
        ("Nobody", vec![dexterity, "Hit points"], false, "/new Nobody: DEX 10"),
        ("Nobody", vec!["Hit points"], false, "/new Nobody: Hit points 10"),
        (
            "Cobb",
            vec![dexterity],
            true,
            "/call manage_character action=update character=\"Cobb\" attributes={\"DEX\":10}",
        ),
    ] {
        let lacks = incomplete(name, &missing, is_of_block, &names().system);
        assert_eq!(lacks.rsplit_once("your own: ").unwrap().1, line, "{lacks}");
        assert!(!is_of_block || call(line).1["attributes"] == json!({"DEX": 10}));
    }
}

#[test]
fn every_action_is_one_of_the_tools() {
    let known = &tool_named("manage_combat").unwrap().input["properties"]["action"]["enum"];
    assert!(ACTIONS.iter().all(|(_, action)| known.as_array().unwrap().contains(&json!(action))));
    assert_eq!(WORDS[0], "start");
}

#[test]
fn who_joins_is_said_in_a_few_words() {
    assert_eq!(
        call("/fight start party, Wrecker x2 hp 7, Ogre from Foes.md#Old Ogre, Bat 3x init 12 hidden # The Mess").1,
        json!({"action": "start", "title": "The Mess", "combatants": [
            {"name": "Sabeth Quoin"}, {"name": "Jory Penrake"}, {"name": "Wrecker", "count": 2, "hp": 7},
            {"name": "Ogre", "from": "Foes.md#Old Ogre"}, {"name": "Bat", "count": 3, "initiative": 12, "hidden": true}]})
    );
    let ogres = json!([{"from": "Foes.md#Old Ogre", "count": 2, "hidden": true}]);
    for (line, combatants) in [
        ("add Foes.md#Old Ogre x2 hidden", ogres.clone()),
        ("add from Foes.md#Old Ogre x2 hidden", ogres.clone()),
        ("add x2 hidden Foes.md#Old Ogre", ogres),
        ("add Wrecker x2 from Foes.md#Wrecker", json!([{"name": "Wrecker", "from": "Foes.md#Wrecker", "count": 2}])),
        (
            "start party vs Goblin hp 5",
            json!([{"name": "Sabeth Quoin"}, {"name": "Jory Penrake"}, {"name": "Goblin", "hp": 5}]),
        ),
    ] {
        assert_eq!(call(&format!("/fight {line}")).1["combatants"], combatants, "{line}");
    }
}

#[test]
fn commands_then_names_then_what_follows_them() {
    for (before, typed, found) in [
        ("", "/ch", &["/check "][..]),
        ("/check ", "sab", &["Sabeth Quoin "]),
        ("/check Sabeth Quoin ", "Lo", &["Lockpicking "]),
        ("/check Sabeth Quoin ", "sleight of", &["Sleight of Hand "]),
        ("/damage Sabeth Quoin, ", "Wr", &["Wrecker 1 ", "Wrecker 2 "]),
        ("/fight ", "st", &["start ", "structure ", "status "]),
        ("/fight hide ", "Wrecker 2", &["Wrecker 2 "]),
        ("/call roll_dice ", "expr", &["expression="]),
        ("/call roll_dice character=", "Jo", &["\"Jory Penrake\" "]),
        ("/new ", "Char", &["Characters.md#Fenner Loy "]),
        ("/fight start party, ", "Fo", &["Foes.md#Wrecker "]),
        ("We ask ", "Jory", &["Jory Penrake "]),
        ("/roll 1d", "", &[]),
        ("/nothing x", "", &[]),
    ] {
        let line = format!("{before}{typed}");
        let (at, completed) = complete(&line, line.len(), &names());
        assert_eq!((&line[..at], completed), (before, found.iter().map(|text| (*text).to_owned()).collect()), "{line}");
    }
    let before_a_blank = complete("/sheet Sab 15", 10, &names());
    assert_eq!(before_a_blank, (7, vec!["Sabeth Quoin".to_owned()]));
}

#[test]
fn any_place_of_any_line_can_be_asked() {
    for line in ["", "/", "/check żółw ż", "/check  ", "=,=", "/new Ö:"] {
        for at in 0..=line.len() {
            let (start, _) = complete(line, at, &names());
            assert!(start <= at, "{line} {at}");
        }
    }
}

#[test]
fn what_a_command_takes_is_hinted_until_something_stands_there() {
    for (line, takes) in [("/sheet", Some(" [WHO]")), ("/sheet ", Some("[WHO]")), ("/sheet S", None), ("/quit", None)] {
        assert_eq!(hint(line).as_deref(), takes, "{line}");
    }
}

#[test]
fn calls_are_commands_and_what_none_has_is_a_call() {
    for (tool, sent, typed) in [
        ("manage_session", "Send action=\"undo\" entry=15.", "Send /undo 15."),
        ("apply_damage", "(manage_session action=\"undo\" entry=15)", "(/undo 15)"),
        ("manage_combat", "Send action=\"next_turn\" and no name.", "Send /next and no name."),
        ("manage_combat", "Send action=\"end\" first, or action=\"status\".", "Send /fight end first, or /fight."),
        (
            "skill_check",
            "Send manage_combat action=\"start\" combatants=[{\"name\": \"Goblin\", \"count\": 2, \"hp\": 7}].",
            "Send /fight start Goblin x2 hp 7.",
        ),
        (
            "manage_combat",
            "Send {\"name\": \"Old Ogre\", \"hp\": 7}, or {\"from\": \"Foes.md#Old Ogre\"}.",
            "Send Old Ogre hp 7, or Foes.md#Old Ogre.",
        ),
        (
            "skill_check",
            "Send manage_character action=\"create\" name=\"Jo Li\" attributes={\"DEX\": 14, …}.",
            "Send /new Jo Li: DEX 14, ….",
        ),
        (
            "manage_combat",
            "Send combatants=[{\"name\": \"Goblin\", \"count\": 2, \"hp\": 7}]; or go by name.",
            "Add Goblin x2 hp 7; or go by name.",
        ),
        ("skill_check", "Send difficulty=15 (\"Hard\").", "Add difficulty=15 (\"Hard\")."),
        ("skill_check", "Nobody. get_character list=true names everybody.", "Nobody. /party names everybody."),
        ("manage_character", "Send action=\"rest\" kind=\"Short rest\".", "Send /rest Short rest."),
        ("skill_check", "manage_combat action=\"remove\" combatant=\"Jo Li\" first", "/fight remove Jo Li first"),
        (
            "skill_check",
            "manage_combat action=\"remove_effect\" name=\"bless\" on=\"Jo Li\".",
            "/fight effect -bless on Jo Li.",
        ),
        (
            "skill_check",
            "manage_character action=\"update\" character=\"Jo\" tracks={\"Hit points\": 8}.",
            "/call manage_character action=update character=\"Jo\" tracks={\"Hit points\": 8}.",
        ),
        // Without a name `/new` would make somebody of that name.
        (
            "manage_combat",
            "manage_character action=\"create\" from=\"Ogre\".",
            "/call manage_character action=create from=\"Ogre\".",
        ),
    ] {
        assert_eq!(as_commands(tool, sent), typed, "{sent}");
    }
    for line in ["/undo 15", "/next", "/fight", "/fight start Goblin x2 hp 7", "/rest Short rest", "/fight remove Jo"] {
        assert!(read(line, &names()).is_ok(), "{line}");
    }
    assert_eq!(as_commands("odds", "Send 3 = 3, Größe \"x"), "Send 3 = 3, Größe \"x");
}
