//! JSON lines: a header, then one object an entry. Bodies and public parts stand in it as the very bytes that were
//! hashed, so a copy can be verified on its own.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use serde_json::json;
use serde_json::value::RawValue;

use super::lines::{self, Line};
use super::{Exported, Job, failed, proof};
use crate::game::visibility::Audience;
use crate::store::StoreError;

pub(super) async fn write(job: &Job<'_>, file: &mut File) -> Result<Exported, StoreError> {
    let mut out = BufWriter::new(file);
    let header = json!({"rollbook": {
        "format": 1,
        "audience": job.audience,
        "campaign": job.campaign,
        "uuid": job.identity.uuid,
    }});
    writeln!(out, "{header}").map_err(|error| failed(job.out, &error))?;
    let exported = lines::each(
        job,
        |line| text(&line, job.audience),
        |text| writeln!(out, "{text}").map_err(|error| failed(job.out, &error)),
    )
    .await?;
    out.flush().map_err(|error| failed(job.out, &error))?;
    Ok(exported)
}

/// One line. An entry players see nothing of has only its proof.
fn text(line: &Line, audience: Audience) -> Result<String, StoreError> {
    let unreadable = |error: serde_json::Error| StoreError::Unreadable { seq: line.row.seq, reason: error.to_string() };
    let mut fields = Vec::new();
    if let Some(n) = line.n {
        fields.push(format!("\"n\":{n}"));
        if audience == Audience::Gm {
            fields.push(format!("\"text\":{}", json!(line.text())));
        }
        fields.push(format!("\"public\":{}", raw(&line.row.public).map_err(unreadable)?));
    } else if audience == Audience::Gm {
        fields.push(format!("\"public\":{}", raw(&line.row.public).map_err(unreadable)?));
    }
    // The players' body carries entry numbers, which only a proof may.
    let body = format!("\"body\":{}", raw(&line.row.body).map_err(unreadable)?);
    let mut proof = proof::block(line, audience);
    match audience {
        Audience::Gm => fields.push(body),
        Audience::Player if line.whole => proof.push(body),
        Audience::Player => {}
    }
    fields.push(format!("\"proof\":{{{}}}", proof.join(",")));
    Ok(format!("{{{}}}", fields.join(",")))
}

fn raw(bytes: &[u8]) -> Result<&RawValue, serde_json::Error> {
    serde_json::from_slice(bytes)
}
