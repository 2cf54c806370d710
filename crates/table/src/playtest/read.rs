//! Playtests, and the lines that they are read from.

use super::arguments::{self, call, cut, faces};
use super::character::character;
use super::codes;
use serde_json::{Map, Value};

use crate::tools::ToolEntry;
use rollbook_game::refusal::Code;
use rollbook_rules::System;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::suggest;

#[derive(Default)]
pub struct Found {
    pub playtests: Vec<Playtest>,
    /// Those that cannot: name, place, why.
    pub unreadable: Vec<(String, Span, Vec<Diagnostic>)>,
}

/// A playtest, or its name, its place and what cannot be read of it.
pub(super) type ReadPlaytest = Result<Playtest, (String, Span, Vec<Diagnostic>)>;

/// Calls in a fresh campaign, with their dice and what should come of them.
pub struct Playtest {
    /// What comes after `playtest` in the fence; "line 12" when nothing does.
    pub name: String,
    pub span: Span,
    pub steps: Vec<Step>,
}

pub struct Step {
    pub span: Span,
    pub tool: &'static ToolEntry,
    pub arguments: Map<String, Value>,
    /// The faces in the order of the draws, and where they are written; else the call itself.
    pub dice: Vec<i64>,
    pub dice_span: Option<Span>,
    pub refusal: Option<(Code, Span)>,
    pub expected: Vec<Expected>,
}

pub struct Expected {
    /// Fields and places, joined by dots: `roll.total`, `modifiers.0.value`.
    pub path: String,
    pub path_span: Span,
    /// What it must be; `null` for a field that must be absent.
    pub value: Value,
    pub value_span: Span,
    /// Whether it is in a table, where a bar has to be escaped.
    pub in_table: bool,
}

impl Step {
    pub fn new(span: Span, tool: &'static ToolEntry, arguments: Map<String, Value>) -> Self {
        Step {
            span,
            tool,
            arguments,
            dice: Vec::new(),
            dice_span: None,
            refusal: None,
            expected: Vec::new(),
        }
    }
}

const LINES_MAX: usize = 2_000;

/// Reads the lines of one block; each with where it is, without blanks at its ends.
pub(super) fn read(
    name: String,
    span: Span,
    lines: &[(&str, Span)],
    system: &System,
) -> ReadPlaytest {
    let mut reader = Reader {
        steps: Vec::new(),
        wrong: Vec::new(),
        system,
    };
    for (line, span) in lines.iter().take(LINES_MAX) {
        reader.line(line, *span);
    }
    if let Some((_, span)) = lines.get(LINES_MAX) {
        reader.report(
            *span,
            "a playtest has at most 2000 lines",
            "the rest is not read",
            "split it",
        );
    }
    if reader.steps.is_empty() && reader.wrong.is_empty() {
        reader.report(
            span,
            "this playtest makes no call",
            "",
            "> roll_dice expression=1d20",
        );
    }
    match reader.wrong.is_empty() {
        true => Ok(Playtest {
            name,
            span,
            steps: reader.steps,
        }),
        false => Err((name, span, reader.wrong)),
    }
}

struct Reader<'a> {
    steps: Vec<Step>,
    wrong: Vec<Diagnostic>,
    system: &'a System,
}

