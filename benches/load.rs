//! Many tables at once over HTTP: clients of many campaigns, mixed calls, everything they were told
//! checked against the book.
//!
//! `cargo bench --bench load` plays for 60 seconds with 1,000 clients on 300 campaigns;
//! `-- CLIENTS CAMPAIGNS SECONDS KILLS` says otherwise. A third of the clients each speaks
//! 2025-06-18 and 2025-11-25, in a session on a connection that stays open, and 2026-07-28, which
//! has no sessions. Before them one client of each version plays alone, a tenth of the time. Beside
//! it stands, in the same run and with the same client, a bare axum handler that makes a bare
//! durable commit for each request. So many times, evenly spread, the server is killed and started
//! anew; who got no answer sends the same call again. Afterwards every log is verified, every roll
//! that was acknowledged is looked for in it by its number and total, and there is no other.

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
use rollbook_store::keys::Role;
use rollbook_table::session::keys;
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

/// The versions of the protocol that clients speak.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-11-25", SESSIONLESS];
/// The one without sessions.
const SESSIONLESS: &str = "2026-07-28";

/// What the clients saw.
#[derive(Default)]
struct Seen {
    /// How long each answered call took, in microseconds, by the version that its client speaks.
    took: HashMap<&'static str, Vec<u64>>,
    /// Campaign, entry and total of every roll that was acknowledged.
    rolls: Vec<(usize, u64, i64)>,
    refused: HashMap<String, usize>,
}

