//! Decks that stay drawn from one roll to the next: drawn, shuffled, taken back, kept from players.

use serde_json::json;

use crate::secrets::taken_along;
use crate::table::{Answer, Table, each, with};

const RULES: &str = "# Mine\n\n## Dice\n- Deck Tickets: 1-6; drawn cards stay out\n- Deck Omens: sun, moon, 2 star; drawn cards stay out until star\n\
    - Deck Plain: 1-9\n\n## Attributes\n- Nerve\n- Range: 1 to 4\n\n## Checks\n\n### Draw\n- Roll: `{Nerve} Tickets`\n- Target: `{difficulty=8}`\n\
    - Opposed: higher total; ties actor\n- Again Push: reroll all but 6s\n\n## Health\n- HP: max 10\n- Damage: HP\n";

fn mine() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for (name, kind, nerve) in [("Ann", "player", 2), ("Foe", "npc", 1)] {
        table.create(name, json!({"kind": kind, "attributes": {"Nerve": nerve}}));
    }
    table
}

fn draw(table: &mut Table, dice: &[i64], more: serde_json::Value) -> Answer {
    let many = dice.len();
    table
        .dice(dice.iter().copied())
        .roll_dice(with(json!({"expression": format!("{many} Tickets")}), more))
}

/// What a refusal says.
fn summary(answer: &Answer) -> String {
    answer.refused(answer.value()["code"].as_str().expect("a code"))["summary"]
        .as_str()
        .expect("text")
        .to_owned()
}

fn left(table: &mut Table) -> Vec<String> {
    let status = table.manage_session(json!({"action": "status"}));
    each(&status["decks"])
        .map(|line| line.as_str().expect("text").to_owned())
        .collect()
}

fn shuffle(table: &mut Table, more: serde_json::Value) -> Answer {
    table.manage_session(with(json!({"action": "shuffle"}), more))
}

#[test]
fn what_is_drawn_stays_out_until_too_few_are_left() {
    let mut table = mine();
    assert_eq!(
        left(&mut table),
        ["Tickets: 6 of 6 left", "Omens: 4 of 4 left"]
    );
    draw(&mut table, &[1, 2], json!({})).is_fine();
    let out = table.roll_dice(json!({"expression": "1 Tickets", "entered": [2]}));
    out.refused("invalid_parameters");
    assert!(
        summary(&out).contains("shows 2, a card that is out of its deck"),
        "{}",
        summary(&out)
    );
    assert!(
        summary(&out).contains("action=\"shuffle\""),
        "{}",
        summary(&out)
    );
    table
        .roll_dice(json!({"expression": "1 Tickets", "entered": [3]}))
        .is_fine();
    assert_eq!(left(&mut table)[0], "Tickets: 3 of 6 left");
    table.restart();
    assert_eq!(left(&mut table)[0], "Tickets: 3 of 6 left");
    let all = draw(&mut table, &[4, 5, 6], json!({}));
    assert!(
        !all.value().to_string().contains("shuffled"),
        "{}",
        all.value()
    );
    assert_eq!(left(&mut table)[0], "Tickets: 0 of 6 left");
    let again = draw(&mut table, &[4, 1], json!({}));
    assert_eq!(
        again["noted"],
        json!(["Tickets was shuffled for this roll: fewer cards were left than it draws."])
    );
    assert_eq!(left(&mut table)[0], "Tickets: 4 of 6 left");
}

#[test]
fn a_card_turns_the_deck_over_after_its_roll() {
    let mut table = mine();
    table
        .dice([1, 2])
        .roll_dice(json!({"expression": "2 Omens"}))
        .is_fine();
    assert_eq!(left(&mut table)[1], "Omens: 2 of 4 left");
    let shown = table.dice([4]).roll_dice(json!({"expression": "1 Omens"}));
    assert_eq!(
        shown["noted"],
        json!(["Omens is shuffled behind this roll: it showed star."])
    );
    assert_eq!(left(&mut table)[1], "Omens: 4 of 4 left");
    assert_eq!(
        table.record().number("select count(*) from decks"),
        0,
        "one that is whole has no row"
    );
    // Each of several repeats is a roll.
    table
        .dice([3, 3, 1])
        .roll_dice(json!({"expression": "repeat(1 Omens, 3)"}))
        .is_fine();
    assert_eq!(left(&mut table)[1], "Omens: 3 of 4 left");
}

