//! A report before it is HTML or Markdown: what is said, in order. Each renderer escapes its text.

use rollbook_game::view::number::Numbers;

#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub title: String,
    /// In red above everything: that a report is not for everybody, or its log does not hold.
    pub banners: Vec<String>,
    pub lead: Vec<Block>,
    pub sections: Vec<Section>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its anchor; lower-case letters and hyphens.
    pub id: &'static str,
    pub title: &'static str,
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    Heading(String),
    Subheading(String),
    Paragraph(Vec<Inline>),
    List(Vec<Item>),
    Table(Table),
    Chart(Chart),
    // What repeats something beside it, closed until a reader opens it; open on paper.
    Folded { title: String, blocks: Vec<Block> },
    Card { title: String, blocks: Vec<Block> },
    // A text as a QR code; the text itself is beside it.
    Qr { text: String, title: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    Text(String),
    Strong(String),
    /// The one figure that a card is about.
    Big(String),
    /// Typed or compared as it is: a receipt, a command.
    Code(String),
    /// Leads to where an entry is, if it does.
    Entry(Numbers),
    Section(&'static str, String),
    Small(String),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// Its entry; each entry is in one item.
    pub entry: Option<Numbers>,
    pub parts: Vec<Inline>,
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub number: bool,
}

impl Table {
    /// A table without rows; a name that ends with `#` is that of a column of numbers.
    pub fn of(caption: impl Into<String>, columns: &[&str]) -> Self {
        let column = |name: &&str| match name.strip_suffix('#') {
            Some(name) => Column {
                name: name.to_owned(),
                number: true,
            },
            None => Column {
                name: (*name).to_owned(),
                number: false,
            },
        };
        Table {
            caption: caption.into(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }
}

impl Block {
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
    pub fn entries(&self) -> std::collections::BTreeSet<Numbers> {
        let mut entries = std::collections::BTreeSet::new();
        let mut blocks: Vec<&Block> = self
            .lead
            .iter()
            .chain(self.sections.iter().flat_map(|section| &section.blocks))
            .collect();
        while let Some(block) = blocks.pop() {
            match block {
                Block::List(items) => entries.extend(items.iter().filter_map(|item| item.entry)),
                Block::Card { blocks: inner, .. } | Block::Folded { blocks: inner, .. } => {
                    blocks.extend(inner)
                }
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

/// What a chart shows; a table beside it has the numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub title: String,
    /// What it shows, for those who do not see it.
    pub summary: String,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A bar a label, each with a mark where it is expected to end.
    Bars(Vec<Bar>),
    /// A line a name over the same places, from 0 up.
    Lines {
        places: Vec<String>,
        lines: Vec<Line>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub label: String,
    pub value: f64,
    pub expected: f64,
}

/// A line; where a value is not known it has none.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub name: String,
    pub values: Vec<Option<f64>>,
}