fn main() -> Outcome<()> {
    rollbook::migrations::MIGRATIONS.hand_down();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` asks whether it runs at all.
    let quick = arguments.iter().any(|argument| argument == "--test");
    let numbers: Vec<usize> = arguments
        .iter()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let (clients, campaigns, seconds, kills) = match (quick, numbers.as_slice()) {
        (true, _) => (8, 4, 1, 1),
        (false, [clients, campaigns, seconds]) => (*clients, (*campaigns).max(1), *seconds, 0),
        (false, [clients, campaigns, seconds, kills]) => {
            (*clients, (*campaigns).max(1), *seconds, *kills)
        }
        (false, _) => (1000, 300, 60, 0),
    };
    let limit = Duration::from_secs(seconds as u64);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        println!("{clients} clients on {campaigns} campaigns for {seconds} s, {kills} kills");
        let bare = bare(clients, limit).await?;
        println!("bare handler and bare commit   {bare:>8.0} durable calls/s");
        let folder = tempfile::tempdir()?;
        let database = folder.path().join("campaigns.db");
        let mut all = Vec::new();
        for nth in 0..campaigns {
            all.push(
                keys::make(&database.clone().into(), &name(nth), Role::Gm, None)
                    .await?
                    .0,
            );
        }
        let mut server = Server::start(&database, "127.0.0.1:0")?;
        let mut alone = Seen::default();
        for (nth, version) in VERSIONS.into_iter().enumerate() {
            let (key, end) = (&all[0], Instant::now() + limit / 10);
            alone.add(
                client(
                    server.address,
                    version,
                    &format!("alone {nth}"),
                    0,
                    key,
                    end,
                )
                .await?,
            );
        }
        for version in VERSIONS {
            println!(
                "one client alone, {version}    {}",
                times(alone.took.get(version).cloned().unwrap_or_default())
            );
        }
        let began = Instant::now();
        let mut seen = played(&mut server, clients, &all, limit, kills).await?;
        let took = began.elapsed().as_secs_f64();
        let memory = server.memory();
        server.end()?;
        report(&seen, took, memory, bare);
        seen.add(alone);
        check(&database, &seen).await
    })
}

fn name(nth: usize) -> String {
    format!("table {nth}")
}

impl Seen {
    fn add(&mut self, other: Seen) {
        other
            .took
            .into_iter()
            .for_each(|(version, took)| self.took.entry(version).or_default().extend(took));
        self.rolls.extend(other.rolls);
        other
            .refused
            .into_iter()
            .for_each(|(code, count)| *self.refused.entry(code).or_default() += count);
    }
}

fn times(mut took: Vec<u64>) -> String {
    took.sort_unstable();
    let at = |part: f64| {
        took.get(((took.len().saturating_sub(1)) as f64 * part) as usize)
            .copied()
            .unwrap_or(0) as f64
            / 1000.0
    };
    format!(
        "p50 {:.2} ms, p99 {:.2} ms, longest {:.1} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    )
}

fn report(seen: &Seen, took: f64, memory: Option<u64>, bare: f64) {
    let all: Vec<u64> = seen.took.values().flatten().copied().collect();
    let durable = seen.rolls.len() as f64 / took;
    println!(
        "rollbook, calls answered       {:>8.0} calls/s",
        all.len() as f64 / took
    );
    println!(
        "rollbook, durable calls        {durable:>8.0} durable calls/s, {:.2} of the bare pair",
        durable / bare
    );
    println!("all clients                    {}", times(all));
    for version in VERSIONS {
        println!(
            "… that speak {version}        {}",
            times(seen.took.get(version).cloned().unwrap_or_default())
        );
    }
    if let Some(memory) = memory {
        println!(
            "most memory                    {:>8.0} MB",
            memory as f64 / 1024.0
        );
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
            .args([
                "serve",
                "--adventure",
                ADVENTURE,
                "--http",
                address,
                "--rate",
                "off",
                "--db",
            ])
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
        std::thread::spawn(move || {
            errors
                .lines()
                .map_while(Result::ok)
                .for_each(|line| eprintln!("{line}"))
        });
        Ok(Server {
            child,
            address,
            database: database.to_path_buf(),
        })
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
        status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?
            .split_whitespace()
            .next()?
            .parse()
            .ok()
    }

    fn end(mut self) -> Outcome<()> {
        Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status()?;
        let ended = self.child.wait()?;
        if ended.success() {
            Ok(())
        } else {
            Err(format!("the server ended with {ended}").into())
        }
    }
}

async fn played(
    server: &mut Server,
    clients: usize,
    keys: &[String],
    limit: Duration,
    kills: usize,
) -> Outcome<Seen> {
    let mut all = JoinSet::new();
    let end = Instant::now() + limit;
    for nth in 0..clients {
        let campaign = nth % keys.len();
        let (address, key) = (server.address, keys[campaign].clone());
        let version = VERSIONS[nth % VERSIONS.len()];
        all.spawn(
            async move { client(address, version, &nth.to_string(), campaign, &key, end).await },
        );
    }
    for _ in 0..kills {
        tokio::time::sleep(limit / (kills as u32 + 1)).await;
        server.kill()?;
    }
    let mut seen = Seen::default();
    while let Some(done) = all.join_next().await {
        seen.add(done??);
    }
    Ok(seen)
}

/// One client, which calls again as soon as it is answered: six rolls, a check, two looks, and the
/// odds.
async fn client(
    address: SocketAddr,
    version: &'static str,
    name: &str,
    campaign: usize,
    key: &str,
    end: Instant,
) -> Outcome<Seen> {
    let mut stream = connected(address).await?;
    let mut seen = Seen::default();
    let mut headers = format!("Authorization: Bearer {key}\r\nMCP-Protocol-Version: {version}\r\n");
    if version != SESSIONLESS {
        headers += &format!(
            "Mcp-Session-Id: {}\r\n",
            session(&mut stream, address, version, &headers).await?
        );
    }
    for call in 0.. {
        if Instant::now() >= end {
            break;
        }
        let (tool, arguments) = match call % 10 {
            0..=5 => (
                "roll_dice",
                json!({"expression": "3d6+2", "request_id": format!("{name}.{call}")}),
            ),
            6 => (
                "roll_multiple",
                json!({"rolls": [{"expression": "1d20"}], "request_id": format!("{name}.{call}")}),
            ),
            7 => ("manage_session", json!({"action": "status"})),
            8 => ("get_character", json!({"list": true})),
            _ => ("odds", json!({"expression": "3d6"})),
        };
        let mut params = json!({"name": tool, "arguments": arguments});
        let mut special = headers.clone();
        if version == SESSIONLESS {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": SESSIONLESS,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "load", "version": "1"},
            });
            special += &format!("Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\n");
        }
        let message =
            json!({"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": params});
        let began = Instant::now();
        let message = message.to_string();
        let answer = loop {
            match ask(&mut stream, address, "/mcp", &special, &message).await {
                Ok(answer) => break answer,
                Err(error) if Instant::now() > end + PATIENCE => return Err(error),
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
            if let Ok(another) = connected(address).await {
                stream = another;
            }
        };
        let (status, answer) = (answer.status, answer.message());
        let reply = &answer["result"]["structuredContent"];
        if status != 200 || answer["result"]["isError"] == true || reply.is_null() {
            let code = reply["code"]
                .as_str()
                .map_or_else(|| format!("HTTP {status}"), str::to_owned);
            *seen.refused.entry(code).or_default() += 1;
            continue;
        }
        seen.took
            .entry(version)
            .or_default()
            .push(u64::try_from(began.elapsed().as_micros())?);
        let total = reply["total"]
            .as_i64()
            .or_else(|| reply["totals"][0].as_i64());
        if let (Some(log), Some(total)) = (reply["log"].as_u64(), total) {
            seen.rolls.push((campaign, log, total));
        }
    }
    Ok(seen)
}

type Connection = tokio::io::BufReader<TcpStream>;

/// A connection as the clients of the protocol open one.
async fn connected(address: SocketAddr) -> Outcome<Connection> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(tokio::io::BufReader::new(stream))
}

/// Begins a session; answers its id.
async fn session(
    stream: &mut Connection,
    address: SocketAddr,
    version: &str,
    headers: &str,
) -> Outcome<String> {
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "load", "version": "1"},
    }});
    let hello = ask(stream, address, "/mcp", headers, &hello.to_string()).await?;
    let id = hello
        .session
        .clone()
        .ok_or_else(|| format!("no session: {hello:?}"))?;
    let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let begun = ask(
        stream,
        address,
        "/mcp",
        &format!("{headers}Mcp-Session-Id: {id}\r\n"),
        &begun,
    )
    .await?;
    if begun.status == 202 {
        Ok(id)
    } else {
        Err(format!("no session: {begun:?}").into())
    }
}

/// An answer; of a stream, all of it.
#[derive(Debug, Default)]
struct Answer {
    status: u16,
    session: Option<String>,
    is_stream: bool,
    body: Vec<u8>,
}

impl Answer {
    /// The JSON, or the last message of a stream.
    fn message(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        let message = match self.is_stream {
            true => text
                .lines()
                .rev()
                .filter_map(|line| line.strip_prefix("data:"))
                .find(|data| data.contains('{')),
            false => Some(&*text),
        };
        message
            .and_then(|message| serde_json::from_str(message).ok())
            .unwrap_or_default()
    }
}

/// A request on a connection that stays open, and its answer.
async fn ask(
    stream: &mut Connection,
    address: SocketAddr,
    path: &str,
    headers: &str,
    body: &str,
) -> Outcome<Answer> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes()).await?;
    let (mut answer, mut length, mut is_chunked) = (Answer::default(), 0, false);
    loop {
        let line = line(stream).await?;
        if line.is_empty() {
            break;
        }
        if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
            answer.status = rest.split(' ').next().unwrap_or_default().parse()?;
        } else if let Some((name, value)) = line.split_once(": ") {
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse()?,
                "transfer-encoding" => is_chunked = value == "chunked",
                "content-type" => answer.is_stream = value.starts_with("text/event-stream"),
                "mcp-session-id" => answer.session = Some(value.to_owned()),
                _ => {}
            }
        }
    }
    loop {
        if is_chunked {
            length = usize::from_str_radix(&line(stream).await?, 16)?;
        }
        let before = answer.body.len();
        answer.body.resize(before + length, 0);
        stream.read_exact(&mut answer.body[before..]).await?;
        if is_chunked {
            line(stream).await?;
        }
        if !is_chunked || length == 0 {
            return Ok(answer);
        }
    }
}

/// A line without its end.
async fn line(stream: &mut Connection) -> Outcome<String> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Err("the server closed the connection".into());
    }
    Ok(line.trim_end().to_owned())
}

/// Durable calls a second of the least that such a server could do.
async fn bare(clients: usize, limit: Duration) -> Outcome<f64> {
    let folder = tempfile::tempdir()?;
    let options = SqliteConnectOptions::new()
        .filename(folder.path().join("bare.db"))
        .create_if_missing(true);
    let options = options
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full);
    let mut connection = options.connect().await?;
    sqlx::query("create table log (id integer primary key, body text)")
        .execute(&mut connection)
        .await?;
    let app = Router::new()
        .route("/", post(commit))
        .with_state(Arc::new(Mutex::new(connection)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let serving = tokio::spawn(async move { axum::serve(listener, app).await });
    let limit = limit / 6;
    let end = Instant::now() + limit;
    let mut all = JoinSet::new();
    for _ in 0..clients {
        all.spawn(async move {
            let mut stream = connected(address).await?;
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
    let done = sqlx::query("insert into log (body) values ($1)")
        .bind(&body)
        .execute(&mut *connection)
        .await;
    done.map_or_else(|error| error.to_string(), |_| body)
}

/// Every roll that was acknowledged is in its log, once; every log verifies.
async fn check(database: &PathBuf, seen: &Seen) -> Outcome<()> {
    let verified = Command::new(env!("CARGO_BIN_EXE_rollbook"))
        .arg("verify")
        .arg("--db")
        .arg(database)
        .output()?;
    if !verified.status.success() {
        return Err(String::from_utf8_lossy(&verified.stdout)
            .into_owned()
            .into());
    }
    let mut connection = SqliteConnectOptions::new()
        .filename(database)
        .read_only(true)
        .connect()
        .await?;
    let sql = "select campaigns.name, rolls.seq, rolls.total from rolls join campaigns on campaigns.id = rolls.campaign";
    let mut kept = HashMap::new();
    for row in sqlx::query(sql).fetch_all(&mut connection).await? {
        let (name, seq, total): (String, i64, i64) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if kept.insert((name, seq), total).is_some() {
            return Err("an entry has two rolls".into());
        }
    }
    let lost = seen.rolls.iter().filter(|(campaign, log, total)| {
        kept.get(&(name(*campaign), i64::try_from(*log).unwrap_or(0))) != Some(total)
    });
    let (lost, told, all) = (lost.count(), seen.rolls.len(), kept.len());
    println!(
        "{told} rolls acknowledged, {lost} of them lost; {all} in the logs, and every log verifies"
    );
    if lost > 0 || told != all {
        Err("rolls were lost, or fell of which nobody knows".into())
    } else {
        Ok(())
    }
}
