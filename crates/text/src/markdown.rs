//! Markdown as a terminal shows it: sheets, and the rules' own words.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle,
};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::names::printable;
use crate::terminal::{BOLD, DIM, wrapped};

const INDENT: usize = 2; // Blanks before every line

/// Rows below each other in so many columns of the terminal, long cells broken at blanks. `right`:
/// whose cells are on the right. The first row is a head where `has_head`.
pub fn table(
    rows: &[Vec<String>],
    has_head: bool,
    right: impl Fn(usize) -> bool,
    width: usize,
) -> String {
    let mut table = Table::new();
    table
        .load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')))
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width.saturating_sub(INDENT)).unwrap_or(u16::MAX));
    let (head, rows) = rows.split_at(usize::from(has_head).min(rows.len()));
    if let Some(head) = head.first() {
        table.set_header(head);
    }
    table.add_rows(rows);
    for (nth, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        // A bar stays in one piece.
        if rows
            .iter()
            .filter_map(|row| row.get(nth))
            .any(|cell| cell.contains(['█', '░']))
        {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
        if right(nth) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines = table.to_string();
    lines
        .lines()
        .map(|line| format!("{:INDENT$}{}\n", "", line.trim_end()))
        .collect()
}

/// A text with headings, lists, quotations and tables as such; columns of a table in which nothing
/// stands are left out.
pub fn drawn(markdown: &str, width: usize) -> String {
    let mut page = Page {
        width,
        ..Page::default()
    };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        page.read(event);
    }
    page.end_line("");
    format!("{}\n", page.out.trim_end())
}

#[derive(Default)]
struct Page {
    width: usize,
    out: String,
    /// What is written of the paragraph, item or cell so far.
    line: String,
    /// The lists that are open, each with the number of its next item.
    lists: Vec<Option<u64>>,
    /// What the next line of a list begins with.
    mark: String,
    quotes: usize,
    rows: Vec<Vec<String>>,
    row: Vec<String>,
}

impl Page {
    fn read(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.line.push_str(&text);
            }
            Event::Code(text) => self.line.push_str(&format!("`{text}`")),
            // Notes are quotations of a line each.
            Event::SoftBreak if self.quotes == 0 => self.line.push(' '),
            Event::SoftBreak | Event::HardBreak => self.line.push('\n'),
            Event::Rule => self.out.push_str("  ─────\n\n"),
            // No extension that makes them is on.
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::List(first) => {
                self.end_line("");
                self.lists.push(*first);
            }
            Tag::Item => {
                let deep = "  ".repeat(self.lists.len().saturating_sub(1));
                self.mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{deep}{}. ", *number - 1)
                    }
                    Some(None) | None => format!("{deep}- "),
                };
            }
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::Table(_) => self.rows.clear(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                let text = printable(&std::mem::take(&mut self.line));
                self.out.push_str(&format!("  {BOLD}{text}{BOLD:#}\n\n"));
            }
            TagEnd::Paragraph if self.lists.is_empty() => self.end_line("\n"),
            TagEnd::Paragraph | TagEnd::Item => self.end_line(""),
            TagEnd::CodeBlock => self.end_line("\n"),
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.out.push('\n');
                }
            }
            TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
            TagEnd::TableCell => {
                let cell = printable(&std::mem::take(&mut self.line));
                self.row.push(cell);
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                self.rows.push(row);
            }
            TagEnd::Table => self.end_table(),
            _ => {}
        }
    }

    /// Writes the line that was read, and `after` it.
    fn end_line(&mut self, after: &str) {
        let line = printable(&std::mem::take(&mut self.line));
        let mark = std::mem::take(&mut self.mark);
        if line.trim().is_empty() && mark.is_empty() {
            return;
        }
        let lead = INDENT + mark.chars().count() + 2 * self.quotes;
        let text = wrapped(
            line.trim_end(),
            self.width.saturating_sub(lead).max(10),
            lead,
        );
        let (dim, end) = match self.quotes {
            0 => (String::new(), String::new()),
            _ => (DIM.to_string(), format!("{DIM:#}")),
        };
        let blanks = " ".repeat(INDENT + 2 * self.quotes);
        self.out
            .push_str(&format!("{blanks}{mark}{dim}{text}{end}\n{after}"));
    }

    fn end_table(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let is_filled: Vec<bool> = (0..columns)
            .map(|nth| {
                let mut cells = rows.iter().skip(1).filter_map(|row| row.get(nth));
                cells.any(|cell| !cell.trim().is_empty())
            })
            .collect();
        for row in &mut rows {
            let mut nth = 0;
            row.retain(|_| {
                nth += 1;
                is_filled.get(nth - 1) == Some(&true)
            });
        }
        let is_number = |nth: usize| {
            let mut cells = rows.iter().skip(1).filter_map(|row| row.get(nth));
            cells.all(|cell| cell.trim().parse::<i64>().is_ok())
        };
        self.out
            .push_str(&table(&rows, true, is_number, self.width));
        self.out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn a_sheet_is_as_wide_as_there_is_room_and_has_no_empty_columns() {
        let sheet = "# Ana\n\nPlayer\n\n- **Hit points**: 9/12\n  1. deep\n\n| Skill | Bonus | Note |\n|---|---|---|\n| Lock*picking* | +3 | |\n\n\
            > Two lines\n> of words that have no room in one\n\nA `die` and\u{1b}[2J";
        let text = anstream::adapter::strip_str(&drawn(sheet, 30)).to_string();
        assert_eq!(
            text,
            "  Ana\n\n  Player\n\n  - Hit points: 9/12\n    1. deep\n\n  Skill        Bonus\n  ───────────────────\n  Lockpicking     +3\n\n    Two lines\n    of words that have no room\n    in one\n\n  A `die` and\\u{1b}[2J\n"
        );
    }
}
