//! What players must not know is in no byte of their report, and makes no difference to it.

use rollbook_game::view::Audience;
use rollbook_record::report::Format;
use rollbook_record::report::facts::Sessions;
use serde_json::json;

use super::rig::{SECRETS, evening, report, unsealed, written};
use crate::table::{Table, sabeth, with};

#[test]
fn no_secret_is_in_a_players_report_and_the_gms_has_them() {
    let table = evening();
    for format in [Format::Html, Format::Markdown] {
        let players = report(&table, Audience::Player, format).to_lowercase();
        for secret in SECRETS.iter().map(|secret| secret.to_lowercase()) {
            assert!(!players.contains(&secret), "{secret}");
        }
        assert!(!players.contains("canary"));
        let gm = report(&table, Audience::Gm, format);
        for secret in [
            "canary-context",
            "canary-blind",
            "Canary Lurker",
            "canary-override",
        ] {
            assert!(
                gm.contains(secret) || gm.contains(&secret.replace('-', "\\-")),
                "{secret}"
            );
        }
    }
}

/// An evening in which only what is hidden differs: text, faces, hit points, and how many entries
/// there are.
fn evening_with(secret: &str, face: i64, tough: i64, hidden: usize) -> Table {
    let mut table = Table::lockhouse();
    table
        .manage_character(with(sabeth(), json!({"gm_notes": secret})))
        .is_fine();
    for _ in 0..hidden {
        table
            .manage_session(json!({"action": "note", "text": secret, "visibility": "gm"}))
            .is_fine();
        table
            .dice([face])
            .roll_dice(json!({"expression": "1d20", "visibility": "gm", "context": secret}))
            .is_fine();
    }
    let call = json!({"character": "Sabeth", "skill": "Stealth", "difficulty": face, "visibility": "blind"});
    table.dice([face]).skill_check(call);
    table.start(json!([
        {"name": "Sabeth", "initiative": 15},
        {"name": "Mag", "hp": tough, "initiative": 5, "attributes": {"DEX": 10, "STR": 10}},
    ]));
    let shot = json!({"character": "Sabeth", "skill": "Aim", "difficulty": 10, "target": "Mag", "damage": "1d8"});
    table.dice([15, 6]).skill_check(shot).is_fine();
    table
        .dice([face])
        .skill_check(json!({"character": "Mag", "skill": "Melee", "difficulty": 12}))
        .is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    table
}

#[test]
fn hit_points_are_as_far_as_players_know() {
    let mut table = Table::with_party();
    table.manage_combat(json!({"action": "start", "title": "The Mess", "combatants": [{"name": "Jory", "initiative": 9}, {"name": "Sabeth", "initiative": 5}]})).is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 2, "reason": "a bite"}))
        .is_fine();
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    table
        .apply_damage(
            json!({"target": "Jory", "amount": 3, "reason": "poison", "visibility": "gm"}),
        )
        .is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    let [players, gm] =
        [Audience::Player, Audience::Gm].map(|audience| report(&table, audience, Format::Html));
    let caption = "The Mess: how those who were hurt stood at the end of each round";
    let chart = "The Mess: hit points over the rounds";
    for title in [caption, chart] {
        assert!(
            players.contains(&format!("{title}, as far as players were told<")),
            "{title}: {players}"
        );
        assert!(gm.contains(&format!("{title}<")), "{title}");
    }
    // The players' last figure leaves out what only the GM knows.
    let last = |html: &str| {
        html.split_once(caption)
            .expect("it")
            .1
            .split_once("</tbody>")
            .expect("its end")
            .0
            .to_owned()
    };
    assert_ne!(last(&players), last(&gm));
}

/// How a character stood, by the table of a report: at the start, then at the end of each round.
fn stood(markdown: &str, who: &str) -> Vec<String> {
    let (_, behind) = markdown
        .split_once("stood at the end of each round")
        .expect("the table");
    let row = behind
        .lines()
        .find(|line| line.starts_with(&format!("| {who} |")))
        .expect("a row");
    row.trim_matches('|')
        .split('|')
        .skip(1)
        .map(|cell| cell.trim().to_owned())
        .collect()
}

#[test]
fn a_figure_from_later_is_in_no_round_before_what_was_not_reported() {
    let mut table = Table::with_party();
    table.manage_session(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "start"})).is_fine();
    table.start(json!([{"name": "Jory", "initiative": 9}, {"name": "Sabeth", "initiative": 5}]));
    let round = |table: &mut Table| {
        for _ in 0..2 {
            table
                .manage_combat(json!({"action": "next_turn"}))
                .is_fine();
        }
    };
    table
        .apply_damage(json!({"target": "Jory", "amount": 3, "visibility": "outcome_only"}))
        .is_fine();
    round(&mut table);
    table
        .apply_damage(json!({"target": "Jory", "amount": 2}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 2}))
        .is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    let [players, gm] =
        [Audience::Player, Audience::Gm].map(|audience| report(&table, audience, Format::Markdown));
    assert_eq!(stood(&gm, "Jory"), ["14/14", "11/14", "9/14"]);
    assert_eq!(stood(&players, "Jory"), ["14/14", "–", "9/14"]);
    // Of the session alone nobody learned how Jory began.
    let session = written(&table, Audience::Player, Format::Markdown, Sessions::Last).1;
    assert_eq!(stood(&session, "Jory"), ["–", "–", "9/14"]);
    assert_eq!(stood(&players, "Sabeth"), ["13/13", "13/13", "11/13"]);
}

