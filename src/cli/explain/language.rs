//! `rollbook explain language`: the whole reference, as Markdown with its headings brought out.
//!
//! It is printed as it is written, fences and all, so that a block can be copied from the terminal into a file and the
//! output itself is a Markdown file.

use super::{FAINT, STRONG};

/// What stands in the place of a code.
pub(super) const WORD: &str = "language";
/// The reference; a test runs every example in it as it stands.
pub(super) const PAGE: &str = include_str!("language.md");

/// The reference for a terminal. Without colours it is the page, byte for byte.
pub(super) fn told() -> String {
    let mut text = String::with_capacity(PAGE.len() * 2);
    let mut inside = false;
    for line in PAGE.lines() {
        let fence = line.starts_with("```");
        inside ^= fence;
        let style = if fence {
            FAINT
        } else if !inside && line.starts_with('#') {
            STRONG
        } else {
            anstyle::Style::new()
        };
        text.push_str(&format!("{style}{line}{style:#}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_examples_are_not_headings_of_the_page() {
        let text = told();
        assert!(text.contains(&format!("{STRONG}## Dice{STRONG:#}\n")));
        assert!(text.contains("\n# Lanterns\n"));
    }
}
