//! Skills, conditions, fights, attacks and advancement.

use super::{sound, system_md};
use crate::rules::grammar::effect::Rest;
use crate::rules::{
    ConditionEffect, ConditionRule, Duration, Earned, Edge, End, Improvement, Initiative, InitiativeKind,
    InitiativeWhen, Outcome, TieBreak, Turn, Unit,
};

const HEAD: &str =
    "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Strength (STR)\n- Dexterity (DEX)\n## Skills\n- Stealth (DEX)\n";

fn condition(bullet: &str) -> ConditionRule {
    sound(&format!("{HEAD}## Conditions\n{bullet}\n")).system.conditions.remove(0)
}

#[test]
fn a_skill_has_an_attribute_and_a_base_in_its_brackets() {
    let skills = "- Climb (STR)\n- Swim (Strength): in rivers\n- Dodge (DEX, base `floor({DEX} / 2)`)\n- Engineer (base -3)\n- Camp: base camp, tents\n";
    let skills = sound(&format!("{HEAD}{skills}")).system.skills;
    let read: Vec<String> = skills
        .iter()
        .map(|own| {
            let base = own.base.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{} ({}) {base}", own.name, own.attribute.as_deref().unwrap_or_default())
        })
        .collect();
    assert_eq!(
        read,
        [
            "Stealth (Dexterity) ",
            "Climb (Strength) ",
            "Swim (Strength) ",
            "Dodge (Dexterity) floor({DEX} / 2)",
            "Engineer () -3",
            "Camp () ",
        ]
    );
}

#[test]
fn conditions_change_checks() {
    for (bullet, shown) in [
        ("- Weak: -1 on STR, until removed, *by treatment*", "-1 Strength"),
        ("- Hidden: advantage on Stealth and DEX, until end of scene", "advantage on Stealth; advantage on Dexterity"),
        (
            "- Bare: +2 on attacks against bearer; -1 die on checks, +1 step on STR",
            "+2 attacks against the bearer; -1 die on checks; +1 step on Strength",
        ),
    ] {
        let own = system_md(&format!("{HEAD}## Conditions\n{bullet}\n")).system.conditions.remove(0);
        let effects: Vec<String> = own.effects.iter().map(ConditionEffect::describe).collect();
        assert_eq!(effects.join("; "), shown, "{bullet}");
    }
    let exhausted = condition("- Exhausted (1-6): -{Exhausted} on checks, until long rest");
    assert_eq!((exhausted.levels, exhausted.effects[0].amount(3)), (Some((1, 6)), Some(-3)));
}

#[test]
fn how_long_a_condition_lasts_is_one_of_a_few_things() {
    let turn = |edge, of_source, next| Duration::UntilTurn(Turn { edge, of_source, next });
    for (words, lasts) in [
        ("for 3 rounds", Duration::For(3, Unit::Round)),
        ("for 10 minutes", Duration::For(10, Unit::Minute)),
        ("until end of scene", Duration::UntilEnd(End::Scene)),
        ("until end of fight", Duration::UntilEnd(End::Fight)),
        ("until start of source's turn", turn(Edge::Start, true, false)),
        ("until end of bearer's next turn", turn(Edge::End, false, true)),
        ("until next check", Duration::UntilNextCheck),
        ("until removed", Duration::UntilRemoved),
        ("until Stealth succeeds", Duration::UntilSucceeds("Stealth".into())),
        ("until long rest", Duration::UntilRest(Rest::Long)),
    ] {
        assert_eq!(condition(&format!("- Dazed: {words}")).duration, Some(lasts), "{words}");
    }
}

