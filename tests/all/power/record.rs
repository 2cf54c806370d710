//! What a program does to the files of a folder, recorded by strace: every write, sync, cut, new
//! name and removal with its bytes, and what it answers on its output, in their order.
//!
//! The index of the log file (`-shm`) is memory that processes share; a start after a loss of power
//! makes it anew, so it is left out.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The calls of the system that change a file or a name, or write an answer; with those of its kind
/// that the program does not make, so that it is noticed when it begins to.
const CALLS: &str = "trace=?open,openat,?openat2,?creat,write,writev,pwrite64,pwritev,pwritev2,copy_file_range,\
                     sendfile,fallocate,truncate,ftruncate,fsync,fdatasync,sync_file_range,?rename,?renameat,\
                     renameat2,?link,linkat,?symlink,symlinkat,?unlink,unlinkat";

/// One thing that happened. A file is a number: its names come and go.
pub enum Step {
    /// A file has a name, instead of the one before.
    Named {
        file: usize,
        name: PathBuf,
        before: Option<PathBuf>,
    },
    Removed(PathBuf),
    Changed {
        file: usize,
        change: Change,
    },
    /// What the first so many steps changed in a file is on the disk.
    Synced {
        file: usize,
        steps: usize,
    },
    /// The names in a folder are, as the first so many steps left them.
    SyncedNames {
        folder: PathBuf,
        steps: usize,
    },
    /// These bytes began to be written to the client.
    Answered(Vec<u8>),
}

/// A change of what a file holds.
pub enum Change {
    Written { at: usize, bytes: Vec<u8> },
    Cut(usize),
}

/// All that happened in a folder.
pub struct Record {
    folder: PathBuf,
    pub steps: Vec<Step>,
    names: BTreeMap<PathBuf, usize>,
    /// How long each file is now.
    lengths: Vec<usize>,
}

/// A call of the system as strace prints it.
struct Call<'a> {
    name: &'a str,
    /// The first open file that it names.
    open: Option<PathBuf>,
    /// Its paths that are texts.
    paths: Vec<PathBuf>,
    /// All bytes of its texts.
    bytes: Vec<u8>,
    /// Its arguments after the last text: flags and numbers.
    rest: &'a str,
    result: &'a str,
}

impl Record {
    /// Of a folder in which nothing has happened.
    pub fn of(folder: &Path) -> Record {
        Record {
            folder: folder.canonicalize().expect("is there"),
            steps: Vec::new(),
            names: BTreeMap::new(),
            lengths: Vec::new(),
        }
    }

