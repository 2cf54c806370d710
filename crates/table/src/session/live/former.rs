//! What became of the campaign that had this one's name before.

use super::{CallError, Caller, Live};
use crate::session::seat::Seat;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_store::{Connection, Former};
use rollbook_text::names::{quoted, same};

impl Live {
    /// Whether the campaign has another name now than the one by which it was opened.
    pub(super) fn is_renamed(&self) -> bool {
        self.identity.is_some() && !same(&self.asked, &self.setting.campaign)
    }

    /// Leaves a campaign that was renamed, where its former name is another's now. Calls that name no campaign go on with it as long as
    /// nobody else has the name; calls that name one mean the name.
    pub(super) async fn follow_name(&mut self, log: &mut Connection) -> Result<(), CallError> {
        if !self.is_renamed() || (!self.named && log.find(&self.asked).await?.is_none()) {
            return Ok(());
        }
        self.forget();
        self.setting.campaign.clone_from(&self.asked);
        self.find(log).await
    }

    /// Refuses to write to a log that goes on in another. That its database was put back from a copy is written all the same.
    pub(super) async fn may_go_on(&mut self, log: &mut Connection, accepts_loss: bool) -> Result<(), CallError> {
        let by = self.state.campaign.as_ref().and_then(|campaign| campaign.continued_by.as_ref());
        let Some(by) = by.filter(|_| !accepts_loss) else { return Ok(()) };
        let onward = match log.goes_on_in(by).await? {
            Some(name) => format!("in another: send campaign=\"{}\" to play on", quoted(&name)),
            None => "in one that is not in this database any more".to_owned(),
        };
        let summary = format!(
            "The log of \"{}\" ends here and goes on {onward}. It can be read, and `rollbook campaigns remove` removes it.",
            quoted(&self.setting.campaign)
        );
        Err(Refusal::new(Code::Continued, summary).into())
    }

    /// A key's campaign is there as long as the key, so a call with one never begins another: the name that it came with is not the
    /// campaign's any more.
    pub(super) fn may_begin(&self, caller: &Caller) -> Result<(), Refusal> {
        match &caller.seat {
            Some(_) if self.identity.is_none() => Err(Seat::has_moved()),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses a new name that another campaign has, case and accents folded; inside a write, so that none gets it in between.
    pub(super) async fn check_name_free(&mut self, log: &mut Connection, name: &str) -> Result<(), CallError> {
        log.lock_names().await?;
        let taken = log.campaigns().await?.into_iter().find(|(own, _)| same(own, name));
        let Some((other, _)) = taken.filter(|(_, other)| Some(other) != self.identity.as_ref()) else { return Ok(()) };
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
            Former::Removed(line) => Some(format!("The campaign that had this name {}.", line.removal()?)),
            Former::Lost(_) => None,
        }
    }
}
