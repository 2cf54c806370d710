//! What lets a copy be checked without the database.
//!
//! A players' copy holds the public part of every entry, salt and body where nothing of the body is secret, and the
//! commitment of the others. From these every link can be worked out again, so nothing can be left out or changed; a
//! secret revealed later is checked against its commitment.

use serde_json::{Map, Value, json};

use super::lines::Line;
use crate::game::visibility::Audience;

/// The proof block of one entry.
pub fn block(line: &Line, audience: Audience) -> Map<String, Value> {
    let row = &line.row;
    let mut proof = Map::new();
    proof.insert("seq".to_owned(), json!(row.seq));
    proof.insert("commitment".to_owned(), json!(hex(&row.commitment)));
    proof.insert("chain".to_owned(), json!(hex(&row.chain)));
    if audience == Audience::Gm || line.whole {
        proof.insert("salt".to_owned(), json!(hex(&row.salt)));
    }
    proof
}

/// Bytes as lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}
