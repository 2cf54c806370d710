//! What is after a die or a group. The longest keyword wins.

use crate::compare::{ComparePoint, Comparison, Int};
use crate::die::Die;
use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::expression::tree::{Dice, DieSlot};
use crate::modifiers::count::Counting;
use crate::modifiers::{self, Form, Modifier, ModifierKind, ReadForm, Spelling, Word};
use crate::notation::parse::Parser;
use crate::notation::parse::refusal::FOREIGN;
use crate::notation::suggestions::repeated;
use crate::text::{Span, is_digit};
use std::cmp::Reverse;
use std::sync::LazyLock;

impl Parser<'_> {
    /// A modifier after a die that is no word for advantage, and if it is a comparison without `t`.
    pub(super) fn modifier(
        &mut self,
        dice: &Dice,
        whole: bool,
    ) -> Result<Option<(ModifierKind, bool)>, DiceError> {
        match self.cursor.next() {
            b'!' | b'a'..=b'z' => {}
            b'=' | b'<' | b'>' => {
                let start = self.cursor.at();
                return match self.bare(whole || dice.counts())? {
                    // Where the dice are counted already, a check of the count may be meant.
                    Some(_) if dice.counts() => Err(self.counted_already(self.cursor.since(start))),
                    kind => Ok(kind.map(|kind| (kind, true))),
                };
            }
            _ => return Ok(None),
        }
        let Some((text, word)) = self.keyword() else {
            return Ok(None);
        };
        let start = self.cursor.at();
        if let Some(error) = self.written_apart(text) {
            return Err(error);
        }
        self.cursor.go(start + text.len());
        let Some(word) = word else {
            return Err(self.foreign_modifier(text, start));
        };
        if word.of_percentile && !matches!(dice.die, DieSlot::Fixed(Die::Percent)) {
            return Err(self.percentile_elsewhere(text, start, dice));
        }
        Ok(Some((self.kind(word)?, false)))
    }

    fn kind(&mut self, word: Word) -> Result<ModifierKind, DiceError> {
        ModifierKind::read(word, self).unwrap_or_else(|| Err(self.leftover()))
    }

    /// A comparison right after dice counts them when they are the whole expression.
    fn bare(&mut self, whole: bool) -> Result<Option<ModifierKind>, DiceError> {
        let start = self.cursor.at();
        let Some(comparison) = self.cursor.take_comparison() else {
            return Ok(None);
        };
        match self.plain_int()? {
            Some(value) if whole => {
                Ok(Some(ModifierKind::Count(Counting::Success(ComparePoint {
                    comparison,
                    value,
                }))))
            }
            Some(_) => Err(self.bare_count(self.cursor.since(start))),
            None => {
                self.cursor.go(start);
                Ok(None)
            }
        }
    }

    /// The keep, drop or count of a group.
    pub(super) fn group_modifier(&mut self) -> Result<Option<Modifier>, DiceError> {
        let next = self.cursor.next();
        let start = self.cursor.at();
        let kind = match next {
            b'=' | b'<' | b'>' => {
                let Some(kind) = self.bare(true)? else {
                    return Ok(None);
                };
                kind
            }
            b'a'..=b'z' if !self.at_any_advantage_word() => {
                let Some((text, word)) = self.keyword() else {
                    return Ok(None);
                };
                self.cursor.go(start + text.len());
                match word.filter(|word| word.for_groups) {
                    Some(word) => self.kind(word)?,
                    None => return Err(self.not_for_groups(text, start)),
                }
            }
            b'!' => return Err(self.not_for_groups("!", start)),
            _ => return Ok(None),
        };
        let span = self.cursor.since(start);
        Ok(Some(Modifier { kind, span }))
    }

    /// An integer that is not the count of further dice.
    fn plain_int(&mut self) -> Result<Option<Int>, DiceError> {
        let start = self.cursor.at();
        let Some(int) = self.signed_int()? else {
            return Ok(None);
        };
        let number = self.cursor.peek();
        // `ds`, `dl`, `dh`.
        let is_word = |word: Word| word.text.len() > 1 && self.cursor.at_word(word.text);
        let is_drop = number == b'd' && modifiers::words().any(is_word);
        if number == b'.' || (self.at_die() && !is_drop) {
            self.cursor.go(start);
            return Ok(None);
        }
        Ok(Some(int))
    }

    fn required_int(&mut self, word: &str, example: &str) -> Result<Int, DiceError> {
        let start = self.cursor.at();
        if let Some(int) = self.signed_int()? {
            return Ok(int);
        }
        let before = start.saturating_sub(word.len());
        Err(match self.cursor.peek() {
            // Not this modifier, but a word that begins like it.
            b'a'..=b'z' => self.leftover_from(before),
            _ => {
                let span = Span::new(before, self.cursor.at());
                Fault::new(
                    Code::UnparseableInput,
                    span,
                    format!("`{word}` needs a number."),
                )
                .hint(format!("Write a number after `{word}`."), example)
            }
        })
    }

    /// A number with an optional minus sign, or a variable; `None` leaves the place unchanged.
    fn signed_int(&mut self) -> Result<Option<Int>, DiceError> {
        let start = self.cursor.at();
        if !self.cursor.take(b'-') {
            return self.optional_int();
        }
        self.cursor.skip_space();
        let value = self.literal()?;
        if value.is_none() {
            self.cursor.go(start);
        }
        Ok(value.map(|value| Int::Literal(-value)))
    }

    fn optional_int(&mut self) -> Result<Option<Int>, DiceError> {
        if self.cursor.next() == b'{' && self.at_variable() {
            return Ok(Some(Int::Variable(Box::new(self.variable()?))));
        }
        if self.cursor.peek() == b'(' {
            return self.computed_int().map(Some);
        }
        Ok(self.literal()?.map(Int::Literal))
    }

    /// The longest keyword here.
    fn keyword(&self) -> Option<Keyword> {
        if ENDS.iter().any(|word| self.cursor.at_whole_word(word)) {
            return None;
        }
        // `!odd` is an explosion and a count of odd dice.
        let first = self.cursor.peek();
        let odd = first == b'!' && self.cursor.at_word("!odd");
        let here =
            |word: &str| word.as_bytes().first() == Some(&first) && self.cursor.at_word(word);
        KEYWORDS
            .iter()
            .copied()
            .find(|(text, _)| here(text) && !(odd && *text == "!o"))
    }

    /// After a space, `d8` looks like another die and `x 2` like a product: neither is a modifier.
    fn written_apart(&self, word: &str) -> Option<DiceError> {
        let start = self.cursor.at();
        let is_spaced = self
            .cursor
            .slice(0, start)
            .ends_with(|before: char| before.is_ascii_whitespace());
        let after = self.cursor.rest().get(word.len()..).unwrap_or("");
        let digits = after
            .trim_start()
            .split(|next| !is_digit(next))
            .next()
            .unwrap_or("");
        if !is_spaced || digits.is_empty() {
            return None;
        }
        let range = start..start + word.len();
        let span = Span::new(range.start, range.end);
        match word {
            "d" if after.starts_with(digits) => Some(
                Fault::new(
                    Code::Ambiguous,
                    span,
                    "Written apart, this could be another die, or dice to drop.",
                )
                .hint(
                    "For another die write `+` before it; to drop the lowest write `dl`.",
                    "4d6 + 1d8",
                )
                .offering(Rewrite::new("to add another die").insert(start, "+ "))
                .offering(Rewrite::new("to drop the lowest").replace(range, "dl")),
            ),
            "x" => Some(
                Fault::new(
                    Code::Ambiguous,
                    span,
                    "Written apart, `x` could multiply, repeat, or explode.",
                )
                .hint(
                    "To multiply write `*`; to explode write `!` without a space.",
                    "4d6 * 2",
                )
                .offering(Rewrite::new("to multiply").replace(range.clone(), "*"))
                .offering(repeated(
                    self.cursor.text(),
                    self.cursor.slice(0, start).trim(),
                    digits,
                ))
                .offering(Rewrite::new("to explode").replace(range, "!")),
            ),
            _ => None,
        }
    }
}

