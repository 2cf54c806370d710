//! Whole fights: five a side with reinforcements, a delay, a death and a revival; a fight that is
//! prepared, paused and resumed; goblins of one name; whom players do not see; initiative by cards,
//! by side, each round.

use rollbook_game::view::Audience;
use rollbook_record::export::Format;
use serde_json::{Value, json};

use crate::table::{Answer, Table};

fn act(table: &mut Table, action: &str, who: &str) -> Answer {
    table.manage_combat(json!({"action": action, "combatant": who}))
}

fn next(table: &mut Table) -> (i64, String) {
    let turn = table.manage_combat(json!({"action": "next_turn"}));
    (turn.number("round"), turn.text("current").to_owned())
}

fn turn(round: i64, who: &str) -> (i64, String) {
    (round, who.to_owned())
}

fn names(answer: &Answer) -> Vec<String> {
    let order = answer["order"].as_array().expect("an order");
    order
        .iter()
        .map(|place| place["name"].as_str().expect("a name").to_owned())
        .collect()
}

fn place<'a>(answer: &'a Answer, name: &str) -> &'a Value {
    let order = answer["order"].as_array().expect("an order");
    order
        .iter()
        .find(|place| place["name"] == name)
        .expect("in the order")
}

fn status(table: &mut Table) -> Answer {
    table.manage_combat(json!({"action": "status"}))
}

/// Five against five, by dice: Jory 21, Wrecker 1 18, Sabeth 16, Wrecker 2 14, Pell 12, Wrecker 3
/// 10, Ned 8, Wrecker 4 6, Ida 4, Wrecker 5 2.
fn five_a_side(table: &mut Table) -> Answer {
    for name in ["Pell", "Ned", "Ida"] {
        let scores = json!({"STR": 10, "DEX": 10, "CON": 10, "INT": 10, "WIS": 10, "CHA": 10});
        table
            .manage_character(json!({"action": "create", "name": name, "attributes": scores}))
            .is_fine();
    }
    table.dice([20, 14, 12, 8, 4, 18, 14, 10, 6, 2]).manage_combat(
        json!({"action": "start", "title": "The yard", "combatants": [
            {"name": "Jory"}, {"name": "Sabeth"}, {"name": "Pell"}, {"name": "Ned"}, {"name": "Ida"},
            {"name": "Wrecker", "count": 5, "hp": 7, "attributes": {"DEX": 10}},
        ]}),
    )
}

