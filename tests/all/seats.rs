//! What a player's seat learns: nothing of any call depends on what is hidden.
//!
//! Two campaigns are played alike but for their secrets. The same calls of a player get the same
//! answers in both, byte for byte.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rollbook_dice::{DrawError, Roller};
use rollbook_game::table::Chance;
use rollbook_store::keys::Role;
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::{CallError, Caller, Host, Seat};
use rollbook_table::tools::{Registry, reply};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::block_on;
use crate::table::{NOW, cases, text};

/// Dice that always fall alike, so that hidden ones take none from the others.
struct Middle;

impl Roller for Middle {
    fn source(&self) -> &'static str {
        "pinned"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        Ok(low + (high - low) / 2)
    }
}

/// Those dice, and ids that are never seen.
struct Even(Middle);

/// How many ids there are, of all campaigns.
static IDS: AtomicU64 = AtomicU64::new(1);

impl Even {
    fn next(&self) -> u64 {
        IDS.fetch_add(1, Ordering::Relaxed)
    }
}

impl Chance for Even {
    fn roller(&mut self) -> &mut dyn Roller {
        &mut self.0
    }

    fn roll_id(&mut self, _: i64) -> String {
        format!("00000000-0000-7000-8000-{:012x}", self.next())
    }

    fn nonce(&mut self) -> String {
        format!("{:032x}", self.next())
    }

    fn salt(&mut self) -> [u8; 32] {
        let mut salt = [0; 32];
        salt[24..].copy_from_slice(&self.next().to_be_bytes());
        salt
    }
}

/// One of the two campaigns.
struct Side {
    host: Host,
    _folder: TempDir,
}

impl Side {
    fn new() -> Side {
        Side::of("lockhouse")
    }

    /// A campaign of that adventure.
    fn of(adventure: &str) -> Side {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/");
        Side::at(
            tempfile::tempdir().expect("a folder"),
            &PathBuf::from(format!("{path}{adventure}")),
        )
    }

    /// A campaign by these rules.
    fn of_rules(rules: &str) -> Side {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("System.md"), rules).expect("it is written");
        let path = folder.path().to_owned();
        Side::at(folder, &path)
    }

    fn at(folder: TempDir, adventure: &Path) -> Side {
        rollbook::migrations::MIGRATIONS.hand_down();
        let adventure = Adventure::read(adventure).expect("an adventure");
        let chance = || Ok(Box::new(Even(Middle)) as Box<dyn Chance>);
        let database = folder.path().join("campaigns.db");
        let host = Host::new(
            adventure,
            database,
            Some("one".to_owned()),
            Box::new(chance),
            || NOW,
        )
        .thrown_away();
        Side {
            host,
            _folder: folder,
        }
    }

    /// Makes the campaign, as a key does.
    async fn begun() -> Side {
        let side = Side::new();
        side.start().await;
        side
    }

    async fn start(&self) {
        let entry = rollbook_table::tools::tool_named("manage_session").expect("a tool");
        let start = json!({"action": "start"})
            .as_object()
            .expect("an object")
            .clone();
        entry.call(&self.host, start).await.expect("it begins");
    }

    async fn call(&self, role: Role, tool: &str, arguments: &Value) -> Value {
        let seat = Arc::new(Seat {
            key: "000000000001".to_owned(),
            campaign: "one".to_owned(),
            role,
        });
        let registry = Registry::default();
        let Ok(entry) = registry.for_seat(Some(&seat), tool) else {
            return json!("no such tool");
        };
        let arguments = arguments.as_object().expect("an object").clone();
        match entry
            .call_for(Caller::of(Some(seat)), &self.host, arguments)
            .await
        {
            Ok(reply) => Value::Object(reply),
            Err(CallError::Refusal(refusal)) => Value::Object(reply::refused(&refusal)),
            Err(CallError::Failure(why)) => panic!("{why}"),
        }
    }

    async fn gm(&self, tool: &str, arguments: Value) -> Value {
        self.call(Role::Gm, tool, &arguments).await
    }

    async fn step(&self, [tool, arguments]: &[Value; 2]) -> Value {
        self.gm(text(tool), arguments.clone()).await
    }

    async fn player(&self, tool: &str, arguments: &Value) -> Value {
        self.call(
            Role::Player {
                character: "Jory".to_owned(),
            },
            tool,
            arguments,
        )
        .await
    }
}

