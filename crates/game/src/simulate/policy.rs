//! Whom a combatant strikes.

use rollbook_dice::Roller;

/// Whom a combatant strikes, of those who are up on the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The one with the least health left, so that there is soon one fewer.
    Focus,
    /// The one who was attacked the fewest times, so that everybody has somebody.
    Spread,
    /// Anybody.
    Random,
}

/// Somebody who may be struck.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Health left.
    pub left: i64,
    /// How often it was struck at in this fight.
    pub struck_at: u64,
}

impl Policy {
    /// All of them, in the order of lists.
    pub const ALL: [Policy; 3] = [Policy::Focus, Policy::Spread, Policy::Random];

    /// The word of commands and replies.
    pub fn as_str(self) -> &'static str {
        match self {
            Policy::Focus => "focus",
            Policy::Spread => "spread",
            Policy::Random => "random",
        }
    }

    /// The place of the one that is struck; of those who are alike the first. `None` without anybody, and where the dice give no face.
    pub fn choose(self, among: &[Candidate], dice: &mut dyn Roller) -> Option<usize> {
        let all = || among.iter().enumerate();
        match self {
            Policy::Focus => all().min_by_key(|(_, own)| own.left).map(|(place, _)| place),
            Policy::Spread => all().min_by_key(|(_, own)| own.struck_at).map(|(place, _)| place),
            Policy::Random => match i64::try_from(among.len()).unwrap_or(i64::MAX) {
                0 => None,
                many => dice.draw(0, many - 1).ok().and_then(|place| usize::try_from(place).ok()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use rollbook_dice::SeededRoller;

    #[test]
    fn each_policy_strikes_whom_it_says() {
        let own = |left, struck_at| Candidate { left, struck_at };
        let among = [own(9, 2), own(3, 2), own(3, 1), own(20, 1)];
        let mut dice = SeededRoller::new(1, 0);
        let mut chosen = |policy: Policy| -> BTreeSet<Option<usize>> {
            (0..100).map(|_| policy.choose(&among, &mut dice)).collect()
        };
        assert_eq!(chosen(Policy::Focus), BTreeSet::from([Some(1)]));
        assert_eq!(chosen(Policy::Spread), BTreeSet::from([Some(2)]));
        assert_eq!(chosen(Policy::Random), (0..4).map(Some).collect());
        for policy in Policy::ALL {
            assert_eq!(policy.choose(&[], &mut dice), None);
        }
    }
}
