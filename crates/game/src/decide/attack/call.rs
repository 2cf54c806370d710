//! The call of an attack.

use crate::decide::check::CheckCall;
use crate::decide::damage::DamageCall;
use crate::mechanics::several::{Reach, several};
use crate::record::state::Character;
use crate::refusal::Refusal;
use crate::table::Table;
use rollbook_dice::Expression;

/// A check against others, with what it does to them.
#[derive(Clone, Default)]
pub struct AttackCall {
    /// Its character is each of `characters`, where there are any, and its target each of `targets`.
    pub check: CheckCall,
    /// Names, a side, "party".
    pub characters: Vec<String>,
    /// Names, a side, "party".
    pub targets: Vec<String>,
    /// An attack on the actor's sheet, by its name.
    pub attack: Option<String>,
    /// Dice and as they were typed; in place of those of the attack.
    pub damage: Option<(Expression, String)>,
    pub damage_type: Option<String>,
    /// On which track the damage falls, where that is not the target's health or the rules leave a choice.
    pub track: Option<String>,
    /// Nobody can be asked for that choice.
    pub unasked: bool,
    /// The actor's turn is over then.
    pub end_turn: bool,
    /// The faces that people rolled by hand, in the order in which the dice fall: of each check its own, then those that its
    /// rule sets against them, then those of what it deals.
    pub entered: Option<Vec<i64>>,
}

impl AttackCall {
    /// What it does to somebody, before it is known how much that is.
    pub(super) fn hit(&self) -> DamageCall {
        DamageCall { track: self.track.clone(), unasked: self.unasked, ..DamageCall::default() }
    }

    /// Those of its targets who are there; of a side those who are up.
    pub(super) fn found_targets<'t>(&self, table: &'t Table) -> Result<Vec<&'t Character>, Refusal> {
        match self.targets.as_slice() {
            [] => Ok(Vec::new()),
            names => several(table.state, table.system(), "target", names, Reach::Up),
        }
    }
}
