//! A text cut at its headings.

use super::line::bare;
use crate::game::limits::LIMITS;

/// Lines of one block that are read.
const LINES_MAX: usize = 400;

/// A heading and the lines below it, up to the next heading.
pub struct Section<'t> {
    pub name: String,
    /// How many `#` it has; 0 is the first line of a text that begins without a heading.
    pub level: usize,
    pub lines: Vec<&'t str>,
}

/// The sections of a text, whatever is quoted of it. A first line that is none of a list, `**Ghoul**`, or one with `===` below it,
/// is a heading, too.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let mut all: Vec<Section> = Vec::new();
    for line in text.lines() {
        let line = unquoted(line);
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        if level > 0 && heading.starts_with(' ') {
            all.push(Section { name: bare(heading), level, lines: Vec::new() });
        } else if line.is_empty() || is_rule(line) {
            continue;
        } else if let Some(section) = all.last_mut() {
            section.take(line);
        } else if !line.starts_with(['-', '*', '+', '|']) || line.starts_with("**") {
            let name = bare(line);
            // Prose is no name.
            if name.len() <= LIMITS.name {
                all.push(Section { name, level: 0, lines: Vec::new() });
            }
        }
    }
    all
}

impl<'t> Section<'t> {
    fn take(&mut self, line: &'t str) {
        if self.lines.len() < LINES_MAX {
            self.lines.push(line);
        }
    }
}

/// Without the marks of a quotation: `> > - **Speed** 30 ft.`.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(|c: char| c == '>' || c.is_whitespace()).trim_end()
}

/// `___`, `---`, `===`: a line across, or below a heading.
fn is_rule(line: &str) -> bool {
    line.len() > 2 && ['_', '-', '*', '='].iter().any(|mark| line.chars().all(|c| c == *mark || c == ' '))
}
