//! The adventures that come with the program, so that it is enough to play one.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::TempDir;

use crate::cli::output::Failed;
use rollbook_text::names::{for_shell, misspelt, same};

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
                include_str!(concat!("../../adventures/", $name, "/", $file)),
            )),+],
        }),+]
    };
}

/// All of them, by name.
pub const SHELF: &[Shipped] = shelf! {
    "down-special": "Adventure.md" "Characters.md" "Letters.md" "System.md" "Timetable.md" "Train.md" "tests/pages.md"
        "tests/play.md";
    "last-queen": "Adventure.md" "Characters.md" "Handouts.md" "People.md" "Road.md" "System.md" "tests/moves.md"
        "tests/pages.md" "tests/road.md";
    "lockhouse": "Adventure.md" "Characters.md" "Foes.md" "Handouts.md" "Map.md" "Scenes.md" "System.md"
        "tests/checks.md" "tests/fights.md" "tests/pages.md" "tests/tide.md";
    "long-pour": "Adventure.md" "Characters.md" "Foes.md" "Handouts.md" "Night.md" "System.md" "tests/pages.md"
        "tests/play.md";
    "name-auction": "Adventure.md" "Characters.md" "Handouts.md" "People.md" "Places.md" "System.md"
        "tests/checks.md" "tests/harm.md" "tests/pages.md";
    "ninth-reel": "Adventure.md" "Cast.md" "Characters.md" "Handouts.md" "Places.md" "System.md" "tests/checks.md"
        "tests/damage.md" "tests/pages.md";
    "quorum": "Adventure.md" "Characters.md" "Handouts.md" "People.md" "Ring.md" "System.md" "tests/pages.md"
        "tests/play.md";
    "six-covers": "Adventure.md" "Characters.md" "Courses.md" "Guests.md" "Handouts.md" "House.md" "System.md"
        "tests/pages.md" "tests/play.md";
};

pub fn shipped(name: &str) -> Option<&'static Shipped> {
    let name = name.trim_end_matches('/');
    SHELF.iter().find(|adventure| same(adventure.name, name))
}

/// What is played: the folder, or the program's adventure that is written into it.
pub struct Wanted {
    pub folder: PathBuf,
    pub shipped: Option<&'static Shipped>,
}

impl Wanted {
    pub fn folder(named: &Path) -> Wanted {
        let folder = folder_of(named).to_owned();
        Wanted {
            folder,
            shipped: None,
        }
    }
}

/// What a text names: a folder, or an adventure that comes with the program and is or will be
/// written into the project.
/// Errors: neither; something else has its place.
pub fn wanted(text: &str, project: &Path) -> Result<Wanted, Failed> {
    let text = text.trim();
    let folder = folder_of(Path::new(text));
    let shipped = folder.to_str().and_then(shipped);
    // An empty folder of that name is no adventure.
    let not_empty = |folder: PathBuf| match shipped {
        Some(shipped)
            if std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_none()) =>
        {
            Err(format!(
                "{} is empty, so there is nothing to play. Remove it, then run this again, which writes the adventure {} there",
                folder.display(),
                shipped.name
            ))
        }
        Some(_) | None => Ok(Wanted::folder(&folder)),
    };
    if folder.is_dir() {
        return not_empty(
            folder
                .canonicalize()
                .map_err(|error| format!("cannot read {}: {error}", folder.display()))?,
        );
    }
    let Some(found) = shipped.map_or_else(|| of_shelf(folder), |found| Ok(Some(found)))? else {
        return Err(format!(
            "{text} is a file. Name the folder of the adventure, or one of {}",
            names()
        ));
    };
    let folder = project.join(found.name);
    // Nothing is written over: it may have been written here before, and changed.
    if folder.is_dir() {
        return not_empty(folder);
    }
    match folder.symlink_metadata() {
        Ok(there) => Err(format!(
            "the adventure {} is written into the folder {}, and there is {} of that name. Move it away, then run this again",
            found.name,
            folder.display(),
            if there.is_symlink() {
                "a link that leads nowhere"
            } else {
                "a file"
            }
        )),
        Err(_) => Ok(Wanted { folder, shipped }),
    }
}