/// What the GM does in both campaigns.
fn open_steps() -> Vec<[Value; 2]> {
    let scores = json!({"Strength": 14, "Dexterity": 12, "Constitution": 10, "Intelligence": 10, "Wisdom": 10, "Charisma": 10});
    cases(json!([
        ["manage_character",
         {"action": "create", "name": "Jory", "kind": "player", "attributes": scores, "skills": {"Melee": 2}}],
        ["manage_character", {"action": "create", "name": "Sabeth", "kind": "player", "attributes": scores}],
        ["manage_session", {"action": "note", "text": "The gate is shut", "kind": "thread"}],
        ["manage_combat", {"action": "start", "title": "The weir", "combatants": [
            {"name": "Jory", "initiative": 15}, {"name": "Sabeth", "initiative": 12}, {"name": "Wrecker", "hp": 7, "initiative": 9},
        ]}],
        ["apply_damage", {"target": "Jory", "amount": 2}],
        ["manage_combat", {"action": "next_turn"}],
        ["roll_dice", {"expression": "2d6", "context": "the wind"}],
        ["manage_session", {"action": "clock", "name": "Flood", "segments": 6, "tick": 2}],
    ]))
}

/// What the GM does in one of them alone; each leaves nothing that players see.
fn secret_steps() -> Vec<[Value; 2]> {
    cases(json!([
        ["roll_dice", {"expression": "3d6", "visibility": "gm", "context": "does the Shade wake"}],
        ["manage_session", {"action": "note", "text": "The reeve is the Shade", "visibility": "gm"}],
        ["manage_session", {"action": "note", "text": "Who pays the wreckers?", "kind": "thread", "visibility": "gm"}],
        ["manage_session", {"action": "note", "text": "The Shade shut it", "closes": "gate", "visibility": "gm"}],
        ["roll_dice", {"expression": "3d6", "visibility": "Sabeth", "context": "what the Shade whispers"}],
        ["manage_session", {"action": "note", "text": "The Shade knows your name", "kind": "thread", "visibility": "Sabeth"}],
        ["skill_check", {"character": "Sabeth", "skill": "Stealth", "difficulty": 12, "visibility": "Sabeth"}],
        ["manage_character", {"action": "create", "name": "Shade", "kind": "npc", "hp": 9}],
        ["manage_character", {"action": "update", "character": "Jory", "gm_notes": "Cursed, and does not know it"}],
        ["manage_session", {"action": "clock", "name": "Doom", "segments": 4, "tick": 1, "visibility": "gm"}],
        ["skill_check", {"character": "Jory", "skill": "Stealth", "difficulty": 12, "visibility": "gm"}],
        ["manage_character",
         {"action": "update", "character": "Jory", "inventory": [{"name": "a charm that tracks", "hidden": true}]}],
        ["manage_combat",
         {"action": "add", "combatants": [{"name": "Lurker", "hp": 5, "hidden": true, "initiative": 1}]}],
        ["manage_combat",
         {"action": "add_effect", "name": "Shade's brand", "on": "Jory", "duration": "for 1 hour", "hidden": true}],
    ]))
}

