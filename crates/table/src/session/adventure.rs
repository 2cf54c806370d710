//! The adventure's folder: read, never written or left. What cannot be read is reported.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::bases::Bases;
use rollbook_game::import;
use rollbook_game::limits::LIMITS;
use rollbook_game::record::event::RulesPart;
use rollbook_game::record::state::Kind;
use rollbook_game::table::Setting;
use rollbook_rules::random_table::{self, TableNames, nested_rolls};
use rollbook_rules::{Limits, Reading, SectionKind, System, codes};
use rollbook_text::diagnostic::{Diagnostic, SourceFile, Sources};
use rollbook_text::names::{self, Found, Slip, find, fold};

const FILES_MAX: usize = 200;
/// Folders within each other that are looked into.
const FOLDERS_MAX: usize = 8;
const TESTS: &str = "tests";
/// The refusal of every path that leads out of the adventure, whether or not there is a file.
const OUTSIDE: &str = "it leads out of the adventure's folder, where nothing is read";

/// The stat blocks of pages, each with its page.
pub fn blocks<'p>(
    pages: &'p [SourceFile],
    system: &System,
) -> impl Iterator<Item = (&'p SourceFile, String)> {
    pages.iter().flat_map(move |page| {
        let names = import::block_names(&page.text, system);
        names.into_iter().map(move |name| (page, name))
    })
}

/// A block that is a player's, as `from` takes it.
fn of_player(page: &SourceFile, name: &str, system: &System) -> Option<String> {
    let made = import::import(&page.text, system, Some(name), &page.name).ok()?;
    let name = made.snapshot.name;
    made.kind
        .is_some_and(Kind::is_open)
        .then(|| format!("{}#{name}", page.name))
}

/// Whether a path does not stay below the folder it begins in.
pub fn leads_out(name: &str) -> bool {
    Path::new(name)
        .components()
        .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
}

/// An adventure as it was read from its folder.
#[derive(Debug, Clone)]
pub struct Adventure {
    pub name: String,
    /// The folder, resolved.
    pub folder: PathBuf,
    pub reading: Reading,
    /// What could not be read at all; without a place, because there is no text to point at.
    pub problems: Vec<Diagnostic>,
    /// The folders of other adventures on whose rules these are built, resolved.
    pub bases: Vec<PathBuf>,
}

impl Adventure {
    /// Reads the folder. Only a missing folder is an error; everything else is a problem to report.
    pub fn read(folder: &Path) -> Result<Adventure, String> {
        let folder = folder.canonicalize().map_err(|error| {
            format!(
                "there is no adventure at {}: {error}. Name a folder with --adventure.",
                folder.display()
            )
        })?;
        if !folder.is_dir() {
            let shown = folder.display();
            return Err(format!(
                "{shown} is not a folder. An adventure is a folder with a System.md in it."
            ));
        }
        let name = folder.file_name().map_or_else(
            || "adventure".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        );
        let mut problems = Vec::new();
        let files = sources(&folder, &mut problems);
        Ok(Adventure::of_files(name, folder, files, problems))
    }

    /// The adventure in a folder, or of one file. Errors: it is not there, or cannot be read.
    pub fn of(path: &Path) -> Result<Adventure, String> {
        if path.is_dir() {
            return Adventure::read(path);
        }
        let unreadable = |why: &str| format!("cannot read {}: {why}", path.display());
        let file = path
            .canonicalize()
            .map_err(|error| unreadable(&error.to_string()))?;
        let folder = file
            .parent()
            .ok_or_else(|| unreadable("it is in no folder"))?;
        let name = file
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let mut problems = Vec::new();
        let Some(source) = read_file(folder, &file, &name, &mut problems) else {
            let why = problems
                .first()
                .map_or_else(String::new, |problem| problem.message.clone());
            return Err(unreadable(&why));
        };
        Ok(Adventure::of_files(
            name,
            folder.to_owned(),
            vec![source],
            problems,
        ))
    }

    fn of_files(
        name: String,
        folder: PathBuf,
        files: Vec<SourceFile>,
        problems: Vec<Diagnostic>,
    ) -> Adventure {
        let mut bases = Bases::of(&folder);
        let reading =
            rollbook_rules::read_with_bases(files, &Limits::DEFAULT, &mut |from, name| {
                bases.find(from, name)
            });
        let bases = bases.folders;
        Adventure {
            name,
            folder,
            reading,
            problems,
            bases,
        }
    }

