//! The entries of the log that a decision needs, read inside its transaction.

use super::request::Readers;
use super::{CallError, Live, Refers, Request};
use rollbook_game::decide::check;
use rollbook_game::decide::undo;
use rollbook_game::record::entry::{Entry, Visibility};
use rollbook_game::record::event::{DamageEvent, Event, RulesLoaded, RulesPart};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::SealedEntry;
use rollbook_game::view::number::EntryNumber;
use rollbook_game::view::visibility::is_shown;
use rollbook_store::chain::{self, SeenHead};
use rollbook_store::{Connection, Identity};

/// Entries between a roll and what follows it, and of one page.
const LATER_MAX: u32 = 1000;
/// Changes among which the last one that holds is looked for first; nearly always it is there.
const PAGE_MIN: u32 = 4;
/// More than there are among [`undo::BACK_MAX`] entries.
const ALL: u32 = u32::MAX;
/// Entries that are read at a time for what players have seen.
const SEEN_PAGE: u32 = 512;

pub type Numbered = (u64, Entry);

/// The entry that a call refers to, and those that came after it.
pub type Entries = (Option<Numbered>, Vec<Numbered>);

impl Live {
    /// The entry that the call refers to, and those after it as far as the call needs them.
    pub(super) async fn looked_up(
        &mut self,
        log: &mut Connection,
        request: &Request,
    ) -> Result<Entries, CallError> {
        let readers = request.caller.readers;
        if let Some(Refers::Undo(which)) = &request.refers {
            let which = match which {
                Some(number) => {
                    let seq = self.seq_of(log, *number).await?;
                    let named = self.entry(log, seq).await?;
                    Some(named.ok_or_else(|| no_entry(*number, self.head.seq))?)
                }
                None => None,
            };
            let seq = which.as_ref().map(|(seq, _)| *seq);
            let entries = self.undoable(log, seq, readers).await?;
            return Ok((which, entries));
        }
        let referred = self.referred(log, request.refers.as_ref(), readers).await?;
        if let (Some(Refers::Hit(_)), Some((seq, _))) = (&request.refers, &referred) {
            let since = (*seq + 1).max(self.head.seq.saturating_sub(undo::BACK_MAX));
            let later = log
                .besides_dice(self.key(), since.saturating_sub(1), ALL)
                .await?;
            return Ok((referred, later));
        }
        let later = match request.last_turn {
            true => self.last_turn(log).await?,
            false => {
                self.later(log, referred.as_ref().filter(|_| request.later))
                    .await?
            }
        };
        Ok((referred, later))
    }

    /// What an undo looks at: the call of `which` or the last change, and every change since.
    async fn undoable(
        &mut self,
        log: &mut Connection,
        which: Option<u64>,
        readers: Readers,
    ) -> Result<Vec<Numbered>, CallError> {
        let (first, since) = match which {
            Some(which) => self.named(log, which).await?,
            None => self.last_changed(log, false).await?,
        };
        let entries = self.called_since(log, first, since).await?;
        let last = entries
            .iter()
            .rfind(|(seq, entry)| entry.call.unwrap_or(*seq) == first)
            .map_or(first, |entry| entry.0);
        if which.is_some() {
            return Ok(entries);
        }
        let Some(dice) = self.dice_since(log, last, &entries, readers).await? else {
            return Ok(entries);
        };
        // Before players it is the last change that they saw, after which they saw dice.
        let is_seen = entries
            .iter()
            .filter(|entry| entry.0 <= last)
            .any(|entry| self.is_seen(entry));
        let mut entries = match readers.are_players() && !is_seen {
            true => {
                let (first, since) = self.last_changed(log, true).await?;
                self.called_since(log, first, since).await?
            }
            false => entries,
        };
        if entries.iter().all(|(seq, _)| *seq != dice.0) {
            entries.push(dice);
            entries.sort_by_key(|(seq, _)| *seq);
        }
        Ok(entries)
    }

    /// The entries of the call that began here, and those of the changes after it.
    async fn called_since(
        &mut self,
        log: &mut Connection,
        first: u64,
        since: Vec<Numbered>,
    ) -> Result<Vec<Numbered>, CallError> {
        let begins = since.iter().find(|(seq, _)| *seq == first).cloned();
        let mut entries = self.call_from(log, first, begins).await?;
        let last = entries.last().map_or(first, |(seq, _)| *seq);
        entries.extend(since.into_iter().filter(|(seq, _)| *seq > last));
        Ok(entries)
    }

