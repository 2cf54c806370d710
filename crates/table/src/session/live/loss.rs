//! Whether the log lacks entries that it had: an older copy of the database lies in its place.
//!
//! Checkpoints, callers and this server know what it had. Nothing is written until it is settled.

use super::{CallError, Live};
use rollbook_game::record::loss::{KnownBy, Loss};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_store::{Connection, Former, Head};

impl Live {
    /// Looks at what is known of the log, once it is up to date.
    pub(super) async fn look_for_loss(
        &mut self,
        log: &mut Connection,
        after: Option<u64>,
    ) -> Result<(), CallError> {
        if let Some(loss) = self.loss.take() {
            self.loss = self.still(log, loss).await?;
        }
        let Some(after) = after else { return Ok(()) };
        let of_caller = self
            .loss
            .as_ref()
            .is_none_or(|loss| loss.known_by == KnownBy::Caller);
        if of_caller {
            // A number that the log holds puts an earlier one right.
            let ends = self.head.seq;
            self.loss = (after > ends).then(|| lost(ends, after, KnownBy::Caller));
        }
        Ok(())
    }

    /// The same for a call that reads: a number beyond the log is a slip where no loss is known.
    pub(super) async fn look_for_loss_reading(
        &mut self,
        log: &mut Connection,
        after: Option<u64>,
    ) -> Result<(), CallError> {
        self.look_for_loss(log, None).await?;
        match after {
            Some(after) if after > self.head.seq && self.loss.is_none() => {
                Err(self.beyond(after).into())
            }
            // What is noted already stays as it is.
            Some(after) if after > self.head.seq => Ok(()),
            after => self.look_for_loss(log, after).await,
        }
    }

    fn beyond(&self, after: u64) -> Refusal {
        let ends = match self.head.seq {
            0 => "nothing is in the log yet. Leave after out".to_owned(),
            last => format!("the last entry is #{last}. Send after={last}, or leave it out"),
        };
        let summary = format!(
            "after={after} is beyond the log: {ends}. If this game did reach #{after}, the database is an older copy or was cut off: \
             `rollbook verify` says more."
        );
        Refusal::new(Code::InvalidParameters, summary)
    }

    /// What is still lost: the entries may have come back, or another server accepted it.
    async fn still(&mut self, log: &mut Connection, loss: Loss) -> Result<Option<Loss>, CallError> {
        let Some(identity) = self.identity.clone() else {
            return Ok(Some(loss));
        };
        Ok(match loss.known_by {
            KnownBy::Checkpoint => log.shortened(&self.database, &identity).await?,
            KnownBy::Caller => (self.head.seq < loss.reached).then_some(loss),
            KnownBy::Server => {
                let chain = log.chain(identity.key, loss.reached).await?;
                let is_back = chain.is_some_and(|chain| {
                    loss.chain == Some(base16ct::lower::encode_string(&chain))
                });
                (!is_back).then_some(loss)
            }
        })
    }

    /// Looks at the checkpoints, when the campaign is found in the database, or is not.
    pub(super) async fn look_at_checkpoints(
        &mut self,
        log: &mut Connection,
    ) -> Result<(), CallError> {
        let found = match &self.identity {
            Some(identity) => log.shortened(&self.database, identity).await?,
            None => {
                self.former = log.former(&self.database, &self.setting.campaign).await?;
                match self.former {
                    Some(Former::Lost(reached)) => Some(lost(0, reached, KnownBy::Checkpoint)),
                    Some(Former::Renamed(_) | Former::Removed(_)) | None => None,
                }
            }
        };
        // A loss that the caller or this server noticed stays noted, whatever the checkpoints say.
        self.loss = found.or_else(|| {
            self.loss
                .take()
                .filter(|loss| loss.known_by != KnownBy::Checkpoint)
        });
        Ok(())
    }

    /// Notes that the log does not hold any more what this server has read of it.
    pub(super) fn lost_since(&mut self, known: Head, log_ends: u64) {
        let chain = Some(base16ct::lower::encode_string(&known.chain));
        let loss = Loss {
            log_ends,
            reached: known.seq,
            known_by: KnownBy::Server,
            chain,
            known_since: None,
        };
        self.loss.get_or_insert(loss);
    }

    /// Refuses to write while something is lost, unless the call accepts it; answers that.
    pub(super) fn may_write(&self, accepts_loss: bool) -> Result<Option<Loss>, Refusal> {
        let Some(loss) = &self.loss else {
            return Ok(None);
        };
        if accepts_loss {
            return Ok(Some(loss.clone()));
        }
        if self.identity.is_none() && loss.known_by == KnownBy::Checkpoint {
            return Err(self.campaign_lost(loss.reached));
        }
        Err(Refusal::new(
            Code::HistoryLost,
            format!("{} {}", loss.summary(), loss.advice()),
        ))
    }

    /// Refuses to begin a campaign whose name checkpoints know: it would hide that one is missing.
    fn campaign_lost(&self, reached: u64) -> Refusal {
        let name = &self.setting.campaign;
        let summary = format!(
            "Campaign \"{name}\" reached entry #{reached}, as checkpoints.log says, and the database does not hold it any more: it was \
             deleted, or this is an older copy. Put the database back from a copy that has it, or send another name as campaign; to \
             begin it anew, send manage_session action=\"accept_loss\". `rollbook verify` says more."
        );
        Refusal::new(Code::CampaignLost, summary)
    }

    pub(super) fn history_lost(&self) -> Option<String> {
        self.loss
            .as_ref()
            .map(|loss| format!("{} {}", loss.summary(), loss.advice()))
    }
}

fn lost(log_ends: u64, reached: u64, known_by: KnownBy) -> Loss {
    Loss {
        log_ends,
        reached,
        known_by,
        chain: None,
        known_since: None,
    }
}
