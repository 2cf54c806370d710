//! What stands after a die or a group.

use crate::dice::advantage::Mode;
use crate::dice::ast::{Dice, DieSlot, End, Explosion, Modifier, ModifierKind};
use crate::dice::compare::{ComparePoint, Comparison, Int};
use crate::dice::die::Die;
use crate::dice::error::DiceError;
use crate::dice::parse::Parser;

/// What was found after a die.
pub(super) enum Read {
    Nothing,
    Modifier(ModifierKind),
    /// A comparison without `t`.
    BareCount(ModifierKind),
    Advantage(Mode),
}

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