#[test]
fn a_level_and_a_rest_move_the_figures_as_they_were_reported() {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "title": "Now", "combatants": [{"name": "Sabeth", "initiative": 5}]});
    let level =
        json!({"action": "level_up", "character": "Sabeth", "override_reason": "canary-level"});
    let up = table.manage_character(level.clone());
    assert!(
        up.is_fine()["player_text"]
            .to_string()
            .contains("13/13 to 17/17"),
        "{up:?}"
    );
    table.manage_combat(fight.clone()).is_fine();
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 3, "visibility": "outcome_only"}))
        .is_fine();
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 2}))
        .is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    let players = report(&table, Audience::Player, Format::Markdown);
    assert_eq!(stood(&players, "Sabeth"), ["17/17", "–", "12/17"]);
    // The story has it in both editions; why, only the GM's.
    let story = |markdown: &str| {
        let (_, behind) = markdown.split_once("## Story").expect("it");
        behind
            .split_once("## Fights")
            .expect("its end")
            .0
            .to_owned()
    };
    let gm = report(&table, Audience::Gm, Format::Markdown);
    for page in [&players, &gm] {
        assert!(
            story(page).contains("Sabeth reaches level 2: Hit points 13/13 to 17/17"),
            "{page}"
        );
    }
    assert!(
        !players.contains("canary") && story(&gm).contains("canary"),
        "{gm}"
    );
    assert!(
        gm.split_once("### Rules overridden by the GM's ruling")
            .expect("it")
            .1
            .contains("reaches level 2"),
        "{gm}"
    );
    // Players learn that it was a ruling, and how many there were.
    assert!(
        players.contains("13/13 to 17/17 (the GM's ruling)"),
        "{players}"
    );
    assert!(
        players.contains("| Rules overridden by the GM's ruling | 1 shown |"),
        "{players}"
    );
    // The next fight begins where a rest has led.
    table
        .manage_character(json!({"action": "rest", "kind": "Long rest"}))
        .is_fine();
    table
        .manage_combat(with(fight, json!({"title": "Then"})))
        .is_fine();
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    for audience in [Audience::Player, Audience::Gm] {
        let markdown = report(&table, audience, Format::Markdown);
        let (_, then) = markdown.split_once("### Then").expect("the second fight");
        assert_eq!(stood(then, "Sabeth")[0], "17/17", "{then}");
    }
}

#[test]
fn what_was_awarded_is_reported_with_its_reason_and_found_by_it() {
    let mut table = Table::with_party();
    let award = json!({"action": "award", "character": "Sabeth", "inventory": [{"name": "fifty crowns", "quantity": 50}], "override_reason": "the survey"});
    let text = "Sabeth: fifty crowns 50 (the survey).";
    assert_eq!(table.manage_character(award).is_fine()["player_text"], text);
    let used = json!({"action": "award", "character": "Sabeth", "inventory": [{"name": "fifty crowns", "quantity": -1}], "override_reason": "canary-toll"});
    table.manage_character(used).is_fine();
    for audience in ["player", "gm"] {
        let recap = table
            .manage_session(json!({"action": "recap", "audience": audience}))
            .text("summary")
            .to_owned();
        assert!(recap.contains(text) && !recap.contains("canary"), "{recap}");
    }
    let found = table.call("search_log", json!({"text": "survey"}));
    assert_eq!(found.is_fine()["found"][0]["text"], text);
    for audience in [Audience::Player, Audience::Gm] {
        let markdown = report(&table, audience, Format::Markdown);
        assert!(
            markdown.contains(text) || markdown.contains(&text.replace('.', "\\.")),
            "{markdown}"
        );
        assert!(
            !markdown.contains("canary"),
            "what is used up is no award: {markdown}"
        );
    }
    let body = table
        .record()
        .rows("select cast(body as text) as body from log where kind = 'items' order by seq");
    assert!(
        body[0]["body"]
            .as_str()
            .expect("text")
            .contains("\"reason\":\"the survey\""),
        "{body:?}"
    );
    assert!(
        body[1]["body"]
            .as_str()
            .expect("text")
            .contains("canary-toll"),
        "{body:?}"
    );
}

