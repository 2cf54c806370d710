//! Whether the log is whole, and how a reader checks that.

use super::words::minute;
use crate::export::page_digest;
use crate::report::document::{Block, Inline, Item, Section};
use crate::report::facts::Gathered;
use rollbook_game::view::Audience;
use rollbook_store::verify::{Lost, Opened};
use rollbook_text::names::counted;

#[derive(Debug, Clone)]
pub struct Seal {
    pub audience: Audience,
    /// "#128 9f3c21d07a44b81e6d05".
    pub receipt: String,
    pub entries: u64,
    /// Entries that the audience sees nothing of.
    pub sealed: u64,
    /// What the GM opened since, of these and of what players saw in part.
    pub opened: Vec<Opened>,
    pub findings: Vec<String>,
    /// What the log says was lost.
    pub losses: Vec<Lost>,
}

/// Findings that are listed.
const FINDINGS_MAX: usize = 50;

pub fn section(seal: &Seal, gathered: &Gathered) -> Section {
    let mut blocks = vec![verdict(seal)];
    blocks.extend(seal.losses.iter().map(|loss| lost(loss, seal.audience)));
    blocks.push(Block::Paragraph(span(seal, gathered)));
    blocks.push(Block::text(sealed(seal)));
    blocks.extend(receipt(seal));
    blocks.push(Block::Heading("Check it yourself".to_owned()));
    blocks.push(Block::List(how_to_check(seal)));
    blocks.push(Block::Heading(
        "What this proves, and what it does not".to_owned(),
    ));
    blocks.push(Block::text(
        "With a receipt that was kept outside: nothing before it was edited, removed, inserted, reordered or back-dated, and a players' \
         copy is complete.",
    ));
    blocks.push(Block::text(
        "Not proven: that the machine's dice are fair (the section on luck looks at how they fell), that nothing was rolled elsewhere, \
         anything after the last receipt that was kept, or anything at all where nobody kept one.",
    ));
    Section {
        id: "seal",
        title: "Seal",
        blocks,
    }
}

/// What comes first and in red of a log that does not hold.
pub fn broken(seal: &Seal) -> Option<String> {
    let found = counted(
        seal.findings.len() as u64,
        "thing was found to be wrong",
        "things were found to be wrong",
    );
    (!seal.findings.is_empty())
        .then(|| format!("This log does not hold: {found}. Do not rely on what it says."))
}

/// What was found, for the GM: it may tell of what is hidden.
pub fn findings(seal: &Seal) -> Option<Block> {
    if seal.findings.is_empty() {
        return None;
    }
    let item = |text: &String| Item {
        parts: vec![Inline::text(text)],
        ..Item::default()
    };
    Some(match seal.audience {
        Audience::Gm => Block::List(seal.findings.iter().take(FINDINGS_MAX).map(item).collect()),
        Audience::Player => Block::text(
            "What it is the GM sees with rollbook verify: it may tell of what is hidden.",
        ),
    })
}

fn receipt(seal: &Seal) -> Vec<Block> {
    if !seal.findings.is_empty() {
        return vec![Block::text(
            "Of a log that does not hold there is no receipt to keep. One that was kept before shows up to where it held.",
        )];
    }
    vec![
        Block::Heading("The receipt".to_owned()),
        Block::Paragraph(vec![
            Inline::code(&seal.receipt),
            Inline::text(
                ". Keep it: copy it, or photograph the code. Who holds it can prove later that nothing up to here was changed, left out or \
                 put in.",
            ),
        ]),
        Block::Qr {
            text: seal.receipt.clone(),
            title: "The receipt as a QR code".to_owned(),
        },
    ]
}

fn verdict(seal: &Seal) -> Block {
    let found = seal.findings.len() as u64;
    match found {
        0 => Block::Paragraph(vec![
            Inline::strong("The log holds."),
            Inline::text(format!(
                " All {} were checked: chain, contents, the arithmetic of every roll, and a replay of the game.",
                counted(seal.entries, "entry", "entries")
            )),
        ]),
        _ => Block::Paragraph(vec![
            Inline::strong("The log does not hold."),
            Inline::text(format!(
                " {}; rollbook verify names each.",
                counted(
                    found,
                    "thing was found to be wrong",
                    "things were found to be wrong"
                )
            )),
        ]),
    }
}

