//! `rollbook healthy`: what it answers about servers that are well, ill, gone or something else.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Output;

use super::web::Web;
use crate::process::rollbook;

fn healthy(url: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    rollbook(folder.path()).arg("healthy").arg(url).output().expect("it ends")
}

#[track_caller]
fn says(url: &str, code: i32, words: &str) {
    let output = healthy(url);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(code) && said.contains(words), "{url}: {output:?}");
    assert!(output.stdout.is_empty() && (code != 0 || said.is_empty()), "{output:?}");
}

#[test]
fn a_server_that_answers_is_healthy() {
    let server = Web::start();
    for url in [format!("http://{}", server.address), format!("http://{}/healthz", server.address)] {
        says(&url, 0, "");
    }
    let ready = format!("http://localhost:{}/readyz", server.address.port());
    says(&ready, 0, "");
    std::fs::write(server.database(), "a shopping list").expect("written");
    says(&format!("http://{}", server.address), 0, "");
    says(&ready, 1, "it answered 503");
}

#[test]
fn what_is_gone_or_something_else_is_not_healthy() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("an address");
    let address = listener.local_addr().expect("an address");
    let other = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("it asks");
        let _ = stream.read(&mut [0; 1024]);
        stream.write_all(b"SSH-2.0-other\r\n").expect("it is sent");
    });
    says(&format!("http://{address}/healthz"), 1, "does not speak HTTP");
    other.join().expect("no panic");
    // Nobody listens there any more.
    says(&format!("http://{address}/healthz"), 1, "is not healthy");
    says("https://localhost/healthz", 2, "curl --fail https://localhost/healthz");
    says("localhost:7878", 2, "http://127.0.0.1:7878/healthz");
}
