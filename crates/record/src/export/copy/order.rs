//! The order of a copy's lines: numbers and links, taken up again after what is amiss.

use rollbook_store::verify::missing;
use rollbook_store::{Head, chain};

/// Gaps that are kept, so that their entries may still come; further ones are found at once.
const GAPS_MAX: usize = 1000;

/// Of a line, what its place in the copy is worked out from.
pub struct Link<'a> {
    pub seq: u64,
    /// What players see; `None` where they see nothing.
    pub public: Option<&'a [u8]>,
    pub commitment: [u8; 32],
    /// `None` where it cannot be read.
    pub chain: Option<[u8; 32]>,
}

pub struct Placed {
    /// Its number, worked out from its hash where another was written.
    pub seq: u64,
    pub chain: [u8; 32],
    pub place: Place,
    pub found: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Next,
    /// Behind so many that are not there.
    AfterGap(u64),
    /// Behind later ones.
    Late,
    Again,
}

struct Gap {
    first: u64,
    last: u64,
    before: [u8; 32],
    /// The leaf and the chain value of the entry after them.
    after: ([u8; 32], [u8; 32]),
    /// Why lines that are there could not be read.
    unread: Option<String>,
}

pub struct Order {
    uuid: uuid::Uuid,
    pub head: Head,
    /// What the last line should be hashed to.
    computed: [u8; 32],
    gaps: Vec<Gap>,
    /// Whether anything was ever missing: what the bodies add up to is not known from there on, …
    pub unsure: bool,
    /// … which it is not in a part of a log either.
    pub is_torn: bool,
    /// Why lines since the last one could not be read.
    unread: Option<String>,
}

impl Order {
    /// Of a copy that begins after an entry, or at the beginning of the log.
    pub fn of(uuid: uuid::Uuid, after: Option<Head>) -> Self {
        let head = after.unwrap_or_default();
        Order {
            uuid,
            head,
            computed: head.chain,
            gaps: Vec::new(),
            unsure: after.is_some(),
            is_torn: false,
            unread: None,
        }
    }

    /// A line that cannot be read; several in a row are one.
    pub fn unread(&mut self, why: String) {
        self.unread.get_or_insert(why);
    }

    /// Lines after the last entry that cannot be read.
    pub fn unread_end(&self) -> Option<String> {
        let why = self.unread.as_ref()?;
        Some(format!(
            "after #{}: a line cannot be read: {why}",
            self.head.seq
        ))
    }

    /// Puts a line in its place. Answers beside it what is wrong with no entry that is there.
    pub fn place(&mut self, link: &Link<'_>) -> (Placed, Option<String>) {
        let next = self.head.seq.saturating_add(1);
        let linked = self.linked(link, next);
        let mut found = Vec::new();
        if link.seq != next && linked {
            found.push(format!("its number was changed to {}", link.seq));
        }
        let seq = if linked { next } else { link.seq };
        let leaf = self.leaf(link, seq);
        let unread = self.unread_end();
        if let Some(gap) = self
            .gaps
            .iter()
            .position(|gap| (gap.first..=gap.last).contains(&seq))
        {
            self.unread = None;
            let chain = link.chain.unwrap_or_default();
            found.push("it stands out of place, behind later ones".to_owned());
            if !self.fill(gap, seq, (leaf, chain)) {
                found.push(UNLINKED.to_owned());
            }
            return (
                Placed {
                    seq,
                    chain,
                    place: Place::Late,
                    found,
                },
                unread,
            );
        }
        if seq < next {
            self.unread = None;
            found.push("it stands there a second time".to_owned());
            return (
                Placed {
                    seq,
                    chain: link.chain.unwrap_or_default(),
                    place: Place::Again,
                    found,
                },
                unread,
            );
        }
        let computed = chain::link(&self.head.chain, &leaf);
        let chain = link.chain.unwrap_or(computed);
        let (place, unread) = if seq == next {
            self.unread = None;
            if !linked {
                found.push(UNLINKED.to_owned());
            }
            (Place::Next, unread)
        } else {
            let gap = Gap {
                first: next,
                last: seq - 1,
                before: self.head.chain,
                after: (leaf, chain),
                unread: self.unread.take(),
            };
            (self.unsure, self.is_torn) = (true, true);
            if self.gaps.len() < GAPS_MAX {
                self.gaps.push(gap);
            } else {
                found.push(gap.lack());
            }
            (Place::AfterGap(seq - next), None)
        };
        (self.head, self.computed) = (Head { seq, chain }, computed);
        (
            Placed {
                seq,
                chain,
                place,
                found,
            },
            unread,
        )
    }

    /// What did not come to the end, by the entry after it.
    pub fn lacks(&self) -> impl Iterator<Item = (u64, String)> {
        self.gaps.iter().map(|gap| (gap.last + 1, gap.lack()))
    }

    /// Whether the entry is known to be missing, or may be in what could not be read at the end.
    pub fn lacks_entry(&self, seq: u64) -> bool {
        let in_gap = self
            .gaps
            .iter()
            .any(|gap| (gap.first..=gap.last).contains(&seq));
        in_gap || (self.unread.is_some() && seq > self.head.seq)
    }

    /// Whether the line is that entry by its hash: after the last as written, or as it should be.
    fn linked(&self, link: &Link<'_>, seq: u64) -> bool {
        let leaf = self.leaf(link, seq);
        [self.head.chain, self.computed]
            .iter()
            .any(|before| Some(chain::link(before, &leaf)) == link.chain)
    }

    fn leaf(&self, link: &Link<'_>, seq: u64) -> [u8; 32] {
        let hidden = format!("{{\"hidden\":true,\"seq\":{seq}}}");
        chain::leaf(
            &self.uuid,
            seq,
            link.public.unwrap_or(hidden.as_bytes()),
            &link.commitment,
        )
    }

    /// Takes an entry out of a gap; whether it fits those on either side that are there.
    fn fill(&mut self, gap: usize, seq: u64, (leaf, chain): ([u8; 32], [u8; 32])) -> bool {
        let Gap {
            first,
            last,
            before,
            after,
            unread,
        } = self.gaps.swap_remove(gap);
        let mut fits = true;
        if first < seq {
            self.gaps.push(Gap {
                first,
                last: seq - 1,
                before,
                after: (leaf, chain),
                unread: unread.clone(),
            });
        } else {
            fits = chain::link(&before, &leaf) == chain;
        }
        if seq < last {
            self.gaps.push(Gap {
                first: seq + 1,
                last,
                before: chain,
                after,
                unread,
            });
        } else {
            fits = fits && chain::link(&chain, &after.0) == after.1;
        }
        fits
    }
}

const UNLINKED: &str = "its chain value does not follow from what the copy holds";

impl Gap {
    fn lack(&self) -> String {
        let lack = missing(self.first, self.last.saturating_add(1));
        match &self.unread {
            Some(why) => format!("{lack}: a line there cannot be read: {why}"),
            None => format!("{lack}, so that its link cannot be checked"),
        }
    }
}