#[test]
fn initiative_is_a_bullet_or_a_sentence_with_an_order_and_ties() {
    let of = |lines: &str| sound(&format!("{HEAD}## Combat\n{lines}\n")).system.initiative;
    let rolled = |own: &Initiative| match &own.kind {
        InitiativeKind::Rolled(formula) | InitiativeKind::Fixed(formula) => formula.to_string(),
        _ => String::new(),
    };
    let sentence = of("Turn-based combat with initiative (d20 + DEX modifier).");
    assert_eq!((rolled(&sentence).as_str(), sentence.assumed, sentence.highest_first), ("1d20 + {DEX}", true, true));
    let bullet =
        of("- Initiative: `1d20 + {DEX}`, lowest first, each round, one a kind\n- Ties: higher Stealth, players");
    assert_eq!((rolled(&bullet).as_str(), bullet.highest_first, bullet.by_kind), ("1d20 + {DEX}", false, true));
    assert_eq!(bullet.when, InitiativeWhen::EachRound);
    assert_eq!(bullet.ties, [TieBreak::HigherSkill("Stealth".into()), TieBreak::Players, TieBreak::Entered]);
    assert_eq!(rolled(&of("- Initiative: {Stealth}")), "{Stealth}");
    assert!(matches!(of("- Initiative: per side 1d6").kind, InitiativeKind::PerSide(_)));
    for (lines, kind) in [
        ("- Initiative: cards", InitiativeKind::Cards),
        ("- Initiative: none", InitiativeKind::None),
        ("There is no initiative.", InitiativeKind::Given),
    ] {
        assert_eq!(of(lines).kind, kind, "{lines}");
    }
    let round = |words: &str| sound(&format!("{HEAD}## Combat\n- Round: {words}\n")).system.round.map(|own| own.what);
    assert_eq!(["6 seconds.", "1 minute"].map(round), [Some(6), Some(60)]);
}

#[test]
fn a_weapon_is_rolled_by_its_skill_or_attribute_with_its_bonus() {
    for (header, row, meant) in [
        ("Weapon | Attribute | Damage | Properties", "Sword | STR | 1d8 | long", "Strength, 1d8"),
        ("Weapon | Skill | Bonus | Damage", "Knife | Stealth | +1 | 1", "Stealth +1, 1"),
        ("Weapon | Skill | Damage | Target effect", "Flail | Stealth | 2 | gain Prone, *ouch*", "Stealth, 2, prone"),
    ] {
        let prone = "## Conditions\n- Prone: -1 on checks\n";
        let reading = sound(&format!("{HEAD}{prone}## Weapons\n\n| {header} |\n|---|---|---|---|\n| {row} |\n"));
        assert_eq!(reading.system.attacks[0].describe(), meant, "{header}");
    }
}

#[test]
fn advancement_is_by_ticks_and_by_a_table_or_a_formula() {
    let of = |lines: &str| sound(&format!("{HEAD}## Advancement\n{lines}")).system.advancement;
    let own = of(
        "- Tick: success, critical success\n- Each tick: {skill} +1d10 if `1d100 > min({skill}, 95)`\n\n| Level | XP |\n|---|---|\n| 2 | 300 |\n| 3 | 1200 |\n",
    );
    let ticks = own.ticks.as_ref().map(|ticks| ticks.what.clone());
    assert_eq!(ticks, Some(vec![Earned::Class(Outcome::Success), Earned::Class(Outcome::CriticalSuccess)]));
    let improvement: &Improvement = own.improvement.as_ref().expect("improvement");
    assert_eq!(
        (improvement.describe(), improvement.gain.to_string()),
        ("1d100 > min({skill}, 95)".into(), "1d10".into())
    );
    assert_eq!([improvement.is_met(96, 95), improvement.is_met(95, 95)], [true, false]);
    assert_eq!([own.xp_for_next(1), own.xp_for_next(2), own.xp_for_next(3)], [Some(300), Some(1200), None]);
    assert_eq!(of("- Level up at: `7 + {level}` XP\n").xp_for_next(2), Some(9));
}

/// What numbers and pools leave open is assumed, and said.
#[test]
fn what_is_assumed_of_pools_is_said() {
    let pool = "## Attributes\n- Frame\n- Stun\n\n## Checks\n### Test\n- Roll: `({Frame} - floor({Stun} / 3))d6`\n- Count: 5+\n- Target: `1`\n";
    let helped = "## Conditions\n- Helped: +1 on checks\n";
    for (rules, words, is_said) in [
        (format!("{pool}{helped}"), "are successes, and no dice", true),
        (format!("{pool}{}", helped.replace("+1 on", "+1 die on")), "are successes", false),
        (format!("{}{helped}", pool.replace("- Count: 5+\n", "")), "are successes", false),
    ] {
        let assumptions = system_md(&rules).system.assumptions;
        assert_eq!(assumptions.iter().any(|own| own.text.contains(words)), is_said, "{rules}");
    }
}
