//! Copies that are text: JSON lines and comma-separated values.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::check::Check;
use super::checked::Checked;
use super::line::Copied;
use super::receipted::{Receipted, unreadable};
use super::total::Total;
use crate::export::csv::{self, BOM, PROOF, READ};
use crate::export::jsonl::{self, About, Before, FORMAT, Header};
use crate::game::view::Audience;
use crate::store::StoreError;
use crate::store::verify::Receipt;

/// Bytes of one line of a copy.
const LINE_MAX: u64 = 16 * 1024 * 1024;

/// JSON lines.
pub fn json(path: &Path, receipt: Option<&Receipt>) -> Result<Checked, StoreError> {
    let mut reader = BufReader::new(File::open(path).map_err(|error| unreadable(path, &error))?);
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| -> Result<bool, StoreError> {
        line.clear();
        let read = (&mut reader).take(LINE_MAX).read_until(b'\n', line);
        read.map(|bytes| bytes > 0).map_err(|error| unreadable(path, &error))
    };
    next(&mut line)?;
    let header: Header = serde_json::from_slice(&line).map_err(|error| {
        let path = path.display();
        StoreError::Io(format!("{path} does not begin as a Rollbook export in JSON lines or CSV: {error}"))
    })?;
    known(path, header.rollbook.format)?;
    let audience = header.rollbook.audience;
    if header.rollbook.seal.is_some() {
        let mut check = Total::of(header.rollbook);
        while next(&mut line)? {
            check.line(&line);
        }
        return Ok(check.done(receipt));
    }
    let mut check = Receipted::of(Check::of(header.rollbook), receipt);
    while next(&mut line)? {
        match serde_json::from_slice::<jsonl::Copied>(&line) {
            Ok(copied) => check.line(&Copied::of_json(&copied, audience)),
            Err(error) => check.check.unread(error.to_string()),
        }
    }
    Ok(check.done())
}

fn known(path: &Path, format: u32) -> Result<(), StoreError> {
    if format == FORMAT {
        return Ok(());
    }
    Err(StoreError::Io(format!("{} is of format {format}, and this program knows {FORMAT}", path.display())))
}

/// The rows of one entry.
struct Rows {
    cells: Vec<Vec<String>>,
    proof: [String; PROOF.len()],
}

/// Comma-separated values.
pub fn csv(path: &Path, receipt: Option<&Receipt>) -> Result<Checked, StoreError> {
    let mut file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let mut begin = [0; BOM.len()];
    let skipped = file.read_exact(&mut begin).is_ok() && begin == BOM;
    if !skipped {
        file.seek(SeekFrom::Start(0)).map_err(|error| unreadable(path, &error))?;
    }
    let mut reader = ::csv::ReaderBuilder::new().flexible(true).from_reader(file.take(u64::MAX));
    let names = reader.headers().map_err(|error| unreadable(path, &error))?;
    if !names.iter().eq(READ.into_iter().chain(PROOF)) {
        return Err(StoreError::Io(format!(
            "the columns of {} are not those of a Rollbook export: it is none, or something took its proof columns away",
            path.display()
        )));
    }
    let mut check: Option<(Receipted<'_>, String)> = None;
    let mut entry: Option<Rows> = None;
    for (nth, record) in reader.records().enumerate() {
        if nth == 0 && record.as_ref().is_ok_and(|record| record.iter().eq(csv::banner())) {
            continue;
        }
        let row = record.map_err(|error| error.to_string()).and_then(|record| cells(&record));
        match (row, &mut entry) {
            (Ok(Rows { mut cells, proof }), Some(own)) if proof.iter().all(String::is_empty) => {
                own.cells.append(&mut cells);
            }
            (row, entry) => {
                if let Some(own) = entry.take() {
                    take(path, &mut check, &own, receipt)?;
                }
                match row {
                    Ok(own) => *entry = Some(own),
                    Err(why) => unread(&mut check, why),
                }
            }
        }
    }
    if let Some(own) = entry {
        take(path, &mut check, &own, receipt)?;
    }
    let nothing = || StoreError::Io(format!("{} holds no entry", path.display()));
    check.map(|(check, _)| check.done()).ok_or_else(nothing)
}

/// A line that cannot be read says nothing before it is known what the copy is.
fn unread(check: &mut Option<(Receipted<'_>, String)>, why: String) {
    if let Some((check, _)) = check {
        check.check.unread(why);
    }
}

fn cells(record: &::csv::StringRecord) -> Result<Rows, String> {
    let all: Vec<String> = record.iter().map(str::to_owned).collect();
    let wanted = READ.len() + PROOF.len();
    if all.len() != wanted {
        return Err(format!("a row has {} columns, and {wanted} are wanted", all.len()));
    }
    if all.iter().any(|cell| cell.len() as u64 > LINE_MAX) {
        return Err("a cell in it is longer than 16 MiB".to_owned());
    }
    let mut cells = all;
    let proof = cells.split_off(READ.len());
    let proof = proof.try_into().map_err(|_| "it has other columns".to_owned())?;
    Ok(Rows { cells: vec![cells], proof })
}

/// Takes the rows of an entry; the first say what copy it is.
fn take<'a>(
    path: &Path,
    check: &mut Option<(Receipted<'a>, String)>,
    rows: &Rows,
    receipt: Option<&'a Receipt>,
) -> Result<(), StoreError> {
    let [of, ..] = &rows.proof;
    let (check, of) = match check {
        Some(begun) => begun,
        None => check.insert((Receipted::of(Check::of(about(path, of)?), receipt), of.clone())),
    };
    match Copied::of_rows(&rows.cells, &rows.proof, of) {
        Ok(copied) => check.line(&copied),
        Err(why) => check.check.unread(why),
    }
    Ok(())
}

/// What the first row says of the copy.
fn about(path: &Path, of: &str) -> Result<About, StoreError> {
    let no_copy = || {
        let path = path.display();
        StoreError::Io(format!(
            "{path} does not say in its first row of which campaign it is; `rollbook export --format csv` does"
        ))
    };
    let words: Vec<&str> = of.split(' ').collect();
    let (format, audience, uuid, after) = match words[..] {
        ["rollbook", format, audience, uuid] => (format, audience, uuid, None),
        ["rollbook", format, audience, uuid, "after", seq, chain] => {
            let seq = seq.parse().map_err(|_| no_copy())?;
            (format, audience, uuid, Some(Before { seq, chain: chain.to_owned() }))
        }
        _ => return Err(no_copy()),
    };
    known(path, format.parse().map_err(|_| no_copy())?)?;
    let audience = [Audience::Gm, Audience::Player].into_iter().find(|own| own.as_str() == audience);
    let (Some(audience), Ok(uuid)) = (audience, uuid.parse()) else { return Err(no_copy()) };
    // Written otherwise it would be the same campaign.
    if csv::copy_of(audience, &uuid::Uuid::to_string(&uuid), after.as_ref()) != of {
        return Err(no_copy());
    }
    Ok(About {
        format: FORMAT,
        audience,
        campaign: String::new(),
        uuid,
        after,
        seal: None,
        secret: None,
        history_lost: None,
    })
}