    /// No adventure, without a name: for campaigns begun before one is played, or without rules.
    pub fn none() -> Adventure {
        let reading = rollbook_rules::read(Vec::new());
        Adventure {
            name: String::new(),
            folder: PathBuf::new(),
            reading,
            problems: Vec::new(),
            bases: Vec::new(),
        }
    }

    /// The files that hold playtests, `tests/*.md`, and what cannot be read of them.
    pub fn tests(&self) -> (Vec<SourceFile>, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let files = listed(&self.folder, TESTS, &mut problems);
        (files, problems)
    }

    /// The pages on which a person may be described: all but those that hold playtests.
    pub fn pages_of_people(&self) -> Vec<SourceFile> {
        let is_of_tests = |name: &str| {
            name.strip_prefix(TESTS)
                .and_then(|rest| rest.strip_prefix('/'))
                .is_some_and(|file| !file.contains('/'))
        };
        self.pages()
            .iter()
            .map(|(_, page)| page.clone())
            .filter(|page| !is_of_tests(&page.name))
            .collect()
    }

    /// The characters that the adventure has for players, as `from` takes them:
    /// "Characters.md#Sabeth Quoin".
    pub fn ready_made(&self) -> Vec<String> {
        let (pages, system) = (self.pages_of_people(), &self.reading.system);
        blocks(&pages, system)
            .filter_map(|(page, name)| of_player(page, &name, system))
            .collect()
    }

    /// The only one of them whom a name means.
    pub fn ready_made_named(&self, name: &str) -> Option<String> {
        let (mut pages, system) = (self.pages_of_people(), &self.reading.system);
        // Reading blocks takes long, and most pages have nobody of that name.
        let wanted = fold(name);
        pages.retain(|page| !wanted.is_empty() && fold(&page.text).contains(&wanted));
        let all: Vec<_> = blocks(&pages, system).collect();
        let named = all
            .iter()
            .map(|(page, block)| (block.as_str(), (*page, block)));
        match find(name, named) {
            Found::One((page, block)) => of_player(page, block, system),
            Found::Several(_) | Found::Nothing => None,
        }
    }

    /// The rules' files, ids as they are, then all other readable Markdown files, in name order.
    pub fn pages(&self) -> Sources {
        let rules = self.reading.sources.clone();
        let mut names = Vec::new();
        pages_below(&self.folder, "", &mut names);
        names.retain(|name| !rules.iter().any(|(_, file)| file.name == *name));
        // Unreadable files beside the rules are no problem of the rules.
        let read =
            |name: &String| read_file(&self.folder, &self.folder.join(name), name, &mut Vec::new());
        rules.and(names.iter().filter_map(read).collect())
    }

    /// A file's text, by its path within the folder. Errors: none, outside, or unreadable.
    pub fn page(&self, name: &str) -> Result<String, String> {
        if leads_out(name) {
            return Err(OUTSIDE.to_owned());
        }
        // A link out of the folder is refused without saying whether its target exists.
        if !self.has(name) {
            return Err(
                "the adventure has no such file (links out of its folder are not followed)"
                    .to_owned(),
            );
        }
        let bytes = read_within(&self.folder, &self.folder.join(name)).map_err(|(_, why)| why)?;
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.folder
            .join(name)
            .canonicalize()
            .is_ok_and(|real| real.starts_with(&self.folder))
    }

    /// The rules, with the random tables that triggers of clocks and shared tracks roll on.
    fn system_with_tables(&self) -> System {
        let mut system = self.reading.system.clone();
        let triggers = system
            .company
            .iter_mut()
            .flat_map(|company| &mut company.triggers);
        let mut asking = triggers
            .filter(|trigger| trigger.text.to_lowercase().contains("roll"))
            .peekable();
        if asking.peek().is_none() {
            return system;
        }
        let tables = random_table::read(&self.pages());
        let called = TableNames::new(&tables);
        for trigger in asking {
            let asked = nested_rolls(&trigger.text, &called)
                .rolls
                .into_iter()
                .filter_map(|roll| roll.on);
            trigger.tables = asked
                .map(
                    |called| match random_table::find(&tables, &called.name).as_slice() {
                        [_] => called.name.clone(),
                        _ => called.full_name(),
                    },
                )
                .collect();
        }
        system
    }

