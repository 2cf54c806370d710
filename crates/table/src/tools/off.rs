//! Tools that are off, and how they are switched on.

use super::tool::Category;
use rollbook_game::refusal::Refusal;

/// A tool of Rollbook's own that a registry lacks.
pub struct Off {
    name: &'static str,
    /// That it is off, and how it is switched on: a sentence each.
    pub what: String,
    pub how: String,
}

impl Off {
    /// Beside the tools of these categories.
    pub fn of(name: &'static str, category: &str, own: &[Category]) -> Off {
        let with: Vec<&str> = own.iter().map(|own| own.as_str()).chain([category]).collect();
        let what = format!("{name} is a tool of {category}, which this server was started without.");
        Off { name, what, how: format!("Start it with --toolsets {}.", with.join(",")) }
    }

    /// A refusal that tells to send one of these says that it is off. Names that are plain words (odds) are not looked for.
    pub fn said(all: &[Off], mut refusal: Refusal) -> Refusal {
        let of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let named = |own: &&Off| {
            own.name.contains('_') && refusal.summary.split(|letter| !of_name(letter)).any(|word| word == own.name)
        };
        if let Some(off) = all.iter().find(named) {
            refusal.summary = format!("{} {} {}", refusal.summary, off.what, off.how);
        }
        refusal
    }
}
