//! Every command, and what a line of it is.

use serde_json::{Value, json};

use super::checks::{ATTACKS_SHOWN, WITH, put_check, put_weapon};
use super::entry::{CHECKS, CONDITIONS, DIFFICULTIES, FOES, PEOPLE, RESTS};
use super::entry::{CommandEntry, Deed, Parts, Read, needs, number, signed, whom, words};
use super::fight::{actions, newcomers, put_effect};
use super::harm::{condition_at, put_damage};
use super::people::{block_name, ready_made};
use crate::play::names::Names;
use rollbook_game::view::number::EntryNumber;
use rollbook_table::playtest::{self, fields};
use rollbook_table::tools::{all_tools, tool_named};
use rollbook_text::names::{Found, find, first, is_one_of, leading, listed, quoted, same};

/// By what one wants, in the order of the help.
pub static GROUPS: &[(&str, &[CommandEntry])] = &[
    ("Roll and check", CHECKING),
    ("Fight", FIGHTING),
    ("People", FOLK),
    ("The story", STORY),
    ("The table", TABLE),
];

pub fn all() -> impl Iterator<Item = &'static CommandEntry> + Clone {
    GROUPS.iter().flat_map(|(_, entries)| *entries)
}

static CHECKING: &[CommandEntry] = &[
    CommandEntry {
        usage: "roll|r DICE [# WHAT FOR]",
        about: "Rolls dice; a random table with table=NAME.",
        example: "/roll 2d6+3 # the fall",
        completes: &[],
        read: Read::Fields("roll_dice", |parts, _| {
            parts.put_why("context");
            needs(!parts.is_empty(), "Which dice?")?;
            parts.put_text("expression");
            Ok(())
        }),
    },
    CommandEntry {
        usage: "check|c|save [WHO] SKILL [DIFFICULTY] [+N] [adv|dis] [vs WHOM [SKILL]] [# WHAT FOR]",
        about: "A check or save by the rules.",
        example: "/check Sabeth Lockpicking 15 # the door",
        completes: &[PEOPLE, CHECKS, DIFFICULTIES],
        read: Read::Fields("skill_check", |parts, names| {
            parts.put_why("context");
            needs(!parts.is_empty(), "Who tries what?")?;
            put_check(parts, names)
        }),
    },
    CommandEntry {
        usage: "odds|chance DICE, or as /check",
        about: "The exact chance of every total, or of a check before it is rolled.",
        example: "/odds 2d6 at_least=9",
        completes: &[PEOPLE, CHECKS, DIFFICULTIES],
        read: Read::Fields("odds", |parts, names| {
            needs(!parts.is_empty(), "The chance of what?")?;
            // Every total is wanted.
            parts.put("detail", "full");
            if parts.words.is_empty() || rollbook_dice::read(&parts.text()).is_ok() {
                parts.put_text("expression");
                return Ok(());
            }
            put_check(parts, names)
        }),
    },
    CommandEntry {
        usage: "rules|rule [SECTION or NAME]",
        about: "The rules' own words.",
        example: "/rules Health",
        completes: &[|names, _| names.sections.clone(), CHECKS, CONDITIONS, RESTS],
        read: Read::Fields("get_rules", |parts, names| {
            parts.put_text(if is_one_of(&parts.text(), &names.sections) {
                "section"
            } else {
                "name"
            });
            Ok(())
        }),
    },
];

