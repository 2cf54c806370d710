//! The GM's hand, in neutral words: players get counts, the GM the entries.

use super::words::more_sealed;
use crate::report::document::{Block, Inline, Item, Section, Table};
use crate::report::facts::Gathered;
use crate::report::facts::gathered::LeftOut;
use crate::report::facts::hand::{Deed, Noted};
use rollbook_game::view::Audience;
use rollbook_game::view::number::Numbers;

pub fn section(gathered: &Gathered, audience: Audience) -> Section {
    let hand = &gathered.hand;
    let mut table = Table::of(
        "Where the GM decided, or dice fell out of sight",
        &["What", "Entries#", "Of these taken back#"],
    );
    for (deed, name) in Deed::ALL {
        let (all, undone) = hand.count(deed, &gathered.undone);
        table.rows.push(vec![
            name.to_owned(),
            count(deed, all, gathered),
            shown(deed, undone, gathered),
        ]);
    }
    let mut blocks = vec![
        Block::text(match audience {
            Audience::Gm => {
                "All of this is allowed, and every game has reasons for it: half damage, one roll for an area, a slip that was mended."
            }
            Audience::Player => {
                "All of this is allowed, and every game has reasons for it: half damage, one roll for an area, a slip that was mended. \
                 What is “shown” or announced is what you see of it; there may be more."
            }
        }),
        Block::Table(table),
    ];
    if audience == Audience::Gm {
        for (deed, name) in Deed::ALL {
            let Some(Noted { listed, .. }) = hand.noted.get(&deed) else {
                continue;
            };
            blocks.push(Block::Heading(name.to_owned()));
            let item = |(number, seq, text): &(Numbers, u64, String)| Item {
                parts: vec![Inline::Entry(*number), Inline::text(format!(": {text}"))],
                undone: gathered.undone.holds(*seq),
                ..Item::default()
            };
            blocks.push(Block::List(listed.iter().map(item).collect()));
            let more = hand.count(deed, &gathered.undone).0 - listed.len();
            if more > 0 {
                blocks.push(Block::text(format!("And {more} more.")));
            }
        }
    }
    Section {
        id: "hand",
        title: "The GM's hand",
        blocks,
    }
}

/// How many there are, as far as that is known.
fn count(deed: Deed, all: usize, gathered: &Gathered) -> String {
    match (deed, gathered.left_out()) {
        (
            Deed::Hidden,
            Some(LeftOut {
                sealed: sealed @ 1..,
            }),
        ) => {
            format!("{all} announced; {}", more_sealed(gathered, sealed))
        }
        _ => shown(deed, all, gathered),
    }
}

/// A count that says if there may be more than players are shown. They see every opening.
fn shown(deed: Deed, count: usize, gathered: &Gathered) -> String {
    match (deed, gathered.left_out()) {
        (Deed::Opened | Deed::OpenedPart, _) | (_, None) => count.to_string(),
        (_, Some(_)) => format!("{count} shown"),
    }
}
