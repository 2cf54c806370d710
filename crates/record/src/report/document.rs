//! A report before it is HTML or Markdown: what is said, in which order. Text in it is plain; each renderer escapes all of it.

use crate::report::chart::Chart;

/// A report.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub title: String,
    /// Said in red above everything: that a report is not for everybody, or that its log does not hold.
    pub banners: Vec<String>,
    /// Below the title.
    pub lead: Vec<Block>,
    pub sections: Vec<Section>,
}

/// A section with its heading.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its anchor; lower-case letters and hyphens.
    pub id: &'static str,
    pub title: &'static str,
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// The heading of what follows, within its section.
    Heading(String),
    /// The same, one level deeper.
    Subheading(String),
    Paragraph(Vec<Inline>),
    List(Vec<Item>),
    Table(Table),
    Chart(Chart),
    /// What says the same as something beside it, closed until a reader opens it; on paper it is open.
    Folded {
        title: String,
        blocks: Vec<Block>,
    },
    /// Something that stands out.
    Card {
        title: String,
        blocks: Vec<Block>,
    },
    /// A text as a QR code; the text itself stands beside it.
    Qr {
        text: String,
        title: String,
    },
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    Text(String),
    Strong(String),
    /// The one figure that a card is about.
    Big(String),
    /// Typed or compared as it stands: a receipt, a command.
    Code(String),
    /// Leads to where an entry stands, if it does.
    Entry(u64),
    /// Leads to a section.
    Section(&'static str, String),
    /// What is less important than the rest.
    Small(String),
}

/// A line of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// The entry that it tells of; each entry stands in one item.
    pub entry: Option<u64>,
    pub parts: Vec<Inline>,
    /// It was taken back.
    pub undone: bool,
    /// It follows from the item before.
    pub nested: bool,
}

/// A table with a heading for each column and each row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    pub caption: String,
    pub columns: Vec<Column>,
    /// The first cell of each is the heading of its row.
    pub rows: Vec<Vec<String>>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// Numbers, one below the other.
    pub number: bool,
}

impl Table {
    /// A table without rows; a name that ends with `#` is that of a column of numbers.
    pub fn of(caption: impl Into<String>, columns: &[&str]) -> Self {
        let column = |name: &&str| match name.strip_suffix('#') {
            Some(name) => Column { name: name.to_owned(), number: true },
            None => Column { name: (*name).to_owned(), number: false },
        };
        Table { caption: caption.into(), columns: columns.iter().map(column).collect(), rows: Vec::new() }
    }
}

impl Block {
    /// A paragraph of plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Block::Paragraph(vec![Inline::text(text)])
    }
}

impl Inline {
    pub fn text(text: impl Into<String>) -> Self {
        Inline::Text(text.into())
    }

    pub fn strong(text: impl Into<String>) -> Self {
        Inline::Strong(text.into())
    }

    pub fn code(text: impl Into<String>) -> Self {
        Inline::Code(text.into())
    }
}

impl Document {
    /// The entries that stand in it as items.
    pub fn entries(&self) -> std::collections::BTreeSet<u64> {
        let mut entries = std::collections::BTreeSet::new();
        let mut blocks: Vec<&Block> =
            self.lead.iter().chain(self.sections.iter().flat_map(|section| &section.blocks)).collect();
        while let Some(block) = blocks.pop() {
            match block {
                Block::List(items) => entries.extend(items.iter().filter_map(|item| item.entry)),
                Block::Card { blocks: inner, .. } | Block::Folded { blocks: inner, .. } => blocks.extend(inner),
                Block::Heading(_)
                | Block::Subheading(_)
                | Block::Paragraph(_)
                | Block::Table(_)
                | Block::Chart(_)
                | Block::Qr { .. } => {}
            }
        }
        entries
    }
}
