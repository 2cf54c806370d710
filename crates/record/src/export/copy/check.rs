//! Line by line: what is wrong with a copy.

use std::collections::BTreeMap;

use super::line::{Copied, unhex};
use super::order::{Link, Order, Place, Placed};
use crate::export::csv;
use crate::export::jsonl::About;
use rollbook_game::record::entry::{Entry, Visibility};
use rollbook_game::record::event::Event;
use rollbook_game::record::state::State;
use rollbook_game::view::Audience;
use rollbook_game::view::number::Numbers;
use rollbook_game::view::visibility::{VisibleEntry, is_fully_public, is_shown, visible_entry};
use rollbook_store::verify::{Finding, OTHER, Opened};
use rollbook_store::{Head, chain};

/// What verification of a copy found.
#[derive(Debug, Default)]
pub struct Checked {
    pub campaign: String,
    pub audience: Audience,
    pub head: Head,
    pub findings: Vec<String>,
    /// The first entry that is not as it should be; `None` where no single one is to blame.
    pub first_bad: Option<u64>,
    /// The entry of the receipt, where the copy holds it.
    pub receipted: Option<u64>,
    /// Why the receipt says nothing of the copy: that is a part of the log which begins after it,
    /// or binds only the ends of sessions.
    pub incomparable: Option<String>,
    /// How much less the receipt proves than a whole one, where it is shorter.
    pub weakness: Option<String>,
    pub shown: u64,
    /// Those of them without a body, of which only the public part can be checked.
    pub closed: u64,
    pub sealed: u64,
    /// Entries whose body was shown later, and is what was sealed.
    pub opened: Vec<Opened>,
    /// The entry after which it begins, where it is a part of the log.
    pub after: Option<u64>,
    /// Of a copy that only counts hidden entries: the last line that a session's end binds, or 0.
    pub bound: Option<u64>,
    /// What it says that the log lacked when it was written.
    pub history_lost: Option<String>,
}

/// Findings, each kind once, and how many were left out.
#[derive(Default)]
pub struct Findings {
    kept: Vec<Finding>,
    more: u64,
}

impl Findings {
    pub fn add(&mut self, seq: u64, what: String) {
        self.more += u64::from(!Finding::add(&mut self.kept, seq, what));
    }

    pub fn texts(&self) -> Vec<String> {
        let more = (self.more > 0).then(|| format!("and {} more", self.more));
        self.kept
            .iter()
            .map(Finding::to_string)
            .chain(more)
            .collect()
    }
}

/// An entry whose body is not for everybody.
struct Sealed {
    commitment: [u8; 32],
    in_part: bool,
}

pub struct Check {
    about: About,
    /// The entry after which it begins, where it is a part.
    pub after: Option<Head>,
    order: Order,
    /// What the bodies that are there add up to.
    state: State,
    /// The numbers that entries have in the view, …
    numbers: Count,
    /// … and, in a GM's copy, those that they have for players.
    players: Count,
    commitments: BTreeMap<u64, Sealed>,
    /// Entries that open another: which, and what they show of it comes to.
    reveals: Vec<(u64, u64, Option<[u8; 32]>)>,
    /// Lines that say that a part of the log was lost, or put back from a backup.
    losses: Vec<u64>,
    /// Its first entry begins no campaign: the log goes on from an earlier one, unseen by players.
    goes_on: bool,
    pub found: Checked,
    findings: Findings,
}

impl Check {
    pub fn of(about: About) -> Self {
        let after = about.after.as_ref();
        let after = after.map(|after| Head {
            seq: after.seq,
            chain: unhex(&after.chain).unwrap_or_default(),
        });
        Check {
            order: Order::of(about.uuid, after),
            after,
            about,
            state: State::default(),
            numbers: Count::default(),
            players: Count::default(),
            commitments: BTreeMap::new(),
            reveals: Vec::new(),
            losses: Vec::new(),
            goes_on: false,
            found: Checked::default(),
            findings: Findings::default(),
        }
    }