#[test]
fn both_sides_and_what_is_drawn_again_draw_from_the_same() {
    let mut table = mine();
    let against = json!({"character": "Ann", "check": "Draw", "opposed_by": {"character": "Foe", "check": "Draw"}});
    table.dice([6, 2, 3]).skill_check(against).is_fine();
    assert_eq!(left(&mut table)[0], "Tickets: 3 of 6 left");
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        left(&mut table)[0],
        "Tickets: 6 of 6 left",
        "undo gives the cards back"
    );
    let tried = table
        .dice([6, 1])
        .skill_check(json!({"character": "Ann", "check": "Draw", "difficulty": 12}));
    let entry = tried.number("log");
    assert_eq!(left(&mut table)[0], "Tickets: 4 of 6 left");
    let again = json!({"again": format!("#{entry}"), "entered": [1]});
    table.skill_check(again).refused("invalid_parameters");
    table
        .dice([2])
        .skill_check(json!({"again": format!("#{entry}")}))
        .is_fine();
    assert_eq!(
        left(&mut table)[0],
        "Tickets: 3 of 6 left",
        "the six was held, and the one lies out"
    );
}

#[test]
fn a_deck_is_shuffled_by_hand() {
    let mut table = mine();
    shuffle(&mut table, json!({})).refused("invalid_parameters");
    let whole = shuffle(&mut table, json!({"deck": "Tickets"}));
    whole.refused("no_effect");
    assert!(
        summary(&whole).contains("Nothing is out of Tickets"),
        "{}",
        summary(&whole)
    );
    let near = shuffle(&mut table, json!({"deck": "Tikcets"}));
    near.refused("unknown_rule");
    assert_eq!(
        near.value()["did_you_mean"],
        json!(["Tickets"]),
        "{}",
        near.value()
    );
    let plain = shuffle(&mut table, json!({"deck": "Plain"}));
    assert!(
        summary(&plain).contains("Plain is whole for every roll"),
        "{}",
        summary(&plain)
    );
    draw(&mut table, &[1, 2], json!({})).is_fine();
    let done = shuffle(&mut table, json!({"deck": "tickets"}));
    assert_eq!(
        done.text("summary"),
        "Tickets is shuffled: all of its cards are in it again."
    );
    assert_eq!(done.text("player_text"), done.text("summary"));
    assert_eq!(left(&mut table)[0], "Tickets: 6 of 6 left");
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(left(&mut table)[0], "Tickets: 4 of 6 left");
    table.record().is_sound();
    let mut none = Table::lockhouse();
    let refused = shuffle(&mut none, json!({}));
    refused.refused("unknown_rule");
    let mut one = Table::of_rules(Some("## Dice\n- Deck Tickets: 1-6; drawn cards stay out\n"));
    draw(&mut one, &[5], json!({})).is_fine();
    shuffle(&mut one, json!({})).is_fine();
}

#[test]
fn odds_are_of_the_whole_deck_and_draw_nothing() {
    let mut table = mine();
    let odds = |table: &mut Table| {
        let of_dice = table
            .call("odds", json!({"expression": "2 Tickets"}))
            .text("summary")
            .to_owned();
        let check = json!({"character": "Ann", "check": "Draw"});
        let of_check = table.call("odds", check);
        of_check.is_fine();
        (of_dice, of_check.value().to_string())
    };
    let before = odds(&mut table);
    draw(&mut table, &[1, 2], json!({})).is_fine();
    assert_eq!(odds(&mut table), before);
    assert_eq!(left(&mut table)[0], "Tickets: 4 of 6 left");
    let counted = table.call("search_log", json!({"statistics": true}));
    assert_eq!(
        counted["statistics"]["dice"],
        json!(null),
        "cards are no independent dice: {}",
        counted.value()
    );
}

