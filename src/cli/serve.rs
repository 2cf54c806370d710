//! `rollbook serve`: the MCP server.

use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::cli::args::{TableArgs, ToolsetsArg};
use crate::cli::output::{Done, Failed, LogFormat, say};
use crate::cli::streams;
use rollbook_server::http::rate::Rate;
use rollbook_server::http::{self, Settings};
use rollbook_server::mcp;
use rollbook_table::session::{Questions, Quota, ReplyDetail};
use rollbook_table::tools::Category;

const BY_HAND: &str = "\
rollbook serve waits for an MCP client: a line of JSON-RPC each way, over standard input and output.
A client starts it by itself; `rollbook init` writes the settings for that.
To sit at the table yourself: `rollbook play`. To try rules at a prompt: `rollbook try DIR`.
To see that it answers, type {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}; Ctrl-C ends it.";

/// Serve an adventure to an MCP client, or to many over HTTP.
///
/// Over standard input and output it ends when the client closes the input or ends itself, or at
/// Ctrl-C; nothing but the protocol is written to standard output. Over HTTP it ends at Ctrl-C or
/// SIGTERM, once the calls that run are answered.
#[derive(Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    table: TableArgs,
    /// How much a reply says where the call does not say it; programs that read the dice want full.
    #[arg(long, value_enum, default_value_t, hide_possible_values = false)]
    detail: ReplyDetail,
    /// What the person behind a client that can show a form is asked.
    #[arg(long, value_enum, default_value_t)]
    questions: Questions,
    /// Make no backup when a session ends: somebody else backs the database up.
    #[arg(long)]
    no_session_backups: bool,
    /// How lines of the log look on standard error; `ROLLBOOK_LOG=info` writes more of them.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    log_format: LogFormat,
    #[command(flatten)]
    tools: ToolsetsArg,
    #[command(flatten)]
    quota: QuotaArgs,
    #[command(flatten)]
    over_http: OverHttp,
}

/// How much a campaign may hold.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of each campaign")]
struct QuotaArgs {
    /// Entries it may have before nothing more is written [default: any number; with --http
    /// 1000000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    campaign_entries: Option<u64>,
    /// Bytes of log it may have [default: any number; with --http 2147483648].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    campaign_bytes: Option<u64>,
    /// Characters it may have [default: 2000; with --http 5000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    campaign_characters: Option<u32>,
}

/// How the server is reached over HTTP.
#[derive(Debug, Args)]
#[command(next_help_heading = "Over HTTP")]
struct OverHttp {
    /// Serve HTTP at this address instead: the protocol at /mcp, plain JSON at /api. 7878 alone is 127.0.0.1:7878;
    /// port 0 takes a free one.
    #[arg(long, value_name = "ADDR", value_parser = address)]
    http: Option<SocketAddr>,
    /// A name under which the server is reached, beside localhost and addresses in numbers; may be
    /// given several times.
    #[arg(long, value_name = "NAME", requires = "http")]
    host: Vec<String>,
    /// A web page's origin (`https://table.example.org`) that may ask; may be given several times.
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    origin: Vec<String>,
    /// How often one caller may call.
    #[arg(
        long,
        value_enum,
        default_value_t,
        requires = "http",
        hide_possible_values = false
    )]
    rate: Rate,
    /// A certificate (PEM); with it the server speaks TLS.
    #[arg(long, value_name = "FILE", requires_all = ["http", "tls_key"])]
    tls_cert: Option<PathBuf>,
    /// The certificate's private key (PEM).
    #[arg(long, value_name = "FILE", requires_all = ["http", "tls_cert"])]
    tls_key: Option<PathBuf>,
}

impl Serve {
    pub(super) fn serves_many(&self) -> bool {
        self.over_http.http.is_some()
    }

    /// Over HTTP nobody sits at the terminal: only errors are written.
    pub(super) fn logs(&self) -> (LogFormat, &'static str) {
        (
            self.log_format,
            if self.serves_many() {
                "error,rollbook::address=info"
            } else {
                "warn"
            },
        )
    }

