//! Applies what other processes wrote; follows a renamed, removed or continued campaign.

use super::{CallError, Caller, Live};
use crate::session::keyring::Seat;
use rollbook_game::record::state::State;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_store::opened;
use rollbook_store::{Connection, Former, Head, Identity, Lent, Store};
use rollbook_text::names::{quoted, same};

/// Entries applied one by one; beyond that the tables are read anew.
const CATCH_UP_MAX: u32 = 1000;

impl Live {
    /// A connection to read with, once the state is up to date.
    pub(super) async fn reading(&mut self, store: &Store) -> Result<Lent, CallError> {
        self.take_turn();
        let mut log = store.read().await?;
        self.refresh(&mut log).await?;
        Ok(log)
    }

    /// Brings the state up to date outside a transaction, cheaply when nothing else was written.
    async fn refresh(&mut self, log: &mut Lent) -> Result<(), CallError> {
        if let Some(identity) = &self.identity
            && !self.is_renamed()
            && log.head(identity.key).await? == self.head
        {
            return Ok(());
        }
        log.begin().await?;
        self.catch_up(log).await?;
        Ok(log.end().await?)
    }

    /// Brings it up to date with what other processes wrote; call it inside a transaction.
    pub(super) async fn catch_up(&mut self, log: &mut Connection) -> Result<(), CallError> {
        let Some(identity) = self.identity.clone() else {
            return self.find(log).await;
        };
        self.apply_news(log, &identity).await?;
        self.follow_name(log).await
    }

    /// The same inside a write that locked the campaign with the key `locked`. One found only now,
    /// by a changed name, is locked too, and read anew: others may have written meanwhile.
    pub(super) async fn catch_up_locked(
        &mut self,
        log: &mut Connection,
        mut locked: i64,
    ) -> Result<(), CallError> {
        self.catch_up(log).await?;
        if let Connection::Sqlite(_) = log {
            // A file is locked whole.
            return Ok(());
        }
        while let Some(key) = self
            .identity
            .as_ref()
            .map(|identity| identity.key)
            .filter(|key| *key != locked)
        {
            log.lock(key).await?;
            locked = key;
            self.forget();
            self.catch_up(log).await?;
        }
        Ok(())
    }

    /// Finds the campaign of its name; call it inside a transaction.
    pub(super) async fn find(&mut self, log: &mut Connection) -> Result<(), CallError> {
        let found = opened::advised(&self.database, log.find(&self.setting.campaign).await).await?;
        self.setting.campaign_uuid = found
            .as_ref()
            .map_or(String::new(), |identity| identity.uuid.clone());
        self.identity = found;
        self.reload(log).await?;
        self.look_at_checkpoints(log).await
    }

    async fn apply_news(
        &mut self,
        log: &mut Connection,
        identity: &Identity,
    ) -> Result<(), CallError> {
        let head = log.head(identity.key).await?;
        if head == self.head {
            return Ok(());
        }
        if self.head == Head::default() {
            // Nothing was read of it yet, or not to its end.
            return self.reload(log).await;
        }
        // Nothing ever leaves a log, so what was read of it must still be there.
        let known = self.head;
        if log.chain(identity.key, known.seq).await? != Some(known.chain) {
            if log.uuid(identity.key).await?.as_ref() == Some(&identity.uuid) {
                self.reload(log).await?;
            } else {
                // It was removed; or this is an older copy, whose key another one has since.
                self.forget();
                self.find(log).await?;
                if matches!(self.former, Some(Former::Removed(_))) {
                    return Ok(());
                }
            }
            self.lost_since(known, self.head.seq);
            return Ok(());
        }
        if head.seq - self.head.seq > u64::from(CATCH_UP_MAX) {
            return self.reload(log).await;
        }
        let news = log.after(identity.key, self.head.seq, CATCH_UP_MAX).await?;
        for (_, entry) in news {
            self.state.apply(&entry.changes);
        }
        self.head = head;
        self.take_name();
        self.count_bytes(log, known.seq).await
    }

