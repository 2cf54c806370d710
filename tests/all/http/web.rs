//! The real program over HTTP: raw requests, raw answers.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{LOCKHOUSE, rollbook};

/// The metadata that requests of 2026-07-28 carry.
pub fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "a raw client", "version": "1"},
    })
}

/// A server, with what it wrote to standard error so far.
pub struct Web {
    child: Child,
    pub address: SocketAddr,
    pub folder: Arc<TempDir>,
    printed: Arc<Mutex<String>>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl Answer {
    /// The body as JSON, or the last message of a stream.
    #[track_caller]
    pub fn json(&self) -> Value {
        let streamed = self
            .headers
            .get("content-type")
            .is_some_and(|kind| kind.starts_with("text/event-stream"));
        let text = match streamed {
            true => self
                .body
                .lines()
                .rev()
                .find_map(|line| line.strip_prefix("data: {").map(|rest| format!("{{{rest}"))),
            false => Some(self.body.clone()),
        };
        let text = text.unwrap_or_else(|| panic!("no message in {self:?}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The structured content of a call's result.
    #[track_caller]
    pub fn content(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()["result"]["structuredContent"].clone()
    }
}

impl Web {
    /// `rollbook serve --http` on a database of its own, as often as anybody likes.
    pub fn start() -> Web {
        Web::with(&["--rate", "off"])
    }

    /// The same with these options.
    pub fn with(options: &[&str]) -> Web {
        Web::on(Arc::new(TempDir::new().expect("a folder")), options)
    }

    /// The same on the database in that folder.
    pub fn on(folder: Arc<TempDir>, options: &[&str]) -> Web {
        Web::at(folder, "127.0.0.1:0", options)
    }

    /// The same at that address.
    pub fn at(folder: Arc<TempDir>, address: &str, options: &[&str]) -> Web {
        let command = Web::command(&folder, address, options);
        Web::of(command, folder)
    }

    /// The same by a command that serves the database in that folder.
    pub fn of(command: Command, folder: Arc<TempDir>) -> Web {
        let (server, mut errors) = Web::unheard(command, folder);
        let sink = server.printed.clone();
        std::thread::spawn(move || {
            let mut line = String::new();
            while errors.read_line(&mut line).is_ok_and(|read| read > 0) {
                sink.lock()
                    .expect("no panic")
                    .push_str(&std::mem::take(&mut line));
            }
        });
        server
    }

    /// The same, and its standard error, of which nothing is read but the address.
    pub fn unheard(mut command: Command, folder: Arc<TempDir>) -> (Web, BufReader<ChildStderr>) {
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut errors = BufReader::new(child.stderr.take().expect("standard error"));
        let mut printed = String::new();
        let address = loop {
            let mut line = String::new();
            errors.read_line(&mut line).expect("text");
            printed.push_str(&line);
            assert!(!line.is_empty(), "it ended: {printed}");
            if let Some((_, rest)) = line.split_once("://") {
                let bound: SocketAddr = rest
                    .split('/')
                    .next()
                    .expect("an address")
                    .parse()
                    .expect("an address");
                // Every address of this machine is asked for at the one that never leaves it.
                break SocketAddr::from(([127, 0, 0, 1], bound.port()));
            }
        };
        (
            Web {
                child,
                address,
                folder,
                printed: Arc::new(Mutex::new(printed)),
            },
            errors,
        )
    }

    /// The command that serves at that address.
    pub fn command(folder: &TempDir, address: &str, options: &[&str]) -> Command {
        let mut command = rollbook(folder.path());
        command.args(["serve", "--adventure", LOCKHOUSE, "--http", address, "--db"]);
        command
            .arg(folder.path().join("campaigns.db"))
            .args(options);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// Waits until it has written that to standard error; answers all that it wrote.
    pub fn says(&self, text: &str) -> String {
        loop {
            let printed = self.printed.lock().expect("no panic").clone();
            if printed.contains(text) {
                return printed;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    /// Its database.
    pub fn database(&self) -> PathBuf {
        self.folder.path().join("campaigns.db")
    }

    /// A connection.
    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).expect("it listens")
    }

    /// A request with these headers, and its answer; `Host` is the address unless one is given.
    #[track_caller]
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = self.connect();
        send(
            &mut stream,
            &self.head(method, path, headers, body.len()),
            body,
        );
        receive(&mut stream)
    }

    /// The head of a request.
    pub fn head(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        length: usize,
    ) -> String {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("host"))
        {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if method == "POST" {
            head.push_str(&format!("Content-Length: {length}\r\n"));
        }
        head + "\r\n"
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    /// Plain JSON.
    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask(
            "POST",
            path,
            &[("Content-Type", "application/json")],
            body.to_string().as_bytes(),
        )
    }

    /// A message of the protocol, with these headers beside those that every message needs.
    #[track_caller]
    pub fn message(&self, headers: &[(&str, &str)], message: &Value) -> Answer {
        let mut all = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        all.extend(headers);
        self.ask("POST", "/mcp", &all, message.to_string().as_bytes())
    }

    /// A call of 2026-07-28, without a session.
    #[track_caller]
    pub fn call(&self, headers: &[(&str, &str)], tool: &str, arguments: Value) -> Answer {
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta()});
        self.request(headers, "tools/call", Some(tool), params)
    }

    /// A request of 2026-07-28.
    #[track_caller]
    pub fn request(
        &self,
        headers: &[(&str, &str)],
        method: &str,
        name: Option<&str>,
        params: Value,
    ) -> Answer {
        let mut all = vec![
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
        ];
        all.extend(name.map(|name| ("Mcp-Name", name)));
        all.extend(headers);
        self.message(
            &all,
            &json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}),
        )
    }

    /// Begins a session; answers its id.
    #[track_caller]
    pub fn session(&self, headers: &[(&str, &str)]) -> String {
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a raw client", "version": "1"},
        }});
        let answer = self.message(headers, &hello);
        assert_eq!(
            answer.json()["result"]["serverInfo"]["name"],
            "rollbook",
            "{answer:?}"
        );
        let id = answer
            .headers
            .get("mcp-session-id")
            .expect("a session")
            .clone();
        let mut all = headers.to_vec();
        all.push(("Mcp-Session-Id", &id));
        let begun = self.message(
            &all,
            &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        );
        assert_eq!(begun.status, 202, "{begun:?}");
        id
    }

    /// The most memory that it has held so far, in bytes.
    #[cfg(target_os = "linux")]
    pub fn memory_max(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .expect("a line");
        line.trim()
            .trim_end_matches(" kB")
            .parse::<u64>()
            .expect("a number")
            * 1024
    }

    /// Sends a signal by name.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.child.id().to_string()])
            .status();
        assert!(sent.expect("kill runs").success());
    }

    /// Waits for its end.
    pub fn wait(mut self) -> ExitStatus {
        self.child.wait().expect("it ends")
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request as far as the server takes it: one that refuses need not read the rest.
pub fn send(stream: &mut impl Write, head: &str, body: &[u8]) {
    let _ = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(body))
        .and_then(|()| stream.flush());
}

/// Reads an answer to its end.
#[track_caller]
pub fn receive(stream: &mut impl Read) -> Answer {
    let mut bytes = Vec::new();
    // A server that refuses a body unread resets the connection after its answer.
    let _ = stream.read_to_end(&mut bytes);
    let split = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let split = split.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(&bytes)));
    let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
    let mut lines = head.lines();
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1))
        .and_then(|status| status.parse().ok());
    let headers: HashMap<String, String> = lines
        .filter_map(|line| {
            line.split_once(": ")
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        })
        .collect();
    let rest = &bytes[split + 4..];
    let body = match headers.get("transfer-encoding").map(String::as_str) {
        Some("chunked") => unchunked(rest),
        _ => rest.to_vec(),
    };
    Answer {
        status: status.expect("a status"),
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
    }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(&String::from_utf8_lossy(&rest[..end]), 16).unwrap_or(0);
        let chunk = rest.get(end + 2..end + 2 + length).unwrap_or_default();
        whole.extend_from_slice(chunk);
        rest = rest.get(end + 4 + length..).unwrap_or_default();
    }
    whole
}