    /// An entry after the last change: the log's last one, or the first. An undo is a change.
    async fn dice_since(
        &mut self,
        log: &mut Connection,
        last: u64,
        changes: &[Numbered],
        readers: Readers,
    ) -> Result<Option<Numbered>, CallError> {
        let counts = |live: &Live, entry: &Numbered| {
            let is_read = !readers.are_players() || live.is_seen(entry);
            entry.0 > last && is_read && undo::changed_nothing(changes, entry)
        };
        if last == self.head.seq {
            return Ok(None);
        }
        if let Some(newest) = self
            .entry(log, self.head.seq)
            .await?
            .filter(|entry| counts(self, entry))
        {
            return Ok(Some(newest));
        }
        let mut after = last;
        loop {
            let page = log.after(self.key(), after, PAGE_MIN).await?;
            let Some((end, _)) = page.last() else {
                return Ok(None);
            };
            after = *end;
            if let Some(found) = page.into_iter().find(|entry| counts(self, entry)) {
                return Ok(Some(found));
            }
        }
    }

    /// The first entry of the named one's call, and the changes since.
    async fn named(
        &mut self,
        log: &mut Connection,
        which: u64,
    ) -> Result<(u64, Vec<Numbered>), CallError> {
        let last = self.head.seq;
        let Some((seq, entry)) = self.entry(log, which).await? else {
            return Err(no_entry(EntryNumber::Log(which), last).into());
        };
        if last.saturating_sub(seq) > undo::BACK_MAX {
            let most = undo::BACK_MAX;
            let summary = format!(
                "Entry #{seq} lies more than {most} entries back, too far to be undone. Set things right with manage_character, \
                 action=\"update\"."
            );
            return Err(Refusal::new(Code::TooOld, summary).into());
        }
        let first = entry.call.unwrap_or(seq);
        Ok((first, log.changed(self.key(), first, ALL).await?))
    }

    /// The first entry of the last call that changed something and holds, and the changes since.
    async fn last_changed(
        &mut self,
        log: &mut Connection,
        seen: bool,
    ) -> Result<(u64, Vec<Numbered>), CallError> {
        let after = self.head.seq.saturating_sub(undo::BACK_MAX);
        let mut many = PAGE_MIN;
        loop {
            let changes = log.changed(self.key(), after, many).await?;
            let all = changes.len() < many as usize;
            let state = seen.then_some(&self.state);
            let found = undo::candidate(&changes, all, state);
            match found {
                Some(first) => return Ok((first, changes)),
                None if all => return Ok((self.head.seq, changes)),
                None => many = many.saturating_mul(16),
            }
        }
    }

    /// The entries of the call that `begins` with the first, which is read if it is not given.
    async fn call_from(
        &mut self,
        log: &mut Connection,
        first: u64,
        begins: Option<Numbered>,
    ) -> Result<Vec<Numbered>, CallError> {
        let begins = match begins {
            Some(begins) => Some(begins),
            None => self.entry(log, first).await?,
        };
        let mut entries: Vec<Numbered> = begins.into_iter().collect();
        if entries
            .iter()
            .any(|(_, entry)| entry.event.description().is_alone)
        {
            return Ok(entries);
        }
        loop {
            let after = entries.last().map_or(first, |(seq, _)| *seq);
            if after == self.head.seq {
                return Ok(entries);
            }
            let page = log.besides_dice(self.key(), after, PAGE_MIN).await?;
            let many = page.len();
            let of_call: Vec<Numbered> = page
                .into_iter()
                .take_while(|(_, entry)| entry.call == Some(first))
                .collect();
            let whole = of_call.len() < many || many < PAGE_MIN as usize;
            entries.extend(of_call);
            if whole {
                return Ok(entries);
            }
        }
    }

    async fn referred(
        &mut self,
        log: &mut Connection,
        refers: Option<&Refers>,
        readers: Readers,
    ) -> Result<Option<(u64, Entry)>, CallError> {
        // What players ask for follows what they saw.
        let only_seen = readers == Readers::Players;
        let seq = match refers {
            None | Some(Refers::Undo(_) | Refers::Sealed(_)) => return Ok(None),
            Some(Refers::Entry(seq) | Refers::Hit(Some(seq))) => *seq,
            Some(Refers::LastCheck(who)) => self.last_check(log, who.as_deref(), only_seen).await?,
            Some(Refers::Hit(None)) => self.last_roll(log, only_seen).await?,
        };
        if let Some(found) = self.entry(log, seq).await? {
            return Ok(Some(found));
        }
        Err(no_entry(EntryNumber::Log(seq), self.head.seq).into())
    }

