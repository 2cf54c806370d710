//! PostgreSQL as the operating system brings it, in a scratch folder: one server a test process, a
//! database a test.
//!
//! The server runs under a watcher, a shell script that reads the pipe to the test process. However
//! that process ends, the pipe is closed, and the watcher stops the server and removes the folder.

#![expect(
    clippy::disallowed_methods,
    reason = "a test run is told what it left out"
)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once};
use std::time::{Duration, Instant};

use rollbook_store::location::Location;
use rollbook_store::postgres::migrate;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};

/// `required`: without a server the tests fail. `off`: they are left out, whether there is one or
/// not.
const WISH: &str = "ROLLBOOK_POSTGRES";
const PORT: &str = "5432";
const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// Takes the folder of PostgreSQL's programs and options of the server.
const WATCHER: &str = r#"
bin=$1; shift
folder=$(mktemp -d "${TMPDIR:-/tmp}/rollbook-postgres-XXXXXX") && cd "$folder" || exit 1
begin() { "$bin/postgres" -D data -k "$folder" "$@" >>log 2>&1 & server=$!; }
end() { kill -QUIT $server; wait $server; }
# Names are put in order by the rules of a language, so that a test that relies on the order of bytes fails; before 15 there was only the library's.
for language in '--locale-provider=icu --icu-locale=en-US' ''; do
    "$bin/initdb" -D data --encoding=UTF8 --locale=C $language --no-sync --auth=trust --username=postgres >log 2>&1 && break
    rm -rf data
done
[ -d data ] || { cat log >&2; rm -rf "$folder"; exit 1; }
# A user that needs its password, which all others do not.
echo 'local all keeper scram-sha-256' >hba; cat data/pg_hba.conf >>hba; mv hba data/pg_hba.conf
begin "$@"
echo "$folder"
while read -r order primary; do
    case $order in
        stop) end ;;
        begin) begin "$@" ;;
        follow)
            rm -rf data
            "$bin/pg_basebackup" -h "$primary" -p "$2" -U postgres -D data -R -c fast >>log 2>&1
            begin "$@" ;;
        promote) "$bin/pg_ctl" -D data promote >>log 2>&1 ;;
    esac
    echo done
done
end
cd / && rm -rf "$folder"
"#;

/// A server, and the folder in which it listens.
pub struct Server {
    folder: PathBuf,
    watcher: Mutex<Watcher>,
}

