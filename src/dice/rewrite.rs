//! Rewrites: a refused text, changed so that it can be read.
//!
//! Whoever refuses a place proposes changes of the whole text; each is tried, and shown only when
//! it can be read. So a hint never offers what would be refused again, and never loses the tail.

use crate::dice::error::DiceError;
use std::ops::Range;

/// One way to change a refused text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rewrite {
    /// What it is for, as "to count dice"; empty for a text that was probably meant.
    purpose: &'static str,
    /// Bytes and what stands there instead, rising and apart.
    edits: Vec<(Range<usize>, String)>,
}

/// Answers a text as it is shown, if it can be read.
pub(crate) type Readable<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Rewrite {
    pub(crate) fn new(purpose: &'static str) -> Self {
        Rewrite { purpose, edits: Vec::new() }
    }

    /// The text that was probably meant.
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

    /// The changed text.
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
        // A text that was probably meant stands alone.
        if shown.first().is_some_and(|(purpose, _)| purpose.is_empty() || rewrite.purpose.is_empty()) {
            break;
        }
        let Some(written) = rewrite.applied(text).map(|text| text.trim().to_owned()) else {
            continue;
        };
        let Some(canonical) = readable(&written) else {
            continue;
        };
        let offer = if rewrite.purpose.is_empty() { written } else { canonical };
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
            let each: Vec<String> =
                shown.iter().map(|(purpose, offer)| format!("{purpose}, write `{offer}`")).collect();
            format!("{}.", capital(&each.join("; ")))
        }
    };
    error.example.clone_from(first);
    error
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
