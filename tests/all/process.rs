//! The real program as a child process, spoken to in raw lines.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// The adventure the servers play.
pub const LOCKHOUSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/lockhouse");

/// A server process. Every byte it writes to standard output is read and must be JSON-RPC, one
/// message a line.
pub struct Process {
    child: Child,
    input: Option<Box<dyn Write + Send>>,
    output: Option<BufReader<Box<dyn Read + Send>>>,
    folder: Arc<TempDir>,
    next_id: i64,
}

impl Process {
    /// `rollbook serve` on a database of its own.
    pub fn start() -> Process {
        Process::on(Arc::new(TempDir::new().expect("a folder")))
    }

    /// `rollbook serve` on the database in that folder.
    pub fn on(folder: Arc<TempDir>) -> Process {
        let command = rollbook(folder.path());
        Process::of(command, folder)
    }

    /// A command that takes the program's arguments, on the database in that folder.
    pub fn of(mut command: Command, folder: Arc<TempDir>) -> Process {
        command.args(["serve", "--adventure", LOCKHOUSE, "--detail", "full"]);
        Process::started(command, folder)
    }

    /// A command that serves by itself and takes further options, on the database in that folder.
    pub fn started(mut command: Command, folder: Arc<TempDir>) -> Process {
        command.arg("--db").arg(folder.path().join("campaigns.db"));
        Process::serving(command, folder)
    }

    /// A command that serves by itself.
    pub fn serving(mut command: Command, folder: Arc<TempDir>) -> Process {
        Process::spawned(
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
            &folder,
        )
    }

    /// A command that serves by itself over two pipes.
    pub fn spawned(command: &mut Command, folder: &Arc<TempDir>) -> Process {
        let mut child = command.spawn().expect("the program starts");
        let (input, output) = (
            child.stdin.take().expect("a pipe"),
            child.stdout.take().expect("a pipe"),
        );
        Process::of_child(child, folder, input, output)
    }

    /// A command that serves by itself over streams whose other ends are these.
    pub fn over(
        command: &mut Command,
        folder: &Arc<TempDir>,
        input: impl Write + Send + 'static,
        output: impl Read + Send + 'static,
    ) -> Process {
        let child = command.spawn().expect("the program starts");
        Process::of_child(child, folder, input, output)
    }

    fn of_child(
        child: Child,
        folder: &Arc<TempDir>,
        input: impl Write + Send + 'static,
        output: impl Read + Send + 'static,
    ) -> Process {
        let (input, output): (Box<dyn Write + Send>, Box<dyn Read + Send>) =
            (Box::new(input), Box::new(output));
        Process {
            child,
            input: Some(input),
            output: Some(BufReader::new(output)),
            folder: folder.clone(),
            next_id: 100,
        }
    }

    /// The same on a database of its own, and says hello.
    pub fn start_and_greet() -> Process {
        Process::hello(Arc::new(TempDir::new().expect("a folder")))
    }

    /// The same, and says hello.
    pub fn hello(folder: Arc<TempDir>) -> Process {
        let mut process = Process::on(folder);
        process.initialize();
        process
    }

    /// `initialize` and what follows it.
    pub fn initialize(&mut self) -> Value {
        let [hello, initialized] = greeting();
        let answer = self.ask(hello);
        self.send(&initialized);
        answer
    }

