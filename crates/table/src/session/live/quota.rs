//! How much a campaign may hold: counted in memory, so that a call costs no more for it.

use super::{CallError, Live, Request};
use rollbook_game::limits::LIMITS;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_store::Connection;
use rollbook_text::names::for_shell;

/// How much a campaign may hold before writes are refused; `None` where nothing bounds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    pub entries: Option<u64>,
    /// Bytes of its log: what happened, and what players see of it.
    pub bytes: Option<u64>,
    pub characters: usize,
}

impl Quota {
    /// Of a person's own server: only characters are bounded.
    pub const OWN: Quota = Quota {
        entries: None,
        bytes: None,
        characters: LIMITS.characters,
    };
    /// Of a server for many: a million entries, 2 GiB, 5,000 characters.
    pub const OVER_HTTP: Quota = Quota {
        entries: Some(1_000_000),
        bytes: Some(2 << 30),
        characters: 5000,
    };
}

impl Default for Quota {
    fn default() -> Self {
        Quota::OWN
    }
}

impl Live {
    /// Refuses to write to a full campaign before anything is decided. What ends or undoes goes on.
    pub(super) fn may_grow(&self, request: &Request) -> Result<(), Refusal> {
        let goes_on = request.ends_session || request.accepts_loss || request.undoes();
        let full = |holds: u64, most: Option<u64>| most.filter(|most| holds >= *most);
        let what = match (
            full(self.head.seq, self.quota.entries),
            full(self.bytes, self.quota.bytes),
        ) {
            _ if goes_on => return Ok(()),
            (None, None) => return Ok(()),
            (Some(most), _) => format!("{} entries of {most}", self.head.seq),
            (None, Some(most)) => format!("{} bytes of log of {most}", self.bytes),
        };
        let name = for_shell(&self.setting.campaign);
        let summary = format!(
            "Campaign \"{}\" is full: it has {what} that it may have on this server. Nothing was rolled or written; reading, undo and \
             manage_session action=\"end\" go on. To play on, stop the server and run `rollbook campaigns continue {name} --export FILE`: the whole \
             log is exported, and a new one goes on where it ends. Or start the server with a higher --campaign-entries or --campaign-bytes.",
            self.setting.campaign
        );
        Err(Refusal::new(Code::LimitExceeded, summary))
    }

    /// Counts the bytes of entries after one that were written elsewhere.
    pub(super) async fn count_bytes(
        &mut self,
        log: &mut Connection,
        after: u64,
    ) -> Result<(), CallError> {
        if let (Some(_), Some(identity)) = (self.quota.bytes, &self.identity) {
            let more = log.bytes_after(identity.key, after).await?;
            self.bytes = if after == 0 { more } else { self.bytes + more };
        }
        Ok(())
    }
}
