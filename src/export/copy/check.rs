//! Line by line: what is wrong with a copy.

use super::Checked;
use super::order::{Link, Order, Place, Placed};
use crate::export::jsonl::{About, Copied};
use crate::game::record::entry::Entry;
use crate::game::record::state::State;
use crate::game::view::Audience;
use crate::game::view::visibility::{Projection, VisibleEntry, is_fully_public, visible_entry};
use crate::store::chain;
use crate::store::verify::Finding;

/// A copy being checked.
pub struct Check {
    about: About,
    order: Order,
    /// What the bodies that are there add up to.
    state: State,
    /// Numbered entries so far.
    shown: u64,
    /// Entries that are missing and may have been numbered.
    slack: u64,
    /// Numbered entries without a body.
    closed: u64,
    /// The entry of a receipt that fits.
    pub receipted: Option<u64>,
    pub weakness: Option<String>,
    findings: Vec<Finding>,
    more: u64,
}

impl Check {
    pub fn of(about: About) -> Self {
        Check {
            order: Order::of(about.uuid),
            about,
            state: State::default(),
            shown: 0,
            slack: 0,
            closed: 0,
            receipted: None,
            weakness: None,
            findings: Vec::new(),
            more: 0,
        }
    }

    /// Takes the next line; answers the entry that it is, and its chain value.
    pub fn line(&mut self, copied: &Copied) -> (u64, [u8; 32]) {
        let proof = &copied.proof;
        let public = copied.public.map(|public| public.get().as_bytes());
        let commitment = unhex::<32>(&proof.commitment).unwrap_or_default();
        let link = Link { seq: proof.seq, public, commitment, chain: unhex(&proof.chain) };
        let (Placed { seq, chain, place, found }, unread) = self.order.place(&link);
        unread.into_iter().for_each(|what| self.find(what));
        found.into_iter().for_each(|what| self.wrong(seq, what));
        if place != Place::Again {
            let line = Line { seq, place, copied };
            let entry = self.body(&line, &commitment);
            match self.about.audience {
                Audience::Gm => self.gm(&line, entry.as_ref()),
                Audience::Player => self.player(&line),
            }
        }
        (seq, chain)
    }

    /// Takes a line that cannot be read.
    pub fn unread(&mut self, error: &serde_json::Error) {
        self.order.unread(error.to_string());
    }

    /// The body, where there is one, once it is the one that was committed to.
    fn body(&mut self, line: &Line, commitment: &[u8; 32]) -> Option<Entry> {
        let Line { seq, copied, .. } = *line;
        let (here, elsewhere) = match self.about.audience {
            Audience::Gm => (copied.body, copied.proof.body),
            Audience::Player => (copied.proof.body, copied.body),
        };
        if elsewhere.is_some() {
            self.wrong(seq, "its body stands where this copy has none");
        }
        let salt = copied.proof.salt.as_deref();
        let (Some(body), Some(salt)) = (here, salt) else {
            if here.is_some() || salt.is_some() {
                self.wrong(seq, "it has a body without its salt, or a salt without its body");
            } else if self.about.audience == Audience::Gm {
                self.wrong(seq, "its body is missing");
            }
            return None;
        };
        let salt = unhex::<32>(salt).unwrap_or_default();
        if chain::commitment(&salt, body.get().as_bytes()) != *commitment {
            self.wrong(seq, "its body is not the one that was committed to");
            return None;
        }
        let entry: Option<Entry> = serde_json::from_str(body.get()).ok();
        match &entry {
            Some(entry) => self.state.apply(&entry.changes),
            None => self.wrong(seq, "its body cannot be read"),
        }
        entry
    }

    /// Every body is there, so that what stands beside it can be worked out.
    fn gm(&mut self, line: &Line, entry: Option<&Entry>) {
        let Line { seq, copied, .. } = *line;
        let Some(entry) = entry else { return self.unnumbered(line) };
        let whole = is_fully_public(entry, &self.state);
        let unsure = self.order.unsure;
        let shown = |whole: bool| {
            let projection = Projection { seen: visible_entry(entry, Audience::Player, whole), whole };
            let public = chain::public(&projection, seq).ok();
            public.as_deref().zip(copied.public).is_some_and(|(own, public)| own == public.get().as_bytes())
        };
        // What is missing may have said who is hidden.
        if !(shown(whole) || unsure && shown(!whole)) {
            self.wrong(seq, "its public part is not what hiding makes of its body");
        }
        let seen = visible_entry(entry, Audience::Gm, whole);
        self.number(line, seen.is_some());
        if copied.text != seen.map(|seen| seen.text) {
            self.wrong(seq, "its text is not what its body says");
        }
    }

