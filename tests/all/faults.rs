//! Servers and databases that die in the midst of calls from many clients: what was answered is in
//! the log, and once. A client that got no answer sends the same call again, as a host's proxy or a
//! player's assistant does.
//!
//! `ROLLBOOK_FAULTS=50` makes so many faults of each kind.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http::web::Web;
use crate::postgres::server::{Database, Server};
use crate::process::rollbook;

const CLIENTS: usize = 24;
const PATIENCE: Duration = Duration::from_secs(60);

pub fn faults(least: usize) -> usize {
    std::env::var("ROLLBOOK_FAULTS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(least)
}

/// Every answered roll: its campaign and `request_id`, with the number of its entry and its total.
type Answered = BTreeMap<(String, String), (u64, i64)>;

/// Clients that roll until they are stopped, each on the campaign of its number; a call without an
/// answer goes to the next address.
struct Clients {
    stop: Arc<AtomicBool>,
    answered: Arc<Mutex<Answered>>,
    count: Arc<AtomicUsize>,
    all: Vec<thread::JoinHandle<()>>,
}

impl Clients {
    fn begin(campaigns: usize, addresses: Vec<SocketAddr>) -> Clients {
        let (stop, answered, count): (Arc<AtomicBool>, Arc<Mutex<Answered>>, Arc<AtomicUsize>) =
            Default::default();
        let all = (0..CLIENTS).map(|client| {
            let (stop, answered, count) = (stop.clone(), answered.clone(), count.clone());
            let addresses = addresses.clone();
            thread::spawn(move || {
                for nth in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let campaign = format!("table {}", (client + nth * CLIENTS) % campaigns);
                    let id = format!("{client}.{nth}");
                    let call =
                        json!({"campaign": campaign, "expression": "4d100", "request_id": id});
                    let answer = answer_of(&addresses, client, &call);
                    let entry = (
                        answer["result"]["log"].as_u64().expect("a number"),
                        answer["result"]["total"].as_i64().expect("a total"),
                    );
                    assert_eq!(
                        answered
                            .lock()
                            .expect("no panic")
                            .insert((campaign, id), entry),
                        None
                    );
                    count.fetch_add(1, Ordering::Relaxed);
                }
            })
        });
        let all = all.collect();
        Clients {
            stop,
            answered,
            count,
            all,
        }
    }

    /// Waits until so many more calls were answered.
    fn wait_for(&self, more: usize) {
        let until = self.count.load(Ordering::Relaxed) + more;
        while self.count.load(Ordering::Relaxed) < until {
            assert!(
                self.all.iter().all(|client| !client.is_finished()),
                "a client gave up"
            );
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn end(self) -> Answered {
        self.stop.store(true, Ordering::Relaxed);
        for client in self.all {
            client.join().expect("no client fails");
        }
        std::mem::take(&mut *self.answered.lock().expect("no panic"))
    }
}

/// The answer to a call that is sent until there is one.
fn answer_of(addresses: &[SocketAddr], client: usize, call: &Value) -> Value {
    let body = call.to_string();
    let mut why = String::new();
    for attempt in 0..6000 {
        match ask(addresses[(client + attempt) % addresses.len()], &body) {
            Ok((200, answer)) => return answer,
            Ok((status, answer)) => why = format!("{status} {answer}"),
            Err(error) => why = error.to_string(),
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("no answer to {call}: {why}");
}

fn ask(address: SocketAddr, body: &str) -> std::io::Result<(u16, Value)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let head = format!(
        "POST /api/roll HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let status = answer.get(9..12).and_then(|status| status.parse().ok());
    let value = answer
        .split_once("\r\n\r\n")
        .and_then(|(_, body)| serde_json::from_str(body).ok());
    status
        .zip(value)
        .ok_or_else(|| std::io::Error::other(format!("no whole answer: {answer:?}")))
}

/// Every log verifies, and its rolls are those that were answered: each of them, and no other.
fn holds_what_was_answered(folder: &TempDir, database: &str, campaigns: usize, answered: Answered) {
    let verified = rollbook(folder.path())
        .args(["verify", "--db", database])
        .output()
        .expect("runs");
    assert!(verified.status.success(), "{verified:?}");
    let mut answers: BTreeMap<String, BTreeMap<u64, i64>> = BTreeMap::new();
    for ((campaign, _), (log, total)) in answered {
        assert_eq!(
            answers.entry(campaign).or_default().insert(log, total),
            None,
            "an entry answers one call"
        );
    }
    assert_eq!(answers.len(), campaigns);
    for (campaign, answers) in answers {
        let out = folder.path().join(format!("{campaign}.jsonl"));
        let export = rollbook(folder.path())
            .args([
                "export",
                "--format",
                "jsonl",
                "--audience",
                "gm",
                "--db",
                database,
                "--campaign",
                &campaign,
                "--out",
            ])
            .arg(&out)
            .output()
            .expect("runs");
        assert!(export.status.success(), "{export:?}");
        let mut kept = BTreeMap::new();
        for line in std::fs::read_to_string(&out).expect("text").lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            for roll in line["body"]["rolls"].as_array().into_iter().flatten() {
                kept.insert(
                    line["proof"]["seq"].as_u64().expect("a number"),
                    roll["roll"]["total"].as_i64().expect("a total"),
                );
            }
        }
        assert_eq!(kept, answers, "{campaign}");
    }
}

#[test]
fn a_server_that_is_killed_again_and_again_loses_nothing_and_rolls_nothing_twice() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Web::on(folder.clone(), &["--rate", "off"]);
    let address = server.address;
    let clients = Clients::begin(8, vec![address]);
    for fault in 0..faults(6) {
        clients.wait_for(20 + fault % 7);
        server.signal("KILL");
        server.wait();
        server = Web::at(folder.clone(), &address.to_string(), &["--rate", "off"]);
    }
    clients.wait_for(50);
    let answered = clients.end();
    server.signal("TERM");
    assert!(server.wait().success());
    holds_what_was_answered(
        &folder,
        &folder.path().join("campaigns.db").display().to_string(),
        8,
        answered,
    );
}

/// `rollbook serve --http` on a database server.
pub fn serve(folder: &Arc<TempDir>, url: &str) -> Web {
    let mut command = rollbook(folder.path());
    command.args([
        "serve",
        "--adventure",
        crate::process::LOCKHOUSE,
        "--http",
        "127.0.0.1:0",
        "--rate",
        "off",
        "--db",
        url,
    ]);
    command
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null());
    Web::of(command, folder.clone())
}

#[test]
fn a_database_server_that_stops_hard_again_and_again_loses_nothing_and_no_die_falls_twice() {
    let Some(postgres) = Server::durable() else {
        return;
    };
    let database = Database::empty_on(&postgres);
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let server = serve(&folder, &database.url());
    let clients = Clients::begin(8, vec![server.address]);
    for fault in 0..faults(3) {
        clients.wait_for(50 + fault % 7);
        postgres.stop_hard();
        postgres.begin_again();
    }
    clients.wait_for(50);
    let answered = clients.end();
    holds_what_was_answered(&folder, &database.url(), 8, answered);
    server.signal("TERM");
    assert!(server.wait().success());
}

#[test]
fn of_two_servers_on_one_database_one_dies_and_the_other_goes_on() {
    let Some(database) = Database::empty() else {
        return;
    };
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let (first, second) = (
        serve(&folder, &database.url()),
        serve(&folder, &database.url()),
    );
    let campaigns = if faults(0) > 0 { 200 } else { 40 };
    // Each client goes to one of them, and to the other where that one does not answer; so both play each campaign.
    let clients = Clients::begin(campaigns, vec![first.address, second.address]);
    clients.wait_for(campaigns * 4);
    first.signal("KILL");
    first.wait();
    clients.wait_for(campaigns * 4);
    let answered = clients.end();
    holds_what_was_answered(&folder, &database.url(), campaigns, answered);
    second.signal("TERM");
    assert!(second.wait().success());
}

/// One change after another of a campaign, each sent with its `request_id` until it is
/// acknowledged.
fn award(server: &Web, campaign: &str, id: &str) {
    let call = json!({
        "campaign": campaign, "action": "award", "character": "Ann", "xp": 1, "override_reason": "found", "request_id": id,
    });
    let mut why = Value::Null;
    for _ in 0..6000 {
        why = server.call(&[], "manage_character", call.clone()).json();
        if why["result"]["structuredContent"]["log"].is_u64() {
            return;
        }
        thread::sleep(Duration::from_millis(2));
    }
    panic!("{call} was never acknowledged: {why}");
}

/// Servers that were started before there is a campaign all write to it from its first moments on,
/// and connections to the database end in between. What was acknowledged is there, once; the tables
/// are what the log adds up to, for every server and for `verify`.
#[test]
fn several_servers_that_fight_over_one_campaign_lose_nothing() {
    let Some(database) = Database::empty() else {
        return;
    };
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let servers: Vec<Web> = (0..3).map(|_| serve(&folder, &database.url())).collect();
    for nth in 0..faults(6) {
        let campaign = format!("fight {nth}");
        let fighting = if nth % 3 == 2 {
            &servers[..2]
        } else {
            &servers[..]
        };
        let counts: Vec<u64> = (0..fighting.len())
            .map(|server| if server == 0 { 40 } else { 15 })
            .collect();
        thread::scope(|scope| {
            for (server, (web, count)) in fighting.iter().zip(&counts).enumerate() {
                let campaign = &campaign;
                scope.spawn(move || {
                    if server == 0 {
                        let create = json!({
                            "campaign": campaign, "action": "create", "name": "Ann", "kind": "player", "request_id": "create",
                        });
                        while !web.call(&[], "manage_character", create.clone()).json()["result"]["structuredContent"]
                            ["log"]
                            .is_u64()
                        {}
                    } else {
                        thread::sleep(Duration::from_millis(7 * nth as u64 % 80));
                    }
                    (0..*count).for_each(|nth| award(web, campaign, &format!("{server}.{nth}")));
                });
            }
            if nth % 2 == 1 {
                // A campaign that is there already, and connections that end while it is played.
                for _ in 0..3 {
                    thread::sleep(Duration::from_millis(20));
                    database.execute(
                        "select pg_terminate_backend(pid) from pg_stat_activity
                         where datname = current_database() and pid <> pg_backend_pid()",
                    );
                }
            }
        });
        let acknowledged: u64 = counts.iter().sum();
        for server in &servers {
            let sheet = json!({"campaign": campaign, "character": "Ann", "detail": "full"});
            let sheet = server.call(&[], "get_character", sheet).content();
            assert_eq!(
                sheet["character"]["xp"], acknowledged,
                "{campaign}: {sheet}"
            );
        }
    }
    let verified = rollbook(folder.path())
        .args(["verify", "--db", &database.url()])
        .output()
        .expect("runs");
    assert!(
        verified.status.success(),
        "{}",
        String::from_utf8_lossy(&verified.stdout)
    );
}

/// A primary ends and its synchronous standby is promoted behind one address, while both servers of
/// it are played on; then the other way round, again and again.
#[test]
#[ignore = "takes minutes; `just full` runs it"]
fn a_standby_that_is_promoted_again_and_again_loses_nothing_and_no_die_falls_twice() {
    let (Some(first), Some(second)) = (Server::durable(), Server::durable()) else {
        return;
    };
    first.execute("create database played template template0");
    second.stop_hard();
    let folder = Arc::new(TempDir::new().expect("a folder"));
    // As a proxy leads to the one that is written.
    let place = folder.path().join("current");
    let lead_to = |server: &Server| {
        let _ = std::fs::remove_file(&place);
        std::os::unix::fs::symlink(server.folder(), &place).expect("is linked");
    };
    lead_to(&first);
    let url = format!("postgres:///played?host={}&user=postgres", place.display());
    let servers = [serve(&folder, &url), serve(&folder, &url)];
    let clients = Clients::begin(8, servers.iter().map(|server| server.address).collect());
    let (mut primary, mut standby) = (&first, &second);
    for fault in 0..faults(10) {
        clients.wait_for(50);
        standby.follow(primary);
        clients.wait_for(50 + fault % 7);
        primary.stop_hard();
        standby.promote();
        lead_to(standby);
        std::mem::swap(&mut primary, &mut standby);
    }
    clients.wait_for(50);
    let answered = clients.end();
    holds_what_was_answered(&folder, &url, 8, answered);
    for server in servers {
        server.signal("TERM");
        assert!(server.wait().success());
    }
}
