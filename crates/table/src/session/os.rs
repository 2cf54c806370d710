//! The operating system's time and random numbers. Tests pass in a time and a script of dice.

use std::time::{SystemTime, UNIX_EPOCH};

use rand::rngs::{StdRng, SysRng};
use rand::{Rng as _, SeedableRng as _};

use rollbook_dice::{OsRoller, Roller};
use rollbook_game::record::instant::iso;
use rollbook_game::table::Chance;

/// Now, in microseconds since 1970-01-01T00:00:00Z; negative before.
#[expect(
    clippy::disallowed_methods,
    reason = "the clock is read here and nowhere else"
)]
pub fn now() -> i64 {
    micros(SystemTime::now())
}

fn micros(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
        Err(before) => {
            i64::try_from(before.duration().as_micros()).map_or(i64::MIN, |micros| -micros)
        }
    }
}

/// Checks that entries can be dated so. Errors: before 1970: the computer's clock is wrong.
pub fn valid(at: i64) -> Result<i64, String> {
    match at {
        0.. => Ok(at),
        _ => Err(format!(
            "The clock of this computer says {}, and entries are dated from 1970 on. Set the clock right and do the same again",
            iso(at)
        )),
    }
}

/// The server's dice, ids, nonces and salts: cryptographic generators seeded by the system.
pub struct OsChance {
    dice: OsRoller,
    /// Apart from the dice, so that nothing printed comes from the stream that decides a roll.
    names: StdRng,
}

impl OsChance {
    /// Errors: the operating system gives no random bytes.
    pub fn new() -> Result<Self, String> {
        let names = StdRng::try_from_rng(&mut SysRng)
            .map_err(|error| format!("no randomness from the operating system: {error}"))?;
        Ok(OsChance {
            dice: OsRoller::new(),
            names,
        })
    }
}

impl Chance for OsChance {
    fn roller(&mut self) -> &mut dyn Roller {
        &mut self.dice
    }

    fn roll_id(&mut self, at: i64) -> String {
        let mut random = [0; 10];
        self.names.fill_bytes(&mut random);
        let millis = u64::try_from(at / 1000).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random)
            .into_uuid()
            .to_string()
    }

    fn nonce(&mut self) -> String {
        let mut random = [0; 16];
        self.names.fill_bytes(&mut random);
        base16ct::lower::encode_string(&random)
    }

    fn salt(&mut self) -> [u8; 32] {
        let mut random = [0; 32];
        self.names.fill_bytes(&mut random);
        random
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::{micros, valid};

    #[test]
    fn a_clock_before_1970_is_read_and_refused() {
        assert_eq!(micros(UNIX_EPOCH + Duration::from_millis(2)), 2_000);
        let at = micros(UNIX_EPOCH - Duration::from_secs(86_400));
        assert_eq!(at, -86_400_000_000);
        assert!(
            valid(at)
                .unwrap_err()
                .contains("says 1969-12-31T00:00:00.000000Z")
        );
        assert_eq!(valid(0), Ok(0));
    }
}