    /// By what a campaign of that name is played: the rules, their texts and their hash.
    pub fn setting(&self, campaign: String) -> Setting {
        let reading = &self.reading;
        let players = reading.for_players();
        let texts = reading.sources.iter().zip(players.sources.iter());
        let parts =
            texts.flat_map(|((_, file), (_, seen))| RulesPart::of_text(&file.text, &seen.text));
        Setting {
            system: Arc::new(self.system_with_tables()),
            rules_hash: if reading.system.narrative {
                String::new()
            } else {
                reading.hash.clone()
            },
            rules_text: Arc::new(parts.collect()),
            rules_files: reading
                .sources
                .iter()
                .map(|(_, file)| file.name.clone())
                .collect(),
            adventure: self.name.clone(),
            campaign,
            campaign_uuid: String::new(),
            characters_max: LIMITS.characters,
        }
    }

    /// Whether these are a game's rules: two sections of the language, and something to play by. A
    /// page about computers may well have a section Health or Skills.
    pub fn reads_as_rules(&self) -> bool {
        let system = &self.reading.system;
        let kinds = system
            .sections
            .iter()
            .filter_map(|section| section.kind)
            .filter(|kind| *kind != SectionKind::Examples);
        let is_played_by = !system.attributes.is_empty()
            || !system.tracks.is_empty()
            || !system.lost_checks.is_empty()
            || system.checks.iter().any(|check| !check.assumed);
        kinds.collect::<BTreeSet<_>>().len() >= 2 && is_played_by
    }

