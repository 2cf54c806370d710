//! Splits a text at its headings.

use super::line::without_emphasis;
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

/// The sections of a text; quotation marks are ignored. A first line that is no list item, such as `**Ghoul**`, is a
/// heading too.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let mut all: Vec<Section> = Vec::new();
    for line in text.lines() {
        let line = unquoted(line);
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        if level > 0 && heading.starts_with(' ') {
            all.push(Section { name: without_emphasis(heading), level, lines: Vec::new() });
        } else if line.is_empty() || is_rule(line) {
            continue;
        } else if let Some(section) = all.last_mut() {
            section.push_line(line);
        } else if !line.starts_with(['-', '*', '+', '|']) || line.starts_with("**") {
            let name = without_emphasis(line);
            // A longer line is prose, not a name.
            if name.len() <= LIMITS.name {
                all.push(Section { name, level: 0, lines: Vec::new() });
            }
        }
    }
    all
}

impl<'t> Section<'t> {
    fn push_line(&mut self, line: &'t str) {
        if self.lines.len() < LINES_MAX {
            self.lines.push(line);
        }
    }
}

/// Without quotation marks: `> > - **Speed** 30 ft.`.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(|c: char| c == '>' || c.is_whitespace()).trim_end()
}

/// `___`, `---`, `===`: a rule, or the underline of a heading.
fn is_rule(line: &str) -> bool {
    line.len() > 2 && ['_', '-', '*', '='].iter().any(|mark| line.chars().all(|c| c == *mark || c == ' '))
}
