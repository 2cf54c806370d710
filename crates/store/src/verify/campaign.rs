//! One campaign's log: each bad entry is named, and the check goes on.

use super::alone::Alone;
use super::answers::{Answers, Openings};
use super::continuation::Continuation;
use super::losses::{self, Losses};
use super::receipt::{Links, Receipt};
use super::references::{Cited, Recent, dangling};
use super::report::{Report, missing};
use super::scene::Scene;
use crate::chain::SeenHead;
use crate::checkpoint::Checkpoint;
use crate::location::Location;
use crate::parallel::{Pages, Turn};
use crate::record::Place;
use crate::sql::search::Reach;
use crate::{Identity, Page, Position, Reader, RollRow, StoreError};
use rollbook_game::record::event::{Event, Restored, RulesLoaded, SessionEnded};
use rollbook_game::record::loss::Loss;
use rollbook_game::record::state::State;
use rollbook_game::view::visibility::is_fully_public;
use rollbook_text::names::quoted;

#[derive(Default)]
pub(super) struct Check {
    pub report: Report,
    uuid: uuid::Uuid,
    state: State,
    answers: Answers,
    openings: Openings,
    reach: Reach,
    seen: SeenHead,
    recent: Recent,
    cited: Cited,
    pub losses: Losses,
    pub continuation: Continuation,
    scene: Scene,
    /// First and last of missing entries; after them the state of the log is not known.
    missing: Vec<(u64, u64)>,
    /// The chain value of the entry before, worked out from its content.
    computed: [u8; 32],
    /// Of the entries that checkpoints and the receipt name.
    pub links: Links,
}

impl Check {
    /// Beside checkpoints, and a receipt that was kept outside.
    pub fn new(
        campaign: String,
        identity: &Identity,
        checkpoints: &[&Checkpoint],
        receipt: Option<&Receipt>,
    ) -> Self {
        Check {
            report: Report {
                campaign,
                checkpoints: checkpoints.len(),
                ..Report::default()
            },
            uuid: identity.uuid.parse().unwrap_or_default(),
            links: Links::of(
                checkpoints
                    .iter()
                    .map(|line| line.seq)
                    .chain(receipt.map(|receipt| receipt.seq)),
            ),
            ..Check::default()
        }
    }

