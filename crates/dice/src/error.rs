//! Why a request was refused before any die was drawn, and what to write instead.
//!
//! A refusal proposes changes of the whole text ([`Rewrite`]); each is tried, and shown only when
//! it can be read. So a hint never offers what would be refused again, and never loses the tail.

use crate::text::Span;
use std::fmt;
use std::ops::Range;

/// Makes the enum of all kinds, and the list of them with their names.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal,)+) => {
        /// The stable, lower-case name of a kind of refusal.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $code,)+
        }

        impl Code {
            /// Every code, in the order in which they are documented.
            pub const ALL: [Code; 16] = [$(Code::$code),+];

            /// The name that goes into replies and logs.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Code::$code => $name,)+
                }
            }
        }
    };
}

codes! {
    /// Nothing was written.
    Empty = "empty",
    /// The text is neither notation nor plain English that is understood whole.
    UnparseableInput = "unparseable_input",
    /// A die that cannot exist: no sides, no dice, a negative number.
    InvalidDie = "invalid_die",
    /// Keep or drop that contradicts itself or the number of dice.
    InvalidKeep = "invalid_keep",
    /// Advantage without exactly one d20.
    InvalidAdvantageUsage = "invalid_advantage_usage",
    /// Understood, but not something this engine does.
    OutOfScopeSyntax = "out_of_scope_syntax",
    /// Two dialects read it differently.
    Ambiguous = "ambiguous",
    /// Successes mixed with pips.
    TypeMix = "type_mix",
    /// The same modifier twice.
    Duplicate = "duplicate",
    /// A condition that no face, or every face, meets.
    NoEffect = "no_effect",
    /// Explosions or rerolls that may never end.
    NonTerminating = "non_terminating",
    /// A division that may be by zero.
    DivZero = "div_zero",
    /// A number that may become too large.
    Overflow = "overflow",
    /// One of the [`limits`](crate::limits) was passed.
    LimitExceeded = "limit_exceeded",
    /// Parameters of the structured form that are wrong.
    InvalidParameters = "invalid_parameters",
    /// The roller gave no face (the operating system's source failed, or a script ran out).
    DrawFailed = "draw_failed",
}

/// A refusal: what is wrong, where, what to do, and one text that would be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DiceError {
    /// The kind.
    pub code: Code,
    /// The bytes of the text that are at fault.
    pub span: Range<usize>,
    /// One sentence that a game master understands.
    pub message: String,
    /// One sentence that says what to do.
    pub hint: String,
    /// A text that would be accepted.
    pub example: String,
    /// Whether the example is the text with what was probably meant.
    pub is_meant: bool,
    /// What the text could be changed to; tried, and then shown as hint and example.
    pub(crate) rewrites: Vec<Rewrite>,
}

/// A refusal that still lacks what to do.
pub(crate) struct Fault {
    code: Code,
    span: Span,
    message: String,
}

impl Fault {
    /// What is wrong with what is in `span`.
    pub(crate) fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Fault {
            code,
            span,
            message: message.into(),
        }
    }

    /// One sentence that says what to do, and a text that would be accepted.
    pub(crate) fn hint(self, hint: impl Into<String>, example: impl Into<String>) -> DiceError {
        let Fault {
            code,
            span,
            message,
        } = self;
        let (hint, example, rewrites) = (hint.into(), example.into(), Vec::new());
        DiceError {
            code,
            span: span.range(),
            message,
            hint,
            example,
            is_meant: false,
            rewrites,
        }
    }
}

impl DiceError {
    /// The same with one more change of the text that may make it readable.
    pub(crate) fn offering(mut self, rewrite: impl Into<Option<Rewrite>>) -> Self {
        self.rewrites.extend(rewrite.into());
        self
    }

    /// A refusal for passing the bound `what`, which is `bound`.
    pub(crate) fn limit(what: &str, bound: impl fmt::Display, span: Span, example: &str) -> Self {
        Fault::new(
            Code::LimitExceeded,
            span,
            format!("This passes the limit of {bound} {what}."),
        )
        .hint(
            format!("Stay within {bound} {what}, or split the request."),
            example,
        )
    }
}

/// One way to change a refused text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rewrite {
    /// What it is for, as "to count dice"; empty for a text that was probably meant.
    purpose: &'static str,
    /// Bytes and what is there instead, rising and apart.
    edits: Vec<(Range<usize>, String)>,
}

/// Answers a text as it is shown, if it can be read.
pub(crate) type Readable<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Rewrite {
    pub(crate) fn new(purpose: &'static str) -> Self {
        Rewrite {
            purpose,
            edits: Vec::new(),
        }
    }

    pub(crate) fn meant(whole: &str, text: String) -> Self {
        Rewrite::new("").replace(0..whole.len(), text)
    }

    pub(crate) fn replace(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.edits.push((range, text.into()));
        self.edits.sort_by_key(|(range, _)| range.start);
        self
    }

    pub(crate) fn insert(self, at: usize, text: &str) -> Self {
        self.replace(at..at, text)
    }

    pub(crate) fn delete(self, range: Range<usize>) -> Self {
        self.replace(range, "")
    }

    fn applied(&self, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut at = 0;
        for (range, new) in &self.edits {
            out.push_str(text.get(at..range.start)?);
            out.push_str(new);
            at = range.end;
        }
        out.push_str(text.get(at..)?);
        Some(out)
    }
}

/// Turns the rewrites that can be read into hint and example; without any, both stay general.
pub(crate) fn settle(mut error: DiceError, text: &str, readable: Readable<'_>) -> DiceError {
    let mut shown: Vec<(&str, String)> = Vec::new();
    for rewrite in std::mem::take(&mut error.rewrites) {
        // A text that was probably meant is offered alone.
        if shown
            .first()
            .is_some_and(|(purpose, _)| purpose.is_empty() || rewrite.purpose.is_empty())
        {
            break;
        }
        let Some(written) = rewrite.applied(text).map(|text| text.trim().to_owned()) else {
            continue;
        };
        let Some(canonical) = readable(&written) else {
            continue;
        };
        let offer = if rewrite.purpose.is_empty() {
            written
        } else {
            canonical
        };
        if shown.iter().all(|(_, other)| *other != offer) {
            shown.push((rewrite.purpose, offer));
        }
    }
    let Some((purpose, first)) = shown.first() else {
        return error;
    };
    error.hint = match *purpose {
        "" => format!("Did you mean `{first}`?"),
        _ => {
            let each = shown
                .iter()
                .map(|(purpose, offer)| format!("{purpose}, write `{offer}`"));
            format!("{}.", capital(&each.collect::<Vec<String>>().join("; ")))
        }
    };
    error.is_meant = purpose.is_empty();
    error.example.clone_from(first);
    error
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
