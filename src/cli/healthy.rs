//! `rollbook healthy`: whether a server answers, for containers and services.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use axum::http::Uri;
use clap::Args;

use crate::cli::output::{Done, Failed, reason, say};
use crate::play::model::{innermost, plain_client};
use rollbook_text::names::printable;

const PATIENCE: Duration = Duration::from_secs(5);

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

impl Healthy {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let url = target(&self.url)?;
        // `localhost` is this computer also where no file lists it, as in an empty root.
        let local = [
            (Ipv4Addr::LOCALHOST, 0).into(),
            (Ipv6Addr::LOCALHOST, 0).into(),
        ];
        let client = plain_client().map_err(reason)?.no_proxy().timeout(PATIENCE);
        let client = client
            .resolve_to_addrs("localhost", &local)
            .build()
            .map_err(reason)?;
        let why = match client.get(url).send().await {
            Ok(answer) if answer.status().as_u16() == 200 => return Ok(Done::Well),
            Ok(answer) => format!("it answered {}", answer.status().as_u16()),
            Err(error) if error.is_timeout() => {
                format!("no answer within {} seconds", PATIENCE.as_secs())
            }
            Err(error) if error.is_connect() => innermost(&error).to_string(),
            Err(_) => "what answered does not speak HTTP (or speaks TLS)".to_owned(),
        };
        say(&format!(
            "{} is not healthy: {}",
            printable(&self.url),
            printable(&why)
        ));
        Ok(Done::Findings)
    }
}

fn target(url: &str) -> Result<String, Failed> {
    let advice =
        || format!("healthy takes a URL such as http://127.0.0.1:7878/healthz, not {url:?}");
    let uri: Uri = url.parse().map_err(|_| advice())?;
    if uri.scheme_str() == Some("https") {
        return Err(format!(
            "healthy speaks plain HTTP alone. Ask with: curl --fail {}",
            printable(url)
        ));
    }
    let host = uri
        .authority()
        .filter(|host| uri.scheme_str() == Some("http") && !host.host().is_empty());
    let path = uri
        .path_and_query()
        .map(|path| path.as_str())
        .filter(|path| *path != "/")
        .unwrap_or("/healthz");
    Ok(format!("http://{}{path}", host.ok_or_else(advice)?))
}

#[test]
fn a_url_names_a_place_and_a_path() {
    for (url, asked) in [
        (
            "http://127.0.0.1:7878/healthz",
            "http://127.0.0.1:7878/healthz",
        ),
        ("http://[::1]:80/readyz?x=1", "http://[::1]:80/readyz?x=1"),
        ("http://localhost", "http://localhost/healthz"),
        ("http://localhost:1/", "http://localhost:1/healthz"),
    ] {
        assert_eq!(target(url).as_deref(), Ok(asked), "{url}");
    }
    for url in [
        "",
        "localhost:7878",
        "/healthz",
        "ftp://x/",
        "http://",
        "http:// x/",
        "http://x/\r\ny",
    ] {
        assert!(
            target(url)
                .unwrap_err()
                .contains("http://127.0.0.1:7878/healthz"),
            "{url}"
        );
    }
}
