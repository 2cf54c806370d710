//! A foe's stat block in Markdown: a heading with its name, and below it lines with a label (`- Hit points: 7`, `**Armor Class** 15`),
//! lists of scores (`STR 12, DEX 12`) or tables of them. Headings below that of the block (`### Actions`) belong to it. A line that
//! says nothing the rules have a name for is kept in its words.
//!
//! With a colon a skill's number is what it adds by itself, as on a sheet (`- Skills: Melee +3`); with a bold label and no colon,
//! as the blocks of 5e have it (`**Skills** Stealth +6`), it is what the skill comes to with its attribute.

mod line;
mod number;
mod section;
mod table;

pub use number::first_number;

use super::foe::Foe;
use crate::game::refusal::Refusal;
use crate::names::{listed, near, quoted, same};
use crate::rules::System;
use section::{Section, sections};

/// Reads the block under the heading `which`, or the only one there is.
///
/// # Errors
/// When no heading is called so, or several have blocks and none is named.
pub fn read(text: &str, system: &System, which: Option<&str>) -> Result<Foe, Refusal> {
    let all = whole(sections(text), system);
    let blocks = || all.iter().filter(|own| own.foe.is_some() && !own.inner);
    let chosen = match which {
        Some(which) => {
            let mut called = all.iter().filter(|own| same(&own.section.name, which));
            let first = called.clone().next();
            called.find(|own| own.foe.is_some()).or(first)
        }
        None => {
            let mut blocks = blocks();
            blocks.next().filter(|_| blocks.next().is_none())
        }
    };
    match chosen {
        Some(Read { foe: Some(foe), .. }) => Ok(foe.clone()),
        Some(Read { section, .. }) => {
            let summary = format!(
                "Under \"{}\" stands no number that the rules have a name for. A block needs at least \"- Hit points: 7\".",
                quoted(&section.name)
            );
            Err(Refusal::new("invalid_document", summary))
        }
        None => {
            let names: Vec<&str> = blocks().map(|own| own.section.name.as_str()).collect();
            Err(unclear(&names, which))
        }
    }
}

fn unclear(names: &[&str], which: Option<&str>) -> Refusal {
    let listed = listed(names.iter().copied(), 200);
    let near = which.map_or_else(Vec::new, |which| near(which, names.iter().copied()));
    let summary = match (which, names.is_empty()) {
        (_, true) => {
            "No stat block is in this text: its name in the first line, and \"- Hit points: 7\" below it.".to_owned()
        }
        (Some(which), _) => format!("No block is called \"{}\". There is {listed}.", quoted(which)),
        (None, _) => format!(
            "There are {} blocks. Name one behind a #: \"Foes.md#{}\"; of a text, as name. There is {listed}.",
            names.len(),
            names.first().unwrap_or(&"")
        ),
    };
    Refusal::new("which_entry", summary).near(near)
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
        let above = open.and_then(|at| all.get_mut(at)).filter(|above| above.section.level < section.level && !own);
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
    (foe.stands_alone() || !foe.scores.is_empty()).then_some(foe)
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