static FIGHTING: &[CommandEntry] = &[
    CommandEntry {
        usage: "attack|a|hit WHO WHOM [with ATTACK or SKILL] [DAMAGE] [TYPE] [# WHAT FOR]",
        about: "An attack with its damage; end_turn=true begins the next turn.",
        example: "/attack Jory Wrecker 1 with Melee 1d12+2",
        completes: &[PEOPLE, |names, _| names.attacks.clone(), CHECKS],
        read: Read::Fields("skill_check", |parts, names| {
            parts.put_why("context");
            if let Some(with) = parts.take_after(&["with"]) {
                put_weapon(parts, with, names)?;
            }
            let words = std::mem::take(&mut parts.words);
            let who = match leading(&words, &names.people) {
                // In a fight the one whose turn it is attacks.
                Some(all) if all == words.len() => 0,
                Some(many) => many,
                None => usize::from(words.len() > 1),
            };
            let (attacker, target) = words.split_at(who.min(words.len()));
            let up = names.turn.as_ref().and_then(|(_, up)| up.clone());
            // Nobody strikes themselves by a word that is missing.
            if let Some(up) = up
                .as_deref()
                .filter(|_| attacker.is_empty() && !target.is_empty())
                && !matches!(find(&target.join(" "), [(up, ())]), Found::Nothing)
            {
                return Err(format!("Whom does {} attack?", quoted(up)));
            }
            let attacker = if attacker.is_empty() {
                up
            } else {
                Some(attacker.join(" "))
            };
            match (attacker, whom(&target.join(" "))) {
                (Some(attacker), Some(target)) => {
                    parts.put("character", attacker);
                    parts.put("target", target);
                }
                _ if parts.has("target") => {}
                _ => return Err("Who attacks whom?".to_owned()),
            }
            if !names.attacks.is_empty() && !WITH.iter().any(|field| parts.has(field)) {
                let known = listed(names.attacks.iter().map(String::as_str), ATTACKS_SHOWN);
                return Err(format!(
                    "With what? Attacks here are {known}; a skill will do, too."
                ));
            }
            Ok(())
        }),
    },
    CommandEntry {
        usage: "damage|d|hurt WHOM AMOUNT [TYPE] [# WHY]",
        about: "Damage to one or several: a number, or dice that are rolled now.",
        example: "/damage Wrecker 1 7 # the beam",
        completes: &[PEOPLE],
        read: Read::Fields("apply_damage", |parts, names| {
            put_damage(parts, names, "amount")?;
            let amount = parts.fields.get("amount").and_then(Value::as_i64);
            let is_damage = amount.is_none_or(|amount| amount >= 0);
            needs(
                is_damage,
                "Damage is no negative number; /heal gives it back.",
            )?;
            parts.put_why("reason");
            Ok(())
        }),
    },
    CommandEntry {
        usage: "heal|mend WHOM AMOUNT [# WHY]",
        about: "Gives back what damage took: a number, or dice that are rolled now.",
        example: "/heal Sabeth 5 # the salve",
        completes: &[PEOPLE],
        read: Read::Fields("apply_damage", |parts, names| {
            put_damage(parts, names, "heal")?;
            if let Some(heal) = parts.fields.get_mut("heal").filter(|heal| heal.is_i64()) {
                *heal = heal.as_i64().map(i64::saturating_abs).into();
            }
            parts.put_why("reason");
            Ok(())
        }),
    },
    CommandEntry {
        usage: "condition|cond WHO [-]CONDITION [for 2 rounds | until end of scene]",
        about: "Puts a condition on somebody, or with a minus takes it off.",
        example: "/condition Jory frightened for 2 rounds",
        completes: &[PEOPLE, CONDITIONS],
        read: Read::Fields("manage_character", |parts, names| {
            parts.take_duration();
            let words = std::mem::take(&mut parts.words);
            let at = condition_at(&words, names)
                .filter(|at| *at > 0)
                .ok_or("Who, and which condition?")?;
            let condition = words.get(at..).unwrap_or_default().join(" ");
            parts.put(
                "action",
                if condition.starts_with('-') {
                    "remove_condition"
                } else {
                    "add_condition"
                },
            );
            parts.put("on", whom(&first(&words, at)));
            parts.put("condition", condition.trim_start_matches('-'));
            Ok(())
        }),
    },
    CommandEntry {
        usage: "fight|f [start WHO, WHO x2 hp 7, FILE#NAME x2 | add … | end [HOW] | hide WHO | effect NAME on WHO for 3 rounds | …]",
        about: "Where the fight stands; or begins it, ends it, changes it.",
        example: "/fight start party, Wrecker x2 hp 7",
        completes: &[
            |_, typed| words(typed, actions().map(|(word, _)| word)),
            PEOPLE,
            CONDITIONS,
            FOES,
        ],
        read: Read::Text(|text, names| {
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            let wanted = if word.is_empty() { "status" } else { word };
            let (_, action) = actions()
                .find(|(known, _)| same(known, wanted))
                .ok_or_else(|| {
                    let known: Vec<&str> = actions().map(|(word, _)| word).collect();
                    format!("A fight can {}.", known.join(", "))
                })?;
            let mut parts = Parts::read(rest)?;
            parts.put("action", action);
            match action {
                "status" if word.is_empty() => parts.put("detail", "full"),
                "start" | "create" | "add" => {
                    let newcomers = newcomers(&parts.text(), names)?;
                    parts.put("combatants", (!newcomers.is_empty()).then_some(newcomers));
                    parts.put_why("title");
                }
                "end" => parts.put_text("outcome"),
                "add_effect" => put_effect(&mut parts)?,
                "set_initiative" => {
                    let set = parts.pop(number).ok_or("Which number?")?;
                    parts.put(
                        "combatants",
                        json!([{"name": parts.text(), "initiative": set}]),
                    );
                }
                "ready" => {
                    let trigger = parts.take_after(&["until", "for", "when"]);
                    parts.put("trigger", trigger.map(|words| words.join(" ")));
                    parts.put_text("combatant");
                }
                "structure" => parts.put("structure", parts.text()),
                _ => parts.put_text("combatant"),
            }
            Ok(parts.call("manage_combat"))
        }),
    },
    CommandEntry {
        usage: "next|n",
        about: "Ends the turn and begins the next; without turns, the next round.",
        example: "/next",
        completes: &[],
        read: Read::Fields("manage_combat", |parts, names| {
            parts.put(
                "action",
                if names.is_without_turns {
                    "next_round"
                } else {
                    "next_turn"
                },
            );
            Ok(())
        }),
    },
];

