//! Conditions, initiative, advancement, the dice chain and who sees what.

use super::{codes, sound, system_md};
use crate::dice::Die;
use crate::rules::{
    Anchor, CheckBy, ConditionRule, Duration, EffectChange, EffectOn, InitiativeKind, Showing, TieBreak,
};

const HEAD: &str =
    "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Strength (STR)\n- Dexterity (DEX)\n## Skills\n- Stealth (DEX)\n";

fn condition(bullet: &str) -> ConditionRule {
    sound(&format!("{HEAD}## Conditions\n{bullet}\n")).system.conditions.remove(0)
}

#[test]
fn a_condition_may_be_about_what_others_roll() {
    let shown = |effect: &str| {
        let rules = format!(
            "## Attributes\n- Strength\n\n## Checks\n### Try\n- Roll: `1d20 + {{Strength}}`\n- Target: 12\n\n## Conditions\n- Bare: {effect}\n"
        );
        let reading = super::sound(&rules);
        reading.system.conditions[0].effects.iter().map(crate::rules::ConditionEffect::describe).collect::<Vec<_>>()
    };
    for (effect, meant) in [
        ("advantage on attacks against you", "advantage on attacks against the bearer"),
        ("attackers have advantage", "advantage on attacks against the bearer"),
        ("those who attack you have disadvantage", "disadvantage on attacks against the bearer"),
        ("enemies have advantage on attacks against you", "advantage on attacks against the bearer"),
        ("+2 for those who attack you", "+2 attacks against the bearer"),
        ("\u{2212}2 to hit you", "-2 attacks against the bearer"),
        ("others have +1 against you", "+1 checks against the bearer"),
        ("-1 to Strength against you", "-1 Strength against the bearer"),
        ("disadvantage on attacks", "disadvantage on attacks"),
    ] {
        assert_eq!(shown(effect), [meant], "{effect}");
    }
    assert_eq!(shown("-2 on checks, +2 for attackers"), ["-2 checks", "+2 attacks against the bearer"]);
}

#[test]
fn conditions_change_checks_and_end() {
    let weak = condition("- Weak: -1 STR until treated");
    assert_eq!(weak.effects[0].on, EffectOn::Attribute("Strength".into()));
    assert_eq!(weak.effects[0].change, EffectChange::Add(-1));
    assert_eq!(weak.duration, Some(Duration::Until("treated".into())));
    let poisoned = condition("- Poisoned: disadvantage on checks, 3 rounds at the start of the source's turn");
    assert_eq!((&poisoned.effects[0].on, poisoned.effects[0].change), (&EffectOn::Checks, EffectChange::Disadvantage));
    assert_eq!(poisoned.duration, Some(Duration::Rounds(3, Anchor::SourceStart)));
    let exhausted = condition("- Exhausted (1-6): -2 to all checks per level");
    assert_eq!((exhausted.name.as_str(), exhausted.levels), ("Exhausted", Some((1, 6))));
    assert_eq!(exhausted.effects[0].amount(3), Some(-6));
    let hidden = condition("- Hidden: advantage on Stealth and DEX checks, until the end of the scene");
    let on: Vec<_> = hidden.effects.iter().map(|effect| effect.on.clone()).collect();
    assert_eq!(on, [EffectOn::Skill("Stealth".into()), EffectOn::Attribute("Dexterity".into())]);
    assert_eq!(hidden.duration, Some(Duration::Scene));
    let held = condition("- Held: cannot move, until a Stealth check succeeds");
    assert_eq!((held.left.as_slice(), held.effects.len()), (["cannot move".to_owned()].as_slice(), 0));
    assert_eq!(held.duration, Some(Duration::Check("Stealth".into(), Anchor::BearerEnd)));
}

#[test]
fn a_condition_with_a_number_that_is_not_read_is_remarked_on() {
    let reading = system_md(&format!("{HEAD}## Conditions\n- Burning: lose 1d6 hit points each turn\n"));
    assert_eq!(codes(&reading), ["document/left-to-the-gm"]);
    assert_eq!(reading.system.conditions[0].left.len(), 1);
}

