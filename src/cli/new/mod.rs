//! `rollbook new`: the beginning of an adventure, to be written over.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rollbook_rules::builtin::{TEMPLATES, Template};

use crate::cli::output::{Done, Failed, print};

/// Begin an adventure: a System.md that can be played at once, and examples that hold.
///
/// Nothing is ever written over.
#[derive(Debug, Args)]
pub struct New {
    /// The adventure's folder; made when it is not there.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Which family of games the rules begin with.
    #[arg(long, value_parser = templates(), default_value = "d20")]
    template: &'static Template,
}

/// What the author has not named.
const NAME: &str = "NAME";

/// The names of templates, each with what it is.
fn templates() -> impl TypedValueParser<Value = &'static Template> {
    let names = PossibleValuesParser::new(TEMPLATES.iter().map(|own| PossibleValue::new(own.name).help(own.about)));
    names.try_map(|name| TEMPLATES.iter().find(|own| own.name == name).ok_or("there is no such template"))
}

impl New {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let Template { rules, checks, why, .. } = *self.template;
        let files = [("System.md", rules), ("tests/checks.md", checks), ("Why.md", why)];
        for (name, _) in files {
            let path = self.folder.join(name);
            // A link to nowhere is there, too.
            if path.symlink_metadata().is_ok() {
                return Err(format!("{} is there already, and nothing is written over.", path.display()));
            }
        }
        if self.folder.join("System").is_dir() {
            return Err(format!("{} has rules in System/ already.", self.folder.display()));
        }
        let title = title(&self.folder);
        for (name, text) in files {
            let path = self.folder.join(name);
            write(&path, &text.replacen(NAME, &title, 1))
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
        let folder = self.folder.display();
        print(&format!(
            "{folder}/System.md        the rules: change what you like\n\
             {folder}/tests/checks.md  examples that are played as tests\n\
             {folder}/Why.md           why the rules are written so\n\n\
             rollbook check {folder}   what the program understood\n\
             rollbook test {folder}    whether the examples hold\n\
             rollbook try {folder}     a prompt to play at\n"
        ))?;
        Ok(Done::Well)
    }
}

/// Writes a file that is not there yet, and its folder.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

/// The folder's name as a title: "harbour-nights" is "Harbour nights".
fn title(folder: &Path) -> String {
    let name = folder.canonicalize().ok().unwrap_or_else(|| folder.to_owned());
    let name = name.file_name().map_or_else(|| "Adventure".to_owned(), |name| name.to_string_lossy().into_owned());
    let words = name.replace(['-', '_'], " ").replace(char::is_control, " ");
    let mut letters = words.trim().chars();
    letters.next().map_or_else(|| "Adventure".to_owned(), |first| first.to_uppercase().chain(letters).collect())
}
