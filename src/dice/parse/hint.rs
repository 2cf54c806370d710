//! What is said about a place that cannot be read.

use crate::dice::error::{Code, DiceError};
use crate::dice::parse::Parser;
use crate::dice::span::Span;

impl Parser<'_> {
    /// The refusal of what stands here, which nothing can continue.
    pub(super) fn leftover(&self) -> DiceError {
        self.leftover_from(self.cursor.at())
    }

    /// The refusal of the word that begins at `start`.
    pub(super) fn leftover_from(&self, start: usize) -> DiceError {
        let mut ahead = self.cursor.clone();
        ahead.go(start);
        let at = start;
        if ahead.next() == 0 {
            return DiceError::new(
                Code::UnparseableInput,
                Span::new(at, at),
                "The text ends too early.",
                "Finish the expression.",
                "1d20 + 5",
            );
        }
        let start = ahead.at();
        if ["adv", "advantage", "dis", "disadv", "disadvantage"].iter().any(|word| ahead.at_whole_word(word)) {
            return DiceError::new(
                Code::InvalidAdvantageUsage,
                Span::new(start, start + 3),
                "Advantage is written at a d20 or at the end.",
                "Write it right after the d20, or last.",
                "1d20 adv + 1d4",
            );
        }
        let rest = ahead.rest();
        let word = rest.split(|char: char| char.is_ascii_whitespace()).next();
        let word = word.unwrap_or("");
        let span = Span::new(start, start + word.len());
        if let Some(error) = out_of_scope(rest, span) {
            return error;
        }
        let short: String = word.chars().take(20).collect();
        DiceError::new(
            Code::UnparseableInput,
            span,
            format!("`{short}` cannot be read here."),
            "Write dice and numbers joined by signs.",
            "2d6 + 1d4 + 5",
        )
    }

    /// `cs` and `cf`: counts in one dialect, marks in another.
    pub(super) fn critical_letters(&self, word: &str, start: usize) -> DiceError {
        let hint = match word {
            "cs" => "To count successes write `t`; to mark criticals write `crit`.",
            _ => "To count failures write `f`; to mark fumbles write `fumble`.",
        };
        let example = if word == "cs" { "5d10t8" } else { "5d10t8f1" };
        DiceError::new(
            Code::Ambiguous,
            self.cursor.since(start),
            format!("`{word}` counts dice in one dialect and marks them in another."),
            hint,
            example,
        )
    }

    /// `p` and `b` after a die that is not d%.
    pub(super) fn percentile_elsewhere(&self, word: &str, start: usize) -> DiceError {
        let span = self.cursor.since(start);
        match word {
            "p" => DiceError::new(
                Code::Ambiguous,
                span,
                "`p` drops faces in one dialect and is a penalty die in another.",
                "To drop a face write `d=1`; a penalty die belongs to d%.",
                "4d6d=1",
            ),
            _ => DiceError::new(
                Code::OutOfScopeSyntax,
                span,
                "Bonus dice belong to percentile dice.",
                "Write them after d%.",
                "1d%b1",
            ),
        }
    }

    pub(super) fn not_for_groups(&self, word: &str, start: usize) -> DiceError {
        DiceError::new(
            Code::OutOfScopeSyntax,
            self.cursor.since(start),
            format!("`{word}` works on dice, not on a group's sub-totals."),
            "Write it at the dice inside; a group can keep, drop or count (t).",
            "{4d6ro1, 3d8}kh1",
        )
    }
}

/// The refusal of what other programs do and this engine does not.
fn out_of_scope(rest: &str, span: Span) -> Option<DiceError> {
    let refuse = |message: &str, hint: &str, example: &str| {
        Some(DiceError::new(Code::OutOfScopeSyntax, span, message, hint, example))
    };
    match rest.chars().next()? {
        '@' | '?' | '&' | '$' => {
            refuse("Macros and values of a character sheet are not read here.", "Write the number itself.", "1d20 + 3")
        }
        '^' => refuse("Powers are not worked out.", "Write the product.", "2d6 * 2"),
        _ => None,
    }
}

/// The refusal of a modifier that only another program knows.
pub(super) fn foreign_modifier(word: &str, span: Span) -> Option<DiceError> {
    let (message, hint, example) = match word {
        "df" | "sf" => (
            "Taking failures off in other ways than one by one is not done.",
            "Write f: each failure takes one success off.",
            "5d10t8f1",
        ),
        "ms" => (
            "A margin of success is part of a check.",
            "Write vs and the target; the margin is in the result.",
            "1d20 + 5 vs 15",
        ),
        "ra" => ("`ra` rolls one more die.", "Write !o, which explodes once.", "4d6!o1"),
        "mt" => ("Matching dice are not counted.", "Count one face with t=.", "5d6t=6"),
        _ => return None,
    };
    Some(DiceError::new(Code::OutOfScopeSyntax, span, message, hint, example))
}
