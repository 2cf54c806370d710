//! What a record says when it is asked: its dice, its faces, what was kept.
//!
//! Apart from the record, whose shape is what a log keeps; these are only ways to look at it.

use crate::record::{Reason, Roll, RolledDie, Term};

/// A die of a roll together with its term.
#[derive(Clone, Debug)]
pub struct DieView<'a> {
    /// The die.
    pub die: &'a RolledDie,
    /// The number of equally likely faces.
    pub sides: u32,
    /// Every label around it, the outermost first.
    pub labels: Vec<&'a str>,
    /// Whether it and every group around it were kept.
    pub kept: bool,
}

impl Roll {
    /// Every die that was rolled for the total, in the order of draws; not those of a target.
    pub fn dice(&self) -> Vec<DieView<'_>> {
        let mut views = Vec::new();
        for term in &self.terms {
            term.collect(&[], true, &mut views);
        }
        for roll in &self.repeats {
            views.extend(roll.dice());
        }
        views
    }

    /// Every face that was drawn, in the order of draws.
    pub fn faces(&self) -> Vec<i64> {
        let mut faces = Vec::new();
        self.push_faces(&mut faces);
        faces
    }

    fn push_faces(&self, faces: &mut Vec<i64>) {
        let target = self.verdict.iter().flat_map(|verdict| &verdict.terms);
        let mut views = Vec::new();
        for term in self.terms.iter().chain(target) {
            term.collect(&[], true, &mut views);
        }
        let shown = views.iter().flat_map(|view| &view.die.rolls);
        faces.extend(shown.filter(|face| face.reason != Reason::Clamp).map(|face| face.value));
        for roll in &self.repeats {
            roll.push_faces(faces);
        }
    }

    /// The natural face of the first kept die.
    pub fn natural(&self) -> Option<i64> {
        let dice = self.dice();
        let first = dice.iter().find(|view| view.kept)?;
        Some(first.die.natural())
    }

    /// The values of the kept dice, in the order of draws.
    pub fn kept(&self) -> Vec<i64> {
        let dice = self.dice();
        let kept = dice.iter().filter(|view| view.kept);
        kept.map(|view| view.die.value).collect()
    }

    /// The sum of the constants that are added to the total.
    pub fn modifiers(&self) -> i64 {
        let constants = self.terms.iter().map(|term| match term {
            Term::Constant { subtotal, .. } => *subtotal,
            _ => 0,
        });
        constants.sum()
    }
}

impl Term {
    /// What it adds to the total, floored.
    pub fn subtotal(&self) -> i64 {
        match self {
            Term::Dice { subtotal, .. }
            | Term::Constant { subtotal, .. }
            | Term::Group { subtotal, .. }
            | Term::Compute { subtotal, .. } => *subtotal,
        }
    }

    /// The text between brackets.
    pub fn label(&self) -> Option<&str> {
        match self {
            Term::Dice { label, .. }
            | Term::Constant { label, .. }
            | Term::Group { label, .. }
            | Term::Compute { label, .. } => label.as_deref(),
        }
    }

    fn collect<'a>(&'a self, around: &[&'a str], kept: bool, views: &mut Vec<DieView<'a>>) {
        let labels: Vec<&str> = around.iter().copied().chain(self.label()).collect();
        match self {
            Term::Constant { .. } => {}
            Term::Dice { dice, sides, .. } => {
                views.extend(dice.iter().map(|die| {
                    let labels = labels.clone();
                    DieView { die, sides: *sides, labels, kept: kept && die.kept }
                }));
            }
            Term::Compute { terms, .. } => {
                for term in terms {
                    term.collect(&labels, kept, views);
                }
            }
            Term::Group { terms, kept: members, .. } => {
                for (term, member) in terms.iter().zip(members) {
                    term.collect(&labels, kept && *member, views);
                }
            }
        }
    }
}

impl RolledDie {
    pub(crate) fn blank() -> Self {
        let rolls = Vec::with_capacity(1);
        RolledDie { rolls, value: 0, shows: None, kept: true, counted: None, special: Vec::new() }
    }

    /// The symbols on the side that fell, a capital letter each.
    pub fn symbols(&self) -> impl Iterator<Item = char> {
        self.shows.iter().flat_map(|shown| shown.chars()).filter(char::is_ascii_uppercase)
    }

    /// The number on the face that fell: of a card its rank, of symbols alone none.
    pub fn number(&self) -> Option<i64> {
        match self.shows.as_deref() {
            None => Some(self.natural()),
            Some(shown) => shown.contains(|own: char| own.is_ascii_digit()).then_some(self.value),
        }
    }

    /// The face it showed by itself: after rerolls, before explosions and clamps.
    pub fn natural(&self) -> i64 {
        if self.rolls.iter().any(|face| face.reason == Reason::Unit) {
            return self.value;
        }
        let mut natural = self.value;
        for (index, face) in self.rolls.iter().enumerate() {
            match face.reason {
                Reason::Explode if index > 0 => break,
                Reason::Clamp => break,
                _ => natural = face.value,
            }
        }
        natural
    }
}
