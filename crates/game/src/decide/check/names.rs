//! Values of a rule's names in one call, in the look-up order of the rules language: the call's `values`; its choices
//! (`skill`, `modifier`, `difficulty`, `attribute`); the actor's sheet.
//!
//! `{target Armour}` is asked of the target character's sheet: without one the call's `difficulty` stands for it, else the rules'
//! default, which a note names. Without any of them the check is refused; the actor's own number is never used.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::chosen::Chosen;
use crate::decide::check::dice::modifiers_of_number;
use crate::mechanics::values::{SourcedValue, Values};
use crate::record::event::{GIVEN, Modifier};
use crate::record::state::Character;
use rollbook_dice::{Bound, Variable};
use rollbook_rules::{AskedFrom, Side, System, of_target};
use rollbook_text::names::{fold, same};

/// Names with fields of their own in the event.
const OWN_FIELDS: [&str; 2] = ["modifier", "difficulty"];

/// Looks up the names of one side of a call.
pub struct Names<'a> {
    pub values: Values<'a>,
    pub chosen: &'a Chosen<'a>,
    /// The target character.
    pub target: Option<&'a Character>,
    pub difficulty: Option<i64>,
    /// It is the opposing side, whose names are in `opposed_by`.
    pub opposing: bool,
    /// It is an attack with a bonus of its own.
    pub attack: bool,
    /// The call's values, by folded name.
    pub given: &'a BTreeMap<String, Bound>,
    /// The value of `{modifier}`.
    pub modifier: i64,
    /// The looked up names, for the event.
    used: RefCell<Vec<Modifier>>,
    /// The target's sheet gave a number that players do not know.
    secret: Cell<bool>,
    /// A condition that players do not see counts in the roll.
    counts_hidden: Cell<bool>,
    /// The call's difficulty was used.
    difficulty_used: Cell<bool>,
    /// The target character's sheet was read.
    target_asked: Cell<bool>,
    /// Names of the Target that the target character lacks.
    lacking: RefCell<Vec<String>>,
}

/// The results of the look-ups of one side.
pub struct LookedUp {
    pub used: Vec<Modifier>,
    /// The target number is secret.
    pub secret: bool,
    /// A condition that players do not see counts in the roll.
    pub counts_hidden: bool,
    pub difficulty_used: bool,
    pub target_asked: bool,
}

impl<'a> Names<'a> {
    pub fn new(
        values: Values<'a>,
        chosen: &'a Chosen<'a>,
        target: Option<&'a Character>,
        difficulty: Option<i64>,
        given: &'a BTreeMap<String, Bound>,
    ) -> Self {
        Names {
            values,
            chosen,
            target,
            difficulty,
            opposing: false,
            attack: false,
            given,
            modifier: 0,
            used: RefCell::default(),
            secret: Cell::default(),
            counts_hidden: Cell::default(),
            difficulty_used: Cell::default(),
            target_asked: Cell::default(),
            lacking: RefCell::default(),
        }
    }

    /// The value of a name; recorded for the event.
    pub fn lookup(&self, name: &str, side: Side) -> Option<Bound> {
        let folded = fold(name);
        let called = if side == Side::Target { format!("target {name}") } else { name.to_owned() };
        if let Some(found) = self.named_by_call(&folded, side) {
            let value = found.value;
            self.note(&called, found);
            return Some(Bound::Number(value));
        }
        if let Some(given) = self.given.get(&fold(&called)) {
            if let Bound::Number(value) = given {
                self.note(&called, SourcedValue { value: *value, from: GIVEN.to_owned() });
            }
            return Some(given.clone());
        }
        let found = self.number(&folded, name, side)?;
        let value = found.value;
        self.note(&called, found);
        Some(Bound::Number(value))
    }

    /// What the attribute or skill is worth that the call names where the check asks for one.
    fn named_by_call(&self, folded: &str, side: Side) -> Option<SourcedValue> {
        let asked = self.chosen.rule.asked(folded).filter(|_| side == Side::Actor)?;
        let Some(Bound::Dice(text)) = self.given.get(folded) else { return None };
        let system = self.values.system;
        let name = match asked.from {
            AskedFrom::Attributes => &system.meant(System::attribute, text).ok()?.name,
            AskedFrom::Skills => &system.meant(System::skill, text).ok()?.name,
            AskedFrom::Range(..) | AskedFrom::Dice => return None,
        };
        let found = self.values.found(name)?;
        Some(SourcedValue { from: format!("{name}: {}", found.from), ..found })
    }

