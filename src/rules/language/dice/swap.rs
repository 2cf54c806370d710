//! What advantage and disadvantage are where no rule says so.

use crate::dice::Mode;
use crate::rules::when::facts::Succeed;

/// Two d20 of which the better or the worse is kept.
pub fn two_d20(mode: Mode, succeed: Succeed) -> &'static str {
    match (mode, succeed) {
        (Mode::Advantage, Succeed::AtLeast) | (Mode::Disadvantage, Succeed::AtMost) => "2d20kh1",
        (Mode::Advantage, Succeed::AtMost) | (Mode::Disadvantage, Succeed::AtLeast) => "2d20kl1",
    }
}
