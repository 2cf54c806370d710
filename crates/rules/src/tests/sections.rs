//! Skills, conditions, fights, attacks and advancement.

use super::{sound, system_md};
use crate::{Initiative, InitiativeKind};

const HEAD: &str = "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Strength (STR)\n- Dexterity (DEX)\n## Skills\n- Stealth (DEX)\n";

#[test]
fn a_change_may_be_as_much_as_the_level() {
    let exhausted = "- Exhausted (1-6): -{Exhausted} on checks, until long rest";
    let condition = sound(&format!("{HEAD}## Conditions\n{exhausted}\n"))
        .system
        .conditions
        .remove(0);
    assert_eq!(
        (condition.levels, condition.changes[0].amount(3)),
        (Some((1, 6)), -3)
    );
}

#[test]
fn initiative_is_a_bullet_or_a_sentence_with_an_order_and_ties() {
    let initiative = |lines: &str| {
        sound(&format!("{HEAD}## Combat\n{lines}\n"))
            .system
            .initiative
    };
    let rolled = |initiative: &Initiative| {
        initiative
            .formula()
            .map(ToString::to_string)
            .unwrap_or_default()
    };
    let sentence = initiative("Turn-based combat with initiative (d20 + DEX modifier).");
    assert_eq!(
        (
            rolled(&sentence).as_str(),
            sentence.assumed,
            sentence.highest_first
        ),
        ("1d20 + {DEX}", true, true)
    );
    assert_eq!(rolled(&initiative("- Initiative: {Stealth}")), "{Stealth}");
    assert!(matches!(
        initiative("- Initiative: per side 1d6").kind,
        InitiativeKind::PerSide(_)
    ));
    for (lines, kind) in [
        ("- Initiative: cards", InitiativeKind::Cards),
        ("- Initiative: none", InitiativeKind::None),
        ("There is no initiative.", InitiativeKind::Given),
    ] {
        assert_eq!(initiative(lines).kind, kind, "{lines}");
    }
}

#[test]
fn advancement_is_by_ticks_and_by_a_table_or_a_formula() {
    let read = |lines: &str| {
        sound(&format!("{HEAD}## Advancement\n{lines}"))
            .system
            .advancement
    };
    let advancement = read(
        "- Tick: success, critical success\n- Each tick: {skill} +1d10 if `1d100 > min({skill}, 95)`\n\n| Level | XP |\n|---|---|\n| 2 | 300 |\n| 3 | 1200 |\n",
    );
    let improvement = advancement.improvement.as_ref().expect("improvement");
    assert_eq!(
        [improvement.is_met(96, 95), improvement.is_met(95, 95)],
        [true, false]
    );
    assert_eq!(
        [
            advancement.next_level_xp(1),
            advancement.next_level_xp(2),
            advancement.next_level_xp(3)
        ],
        [Some(300), Some(1200), None]
    );
    assert_eq!(
        read("- Level up at: `7 + {level}` XP\n").next_level_xp(2),
        Some(9)
    );
}

/// What numbers added to pools mean is an assumption.
#[test]
fn added_successes_are_noted_as_an_assumption() {
    let pool = "## Attributes\n- Frame\n- Stun\n\n## Checks\n### Test\n- Roll: `({Frame} - floor({Stun} / 3))d6`\n- Count: 5+\n- Target: `1`\n";
    let helped = "## Conditions\n- Helped: +1 on checks\n";
    for (rules, words, is_noted) in [
        (
            format!("{pool}{helped}"),
            "are successes, and no dice",
            true,
        ),
        (
            format!("{pool}{}", helped.replace("+1 on", "+1 die on")),
            "are successes",
            false,
        ),
        (
            format!("{}{helped}", pool.replace("- Count: 5+\n", "")),
            "are successes",
            false,
        ),
    ] {
        let assumptions = system_md(&rules).system.assumptions;
        assert_eq!(
            assumptions
                .iter()
                .any(|assumption| assumption.text.contains(words)),
            is_noted,
            "{rules}"
        );
    }
}
