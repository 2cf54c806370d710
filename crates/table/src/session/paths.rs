//! Paths of adventure and database. A link for `.rollbook` is refused: it may lead anywhere.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use super::adventure::Adventure;
use rollbook_store::draft::make_folder;
use rollbook_store::location::{self, Location, Server};
use rollbook_text::names::{for_shell, listed, printable};

/// The variable in which Claude Code names the project's folder.
const PROJECT: &str = "CLAUDE_PROJECT_DIR";
const FILE: &str = "campaigns.db";
/// Entries of a folder that are looked at for the one adventure in it.
const ENTRIES_MAX: usize = 2_000;
/// Characters of the names of adventures in a refusal.
const NAMES_MAX: usize = 300;

/// Where the database is.
#[derive(Debug, Clone)]
pub struct Database {
    /// A file is absolute.
    pub location: Location,
    /// Why something of it lies elsewhere than it should, in a sentence for the person.
    pub fallback_reason: Option<String>,
}

/// The adventure's folder: the flag, else the project's folder, else the current one; without rules
/// there, the only folder in it that has some. Errors: several have, naming them.
pub fn adventure(flag: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(folder) = flag {
        return location::path(folder.as_os_str()).map_err(|why| format!("--adventure {why}"));
    }
    let base = base();
    if has_rules(&base) {
        return Ok(base);
    }
    let entries = std::fs::read_dir(&base)
        .into_iter()
        .flatten()
        .take(ENTRIES_MAX)
        .flatten();
    let mut all: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|folder| folder.is_dir() && has_rules(folder))
        .collect();
    if all.len() > 1 {
        all.retain(|folder| {
            Adventure::read(folder).is_ok_and(|adventure| adventure.reads_as_rules())
        });
    }
    all.sort();
    match all.as_slice() {
        [] => Ok(base),
        [only] => Ok(only.clone()),
        [first, ..] => {
            let name = |folder: &PathBuf| {
                folder
                    .file_name()
                    .map(|name| printable(&name.to_string_lossy()))
            };
            let names: Vec<String> = all.iter().filter_map(name).collect();
            Err(format!(
                "there are several adventures in {}: {}. Say which: --adventure {}",
                printable(&base.display().to_string()),
                listed(names.iter().map(String::as_str), NAMES_MAX),
                for_shell(&first.display().to_string())
            ))
        }
    }
}

/// Whether a folder has `System.md`, or a `System` folder.
pub fn has_rules(folder: &Path) -> bool {
    folder.join("System.md").exists() || folder.join("System").is_dir()
}

/// The folder that is played in, whole.
/// Errors: the current folder is not there, or the named one cannot be made.
pub fn project() -> Result<PathBuf, String> {
    let base = base();
    let found = base.canonicalize().or_else(|_| {
        make_folder(&base)?;
        base.canonicalize()
    });
    found.map_err(|error| format!("cannot read {}: {error}", base.display()))
}

/// Whether a file can be made in a folder.
pub fn is_writable(folder: &Path) -> bool {
    tempfile::tempfile_in(folder).is_ok()
}

/// The database: the flag, else `.rollbook/campaigns.db` in the project's or current folder, else
/// in the user's data folder. Makes the folder (0700), with a `.gitignore` where it is ours.
/// Errors: no folder can be written; a bad address.
pub fn database(flag: Option<&Path>, checkpoints: Option<&Path>) -> Result<Database, String> {
    let of_file = |file: &Path| Database {
        location: Location::File(absolute(file)),
        fallback_reason: None,
    };
    match named(flag, checkpoints)? {
        None => {}
        Some(Location::File(path)) => {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty())
                .unwrap_or(Path::new("."));
            make_folder(folder)
                .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
            return Ok(of_file(&path));
        }
        Some(Location::Server(server)) => return on_server(*server, checkpoints),
    }
    let project = project_folder()?;
    let first = match own_folder(&project) {
        Ok(()) => return Ok(of_file(&project.join(FILE))),
        Err(first) => format!("cannot write {}: {first}", project.display()),
    };
    let user = data_folder()
        .ok_or_else(|| format!("{first}, and there is no HOME. Name a file with --db."))?;
    own_folder(&user).map_err(|second| {
        format!(
            "{first}, nor {}: {second}. Name a file with --db.",
            user.display()
        )
    })?;
    let file = absolute(&user.join(FILE));
    let fallback_reason = format!(
        "{first}; the campaigns are kept in {} instead",
        file.display()
    );
    Ok(Database {
        location: Location::File(file),
        fallback_reason: Some(fallback_reason),
    })
}

