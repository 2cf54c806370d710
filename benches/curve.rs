//! Whether a campaign grows slow: the same calls on a new one, and on one with 200 characters, a
//! fight of 60 and up to 100,000 entries in its log, in sessions of a thousand rolls.
//!
//! `cargo bench --bench curve` prints a table (`-- 10000 1000000` of logs of these sizes): a line a
//! call, a column a size of the log, each the
//! median of many calls in turn with the small campaign's, as a ratio to it. Below it, how long the
//! server takes from its start to the first answer that needs the campaign: after it was ended in
//! good order, and after it was killed, when the whole database is checked aside; then to the first
//! write, which waits for that. At last what an undo costs beside a write: of the last change, and
//! both behind many rolls of many dice.

mod support;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Peer, median, ms};

type Failed = Box<dyn std::error::Error>;

/// Entries of the log at which the calls are timed.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const CHARACTERS: usize = 200;
const COMBATANTS: usize = 60;
const CALLS: usize = 300;
/// Rolls of a session.
const SESSION: usize = 1_000;
/// Calls that are sent before the first of them is answered, where the log is only filled.
const TOGETHER: usize = 64;
const OPENINGS: usize = 15;
/// Rolls of 1000 dice between a change and its undo.
const HEAPS: usize = 64;

fn main() -> Result<(), Failed> {
    // `cargo test --benches` asks whether it runs at all.
    let quick = std::env::args().any(|argument| argument == "--test");
    let asked: Vec<usize> = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let (sizes, calls, openings): (Vec<usize>, usize, usize) = match (quick, asked.is_empty()) {
        (true, _) => (vec![20], 2, 1),
        (false, true) => (SIZES.to_vec(), CALLS, OPENINGS),
        (false, false) => (asked, CALLS, OPENINGS),
    };
    let folder = tempfile::tempdir()?;
    let serve = |database: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rollbook"));
        let adventure = Path::new(env!("CARGO_MANIFEST_DIR")).join("adventures/lockhouse");
        command
            .arg("serve")
            .arg("--adventure")
            .arg(adventure)
            .arg("--db")
            .arg(folder.path().join(database));
        command
    };

    let mut small = Peer::start(serve("small.db"))?;
    furnish(&mut small, 2, 2)?;
    let mut large = Peer::start(serve("large.db"))?;
    furnish(&mut large, CHARACTERS, COMBATANTS)?;

    let usual = usual();
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); usual.len()];
    let mut baseline = Vec::new();
    let (mut opened, mut after_a_kill, mut written_after_a_kill) =
        (Vec::new(), Vec::new(), Vec::new());
    let mut entries = 0;
    for size in &sizes {
        let roll =
            json!({"expression": "2d6+3", "context": "to fill the book", "character": "Hero 3"});
        while entries < *size {
            let many = (*size - entries).min(TOGETHER);
            large.call_together("roll_dice", &roll, many)?;
            if entries / SESSION < (entries + many) / SESSION {
                large.call("manage_session", &json!({"action": "end"}))?;
                large.call(
                    "manage_session",
                    &json!({"action": "note", "text": "The book is fuller."}),
                )?;
            }
            entries += many;
        }
        baseline.clear();
        for (line, ratios) in usual.iter().zip(&mut ratios) {
            let (mut on_small, mut on_large) = (Vec::new(), Vec::new());
            for sent in line.arguments.iter().cycle().take(calls) {
                on_small.push(line.call(&mut small, sent)?);
                on_large.push(line.call(&mut large, sent)?);
            }
            let (on_small, on_large) = (median(on_small), median(on_large));
            ratios.push(on_large.as_secs_f64() / on_small.as_secs_f64());
            baseline.push(on_small);
        }
        drop(large);
        let (first, written) = opening(serve("large.db"))?;
        after_a_kill.push(first);
        written_after_a_kill.push(written);
        opened.push(median(firsts(openings, || opening(serve("large.db")))?));
        large = Peer::start(serve("large.db"))?;
    }
    small.end()?;
    let opened_small = median(firsts(openings, || opening(serve("small.db")))?);

    print!("{:34}{:>12}", "", "small");
    sizes.iter().for_each(|size| print!("{size:>12}"));
    println!("  entries, {CHARACTERS} characters, {COMBATANTS} combatants");
    for ((line, ratios), base) in usual.iter().zip(&ratios).zip(&baseline) {
        print!("{:34}{:>9.3} ms", line.name, ms(*base));
        ratios.iter().for_each(|ratio| print!("{ratio:>12.2}"));
        println!();
    }
    print!(
        "{:34}{:>9.2} ms",
        "start to the first answer",
        ms(opened_small)
    );
    opened
        .iter()
        .for_each(|time| print!("{:>9.2} ms", ms(*time)));
    for (name, times) in [
        ("the same after a kill", &after_a_kill),
        ("start to a write after a kill", &written_after_a_kill),
    ] {
        print!("\n{name:34}{:12}", "");
        times
            .iter()
            .for_each(|time| print!("{:>9.2} ms", ms(*time)));
    }
    println!(
        "\nresident memory {:.1} MiB",
        large.memory_kib().unwrap_or(0) as f64 / 1024.0
    );
    for (behind, rounds) in [(0, calls), (HEAPS, calls.div_ceil(10))] {
        let (undo, write) = undo_beside_a_write(&mut large, behind, rounds)?;
        let ratio = undo.as_secs_f64() / write.as_secs_f64();
        println!(
            "undo behind {behind} rolls of 1000d6: {:.3} ms, {ratio:.2} times apply_damage behind as many",
            ms(undo)
        );
    }
    Ok(())
}

