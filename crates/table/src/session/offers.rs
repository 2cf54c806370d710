//! The adventures that come with the program, for a table where none is played yet.

use std::path::PathBuf;

/// Writes one of them, by its name, into the one folder where it may lie, and says which that is.
/// Errors: it cannot be written, or something has its place; a sentence with what to do.
pub type WriteAdventure = Box<dyn Fn(&str) -> Result<PathBuf, String> + Send + Sync>;

/// What may be begun at this table.
pub struct Offers {
    /// Each by its name, with what it is.
    pub all: Vec<(&'static str, &'static str)>,
    pub write: WriteAdventure,
}
