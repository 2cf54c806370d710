//! The adventures that come with the program, so that one can be played where there is nothing but
//! the program.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use include_dir::{Dir, File, include_dir};

use crate::cli::output::Failed;
use rollbook_text::names::same;

static ADVENTURES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/adventures");

/// One of them: a folder of `adventures/`.
#[derive(Clone, Copy)]
pub struct Shipped(&'static Dir<'static>);

/// All of them, by name.
pub fn shelf() -> impl Iterator<Item = Shipped> {
    ADVENTURES.dirs().map(Shipped)
}

pub fn shipped(name: &str) -> Option<Shipped> {
    shelf().find(|adventure| same(adventure.name(), name))
}

impl Shipped {
    pub fn name(self) -> &'static str {
        self.0.path().to_str().unwrap_or_default()
    }

    /// What it is: the beginning of its Adventure.md, up to the first comma.
    pub fn about(self) -> &'static str {
        let page = self.0.get_file(self.0.path().join("Adventure.md"));
        let mut lines = page
            .and_then(File::contents_utf8)
            .unwrap_or_default()
            .lines()
            .map(str::trim);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
        first
            .and_then(|line| line.split(',').next())
            .unwrap_or(self.name())
    }

    /// Writes its pages into a folder that is not there yet.
    /// Errors: which file could not be written.
    pub fn write(self, folder: &Path) -> Result<(), Failed> {
        let mut folders = vec![self.0];
        while let Some(from) = folders.pop() {
            folders.extend(from.dirs());
            for page in from
                .files()
                .filter(|file| file.path().extension().is_some_and(|end| end == "md"))
            {
                let name = page
                    .path()
                    .strip_prefix(self.0.path())
                    .unwrap_or(page.path());
                write_new(&folder.join(name), page.contents())?;
            }
        }
        Ok(())
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

#[test]
fn each_says_in_a_line_what_it_is() {
    assert!(shelf().count() >= 8);
    for adventure in shelf() {
        let about = adventure.about();
        assert!(
            about.len() > 15 && about.len() < 70 && about.contains(' '),
            "{}: {about}",
            adventure.name()
        );
    }
}
