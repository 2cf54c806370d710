//! What newcomers are called: "Goblin" alone, "Goblin 1" and "Goblin 2" where there are several. Those that players do not see
//! have numbers of their own ("Unseen Goblin 1"), so that a gap in the others betrays nobody.

use std::collections::BTreeSet;

use crate::game::mechanics::lookup;
use crate::game::record::state::{Character, Kind, State};
use crate::names::fold;

/// What stands before the name of a numbered newcomer that players do not see.
const UNSEEN: &str = "Unseen ";

/// The first name of this kind that nobody bears; a plain "Goblin" counts as the first.
pub fn free_name(state: &State, kind: &str, hidden: bool) -> String {
    let taken: BTreeSet<String> = state.characters.values().map(|character| fold(&character.name)).collect();
    let kind = if hidden { format!("{UNSEEN}{}", kind.trim()) } else { kind.trim().to_owned() };
    // A template is none of its kind itself, and one that players do not see is not counted by what they hear.
    let counts = |known: &Character| known.kind != Kind::Template && (hidden || !state.is_hidden(known.id));
    let is_first = lookup::by_name(state, &kind).is_some_and(counts);
    let first = if is_first { 2u32 } else { 1 };
    let mut numbered = (first..).map(|number| format!("{kind} {number}"));
    numbered.find(|name| !taken.contains(&fold(name))).unwrap_or_default()
}

/// Of a name that was numbered out of players' sight: the kind.
pub fn numbered_unseen(name: &str) -> Option<&str> {
    let (kind, number) = name.strip_prefix(UNSEEN)?.rsplit_once(' ')?;
    number.parse::<u32>().ok().map(|_| kind)
}

/// Whether there is one of this kind already, so that the next gets a number.
pub fn is_known(state: &State, kind: &str) -> bool {
    lookup::by_name(state, kind).is_some() || lookup::by_name(state, &format!("{kind} 1")).is_some()
}