    /// Takes the next line; answers the entry that it is, and its chain value.
    pub fn line(&mut self, copied: &Copied) -> (u64, [u8; 32]) {
        let commitment = unhex::<32>(copied.commitment).unwrap_or_default();
        let public = copied.public.map(str::as_bytes);
        let link = Link {
            seq: copied.seq,
            public,
            commitment,
            chain: unhex(copied.chain),
        };
        let (
            Placed {
                seq,
                chain,
                place,
                found,
            },
            unread,
        ) = self.order.place(&link);
        let fits = found.is_empty();
        unread.into_iter().for_each(|what| self.find(what));
        found.into_iter().for_each(|what| self.wrong(seq, what));
        if place != Place::Again {
            let line = Line {
                seq,
                place,
                copied,
                fits,
            };
            let entry = self.body(&line, &commitment);
            let seen = match self.about.audience {
                Audience::Gm => self.gm(&line, entry.as_ref()),
                Audience::Player => self.player(&line, commitment),
            };
            self.losses.extend(
                seen.as_ref()
                    .filter(|seen| is_loss(&seen.kind))
                    .map(|_| seq),
            );
            self.goes_on |= seq == 1
                && seen
                    .as_ref()
                    .is_none_or(|seen| seen.kind != "campaign_created");
            self.cells(&line, seen.as_ref());
        }
        (seq, chain)
    }

    pub fn unread(&mut self, why: String) {
        self.order.unread(why);
    }

    /// The body, where there is one, once it is the one that was committed to.
    fn body(&mut self, line: &Line, commitment: &[u8; 32]) -> Option<Entry> {
        let Line { seq, copied, .. } = *line;
        if copied.stray_body {
            self.wrong(seq, "its body stands where this copy has none");
        }
        let (Some(body), Some(salt)) = (copied.body, copied.salt) else {
            if copied.body.is_some() || copied.salt.is_some() {
                self.wrong(
                    seq,
                    "it has a body without its salt, or a salt without its body",
                );
            } else if self.about.audience == Audience::Gm {
                self.wrong(seq, "its body is missing");
            }
            return None;
        };
        let salt = unhex::<32>(salt).unwrap_or_default();
        if chain::commitment(&salt, body.as_bytes()) != *commitment {
            self.wrong(seq, "its body is not the one that was committed to");
            return None;
        }
        let entry: Option<Entry> = serde_json::from_str(body).ok();
        match &entry {
            Some(entry) => {
                self.state.apply(&entry.changes);
                if let Event::Revealed(event) = &entry.event {
                    let shown = event
                        .salt()
                        .map(|salt| chain::commitment(&salt, event.body.as_bytes()));
                    self.reveals.push((seq, event.entry, shown));
                }
            }
            None => self.wrong(seq, "its body cannot be read"),
        }
        entry
    }

    /// What a reader reads of it in a copy that is a table, against what its proof makes of it.
    fn cells(&mut self, line: &Line, seen: Option<&VisibleEntry>) {
        let Some(cells) = line.copied.cells else {
            return;
        };
        let Copied { n, players_n, .. } = *line.copied;
        let numbers = Numbers::of(self.about.audience, n.unwrap_or_default(), players_n);
        if seen.is_none() && self.about.audience == Audience::Player && line.copied.public.is_some()
        {
            // It cannot be read, which is said.
            return;
        }
        let same = match seen {
            Some(seen) => csv::rows(numbers, seen)
                .iter()
                .map(|row| row.as_slice())
                .eq(cells.iter().map(Vec::as_slice)),
            None => {
                line.copied.public.is_none()
                    && cells.iter().flatten().all(String::is_empty)
                    && cells.len() == 1
            }
        };
        if !same {
            self.wrong(line.seq, "what it shows is not what its proof says");
        }
    }

