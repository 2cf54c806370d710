//! The page: one file that loads and runs nothing, for phones, desktops, paper, screen readers.

use std::collections::BTreeSet;

use super::draw;
use super::markup::Markup;
use crate::report::document::{Block, Document, Inline, Item, Section, Table};
use rollbook_game::view::number::Numbers;

const STYLE: &str = include_str!("style.css");
/// Nothing is loaded from anywhere, and nothing runs.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

pub fn render(document: &Document) -> String {
    let mut page = Page {
        out: Markup::default(),
        standing: document.entries(),
        placed: BTreeSet::new(),
        ids: 0,
    };
    page.out.verbatim("<!DOCTYPE html>\n");
    page.out.open("html", &[("lang", "en")]);
    page.out.line();
    page.head(&document.title);
    page.out.open("body", &[]);
    page.out.line();
    page.body(document);
    page.out.verbatim("</body>\n</html>\n");
    page.out.finish()
}

/// Where an entry is on the page.
fn anchor(number: &Numbers) -> String {
    format!("e{}", number.first().value())
}

struct Page {
    out: Markup,
    standing: BTreeSet<Numbers>,
    /// Those of them that were written.
    placed: BTreeSet<Numbers>,
    /// Names that charts and tables have on the page.
    ids: usize,
}

impl Page {
    fn head(&mut self, title: &str) {
        self.out.element("head", &[], |out| {
            out.open("meta", &[("charset", "utf-8")]);
            out.open(
                "meta",
                &[
                    ("http-equiv", "Content-Security-Policy"),
                    ("content", POLICY),
                ],
            );
            out.open(
                "meta",
                &[
                    ("name", "viewport"),
                    ("content", "width=device-width, initial-scale=1"),
                ],
            );
            out.open("meta", &[("name", "referrer"), ("content", "no-referrer")]);
            out.leaf("title", &[], title);
            out.element("style", &[], |out| out.verbatim(STYLE));
        });
        self.out.line();
    }

    fn body(&mut self, document: &Document) {
        self.out.open("header", &[]);
        for banner in &document.banners {
            self.out.leaf("p", &[("class", "banner")], banner);
        }
        self.out.leaf("h1", &[], &document.title);
        self.blocks(&document.lead, "h2");
        self.out.verbatim("</header>\n");
        self.contents(&document.sections);
        self.out.verbatim("<main>\n");
        document
            .sections
            .iter()
            .for_each(|section| self.section(section));
        self.out.verbatim("</main>\n");
        self.out.leaf(
            "footer",
            &[],
            "Made by Rollbook from its log. This page loads nothing and runs nothing.",
        );
        self.out.line();
    }

    fn contents(&mut self, sections: &[Section]) {
        self.out
            .element("nav", &[("aria-label", "Sections")], |out| {
                out.element("ul", &[], |out| {
                    for section in sections {
                        let link = format!("#{}", section.id);
                        out.element("li", &[], |out| {
                            out.leaf("a", &[("href", &link)], section.title)
                        });
                    }
                });
            });
        self.out.line();
    }

    fn section(&mut self, section: &Section) {
        let label = format!("{}-title", section.id);
        self.out.open(
            "section",
            &[("id", section.id), ("aria-labelledby", &label)],
        );
        self.out.leaf("h2", &[("id", &label)], section.title);
        self.out.line();
        self.blocks(&section.blocks, "h3");
        self.out.verbatim("</section>\n");
    }

    fn blocks(&mut self, blocks: &[Block], heading: &'static str) {
        for block in blocks {
            match block {
                Block::Heading(text) => self.out.leaf("h3", &[], text),
                Block::Subheading(text) => self.out.leaf("h4", &[], text),
                Block::Paragraph(parts) => {
                    self.out.open("p", &[]);
                    self.parts(parts);
                    self.out.verbatim("</p>");
                }
                Block::List(items) => self.list(items),
                Block::Table(table) => self.table(table),
                Block::Chart(chart) => {
                    let id = self.id();
                    draw::chart(&mut self.out, chart, id);
                }
                Block::Folded { title, blocks } => {
                    self.out.open("details", &[]);
                    self.out.leaf("summary", &[], title);
                    self.blocks(blocks, heading);
                    self.out.verbatim("</details>");
                }
                Block::Card { title, blocks } => {
                    self.out.open("div", &[("class", "card")]);
                    self.out.leaf(heading, &[], title);
                    self.blocks(blocks, heading);
                    self.out.verbatim("</div>");
                }
                Block::Qr { text, title } => {
                    let id = self.id();
                    if let Some(code) = draw::qr(text, title, id) {
                        self.out.append(code);
                    }
                }
            }
            self.out.line();
        }
    }

