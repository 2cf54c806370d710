//! Chance that was set before: faces from a script; ids, nonces and salts that count up.

use std::sync::{Arc, Mutex, MutexGuard};

use rollbook_dice::{DrawError, Roller, ScriptedRoller};
use rollbook_game::table::Chance;
use serde_json::Value;

/// What falls next; clones share it, so it outlives a restart.
#[derive(Clone, Default)]
pub struct Script(Arc<Mutex<Drawn>>);

#[derive(Default)]
struct Drawn {
    faces: Vec<i64>,
    roller: ScriptedRoller,
    ran_out: Option<String>,
    /// Faces for ever from this number on, for tests that do not care which.
    endless: Option<u64>,
    ids: u64,
    nonces: u64,
    salts: u64,
}

impl Script {
    pub fn add(&self, faces: impl IntoIterator<Item = i64>) {
        let mut state = self.drawn();
        let left = state.roller.left();
        state.faces = left.into_iter().chain(faces).collect();
        state.roller = ScriptedRoller::new(state.faces.clone());
    }

    /// Whatever falls from here on, the same for the same seed.
    pub fn endless(&self, seed: u64) {
        self.drawn().endless = Some(seed);
    }

    /// Fails when a call drew more or fewer dice than were set.
    #[track_caller]
    pub fn assert_used_up(&self, call: &str, answer: &Value) {
        let mut state = self.drawn();
        if let Some(reason) = state.ran_out.take() {
            drop(state);
            panic!("too few dice for {call}: {reason}");
        }
        let left = state.roller.left();
        if !left.is_empty() {
            drop(state);
            panic!("dice {left:?} were left over after {call}, which answered {answer}");
        }
    }

    fn drawn(&self) -> MutexGuard<'_, Drawn> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The chance of one server.
pub struct Scripted {
    script: Script,
}

impl Scripted {
    pub fn new(script: Script) -> Scripted {
        Scripted { script }
    }
}

impl Chance for Scripted {
    fn roller(&mut self) -> &mut dyn Roller {
        self
    }

    fn roll_id(&mut self, _: i64) -> String {
        let mut state = self.script.drawn();
        state.ids += 1;
        format!("00000000-0000-7000-8000-{:012x}", state.ids)
    }

    fn nonce(&mut self) -> String {
        let mut state = self.script.drawn();
        state.nonces += 1;
        format!("{:032x}", state.nonces)
    }

    fn salt(&mut self) -> [u8; 32] {
        let mut state = self.script.drawn();
        state.salts += 1;
        let mut salt = [0; 32];
        salt[24..].copy_from_slice(&state.salts.to_be_bytes());
        salt
    }
}

impl Roller for Scripted {
    fn source(&self) -> &'static str {
        "pinned"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        let mut state = self.script.drawn();
        if let Some(seed) = &mut state.endless {
            // Knuth's MMIX generator; its high bits will do for a test that does not look at the
            // faces.
            *seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let width = u64::try_from(high - low + 1).expect("a face");
            return Ok(low + i64::try_from((*seed >> 33) % width).expect("a small number"));
        }
        let drawn = state.roller.draw(low, high);
        if let Err(error) = &drawn {
            state.ran_out = Some(error.to_string());
        }
        drawn
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        if self.script.drawn().endless.is_some() {
            let place = self.draw(0, i64::try_from(faces.len()).expect("a few") - 1)?;
            return Ok(faces[usize::try_from(place).expect("a place")]);
        }
        let mut state = self.script.drawn();
        let drawn = state.roller.pick(faces);
        if let Err(error) = &drawn {
            state.ran_out = Some(error.to_string());
        }
        drawn
    }
}
