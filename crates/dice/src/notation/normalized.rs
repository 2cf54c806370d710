//! The canonical text with `d20(adv)` for `2d20kh1`: as people say it, and read back as the same expression.

use crate::expression::Expression;
use crate::expression::advantage::{is_low_good, mode_of};
use crate::notation::strict;
use crate::record::Mode;

impl Expression {
    /// The canonical text with `d20(adv)` and `d20(disadv)`. Where low is good they would be refused, and stay `2d20kh1`.
    pub fn normalized(&self) -> String {
        let text = self.as_str();
        let read = if text.contains("2d20k") && !is_low_good(&self.request().check) {
            strict(text)
        } else {
            return text.to_owned();
        };
        let mut normalized = String::with_capacity(text.len());
        let mut end = 0;
        read.iter().for_each(|own| {
            own.visit_dice(&mut |dice| {
                let Some(mode) = mode_of(dice).filter(|_| dice.modifiers.len() == 1) else { return };
                normalized.push_str(text.get(end..dice.span.range().start).unwrap_or_default());
                normalized.push_str(match mode {
                    Mode::Advantage => "d20(adv)",
                    Mode::Disadvantage => "d20(disadv)",
                });
                end = dice.span.range().start + "2d20kh1".len();
            });
        });
        normalized.push_str(text.get(end..).unwrap_or_default());
        normalized
    }
}
