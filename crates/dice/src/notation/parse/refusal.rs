//! The refusals of a place that cannot be read, and of what other programs write: modifiers that
//! mean two things, that only one of them knows, or that are not worked out here.

use crate::die::Die;
use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::expression::advantage;
use crate::expression::tree::{Dice, DieSlot};
use crate::notation::parse::Parser;
use crate::text::{Span, is_letter, shown};

impl Parser<'_> {
    /// The refusal of what is here, which nothing can continue.
    pub(super) fn leftover(&self) -> DiceError {
        self.leftover_from(self.cursor.at())
    }

    /// The refusal of the word that begins at `start`.
    pub(super) fn leftover_from(&self, start: usize) -> DiceError {
        let mut ahead = self.cursor.clone();
        ahead.go(start);
        if ahead.next() == 0 {
            return Fault::new(
                Code::UnparseableInput,
                Span::new(start, start),
                "The text ends too early.",
            )
            .hint("Finish the expression.", "1d20 + 5");
        }
        let mut start = ahead.at();
        if advantage::WORDS
            .iter()
            .any(|(word, _)| ahead.at_whole_word(word))
        {
            let letters = ahead
                .rest()
                .bytes()
                .take_while(u8::is_ascii_alphabetic)
                .count();
            return self.advantage_elsewhere(Span::new(start, start + letters));
        }
        if let Some((_, span)) = self.advantage {
            return self.advantage_elsewhere(span);
        }
        // The whole word, also if it begins like a modifier: `d20please` is not `d20pl` and `ease`.
        let before = self.cursor.slice(0, start);
        if ahead.rest().starts_with(is_letter) {
            start = before.trim_end_matches(is_letter).len();
            ahead.go(start);
        }
        let rest = ahead.rest();
        let word = rest
            .split(|char: char| char.is_ascii_whitespace())
            .next()
            .unwrap_or("");
        let span = Span::new(start, start + word.len());
        if let Some(error) = out_of_scope(rest, span) {
            return error;
        }
        let short: String = shown(word).chars().take(20).collect();
        Fault::new(
            Code::UnparseableInput,
            span,
            format!("`{short}` cannot be read here."),
        )
        .hint("Write dice and numbers joined by signs.", "2d6 + 1d4 + 5")
    }

    /// The refusal of an advantage word that is before the end, and at no d20.
    fn advantage_elsewhere(&self, span: Span) -> DiceError {
        let (text, range) = (self.cursor.text(), span.range());
        let word = self.cursor.slice(range.start, range.end).to_owned();
        let end = text.find('#').unwrap_or(text.len());
        // Inside repeat( ) it is at the roll, before the comma and the number of times.
        let inside = text
            .get(..range.start)
            .unwrap_or("")
            .rfind(',')
            .filter(|_| self.is_repeated());
        if let Some(comma) = inside {
            return Fault::new(
                Code::InvalidAdvantageUsage,
                span,
                "Advantage belongs to the roll that is repeated.",
            )
            .hint(
                "Write it inside the parentheses, before the comma.",
                "repeat(1d20 adv + 5, 3)",
            )
            .offering(
                Rewrite::new("to roll each so")
                    .insert(comma, &format!(" {word}"))
                    .delete(range),
            );
        }
        Fault::new(
            Code::InvalidAdvantageUsage,
            span,
            "Advantage is written at a d20 or at the end.",
        )
        .hint("Write it right after the d20, or last.", "1d20 adv + 1d4")
        .offering(
            Rewrite::new("to roll the d20 so")
                .delete(range)
                .insert(end, &format!(" {word}")),
        )
    }

    /// `cs` and `cf`: counts in one dialect, marks in another.
    fn critical_letters(&self, word: &str, start: usize) -> DiceError {
        let (hint, example) = match word {
            "cs" => (
                "To count successes write `t`; to mark criticals write `crit`.",
                "5d10t8",
            ),
            _ => (
                "To count failures write `f`; to mark fumbles write `fumble`.",
                "5d10t8f1",
            ),
        };
        let is_success = word == "cs";
        let counts = if is_success {
            "to count successes"
        } else {
            "to count failures"
        };
        let marks = if is_success {
            "to mark criticals"
        } else {
            "to mark fumbles"
        };
        let message = format!("`{word}` counts dice in one dialect and marks them in another.");
        Fault::new(Code::Ambiguous, self.cursor.since(start), message)
            .hint(hint, example)
            .offering(self.respelt(counts, &[("cs", "t"), ("cf", "f"), ("df", "f")]))
            .offering(self.respelt(marks, &[("cs", "crit"), ("cf", "fumble")]))
    }

    /// The text with other names of modifiers, everywhere but in labels and the comment.
    fn respelt(&self, purpose: &'static str, names: &[(&str, &str)]) -> Rewrite {
        let text = self.cursor.text();
        let mut rewrite = Rewrite::new(purpose);
        let mut ahead = self.cursor.clone();
        ahead.go(0);
        let mut in_label = false;
        while ahead.peek() != 0 && ahead.peek() != b'#' {
            in_label = (in_label || ahead.peek() == b'[') && ahead.peek() != b']';
            let at = ahead.at();
            let found = names
                .iter()
                .find(|(old, _)| !in_label && ahead.at_word(old));
            let Some((old, new)) = found else {
                ahead.bump();
                continue;
            };
            let end = at + old.len();
            // Without a number the highest face is meant, or the lowest.
            let after = text.get(end..).unwrap_or("").trim_start();
            let is_bare = !after.starts_with(|next: char| "<>=-0123456789".contains(next));
            let face = if is_bare {
                self.end_face(at, *old == "cs")
            } else {
                String::new()
            };
            rewrite = rewrite.replace(at..end, format!("{new}{face}"));
            ahead.go(end);
        }
        rewrite
    }

    /// The highest or lowest face of the `d20` before a place.
    fn end_face(&self, at: usize, highest: bool) -> String {
        let before = self.cursor.slice(0, at);
        let sides = before.rsplit(['d', 'D']).next().unwrap_or("");
        let digits: String = sides.chars().take_while(char::is_ascii_digit).collect();
        if highest { digits } else { "1".to_owned() }
    }

    /// `p` and `b` after a die that is not d%.
    pub(super) fn percentile_elsewhere(&self, word: &str, start: usize, dice: &Dice) -> DiceError {
        let span = self.cursor.since(start);
        // `d100` and `d%` are one die to a player.
        let hundred = matches!(dice.die, DieSlot::Fixed(Die::Sides(100)));
        let sides = start.saturating_sub(3)..start;
        let percent = (hundred && self.cursor.slice(sides.start, start) == "100").then(|| {
            let purpose = if word == "p" {
                "for a penalty die"
            } else {
                "for a bonus die"
            };
            Rewrite::new(purpose).replace(sides, "%")
        });
        let compared = self.cursor.rest().trim_start().starts_with(['<', '>', '=']);
        let refusal = if word == "p" {
            let drop = if compared { "d" } else { "d=" };
            Fault::new(
                Code::Ambiguous,
                span,
                "`p` drops faces in one dialect and is a penalty die in another.",
            )
            .hint(
                "To drop a face write `d=1`; a penalty die belongs to d%.",
                "4d6d=1",
            )
            .offering(Rewrite::new("to drop the face").replace(start..self.cursor.at(), drop))
        } else {
            Fault::new(
                Code::OutOfScopeSyntax,
                span,
                "Bonus dice belong to percentile dice.",
            )
            .hint("Write them after d%.", "1d%b1")
        };
        refusal.offering(percent)
    }

    pub(super) fn not_for_groups(&self, word: &str, start: usize) -> DiceError {
        let message = format!("`{word}` works on dice, not on a group's sub-totals.");
        Fault::new(Code::OutOfScopeSyntax, self.cursor.since(start), message)
            .hint(
                "Write it at the dice inside; a group can keep, drop or count (t).",
                "{4d6ro1, 3d8}kh1",
            )
            .offering(self.respelt("to count sub-totals", &[("cs", "t")]))
    }

    /// The refusal of one of these words.
    pub(super) fn foreign_modifier(&self, word: &str, start: usize) -> DiceError {
        let span = self.cursor.since(start);
        let range = span.range();
        let (message, hint, example, rewrite) = match word {
            "cs" | "cf" => return self.critical_letters(word, start),
            "df" | "sf" => (
                "Taking failures off in other ways than one by one is not done.",
                "Write f: each failure takes one success off.",
                "5d10t8f1",
                Some(Rewrite::new("to take one success off for each").replace(range, "f")),
            ),
            "ms" => {
                let rest = self.cursor.rest().trim_start();
                let end = range.end + rest.len() - rest.trim_start_matches(['<', '>', '=']).len();
                let test = if rest.starts_with('<') {
                    " under "
                } else {
                    " vs "
                };
                (
                    "A margin of success is part of a check.",
                    "Write vs and the target; the margin is in the result.",
                    "1d20 + 5 vs 15",
                    Some(
                        Rewrite::new("for a check with its margin").replace(range.start..end, test),
                    ),
                )
            }
            "ra" => (
                "`ra` rolls one more die.",
                "Write !o, which explodes once.",
                "4d6!o1",
                Some(Rewrite::new("to explode once").replace(range, "!o")),
            ),
            "m" if self.cursor.rest().starts_with("od") => (
                "Remainders are not worked out.",
                "To divide write `/` or `//`.",
                "2d6 // 2",
                None,
            ),
            "m" => (
                "Matching dice are not marked.",
                "Leave it out: it does not change the total.",
                "4d6",
                Some(Rewrite::new("for the same total").delete(range)),
            ),
            _ => (
                "Matching dice are not counted.",
                "Count one face with t=.",
                "5d6t=6",
                None,
            ),
        };
        Fault::new(Code::OutOfScopeSyntax, span, message)
            .hint(hint, example)
            .offering(rewrite)
    }
}

