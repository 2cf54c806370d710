//! The documentation: every link and every anchor leads somewhere, on GitHub and in the book.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use rollbook_table::tools::all_tools;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What of a page concerns links.
struct Page {
    anchors: BTreeSet<String>,
    links: Vec<String>,
}

impl Page {
    fn read(text: &str) -> Page {
        let mut page = Page {
            anchors: BTreeSet::new(),
            links: Vec::new(),
        };
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => page.anchor(&heading.take().expect("a heading")),
                Event::Text(words) | Event::Code(words) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&words);
                    }
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Html(html) | Event::InlineHtml(html) => page.links.extend(sources(&html)),
                _ => {}
            }
        }
        page
    }

    /// The anchor of a heading as GitHub and mdBook both make it. They differ in signs beyond ASCII
    /// and in `--`, which the book prints as a dash, so no heading has any.
    fn anchor(&mut self, heading: &str) {
        assert!(
            heading.chars().all(|c| c.is_ascii() || c.is_alphanumeric()) && !heading.contains("--"),
            "{heading}"
        );
        let kept = heading.to_lowercase().replace(' ', "-");
        let id = kept.replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '_', "");
        let again = (1..).map(|nth| format!("{id}-{nth}"));
        let mut all = std::iter::once(id.clone()).chain(again);
        let free = all.find(|id| !self.anchors.contains(id));
        self.anchors.extend(free);
    }
}

/// What the HTML in a page loads and leads to.
fn sources(html: &str) -> Vec<String> {
    let parts: Vec<&str> = html.split('"').collect();
    let leads = |before: &str| {
        let names = ["src=", "srcset=", "href="];
        names.iter().any(|name| before.ends_with(name))
    };
    let pairs = parts.windows(2).filter(|pair| leads(pair[0]));
    pairs.map(|pair| pair[1].to_owned()).collect()
}

/// The Markdown files directly in a folder of the checkout.
pub fn in_folder(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(Path::new(ROOT).join(folder)).expect(folder);
    let names = entries.map(|entry| Path::new(folder).join(entry.expect("an entry").file_name()));
    names
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect()
}

fn pages() -> BTreeMap<PathBuf, Page> {
    let adventures = std::fs::read_dir(Path::new(ROOT).join("adventures")).expect("adventures");
    let adventures = adventures.flat_map(|entry| {
        let name = entry.expect("an entry").file_name();
        in_folder(&format!("adventures/{}", name.to_string_lossy()))
    });
    let paths = [in_folder(""), in_folder("docs"), adventures.collect()].concat();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(Path::new(ROOT).join(&path)).expect("text");
        (path, Page::read(&text))
    };
    paths.into_iter().map(read).collect()
}

/// Why a link of that page leads nowhere.
fn dead(pages: &BTreeMap<PathBuf, Page>, page: &Path, link: &str) -> Option<String> {
    let root = Path::new(ROOT).canonicalize().expect("the checkout");
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => root.join(page),
        _ => root.join(page.parent().expect("a folder")).join(path),
    };
    let Ok(target) = target.canonicalize() else {
        return Some("is not there".to_owned());
    };
    let Ok(target) = target.strip_prefix(root) else {
        return Some("leaves the checkout".to_owned());
    };
    // docs/links.mjs knows what leaves the book by how it begins.
    if page.starts_with("docs") && !target.starts_with("docs") && !path.starts_with("../") {
        return Some("leaves the book in another way than by ../".to_owned());
    }
    let anchors = pages.get(target).map(|page| &page.anchors);
    let is_known = anchors.is_some_and(|anchors| anchors.contains(anchor));
    (!anchor.is_empty() && !is_known).then(|| "has no such heading".to_owned())
}

#[test]
fn every_link_and_anchor_leads_somewhere() {
    let pages = pages();
    let mut found = Vec::new();
    let mut checked = 0;
    for (path, page) in &pages {
        for link in &page.links {
            if link.starts_with("https://") {
                continue;
            }
            checked += 1;
            let why = dead(&pages, path, link);
            found.extend(why.map(|why| format!("{}: {link} {why}", path.display())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(checked > 90, "{checked} are no more than a few");
}

#[test]
fn the_book_has_every_page_once() {
    let pages = pages();
    let summary = Path::new("docs/SUMMARY.md");
    let mut listed: Vec<_> = pages[summary]
        .links
        .iter()
        .map(|link| Path::new("docs").join(link))
        .collect();
    listed.sort();
    let there: Vec<_> = pages
        .keys()
        .filter(|path| path.starts_with("docs") && *path != summary)
        .cloned()
        .collect();
    assert_eq!(listed, there);
}

#[test]
fn the_book_includes_files_that_are_there() {
    let mut included = 0;
    for path in in_folder("docs") {
        let text = std::fs::read_to_string(Path::new(ROOT).join(&path)).expect("text");
        for part in text.split("{{#include ").skip(1) {
            let file = part.split("}}").next().expect("a part");
            let included_text = std::fs::read_to_string(Path::new(ROOT).join("docs").join(file));
            let text = included_text.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            // A link would mean another file there than in the book.
            assert_eq!(Page::read(&text).links, Vec::<String>::new(), "{file}");
            included += 1;
        }
    }
    assert!(included > 0);
}

#[test]
fn the_page_of_play_lists_every_tool_in_order_and_says_which_write() {
    let page = include_str!("../../docs/play.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows: Vec<_> = rows
        .map(|row| {
            let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
            (cells[0].trim_end_matches('`'), cells[cells.len() - 1])
        })
        .collect();
    let tools = all_tools()
        .iter()
        .map(|tool| (&*tool.name, if tool.read_only { "reads" } else { "writes" }));
    assert_eq!(rows, tools.collect::<Vec<_>>());
}
