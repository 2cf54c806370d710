//! What stands after a die or a group.

use crate::dice::advantage::Mode;
use crate::dice::ast::{Dice, DieSlot, End, Explosion, Int, Modifier, ModifierKind};
use crate::dice::compare::{ComparePoint, Comparison};
use crate::dice::die::Die;
use crate::dice::error::{Code, DiceError};
use crate::dice::near::repeated;
use crate::dice::parse::Parser;
use crate::dice::rewrite::Rewrite;
use crate::dice::span::Span;

/// What was found after a die.
pub(super) enum Read {
    Nothing,
    Modifier(ModifierKind),
    /// A comparison without `t`.
    BareCount(ModifierKind),
    Advantage(Mode),
}

/// Keywords, longest first, so that the first that stands there is the longest.
const WORDS: [&str; 42] = [
    "fumble", "crit", "even", "!!p", "max", "min", "odd", "!!", "!o", "!p", "cf", "cs", "df", "dh", "dl", "ds", "kh",
    "kl", "ma", "mi", "ms", "mt", "ph", "pl", "ra", "ro", "rr", "sa", "sd", "sf", "xo", "!", "b", "d", "e", "f", "k",
    "m", "p", "r", "s", "t",
];

/// Words that end the modifiers.
const ENDS: [&str; 3] = ["vs", "under", "bands"];