    fn player(&mut self, line: &Line) {
        let Line { seq, copied, .. } = *line;
        if copied.text.is_some() {
            self.wrong(seq, "it has a text, which nothing proves");
        }
        let seen = copied.public.map(|public| serde_json::from_str::<VisibleEntry>(public.get()));
        if matches!(seen, Some(Err(_))) {
            self.wrong(seq, "its public part cannot be read");
        }
        self.closed += u64::from(copied.public.is_some() && copied.proof.body.is_none());
        self.number(line, matches!(seen, Some(Ok(_))));
    }

    /// Numbers run from 1 over what the audience sees. How many of the missing entries were numbered is not known.
    fn number(&mut self, line: &Line, seen: bool) {
        let n = line.copied.n;
        if let Place::AfterGap(entries) = line.place {
            self.slack = self.slack.saturating_add(entries);
        }
        if line.place == Place::Late && seen && n.is_some_and(|n| n > 0 && n <= self.shown) {
            return;
        }
        let next = self.shown.saturating_add(1);
        let over = n.and_then(|n| n.checked_sub(next)).filter(|over| seen && *over <= self.slack);
        match over {
            Some(over) => {
                self.slack -= over;
                self.shown = next.saturating_add(over);
            }
            None => {
                self.shown += u64::from(seen);
                if seen || n.is_some() {
                    self.wrong(line.seq, "its number in the view is not the next");
                }
            }
        }
    }

    /// Whether players or the GM see an entry whose body is not there cannot be said: its number is taken as it is.
    fn unnumbered(&mut self, line: &Line) {
        self.number(line, line.copied.n.is_some());
    }

    pub fn end(&mut self) {
        let (unread, lacks): (_, Vec<_>) = (self.order.unread_end(), self.order.lacks().collect());
        if self.order.head.seq == 0 {
            self.find(unread.unwrap_or_else(|| "it holds no entry".to_owned()));
            return;
        }
        unread.into_iter().for_each(|what| self.find(what));
        lacks.into_iter().for_each(|(seq, what)| self.wrong(seq, what));
        let named = self.state.campaign.as_ref().map(|campaign| (campaign.name.clone(), campaign.uuid.clone()));
        let about = (self.about.campaign.clone(), self.about.uuid.to_string());
        let unknown = named.is_none() && self.order.unsure;
        if named != Some(about) && !unknown {
            let name = named.map_or("none".to_owned(), |(name, _)| format!("\"{name}\""));
            self.find(format!("its first line names campaign \"{}\", and the log in it {name}", self.about.campaign));
        }
    }

    /// Whether what was found already says that this entry is not there.
    pub fn lacks(&self, seq: u64) -> bool {
        self.order.lacks_entry(seq)
    }

    /// The last entry.
    pub fn last(&self) -> u64 {
        self.order.head.seq
    }

    pub fn wrong(&mut self, seq: u64, what: impl Into<String>) {
        self.more += u64::from(!Finding::add(&mut self.findings, seq, what.into()));
    }

    fn find(&mut self, what: String) {
        self.wrong(0, what);
    }

    pub fn done(mut self) -> Checked {
        self.findings.sort_by_key(|finding| finding.seq);
        let mut findings: Vec<String> = self.findings.iter().map(Finding::to_string).collect();
        if self.more > 0 {
            findings.push(format!("and {} more", self.more));
        }
        let About { campaign, audience, history_lost, .. } = self.about;
        let Check { order, receipted, weakness, shown, closed, .. } = self;
        let head = order.head;
        Checked { campaign, audience, head, findings, receipted, weakness, shown, closed, history_lost }
    }
}

/// A line in its place.
struct Line<'a> {
    seq: u64,
    place: Place,
    copied: &'a Copied<'a>,
}

fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    base16ct::lower::decode_vec(text).ok()?.try_into().ok()
}
