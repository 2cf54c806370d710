//! Line by line: what is wrong with a copy.

use super::Checked;
use super::format::{About, Copied};
use crate::game::entry::Entry;
use crate::game::state::State;
use crate::game::visibility::{Audience, Seen, project};
use crate::store::{Head, chain};

/// Findings kept; the rest are counted in one more.
const FINDINGS_MAX: usize = 200;

/// A copy being checked.
pub struct Check {
    about: About,
    pub head: Head,
    /// What the bodies that are there add up to.
    state: State,
    /// Numbered entries so far.
    shown: u64,
    /// Numbered entries without a body.
    closed: u64,
    /// The entry of a receipt that fits.
    pub receipted: Option<u64>,
    pub weakness: Option<String>,
    findings: Vec<String>,
    more: usize,
}

impl Check {
    pub fn of(about: About) -> Self {
        Check {
            about,
            head: Head::default(),
            state: State::default(),
            shown: 0,
            closed: 0,
            receipted: None,
            weakness: None,
            findings: Vec::new(),
            more: 0,
        }
    }

    pub fn line(&mut self, copied: &Copied) {
        let proof = &copied.proof;
        let seq = proof.seq;
        if seq != self.head.seq + 1 {
            self.wrong(seq, "the entry before it is missing");
        }
        let hidden = format!("{{\"hidden\":true,\"seq\":{seq}}}");
        let public = copied.public.map_or(hidden.as_bytes(), |public| public.get().as_bytes());
        let commitment = unhex::<32>(&proof.commitment).unwrap_or_default();
        let link = chain::link(&self.head.chain, &chain::leaf(&self.about.uuid, seq, public, &commitment));
        if Some(link) != unhex(&proof.chain) {
            self.wrong(seq, "its chain value does not follow from what the copy holds");
        }
        self.head = Head { seq, chain: unhex(&proof.chain).unwrap_or(link) };
        let entry = self.body(copied, &commitment);
        match self.about.audience {
            Audience::Gm => self.gm(copied, public, entry.as_ref()),
            Audience::Player => self.player(copied),
        }
    }

    /// The body, where there is one, once it is the one that was committed to.
    fn body(&mut self, copied: &Copied, commitment: &[u8; 32]) -> Option<Entry> {
        let seq = copied.proof.seq;
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
    fn gm(&mut self, copied: &Copied, public: &[u8], entry: Option<&Entry>) {
        let seq = copied.proof.seq;
        let Some(entry) = entry else { return };
        let players = project(entry, &self.state, Audience::Player);
        if copied.public.is_none() || chain::public(&players, seq).ok().as_deref() != Some(public) {
            self.wrong(seq, "its public part is not what hiding makes of its body");
        }
        let seen = project(entry, &self.state, Audience::Gm).seen;
        self.number(copied, seen.is_some());
        if copied.text != seen.map(|seen| seen.text) {
            self.wrong(seq, "its text is not what its body says");
        }
    }

    fn player(&mut self, copied: &Copied) {
        let seq = copied.proof.seq;
        if copied.text.is_some() {
            self.wrong(seq, "it has a text, which nothing proves");
        }
        let seen = copied.public.map(|public| serde_json::from_str::<Seen>(public.get()));
        if matches!(seen, Some(Err(_))) {
            self.wrong(seq, "its public part cannot be read");
        }
        self.closed += u64::from(copied.public.is_some() && copied.proof.body.is_none());
        self.number(copied, matches!(seen, Some(Ok(_))));
    }

    /// Numbers run from 1 over what the audience sees.
    fn number(&mut self, copied: &Copied, seen: bool) {
        self.shown += u64::from(seen);
        if copied.n != seen.then_some(self.shown) {
            self.wrong(copied.proof.seq, "its number in the view is not the next");
        }
    }

    pub fn end(&mut self) {
        if self.head.seq == 0 {
            self.find("it holds no entry".to_owned());
            return;
        }
        let named = self.state.campaign.as_ref().map(|campaign| (campaign.name.clone(), campaign.uuid.clone()));
        let about = (self.about.campaign.clone(), self.about.uuid.to_string());
        if named != Some(about) {
            let name = named.map_or("none".to_owned(), |(name, _)| format!("\"{name}\""));
            self.find(format!("its first line names campaign \"{}\", and the log in it {name}", self.about.campaign));
        }
    }

    fn wrong(&mut self, seq: u64, what: &str) {
        self.find(format!("#{seq}: {what}"));
    }

    pub fn find(&mut self, what: String) {
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(what);
        } else {
            self.more += 1;
        }
    }

    pub fn done(mut self) -> Checked {
        if self.more > 0 {
            self.findings.push(format!("and {} more", self.more));
        }
        let About { campaign, audience, .. } = self.about;
        let Check { head, findings, receipted, weakness, shown, closed, .. } = self;
        Checked { campaign, audience, head, findings, receipted, weakness, shown, closed }
    }
}

fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    base16ct::lower::decode_vec(text).ok()?.try_into().ok()
}
