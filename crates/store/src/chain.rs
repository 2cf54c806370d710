//! The hashes of the log. Each length is written before its bytes, each kind of hash has a name of
//! its own, and numbers are 8 bytes, big end first.
//!
//! ```text
//! commitment = SHA-256("rollbook/v1 body\0" | len(salt) salt | len(body) body)
//! leaf       = SHA-256("rollbook/v1 leaf\0" | campaign | seq | len(public) public | commitment)
//! chain      = SHA-256("rollbook/v1 link\0" | prev | leaf)
//! seen       = SHA-256("rollbook/v1 seen\0" | seen before | SHA-256("rollbook/v1 shown\0" | campaign | len(public) public))
//! answer     = SHA-256("rollbook/v1 answer\0" | len(salt) salt | len(tool) tool | arguments | len(reply) reply)
//! ```
//!
//! The campaign is its UUID's 16 bytes. The salt keeps a hidden d20 from being guessed out of its
//! commitment: without it, 20 tries would do. An answer has a salt of its own, which never leaves
//! the database: a body that players may read whole carries the hash of the GM's answer.

use sha2::{Digest, Sha256};

use super::canonical;
use super::record::{Head, Remembered, Sealed};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::Seen;
use rollbook_game::view::visibility::{Projection, VisibleEntry};

/// Seals an entry after `head`.
pub fn seal(
    campaign: &uuid::Uuid,
    head: Head,
    entry: Entry,
    projection: &Projection,
    salt: [u8; 32],
) -> Result<Sealed, serde_json::Error> {
    let seq = head.seq + 1;
    let body = canonical::bytes(&entry)?;
    let public = public(projection.seen.as_ref(), seq)?;
    let commitment = commitment(&salt, &body);
    let leaf = leaf(campaign, seq, &public, &commitment);
    let chain = link(&head.chain, &leaf);
    Ok(Sealed {
        entry,
        seq,
        prev: head.chain,
        body,
        public,
        whole: projection.whole,
        salt,
        commitment,
        leaf,
        chain,
    })
}

/// The bytes of the `public` column, of what players see.
pub fn public(seen: Option<&VisibleEntry>, seq: u64) -> Result<Vec<u8>, serde_json::Error> {
    match seen {
        Some(seen) => canonical::bytes(seen),
        None => canonical::bytes(&serde_json::json!({"hidden": true, "seq": seq})),
    }
}

/// What binds the body without showing it.
pub fn commitment(salt: &[u8], body: &[u8]) -> [u8; 32] {
    hash(
        b"rollbook/v1 body\0",
        &[&size(salt), salt, &size(body), body],
    )
}

/// The hash of one entry in the chain.
pub fn leaf(campaign: &uuid::Uuid, seq: u64, public: &[u8], commitment: &[u8; 32]) -> [u8; 32] {
    let (campaign, seq) = (campaign.as_bytes(), seq.to_be_bytes());
    hash(
        b"rollbook/v1 leaf\0",
        &[campaign, &seq, &size(public), public, commitment],
    )
}

/// What ties an entry to everything before it.
pub fn link(prev: &[u8; 32], leaf: &[u8; 32]) -> [u8; 32] {
    hash(b"rollbook/v1 link\0", &[prev, leaf])
}

/// What binds a kept answer to the last entry of its call.
pub fn answer(kept: &Remembered) -> String {
    let (salt, tool, reply) = (&kept.salt, kept.tool.as_bytes(), kept.reply.as_bytes());
    let parts = [
        &size(salt)[..],
        salt,
        &size(tool),
        tool,
        &kept.arguments,
        &size(reply),
        reply,
    ];
    base16ct::lower::encode_string(&hash(b"rollbook/v1 answer\0", &parts))
}

/// The hash of an entry in the chain over what players see.
pub fn shown(campaign: &uuid::Uuid, public: &[u8]) -> [u8; 32] {
    hash(
        b"rollbook/v1 shown\0",
        &[campaign.as_bytes(), &size(public), public],
    )
}

/// The end of the chain over what players see, which counts nothing that they do not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SeenHead {
    pub n: u64,
    pub chain: [u8; 32],
}

impl SeenHead {
    /// What an entry names; `None` where that is no hash.
    pub fn of(seen: &Seen) -> Option<Self> {
        let chain = base16ct::lower::decode_vec(&seen.chain)
            .ok()?
            .try_into()
            .ok()?;
        Some(SeenHead { n: seen.n, chain })
    }

    /// As an entry names it.
    pub fn named(self) -> Seen {
        Seen {
            n: self.n,
            chain: base16ct::lower::encode_string(&self.chain),
        }
    }

    /// Adds the hash of the next entry that players see.
    pub fn add(&mut self, shown: &[u8; 32]) {
        let chain = hash(b"rollbook/v1 seen\0", &[&self.chain, shown]);
        *self = SeenHead {
            n: self.n + 1,
            chain,
        };
    }
}

/// The SHA-256 of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn size(bytes: &[u8]) -> [u8; 8] {
    (bytes.len() as u64).to_be_bytes()
}

fn hash(kind: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(kind);
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::{commitment, leaf, link};

    /// Worked out with another implementation (Python's hashlib) from the formulas above.
    #[test]
    fn the_hashes_are_those_of_the_specification() {
        let campaign = uuid::Uuid::from_bytes([7; 16]);
        let commitment = commitment(&[1; 32], b"{\"a\":1}");
        let leaf = leaf(&campaign, 1, b"{}", &commitment);
        let chain = link(&[0; 32], &leaf);
        let hex = |bytes: &[u8]| base16ct::lower::encode_string(bytes);
        assert_eq!(
            hex(&commitment),
            "7f06abd9b265249ec4ac747b6ac22428116a7a46b73653e3585421b77e225526"
        );
        assert_eq!(
            hex(&leaf),
            "b488beeed5ef31543a6527cf3b6dd3c03225f7b11f0733b954873b07ddaf4ffa"
        );
        assert_eq!(
            hex(&chain),
            "c8950fdd698965f845f5af78493954090d608eb2d5956333ad00450c488cb67b"
        );
    }
}
