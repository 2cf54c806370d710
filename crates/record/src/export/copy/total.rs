//! Copies that say only how many entries are hidden. A second chain covers what players see; a
//! session's end names its head, and its receipt binds that. Lines up to there are complete and as
//! written; nothing after is proven, nor where hidden ones are, nor the bodies.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::check::{Checked, Findings};
use super::line::{counted, unhex, why};
use crate::export::csv::{self, TOTAL_PROOF};
use crate::export::jsonl::{About, TOTAL};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{Event, SessionEnded};
use rollbook_game::view::number::{EntryNumber, Numbers};
use rollbook_game::view::reading::read_name;
use rollbook_game::view::visibility::VisibleEntry;
use rollbook_store::Head;
use rollbook_store::chain::{self, SeenHead};
use rollbook_store::verify::Receipt;

/// An entry of such a copy, whatever its format.
struct Line<'a> {
    n: u64,
    public: &'a str,
    seen: &'a str,
    bound: Option<Bound<'a>>,
    /// Its rows, as far as a reader reads them, where the copy is a table.
    rows: Option<&'a [Vec<String>]>,
}

/// What makes the hash of the entry that binds the lines before it.
struct Bound<'a> {
    seq: u64,
    prev: &'a str,
    commitment: &'a str,
    salt: &'a str,
    body: &'a str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Json<'a> {
    n: EntryNumber,
    #[serde(borrow)]
    public: &'a RawValue,
    #[serde(borrow)]
    proof: JsonProof<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonProof<'a> {
    seen: String,
    #[serde(borrow, default)]
    bound: Option<JsonBound<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonBound<'a> {
    seq: u64,
    prev: String,
    commitment: String,
    salt: String,
    #[serde(borrow)]
    body: &'a RawValue,
}

impl<'a> Line<'a> {
    fn of_json(Json { n, public, proof }: &'a Json<'a>) -> Self {
        let bound = proof.bound.as_ref().map(|bound| Bound {
            seq: bound.seq,
            prev: &bound.prev,
            commitment: &bound.commitment,
            salt: &bound.salt,
            body: bound.body.get(),
        });
        Line {
            n: n.value(),
            public: public.get(),
            seen: &proof.seen,
            bound,
            rows: None,
        }
    }

    /// An entry's rows in comma-separated values: the cells that are read, and the first's proof.
    fn of_rows(
        rows: &'a [Vec<String>],
        proof: &'a [String],
        uuid: &uuid::Uuid,
    ) -> Result<Self, String> {
        let [of, public, seen, seq, prev, commitment, salt, body] = proof else {
            return Err(format!("its proof has not {} columns", TOTAL_PROOF.len()));
        };
        if *of != csv::total_of(&uuid.to_string()) {
            return Err("it says that it is of another copy".to_owned());
        }
        for text in [public, body].into_iter().filter(|text| !text.is_empty()) {
            serde_json::from_str::<&RawValue>(text)
                .map_err(|error| why(&error, text.as_bytes()))?;
        }
        let number = |text: &str, name: &str| {
            text.parse::<u64>()
                .map_err(|_| format!("`{name}` is no whole number"))
        };
        let is_bound = [seq, prev, commitment, salt, body]
            .iter()
            .any(|text| !text.is_empty());
        let bound = match is_bound {
            true => Some(Bound {
                seq: number(seq, "proof_seq")?,
                prev,
                commitment,
                salt,
                body,
            }),
            false => None,
        };
        let n = rows
            .first()
            .and_then(|row| row.first())
            .map_or("", String::as_str);
        Ok(Line {
            n: counted(n, "n")?,
            public,
            seen,
            bound,
            rows: Some(rows),
        })
    }
}

/// Such a copy being checked. Its findings name lines by their numbers: it has no others.
pub struct Total {
    about: About,
    seen: SeenHead,
    name: Option<String>,
    /// The entry that binds the lines before it, and how many those are.
    bound: Option<(Head, u64)>,
    findings: Findings,
}

impl Total {
    pub fn of(about: About) -> Self {
        let mut check = Total {
            about,
            seen: SeenHead::default(),
            name: None,
            bound: None,
            findings: Findings::default(),
        };
        if check.about.seal.as_deref() != Some(TOTAL)
            || check.about.after.is_some()
            || check.about.secret.is_some()
        {
            check.wrong("its first line says what no copy of that kind is");
        }
        check
    }