    fn id(&mut self) -> usize {
        self.ids += 1;
        self.ids
    }

    fn parts(&mut self, parts: &[Inline]) {
        for part in parts {
            match part {
                Inline::Text(text) => self.out.text(text),
                Inline::Big(text) => self.out.leaf("strong", &[("class", "big")], text),
                Inline::Strong(text) => self.out.leaf("strong", &[], text),
                Inline::Code(text) => self.out.leaf("code", &[], text),
                Inline::Small(text) => self.out.leaf("small", &[], text),
                Inline::Section(id, text) => {
                    self.out.leaf("a", &[("href", &format!("#{id}"))], text)
                }
                Inline::Entry(number) if self.standing.contains(number) => {
                    self.out.leaf(
                        "a",
                        &[("href", &format!("#{}", anchor(number)))],
                        &format!("entry {number}"),
                    );
                }
                Inline::Entry(number) => self.out.text(&format!("entry {number}")),
            }
        }
    }

    fn list(&mut self, items: &[Item]) {
        let class = if items.iter().any(|item| item.entry.is_some()) {
            "entries"
        } else {
            "plain"
        };
        self.out.open("ul", &[("class", class)]);
        for item in items {
            let class = if item.nested { "nested" } else { "own" };
            let id = item.entry.as_ref().map(anchor);
            match (&id, item.entry) {
                // An entry that is in two lists has its name in the first.
                (Some(id), Some(number)) if self.placed.insert(number) => {
                    self.out.open("li", &[("class", class), ("id", id)]);
                }
                _ => self.out.open("li", &[("class", class)]),
            }
            if let (Some(id), Some(number)) = (&id, item.entry) {
                let (link, label) = (format!("#{id}"), format!("Entry {number}"));
                self.out.leaf(
                    "a",
                    &[("class", "n"), ("href", &link), ("aria-label", &label)],
                    &number.to_string(),
                );
                self.out.text(" ");
            }
            if item.undone {
                self.out.open("del", &[]);
                self.parts(&item.parts);
                self.out.verbatim("</del> ");
                self.out.leaf("small", &[], "(taken back)");
            } else {
                self.parts(&item.parts);
            }
            self.out.verbatim("</li>\n");
        }
        self.out.verbatim("</ul>");
    }

    /// A table that scrolls. On a phone a wide one has a line a cell; roles say that it is a table.
    fn table(&mut self, table: &Table) {
        let label = format!("t{}", self.id());
        let frame = [
            ("class", "scroll"),
            ("role", "region"),
            ("aria-labelledby", label.as_str()),
            ("tabindex", "0"),
        ];
        self.out.element("div", &frame, |out| {
            let is_wide = table.columns.len() > NARROW;
            let whole = [("role", "table"), ("class", "wide")];
            out.element(
                "table",
                whole.get(..if is_wide { 2 } else { 1 }).unwrap_or_default(),
                |out| {
                    out.leaf("caption", &[("id", &label)], &table.caption);
                    out.element("thead", &[("role", "rowgroup")], |out| {
                        out.element("tr", &[("role", "row")], |out| {
                            for column in &table.columns {
                                let class = if column.number { "num" } else { "words" };
                                out.leaf(
                                    "th",
                                    &[("scope", "col"), ("role", "columnheader"), ("class", class)],
                                    &column.name,
                                );
                            }
                        });
                    });
                    out.element("tbody", &[("role", "rowgroup")], |out| {
                        table.rows.iter().for_each(|cells| row(out, table, cells));
                    });
                },
            );
        });
    }
}

/// Columns that are beside each other on a phone.
const NARROW: usize = 2;

fn row(out: &mut Markup, table: &Table, cells: &[String]) {
    out.element("tr", &[("role", "row")], |out| {
        for (nth, (cell, column)) in cells.iter().zip(&table.columns).enumerate() {
            let class = if column.number { "num" } else { "words" };
            match nth {
                0 => {
                    let of = [
                        ("scope", "row"),
                        ("role", "rowheader"),
                        ("class", class),
                        ("data-label", &*column.name),
                    ];
                    out.leaf("th", &of, cell);
                }
                _ => out.leaf(
                    "td",
                    &[
                        ("role", "cell"),
                        ("class", class),
                        ("data-label", &column.name),
                    ],
                    cell,
                ),
            }
        }
    });
    out.line();
}