    /// Looks at the whole log on every core; the inner result: whether it could be read to its end.
    pub async fn run(
        mut self,
        reader: &mut Reader,
        identity: &Identity,
    ) -> Result<(Self, Result<(), StoreError>), StoreError> {
        self.reach = reader.reach(identity.key).await?;
        let uuid = self.uuid;
        let mut found = Report::default();
        let mut at = Position {
            has_rolls: true,
            has_places: true,
            ..Position::of(identity.key)
        };
        let mut pages = Pages::of(self);
        let mut read = loop {
            match reader.page(&mut at).await {
                Ok(Some(page)) => pages.begin(move |turn| check(&page, &uuid, turn)),
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
            if pages.is_full() {
                pages
                    .next()
                    .await
                    .into_iter()
                    .flatten()
                    .for_each(|(seq, what)| found.find(seq, what));
            }
        };
        while let Some(page) = pages.next().await {
            page.into_iter()
                .for_each(|(seq, what)| found.find(seq, what));
        }
        let mut check = pages.sum()?;
        (check.report.findings, check.report.more) = (found.findings, found.more);
        if read.is_ok() {
            read = check.tables(reader, identity.key).await;
        }
        Ok((check, read))
    }

    /// What the log adds up to, beside the tables.
    async fn tables(&mut self, reader: &mut Reader, campaign: i64) -> Result<(), StoreError> {
        match reader.load(campaign).await {
            Ok(tables) => {
                let replayed = std::mem::take(&mut self.state);
                let differ = replayed.differences(&tables).into_iter().map(str::to_owned);
                for table in self.unless_missing(differ) {
                    self.report.find(
                        0,
                        format!("the table {table} differs from what the log adds up to"),
                    );
                    self.report.tables.push(table);
                }
            }
            Err(error @ StoreError::Record(_)) => self.report.find(0, error.to_string()),
            Err(error) => return Err(error),
        }
        if let Some(wrong) = reader
            .zone(campaign)
            .await?
            .and_then(|kept| kept.wrong(self.scene.latest))
        {
            self.report.find(
                0,
                format!("{wrong}; `rollbook campaigns zone --zone ZONE` writes it anew"),
            );
        }
        let strays = reader
            .roll_count(campaign)
            .await?
            .saturating_sub(self.report.rolls);
        let strays =
            (strays > 0).then(|| format!("{strays} rows of rolls belong to no entry of the log"));
        self.unless_missing(strays)
            .into_iter()
            .for_each(|what| self.report.find(0, what));
        let answered = std::mem::take(&mut self.answers)
            .compare(reader, campaign)
            .await?;
        let (opened, forged) = std::mem::take(&mut self.openings)
            .compare(reader, campaign)
            .await?;
        self.report.opened = opened;
        let wrong = answered.into_iter().chain(forged);
        let (lost, wrong): (Vec<_>, Vec<_>) = wrong.partition(|(seq, _)| {
            self.missing
                .iter()
                .any(|(first, last)| (first..=last).contains(&seq))
        });
        self.report.left_out += lost.len() as u64;
        wrong
            .into_iter()
            .for_each(|(seq, what)| self.report.find(seq, what));
        Ok(())
    }

    /// Looks at the next entry beside those before it, and adds to what was found of it.
    fn entry(&mut self, alone: &mut Alone, place: Option<Place>) {
        let Alone {
            row,
            entry,
            computed,
            shown,
            whole,
            found,
        } = alone;
        let seen_by_players = self.seen;
        shown.iter().for_each(|shown| self.seen.add(shown));
        let (seq, before) = (row.seq, self.report.head);
        match seq.checked_sub(before.seq + 1) {
            // Where it names the hash that one should have, it is that one's which was changed.
            Some(0) if row.prev[..] != before.chain && row.prev[..] != self.computed => {
                found.insert(0, "its link does not name the entry before it".to_owned());
            }
            Some(0) => {}
            _ => {
                found.insert(0, missing(before.seq + 1, seq));
                self.missing.push((before.seq + 1, seq.saturating_sub(1)));
            }
        }
        // After entries that are missing their number is not known.
        if let Some(place) = place.filter(|_| self.missing.is_empty()) {
            let seen = shown.is_some().then_some(self.seen.n);
            found.extend(misplaced(self.reach, place, seen).map(str::to_owned));
        }
        self.computed = *computed;
        self.report.entries += 1;
        self.report.head = row.head();
        self.links.reach(seq, self.report.head.chain);
        let Some(entry) = entry else { return };
        self.report.sessions_ended += u64::from(matches!(entry.event, Event::SessionEnded(_)));
        if let Event::LossAccepted(loss) = &entry.event {
            self.report
                .note(seq, format!("it accepts a loss. {}", loss.summary()));
        }
        if let Event::Restored(Restored { from, loss }) = &entry.event {
            let lost = loss
                .as_ref()
                .map_or("Nothing was known to be lost.".to_owned(), Loss::summary);
            self.report.note(
                seq,
                format!("the database was put back from {}. {lost}", quoted(from)),
            );
        }
        self.losses.entry(seq, entry);
        found.extend(self.continuation.entry(seq, entry));
        self.report.rolls += entry.rolls.len() as u64;
        let mut images = Vec::new();
        for change in &entry.changes {
            if !self.state.agrees(change) {
                images.push(
                    "an image of what was before differs from what the log adds up to".to_owned(),
                );
            }
            self.state.apply(std::slice::from_ref(change));
        }
        found.extend(self.unless_missing(images));
        found.extend(dangling(seq, entry));
        if let Event::RulesLoaded(RulesLoaded {
            changed: Some(changed),
            ..
        }) = &entry.event
        {
            self.report.rules.push((seq, changed.for_gm()));
        }
        let out_of_scene = self.scene.entry(seq, entry, &self.state);
        found.extend(self.unless_missing(out_of_scene));
        self.scene
            .notes(entry)
            .into_iter()
            .for_each(|what| self.report.note(seq, what.to_owned()));
        if let Event::SessionEnded(SessionEnded {
            seen: Some(seen), ..
        }) = &entry.event
        {
            let is_other = SeenHead::of(seen) != Some(seen_by_players);
            let what = is_other
                .then(|| "what it says that players had seen is not what they had".to_owned());
            found.extend(self.unless_missing(what));
        }
        self.openings.entry(seq, entry);
        let undone = self.recent.entry(seq, entry);
        found.extend(self.unless_missing(undone));
        found.extend(
            self.cited
                .rollless(entry)
                .filter(|_| self.missing.is_empty()),
        );
        self.cited
            .entry(seq, entry)
            .into_iter()
            .for_each(|what| self.report.note(seq, what));
        if let Event::Damage(damage) = &entry.event
            && (damage.roll.is_none() && damage.amount > 0 && damage.told.is_none())
        {
            self.report.note(
                seq,
                "damage of an amount that was said: it names no roll".to_owned(),
            );
        }
        found.extend(self.answers.entry(self.report.head, entry));
        *whole = self
            .missing
            .is_empty()
            .then(|| is_fully_public(entry, &self.state));
    }

    /// What is wrong by the entries before. Where some are missing it is not known, and counted.
    fn unless_missing(&mut self, wrong: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut wrong: Vec<String> = wrong.into_iter().collect();
        if !self.missing.is_empty() {
            self.report.left_out += wrong.len() as u64;
            wrong.clear();
        }
        wrong
    }

    pub fn compare_checkpoints(&mut self, lines: &[&Checkpoint], database: &Location) {
        let excuses = self.losses.excuses(lines, &self.links);
        for lost in &self.losses.recorded {
            let count = excuses
                .iter()
                .filter(|excuse| **excuse == Some(lost))
                .count();
            if count > 0 {
                self.report
                    .note(lost.by, losses::known(count, lost, lines, &self.links));
            }
        }
        for (line, _) in lines.iter().zip(excuses).filter(|(_, lost)| lost.is_none()) {
            let receipt = losses::receipt(line);
            let what = format!("a checkpoint of {}", line.database);
            let Some(mut lack) = self.links.lack(&receipt, self.report.head.seq, &what) else {
                continue;
            };
            if !line.names(database) {
                let other = &line.database;
                lack.push_str(&format!(
                    ", or {other} was played on apart from it: then put this file into another folder"
                ));
            }
            self.report.find(receipt.seq, lack);
        }
        self.report.losses = self.losses.recorded.clone();
    }

    /// Of what a reader kept: a loss in the log takes nothing from it, and is named beside it.
    pub fn compare_receipt(&mut self, receipt: &Receipt) {
        if self.continuation.begins_at(receipt) {
            return;
        }
        let Some(lack) = self
            .links
            .lack(receipt, self.report.head.seq, "the receipt")
        else {
            return;
        };
        let lost = self
            .losses
            .summary(receipt.seq)
            .map(|lost| format!("It may be of what was lost: {lost}"));
        let what = [Some(lack), lost, self.continuation.what_else()]
            .into_iter()
            .flatten();
        self.report
            .find(receipt.seq, what.collect::<Vec<_>>().join(". "));
    }
}

/// What is wrong with an entry's place in the index that searches read; `seen` is how many entries
/// players had seen with it, and `None` where they do not see it. Which words it is found by is not
/// compared: to make the index anew takes longer than all the rest.
fn misplaced(reach: Reach, place: Place, seen: Option<u64>) -> impl Iterator<Item = &'static str> {
    let what = [
        (
            place.seq <= reach.numbered && place.number != seen.unwrap_or(0),
            "the number that it has for players in the table seen is not the next",
        ),
        (
            place.seq <= reach.found && !place.gm,
            "it is not in the index that searches read, though later ones are",
        ),
        (
            place.players && seen.is_none(),
            "players find it by words, and do not see it",
        ),
    ];
    what.into_iter()
        .filter_map(|(is_wrong, what)| is_wrong.then_some(what))
}

