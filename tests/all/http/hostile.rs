//! Requests that are meant to harm: what is half sent, endless, doubled, malformed or guessed is
//! refused, others are served meanwhile, and memory stays bounded.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;

use serde_json::json;

use super::keys::{bearer, made};
use super::web::{Web, receive, send};

/// Bytes that a server may hold at most while these tests torment it; the build of the tests is not
/// optimised.
#[cfg(target_os = "linux")]
const MEMORY_MAX: u64 = 300 * 1024 * 1024;

/// Connections that are begun and never finished.
const HALF_OPEN: usize = 10_000;

#[track_caller]
fn is_bounded(server: &Web) {
    #[cfg(target_os = "linux")]
    assert!(
        server.memory_max() < MEMORY_MAX,
        "{} bytes",
        server.memory_max()
    );
    assert_eq!(server.get("/healthz").status, 200);
}

/// Asks for as many open files as there may be; answers how many half-open connections that allows.
fn affordable() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        setrlimit(
            Resource::Nofile,
            Rlimit {
                current: limit.maximum,
                maximum: limit.maximum,
            },
        )
        .expect("a limit");
        let files = limit.maximum.map_or(usize::MAX, |files| {
            usize::try_from(files).unwrap_or(usize::MAX)
        });
        // The server keeps some of its own; other tests open files at the same time.
        files.saturating_sub(512).min(HALF_OPEN)
    }
    #[cfg(not(unix))]
    HALF_OPEN
}

/// Everything that comes until the server closes the connection.
fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn half_open_connections_are_ended_and_keep_nobody_from_being_served() {
    let server = Web::start();
    let head = server.head("POST", "/api/roll", &[], 1000);
    let begun: [&[u8]; 4] = [
        b"",
        b"GET /healthz HTT",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        head.as_bytes(),
    ];
    let count = affordable();
    #[cfg(target_os = "linux")]
    let before = server.memory_max();
    let mut open: Vec<TcpStream> = (0..count)
        .map(|nth| {
            let mut stream = server.connect();
            stream
                .write_all(begun[nth % begun.len()])
                .expect("it is sent");
            stream
        })
        .collect();
    // More slow bodies than a few hundred, and calls with a body of their own go on.
    for _ in 0..20 {
        assert_eq!(
            server
                .post("/api/roll", &json!({"expression": "1d6"}))
                .status,
            200
        );
        assert_eq!(
            server
                .call(&[], "roll_dice", json!({"expression": "1d6"}))
                .status,
            200
        );
    }
    // One that sends a byte now and then gets no longer than one that is silent.
    let mut dripping = server.connect();
    dripping
        .write_all(b"GET /healthz HTTP/1.1\r\nX-Drip: ")
        .expect("it is sent");
    let mut drip = dripping.try_clone().expect("a second handle");
    let drip = std::thread::spawn(move || {
        while drip.write_all(b"x").is_ok() {
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    });
    for (nth, stream) in open.iter_mut().enumerate() {
        let answer = rest(stream);
        let is_body = nth % begun.len() == 3;
        assert!(
            !is_body || answer.starts_with("HTTP/1.1 408"),
            "a body that does not come: {answer:?}"
        );
        assert!(!answer.starts_with("HTTP/1.1 2"), "{answer:?}");
    }
    #[cfg(target_os = "linux")]
    eprintln!(
        "{count} half-open connections: {} kB of memory at most, {} kB before",
        server.memory_max() / 1024,
        before / 1024
    );
    rest(&mut dripping);
    let _ = dripping.shutdown(Shutdown::Both);
    drip.join().expect("no panic");
    is_bounded(&server);
}

#[test]
fn garbage_after_a_request_ends_the_connection_and_nothing_else() {
    let server = Web::start();
    let good = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    for garbage in [
        &b"\x00\xff\x16\x03 this is no HTTP\r\n\r\n"[..],
        b"GET /healthz HTTP/9.9\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost localhost\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST /api/roll HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/roll HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        b"POST /api/roll HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        b"POST /api/roll HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, gzip\r\n\r\n{}",
    ] {
        let mut stream = server.connect();
        send(&mut stream, &good.repeat(3), garbage);
        stream.shutdown(Shutdown::Write).expect("it is open");
        let answers = rest(&mut stream);
        assert_eq!(answers.matches("HTTP/1.1 200").count(), 3, "{garbage:?}: {answers}");
        assert!(answers.matches("HTTP/1.1 4").count() <= 1, "{garbage:?}: {answers}");
    }
    // Many at once are answered in order.
    let mut stream = server.connect();
    send(
        &mut stream,
        &good.repeat(500),
        server.head("GET", "/healthz", &[], 0).as_bytes(),
    );
    assert_eq!(rest(&mut stream).matches("HTTP/1.1 200").count(), 501);
    is_bounded(&server);
}

#[test]
fn a_body_in_chunks_is_no_longer_than_another() {
    let server = Web::start();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.address
    );
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    for _ in 0..50 {
        let mut stream = server.connect();
        send(&mut stream, &head, chunk.repeat(32).as_bytes());
        assert_eq!(
            receive(&mut stream).status,
            413,
            "the end never comes and is not waited for"
        );
    }
    for broken in ["zz\r\n", "-5\r\n", "ffffffffffffffffff\r\n", "5\r\nabc"] {
        let mut stream = server.connect();
        send(&mut stream, &head, broken.as_bytes());
        stream.shutdown(Shutdown::Write).expect("it is open");
        let answer = rest(&mut stream);
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 400"),
            "{broken:?}: {answer}"
        );
    }
    // What is after a body by one reading and inside it by another is not carried out as a request
    // of its own.
    let inner = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let both = format!(
        "POST /api/roll HTTP/1.1\r\nHost: {}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{inner}",
        server.address
    );
    let mut stream = server.connect();
    send(&mut stream, &both, b"");
    stream.shutdown(Shutdown::Write).expect("it is open");
    let answers = rest(&mut stream);
    assert!(
        answers.starts_with("HTTP/1.1 400") && !answers.contains("HTTP/1.1 200"),
        "{answers}"
    );
    is_bounded(&server);
}

