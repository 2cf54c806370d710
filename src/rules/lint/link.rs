//! The links of a file, and the places in it that links may lead to.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::diagnostic::{FileId, Span};

/// A link to a place in the adventure, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where its destination stands.
    pub span: Span,
    /// The file from the adventure's folder; the link's own file when it names none.
    pub file: String,
    /// The file as it is written.
    pub written: String,
    /// What stands behind the `#`.
    pub anchor: Option<String>,
}

/// What a file has to link to, and what it links to.
#[derive(Default)]
pub struct Page {
    /// The names of its headings and places.
    pub anchors: HashSet<String>,
    /// Its links into the adventure.
    pub links: Vec<Link>,
}

/// Reads a file for its links and for what they may lead to.
pub fn page(id: FileId, name: &str, text: &str) -> Page {
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
pub fn slug(heading: &str) -> String {
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
