//! The paths of the adventure and of the database.
//!
//! `.rollbook` is made by us in a folder that somebody else may have prepared, so a symbolic link in its place is refused: the
//! record of play would be written wherever it leads. A database named with `--db` is looked at when it is opened.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

/// The variable in which Claude Code names the project's folder.
const PROJECT: &str = "CLAUDE_PROJECT_DIR";
const FILE: &str = "campaigns.db";

/// Where the database is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database {
    /// Its file, absolute.
    pub file: PathBuf,
    /// Why it lies in the user's data folder and not in the project's, in a sentence for the person at the keyboard.
    pub fallback_reason: Option<String>,
}

/// The adventure's folder: the flag, else the project's folder, else the current one.
pub fn adventure(flag: Option<&Path>) -> PathBuf {
    flag.map_or_else(base, Path::to_path_buf)
}

/// The database: the flag, else `.rollbook/campaigns.db` in the project's or the current folder, else in the user's data
/// folder when that one cannot be written. The folder is made (0700), with a `.gitignore` where it is our own.
///
/// # Errors
/// When no folder can be written, naming each that was tried, and when `.rollbook` is a symbolic link.
pub fn database(flag: Option<&Path>) -> Result<Database, String> {
    if let Some(path) = flag {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        make_folder(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        return Ok(Database { file: absolute(path), fallback_reason: None });
    }
    let project = project_folder()?;
    let first = match own_folder(&project) {
        Ok(()) => return Ok(Database { file: absolute(&project.join(FILE)), fallback_reason: None }),
        Err(first) => format!("cannot write {}: {first}", project.display()),
    };
    let user = data_folder().ok_or_else(|| format!("{first}, and there is no HOME. Name a file with --db."))?;
    own_folder(&user).map_err(|second| format!("{first}, nor {}: {second}. Name a file with --db.", user.display()))?;
    let file = absolute(&user.join(FILE));
    let fallback_reason = format!("{first}; the campaigns are kept in {} instead", file.display());
    Ok(Database { file, fallback_reason: Some(fallback_reason) })
}

/// Where the database would be looked for, without making anything.
///
/// # Errors
/// When `.rollbook` is a symbolic link.
pub fn existing_database(flag: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = flag {
        return Ok(path.to_path_buf());
    }
    let project = project_folder()?.join(FILE);
    match data_folder().map(|folder| folder.join(FILE)) {
        Some(user) if !project.exists() && user.exists() => Ok(user),
        Some(_) | None => Ok(project),
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
    std::env::var_os(PROJECT).filter(|folder| !folder.is_empty()).map_or_else(|| PathBuf::from("."), PathBuf::from)
}

/// `$XDG_DATA_HOME/rollbook`, else `~/.local/share/rollbook`.
fn data_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
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

fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