impl Parser<'_> {
    pub(super) fn modifier(&mut self, dice: &Dice, whole: bool) -> Result<Read, DiceError> {
        match self.cursor.next() {
            b'!' | b'a'..=b'z' => {}
            b'=' | b'<' | b'>' if dice.counts() => return self.bare_again(),
            b'=' | b'<' | b'>' => return self.bare(whole),
            _ => return Ok(Read::Nothing),
        }
        // After another die the word may still mean the whole expression: `1d20 + 1d4 adv`.
        if self.at_any_advantage_word() {
            let d20 = matches!(dice.die, DieSlot::Fixed(Die::Sides(20)));
            let mode = if d20 { self.advantage_word() } else { None };
            return Ok(mode.map_or(Read::Nothing, Read::Advantage));
        }
        let Some(word) = self.keyword() else {
            return Ok(Read::Nothing);
        };
        let start = self.cursor.at();
        if let Some(error) = self.written_apart(word) {
            return Err(error);
        }
        self.cursor.go(start + word.len());
        let percent = matches!(dice.die, DieSlot::Fixed(Die::Percent));
        let refused = match word {
            "cs" | "cf" => Some(self.critical_letters(word, start)),
            "p" | "b" if !percent => Some(self.percentile_elsewhere(word, start, dice)),
            _ => self.foreign_modifier(word, start),
        };
        if let Some(error) = refused {
            return Err(error);
        }
        self.kind(word).map(Read::Modifier)
    }

    /// Behind a space, `d8` looks like another die and `x 2` like a multiplication: neither is taken for a modifier.
    fn written_apart(&self, word: &str) -> Option<DiceError> {
        let start = self.cursor.at();
        let spaced = self.cursor.slice(0, start).ends_with(|before: char| before.is_ascii_whitespace());
        let behind = self.cursor.rest().get(word.len()..).unwrap_or("");
        let digits = behind.trim_start().split(|next: char| !next.is_ascii_digit()).next().unwrap_or("");
        if !spaced || digits.is_empty() {
            return None;
        }
        let range = start..start + word.len();
        let span = Span::new(range.start, range.end);
        let first = Rewrite::new("to add another die").insert(start, "+ ");
        let second = Rewrite::new("to drop the lowest").replace(range.clone(), "dl");
        match word {
            "d" if behind.starts_with(digits) => Some(
                DiceError::new(
                    Code::Ambiguous,
                    span,
                    "Written apart, this could be another die, or dice to drop.",
                    "For another die write `+` before it; to drop the lowest write `dl`.",
                    "4d6 + 1d8",
                )
                .offering(first)
                .offering(second),
            ),
            "x" => Some(
                DiceError::new(
                    Code::Ambiguous,
                    span,
                    "Written apart, `x` could multiply, repeat, or explode.",
                    "To multiply write `*`; to explode write `!` without a space.",
                    "4d6 * 2",
                )
                .offering(Rewrite::new("to multiply").replace(range.clone(), "*"))
                .offering(repeated(self.cursor.text(), self.cursor.slice(0, start).trim(), digits))
                .offering(Rewrite::new("to explode").replace(range, "!")),
            ),
            _ => None,
        }
    }

    /// The longest keyword that stands here.
    fn keyword(&self) -> Option<&'static str> {
        if ENDS.iter().any(|word| self.cursor.at_whole_word(word)) {
            return None;
        }
        if self.cursor.at_word("x") && !self.cursor.at_word("xo") {
            return Some("x");
        }
        // `!odd` is an explosion and a count of odd dice.
        if self.cursor.at_word("!odd") {
            return Some("!");
        }
        WORDS.into_iter().find(|word| self.cursor.at_word(word))
    }

    fn kind(&mut self, word: &'static str) -> Result<ModifierKind, DiceError> {
        let explode = |explosion, penetrating, point| ModifierKind::Explode { explosion, penetrating, point };
        Ok(match word {
            "k" | "kh" | "kl" | "d" | "dh" | "dl" | "ph" | "pl" => self.selection(word)?,
            "r" | "ro" => ModifierKind::RerollOnce(self.point(word, Comparison::Equal)?),
            "rr" => ModifierKind::RerollUntil(self.point(word, Comparison::Equal)?),
            "!" | "x" | "e" => explode(Explosion::Each, false, self.optional_point()?),
            "!o" | "xo" => explode(Explosion::Once, false, self.optional_point()?),
            "!!" => explode(Explosion::Compound, false, self.optional_point()?),
            "!p" => explode(Explosion::Each, true, self.optional_point()?),
            "!!p" => explode(Explosion::Compound, true, self.optional_point()?),
            "min" | "mi" => ModifierKind::Minimum(self.required_int(word)?),
            "max" | "ma" => ModifierKind::Maximum(self.required_int(word)?),
            "t" => ModifierKind::Success(self.point(word, Comparison::AtLeast)?),
            "f" => ModifierKind::Failure(self.point(word, Comparison::Equal)?),
            "ds" => ModifierKind::Double(self.point(word, Comparison::Equal)?),
            "even" => ModifierKind::Even,
            "odd" => ModifierKind::Odd,
            "crit" => ModifierKind::Crit(self.point(word, Comparison::Equal)?),
            "fumble" => ModifierKind::Fumble(self.point(word, Comparison::Equal)?),
            "s" | "sa" => ModifierKind::SortAscending,
            "sd" => ModifierKind::SortDescending,
            "b" | "p" => self.percentile(word)?,
            _ => return Err(self.leftover()),
        })
    }

    fn selection(&mut self, word: &str) -> Result<ModifierKind, DiceError> {
        if matches!(word, "k" | "d")
            && let Some(comparison) = self.cursor.take_comparison()
        {
            let value = self.required_int(word)?;
            let point = ComparePoint { comparison, value };
            return Ok(match word {
                "k" => ModifierKind::KeepWhere(point),
                _ => ModifierKind::DropWhere(point),
            });
        }
        let count = self.optional_int()?.unwrap_or(Int::Literal(1));
        Ok(match word {
            "k" | "kh" => ModifierKind::Keep(End::Highest, count),
            "kl" => ModifierKind::Keep(End::Lowest, count),
            "dh" | "ph" => ModifierKind::Drop(End::Highest, count),
            _ => ModifierKind::Drop(End::Lowest, count),
        })
    }

    fn percentile(&mut self, word: &str) -> Result<ModifierKind, DiceError> {
        Ok(match (word, self.required_int(word)?) {
            ("b", Int::Literal(count)) if count < 0 => ModifierKind::Penalty(Int::Literal(-count)),
            ("p", Int::Literal(count)) if count < 0 => ModifierKind::Bonus(Int::Literal(-count)),
            ("b", count) => ModifierKind::Bonus(count),
            (_, count) => ModifierKind::Penalty(count),
        })
    }

    /// A comparison right after dice counts them when they are the whole expression.
    fn bare(&mut self, whole: bool) -> Result<Read, DiceError> {
        let start = self.cursor.at();
        let Some(comparison) = self.cursor.take_comparison() else {
            return Ok(Read::Nothing);
        };
        let value = match self.plain_int()? {
            Some(value) if whole => value,
            Some(_) => return Err(self.bare_count(self.cursor.since(start))),
            None => {
                self.cursor.go(start);
                return Ok(Read::Nothing);
            }
        };
        let point = ComparePoint { comparison, value };
        Ok(Read::BareCount(ModifierKind::Success(point)))
    }

    /// A comparison after dice that are counted already: what follows may be a check of the count.
    fn bare_again(&mut self) -> Result<Read, DiceError> {
        let start = self.cursor.at();
        match self.bare(true)? {
            Read::BareCount(_) => Err(self.counted_already(self.cursor.since(start))),
            other => Ok(other),
        }
    }

    /// An integer that is not the count of further dice.
    fn plain_int(&mut self) -> Result<Option<Int>, DiceError> {
        let start = self.cursor.at();
        let Some(int) = self.signed_int()? else {
            return Ok(None);
        };
        let number = self.cursor.peek();
        let drop = ["ds", "dl", "dh"].iter().any(|word| self.cursor.at_word(word));
        if number == b'.' || (self.at_die() && !drop) {
            self.cursor.go(start);
            return Ok(None);
        }
        Ok(Some(int))
    }

    fn point(&mut self, word: &str, bare: Comparison) -> Result<ComparePoint, DiceError> {
        let comparison = self.cursor.take_comparison().unwrap_or(bare);
        let value = self.required_int(word)?;
        Ok(ComparePoint { comparison, value })
    }

    fn optional_point(&mut self) -> Result<Option<ComparePoint>, DiceError> {
        if let Some(comparison) = self.cursor.take_comparison() {
            let value = self.required_int("!")?;
            return Ok(Some(ComparePoint { comparison, value }));
        }
        let value = self.optional_int()?;
        Ok(value.map(|value| ComparePoint { comparison: Comparison::Equal, value }))
    }

    fn required_int(&mut self, word: &str) -> Result<Int, DiceError> {
        let start = self.cursor.at();
        if let Some(int) = self.signed_int()? {
            return Ok(int);
        }
        let before = start.saturating_sub(word.len());
        Err(match self.cursor.peek() {
            // Not this modifier, but a word that begins like it.
            b'a'..=b'z' => self.leftover_from(before),
            _ => DiceError::new(
                Code::UnparseableInput,
                Span::new(before, self.cursor.at()),
                format!("`{word}` needs a number."),
                format!("Write a number after `{word}`."),
                example_of(word),
            ),
        })
    }

    /// A number with an optional minus sign, or a variable; `None` leaves the place unchanged.
    fn signed_int(&mut self) -> Result<Option<Int>, DiceError> {
        let start = self.cursor.at();
        let negative = self.cursor.take(b'-');
        if !negative {
            return self.optional_int();
        }
        self.cursor.skip_space();
        match self.literal()? {
            Some(value) => Ok(Some(Int::Literal(-value))),
            None => {
                self.cursor.go(start);
                Ok(None)
            }
        }
    }

    fn optional_int(&mut self) -> Result<Option<Int>, DiceError> {
        if self.cursor.next() == b'{' && self.at_variable() {
            let variable = self.variable()?;
            return Ok(Some(Int::Variable(Box::new(variable))));
        }
        Ok(self.literal()?.map(Int::Literal))
    }

    /// The keep, drop or count of a group.
    pub(super) fn group_modifier(&mut self) -> Result<Option<Modifier>, DiceError> {
        let next = self.cursor.next();
        let start = self.cursor.at();
        let kind = match next {
            b'=' | b'<' | b'>' => match self.bare(true)? {
                Read::BareCount(kind) => kind,
                _ => return Ok(None),
            },
            b'a'..=b'z' if !self.at_any_advantage_word() => {
                let Some(word) = self.keyword() else {
                    return Ok(None);
                };
                self.cursor.go(start + word.len());
                match word {
                    "k" | "kh" | "kl" | "d" | "dh" | "dl" | "ph" | "pl" | "t" => self.kind(word)?,
                    _ => return Err(self.not_for_groups(word, start)),
                }
            }
            b'!' => return Err(self.not_for_groups("!", start)),
            _ => return Ok(None),
        };
        let span = self.cursor.since(start);
        Ok(Some(Modifier { kind, span }))
    }
}

/// A valid text that shows the modifier.
fn example_of(word: &str) -> &'static str {
    match word {
        "r" | "ro" | "rr" => "2d6ro1",
        "min" | "mi" => "1d20min10",
        "max" | "ma" => "1d20max10",
        "t" => "5d10t8",
        "f" => "5d10t8f1",
        "ds" => "5d10t8ds10",
        "crit" | "fumble" => "1d20crit20",
        "b" => "1d%b1",
        "p" => "1d%p1",
        "d" => "4d6d=1",
        "k" => "4d6k=6",
        _ => "4d6!6",
    }
}