/// Without what discloses that something is hidden and commits to it: the section of the seal.
fn without_seal(html: &str) -> String {
    let (before, rest) = html.split_once("<section id=\"seal\"").expect("the seal");
    let (_, after) = rest.split_once("</section>").expect("its end");
    unsealed(&format!("{before}{after}"))
}

#[test]
fn two_evenings_that_differ_in_secrets_give_the_same_report() {
    let tables = [
        evening_with("one", 3, 20, 1),
        evening_with("another text", 19, 30, 4),
    ];
    let [one, other] = tables.map(|table| {
        let markdown = report(&table, Audience::Player, Format::Markdown);
        let story = markdown
            .split_once("## Story")
            .expect("the story")
            .1
            .to_owned();
        (
            without_seal(&report(&table, Audience::Player, Format::Html)),
            unsealed(&story),
        )
    });
    assert_eq!(one.0, other.0);
    assert_eq!(one.1, other.1);
    // What players do see makes a difference: a foe with fewer hit points is bloodied.
    let third = without_seal(&report(
        &evening_with("one", 3, 9, 1),
        Audience::Player,
        Format::Html,
    ));
    assert_ne!(one.0, third);
}

#[test]
fn a_log_that_was_changed_is_reported_as_such_and_players_learn_no_more() {
    let table = evening();
    let record = table.record();
    let (trigger, change) = (
        "drop trigger log_is_never_updated",
        "update log set actor = 'intruder' where kind = 'roll' and visibility = 'gm'",
    );
    [trigger, change]
        .iter()
        .for_each(|sql| record.execute(sql).expect("is changed"));
    let (reported, players) = written(&table, Audience::Player, Format::Markdown, Sessions::All);
    assert!(!reported.findings.is_empty());
    assert!(
        players.starts_with("> **This log does not hold: "),
        "{players}"
    );
    assert!(
        !players.contains("Keep it: copy it") && !players.contains(&reported.receipt),
        "{players}"
    );
    assert!(
        players.contains("The log does not hold.") && !players.contains("intruder"),
        "{players}"
    );
    assert!(!players.contains("none is missing"), "{players}");
    let gm = report(&table, Audience::Gm, Format::Markdown);
    assert!(
        gm.contains("The log does not hold.") && gm.contains("#11"),
        "{gm}"
    );
    let (first, _) = gm.split_once("## Seal").expect("the seal");
    assert!(first.contains("#11"), "what was found stands first: {gm}");
}

#[test]
fn what_the_gm_opened_is_reported_and_counted_as_opened() {
    let mut table = evening();
    let record = table.record();
    let hidden =
        record.rows("select seq from log where kind = 'roll' and visibility = 'gm' order by seq")
            [0]["seq"]
            .clone();
    // It names a character who was hidden when the fight was over.
    let open = json!({"action": "reveal", "entry": hidden});
    table
        .manage_session(open.clone())
        .refused_with("names_hidden", &["show it first"]);
    table
        .manage_combat(json!({"action": "reveal", "combatant": "Canary Lurker"}))
        .is_fine();
    table.manage_session(open).is_fine();
    let players = report(&table, Audience::Player, Format::Markdown);
    let seal = "none is missing; 1 was opened, and is what had been sealed.";
    assert!(
        players.contains(seal) && players.contains("canary-context"),
        "{players}"
    );
    assert!(!players.contains("canary-blind"), "{players}");
}

#[test]
fn what_players_saw_in_part_is_counted_apart_from_what_was_sealed() {
    let mut table = Table::with_party();
    let check = |visibility: &str| json!({"character": "Jory", "skill": "Stealth", "difficulty": 12, "visibility": visibility});
    let mut hidden = Vec::new();
    for (visibility, opened) in [
        ("gm", true),
        ("gm", false),
        ("outcome_only", true),
        ("blind", true),
        ("blind", false),
    ] {
        let check = table.dice([9]).skill_check(check(visibility));
        if opened {
            hidden.push(check.is_fine()["log"].clone());
        }
    }
    for entry in hidden {
        table
            .manage_session(json!({"action": "reveal", "entry": entry}))
            .is_fine();
    }
    let players = report(&table, Audience::Player, Format::Markdown);
    let sealed = table
        .record()
        .number("select count(*) from log where cast(public as text) like '{\"hidden\":true%'");
    let seal = format!(
        "{sealed} sealed entries that players do not see: none is missing; 1 was opened, and is what had been sealed. Of those that players saw \
         in part 2 were opened, and are what had been sealed."
    );
    assert!(players.contains(&seal), "{seal} in {players}");
    for report in [players, report(&table, Audience::Gm, Format::Markdown)] {
        for row in [
            "| Sealed entries opened to players | 1 |",
            "| Entries opened that players saw in part | 2 |",
        ] {
            assert!(report.contains(row), "{row} in {report}");
        }
    }
}