/// What a player may try.
fn tries() -> Vec<(&'static str, Value)> {
    let names = [
        "Jory", "Sabeth", "Wrecker", "Shade", "Lurker", "Shad", "nobody", "foes", "company",
        "Doom", "Flood", "Brand",
    ];
    let mut all = vec![
        ("manage_session", json!({"action": "status"})),
        (
            "manage_session",
            json!({"action": "status", "detail": "full", "wait_s": 0}),
        ),
        ("manage_session", json!({"action": "recap"})),
        (
            "manage_session",
            json!({"action": "recap", "session": 1, "budget": 20000}),
        ),
        ("manage_session", json!({"action": "recap", "session": 2})),
        ("manage_session", json!({"action": "undo"})),
        ("manage_session", json!({"action": "entry", "entry": 3})),
        ("search_log", json!({})),
        ("search_log", json!({"limit": 2})),
        ("search_log", json!({"limit": 2, "cursor": "6"})),
        ("search_log", json!({"statistics": true})),
        ("search_log", json!({"text": "shade"})),
        (
            "search_log",
            json!({"text": "the", "limit": 3, "statistics": true}),
        ),
        ("search_log", json!({"kind": "note"})),
        (
            "search_log",
            json!({"kind": "roll", "session": 1, "detail": "full"}),
        ),
        (
            "search_log",
            json!({"outcome": "success", "skill": "Stealth"}),
        ),
        (
            "search_log",
            json!({"since": "2026-11-20", "until": "2026-11-21", "statistics": true, "limit": 1}),
        ),
        ("search_log", json!({"until": "2026-11-20"})),
        ("search_log", json!({"entry": 5})),
        ("search_log", json!({"entry": 11})),
        ("search_log", json!({"entry": 40})),
        ("get_character", json!({"list": true})),
        ("get_character", json!({})),
        ("get_rules", json!({})),
        ("get_rules", json!({"section": "Clocks"})),
        ("search_rules", json!({"query": "the Shade and the clock"})),
        ("calculator", json!({"expression": "2 + 2"})),
        (
            "roll_dice",
            json!({"expression": "2d6+1", "context": "past the Shade"}),
        ),
        (
            "roll_dice",
            json!({"expression": "2d6+1", "context": "past the Lurker", "detail": "full", "request_id": "one"}),
        ),
        (
            "roll_dice",
            json!({"expression": "2d6", "visibility": "gm"}),
        ),
        ("roll_dice", json!({"table": "Rumours"})),
        (
            "roll_multiple",
            json!({"rolls": [{"expression": "1d20"}, {"expression": "1d4"}]}),
        ),
        (
            "skill_check",
            json!({"skill": "Melee", "difficulty": "hard"}),
        ),
        (
            "skill_check",
            json!({"skill": "Stealth", "difficulty": 12, "again": "last"}),
        ),
        ("odds", json!({"skill": "Melee", "difficulty": 12})),
        ("odds", json!({"expression": "3d6", "at_least": 12})),
        ("apply_damage", json!({"target": "Wrecker", "amount": 1})),
        ("manage_combat", json!({"action": "status"})),
    ];
    for name in names {
        all.extend([
            ("search_log", json!({"text": name, "statistics": true})),
            ("search_log", json!({"character": name})),
            ("search_log", json!({"target": name})),
            ("get_character", json!({"character": name})),
            (
                "get_character",
                json!({"character": name, "view": "full", "detail": "full"}),
            ),
            ("get_character", json!({"character": name, "view": "sheet"})),
            (
                "skill_check",
                json!({"skill": "Melee", "difficulty": 12, "target": name}),
            ),
            (
                "skill_check",
                json!({"skill": "Melee", "opposed_by": {"character": name}}),
            ),
            ("skill_check", json!({"skill": name, "difficulty": 12})),
            (
                "odds",
                json!({"skill": "Melee", "difficulty": 12, "target": name}),
            ),
            ("roll_dice", json!({"expression": "1d6", "character": name})),
        ]);
    }
    all
}