#[test]
fn campaigns_have_decks_of_their_own_and_the_rules_may_change() {
    let mut table = mine();
    draw(&mut table, &[1, 2], json!({})).is_fine();
    draw(&mut table, &[1, 2, 3, 4, 5], json!({"campaign": "another"})).is_fine();
    assert_eq!(left(&mut table)[0], "Tickets: 4 of 6 left");
    std::fs::write(
        table.path("adventure").join("System.md"),
        RULES.replace("1-6;", "2-9;"),
    )
    .expect("rules");
    table.restart();
    assert_eq!(
        left(&mut table)[0],
        "Tickets: 7 of 8 left",
        "the one is no card any more"
    );
    draw(&mut table, &[9], json!({})).is_fine();
    assert_eq!(left(&mut table)[0], "Tickets: 6 of 8 left");
    table.record().is_sound_beside(2);
}

#[test]
fn a_changed_row_is_found() {
    let mut table = mine();
    draw(&mut table, &[1, 2], json!({})).is_fine();
    table.record().is_sound();
    table
        .record()
        .execute("update decks set drawn = '[\"1\"]'")
        .expect("the vandal succeeds");
    let findings = format!("{:?}", table.record().verify().findings);
    assert!(findings.contains("decks"), "{findings}");
}

#[test]
fn hidden_draws_reach_no_player() {
    let evening = |hidden: [i64; 2]| {
        let mut table = mine();
        draw(&mut table, &[6], json!({})).is_fine();
        draw(&mut table, &hidden, json!({"visibility": "gm"})).is_fine();
        draw(&mut table, &[5], json!({})).is_fine();
        table
            .dice([4])
            .skill_check(json!({"character": "Foe", "check": "Draw", "difficulty": 9}))
            .is_fine();
        shuffle(&mut table, json!({"deck": "Tickets"})).is_fine();
        draw(&mut table, &[5], json!({})).is_fine();
        let sealed = draw(&mut table, &hidden, json!({"visibility": "gm"})).number("log");
        let opened = table.manage_session(json!({"action": "reveal", "entry": sealed}));
        opened.refused("not_sealed");
        assert!(
            summary(&opened).contains("drew from Tickets"),
            "{}",
            summary(&opened)
        );
        taken_along(&table)
    };
    let (one, other) = (evening([1, 2]), evening([3, 2]));
    for ((view, of_one), (_, of_other)) in one.into_iter().zip(other) {
        assert_eq!(of_one, of_other, "{view}");
        assert!(
            !of_one.to_string().contains("\"drawn\""),
            "{view}: {of_one}"
        );
    }
}

#[test]
fn the_check_of_an_attack_draws_from_its_deck() {
    let attacks = "## Attacks\n| Attack | Attribute | Damage |\n|---|---|---|\n| Card trick | Nerve | 1d4 |\n\n";
    let rules = RULES.replace("## Health", &format!("{attacks}## Health"));
    let mut table = Table::of_rules(Some(&rules));
    for (name, kind) in [("Ann", "player"), ("Foe", "npc")] {
        table.create(name, json!({"kind": kind, "attributes": {"Nerve": 2}}));
    }
    let strike = json!({"character": "Ann", "check": "Draw", "attack": "Card trick", "target": "Foe", "difficulty": 5});
    // Two cards for the check, and a die for the damage.
    let hit = table.dice([3, 4, 3]).skill_check(strike);
    assert_eq!(
        hit["damage"]["tracks"][0]["after"],
        10 - 3,
        "{}",
        hit.value()
    );
    assert_eq!(left(&mut table)[0], "Tickets: 4 of 6 left");
    table.restart();
    assert_eq!(left(&mut table)[0], "Tickets: 4 of 6 left");
}
