//! The Attributes section: what every character has a score in, and what a score is worth.

pub mod attribute;
pub mod modifier;
pub mod read;
pub mod worth;

pub use attribute::Attribute;
pub use modifier::{Modifier, ModifierError, ModifierKind, ModifierRow};
