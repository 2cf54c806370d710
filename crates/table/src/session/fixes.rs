//! Writing fixes into the author's files, only where they asked for it: a whole file or nothing.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use rollbook_text::diagnostic::{Fix, Sources, edited};

/// Applies the fixes below `folder`; answers each changed file with its number of edits. Errors:
/// the first file that cannot be written, or changed since it was read: no work is overwritten.
pub fn apply(
    folder: &Path,
    sources: &Sources,
    edits: &[Fix],
) -> Result<Vec<(String, usize)>, String> {
    let mut changed = Vec::new();
    for (id, file) in sources.iter() {
        let (text, made) = edited(&file.text, edits.iter().filter(|edit| edit.span.file == id));
        if made == 0 || text == file.text {
            continue;
        }
        let path = folder.join(&file.name);
        let shown = path.display();
        let now = std::fs::read(&path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        if now != file.text.as_bytes() {
            return Err(format!(
                "{shown} was changed meanwhile, so it was left alone. Run the command again."
            ));
        }
        replace(&path, text.as_bytes())
            .map_err(|error| format!("cannot write {shown}: {error}"))?;
        changed.push((file.name.clone(), made));
    }
    Ok(changed)
}

/// Replaces a file, keeping permissions; readers find the old or the new. Errors: the old is there.
pub fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let real: PathBuf = path.canonicalize()?;
    let folder = real.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".rollbook-")
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file()
        .set_permissions(std::fs::metadata(&real)?.permissions())?;
    file.as_file().sync_all()?;
    file.persist(&real).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollbook_text::diagnostic::{FileId, SourceFile, Span};

    #[test]
    fn a_file_that_changed_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("System.md");
        let sources = Sources::new(vec![SourceFile::new("System.md", "old text")]);
        let edits = [Fix {
            span: Span::new(FileId(0), 0..3),
            replacement: "new".to_owned(),
            message: String::new(),
        }];
        std::fs::write(&path, "old text").unwrap();
        assert_eq!(
            apply(folder.path(), &sources, &edits),
            Ok(vec![("System.md".to_owned(), 1)])
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new text");
        assert!(
            apply(folder.path(), &sources, &edits)
                .unwrap_err()
                .contains("was changed meanwhile")
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new text");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "nothing is left behind"
        );
    }
}
