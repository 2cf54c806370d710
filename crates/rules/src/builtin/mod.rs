//! Rules in the program: what an author begins with, and what other rules may be built on.

macro_rules! templates {
    ($($name:literal,)*) => {
        /// Families of games by name, each with its rules, which have `NAME` in the place of their title. The last is as little as can be played.
        pub const TEMPLATES: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, "/System.md"))),)*];
    };
}

templates! {
    "d20", "pbta", "fate", "percentile", "pool", "osr", "hits", "push", "under", "effect", "step", "challenge", "blank",
}

/// Those that others may be built on: all but the last, which has nothing to take over.
pub fn bases() -> &'static [(&'static str, &'static str)] {
    TEMPLATES.split_last().map_or(&[], |(_, all)| all)
}