    fn number(&self, folded: &str, name: &str, side: Side) -> Option<SourcedValue> {
        let of_call = |value: i64| SourcedValue { value, from: GIVEN.to_owned() };
        match folded {
            "modifier" => return Some(of_call(self.modifier)),
            "difficulty" if self.difficulty.is_some() => {
                self.difficulty_used.set(true);
                return self.difficulty.map(of_call);
            }
            "skill" if self.chosen.skill.is_some() => return self.chosen.skill_value(&self.values),
            "attribute" if self.chosen.attribute.is_some() => return self.chosen.attribute_value(&self.values),
            "attribute score" if self.chosen.attribute.is_some() => return self.chosen.score(&self.values),
            _ => {}
        }
        if let Some(found) = (side == Side::Target).then(|| self.target_number(name)).flatten() {
            return Some(found);
        }
        if side == Side::Target {
            let found = self.difficulty_as_target(side);
            if found.is_none() && self.target.is_some() {
                self.lacking.borrow_mut().push(name.to_owned());
            }
            return found;
        }
        let found = self.values.found(name)?;
        if self.values.condition(name).is_some_and(|row| row.hidden) {
            self.counts_hidden.set(true);
        }
        Some(found)
    }

    /// The number on the target character's sheet, with its conditions.
    fn target_number(&self, name: &str) -> Option<SourcedValue> {
        let target = self.target?;
        self.target_asked.set(true);
        let system = self.values.system;
        // A foe's missing number is 0 for its own rolls, but no target number.
        let is_written = is_on_sheet(system, target, name, BASES_MAX) && !is_unlearned(system, target, name);
        let found = Values::of(self.values.state, system, target).found(name).filter(|_| is_written)?;
        Some(self.with_conditions(
            target,
            name,
            SourcedValue { from: format!("{}: {}", target.name, found.from), ..found },
        ))
    }

    /// A number of the target character, with its conditions; a foe's is secret.
    fn with_conditions(&self, target: &Character, name: &str, start: SourcedValue) -> SourcedValue {
        if !target.kind.is_open() {
            self.secret.set(true);
        }
        let parts = modifiers_of_number(self.values.state, self.values.system, target, name);
        parts.into_iter().fold(start, |found, (part, hidden)| {
            if hidden {
                self.secret.set(true);
            }
            SourcedValue {
                value: found.value.saturating_add(part.value),
                from: format!("{}; {} {:+}, {}", found.from, part.name, part.value, part.from),
            }
        })
    }

    /// Those of the missing names that the target character lacks.
    pub fn lacking(&self, missing: &[String]) -> Vec<String> {
        let lacking = self.lacking.borrow();
        let asked = missing.iter().filter_map(|name| of_target(name));
        asked.filter(|name| lacking.iter().any(|own| same(own, name))).map(str::to_owned).collect()
    }

    /// Whether the call's difficulty can be the target number.
    pub fn takes_difficulty(&self) -> bool {
        !self.chosen.rule.target_names().is_empty()
    }

    /// The call's difficulty in the place of what is asked of a target that is not named: the armour class of a foe without a sheet.
    fn difficulty_as_target(&self, side: Side) -> Option<SourcedValue> {
        let value = self.difficulty.filter(|_| side == Side::Target)?;
        self.difficulty_used.set(true);
        Some(SourcedValue { value, from: "the call's difficulty".to_owned() })
    }

    fn note(&self, name: &str, found: SourcedValue) {
        let (mut used, folded) = (self.used.borrow_mut(), fold(name));
        let notes = used.iter().any(|known| fold(&known.name) == folded);
        if !notes && !OWN_FIELDS.contains(&folded.as_str()) {
            used.push(Modifier { name: name.to_owned(), value: found.value, from: found.from });
        }
    }

    /// A name of the roll that came to 0 or less.
    pub fn zero_in_roll(&self) -> Option<(String, i64)> {
        let used = self.used.borrow();
        let names = self.chosen.rule.roll.variables();
        let zero = used.iter().find(|part| part.value <= 0 && names.iter().any(|name| same(&name.name, &part.name)));
        zero.map(|part| (part.name.clone(), part.value))
    }

    /// What was looked up.
    pub fn into_looked_up(self) -> LookedUp {
        LookedUp {
            used: self.used.into_inner(),
            secret: self.secret.get(),
            counts_hidden: self.counts_hidden.get(),
            difficulty_used: self.difficulty_used.get(),
            target_asked: self.target_asked.get(),
        }
    }
}

/// How deep the bases of unlearned skills may name one another.
const BASES_MAX: u8 = 8;

/// Whether a sheet has the number, or everything that it is computed from.
fn is_on_sheet(system: &System, whose: &Character, name: &str, bases: u8) -> bool {
    let folded = fold(name);
    let bare = folded.strip_suffix(" score").unwrap_or(&folded);
    if let Some(attribute) = system.named_attribute(bare) {
        return whose.attributes.contains_key(&attribute.name);
    }
    let base = system.named_skill(name).filter(|skill| !whose.skills.contains_key(&skill.name));
    let parts = base.and_then(|skill| skill.base.as_ref()).map(|base| base.formula().variables()).unwrap_or_default();
    let deeper = bases.checked_sub(1);
    let is_known = |part: &Variable| {
        part.default.is_some() || deeper.is_some_and(|left| is_on_sheet(system, whose, &part.name, left))
    };
    parts.iter().all(is_known)
}

/// Whether it is an unlearned skill without a value by the rules.
fn is_unlearned(system: &System, whose: &Character, name: &str) -> bool {
    system.named_skill(name).is_some_and(|skill| skill.base.is_none() && !whose.skills.contains_key(&skill.name))
}
