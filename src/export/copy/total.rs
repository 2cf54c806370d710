//! Copies that tell of hidden entries only how many there were. A second chain goes over what players see alone; the end of a session names
//! where it stood, and is bound by its receipt like every entry. So lines up to there are complete and as they were written; of those behind
//! nothing is proven, nor where hidden ones stand, nor the bodies.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::checked::Checked;
use crate::export::jsonl::{About, TOTAL};
use crate::game::record::entry::Entry;
use crate::game::record::event::Event;
use crate::game::view::visibility::VisibleEntry;
use crate::store::Head;
use crate::store::chain::{self, SeenHead};
use crate::store::verify::{Finding, Receipt};

/// A line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    n: u64,
    #[serde(borrow)]
    public: &'a RawValue,
    #[serde(borrow)]
    proof: Proof<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proof<'a> {
    seen: String,
    #[serde(borrow, default)]
    bound: Option<Bound<'a>>,
}

/// What makes the hash of the entry that binds the lines before it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bound<'a> {
    seq: u64,
    prev: String,
    commitment: String,
    salt: String,
    #[serde(borrow)]
    body: &'a RawValue,
}

/// Such a copy being checked. Its findings name lines by their numbers: it has no others.
pub struct Total {
    about: About,
    seen: SeenHead,
    /// The entry that binds the lines before it, and how many those are.
    bound: Option<(Head, u64)>,
    findings: Vec<Finding>,
    more: u64,
}

impl Total {
    pub fn of(about: About) -> Self {
        let mut check = Total { about, seen: SeenHead::default(), bound: None, findings: Vec::new(), more: 0 };
        if check.about.seal.as_deref() != Some(TOTAL) || check.about.after.is_some() || check.about.secret.is_some() {
            check.wrong("its first line says what no copy of that kind is");
        }
        check
    }

    /// Takes the next line.
    pub fn line(&mut self, line: &[u8]) {
        let next = self.seen.n + 1;
        let Line { n, public, proof } = match serde_json::from_slice(line) {
            Ok(line) => line,
            Err(error) => return self.wrong(format!("line {next} cannot be read: {error}")),
        };
        let before = self.seen;
        self.seen.add(&chain::shown(&self.about.uuid, public.get().as_bytes()));
        if n != next {
            self.wrong(format!("line {next} has the number {n}"));
        }
        if serde_json::from_str::<VisibleEntry>(public.get()).is_err() {
            self.wrong(format!("what players see in line {next} cannot be read"));
        }
        let written = unhex(&proof.seen);
        if written != Some(self.seen.chain) {
            self.wrong(format!("line {next} does not follow from the lines before it"));
            // One fault is one finding: behind it the chain is taken up again.
            self.seen.chain = written.unwrap_or(self.seen.chain);
        }
        if let Some(bound) = proof.bound {
            self.bind(&bound, public, before, next);
        }
    }

    /// The entry that binds the lines before it: body, commitment and hash, and what it names.
    fn bind(&mut self, bound: &Bound, public: &RawValue, before: SeenHead, next: u64) {
        let [prev, commitment, salt] =
            [&bound.prev, &bound.commitment, &bound.salt].map(|text| unhex(text).unwrap_or_default());
        if chain::commitment(&salt, bound.body.get().as_bytes()) != commitment {
            return self.wrong(format!("the body of line {next} is not the one that was committed to"));
        }
        let leaf = chain::leaf(&self.about.uuid, bound.seq, public.get().as_bytes(), &commitment);
        let head = Head { seq: bound.seq, chain: chain::link(&prev, &leaf) };
        let named = match serde_json::from_str::<Entry>(bound.body.get()).map(|entry| entry.event) {
            Ok(Event::SessionEnded { seen: Some(seen), .. }) => SeenHead::of(&seen),
            _ => None,
        };
        if named != Some(before) || self.bound.is_some() {
            return self.wrong(format!("line {next} does not bind the lines before it"));
        }
        self.bound = Some((head, before.n));
    }

    fn wrong(&mut self, what: impl Into<String>) {
        self.more += u64::from(!Finding::add(&mut self.findings, 0, what.into()));
    }

    pub fn done(mut self, receipt: Option<&Receipt>) -> Checked {
        if self.seen.n == 0 {
            self.wrong("it holds no entry");
        }
        let mut receipted = None;
        if let Some(receipt) = receipt {
            match self.bound {
                Some((head, _)) if receipt.is_of(&head) => receipted = Some(receipt.seq),
                Some((head, _)) if receipt.seq == head.seq => {
                    self.wrong(format!("the receipt names another chain value for #{}", head.seq));
                }
                Some((head, _)) => self.wrong(format!(
                    "only the receipt of #{}, which ended a session, can be compared with it",
                    head.seq
                )),
                None => self.wrong("no end of a session binds it, so that no receipt can be compared with it"),
            }
        }
        let (head, bound) = self.bound.unwrap_or_default();
        let mut findings: Vec<String> = self.findings.iter().map(Finding::to_string).collect();
        if self.more > 0 {
            findings.push(format!("and {} more", self.more));
        }
        let About { campaign, audience, history_lost, .. } = self.about;
        Checked {
            campaign,
            audience,
            head,
            findings,
            first_bad: None,
            receipted,
            before_part: None,
            weakness: receipt.and_then(Receipt::weakness),
            shown: self.seen.n,
            closed: self.seen.n,
            sealed: head.seq.saturating_sub(bound + 1),
            opened: Vec::new(),
            after: None,
            bound: Some(bound),
            history_lost,
        }
    }
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    base16ct::lower::decode_vec(text).ok()?.try_into().ok()
}
