//! Many tables at once over HTTP: clients of many campaigns, mixed calls, everything they were told checked against the book.
//!
//! `cargo bench --bench load` plays for 60 seconds with 1,000 clients on 300 campaigns; `-- CLIENTS CAMPAIGNS SECONDS KILLS` says otherwise.
//! Beside it stands, in the same run and with the same client, a bare axum handler that makes a bare durable commit for each request.
//! So many times, evenly spread, the server is killed and started anew; who got no answer sends the same call again.
//! Afterwards every log is verified, every roll that was acknowledged is looked for in it by its number and total, and there is no other.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use rollbook::session::keys;
use rollbook::store::keys::Role;
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Row};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// How long a client looks for a server that is gone, and how often.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);

const ADVENTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/lockhouse");

/// What every client of one kind saw.
#[derive(Default)]
struct Seen {
    /// How long each answered call took, in microseconds.
    took: Vec<u64>,
    /// Campaign, entry and total of every roll that was acknowledged.
    rolls: Vec<(usize, u64, i64)>,
    refused: HashMap<String, usize>,
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` asks whether it runs at all.
    let quick = arguments.iter().any(|argument| argument == "--test");
    let numbers: Vec<usize> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let (clients, campaigns, seconds, kills) = match (quick, numbers.as_slice()) {
        (true, _) => (8, 4, 1, 1),
        (false, [clients, campaigns, seconds]) => (*clients, (*campaigns).max(1), *seconds, 0),
        (false, [clients, campaigns, seconds, kills]) => (*clients, (*campaigns).max(1), *seconds, *kills),
        (false, _) => (1000, 300, 60, 0),
    };
    let limit = Duration::from_secs(seconds as u64);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        println!("{clients} clients on {campaigns} campaigns for {seconds} s, {kills} kills");
        let bare = bare(clients, limit).await?;
        println!("bare handler and bare commit   {bare:>8.0} durable calls/s");
        let folder = tempfile::tempdir()?;
        let database = folder.path().join("campaigns.db");
        let mut all = Vec::new();
        for nth in 0..campaigns {
            all.push(keys::make(&database.clone().into(), &name(nth), Role::Gm, None).await?.0);
        }
        let mut server = Server::start(&database, "127.0.0.1:0")?;
        let began = Instant::now();
        let seen = played(&mut server, clients, &all, limit, kills).await?;
        let took = began.elapsed().as_secs_f64();
        let memory = server.memory();
        server.end()?;
        report(&seen, took, memory, bare);
        check(&database, &seen).await
    })
}

fn name(nth: usize) -> String {
    format!("table {nth}")
}

fn report(seen: &Seen, took: f64, memory: Option<u64>, bare: f64) {
    let mut times = seen.took.clone();
    times.sort_unstable();
    let at = |part: f64| {
        times.get(((times.len().saturating_sub(1)) as f64 * part) as usize).copied().unwrap_or(0) as f64 / 1000.0
    };
    let durable = seen.rolls.len() as f64 / took;
    println!("rollbook, calls answered       {:>8.0} calls/s", times.len() as f64 / took);
    println!("rollbook, durable calls        {durable:>8.0} durable calls/s, {:.2} of the bare pair", durable / bare);
    println!("p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms", at(0.5), at(0.99), at(1.0));
    if let Some(memory) = memory {
        println!("most memory                    {:>8.0} MB", memory as f64 / 1024.0);
    }
    for (code, count) in &seen.refused {
        println!("refused: {code} {count}");
    }
}

/// The program under load.
struct Server {
    child: Child,
    address: SocketAddr,
    database: PathBuf,
}

impl Server {
    fn start(database: &Path, address: &str) -> Outcome<Server> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rollbook"))
            .args(["serve", "--adventure", ADVENTURE, "--http", address, "--rate", "off", "--db"])
            .arg(database)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut errors = BufReader::new(child.stderr.take().ok_or("no standard error")?);
        let address = loop {
            let mut line = String::new();
            if errors.read_line(&mut line)? == 0 {
                return Err("the server ended".into());
            }
            if let Some((_, rest)) = line.split_once("://") {
                break rest.split('/').next().unwrap_or_default().parse()?;
            }
        };
        std::thread::spawn(move || errors.lines().map_while(Result::ok).for_each(|line| eprintln!("{line}")));
        Ok(Server { child, address, database: database.to_path_buf() })
    }

    /// Kills it and starts another in its place.
    fn kill(&mut self) -> Outcome<()> {
        self.child.kill()?;
        self.child.wait()?;
        *self = Server::start(&self.database, &self.address.to_string())?;
        Ok(())
    }

    /// The most memory it ever had, in KiB.
    fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
    }

    fn end(mut self) -> Outcome<()> {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        let ended = self.child.wait()?;
        if ended.success() { Ok(()) } else { Err(format!("the server ended with {ended}").into()) }
    }
}

async fn played(server: &mut Server, clients: usize, keys: &[String], limit: Duration, kills: usize) -> Outcome<Seen> {
    let mut all = JoinSet::new();
    let end = Instant::now() + limit;
    for nth in 0..clients {
        let campaign = nth % keys.len();
        let (address, key) = (server.address, keys[campaign].clone());
        all.spawn(async move { client(address, nth, campaign, &key, end).await });
    }
    for _ in 0..kills {
        tokio::time::sleep(limit / (kills as u32 + 1)).await;
        server.kill()?;
    }
    let mut seen = Seen::default();
    while let Some(done) = all.join_next().await {
        let one = done??;
        seen.took.extend(one.took);
        seen.rolls.extend(one.rolls);
        one.refused.into_iter().for_each(|(code, count)| *seen.refused.entry(code).or_default() += count);
    }
    Ok(seen)
}

/// One client, who calls again as soon as it is answered: six rolls, a check, two looks, and the odds.
async fn client(address: SocketAddr, nth: usize, campaign: usize, key: &str, end: Instant) -> Outcome<Seen> {
    let mut stream = tokio::io::BufReader::new(TcpStream::connect(address).await?);
    let mut seen = Seen::default();
    let headers = format!("Authorization: Bearer {key}\r\n");
    for call in nth.. {
        if Instant::now() >= end {
            break;
        }
        let (tool, arguments) = match call % 10 {
            0..=5 => ("roll_dice", json!({"expression": "3d6+2", "request_id": format!("{nth}.{call}")})),
            6 => ("roll_multiple", json!({"rolls": [{"expression": "1d20"}], "request_id": format!("{nth}.{call}")})),
            7 => ("manage_session", json!({"action": "status"})),
            8 => ("get_character", json!({"list": true})),
            _ => ("odds", json!({"expression": "3d6"})),
        };
        let params = json!({"name": tool, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "load", "version": "1"},
        }});
        let message = json!({"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": params});
        let special =
            format!("{headers}MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n");
        let began = Instant::now();
        let message = message.to_string();
        let (status, body) = loop {
            match ask(&mut stream, address, "/mcp", &special, &message).await {
                Ok(answer) => break answer,
                Err(error) if Instant::now() > end + PATIENCE => return Err(error),
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
            if let Ok(another) = TcpStream::connect(address).await {
                stream = tokio::io::BufReader::new(another);
            }
        };
        let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
        let reply = &answer["result"]["structuredContent"];
        if status != 200 || answer["result"]["isError"] == true || reply.is_null() {
            let code = reply["code"].as_str().map_or_else(|| format!("HTTP {status}"), str::to_owned);
            *seen.refused.entry(code).or_default() += 1;
            continue;
        }
        seen.took.push(u64::try_from(began.elapsed().as_micros())?);
        let total = reply["total"].as_i64().or_else(|| reply["totals"][0].as_i64());
        if let (Some(log), Some(total)) = (reply["log"].as_u64(), total) {
            seen.rolls.push((campaign, log, total));
        }
    }
    Ok(seen)
}

/// A request on a connection that stays open, and its answer.
async fn ask(
    stream: &mut tokio::io::BufReader<TcpStream>,
    address: SocketAddr,
    path: &str,
    headers: &str,
    body: &str,
) -> Outcome<(u16, Vec<u8>)> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes()).await?;
    let (mut status, mut length) = (0, 0);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Err("the server closed the connection".into());
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
            status = rest.split(' ').next().unwrap_or_default().parse()?;
        } else if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok((status, body))
}

/// Durable calls a second of the least that such a server could do.
async fn bare(clients: usize, limit: Duration) -> Outcome<f64> {
    let folder = tempfile::tempdir()?;
    let options = SqliteConnectOptions::new().filename(folder.path().join("bare.db")).create_if_missing(true);
    let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
    let mut connection = options.connect().await?;
    sqlx::query("create table log (id integer primary key, body text)").execute(&mut connection).await?;
    let app = Router::new().route("/", post(commit)).with_state(Arc::new(Mutex::new(connection)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let serving = tokio::spawn(async move { axum::serve(listener, app).await });
    let limit = limit / 6;
    let end = Instant::now() + limit;
    let mut all = JoinSet::new();
    for _ in 0..clients {
        all.spawn(async move {
            let mut stream = tokio::io::BufReader::new(TcpStream::connect(address).await?);
            let mut count = 0u32;
            while Instant::now() < end {
                ask(&mut stream, address, "/", "", &"x".repeat(900)).await?;
                count += 1;
            }
            Outcome::Ok(count)
        });
    }
    let mut count = 0.0;
    while let Some(one) = all.join_next().await {
        count += f64::from(one??);
    }
    serving.abort();
    Ok(count / limit.as_secs_f64())
}

async fn commit(State(connection): State<Arc<Mutex<SqliteConnection>>>, body: String) -> String {
    let mut connection = connection.lock().await;
    let done = sqlx::query("insert into log (body) values ($1)").bind(&body).execute(&mut *connection).await;
    done.map_or_else(|error| error.to_string(), |_| body)
}

/// Every roll that was acknowledged is in its log, once; every log verifies.
async fn check(database: &PathBuf, seen: &Seen) -> Outcome<()> {
    let verified = Command::new(env!("CARGO_BIN_EXE_rollbook")).arg("verify").arg("--db").arg(database).output()?;
    if !verified.status.success() {
        return Err(String::from_utf8_lossy(&verified.stdout).into_owned().into());
    }
    let mut connection = SqliteConnectOptions::new().filename(database).read_only(true).connect().await?;
    let sql =
        "select campaigns.name, rolls.seq, rolls.total from rolls join campaigns on campaigns.id = rolls.campaign";
    let mut kept = HashMap::new();
    for row in sqlx::query(sql).fetch_all(&mut connection).await? {
        let (name, seq, total): (String, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if kept.insert((name, seq), total).is_some() {
            return Err("an entry has two rolls".into());
        }
    }
    let lost = seen
        .rolls
        .iter()
        .filter(|(campaign, log, total)| kept.get(&(name(*campaign), i64::try_from(*log).unwrap_or(0))) != Some(total));
    let (lost, told, all) = (lost.count(), seen.rolls.len(), kept.len());
    println!("{told} rolls acknowledged, {lost} of them lost; {all} in the logs, and every log verifies");
    if lost > 0 || told != all { Err("rolls were lost, or fell of which nobody knows".into()) } else { Ok(()) }
}
