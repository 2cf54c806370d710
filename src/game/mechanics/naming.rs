//! Names of newcomers: "Goblin" alone, "Goblin 1" and "Goblin 2" where there are several. Hidden ones are numbered apart
//! ("Unseen Goblin 1"), so that no gap in the visible numbers shows that they exist.

use std::collections::BTreeSet;

use crate::game::mechanics::lookup;
use crate::game::record::state::{Character, Kind, State};
use crate::names::fold;

/// The prefix of a hidden newcomer's numbered name.
const UNSEEN: &str = "Unseen ";

/// The first free name of this kind; a plain "Goblin" counts as the first.
pub fn free_name(state: &State, kind: &str, hidden: bool) -> String {
    let taken: BTreeSet<String> = state.characters.values().map(|character| fold(&character.name)).collect();
    let kind = if hidden { format!("{UNSEEN}{}", kind.trim()) } else { kind.trim().to_owned() };
    // Templates do not count, and hidden characters do not count for a visible one.
    let counts = |known: &Character| known.kind != Kind::Template && (hidden || !state.is_hidden(known.id));
    let is_first = lookup::by_name(state, &kind).is_some_and(counts);
    let first = if is_first { 2u32 } else { 1 };
    let mut numbered = (first..).map(|number| format!("{kind} {number}"));
    numbered.find(|name| !taken.contains(&fold(name))).unwrap_or_default()
}

/// The kind in a hidden newcomer's numbered name.
pub fn numbered_unseen(name: &str) -> Option<&str> {
    let (kind, number) = name.strip_prefix(UNSEEN)?.rsplit_once(' ')?;
    number.parse::<u32>().ok().map(|_| kind)
}

/// Whether there is a character of this kind, so that the next one gets a number.
pub fn kind_exists(state: &State, kind: &str) -> bool {
    lookup::by_name(state, kind).is_some() || lookup::by_name(state, &format!("{kind} 1")).is_some()
}