    /// One message out.
    pub fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes());
    }

    /// Bytes out, as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input
            .write_all(bytes)
            .and_then(|()| input.flush())
            .expect("the server takes it");
    }

    /// The next message in; `None` at the end of output.
    pub fn receive(&mut self) -> Option<Value> {
        let mut line = Vec::new();
        let output = self.output.as_mut().expect("the output is open");
        output
            .read_until(b'\n', &mut line)
            .expect("its output can be read");
        if line.is_empty() {
            return None;
        }
        assert_eq!(
            line.last(),
            Some(&b'\n'),
            "a message is a whole line: {}",
            String::from_utf8_lossy(&line)
        );
        let message: Value = serde_json::from_slice(&line)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&line)));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        Some(message)
    }

    /// One message out, the next one in.
    #[track_caller]
    pub fn ask(&mut self, message: Value) -> Value {
        self.send(&message);
        self.receive()
            .unwrap_or_else(|| panic!("the server ended instead of answering {message}"))
    }

    /// A tool call; answers the whole result.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        let answer = self.ask(call(json!(id), tool, arguments));
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"].clone()
    }

    /// The structured content of a call that must not be refused.
    #[track_caller]
    pub fn done(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}");
        result["structuredContent"].clone()
    }

    /// Closes the input, reads the output to its end, and waits.
    pub fn end(mut self) -> (ExitStatus, Vec<Value>) {
        self.input.take();
        let mut rest = Vec::new();
        while let Some(message) = self.receive() {
            rest.push(message);
        }
        (self.child.wait().expect("it ends"), rest)
    }

    /// Sends a signal by name (`TERM`, `INT`, `KILL`) to this one process.
    pub fn signal(&mut self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.child.id().to_string()])
            .status();
        assert!(sent.expect("kill runs").success());
    }

    /// Waits for the end after a signal, input still open; answers what came out meanwhile.
    pub fn wait(mut self) -> (ExitStatus, Vec<u8>) {
        let mut rest = Vec::new();
        let output = self.output.as_mut().expect("the output is open");
        output
            .read_to_end(&mut rest)
            .expect("its output can be read");
        (self.child.wait().expect("it ends"), rest)
    }

    /// Its input, to be written to from elsewhere or closed.
    pub fn take_input(&mut self) -> Box<dyn Write + Send> {
        self.input.take().expect("the input is open")
    }

    /// Reads so many bytes of its output and closes it; nothing can be received after that.
    pub fn stop_reading_after(&mut self, bytes: usize) {
        let mut output = self.output.take().expect("the output is open");
        output
            .read_exact(&mut vec![0; bytes])
            .expect("so much comes");
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has not ended.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("can be asked").is_none()
    }

    /// Where its database lies.
    pub fn folder(&self) -> Arc<TempDir> {
        self.folder.clone()
    }

    /// Its database.
    pub fn database(&self) -> PathBuf {
        self.folder.path().join("campaigns.db")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // As when a client goes: nothing more comes, and nobody reads. What does not end by that is
        // killed.
        self.input.take();
        self.output.take();
        for _ in 0..400 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a command came to.
#[derive(Debug)]
pub struct Came {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Came {
    fn from(
        Output {
            status,
            stdout,
            stderr,
        }: Output,
    ) -> Came {
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Came {
            code: status.code().expect("an exit code"),
            out: text(stdout),
            err: text(stderr),
        }
    }
}

impl Came {
    /// Fails unless the command ended with this code.
    #[track_caller]
    pub fn ends(&self, code: i32) -> &Came {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        self
    }

    /// Fails unless the answer holds this.
    #[track_caller]
    pub fn says(&self, words: &str) -> &Came {
        assert!(
            self.out.contains(words),
            "`{words}` is not in:\n{}\n{}",
            self.out,
            self.err
        );
        self
    }
}

pub fn run(command: &mut Command) -> Came {
    command.output().expect("the program starts").into()
}

/// The program in that folder with these arguments.
pub fn ran(folder: &Path, arguments: &[&str]) -> Came {
    run(rollbook(folder).args(arguments))
}

/// The same of a command that waits for that on its input.
pub fn ran_with(command: &mut Command, input: &str) -> Came {
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("it starts");
    // A program that refuses to start has closed its end.
    let _ = child
        .stdin
        .take()
        .expect("its input")
        .write_all(input.as_bytes());
    child.wait_with_output().expect("it ends").into()
}

pub fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

/// Runs something that waits.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    runtime().block_on(work)
}

/// The program with no settings of the person who runs the tests.
pub fn rollbook(folder: &Path) -> Command {
    // What a test opens itself beside the program.
    rollbook::migrations::MIGRATIONS.hand_down();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rollbook"));
    command
        .current_dir(folder)
        .env_remove("CLAUDE_PROJECT_DIR")
        .env_remove("ROLLBOOK_LOG")
        .env("HOME", folder);
    command
}

fn greeting() -> [Value; 2] {
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a raw client", "version": "1"},
    }});
    [
        hello,
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ]
}

/// What a client sends that greets a server and makes these calls, numbered from 2.
pub fn dialogue(calls: impl IntoIterator<Item = (&'static str, Value)>) -> String {
    let calls = (2..)
        .zip(calls)
        .map(|(id, (tool, arguments))| call(json!(id), tool, arguments));
    greeting()
        .into_iter()
        .chain(calls)
        .map(|message| format!("{message}\n"))
        .collect()
}

/// A `tools/call` request.
pub fn call(id: Value, tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}
