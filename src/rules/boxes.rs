//! Harm that is marked in places rather than counted: valued boxes, and slots that step up.

use crate::diagnostic::Place;

/// Boxes of which one soaks one hit, each as much as it is worth: `Physical stress: boxes 1, 2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boxes {
    /// Name as the author writes it.
    pub name: String,
    /// What each box is worth, in the order of the file.
    pub values: Vec<i64>,
    /// The author's words in brackets; may be empty.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// Slots for harm by its weight: `Harm: 2 lesser (level 1), 1 severe (level 3)`, `Consequences: mild -2, severe -6`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slots {
    /// Name as the author writes it.
    pub name: String,
    /// The slots, in the order of the file.
    pub kinds: Vec<Slot>,
    /// Whether harm that finds no free slot goes one level up.
    pub steps_up: bool,
    /// The level that is none of the slots, and what it means: level 4, "fatal".
    pub beyond: Option<(i64, String)>,
    /// Where it stands.
    pub place: Place,
}

/// Slots of one weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Name as the author writes it: "lesser", "mild".
    pub name: String,
    /// How many there are.
    pub count: i64,
    /// How heavy the harm in it is; where a slot soaks, as many points.
    pub level: i64,
    /// Points of a hit that marking it soaks; none where a slot is what a hit does.
    pub soaks: Option<i64>,
}

impl Slots {
    /// In a few words: "2 lesser (level 1), 1 severe (level 3); no room: one level up; level 4: fatal".
    pub fn describe(&self) -> String {
        let kinds = self.kinds.iter().map(|slot| match slot.soaks {
            Some(soaks) => format!("{} {} (soaks {soaks})", slot.count, slot.name),
            None => format!("{} {} (level {})", slot.count, slot.name, slot.level),
        });
        let mut text = kinds.collect::<Vec<_>>().join(", ");
        if self.steps_up {
            text.push_str("; no room: one level up");
        }
        if let Some((level, what)) = &self.beyond {
            text.push_str(&format!("; level {level}: {what}"));
        }
        text
    }
}