    /// Whether the rules have a mistake that was reported as an error.
    pub fn is_sound(&self) -> bool {
        use rollbook_text::diagnostic::Severity;
        self.problems.is_empty()
            && !self
                .reading
                .diagnostics
                .iter()
                .any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// `System.md` and `System/*.md` in name order; that both are there is the reader's to remark on.
pub(super) fn sources(folder: &Path, problems: &mut Vec<Diagnostic>) -> Vec<SourceFile> {
    let mut files = Vec::new();
    let single = folder.join("System.md");
    if single.exists() || single.is_symlink() {
        files.extend(read_file(folder, &single, "System.md", problems));
    }
    files.extend(listed(folder, "System", problems));
    if files.is_empty() && problems.is_empty() {
        problems.extend(nearly_rules(folder));
    }
    files
}

/// Entries of a folder that are looked at for one that is nearly called as the rules are.
const ENTRIES_MAX: usize = 2_000;

/// A file surely meant for the rules but named otherwise: `system.md`, `Systems.md`, `System.MD`.
fn nearly_rules(folder: &Path) -> Option<Diagnostic> {
    let entries = std::fs::read_dir(folder).ok()?.flatten().take(ENTRIES_MAX);
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    let stem = |name: &str| {
        name.rsplit_once('.')
            .map(|(stem, end)| (stem.to_owned(), end.to_ascii_lowercase()))
    };
    let nearly = |name: &&String| {
        let (stem, end) = stem(name).unwrap_or_else(|| ((*name).clone(), String::new()));
        let is_text = matches!(end.as_str(), "md" | "markdown" | "mdown" | "txt") || end.is_empty();
        is_text
            && (names::same(&stem, "System")
                || names::slip(&stem, "System").is_some_and(|slip| slip != Slip::Far))
    };
    let wrong = names.iter().find(nearly)?;
    let right = if wrong.contains('.') {
        "System.md"
    } else {
        "System"
    };
    if wrong == right {
        return None;
    }
    let message = format!("{wrong} is not read: the rules are called {right}. Rename it");
    Some(Diagnostic::error(codes::WRONG_NAME, message))
}

/// Markdown files of a folder, by name. One that cannot be listed is a problem: rules may be in it.
fn listed(folder: &Path, below: &str, problems: &mut Vec<Diagnostic>) -> Vec<SourceFile> {
    let many = folder.join(below);
    let listing = match std::fs::read_dir(&many) {
        Ok(listing) => listing,
        Err(error) if error.kind() == ErrorKind::NotFound && !many.is_symlink() => {
            return Vec::new();
        }
        Err(error) => {
            let why = match error.kind() {
                ErrorKind::NotADirectory => {
                    "it is no folder. Put its files into a folder of that name".to_owned()
                }
                _ => format!("cannot be read: {error}"),
            };
            problems.push(Diagnostic::error(
                codes::UNREADABLE_FILE,
                format!("{below}: {why}"),
            ));
            return Vec::new();
        }
    };
    if many
        .canonicalize()
        .is_ok_and(|real| !real.starts_with(folder))
    {
        let message = format!(
            "{below}: it is a link out of the adventure's folder, which is refused. Copy the folder."
        );
        problems.push(Diagnostic::error(codes::UNREADABLE_FILE, message));
        return Vec::new();
    }
    let mut names: Vec<String> = listing
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    for name in names
        .iter()
        .filter(|name| name.to_ascii_lowercase().ends_with(".md") && !name.ends_with(".md"))
    {
        let message = format!("{below}/{name} is not read: names of rules end in .md. Rename it");
        problems.push(Diagnostic::error(codes::WRONG_NAME, message));
    }
    names.retain(|name| name.ends_with(".md"));
    names.sort();
    if names.len() > FILES_MAX {
        let message = format!(
            "{below}/ holds {} files; the first {FILES_MAX} are read",
            names.len()
        );
        problems.push(Diagnostic::error(codes::FILES_TOO_LARGE, message));
        names.truncate(FILES_MAX);
    }
    names
        .iter()
        .filter_map(|name| {
            read_file(
                folder,
                &many.join(name),
                &format!("{below}/{name}"),
                problems,
            )
        })
        .collect()
}

/// Names of Markdown files in a folder and below, in order, without hidden folders and links.
fn pages_below(folder: &Path, below: &str, names: &mut Vec<String>) {
    let depth = below.matches('/').count();
    let Ok(listing) = std::fs::read_dir(folder.join(below)) else {
        return;
    };
    let mut found: Vec<(String, bool)> = listing
        .flatten()
        .filter_map(|entry| {
            Some((
                entry.file_name().into_string().ok()?,
                entry.file_type().ok()?.is_dir(),
            ))
        })
        .filter(|(name, _)| !name.starts_with('.'))
        .collect();
    found.sort();
    for (name, is_folder) in found {
        if is_folder && depth < FOLDERS_MAX {
            pages_below(folder, &format!("{below}{name}/"), names);
        } else if !is_folder && name.ends_with(".md") && names.len() < FILES_MAX {
            names.push(format!("{below}{name}"));
        }
    }
}

fn read_file(
    folder: &Path,
    path: &Path,
    name: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<SourceFile> {
    match read_within(folder, path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Some(SourceFile::new(name, text)),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let line = 1 + error
                    .as_bytes()
                    .iter()
                    .take(offset)
                    .filter(|byte| **byte == b'\n')
                    .count();
                let message = format!(
                    "{name}:{line}: byte {offset} is not UTF-8; save the file as UTF-8. What follows from it may be wrong."
                );
                problems.push(Diagnostic::error(codes::UNREADABLE_FILE, message));
                Some(SourceFile::new(
                    name,
                    String::from_utf8_lossy(error.as_bytes()).into_owned(),
                ))
            }
        },
        Err((code, problem)) => {
            problems.push(Diagnostic::error(code, format!("{name}: {problem}")));
            None
        }
    }
}

/// The bytes of a file that truly lies in the folder, symbolic links resolved.
fn read_within(folder: &Path, path: &Path) -> Result<Vec<u8>, (&'static str, String)> {
    let unreadable =
        |error: std::io::Error| (codes::UNREADABLE_FILE, format!("cannot be read: {error}"));
    let refused = |why: &str| Err((codes::UNREADABLE_FILE, why.to_owned()));
    let real = path.canonicalize().map_err(unreadable)?;
    if !real.starts_with(folder) {
        return refused(
            "it is a link out of the adventure's folder, which is refused. Copy the file into the folder.",
        );
    }
    let about = real.metadata().map_err(unreadable)?;
    if !about.is_file() {
        return refused("it is no regular file. Put a Markdown file in its place.");
    }
    let (size, most) = (about.len(), Limits::DEFAULT.file_bytes);
    if size > most as u64 {
        let why =
            format!("it is {size} bytes long; at most {most} are read. Split it into System/*.md.");
        return Err((codes::FILE_TOO_LARGE, why));
    }
    std::fs::read(&real).map_err(unreadable)
}
