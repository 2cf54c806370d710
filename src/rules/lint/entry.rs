//! What a lint registers: its code, its page, and the function with what it looks at.

use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

/// One lint.
pub struct Lint {
    /// The stable name of its finding.
    pub code: &'static str,
    /// What `rollbook explain` says; none where readers report the same, and it stands in [`crate::rules::codes`].
    pub page: Option<&'static str>,
    /// What finds it in what was understood; none where another lint of its file does, or [`super::proofs()`] or [`super::tables()`].
    pub run: Option<fn(&System, &mut Ledger<'_>)>,
}

/// Makes a lint, documented by its page: `lint!(LINT = "checks/none", lint);`.
macro_rules! lint {
    ($name:ident = $code:literal $(, $run:path)?) => {
        #[doc = include_str!(concat!("../explained/", $code, ".md"))]
        pub const $name: $crate::rules::lint::entry::Lint = $crate::rules::lint::entry::Lint {
            code: $code,
            page: Some(include_str!(concat!("../explained/", $code, ".md"))),
            run: $crate::rules::lint::entry::lint!(@run $($run)?),
        };
    };
    (@run) => { None };
    (@run $run:path) => { Some($run) };
}
pub(super) use lint;
