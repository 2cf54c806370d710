//! What the benchmarks of the server share: a client at its pipes, one over HTTP, and the middle of
//! many times.
#![allow(dead_code, reason = "each benchmark uses its own part")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A server process and its two pipes.
pub struct Peer {
    child: Child,
    /// None once it was told that nothing more comes.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Peer {
    pub fn start(mut command: Command) -> Result<Peer, Box<dyn std::error::Error>> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (
            child.stdin.take().ok_or("no stdin")?,
            child.stdout.take().ok_or("no stdout")?,
        );
        let mut peer = Peer {
            child,
            input: Some(input),
            output: BufReader::new(output),
            next: 0,
        };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        peer.ask("initialize", &hello)?;
        let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let input = peer.input.as_mut().ok_or("no stdin")?;
        input.write_all(format!("{begun}\n").as_bytes())?;
        Ok(peer)
    }

    /// Time of one call. A refusal ends the benchmark.
    pub fn call(
        &mut self,
        tool: &str,
        arguments: &Value,
    ) -> Result<Duration, Box<dyn std::error::Error>> {
        let began = Instant::now();
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let took = began.elapsed();
        if answer.contains("\"isError\":true") || answer.contains("\"error\"") {
            return Err(answer.into());
        }
        Ok(took)
    }

    /// So many of the same call, all sent before the first is answered.
    pub fn call_together(&mut self, tool: &str, arguments: &Value, many: usize) -> Outcome<()> {
        let params = json!({"name": tool, "arguments": arguments});
        let mut lines = String::new();
        for _ in 0..many {
            self.next += 1;
            let call = json!({"jsonrpc": "2.0", "id": self.next, "method": "tools/call", "params": params});
            lines.push_str(&format!("{call}\n"));
        }
        let input = self.input.as_mut().ok_or("it was ended")?;
        input.write_all(lines.as_bytes())?;
        for _ in 0..many {
            let mut answer = String::new();
            self.output.read_line(&mut answer)?;
            if !answer.contains("\"result\"") || answer.contains("\"isError\":true") {
                return Err(answer.into());
            }
        }
        Ok(())
    }

    /// What a call answers: `content` and `structuredContent`. A refusal ends the benchmark.
    pub fn result(
        &mut self,
        tool: &str,
        arguments: &Value,
    ) -> Result<Value, Box<dyn std::error::Error>> {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let answer: Value = serde_json::from_str(&answer)?;
        match &answer["result"] {
            Value::Object(result) if result["isError"] != true => Ok(answer["result"].clone()),
            _ => Err(answer.to_string().into()),
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<String, Box<dyn std::error::Error>> {
        self.next += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.input
            .as_mut()
            .ok_or("it was ended")?
            .write_all(format!("{request}\n").as_bytes())?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        Ok(answer)
    }

    /// Resident memory, where the system tells.
    pub fn memory_kib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))?
            .split_whitespace()
            .nth(1)?
            .parse()
            .ok()
    }
}

impl Peer {
    /// How often its threads gave way of themselves, where the system tells.
    pub fn waits(&self) -> u64 {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let statuses = (tasks.into_iter().flatten().flatten())
            .filter_map(|task| std::fs::read_to_string(task.path().join("status")).ok());
        statuses
            .filter_map(|status| {
                let line = (status.lines())
                    .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
                line.trim().parse::<u64>().ok()
            })
            .sum()
    }

    /// Ends it in good order: nothing more comes, and it closes its database.
    pub fn end(mut self) -> Result<(), Box<dyn std::error::Error>> {
        self.input = None;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn median(times: Vec<Duration>) -> Duration {
    percentile(&times, 50)
}

pub fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    times
        .get((times.len() * percent / 100).min(times.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}

pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// A server over HTTP, and a client in a session on a connection that stays open.
pub struct Session {
    child: Child,
    stream: BufReader<TcpStream>,
    headers: String,
    next: u64,
}

impl Session {
    pub fn start(command: &mut Command) -> Outcome<Session> {
        let mut child = command
            .args(["--http", "127.0.0.1:0", "--rate", "off"])
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stderr.take().ok_or("no standard error")?).read_line(&mut line)?;
        let (_, address) = line.split_once("://").ok_or("no address")?;
        let address = address.split('/').next().unwrap_or_default().to_owned();
        let stream = TcpStream::connect(&address)?;
        stream.set_nodelay(true)?;
        let headers = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n"
        );
        let stream = BufReader::new(stream);
        let mut session = Session {
            child,
            stream,
            headers,
            next: 0,
        };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        let (head, _) = session.ask(&json!({"id": 0, "method": "initialize", "params": hello}))?;
        let id = (head.lines())
            .find_map(|line| line.strip_prefix("mcp-session-id: "))
            .ok_or("no session")?;
        session.headers += &format!("Mcp-Session-Id: {id}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
        session.ask(&json!({"method": "notifications/initialized"}))?;
        Ok(session)
    }

    /// Time of one call. A refusal ends the benchmark.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Outcome<Duration> {
        self.next += 1;
        let params = json!({"name": tool, "arguments": arguments});
        let call = json!({"id": self.next, "method": "tools/call", "params": params});
        let began = Instant::now();
        let (_, body) = self.ask(&call)?;
        let took = began.elapsed();
        match body.contains("\"isError\":true") || !body.contains("\"result\"") {
            true => Err(body.into()),
            false => Ok(took),
        }
    }

    /// The head and the body of the answer; of a stream, all of it.
    fn ask(&mut self, message: &Value) -> Outcome<(String, String)> {
        let mut message = message.clone();
        message["jsonrpc"] = "2.0".into();
        let body = message.to_string();
        let request = format!(
            "{}Content-Length: {}\r\n\r\n{body}",
            self.headers,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head)? == 0 {
                return Err("the server closed the connection".into());
            }
        }
        let length = |line: &str| line.strip_prefix("content-length: ")?.parse::<usize>().ok();
        let mut body = Vec::new();
        if let Some(length) = head.lines().find_map(length) {
            body.resize(length, 0);
            self.stream.read_exact(&mut body)?;
        } else if head.contains("chunked") {
            loop {
                let mut size = String::new();
                self.stream.read_line(&mut size)?;
                let size = usize::from_str_radix(size.trim(), 16)?;
                let mut chunk = vec![0; size + 2];
                self.stream.read_exact(&mut chunk)?;
                if size == 0 {
                    break;
                }
                body.extend_from_slice(chunk.get(..size).unwrap_or_default());
            }
        }
        Ok((head, String::from_utf8(body)?))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
