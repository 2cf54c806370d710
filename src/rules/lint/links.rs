//! The links between an adventure's files.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{broken_anchor, broken_link};
use crate::diagnostic::{Diagnostic, FileId, Sources, Span};
use crate::rules::codes;
use crate::rules::limits::Limits;

/// A link to a place in the adventure, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    /// Where its destination stands.
    pub span: Span,
    /// The file from the adventure's folder; the link's own file when it names none.
    pub file: String,
    /// The file as it is written.
    pub written: String,
    /// What stands behind the `#`.
    pub anchor: Option<String>,
}

/// Broken links that are told.
const LINKS_MAX: usize = 200;

/// Findings about the links in these files. `exists` says whether the adventure has a file or folder of that name.
pub fn links(sources: &Sources, exists: &dyn Fn(&str) -> bool) -> Vec<Diagnostic> {
    // Most rules link to nothing, and reading a page for its headings takes as long as reading its rules.
    if !sources.iter().any(|(_, file)| file.text.contains("](") || file.text.contains("]:")) {
        return Vec::new();
    }
    let pages: HashMap<FileId, Page> =
        sources.iter().map(|(id, file)| (id, page(id, &file.name, read_part(sources, id, &file.text)))).collect();
    let anchors: HashMap<&str, &HashSet<String>> =
        sources.iter().filter_map(|(id, file)| Some((file.name.as_str(), &pages.get(&id)?.anchors))).collect();
    let mut found = Vec::new();
    for (id, _) in sources.iter() {
        for link in pages.get(&id).map(|page| page.links.as_slice()).unwrap_or_default() {
            if found.len() >= LINKS_MAX {
                let message = format!("more than {LINKS_MAX} links lead nowhere; the others are not told");
                found.push(Diagnostic::note(codes::TOO_MANY_FINDINGS, message));
                return found;
            }
            if anchors.contains_key(link.file.as_str()) {
                broken_anchor::lint(link, anchors.get(link.file.as_str()).copied(), &mut found);
            } else if !exists(&link.file) {
                broken_link::lint(link, anchors.keys().copied(), &mut found);
            }
        }
    }
    found
}

/// The lines of a file that are read.
fn read_part<'s>(sources: &Sources, id: FileId, text: &'s str) -> &'s str {
    sources.line_start(id, Limits::DEFAULT.lines).and_then(|end| text.get(..end)).unwrap_or(text)
}

#[derive(Default)]
struct Page {
    anchors: HashSet<String>,
    links: Vec<Link>,
}

fn page(id: FileId, name: &str, text: &str) -> Page {
    let mut page = Page::default();
    let mut heading: Option<String> = None;
    let mut many: HashMap<String, usize> = HashMap::new();
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let slug = slug(&heading.take().unwrap_or_default());
                let before = many.entry(slug.clone()).or_default();
                page.anchors.insert(if *before == 0 { slug } else { format!("{slug}-{before}") });
                *before += 1;
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&words);
                }
            }
            Event::Html(html) | Event::InlineHtml(html) => page.anchors.extend(ids(&html)),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.extend(link(id, name, &dest_url, text, range));
            }
            _ => {}
        }
    }
    page
}

/// A heading as links name it: small letters, no punctuation, a hyphen for each space.
pub(super) fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|own| own.is_alphanumeric() || matches!(own, ' ' | '-' | '_'));
    kept.map(|own| if own == ' ' { '-' } else { own }).collect::<String>().to_lowercase()
}

/// The names that HTML gives to places: `<a id="map">`.
fn ids(html: &str) -> Vec<String> {
    let values = ["id=\"", "name=\""].into_iter().flat_map(|name| html.split(name).skip(1));
    values.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

/// A link into the adventure; none for one that leads elsewhere.
fn link(id: FileId, from: &str, destination: &str, text: &str, range: Range<usize>) -> Option<Link> {
    let scheme =
        destination.split_once(':').is_some_and(|(scheme, _)| scheme.chars().all(|own| own.is_ascii_alphanumeric()));
    if scheme || destination.is_empty() || destination.starts_with('/') {
        return None;
    }
    let (written, anchor) =
        destination.split_once('#').map_or((destination, None), |(file, anchor)| (file, Some(anchor)));
    let file = if written.is_empty() { from.to_owned() } else { joined(from, &decoded(written))? };
    let words = text.get(range.clone()).unwrap_or_default();
    let span = match words.rfind(destination) {
        Some(at) => Span::new(id, range.start + at..range.start + at + destination.len()),
        None => Span::new(id, range),
    };
    let anchor = anchor.filter(|anchor| !anchor.is_empty()).map(decoded);
    Some(Link { span, file, written: written.to_owned(), anchor })
}

/// A path beside another one; none when it leaves the adventure's folder, where nobody looks.
fn joined(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// With `%20` and its like as the characters that they stand for.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{SourceFile, render};

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let sources = Sources::new(files.iter().map(|(name, text)| SourceFile::new(*name, *text)).collect());
        let found = links(&sources, &|name| name == "map.png");
        render::plain(&found, &sources).lines().map(str::to_owned).collect()
    }

    #[test]
    fn whole_links_are_left_alone() {
        let map = "# The map\n## The *old* mill, and more\n## Twice\n## Twice\n<a id=\"ford\"></a>\n";
        let text = "[a](Map.md) [b](./Map.md#the-old-mill-and-more) [c](#here) ![d](map.png) [e](https://x.org/y.md) \
                    [f](../Other.md) [g](Map.md#twice-1) [h](Map.md#ford) [i](deep/Cave%20one.md) [j](mailto:a@b.c)\n\n# Here\n";
        let files =
            [("System.md", text), ("Map.md", map), ("deep/Cave one.md", "[up](../Map.md#the-map) [x](<Cave one.md>)")];
        assert_eq!(found(&files), Vec::<String>::new());
    }

    #[test]
    fn of_very_many_the_first_are_told() {
        let found = found(&[("System.md", &"[x](nowhere.md) ".repeat(5_000))]);
        assert_eq!(found.len(), LINKS_MAX + 1);
        assert!(found.last().is_some_and(|last| last.contains("document/too-many-findings")), "{:?}", found.last());
    }

    #[test]
    fn broken_ones_are_pointed_at() {
        let files = [("System.md", "See [the map](Mapp.md) and [the mill](Map.md#mil).\n"), ("Map.md", "# Mill\n")];
        assert_eq!(
            found(&files),
            [
                "System.md:1:15: warning[document/broken-link]: there is no file `Mapp.md` (did you mean `Map.md`?)",
                "System.md:1:39: warning[document/broken-anchor]: Map.md has no heading `#mil` (did you mean `#mill`?)",
            ]
        );
    }
}
