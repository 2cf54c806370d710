//! The sections of a rules file.

use rollbook_text::diagnostic::{Place, Span};

/// Makes the enum and the list of all its kinds.
macro_rules! kinds {
    ($($kind:ident,)+) => {
        /// A kind of section that the program knows, in the order of the summary.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum SectionKind {
            $($kind,)+
        }

        impl SectionKind {
            /// Every kind, in that order.
            pub const ALL: &[SectionKind] = &[$(SectionKind::$kind,)+];
        }
    };
}

kinds! {
    Dice,
    Attributes,
    Skills,
    Checks,
    Health,
    Company,
    Clocks,
    Conditions,
    Combat,
    Attacks,
    Advancement,
    Examples,
}

/// A section of the author's text, word for word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionText {
    /// Its kind; none for prose.
    pub kind: Option<SectionKind>,
    /// The heading; empty for what is before the first.
    pub heading: String,
    /// The text with its heading, verbatim.
    pub text: String,
    pub place: Place,
    pub span: Span,
}
