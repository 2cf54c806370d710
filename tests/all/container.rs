//! The program as it is in a container: static and alone in a read-only root, not root.
//! `tests/container/run` links it, makes the root, and runs in it the tests that are left out
//! elsewhere. Beside that, what `compose.yaml` promises.

use std::net::UdpSocket;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::http::keys::bearer;
use crate::http::web::Web;

const CONTAINERFILE: &str = include_str!("../../Containerfile");
/// Names that are found: in `/etc/hosts`, and by asking the name server.
const LISTED: &str = "listed.example";
const SERVED: &str = "served.example";

/// What stands after an instruction of the last stage, as JSON.
fn instruction(name: &str) -> Vec<String> {
    let line = CONTAINERFILE
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix(name))
        .expect("the instruction");
    serde_json::from_str(&line[line.find('[').expect("a list")..]).expect("a list")
}

#[track_caller]
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is missing: run tests/container/run"))
}

/// A program with these arguments, in the root, as the image's user, in its folder and with its
/// environment.
fn container(program: &[String]) -> Command {
    let user = variable("ROLLBOOK_USER");
    let mut command = Command::new("unshare");
    command.args(["--root", &variable("ROLLBOOK_ROOT"), "--wd", "/data"]);
    // The only user of a namespace that was made without root cannot become another.
    if user != "0" {
        command.args(["--setuid", &user, "--setgid", &user]);
    }
    command
        .arg("--")
        .args(program)
        .env_clear()
        .env("PATH", variable("PATH"))
        .env("HOME", "/data");
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// The same as `podman run rollbook ARGUMENTS` starts it.
fn rollbook(arguments: &[&str]) -> Command {
    let arguments = arguments.iter().map(|argument| (*argument).to_owned());
    container(
        &instruction("ENTRYPOINT ")
            .into_iter()
            .chain(arguments)
            .collect::<Vec<_>>(),
    )
}

fn output(mut command: Command) -> Output {
    command.stdout(Stdio::piped()).output().expect("it ends")
}

#[track_caller]
fn ends_well(arguments: &[&str]) -> String {
    let output = output(rollbook(arguments));
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// A name server that knows one name.
fn name_server() {
    let socket = UdpSocket::bind("127.0.0.1:53").expect("the network is its own");
    std::thread::spawn(move || {
        let mut question = [0; 512];
        while let Ok((length, from)) = socket.recv_from(&mut question) {
            let wanted: Vec<u8> = SERVED
                .split('.')
                .flat_map(|part| [&[part.len() as u8], part.as_bytes()].concat())
                .chain([0])
                .collect();
            let is_wanted = question[12..length].starts_with(&wanted);
            // Past the name: its kind (1 is an address of four bytes), its class.
            let end = 12
                + question[12..length]
                    .iter()
                    .position(|byte| *byte == 0)
                    .expect("the end of the name")
                + 5;
            let is_address = question[end - 4..end - 2] == [0, 1];
            let mut answer = question[..end].to_vec();
            let found = is_wanted && is_address;
            answer[2..12].copy_from_slice(&[
                0x81,
                if is_wanted { 0x80 } else { 0x83 },
                0,
                1,
                0,
                u8::from(found),
                0,
                0,
                0,
                0,
            ]);
            if found {
                answer.extend([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
            }
            socket.send_to(&answer, from).expect("it is sent");
        }
    });
}

#[test]
#[ignore = "tests/container/run"]
fn it_starts_serves_writes_ends_and_verifies() {
    let key = ends_well(&["key", "new", "--campaign", "North", "--seat", "gm"])
        .trim()
        .to_owned();
    let command = container(&[instruction("ENTRYPOINT "), instruction("CMD ")].concat());
    let server = Web::of(command, Arc::new(tempfile::tempdir().expect("a folder")));
    let gm = bearer(&key);
    let rolled = server.call(
        &[("Authorization", &gm)],
        "roll_dice",
        json!({"expression": "2d6", "context": "in a box"}),
    );
    assert!(rolled.content()["log"].is_u64(), "{rolled:?}");
    assert_eq!(server.ask("POST", "/mcp", &[], b"{}").status, 401);
    let check = instruction("HEALTHCHECK ");
    let healthy = output(container(&check));
    assert!(healthy.status.success(), "{check:?}: {healthy:?}");

    // Errors alone, each line JSON.
    let printed = server.says("rollbook serves");
    let lines: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 1, "{printed}");

    // `unshare` became the program, so the signal is the program's.
    server.signal("TERM");
    assert_eq!(server.wait().code(), Some(0));
    ends_well(&["verify"]);
    ends_well(&[
        "export",
        "--format",
        "jsonl",
        "--audience",
        "gm",
        "--out",
        "/data/log.jsonl",
    ]);
    let data = Path::new(&variable("ROLLBOOK_ROOT")).join("data");
    let log = std::fs::read_to_string(data.join("log.jsonl")).expect("the export");
    assert!(log.contains("in a box"), "{log}");
    let owner = std::fs::metadata(data.join(".rollbook/campaigns.db"))
        .expect("the database")
        .uid();
    assert_eq!(owner.to_string(), variable("ROLLBOOK_USER"));

    for folder in ["/", "/adventure"] {
        let elsewhere = format!("{folder}/campaigns.db");
        let refused = output(rollbook(&[
            "key",
            "new",
            "--campaign",
            "North",
            "--seat",
            "gm",
            "--db",
            &elsewhere,
        ]));
        assert!(
            !refused.status.success(),
            "{folder} cannot be written: {refused:?}"
        );
    }
}

#[test]
#[ignore = "tests/container/run"]
fn names_are_found_in_the_list_and_by_the_name_server() {
    name_server();
    let options = [
        "serve",
        "--adventure",
        "/adventure",
        "--db",
        "/data/named.db",
        "--http",
        "127.0.0.1:0",
    ];
    let names = ["--host", LISTED, "--host", SERVED];
    let server = Web::of(
        rollbook(&[&options[..], &names].concat()),
        Arc::new(tempfile::tempdir().expect("a folder")),
    );
    let at = |name: &str| format!("http://{name}:{}/readyz", server.address.port());
    for name in ["localhost", LISTED, SERVED] {
        ends_well(&["healthy", &at(name)]);
    }
    let unknown = output(rollbook(&["healthy", &at("unknown.example")]));
    let text = String::from_utf8_lossy(&unknown.stderr);
    assert!(
        unknown.status.code() == Some(1) && text.contains("failed to lookup address"),
        "{unknown:?}"
    );
}

#[test]
fn every_service_of_compose_is_checked_and_confined() {
    let compose: Value = yaml_serde::from_str(include_str!("../../compose.yaml")).expect("YAML");
    let services = compose["services"].as_object().expect("services");
    assert_eq!(services.len(), 2);
    for (name, service) in services {
        assert_eq!(
            (&service["read_only"], &service["cap_drop"]),
            (&json!(true), &json!(["ALL"])),
            "{name}"
        );
        assert_eq!(service["healthcheck"]["test"][0], "CMD", "{name}");
        for volume in service["volumes"].as_array().expect("volumes") {
            let source = volume
                .as_str()
                .and_then(|volume| volume.split_once(':'))
                .expect("a volume")
                .0;
            let is_named = compose["volumes"].get(source).is_some();
            assert!(is_named || source.starts_with("${ADVENTURE"), "{volume}");
        }
        // No password is in the file.
        for (key, value) in service["environment"].as_object().expect("an environment") {
            let is_read = value
                .as_str()
                .expect("text")
                .starts_with("${DATABASE_PASSWORD:?");
            assert_eq!(is_read, key.ends_with("PASSWORD"), "{key}");
        }
    }
    let rollbook = &services["rollbook"];
    assert_eq!(
        rollbook["healthcheck"]["test"][1],
        instruction("ENTRYPOINT ")[0]
    );
    assert_eq!(
        rollbook["depends_on"]["database"]["condition"],
        "service_healthy"
    );
}

#[test]
fn the_program_takes_the_arguments_of_compose() {
    let compose: Value = yaml_serde::from_str(include_str!("../../compose.yaml")).expect("YAML");
    let command = compose["services"]["rollbook"]["command"]
        .as_array()
        .expect("arguments");
    let folder = tempfile::tempdir().expect("a folder");
    // What is wrong is reported in order, so everything before the last argument is right.
    let mut program = crate::process::rollbook(folder.path());
    program
        .args(
            command
                .iter()
                .map(|argument| argument.as_str().expect("text")),
        )
        .arg("--no-such-flag");
    let errors = program.output().expect("it ends").stderr;
    let words = String::from_utf8_lossy(&errors);
    assert!(
        words.contains("unexpected argument '--no-such-flag'"),
        "{words}"
    );
}
