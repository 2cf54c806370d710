//! What `.mcp.json` starts: the built program at once, and nothing in between.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::process::Process;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The command of `.mcp.json`, run in that folder.
fn command(root: &Path) -> Command {
    let text = std::fs::read_to_string(format!("{ROOT}/.mcp.json")).expect("is there");
    let config: Value = serde_json::from_str(&text).expect("JSON");
    let server = &config["mcpServers"]["rollbook"];
    let mut command = Command::new(server["command"].as_str().expect("a command"));
    command.args(server["args"].as_array().expect("arguments").iter().filter_map(Value::as_str));
    command.current_dir(root).env_remove("CLAUDE_PROJECT_DIR").env_remove("CARGO_TARGET_DIR");
    command
}

/// A checkout in which that program was built.
fn checkout(program: Option<&Path>) -> TempDir {
    let root = TempDir::new().expect("a folder");
    for folder in ["target/debug", "src", "adventures"] {
        std::fs::create_dir_all(root.path().join(folder)).expect("is made");
    }
    std::fs::copy(format!("{ROOT}/serve.sh"), root.path().join("serve.sh")).expect("is copied");
    #[cfg(unix)]
    std::os::unix::fs::symlink(format!("{ROOT}/adventures/lockhouse"), root.path().join("adventures/lockhouse"))
        .expect("is made");
    if let Some(program) = program {
        std::fs::copy(program, root.path().join("target/debug/rollbook")).expect("is copied");
    }
    root
}

#[cfg(target_os = "linux")]
#[test]
fn the_built_program_answers_at_once_though_its_sources_are_newer_and_no_process_stands_between() {
    let root = checkout(Some(Path::new(env!("CARGO_BIN_EXE_rollbook"))));
    std::fs::write(root.path().join("src/lib.rs"), "this does not compile").expect("is written");
    let began = Instant::now();
    let mut server = Process::started(command(root.path()), Arc::new(TempDir::new().expect("a folder")));
    server.initialize();
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let program = std::fs::read_link(format!("/proc/{}/exe", server.id())).expect("is there");
    assert!(program.ends_with("target/debug/rollbook"), "{}", program.display());
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

#[cfg(unix)]
#[test]
fn where_nothing_is_built_it_says_what_to_build() {
    let root = checkout(None);
    let output = command(root.path()).stdin(Stdio::null()).output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{told}");
    assert!(told.contains("cargo build --release"), "{told}");
}

/// The client is a process of its own that is killed: everything of its server goes with it.
#[cfg(target_os = "linux")]
#[test]
fn the_server_goes_when_its_client_is_killed() {
    let root = checkout(Some(Path::new(env!("CARGO_BIN_EXE_rollbook"))));
    // The shell is the client. Its other child holds the server's input open, so that the end of the client is all there is.
    let script = "exec 3> >(exec sh serve.sh > answers); printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}' >&3; echo $!; sleep 30";
    let mut client = Command::new("bash");
    client.args(["-c", script]).current_dir(root.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut client = client.env_remove("CARGO_TARGET_DIR").spawn().expect("bash runs");
    let mut line = String::new();
    let mut output = std::io::BufReader::new(client.stdout.take().expect("its output"));
    std::io::BufRead::read_line(&mut output, &mut line).expect("a line");
    let alive =
        || std::fs::read_link(format!("/proc/{}/exe", line.trim())).is_ok_and(|program| program.ends_with("rollbook"));
    let within = |seconds: u64, what: &dyn Fn() -> bool| {
        let began = Instant::now();
        while !what() {
            assert!(began.elapsed() < Duration::from_secs(seconds), "too long; the server is {}", line.trim());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    within(20, &|| {
        std::fs::read_to_string(root.path().join("answers")).is_ok_and(|answers| answers.contains("\"id\":1"))
    });
    assert!(alive());
    client.kill().expect("is killed");
    client.wait().expect("ends");
    within(10, &|| !alive());
}
