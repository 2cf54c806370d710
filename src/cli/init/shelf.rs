//! The adventures that come with the program, so that it is enough to play one.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use crate::cli::output::Failed;
use rollbook_text::names::same;

/// A folder of `adventures/` and its named pages: nothing else gets into the program.
pub struct Shipped {
    pub name: &'static str,
    files: &'static [(&'static str, &'static str)],
}

macro_rules! shelf {
    ($($name:literal: $($file:literal)+;)+) => {
        &[$(Shipped {
            name: $name,
            files: &[$((
                $file,
                include_str!(concat!("../../../adventures/", $name, "/", $file)),
            )),+],
        }),+]
    };
}

/// All of them, by name.
pub const SHELF: &[Shipped] = shelf! {
    "down-special": "Adventure.md" "Characters.md" "Letters.md" "System.md" "Timetable.md" "Train.md" "tests/play.md";
    "last-queen": "Adventure.md" "Characters.md" "Handouts.md" "People.md" "Road.md" "System.md" "tests/moves.md"
        "tests/road.md";
    "lockhouse": "Adventure.md" "Characters.md" "Foes.md" "Handouts.md" "Map.md" "Scenes.md" "System.md"
        "tests/checks.md" "tests/fights.md" "tests/tide.md";
    "long-pour": "Adventure.md" "Characters.md" "Foes.md" "Handouts.md" "Night.md" "System.md" "tests/play.md";
    "name-auction": "Adventure.md" "Characters.md" "Handouts.md" "People.md" "Places.md" "System.md"
        "tests/checks.md" "tests/harm.md";
    "ninth-reel": "Adventure.md" "Cast.md" "Characters.md" "Handouts.md" "Places.md" "System.md" "tests/checks.md"
        "tests/damage.md";
    "quorum": "Adventure.md" "Characters.md" "Handouts.md" "People.md" "Ring.md" "System.md" "tests/play.md";
    "six-covers": "Adventure.md" "Characters.md" "Courses.md" "Guests.md" "Handouts.md" "House.md" "System.md"
        "tests/play.md";
};

pub fn shipped(name: &str) -> Option<&'static Shipped> {
    SHELF.iter().find(|adventure| same(adventure.name, name))
}

impl Shipped {
    /// What it is: the beginning of its Adventure.md, up to the first comma.
    pub fn about(&self) -> &'static str {
        let page = self.files.iter().find(|(name, _)| *name == "Adventure.md");
        let mut lines = page.map_or("", |(_, text)| *text).lines().map(str::trim);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
        first
            .and_then(|line| line.split(',').next())
            .unwrap_or(self.name)
    }

    /// Writes its pages into a folder that is not there yet.
    /// Errors: which file could not be written.
    pub fn write(&self, folder: &Path) -> Result<(), Failed> {
        let mut pages = self.files.iter();
        pages.try_for_each(|(name, text)| write_new(&folder.join(name), text.as_bytes()))
    }
}

/// Writes a file that is not there yet, and makes its folder.
/// Errors: which file could not be written.
pub fn write_new(path: &Path, text: &[u8]) -> Result<(), Failed> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = made.and_then(|()| {
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)?
            .write_all(text)
    });
    written.map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{SHELF, Shipped};

    fn files(folder: &Path, below: &str, into: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder.join(below)).unwrap().flatten() {
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            match entry.file_type().unwrap().is_dir() {
                true => files(folder, &format!("{name}/"), into),
                false => drop(into.insert(name)),
            }
        }
    }

    #[test]
    fn every_adventure_of_the_source_comes_with_the_program_whole_and_says_what_it_is() {
        for about in SHELF.iter().map(Shipped::about) {
            assert!(
                about.len() > 15 && about.len() < 70 && about.contains(' '),
                "{about}"
            );
        }
        let mut there = BTreeSet::new();
        files(
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/")),
            "",
            &mut there,
        );
        there.retain(|name| name.contains('/') && name.ends_with(".md"));
        let carried = SHELF.iter().flat_map(|adventure| {
            adventure
                .files
                .iter()
                .map(|(file, _)| format!("{}/{file}", adventure.name))
        });
        assert_eq!(carried.collect::<BTreeSet<_>>(), there);
    }
}
