//! What a chart shows; the numbers stand in a table beside it.

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub title: String,
    /// What it shows, for those who do not see it.
    pub summary: String,
    pub kind: Kind,
}

/// How it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A bar a label, each with a mark where it is expected to end.
    Bars(Vec<Bar>),
    /// A line a name over the same places, from 0 up.
    Lines { places: Vec<String>, lines: Vec<Line> },
}

/// A bar, from 0.
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
