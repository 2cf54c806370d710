//! What each file uses: no circle of more than two files, and the orders that `mod.rs` files write
//! down hold.
//!
//! A file uses another when it names something of it by a path that begins with `crate`, `super`,
//! `self` or a child's name; what another file only passes on (`pub use`) counts for the file that
//! it comes from. Unit tests are left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::layering::{Source, order, sources};

/// Two files that need each other are one noun in two parts; three are a knot.
const CIRCLE_MAX: usize = 2;

type Path = Vec<String>;

/// The files as modules, what each passes on, and the text of each that is read.
struct Modules {
    texts: BTreeMap<Path, String>,
    passed_on: BTreeMap<Path, BTreeMap<String, Path>>,
}

fn path(words: &str) -> Path {
    words
        .split("::")
        .map(|word| word.trim().to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// `src/dice/odds/mod.rs` is `dice::odds`.
fn module(source: &Source) -> Path {
    let name = source.path.trim_end_matches(".rs").trim_end_matches("/mod");
    name.split('/').map(str::to_owned).collect()
}

/// The text without comments and without the unit tests at its end.
fn read(source: &Source) -> String {
    let code: Vec<&str> = source
        .code()
        .map(|(_, line)| line.split(" // ").next().unwrap_or(line))
        .collect();
    let code = code.join("\n");
    code.split("\nmod tests {")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`; what is after the tree is left alone.
fn tree(text: &str) -> Vec<Path> {
    let mut before: Vec<Path> = vec![Path::new()];
    let mut found = Vec::new();
    let mut current = Path::new();
    let mut word = String::new();
    for letter in text.chars() {
        match letter {
            _ if letter.is_alphanumeric() || letter == '_' => word.push(letter),
            ':' if !word.is_empty() => current.push(std::mem::take(&mut word)),
            ':' => {}
            '{' => {
                let all = [
                    before.last().cloned().unwrap_or_default(),
                    std::mem::take(&mut current),
                ]
                .concat();
                before.push(all);
            }
            ',' | '}' if before.len() > 1 => {
                if !word.is_empty() {
                    current.push(std::mem::take(&mut word));
                    found.push(
                        [
                            before.last().cloned().unwrap_or_default(),
                            std::mem::take(&mut current),
                        ]
                        .concat(),
                    );
                }
                if letter == '}' {
                    before.pop();
                    if before.len() == 1 {
                        return found;
                    }
                }
            }
            _ if before.len() == 1 => break,
            // `as other` names the same thing anew.
            _ if letter.is_whitespace() => {
                if !word.is_empty() && word != "as" && current.is_empty() {
                    current.push(std::mem::take(&mut word));
                    found.push(
                        [
                            before.last().cloned().unwrap_or_default(),
                            std::mem::take(&mut current),
                        ]
                        .concat(),
                    );
                }
                word.clear();
            }
            _ => return found,
        }
    }
    if !word.is_empty() {
        current.push(word);
    }
    if found.is_empty() && !current.is_empty() {
        found.push(current);
    }
    found
}

impl Modules {
    fn of(sources: &[Source]) -> Modules {
        let is_module = |source: &&Source| {
            !source.is_test() && !["lib.rs", "main.rs"].contains(&source.path.as_str())
        };
        let texts = sources
            .iter()
            .filter(is_module)
            .map(|source| (module(source), read(source)))
            .collect();
        let mut modules = Modules {
            texts,
            passed_on: BTreeMap::new(),
        };
        for (module, text) in &modules.texts {
            let names = modules.passed_on.entry(module.clone()).or_default();
            for (_, rest) in passing_on(text) {
                for found in tree(rest) {
                    if let Some((name, from)) = found.split_last() {
                        names.insert(name.clone(), from.to_vec());
                    }
                }
            }
        }
        modules
    }

    /// A path as it is written in a module, from the crate's root.
    fn absolute(&self, within: &[String], written: &[String]) -> Path {
        let mut base = within.to_vec();
        let mut rest = written;
        match rest.first().map(String::as_str) {
            Some("crate") => (base, rest) = (Path::new(), &rest[1..]),
            Some("self") => rest = &rest[1..],
            _ => {}
        }
        while rest.first().is_some_and(|word| word == "super") {
            base.pop();
            rest = &rest[1..];
        }
        [base, rest.to_vec()].concat()
    }

    /// The file in which a thing stands, through what others pass on.
    fn home(&self, named: &[String], left: usize) -> Option<Path> {
        let at = (1..=named.len())
            .rev()
            .find(|&many| self.texts.contains_key(&named[..many]))?;
        let (module, rest) = named.split_at(at);
        let from = rest
            .first()
            .and_then(|name| Some((name, self.passed_on.get(module)?.get(name)?)));
        if let (Some((name, from)), true) = (from, left > 0) {
            let thing = [self.absolute(module, from), vec![name.clone()]].concat();
            return self
                .home(&thing, left - 1)
                .or_else(|| Some(module.to_vec()));
        }
        Some(module.to_vec())
    }

    /// The files that a file uses.
    fn used(&self, module: &Path, text: &str) -> BTreeSet<Path> {
        let mut rest = text.to_owned();
        for (all, _) in passing_on(text) {
            rest = rest.replace(all, "");
        }
        let children: Vec<&str> = self
            .texts
            .keys()
            .filter(|other| other.len() == module.len() + 1 && other.starts_with(module))
            .filter_map(|other| other.last().map(String::as_str))
            .collect();
        let mut used = BTreeSet::new();
        let roots = ["crate", "super", "self"].into_iter().chain(children);
        for root in roots {
            for (at, _) in rest.match_indices(&format!("{root}::")) {
                let begins = !rest[..at].ends_with(|letter: char| {
                    letter.is_alphanumeric() || letter == '_' || letter == ':'
                });
                if begins {
                    let homes = tree(&rest[at..])
                        .into_iter()
                        .filter_map(|found| self.home(&self.absolute(module, &found), 6));
                    used.extend(homes.filter(|home| home != module));
                }
            }
        }
        used
    }
}

/// Each `pub use …;` with what it names.
fn passing_on(text: &str) -> Vec<(&str, &str)> {
    let mut all = Vec::new();
    for (at, _) in text.match_indices("pub") {
        let rest = &text[at..];
        let Some(end) = rest.find(';') else { continue };
        let statement = &rest[..=end];
        let Some((before, named)) = statement.split_once(" use ") else {
            continue;
        };
        if before == "pub"
            || (before.starts_with("pub(") && before.ends_with(')') && !before.contains('\n'))
        {
            all.push((statement, named.trim_end_matches(';')));
        }
    }
    all
}

/// The groups of files of which each leads to each other (Tarjan 1972, by repeated search: the
/// house is small).
fn circles(arrows: &BTreeMap<Path, BTreeSet<Path>>) -> Vec<BTreeSet<Path>> {
    let reach = |from: &Path| {
        let mut seen: BTreeSet<Path> = BTreeSet::new();
        let mut open = vec![from.clone()];
        while let Some(next) = open.pop() {
            for used in arrows.get(&next).into_iter().flatten() {
                if seen.insert(used.clone()) {
                    open.push(used.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Path, BTreeSet<Path>> =
        arrows.keys().map(|file| (file, reach(file))).collect();
    let together = |one: &Path| -> BTreeSet<Path> {
        let back = |other: &&Path| reached.get(other).is_some_and(|all| all.contains(one));
        reached[one].iter().filter(back).cloned().collect()
    };
    let all: BTreeSet<BTreeSet<Path>> = arrows
        .keys()
        .map(together)
        .filter(|circle| circle.len() > 1)
        .collect();
    all.into_iter().collect()
}

/// Each file with the files that it uses.
fn arrows() -> BTreeMap<Path, BTreeSet<Path>> {
    let modules = Modules::of(&sources());
    let arrows: BTreeMap<Path, BTreeSet<Path>> = modules
        .texts
        .iter()
        .map(|(module, text)| (module.clone(), modules.used(module, text)))
        .collect();
    let many: usize = arrows.values().map(BTreeSet::len).sum();
    assert!(
        many > 1000,
        "{many} arrows were found among {} files",
        arrows.len()
    );
    arrows
}

#[test]
fn a_written_order_of_modules_holds() {
    let arrows = arrows();
    let mut offenders = Vec::new();
    let mut ordered = Vec::new();
    for source in sources()
        .iter()
        .filter(|source| source.path.ends_with("/mod.rs"))
    {
        let order = order(&source.text);
        if order.is_empty() {
            continue;
        }
        let folder = module(source);
        let place = |file: &Path| {
            let child = file.strip_prefix(folder.as_slice())?.first()?;
            Some(order.iter().position(|listed| listed.contains(child)))
        };
        for file in arrows.keys().filter(|file| place(file) == Some(None)) {
            offenders.push(format!(
                "{} is not in the list of {}",
                file.join("::"),
                source.file
            ));
        }
        for (file, used) in &arrows {
            let later = used
                .iter()
                .filter(|used| matches!((place(file), place(used)), (Some(this), Some(other)) if this < other));
            offenders.extend(
                later.map(|later| format!("{} uses {}", file.join("::"), later.join("::"))),
            );
        }
        ordered.push(folder.join("::"));
    }
    assert!(offenders.is_empty(), "{}", offenders.join("\n"));
    assert_eq!(
        ordered
            .iter()
            .filter(|room| [
                "dice",
                "rules",
                "game",
                "store",
                "store::sqlite",
                "store::verify",
                "table",
                "record::export"
            ]
            .contains(&room.as_str()))
            .count(),
        8,
        "{ordered:?}"
    );
}

#[test]
fn no_circle_has_more_than_two_files() {
    let arrows = arrows();
    let knots: Vec<String> = circles(&arrows)
        .into_iter()
        .filter(|circle| circle.len() > CIRCLE_MAX)
        .map(|circle| {
            let lines = circle.iter().map(|file| {
                let used: Vec<String> = arrows[file]
                    .intersection(&circle)
                    .map(|used| used.join("::"))
                    .collect();
                format!("  {} uses {}", file.join("::"), used.join(", "))
            });
            format!(
                "a circle of {} files:\n{}",
                circle.len(),
                lines.collect::<Vec<_>>().join("\n")
            )
        })
        .collect();
    assert!(knots.is_empty(), "{}", knots.join("\n"));
}

#[test]
fn a_knot_is_found_through_what_others_pass_on() {
    let source = |path: &str, text: &str| Source {
        file: path.to_owned(),
        room: String::new(),
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let all = [
        source(
            "a/mod.rs",
            "mod b;\nmod c;\npub use b::{First, inner::Second as Other};\n",
        ),
        source("a/b.rs", "use crate::a::Third;\nuse super::c::*;\n"),
        source(
            "a/b/inner.rs",
            "fn f() { super::super::c::g(); }\n#[cfg(test)]\nmod tests {\n use crate::x;\n}\n",
        ),
        source(
            "a/c.rs",
            "use crate::a::{\n    First, d::{self, Third},\n};\n",
        ),
        source("a/d.rs", "// use crate::a::b::First;\n"),
        source("x.rs", "use crate::a::First;"),
    ];
    let modules = Modules::of(&all);
    let of = |name: &str| -> Vec<String> {
        let module = path(name);
        modules
            .used(&module, &modules.texts[&module])
            .iter()
            .map(|used| used.join("::"))
            .collect()
    };
    assert_eq!(of("a::b"), ["a", "a::c"]);
    assert_eq!(of("a::b::inner"), ["a::c"]);
    assert_eq!(of("a::c"), ["a::b", "a::d"]);
    assert_eq!(of("a::d"), [] as [&str; 0]);
    assert_eq!(of("x"), ["a::b"]);
    let arrows = modules
        .texts
        .iter()
        .map(|(module, text)| (module.clone(), modules.used(module, text)))
        .collect();
    let found: Vec<usize> = circles(&arrows).iter().map(BTreeSet::len).collect();
    assert_eq!(found, [2], "b and c");
}