impl Reader<'_> {
    fn line(&mut self, line: &str, span: Span) {
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let at = |rest| trimmed(line, rest, span);
        if let Some((rest, span)) = line.strip_prefix('>').map(at) {
            self.step(typed(rest, span));
        } else if let Some((rest, span)) = word(line, "character").map(at) {
            self.step(character(rest, span, self.system));
        } else if let Some((rest, span)) = word(line, "dice").map(at) {
            self.dice(rest, span);
        } else if let Some((rest, span)) = line.strip_prefix('=').map(at) {
            self.expectation(rest, span);
        } else if let Some((rest, span)) = line.strip_prefix('!').map(at) {
            self.refusal(rest, span);
        } else {
            let help = "a line is `character NAME: …`, `> tool key=value`, `dice 13`, `= field: value`, `! code` or `# note`";
            self.report(
                span,
                &format!("`{}` cannot be read", cut(line)),
                "not a line of a playtest",
                help,
            );
        }
    }

    fn step(&mut self, read: Result<Step, Box<Diagnostic>>) {
        match read {
            Ok(step) => self.steps.push(step),
            Err(found) => self.wrong.push(*found),
        }
    }

    fn dice(&mut self, rest: &str, span: Span) {
        let faces = match faces(rest) {
            Ok(faces) => faces,
            Err(word) => {
                return self.report(
                    span,
                    &format!("`{}` is no face of a die", cut(word)),
                    "",
                    "dice 13 4 6",
                );
            }
        };
        match self.call() {
            Some(step) => {
                step.dice.extend(faces);
                step.dice_span = Some(step.dice_span.map_or(span, |first| first.to(span)));
            }
            None => self.orphan(span, "dice"),
        }
    }

    fn expectation(&mut self, rest: &str, span: Span) {
        match (expectation(rest, span), self.call()) {
            (Err(found), _) => self.wrong.push(*found),
            (Ok(expected), Some(step)) => step.expected.push(expected),
            (Ok(_), None) => self.orphan(span, "an expectation"),
        }
    }

    fn refusal(&mut self, code: &str, span: Span) {
        match (refusal_code(code, span), self.call()) {
            (Err(found), _) => self.wrong.push(*found),
            (Ok(code), Some(step)) => step.refusal = Some((code, span)),
            (Ok(_), None) => self.orphan(span, "a refusal"),
        }
    }

    fn call(&mut self) -> Option<&mut Step> {
        self.steps.last_mut()
    }

    fn orphan(&mut self, span: Span, what: &str) {
        // The call above could not be read, which is reported already.
        if self.wrong.is_empty() {
            self.report(
                span,
                &format!("{what} without a call"),
                "no `>` line above it",
                "> roll_dice expression=1d20",
            );
        }
    }

    fn report(&mut self, span: Span, message: &str, label: &str, help: &str) {
        let help = if help.starts_with(['>', '=', '!']) || help.starts_with("dice") {
            format!("for example: {help}")
        } else {
            help.to_owned()
        };
        self.wrong.push(
            Diagnostic::error(codes::UNREADABLE, message)
                .at(span, label)
                .help(help),
        );
    }
}

/// A call as it is typed, at `line`.
pub(super) fn typed(text: &str, line: Span) -> Result<Step, Box<Diagnostic>> {
    call(text, line).map(|typed| Step::new(line, typed.tool, typed.arguments))
}

pub(super) fn refusal_code(name: &str, span: Span) -> Result<Code, Box<Diagnostic>> {
    Code::named(name).ok_or_else(|| {
        let suggestions = suggest(name, Code::ALL.iter().map(|code| code.as_str()));
        let help = match suggestions.first() {
            Some(first) => format!("did you mean `{first}`?"),
            None => "for example: unknown_skill. rollbook explain lists every code".to_owned(),
        };
        Box::new(
            Diagnostic::error(codes::UNREADABLE, "a refusal is expected by its code")
                .at(span, "")
                .help(help),
        )
    })
}

/// `outcome: success`, which is here.
pub(super) fn expectation(rest: &str, span: Span) -> Result<Expected, Box<Diagnostic>> {
    let wrong = |message: &str, label: &str| {
        let found = Diagnostic::error(codes::UNREADABLE, message).at(span, label);
        Box::new(found.help("for example: = outcome: success"))
    };
    let Some((path, value)) = rest.split_once(':') else {
        return Err(wrong("an expectation has no value", "no `:` in it"));
    };
    if path.trim().is_empty() || value.trim().is_empty() {
        return Err(wrong("an expectation names a field and its value", ""));
    }
    let path_span = Span::new(span.file, span.start..span.start + path.trim_end().len());
    let start = span.start + path.len() + 1 + (value.len() - value.trim_start().len());
    let value_span = Span::new(span.file, start..start + value.trim().len());
    let value = arguments::value(value);
    Ok(Expected {
        path: path.trim().to_owned(),
        path_span,
        value,
        value_span,
        in_table: false,
    })
}

/// What comes after a line's first word.
pub(super) fn word<'a>(line: &'a str, first: &str) -> Option<&'a str> {
    line.strip_prefix(first)
        .filter(|rest| rest.starts_with(char::is_whitespace))
}

/// The rest of a line without blanks before it, and where it is.
fn trimmed<'a>(line: &'a str, rest: &'a str, span: Span) -> (&'a str, Span) {
    let trimmed = rest.trim_start();
    (
        trimmed,
        Span::new(
            span.file,
            span.start + (line.len() - trimmed.len())..span.end,
        ),
    )
}
