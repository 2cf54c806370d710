//! Rules that the program has in it: what `rollbook new` begins with, and what other rules may be built on.

macro_rules! rules {
    ($($name:literal,)*) => {
        /// Their names.
        pub const NAMES: &[&str] = &[$($name,)*];

        /// The text of the rules with this name.
        pub fn rules(name: &str) -> Option<&'static str> {
            match name {
                $($name => Some(include_str!(concat!("../cli/new/templates/", $name, "/System.md"))),)*
                _ => None,
            }
        }
    };
}

rules! {
    "d20", "pbta", "fate", "percentile", "pool", "osr", "hits", "push", "under", "effect", "step", "challenge",
}
