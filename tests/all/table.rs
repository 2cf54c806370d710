//! A table to tell stories at: a real server behind the real protocol, in this process, with dice
//! that were set before.
//!
//! ```ignore
//! Table::lockhouse().dice([13]).skill_check(json!({"skill": "Lockpicking", "difficulty": 15}))
//! ```
//!
//! Ids, nonces, salts and the clock are fixed. Dice left over, dice too few, a refusal nobody
//! looked at, an answer that does not fit its tool's schema and a log that is not sound in the end
//! fail the test by themselves.

mod answer;
mod chance;
mod record;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rollbook_game::view::Audience;
use rollbook_record::export::{self, Format, Wanted};
use rollbook_server::mcp::{self, CallFailed, Client};
use rollbook_store::location::Location;
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::live::TIME_LIMIT;
use rollbook_table::session::{Host, ReplyDetail};
use rollbook_table::tools::{Category, Registry, tool_named};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

pub use answer::{Answer, cases, each, has, text};
pub use chance::{Script, Scripted};
pub use record::Record;

use crate::postgres::server::Database;
use crate::schema;

/// `ROLLBOOK_TEST_DB=postgres` tells the stories on a server.
const ON: &str = "ROLLBOOK_TEST_DB";

/// 2026-11-20T19:30:00Z, a Friday evening; the clock is still until a test says that time passes.
pub const NOW: i64 = 1_795_203_000_000_000;

thread_local! {
    /// What has passed since [`NOW`], in microseconds; a table's server runs in its test's thread.
    static PASSED: Cell<i64> = const { Cell::new(0) };
}

/// A table, its server and its client.
pub struct Table {
    runtime: Arc<Runtime>,
    connection: Option<Connection>,
    adventure: PathBuf,
    database: PathBuf,
    script: Script,
    /// How long the server gives a call.
    time_limit: Duration,
    /// The database on a server that is played on instead of the file, with [`ON`].
    server: Option<Arc<Database>>,
    /// Where the database lies; shared with tables that sit down at the same one.
    folder: Arc<TempDir>,
    /// Whether a test changed the database by hand, so that its log need not be sound.
    touched: Cell<bool>,
    /// A call was logged, so there is a log to look at in the end.
    logged: Cell<bool>,
}

struct Connection {
    client: Client,
    served: JoinHandle<Result<(), String>>,
}

impl Table {
    /// A table for the adventure that the program itself begins with.
    pub fn lockhouse() -> Table {
        Table::shipped("lockhouse")
    }

