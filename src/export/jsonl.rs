//! JSON lines: a header, then one object an entry. Bodies and public parts stand in it as the very bytes that were
//! hashed, so a copy can be verified on its own.

use std::fs::File;
use std::io::Write as _;

use serde_json::json;
use serde_json::value::RawValue;

use super::lines::{self, Line};
use super::{Exported, Job, failed, proof};
use crate::game::view::Audience;
use crate::store::StoreError;

pub(super) async fn write(job: &Job<'_>, file: &mut File) -> Result<Exported, StoreError> {
    let mut about = json!({
        "format": 1,
        "audience": job.audience,
        "campaign": job.campaign,
        "uuid": job.identity.uuid,
    });
    if let (Some(about), Some(lost)) = (about.as_object_mut(), &job.history_lost) {
        about.insert("history_lost".to_owned(), lost.as_str().into());
    }
    let header = json!({"rollbook": about});
    writeln!(file, "{header}").map_err(|error| failed(job.out, &error))?;
    let audience = job.audience;
    lines::write(job, file, move |lines| {
        let mut out = Vec::with_capacity(lines.iter().map(size).sum());
        for line in lines {
            let unreadable = |reason| StoreError::Unreadable { seq: line.row.seq, reason };
            text(&mut out, &line, audience).map_err(unreadable)?;
        }
        Ok(out)
    })
    .await
}

/// Bytes that the text of a line has, or a few more.
fn size(line: &Line) -> usize {
    line.row.body.len() + line.row.public.len() + 512
}

/// One line with its end. An entry players see nothing of has only its proof.
fn text(out: &mut Vec<u8>, line: &Line, audience: Audience) -> Result<(), String> {
    let row = &line.row;
    let is_gm = audience == Audience::Gm;
    out.push(b'{');
    if let Some(n) = line.n {
        out.extend_from_slice(format!("\"n\":{n},").as_bytes());
        if is_gm {
            out.extend_from_slice(b"\"text\":");
            serde_json::to_writer(&mut *out, &line.text()).map_err(|error| error.to_string())?;
            out.push(b',');
        }
    }
    if is_gm || line.n.is_some() {
        out.extend_from_slice(b"\"public\":");
        // Of what players see it was read already.
        let public = if is_gm { raw(&row.public).map_err(|error| error.to_string()) } else { read(&row.public) };
        out.extend_from_slice(public?.as_bytes());
        out.push(b',');
    }
    let body = read(&row.body)?;
    if is_gm {
        out.extend_from_slice(b"\"body\":");
        out.extend_from_slice(body.as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(b"\"proof\":{");
    proof::block(out, line);
    // The players' body carries entry numbers, which only a proof may.
    if !is_gm && line.whole {
        out.extend_from_slice(b",\"body\":");
        out.extend_from_slice(body.as_bytes());
    }
    out.extend_from_slice(b"}}\n");
    Ok(())
}

/// JSON as it was written.
fn raw(bytes: &[u8]) -> Result<&str, serde_json::Error> {
    serde_json::from_slice::<&RawValue>(bytes).map(RawValue::get)
}

/// The same of what was read as JSON before.
fn read(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes.trim_ascii()).map_err(|error| error.to_string())
}
