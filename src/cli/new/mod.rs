//! `rollbook new`: the beginning of an adventure, to be written over.

use std::path::{Path, PathBuf};

use clap::Args;
use rollbook_rules::builtin::TEMPLATES;

use crate::cli::args::{Values, one_of};
use crate::cli::output::{Done, Failed, answer};
use crate::cli::shelf::write_new;
use rollbook_text::names::for_shell;

/// Begin an adventure with rules that can be played at once.
///
/// A System.md, and examples that hold. Nothing is ever written over.
#[derive(Debug, Args)]
pub struct New {
    /// The adventure's folder; made when it is not there.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Which family of games the rules begin with.
    #[arg(long, value_parser = one_of(ALL), default_value = "d20")]
    template: Template,
}

/// A template beside its rules: its examples, and why the rules are written so.
#[derive(Debug, Clone, Copy)]
struct Template {
    name: &'static str,
    checks: &'static str,
    why: &'static str,
}

macro_rules! templates {
    ($($name:literal: $help:literal)+) => {
        &[$((
            $name,
            Template {
                name: $name,
                checks: include_str!(concat!("templates/", $name, "/checks.md")),
                why: include_str!(concat!("templates/", $name, "/why.md")),
            },
            $help,
        )),+]
    };
}

const ALL: &Values<Template> = templates! {
    "d20": "A d20, a modifier, a difficulty"
    "pbta": "Two d6 and a stat: strong hit, weak hit, miss"
    "fate": "Four fudge dice and an approach"
    "percentile": "A d100 under the skill"
    "pool": "Several d6, the highest counts"
    "osr": "A d20 under the score, saves by level, torches and rations"
    "hits": "Several d6, fives and sixes are hits"
    "push": "Several d6, sixes count, and a roll may be pushed"
    "under": "Three d6 under the skill"
    "effect": "Two d6 to reach 8, with an effect"
    "step": "A die for each trait, which rolls on"
    "challenge": "An action die against two challenge dice"
    "blank": "As little as can be played"
};

const NAME: &str = "NAME";

impl New {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let Template { name, checks, why } = self.template;
        let rules = TEMPLATES.iter().find(|(template, _)| *template == name);
        let (_, rules) = *rules.ok_or_else(|| format!("the program has no template {name}"))?;
        let files = [
            ("System.md", rules),
            ("tests/checks.md", checks),
            ("Why.md", why),
        ];
        if self.folder.is_file() {
            let shown = self.folder.display();
            return Err(format!("{shown} is a file. Name another folder."));
        }
        for (name, _) in files {
            let path = self.folder.join(name);
            // A link to nowhere is there, too.
            if path.symlink_metadata().is_ok() {
                return Err(format!(
                    "{} is there already, and nothing is written over. Name another folder.",
                    path.display()
                ));
            }
        }
        if self.folder.join("System").is_dir() {
            return Err(format!(
                "{} has rules in System/ already.",
                self.folder.display()
            ));
        }
        let title = title(&self.folder);
        for (name, text) in files {
            write_new(
                &self.folder.join(name),
                text.replacen(NAME, &title, 1).as_bytes(),
            )?;
        }
        let shown = self.folder.display();
        let folder = for_shell(&shown.to_string());
        answer(&format!(
            "{shown}/System.md        the rules: change what you like\n\
             {shown}/tests/checks.md  examples that are played as tests\n\
             {shown}/Why.md           why the rules are written so\n\n\
             rollbook check {folder}   what the program understood\n\
             rollbook test {folder}    whether the examples hold\n\
             rollbook try {folder}     a prompt to play at\n"
        ))
    }
}

/// The folder's name as a title: "harbour-nights" is "Harbour nights".
fn title(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let words = name.replace(['-', '_'], " ").replace(char::is_control, " ");
    let mut letters = words.trim().chars();
    letters.next().map_or_else(
        || "Adventure".to_owned(),
        |first| first.to_uppercase().chain(letters).collect(),
    )
}