/// A call of an evening.
struct Line {
    name: &'static str,
    tool: &'static str,
    /// Of several each is sent in turn.
    arguments: Vec<Value>,
    /// What is sent before each, and is not timed.
    before: Option<(&'static str, Value)>,
}

impl Line {
    fn call(&self, peer: &mut Peer, sent: &Value) -> Result<Duration, Failed> {
        if let Some((tool, arguments)) = &self.before {
            peer.call(tool, arguments)?;
        }
        peer.call(self.tool, sent)
    }
}

fn usual() -> Vec<Line> {
    let line = |name, tool, arguments| Line {
        name,
        tool,
        arguments,
        before: None,
    };
    let hurt = |amount: i64| json!({"target": "Hero 1", "amount": amount});
    let undo = || vec![json!({"action": "undo"})];
    vec![
        line(
            "roll_dice",
            "roll_dice",
            vec![json!({"expression": "1d20+5", "character": "Hero 1"})],
        ),
        line(
            "skill_check",
            "skill_check",
            vec![json!({"character": "Hero 1", "skill": "Stealth", "difficulty": 12})],
        ),
        line(
            "apply_damage, and healing",
            "apply_damage",
            vec![hurt(1), hurt(-1)],
        ),
        line(
            "get_character",
            "get_character",
            vec![json!({"character": "Hero 1"})],
        ),
        line(
            "manage_combat next_turn",
            "manage_combat",
            vec![json!({"action": "next_turn"})],
        ),
        Line {
            before: Some(("apply_damage", hurt(1))),
            ..line("manage_session undo", "manage_session", undo())
        },
        line(
            "manage_combat status",
            "manage_combat",
            vec![json!({"action": "status"})],
        ),
        line(
            "manage_session status",
            "manage_session",
            vec![json!({"action": "status"})],
        ),
        line(
            "manage_session recap",
            "manage_session",
            vec![json!({"action": "recap"})],
        ),
        line(
            "search_log, a page",
            "search_log",
            vec![json!({"text": "fill the book", "limit": 20})],
        ),
        line("get_rules", "get_rules", vec![json!({})]),
    ]
}

/// Characters of whom some fight.
fn furnish(peer: &mut Peer, characters: usize, combatants: usize) -> Result<(), Failed> {
    let hero = |number: usize| format!("Hero {}", number + 1);
    for number in 0..characters {
        let kind = if number == 0 { "player" } else { "npc" };
        peer.call(
            "manage_character",
            &json!({"action": "create", "name": hero(number), "kind": kind, "attributes": {"DEX": 14, "STR": 10, "CON": 12}}),
        )?;
    }
    let fighting: Vec<Value> = (0..combatants)
        .map(|number| json!({"name": hero(number), "initiative": 30 - number as i64 % 20}))
        .collect();
    peer.call(
        "manage_combat",
        &json!({"action": "start", "combatants": fighting}),
    )?;
    Ok(())
}

/// From the start of the process to the answer of a call that reads the campaign, and to that of
/// the first that writes.
fn opening(command: Command) -> Result<(Duration, Duration), Failed> {
    let began = Instant::now();
    let mut peer = Peer::start(command)?;
    peer.call("manage_session", &json!({"action": "status"}))?;
    let read = began.elapsed();
    peer.call("roll_dice", &json!({"expression": "1d20"}))?;
    let written = began.elapsed();
    peer.end()?;
    Ok((read, written))
}

/// The medians of an undo and of the write that it takes back, in turn, each behind as many rolls.
fn undo_beside_a_write(
    peer: &mut Peer,
    behind: usize,
    rounds: usize,
) -> Result<(Duration, Duration), Failed> {
    let (mut undos, mut writes) = (Vec::new(), Vec::new());
    let roll = |peer: &mut Peer| {
        (0..behind).try_for_each(|_| {
            peer.call("roll_dice", &json!({"expression": "1000d6"}))
                .map(drop)
        })
    };
    for _ in 0..rounds {
        roll(peer)?;
        let began = Instant::now();
        let written = peer.result("apply_damage", &json!({"target": "Hero 1", "amount": 1}))?;
        writes.push(began.elapsed());
        roll(peer)?;
        // Behind rolls an undo names what it takes back.
        let entry = &written["structuredContent"]["log"];
        undos.push(peer.call("manage_session", &json!({"action": "undo", "entry": entry}))?);
    }
    Ok((median(undos), median(writes)))
}

fn firsts(
    many: usize,
    mut opening: impl FnMut() -> Result<(Duration, Duration), Failed>,
) -> Result<Vec<Duration>, Failed> {
    (0..many)
        .map(|_| opening().map(|(first, _)| first))
        .collect()
}
