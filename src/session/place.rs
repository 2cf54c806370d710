//! Where things lie: the adventure, the database, and the campaign's name.

use std::path::{Path, PathBuf};

/// The variable in which Claude Code names the project's folder.
const PROJECT: &str = "CLAUDE_PROJECT_DIR";

/// The adventure's folder: the flag, else the project's folder, else the current one.
pub fn adventure(flag: Option<&Path>) -> PathBuf {
    flag.map_or_else(base, Path::to_path_buf)
}

/// The database: the flag, else `.rollbook/campaigns.db` in the project's or the current folder, else in the user's data
/// folder when that one cannot be written. The folder is made (0700), with a `.gitignore` where it is our own.
///
/// # Errors
/// When no folder can be written, naming each that was tried.
pub fn database(flag: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = flag {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        make_folder(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        return Ok(path.to_path_buf());
    }
    let near = base().join(".rollbook");
    match own_folder(&near) {
        Ok(()) => Ok(near.join("campaigns.db")),
        Err(first) => {
            let far = data_folder().ok_or_else(|| {
                format!("cannot write {}: {first}, and there is no HOME. Name a file with --db.", near.display())
            })?;
            own_folder(&far).map_err(|second| {
                format!(
                    "cannot write {}: {first}, nor {}: {second}. Name a file with --db.",
                    near.display(),
                    far.display()
                )
            })?;
            Ok(far.join("campaigns.db"))
        }
    }
}

/// Where the database would be looked for, without making anything.
pub fn existing_database(flag: Option<&Path>) -> PathBuf {
    if let Some(path) = flag {
        return path.to_path_buf();
    }
    let near = base().join(".rollbook").join("campaigns.db");
    match data_folder().map(|folder| folder.join("campaigns.db")) {
        Some(far) if !near.exists() && far.exists() => far,
        _ => near,
    }
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

fn own_folder(folder: &Path) -> std::io::Result<()> {
    make_folder(folder)?;
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        std::fs::write(&ignore, "# The record of play stays on this machine.\n*\n")?;
    }
    // A folder may exist and still refuse files.
    let probe = folder.join(format!(".writable-{}", std::process::id()));
    std::fs::write(&probe, b"")?;
    std::fs::remove_file(&probe)
}

fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
