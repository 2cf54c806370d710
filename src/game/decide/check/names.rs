//! Values of a rule's names in one call, in the look-up order of the rules language: the call's `values`; its choices
//! (`skill`, `modifier`, `difficulty`, `attribute`); in a Target bullet the target character's sheet; the actor's sheet;
//! and last the words that any rule may use for the chosen attribute (`stat`, `rating`, …).
//!
//! A Target of one name that must be reached (`{armour class}`) is another character's number. So without a target
//! character, the call's `difficulty` comes before the actor's own sheet; and where the actor's own number is used, a note
//! says so. A Target that must not be exceeded (`{STR}`) is the actor's own, and `difficulty` is used only where the sheet
//! has no number.
//!
//! With a target character, the Target's number is the one on its sheet, else the call's difficulty, else the rules'
//! default ("People wear Armour 10"), which a note names. Without any of them the check is refused; the actor's own number
//! is never used.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::chosen::Chosen;
use super::conditions::modifiers_of_number;
use crate::dice::{Bound, Variable};
use crate::game::mechanics::values::{SourcedValue, Values};
use crate::game::record::event::{GIVEN, Modifier};
use crate::game::record::state::Character;
use crate::names::{fold, same};
use crate::rules::{ATTRIBUTE_WORDS, Base, CALL_WORDS, Check, Side, Succeed, System, ToHit};

/// Where a number comes from that the rules state of everybody who has none of their own.
pub const STATED: &str = "stated by the rules";

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
    /// The call's difficulty was used.
    difficulty_used: Cell<bool>,
    /// The target character's sheet was read.
    target_asked: Cell<bool>,
    /// Notes on the sources of numbers.
    remarks: RefCell<Vec<String>>,
    /// Names of the Target that the target character lacks.
    lacking: RefCell<Vec<String>>,
}

/// The results of the look-ups of one side.
pub struct LookedUp {
    pub used: Vec<Modifier>,
    /// The target number is secret.
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
            attack: false,
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

    /// The value of a name; recorded for the event.
    pub fn lookup(&self, check: &Check, name: &str, side: Side) -> Option<Bound> {
        let folded = fold(name);
        if let Some(given) = self.given.get(&folded) {
            if let Bound::Number(value) = given {
                self.note(name, &folded, SourcedValue { value: *value, from: GIVEN.to_owned() });
            }
            return Some(given.clone());
        }
        if folded == "difficulty"
            && self.difficulty.is_none()
            && side == Side::Target
            && let Some((number, found)) = self.number_to_hit(check)
        {
            let value = found.value;
            self.note(&number, &fold(&number), found);
            return Some(Bound::Number(value));
        }
        let found = self.number(check, &folded, name, side).or_else(|| self.difficulty_as_target(check, side))?;
        let value = found.value;
        self.note(name, &folded, found);
        Some(Bound::Number(value))
    }

    fn number(&self, check: &Check, folded: &str, name: &str, side: Side) -> Option<SourcedValue> {
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
        if let Some(found) = (side == Side::Target).then(|| self.target_number(check, name)).flatten() {
            return Some(found);
        }
        let to_reach = side == Side::Target && check.succeed == Succeed::AtLeast;
        let of_target = side == Side::Target && self.target.is_some() && self.may_be_on_sheet(folded);
        if let Some(found) = (to_reach || of_target).then(|| self.difficulty_as_target(check, side)).flatten() {
            return Some(found);
        }
        if let Some(found) = (to_reach || of_target).then(|| self.stated_by_rules(check, name)).flatten() {
            return Some(found);
        }
        if of_target {
            self.lacking.borrow_mut().push(name.to_owned());
            return None;
        }
        let own = self.values.found(name);
        if to_reach && own.is_some() && self.values.system.named_attribute(name).is_some() {
            self.remark_own_number(name);
        }
        own.or_else(|| {
            let any = ATTRIBUTE_WORDS.contains(&folded);
            // For an attribute without a score, the skill's value is not used instead.
            any.then(|| match self.chosen.attribute {
                Some(_) => self.chosen.attribute_value(&self.values),
                None => self.chosen.skill_value(&self.values),
            })?
        })
    }

