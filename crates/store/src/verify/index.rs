//! What the log is searched by, beside the log: the numbers that entries have for players, which entries are found, and which of them
//! players find. Which words an entry is found by is not compared: the index keeps them by word and not by entry, and making it anew takes
//! longer than all the rest.

use crate::record::Place;
use crate::sql::search::Reach;

/// What is wrong with an entry's place in the index; `seen` is how many entries players had seen with it, and `None` where they do not
/// see it.
pub(super) fn differences(reach: Reach, place: Place, seen: Option<u64>) -> impl Iterator<Item = &'static str> {
    let what = [
        (
            place.seq <= reach.numbered && place.number != seen.unwrap_or(0),
            "the number that it has for players in the table seen is not the next",
        ),
        (place.seq <= reach.found && !place.worded, "it is not in the index that searches read, though later ones are"),
        (place.told && seen.is_none(), "players find it by words, and do not see it"),
    ];
    what.into_iter().filter_map(|(is_wrong, what)| is_wrong.then_some(what))
}
