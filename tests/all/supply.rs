//! `deny.toml` holds for every crate of `Cargo.lock`, as far as no database of advisories is
//! needed.

use std::process::Command;

use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// The one registry that cargo calls crates.io.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn table(file: &str) -> toml::Table {
    std::fs::read_to_string(format!("{ROOT}/{file}"))
        .expect(file)
        .parse()
        .expect(file)
}

/// The crates that are built on this machine, as cargo describes them.
fn packages() -> Vec<Value> {
    let cargo = Command::new(env!("CARGO"))
        .current_dir(ROOT)
        .args(["metadata", "--locked", "--format-version=1"])
        .output();
    let cargo = cargo.expect("cargo runs");
    assert!(
        cargo.status.success(),
        "{}",
        String::from_utf8_lossy(&cargo.stderr)
    );
    let described: Value = serde_json::from_slice(&cargo.stdout).expect("JSON");
    described["packages"].as_array().expect("packages").clone()
}

/// The manifest of each package of the workspace.
fn manifests() -> Vec<String> {
    let crates = std::fs::read_dir(format!("{ROOT}/crates"))
        .expect("lists")
        .map(|entry| entry.expect("a folder").file_name());
    let crates = crates.map(|folder| format!("crates/{}/Cargo.toml", folder.to_string_lossy()));
    ["Cargo.toml", "fuzz/Cargo.toml"]
        .map(str::to_owned)
        .into_iter()
        .chain(crates)
        .collect()
}

fn is_allowed(licence: &str, allowed: &[&str]) -> bool {
    // Older crates write a slash for OR.
    let read = spdx::Expression::parse_mode(licence, spdx::ParseMode::LAX);
    read.is_ok_and(|read| {
        read.evaluate(|one| {
            one.license
                .id()
                .is_some_and(|id| allowed.contains(&id.name))
        })
    })
}

#[test]
fn every_crate_has_an_allowed_licence() {
    let deny = table("deny.toml");
    let allowed: Vec<&str> = deny["licenses"]["allow"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(toml::Value::as_str)
        .collect();
    let all = packages();
    assert!(all.len() > 100, "{} crates", all.len());
    let refused =
        |package: &&Value| !is_allowed(package["license"].as_str().unwrap_or_default(), &allowed);
    let refused: Vec<_> = all
        .iter()
        .filter(refused)
        .map(|row| (&row["name"], &row["license"]))
        .collect();
    assert!(refused.is_empty(), "{refused:?}");
    assert!(!is_allowed("GPL-3.0-only", &allowed) && !is_allowed("MIT AND GPL-3.0-only", &allowed));
}

#[test]
fn every_crate_comes_from_the_registry_and_none_is_banned() {
    let (lock, deny) = (table("Cargo.lock"), table("deny.toml"));
    let banned: Vec<&str> = deny["bans"]["deny"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["crate"].as_str())
        .collect();
    assert!(!banned.is_empty());
    for package in lock["package"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        assert!(!banned.contains(&name), "{name} is banned in deny.toml");
        let source = package.get("source").and_then(toml::Value::as_str);
        let is_ours = name == "rollbook" || name.starts_with("rollbook-");
        assert_eq!(source, (!is_ours).then_some(REGISTRY), "{name}");
    }
}

#[test]
fn no_dependency_takes_any_version() {
    let manifest = table("Cargo.toml");
    let mut sections = vec![manifest["workspace"]["dependencies"].clone()];
    for file in manifests() {
        let table = table(&file);
        sections.extend(
            ["dependencies", "dev-dependencies"]
                .iter()
                .filter_map(|name| table.get(*name).cloned()),
        );
    }
    for section in sections {
        for (name, wanted) in section.as_table().expect("a table") {
            if wanted.get("path").or(wanted.get("workspace")).is_some() {
                continue;
            }
            let version = wanted.get("version").unwrap_or(wanted).as_str();
            assert!(
                version.is_some_and(|version| version != "*"),
                "{name} has no version"
            );
        }
    }
}