#[test]
fn five_a_side_with_reinforcements_a_delay_a_death_and_a_revival() {
    let mut table = Table::with_party();
    let fight = five_a_side(&mut table);
    let order = [
        "Jory",
        "Wrecker 1",
        "Sabeth",
        "Wrecker 2",
        "Pell",
        "Wrecker 3",
        "Ned",
        "Wrecker 4",
        "Ida",
        "Wrecker 5",
    ];
    assert_eq!(names(&fight), order);
    assert_eq!(fight["current"], "Jory");

    // Jory waits for Sabeth to open the gate.
    let delayed = act(&mut table, "delay", "Jory");
    assert_eq!(
        (&delayed["current"], &place(&delayed, "Jory")["waits"]),
        (&json!("Wrecker 1"), &json!("delayed"))
    );
    assert_eq!(
        delayed["player_text"],
        "Jory lets others go first. Round 1: Wrecker 1's turn."
    );
    assert_eq!(next(&mut table), turn(1, "Sabeth"));
    let back = table.manage_combat(json!({"action": "return"}));
    assert_eq!(
        (&back["current"], &place(&back, "Jory")["waits"]),
        (&json!("Sabeth"), &json!("returned"))
    );
    let on = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!(
        (&on["current"], on.text("summary")),
        (&json!("Jory"), "Round 1: Jory goes on.")
    );
    act(&mut table, "delay", "Sabeth").refused("cannot_delay");

    // Reinforcements: one above who acts waits, one below acts, one is in a hurry.
    let more = table.manage_combat(json!({"action": "add", "combatants": [
        {"name": "Captain", "hp": 12, "initiative": 25}, {"name": "Wrecker", "hp": 7, "initiative": 13},
    ]}));
    assert_eq!(
        (&more["current"], &more["round"]),
        (&json!("Jory"), &json!(1)),
        "nobody who comes moves the turn"
    );
    let scout = json!({"action": "add", "acts_now": true, "combatants": [{"name": "Scout", "hp": 4, "initiative": 30}]});
    assert_eq!(table.manage_combat(scout)["current"], "Jory");
    assert_eq!(next(&mut table), turn(1, "Scout"));
    assert_eq!(next(&mut table), turn(1, "Wrecker 2"));
    assert_eq!(next(&mut table), turn(1, "Wrecker 6"));

    // Wrecker 3 dies before its turn; Wrecker 4 gives up; Ida leaves, and nobody is passed over.
    table
        .apply_damage(json!({"target": "Wrecker 3", "amount": 7, "apply_conditions": ["dead"]}))
        .is_fine();
    assert_eq!(
        act(&mut table, "defeat", "Wrecker 4")["player_text"],
        "Wrecker 4 is out of the fight."
    );
    assert_eq!(next(&mut table), turn(1, "Pell"));
    assert_eq!(next(&mut table), turn(1, "Ned"));
    act(&mut table, "remove", "Ida").is_fine();
    assert_eq!(next(&mut table), turn(1, "Wrecker 5"));
    assert_eq!(next(&mut table), turn(2, "Scout"));
    assert_eq!(
        next(&mut table),
        turn(2, "Captain"),
        "who waited for this round"
    );

    // Pell falls, and Sabeth's draught brings her back before the round is over: late, but in it.
    table
        .apply_damage(json!({"target": "Pell", "amount": 12}))
        .is_fine();
    for who in [
        "Jory",
        "Wrecker 1",
        "Sabeth",
        "Wrecker 2",
        "Wrecker 6",
        "Ned",
    ] {
        assert_eq!(next(&mut table), turn(2, who));
    }
    table
        .apply_damage(json!({"target": "Pell", "amount": -3}))
        .is_fine();
    assert_eq!(next(&mut table), turn(2, "Pell"));
    act(&mut table, "revive", "Wrecker 4").is_fine();
    assert_eq!(next(&mut table), turn(2, "Wrecker 4"));

    // Who acts is taken out: the turn passes first. A slip is taken back.
    act(&mut table, "remove", "Wrecker 4").is_fine();
    assert_eq!(status(&mut table)["current"], "Wrecker 5");
    assert_eq!(next(&mut table), turn(3, "Scout"));
    let slip = table.manage_combat(json!({"action": "previous_turn"}));
    assert_eq!(
        (&slip["current"], &slip["round"]),
        (&json!("Wrecker 5"), &json!(2))
    );
    assert_eq!(slip["player_text"], "Scout's turn is taken back.");
    table
        .manage_combat(json!({"action": "previous_turn"}))
        .refused("no_previous_turn");
    let set = table.manage_combat(
        json!({"action": "set_initiative", "combatants": [{"name": "Ned", "initiative": 40}]}),
    );
    assert_eq!(
        (&set["current"], &set["player_text"]),
        (&json!("Wrecker 5"), &json!("Ned stands at initiative 40."))
    );
    assert_eq!(next(&mut table), turn(3, "Ned"));
    let all = status(&mut table);
    assert_eq!(names(&all)[..3], ["Ned", "Scout", "Captain"]);
    assert_eq!(
        place(&all, "Wrecker 3")["defeated"],
        true,
        "the fallen stay in the order"
    );
    table
        .manage_combat(json!({"action": "end", "outcome": "the yard is theirs"}))
        .is_fine();
}