    pub fn json(&mut self, line: &[u8]) {
        match serde_json::from_slice::<Json<'_>>(line) {
            Ok(json) => self.line(Line::of_json(&json)),
            Err(error) => self.unread(&why(&error, line)),
        }
    }

    /// Takes the rows of the next entry in comma-separated values.
    pub fn rows(&mut self, rows: &[Vec<String>], proof: &[String]) {
        match Line::of_rows(rows, proof, &self.about.uuid) {
            Ok(line) => self.line(line),
            Err(why) => self.unread(&why),
        }
    }

    pub fn unread(&mut self, why: &str) {
        self.wrong(format!("line {} cannot be read: {why}", self.seen.n + 1));
    }

    fn line(&mut self, line: Line<'_>) {
        let Line {
            n,
            public,
            seen: written,
            bound,
            rows,
        } = line;
        let next = self.seen.n + 1;
        let before = self.seen;
        self.seen
            .add(&chain::shown(&self.about.uuid, public.as_bytes()));
        if n != next {
            self.wrong(format!("line {next} has the number {n}"));
        }
        let seen = serde_json::from_str::<VisibleEntry>(public).ok();
        if seen.is_none() {
            self.wrong(format!("what players see in line {next} cannot be read"));
        }
        let name = seen
            .as_ref()
            .and_then(|seen| read_name(&seen.kind, &seen.text));
        self.name = name.map(str::to_owned).or(self.name.take());
        let made = seen.map_or_else(Vec::new, |seen| csv::rows(Numbers::Players(n), &seen));
        if rows.is_some_and(|rows| {
            !made
                .iter()
                .map(|row| row.as_slice())
                .eq(rows.iter().map(Vec::as_slice))
        }) {
            self.wrong(format!("what line {next} shows is not what its proof says"));
        }
        let written = unhex(written);
        if written != Some(self.seen.chain) {
            self.wrong(format!(
                "line {next} does not follow from the lines before it"
            ));
            // One fault is one finding: after it the chain is taken up again.
            self.seen.chain = written.unwrap_or(self.seen.chain);
        }
        if let Some(bound) = bound {
            self.bind(&bound, public, before, next);
        }
    }

    /// The entry that binds the lines before it: body, commitment and hash, and what it names.
    fn bind(&mut self, bound: &Bound<'_>, public: &str, before: SeenHead, next: u64) {
        let [prev, commitment, salt] =
            [bound.prev, bound.commitment, bound.salt].map(|text| unhex(text).unwrap_or_default());
        if chain::commitment(&salt, bound.body.as_bytes()) != commitment {
            return self.wrong(format!(
                "the body of line {next} is not the one that was committed to"
            ));
        }
        let leaf = chain::leaf(&self.about.uuid, bound.seq, public.as_bytes(), &commitment);
        let head = Head {
            seq: bound.seq,
            chain: chain::link(&prev, &leaf),
        };
        let named = match serde_json::from_str::<Entry>(bound.body).map(|entry| entry.event) {
            Ok(Event::SessionEnded(SessionEnded {
                seen: Some(seen), ..
            })) => SeenHead::of(&seen),
            _ => None,
        };
        if named != Some(before) || self.bound.is_some() {
            return self.wrong(format!("line {next} does not bind the lines before it"));
        }
        self.bound = Some((head, before.n));
    }

    fn wrong(&mut self, what: impl Into<String>) {
        self.findings.add(0, what.into());
    }

    pub fn done(mut self, receipt: Option<&Receipt>) -> Checked {
        if self.seen.n == 0 {
            self.wrong("it holds no entry");
        }
        let (mut receipted, mut incomparable) = (None, None);
        if let Some(receipt) = receipt {
            match self.bound {
                Some((head, _)) if receipt.is_of(&head) => receipted = Some(receipt.seq),
                Some((head, _)) if receipt.seq == head.seq => {
                    self.wrong(format!("the receipt names another chain value for #{}", head.seq));
                }
                Some((head, _)) if receipt.seq < head.seq => {
                    incomparable = Some(format!(
                        "the receipt is of #{}; with a copy that does not tell where hidden entries stand only that of #{}, which \
                         ended a session, can be compared",
                        receipt.seq, head.seq
                    ));
                }
                Some((head, _)) => self.wrong(format!(
                    "the receipt says the log reached #{}, and the last end of a session in the copy is #{}: it was cut off, or is \
                     older than the receipt, or that session goes on, or the receipt is of an earlier log; only the receipt of #{} can be compared with it",
                    receipt.seq, head.seq, head.seq
                )),
                None => self.wrong("no end of a session binds it, so that no receipt can be compared with it"),
            }
        }
        let (head, bound) = self.bound.unwrap_or_default();
        let About {
            campaign,
            uuid,
            is_table,
            audience,
            history_lost,
            ..
        } = self.about;
        // A table has no line that names it.
        let campaign = if is_table {
            self.name.unwrap_or_else(|| uuid.to_string())
        } else {
            campaign
        };
        Checked {
            campaign,
            audience,
            head,
            findings: self.findings.texts(),
            receipted,
            incomparable,
            weakness: receipt.and_then(Receipt::weakness),
            shown: self.seen.n,
            closed: self.seen.n,
            sealed: head.seq.saturating_sub(bound + 1),
            bound: Some(bound),
            history_lost,
            ..Checked::default()
        }
    }
}
