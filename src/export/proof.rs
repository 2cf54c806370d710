//! What lets a copy be checked without the database.
//!
//! A players' copy holds the public part of every entry, salt and body where nothing of the body is secret, and the
//! commitment of the others. From these every link can be worked out again, so nothing can be left out or changed; a
//! secret revealed later is checked against its commitment.

use super::lines::Line;
use crate::game::view::Audience;

/// The fields of the proof block of one entry, as JSON members; the body is added by the caller.
pub fn block(line: &Line, audience: Audience) -> String {
    let row = &line.row;
    let (commitment, chain) = (hex(&row.commitment), hex(&row.chain));
    let mut proof = format!("\"seq\":{},\"commitment\":\"{commitment}\",\"chain\":\"{chain}\"", row.seq);
    if audience == Audience::Gm || line.whole {
        proof.extend([",\"salt\":\"", &hex(&row.salt), "\""]);
    }
    proof
}

/// Bytes as lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}
