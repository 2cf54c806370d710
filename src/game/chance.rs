//! Where a decision gets its dice and its fresh names from: passed in, so that a decision stays a function.

use crate::dice::Roller;

/// Dice, roll ids, nonces and salts. The server's come from the operating system; a test's are scripted.
pub trait Chance: Send {
    /// The dice.
    fn roller(&mut self) -> &mut dyn Roller;

    /// A new roll id: a UUID of version 7 for that moment (microseconds since 1970).
    fn roll_id(&mut self, at: i64) -> String;

    /// 16 fresh random bytes as hex.
    fn nonce(&mut self) -> String;

    /// The salt of one entry's commitment.
    fn salt(&mut self) -> [u8; 32];
}
