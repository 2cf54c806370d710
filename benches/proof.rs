//! How many entries a second `verify` looks at, and each export and report writes.
//!
//! `cargo bench --bench proof` plays a log of rolls, checks and blows, and prints a line a command:
//! the best and the middle of several runs, the start of the process included. Beside them stands
//! what a bare read of the file takes, and one of its rows.

mod support;

use std::fs::File;
use std::future::poll_fn;
use std::hint::black_box;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use support::{Peer, median};

type Failed = Box<dyn std::error::Error>;

/// Calls that fill the log.
const CALLS: usize = 20_000;
const RUNS: usize = 9;

fn main() -> Result<(), Failed> {
    // `cargo test --benches` asks whether it runs at all.
    let quick = std::env::args().any(|argument| argument == "--test");
    let (calls, runs) = if quick { (30, 1) } else { (CALLS, RUNS) };
    let folder = tempfile::tempdir()?;
    let database = folder.path().join("campaigns.db");
    let entries = played(&database, calls)?;

    println!(
        "{:16}{:>14}{:>14}  entries a second, of {entries}",
        "", "best", "median"
    );
    line("bare read", entries, (0..runs).map(|_| read(&database)))?;
    line("bare rows", entries, (0..runs).map(|_| rows(&database)))?;
    line(
        "verify",
        entries,
        (0..runs).map(|_| run(&database, &["verify"], None)),
    )?;
    for format in ["jsonl", "csv", "db"] {
        for audience in ["gm", "player"] {
            let out = folder.path().join("out");
            let arguments = ["export", "--format", format, "--audience", audience];
            let times = (0..runs).map(|_| run(&database, &arguments, Some(&out)));
            line(&format!("{format} {audience}"), entries, times)?;
        }
    }
    for audience in ["gm", "player"] {
        let out = folder.path().join("out");
        let arguments = ["report", "--session", "all", "--audience", audience];
        let times = (0..runs).map(|_| run(&database, &arguments, Some(&out)));
        line(&format!("report {audience}"), entries, times)?;
    }
    Ok(())
}

/// How long it takes to read the file from its beginning to its end and do nothing with it.
fn read(database: &Path) -> Result<Duration, Failed> {
    let began = Instant::now();
    let (mut file, mut page) = (File::open(database)?, vec![0; 1 << 16]);
    while file.read(&mut page)? > 0 {
        black_box(&page);
    }
    Ok(began.elapsed())
}

/// How long it takes to read every row of the log and of its rolls in order by the same library,
/// and do nothing with it.
fn rows(database: &Path) -> Result<Duration, Failed> {
    let began = Instant::now();
    tokio::runtime::Runtime::new()?.block_on(async {
        let options = SqliteConnectOptions::new()
            .filename(database)
            .read_only(true);
        let mut connection = SqliteConnection::connect_with(&options).await?;
        for sql in [
            "select * from log order by campaign, seq",
            "select * from roll_rows order by campaign, seq",
        ] {
            let mut rows = sqlx::query(sql).fetch(&mut connection);
            while let Some(row) = poll_fn(|context| rows.as_mut().poll_next(context)).await {
                black_box(row?);
            }
        }
        connection.close().await
    })?;
    Ok(began.elapsed())
}

fn line(
    name: &str,
    entries: usize,
    times: impl Iterator<Item = Result<Duration, Failed>>,
) -> Result<(), Failed> {
    let times = times.collect::<Result<Vec<Duration>, Failed>>()?;
    let best = times.iter().min().copied().unwrap_or_default();
    let rate = |time: Duration| entries as f64 / time.as_secs_f64();
    println!("{name:16}{:>14.0}{:>14.0}", rate(best), rate(median(times)));
    Ok(())
}

/// Plays so many calls; how many entries they came to.
fn played(database: &Path, calls: usize) -> Result<usize, Failed> {
    let adventure = Path::new(env!("CARGO_MANIFEST_DIR")).join("adventures/lockhouse");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rollbook"));
    command
        .arg("serve")
        .arg("--adventure")
        .arg(adventure)
        .arg("--db")
        .arg(database);
    let mut peer = Peer::start(command)?;
    let mut entries = 3;
    for name in ["Ada", "Bo"] {
        let attributes = json!({"DEX": 14, "STR": 10, "CON": 12});
        let kind = if name == "Ada" { "player" } else { "npc" };
        peer.call(
            "manage_character",
            &json!({"action": "create", "name": name, "kind": kind, "attributes": attributes}),
        )?;
        entries += 1;
    }
    for call in 0..calls {
        let amount = if call % 2 == 0 { 1 } else { -1 };
        let who = if call % 3 == 0 { "Bo" } else { "Ada" };
        match call / 2 % 3 {
            0 => peer.call("apply_damage", &json!({"target": "Ada", "amount": amount}))?,
            1 => peer.call(
                "roll_dice",
                &json!({"expression": "4d6kh3", "character": who}),
            )?,
            _ => peer.call(
                "skill_check",
                &json!({"character": who, "skill": "Stealth", "difficulty": 12}),
            )?,
        };
        entries += 1;
    }
    peer.end()?;
    Ok(entries)
}

/// Time of one run of a command on the database.
fn run(database: &Path, arguments: &[&str], out: Option<&Path>) -> Result<Duration, Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rollbook"));
    command
        .args(arguments)
        .arg("--db")
        .arg(database)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(out) = out {
        command.arg("--out").arg(out);
    }
    let began = Instant::now();
    let status = command.status()?;
    let took = began.elapsed();
    if let Some(out) = out {
        std::fs::remove_file(out)?;
    }
    if status.success() {
        Ok(took)
    } else {
        Err(format!("{arguments:?} ended with {status}").into())
    }
}