#[test]
fn how_long_a_condition_lasts_is_read_or_said() {
    let read = |about: &str| {
        let reading = system_md(&format!("{HEAD}## Conditions\n- Dazed: {about}\n"));
        let told = reading.system.conditions[0].duration.as_ref().map(Duration::describe).unwrap_or_default();
        let left =
            reading.diagnostics.iter().map(|found| reading.sources.text(found.span().expect("a place")).to_owned());
        (reading.system.conditions[0].effects.len(), told, left.collect::<Vec<_>>())
    };
    for (about, effects, lasts, left) in [
        ("-1 STR for 2 rounds", 1, "2 rounds, at the end of the bearer's turn", &[][..]),
        (
            "disadvantage on checks for 3 turns at the start of your turn",
            1,
            "3 turns, at the start of the bearer's turn",
            &[],
        ),
        ("-1 STR, lasts 1 round", 1, "1 round, at the end of the bearer's turn", &[]),
        ("-1 STR for the scene", 1, "until the end of the scene", &[]),
        ("-1 STR until dawn", 1, "until dawn", &[]),
        ("-1 STR for an hour", 1, "1 hour", &[]),
        ("-1 STR for a while", 1, "", &["for a while"]),
        ("for as long as it rains", 0, "", &["for as long as it rains"]),
        ("-1 STR, 10 minutes", 1, "10 minutes", &[]),
        ("1 round, 2 turns", 0, "1 round, at the end of the bearer's turn", &["2 turns"]),
        ("-1 STR until dawn, -1 DEX until dusk", 2, "until dawn", &["until dusk"]),
        ("no running", 0, "", &[]),
    ] {
        let left: Vec<String> = left.iter().map(|own| (*own).to_owned()).collect();
        assert_eq!(read(about), (effects, lasts.to_owned(), left), "{about}");
    }
}

#[test]
fn a_conditions_name_is_read_once_and_whole() {
    let reading = system_md(&format!(
        "{HEAD}## Conditions\n- Prone (down): -1 STR\n- PRONE: slow\n- Dazed — no running\n- Dazed (badly): -2 STR\n"
    ));
    assert_eq!(codes(&reading), ["document/left-to-the-gm", "conditions/duplicate", "conditions/duplicate"]);
    assert_eq!(reading.sources.text(reading.diagnostics[0].span().expect("a place")), "down");
    let names: Vec<&str> = reading.system.conditions.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["Prone", "Dazed"]);
}

#[test]
fn a_long_name_is_one_where_something_stands_behind_it() {
    let reading = sound(&format!(
        "{HEAD}## Conditions\n- Cold right to the bone: -2 DEX until treated\n- Ask before you hand one out: they sting\n"
    ));
    let [cold] = reading.system.conditions.as_slice() else { panic!("one condition") };
    assert_eq!((cold.name.as_str(), cold.effects[0].change), ("Cold right to the bone", EffectChange::Add(-2)));
    let told = |section: &str| {
        let reading = system_md(&format!(
            "## Dice\nRoll 1d20 + modifiers.\n## {section}\n- Nerve\n- Sleight of the hand: base 20\n"
        ));
        (codes(&reading), reading.system.attributes.len() + reading.system.skills.len())
    };
    assert_eq!([told("Skills"), told("Attributes")], [(vec![], 2), (vec!["document/looks-like-a-rule"], 2)]);
}

#[test]
fn ties_are_broken_by_a_skill_too() {
    let text = format!("{HEAD}## Combat\n- Initiative: `1d20`\n- Ties: higher Stealth, then higher DEX\n");
    let ties = sound(&text).system.initiative.ties;
    let higher = [TieBreak::HigherSkill("Stealth".into()), TieBreak::HigherAttribute("Dexterity".into())];
    assert_eq!(ties, [higher.as_slice(), &[TieBreak::Entered]].concat());
}

#[test]
fn initiative_has_alternatives_and_agreed_ties() {
    let of = |bullets: &str| sound(&format!("{HEAD}## Combat\n{bullets}\n")).system.initiative;
    let gun =
        of("- Initiative: `{DEX}` (`{DEX} + 50` with a readied gun), highest first, no roll\n- Ties: any agreed order");
    assert!(matches!(gun.kind, InitiativeKind::Fixed(_)));
    assert_eq!(
        (gun.alternatives[0].number.to_string(), gun.alternatives[0].when.as_str()),
        ("{DEX} + 50".into(), "with a readied gun")
    );
    assert_eq!(gun.ties, [TieBreak::Agreed, TieBreak::Entered]);
    let two = of("- Initiative: Stealth (quiet) or STR (loud), highest first, no roll");
    assert!(matches!(two.kind, InitiativeKind::Fixed(formula) if formula.to_string() == "{Stealth}"));
    assert_eq!(two.alternatives[0].number.to_string(), "{STR}");
}

