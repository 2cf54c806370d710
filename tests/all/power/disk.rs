//! What a disk may hold after a loss of power: all that was synced; and of what was not, any part.
//! A write reaches the disk in sectors, maybe not in the order in which they were written.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::record::{Change, Record, Step};

const SECTOR: usize = 512;

/// The names in a folder, each with what its file holds.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// What became of the changes of a file that were not synced.
#[derive(Clone, Copy)]
enum Fate {
    Kept,
    Lost,
    /// The first ones are there, and a beginning of the next one.
    Torn(usize),
    /// The first ones are not there, and those after them are.
    Late(usize),
    /// Any sector may be lost.
    Scattered,
}

impl Fate {
    fn drawn(changes: usize, chance: &mut StdRng) -> Fate {
        match chance.random_range(0..5) {
            0 => Fate::Kept,
            1 => Fate::Lost,
            2 => Fate::Torn(chance.random_range(0..=changes)),
            3 => Fate::Late(chance.random_range(0..=changes)),
            _ => Fate::Scattered,
        }
    }

    /// Which bytes are there of the `nth` change, which has so many and begins at that place.
    fn kept(self, nth: usize, at: usize, length: usize, chance: &mut StdRng) -> Vec<Range<usize>> {
        let end = match self {
            Fate::Kept => length,
            Fate::Lost => 0,
            Fate::Torn(first) => match nth.cmp(&first) {
                Ordering::Less => length,
                Ordering::Equal => chance.random_range(0..=length),
                Ordering::Greater => 0,
            },
            Fate::Late(first) if nth < first => 0,
            Fate::Late(_) => length,
            Fate::Scattered => {
                let ends = (at / SECTOR + 1..).map(|sector| (sector * SECTOR - at).min(length));
                let sectors = ends.scan(0, |from, end| {
                    (*from < length).then(|| std::mem::replace(from, end)..end)
                });
                return sectors.filter(|_| chance.random()).collect();
            }
        };
        std::iter::once(0..end).collect()
    }

    /// Makes what is there of the `nth` change.
    fn apply(self, nth: usize, change: &Change, content: &mut Vec<u8>, chance: &mut StdRng) {
        match change {
            Change::Written { at, bytes } => {
                for kept in self.kept(nth, *at, bytes.len(), chance) {
                    content.resize(content.len().max(at + kept.end), 0);
                    content[at + kept.start..at + kept.end].copy_from_slice(&bytes[kept]);
                }
            }
            Change::Cut(length) => {
                if self.kept(nth, 0, 1, chance).contains(&(0..1)) {
                    content.resize(*length, 0);
                }
            }
        }
    }
}

impl Record {
    /// What is there when power is lost after so many steps: the seed says what of all that was not
    /// synced. Without one all of it is.
    pub fn files(&self, steps: usize, seed: Option<u64>) -> Files {
        let steps = &self.steps[..steps];
        let mut chance = StdRng::seed_from_u64(seed.unwrap_or_default());
        let names_kept = match seed {
            Some(_) => chance.random_range(0..=4),
            None => 4,
        };
        // Of each file and of each folder, how many steps are on the disk.
        let mut synced: HashMap<usize, usize> = HashMap::new();
        let mut synced_names: HashMap<&Path, usize> = HashMap::new();
        for step in steps {
            match step {
                Step::Synced { file, steps } => drop(synced.insert(*file, *steps)),
                Step::SyncedNames { folder, steps } => drop(synced_names.insert(folder, *steps)),
                Step::Named { .. }
                | Step::Removed(_)
                | Step::Changed { .. }
                | Step::Answered(_) => {}
            }
        }
        let mut names: BTreeMap<&PathBuf, usize> = BTreeMap::new();
        // Of each file its changes, those that are on the disk, and the others.
        let mut changes: BTreeMap<usize, [Vec<&Change>; 2]> = BTreeMap::new();
        for (nth, step) in steps.iter().enumerate() {
            let mut is_there = |name: &PathBuf| {
                let folder = name.parent().and_then(|folder| synced_names.get(folder));
                folder.is_some_and(|steps| nth < *steps) || chance.random_ratio(names_kept, 4)
            };
            match step {
                Step::Named { file, name, before } if is_there(name) => {
                    names.retain(|name, _| Some(*name) != before.as_ref());
                    names.insert(name, *file);
                }
                Step::Removed(name) if is_there(name) => drop(names.remove(name)),
                Step::Changed { file, change } => {
                    let is_synced = synced.get(file).is_some_and(|steps| nth < *steps);
                    changes.entry(*file).or_default()[usize::from(!is_synced)].push(change);
                }
                Step::Named { .. }
                | Step::Removed(_)
                | Step::Synced { .. }
                | Step::SyncedNames { .. }
                | Step::Answered(_) => {}
            }
        }
        let mut contents = BTreeMap::new();
        for (file, [synced, others]) in changes {
            let fate = match seed {
                Some(_) => Fate::drawn(others.len(), &mut chance),
                None => Fate::Kept,
            };
            let mut content = Vec::new();
            for (fate, changes) in [(Fate::Kept, synced), (fate, others)] {
                for (nth, change) in changes.into_iter().enumerate() {
                    fate.apply(nth, change, &mut content, &mut chance);
                }
            }
            contents.insert(file, content);
        }
        let content = |file: usize| contents.get(&file).cloned().unwrap_or_default();
        let named = names.into_iter();
        named
            .map(|(name, file)| (name.clone(), content(file)))
            .collect()
    }
}
