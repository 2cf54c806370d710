//! `rollbook new`: the beginning of an adventure, to be written over.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rollbook_rules::builtin::TEMPLATES;

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
    #[arg(long, value_enum, default_value = "d20")]
    template: Template,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Template {
    /// A d20, a modifier, a difficulty.
    D20,
    /// Two d6 and a stat: strong hit, weak hit, miss.
    Pbta,
    /// Four fudge dice and an approach.
    Fate,
    /// A d100 under the skill.
    Percentile,
    /// Several d6, the highest counts.
    Pool,
    /// A d20 under the score, saves by level, torches and rations.
    Osr,
    /// Several d6, fives and sixes are hits.
    Hits,
    /// Several d6, sixes count, and a roll may be pushed.
    Push,
    /// Three d6 under the skill.
    Under,
    /// Two d6 to reach 8, with an effect.
    Effect,
    /// A die for each trait, which rolls on.
    Step,
    /// An action die against two challenge dice.
    Challenge,
    /// As little as can be played.
    Blank,
}

macro_rules! files {
    ($template:literal) => {
        [
            ("System.md", rules($template)?),
            ("tests/checks.md", include_str!(concat!("templates/", $template, "/checks.md"))),
            ("Why.md", include_str!(concat!("templates/", $template, "/why.md"))),
        ]
    };
}

/// The rules of a template.
fn rules(template: &str) -> Result<&'static str, Failed> {
    let found = TEMPLATES.iter().find(|(name, _)| *name == template);
    found.map(|(_, text)| *text).ok_or_else(|| format!("the program has no template {template}"))
}

/// What the author has not named.
const NAME: &str = "NAME";

impl Template {
    /// The files, by name.
    fn files(self) -> Result<[(&'static str, &'static str); 3], Failed> {
        Ok(match self {
            Template::D20 => files!("d20"),
            Template::Pbta => files!("pbta"),
            Template::Fate => files!("fate"),
            Template::Percentile => files!("percentile"),
            Template::Pool => files!("pool"),
            Template::Osr => files!("osr"),
            Template::Hits => files!("hits"),
            Template::Push => files!("push"),
            Template::Under => files!("under"),
            Template::Effect => files!("effect"),
            Template::Step => files!("step"),
            Template::Challenge => files!("challenge"),
            Template::Blank => files!("blank"),
        })
    }
}

impl New {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let files = self.template.files()?;
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
