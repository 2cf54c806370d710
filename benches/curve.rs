//! Whether a campaign grows slow: the same calls on a new one, and on one with 200 characters, a fight of 60 and up to
//! 100,000 entries in its log.
//!
//! `cargo bench --bench curve` prints a table: a line a call, a column a size of the log, each the median of many calls in
//! turn with the small campaign's, as a ratio to it. Below it, how long the server takes from its start to the first
//! answer that needs the campaign: after it was ended in good order, and after it was killed, when the whole database is
//! checked aside; then to the first write, which waits for that.

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
const OPENINGS: usize = 15;

fn main() -> Result<(), Failed> {
    // `cargo test --benches` asks whether it runs at all.
    let quick = std::env::args().any(|argument| argument == "--test");
    let (sizes, calls, openings): (Vec<usize>, usize, usize) =
        if quick { (vec![20], 2, 1) } else { (SIZES.to_vec(), CALLS, OPENINGS) };
    let folder = tempfile::tempdir()?;
    let serve = |database: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rollbook"));
        let adventure = Path::new(env!("CARGO_MANIFEST_DIR")).join("adventures/lockhouse");
        command.arg("serve").arg("--adventure").arg(adventure).arg("--db").arg(folder.path().join(database));
        command
    };

    let mut small = Peer::start(serve("small.db"))?;
    furnish(&mut small, 2, 2)?;
    let mut large = Peer::start(serve("large.db"))?;
    furnish(&mut large, CHARACTERS, COMBATANTS)?;

    let names: Vec<&str> = usual().iter().map(|(name, _, _)| *name).collect();
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    let mut baseline = Vec::new();
    let (mut opened, mut after_a_crash) = (Vec::new(), Vec::new());
    let mut entries = 0;
    for size in &sizes {
        while entries < *size {
            large.call(
                "roll_dice",
                &json!({"expression": "2d6+3", "context": "to fill the book", "character": "Hero 3"}),
            )?;
            entries += 1;
        }
        baseline.clear();
        for (place, (_, tool, arguments)) in usual().into_iter().enumerate() {
            let (mut on_small, mut on_large) = (Vec::new(), Vec::new());
            for sent in arguments.iter().cycle().take(calls) {
                on_small.push(small.call(tool, sent)?);
                on_large.push(large.call(tool, sent)?);
            }
            let (on_small, on_large) = (median(on_small), median(on_large));
            if let Some(line) = ratios.get_mut(place) {
                line.push(on_large.as_secs_f64() / on_small.as_secs_f64());
            }
            baseline.push(on_small);
        }
        drop(large);
        after_a_crash.push(opening(serve("large.db"))?);
        opened.push(median((0..openings).map(|_| opening(serve("large.db"))).collect::<Result<_, _>>()?));
        large = Peer::start(serve("large.db"))?;
    }
    small.end()?;
    let opened_small = median((0..openings).map(|_| opening(serve("small.db"))).collect::<Result<_, _>>()?);

    print!("{:34}{:>12}", "", "small");
    sizes.iter().for_each(|size| print!("{size:>12}"));
    println!("  entries, {CHARACTERS} characters, {COMBATANTS} combatants");
    for ((name, ratios), base) in names.iter().zip(&ratios).zip(&baseline) {
        print!("{name:34}{:>9.3} ms", ms(*base));
        ratios.iter().for_each(|ratio| print!("{ratio:>12.2}"));
        println!();
    }
    print!("{:34}{:>9.2} ms", "start to the first answer", ms(opened_small));
    opened.iter().for_each(|time| print!("{:>9.2} ms", ms(*time)));
    print!("\n{:34}{:12}", "the same after it was killed", "");
    after_a_crash.iter().for_each(|time| print!("{:>9.2} ms", ms(*time)));
    println!("\nresident memory {:.1} MiB", large.memory_kib().unwrap_or(0) as f64 / 1024.0);
    Ok(())
}

/// The calls of an evening; of several arguments each is sent in turn.
fn usual() -> Vec<(&'static str, &'static str, Vec<Value>)> {
    let hurt = |amount: i64| json!({"target": "Hero 1", "amount": amount});
    vec![
        ("roll_dice", "roll_dice", vec![json!({"expression": "1d20+5", "character": "Hero 1"})]),
        ("skill_check", "skill_check", vec![json!({"character": "Hero 1", "skill": "Stealth", "difficulty": 12})]),
        ("apply_damage, and healing", "apply_damage", vec![hurt(1), hurt(-1)]),
        ("get_character", "get_character", vec![json!({"character": "Hero 1"})]),
        ("manage_combat next_turn", "manage_combat", vec![json!({"action": "next_turn"})]),
        // The turns that have just passed, one after the other.
        ("manage_session undo", "manage_session", vec![json!({"action": "undo"})]),
        ("manage_combat status", "manage_combat", vec![json!({"action": "status"})]),
        ("manage_session status", "manage_session", vec![json!({"action": "status"})]),
        ("get_rules", "get_rules", vec![json!({})]),
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
    let fighting: Vec<Value> =
        (0..combatants).map(|number| json!({"name": hero(number), "initiative": 30 - number as i64 % 20})).collect();
    peer.call("manage_combat", &json!({"action": "start", "combatants": fighting}))?;
    Ok(())
}

/// From the start of the process to the answer of a call that needs the campaign.
fn opening(command: Command) -> Result<Duration, Failed> {
    let began = Instant::now();
    let mut peer = Peer::start(command)?;
    peer.call("manage_session", &json!({"action": "status"}))?;
    let took = began.elapsed();
    peer.end()?;
    Ok(took)
}
