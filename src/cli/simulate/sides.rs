//! Who fights: characters and foes from files, from the adventure's pages, or as lines.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use crate::cli::output::Failed;
use rollbook_game::decide::character::SheetCall;
use rollbook_game::import::{self, sheet::is_sheet};
use rollbook_game::record::state::Kind;
use rollbook_rules::System;
use rollbook_table::playtest::sheet;
use rollbook_table::session::adventure::Adventure;
use rollbook_text::names::{Found, find, listed, quoted, suggest};

/// Sheets of both sides; foes with how many there are of each.
type Sides = (Vec<SheetCall>, Vec<(SheetCall, i64)>);

pub(super) fn read(
    adventure: &Adventure,
    party: &[String],
    foes: &[String],
) -> Result<Sides, Failed> {
    let mut sides = (Vec::new(), Vec::new());
    for who in party {
        let sheets = source(adventure, who).and_then(|source| source.sheets(adventure));
        sides
            .0
            .extend(sheets.map_err(|why| format!("--party: {why}"))?);
    }
    for who in foes {
        sides
            .1
            .extend(foe(adventure, who).map_err(|why| format!("--foes {}: {why}", quoted(who)))?);
    }
    Ok(sides)
}

/// "3 x Wrecker" as 3 and Wrecker; without a number it is one.
fn several(who: &str) -> (i64, &str) {
    let who = who.trim();
    let name = who.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let number = who.strip_suffix(name).unwrap_or_default();
    let name = ["x ", "X ", "\u{d7}"]
        .into_iter()
        .find_map(|sign| name.trim_start().strip_prefix(sign));
    match (number.parse(), name) {
        (Ok(number), Some(name)) => (number, name.trim()),
        _ => (1, who),
    }
}

fn foe(adventure: &Adventure, who: &str) -> Result<Vec<(SheetCall, i64)>, Failed> {
    let one = |who: &str| {
        let (count, name) = several(who);
        let sheets = source(adventure, name).and_then(|source| source.sheets(adventure))?;
        Ok(sheets.into_iter().map(|sheet| (sheet, count)).collect())
    };
    match one(who) {
        // Several in one text, unless a name has the comma in it.
        Err(why) if who.contains(',') && !who.contains(':') => {
            let parts: Result<Vec<Vec<(SheetCall, i64)>>, Failed> =
                who.split(',').map(one).collect();
            parts.map(|parts| parts.concat()).map_err(|_: Failed| why)
        }
        found => found,
    }
}

/// The stat block of the adventure that a name means: its name, and its page.
pub fn block_named(adventure: &Adventure, who: &str) -> Option<(String, String)> {
    let blocks = blocks(adventure);
    let Found::One((name, page, _)) =
        find(who, blocks.iter().map(|block| (block.0.as_str(), block)))
    else {
        return None;
    };
    Some((name.clone(), page.clone()))
}

/// The stat blocks of the adventure: name, page, the page's text.
pub fn blocks(adventure: &Adventure) -> Vec<(String, String, String)> {
    let system = &adventure.reading.system;
    let pages = adventure.pages_of_people();
    let of = |name: &str, text: &str| -> Vec<(String, String, String)> {
        let names = import::block_names(text, system).into_iter();
        names
            .map(|block| (block, name.to_owned(), text.to_owned()))
            .collect()
    };
    pages
        .iter()
        .flat_map(|page| of(&page.name, &page.text))
        .collect()
}

struct Source {
    text: String,
    origin: String,
    which: Option<String>,
}

