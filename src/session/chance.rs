//! Chance from the operating system, behind the trait that tests script.

use rand::rngs::{StdRng, SysRng};
use rand::{Rng as _, SeedableRng as _};

use crate::dice::{OsRoller, Roller};
use crate::game::table::Chance;

/// The server's dice, ids, nonces and salts: cryptographic generators seeded by the operating system.
pub struct OsChance {
    dice: OsRoller,
    /// Apart from the dice, so that nothing printed comes from the stream that decides a roll.
    names: StdRng,
}

impl OsChance {
    /// Seeds both generators.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn new() -> Result<Self, String> {
        let names = StdRng::try_from_rng(&mut SysRng)
            .map_err(|error| format!("no randomness from the operating system: {error}"))?;
        Ok(OsChance { dice: OsRoller::new(), names })
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
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid().to_string()
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
