//! What is no regular file: reading a FIFO waits for ever, and a device holds no log.

use std::fs::{FileType, Metadata};
use std::path::Path;

/// What is there, where it is something else than a regular file; a link counts as one.
pub fn at(path: &Path) -> Option<&'static str> {
    special(path.symlink_metadata())
}

/// The same, where a link counts as what it leads to.
pub fn followed(path: &Path) -> Option<&'static str> {
    special(path.metadata())
}

fn special(about: std::io::Result<Metadata>) -> Option<&'static str> {
    let kind = about.ok()?.file_type();
    match kind {
        _ if kind.is_file() => None,
        _ if kind.is_symlink() => Some("a symbolic link"),
        _ if kind.is_dir() => Some("a folder"),
        _ => Some(rarer(kind)),
    }
}

#[cfg(unix)]
fn rarer(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_fifo() => "a pipe (FIFO)",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn rarer(_: FileType) -> &'static str {
    "no regular file"
}
