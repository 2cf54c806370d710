//! The summary's text: lines under headings, in aligned columns.

use std::fmt::Write;

use rollbook_text::diagnostic::Place;

/// The most characters of an author's words in a line.
const WORDS_MAX: usize = 48;

/// Lines under headings, their names and places aligned.
#[derive(Default)]
pub struct Summary {
    sections: Vec<(&'static str, Vec<[String; 3]>)>,
}

impl Summary {
    pub fn section(&mut self, name: &'static str) {
        self.sections.push((name, Vec::new()));
    }

    pub fn line(&mut self, name: &str, what: &str, place: Option<&Place>) {
        let place = place.map(ToString::to_string).unwrap_or_default();
        if let Some((_, lines)) = self.sections.last_mut() {
            lines.push([place, name.to_owned(), what.to_owned()]);
        }
    }

    pub fn finish(self) -> String {
        let widest = |cells: &mut dyn Iterator<Item = &String>| {
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let mut text = String::new();
        let place_width = widest(
            &mut self
                .sections
                .iter()
                .flat_map(|(_, lines)| lines)
                .map(|[place, ..]| place),
        );
        for (name, lines) in self.sections.iter().filter(|(_, lines)| !lines.is_empty()) {
            let name_width = widest(&mut lines.iter().map(|[_, name, _]| name));
            let _ = writeln!(text, "{name}");
            for [place, name, what] in lines {
                let line = if name.is_empty() {
                    format!("  {place:place_width$}  {what}")
                } else {
                    format!("  {place:place_width$}  {name:name_width$}  {what}")
                };
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        text
    }
}

/// Marks a value that is assumed.
pub fn with_note(what: String, assumed: bool) -> String {
    if assumed {
        format!("{what} (assumed)")
    } else {
        what
    }
}

/// The beginning of an author's words.
pub fn clipped(words: &str) -> String {
    if words.chars().count() <= WORDS_MAX {
        return words.to_owned();
    }
    let cut: String = words.chars().take(WORDS_MAX).collect();
    format!("{}…", cut.trim_end())
}