#[test]
fn no_byte_that_a_player_gets_depends_on_secrets() {
    let (opens, secrets, tries) = (open_steps(), secret_steps(), tries());
    let cases = std::env::var("ROLLBOOK_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(24);
    let mut runner = TestRunner::new(Config {
        max_shrink_iters: 200,
        ..Config::with_cases(cases)
    });
    // In which order the player's tries come, and before which of the GM's steps and tries a secret
    // happens.
    let cases = (
        prop::collection::vec(0..tries.len(), 25),
        prop::collection::vec(prop::bool::weighted(0.4), opens.len()),
        prop::collection::vec(prop::option::weighted(0.5, 0..secrets.len()), 25),
    );
    let run = runner.run(&cases, |(order, early, late)| {
        block_on(async {
            let (plain, secret) = (Side::begun().await, Side::begun().await);
            let mut seen = 0;
            for (step, early) in opens.iter().zip(early) {
                if early {
                    secret.step(&secrets[seen % secrets.len()]).await;
                    seen += 1;
                }
                plain.step(step).await;
                secret.step(step).await;
            }
            for (nth, late) in order.into_iter().zip(late) {
                if let Some(late) = late {
                    secret.step(&secrets[late]).await;
                }
                let (tool, arguments) = &tries[nth];
                let (mut one, mut other) = (
                    plain.player(tool, arguments).await,
                    secret.player(tool, arguments).await,
                );
                // A receipt is a proof of everything, and counts everything.
                without_receipt(&mut one);
                without_receipt(&mut other);
                prop_assert_eq!(one.to_string(), other.to_string(), "{} {}", tool, arguments);
            }
            Ok(())
        })
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

fn without_receipt(reply: &mut Value) {
    reply
        .as_object_mut()
        .and_then(|fields| fields.remove("receipt_for_players"));
}

#[test]
fn the_secrets_of_that_test_are_secrets_and_the_steps_are_taken() {
    block_on(async {
        let side = Side::begun().await;
        for step in [open_steps(), secret_steps()].concat() {
            let reply = side.step(&step).await;
            assert!(reply.get("code").is_none(), "{step:?}: {reply}");
        }
        let status = side
            .player("manage_session", &json!({"action": "status"}))
            .await;
        let text = status["summary"].as_str().expect("text");
        assert!(
            text.contains("You are Jory.") && text.contains("The weir") | text.contains("Round"),
            "{text}"
        );
        for hidden in ["Shade", "Lurker", "Doom", "Cursed"] {
            assert!(!text.contains(hidden), "{text}");
        }
        let rolled = side
            .player("roll_dice", &json!({"expression": "2d6"}))
            .await;
        assert_eq!(rolled["total"], 6, "{rolled}");
        let found = side.player("search_log", &json!({"text": "wind"})).await;
        assert!(
            found["found"][0]["text"]
                .as_str()
                .expect("text")
                .contains("the wind"),
            "{found}"
        );
        let all = side
            .player("search_log", &json!({"limit": 50, "statistics": true}))
            .await;
        for hidden in ["Shade", "Lurker", "Doom", "reeve", "charm"] {
            assert!(!all.to_string().contains(hidden), "{all}");
            let nothing = side.player("search_log", &json!({"text": hidden})).await;
            assert!(
                nothing["found"].as_array().is_none_or(Vec::is_empty),
                "{hidden}: {nothing}"
            );
            let gm = side.gm("search_log", json!({"text": hidden})).await;
            assert!(
                !gm["found"].as_array().expect("a list").is_empty(),
                "{hidden}: {gm}"
            );
        }
        let fields = |reply: &Value| {
            reply
                .as_object()
                .expect("an object")
                .keys()
                .cloned()
                .collect::<Vec<String>>()
        };
        assert_eq!(
            fields(&rolled),
            ["receipt_for_players", "rolls", "summary", "total"],
            "the session has begun"
        );
        let again = side
            .player("roll_dice", &json!({"expression": "2d6"}))
            .await;
        assert_eq!(
            fields(&again),
            ["rolls", "summary", "total"],
            "neither numbers of entries nor receipts"
        );
    });
}

#[test]
fn campaigns_make_room_for_each_other_by_memory() {
    block_on(async {
        let mut side = Side::new();
        // Room for three.
        side.host.memory = 3 * rollbook_table::session::live::WEIGHT + 100_000;
        for round in 1..=3u64 {
            for nth in 0..12 {
                let arguments = json!({"expression": "1d6", "campaign": format!("table {nth}")});
                let entry = rollbook_table::tools::tool_named("roll_dice").expect("a tool");
                let reply = entry
                    .call(
                        &side.host,
                        arguments.as_object().expect("an object").clone(),
                    )
                    .await;
                assert_eq!(
                    reply.expect("it is rolled")["log"],
                    3 + round,
                    "closed and opened, nothing is lost"
                );
            }
        }
    });
}

#[test]
fn no_refusal_tells_a_foes_number() {
    let mut answers = Vec::new();
    for armour in [12, 13, 20] {
        let side = Side::of("long-pour");
        let replies = block_on(async {
            side.start().await;
            let scores = |armour: i64| json!({"STR": 2, "DEX": 1, "CON": 1, "INT": 0, "WIS": 0, "CHA": 0, "AC": armour});
            for (name, kind, armour) in [("Jory", "player", 14), ("Brute", "npc", armour)] {
                let mut made = json!({"action": "create", "name": name, "kind": kind, "attributes": scores(armour)});
                if kind == "npc" {
                    made["hp"] = json!(9);
                }
                let made = side.gm("manage_character", made).await;
                assert!(made.get("code").is_none(), "{made}");
            }
            let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 9}, {"name": "Brute", "initiative": 4}]});
            let began = side.gm("manage_combat", fight).await;
            assert!(began.get("code").is_none(), "{began}");
            let mut replies = Vec::new();
            for difficulty in [5, 12, 13] {
                let arguments = json!({"skill": "Arms", "check": "Strike", "target": "Brute", "difficulty": difficulty});
                replies.push(side.player("skill_check", &arguments).await.to_string());
            }
            replies
        });
        answers.push(replies);
    }
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{answers:#?}"
    );
    assert!(
        answers[0]
            .iter()
            .all(|answer| answer.contains("not_for_players")),
        "{answers:#?}"
    );
}

