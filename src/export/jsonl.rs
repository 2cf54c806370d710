//! JSON lines: a header, then one object an entry. Bodies and public parts stand in it as the very bytes that were
//! hashed, so a copy can be verified on its own.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use serde_json::json;
use serde_json::value::RawValue;

use super::lines::{self, Line};
use super::{Exported, Job, failed, proof};
use crate::game::view::Audience;
use crate::store::StoreError;

pub(super) async fn write(job: &Job<'_>, file: &mut File) -> Result<Exported, StoreError> {
    let mut out = BufWriter::with_capacity(lines::BUFFER, file);
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
    writeln!(out, "{header}").map_err(|error| failed(job.out, &error))?;
    let exported = lines::each(
        job,
        |line| text(&line, job.audience),
        |text| out.write_all(text.as_bytes()).map_err(|error| failed(job.out, &error)),
    )
    .await?;
    out.flush().map_err(|error| failed(job.out, &error))?;
    Ok(exported)
}

/// One line with its end. An entry players see nothing of has only its proof.
fn text(line: &Line, audience: Audience) -> Result<String, StoreError> {
    let row = &line.row;
    let unreadable = |reason: String| StoreError::Unreadable { seq: row.seq, reason };
    let is_gm = audience == Audience::Gm;
    let mut text = String::with_capacity(row.body.len() + row.public.len() + 512);
    text.push('{');
    if let Some(n) = line.n {
        text.push_str(&format!("\"n\":{n},"));
        if is_gm {
            text.push_str(&format!("\"text\":{},", json!(line.text())));
        }
    }
    if is_gm || line.n.is_some() {
        text.push_str("\"public\":");
        // Of what players see it was read already.
        let public = if is_gm { raw(&row.public).map_err(|error| error.to_string()) } else { read(&row.public) };
        text.push_str(public.map_err(unreadable)?);
        text.push(',');
    }
    let body = read(&row.body).map_err(unreadable)?;
    if is_gm {
        text.extend(["\"body\":", body, ","]);
    }
    text.extend(["\"proof\":{", &proof::block(line, audience)]);
    // The players' body carries entry numbers, which only a proof may.
    if !is_gm && line.whole {
        text.extend([",\"body\":", body]);
    }
    text.push_str("}}\n");
    Ok(text)
}

/// JSON as it was written.
fn raw(bytes: &[u8]) -> Result<&str, serde_json::Error> {
    serde_json::from_slice::<&RawValue>(bytes).map(RawValue::get)
}

/// The same of what was read as JSON before.
fn read(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes.trim_ascii()).map_err(|error| error.to_string())
}