static FOLK: &[CommandEntry] = &[
    CommandEntry {
        usage: "sheet|s|who [WHO]",
        about: "A character's sheet.",
        example: "/sheet Sabeth",
        completes: &[PEOPLE],
        read: Read::Fields("get_character view=sheet", |parts, _| {
            parts.put_text("character");
            Ok(())
        }),
    },
    CommandEntry {
        usage: "party|all",
        about: "Everybody in a line each.",
        example: "/party",
        completes: &[],
        read: Read::Fields("get_character list=true", |_, _| Ok(())),
    },
    CommandEntry {
        usage: "new|create NAME: SCORE N, SKILL +N, … [npc] or [NAME from] FILE#NAME",
        about: "Makes a character; of a sheet that lacks something the reply says what.",
        example: "/new Aria: DEX 14, Lockpicking +2",
        completes: &[|names, _| names.sheets.clone(), FOES],
        read: Read::Text(|text, names| {
            needs(!text.is_empty(), "Whom?")?;
            if let Some(from) = ready_made(text, names) {
                return Ok(Deed::Asked {
                    question: format!(
                        "The adventure has {} ready to be played. Take that one? (One of your own is /new {}: with scores and skills.)",
                        quoted(from.split_once('#').map_or(from, |(_, name)| name)),
                        quoted(text)
                    ),
                    line: format!("/new {from}"),
                });
            }
            // A stat block of the adventure, under a new name or its own.
            let block = text
                .split_once('#')
                .filter(|(file, _)| file.ends_with(".md") || file.contains('/'));
            let named = match (block, text.split_once(" from ")) {
                (Some((_, name)), None) => {
                    let from = Parts::read(text)?.text();
                    Some((
                        block_name(&from, names).map_or(Parts::read(name)?.text(), str::to_owned),
                        text,
                    ))
                }
                (_, Some((name, from))) if !text.contains(':') => {
                    Some((name.trim().to_owned(), from))
                }
                _ => None,
            };
            let Some((name, from)) = named else {
                let (head, rest) = text.split_once(':').unwrap_or((text, ""));
                // The fields follow the last score.
                let mut parts = Parts::read(rest)?;
                let line = format!("{}: {}", playtest::quoted(head.trim()), parts.text());
                for (field, value) in playtest::sheet(&line, &names.system)? {
                    parts.put(&field, value);
                }
                return Ok(parts.call("manage_character"));
            };
            let mut parts = Parts::read(from)?;
            parts.put("action", "create");
            parts.put("name", name);
            parts.put("from", parts.text());
            Ok(parts.call("manage_character"))
        }),
    },
    CommandEntry {
        usage: "rest|sleep [KIND] [WHO]",
        about: "A rest by the rules; of the party, if nobody is named.",
        example: "/rest Long rest",
        completes: &[RESTS, PEOPLE],
        read: Read::Fields("manage_character action=rest", |parts, names| {
            let words = std::mem::take(&mut parts.words);
            let kind = leading(&words, &names.rests).unwrap_or(0);
            let (mut named, mut who) = words.split_at(kind);
            if kind == 0
                && let Some(at) = (0..words.len()).find(|at| {
                    words
                        .get(*at..)
                        .is_some_and(|end| is_one_of(&end.join(" "), &names.rests))
                })
            {
                (who, named) = words.split_at(at);
            }
            parts.put("kind", (!named.is_empty()).then(|| named.join(" ")));
            if let Some(who) = whom(&who.join(" ")) {
                parts.put(if who.is_array() { "on" } else { "character" }, who);
            }
            Ok(())
        }),
    },
];

