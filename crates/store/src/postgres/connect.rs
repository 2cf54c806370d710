//! A connection to a server, and why there is none, in words for its operator.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Error, Row, query};

use crate::StoreError;
use crate::error::not_opened;
use crate::hosts::host;
use crate::location::Server;
use rollbook_text::names::printable;

const PATIENCE: Duration = Duration::from_secs(10);

pub struct Reached {
    pub connection: PgConnection,
    /// Whether it can be written, as far as it is known: of several hosts each is asked, and one alone says it when it is written.
    pub writes: bool,
}

/// Connects to a server; of several hosts to the one that can be written, and where there is none for now, to one that can be read.
pub async fn connect(server: &Server) -> Result<Reached, StoreError> {
    let (mut only_reads, mut reasons, mut advised) = (None, Vec::new(), "");
    for (nth, options) in server.hosts() {
        match reach(options, server.has_several()).await {
            Ok(reached) if reached.writes => {
                server.begin_with(nth);
                return Ok(reached);
            }
            Ok(reached) => only_reads = only_reads.or(Some(reached)),
            Err((reason, advice)) => {
                advised = advice;
                reasons.push(if server.has_several() { format!("{}: {reason}", host(options)) } else { reason });
            }
        }
    }
    only_reads.ok_or_else(|| not_opened(server.to_string(), reasons.join("; "), advised))
}

/// Connects to one host, `asks` whether it can be written, or says why not and what can be done about it.
async fn reach(options: &PgConnectOptions, asks: bool) -> Result<Reached, (String, &'static str)> {
    let connected = async {
        let mut connection = options.connect().await?;
        // A Rollbook server that hangs in the midst of a call must not keep a campaign from all others.
        query("set idle_in_transaction_session_timeout = '30s'").execute(&mut connection).await?;
        let writes = !asks || writes(&mut connection).await?;
        Ok(Reached { connection, writes })
    };
    match tokio::time::timeout(PATIENCE, connected).await {
        Ok(connected) => connected.map_err(|error| why_not(&error)),
        Err(_) => {
            let reason = format!("the server did not answer within {} seconds", PATIENCE.as_secs());
            Err((reason, "Look whether it runs there and may be reached from here"))
        }
    }
}

async fn writes(connection: &mut PgConnection) -> Result<bool, Error> {
    let asked = "select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writes";
    query(asked).fetch_one(connection).await?.try_get("writes")
}

fn why_not(error: &Error) -> (String, &'static str) {
    let Some(refused) = error.as_database_error() else {
        return match error {
            Error::Io(error) => (
                format!("the server cannot be reached: {error}"),
                "Look whether it runs there and may be reached from here",
            ),
            Error::Tls(error) => (
                format!("no TLS was agreed on: {error}"),
                "Name the server's own certificate authority with ?sslrootcert=FILE, or another sslmode",
            ),
            other => (other.to_string(), "Look whether a PostgreSQL listens there"),
        };
    };
    let words = printable(refused.message());
    match refused.code().as_deref() {
        Some("28P01" | "28000") => (
            format!("the server lets nobody in so: {words}"),
            "Put the user into the address, and the password into PGPASSWORD or ~/.pgpass",
        ),
        Some("3D000") => (words, "Make it first, with: createdb NAME"),
        Some("53300") => (
            format!("the server has no connection left: {words}"),
            "Send the same again later, or let the server have more (max_connections)",
        ),
        Some("57P03") => (format!("the server is not ready: {words}"), "Send the same again in a few seconds"),
        _ => (words, "Ask the server's operator"),
    }
}
