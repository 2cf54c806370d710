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

/// Dice alone, for what nobody records: the names that a roll would have are empty.
pub struct Unrecorded<R>(pub R);

impl<R: Roller + Send> Chance for Unrecorded<R> {
    fn roller(&mut self) -> &mut dyn Roller {
        &mut self.0
    }

    fn roll_id(&mut self, _: i64) -> String {
        String::new()
    }

    fn nonce(&mut self) -> String {
        String::new()
    }

    fn salt(&mut self) -> [u8; 32] {
        [0; 32]
    }
}