/// By these rules who succeeds with a skill gets better at it. Dice fall in the middle.
const LEARNING: &str = "# Any\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Strength (STR): arms\n\n\
    ## Skills\n- Lore (STR): books\n- Sorting (STR): mail\n\n## Health\n- Hit points: max `4`\n- Damage: Hit points\n\n## Advancement\n\
    - Tick: success, critical success\n- Each tick: {skill} +1d10 if `1d100 > {skill}`\n";

#[test]
fn a_hidden_tick_is_on_no_players_sheet_until_it_is_revealed_and_anothers_on_none() {
    block_on(async {
        let (plain, secret) = (Side::of_rules(LEARNING), Side::of_rules(LEARNING));
        for side in [&plain, &secret] {
            side.start().await;
            for name in ["Jory", "Sabeth"] {
                let made = json!({"action": "create", "name": name, "kind": "player", "attributes": {"STR": 10}});
                side.gm("manage_character", made).await;
            }
        }
        let check = |who: &str, skill: &str, visibility: &str| json!({"skill": skill, "character": who, "difficulty": 5, "visibility": visibility});
        let looks = || {
            ["Jory", "Sabeth"].into_iter().flat_map(|who| {
                ["full", "sheet", "brief"]
                    .map(|view| json!({"character": who, "view": view, "detail": "full"}))
            })
        };
        let hidden = secret
            .gm("skill_check", check("Jory", "Sorting", "gm"))
            .await;
        assert!(
            hidden["summary"]
                .as_str()
                .expect("text")
                .ends_with("Jory: hidden ticks Sorting."),
            "{hidden}"
        );
        let tick = secret.gm("skill_check", check("Jory", "Lore", "gm")).await["log"]
            .as_u64()
            .expect("a number")
            + 1;
        for look in looks() {
            let (one, other) = (
                plain.player("get_character", &look).await,
                secret.player("get_character", &look).await,
            );
            assert_eq!(one.to_string(), other.to_string(), "{look}");
            let read_out = |reply: Value| reply["sheet"].to_string();
            let (one, other) = (
                plain.gm("get_character", look.clone()).await,
                secret.gm("get_character", look).await,
            );
            assert_eq!(read_out(one), read_out(other));
        }
        let gm = secret
            .gm(
                "get_character",
                json!({"character": "Jory", "detail": "full"}),
            )
            .await;
        assert_eq!(
            gm["character"]["hidden_ticks"],
            json!(["Lore", "Sorting"]),
            "{gm}"
        );
        // A public success says what it says where there is no hidden one.
        async fn sheet(side: &Side) -> Value {
            side.player("get_character", &json!({"view": "full", "detail": "full"}))
                .await
        }
        let mut replies = Vec::new();
        for side in [&plain, &secret] {
            let done = side
                .gm("skill_check", check("Jory", "Sorting", "public"))
                .await;
            replies.push(done["players"].to_string() + &done["player_text"].to_string());
            assert_eq!(sheet(side).await["character"]["ticks"], json!(["Sorting"]));
            side.gm("manage_session", json!({"action": "undo"})).await;
            assert_eq!(sheet(side).await["character"]["ticks"], json!([]));
        }
        assert_eq!(replies[0], replies[1]);
        // What is opened is known: the check, and the tick alone.
        let opened = secret
            .gm("manage_session", json!({"action": "reveal", "entry": tick}))
            .await;
        assert_eq!(
            opened["code"], "not_sealed",
            "it holds the other tick, too: {opened}"
        );
        secret
            .gm(
                "manage_session",
                json!({"action": "reveal", "entry": hidden["log"]}),
            )
            .await;
        assert_eq!(
            sheet(&secret).await["character"]["ticks"],
            json!(["Sorting"])
        );
        let opened = secret
            .gm("manage_session", json!({"action": "reveal", "entry": tick}))
            .await;
        assert!(opened.get("code").is_none(), "{opened}");
        assert_eq!(
            sheet(&secret).await["character"]["ticks"],
            json!(["Lore", "Sorting"])
        );
        // Another's are on one's screen in no form.
        secret
            .gm("skill_check", check("Sabeth", "Lore", "public"))
            .await;
        let other = secret
            .player(
                "get_character",
                &json!({"character": "Sabeth", "view": "full", "detail": "full"}),
            )
            .await;
        assert_eq!(other["character"]["ticks"], json!([]), "{other}");
    });
}

