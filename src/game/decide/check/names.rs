//! What the names of a rule stand for in one call, in the look-up order of the rules language: the call's `values`; what
//! the call chose (`skill`, `modifier`, `difficulty`, `attribute`); in a Target bullet the sheet of the one it is tried
//! against; the actor's sheet; and last the words that any rule may use for the chosen attribute (`stat`, `rating`, …).
//!
//! A Target of one name that must be reached (`{armour class}`) is somebody else's number. So where nobody is named as the
//! target, the call's `difficulty` stands for it before the actor's own sheet does; and where the actor's own number is
//! taken after all, the result says so. A Target that must not be exceeded (`{STR}`) is the actor's own, and there a
//! difficulty stands in only where the sheet has nothing.
//!
//! Where somebody is named as the target, what the Target asks for is theirs and nobody else's: the number on their sheet,
//! else the call's difficulty, else what the rules state for everybody ("People wear Armour 10"), which the reply names.
//! Without any of them the check is refused; the actor's own number is never taken for it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::chosen::Chosen;
use super::conditions::on_number;
use crate::dice::{Bound, Formula, Variable};
use crate::game::mechanics::values::{Found, Values};
use crate::game::record::event::Modifier;
use crate::game::record::state::Character;
use crate::names::{fold, same};
use crate::rules::{ATTRIBUTE_WORDS, CALL_WORDS, Check, Side, Succeed, System};

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
    /// What the Target asks of whom it is tried against, and nothing says.
    lacking: RefCell<Vec<String>>,
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
            lacking: RefCell::default(),
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
        if let Some(found) = (side == Side::Target).then(|| self.theirs(check, name)).flatten() {
            return Some(found);
        }
        let to_reach = side == Side::Target && check.succeed == Succeed::AtLeast;
        let of_target = side == Side::Target && self.target.is_some() && self.is_of_a_sheet(folded);
        if let Some(found) = (to_reach || of_target).then(|| self.stand_in(check, side)).flatten() {
            return Some(found);
        }
        if let Some(found) = (to_reach || of_target).then(|| self.stated(check, name)).flatten() {
            return Some(found);
        }
        if of_target {
            self.lacking.borrow_mut().push(name.to_owned());
            return None;
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
    fn theirs(&self, check: &Check, name: &str) -> Option<Found> {
        let target = self.target?;
        self.target_asked.set(true);
        let system = self.values.system;
        // What nobody wrote down is taken as 0 for a foe's own rolls, not as something to beat.
        let alone = check.target.as_ref().is_some_and(is_one_name);
        let is_written = is_written(system, target, name, BASES_MAX) && !(alone && is_unlearned(system, target, name));
        let found = Values::of(self.values.state, system, target).found(name).filter(|_| is_written)?;
        Some(self.as_it_stands(target, name, Found { from: format!("{}: {}", target.name, found.from), ..found }))
    }

    /// A number of whom it is tried against, as its conditions leave it; a foe's is a secret.
    fn as_it_stands(&self, target: &Character, name: &str, start: Found) -> Found {
        if !target.kind.is_open() {
            self.secret.set(true);
        }
        on_number(self.values.state, self.values.system, target, name).into_iter().fold(start, |found, part| Found {
            value: found.value.saturating_add(part.value),
            from: format!("{}; {} {:+}, {}", found.from, part.name, part.value, part.from),
        })
    }

    /// What the rules state for everybody who has none of their own; the reply names it.
    fn stated(&self, check: &Check, name: &str) -> Option<Found> {
        let stated = self.values.system.stated(name).map(|stated| (stated.value, &stated.place));
        let own_default = || {
            let variables = check.target.as_ref()?.variables();
            let variable = variables.into_iter().find(|variable| same(&variable.name, name))?;
            Some((variable.default?, &check.place)).filter(|_| self.target.is_some())
        };
        let (value, place) = stated.or_else(own_default)?;
        let why = match self.target {
            Some(target) => format!("{} has none", target.name),
            None => "the call names no target".to_owned(),
        };
        self.remark(format!("{name} counts as {value}, which the rules state ({place}), because {why}"));
        let found = Found { value, from: format!("stated by the rules, {place}") };
        Some(match self.target {
            Some(target) => self.as_it_stands(target, name, found),
            None => found,
        })
    }

    /// Whether a name of a Target is one that somebody's sheet may hold, and nothing that the call itself says.
    fn is_of_a_sheet(&self, folded: &str) -> bool {
        let system = self.values.system;
        let declared = system.attribute(folded).is_ok() || system.skill(folded).is_ok() || system.track(folded).is_ok();
        declared || !(CALL_WORDS.contains(&folded) || ATTRIBUTE_WORDS.contains(&folded))
    }

    /// Notes that the actor is measured against a number of its own.
    fn fell_back(&self, name: &str) {
        let Some(actor) = self.values.actor else { return };
        self.remark(format!(
            "{name} is {}'s own, because the call names no target; difficulty says another number",
            actor.name
        ));
    }

    fn remark(&self, remark: String) {
        let mut remarks = self.remarks.borrow_mut();
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }

    /// Of the names that nothing has a value for those that are asked of whom it is tried against.
    pub fn lacking(&self, missing: &[String]) -> Vec<String> {
        let lacking = self.lacking.borrow();
        missing.iter().filter(|name| lacking.iter().any(|own| same(own, name))).cloned().collect()
    }

    /// Whether the call's difficulty would stand for what the Target asks for.
    pub fn takes_difficulty(&self) -> bool {
        self.chosen.rule.target.as_ref().is_some_and(is_one_name)
    }

    /// Where the target is one name and nobody has a value for it, it is what the call's difficulty says: the armour class
    /// of a foe that stands in the adventure and on no sheet.
    fn stand_in(&self, check: &Check, side: Side) -> Option<Found> {
        let alone = is_one_name(check.target.as_ref()?);
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

/// Whether a Target is one name and nothing else: `{armour class}`, `{Armour=10}`.
fn is_one_name(target: &Formula) -> bool {
    match target.variables().as_slice() {
        [only] => {
            let default = only.default.map_or(String::new(), |default| format!("={default}"));
            target.to_string() == format!("{{{}{default}}}", only.name)
        }
        _ => false,
    }
}

/// Bases of unlearned skills that may name one another.
const BASES_MAX: u8 = 8;

/// Whether somebody's own sheet has the number, or everything that the rules work it out from.
fn is_written(system: &System, whose: &Character, name: &str, bases: u8) -> bool {
    let folded = fold(name);
    let bare = folded.strip_suffix(" score").unwrap_or(&folded);
    if let Ok(attribute) = system.attribute(bare) {
        return whose.attributes.contains_key(&attribute.name);
    }
    let base = system.skill(name).ok().filter(|skill| !whose.skills.contains_key(&skill.name));
    let parts = base.and_then(|skill| skill.base.as_ref()).map(Formula::variables).unwrap_or_default();
    let deeper = bases.checked_sub(1);
    let is_known = |part: &Variable| {
        part.default.is_some() || deeper.is_some_and(|left| is_written(system, whose, &part.name, left))
    };
    parts.iter().all(is_known)
}

/// Whether it is a skill that somebody never learned and whose value the rules do not state: 0, and nothing to reach.
fn is_unlearned(system: &System, whose: &Character, name: &str) -> bool {
    system.skill(name).is_ok_and(|skill| skill.base.is_none() && !whose.skills.contains_key(&skill.name))
}
