//! A connection to a server, and why there is none, in words for its operator.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::{ConnectOptions, Error};

use crate::names::printable;
use crate::store::StoreError;
use crate::store::location::Server;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connects to a server.
///
/// # Errors
/// [`StoreError::NotOpened`] with what can be done about it; never with the password.
pub async fn connect(server: &Server) -> Result<PgConnection, StoreError> {
    let connected = tokio::time::timeout(PATIENCE, server.options.connect()).await;
    let (reason, advice) = match connected {
        Ok(Ok(mut connection)) => {
            // A Rollbook server that stands still in the midst of a call must not keep a campaign from all others.
            let limit = sqlx::query("set idle_in_transaction_session_timeout = '30s'");
            return limit.execute(&mut connection).await.map(|_| connection).map_err(StoreError::from);
        }
        Ok(Err(error)) => why_not(&error),
        Err(_) => {
            let reason = format!("the server did not answer within {} seconds", PATIENCE.as_secs());
            (reason, "Look whether it runs there and may be reached from here")
        }
    };
    Err(StoreError::NotOpened { path: server.to_string(), reason, advice: advice.to_owned() })
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
