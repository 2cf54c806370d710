//! What the server costs: its start, its memory, its first call, and calls that wait for the disk.
//!
//! `cargo bench --bench serve` prints a table. A call is given beside a bare commit in the same run,
//! because machines are noisy: `begin immediate`, an insert of as many bytes as a roll writes, and
//! `commit`, prepared, to a file with the same settings (WAL, full sync). Each round makes every
//! call once after the other; ratio and difference are of the medians of a round, and of the rounds
//! the median. Waits are how often a thread of the server gave way for each call.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};
use support::{Outcome, Peer, Session, median, ms};

const STARTS: usize = 60;
const FIRST_CALLS: usize = 20;
const ROUNDS: usize = 5;
const CALLS: usize = 300;
const WARM_UP: usize = 100;
/// Rolls after which the memory is looked at.
const ROLLS: usize = 1500;
/// What a client does between the answer to `initialize` and its first call.
const PAUSE: Duration = Duration::from_millis(100);

const ADVENTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/lockhouse");

fn main() -> Outcome<()> {
    // `cargo test --benches` asks whether it runs at all.
    let quick = std::env::args().any(|argument| argument == "--test");
    let few = |many: usize| if quick { many.min(3) } else { many };
    let folder = tempfile::tempdir()?;
    starts(folder.path(), few(STARTS), few(FIRST_CALLS))?;

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut disk = runtime.block_on(Disk::open(&folder.path().join("bare.db")))?;
    let mut table = Peer::start(serve(&folder.path().join("table.db")))?;
    seat(&mut table)?;
    let mut rolls = Peer::start(serve(&folder.path().join("rolls.db")))?;
    let mut session = Session::start(&mut serve(&folder.path().join("http.db")))?;
    let roll = json!({"expression": "1d20+5"});
    let attack = json!({
        "character": "Ada", "skill": "Melee", "target": "Bo", "damage": "1d8+2",
        "end_turn": true,
    });
    let pass = json!({"action": "next_turn"});
    let harm = json!({"target": "Bo", "amount": 1});
    let undo = json!({"action": "undo"});
    let mut waits = Waits::default();
    let mut rounds = Vec::new();
    for round in 0..=few(ROUNDS) {
        let mut times: [Vec<Duration>; 6] = Default::default();
        let calls = few(if round == 0 { WARM_UP } else { CALLS });
        waits.begin(&rolls);
        for _ in 0..calls {
            times[0].push(rolls.call("roll_dice", &roll)?);
        }
        waits.end(&rolls, calls);
        for _ in 0..calls {
            let began = Instant::now();
            runtime.block_on(disk.commit())?;
            times[1].push(began.elapsed());
            times[2].push(session.call("roll_dice", &roll)?);
            times[3].push(table.call("skill_check", &attack)?);
            table.call("manage_combat", &pass)?;
            times[4].push(table.call("apply_damage", &harm)?);
            times[5].push(table.call("manage_session", &undo)?);
        }
        if round > 0 {
            rounds.push(times.map(median));
        }
    }
    println!(
        "bare durable commit                               {:>9.3} ms",
        ms(median(rounds.iter().map(|round| round[1]).collect()))
    );
    for (nth, name) in [
        (0, "roll_dice over stdio"),
        (2, "roll_dice over HTTP, in a session"),
        (3, "skill_check with damage and end_turn"),
        (4, "apply_damage"),
        (5, "undo of it"),
    ] {
        let mut ratios: Vec<f64> = (rounds.iter())
            .map(|round| round[nth].as_secs_f64() / round[1].as_secs_f64())
            .collect();
        ratios.sort_by(f64::total_cmp);
        let took = median(rounds.iter().map(|round| round[nth]).collect());
        let apart = (rounds.iter())
            .map(|round| round[nth].saturating_sub(round[1]))
            .collect();
        println!(
            "{name:50}{:>9.3} ms, {:.2} times, {:.3} ms more",
            ms(took),
            ratios.get(ratios.len() / 2).copied().unwrap_or_default(),
            ms(median(apart))
        );
    }
    println!(
        "waits of threads in a roll over stdio             {:>9.1}",
        waits.each()
    );
    for _ in rounds.len() * few(CALLS)..few(ROLLS) {
        rolls.call("roll_dice", &roll)?;
    }
    memory(&format!("after {} rolls", few(ROLLS)), &rolls);
    Ok(())
}

