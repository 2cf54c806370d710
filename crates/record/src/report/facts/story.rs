//! What happened, line by line, as its audience reads it.

use std::collections::VecDeque;

/// Lines that are kept, the latest ones.
const LINES_MAX: usize = 4000;

/// The story so far.
#[derive(Debug, Default)]
pub struct Story {
    pub lines: VecDeque<Told>,
    /// Earlier lines than those kept.
    pub left_out: usize,
}

/// A line.
#[derive(Debug)]
pub struct Told {
    pub number: u64,
    pub seq: u64,
    pub weight: Weight,
    pub text: String,
    /// Players do not see it, or no more than that something was there.
    pub hidden: bool,
}

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// A new scene, a sitting, a fight.
    Turn,
    /// Somebody fell or died; something was found out.
    High,
    Plain,
}

impl Story {
    pub fn add(&mut self, told: Told) {
        if self.lines.len() == LINES_MAX {
            self.lines.pop_front();
            self.left_out += 1;
        }
        self.lines.push_back(told);
    }
}
