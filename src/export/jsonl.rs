//! JSON lines: a header, then one object an entry. Bodies and public parts stand in it as the very bytes that were
//! hashed, so a copy can be verified on its own.

use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::lines::{self, Line};
use super::{Exported, Job, create, io, proof};
use crate::game::visibility::Audience;
use crate::store::verify::{Receipt, parse_receipt};
use crate::store::{Head, StoreError, chain};

/// Bytes of one line of a copy.
const LINE_MAX: usize = 16 * 1024 * 1024;

pub(super) async fn write(job: &Job<'_>) -> Result<Exported, StoreError> {
    let mut out = BufWriter::new(create(job.out)?);
    let header = json!({"rollbook": {
        "format": 1,
        "audience": if job.audience == Audience::Gm { "gm" } else { "player" },
        "campaign": job.campaign,
        "uuid": job.identity.uuid,
    }});
    writeln!(out, "{header}").map_err(|error| io(job.out, &error))?;
    let exported = lines::each(job, |line| {
        let text = text(&line, job.audience)?;
        writeln!(out, "{text}").map_err(|error| io(job.out, &error))
    })
    .await?;
    let synced = out.into_inner().map_err(std::io::IntoInnerError::into_error).and_then(|file| file.sync_all());
    synced.map_err(|error| io(job.out, &error))?;
    Ok(exported)
}

/// One line. An entry players see nothing of has only its proof.
fn text(line: &Line, audience: Audience) -> Result<String, StoreError> {
    let unreadable = |error: serde_json::Error| StoreError::Unreadable { seq: line.row.seq, reason: error.to_string() };
    let mut fields = Vec::new();
    if let Some(n) = line.n {
        fields.push(format!("\"n\":{n}"));
        if audience == Audience::Gm {
            let text = line.seen.as_ref().map_or("", |seen| seen.text.as_str());
            fields.push(format!("\"text\":{}", json!(text)));
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

/// A line of a copy as it is read back.
#[derive(serde::Deserialize)]
struct Copied<'a> {
    #[serde(borrow, default)]
    public: Option<&'a RawValue>,
    #[serde(borrow, default)]
    body: Option<&'a RawValue>,
    proof: Proof<'a>,
}

#[derive(serde::Deserialize)]
struct Proof<'a> {
    seq: u64,
    commitment: String,
    chain: String,
    salt: Option<String>,
    #[serde(borrow, default)]
    body: Option<&'a RawValue>,
}

/// Verifies an exported copy on its own: every link, every body that is there, and that it holds the entry of a receipt,
/// which alone can show that its tail was cut off. Answers the head it reaches and what is wrong.
///
/// # Errors
/// When the file is no export of this format, or the receipt is none.
pub fn check_copy(path: &Path, receipt: Option<&str>) -> Result<(Head, Vec<String>), StoreError> {
    let receipt = receipt.map(parse_receipt).transpose()?;
    let file = std::fs::File::open(path)
        .map_err(|error| StoreError::Io(format!("cannot read {}: {error}", path.display())))?;
    let mut reader = BufReader::new(file);
    let mut line = String::new();
    let mut next = |line: &mut String| -> Result<bool, StoreError> {
        line.clear();
        let read = std::io::Read::take(&mut reader, LINE_MAX as u64).read_line(line);
        read.map(|bytes| bytes > 0).map_err(|error| StoreError::Io(format!("cannot read {}: {error}", path.display())))
    };
    next(&mut line)?;
    let header: Value = serde_json::from_str(&line).unwrap_or_default();
    let uuid = header.pointer("/rollbook/uuid").and_then(Value::as_str).and_then(|uuid| uuid.parse().ok());
    let uuid: uuid::Uuid =
        uuid.ok_or_else(|| StoreError::Io(format!("{} does not begin as a Rollbook export", path.display())))?;
    let (mut head, mut findings) = (Head::default(), Vec::new());
    let mut receipted = None;
    while next(&mut line)? {
        match serde_json::from_str::<Copied>(&line) {
            Ok(copied) => head = checked(&uuid, head, &copied, &mut findings),
            Err(error) => findings.push(format!("after #{}: a line cannot be read: {error}", head.seq)),
        }
        if receipt.as_ref().is_some_and(|receipt| receipt.seq == head.seq) {
            receipted = Some(base16ct::lower::encode_string(&head.chain));
        }
    }
    match (receipt, receipted) {
        (Some(Receipt { seq, hex }), Some(chain)) if !chain.starts_with(&hex) => {
            findings.push(format!("#{seq}: the receipt names another chain value for it"));
        }
        (Some(Receipt { seq, .. }), None) => findings.push(format!(
            "#{seq}: the receipt says the log reached it, and the copy ends at #{}: it was cut off, or is older than the receipt",
            head.seq
        )),
        _ => {}
    }
    Ok((head, findings))
}

fn checked(uuid: &uuid::Uuid, head: Head, copied: &Copied, findings: &mut Vec<String>) -> Head {
    let proof = &copied.proof;
    let seq = proof.seq;
    let mut find = |what: &str| findings.push(format!("#{seq}: {what}"));
    if seq != head.seq + 1 {
        find("the entry before it is missing");
    }
    let commitment = unhex::<32>(&proof.commitment).unwrap_or_default();
    if let Some(body) = copied.body.or(proof.body) {
        let salt = proof.salt.as_deref().and_then(unhex::<32>).unwrap_or_default();
        if chain::commitment(&salt, body.get().as_bytes()) != commitment {
            find("its body is not the one that was committed to");
        }
    }
    let hidden = format!("{{\"hidden\":true,\"seq\":{seq}}}");
    let public = copied.public.map_or(hidden.as_bytes(), |public| public.get().as_bytes());
    let link = chain::link(&head.chain, &chain::leaf(uuid, seq, public, &commitment));
    if Some(link) != unhex(&proof.chain) {
        find("its chain value does not follow from what the copy holds");
    }
    Head { seq, chain: unhex(&proof.chain).unwrap_or(link) }
}

fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    base16ct::lower::decode_vec(text).ok()?.try_into().ok()
}