fn serve(database: &Path) -> Command {
    let mut command = Command::new(PathBuf::from(env!("CARGO_BIN_EXE_rollbook")));
    command
        .args(["serve", "--adventure", ADVENTURE, "--db"])
        .arg(database);
    command
}

/// Two who fight, one of them with hit points for all that is dealt.
fn seat(table: &mut Peer) -> Outcome<()> {
    let scores = json!({"DEX": 14, "STR": 10, "CON": 12});
    let made = json!({"action": "create", "name": "Ada", "kind": "player", "attributes": scores});
    table.call("manage_character", &made)?;
    let begun = json!({"action": "start", "combatants": [
        {"name": "Ada", "initiative": 20}, {"name": "Bo", "hp": 9000, "initiative": 1},
    ]});
    table.call("manage_combat", &begun)?;
    Ok(())
}

/// The start of the process on a new and on a known database, and the first call of a campaign.
fn starts(folder: &Path, starts: usize, firsts: usize) -> Outcome<()> {
    let mut fresh = Vec::new();
    for nth in 0..starts {
        fresh.push(started(serve(&folder.join(format!("fresh{nth}.db"))))?.0);
    }
    let known = folder.join("known.db");
    let mut first = Vec::new();
    for nth in 0..firsts {
        let peer = started(serve(&folder.join(format!("first{nth}.db"))))?.1;
        std::thread::sleep(PAUSE);
        first.push(rolled(peer)?);
    }
    rolled(started(serve(&known))?.1)?;
    let mut again = Vec::new();
    for _ in 0..starts {
        again.push(started(serve(&known))?.0);
    }
    for (name, took) in [
        ("start to the answer of initialize, new database", fresh),
        ("start to the answer of initialize, known database", again),
        ("first call of a new campaign", first),
    ] {
        println!("{name:50}{:>9.2} ms", ms(median(took)));
    }
    memory("then", &started(serve(&known))?.1);
    Ok(())
}

fn memory(when: &str, peer: &Peer) {
    let mib = peer.memory_kib().unwrap_or(0) as f64 / 1024.0;
    let name = format!("resident memory {when}");
    println!("{name:50}{mib:>9.1} MiB");
}

fn rolled(mut peer: Peer) -> Outcome<Duration> {
    let took = peer.call("roll_dice", &json!({"expression": "1d20+5"}))?;
    peer.end()?;
    Ok(took)
}

/// From the start of the process to the answer of `initialize`.
fn started(command: Command) -> Outcome<(Duration, Peer)> {
    let began = Instant::now();
    let peer = Peer::start(command)?;
    Ok((began.elapsed(), peer))
}

/// How often threads gave way, for each call.
#[derive(Default)]
struct Waits {
    before: u64,
    waits: u64,
    calls: usize,
}

impl Waits {
    fn begin(&mut self, peer: &Peer) {
        self.before = peer.waits();
    }

    fn end(&mut self, peer: &Peer, calls: usize) {
        self.waits += peer.waits() - self.before;
        self.calls += calls;
    }

    fn each(&self) -> f64 {
        self.waits as f64 / self.calls.max(1) as f64
    }
}

/// One durable commit of about as many bytes as a roll writes, with the same settings.
struct Disk {
    connection: SqliteConnection,
    bytes: Vec<u8>,
}

impl Disk {
    /// A roll writes one row of `log` and one of `rolls`, together about this long.
    const BYTES: usize = 1800;

    async fn open(path: &Path) -> Result<Disk, sqlx::Error> {
        let mut connection = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .connect()
            .await?;
        sqlx::query("create table bare (id integer primary key, bytes blob not null) strict")
            .execute(&mut connection)
            .await?;
        connection.ping().await?;
        Ok(Disk {
            connection,
            bytes: vec![7; Disk::BYTES],
        })
    }

    /// A transaction as the log needs one.
    async fn commit(&mut self) -> Result<(), sqlx::Error> {
        let mut transaction = self.connection.begin_with("begin immediate").await?;
        let insert = sqlx::query("insert into bare (bytes) values ($1)").bind(&self.bytes[..]);
        insert.execute(&mut *transaction).await?;
        transaction.commit().await
    }
}