    /// Reads the tables anew; call it inside a transaction.
    async fn reload(&mut self, log: &mut Connection) -> Result<(), CallError> {
        let Some(identity) = self.identity.clone() else {
            return Ok(());
        };
        self.state = opened::advised(&self.database, log.load(identity.key).await).await?;
        self.head = log.head(identity.key).await?;
        self.take_name();
        self.count_bytes(log, 0).await
    }

    pub(super) fn take_name(&mut self) {
        if let Some(campaign) = &self.state.campaign {
            self.setting.campaign.clone_from(&campaign.name);
        }
    }

    /// Begins a turn: what a call that stopped half-way left in memory is read anew.
    pub(super) fn take_turn(&mut self) {
        if std::mem::take(&mut self.deciding) {
            self.forget();
        }
    }

    /// Drops what is in memory, so that the next call reads it anew.
    pub(super) fn forget(&mut self) {
        self.identity = None;
        self.state = State::default();
        self.head = Head::default();
        self.bytes = 0;
    }

    /// Whether the campaign has another name now than the one by which it was opened.
    pub(super) fn is_renamed(&self) -> bool {
        self.identity.is_some() && !same(&self.asked, &self.setting.campaign)
    }

    /// Leaves a renamed campaign whose former name is another's now. Calls without a campaign go on
    /// with it as long as nobody else has the name.
    pub(super) async fn follow_name(&mut self, log: &mut Connection) -> Result<(), CallError> {
        if !self.is_renamed() || (!self.named && log.find(&self.asked).await?.is_none()) {
            return Ok(());
        }
        self.forget();
        self.setting.campaign.clone_from(&self.asked);
        self.find(log).await
    }

    /// Refuses to write to a log that goes on in another, except that its database was put back.
    pub(super) async fn may_go_on(
        &mut self,
        log: &mut Connection,
        accepts_loss: bool,
    ) -> Result<(), CallError> {
        let by = self
            .state
            .campaign
            .as_ref()
            .and_then(|campaign| campaign.continued_by.as_ref());
        let Some(by) = by.filter(|_| !accepts_loss) else {
            return Ok(());
        };
        let onward = match log.continuation(by).await? {
            Some(name) => format!("in another: send campaign=\"{}\" to play on", quoted(&name)),
            None => "in one that is not in this database any more".to_owned(),
        };
        let summary = format!(
            "The log of \"{}\" ends here and goes on {onward}. It can be read, and `rollbook campaigns remove` removes it.",
            quoted(&self.setting.campaign)
        );
        Err(Refusal::new(Code::Continued, summary).into())
    }

    /// A key's campaign is there as long as the key, so a call with one never begins another.
    pub(super) fn may_begin(&self, caller: &Caller) -> Result<(), Refusal> {
        match &caller.seat {
            Some(_) if self.identity.is_none() => Err(Seat::has_moved()),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses another campaign's name, folded; inside a write, so that none gets it in between.
    pub(super) async fn check_name_free(
        &mut self,
        log: &mut Connection,
        name: &str,
    ) -> Result<(), CallError> {
        log.lock_names().await?;
        let taken = log
            .campaigns()
            .await?
            .into_iter()
            .find(|(other, _)| same(other, name));
        let Some((other, _)) = taken.filter(|(_, other)| Some(other) != self.identity.as_ref())
        else {
            return Ok(());
        };
        let summary = format!(
            "There is a campaign \"{}\" already. Take another name, or rename or remove that one first.",
            quoted(&other)
        );
        Err(Refusal::new(Code::DuplicateName, summary).into())
    }

    /// What a new campaign under this name is not: the one that had it before.
    pub(super) fn before(&self) -> Option<String> {
        match self.former.as_ref()? {
            Former::Renamed(name) => Some(format!(
                "The campaign that had this name is called \"{0}\" now: send campaign=\"{0}\" to play that one.",
                quoted(name)
            )),
            Former::Removed(line) => Some(format!(
                "The campaign that had this name {}.",
                line.removal()?
            )),
            Former::Lost(_) => None,
        }
    }
}