#[tokio::test]
async fn a_player_states_a_check_of_the_sheet_and_sets_no_rule_aside() {
    let prose = Side::of_rules("# Prose\n\nRoll what fits.\n");
    prose.start().await;
    let jory =
        json!({"action": "create", "name": "Jory", "kind": "player", "attributes": {"DEX": 3}});
    prose.gm("manage_character", jory).await;
    let call = json!({"action": "create", "name": "Rat", "kind": "npc", "tracks": {"Armour": 7}});
    prose.gm("manage_character", call).await;
    let stated = |roll: &str| json!({"roll": roll, "difficulty": 12});
    let made = prose.player("skill_check", &stated("1d20 + {DEX}")).await;
    assert_eq!(
        made["summary"], "Jory, Check (stated): 1d20: [10]; + 3 = 13 against 12: success by 1.",
        "{made}"
    );
    let odds = prose.player("odds", &stated("1d20 + {DEX}")).await;
    assert_eq!(odds["outcomes"][0]["fraction"], "3/5", "{odds}");
    for roll in ["1d20 + {target Hit points}", "1d20 + {Dying}"] {
        let refused = prose.player("skill_check", &stated(roll)).await;
        assert_eq!(refused["code"], "not_for_players", "{refused}");
    }
    let lockhouse = Side::begun().await;
    for step in open_steps() {
        lockhouse.step(&step).await;
    }
    let refused = lockhouse.player("skill_check", &stated("1d20")).await;
    assert_eq!(refused["code"], "not_for_players", "{refused}");
    let sent = json!({"roll": "1d20", "difficulty": 12, "override_reason": "I like it"});
    let refused = lockhouse.player("skill_check", &sent).await;
    assert_eq!(refused["code"], "invalid_parameters", "{refused}");
}

