//! A foe's stat block in Markdown: a heading with its name, and below it lines with a label (`- Hit points: 7`, `**Armor Class** 15`),
//! lists of scores (`STR 12, DEX 12`) or tables of them. Headings below that of the block (`### Actions`) belong to it. A line that
//! says nothing the rules have a name for is kept in its words.
//!
//! With a colon a skill's number is what it adds by itself, as on a sheet (`- Skills: Melee +3`); with a bold label and no colon,
//! as the blocks of 5e have it (`**Skills** Stealth +6`), it is what the skill comes to with its attribute.

mod kind;
mod line;
mod number;
mod section;
mod table;

pub use number::first_number;

use crate::game::import::foe::Foe;
use crate::game::record::state::Kind;
use crate::game::refusal::{Code, Refusal};
use crate::names::{Found, Words, find, fold, listed, near, quoted, same};
use crate::rules::System;
use section::{Section, sections};

/// Reads the block under the heading `which`, or the only one there is.
///
/// # Errors
/// When no heading is called so, or several have blocks and none is named.
pub fn read(text: &str, system: &System, which: Option<&str>, origin: &str) -> Result<(Foe, Option<Kind>), Refusal> {
    let all = whole(sections(text), system);
    let chosen = match which {
        Some(which) => called(&all, which, origin)?,
        None => {
            let mut blocks = blocks(&all);
            blocks.next().filter(|_| blocks.next().is_none())
        }
    };
    match chosen {
        Some((at, Read { foe: Some(foe), section, .. })) => {
            let kind = kind::said(&section.lines).or_else(|| above(&all, at, origin));
            Ok((foe.clone(), kind))
        }
        Some((_, Read { section, .. })) => {
            let summary = format!(
                "Under \"{}\" stands no number that the rules have a name for. A block needs at least \"- Hit points: 7\".",
                quoted(&section.name)
            );
            Err(Refusal::new(Code::InvalidDocument, summary))
        }
        None => {
            let names: Vec<&str> = blocks(&all).map(|(_, own)| own.section.name.as_str()).collect();
            Err(unclear(&names, which, origin))
        }
    }
}

/// The names of its blocks, in their order.
pub fn names(text: &str, system: &System) -> Vec<String> {
    blocks(&whole(sections(text), system)).map(|(_, own)| own.section.name.clone()).collect()
}

/// The sections with a block of their own. Where there is any with more, one that says no more than skills is none: a scene may
/// list what to roll.
fn blocks<'r, 't>(all: &'r [Read<'t>]) -> impl Iterator<Item = (usize, &'r Read<'t>)> + use<'r, 't> {
    let own = |own: &&Read| !own.inner;
    let full = |own: &Read| own.foe.as_ref().is_some_and(Foe::says_more_than_skills);
    let any = all.iter().filter(own).any(full);
    (0..).zip(all).filter(move |(_, read)| own(read) && if any { full(read) } else { read.foe.is_some() })
}

/// The section that is called so, else the only one whose heading begins with the words, or has them.
fn called<'r, 't>(all: &'r [Read<'t>], which: &str, origin: &str) -> Result<Option<(usize, &'r Read<'t>)>, Refusal> {
    let mut exact = all.iter().enumerate().filter(|(_, own)| same(&own.section.name, which));
    let first = exact.clone().next();
    if let Some(found) = exact.find(|(_, own)| own.foe.is_some()).or(first) {
        return Ok(Some(found));
    }
    let words = Words::of(which);
    let begins = |own: &Read| fold(&own.section.name).starts_with(&fold(which)) && words.are_in(&own.section.name);
    let mut beginning = blocks(all).filter(|(_, own)| begins(own));
    if let (Some(only), None) = (beginning.next(), beginning.next()) {
        return Ok(Some(only));
    }
    match find(which, blocks(all).map(|own| (own.1.section.name.as_str(), own))) {
        Found::One(found) => Ok(Some(found)),
        Found::Several(fit) => {
            let names: Vec<String> = fit.into_iter().map(|(_, own)| own.section.name.clone()).collect();
            let listed = listed(names.iter().map(String::as_str), 300);
            let first = names.first().map_or("", String::as_str);
            let summary =
                format!("\"{}\" could mean {listed}. {}, or another of these.", quoted(which), send(origin, first));
            Err(Refusal::new(Code::WhichEntry, summary).near(names))
        }
        Found::Nothing => Ok(None),
    }
}

