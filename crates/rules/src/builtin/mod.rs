//! Rules in the program: what an author begins with, and what other rules may be built on.

/// A family of games.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    pub name: &'static str,
    /// What is rolled, in a sentence.
    pub about: &'static str,
    /// The rules, with `NAME` in the place of their title.
    pub rules: &'static str,
    /// Playtests of them.
    pub checks: &'static str,
    /// Why they are written so.
    pub why: &'static str,
}

macro_rules! templates {
    ($($name:literal: $about:literal,)*) => {
        /// All of them; the first is the usual one, the last holds as little as can be played.
        pub const TEMPLATES: &[Template] = &[$(Template {
            name: $name,
            about: $about,
            rules: include_str!(concat!($name, "/System.md")),
            checks: include_str!(concat!($name, "/checks.md")),
            why: include_str!(concat!($name, "/why.md")),
        },)*];
    };
}

templates! {
    "d20": "A d20, a modifier, a difficulty.",
    "pbta": "Two d6 and a stat: strong hit, weak hit, miss.",
    "fate": "Four fudge dice and an approach.",
    "percentile": "A d100 under the skill.",
    "pool": "Several d6, the highest counts.",
    "osr": "A d20 under the score, saves by level, torches and rations.",
    "hits": "Several d6, fives and sixes are hits.",
    "push": "Several d6, sixes count, and a roll may be pushed.",
    "under": "Three d6 under the skill.",
    "effect": "Two d6 to reach 8, with an effect.",
    "step": "A die for each trait, which rolls on.",
    "challenge": "An action die against two challenge dice.",
    "blank": "As little as can be played.",
}

/// Those that others may be built on: all but the last, which has nothing to take over.
pub fn bases() -> impl Iterator<Item = &'static Template> {
    TEMPLATES.iter().filter(|own| own.name != "blank")
}
