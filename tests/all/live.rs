//! A campaign when something goes wrong around it: a call that stops half-way, another process that
//! holds the lock, a full disk.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

use rollbook_game::decide::session;
use rollbook_game::table::Chance;
use rollbook_store::{Store, sqlite, verify};
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::live::{self, Opening, View};
use rollbook_table::session::{Answer, CallError, Campaign, Common, Quota, Request};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

use crate::process::{self, Process};
use crate::table::{NOW, Script, Scripted};

async fn campaign(database: &Path) -> Campaign {
    campaign_at(database, || NOW).await
}

async fn campaign_at(database: &Path, clock: fn() -> i64) -> Campaign {
    rollbook::migrations::MIGRATIONS.hand_down();
    let store = sqlite::open(database).await.expect("opens");
    let chance = Box::new(Scripted::new(Script::default()));
    campaign_of(Arc::new(store.into()), "lockhouse", chance, clock).await
}

/// The campaign of that name in a database.
pub async fn campaign_of(
    store: Arc<Store>,
    name: &str,
    chance: Box<dyn Chance>,
    clock: fn() -> i64,
) -> Campaign {
    let adventure = Adventure::read(Path::new(process::LOCKHOUSE)).expect("the adventure");
    let opening = Opening {
        name: name.to_owned(),
        named: false,
        limit: live::TIME_LIMIT,
        quota: Quota::default(),
        meter: Arc::default(),
        queue: Default::default(),
    };
    Campaign::open(store, Arc::new(adventure), opening, chance, clock)
        .await
        .expect("a campaign")
}

/// One thing of what a reader sees.
async fn seen_of(campaign: &Campaign, look: impl Fn(&View) -> Value) -> Value {
    let mut seen = Value::Null;
    let read = campaign.read(Request::default(), |view| {
        seen = look(view);
        Ok(Answer::new(Common::default(), ()))
    });
    read.await.expect("reads");
    seen
}

async fn start(campaign: &Campaign, title: &'static str) -> Result<(), CallError> {
    let started = campaign.write(
        Request {
            tool: "manage_session",
            ..Request::default()
        },
        move |table| {
            session::start(table, Some(title.to_owned()))
                .map(|_| Answer::new(Common::default(), ()))
        },
    );
    started.await.map(drop)
}

async fn is_sound(database: &Path) -> u64 {
    let verified = verify::verify(database, None, None)
        .await
        .expect("can be verified");
    assert!(verified.is_sound(), "{verified:?}");
    verified.campaigns[0].entries
}

#[tokio::test]
async fn the_next_in_line_sees_nothing_of_a_call_that_stopped_half_way() {
    let folder = TempDir::new().expect("a folder");
    let database = folder.path().join("campaigns.db");
    let campaign = campaign(&database).await;
    let stopped = campaign.write::<(), _>(
        Request {
            tool: "manage_session",
            ..Request::default()
        },
        |table| {
            session::start(table, Some("half".to_owned()))?;
            panic!("on purpose")
        },
    );
    // The second call waits for the lock while the first one panics.
    let (stopped, started) = tokio::join!(stopped, start(&campaign, "whole"));
    assert!(matches!(stopped, Err(CallError::Failure(_))), "{stopped:?}");
    started.expect("the next call works");
    let titles = seen_of(&campaign, |view| {
        json!(
            view.state
                .sessions
                .values()
                .map(|row| row.title.clone())
                .collect::<Vec<_>>()
        )
    });
    assert_eq!(titles.await, json!(["whole"]));
    assert_eq!(is_sound(&database).await, 3);
}