/// Words of modifiers that only other programs know, or that mean two things among them.
pub(super) const FOREIGN: [&str; 8] = ["cs", "cf", "df", "sf", "ms", "ra", "m", "mt"];

/// The refusal of what other programs do and this engine does not.
pub(super) fn out_of_scope(rest: &str, span: Span) -> Option<DiceError> {
    let (first, start) = (rest.chars().next()?, span.range().start);
    let mut rewrite = None;
    let (message, hint, example) = match first {
        '?' if !rest.starts_with("?{") => {
            let hint = "Roll the condition first, then write what follows from it.";
            (
                "Choices between two values are not worked out here.",
                hint,
                "1d20 vs 11",
            )
        }
        '&' if !rest.starts_with("&{") => {
            rewrite = Some(Rewrite::new("to add them").replace(start..start + 1, "+"));
            ("`&` joins nothing here.", "Write + to add.", "1d20 + 1d6")
        }
        '@' | '?' | '&' | '$' => {
            // `@{dex}`, `@abilities.dex.mod`
            let is_braced = rest.find('{') == Some(first.len_utf8());
            let is_outside = |char: char| !(char.is_alphanumeric() || "@$&?._".contains(char));
            let end = if is_braced {
                rest.find('}').map(|end| end + 1)
            } else {
                rest.find(is_outside)
            };
            let value = start..start + end.unwrap_or(rest.len());
            rewrite = Some(Rewrite::new("if its value is 3").replace(value, "3"));
            (
                "Macros and values of a character sheet are not read here.",
                "Write the number itself.",
                "1d20 + 3",
            )
        }
        '^' => (
            "Powers are not worked out.",
            "Write the product.",
            "2d6 * 2",
        ),
        '*' => (
            "Powers are not worked out.",
            "Write the product, with one `*` between.",
            "2d6 * 2",
        ),
        '%' => {
            let hint = "For a percentile die write d%; to divide write `/` or `//`.";
            ("Remainders are not worked out.", hint, "2d6 // 2")
        }
        _ => return None,
    };
    Some(
        Fault::new(Code::OutOfScopeSyntax, span, message)
            .hint(hint, example)
            .offering(rewrite),
    )
}
