//! A check that its call states: where the rules have none, or with a reason to set theirs aside.

use crate::limits::{self, LIMITS};
use crate::record::event::Stated;
use crate::refusal::{Code, Refusal};
use rollbook_rules::{Check, Row, StatedEnds, System};
use rollbook_text::names::{printable, shortened};

/// Rows of a stated check.
const ROWS_MAX: usize = 20;
/// Characters of what is wrong with one.
const WHY_MAX: usize = 400;
/// What a stated check is called whose call names none.
const NAME: &str = "Check";

/// A check that a call states, read.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedCheck {
    /// The check.
    pub rule: Check,
    /// As it is logged.
    pub event: Stated,
}

impl StatedCheck {
    /// Reads what a call states. `in_order`: of its rows the first that holds counts.
    ///
    /// # Errors
    /// What is beyond the limits, and the first part that is not understood.
    pub fn read(system: &System, name: Option<&str>, event: Stated, in_order: bool) -> Result<Self, Refusal> {
        limits::line("roll", &event.roll, LIMITS.context)?;
        limits::count("rows", event.rows.len(), ROWS_MAX)?;
        for (when, outcome) in &event.rows {
            limits::line("rows", when, LIMITS.context)?;
            limits::name("rows", outcome)?;
        }
        if let Some(name) = name {
            limits::name("check", name)?;
        }
        if let Some(reason) = &event.override_reason {
            limits::text("override_reason", reason, LIMITS.context)?;
        }
        let ends = match event.rows.as_slice() {
            [] => StatedEnds::Difficulty { or_less: event.or_less },
            rows => StatedEnds::Rows { rows, in_order },
        };
        let stated = rollbook_rules::Stated { name: name.map_or(NAME, str::trim), roll: &event.roll, ends };
        match rollbook_rules::stated(system, stated) {
            Ok(rule) if in_order => Ok(StatedCheck { rule, event }),
            Ok(rule) => {
                // They are logged in the order in which they are looked at.
                let sent = |row: &Row| event.rows.iter().find(|(when, _)| when.trim() == row.when_text).cloned();
                let rows = rule.rows.iter().filter_map(sent).collect();
                Ok(StatedCheck { event: Stated { rows, ..event }, rule })
            }
            Err(fault) => {
                let summary = format!(
                    "{} cannot be read: {}. Such a check is roll=\"1d20 + {{DEX}}\" with difficulty=15, or with rows={{\"10+\": \
                     \"success\", \"7-9\": \"partial success\"}}.",
                    fault.part,
                    printable(&shortened(&fault.why, WHY_MAX))
                );
                Err(Refusal::new(Code::InvalidParameters, summary))
            }
        }
    }
}
