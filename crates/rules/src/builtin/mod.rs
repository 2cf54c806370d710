//! Built-in rules: templates for authors, and bases for other rules.

macro_rules! templates {
    ($($name:literal,)*) => {
        /// Families of games with their rules, titled `NAME`. The last has the least to play with.
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