#[test]
fn what_is_for_one_player_is_seen_from_that_seat_alone() {
    block_on(async {
        let side = Side::begun().await;
        for step in open_steps() {
            side.step(&step).await;
        }
        let from = async |character: &str, tool: &str, arguments: Value| {
            let character = character.to_owned();
            side.call(Role::Player { character }, tool, &arguments)
                .await
        };
        let text = "The ferryman is your brother";
        let note =
            json!({"action": "note", "text": text, "kind": "thread", "visibility": "sabeth"});
        let note = side.gm("manage_session", note).await;
        assert_eq!(note["players"], "only Sabeth", "{note}");
        let dream = json!({"expression": "2d6", "context": "a dream", "visibility": "Sabeth"});
        let dream = side.gm("roll_dice", dream).await;
        assert_eq!(dream["players"], "only Sabeth", "{dream}");
        let recap = json!({"action": "recap"});
        for (tool, arguments, words) in [
            ("search_log", json!({"text": "ferryman"}), "ferryman"),
            ("search_log", json!({}), "a dream"),
            ("manage_session", recap, "ferryman"),
        ] {
            let hers = from("Sabeth", tool, arguments.clone()).await.to_string();
            assert!(hers.contains(words), "{tool}: {hers}");
            let his = from("Jory", tool, arguments).await.to_string();
            assert!(!his.contains(words), "{tool}: {his}");
        }
        let found = from("Sabeth", "search_log", json!({"text": "dream"})).await;
        assert_eq!(found["found"][0]["for"], "Sabeth", "{found}");
        assert!(found["found"][0].get("entry").is_none(), "{found}");
        // What is taken back is marked for her, and what is opened is everybody's.
        let undo = json!({"action": "undo", "entry": note["log"]});
        let undone = side.gm("manage_session", undo).await;
        assert_eq!(undone["players"], "only Sabeth", "{undone}");
        let again = json!({"action": "undo", "entry": undone["log"]});
        for (undo, is_undone) in [(None, true), (Some(again), false)] {
            if let Some(undo) = undo {
                let again = side.gm("manage_session", undo).await;
                assert_eq!(again["players"], "only Sabeth", "{again}");
            }
            let sought = json!({"text": "ferryman", "kind": "note"});
            let found = from("Sabeth", "search_log", sought.clone()).await;
            let undone = &found["found"][0]["undone"];
            assert_eq!(undone.as_bool().unwrap_or(false), is_undone, "{found}");
            let his = from("Jory", "search_log", sought).await;
            assert!(his.get("found").is_none(), "{his}");
        }
        let reveal = json!({"action": "reveal", "entry": dream["log"]});
        side.gm("manage_session", reveal).await;
        let his = from("Jory", "search_log", json!({"text": "dream"})).await;
        assert!(his["found"][0].get("entry").is_some(), "{his}");
    });
}

#[test]
fn a_visibility_that_names_nobody_or_two_says_what_to_send() {
    block_on(async {
        let side = Side::begun().await;
        for step in open_steps() {
            side.step(&step).await;
        }
        let made = json!({"action": "create", "name": "Jory Two", "kind": "player"});
        side.gm("manage_character", made).await;
        for (visibility, words) in [
            ("nobody", "Jory, Sabeth"),
            ("Wrecker", "Jory, Sabeth"),
            ("gmm", "outcome_only"),
        ] {
            let sent = json!({"expression": "d6", "visibility": visibility});
            let refused = side.gm("roll_dice", sent).await;
            assert_eq!(refused["code"], "invalid_parameters", "{refused}");
            assert!(refused.to_string().contains(words), "{refused}");
        }
        let clock = json!({"action": "clock", "name": "Flood", "visibility": "Sabeth"});
        let refused = side.gm("manage_session", clock).await;
        assert_eq!(refused["code"], "invalid_parameters", "{refused}");
        let blind = json!({"action": "note", "text": "x", "visibility": "blind"});
        let refused = side.gm("manage_session", blind).await;
        assert_eq!(refused["code"], "invalid_parameters", "{refused}");
        // A word that two have.
        let made = json!({"action": "create", "name": "Old Sabeth", "kind": "player"});
        side.gm("manage_character", made).await;
        let made = json!({"action": "create", "name": "Old Tom", "kind": "player"});
        side.gm("manage_character", made).await;
        let sent = json!({"expression": "d6", "visibility": "Old"});
        let refused = side.gm("roll_dice", sent).await;
        assert_eq!(refused["code"], "ambiguous_name", "{refused}");
    });
}