struct Watcher {
    child: Child,
    /// `None` at the end.
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Server {
    /// One that syncs nothing, as most tests want it.
    fn quick() -> Result<Server, String> {
        Server::start(&["fsync=off", "full_page_writes=off"])
    }

    /// One of the test's own, which keeps what it committed when it is stopped hard.
    pub fn durable() -> Option<Arc<Server>> {
        left_out_or(Server::start(&[])).map(Arc::new)
    }

    fn start(settings: &[&str]) -> Result<Server, String> {
        let bin =
            programs().ok_or("PostgreSQL is not installed (Debian: apt-get install postgresql)")?;
        let mut command = as_who_may_run_it()?;
        command
            .args(["sh", "-c", WATCHER, "sh"])
            .arg(bin)
            .args(["-p", PORT]);
        let always = [
            "listen_addresses=",
            "max_connections=300",
            "shared_buffers=32MB",
            "autovacuum=off",
            "jit=off",
        ];
        for setting in always.iter().chain(settings) {
            command.args(["-c", setting]);
        }
        for name in ["PGDATA", "PGPORT", "PGHOST", "PGOPTIONS"] {
            command.env_remove(name);
        }
        // What ends the tests from the keyboard must not end the watcher before it has cleaned up.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| format!("PostgreSQL does not start: {error}"))?;
        let orders = child.stdin.take();
        let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut folder = String::new();
        answers
            .read_line(&mut folder)
            .map_err(|error| error.to_string())?;
        if folder.is_empty() {
            let ended = child
                .wait_with_output()
                .map_err(|error| error.to_string())?;
            return Err(format!(
                "PostgreSQL does not start: {}",
                String::from_utf8_lossy(&ended.stderr)
            ));
        }
        let watcher = Mutex::new(Watcher {
            child,
            orders,
            answers,
        });
        let server = Server {
            folder: PathBuf::from(folder.trim_end()),
            watcher,
        };
        server.wait_until_ready();
        Ok(server)
    }

    /// Stops it as a crash does, `immediate`.
    pub fn stop_hard(&self) {
        self.order("stop");
    }

    /// Begins again what was stopped.
    pub fn begin_again(&self) {
        self.order("begin");
        self.wait_until_ready();
    }

    /// Begins, in place of what was stopped, as a standby of another server, which answers no
    /// commit from now on that this one did not write, too.
    pub fn follow(&self, primary: &Server) {
        self.order(&format!("follow {}", primary.folder.display()));
        self.wait_until_ready();
        primary.execute("alter system set synchronous_standby_names = '*'");
        primary.execute("select pg_reload_conf()");
        let until = Instant::now() + STARTS_WITHIN;
        let follows = || {
            let url = primary.url("postgres", "postgres");
            let asked =
                "select exists (select 1 from pg_stat_replication where sync_state = 'sync')";
            blocking(async || {
                let mut connection = PgConnection::connect(&url).await?;
                sqlx::query_scalar::<_, bool>(asked)
                    .fetch_one(&mut connection)
                    .await
            })
        };
        while !follows().expect("the primary answers") {
            assert!(Instant::now() < until, "the standby does not follow");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Makes a standby the server that is written.
    pub fn promote(&self) {
        self.order("promote");
        self.execute("alter system reset synchronous_standby_names");
        self.execute("select pg_reload_conf()");
    }

    fn order(&self, order: &str) {
        let mut watcher = self.watcher.lock().expect("a watcher");
        writeln!(watcher.orders.as_mut().expect("a pipe"), "{order}").expect("the watcher reads");
        let mut answer = String::new();
        watcher
            .answers
            .read_line(&mut answer)
            .expect("the watcher answers");
        assert_eq!(answer, "done\n");
    }

    fn wait_until_ready(&self) {
        let until = Instant::now() + STARTS_WITHIN;
        let url = self.url("postgres", "postgres");
        let connected = || blocking(async || PgConnection::connect(&url).await?.close().await);
        while let Err(error) = connected() {
            let log = || std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(
                Instant::now() < until,
                "PostgreSQL is not ready: {error}\n{}",
                log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The address of a database for one of its users.
    pub fn url(&self, user: &str, database: &str) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://{user}@{folder}:{PORT}/{database}")
    }

    /// The folder of its socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// SQL on its own database, whose texts are the tests'.
    pub fn execute(&self, sql: &str) {
        execute(&self.url("postgres", "postgres"), sql);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Ok(watcher) = self.watcher.get_mut() {
            // The end of its orders.
            drop(watcher.orders.take());
            let _ = watcher.child.wait();
        }
    }
}

/// A database that is dropped with this.
pub struct Database {
    server: Arc<Server>,
    name: String,
}

impl Database {
    /// One with the program's tables; `None` where there is no server.
    pub fn new() -> Option<Database> {
        static TEMPLATE: Once = Once::new();
        let server = server()?;
        TEMPLATE.call_once(|| {
            rollbook::migrations::MIGRATIONS.hand_down();
            server.execute("create database template_of_ours template template0");
            let url = server.url("postgres", "template_of_ours");
            blocking(async || {
                let mut connection = PgConnection::connect(&url).await?;
                migrate::bring_up_to_date(&mut connection, "the template")
                    .await
                    .expect("has its tables");
                connection.close().await
            })
            .expect("makes a template");
        });
        Some(Database::of(server, "template_of_ours"))
    }

    /// One without a table.
    pub fn empty() -> Option<Database> {
        Some(Database::of(server()?, "template0"))
    }

    /// One without a table on a server of the test's own.
    pub fn empty_on(server: &Arc<Server>) -> Database {
        Database::of(Arc::clone(server), "template0")
    }

    fn of(server: Arc<Server>, template: &str) -> Database {
        rollbook::migrations::MIGRATIONS.hand_down();
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", MADE.fetch_add(1, Ordering::Relaxed));
        server.execute(&format!("create database {name} template {template}"));
        Database { server, name }
    }

    /// Its address, as `--db` takes it.
    pub fn url(&self) -> String {
        self.url_of("postgres")
    }

    /// The same for another user.
    pub fn url_of(&self, user: &str) -> String {
        self.server.url(user, &self.name)
    }

    /// Its name on the server.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folder of the server's socket.
    pub fn folder(&self) -> &Path {
        self.server.folder()
    }

    /// Where it lies, with the folder of its checkpoints.
    pub fn location(&self, checkpoints: Option<&Path>) -> Location {
        match Location::parse(self.url().as_ref()).expect("an address") {
            Location::Server(server) => Location::Server(Box::new(
                server.with_checkpoints(checkpoints.map(Path::to_path_buf)),
            )),
            Location::File(file) => panic!("{} is a file", file.display()),
        }
    }

    /// A connection of the test's own.
    pub async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url()).await.expect("connects")
    }

    /// SQL of the test's own, several statements at once.
    pub fn execute(&self, sql: &str) {
        execute(&self.url(), sql);
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let sql = format!("drop database {} with (force)", self.name);
        // The server may have been stopped by the test.
        let dropped = std::panic::catch_unwind(|| self.server.execute(&sql));
        drop(dropped);
    }
}

/// The server of this test process.
pub fn server() -> Option<Arc<Server>> {
    static SERVER: LazyLock<Result<Arc<Server>, String>> =
        LazyLock::new(|| Server::quick().map(Arc::new));
    left_out_or(SERVER.clone())
}

fn left_out_or<T>(started: Result<T, String>) -> Option<T> {
    static SAID: Once = Once::new();
    let wish = std::env::var(WISH).unwrap_or_default();
    match started {
        _ if wish == "off" => SAID.call_once(|| say(&format!("{WISH}=off"))),
        Ok(started) => return Some(started),
        Err(why) if wish == "required" => panic!("{WISH}=required: {why}"),
        Err(why) => SAID.call_once(|| say(&why)),
    }
    None
}

/// Past what the test harness keeps of tests that pass.
fn say(why: &str) {
    let _ = writeln!(
        std::io::stderr(),
        "left out: the tests on PostgreSQL. {why}"
    );
}

/// The folder of `initdb` and `postgres`: Debian's newest, else that of `pg_config`, else one in
/// `PATH`.
fn programs() -> Option<PathBuf> {
    let version = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
    let debian = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let mut debian: Vec<PathBuf> = debian.filter(|folder| version(folder).is_some()).collect();
    debian.sort_by_key(|folder| std::cmp::Reverse(version(folder)));
    let asked = Command::new("pg_config")
        .arg("--bindir")
        .stderr(Stdio::null())
        .output()
        .ok();
    let asked = asked.map(|asked| PathBuf::from(String::from_utf8_lossy(&asked.stdout).trim_end()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = debian
        .into_iter()
        .map(|folder| folder.join("bin"))
        .chain(asked)
        .chain(std::env::split_paths(&path));
    places.into_iter().find(|bin| {
        ["initdb", "postgres"]
            .iter()
            .all(|program| bin.join(program).is_file())
    })
}

/// PostgreSQL refuses to run as root: there it runs as the user that its package makes.
fn as_who_may_run_it() -> Result<Command, String> {
    let user = Command::new("id")
        .arg("-u")
        .output()
        .map_err(|error| format!("id does not run: {error}"))?;
    if user.stdout != b"0\n" {
        return Ok(Command::new("env"));
    }
    if !Command::new("id")
        .args(["-u", "postgres"])
        .output()
        .is_ok_and(|found| found.status.success())
    {
        return Err("PostgreSQL does not run as root, and there is no user postgres".to_owned());
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    Ok(command)
}

fn execute(url: &str, sql: &str) {
    let done = blocking(async || {
        let mut connection = PgConnection::connect(url).await?;
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&mut connection)
            .await?;
        connection.close().await
    });
    done.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// On a thread of its own, because the test may be in a runtime already.
pub fn blocking<T: Send>(work: impl AsyncFnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(|| crate::process::block_on(work())).join())
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Begins a server, says where, and waits for the signal that ends it.
#[test]
#[ignore = "another test starts it"]
fn a_process_with_a_server_waits() {
    let server = server().expect("a server");
    let _ = writeln!(std::io::stdout(), "folder {}", server.folder().display());
    std::thread::sleep(STARTS_WITHIN);
}

#[test]
fn no_server_is_left_by_a_test_process_that_is_killed() {
    if server().is_none() {
        return;
    }
    let mut process = Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--exact",
            "postgres::server::a_process_with_a_server_waits",
            "--ignored",
            "--nocapture",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut lines = BufReader::new(process.stdout.take().expect("a pipe"))
        .lines()
        .map(|line| line.expect("a line"));
    let folder = lines
        .find_map(|line| Some(PathBuf::from(line.strip_prefix("folder ")?)))
        .expect("a folder");
    let pid =
        std::fs::read_to_string(folder.join("data/postmaster.pid")).expect("the server's number");
    let pid = pid.lines().next().expect("a number").to_owned();
    let runs = || {
        Command::new("kill")
            .args(["-0", &pid])
            .stderr(Stdio::null())
            .status()
            .expect("kill runs")
            .success()
    };
    assert!(runs() && folder.exists());
    process.kill().expect("is killed");
    process.wait().expect("has ended");
    let until = Instant::now() + STARTS_WITHIN;
    while runs() || folder.exists() {
        assert!(
            Instant::now() < until,
            "{pid} or {} is left behind",
            folder.display()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn tests_without_a_server_pass_and_say_once_what_was_left_out() {
    let run = |wish: &str| {
        let run = Command::new(std::env::current_exe().expect("this program"))
            .args(["postgres::schema::"])
            .env(WISH, wish)
            .output()
            .expect("runs");
        (
            run.status.success(),
            String::from_utf8_lossy(&run.stderr).into_owned(),
        )
    };
    let (passed, output) = run("off");
    assert!(passed, "{output}");
    assert_eq!(
        output.matches("left out: the tests on PostgreSQL").count(),
        1,
        "{output}"
    );
}

#[test]
fn a_server_that_was_stopped_hard_has_what_was_committed() {
    let Some(server) = Server::durable() else {
        return;
    };
    let database = Database::empty_on(&server);
    database.execute("create table kept (what text); insert into kept values ('a roll')");
    server.stop_hard();
    server.begin_again();
    database.execute("do $$ begin assert (select what from kept) = 'a roll'; end $$");
}
