//! The adventure's folder: read, never written, and never left. What cannot be read is reported, and play goes on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::SourceFile;
use crate::game::table::Setting;
use crate::rules::{self, Reading};

/// Bounds of a folder.
const FILES_MAX: usize = 200;
const FILE_BYTES_MAX: u64 = 10_000_000;

/// An adventure as it lies on disk.
#[derive(Debug, Clone)]
pub struct Adventure {
    /// The folder's name.
    pub name: String,
    /// The folder, resolved.
    pub folder: PathBuf,
    pub reading: Reading,
    /// What could not be read at all, one sentence each.
    pub problems: Vec<String>,
}

impl Adventure {
    /// Reads the folder. Only a folder that does not exist is an error; everything else is a problem to report.
    pub fn read(folder: &Path) -> Result<Adventure, String> {
        let folder = folder.canonicalize().map_err(|error| {
            format!("there is no adventure at {}: {error}. Name a folder with --adventure.", folder.display())
        })?;
        if !folder.is_dir() {
            return Err(format!(
                "{} is not a folder. An adventure is a folder with a System.md in it.",
                folder.display()
            ));
        }
        let name =
            folder.file_name().map_or_else(|| "adventure".to_owned(), |name| name.to_string_lossy().into_owned());
        let mut problems = Vec::new();
        let files = sources(&folder, &mut problems);
        Ok(Adventure { name, folder, reading: rules::read(files), problems })
    }

    /// The files beside the rules that hold playtests, `tests/*.md`; what cannot be read is one sentence each.
    pub fn tests(&self) -> (Vec<SourceFile>, Vec<String>) {
        let mut problems = Vec::new();
        let files = listed(&self.folder, "tests", &mut problems);
        (files, problems)
    }

    /// What a campaign of that name is played with.
    pub fn setting(&self, campaign: String) -> Setting {
        let reading = &self.reading;
        Setting {
            system: Arc::new(reading.system.clone()),
            rules_hash: if reading.system.narrative { String::new() } else { reading.hash.clone() },
            rules_files: reading.sources.iter().map(|(_, file)| file.name.clone()).collect(),
            adventure: self.name.clone(),
            campaign,
            campaign_uuid: String::new(),
        }
    }

    /// Whether the rules have a mistake that was reported as an error.
    pub fn is_sound(&self) -> bool {
        use crate::diagnostic::Severity;
        self.problems.is_empty()
            && !self.reading.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// `System.md` and `System/*.md` in name order; that both are there is the reader's to remark on.
fn sources(folder: &Path, problems: &mut Vec<String>) -> Vec<SourceFile> {
    let mut files = Vec::new();
    let single = folder.join("System.md");
    if single.exists() || single.is_symlink() {
        files.extend(read_file(folder, &single, "System.md", problems));
    }
    files.extend(listed(folder, "System", problems));
    files
}

/// The Markdown files of a folder in the adventure, in name order; none when there is no such folder.
fn listed(folder: &Path, below: &str, problems: &mut Vec<String>) -> Vec<SourceFile> {
    let many = folder.join(below);
    let Ok(listing) = std::fs::read_dir(&many) else { return Vec::new() };
    let mut names: Vec<String> = listing
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".md"))
        .collect();
    names.sort();
    if names.len() > FILES_MAX {
        problems.push(format!("{below}/ holds {} files; the first {FILES_MAX} are read.", names.len()));
        names.truncate(FILES_MAX);
    }
    names.iter().filter_map(|name| read_file(folder, &many.join(name), &format!("{below}/{name}"), problems)).collect()
}

fn read_file(folder: &Path, path: &Path, name: &str, problems: &mut Vec<String>) -> Option<SourceFile> {
    match read_within(folder, path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Some(SourceFile::new(name, text)),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let line = 1 + error.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count();
                problems.push(format!("{name}:{line}: byte {offset} is not UTF-8; save the file as UTF-8. What follows from it may be wrong."));
                Some(SourceFile::new(name, String::from_utf8_lossy(error.as_bytes()).into_owned()))
            }
        },
        Err(problem) => {
            problems.push(format!("{name}: {problem}"));
            None
        }
    }
}

/// The bytes of a file that truly lies in the folder, symbolic links resolved.
fn read_within(folder: &Path, path: &Path) -> Result<Vec<u8>, String> {
    let real = path.canonicalize().map_err(|error| format!("cannot be read: {error}"))?;
    if !real.starts_with(folder) {
        return Err(
            "it is a link out of the adventure's folder, which is refused. Copy the file into the folder.".to_owned()
        );
    }
    let about = real.metadata().map_err(|error| format!("cannot be read: {error}"))?;
    if !about.is_file() {
        return Err("it is no regular file. Put a Markdown file in its place.".to_owned());
    }
    let size = about.len();
    if size > FILE_BYTES_MAX {
        return Err(format!("it is {size} bytes long; at most {FILE_BYTES_MAX} are read. Split it into System/*.md."));
    }
    std::fs::read(&real).map_err(|error| format!("cannot be read: {error}"))
}
