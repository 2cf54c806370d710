//! `rollbook healthy`: whether a server answers, for containers and services that ask again and again.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use axum::http::Uri;
use clap::Args;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::cli::output::{Done, Failed, say};
use rollbook_text::names::printable;

/// How long the server may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes of the answer that are read: its first line is enough.
const READ_MAX: usize = 1024;
const DEFAULT_PATH: &str = "/healthz";

/// Ask a server over HTTP whether it is healthy: exit code 0 if it answers 200, else 1.
///
/// It speaks plain HTTP. A server that speaks TLS by itself is asked with another program:
/// `curl --fail https://table.example.org/healthz`.
#[derive(Debug, Args)]
pub struct Healthy {
    /// What is asked for; /healthz where it names no path, /readyz also tries the database.
    #[arg(default_value = "http://127.0.0.1:7878/healthz")]
    url: String,
}

/// What a URL asks for, and where.
#[derive(Debug, PartialEq, Eq)]
struct Target {
    host: String,
    port: u16,
    path: String,
}

impl Healthy {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let target = Target::read(&self.url)?;
        let why = match timeout(PATIENCE, target.status()).await {
            Ok(Ok(200)) => return Ok(Done::Well),
            Ok(Ok(status)) => format!("it answered {status}"),
            Ok(Err(why)) => why,
            Err(_) => format!("no answer within {} seconds", PATIENCE.as_secs()),
        };
        say(&format!("{} is not healthy: {}", printable(&self.url), printable(&why)));
        Ok(Done::Findings)
    }
}

impl Target {
    fn read(url: &str) -> Result<Target, Failed> {
        let advice = || format!("healthy takes a URL such as http://127.0.0.1:7878/healthz, not {url:?}");
        let uri: Uri = url.parse().map_err(|_| advice())?;
        match uri.scheme_str() {
            Some("http") => {}
            Some("https") => {
                return Err(format!("healthy speaks plain HTTP alone. Ask with: curl --fail {}", printable(url)));
            }
            Some(_) | None => return Err(advice()),
        }
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(advice)?;
        let path = match uri.path_and_query().map_or("/", |path| path.as_str()) {
            "/" => DEFAULT_PATH,
            path => path,
        };
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Target { host, port: uri.port_u16().unwrap_or(80), path: path.to_owned() })
    }

    /// A connection; `localhost` is this computer also where no file lists it, as in an empty root.
    async fn connected(&self) -> io::Result<TcpStream> {
        if !self.host.eq_ignore_ascii_case("localhost") {
            return TcpStream::connect((self.host.as_str(), self.port)).await;
        }
        let own: [SocketAddr; 2] = [(Ipv4Addr::LOCALHOST, self.port).into(), (Ipv6Addr::LOCALHOST, self.port).into()];
        TcpStream::connect(own.as_slice()).await
    }

    /// The status of the answer.
    async fn status(&self) -> Result<u16, String> {
        let words = |error: io::Error| error.to_string();
        let mut stream = self.connected().await.map_err(words)?;
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let head = format!("GET {} HTTP/1.1\r\nHost: {host}:{}\r\nConnection: close\r\n\r\n", self.path, self.port);
        stream.write_all(head.as_bytes()).await.map_err(words)?;
        let mut answer = Vec::new();
        while answer.len() < READ_MAX && !answer.contains(&b'\n') {
            if stream.read_buf(&mut answer).await.map_err(words)? == 0 {
                break;
            }
        }
        status(&answer).ok_or_else(|| "what answered does not speak HTTP (or speaks TLS)".to_owned())
    }
}

/// The status in an answer's first line.
fn status(answer: &[u8]) -> Option<u16> {
    let line = answer.split(|byte| *byte == b'\n').next()?;
    let (version, rest) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    if !version.starts_with("HTTP/1.") {
        return None;
    }
    rest.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Target, status};

    #[test]
    fn a_url_names_a_place_and_a_path() {
        for (url, host, port, path) in [
            ("http://127.0.0.1:7878/healthz", "127.0.0.1", 7878, "/healthz"),
            ("http://[::1]:80/readyz?x=1", "::1", 80, "/readyz?x=1"),
            ("http://localhost", "localhost", 80, "/healthz"),
            ("http://localhost:1/", "localhost", 1, "/healthz"),
        ] {
            let target = Target { host: host.to_owned(), port, path: path.to_owned() };
            assert_eq!(Target::read(url), Ok(target), "{url}");
        }
        assert!(Target::read("https://x/healthz").unwrap_err().contains("curl --fail https://x/healthz"));
        for url in ["", "localhost:7878", "/healthz", "ftp://x/", "http://", "http:// x/", "http://x/\r\ny"] {
            assert!(Target::read(url).unwrap_err().contains("http://127.0.0.1:7878/healthz"), "{url}");
        }
    }

    #[test]
    fn the_status_is_read_from_the_first_line() {
        assert_eq!(status(b"HTTP/1.1 200 OK\r\n\r\nok"), Some(200));
        assert_eq!(status(b"HTTP/1.0 503\r\n"), Some(503));
        for other in [&b""[..], b"\x15\x03\x03\x00\x02", b"SSH-2.0-x 200\r\n", b"HTTP/1.1 abc\r\n", b"HTTP/1.1"] {
            assert_eq!(status(other), None);
        }
    }
}
