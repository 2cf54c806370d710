//! What happened, each line with its entry's number; what was taken back is struck through.

use crate::report::document::{Block, Inline, Item, Section};
use crate::report::facts::Gathered;
use crate::report::facts::gathered::{StoryLine, Weight};
use rollbook_text::names::counted;

pub fn section(gathered: &Gathered) -> Section {
    let mut blocks = Vec::new();
    let left_out = gathered.story.left_out as u64;
    if left_out > 0 {
        let text = format!(
            "{} left out for room; an export has them, and a report of one session has them.",
            counted(left_out, "earlier line is", "earlier lines are")
        );
        blocks.push(Block::text(text));
    }
    let item = |line: &StoryLine| {
        let text = match line.weight {
            Weight::Turn | Weight::High => Inline::strong(&line.text),
            Weight::Plain => Inline::text(&line.text),
        };
        let parts = std::iter::once(text)
            .chain(line.hidden.then(hidden))
            .collect();
        Item {
            entry: Some(line.number),
            parts,
            undone: gathered.undone.holds(line.seq),
            nested: false,
        }
    };
    let items: Vec<Item> = gathered.story.lines.iter().map(item).collect();
    if items.is_empty() {
        blocks.push(Block::text("Nothing to tell yet."))
    } else {
        blocks.push(Block::List(items))
    }
    Section {
        id: "story",
        title: "Story",
        blocks,
    }
}

/// Behind a line that players do not see.
pub fn hidden() -> Inline {
    Inline::Small(" (hidden from players)".to_owned())
}
