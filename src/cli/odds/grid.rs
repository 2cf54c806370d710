//! A table of words and numbers that fits a terminal of 80 columns: long heads are broken at blanks, and columns without room stand in
//! another block below.

use crate::names::shortened;

/// Columns of a terminal.
const WIDTH: usize = 80;
/// Letters of what a row is called; a longer name is cut.
const LABEL_MAX: usize = 30;
/// Letters of a word in a head; a longer one is broken.
const WORD_MAX: usize = 16;

/// A table.
pub(super) struct Grid {
    /// What the first column holds.
    pub corner: String,
    /// Whether the first column begins at the left; numbers end at the right.
    pub words: bool,
    pub heads: Vec<String>,
    pub rows: Vec<(String, Vec<String>)>,
    /// The least width of a column.
    pub least: usize,
}

impl Grid {
    pub(super) fn text(&self) -> String {
        let labels: Vec<String> = self.rows.iter().map(|(label, _)| shortened(label, LABEL_MAX)).collect();
        let first = labels.iter().chain([&self.corner]).map(|label| letters(label)).max().unwrap_or(0);
        let cells = |nth: usize| self.rows.iter().filter_map(move |(_, cells)| cells.get(nth));
        let widest = |nth: usize| cells(nth).map(|cell| letters(cell)).max().unwrap_or(0).max(self.least);
        let mut columns: Vec<(Vec<String>, usize)> = self
            .heads
            .iter()
            .enumerate()
            .map(|(nth, head)| (vec![head.clone()], widest(nth).max(letters(head))))
            .collect();
        let sum = |columns: &[(Vec<String>, usize)]| columns.iter().map(|(_, width)| width + 2).sum::<usize>();
        if first + sum(&columns) > WIDTH {
            let narrow = |(nth, head): (usize, &String)| {
                let longest = head.split(' ').map(letters).max().unwrap_or(0).min(WORD_MAX);
                let width = widest(nth).max(longest);
                (broken(head, width), width)
            };
            columns = self.heads.iter().enumerate().map(narrow).collect();
        }
        let mut text = String::new();
        let mut from = 0;
        while from < columns.len() {
            let mut to = from + 1;
            while to < columns.len() && first + sum(columns.get(from..=to).unwrap_or_default()) <= WIDTH {
                to += 1;
            }
            let block = columns.get(from..to).unwrap_or_default();
            if from > 0 {
                text.push('\n');
            }
            let lines = block.iter().map(|(head, _)| head.len()).max().unwrap_or(1);
            for line in 0..lines {
                // Heads stand on the line above the cells.
                let part = |(head, width): &(Vec<String>, usize)| {
                    let own = (line + head.len()).checked_sub(lines).and_then(|line| head.get(line));
                    format!("  {:>width$}", own.map_or("", String::as_str))
                };
                let corner = if line + 1 == lines { self.corner.as_str() } else { "" };
                self.line(&mut text, corner, first, block.iter().map(part));
            }
            for (label, (_, cells)) in labels.iter().zip(&self.rows) {
                let own = cells.get(from..to).unwrap_or_default().iter().zip(block);
                self.line(&mut text, label, first, own.map(|(cell, (_, width))| format!("  {cell:>width$}")));
            }
            from = to;
        }
        text
    }

    fn line(&self, text: &mut String, label: &str, first: usize, cells: impl Iterator<Item = String>) {
        let mut line = if self.words { format!("{label:<first$}") } else { format!("{label:>first$}") };
        line.extend(cells);
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

/// The text in lines of so many letters.
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let mut word = word.to_owned();
        while letters(&word) > width {
            lines.push(word.chars().take(width).collect());
            word = word.chars().skip(width).collect();
        }
        match lines.last_mut() {
            Some(last) if letters(last) + 1 + letters(&word) <= width => {
                last.push(' ');
                last.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_never_passes_the_edge() {
        for columns in [1, 4, 9, 40] {
            let heads: Vec<String> = (0..columns)
                .map(|nth| format!("an outcome with a long name {nth} antidisestablishmentarianism"))
                .collect();
            let rows =
                vec![("a label that is far too long for its column".to_owned(), vec!["12.34 %".to_owned(); columns])];
            let grid = Grid { corner: "difficulty".to_owned(), words: true, heads, rows, least: 9 };
            let text = grid.text();
            assert!(text.lines().all(|line| letters(line) <= WIDTH), "{text}");
            assert_eq!(text.matches("12.34 %").count(), columns, "{text}");
            for nth in 0..columns {
                assert!(text.contains(&format!("{nth}")), "{text}");
            }
        }
    }
}
