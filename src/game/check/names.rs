//! What the names of a rule stand for in one call, in the look-up order of the rules language: the call's `values`; what
//! the call chose (`skill`, `modifier`, `difficulty`, `attribute`); in a Target bullet the sheet of the one it is tried
//! against; the actor's sheet; and last the words that any rule may use for the chosen attribute (`stat`, `rating`, …).
//!
//! A Target of one name that must be reached (`{armour class}`) is somebody else's number. So where nobody is named as the
//! target, the call's `difficulty` stands for it before the actor's own sheet does; and where the actor's own number is
//! taken after all, the result says so. A Target that must not be exceeded (`{STR}`) is the actor's own, and there a
//! difficulty stands in only where the sheet has nothing.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::chosen::Chosen;
use super::conditions::on_number;
use crate::dice::Bound;
use crate::game::event::Modifier;
use crate::game::state::Character;
use crate::game::values::{Found, Values};
use crate::names::fold;
use crate::rules::{ATTRIBUTE_WORDS, Check, Side, Succeed};

/// Names that the record has a field of its own for.
const OWN_FIELDS: [&str; 2] = ["modifier", "difficulty"];

/// The names of one side of one call.
pub struct Names<'a> {
    pub values: Values<'a>,
    pub chosen: &'a Chosen<'a>,
    /// Whom it is tried against.
    pub target: Option<&'a Character>,
    pub difficulty: Option<i64>,
    /// Whether it is the side that opposes, whose names are sent in `opposed_by`.
    pub opposing: bool,
    /// The call's values by folded name.
    pub given: &'a BTreeMap<String, Bound>,
    /// What `{modifier}` comes to.
    pub modifier: i64,
    /// What was looked up, for the record.
    used: RefCell<Vec<Modifier>>,
    /// Whether the target's sheet gave a number that players do not know.
    secret: Cell<bool>,
    /// Whether the call's difficulty was asked for.
    difficulty_used: Cell<bool>,
    /// Whether the sheet of whom it is tried against was asked.
    target_asked: Cell<bool>,
    /// What the caller should know about where a number came from.
    remarks: RefCell<Vec<String>>,
}

/// What was looked up for one side of a call.
pub struct LookedUp {
    pub used: Vec<Modifier>,
    /// Whether players may not know where the target comes from.
    pub secret: bool,
    pub difficulty_used: bool,
    pub target_asked: bool,
    pub remarks: Vec<String>,
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
            given,
            modifier: 0,
            used: RefCell::default(),
            secret: Cell::default(),
            difficulty_used: Cell::default(),
            target_asked: Cell::default(),
            remarks: RefCell::default(),
        }
    }

    /// The value of a name; noted for the record.
    pub fn lookup(&self, check: &Check, name: &str, side: Side) -> Option<Bound> {
        let folded = fold(name);
        if let Some(given) = self.given.get(&folded) {
            if let Bound::Number(value) = given {
                self.note(name, &folded, Found { value: *value, from: "the call".to_owned() });
            }
            return Some(given.clone());
        }
        let found = self.number(check, &folded, name, side).or_else(|| self.stand_in(check, side))?;
        let value = found.value;
        self.note(name, &folded, found);
        Some(Bound::Number(value))
    }

    fn number(&self, check: &Check, folded: &str, name: &str, side: Side) -> Option<Found> {
        let of_call = |value: i64| Found { value, from: "the call".to_owned() };
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
        if let Some(found) = (side == Side::Target).then(|| self.theirs(name)).flatten() {
            return Some(found);
        }
        let to_reach = side == Side::Target && check.succeed == Succeed::AtLeast;
        if let Some(found) = to_reach.then(|| self.stand_in(check, side)).flatten() {
            return Some(found);
        }
        let own = self.values.found(name);
        if to_reach && own.is_some() && self.values.system.attribute(name).is_ok() {
            self.fell_back(name);
        }
        own.or_else(|| {
            let any = ATTRIBUTE_WORDS.contains(&folded);
            // An attribute without a score is missing; a skill's value is not what the rule asks for then.
            any.then(|| match self.chosen.attribute {
                Some(_) => self.chosen.attribute_value(&self.values),
                None => self.chosen.skill_value(&self.values),
            })?
        })
    }

    /// The number on the sheet of whom it is tried against, as its conditions leave it.
    fn theirs(&self, name: &str) -> Option<Found> {
        let target = self.target?;
        self.target_asked.set(true);
        let (state, system) = (self.values.state, self.values.system);
        let theirs = Values::of(state, system, target);
        // An attribute that nobody wrote down is taken as 0 for its bearer's own rolls, not as something to beat.
        let found = theirs.found(name).filter(|_| is_written(&theirs, target, name))?;
        if !target.kind.is_open() {
            self.secret.set(true);
        }
        let start = Found { from: format!("{}: {}", target.name, found.from), ..found };
        Some(on_number(state, system, target, name).into_iter().fold(start, |found, part| Found {
            value: found.value.saturating_add(part.value),
            from: format!("{}; {} {:+}, {}", found.from, part.name, part.value, part.from),
        }))
    }

    /// Notes that the actor is measured against a number of its own.
    fn fell_back(&self, name: &str) {
        let Some(actor) = self.values.actor else { return };
        let why = match self.target {
            Some(target) => format!("{} has none", target.name),
            None => "the call names no target".to_owned(),
        };
        let remark = format!("{name} is {}'s own, because {why}; difficulty says another number", actor.name);
        let mut remarks = self.remarks.borrow_mut();
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }

    /// Where the target is one name and nobody has a value for it, it is what the call's difficulty says: the armour class
    /// of a foe that stands in the adventure and on no sheet.
    fn stand_in(&self, check: &Check, side: Side) -> Option<Found> {
        let target = check.target.as_ref()?;
        let alone = match target.variables().as_slice() {
            [only] => target.to_string() == format!("{{{}}}", only.name),
            _ => false,
        };
        let value = self.difficulty.filter(|_| side == Side::Target && alone)?;
        self.difficulty_used.set(true);
        Some(Found { value, from: "the call's difficulty".to_owned() })
    }

    fn note(&self, name: &str, folded: &str, found: Found) {
        let mut used = self.used.borrow_mut();
        let noted = used.iter().any(|known| fold(&known.name) == folded);
        if !noted && !OWN_FIELDS.contains(&folded) {
            used.push(Modifier { name: name.to_owned(), value: found.value, from: found.from });
        }
    }

    /// What was looked up.
    pub fn into_looked_up(self) -> LookedUp {
        LookedUp {
            used: self.used.into_inner(),
            secret: self.secret.get(),
            difficulty_used: self.difficulty_used.get(),
            target_asked: self.target_asked.get(),
            remarks: self.remarks.into_inner(),
        }
    }
}

/// Whether the sheet itself has the number.
fn is_written(values: &Values<'_>, target: &Character, name: &str) -> bool {
    values.system.attribute(name).map_or(true, |attribute| target.attributes.contains_key(&attribute.name))
}