    /// A command, traced to that file; `None` where strace is missing.
    /// `ROLLBOOK_STRACE=required` wants it.
    pub fn tracing(&self, program: &Command, trace: &Path) -> Option<Command> {
        if Command::new("strace").arg("-V").output().is_err() {
            assert!(
                std::env::var_os("ROLLBOOK_STRACE").is_none(),
                "strace is missing. Install it (Debian: apt-get install strace)"
            );
            eprintln!("strace is missing: no loss of power is tried");
            return None;
        }
        let mut traced = Command::new("strace");
        traced.args("-f -qq -y -xx -s 1000000 -e signal=none --seccomp-bpf -o".split(' '));
        traced.arg(trace).args(["-e", CALLS]);
        traced.arg(program.get_program()).args(program.get_args());
        traced.current_dir(&self.folder);
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => traced.env(name, value),
                None => traced.env_remove(name),
            };
        }
        Some(traced)
    }

    /// Adds what a program did, as strace printed it.
    pub fn add(&mut self, trace: &str) {
        // What a thread began, and how many steps there were.
        let mut begun: HashMap<&str, (&str, usize)> = HashMap::new();
        for line in trace.lines() {
            let (thread, text) = line.split_once(' ').expect("a thread");
            let text = text.trim_start();
            if let Some(start) = text.strip_suffix(" <unfinished ...>") {
                begun.insert(thread, (start, self.steps.len()));
                self.begin(&Call::read(start, ""));
            } else if let Some(rest) = text.strip_prefix("<... ") {
                let (start, steps) = begun.remove(thread).expect("was begun");
                let (_, rest) = rest.split_once(" resumed>").expect("goes on");
                let whole = format!("{start}{rest}");
                let (call, result) = whole.rsplit_once(" = ").expect("a result");
                self.end(&Call::read(call, result), steps);
            } else {
                let (call, result) = text.rsplit_once(" = ").expect("a result");
                let (call, steps) = (Call::read(call, result), self.steps.len());
                self.begin(&call);
                self.end(&call, steps);
            }
        }
    }

    /// A client may have an answer before the call that writes it returns.
    fn begin(&mut self, call: &Call<'_>) {
        if call.answers() {
            self.steps.push(Step::Answered(call.bytes.clone()));
        }
    }

    /// What the call did, which it began after so many steps.
    fn end(&mut self, call: &Call<'_>, steps: usize) {
        if let Some(Step::Answered(bytes)) = self.steps.get_mut(steps)
            && call.answers()
        {
            // The client was slow, and the rest of it is written again.
            bytes.truncate(call.result.parse().unwrap_or(0));
        }
        let names = call.names();
        // The index is memory, and a file that was removed while it is open leaves nothing.
        let Some(name) = names.first().filter(|name| {
            let text = name.to_string_lossy();
            name.starts_with(&self.folder)
                && !text.ends_with("-shm")
                && !text.ends_with(" (deleted)")
        }) else {
            return;
        };
        let file = self.names.get(name).copied();
        let there = || file.unwrap_or_else(|| panic!("{} is not known", name.display()));
        match call.name {
            "openat" if call.rest.contains("O_TRUNC") => panic!("a cut is not recorded: {name:?}"),
            "openat" if file.is_none() && call.rest.contains("O_CREAT") => {
                let file = self.lengths.len();
                self.lengths.push(0);
                self.names.insert(name.clone(), file);
                self.steps.push(Step::Named {
                    file,
                    name: name.clone(),
                    before: None,
                });
            }
            "openat" => {}
            "write" | "pwrite64" => {
                let file = there();
                let bytes = call.bytes[..call.result.parse().expect("a number")].to_vec();
                // What has no place goes to the end: the program writes so in no other way.
                let at = match call.name {
                    "write" => self.lengths[file],
                    _ => call.last(),
                };
                self.lengths[file] = self.lengths[file].max(at + bytes.len());
                let change = Change::Written { at, bytes };
                self.steps.push(Step::Changed { file, change });
            }
            "ftruncate" => {
                let (file, length) = (there(), call.last());
                self.lengths[file] = length;
                let change = Change::Cut(length);
                self.steps.push(Step::Changed { file, change });
            }
            "fsync" | "fdatasync" => self.steps.push(match file {
                Some(file) => Step::Synced { file, steps },
                None => Step::SyncedNames {
                    folder: name.clone(),
                    steps,
                },
            }),
            "rename" | "renameat" | "renameat2" => {
                let (file, before, name) = (there(), Some(name.clone()), names[1].clone());
                self.names.retain(|_, of| *of != file);
                self.names.insert(name.clone(), file);
                self.steps.push(Step::Named { file, name, before });
            }
            "unlink" | "unlinkat" if call.rest.contains("AT_REMOVEDIR") => {}
            "unlink" | "unlinkat" => {
                self.names.remove(name);
                self.steps.push(Step::Removed(name.clone()));
            }
            other => panic!("what {other} does to {} is not recorded", name.display()),
        }
    }

    /// A path of the record in another folder.
    pub fn moved(&self, name: &Path, to: &Path) -> PathBuf {
        to.join(name.strip_prefix(&self.folder).expect("is within"))
    }
}

impl<'a> Call<'a> {
    fn read(text: &'a str, result: &'a str) -> Call<'a> {
        let (name, arguments) = text.split_once('(').expect("a call");
        let arguments = arguments.trim_end().trim_end_matches(')');
        let rest = arguments.rsplit('"').next().unwrap_or_default();
        let (mut open, mut folder) = (None, PathBuf::new());
        let (mut paths, mut bytes) = (Vec::new(), Vec::new());
        for argument in arguments.split(", ") {
            if let Some((_, text)) = argument.split_once('"') {
                let text = unescaped(text.split('"').next().unwrap_or_default());
                paths.push(folder.join(OsString::from_vec(text.clone())));
                bytes.extend(text);
            } else if let Some(path) = path_of(argument) {
                open.get_or_insert(path.clone());
                folder = path;
            }
        }
        Call {
            name,
            open,
            paths,
            bytes,
            rest,
            result,
        }
    }

    /// The number that is its last argument.
    fn last(&self) -> usize {
        let last = self.rest.rsplit(", ").next();
        last.and_then(|last| last.parse().ok()).expect("a number")
    }

    /// Whether it writes to the output.
    fn answers(&self) -> bool {
        let open = self.open.as_ref().map(|path| path.to_string_lossy());
        matches!(self.name, "write" | "writev")
            && open.is_some_and(|path| path.starts_with("pipe:"))
    }

    /// The names that it is about, where it succeeded.
    fn names(&self) -> Vec<PathBuf> {
        if self.result.starts_with(['-', '?']) {
            return Vec::new();
        }
        match self.name {
            "openat" => path_of(self.result).into_iter().collect(),
            "write" | "pwrite64" => self.open.iter().cloned().collect(),
            _ if self.paths.is_empty() => self.open.iter().cloned().collect(),
            _ => self.paths.clone(),
        }
    }
}

/// The path in `9<\x2f\x74>`.
fn path_of(text: &str) -> Option<PathBuf> {
    let (_, path) = text.split_once('<')?;
    let (path, _) = path.split_once('>')?;
    Some(OsString::from_vec(unescaped(path)).into())
}

/// The bytes of `\x2f\x74`.
fn unescaped(text: &str) -> Vec<u8> {
    let digit = |digit: u8| (digit as char).to_digit(16).expect("hex") as u8;
    let bytes = text.as_bytes().chunks_exact(4);
    bytes
        .map(|byte| digit(byte[2]) << 4 | digit(byte[3]))
        .collect()
}