/// The kind that the headings above a section say, the nearest first, else the file's name.
fn above(all: &[Read<'_>], at: usize, origin: &str) -> Option<Kind> {
    let mut level = all.get(at)?.section.level;
    for Read { section, .. } in all.get(..at)?.iter().rev() {
        if section.level < level {
            level = section.level;
            if let Some(kind) = kind::above(&section.name) {
                return Some(kind);
            }
        }
    }
    let (file, _) = origin.split_once('#').unwrap_or((origin, ""));
    file.rsplit('/').next().and_then(kind::above)
}

/// How a block is named: behind the page of the adventure, or beside the text that was sent.
fn send(origin: &str, name: &str) -> String {
    match origin.split('#').next().filter(|page| page.to_lowercase().ends_with(".md")) {
        Some(page) => format!("Send from=\"{page}#{name}\""),
        None => format!("Send name=\"{name}\""),
    }
}

fn unclear(names: &[&str], which: Option<&str>, origin: &str) -> Refusal {
    let listed = listed(names.iter().copied(), 200);
    let near = which.map_or_else(Vec::new, |which| near(which, names.iter().copied()));
    let summary = match (which, names.is_empty()) {
        (_, true) => {
            "No stat block is in this text: its name in the first line, and \"- Hit points: 7\" below it.".to_owned()
        }
        (Some(which), _) => {
            let near = near.first().map_or(String::new(), |first| format!(" {}.", send(origin, first)));
            format!("No block is called \"{}\". There is {listed}.{near}", quoted(which))
        }
        (None, _) => format!(
            "There are {} blocks: {listed}. {}, or another of these.",
            names.len(),
            send(origin, names.first().unwrap_or(&""))
        ),
    };
    Refusal::new(Code::WhichEntry, summary).near(near)
}

/// A section, with the foe it describes.
struct Read<'t> {
    section: Section<'t>,
    foe: Option<Foe>,
    /// Whether it is part of the block above it.
    inner: bool,
}

/// Every section with its foe; into a foe goes what stands under headings below its own, up to one with a foe of its own.
fn whole<'t>(sections: Vec<Section<'t>>, system: &System) -> Vec<Read<'t>> {
    let mut all: Vec<Read> = Vec::new();
    // Where the foe stands that sections below it belong to.
    let mut open: Option<usize> = None;
    for section in sections {
        let foe = foe(&section, system);
        let own = foe.as_ref().is_some_and(Foe::stands_alone);
        let more = foe.as_ref().is_some_and(Foe::says_more_than_skills);
        let apart = |above: &Read| own || (more && !above.foe.as_ref().is_some_and(Foe::says_more_than_skills));
        let above = open.and_then(|at| all.get_mut(at));
        let above = above.filter(|above| above.section.level < section.level && !apart(above));
        let inner = above.is_some();
        match above.and_then(|above| above.foe.as_mut()) {
            Some(above) => {
                above.words.push(section.name.clone());
                fill(above, &section, system);
            }
            None => open = foe.is_some().then_some(all.len()),
        }
        all.push(Read { section, foe, inner });
    }
    all
}

/// The foe of a section; `None` where no line says a number.
fn foe(section: &Section, system: &System) -> Option<Foe> {
    let mut foe = Foe { name: section.name.clone(), ..Foe::default() };
    fill(&mut foe, section, system);
    let skilled = foe.bonuses.iter().chain(&foe.totals).any(|(name, _)| system.skill(name).is_ok());
    (foe.says_more_than_skills() || skilled).then_some(foe)
}

fn fill(foe: &mut Foe, section: &Section, system: &System) {
    let (mut header, mut pending) = (table::Header::default(), line::Pending::default());
    for line in &section.lines {
        match line.strip_prefix('|') {
            Some(row) => table::take(foe, system, &mut header, row),
            None => line::take(foe, system, &mut pending, line),
        }
    }
    pending.give_up(foe);
}