    /// What the rules roll against in the place of a difficulty: the target's Armour, else what they state for everybody.
    fn number_to_hit(&self, check: &Check) -> Option<(String, SourcedValue)> {
        let hit = self.to_hit().filter(|own| own.check.as_ref().is_none_or(|own| same(own, &check.name)))?;
        let name = hit.number.clone();
        self.target?;
        let found = self.target_number(check, &name).or_else(|| self.stated_by_rules(check, &name))?;
        Some((name, found))
    }

    /// The sentence of the rules about what the chosen skill is rolled against.
    pub fn to_hit(&self) -> Option<&'a ToHit> {
        let skill = self.chosen.skill.as_ref().map(|own| own.name.as_str());
        let attribute = self.chosen.attribute.map(|own| own.name.as_str());
        self.values.system.to_hit(skill.or(attribute), self.attack)
    }

    /// The number on the target character's sheet, with its conditions.
    fn target_number(&self, check: &Check, name: &str) -> Option<SourcedValue> {
        let target = self.target?;
        self.target_asked.set(true);
        let system = self.values.system;
        // A foe's missing number is 0 for its own rolls, but no target number.
        let alone = check.target_name().is_some();
        let is_written = is_on_sheet(system, target, name, BASES_MAX) && !(alone && is_unlearned(system, target, name));
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

    /// The rules' default for characters without this number; a note names it.
    fn stated_by_rules(&self, check: &Check, name: &str) -> Option<SourcedValue> {
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
        let found = SourcedValue { value, from: format!("{STATED}, {place}") };
        Some(match self.target {
            Some(target) => self.with_conditions(target, name, found),
            None => found,
        })
    }

    /// Whether a sheet may have this name, that is, it is not a word for the call's own values.
    fn may_be_on_sheet(&self, folded: &str) -> bool {
        let system = self.values.system;
        let declared = system.named_attribute(folded).is_some()
            || system.named_skill(folded).is_some()
            || system.track(folded).is_ok();
        declared || !(CALL_WORDS.contains(&folded) || ATTRIBUTE_WORDS.contains(&folded))
    }

    /// Notes that the actor's own number is the target number.
    fn remark_own_number(&self, name: &str) {
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

    /// Those of the missing names that the target character lacks.
    pub fn lacking(&self, missing: &[String]) -> Vec<String> {
        let lacking = self.lacking.borrow();
        missing.iter().filter(|name| lacking.iter().any(|own| same(own, name))).cloned().collect()
    }

    /// Whether the call's difficulty can be the target number.
    pub fn takes_difficulty(&self) -> bool {
        self.chosen.rule.target_name().is_some()
    }

    /// The call's difficulty as the number of a Target of one name: the armour class of a foe without a sheet.
    fn difficulty_as_target(&self, check: &Check, side: Side) -> Option<SourcedValue> {
        let alone = check.target_name().is_some();
        let value = self.difficulty.filter(|_| side == Side::Target && alone)?;
        self.difficulty_used.set(true);
        Some(SourcedValue { value, from: "the call's difficulty".to_owned() })
    }

    fn note(&self, name: &str, folded: &str, found: SourcedValue) {
        let mut used = self.used.borrow_mut();
        let notes = used.iter().any(|known| fold(&known.name) == folded);
        if !notes && !OWN_FIELDS.contains(&folded) {
            used.push(Modifier { name: name.to_owned(), value: found.value, from: found.from });
        }
    }

    /// A name of the roll that came to 0 or less.
    pub fn zero_in_roll(&self) -> Option<(String, i64)> {
        let used = self.used.borrow();
        let names = self.chosen.rule.roll.variables();
        let zero = used.iter().find(|own| own.value <= 0 && names.iter().any(|name| same(&name.name, &own.name)));
        zero.map(|own| (own.name.clone(), own.value))
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
    let parts = base.and_then(|skill| skill.base.as_ref()).map(Base::variables).unwrap_or_default();
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