#[test]
fn a_delay_that_is_not_called_back_lapses_with_the_round() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Jory", "initiative": 9}, {"name": "Sabeth", "initiative": 7}, {"name": "Rat", "hp": 3, "initiative": 5}]));
    table.manage_combat(json!({"action": "delay"})).is_fine();
    table
        .manage_combat(json!({"action": "return", "combatant": "Rat"}))
        .refused("no_effect");
    assert_eq!(next(&mut table), turn(1, "Rat"));
    table
        .manage_combat(json!({"action": "delay"}))
        .refused("cannot_delay");
    let over = table.manage_combat(json!({"action": "next_turn"}));
    let expected = json!(["Jory", "Jory has let the round pass. Round 2: Jory's turn."]);
    assert_eq!(json!([over["current"], over.text("summary")]), expected);
    let ready = table
        .manage_combat(json!({"action": "ready", "combatant": "Rat", "trigger": "the cat comes"}));
    assert_eq!(
        (&ready["player_text"], &place(&ready, "Rat")["ready"]),
        (&Value::Null, &json!("the cat comes"))
    );
    let springs = table.manage_combat(json!({"action": "return"}));
    assert_eq!(
        (springs.text("summary"), &springs["current"]),
        ("Rat acts as readied: the cat comes.", &json!("Jory"))
    );
    table
        .manage_combat(json!({"action": "ready"}))
        .refused("missing_value");
}

#[test]
fn two_goblins_are_two_and_neither_is_guessed() {
    let mut table = Table::with_party();
    let goblin = |hp: i64| json!({"name": "Goblin", "hp": hp, "initiative": 5});
    let start = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 9}, {"name": "Goblin", "count": 2, "hp": 7, "initiative": 5}]});
    assert_eq!(
        names(&table.manage_combat(start)),
        ["Jory", "Goblin 1", "Goblin 2"]
    );
    let refused = act(&mut table, "defeat", "goblin");
    let refused = refused.refused("ambiguous_name");
    assert_eq!(refused["did_you_mean"], json!(["Goblin 1", "Goblin 2"]));
    table
        .manage_combat(json!({"action": "add", "combatants": [goblin(5)]}))
        .is_fine();
    table
        .manage_combat(json!({"action": "add", "combatants": [{"name": "Goblin 1"}]}))
        .refused("duplicate_name");
    assert_eq!(
        names(&status(&mut table)),
        ["Jory", "Goblin 1", "Goblin 2", "Goblin 3"]
    );
    act(&mut table, "defeat", "GOBLIN 2").is_fine();
    let who = json!({"action": "revive", "combatants": ["Goblin 2"]});
    assert_eq!(
        table.manage_combat(who)["player_text"],
        "Goblin 2 is back in the fight."
    );
    act(&mut table, "remove", "Sabeth").refused("unknown_combatant");
}

#[test]
fn a_prepared_fight_is_the_gms_until_it_begins_and_a_paused_one_goes_on_as_it_stood() {
    let mut table = Table::with_party();
    let prepared = table.manage_combat(json!({"action": "create", "title": "At the weir", "combatants": [
        {"name": "Jory"}, {"name": "Sabeth"}, {"name": "Warden", "hp": 9}, {"name": "Eel", "hp": 4, "initiative": 3},
    ]}));
    assert_eq!(
        json!([
            prepared["status"],
            prepared["player_text"],
            prepared["round"]
        ]),
        json!(["setup", null, null])
    );
    table
        .manage_combat(json!({"action": "next_turn"}))
        .refused("no_combat");
    act(&mut table, "remove", "Warden").is_fine();
    let rolled = table
        .dice([17])
        .manage_combat(json!({"action": "roll_initiative", "combatant": "Jory"}));
    assert_eq!(
        rolled["player_text"],
        "Jory rolls initiative: 1d20: [17]; + 1 = 18."
    );
    let begun = table.dice([11]).manage_combat(json!({"action": "start"}));
    let expected = "Sabeth rolls initiative: 1d20: [11]; + 2 = 13. A fight begins: At the weir. In it: Jory, Sabeth, Eel. Round 1: Jory's turn.";
    assert_eq!(begun["player_text"], expected);
    let call = json!({"action": "add_effect", "name": "soaked", "on": "Sabeth", "duration": "for 2 rounds"});
    table.manage_combat(call).is_fine();
    table.manage_combat(json!({"action": "delay"})).is_fine();

    let before = status(&mut table).value().clone();
    table.manage_session(json!({"action": "end"})).is_fine();
    table.restart();
    assert_eq!(
        status(&mut table).value(),
        &before,
        "weeks later, as it stood"
    );
    assert_eq!(next(&mut table), turn(1, "Eel"));
    table.restart();
    let back = table.manage_combat(json!({"action": "previous_turn"}));
    let wanted = json!(["Sabeth", ["soaked (2 rounds)"]]);
    assert_eq!(
        json!([back["current"], place(&back, "Sabeth")["conditions"]]),
        wanted
    );
    act(&mut table, "return", "Jory").is_fine();
    assert_eq!(next(&mut table), turn(1, "Jory"));
    assert_eq!(next(&mut table), turn(1, "Eel"));
    assert_eq!(next(&mut table), turn(2, "Jory"));
}

