//! What verification found in one campaign: counts for a reader, and the findings up to a bound.

use crate::store::Head;

/// Findings kept; the rest are counted.
const FINDINGS_MAX: usize = 200;

/// What verification found in one campaign.
#[derive(Debug, Default)]
pub struct Report {
    pub campaign: String,
    pub entries: u64,
    pub rolls: u64,
    pub head: Head,
    pub findings: Vec<Finding>,
    /// What a reader should know of single entries and is no fault: it was allowed, and said when it happened.
    pub notes: Vec<Finding>,
    /// Notes beyond those kept.
    pub more_notes: u64,
    /// Findings beyond those kept.
    pub more: u64,
    pub checkpoints: usize,
    /// Sessions that were ended, each of which leaves a checkpoint.
    pub sessions_ended: u64,
    /// Entries of an earlier [`BODY_VERSION`], whose words were taken as they were frozen.
    pub earlier: u64,
    /// Kept answers of schema 1, of which only number and receipt could be compared.
    pub unbound_answers: u64,
}

/// One thing that is wrong; `seq` 0 where no single entry is to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub seq: u64,
    pub what: String,
}

impl Report {
    /// Adds a note; beyond the bound it is only counted.
    pub(super) fn note(&mut self, seq: u64, what: String) {
        if self.notes.len() < FINDINGS_MAX {
            self.notes.push(Finding { seq, what });
        } else {
            self.more_notes += 1;
        }
    }

    /// Adds a finding; beyond the bound it is only counted.
    pub(super) fn find(&mut self, seq: u64, what: String) {
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(Finding { seq, what });
        } else {
            self.more += 1;
        }
    }
}
