//! One entry of a copy, whatever its format.

use serde::de::IgnoredAny;
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::export::csv::{PROOF, READ};
use crate::export::jsonl;
use rollbook_game::view::Audience;
use rollbook_game::view::number::EntryNumber;

/// The column of the players' numbers.
const PLAYERS_N: usize = READ.len() - 1;

/// An entry as a copy has it. Bytes that were hashed are the text they are.
#[derive(Default)]
pub struct Copied<'a> {
    pub n: Option<u64>,
    /// The number that it has for players, where the copy says it.
    pub players_n: Option<u64>,
    /// The sentence beside it, in JSON lines for the GM.
    pub text: Option<&'a str>,
    /// What players see; `None` where they see nothing.
    pub public: Option<&'a str>,
    pub body: Option<&'a str>,
    /// There is a body where this audience's copy has none.
    pub stray_body: bool,
    pub seq: u64,
    /// As hex, like the chain value and the salt.
    pub commitment: &'a str,
    pub chain: &'a str,
    pub salt: Option<&'a str>,
    /// Its rows, as far as a reader reads them, where the copy is a table.
    pub cells: Option<&'a [Vec<String>]>,
}

impl<'a> Copied<'a> {
    pub fn of_json(line: &'a jsonl::Copied<'a>, audience: Audience) -> Self {
        let proof = &line.proof;
        let (body, elsewhere) = match audience {
            Audience::Gm => (line.body, proof.body),
            Audience::Player => (proof.body, line.body),
        };
        Copied {
            n: line.n.map(EntryNumber::value),
            players_n: line.players_n.map(EntryNumber::value),
            text: line.text.as_deref(),
            public: line.public.map(RawValue::get),
            body: body.map(RawValue::get),
            stray_body: elsewhere.is_some(),
            seq: proof.seq,
            commitment: &proof.commitment,
            chain: &proof.chain,
            salt: proof.salt.as_deref(),
            cells: None,
        }
    }

    /// An entry's rows in comma-separated values: the cells that are read, and the first's proof.
    pub fn of_rows(
        cells: &'a [Vec<String>],
        proof: &'a [String],
        copy_of: &str,
    ) -> Result<Self, String> {
        let [of, seq, public, commitment, chain, salt, body] = proof else {
            return Err(format!("its proof has not {} columns", PROOF.len()));
        };
        if of != copy_of {
            return Err("it says that it is of another copy".to_owned());
        }
        let given = |text: &'a String| Some(text.as_str()).filter(|text| !text.is_empty());
        for text in [public, body].into_iter().filter_map(given) {
            serde_json::from_str::<&RawValue>(text)
                .map_err(|error| why(&error, text.as_bytes()))?;
        }
        let number = |text: &str, name: &str| {
            text.parse::<u64>()
                .map_err(|_| format!("`{name}` is no whole number"))
        };
        let cell = |column: usize| {
            cells
                .first()
                .and_then(|row| row.get(column))
                .and_then(given)
        };
        let (n, players_n) = (cell(0), cell(PLAYERS_N));
        debug_assert!(
            cells.iter().all(|row| row.len() == READ.len()),
            "the reader has counted them"
        );
        Ok(Copied {
            n: n.map(|n| counted(n, "n")).transpose()?,
            players_n: players_n.map(|n| counted(n, "players_n")).transpose()?,
            public: given(public),
            body: given(body),
            seq: number(seq, "proof_seq")?,
            commitment,
            chain,
            salt: given(salt),
            cells: Some(cells),
            ..Copied::default()
        })
    }
}

/// The number in a cell: `#14`, `P12`.
pub fn counted(cell: &str, name: &str) -> Result<u64, String> {
    let number = cell.parse::<EntryNumber>().map(EntryNumber::value);
    number.map_err(|_| format!("`{name}` is no whole number"))
}

/// Why a line cannot be read, as the verifier's page says it. What is no JSON counts as cut.
const BROKEN: &str = "what stands there is no whole JSON; it was cut off or edited";
/// Of JSON that is no line of ours.
const OTHER_FIELDS: &str = "its fields are not those that an export writes";

pub fn why(error: &serde_json::Error, line: &[u8]) -> String {
    // Where a field is wrong and the line is broken after it, that it is broken says more.
    let is_whole =
        error.classify() == Category::Data && serde_json::from_slice::<IgnoredAny>(line).is_ok();
    if is_whole {
        OTHER_FIELDS.to_owned()
    } else {
        BROKEN.to_owned()
    }
}

pub fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    base16ct::lower::decode_vec(text).ok()?.try_into().ok()
}