    /// Every body is there, so that what is beside it can be worked out. Answers what the GM sees.
    fn gm(&mut self, line: &Line, entry: Option<&Entry>) -> Option<VisibleEntry> {
        let Line { seq, copied, .. } = *line;
        self.number_players(line);
        let Some(entry) = entry else {
            // Whether the GM sees an entry without a body is unknown: its number is taken as it is.
            self.number(line, copied.n.is_some());
            return None;
        };
        let whole = is_fully_public(entry, &self.state);
        if !whole || entry.visibility != Visibility::Public {
            let in_part = copied
                .public
                .is_some_and(|public| is_shown(public.as_bytes()));
            self.commitments
                .extend(unhex(copied.commitment).map(|commitment| {
                    (
                        seq,
                        Sealed {
                            commitment,
                            in_part,
                        },
                    )
                }));
        }
        let unsure = self.order.unsure;
        let is_public = |seen: Option<&VisibleEntry>| {
            let public = chain::public(seen, seq).ok();
            public
                .as_deref()
                .zip(copied.public)
                .is_some_and(|(made, public)| made == public.as_bytes())
        };
        // What is missing may have said who is hidden.
        let fits = |whole| is_public(visible_entry(entry, Audience::Player, whole).as_ref());
        if !(fits(whole) || unsure && fits(!whole)) {
            self.wrong(seq, "its public part is not what hiding makes of its body");
        }
        let seen = visible_entry(entry, Audience::Gm, whole);
        self.number(line, seen.is_some());
        if copied.cells.is_none() && copied.text != seen.as_ref().map(|seen| seen.text.as_str()) {
            self.wrong(seq, "its text is not what its body says");
        }
        seen
    }

    fn player(&mut self, line: &Line, commitment: [u8; 32]) -> Option<VisibleEntry> {
        let Line { seq, copied, .. } = *line;
        if copied.text.is_some() {
            self.wrong(seq, "it has a text, which nothing proves");
        }
        if copied.players_n.is_some() && copied.cells.is_none() {
            self.wrong(seq, "it has a second number, which nothing proves");
        }
        let seen = copied.public.map(serde_json::from_str::<VisibleEntry>);
        // One that is not what was hashed need not be readable.
        if matches!(seen, Some(Err(_))) && line.fits {
            self.wrong(seq, "its public part cannot be read");
        }
        if copied.body.is_none() {
            self.found.closed += u64::from(copied.public.is_some());
            self.found.sealed += u64::from(copied.public.is_none());
            self.commitments.insert(
                seq,
                Sealed {
                    commitment,
                    in_part: copied.public.is_some(),
                },
            );
        }
        self.number(line, seen.is_some());
        seen.and_then(Result::ok)
    }

    /// Numbers run from 1 over what the audience sees.
    fn number(&mut self, line: &Line, seen: bool) {
        if !self
            .numbers
            .take(line.copied.n, line.place, seen, self.after.is_some())
        {
            self.wrong(line.seq, "its number in the view is not the next");
        }
    }

    /// The same over what players see, in a GM's copy.
    fn number_players(&mut self, line: &Line) {
        let Copied {
            players_n, public, ..
        } = *line.copied;
        let seen = public.is_some_and(|public| is_shown(public.as_bytes()));
        if !self
            .players
            .take(players_n, line.place, seen, self.after.is_some())
        {
            self.wrong(line.seq, "its number for players is not the next");
        }
    }

    pub fn end(&mut self) {
        let (unread, lacks): (_, Vec<_>) = (self.order.unread_end(), self.order.lacks().collect());
        if self.order.head.seq == self.after.map_or(0, |after| after.seq) {
            self.find(unread.unwrap_or_else(|| "it holds no entry".to_owned()));
            return;
        }
        unread.into_iter().for_each(|what| self.find(what));
        lacks
            .into_iter()
            .for_each(|(seq, what)| self.wrong(seq, what));
        if self.about.secret.is_some() && self.about.audience == Audience::Player {
            self.find(
                "its first line says that it is the GM's, and it is a players' copy".to_owned(),
            );
        }
        self.open();
        let named = self
            .state
            .campaign
            .as_ref()
            .map(|campaign| (campaign.name.clone(), campaign.uuid.clone()));
        let unnamed = self.about.is_table;
        if unnamed {
            // A copy that is a table has its campaign's name in the log alone.
            self.about.campaign = named
                .as_ref()
                .map_or_else(String::new, |(name, _)| name.clone());
        }
        let about = (self.about.campaign.clone(), self.about.uuid.to_string());
        let unknown = named.is_none() && self.order.unsure;
        if named != Some(about) && !unknown {
            let name = named.map_or("none".to_owned(), |(name, _)| format!("\"{name}\""));
            let says = match unnamed {
                true => format!("its rows name campaign {}", self.about.uuid),
                false => format!("its first line names campaign \"{}\"", self.about.campaign),
            };
            self.find(format!("{says}, and the log in it {name}"));
        }
        if unnamed && self.about.campaign.is_empty() {
            // A part of it may lack the entry that names it.
            self.about.campaign = self.about.uuid.to_string();
        }
    }

