//! An attack on one target that is prepared and not rolled, for odds: what each end of its check would do to the target.

use super::blow::{Blow, check_blow};
use crate::decide::attack::AttackCall;
use crate::decide::attack::blow::{Dealing, brought, dealing, hurts, set_amount, set_most};
use crate::decide::check::{CheckEnd, PlannedCheck};
use crate::decide::damage::{self, DamageCall};
use crate::mechanics::health::Vitality;
use crate::record::event::Event;
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_dice::Expression;

/// An attack on one target, ready to roll.
pub struct PlannedAttack<'s> {
    /// Its check.
    pub check: PlannedCheck<'s>,
    blow: Blow,
    /// Whom it strikes.
    pub target: String,
}

/// What an end of the check does.
pub enum Blows {
    /// The damage is for the GM to say.
    Unread,
    /// Nothing at all.
    Nothing,
    /// A hit; of each of these dice a total is wanted to know how much it is.
    Hit(Box<PlannedHit>, Vec<Expression>),
}

/// A hit whose dice have not fallen.
pub struct PlannedHit {
    call: DamageCall,
    kinds: Vec<Option<String>>,
}

/// What a hit comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Struck {
    /// The points that come through armour and the like.
    pub points: i64,
    /// Whether the target is down then.
    pub down: bool,
}

impl<'s> PlannedAttack<'s> {
    /// Prepares the call. Refused: as the attack is refused; where it deals nothing, strikes several, or follows an earlier roll.
    pub fn of<'t: 's>(table: &Table<'t>, call: &'s AttackCall) -> Result<Self, Refusal> {
        let refuse = |summary: &str| Err(Refusal::new(Code::InvalidParameters, summary));
        if call.check.again.is_some() || !call.characters.is_empty() {
            return refuse(
                "Odds of damage are those of one character's new attack. Send character as one name, and leave again out.",
            );
        }
        let targets: Vec<Character> = call.found_targets(table)?.into_iter().cloned().collect();
        let mut own = AttackCall { unasked: true, ..call.clone() };
        let Some(blow) = Blow::of(table, &mut own)? else {
            return refuse("Nothing says how much damage there is. Send attack=\"…\" or damage=\"1d8+2\".");
        };
        own.check.struck = true;
        check_blow(table, &own, &blow, &targets)?;
        let [target] = targets.as_slice() else {
            return refuse("Odds of damage are those against one target. Send target with one name.");
        };
        own.check.target = Some(target.name.clone());
        let check = PlannedCheck::of(table, &own.check, call.check.stated.as_deref())?;
        Ok(PlannedAttack { check, blow, target: target.name.clone() })
    }

    /// What follows from an end of its check, which is logged.
    pub fn blows(&self, table: &mut Table, end: &CheckEnd) -> Result<Blows, Refusal> {
        let seq = self.check.log(table, end);
        let Some(Event::Check(event)) = table.written_at(seq).map(|own| own.entry.event.clone()) else {
            return Ok(Blows::Nothing);
        };
        let rule = event.rule(table.system());
        if rule.is_none() && event.stated.is_none() {
            return Ok(Blows::Nothing);
        }
        let mut call =
            DamageCall { target: self.target.clone(), by_rule: true, unasked: true, ..DamageCall::default() };
        let (mut dice, mut dealt) = (Vec::new(), true);
        match dealing(table, &self.blow, &event)? {
            Dealing::Unread => return Ok(Blows::Unread),
            Dealing::Nothing => dealt = false,
            Dealing::Most(own) => set_most(&mut call, &own),
            Dealing::Rolled(own, measure) => {
                call.measure = measure;
                call.roll = (!own.is_empty()).then_some(seq);
                dice = own;
            }
        }
        let target = table.state.characters.values().find(|own| own.name == self.target);
        if target.is_some_and(|own| Vitality::of(table.state, own.id).is_dead()) {
            return Ok(Blows::Nothing);
        }
        call.apply_conditions = brought(rule, &event, dealt.then_some(&self.blow));
        if !hurts(&call) && call.apply_conditions.is_empty() {
            return Ok(Blows::Nothing);
        }
        let (expressions, kinds) = dice.into_iter().map(|(expression, _, kind)| (expression, kind)).unzip();
        Ok(Blows::Hit(Box::new(PlannedHit { call, kinds }), expressions))
    }
}

impl PlannedHit {
    /// What it comes to where its dice show these totals. Refused: as the damage is refused.
    pub fn strike(&self, table: &Table, totals: &[i64]) -> Result<Struck, Refusal> {
        let mut call = self.call.clone();
        if !totals.is_empty() {
            set_amount(&mut call, totals.iter().copied().zip(self.kinds.iter().cloned()));
        }
        let result = damage::compute(table.state, table.system(), &call, None)?;
        let down = result.consequences.vitality.is_down(table.system());
        Ok(Struck { points: result.event.came_through(), down })
    }
}