/// A loss that the log records. Players know no entry by its number in the log.
fn lost(lost: &Lost, audience: Audience) -> Block {
    let what = match audience {
        Audience::Gm => format!(" As it says: {}.", lost.summary()),
        Audience::Player => format!(
            " Play went on without it, and the log says so since {}.",
            minute(lost.at)
        ),
    };
    let unproven = " Nothing here can say what stood there; who kept a receipt of it can show that it was there.";
    Block::Paragraph(vec![
        Inline::strong("A part of the log was lost."),
        Inline::text(format!("{what}{unproven}")),
    ])
}

fn span(seal: &Seal, gathered: &Gathered) -> Vec<Inline> {
    let Some(((first, began), (last, ended))) = gathered.span else {
        return vec![Inline::text("This report is of no entry.")];
    };
    let of = match seal.audience {
        Audience::Gm => "the log",
        Audience::Player => "the players' copy",
    };
    vec![Inline::text(format!(
        "This report is of entries {first} to {last} of {of}, from {} to {}.",
        minute(began),
        minute(ended)
    ))]
}

/// How much players do not see.
fn sealed(seal: &Seal) -> String {
    let opened = |in_part: bool| {
        seal.opened
            .iter()
            .filter(|opened| opened.in_part == in_part)
            .count()
    };
    let words = |opened: usize| match opened {
        1 => "1 was opened, and is what had been sealed".to_owned(),
        opened => format!("{opened} were opened, and are what had been sealed"),
    };
    let missing = match (seal.findings.is_empty(), opened(false)) {
        (false, _) => {
            "whether one is missing cannot be said while the log does not hold".to_owned()
        }
        (true, 0) => "none is missing, none was opened".to_owned(),
        (true, opened) => format!("none is missing; {}", words(opened)),
    };
    let mut text = match seal.sealed {
        0 => "No entry is sealed: players see something of every one.".to_owned(),
        sealed => {
            format!(
                "{} that players do not see: {missing}.",
                counted(sealed, "sealed entry", "sealed entries")
            )
        }
    };
    let partly = opened(true);
    if seal.findings.is_empty() && partly > 0 {
        text.push_str(&format!(
            " Of those that players saw in part {}.",
            words(partly)
        ));
    }
    text
}

fn how_to_check(seal: &Seal) -> Vec<Item> {
    let item = |parts: Vec<Inline>| Item {
        parts,
        ..Item::default()
    };
    let receipt = if seal.findings.is_empty() {
        seal.receipt.as_str()
    } else {
        "#… the one that you kept"
    };
    match seal.audience {
        Audience::Gm => vec![item(vec![
            Inline::text("Run "),
            Inline::code(format!("rollbook verify --receipt \"{receipt}\"")),
            Inline::text(". It reads the whole log and names whatever is wrong."),
        ])],
        Audience::Player => vec![
            item(vec![
                Inline::text("Ask for the players' copy of the log ("),
                Inline::code(
                    "rollbook export --audience player --format jsonl --out session.jsonl",
                ),
                Inline::text("). It holds all that you may see, and seals of the rest."),
            ]),
            item(vec![
                Inline::text("Check it with a receipt that you kept: "),
                Inline::code(format!(
                    "rollbook verify --copy session.jsonl --receipt \"{receipt}\""
                )),
                Inline::text("."),
            ]),
            item(vec![
                Inline::text("Or with nothing installed: ask for the page that "),
                Inline::code("rollbook verifier --out verify.html"),
                Inline::text(
                    " writes, open it in any browser, and give it the copy and your receipt. From whomever it comes, its SHA-256 is ",
                ),
                Inline::code(page_digest()),
                Inline::text("."),
            ]),
            item(vec![
                Inline::text(
                    "The numbers of entries in this report are those of the copy's lines: P12 is the line that begins with ",
                ),
                Inline::code("{\"n\":\"P12\""),
                Inline::text(", and every die of it is there."),
            ]),
        ],
    }
}
