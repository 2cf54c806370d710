//! docs/games.md lists every game of these tests, as it is.

use std::collections::BTreeMap;
use std::path::Path;

/// Where rules of games stand.
pub const FOLDERS: [&str; 2] = ["crates/rules/src/tests/systems", "tests/all/systems"];

#[test]
fn the_page_of_games_has_each_file_with_its_lines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/games.md")).expect("the page");
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    for row in page.lines().filter(|line| line.contains(".md](")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" |").map(str::trim).collect();
        let [kind, link, lines, _] = cells.as_slice() else {
            continue;
        };
        let path = link
            .split_once("](../")
            .and_then(|(_, path)| path.strip_suffix(')'))
            .expect("a link");
        assert!(!kind.is_empty(), "{row}");
        assert_eq!(
            listed.insert(path.to_owned(), lines.parse().expect("a number")),
            None,
            "{path} stands there twice"
        );
    }
    let mut there: BTreeMap<String, usize> = BTreeMap::new();
    for folder in FOLDERS {
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let name = path
                    .file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned();
                let text = std::fs::read_to_string(&path).expect("text");
                there.insert(format!("{folder}/{name}"), text.lines().count());
            }
        }
    }
    assert_eq!(listed, there);
}
