//! Verifying an exported copy on its own, without the database.
//!
//! Everything in a copy is either under a hash or worked out again: links, public parts, bodies and their commitments; the
//! numbers of the view; of a GM's copy also the sentences, what players see of each body, and that every body is there; the
//! campaign's name as the log has it. A field this format does not know is refused. That the copy is complete at its end only
//! a receipt can show.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::game::entry::Entry;
use crate::game::state::State;
use crate::game::visibility::{Audience, Seen, project};
use crate::store::verify::parse_receipt;
use crate::store::{Head, StoreError, chain};

/// Bytes of one line of a copy.
const LINE_MAX: u64 = 16 * 1024 * 1024;
/// Findings kept; the rest are counted in one more.
const FINDINGS_MAX: usize = 200;
/// The format this program writes.
const FORMAT: u32 = 1;

/// What a copy says of itself.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    rollbook: About,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    format: u32,
    audience: Audience,
    campaign: String,
    uuid: uuid::Uuid,
}

/// A line as it is read back.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Copied<'a> {
    n: Option<u64>,
    text: Option<String>,
    #[serde(borrow, default)]
    public: Option<&'a RawValue>,
    #[serde(borrow, default)]
    body: Option<&'a RawValue>,
    #[serde(borrow)]
    proof: Proof<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proof<'a> {
    seq: u64,
    commitment: String,
    chain: String,
    salt: Option<String>,
    #[serde(borrow, default)]
    body: Option<&'a RawValue>,
}

/// What verification of a copy found.
#[derive(Debug)]
pub struct Checked {
    pub campaign: String,
    pub audience: Audience,
    /// Where it ends.
    pub head: Head,
    pub findings: Vec<String>,
}

/// Verifies an exported copy, and that it holds the entry of a receipt, which alone can show that its tail was cut off.
///
/// # Errors
/// When the file is no export of this format, or the receipt is none.
pub fn check_copy(path: &Path, receipt: Option<&str>) -> Result<Checked, StoreError> {
    let receipt = receipt.map(parse_receipt).transpose()?;
    let unreadable = |error: std::io::Error| StoreError::Io(format!("cannot read {}: {error}", path.display()));
    let mut reader = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| -> Result<bool, StoreError> {
        line.clear();
        (&mut reader).take(LINE_MAX).read_until(b'\n', line).map(|bytes| bytes > 0).map_err(unreadable)
    };
    next(&mut line)?;
    let header: Header = serde_json::from_slice(&line)
        .map_err(|error| StoreError::Io(format!("{} does not begin as a Rollbook export: {error}", path.display())))?;
    if header.rollbook.format != FORMAT {
        let (found, path) = (header.rollbook.format, path.display());
        return Err(StoreError::Io(format!("{path} is of format {found}, and this program knows {FORMAT}")));
    }
    let mut check = Check::of(header.rollbook);
    let mut receipted = None;
    while next(&mut line)? {
        match serde_json::from_slice::<Copied>(&line) {
            Ok(copied) => check.line(&copied),
            Err(error) => check.find(format!("after #{}: a line cannot be read: {error}", check.head.seq)),
        }
        if receipt.as_ref().is_some_and(|receipt| receipt.seq == check.head.seq) {
            receipted = Some(base16ct::lower::encode_string(&check.head.chain));
        }
    }
    check.end();
    match (receipt, receipted) {
        (Some(receipt), Some(chain)) if !chain.starts_with(&receipt.hex) => {
            check.find(format!("#{}: the receipt names another chain value for it", receipt.seq));
        }
        (Some(receipt), None) => check.find(format!(
            "#{}: the receipt says the log reached it, and the copy ends at #{}: it was cut off, or is older than the receipt",
            receipt.seq, check.head.seq
        )),
        _ => {}
    }
    Ok(check.done())
}

struct Check {
    about: About,
    head: Head,
    /// What the bodies that are there add up to.
    state: State,
    /// Numbered entries so far.
    shown: u64,
    findings: Vec<String>,
    more: usize,
}

impl Check {
    fn of(about: About) -> Self {
        Check { about, head: Head::default(), state: State::default(), shown: 0, findings: Vec::new(), more: 0 }
    }

    fn line(&mut self, copied: &Copied) {
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
        self.number(copied, matches!(seen, Some(Ok(_))));
    }

    /// Numbers run from 1 over what the audience sees.
    fn number(&mut self, copied: &Copied, seen: bool) {
        self.shown += u64::from(seen);
        if copied.n != seen.then_some(self.shown) {
            self.wrong(copied.proof.seq, "its number in the view is not the next");
        }
    }

    fn end(&mut self) {
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

    fn find(&mut self, what: String) {
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(what);
        } else {
            self.more += 1;
        }
    }

    fn done(mut self) -> Checked {
        if self.more > 0 {
            self.findings.push(format!("and {} more", self.more));
        }
        let About { campaign, audience, .. } = self.about;
        Checked { campaign, audience, head: self.head, findings: self.findings }
    }
}

fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    base16ct::lower::decode_vec(text).ok()?.try_into().ok()
}