#[test]
fn effects_of_a_prepared_fight_are_the_gms() {
    let mut table = Table::with_party();
    let fighters = json!([{"name": "Jory"}, {"name": "Warden", "hp": 9, "initiative": 3}]);
    table
        .manage_combat(json!({"action": "create", "combatants": fighters}))
        .is_fine();
    let calls = [
        json!({"action": "add_effect", "name": "warded", "on": "Warden", "duration": "for 9 rounds"}),
        json!({"action": "add_effect", "name": "marked", "on": "Jory", "anchor": "Warden", "duration": "for 9 rounds"}),
        json!({"action": "remove_effect", "name": "warded"}),
        json!({"action": "remove", "combatant": "Warden"}),
    ];
    for call in calls {
        let answer = table.manage_combat(call);
        assert_eq!(
            answer.is_fine()["player_text"],
            Value::Null,
            "{}",
            answer["summary"]
        );
    }
    let export = table.export(Audience::Player, Format::Jsonl, "players.jsonl");
    let players = std::fs::read_to_string(export).expect("text");
    assert!(
        !players.contains("Warden") && !players.contains("marked"),
        "{players}"
    );
}

#[test]
fn a_newcomers_name_does_not_count_the_hidden() {
    let mut table = Table::with_party();
    let goblin =
        |hidden: bool| json!([{"name": "Goblin", "hp": 7, "initiative": 3, "hidden": hidden}]);
    table.start(json!([{"name": "Jory", "initiative": 9}]));
    table
        .manage_combat(json!({"action": "add", "combatants": goblin(true)}))
        .is_fine();
    let seen = table.manage_combat(json!({"action": "add", "combatants": goblin(false)}));
    assert_eq!(
        seen["player_text"], "Goblin 1 enters the fight.",
        "not the second of them"
    );
}

#[test]
fn where_wounds_count_a_newcomer_needs_no_hit_points() {
    let rules = "# Any\n\n## Attributes\n- Muscle (MUS)\n- Range: 4 to 12\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Health\n\
        - Wounds: 3 boxes, over: gain Incapacitated\n- Damage: none\n- One hit {Muscle}+: Wounds +`floor(({hit} - {Muscle}) / 4)`\n\n## Combat\n- Initiative: cards, highest first\n";
    let mut table = Table::of_rules(Some(rules));
    let slip = table.manage_combat(json!({"action": "start", "combatants": [{"name": "Thug"}]}));
    let expected = "\"Thug\" is nobody the campaign knows. A character of the players is made first: manage_character action=\"create\" \
     name=\"Thug\". A foe that is new comes as {\"name\": \"Goblin\", \"count\": 1}; these rules count no hit points, or from a block of the adventure: {\"from\": \"Foes.md#Goblin\"}. Nothing was rolled or changed.";
    assert_eq!(slip.refused("missing_value")["summary"], expected);
    let thugs = json!([{"name": "Thug", "count": 2}, {"name": "Boss", "attributes": {"MUS": 10}}]);
    let begun = table
        .dice([9, 5, 1])
        .manage_combat(json!({"action": "start", "combatants": thugs}));
    assert_eq!(names(&begun), ["Thug 1", "Thug 2", "Boss"]);
    assert_eq!(place(&begun, "Boss")["health"], "0/3");
}

