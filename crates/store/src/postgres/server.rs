//! A database on a server that is open to play in. Several Rollbook servers may play a campaign: a
//! write locks its row before any die is drawn, and reads the head of its log after that.
//!
//! What is sent is plain: `begin`, `select … for update`, inserts and `commit`, so that engines
//! that speak the protocol can carry it. Only a campaign that is being made takes an advisory lock,
//! and where an engine has none the campaign's unique name does.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::{ConnectOptions, Error};

use super::migrate;
use crate::error::not_opened;
use crate::location::Server;
use crate::pool::{Lent, Pool};
use crate::sql::append::NAMING;
use crate::sql::connection::{Connection, query};
use crate::{Head, StoreError};
use rollbook_text::names::printable;

/// Connections of one Rollbook server that read at the same moment, and as many that write.
const CONNECTIONS: usize = 8;

/// How long a server may take to answer a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// A database on a server that is open to play in.
pub struct Postgres {
    pub(crate) server: Server,
    readers: Pool,
    /// Apart from those that read: a call with one of these may wait for a reading of its campaign.
    writers: Pool,
}

impl Postgres {
    /// Opens it, making its tables or bringing them up to date where needed.
    pub async fn open(server: &Server) -> Result<Postgres, StoreError> {
        let (readers, writers) = (Pool::of(CONNECTIONS), Pool::of(CONNECTIONS));
        let mut first = connect(server).await?;
        migrate::bring_up_to_date(&mut first, &server.to_string()).await?;
        writers.add(Connection::to_server(first));
        Ok(Postgres {
            server: server.clone(),
            readers,
            writers,
        })
    }

    /// A connection that reads what is committed.
    pub async fn read(&self) -> Result<Lent, StoreError> {
        self.readers.lend(async || self.connect().await).await
    }

    /// A connection to write with; those who wait get one in the order of asking.
    pub async fn turn(&self) -> Result<Lent, StoreError> {
        self.writers.lend(async || self.connect().await).await
    }

    /// Another connection to a server that was there before: it will be there again.
    async fn connect(&self) -> Result<Connection, StoreError> {
        match connect(&self.server).await {
            Ok(connection) => Ok(Connection::to_server(connection)),
            Err(StoreError::NotOpened { reason, .. }) => {
                Err(StoreError::Lost(format!("cannot be used: {reason}")))
            }
            Err(other) => Err(other),
        }
    }

    /// Why nothing can be written for now; `None` where it can.
    pub async fn only_reads(&self) -> Result<Option<String>, StoreError> {
        let mut lent = self.turn().await?;
        let asked = "select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as reads";
        let row = query(asked).fetch_one(&mut lent).await?;
        let (standby, reads): (bool, bool) = (row.try_get("standby")?, row.try_get("reads")?);
        if reads {
            // The next one may find it writable again.
            lent.give_up();
        }
        Ok(match (standby, reads) {
            (true, _) => Some("it is a standby".to_owned()),
            (false, true) => {
                Some("its transactions are read-only (default_transaction_read_only)".to_owned())
            }
            (false, false) => None,
        })
    }

    /// Closes its connections in good order.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.readers.close().await?;
        self.writers.close().await
    }
}

/// Connects to a server, or says why not and what can be done about it.
pub async fn connect(server: &Server) -> Result<PgConnection, StoreError> {
    let connected = async {
        let mut connection = server.options.connect().await?;
        // A Rollbook server that hangs within a call must not keep a campaign from all others.
        sqlx::query("set idle_in_transaction_session_timeout = '30s'")
            .execute(&mut connection)
            .await?;
        Ok(connection)
    };
    let (reason, advice) = match tokio::time::timeout(PATIENCE, connected).await {
        Ok(Ok(connection)) => return Ok(connection),
        Ok(Err(error)) => why_not(&error),
        Err(_) => {
            let reason = format!(
                "the server did not answer within {} seconds",
                PATIENCE.as_secs()
            );
            (
                reason,
                "Look whether it runs there and may be reached from here",
            )
        }
    };
    Err(not_opened(server.to_string(), reason, advice))
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
        Some("57P03") => (
            format!("the server is not ready: {words}"),
            "Send the same again in a few seconds",
        ),
        _ => (words, "Ask the server's operator"),
    }
}

/// A connection, and the schema of the tables that the database holds.
pub(crate) async fn looked_at(server: &Server) -> Result<(Connection, Option<i64>), StoreError> {
    let mut connection = connect(server).await?;
    let found = migrate::look(&mut connection, &server.to_string()).await?;
    Ok((Connection::to_server(connection), found))
}

/// A connection that reads a database which holds our tables, and can change nothing.
pub(crate) async fn read_only(server: &Server) -> Result<Connection, StoreError> {
    let (mut connection, found) = looked_at(server).await?;
    if found.is_none() {
        return Err(StoreError::Io(format!(
            "the database {server} holds nothing yet"
        )));
    }
    query("set default_transaction_read_only = on")
        .execute(&mut connection)
        .await?;
    Ok(connection)
}

/// Refuses, before anybody plays, a database that cannot be used; one out of reach may come back.
pub(crate) async fn look(server: &Server) -> Result<(), StoreError> {
    match connect(server).await {
        Ok(mut connection) => {
            migrate::look(&mut connection, &server.to_string()).await?;
            Connection::to_server(connection).close().await
        }
        Err(error) => {
            tracing::warn!("{error}");
            Ok(())
        }
    }
}

/// Whether a database has our tables.
pub(crate) async fn holds_any(server: &Server) -> Result<bool, StoreError> {
    let (connection, found) = looked_at(server).await?;
    connection.close().await?;
    Ok(found.is_some())
}

/// Begins a call: locks the campaign's row, or who makes one (key 0); then reads its log's end.
pub(crate) async fn begin(lent: &mut Lent, campaign: i64) -> Result<Head, StoreError> {
    lent.end().await?;
    lent.begin_write().await?;
    const NAMES: &str = "select max(version) as version, pg_advisory_xact_lock($1) is null as locked from _sqlx_migrations";
    const ROW: &str = "select (select max(version) from _sqlx_migrations) as version from campaigns where id = $1 for update";
    let locked = if campaign == 0 {
        query(NAMES).bind(NAMING)
    } else {
        query(ROW).bind(campaign)
    };
    let known = migrate::steps()?.current();
    match locked.fetch_value(lent, "version").await? {
        Some(found) if found > known => Err(StoreError::Newer { found, known }),
        _ => lent.head(campaign).await,
    }
}
