//! A playtest as it was read.

use serde_json::{Map, Value};

use crate::tools::ToolEntry;
use rollbook_game::refusal::Code;
use rollbook_text::diagnostic::{Diagnostic, Span};

/// What was found in the files, in order, with what could not be read.
#[derive(Default)]
pub struct Found {
    /// The playtests that can be played.
    pub playtests: Vec<Playtest>,
    /// Those that cannot: name, place, why.
    pub unreadable: Vec<(String, Span, Vec<Diagnostic>)>,
}

/// A playtest, or its name, its place and what cannot be read of it.
pub(super) type ReadPlaytest = Result<Playtest, (String, Span, Vec<Diagnostic>)>;

/// Calls in a fresh campaign, with their dice and what should come of them.
pub struct Playtest {
    /// What stands behind `playtest` in the fence; "line 12" when nothing does.
    pub name: String,
    /// Its first line.
    pub span: Span,
    /// The calls, in order.
    pub steps: Vec<Step>,
}

/// One call.
pub struct Step {
    /// The line of the call.
    pub span: Span,
    /// The tool.
    pub tool: &'static ToolEntry,
    /// What it is called with.
    pub arguments: Map<String, Value>,
    /// The faces that fall, in the order of the draws, and where they are written; the call itself when nowhere.
    pub dice: Vec<i64>,
    /// Where the dice are written.
    pub dice_span: Option<Span>,
    /// The code it is refused with, and where that is written.
    pub refusal: Option<(Code, Span)>,
    /// What the reply, or the refusal, must say.
    pub expected: Vec<Expected>,
}

/// One field of a reply.
pub struct Expected {
    /// Fields and places, joined by dots: `roll.total`, `modifiers.0.value`.
    pub path: String,
    /// Where the path is written.
    pub path_span: Span,
    /// What it must be; `null` for a field that must be absent.
    pub value: Value,
    /// Where the value is written.
    pub value_span: Span,
    /// Whether it stands in a table, where a bar has to be escaped.
    pub in_table: bool,
}

impl Step {
    /// A call without dice or expectations.
    pub fn new(span: Span, tool: &'static ToolEntry, arguments: Map<String, Value>) -> Self {
        Step { span, tool, arguments, dice: Vec::new(), dice_span: None, refusal: None, expected: Vec::new() }
    }
}