/// The adventure of the program that is named, where there is no folder or file of that name.
/// Errors: neither is there.
pub fn of_shelf(named: &Path) -> Result<Option<&'static Shipped>, Failed> {
    let named = folder_of(named);
    if named.symlink_metadata().is_ok() {
        return Ok(None);
    }
    let name = &*named.to_string_lossy();
    if name.is_empty() {
        let names = names();
        return Err(format!(
            "--adventure is empty. Name a folder, or one of {names}"
        ));
    }
    if let Some(found) = shipped(name) {
        return Ok(Some(found));
    }
    let near = misspelt(name, SHELF.iter().map(|one| one.name));
    let near = near.map_or_else(|| ".".to_owned(), |near| format!("; did you mean {near}?"));
    Err(format!(
        "there is no folder {name}, and no adventure of that name comes with the program{near} Name a folder, or one of {}; \
         `rollbook new {}` begins an adventure of your own",
        names(),
        for_shell(name)
    ))
}

/// `lockhouse/System.md` names its folder.
pub fn folder_of(named: &Path) -> &Path {
    let is_page = named.ends_with("System.md") && !named.is_dir();
    match named.parent().filter(|_| is_page) {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        folder => folder.unwrap_or(named),
    }
}

/// The names of all that come with the program, for a sentence.
pub fn names() -> String {
    let names: Vec<&str> = SHELF.iter().map(|one| one.name).collect();
    names.join(", ")
}

/// The pages of adventures that are only read, until [`put_away`].
static AT_HAND: Mutex<Option<TempDir>> = Mutex::new(None);

/// The folder of an adventure that is read and not played in: the named one, or where the pages of
/// one that comes with the program lie until the command ends.
/// Errors: they cannot be written.
pub fn at_hand(named: &Path) -> Result<PathBuf, Failed> {
    let Some(shipped) = of_shelf(named)? else {
        return Ok(folder_of(named).to_owned());
    };
    let mut held = AT_HAND.lock().map_err(|error| error.to_string())?;
    let all = match held.take() {
        Some(all) => all,
        None => tempfile::tempdir()
            .map_err(|error| format!("no folder for the pages of {}: {error}", shipped.name))?,
    };
    let folder = held.insert(all).path().join(shipped.name);
    if !folder.exists() {
        shipped.write(&folder)?;
    }
    Ok(folder)
}

/// Removes what [`at_hand`] wrote.
pub fn put_away() {
    drop(AT_HAND.lock().map(|mut held| held.take()));
}

/// Refuses to change, or to wait for a change of, an adventure that comes with the program.
pub fn refuse_change(named: &Path, flags: &[(&str, bool)]) -> Result<(), Failed> {
    let sent = flags.iter().find(|(_, sent)| *sent);
    match (sent, of_shelf(named)?) {
        (Some((flag, _)), Some(shipped)) => Err(format!(
            "{flag} is for files that can be changed, and {name} comes with the program. Leave it out, or write the adventure here first: `rollbook init --adventure {name}`",
            name = shipped.name
        )),
        _ => Ok(()),
    }
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

    /// Writes its pages into a folder that is not there yet: all of them, or none.
    /// Errors: which file could not be written.
    pub fn write(&self, folder: &Path) -> Result<(), Failed> {
        let failed = |error| {
            let folder = folder.display();
            format!("cannot write {folder}: {error}. Run this in a folder that you can write")
        };
        let beside = folder.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(beside).map_err(failed)?;
        let draft = tempfile::tempdir_in(beside).map_err(failed)?;
        let pages = draft.path().join(self.name);
        for (name, text) in self.files {
            write_new(&pages.join(name), text.as_bytes())?;
        }
        std::fs::rename(&pages, folder).map_err(failed)
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