#[test]
fn the_same_call_acts_once() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Jory", "initiative": 9}, {"name": "Sabeth", "initiative": 7}]));
    for action in ["next_turn", "previous_turn", "delay"] {
        let call = json!({"action": action, "request_id": action});
        let first = table.manage_combat(call.clone()).value().clone();
        let state = table.record().everything();
        let again = table.manage_combat(call);
        assert_eq!(
            (&again["replayed"], &again["current"]),
            (&json!(true), &first["current"])
        );
        assert_eq!(table.record().everything(), state);
    }
}

#[test]
fn players_know_nothing_of_the_hidden_until_they_appear() {
    let mut table = Table::with_party();
    let call = json!({"action": "start", "combatants": [
        {"name": "Jory", "initiative": 9}, {"name": "Sabeth", "initiative": 5},
        {"name": "Goblin", "count": 2, "hp": 7, "initiative": 7, "hidden": true},
        {"name": "Goblin", "hp": 7, "initiative": 3},
    ]});
    let started = table.manage_combat(call);
    let wanted = [
        "Jory",
        "Unseen Goblin 1",
        "Unseen Goblin 2",
        "Sabeth",
        "Goblin",
    ];
    assert_eq!(names(&started), wanted, "and no number betrays them");
    let unseen = |text: &Value| assert!(!text.to_string().contains("Unseen"), "{text}");
    unseen(&started["player_text"]);
    let theirs = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!(
        (&theirs["current"], &theirs["player_text"]),
        (&json!("Unseen Goblin 1"), &Value::Null)
    );
    let known = status(&mut table);
    let expected = "Round 1, Jory's turn. Jory 14/14, Sabeth 13/13, Goblin unhurt. Rising tide 0/12, Ward sluice 0/1, Basin sluice 0/1, Marsh sluice 0/1, Dog drawn 0/1.";
    assert_eq!(known["player_text"], expected);
    let hurt = table.apply_damage(json!({"target": "Unseen Goblin 1", "amount": 2}));
    assert_eq!(hurt["player_text"], Value::Null);
    let fear = table.manage_combat(
        json!({"action": "add_effect", "name": "afraid", "on": "Jory", "duration": "for 1 round"}),
    );
    assert_eq!(
        fear["player_text"],
        "afraid on Jory begins, until the end of Jory's turn in round 2."
    );
    let appears = act(&mut table, "reveal", "Unseen Goblin 1");
    assert_eq!(appears["player_text"], "Goblin 2 appears.");
    assert_eq!(
        appears["summary"],
        "Unseen Goblin 1 appears, as Goblin 2 from now on."
    );
    assert_eq!(
        status(&mut table).text("player_text").split('.').next(),
        Some("Round 1, Goblin 2's turn")
    );
    act(&mut table, "reveal", "Goblin 2").refused("no_effect");
    assert_eq!(
        act(&mut table, "hide", "Goblin 2")["player_text"],
        "Goblin 2 is out of sight."
    );
    let last = status(&mut table);
    assert_eq!(
        last["player_text"],
        "Round 1, Jory's turn. Jory 14/14, Sabeth 13/13, Goblin unhurt. Rising tide 0/12, Ward sluice 0/1, Basin sluice 0/1, Marsh sluice 0/1, Dog drawn 0/1."
    );
}

