//! What lets a copy be checked without the database.
//!
//! A players' copy holds the public part of every entry, salt and body where nothing of the body is secret, and the
//! commitment of the others. From these every link can be worked out again, so nothing can be left out or changed; a
//! secret revealed later is checked against its commitment.

use super::lines::Line;

/// The fields of the proof block of one entry, as JSON members; the body is added by the caller.
pub fn block(out: &mut Vec<u8>, line: &Line) {
    let row = &line.row;
    out.extend_from_slice(format!("\"seq\":{}", row.seq).as_bytes());
    hash(out, "commitment", &row.commitment);
    hash(out, "chain", &row.chain);
    if line.whole {
        hash(out, "salt", &row.salt);
    }
}

/// One more member: bytes as lower-case hex.
fn hash(out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    for text in [",\"", name, "\":\"", &base16ct::lower::encode_string(bytes), "\""] {
        out.extend_from_slice(text.as_bytes());
    }
}
