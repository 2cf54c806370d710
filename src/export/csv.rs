//! Comma-separated values for a spreadsheet: a row a roll, and one for an entry that has none. Behind what a reader reads stands the
//! proof, in columns of its own, from which a copy can be verified: the first row of each entry has it, and an entry of which the audience
//! sees nothing has only that.

use super::jsonl::{BANNER, Before, FORMAT};
use super::lines::{Job, Line};
use super::writer::{TextFile, Writer};
use crate::game::record::entry::RollRecord;
use crate::game::record::instant::iso;
use crate::game::view::Audience;
use crate::game::view::visibility::VisibleEntry;
use crate::store::draft::Draft;
use crate::store::{Head, Reader, StoreError};

/// What a reader reads.
pub const READ: [&str; 13] = [
    "n",
    "time",
    "session",
    "kind",
    "actor",
    "text",
    "expression",
    "individual_rolls",
    "total",
    "outcome",
    "label",
    "visibility",
    "rule",
];

/// What proves it: which copy of which campaign it is, and of the entry what a line of JSON lines has in its `proof`.
pub const PROOF: [&str; 7] =
    ["proof_of", "proof_seq", "proof_public", "proof_commitment", "proof_chain", "proof_salt", "proof_body"];

/// The cells of a row that are read.
pub type Cells = [String; READ.len()];

/// What tells a spreadsheet that the text is UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// The file.
pub struct Csv(TextFile);

/// Rows with their ends.
pub struct Rows(::csv::Writer<Vec<u8>>);

impl Default for Rows {
    fn default() -> Self {
        Rows(::csv::Writer::from_writer(Vec::new()))
    }
}

impl Rows {
    fn add<'a>(&mut self, cells: impl IntoIterator<Item = &'a [u8]>) -> Result<(), StoreError> {
        self.0.write_record(cells).map_err(|error| StoreError::Io(error.to_string()))
    }

    fn text(self) -> Result<Vec<u8>, StoreError> {
        self.0.into_inner().map_err(|error| StoreError::Io(error.to_string()))
    }
}

impl Writer for Csv {
    const NAME: &'static str = "csv";
    const ABOUT: &'static str = "One row a roll, for a spreadsheet, with the same proofs";

    type Page = Rows;

    async fn begin(job: &Job, _reader: &Reader, draft: &mut Draft) -> Result<Self, StoreError> {
        let mut head = Rows::default();
        head.add(READ.iter().chain(&PROOF).map(|name| name.as_bytes()))?;
        let mut file = TextFile::of(job, draft)?;
        if job.bom {
            file.write(BOM)?;
        }
        if job.audience == Audience::Gm {
            head.add(banner().iter().map(String::as_bytes))?;
        }
        file.write(&head.text()?)?;
        Ok(Csv(file))
    }

    fn add(page: &mut Rows, mut line: Line, job: &Job) -> Result<(), StoreError> {
        let seen = line.n.and_then(|n| Some((n, line.take_seen(job.audience)?)));
        let blank = || std::array::from_fn(|_| String::new());
        let rows = seen.map_or_else(|| vec![blank()], |(n, seen)| rows(n, &seen));
        let proof = proof(&line, job);
        let nothing: [&[u8]; PROOF.len()] = [b""; PROOF.len()];
        for (nth, row) in rows.iter().enumerate() {
            let proof = if nth == 0 { proof.each_ref().map(Vec::as_slice) } else { nothing };
            page.add(row.iter().map(String::as_bytes).chain(proof))?;
        }
        Ok(())
    }

    async fn write(&mut self, page: Rows) -> Result<(), StoreError> {
        self.0.write(&page.text()?)
    }

    async fn finish(self, written: Result<(), StoreError>) -> Result<Option<(Head, u64)>, StoreError> {
        written.map(|()| None)
    }
}

/// What the first row of an entry says of the copy; `after` is the entry behind which a part begins.
pub fn copy_of(audience: Audience, uuid: &str, after: Option<&Before>) -> String {
    let after = after.map_or(String::new(), |after| format!(" after {} {}", after.seq, after.chain));
    format!("rollbook {FORMAT} {} {uuid}{after}", audience.as_str())
}

/// The row before all others in a GM's copy.
pub fn banner() -> [String; READ.len() + PROOF.len()] {
    std::array::from_fn(|column| if column == TEXT { BANNER.to_owned() } else { String::new() })
}

/// The column of the sentences.
const TEXT: usize = 5;

fn proof(line: &Line, job: &Job) -> [Vec<u8>; PROOF.len()] {
    let row = &line.row;
    let hex = |bytes: &[u8]| base16ct::lower::encode_string(bytes).into_bytes();
    // What players see of a hidden entry follows from its number.
    let public = if job.audience == Audience::Gm || line.n.is_some() { row.public.to_vec() } else { Vec::new() };
    let after = job.span.and_then(|span| span.after).map(Before::of);
    let (salt, body) = if line.whole { (hex(&row.salt), row.body.to_vec()) } else { Default::default() };
    [
        copy_of(job.audience, &job.identity.uuid, after.as_ref()).into_bytes(),
        row.seq.to_string().into_bytes(),
        public,
        hex(&row.commitment),
        hex(&row.chain),
        salt,
        body,
    ]
}

/// The rows of an entry that is the audience's `n`th: one a roll. What was said and decided stands in the first.
pub fn rows(n: u64, seen: &VisibleEntry) -> Vec<Cells> {
    let row = |record: Option<&RollRecord>, first: bool| {
        let roll = record.map(|record| &record.roll);
        let faces = |roll: &crate::dice::Roll| roll.faces().iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        let once = |text: Option<&str>| text.filter(|_| first).unwrap_or_default().to_owned();
        let cells = [
            n.to_string(),
            iso(seen.at),
            seen.session.to_string(),
            seen.kind.clone(),
            seen.actor.clone().unwrap_or_default(),
            once(Some(&seen.text)),
            roll.map_or(String::new(), |roll| roll.expression.clone()),
            roll.map_or(String::new(), faces),
            roll.map_or(String::new(), |roll| roll.total.to_string()),
            once(seen.outcome.map(|outcome| outcome.as_str())),
            once(seen.label.as_deref()),
            seen.visibility.as_str().to_owned(),
            once(seen.rule.as_deref()),
        ];
        cells.map(harmless)
    };
    let first = row(seen.rolls.first(), true);
    std::iter::once(first).chain(seen.rolls.iter().skip(1).map(|record| row(Some(record), false))).collect()
}

/// A cell no spreadsheet takes for a formula: one that begins like one gets an apostrophe, unless it is a number.
fn harmless(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<i64>().is_err() {
        return format!("'{cell}");
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn a_name_that_is_a_formula_stays_text() {
        assert_eq!(harmless("=HYPERLINK(\"x\")".to_owned()), "'=HYPERLINK(\"x\")");
        assert_eq!(harmless("-4".to_owned()), "-4");
        assert_eq!(harmless("Aria".to_owned()), "Aria");
    }
}