#[test]
fn what_is_tried_against_the_hidden_does_not_name_them() {
    let mut table = Table::with_party();
    table.start(json!([
        {"name": "Jory", "initiative": 9},
        {"name": "Vex", "hp": 7, "initiative": 7, "hidden": true, "attributes": {"DEX": 12}},
    ]));
    let hand = json!({"action": "add", "combatants": [{"name": "Unseen Hand", "hp": 3, "initiative": 1, "hidden": true}]});
    assert_eq!(table.manage_combat(hand)["player_text"], Value::Null);
    assert_eq!(
        act(&mut table, "reveal", "Unseen Hand")["player_text"],
        "Unseen Hand appears.",
        "that is its name"
    );
    let call = json!({"character": "Jory", "skill": "Perception", "difficulty": 10, "opposed_by": {"character": "Vex", "skill": "Stealth"}});
    let listens = table.dice([9, 15]).skill_check(call);
    assert!(
        listens.text("player_text").contains("loses to the other"),
        "{}",
        listens["player_text"]
    );
    let rolled = table
        .dice([3])
        .roll_dice(json!({"expression": "d6", "character": "Vex"}));
    assert_eq!(rolled["player_text"], Value::Null);
    let export = table.export(Audience::Player, Format::Jsonl, "players.jsonl");
    let players = std::fs::read_to_string(export).expect("text");
    assert!(
        players.contains("Perception") && !players.contains("Vex"),
        "{players}"
    );
}

#[test]
fn what_is_tried_against_a_hidden_companion_does_not_say_where_it_is() {
    let rules = "# X\n\n## Attributes\n- Guard (GRD): all\n- Range: 1 to 20\n\n## Checks\n### Strike\n- Roll: `1d20`\n- Target: {target GRD}\n";
    let mut table = Table::of_rules(Some(rules));
    for (name, kind) in [("Ann", "player"), ("Mole", "companion")] {
        table.create(name, json!({"kind": kind, "attributes": {"GRD": 10}}));
    }
    table.start(
        json!([{"name": "Ann", "hp": 5, "initiative": 2}, {"name": "Mole", "hp": 5, "initiative": 1, "hidden": true}]),
    );
    table
        .dice([9])
        .skill_check(json!({"character": "Ann", "target": "Mole"}))
        .is_fine();
    let export = table.export(Audience::Player, Format::Jsonl, "players.jsonl");
    let players = std::fs::read_to_string(export).expect("text");
    let struck = players
        .lines()
        .find(|line| line.contains("Strike"))
        .expect("the check is public");
    assert!(!struck.contains("Mole"), "{struck}");
}

fn ruled(initiative: &str) -> Table {
    let rules = format!(
        "# Any\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Health\n- Hit points: max 5\n- Damage: Hit points\n\n## Combat\n- Initiative: {initiative}\n"
    );
    Table::of_people(&rules, &["Ann", "Bob"], json!({}))
}

const FOUR: &str = r#"[{"name": "Ann"}, {"name": "Bob"}, {"name": "Rat", "count": 2, "hp": 2}]"#;

fn four() -> Value {
    let combatants: Value = serde_json::from_str(FOUR).expect("JSON");
    json!({"action": "start", "combatants": combatants})
}

#[test]
fn cards_are_dealt_without_repeating_one_and_anew_each_round() {
    let mut table = ruled("cards, highest first, each round");
    // The first of 54, the 53rd of those left, the first and the first again of those left.
    let dealt = table.dice([1, 53, 1, 1]).manage_combat(four());
    let numbers: Vec<(String, i64)> = names(&dealt)
        .into_iter()
        .map(|name| {
            (
                name.clone(),
                place(&dealt, &name)["initiative"].as_i64().expect("a card"),
            )
        })
        .collect();
    let expected = [
        ("Bob".to_owned(), 54),
        ("Rat 2".to_owned(), 3),
        ("Rat 1".to_owned(), 2),
        ("Ann".to_owned(), 1),
    ];
    assert_eq!(numbers, expected);
    dealt.has(
        "summary",
        &["Ann draws the two of clubs. Bob draws the red joker."],
    );
    assert!(
        dealt
            .text("player_text")
            .contains("Rat 1 enters the fight."),
        "{}",
        dealt["player_text"]
    );
    act(&mut table, "defeat", "Rat 2").is_fine();
    assert_eq!(next(&mut table), turn(1, "Rat 1"));
    assert_eq!(next(&mut table), turn(1, "Ann"));
    let second = table
        .dice([54, 2, 2])
        .manage_combat(json!({"action": "next_turn"}));
    assert_eq!(
        (&second["current"], &second["round"]),
        (&json!("Ann"), &json!(2)),
        "nobody deals to the fallen"
    );
    assert!(
        second
            .text("summary")
            .starts_with("Ann draws the red joker."),
        "{}",
        second["summary"]
    );
}