    /// The text of the rules that were played by before, where they are others now.
    pub(super) async fn rules_before(
        &mut self,
        log: &mut Connection,
    ) -> Result<Option<Vec<RulesPart>>, CallError> {
        let known = self
            .state
            .campaign
            .as_ref()
            .is_none_or(|campaign| campaign.rules_hash == self.setting.rules_hash);
        let Some(Identity { key, .. }) = self.identity.as_ref().filter(|_| !known) else {
            return Ok(None);
        };
        let last = log.rules_loaded(*key, None).await?;
        Ok(last.and_then(|(_, entry)| match entry.event {
            Event::RulesLoaded(RulesLoaded { text, .. }) => {
                Some(text).filter(|text| !text.is_empty())
            }
            _ => None,
        }))
    }

    /// What players have seen so far: from the last end of a session that says it.
    pub(super) async fn seen(&mut self, log: &mut Connection) -> Result<SeenHead, CallError> {
        let Some(Identity { key, uuid }) = &self.identity else {
            return Ok(SeenHead::default());
        };
        let campaign = uuid
            .parse()
            .map_err(|error| CallError::Failure(format!("{uuid} is no UUID: {error}")))?;
        let (mut after, mut seen) = match log.seen_before(*key).await? {
            Some((ended, seen)) => (ended.saturating_sub(1), seen),
            None => (0, SeenHead::default()),
        };
        loop {
            let rows = log.rows(*key, after, SEEN_PAGE).await?;
            let Some(last) = rows.last() else {
                return Ok(seen);
            };
            after = last.seq;
            for row in rows.iter().filter(|row| is_shown(&row.public)) {
                seen.add(&chain::shown(&campaign, &row.public));
            }
        }
    }

    pub(super) async fn sealed(
        &mut self,
        log: &mut Connection,
        request: &Request,
    ) -> Result<Option<SealedEntry>, CallError> {
        let Some(Refers::Sealed(number)) = request.refers else {
            return Ok(None);
        };
        let last = self.head.seq;
        let unknown = || CallError::from(no_entry(number, last));
        let seq = self.seq_of(log, number).await?;
        let Some(Identity { key, .. }) = self.identity else {
            return Err(unknown());
        };
        if !(1..=self.head.seq).contains(&seq) {
            return Err(unknown());
        }
        let Some(row) = log.row(key, seq).await? else {
            return Err(unknown());
        };
        let opened_by = log.opened_by(key, seq).await?;
        let unreadable = |what: &dyn std::fmt::Display| {
            CallError::Failure(format!("entry #{seq} cannot be read: {what}"))
        };
        let body = String::from_utf8(row.body.to_vec()).map_err(|error| unreadable(&error))?;
        let entry: Entry = serde_json::from_str(&body).map_err(|error| unreadable(&error))?;
        let mut hidden_roll = None;
        if let Event::Damage(DamageEvent {
            roll: Some(roll), ..
        }) = &entry.event
            && let Some(logged) = log.logged(key, *roll).await?
            && logged.entry.visibility != Visibility::Public
            && log.opened_by(key, *roll).await?.is_none()
        {
            hidden_roll = Some(*roll);
        }
        let players = serde_json::from_slice(&row.public).ok();
        let salt = base16ct::lower::encode_string(&row.salt);
        let undone = log.is_undone(key, seq).await?;
        Ok(Some(SealedEntry {
            seq,
            entry,
            salt,
            body,
            players,
            opened_by,
            hidden_roll,
            undone,
        }))
    }

    /// The number in the whole log. Errors: players have seen no entry of that number.
    pub(super) async fn seq_of(
        &mut self,
        log: &mut Connection,
        number: EntryNumber,
    ) -> Result<u64, CallError> {
        let n = match number {
            EntryNumber::Log(seq) => return Ok(seq),
            EntryNumber::Players(n) => n,
        };
        let last = log.number_for_players(self.key(), self.head.seq).await?;
        match log.number_of_players(self.key(), n).await? {
            Some(seq) => Ok(seq),
            None => Err(no_entry(number, last).into()),
        }
    }

