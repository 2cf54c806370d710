//! The parts of a rules file, and what they are called.

use rollbook_text::diagnostic::{Place, Span};

/// Makes the enum and the list of all its kinds.
macro_rules! kinds {
    ($($kind:ident,)+) => {
        /// A part of the rules that the program knows, in the order of the summary.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum SectionKind {
            $($kind,)+
        }

        impl SectionKind {
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
    /// What the program takes it for; none for prose.
    pub kind: Option<SectionKind>,
    /// The heading; empty for what stands before the first.
    pub heading: String,
    /// The text with its heading, verbatim.
    pub text: String,
    /// Where it begins.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}