impl ReadForm for Parser<'_> {
    fn read<M>(&mut self, spelling: &Spelling<M>) -> Result<M, DiceError> {
        let Spelling {
            word,
            form,
            example,
            ..
        } = spelling;
        Ok(match form {
            Form::Bare(make) => make(),
            Form::Number(make) | Form::OfPercentile(make) => {
                make(self.required_int(word, example)?)
            }
            Form::HowMany(make) => make(self.optional_int()?.unwrap_or(Int::Literal(1))),
            Form::HowManyOrPoint(make, compare) => match self.cursor.take_comparison() {
                Some(comparison) => compare(ComparePoint {
                    comparison,
                    value: self.required_int(word, example)?,
                }),
                None => make(self.optional_int()?.unwrap_or(Int::Literal(1))),
            },
            Form::Point(bare, make) => {
                let comparison = self.cursor.take_comparison().unwrap_or(*bare);
                make(ComparePoint {
                    comparison,
                    value: self.required_int(word, example)?,
                })
            }
            Form::AnyPoint(make) => match self.cursor.take_comparison() {
                Some(comparison) => make(Some(ComparePoint {
                    comparison,
                    value: self.required_int("!", example)?,
                })),
                None => {
                    let comparison = Comparison::Equal;
                    make(
                        self.optional_int()?
                            .map(|value| ComparePoint { comparison, value }),
                    )
                }
            },
        })
    }
}

/// The word of a modifier, and where it is in the table; of another program's it is nowhere.
type Keyword = (&'static str, Option<Word>);

/// All of them, longest first, so that the first that matches is the longest.
static KEYWORDS: LazyLock<Vec<Keyword>> = LazyLock::new(|| {
    let foreign = FOREIGN.into_iter().map(|word| (word, None));
    let mut all: Vec<Keyword> = modifiers::words()
        .map(|word| (word.text, Some(word)))
        .chain(foreign)
        .collect();
    all.sort_by_key(|(text, _)| Reverse(text.len()));
    all
});

/// Words that end the modifiers.
const ENDS: [&str; 3] = ["vs", "under", "bands"];
