//! The command line as a person or a script meets it: words, exit codes 0, 1 and 2, and where things lie by default.

mod campaigns;
mod dice;
mod doctor;
mod kept;
mod mistaken;
mod places;
mod restoring;
mod verdicts;

use std::path::Path;
use std::process::{Command, Output};

use crate::process::rollbook;

/// What a command came to.
#[derive(Debug)]
struct Came {
    code: i32,
    out: String,
    err: String,
}

fn run(command: &mut Command) -> Came {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Came { code: status.code().expect("an exit code"), out: text(stdout), err: text(stderr) }
}

/// The program in that folder with these arguments.
fn ran(folder: &Path, arguments: &[&str]) -> Came {
    run(rollbook(folder).args(arguments))
}
