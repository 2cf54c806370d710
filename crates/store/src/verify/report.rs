//! What verification found: in the database, in each campaign, counted, and findings up to a bound.

use super::answers::Opened;
use super::losses::Lost;
use crate::Head;
use crate::location::Location;
use rollbook_text::names::in_one_line;

/// Findings kept; the rest are counted.
const FINDINGS_MAX: usize = 200;

/// What was found in a database.
#[derive(Debug)]
pub struct Verified {
    pub database: Location,
    /// What is wrong with the file as a whole.
    pub findings: Vec<String>,
    /// What a reader should know and is no fault.
    pub notes: Vec<String>,
    pub campaigns: Vec<Report>,
    /// Names of campaigns that were removed from it on purpose.
    pub removed: Vec<String>,
}

impl Verified {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty()
            && self
                .campaigns
                .iter()
                .all(|report| report.findings.is_empty())
    }

    /// The first thing that is wrong, in words; of the file before its campaigns.
    pub fn first_finding(&self) -> Option<String> {
        let of_campaigns = || {
            self.campaigns
                .iter()
                .find_map(|report| report.findings.first().map(ToString::to_string))
        };
        self.findings
            .first()
            .cloned()
            .or_else(of_campaigns)
            .map(|what| in_one_line(&what))
    }

    /// What is wrong with the file and with one of its campaigns, in words.
    pub fn findings_with(&self, report: &Report) -> Vec<String> {
        let more = (report.more > 0).then(|| format!("and {} more", report.more));
        let all = self
            .findings
            .iter()
            .cloned()
            .chain(report.findings.iter().map(ToString::to_string))
            .chain(more);
        all.map(|what| in_one_line(&what)).collect()
    }
}

/// What was found in a campaign's log.
#[derive(Debug, Default)]
pub struct Report {
    pub campaign: String,
    pub entries: u64,
    pub rolls: u64,
    pub head: Head,
    pub findings: Vec<Finding>,
    /// What a reader should know of single entries and is no fault: it was allowed, and noted then.
    pub notes: Vec<Finding>,
    /// Tables that differ from what the log adds up to; each is a finding, too.
    pub tables: Vec<String>,
    /// Comparisons with what the log adds up to that were left out, because entries are missing.
    pub left_out: u64,
    pub more_notes: u64,
    pub more: u64,
    pub checkpoints: usize,
    pub losses: Vec<Lost>,
    /// The entries since which other rules were played by, each with how they changed.
    pub rules: Vec<(u64, String)>,
    /// Hidden entries that were opened as they were sealed.
    pub opened: Vec<Opened>,
    /// Sessions that were ended, each of which leaves a checkpoint.
    pub sessions_ended: u64,
}

impl Report {
    /// Whether the log is sound and the tables alone are not: they can be made anew from it.
    pub fn has_only_other_tables(&self) -> bool {
        !self.tables.is_empty() && self.findings.len() == self.tables.len() && self.more == 0
    }

    /// Adds a note; beyond the bound it is only counted.
    pub(super) fn note(&mut self, seq: u64, what: String) {
        self.more_notes += u64::from(!Finding::add(&mut self.notes, seq, what));
    }

    /// Adds a finding; beyond the bound it is only counted.
    pub(super) fn find(&mut self, seq: u64, what: String) {
        self.more += u64::from(!Finding::add(&mut self.findings, seq, what));
    }

    /// What to know where sessions ended without a checkpoint: taken away, or a copy elsewhere.
    pub fn unwitnessed(&self) -> Option<String> {
        (self.sessions_ended > 0 && self.checkpoints == 0).then(|| {
            format!(
                "checkpoints.log has no line of campaign \"{}\", though {} of its sessions ended, and each leaves one there: nothing \
                 beside the file shows whether the end of its log is still there",
                self.campaign, self.sessions_ended
            )
        })
    }
}

/// One kind of thing that is wrong, and its entries; `seq` is the first, 0 where none is to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub seq: u64,
    pub what: String,
    /// From the first to the last, where several in a row have it.
    spans: Vec<(u64, u64)>,
    more: u64,
}

/// Runs of entries that a finding names; the rest are counted.
const SPANS_MAX: usize = 12;

impl Finding {
    /// Whether it is of that entry, too.
    pub fn names(&self, seq: u64) -> bool {
        self.spans
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&seq))
    }

    fn widen(&mut self, seq: u64) {
        let room = self.spans.len() < SPANS_MAX;
        match self.spans.last_mut() {
            _ if self.more > 0 => self.more += 1,
            Some((_, last)) if *last == seq => {}
            Some((_, last)) if *last + 1 == seq => *last = seq,
            _ if room => self.spans.push((seq, seq)),
            _ => self.more += 1,
        }
    }

    /// The entries, as a sentence has them: `#6 to #9, #12`.
    pub fn entries(&self) -> String {
        let span = |(first, last): &(u64, u64)| match first == last {
            true => format!("#{first}"),
            false => format!("#{first} to #{last}"),
        };
        let spans: Vec<String> = self.spans.iter().map(span).collect();
        let more = if self.more > 0 {
            format!(" and {} more", self.more)
        } else {
            String::new()
        };
        format!("{}{more}", spans.join(", "))
    }

    /// Adds a finding: the same of another entry is one. `false` where there is no room.
    pub fn add(found: &mut Vec<Finding>, seq: u64, what: String) -> bool {
        let room = found.len() < FINDINGS_MAX;
        match found
            .iter_mut()
            .find(|finding| seq != 0 && finding.seq != 0 && finding.what == what)
        {
            Some(finding) => finding.widen(seq),
            None if room => found.push(Finding {
                seq,
                what,
                spans: vec![(seq, seq)],
                more: 0,
            }),
            None => return false,
        }
        true
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.seq {
            0 => f.write_str(&self.what),
            _ => write!(f, "{}: {}", self.entries(), self.what),
        }
    }
}

/// What is found at an entry before which others are not there, from `first` on.
pub fn missing(first: u64, seq: u64) -> String {
    match seq.checked_sub(1) {
        Some(last) if last > first => format!("entries #{first} to #{last} are missing before it"),
        _ => format!("entry #{first} is missing before it"),
    }
}
