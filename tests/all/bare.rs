//! A campaign without a store or a protocol, for laws over long random sequences: its rules, its
//! dice, and what its log alone makes of it.

use std::sync::Arc;

use rollbook_dice::{DrawError, Roller};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::state::State;
use rollbook_game::table::Chance;
use rollbook_game::table::Setting;
use rollbook_text::diagnostic::SourceFile;

/// The rules of this text, and a campaign played by them.
pub fn setting(text: &str) -> Setting {
    let system = rollbook_rules::read(vec![SourceFile::new("System.md", text)]).system;
    Setting {
        system: Arc::new(system),
        rules_hash: "0".repeat(64),
        rules_files: vec!["System.md".to_owned()],
        rules_text: Default::default(),
        adventure: "any".to_owned(),
        campaign: "any".to_owned(),
        campaign_uuid: "00000000-0000-7000-8000-000000000000".to_owned(),
        characters_max: 2000,
    }
}

/// Dice from a seed; what else chance gives is always the same.
pub struct Dice(pub u64);

impl Roller for Dice {
    fn source(&self) -> &'static str {
        "pinned"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        // Knuth's MMIX generator; its high bits will do here.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let width = u64::try_from(high - low + 1).expect("a face");
        Ok(low + i64::try_from((self.0 >> 33) % width).expect("a small number"))
    }
}

impl Chance for Dice {
    fn roller(&mut self) -> &mut dyn Roller {
        self
    }

    fn roll_id(&mut self, _: i64) -> String {
        "00000000-0000-7000-8000-000000000001".to_owned()
    }

    fn nonce(&mut self) -> String {
        "00".repeat(16)
    }

    fn salt(&mut self) -> [u8; 32] {
        [0; 32]
    }
}

/// The log alone makes the state, and taken back one by one leaves nothing.
pub fn rebuilds(log: &[Entry], state: &State) {
    let mut again = State::default();
    for entry in log {
        assert!(entry.changes.iter().all(|change| {
            let fits = again.agrees(change);
            again.apply(std::slice::from_ref(change));
            fits
        }));
    }
    assert_eq!(&again, state);
    for entry in log.iter().rev() {
        again.revert(&entry.changes);
    }
    assert_eq!(again, State::default());
}
