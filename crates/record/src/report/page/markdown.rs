//! Markdown, for a chat or a wiki. Nothing people wrote becomes markup: it gets backslashes.

use crate::report::document::{Block, Document, Inline, Item, Section, Table};
use rollbook_text::names::undirected;

pub fn render(document: &Document) -> String {
    let mut out = String::new();
    for banner in &document.banners {
        out.push_str(&format!("> **{}**\n\n", escaped(banner)));
    }
    out.push_str(&format!("# {}\n\n", escaped(&document.title)));
    blocks(&mut out, &document.lead, 2);
    document
        .sections
        .iter()
        .for_each(|part| section(&mut out, part));
    out.push_str("*Made by Rollbook from its log.*\n");
    out
}

fn section(out: &mut String, section: &Section) {
    out.push_str(&format!("## {}\n\n", escaped(section.title)));
    blocks(out, &section.blocks, 3);
}

fn blocks(out: &mut String, all: &[Block], level: usize) {
    for block in all {
        match block {
            Block::Heading(text) => out.push_str(&format!("### {}\n\n", escaped(text))),
            Block::Subheading(text) => out.push_str(&format!("#### {}\n\n", escaped(text))),
            Block::Paragraph(parts) => out.push_str(&format!("{}\n\n", line(parts))),
            Block::List(items) => {
                items.iter().for_each(|one| item(out, one));
                out.push('\n');
            }
            Block::Table(rows) => table(out, rows),
            Block::Folded {
                title: _,
                blocks: inner,
            } => blocks(out, inner, level),
            // The numbers are in the table beside it.
            Block::Chart(_) => {}
            Block::Card {
                title,
                blocks: inner,
            } => {
                out.push_str(&format!("{} {}\n\n", "#".repeat(level), escaped(title)));
                blocks(out, inner, level);
            }
            // The text is beside it.
            Block::Qr { .. } => {}
        }
    }
}

fn item(out: &mut String, item: &Item) {
    let indent = if item.nested { "  " } else { "" };
    let number = item
        .entry
        .map_or(String::new(), |number| format!("**{number}** "));
    let text = line(&item.parts);
    let text = if item.undone {
        format!("~~{text}~~ (taken back)")
    } else {
        text
    };
    out.push_str(&format!("{indent}- {number}{text}\n"));
}

fn line(parts: &[Inline]) -> String {
    let part = |part: &Inline| match part {
        Inline::Text(text) | Inline::Small(text) | Inline::Section(_, text) => escaped(text),
        Inline::Strong(text) | Inline::Big(text) => format!("**{}**", escaped(text.trim())),
        Inline::Code(text) => code(text),
        Inline::Entry(number) => format!("entry {number}"),
    };
    let text = parts.iter().map(part).collect::<String>();
    begun(text.trim())
}

/// Text between as many backticks as it has itself, and one more.
fn code(text: &str) -> String {
    let text = one_line(text);
    let longest = text
        .split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let blank = if longest > 0 { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

fn table(out: &mut String, table: &Table) {
    out.push_str(&format!("{}:\n\n", escaped(&table.caption)));
    let cells = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push_str(&cells(
        table
            .columns
            .iter()
            .map(|column| escaped(&column.name))
            .collect(),
    ));
    out.push_str(&cells(
        table
            .columns
            .iter()
            .map(|column| if column.number { "---:" } else { "---" }.to_owned())
            .collect(),
    ));
    table
        .rows
        .iter()
        .for_each(|row| out.push_str(&cells(row.iter().map(|cell| escaped(cell)).collect())));
    out.push('\n');
}

/// Text without line breaks, control characters or turns of direction.
fn one_line(text: &str) -> String {
    let shown = |letter: char| match letter {
        letter if letter.is_whitespace() => ' ',
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    };
    undirected(text).chars().map(shown).collect()
}

/// Text of which nothing is markup inside a line.
fn escaped(text: &str) -> String {
    let text = one_line(text);
    let mut out = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        let after = text.get(at + letter.len_utf8()..).unwrap_or_default();
        let is_markup = match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '@' => true,
            // An entity: &lt;
            '&' => after.starts_with(|next: char| next == '#' || next.is_ascii_alphanumeric()),
            // An address becomes a link by itself.
            ':' => after.starts_with("//"),
            '.' => is_behind_www(text.get(..at).unwrap_or_default()),
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

/// Whether a word that is `www` so far ends there.
fn is_behind_www(text: &str) -> bool {
    let word = text.rsplit(|letter: char| !letter.is_alphanumeric()).next();
    word.is_some_and(|word| word.eq_ignore_ascii_case("www"))
}

/// A line that does not begin as a heading, a list, a rule or a quotation does.
fn begun(line: &str) -> String {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let after = line.get(digits..).unwrap_or_default();
    match line.chars().next() {
        Some('#' | '+' | '-' | '=' | '>') => format!("\\{line}"),
        Some(_) if digits > 0 && after.starts_with(['.', ')']) => {
            format!("{}\\{after}", line.get(..digits).unwrap_or_default())
        }
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, proptest};
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::{begun, code, escaped, one_line};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn whatever_people_wrote_is_read_as_they_wrote_it(text in "[a-z0-9 .:;,!#&<>()\\[\\]{}*_`~|@/\\\\+=-]{0,24}") {
            let wanted = one_line(&text);
            let line = begun(escaped(&text).trim());
            let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
            let mut read = String::new();
            for event in Parser::new_ext(&line, options) {
                match event {
                    Event::Text(text) => read.push_str(&text),
                    Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
                    other => panic!("{text:?} as {line:?} has {other:?}"),
                }
            }
            assert_eq!(read, wanted.trim(), "{line:?}");
        }
    }

    #[test]
    fn what_people_wrote_stays_text() {
        let table = [
            ("<script>", "\\<script\\>"),
            ("a\n# b", "a # b"),
            (
                "**x** _y_ `z` ~~w~~",
                "\\*\\*x\\*\\* \\_y\\_ \\`z\\` \\~\\~w\\~\\~",
            ),
            ("[x](http://y)", "\\[x\\](http\\://y)"),
            ("www.example.org", "www\\.example.org"),
            ("The last row. Now. 2.w.", "The last row. Now. 2.w."),
            ("a | b", "a \\| b"),
            ("&lt; & &", "\\&lt; & &"),
            ("1d20: [7]; + 5 = 12", "1d20: \\[7\\]; + 5 = 12"),
        ];
        for (text, markdown) in table {
            assert_eq!(escaped(text), markdown);
        }
        assert_eq!(
            (begun("# x"), begun("12. x"), begun("12 x")),
            ("\\# x".into(), "12\\. x".into(), "12 x".into())
        );
        assert_eq!(
            (code("#1 ab"), code("a`b")),
            ("`#1 ab`".into(), "`` a`b ``".into())
        );
    }
}
