//! The stat blocks that stand in an adventure's pages.

use rollbook_game::import;
use rollbook_table::session::adventure::Adventure;
use rollbook_text::names::{Found, find};

/// The stat block of the adventure that a name means: its name, and its page.
pub fn block_named(adventure: &Adventure, who: &str) -> Option<(String, String)> {
    let blocks = blocks(adventure);
    match find(who, blocks.iter().map(|block| (block.0.as_str(), block))) {
        Found::One((name, page, _)) => Some((name.clone(), page.clone())),
        Found::Several(_) | Found::Nothing => None,
    }
}

/// The stat blocks of the adventure: name, page, the page's text.
pub fn blocks(adventure: &Adventure) -> Vec<(String, String, String)> {
    let system = &adventure.reading.system;
    let pages = adventure.pages_of_people();
    let of = |name: &str, text: &str| -> Vec<(String, String, String)> {
        let names = import::block_names(text, system).into_iter();
        names.map(|block| (block, name.to_owned(), text.to_owned())).collect()
    };
    pages.iter().flat_map(|page| of(&page.name, &page.text)).collect()
}
