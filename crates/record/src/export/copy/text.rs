//! Copies that are text: JSON lines and comma-separated values. Blank lines are passed over.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;

use super::check::{Check, Checked};
use super::line::{Copied, why};
use super::receipted::{Receipted, unreadable};
use super::total::Total;
use crate::export::csv::{self, BOM, PROOF, READ, TOTAL_PROOF};
use crate::export::jsonl::{self, About, Before, FORMAT, Header, TOTAL};
use rollbook_game::view::Audience;
use rollbook_store::StoreError;
use rollbook_store::verify::Receipt;

/// Bytes of one line of a copy.
const LINE_MAX: u64 = 16 * 1024 * 1024;

/// The file, behind the mark by which spreadsheets know UTF-8.
fn open(path: &Path) -> Result<BufReader<File>, StoreError> {
    let mut file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let mut begin = [0; BOM.len()];
    let skipped = file.read_exact(&mut begin).is_ok() && begin == BOM;
    if !skipped {
        file.seek(SeekFrom::Start(0))
            .map_err(|error| unreadable(path, &error))?;
    }
    Ok(BufReader::new(file))
}

pub fn json(path: &Path, receipt: Option<&Receipt>) -> Result<Checked, StoreError> {
    let mut reader = open(path)?;
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| -> Result<bool, StoreError> {
        loop {
            line.clear();
            let read = (&mut reader).take(LINE_MAX).read_until(b'\n', line);
            if read.map_err(|error| unreadable(path, &error))? == 0 {
                return Ok(false);
            }
            if line.len() as u64 == LINE_MAX && !line.ends_with(b"\n") {
                return Err(unreadable(path, &"a line in it is longer than 16 MiB"));
            }
            if !line.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    };
    next(&mut line)?;
    let header: Header =
        serde_json::from_slice(&line).map_err(|error| no_export(path, &why(&error, &line)))?;
    known(path, header.rollbook.format)?;
    let audience = header.rollbook.audience;
    if header.rollbook.seal.is_some() {
        let mut check = Total::of(header.rollbook);
        while next(&mut line)? {
            check.json(&line);
        }
        return Ok(check.done(receipt));
    }
    let mut check = Receipted::of(Check::of(header.rollbook), receipt);
    while next(&mut line)? {
        match serde_json::from_slice::<jsonl::Copied>(&line) {
            Ok(copied) => check.line(&Copied::of_json(&copied, audience)),
            Err(error) => check.check.unread(why(&error, &line)),
        }
    }
    Ok(check.done())
}

fn no_export(path: &Path, why: &str) -> StoreError {
    let path = path.display();
    StoreError::Io(format!(
        "{path} does not begin as an export in JSON lines ({why}). Name a file as `rollbook export` wrote it"
    ))
}

fn known(path: &Path, format: u32) -> Result<(), StoreError> {
    if format == FORMAT {
        return Ok(());
    }
    let path = path.display();
    Err(StoreError::Io(format!(
        "{path} is of format {format}, and this program knows {FORMAT}: check it with the program that wrote it"
    )))
}

struct Rows {
    cells: Vec<Vec<String>>,
    proof: Vec<String>,
}

enum Table<'a> {
    /// It tells where hidden entries are. Beside it what each first row says of the copy.
    Positions(Box<Receipted<'a>>, String),
    Total(Box<Total>),
}

impl<'a> Table<'a> {
    /// By what the first row of its first entry says.
    fn of(
        path: &Path,
        of: &str,
        is_total: bool,
        receipt: Option<&'a Receipt>,
    ) -> Result<Self, StoreError> {
        let about = about(path, of, is_total)?;
        Ok(match is_total {
            true => Table::Total(Box::new(Total::of(about))),
            false => Table::Positions(
                Box::new(Receipted::of(Check::of(about), receipt)),
                of.to_owned(),
            ),
        })
    }

    fn entry(&mut self, rows: &Rows) {
        match self {
            Table::Positions(check, of) => match Copied::of_rows(&rows.cells, &rows.proof, of) {
                Ok(copied) => check.line(&copied),
                Err(why) => check.check.unread(why),
            },
            Table::Total(check) => check.rows(&rows.cells, &rows.proof),
        }
    }

    fn unread(&mut self, why: String) {
        match self {
            Table::Positions(check, _) => check.check.unread(why),
            Table::Total(check) => check.unread(&why),
        }
    }

    fn done(self, receipt: Option<&Receipt>) -> Checked {
        match self {
            Table::Positions(check, _) => check.done(),
            Table::Total(check) => check.done(receipt),
        }
    }
}

pub fn csv(path: &Path, receipt: Option<&Receipt>) -> Result<Checked, StoreError> {
    let mut reader = ::csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(open(path)?);
    let no_text = |error: ::csv::Error| match error.is_io_error() {
        true => unreadable(path, &error),
        false => unreadable(
            path,
            &"it is no text in UTF-8, as if a spreadsheet had saved it. Check it as it was exported",
        ),
    };
    let names = reader.headers().map_err(no_text)?;
    let is_total = names.iter().eq(READ.into_iter().chain(TOTAL_PROOF));
    if !is_total && !names.iter().eq(READ.into_iter().chain(PROOF)) {
        return Err(StoreError::Io(format!(
            "{} does not begin as a Rollbook export in JSON lines or CSV: it is none, or something took its proof columns away. Name a file as \
             `rollbook export` wrote it",
            path.display()
        )));
    }
    let mut table: Option<Table<'_>> = None;
    // Rows before it is known which copy it is.
    let mut early: Option<String> = None;
    let mut entry: Option<Rows> = None;
    for (nth, record) in reader.records().enumerate() {
        let record = record.map_err(no_text)?;
        if nth == 0 && record.iter().eq(csv::banner()) {
            continue;
        }
        match (cells(&record, is_total), &mut entry) {
            (Ok(Rows { mut cells, proof }), Some(rows)) if proof.iter().all(String::is_empty) => {
                rows.cells.append(&mut cells);
            }
            (row, entry) => {
                if let Some(rows) = entry.take() {
                    begun(path, &mut table, &rows, is_total, receipt, &mut early)?.entry(&rows);
                }
                match (row, &mut table) {
                    (Ok(rows), _) => *entry = Some(rows),
                    (Err(why), Some(table)) => table.unread(why),
                    (Err(why), None) => drop(early.get_or_insert(why)),
                }
            }
        }
    }
    if let Some(rows) = entry {
        begun(path, &mut table, &rows, is_total, receipt, &mut early)?.entry(&rows);
    }
    let nothing = || {
        StoreError::Io(format!(
            "{} holds no entry. Name a file as `rollbook export` wrote it",
            path.display()
        ))
    };
    table.map(|table| table.done(receipt)).ok_or_else(nothing)
}

/// The copy; the rows of its first entry say which it is.
fn begun<'t, 'a>(
    path: &Path,
    table: &'t mut Option<Table<'a>>,
    rows: &Rows,
    is_total: bool,
    receipt: Option<&'a Receipt>,
    early: &mut Option<String>,
) -> Result<&'t mut Table<'a>, StoreError> {
    if table.is_none() {
        let of = rows.proof.first().map_or("", String::as_str);
        let mut begun = Table::of(path, of, is_total, receipt)?;
        early.take().into_iter().for_each(|why| begun.unread(why));
        *table = Some(begun);
    }
    table
        .as_mut()
        .ok_or_else(|| unreadable(path, &"it holds no entry"))
}

fn cells(record: &::csv::StringRecord, is_total: bool) -> Result<Rows, String> {
    let mut cells: Vec<String> = record.iter().map(str::to_owned).collect();
    let wanted = READ.len()
        + if is_total {
            TOTAL_PROOF.len()
        } else {
            PROOF.len()
        };
    if cells.len() != wanted {
        return Err(format!(
            "a row has {} columns, and {wanted} are wanted",
            cells.len()
        ));
    }
    if cells.iter().any(|cell| cell.len() as u64 > LINE_MAX) {
        return Err("a cell in it is longer than 16 MiB".to_owned());
    }
    let proof = cells.split_off(READ.len());
    Ok(Rows {
        cells: vec![cells],
        proof,
    })
}

fn about(path: &Path, of: &str, is_total: bool) -> Result<About, StoreError> {
    let no_copy = || {
        let path = path.display();
        StoreError::Io(format!(
            "{path} does not say in its first row of which campaign it is; `rollbook export --format csv` does"
        ))
    };
    let words: Vec<&str> = of.split(' ').collect();
    let (format, audience, uuid, after) = match (&words[..], is_total) {
        (["rollbook", format, audience, uuid], false)
        | (["rollbook", format, audience, uuid, TOTAL], true) => (format, audience, uuid, None),
        (["rollbook", format, audience, uuid, "after", seq, chain], false) => {
            let seq = seq.parse().map_err(|_| no_copy())?;
            (
                format,
                audience,
                uuid,
                Some(Before {
                    seq,
                    chain: (*chain).to_owned(),
                }),
            )
        }
        _ => return Err(no_copy()),
    };
    known(path, format.parse().map_err(|_| no_copy())?)?;
    let audience = [Audience::Gm, Audience::Player]
        .into_iter()
        .find(|known| known.as_str() == *audience);
    let (Some(audience), Ok(uuid)) = (audience, uuid.parse::<uuid::Uuid>()) else {
        return Err(no_copy());
    };
    // Written otherwise it would be the same campaign.
    let written = match is_total {
        true => csv::total_of(&uuid.to_string()),
        false => csv::copy_of(audience, &uuid.to_string(), after.as_ref()),
    };
    if written != of {
        return Err(no_copy());
    }
    Ok(About::of_table(
        audience,
        uuid,
        after,
        is_total.then(|| TOTAL.to_owned()),
    ))
}