/// Looks at the entries of a page; answers everything that was found, by entry.
fn check(page: &Page, campaign: &uuid::Uuid, turn: Turn<Check>) -> Option<Vec<(u64, String)>> {
    let mut found = Vec::new();
    let mut unread = |what: &str, error: StoreError| {
        found.push((0, format!("rows of {what} cannot be read: {error}")))
    };
    let rolls = page
        .rolls()
        .map_err(|error| unread("rolls", error))
        .unwrap_or_default();
    let rows = page
        .rows()
        .map_err(|error| unread("the log", error))
        .unwrap_or_default();
    let places = page
        .places()
        .map_err(|error| unread("the index", error))
        .unwrap_or_default();
    let mut places = places.into_iter().peekable();
    let place = |seq: u64| places.next_if(|place| place.seq == seq);
    let places: Vec<Option<Place>> = rows.iter().map(|row| row.seq).map(place).collect();
    let mut all: Vec<Alone> = rows
        .into_iter()
        .map(|row| Alone::of(campaign, row))
        .collect();
    turn.take(|check| {
        all.iter_mut()
            .zip(places)
            .for_each(|(alone, place)| check.entry(alone, place))
    })?;
    let mut rolls = &rolls[..];
    for alone in all {
        let seq = alone.row.seq;
        let what = alone.finish(of_entry(&mut rolls, seq));
        found.extend(what.into_iter().map(|what| (seq, what)));
    }
    Some(found)
}

/// Takes the roll rows of an entry, and those of none before it, off the others.
fn of_entry<'r, 'b>(rolls: &mut &'r [RollRow<'b>], seq: u64) -> &'r [RollRow<'b>] {
    let seq = i64::try_from(seq).unwrap_or(i64::MAX);
    let (_, rest) = rolls.split_at(rolls.partition_point(|row| row.seq < seq));
    let (of_entry, rest) = rest.split_at(rest.partition_point(|row| row.seq == seq));
    *rolls = rest;
    of_entry
}
