//! Decks that stay drawn: what is out of each, and how a roll draws from what is left.

use crate::record::change::{Change, Images};
use crate::record::state::{Deck, State};
use rollbook_dice::{Die, DrawError, Hand, Roller};
use rollbook_rules::{NamedDie, StayOut, System};
use rollbook_text::names::{Found, find};
use std::collections::BTreeMap;
struct Pile<'s> {
    die: &'s NamedDie,
    /// Cards that lie out.
    out: Vec<i64>,
    /// Cards of the roll that is made.
    hand: Vec<i64>,
}

/// A roller that draws cards of these decks from what is left of them, and else as its own does.
pub struct Dealer<'r, 's> {
    roller: &'r mut dyn Roller,
    piles: Vec<Pile<'s>>,
    dealt: Dealt,
}

/// What a roll leaves of the decks.
#[derive(Default)]
pub struct Dealt {
    /// The rows of the decks; those that are whole have no card.
    pub decks: Vec<Deck>,
    /// Whether it drew from them.
    pub drew: bool,
    /// What the reply says of shuffling.
    pub notes: Vec<String>,
}

impl<'r, 's> Dealer<'r, 's> {
    /// The decks of the rules, each with what the row says is out of it.
    pub fn new<'d>(
        roller: &'r mut dyn Roller,
        system: &'s System,
        row: impl Fn(&str) -> Option<&'d Deck>,
    ) -> Self {
        let pile = |die: &'s NamedDie| Pile {
            die,
            out: out(die, row(&die.name)),
            hand: Vec::new(),
        };
        let piles = system.named_dice.decks_that_stay_out().map(pile).collect();
        Dealer {
            roller,
            piles,
            dealt: Dealt::default(),
        }
    }

    /// Ends the roll.
    pub fn finish(mut self) -> Dealt {
        self.lay_down();
        let row = |pile: &Pile<'_>| Deck {
            name: pile.die.name.clone(),
            drawn: pile.out.iter().map(|face| pile.die.card(*face)).collect(),
        };
        self.dealt.decks = self.piles.iter().map(row).collect();
        self.dealt
    }

    fn lay_down(&mut self) {
        for pile in &mut self.piles {
            let shuffles =
                |stays: &StayOut| pile.hand.iter().any(|face| stays.faces.contains(face));
            if let Some(stays) = pile.die.stay_out.as_ref().filter(|stays| shuffles(stays)) {
                let until = stays.until.as_deref().unwrap_or_default();
                self.dealt.notes.push(format!(
                    "{} is shuffled behind this roll: it showed {until}.",
                    pile.die.name
                ));
                pile.out.clear();
                pile.hand.clear();
            }
            pile.out.append(&mut pile.hand);
        }
    }
}

impl Pile<'_> {
    fn left(&self) -> Vec<i64> {
        without(self.die.faces(), self.out.iter().chain(&self.hand))
    }
}

impl Roller for Dealer<'_, '_> {
    fn source(&self) -> &'static str {
        self.roller.source()
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        self.roller.draw(low, high)
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        self.roller.pick(faces)
    }

    fn deal(&mut self, hands: &[Hand<'_>]) {
        self.lay_down();
        for pile in &mut self.piles {
            let mine = || hands.iter().filter(|hand| *hand.deck == pile.die.die);
            let held: Vec<i64> = mine().flat_map(|hand| hand.held.iter().copied()).collect();
            let drawn = mine()
                .map(|hand| hand.count)
                .sum::<usize>()
                .saturating_sub(held.len());
            pile.out = without(std::mem::take(&mut pile.out), &held);
            pile.hand = held;
            if drawn > pile.left().len() {
                // Everything that is not in hand is in it again.
                pile.out.clear();
                let name = &pile.die.name;
                self.dealt.notes.push(format!(
                    "{name} was shuffled for this roll: fewer cards were left than it draws."
                ));
            }
        }
    }

    fn card(&mut self, deck: &Die, left: &[i64]) -> Result<i64, DrawError> {
        let Some(pile) = self.piles.iter_mut().find(|pile| pile.die.die == *deck) else {
            return self.roller.card(deck, left);
        };
        let face = self
            .roller
            .card(deck, &pile.left())
            .map_err(|error| match error {
                DrawError::NoSuchFace { place, face, .. } if pile.die.faces().contains(&face) => {
                    DrawError::CardOut { place, face }
                }
                // What is left would say what was drawn unseen.
                DrawError::NoSuchFace { place, face, .. } => {
                    let faces: Vec<String> = pile
                        .die
                        .die
                        .weights()
                        .iter()
                        .map(|(face, _)| face.to_string())
                        .collect();
                    DrawError::NoSuchFace {
                        place,
                        face,
                        faces: faces.join(", "),
                    }
                }
                error => error,
            })?;
        pile.hand.push(face);
        self.dealt.drew = true;
        Ok(face)
    }
}

/// The faces of the cards that are out, but for those that these rules do not have.
fn out(die: &NamedDie, row: Option<&Deck>) -> Vec<i64> {
    let mut faces = die.faces();
    let mut take =
        |card: &String| Some(faces.remove(faces.iter().position(|face| die.card(*face) == *card)?));
    row.map_or_else(Vec::new, |row| {
        row.drawn.iter().filter_map(&mut take).collect()
    })
}

/// The first without the others, one for one.
fn without<'a>(mut faces: Vec<i64>, others: impl IntoIterator<Item = &'a i64>) -> Vec<i64> {
    for other in others {
        if let Some(at) = faces.iter().position(|face| face == other) {
            faces.remove(at);
        }
    }
    faces
}

/// What these rows, as rolls left them, change of the decks.
pub fn changes(state: &State, dealt: BTreeMap<String, Deck>) -> Vec<Change> {
    let changed = dealt.into_values().filter_map(|after| {
        let before = state.decks.get(&after.name).cloned();
        let after = Some(after).filter(|row| !row.drawn.is_empty());
        (before != after).then_some(Change::Deck(Images { before, after }))
    });
    changed.collect()
}

/// "Cards: 49 of 54 left", a line for each deck that stays drawn; the game master's.
pub fn lines(state: &State, system: &System) -> Vec<String> {
    let line = |die: &NamedDie| {
        let all = die.faces().len();
        let left = all.saturating_sub(out(die, state.decks.get(&die.name)).len());
        format!("{}: {left} of {all} left", die.name)
    };
    system.named_dice.decks_that_stay_out().map(line).collect()
}

pub(crate) fn named<'s>(system: &'s System, name: &str) -> Found<&'s NamedDie> {
    find(
        name,
        system
            .named_dice
            .dice
            .iter()
            .filter(|die| die.deck)
            .map(|die| (die.name.as_str(), die)),
    )
}
