//! Sessions: begun by the GM or by the first write, ended by the GM.

use crate::decide::rest::{self, Closing};
use crate::record::change::{Change, Images};
use crate::record::event::{Event, Restored, SessionEnded, SessionStarted};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::{limits, record::state::Session};

/// Opens a session; refused while one is open.
pub fn start(table: &mut Table, title: Option<String>) -> Result<u64> {
    title
        .as_ref()
        .map_or(Ok(()), |title| limits::name("title", title))?;
    if let Some(open) = table.state.open_session() {
        let summary = format!(
            "Session {} is still open. Send manage_session action=\"end\" first, or just play on.",
            open.number
        );
        return Err(Refusal::new(Code::SessionOpen, summary));
    }
    let number = table.next_session();
    let row = Session {
        number,
        title: title.clone(),
        started_at: table.at,
        ended_at: None,
    };
    let event = Event::SessionStarted(SessionStarted { number, title });
    Ok(table.log(Draft::new(
        "gm",
        event,
        vec![Change::Session(Images::made(row))],
    )))
}

/// Closes the open session and applies the rules for its end; a running fight stays as it is.
pub fn end(table: &mut Table) -> Result<u64> {
    let Some(open) = table.state.open_session().cloned() else {
        let summary = "No session is open. Send manage_session action=\"start\" to open one.";
        return Err(Refusal::new(Code::NoSession, summary));
    };
    rest::close(table, Closing::Session, &[])?;
    let event = Event::SessionEnded(SessionEnded {
        number: open.number,
        seen: None,
    });
    let closed = Session {
        ended_at: Some(table.at),
        ..open.clone()
    };
    Ok(table.log(Draft::new(
        "gm",
        event,
        vec![Change::Session(Images::changed(open, closed))],
    )))
}

/// Logs that entries are lost and that play goes on without them.
pub fn accept_loss(table: &mut Table) -> Result<u64> {
    let Some(loss) = table.loss.clone() else {
        let summary =
            "Nothing of this log is known to be lost, so there is nothing to accept. Just play on.";
        return Err(Refusal::new(Code::NoLoss, summary));
    };
    Ok(table.log(Draft::new("gm", Event::LossAccepted(loss), Vec::new())))
}

/// Logs that the database was put back from a copy, and goes on without what the copy lacks.
pub fn restored(table: &mut Table, from: String) -> u64 {
    table.log(Draft::new(
        "gm",
        Event::Restored(Restored {
            from,
            loss: table.loss.clone(),
        }),
        Vec::new(),
    ))
}
