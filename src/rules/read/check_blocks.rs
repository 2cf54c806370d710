//! What stands below a check's heading and is the check's.

use crate::diagnostic::Diagnostic;
use crate::rules::codes;
use crate::rules::document::{Block, Section};

use super::checks::is_roll;
use super::labels::{Labelled, labelled};
use super::ledger::Ledger;

/// What a check says, up to a deeper heading with a Roll of its own: that is another check, on the wrong level.
pub fn own_blocks<'a>(section: &'a Section, ledger: &mut Ledger<'_>) -> &'a [Block] {
    let rolls = |block: &Block| match block {
        Block::Bullet(bullet) => labelled(bullet, ledger).is_some_and(|label| is_roll(&label)),
        _ => false,
    };
    let mut heading = None;
    let deeper = section.blocks.iter().enumerate().find_map(|(at, block)| match block {
        Block::Heading(text) => {
            heading = Some((at, text));
            None
        }
        block => heading.filter(|_| rolls(block)),
    });
    let Some((at, heading)) = deeper else { return &section.blocks };
    ledger.report(
        Diagnostic::warning(codes::HEADING_LEVEL, format!("`{}` is a heading below a check", heading.as_str()))
            .at(heading.span(), "this check is not read")
            .help(format!("each check has a level-3 heading: `### {}`", heading.as_str())),
    );
    let (own, others) = section.blocks.split_at_checked(at).unwrap_or_default();
    for block in others {
        ledger.take(block.span());
    }
    own
}

/// The labelled bullets among these blocks.
pub fn bullets(blocks: &[Block], ledger: &mut Ledger<'_>) -> Vec<Labelled> {
    let mut labels = Vec::new();
    for block in blocks {
        let Block::Bullet(bullet) = block else { continue };
        labels.extend(labelled(bullet, ledger).map(|label| without_table(label, ledger)));
    }
    labels
}

/// A table that begins in the line below a bullet is part of the bullet's words for Markdown. It is told, and cut off.
fn without_table(label: Labelled, ledger: &mut Ledger<'_>) -> Labelled {
    let words = label.value.as_str();
    let Some(at) = words.find('|').filter(|_| words.contains("|--") || words.contains("|:-")) else { return label };
    let (value, table) = (label.value.slice(0..at).trim(), label.value.slice(at..words.len()));
    ledger.overlooked(table.span(), "a table that is no table", "leave a blank line between the bullet and the table");
    Labelled { value, ..label }
}
