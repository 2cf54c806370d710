//! JSON lines: a header, then an object an entry, bodies and public parts as they were hashed.
//!
//! A players' copy has every entry's public part, salt and body where nothing of that is secret,
//! else the commitment, so that every link can be worked out again.

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use super::lines::{Job, Line};
use super::writer::{TextFile, Writer};
use rollbook_game::view::Audience;
use rollbook_game::view::number::{EntryNumber, Numbers};
use rollbook_store::draft::Draft;
use rollbook_store::sqlite::notice::NOTICE;
use rollbook_store::{Head, Reader, StoreError};

pub const FORMAT: u32 = 1;

/// The first line: what a copy says of itself.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub rollbook: About,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub format: u32,
    pub audience: Audience,
    pub campaign: String,
    pub uuid: uuid::Uuid,
    /// The entry after which a copy of a part begins.
    #[serde(default)]
    pub after: Option<Before>,
    /// `total`: the copy tells of hidden entries only how many there were.
    #[serde(default)]
    pub seal: Option<String>,
    /// Of a GM's copy, that it is not for players.
    #[serde(default)]
    pub secret: Option<String>,
    /// What the log lacked when the copy was written, in a sentence.
    #[serde(default)]
    pub history_lost: Option<String>,
    /// The copy is a table, which has its campaign's name in its log alone.
    #[serde(skip)]
    pub is_table: bool,
}

