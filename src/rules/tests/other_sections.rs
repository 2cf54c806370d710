//! Conditions, fights, advancement, the dice chain and who sees what: read whole, or not at all.

use super::{codes, sound, system_md};
use crate::dice::Die;
use crate::rules::grammar::effect;
use crate::rules::{
    CheckBy, ConditionEffect, ConditionRule, Duration, Earned, Edge, EffectChange, EffectOn, End, InitiativeKind,
    InitiativeWhen, Outcome, Showing, TieBreak, Turn, Unit,
};

const HEAD: &str =
    "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Strength (STR)\n- Dexterity (DEX)\n## Skills\n- Stealth (DEX)\n";
const NOT_UNDERSTOOD: &str = "document/not-understood";

fn condition(bullet: &str) -> ConditionRule {
    sound(&format!("{HEAD}## Conditions\n{bullet}\n")).system.conditions.remove(0)
}

/// What is told of a line of a section.
fn told(section: &str, line: &str) -> Vec<&'static str> {
    let reading = system_md(&format!("{HEAD}## Conditions\n- Stunned: -1 on checks\n## {section}\n{line}\n"));
    codes(&reading)
}

#[test]
fn conditions_change_checks_and_end() {
    let weak = condition("- Weak: -1 on STR, until removed, *by treatment*");
    assert_eq!(weak.effects[0].on, EffectOn::Attribute("Strength".into()));
    assert_eq!((weak.effects[0].change, weak.duration), (EffectChange::Add(-1), Some(Duration::UntilRemoved)));
    let exhausted = condition("- Exhausted (1-6): -{Exhausted} on checks, until long rest");
    assert_eq!((exhausted.name.as_str(), exhausted.levels), ("Exhausted", Some((1, 6))));
    assert_eq!(exhausted.effects[0].amount(3), Some(-3));
    let hidden = condition("- Hidden: advantage on Stealth and DEX, until end of scene");
    let on: Vec<_> = hidden.effects.iter().map(|effect| (effect.on.clone(), effect.clause)).collect();
    assert_eq!(on, [(EffectOn::Skill("Stealth".into()), 0), (EffectOn::Attribute("Dexterity".into()), 0)]);
    let bare = "- Bare: +2 on attacks against bearer; -1 die on checks, +1 step on STR";
    let bare = system_md(&format!("{HEAD}## Conditions\n{bare}\n")).system.conditions.remove(0);
    let shown: Vec<String> = bare.effects.iter().map(ConditionEffect::describe).collect();
    assert_eq!(shown, ["+2 attacks against the bearer", "-1 die on checks", "+1 step on Strength"]);
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
        ("until long rest", Duration::UntilRest(effect::Rest::Long)),
    ] {
        assert_eq!(condition(&format!("- Dazed: {words}")).duration, Some(lasts), "{words}");
    }
}

#[test]
fn a_line_is_read_to_its_last_word_or_told() {
    for (section, line) in [
        ("Conditions", "- Burning: lose 1d6 hit points each turn"),
        ("Conditions", "- Dazed: -1 STR"),
        ("Conditions", "- Dazed: -1 on STR until dawn"),
        ("Conditions", "- Dazed: -1 on STR, for a while"),
        ("Conditions", "- Dazed: for 2 rounds, until end of scene"),
        ("Conditions", "- Dazed (badly): -1 on STR"),
        ("Conditions", "- Dazed: +1d4 on STR"),
        ("Combat", "- Initiative: `1d20`, highest first, no roll"),
        ("Combat", "- Ties: higher Stealth, then players"),
        ("Combat", "- Round: 6"),
        ("Combat", "- Round: 2 rounds"),
        ("Combat", "- Combat: in turns"),
        ("Combat", "- Held effects: ask Steelth"),
        ("Combat", "- Held effects: ask Stealth against the weather"),
        ("Combat", "- Held effects: ask Stealth, end with Elsewhere"),
        ("Combat", "- Initiative: `1d6`\n- Initiative: `1d8`"),
        ("Advancement", "- Level up at: 1000"),
        ("Advancement", "- Level up at: 1d6 XP"),
        ("Advancement", "- Level up at: {STR} XP"),
        ("Combat", "- Held effects: ask Stealth against 1d20"),
        ("Combat", "- Held effects: ask Stealth against {DEX}"),
        ("Combat", "| Score | Cost |\n|---|---|\n| 1+ | 2 |"),
        ("Advancement", "- Tick: a success"),
        ("Advancement", "- Each tick: {skill} +1d10"),
        ("Advancement", "- Each tick: {skill} +1d10 if `1d100 > {skill} + 1d6`"),
        ("Advancement", "| Level | XP |\n|---|---|\n| 2 | 1,200 |"),
        ("Dice", "- Dice chain: d6"),
        ("Dice", "- Dice chain: d8, d6"),
        ("Dice", "- Visibility: nobody"),
        ("Dice", "- Difficulty Fair: about 10"),
        ("Dice", "- Advantage: `2d20kh1`"),
    ] {
        let found = told(section, line);
        assert!(!found.is_empty() && found.iter().all(|code| *code == NOT_UNDERSTOOD), "{line}: {found:?}");
    }
    assert_eq!(told("Conditions", "- PRONE: -1 on STR\n- Prone: -1 on DEX"), ["document/given-twice"]);
    assert_eq!(told("Combat", "- Inititive: `1d20`"), ["document/not-a-rule"]);
}

