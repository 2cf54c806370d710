//! Rules of other folders, read below `--adventures` only; symbolic links are not followed.

use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use super::adventure::sources;
use rollbook_rules::base::{Base, builtin_only};
use rollbook_text::diagnostic::SourceFile;

/// The folder that `--adventures` names, resolved.
static SHELF: OnceLock<PathBuf> = OnceLock::new();

/// Reads bases below this folder from now on. Errors: there is none, or another was named before.
pub fn read_below(folder: &Path) -> Result<(), String> {
    let real = folder.canonicalize().map_err(|error| {
        format!(
            "cannot read the folder of adventures {}: {error}. Name another with --adventures",
            folder.display()
        )
    })?;
    if !real.is_dir() {
        return Err(format!(
            "{} is no folder. Name one with --adventures",
            folder.display()
        ));
    }
    SHELF
        .set(real)
        .map_err(|_| "--adventures is named once".to_owned())
}

pub(crate) struct Bases<'f> {
    adventure: &'f Path,
    shelf: Option<&'f Path>,
    pub folders: Vec<PathBuf>,
}

impl<'f> Bases<'f> {
    pub fn of(adventure: &'f Path) -> Self {
        Bases {
            adventure,
            shelf: SHELF.get().map(PathBuf::as_path),
            folders: Vec::new(),
        }
    }

    /// The base of that name, for [`rollbook_rules::base::Find`]. Errors: why not, and what to do.
    pub fn find(&mut self, from: &str, name: &str) -> Result<Base, String> {
        let Some(shelf) = self.shelf.filter(|_| !name.starts_with("builtin:")) else {
            return builtin_only(from, name);
        };
        let begin = if from.is_empty() {
            self.adventure.to_path_buf()
        } else {
            shelf.join(from)
        };
        let folder = plain(&begin.join(name));
        let id = folder
            .strip_prefix(shelf)
            .ok()
            .and_then(Path::to_str)
            .filter(|id| !id.is_empty());
        let id = id.map(str::to_owned).ok_or_else(|| {
            format!(
                "it leads out of {}, the folder of --adventures",
                shelf.display()
            )
        })?;
        let real = folder.canonicalize().map_err(|_| {
            let bare = name.strip_prefix("builtin").unwrap_or(name).trim();
            let meant = builtin_only(from, &format!("builtin:{bare}")).ok();
            let meant = meant
                .map(|base| format!(". The program has one of that name: `- Base: {}`", base.id));
            format!(
                "there is no folder {id} in {}{}",
                shelf.display(),
                meant.unwrap_or_default()
            )
        })?;
        if real != folder {
            return Err(format!(
                "{id} is a symbolic link or lies below one, which is not followed. Name the folder itself"
            ));
        }
        if real == self.adventure {
            return Err("it is this adventure itself".to_owned());
        }
        let is_link = |path: &PathBuf| {
            path.symlink_metadata()
                .is_ok_and(|about| about.is_symlink())
        };
        let inside = std::fs::read_dir(folder.join("System"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|file| file.path());
        let mut read = [folder.join("System.md"), folder.join("System")]
            .into_iter()
            .chain(inside);
        if let Some(link) = read.find(is_link) {
            let link = link
                .strip_prefix(shelf)
                .unwrap_or(&link)
                .display()
                .to_string();
            return Err(format!(
                "{link} is a symbolic link, which is not followed. Put the file itself there"
            ));
        }
        let mut problems = Vec::new();
        let files = sources(&folder, &mut problems);
        if let Some(problem) = problems.first() {
            return Err(format!("{id}/{}", problem.message));
        }
        if files.is_empty() {
            return Err(format!("there is no System.md in {id}"));
        }
        self.folders.push(folder);
        let cited = |file: SourceFile| SourceFile {
            name: format!("{id}/{}", file.name),
            ..file
        };
        Ok(Base {
            files: files.into_iter().map(cited).collect(),
            id,
        })
    }
}

/// The path without `.` and `..`, as it is written.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