/// The text meant: a file, a page, a stat block by its name, or the line itself.
fn source(adventure: &Adventure, who: &str) -> Result<Source, Failed> {
    let (file, which) = who.split_once('#').map_or((who, None), |(file, which)| {
        (file, Some(which.trim().to_owned()))
    });
    if Path::new(file).is_file() {
        let text = std::fs::read_to_string(file)
            .map_err(|error| format!("cannot read {file}: {error}"))?;
        let origin = Path::new(file)
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        return Ok(Source {
            text,
            origin: origin.unwrap_or_else(|| file.to_owned()),
            which,
        });
    }
    if let Ok(text) = adventure.page(file) {
        return Ok(Source {
            text,
            origin: file.to_owned(),
            which,
        });
    }
    if which.is_none() && who.contains(':') {
        return Ok(Source {
            text: who.to_owned(),
            origin: "the command line".to_owned(),
            which,
        });
    }
    let blocks = blocks(adventure);
    match find(who, blocks.iter().map(|block| (block.0.as_str(), block))) {
        Found::One((name, page, text)) => Ok(Source {
            text: text.clone(),
            origin: page.clone(),
            which: Some(name.clone()),
        }),
        Found::Several(fit) => {
            let names: Vec<String> = fit
                .into_iter()
                .map(|(name, page, _)| format!("{page}#{name}"))
                .collect();
            Err(format!(
                "it could be {}. Write one of these.",
                listed(names.iter().map(String::as_str), 300)
            ))
        }
        Found::Nothing => {
            let names = || blocks.iter().map(|(name, ..)| name.as_str());
            let suggested = suggest(who, names());
            let there = match (suggested.first(), blocks.is_empty()) {
                (Some(suggested), _) => format!(" Did you mean {}?", quoted(suggested)),
                (None, true) => " The adventure has no stat blocks.".to_owned(),
                (None, false) => format!(" The adventure has {}.", listed(names(), 300)),
            };
            Err(format!(
                "there is no file and no stat block of this name.{there} Write a file, a name, or a line: \"Wrecker: Hit points 7\"."
            ))
        }
    }
}

impl Source {
    fn sheets(&self, adventure: &Adventure) -> Result<Vec<SheetCall>, Failed> {
        let system = &adventure.reading.system;
        let text = self.text.trim_start_matches('\u{feff}').trim();
        let is_document = is_sheet(text) || text.starts_with(['{', '[']);
        let blocks = import::block_names(text, system);
        match &self.which {
            None if !is_document && blocks.is_empty() => self.of_lines(text, system),
            None if !is_document => blocks
                .iter()
                .map(|name| self.imported(text, system, Some(name)))
                .collect(),
            which => Ok(vec![self.imported(text, system, which.as_deref())?]),
        }
    }

    fn imported(
        &self,
        text: &str,
        system: &System,
        which: Option<&str>,
    ) -> Result<SheetCall, Failed> {
        let found = import::import(text, system, which, &self.origin)
            .map_err(|refusal| format!("{}: {}", self.origin, refusal.summary))?;
        let kind = found.kind.filter(|kind| *kind != Kind::Template);
        let call = SheetCall {
            kind,
            ..SheetCall::default()
        };
        let made = found.into_sheet(call, system);
        made.map_err(|refusal| format!("{}: {}", self.origin, refusal.summary))
    }

    fn of_lines(&self, text: &str, system: &System) -> Result<Vec<SheetCall>, Failed> {
        let lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let sheets = lines.map(|line| sheet(line, system).and_then(|fields| of_arguments(&fields)));
        let sheets: Result<Vec<SheetCall>, String> = sheets.collect();
        let sheets = sheets.map_err(|why| format!("{}: {why}", self.origin))?;
        match sheets.is_empty() {
            true => Err(format!(
                "{} describes nobody. Write stat blocks (### Aria, - Hit points: 9, - Attack: sword +4, damage 1d8), or a line each: Aria: \
                 DEX 14, Hit points 9",
                self.origin
            )),
            false => Ok(sheets),
        }
    }
}

fn of_arguments(arguments: &Map<String, Value>) -> Result<SheetCall, String> {
    let field = |name: &str| arguments.get(name).cloned().unwrap_or_default();
    let read = |name: &str| -> Result<BTreeMap<String, i64>, String> {
        let numbers = serde_json::from_value::<Option<_>>(field(name))
            .map_err(|error| format!("{name}: {error}"))?;
        Ok(numbers.unwrap_or_default())
    };
    Ok(SheetCall {
        name: field("name").as_str().map(str::to_owned),
        kind: serde_json::from_value(field("kind")).ok(),
        level: field("level").as_i64(),
        xp: field("xp").as_i64(),
        attributes: read("attributes")?,
        skills: read("skills")?,
        tracks: read("tracks")?,
        ..SheetCall::default()
    })
}

#[test]
fn a_number_before_a_name_says_how_many() {
    for (text, found) in [
        ("3 x Wrecker", (3, "Wrecker")),
        ("12x Sump Eel", (12, "Sump Eel")),
        (" 2 \u{d7} Mag", (2, "Mag")),
        ("2×Mag", (2, "Mag")),
        ("Wrecker", (1, "Wrecker")),
        ("7th Reel", (1, "7th Reel")),
        ("3 xylophones", (1, "3 xylophones")),
    ] {
        assert_eq!(several(text), found, "{text}");
    }
}
