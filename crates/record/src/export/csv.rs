//! Comma-separated values for a spreadsheet: a row a roll, and one for an entry without rolls. Then
//! come columns of proof, in an entry's first row; an unseen entry has only those. A copy that only
//! counts hidden entries has other columns of proof, and no row of them.

use super::jsonl::{Before, FORMAT, TOTAL};
use super::lines::{Job, Line};
use super::writer::{TextFile, Writer};
use rollbook_game::record::entry::RollRecord;
use rollbook_game::record::instant::iso;
use rollbook_game::view::Audience;
use rollbook_game::view::number::Numbers;
use rollbook_game::view::visibility::VisibleEntry;
use rollbook_store::draft::Draft;
use rollbook_store::sqlite::notice::NOTICE;
use rollbook_store::{Reader, StoreError};

pub const READ: [&str; 14] = [
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
    "players_n",
];

/// What proves it: which copy of which campaign, and an entry's `proof` as JSON lines have it.
pub const PROOF: [&str; 7] = [
    "proof_of",
    "proof_seq",
    "proof_public",
    "proof_commitment",
    "proof_chain",
    "proof_salt",
    "proof_body",
];

/// The same where hidden entries are only counted; the last five where a session's end binds lines.
pub const TOTAL_PROOF: [&str; 8] = [
    "proof_of",
    "proof_public",
    "proof_seen",
    "proof_seq",
    "proof_prev",
    "proof_commitment",
    "proof_salt",
    "proof_body",
];

pub type Cells = [String; READ.len()];

/// What tells a spreadsheet that the text is UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

pub struct Csv(TextFile);

pub struct Rows(::csv::Writer<Vec<u8>>);

impl Default for Rows {
    fn default() -> Self {
        Rows(::csv::Writer::from_writer(Vec::new()))
    }
}

impl Rows {
    fn add<'a>(&mut self, cells: impl IntoIterator<Item = &'a [u8]>) -> Result<(), StoreError> {
        self.0
            .write_record(cells)
            .map_err(|error| StoreError::Io(error.to_string()))
    }

    /// The rows of an entry; the first has the proof.
    fn entry<const COLUMNS: usize>(
        &mut self,
        rows: &[Cells],
        proof: &[Vec<u8>; COLUMNS],
    ) -> Result<(), StoreError> {
        let nothing: [&[u8]; COLUMNS] = [b""; COLUMNS];
        for (nth, row) in rows.iter().enumerate() {
            let proof = if nth == 0 {
                proof.each_ref().map(Vec::as_slice)
            } else {
                nothing
            };
            self.add(row.iter().map(String::as_bytes).chain(proof))?;
        }
        Ok(())
    }

    fn text(self) -> Result<Vec<u8>, StoreError> {
        self.0
            .into_inner()
            .map_err(|error| StoreError::Io(error.to_string()))
    }
}

impl Writer for Csv {
    const NAME: &'static str = "csv";
    const ABOUT: &'static str = "One row a roll, for a spreadsheet, with the same proofs";

    type Page = Rows;

    async fn begin(job: &Job, _reader: &Reader, draft: &mut Draft) -> Result<Self, StoreError> {
        let mut head = Rows::default();
        let proof = if job.total.is_some() {
            &TOTAL_PROOF[..]
        } else {
            &PROOF
        };
        head.add(READ.iter().chain(proof).map(|name| name.as_bytes()))?;
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
        let seen = line.numbered(job.audience)?;
        let blank = || vec![std::array::from_fn(|_| String::new())];
        let rows = match (seen, job.total) {
            (Some((n, seen)), _) => rows(Numbers::of(job.audience, n, line.players_n), &seen),
            (None, Some(_)) => return Ok(()),
            (None, None) => blank(),
        };
        match job.total {
            Some(ended) => page.entry(&rows, &total_proof(&line, job, ended)),
            None => page.entry(&rows, &proof(&line, job)),
        }
    }

    async fn write(&mut self, page: Rows) -> Result<(), StoreError> {
        self.0.write(&page.text()?)
    }
}

/// What the first row of an entry says of the copy; `after` is the entry after which a part begins.
pub fn copy_of(audience: Audience, uuid: &str, after: Option<&Before>) -> String {
    let after = after.map_or(String::new(), |after| {
        format!(" after {} {}", after.seq, after.chain)
    });
    format!("rollbook {FORMAT} {} {uuid}{after}", audience.as_str())
}

/// The same of a copy that tells only how many entries are hidden.
pub fn total_of(uuid: &str) -> String {
    format!("{} {TOTAL}", copy_of(Audience::Player, uuid, None))
}

/// The row before all others in a GM's copy.
pub fn banner() -> [String; READ.len() + PROOF.len()] {
    std::array::from_fn(|column| {
        if column == TEXT {
            NOTICE.to_owned()
        } else {
            String::new()
        }
    })
}

/// The column of the sentences.
const TEXT: usize = 5;

fn hex(bytes: &[u8]) -> Vec<u8> {
    base16ct::lower::encode_string(bytes).into_bytes()
}

fn proof(line: &Line, job: &Job) -> [Vec<u8>; PROOF.len()] {
    let row = &line.row;
    // What players see of a hidden entry follows from its number.
    let public = if job.audience == Audience::Gm || line.n.is_some() {
        row.public.to_vec()
    } else {
        Vec::new()
    };
    let after = job.span.and_then(|span| span.after).map(Before::of);
    let (salt, body) = if line.whole {
        (hex(&row.salt), row.body.to_vec())
    } else {
        Default::default()
    };
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

/// The entry `ended` binds the lines before it.
fn total_proof(line: &Line, job: &Job, ended: Option<u64>) -> [Vec<u8>; TOTAL_PROOF.len()] {
    let row = &line.row;
    let seen = line.seen.map_or_else(Vec::new, |seen| hex(&seen.chain));
    let (of, public) = (
        total_of(&job.identity.uuid).into_bytes(),
        row.public.to_vec(),
    );
    match ended == Some(row.seq) {
        true => [
            of,
            public,
            seen,
            row.seq.to_string().into_bytes(),
            hex(&row.prev),
            hex(&row.commitment),
            hex(&row.salt),
            row.body.to_vec(),
        ],
        false => [
            of,
            public,
            seen,
            Vec::new(),
            Vec::new(),
            Vec::new(),
            Vec::new(),
            Vec::new(),
        ],
    }
}

/// The rows of an entry, one a roll. What was decided is in the first.
pub fn rows(numbers: Numbers, seen: &VisibleEntry) -> Vec<Cells> {
    let row = |record: Option<&RollRecord>, first: bool| {
        let roll = record.map(|record| &record.roll);
        let faces = |roll: &rollbook_dice::Roll| {
            roll.faces()
                .iter()
                .map(i64::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        let once = |text: Option<&str>| text.filter(|_| first).unwrap_or_default().to_owned();
        let cells = [
            numbers.first().to_string(),
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
            numbers
                .of_players()
                .map_or(String::new(), |n| n.to_string()),
        ];
        cells.map(harmless)
    };
    let first = row(seen.rolls.first(), true);
    std::iter::once(first)
        .chain(
            seen.rolls
                .iter()
                .skip(1)
                .map(|record| row(Some(record), false)),
        )
        .collect()
}

/// A cell no spreadsheet takes for a formula: what begins like one, and is no number, gets a `'`.
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
        assert_eq!(
            harmless("=HYPERLINK(\"x\")".to_owned()),
            "'=HYPERLINK(\"x\")"
        );
        assert_eq!(harmless("-4".to_owned()), "-4");
        assert_eq!(harmless("Aria".to_owned()), "Aria");
    }
}