#[test]
fn heads_without_end_are_refused() {
    let server = Web::start();
    for _ in 0..100 {
        let mut stream = server.connect();
        send(
            &mut stream,
            "GET /healthz HTTP/1.1\r\nX-Long: ",
            &vec![b'x'; 1_000_000],
        );
        let answer = rest(&mut stream);
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 431"),
            "{answer}"
        );
        let mut stream = server.connect();
        send(
            &mut stream,
            &format!("GET /{} HTTP/1.1\r\n", "x".repeat(100_000)),
            b"\r\n",
        );
        let answer = rest(&mut stream);
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{answer}"
        );
    }
    is_bounded(&server);
}

#[test]
fn two_hosts_or_origins_are_refused() {
    let server = Web::start();
    let address = server.address.to_string();
    for pair in [
        [("Host", address.as_str()), ("Host", "evil.example")],
        [("Origin", "null"), ("Origin", "http://evil.example")],
    ] {
        assert_eq!(
            server.ask("GET", "/api", &pair, b"").status,
            400,
            "{pair:?}"
        );
    }
}

#[test]
fn guesses_are_counted_and_a_key_ends_at_its_moment() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let moment =
        chrono::DateTime::from_timestamp_micros(rollbook_table::session::os::now() + 3_000_000)
            .expect("a moment");
    let moment = moment.to_rfc3339();
    let short = bearer(&made(
        folder.path(),
        &["--campaign", "North", "--seat", "gm", "--expires", &moment],
    ));
    let gm = made(folder.path(), &["--campaign", "North", "--seat", "gm"]);
    let server = Web::on(folder, &["--rate", "off"]);
    let ask = |key: &str| server.ask("GET", "/metrics", &[("Authorization", key)], b"");
    let first = ask(&short).status;
    assert!(first == 200 || first == 401, "{first}");

    // The key of a seat with another secret, its beginning, nothing, other schemes: each is a
    // guess.
    let (id, secret) = gm.rsplit_once('_').expect("an id and a secret");
    let turned: String = secret.chars().rev().collect();
    let guesses = [
        bearer(&format!("{id}_{turned}")),
        bearer(&gm[..gm.len() - 1]),
        bearer(&format!("{gm}0")),
        bearer(""),
        bearer(&"x".repeat(20_000)),
        bearer("' or 1=1 --"),
        format!("Basic {gm}"),
        gm.clone(),
    ];
    for guess in &guesses {
        let answer = ask(guess);
        assert_eq!(answer.status, 401, "{guess:.60}: {answer:?}");
        assert!(
            answer.headers["www-authenticate"].starts_with("Bearer resource_metadata="),
            "{answer:?}"
        );
        assert!(
            !answer.body.contains(secret) && !answer.body.contains(id),
            "{answer:?}"
        );
    }
    let more: Vec<u16> = (0..40)
        .map(|nth| ask(&bearer(&format!("rollbook_{nth}"))).status)
        .collect();
    assert!(
        more.contains(&429) && more.iter().all(|status| [401, 429].contains(status)),
        "{more:?}"
    );
    assert_eq!(
        ask(&bearer(&gm)).status,
        200,
        "who guesses takes nothing from who has a key"
    );

    while ask(&short).status == 200 {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!([401, 429].contains(&ask(&short).status), "expired");
    is_bounded(&server);
}