fn named(flag: Option<&Path>, checkpoints: Option<&Path>) -> Result<Option<Location>, String> {
    let location = flag
        .map(|flag| Location::parse(flag.as_os_str()))
        .transpose();
    let location = location.map_err(|error| format!("--db: {error}"))?;
    match &location {
        Some(Location::Server(_)) => {}
        None | Some(Location::File(_)) if checkpoints.is_none() => {}
        None | Some(Location::File(_)) => {
            return Err(
                "--checkpoints is for a database on a server; those of a file lie beside it. Leave it out".to_owned()
            );
        }
    }
    Ok(location)
}

/// Checkpoints lie in the named folder, else the user's data folder; else in the database alone.
fn on_server(server: Server, checkpoints: Option<&Path>) -> Result<Database, String> {
    if let Some(folder) = checkpoints {
        let folder = absolute(folder);
        make_folder(&folder)
            .and_then(|()| tempfile::tempfile_in(&folder).map(drop))
            .map_err(|error| {
                format!(
                    "cannot write {}: {error}. Name another folder with --checkpoints",
                    folder.display()
                )
            })?;
        let location = Location::Server(Box::new(server.with_checkpoints(Some(folder))));
        return Ok(Database {
            location,
            fallback_reason: None,
        });
    }
    let written = match data_folder().map(|folder| absolute(&folder)) {
        Some(folder) => match own_folder(&folder) {
            Ok(()) => Ok(folder),
            Err(error) => Err(format!("{} cannot be written: {error}", folder.display())),
        },
        None => Err("there is no HOME".to_owned()),
    };
    let (folder, fallback_reason) = match written {
        Ok(folder) => (Some(folder), None),
        Err(why) => {
            let only = "checkpoints are kept in the database alone, which cannot show that it was put back from an older copy";
            (
                None,
                Some(format!("{why}; {only}. Name a folder with --checkpoints")),
            )
        }
    };
    Ok(Database {
        location: Location::Server(Box::new(server.with_checkpoints(folder))),
        fallback_reason,
    })
}

/// The files that may be the database; none for a server or a bad address.
pub fn places(flag: Option<&Path>) -> Vec<PathBuf> {
    match flag.map(|flag| Location::parse(flag.as_os_str())) {
        Some(Ok(location)) => location.file().map(Path::to_path_buf).into_iter().collect(),
        Some(Err(_)) => Vec::new(),
        None => project_folder()
            .ok()
            .into_iter()
            .chain(data_folder())
            .map(|folder| folder.join(FILE))
            .collect(),
    }
}

/// Where the database would be looked for, without making anything.
pub fn existing_database(
    flag: Option<&Path>,
    checkpoints: Option<&Path>,
) -> Result<Location, String> {
    match named(flag, checkpoints)? {
        None => {}
        Some(Location::File(file)) => return Ok(Location::File(file)),
        Some(Location::Server(server)) => {
            let folder = checkpoints
                .map(absolute)
                .or_else(|| data_folder().map(|folder| absolute(&folder)));
            return Ok(Location::Server(Box::new(server.with_checkpoints(folder))));
        }
    }
    let project = project_folder()?.join(FILE);
    match data_folder().map(|folder| folder.join(FILE)) {
        Some(user) if !project.exists() && user.exists() => Ok(Location::File(user)),
        Some(_) | None => Ok(Location::File(project)),
    }
}

/// `.rollbook` in the project's or the current folder.
fn project_folder() -> Result<PathBuf, String> {
    let folder = base().join(".rollbook");
    if folder.is_symlink() {
        let folder = folder.display();
        return Err(format!(
            "{folder} is a symbolic link, which could lead anywhere; nothing was written. Remove it, or name a file with --db."
        ));
    }
    Ok(folder)
}

fn base() -> PathBuf {
    std::env::var_os(PROJECT)
        .filter(|folder| !folder.is_empty())
        .map_or_else(|| PathBuf::from("."), PathBuf::from)
}

/// The user's data folder, made where it is missing; `None` where it cannot be.
pub fn user_folder() -> Option<PathBuf> {
    data_folder().filter(|folder| own_folder(folder).is_ok())
}

/// `$XDG_DATA_HOME/rollbook`, else `~/.local/share/rollbook`.
fn data_folder() -> Option<PathBuf> {
    let set = |name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    set("XDG_DATA_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".local/share")))
        .map(|folder| folder.join("rollbook"))
}

/// What replies and checkpoints name must not depend on the folder the server was started in.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

fn own_folder(folder: &Path) -> std::io::Result<()> {
    make_folder(folder)?;
    let ignore = folder.join(".gitignore");
    if ignore.symlink_metadata().is_err() {
        write_new(&ignore, b"# The record of play stays on this machine.\n*\n")?;
    }
    // A folder may exist and still refuse files.
    tempfile::tempfile_in(folder).map(drop)
}

/// Never through a link, and never over what another start has just written.
fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}