    async fn entry(
        &mut self,
        log: &mut Connection,
        seq: u64,
    ) -> Result<Option<(u64, Entry)>, CallError> {
        if !(1..=self.head.seq).contains(&seq) {
            return Ok(None);
        }
        Ok(log
            .after(self.key(), seq - 1, 1)
            .await?
            .pop()
            .filter(|(found, _)| *found == seq))
    }

    async fn last_check(
        &mut self,
        log: &mut Connection,
        who: Option<&str>,
        only_seen: bool,
    ) -> Result<u64, CallError> {
        let subject = check::whose_last(&self.state, &self.setting.system, who)?;
        let found = self
            .last_where(log, only_seen, |entry| {
                check::is_check_of(entry, subject.as_ref())
            })
            .await?;
        found.ok_or_else(|| check::no_last_check(subject.as_ref(), LATER_MAX).into())
    }

    async fn last_roll(&mut self, log: &mut Connection, only_seen: bool) -> Result<u64, CallError> {
        let found = self
            .last_where(log, only_seen, |entry| !entry.rolls.is_empty())
            .await?;
        found.ok_or_else(|| {
            let summary =
                format!("No roll stands among the last {LATER_MAX} entries. Leave roll out and send amount, or send roll_dice first.");
            Refusal::new(Code::UnknownEntry, summary).into()
        })
    }

    /// The number of the last wanted entry, of those that players saw where only these count.
    async fn last_where(
        &mut self,
        log: &mut Connection,
        only_seen: bool,
        is_wanted: impl Fn(&Entry) -> bool,
    ) -> Result<Option<u64>, CallError> {
        let from = self.head.seq.saturating_sub(u64::from(LATER_MAX));
        let entries = log.after(self.key(), from, LATER_MAX).await?;
        let mut read = entries
            .iter()
            .rev()
            .filter(|entry| !only_seen || self.is_seen(entry));
        Ok(read
            .find(|(_, entry)| is_wanted(entry))
            .map(|(seq, _)| *seq))
    }

    /// What was written after the entry the call refers to, or after the first that it follows.
    async fn later(
        &mut self,
        log: &mut Connection,
        referred: Option<&(u64, Entry)>,
    ) -> Result<Vec<(u64, Entry)>, CallError> {
        let Some((seq, entry)) = referred else {
            return Ok(Vec::new());
        };
        let mut first = *seq;
        let mut parent = entry.event.again().map(|again| again.entry);
        // Each follows an earlier one, so this ends; how far back it may go is bounded below.
        while let Some(seq) = parent.filter(|seq| *seq < first && self.reaches(*seq)) {
            first = seq;
            parent = self
                .entry(log, seq)
                .await?
                .and_then(|(_, entry)| entry.event.again().map(|again| again.entry));
        }
        if !self.reaches(first) {
            let summary = format!(
                "Entry #{seq} lies more than {LATER_MAX} entries back, too far to be followed. Make a new check."
            );
            return Err(Refusal::new(Code::TooOld, summary).into());
        }
        Ok(log.after(self.key(), first, LATER_MAX).await?)
    }

    fn reaches(&self, seq: u64) -> bool {
        self.head.seq.saturating_sub(seq) <= u64::from(LATER_MAX)
    }

    /// The entries from the running fight's last advance on, as many as an advance can have.
    async fn last_turn(&mut self, log: &mut Connection) -> Result<Vec<(u64, Entry)>, CallError> {
        let advanced = self
            .state
            .running_combat()
            .and_then(|combat| combat.advanced);
        let first = advanced.and_then(|first| u64::try_from(first).ok());
        let Some(first) = first else {
            return Ok(Vec::new());
        };
        Ok(log
            .after(self.key(), first.saturating_sub(1), LATER_MAX)
            .await?)
    }
}

/// `last`: the last number of that kind.
pub fn no_entry(number: EntryNumber, last: u64) -> Refusal {
    let last = match number {
        EntryNumber::Log(_) => EntryNumber::Log(last),
        EntryNumber::Players(_) => EntryNumber::Players(last),
    };
    let summary = format!(
        "There is no entry {number}; the last is {last}. Send the number of one, as a reply gave it."
    );
    Refusal::new(Code::UnknownEntry, summary)
}