    /// A table for an adventure of this repository.
    pub fn shipped(adventure: &str) -> Table {
        Table::of(&Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures")).join(adventure))
    }

    /// A table with two people at it: Sabeth the locksmith and Jory the porter, as `Characters.md`
    /// has them.
    pub fn with_party() -> Table {
        let mut table = Table::lockhouse();
        table.manage_character(sabeth()).is_fine();
        table.manage_character(jory()).is_fine();
        table
    }

    /// The same in a file, and on a server where there is one.
    pub fn with_party_in_each() -> Vec<Table> {
        let server = Database::new().map(Arc::new);
        let places = std::iter::once(None).chain(server.map(Some));
        let tables = places.map(|server| {
            let folder = Arc::new(TempDir::new().expect("a folder for the database"));
            let (adventure, database) = (
                Path::new(crate::process::LOCKHOUSE),
                folder.path().join("campaigns.db"),
            );
            let mut table = Table::sit_down(adventure, database, Script::default(), folder, server);
            table.manage_character(sabeth()).is_fine();
            table.manage_character(jory()).is_fine();
            table
        });
        tables.collect()
    }

    /// A table for the adventure in that folder.
    pub fn of(adventure: &Path) -> Table {
        let folder = Arc::new(TempDir::new().expect("a folder for the database"));
        let database = folder.path().join("campaigns.db");
        Table::sit_down(adventure, database, Script::default(), folder, server())
    }

    /// A table for an adventure whose `System.md` says this; `None` is a narrative adventure.
    pub fn of_rules(rules: Option<&str>) -> Table {
        let folder = Arc::new(TempDir::new().expect("a folder for the adventure"));
        let adventure = folder.path().join("adventure");
        std::fs::create_dir(&adventure).expect("the adventure's folder");
        if let Some(rules) = rules {
            std::fs::write(adventure.join("System.md"), rules).expect("System.md");
        }
        let database = folder.path().join("campaigns.db");
        Table::sit_down(&adventure, database, Script::default(), folder, server())
    }

    /// A table by these rules, with a character of each of these names, whose sheet says this.
    #[track_caller]
    pub fn of_people(rules: &str, names: &[&str], sheet: Value) -> Table {
        let mut table = Table::of_rules(Some(rules));
        for name in names {
            table.create(name, sheet.clone());
        }
        table
    }

    /// A table with another database in the same folder.
    pub fn next_to(&self, database: &str) -> Table {
        Table::sit_down(
            &self.adventure,
            self.path(database),
            self.script.clone(),
            self.folder.clone(),
            server(),
        )
    }

    /// A second server with the same database, as another process would be.
    pub fn beside(&self) -> Table {
        Table::sit_down(
            &self.adventure,
            self.database.clone(),
            self.script.clone(),
            self.folder.clone(),
            self.server.clone(),
        )
    }

    fn sit_down(
        adventure: &Path,
        database: PathBuf,
        script: Script,
        folder: Arc<TempDir>,
        server: Option<Arc<Database>>,
    ) -> Table {
        rollbook::migrations::MIGRATIONS.hand_down();
        let runtime = Arc::new(crate::process::runtime());
        let mut table = Table {
            runtime,
            connection: None,
            adventure: adventure.to_owned(),
            database,
            script,
            time_limit: TIME_LIMIT,
            server,
            folder,
            touched: Cell::new(false),
            logged: Cell::new(false),
        };
        table.connect();
        table
    }

    fn connect(&mut self) {
        let adventure = Adventure::read(&self.adventure).expect("the adventure's folder");
        let script = self.script.clone();
        let chance = move || Ok(Box::new(Scripted::new(script.clone())) as Box<_>);
        let mut host = Host::new(adventure, self.location(), None, Box::new(chance), || {
            NOW + PASSED.get()
        })
        .thrown_away();
        host.detail = ReplyDetail::Full;
        host.time_limit = self.time_limit;
        let host = Arc::new(host);
        let tools = Arc::new(Registry::of(&Category::ALL));
        let (near, far) = tokio::io::duplex(64 * 1024);
        let connection = self.runtime.block_on(async {
            let (read, write) = tokio::io::split(far);
            let served = tokio::spawn(mcp::serve(host, tools, read, write, std::future::pending()));
            let (read, write) = tokio::io::split(near);
            Connection {
                client: Client::connect(read, write).await.expect("a server"),
                served,
            }
        });
        self.connection = Some(connection);
    }

    /// The client leaves, the server ends, and both come back to the same database.
    pub fn restart(&mut self) {
        self.leave();
        self.connect();
    }

    /// The same, and from now on the server gives a call so much time.
    pub fn restart_with_limit(&mut self, limit: Duration) {
        self.time_limit = limit;
        self.restart();
    }

    /// The client leaves, the server ends, something is done with the database, and both come back
    /// to it.
    pub fn away<T>(&mut self, work: impl FnOnce(&Table) -> T) -> T {
        self.leave();
        self.spoil();
        let done = work(self);
        self.connect();
        done
    }

    /// Its log is not looked at in the end, since the test spoils it by hand.
    pub fn spoil(&self) {
        self.touched.set(true);
    }

    fn leave(&mut self) {
        let Some(Connection { client, served }) = self.connection.take() else {
            return;
        };
        let ended = self.runtime.block_on(async {
            client.close().await;
            served.await
        });
        assert_eq!(
            ended.expect("the server did not panic"),
            Ok(()),
            "the server ended in good order"
        );
    }

    /// The next faces that fall, in the order of the draws.
    pub fn dice(&mut self, faces: impl IntoIterator<Item = i64>) -> &mut Table {
        self.script.add(faces);
        self
    }

    /// Dice that fall as they like, the same for the same seed.
    pub fn endless_dice(&mut self, seed: u64) -> &mut Table {
        self.script.endless(seed);
        self
    }

    /// Time passes, outside the game.
    pub fn minutes_pass(&mut self, minutes: i64) -> &mut Table {
        PASSED.set(PASSED.get() + minutes * 60_000_000);
        self
    }

    /// Any call. The answer is checked against the tool's schema, the dice against what was set.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        let connection = self.connection.as_ref().expect("the table is open");
        let entry = tool_named(tool).expect("a tool of that name");
        let result = self
            .runtime
            .block_on(connection.client.call(tool, arguments.clone()));
        let answer = match result {
            Ok(reply) => Answer::reply(Value::Object(reply)),
            Err(CallFailed::Refused(refusal)) => {
                Answer::refusal(Value::Object(refusal), entry.read_only)
            }
            Err(CallFailed::Broken(reason)) => panic!("{tool} {arguments} broke: {reason}"),
        };
        self.script
            .assert_used_up(&format!("{tool} {arguments}"), answer.value());
        schema::assert_fits(
            &Value::Object((*entry.output).clone()),
            answer.value(),
            tool,
        );
        if answer.value()["log"].is_u64() {
            self.logged.set(true);
        }
        answer
    }