static STORY: &[CommandEntry] = &[
    CommandEntry {
        usage: "resume|where",
        about: "The story so far, and where the table is.",
        example: "/resume",
        completes: &[],
        read: Read::Text(|text, _| {
            needs(text.is_empty(), "It takes nothing more.")?;
            Ok(Deed::Story)
        }),
    },
    CommandEntry {
        usage: "recap|story [SESSION]",
        about: "The story of a sitting, as the players saw it; audience=gm for all of it.",
        example: "/recap",
        completes: &[],
        read: Read::Fields("manage_session action=recap", |parts, _| {
            let session = parts.pop(number);
            parts.put("session", session);
            check_end(parts)
        }),
    },
    CommandEntry {
        usage: "note [scene|thread|discovery] [secret] [closes=THREAD] TEXT",
        about: "Notes what the story must remember; a secret is for the GM alone.",
        example: "/note thread Who rings the drowned bell?",
        completes: &[|_, typed| words(typed, ["scene", "thread", "discovery", "secret"])],
        read: Read::Text(|text, _| {
            // A note is plain text, whatever is in it; what it closes is named before it.
            let (mut parts, mut rest) = (Parts::read("")?, text);
            loop {
                if let Some(thread) = rest.strip_prefix("closes=") {
                    let (quoted, after) = match thread.strip_prefix('"') {
                        Some(quoted) => quoted
                            .split_once('"')
                            .ok_or("The quotation is not closed.")?,
                        None => thread.split_once(' ').unwrap_or((thread, "")),
                    };
                    parts.put("closes", quoted);
                    rest = after.trim_start();
                    continue;
                }
                let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                let (field, value) = match word.trim_end_matches(':') {
                    kind @ ("scene" | "thread" | "discovery") => ("kind", kind),
                    "secret" | "gm" => ("visibility", "gm"),
                    _ => break,
                };
                parts.fields.insert(field.to_owned(), value.into());
                rest = after.trim_start();
            }
            needs(!rest.is_empty(), "What?")?;
            parts.put("action", "note");
            parts.put("text", rest);
            Ok(parts.call("manage_session"))
        }),
    },
    CommandEntry {
        usage: "clock|clocks [NAME] [SEGMENTS | +N | -N | done] [# WHY]",
        about: "Shows the clocks; makes one of so many segments, or moves it.",
        example: "/clock Flooding +1 # the tide",
        completes: &[|names, _| names.clocks.clone()],
        read: Read::Text(|text, names| {
            let mut parts = Parts::read(text)?;
            if parts.is_empty() {
                parts.put("character", "company");
                return Ok(parts.call("get_character"));
            }
            parts.put("action", "clock");
            parts.put_why("text");
            if let Some(tick) = parts.pop(signed) {
                parts.put("tick", tick);
            } else if let Some(count) = parts.pop(number) {
                // Of one that there is, a number is where it is.
                parts.put(
                    if is_one_of(&parts.text(), &names.clocks) {
                        "value"
                    } else {
                        "segments"
                    },
                    count,
                );
            } else if parts.pop(|word| same(word, "done").then_some(())).is_some() {
                parts.put("done", true);
            }
            needs(!parts.words.is_empty(), "Which clock?")?;
            parts.put_text("name");
            Ok(parts.call("manage_session"))
        }),
    },
    CommandEntry {
        usage: "time|advance|wait [2 hours | until 18:00] [# WHY]",
        about: "Lets the game's time pass; alone, it says what time it is.",
        example: "/time 2 hours # the march",
        completes: &[],
        read: Read::Fields("manage_session", |parts, _| {
            if parts.is_empty() {
                parts.put("action", "status");
                return Ok(());
            }
            parts.put("action", "advance");
            parts.put("time", parts.text());
            parts.put_why("text");
            Ok(())
        }),
    },
];