    pub(super) async fn run(self) -> Result<Done, Failed> {
        let mut host = self.table.host()?;
        (host.detail, host.questions) = (self.detail, self.questions);
        let usual = if self.over_http.http.is_some() {
            Quota::OVER_HTTP
        } else {
            Quota::OWN
        };
        host.quota = Quota {
            entries: self.quota.campaign_entries.or(usual.entries),
            bytes: self.quota.campaign_bytes.or(usual.bytes),
            characters: self
                .quota
                .campaign_characters
                .map_or(usual.characters, |most| most as usize),
        };
        host.backs_up = !self.no_session_backups;
        if self.over_http.http.is_some() {
            // Nobody else's call writes a file here.
            host.offers = None;
        }
        host.look_at_database().await?;
        let (host, tools) = (
            Arc::new(host),
            Arc::new(self.tools.registry(&Category::DEFAULT)?),
        );
        let Some(address) = self.over_http.http else {
            if std::io::stdin().is_terminal() {
                say(BY_HAND);
            }
            let stop = async {
                tokio::select! {
                    () = stop_signal(true, false) => {}
                    () = parent_ended() => {}
                }
            };
            return mcp::serve(host, tools, streams::input(), streams::output(), stop)
                .await
                .map(|()| Done::Well);
        };
        let OverHttp {
            host: hosts,
            origin: origins,
            rate,
            tls_cert,
            tls_key,
            ..
        } = self.over_http;
        let settings = Settings {
            address,
            hosts,
            origins,
            rate,
            tls: tls_cert.zip(tls_key),
        };
        let scheme = if settings.tls.is_some() {
            "https"
        } else {
            "http"
        };
        let ready = |address| {
            let text = format!("rollbook serves {scheme}://{address}/mcp");
            match self.log_format {
                LogFormat::Text => say(&text),
                LogFormat::Json => tracing::info!(target: "rollbook::address", "{text}"),
            }
        };
        http::serve(host, tools, settings, ready, stop_signal(true, false))
            .await
            .map(|()| Done::Well)
    }
}

/// An address and a port; a port alone, or localhost, is this computer's own.
fn address(text: &str) -> Result<SocketAddr, String> {
    let text = text.trim();
    let port = text
        .strip_prefix("localhost:")
        .or_else(|| text.strip_prefix(':'))
        .unwrap_or(text);
    let advice = "an address and a port are wanted, such as 127.0.0.1:7878, or 0.0.0.0:7878 for every network";
    match port.parse::<u16>() {
        Ok(port) => Ok(SocketAddr::from(([127, 0, 0, 1], port))),
        Err(_) => text.parse().map_err(|_| advice.to_owned()),
    }
}

/// Returns at Ctrl-C; on Unix also at SIGTERM and, where a terminal may close, SIGHUP. They are
/// waited for from this call on.
pub(super) fn stop_signal(by_ctrl_c: bool, by_hangup: bool) -> impl Future<Output = ()> {
    #[cfg(unix)]
    let signals = {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [
            (true, SignalKind::terminate()),
            (by_hangup, SignalKind::hangup()),
            (by_ctrl_c, SignalKind::interrupt()),
        ];
        let wanted = kinds.into_iter().filter(|(is_wanted, _)| *is_wanted);
        wanted
            .filter_map(|(_, kind)| signal(kind).ok())
            .collect::<Vec<_>>()
    };
    async move {
        #[cfg(unix)]
        {
            let mut signals = signals;
            let any = std::future::poll_fn(|context| {
                match signals
                    .iter_mut()
                    .any(|one| one.poll_recv(context).is_ready())
                {
                    true => std::task::Poll::Ready(()),
                    false => std::task::Poll::Pending,
                }
            });
            any.await;
        }
        #[cfg(not(unix))]
        if !by_ctrl_c || tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Returns when the process that started this one and holds its input has ended. Its pipe may be
/// open all the same: another child of it may have inherited the other end. A named pipe or a file
/// outlives who opened it, so there only its end counts.
async fn parent_ended() {
    #[cfg(unix)]
    {
        use std::os::unix::process::parent_id;
        let (parent, input) = (
            parent_id(),
            std::fs::read_link("/proc/self/fd/0").unwrap_or_default(),
        );
        let input = input.to_string_lossy();
        if input.starts_with("pipe:") || input.starts_with("socket:") {
            while parent_id() == parent {
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            }
            return;
        }
    }
    std::future::pending().await
}

#[test]
fn a_port_alone_is_this_computers_own() {
    for text in [
        "7878",
        ":7878",
        "localhost:7878",
        "127.0.0.1:7878",
        " 7878 ",
    ] {
        assert_eq!(
            address(text).unwrap().to_string(),
            "127.0.0.1:7878",
            "{text}"
        );
    }
    assert_eq!(address("0.0.0.0:80").unwrap().to_string(), "0.0.0.0:80");
    assert_eq!(address("[::1]:80").unwrap().to_string(), "[::1]:80");
    for wrong in [
        "",
        "table.example.org:80",
        "127.0.0.1",
        "99999",
        "http://127.0.0.1:80",
    ] {
        assert!(
            address(wrong).unwrap_err().contains("127.0.0.1:7878"),
            "{wrong}"
        );
    }
}
