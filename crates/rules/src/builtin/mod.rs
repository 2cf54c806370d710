//! Built-in rules: templates for authors, and bases for other rules.

macro_rules! templates {
    ($($name:literal,)*) => {
        /// Families of games by name, each with its rules, which have `NAME` as their title. The last has the least that can be played.
        pub const TEMPLATES: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, "/System.md"))),)*];
    };
}

templates! {
    "d20", "pbta", "fate", "percentile", "pool", "osr", "hits", "push", "under", "effect", "step", "challenge", "blank",
}

/// The bases: all but the last, which has nothing to build on.
pub fn bases() -> &'static [(&'static str, &'static str)] {
    TEMPLATES.split_last().map_or(&[], |(_, all)| all)
}