    pub fn roll_dice(&mut self, arguments: Value) -> Answer {
        self.call("roll_dice", arguments)
    }

    pub fn skill_check(&mut self, arguments: Value) -> Answer {
        self.call("skill_check", arguments)
    }

    pub fn apply_damage(&mut self, arguments: Value) -> Answer {
        self.call("apply_damage", arguments)
    }

    pub fn get_character(&mut self, arguments: Value) -> Answer {
        self.call("get_character", arguments)
    }

    pub fn manage_character(&mut self, arguments: Value) -> Answer {
        self.call("manage_character", arguments)
    }

    /// Makes a character whose sheet says this.
    #[track_caller]
    pub fn create(&mut self, name: &str, sheet: Value) {
        self.manage_character(with(json!({"action": "create", "name": name}), sheet))
            .is_fine();
    }

    /// Begins a fight between these.
    #[track_caller]
    pub fn start(&mut self, combatants: Value) {
        self.manage_combat(json!({"action": "start", "combatants": combatants}))
            .is_fine();
    }

    pub fn manage_combat(&mut self, arguments: Value) -> Answer {
        self.call("manage_combat", arguments)
    }

    pub fn manage_session(&mut self, arguments: Value) -> Answer {
        self.call("manage_session", arguments)
    }

    /// What is in the database now, to be looked at from outside.
    pub fn record(&self) -> Record<'_> {
        Record::of_table(
            &self.runtime,
            self.location(),
            self.server.as_deref(),
            &self.touched,
        )
    }

    /// Where the database lies.
    pub fn location(&self) -> Location {
        match &self.server {
            Some(server) => server.location(Some(self.folder.path())),
            None => Location::from(&self.database),
        }
    }

    /// The database's file.
    pub fn database(&self) -> &Path {
        &self.database
    }

    /// A path beside the database, for exports.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The whole log as this audience gets it, written to a file beside the database.
    pub fn export(&self, audience: Audience, format: Format, name: &str) -> PathBuf {
        let out = self.path(name);
        let written = self
            .wait(export::export(
                self.location(),
                &Wanted::of(audience, format),
                &out,
                NOW,
            ))
            .expect("is written");
        assert_eq!(written.out, out);
        out
    }

    /// Runs something that waits, on the table's own runtime.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // One thread may run several tests.
        PASSED.set(0);
        if !std::thread::panicking() {
            self.leave();
            if !self.touched.get() && (self.logged.get() || self.record().length() > 0) {
                self.record().is_sound();
            }
        }
    }
}

fn server() -> Option<Arc<Database>> {
    let on = std::env::var(ON).unwrap_or_default();
    assert!(
        ["", "postgres"].contains(&on.as_str()),
        "{ON} is postgres, or not set"
    );
    (on == "postgres").then(|| Arc::new(Database::new().expect("a server")))
}

/// A call with these fields, too.
pub fn with(mut call: Value, more: Value) -> Value {
    let Value::Object(more) = more else {
        panic!("fields are an object: {more}")
    };
    call.as_object_mut()
        .expect("a call is an object")
        .extend(more);
    call
}

/// Sabeth Quoin, locksmith: DEX 15 and Lockpicking +3 make +5; 13 hit points.
pub fn sabeth() -> Value {
    json!({
        "action": "create", "name": "Sabeth",
        "attributes": {"STR": 8, "DEX": 15, "CON": 12, "INT": 14, "WIS": 13, "CHA": 10},
        "skills": {"Lockpicking": 3, "Stealth": 2, "Engineering": 2, "Aim": 2},
    })
}

/// Jory Penrake, porter: STR 15 and Melee +3 make +5; 14 hit points.
pub fn jory() -> Value {
    json!({
        "action": "create", "name": "Jory",
        "attributes": {"STR": 15, "DEX": 12, "CON": 14, "INT": 8, "WIS": 13, "CHA": 10},
        "skills": {"Melee": 3, "Athletics": 2, "Endurance": 2, "Perception": 2},
    })
}
