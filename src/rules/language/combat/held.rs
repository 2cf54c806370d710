//! What becomes of effects that somebody holds: `- Held effects: damage asks for Will; end when Stunned`.

use crate::diagnostic::Place;

/// What becomes of effects that somebody holds. Nothing said: damage asks for nothing, and they end when the holder is down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Held {
    /// What damage to the holder asks for.
    pub asks: Option<HeldCheck>,
    /// Conditions in which nobody holds anything, named as they are declared.
    pub ends: Vec<String>,
    /// Where it stands; none where the file says nothing of it.
    pub place: Option<Place>,
}

/// A check that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldCheck {
    /// Named as it is declared.
    pub name: String,
    /// What that is the name of.
    pub by: CheckBy,
    /// The difficulty; none: the check has its own, or the GM says it.
    pub against: Option<Against>,
}

/// What a check is called by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckBy {
    Check,
    Skill,
    Attribute,
}

/// A difficulty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Against {
    /// Which part of the damage counts; none: the number alone.
    pub damage: Option<Share>,
    /// The number; of the damage, at least this.
    pub least: i64,
}

/// A part of the damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    All,
    /// Rounded down.
    Half,
}

impl Against {
    /// The difficulty against this much damage.
    pub fn of(&self, damage: i64) -> i64 {
        let share = match self.damage {
            None => return self.least,
            Some(Share::All) => damage,
            Some(Share::Half) => damage / 2,
        };
        share.max(self.least)
    }

    fn describe(&self) -> String {
        let share = match self.damage {
            None => return self.least.to_string(),
            Some(Share::All) => "the damage",
            Some(Share::Half) => "half the damage",
        };
        format!("{share}, at least {}", self.least)
    }
}

impl CheckBy {
    /// The parameter of a call that takes the name.
    pub fn parameter(self) -> &'static str {
        match self {
            CheckBy::Check => "check",
            CheckBy::Skill => "skill",
            CheckBy::Attribute => "attribute",
        }
    }
}

impl Held {
    /// "damage asks for Will against 10; end when Stunned, Asleep"
    pub fn describe(&self) -> String {
        let asks = self.asks.as_ref().map(|own| {
            let against = own.against.map_or(String::new(), |against| format!(" against {}", against.describe()));
            format!("damage asks for {}{against}", own.name)
        });
        let ends = (!self.ends.is_empty()).then(|| format!("end when {}", self.ends.join(", ")));
        asks.into_iter().chain(ends).collect::<Vec<_>>().join("; ")
    }
}
