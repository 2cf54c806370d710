//! What a lint registers: its code, its page, and the function with what it looks at.

use super::survey::Survey;
use crate::diagnostic::Diagnostic;
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;

/// One lint.
pub struct Lint {
    /// The stable name of its finding.
    pub code: &'static str,
    /// What `rollbook explain` says; none where readers report the same, and it stands in [`crate::rules::codes`].
    pub page: Option<&'static str>,
    /// The function.
    pub run: Run,
}

/// The function of a lint, by what it looks at.
pub enum Run {
    /// The sections as they are written.
    Outline(fn(&Outline<'_>, &mut Ledger<'_>)),
    /// The sections, with what was understood of them.
    Sections(fn(&Outline<'_>, &System, &mut Ledger<'_>)),
    /// What was understood.
    System(fn(&System, &mut Ledger<'_>)),
    /// A check that was carried out in every way.
    Proof(fn(&Check, &Survey, &mut Vec<Diagnostic>)),
    /// A check of which no roll was possible.
    Refused(fn(&Check, &Survey, &mut Vec<Diagnostic>)),
    /// A link or a random table; [`super::links()`] and [`super::tables()`] call it with what it needs.
    Link,
}

/// Makes a file's `LINT`, documented by its page: `lint!("checks/none", System(lint));`.
macro_rules! lint {
    ($code:literal, $($run:tt)+) => {
        #[doc = include_str!(concat!("../explained/", $code, ".md"))]
        pub const LINT: $crate::rules::lint::entry::Lint = $crate::rules::lint::entry::Lint {
            code: $code,
            page: Some(include_str!(concat!("../explained/", $code, ".md"))),
            run: $crate::rules::lint::entry::Run::$($run)+,
        };
    };
    ($code:path, $($run:tt)+) => {
        #[doc = concat!("See the page of [`", stringify!($code), "`].")]
        pub const LINT: $crate::rules::lint::entry::Lint = $crate::rules::lint::entry::Lint {
            code: $code,
            page: None,
            run: $crate::rules::lint::entry::Run::$($run)+,
        };
    };
}
pub(super) use lint;