#[tokio::test]
async fn a_clock_before_1970_is_refused_and_nothing_is_written() {
    let folder = TempDir::new().expect("a folder");
    let database = folder.path().join("campaigns.db");
    for (clock, at) in [
        ((|| -1) as fn() -> i64, "1969-12-31T23:59:59"),
        (|| i64::MIN, "-9223372036854775808"),
    ] {
        let campaign = campaign_at(&database, clock).await;
        match start(&campaign, "early").await {
            Err(CallError::Refusal(refusal)) => {
                assert_eq!(refusal.code.as_str(), "clock");
                assert!(
                    refusal.summary.contains(at) && refusal.summary.contains("Set the clock right"),
                    "{refusal}"
                );
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(
            seen_of(&campaign, |view| json!(view.head.seq)).await,
            json!(0),
            "reading goes on"
        );
        campaign.close().await;
    }
    let campaign = campaign(&database).await;
    start(&campaign, "now")
        .await
        .expect("the clock is right again");
    assert_eq!(is_sound(&database).await, 3);
}

#[tokio::test]
async fn a_call_that_waited_too_long_for_another_process_is_refused_and_nothing_is_decided() {
    let folder = TempDir::new().expect("a folder");
    let database = folder.path().join("campaigns.db");
    let campaign = campaign(&database).await;
    let mut other = SqliteConnectOptions::new()
        .filename(&database)
        .connect()
        .await
        .expect("opens");
    sqlx::query("begin immediate")
        .execute(&mut other)
        .await
        .expect("takes the lock");
    let decided = Arc::new(AtomicBool::new(false));
    let seen = decided.clone();
    let began = Instant::now();
    let refused = campaign.write(
        Request {
            tool: "manage_session",
            ..Request::default()
        },
        move |table| {
            seen.store(true, Ordering::SeqCst);
            session::start(table, None).map(|_| Answer::new(Common::default(), ()))
        },
    );
    match refused.await {
        Err(CallError::Refusal(refusal)) => {
            assert_eq!(refusal.code.as_str(), "busy");
            assert!(
                refusal.summary.contains("Send the same call again."),
                "{}",
                refusal.summary
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(began.elapsed() >= Duration::from_secs(5) && !decided.load(Ordering::SeqCst));
    assert_eq!(
        seen_of(&campaign, |view| json!(view.head.seq)).await,
        json!(0),
        "reading goes on meanwhile"
    );
    sqlx::query("rollback")
        .execute(&mut other)
        .await
        .expect("lets go");
    other.close().await.expect("closes");
    start(&campaign, "after")
        .await
        .expect("the same call again");
    assert_eq!(is_sound(&database).await, 3);
}

/// A file may not grow beyond 256 KB, which is a full disk as far as SQLite can tell.
#[cfg(unix)]
#[test]
fn a_full_disk_refuses_calls_and_loses_nothing_that_was_answered() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut command = Command::new("bash");
    let program = env!("CARGO_BIN_EXE_rollbook");
    command.args([
        "-c",
        &format!("trap '' XFSZ; ulimit -f 256; exec {program} \"$@\""),
        "bash",
    ]);
    let mut server = Process::of(command, folder.clone());
    server.initialize();
    let mut last = 0;
    let refused = loop {
        let result = server.call("roll_dice", json!({"expression": "20d6"}));
        if result["isError"] == true {
            break result;
        }
        last = result["structuredContent"]["log"]
            .as_u64()
            .expect("a number");
        assert!(last < 1000, "the disk was never full");
    };
    assert_eq!(refused["structuredContent"]["code"], "disk", "{refused}");
    let again = server.call("roll_dice", json!({"expression": "20d6"}));
    assert_eq!(again["structuredContent"]["code"], "disk", "{again}");
    let status = server.done("manage_session", json!({"action": "status"}));
    assert_eq!(status["log_length"], last, "what was refused is not there");
    server.signal("KILL");
    server.wait();
    let mut server = Process::hello(folder.clone());
    let rolled = server.done("roll_dice", json!({"expression": "20d6"}));
    assert_eq!(rolled["log"], last + 1);
    server.end();
    assert_eq!(
        process::block_on(is_sound(&folder.path().join("campaigns.db"))),
        last + 1
    );
}

/// A clock that a test sets.
static CLOCK: AtomicI64 = AtomicI64::new(NOW);

#[tokio::test]
async fn a_clients_own_id_means_the_same_call_for_ten_minutes() {
    let folder = TempDir::new().expect("a folder");
    let database = folder.path().join("campaigns.db");
    let clock = || CLOCK.load(Ordering::SeqCst);
    let campaign = campaign_at(&database, clock).await;
    let call = async |implied: bool, id: &str| {
        let request_id = Some(id.to_owned());
        let request = Request {
            tool: "manage_session",
            request_id,
            implied,
            ..Request::default()
        };
        let written = campaign.write(request, |table| {
            if table.state.open_session().is_some() {
                session::end(table)?;
            }
            session::start(table, None).map(|_| Answer::new(Common::default(), ()))
        });
        written.await.expect("it is made").common.replayed
    };
    const MINUTE: i64 = 60 * 1_000_000;
    for (passed, implied, id, replayed) in [
        (0, true, "call_1", false),
        (0, false, "written", false),
        (10 * MINUTE, true, "call_1", true),
        (10 * MINUTE + 1, true, "call_1", false),
        (10 * MINUTE + 1, true, "call_1", false),
        (-10 * MINUTE - 1, true, "call_1", false),
        (10 * MINUTE + 1, false, "written", true),
    ] {
        CLOCK.store(NOW + passed, Ordering::SeqCst);
        assert_eq!(call(implied, id).await, replayed, "{id} after {passed}");
    }
    CLOCK.store(NOW, Ordering::SeqCst);
    campaign.close().await;
    is_sound(&database).await;
}
