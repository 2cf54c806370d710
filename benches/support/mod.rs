//! What the benchmarks of the server share: a client at its pipes, and the middle of many times.
#![allow(dead_code, reason = "each benchmark uses its own part")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

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