static TABLE: &[CommandEntry] = &[
    CommandEntry {
        usage: "begin|adventures [ADVENTURE]",
        about: "Begins an adventure that comes with the program; alone, it lists them.",
        example: "/begin lockhouse",
        completes: &[],
        read: Read::Fields("manage_session", |parts, _| {
            let begins = !parts.words.is_empty();
            parts.put("action", if begins { "begin" } else { "adventures" });
            parts.put_text("name");
            Ok(())
        }),
    },
    CommandEntry {
        usage: "session [start [TITLE] | end | list]",
        about: "Opens and closes a sitting; alone, it says how the table stands.",
        example: "/session start The dark lamp",
        completes: &[|_, typed| words(typed, ["start", "end", "list"])],
        read: Read::Text(|text, names| {
            let mut parts = Parts::read("")?;
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            match word {
                "" => parts.put("detail", "full"),
                "start" if !rest.trim().is_empty() => parts.put("title", rest.trim()),
                "end" if rest.trim().is_empty() && names.turn.is_some() => {
                    return Ok(Deed::Asked {
                        question: "A fight is on, and the next session goes on with it as it is (/fight end closes it). End this session?".to_owned(),
                        line: "/session end anyway".to_owned(),
                    });
                }
                "start" | "end" | "list" => {}
                _ => return Err("A session can start and end, and be listed.".to_owned()),
            }
            parts.put("action", if word.is_empty() { "status" } else { word });
            Ok(parts.call("manage_session"))
        }),
    },
    CommandEntry {
        usage: "undo|u [ENTRY]",
        about: "Takes back what the newest call changed, or the call of that entry.",
        example: "/undo",
        completes: &[],
        read: Read::Fields("manage_session action=undo", |parts, _| {
            if let Some(entry) = parts.pop(|word| word.parse::<EntryNumber>().ok()) {
                parts.put("entry", json!(entry));
            } else if let [word] = parts.words.as_slice() {
                return Err(format!(
                    "\"{}\" is no number of an entry; /undo 17 takes entry #17 back, and /undo P12 the players' P12.",
                    quoted(word)
                ));
            }
            check_end(parts)
        }),
    },
    CommandEntry {
        usage: "call|tool TOOL key=value …",
        about: "Any call of any tool; `rollbook try` and playtests have the same form.",
        example: "/call manage_character action=award xp=100",
        completes: &[tools_and_fields],
        read: Read::Text(|text, _| {
            let (tool, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            needs(!tool.is_empty(), "Which tool?")?;
            let (words, arguments) = fields(rest)?;
            match words.first() {
                Some(word) => Err(format!("\"{}\" has no key= before it.", quoted(word))),
                None => Ok(Deed::Call {
                    tool: tool.to_owned(),
                    arguments,
                }),
            }
        }),
    },
    CommandEntry {
        usage: "help|h|? [COMMAND]",
        about: "The commands, or what one takes.",
        example: "/help check",
        completes: &[|_, _| all().map(|entry| entry.name().to_owned()).collect()],
        read: Read::Text(|text, _| match text.trim_start_matches('/') {
            "" => Ok(Deed::Help(None)),
            name => match named(name) {
                Some(entry) => Ok(Deed::Help(Some(entry))),
                None => Err(format!("There is no command /{}.", quoted(name))),
            },
        }),
    },
    CommandEntry {
        usage: "quit|q|exit|bye",
        about: "Leaves the table; everything is kept.",
        example: "/quit",
        completes: &[],
        read: Read::Text(|_, _| Ok(Deed::Quit)),
    },
];

pub fn named(word: &str) -> Option<&'static CommandEntry> {
    let word = word.to_lowercase();
    all().find(|entry| entry.words().any(|known| known == word))
}

/// The tools, and once one is typed its fields.
fn tools_and_fields(names: &Names, typed: &str) -> Vec<String> {
    let Some(tool) = typed
        .split_once(char::is_whitespace)
        .and_then(|(tool, _)| tool_named(tool))
    else {
        return all_tools()
            .iter()
            .map(|tool| tool.name.clone().into_owned())
            .collect();
    };
    let fields = tool.input.get("properties").and_then(Value::as_object);
    let fields = fields
        .into_iter()
        .flat_map(|fields| fields.keys())
        .map(|key| format!("{key}="));
    fields.chain(names.people.iter().cloned()).collect()
}

fn check_end(parts: &Parts<'_>) -> Result<(), String> {
    match parts.words.first() {
        Some(word) => Err(format!("\"{}\" is too much.", quoted(word))),
        None => Ok(()),
    }
}
