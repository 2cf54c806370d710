//! The links between an adventure's files.

use std::collections::{HashMap, HashSet};

use super::link::{Page, page};
use super::{broken_anchor, broken_link};
use crate::diagnostic::{Diagnostic, FileId, Sources};
use crate::rules::codes;
use crate::rules::limits::Limits;

/// Broken links that are reported.
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