#[test]
fn initiative_has_an_order_and_ties() {
    let of = |bullets: &str| sound(&format!("{HEAD}## Combat\n{bullets}\n")).system.initiative;
    let own =
        of("- Initiative: `1d20 + {DEX}`, lowest first, each round, one a kind\n- Ties: higher Stealth, higher DEX");
    assert!(matches!(&own.kind, InitiativeKind::Rolled(formula) if formula.to_string() == "1d20 + {DEX}"));
    assert_eq!((own.highest_first, own.when, own.by_kind), (false, InitiativeWhen::EachRound, true));
    let higher = [TieBreak::HigherSkill("Stealth".into()), TieBreak::HigherAttribute("Dexterity".into())];
    assert_eq!(own.ties, [higher.as_slice(), &[TieBreak::Entered]].concat());
    assert!(matches!(of("- Initiative: {Stealth}").kind, InitiativeKind::Fixed(_)));
    assert!(matches!(of("- Initiative: per side 1d6").kind, InitiativeKind::PerSide(_)));
    assert_eq!(
        [of("- Initiative: cards").kind, of("- Initiative: none").kind],
        [InitiativeKind::Cards, InitiativeKind::None]
    );
}

#[test]
fn advancement_is_read() {
    let of =
        |lines: &str| sound(&format!("## Dice\nRoll 1d20 + modifiers.\n## Advancement\n{lines}")).system.advancement;
    let own = of(
        "- Tick: success, critical success\n- Each tick: {skill} +1d10 if `1d100 > min({skill}, 95)`\n\n| Level | XP |\n|---|---|\n| 2 | 300 |\n| 3 | 1200 |\n",
    );
    let ticks = own.ticks.as_ref().map(|ticks| ticks.what.clone());
    assert_eq!(ticks, Some(vec![Earned::Class(Outcome::Success), Earned::Class(Outcome::CriticalSuccess)]));
    let improvement = own.improvement.as_ref().expect("improvement");
    assert_eq!(
        (improvement.describe(), improvement.gain.to_string()),
        ("1d100 > min({skill}, 95)".into(), "1d10".into())
    );
    assert_eq!([improvement.is_met(96, 95), improvement.is_met(95, 95)], [true, false]);
    assert_eq!([own.xp_for_next(1), own.xp_for_next(2), own.xp_for_next(3)], [Some(300), Some(1200), None]);
    assert_eq!(of("- Level up at: `7 + {level}` XP\n").xp_for_next(2), Some(9));
}

#[test]
fn the_dice_section_has_a_chain_and_says_who_sees_what() {
    let system = sound(
        "## Dice\nRoll 1d20 + modifiers.\n- Dice chain: d3, d4, d5, d6, d7, d8, d10, d12, d14, d16, d20, d24, d30\n- Visibility: npc rolls outcome only\n- Advantage: +1d4\n\n| Difficulty | Number |\n|---|---|\n| Fair | 10 |\n",
    )
    .system;
    let chain = system.chain.expect("a chain");
    assert_eq!(chain.moved(&Die::Sides(20), 1), Some(Die::Sides(24)));
    assert_eq!(chain.place.to_string(), "System.md:3");
    assert!(system.dice.allows(&Die::Sides(7)), "what the chain names may be rolled");
    assert_eq!((system.showing.players, system.showing.others), (Showing::Public, Showing::OutcomeOnly));
    assert_eq!(
        system.difficulties.iter().map(|own| (own.name.as_str(), own.number())).collect::<Vec<_>>(),
        [("Fair", Some(10))]
    );
    let advantage = system.advantage.expect("advantage");
    assert_eq!((advantage.roll.to_string(), advantage.adds), ("1d4".into(), true));
}

#[test]
fn held_effects_ask_for_a_check_and_end_with_conditions_of_the_rules() {
    let rules = format!("{HEAD}## Conditions\n- Stunned: -2 on checks\n- Asleep\n## Combat\n- Initiative: `1d20`\n");
    let held = |bullet: &str| sound(&format!("{rules}- Held effects: {bullet}\n")).system.held;
    let both = held("ask DEX against `max(10, floor({hit} / 2))`, end with Stunned and Asleep");
    assert_eq!(both.describe(), "damage asks for DEX against max(10, floor({hit} / 2)); end when Stunned, Asleep");
    let open = held("ask Stealth").asks.expect("a check");
    assert_eq!((open.by, open.against), (CheckBy::Skill, None));
}