impl About {
    /// Of a copy that is a table.
    pub fn of_table(
        audience: Audience,
        uuid: uuid::Uuid,
        after: Option<Before>,
        seal: Option<String>,
    ) -> Self {
        About {
            format: FORMAT,
            audience,
            uuid,
            after,
            seal,
            is_table: true,
            ..About::default()
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Before {
    pub seq: u64,
    pub chain: String,
}

impl Before {
    pub fn of(head: Head) -> Self {
        Before {
            seq: head.seq,
            chain: base16ct::lower::encode_string(&head.chain),
        }
    }
}

/// The word for a copy that tells of hidden entries only how many there were.
pub const TOTAL: &str = "total";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copied<'a> {
    pub n: Option<EntryNumber>,
    /// In a GM's copy: the number that the entry has for players.
    pub players_n: Option<EntryNumber>,
    pub text: Option<String>,
    #[serde(borrow, default)]
    pub public: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub body: Option<&'a RawValue>,
    #[serde(borrow)]
    pub proof: Proof<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof<'a> {
    pub seq: u64,
    pub commitment: String,
    pub chain: String,
    pub salt: Option<String>,
    #[serde(borrow, default)]
    pub body: Option<&'a RawValue>,
}

pub struct Jsonl(TextFile);

impl Writer for Jsonl {
    const NAME: &'static str = "jsonl";
    const ABOUT: &'static str =
        "One JSON object a line, with proofs; `rollbook verify --copy` checks it";

    type Page = Vec<u8>;

    async fn begin(job: &Job, _reader: &Reader, draft: &mut Draft) -> Result<Self, StoreError> {
        let mut about = json!({
            "format": FORMAT,
            "audience": job.audience,
            "campaign": job.campaign,
            "uuid": job.identity.uuid,
        });
        if let Some(about) = about.as_object_mut() {
            about.extend(
                job.history_lost
                    .as_ref()
                    .map(|lost| ("history_lost".to_owned(), lost.as_str().into())),
            );
            about.extend(
                (job.audience == Audience::Gm).then(|| ("secret".to_owned(), NOTICE.into())),
            );
            about.extend(job.total.map(|_| ("seal".to_owned(), TOTAL.into())));
            let after = job.span.and_then(|span| span.after).map(Before::of);
            about.extend(after.map(|after| ("after".to_owned(), json!(after))));
        }
        let header = json!({"rollbook": about});
        let mut file = TextFile::of(job, draft)?;
        file.write(format!("{header}\n").as_bytes())?;
        Ok(Jsonl(file))
    }

    fn add(page: &mut Vec<u8>, line: Line, job: &Job) -> Result<(), StoreError> {
        if let Some(ended) = job.total {
            return total(page, &line, ended).map_err(|reason| StoreError::Unreadable {
                seq: line.row.seq,
                reason,
            });
        }
        // The bytes of the line, or a few more.
        page.reserve(line.row.body.len() + line.row.public.len() + 512);
        text(page, &line, job.audience).map_err(|reason| StoreError::Unreadable {
            seq: line.row.seq,
            reason,
        })
    }

    async fn write(&mut self, page: Vec<u8>) -> Result<(), StoreError> {
        self.0.write(&page)
    }
}

/// One line with its end. An entry players see nothing of has only its proof.
fn text(out: &mut Vec<u8>, line: &Line, audience: Audience) -> Result<(), String> {
    let row = &line.row;
    let is_gm = audience == Audience::Gm;
    out.push(b'{');
    if let Some(n) = line.n {
        let numbers = Numbers::of(audience, n, line.players_n);
        out.extend_from_slice(format!("\"n\":{},", json!(numbers.first())).as_bytes());
        if is_gm {
            if let Some(n) = numbers.beside() {
                out.extend_from_slice(format!("\"players_n\":{},", json!(n)).as_bytes());
            }
            out.extend_from_slice(b"\"text\":");
            serde_json::to_writer(&mut *out, &line.text()).map_err(|error| error.to_string())?;
            out.push(b',');
        }
    }
    if is_gm || line.n.is_some() {
        out.extend_from_slice(b"\"public\":");
        let public = raw(&row.public).map_err(|error| error.to_string())?;
        out.extend_from_slice(public.as_bytes());
        out.push(b',');
    }
    let body = read(&row.body)?;
    if is_gm {
        out.extend_from_slice(b"\"body\":");
        out.extend_from_slice(body.as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(b"\"proof\":{");
    proof(out, line);
    // The players' body carries entry numbers, which only a proof may.
    if !is_gm && line.whole {
        out.extend_from_slice(b",\"body\":");
        out.extend_from_slice(body.as_bytes());
    }
    out.extend_from_slice(b"}}\n");
    Ok(())
}

/// An entry's line in a copy that only counts hidden ones. The entry `ended` binds those before it.
fn total(out: &mut Vec<u8>, line: &Line, ended: Option<u64>) -> Result<(), String> {
    let (Some(n), Some(seen)) = (line.n, line.seen) else {
        return Ok(());
    };
    let row = &line.row;
    let hex = |bytes: &[u8]| base16ct::lower::encode_string(bytes);
    out.extend_from_slice(
        format!(
            "{{\"n\":\"P{n}\",\"public\":{},\"proof\":{{",
            raw(&row.public).map_err(|error| error.to_string())?
        )
        .as_bytes(),
    );
    out.extend_from_slice(format!("\"seen\":\"{}\"", hex(&seen.chain)).as_bytes());
    if ended == Some(row.seq) {
        let (prev, commitment, salt) = (hex(&row.prev), hex(&row.commitment), hex(&row.salt));
        let bound = format!(
            ",\"bound\":{{\"seq\":{},\"prev\":\"{prev}\",\"commitment\":\"{commitment}\",\"salt\":\"{salt}\",\"body\":{}}}",
            row.seq,
            read(&row.body)?
        );
        out.extend_from_slice(bound.as_bytes());
    }
    out.extend_from_slice(b"}}\n");
    Ok(())
}

fn raw(bytes: &[u8]) -> Result<&str, serde_json::Error> {
    serde_json::from_slice::<&RawValue>(bytes).map(RawValue::get)
}

/// The same of what was read as JSON before.
fn read(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes.trim_ascii()).map_err(|error| error.to_string())
}

/// The fields of the proof block of one entry, as JSON members; the body is added by the caller.
fn proof(out: &mut Vec<u8>, line: &Line) {
    let row = &line.row;
    out.extend_from_slice(format!("\"seq\":{}", row.seq).as_bytes());
    hash(out, "commitment", &row.commitment);
    hash(out, "chain", &row.chain);
    if line.whole {
        hash(out, "salt", &row.salt);
    }
}

fn hash(out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    for text in [
        ",\"",
        name,
        "\":\"",
        &base16ct::lower::encode_string(bytes),
        "\"",
    ] {
        out.extend_from_slice(text.as_bytes());
    }
}