#[test]
fn sides_act_together() {
    let mut table = ruled("per side `1d6`, highest first, each round");
    let rolled = table.dice([2, 5]).manage_combat(four());
    assert_eq!(
        names(&rolled),
        ["Rat 1", "Rat 2", "Ann", "Bob"],
        "one die a side"
    );
    let joined =
        table.manage_combat(json!({"action": "add", "combatants": [{"name": "Rat", "hp": 2}]}));
    assert_eq!(place(&joined, "Rat 3")["initiative"], 5, "its side's");
    for who in ["Rat 2", "Rat 3", "Ann", "Bob"] {
        assert_eq!(next(&mut table), turn(1, who));
    }
    let second = table
        .dice([6, 1])
        .manage_combat(json!({"action": "next_turn"}));
    assert_eq!(
        (&second["current"], &second["round"]),
        (&json!("Ann"), &json!(2))
    );
}

#[test]
fn where_there_are_no_turns_nobody_has_one() {
    let mut table = ruled("none");
    table.manage_combat(four()).is_fine();
    for action in ["next_turn", "previous_turn", "delay", "ready"] {
        table
            .manage_combat(json!({"action": action}))
            .refused("no_turns");
    }
    table
        .manage_combat(json!({"action": "add_effect", "name": "wet", "on": "Ann"}))
        .is_fine();
    act(&mut table, "remove", "Bob").is_fine();
    table
        .manage_combat(json!({"action": "roll_initiative"}))
        .refused("no_effect");
}

#[test]
fn a_turn_of_a_great_fight_answers_little() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Jory", "initiative": 30}, {"name": "Rat", "count": 199, "hp": 2, "initiative": 5}]));
    let turn = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!(
        (turn["order"].as_array().map(Vec::len), &turn["more"]),
        (Some(6), &json!(194))
    );
    assert!(
        turn.value().to_string().len() < 2000,
        "{} bytes",
        turn.value().to_string().len()
    );
    assert_eq!(
        names(&turn)[..3],
        ["Rat 1", "Rat 2", "Rat 3"],
        "who acts, and who is next"
    );
    let hurt = json!({"target": "Rat 9", "amount": 1, "apply_conditions": ["soaked"]});
    table.apply_damage(hurt).is_fine();
    let status = status(&mut table);
    let others = status["others"].as_array().expect("the others");
    assert_eq!(
        (names(&status).len(), others.len()),
        (6, 194),
        "everybody, in one way or the other"
    );
    assert!(
        others.contains(&json!("Rat 9, foes, 5: 1/2, soaked")),
        "{others:?}"
    );
    assert!(
        status.value().to_string().len() < 8000,
        "{} bytes",
        status.value().to_string().len()
    );
}

#[test]
fn what_the_rules_leave_to_the_gm_is_noted_when_it_comes_to_pass() {
    let mut table = Table::with_party();
    table
        .dice([5, 4, 3])
        .manage_combat(
            json!({"action": "start", "combatants": [{"name": "Jory"}, {"name": "Sabeth"},
                {"from": "Foes.md#Wrecker"}]}),
        )
        .is_fine();
    // A wrecker has 7 hit points and flees at 3.
    let mut hurt = |amount: i64| table.apply_damage(json!({"target": "Wrecker", "amount": amount}));
    assert_eq!(hurt(3)["noted"], Value::Null);
    let flees = hurt(2);
    let noted = flees["noted"][0].as_str().expect("a note");
    assert!(
        noted.starts_with("Wrecker: it flees, or gives up (System.md:"),
        "{noted}"
    );
    assert_eq!(hurt(1)["noted"], Value::Null, "it is said once");
}