#[test]
fn advancement_is_read() {
    let advancement = sound(
        "## Dice\nRoll 1d20 + modifiers.\n## Advancement\n- Tick a skill when you succeed with it\n\
         - At the end of a session, for each tick: roll d%; above the skill, gain 1d10\n- Milestones: minor, major\n\n\
         | Level | XP |\n|---|---|\n| 2 | 300 |\n| 3 | 1,200 |\n",
    )
    .system
    .advancement;
    assert_eq!(advancement.ticks.as_ref().map(|ticks| ticks.what.when.as_str()), Some("you succeed with it"));
    let improvement = advancement.improvement.as_ref().expect("improvement");
    assert_eq!(
        (improvement.roll.to_string(), improvement.above, improvement.gain.to_string()),
        ("1d%".into(), true, "1d10".into())
    );
    assert_eq!(
        [advancement.xp_for_next(1), advancement.xp_for_next(2), advancement.xp_for_next(3)],
        [Some(300), Some(1200), None]
    );
    let level_up =
        sound("## Dice\nRoll 1d20 + modifiers.\n## Advancement\n- Level up at: 7 + level XP\n").system.advancement;
    assert_eq!(level_up.xp_for_next(2), Some(9));
}

#[test]
fn the_dice_section_has_a_chain_and_says_who_sees_what() {
    let system = sound(
        "## Dice\nRoll 1d20 + modifiers.\n- Dice chain: d3, d4, d5, d6, d7, d8, d10, d12, d14, d16, d20, d24, d30\n- Visibility: npc rolls outcome only\n",
    )
    .system;
    let chain = system.chain.expect("a chain");
    assert_eq!(chain.moved(&Die::Sides(20), 1), Some(Die::Sides(24)));
    assert_eq!(chain.place.to_string(), "System.md:3");
    assert!(system.dice.allows(&Die::Sides(7)), "what the chain names may be rolled");
    assert_eq!((system.showing.players, system.showing.others), (Showing::Public, Showing::OutcomeOnly));
    assert_eq!(
        codes(&system_md("## Dice\nRoll 1d20 + modifiers.\n- Dice chain: d6\n- Visibility: nobody\n")),
        ["dice/unreadable-die", "dice/unreadable-visibility"]
    );
}

#[test]
fn held_effects_ask_for_a_check_and_end_with_conditions_of_the_rules() {
    let rules =
        format!("{HEAD}## Conditions\n- Stunned: -2 on checks\n- Asleep: no acting\n## Combat\n- Initiative: `1d20`\n");
    let held = |bullet: &str| sound(&format!("{rules}- Held effects: {bullet}\n")).system.held;
    let both = held("damage asks for a DEX check against half the damage, at least 10; end when stunned or Asleep");
    assert_eq!(
        both.describe(),
        "damage asks for Dexterity against half the damage, at least 10; end when Stunned, Asleep"
    );
    let against = both.asks.as_ref().and_then(|own| own.against).expect("a difficulty");
    assert_eq!([0, 19, 20, 25].map(|damage| against.of(damage)), [10, 10, 10, 12]);
    let fixed = held("damage asks for Stealth against 14").asks.and_then(|own| own.against).expect("a difficulty");
    assert_eq!(fixed.of(50), 14);
    let open = held("damage asks for Stealth").asks.expect("a check");
    assert_eq!((open.by, open.against), (CheckBy::Skill, None));
    for wrong in [
        "damage asks for Steelth",
        "damage asks for Stealth against the weather",
        "end when Stuned",
        "end when Elsewhere",
        "cost a lot",
    ] {
        let reading = system_md(&format!("{rules}- Held effects: {wrong}\n"));
        assert_eq!(codes(&reading), ["combat/unreadable-held"], "{wrong}");
    }
}
