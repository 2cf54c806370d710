//! What the server costs: its start, its memory, and a roll over standard input and output, beside
//! what the protocol and the disk cost by themselves in the same run.
//!
//! `cargo bench --bench serve` prints a table. The roll is given as a ratio, because machines are
//! noisy: `roll_dice` over stdio, divided by a bare rmcp tool call over stdio plus a bare durable
//! commit of the same bytes. The commit is a transaction as the log needs one (`begin immediate`,
//! insert, `commit`, so that no die falls before the write lock is held); the cheapest commit there
//! is, a single insert by itself, is shown beside it.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};
use support::{Peer, median, ms, percentile};

const STARTS: usize = 60;
const ROLLS: usize = 1500;
const WARM_UP: usize = 100;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    if std::env::args().any(|argument| argument == "--bare-server") {
        runtime.block_on(async {
            let service = Bare.serve(rmcp::transport::stdio_pipes()).await?;
            service.waiting().await?;
            Ok::<(), Box<dyn std::error::Error>>(())
        })?;
        return Ok(());
    }
    // `cargo test --benches` asks whether it runs at all.
    let quick = std::env::args().any(|argument| argument == "--test");
    let (starts, rolls) = if quick { (2, 5) } else { (STARTS, ROLLS) };

    let folder = tempfile::tempdir()?;
    let program = PathBuf::from(env!("CARGO_BIN_EXE_rollbook"));
    let adventure = Path::new(env!("CARGO_MANIFEST_DIR")).join("adventures/lockhouse");
    let serve = |database: &str| {
        let mut command = Command::new(&program);
        command
            .arg("serve")
            .arg("--adventure")
            .arg(&adventure)
            .arg("--db")
            .arg(folder.path().join(database));
        command
    };

    let fresh = median(
        (0..starts)
            .map(|nth| start_time(serve(&format!("fresh{nth}.db"))))
            .collect::<Result<_, _>>()?,
    );
    let known = median(
        (0..starts)
            .map(|_| start_time(serve("fresh0.db")))
            .collect::<Result<_, _>>()?,
    );

    let mut rollbook = Peer::start(serve("rolls.db"))?;
    let mut bare = Peer::start({
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("--bare-server");
        command
    })?;
    let mut disk = runtime.block_on(Disk::open(&folder.path().join("bare.db")))?;
    for _ in 0..WARM_UP.min(rolls) {
        rollbook.call("roll_dice", &json!({"expression": "1d20+5"}))?;
        bare.call("bare", &json!({"expression": "1d20+5"}))?;
        runtime.block_on(disk.commit())?;
        runtime.block_on(disk.insert())?;
    }
    let (mut rolled, mut called, mut committed, mut inserted) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rolls {
        rolled.push(rollbook.call("roll_dice", &json!({"expression": "1d20+5"}))?);
        called.push(bare.call("bare", &json!({"expression": "1d20+5"}))?);
        let began = Instant::now();
        runtime.block_on(disk.commit())?;
        committed.push(began.elapsed());
        let began = Instant::now();
        runtime.block_on(disk.insert())?;
        inserted.push(began.elapsed());
    }
    let memory = rollbook.memory_kib();
    let p95 = percentile(&rolled, 95);
    let (rolled, called, committed, inserted) = (
        median(rolled),
        median(called),
        median(committed),
        median(inserted),
    );

    println!(
        "start to the answer of initialize, new database    {:>9.2} ms (median of {starts})",
        ms(fresh)
    );
    println!(
        "start to the answer of initialize, known database  {:>9.2} ms (median of {starts})",
        ms(known)
    );
    println!(
        "resident memory after {:5} rolls                  {:>9.1} MiB",
        rolls,
        memory.unwrap_or(0) as f64 / 1024.0
    );
    println!(
        "roll_dice over stdio                               {:>9.3} ms (median of {rolls}; p95 {:.3} ms)",
        ms(rolled),
        ms(p95)
    );
    println!(
        "  a bare rmcp tool call over stdio                 {:>9.3} ms",
        ms(called)
    );
    println!(
        "  a bare durable transaction of the same bytes     {:>9.3} ms",
        ms(committed)
    );
    println!(
        "  a bare durable insert of the same bytes          {:>9.3} ms",
        ms(inserted)
    );
    let ratio = |disk: Duration| rolled.as_secs_f64() / (called + disk).as_secs_f64();
    println!(
        "  ratio to call and transaction                    {:>9.2}",
        ratio(committed)
    );
    println!(
        "  ratio to call and insert                         {:>9.2}",
        ratio(inserted)
    );
    Ok(())
}

/// The smallest server rmcp can serve: one tool that answers a word.
struct Bare;

impl ServerHandler for Bare {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text("ok")]).into())
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

    /// The cheapest durable commit there is.
    async fn insert(&mut self) -> Result<(), sqlx::Error> {
        sqlx::query("insert into bare (bytes) values ($1)")
            .bind(&self.bytes[..])
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }
}

/// From the start of the process to the answer of `initialize`.
fn start_time(command: Command) -> Result<Duration, Box<dyn std::error::Error>> {
    let began = Instant::now();
    let peer = Peer::start(command)?;
    let took = began.elapsed();
    drop(peer);
    Ok(took)
}