    /// What was opened later is held against what was sealed then.
    fn open(&mut self) {
        for (by, entry, shown) in std::mem::take(&mut self.reveals) {
            match self.commitments.get(&entry) {
                Some(sealed) if shown == Some(sealed.commitment) && entry < by => {
                    self.found.opened.push(Opened {
                        entry,
                        by,
                        in_part: sealed.in_part,
                    });
                }
                Some(_) => self.wrong(by, format!("{OTHER} in #{entry}")),
                // What lies before a part cannot be compared in it.
                None if entry < by
                    && (self.lacks(entry)
                        || self.after.is_some_and(|after| entry <= after.seq)) => {}
                None => self.wrong(
                    by,
                    format!("it opens #{entry}, and there is no such sealed entry before it"),
                ),
            }
        }
    }

    /// Whether what was found already says that this entry is not there.
    pub fn lacks(&self, seq: u64) -> bool {
        self.order.lacks_entry(seq)
    }

    /// The last line up to that entry that says a part was lost: receipts of that fit nothing.
    pub fn loss_before(&self, seq: u64) -> Option<u64> {
        self.losses
            .iter()
            .copied()
            .filter(|loss| *loss <= seq)
            .max()
    }

    /// Whether a receipt that fits nothing may be of an earlier log.
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// Whether entries are missing, as far as it was read.
    pub fn is_torn(&self) -> bool {
        self.order.is_torn
    }

    pub fn last(&self) -> u64 {
        self.order.head.seq
    }

    pub fn wrong(&mut self, seq: u64, what: impl Into<String>) {
        self.findings.add(seq, what.into());
    }

    fn find(&mut self, what: String) {
        self.wrong(0, what);
    }

    pub fn done(mut self) -> Checked {
        self.findings.kept.sort_by_key(|finding| finding.seq);
        let About {
            campaign,
            audience,
            after,
            history_lost,
            ..
        } = self.about;
        Checked {
            campaign,
            audience,
            head: self.order.head,
            findings: self.findings.texts(),
            first_bad: self
                .findings
                .kept
                .iter()
                .map(|finding| finding.seq)
                .find(|seq| *seq > 0),
            shown: self.numbers.last.saturating_sub(self.numbers.before),
            after: after.map(|after| after.seq),
            history_lost,
            ..self.found
        }
    }
}

/// Whether an entry of that kind says that a part of the log was lost, or put back from a backup.
fn is_loss(kind: &str) -> bool {
    matches!(kind, "loss_accepted" | "restored")
}

/// Numbers from 1 over entries that are seen. How many missing ones were numbered is not known.
#[derive(Default)]
struct Count {
    last: u64,
    /// Those that a part leaves out before its first.
    before: u64,
    /// Entries that are missing and may have been numbered.
    slack: u64,
}

impl Count {
    /// Takes the number of the next entry; whether it is as it should be.
    fn take(&mut self, n: Option<u64>, place: Place, seen: bool, is_part: bool) -> bool {
        if self.last == 0 && is_part {
            // How many there were before it is under no hash.
            self.last = n.unwrap_or_default().saturating_sub(1);
            self.before = self.last;
        }
        if let Place::AfterGap(entries) = place {
            self.slack = self.slack.saturating_add(entries);
        }
        if place == Place::Late && seen && n.is_some_and(|n| n > 0 && n <= self.last) {
            return true;
        }
        let next = self.last.saturating_add(1);
        let over = n
            .and_then(|n| n.checked_sub(next))
            .filter(|over| seen && *over <= self.slack);
        match over {
            Some(over) => {
                self.slack -= over;
                self.last = next.saturating_add(over);
                true
            }
            None => {
                self.last = self.last.saturating_add(u64::from(seen));
                !seen && n.is_none()
            }
        }
    }
}

struct Line<'a> {
    seq: u64,
    place: Place,
    copied: &'a Copied<'a>,
    /// It is in its place, and is what was hashed.
    fits: bool,
}
