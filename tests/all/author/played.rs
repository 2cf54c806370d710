//! Small rules, each with a playtest of what they say.

use crate::author::bench::Bench;
use crate::table::has;

/// The rules with a playtest of these lines, which holds.
fn plays(rules: &str, lines: &str) -> Bench {
    let bench = Bench::of(&format!(
        "# A\n\n{rules}\n## Examples\n\n```playtest As it is said\n{lines}```\n"
    ));
    bench.run(&["test"]).ends(0);
    bench
}

const TABLE: &str =
    "\n\n| Outcome | When |\n|---|---|\n| Success | margin 0+ |\n| Failure | otherwise |\n";

#[test]
fn what_is_marked_on_a_foes_boxes_is_not_how_many_it_has() {
    let rules = format!(
        "## Attributes\n- Body\n\n## Checks\n### Strike\n- Roll: `{{Body}}d6`\n- Count: 5+\n- Target: 1{TABLE}\n\
         ## Health\n- Wounds: 6 boxes, full: gain Dead\n- Damage: Wounds\n\n## Attacks\n| Attack | Attribute | Damage |\n|---|---|---|\n| Club | Body | 2 |\n"
    );
    let bench = plays(
        &rules,
        "> manage_character action=create name=Rat kind=npc attributes={\"Body\": 3} tracks={\"Wounds\": 2}\n\
         > get_character character=Rat\n= character.tracks.wounds.value: 2\n= character.tracks.wounds.max: 6\n\
         > manage_character action=import kind=npc text=\"### Zed\\n- Body: 3\\n- HP: 4\"\n\
         > get_character character=Zed\n= character.tracks.wounds.value: 0\n= character.tracks.wounds.max: 4\n",
    );
    let words = [
        "simulate",
        "--party",
        "Ana: Body 3, Wounds 2",
        "--foes",
        "Rat: Body 3, Wounds 2",
        "--runs",
        "20",
    ];
    bench.run(&words).ends(0);
}

#[test]
fn a_line_of_a_block_is_the_track_that_is_called_so() {
    let rules = format!(
        "## Attributes\n- Body\n\n## Checks\n### Strike\n- Roll: `1d6 + {{Body}}`\n- Target: 6{TABLE}\n\
         ## Health\n- Hunger: 5 boxes\n- Hit points: max `10`\n- Armour: max `3`\n- Damage: Hit points\n"
    );
    plays(
        &rules,
        "> manage_character action=import kind=npc text=\"### Zed\\n- Body: 3\\n- Hunger: 2\\n- Hit points: 4\\n- Armour: 2\"\n\
         > get_character character=Zed\n= character.tracks.hunger.value: 2\n= character.tracks.hunger.max: 5\n\
         = character.tracks.hit points.value: 4\n= character.tracks.armour.value: 2\n",
    );
}

#[test]
fn a_score_that_a_skill_goes_by_and_that_is_missing_is_named() {
    let rules = "## Attributes\n- Silk\n- Brass\n\n## Skills\n- Lie (base `{Silk} / 2`)\n\n## Checks\n### Try\n- Roll: `1d20 + {skill}`\n\
                 - Target: 10\n";
    let rules = format!("{rules}{TABLE}");
    let bench = plays(
        &rules,
        "character Ana: Brass 3\n> skill_check character=Ana skill=Lie\n! missing_value\n\
         > manage_character action=update character=Ana attributes={\"Silk\": 4}\n> skill_check character=Ana skill=Lie\ndice 8\n= margin: 0\n",
    );
    let output = bench.run(&["odds", "--skills", "--character", "Ana: Brass 3"]);
    let why = "The untrained value of Lie (System.md";
    assert!(
        output.err.contains(why) && output.err.contains("needs {Silk}"),
        "{}",
        output.err
    );
}

#[test]
fn a_quantity_of_the_roll_in_a_formula_of_damage_needs_a_name() {
    let rules = |value: &str, extra: &str| {
        format!(
            "## Attributes\n- Might\n\n## Checks\n### Strike\n- Roll: `1d20 + {{Might}}`\n- Target: 10\n{value}\n\
             | Outcome | When | Damage |\n|---|---|---|\n| Success | margin 0+ | `{{damage}} + {extra}` |\n\
             | Failure | otherwise | none |\n\n## Health\n- Hits: max 20\n- Damage: Hits\n"
        )
    };
    let output = Bench::of(&format!("# A\n\n{}", rules("", "margin"))).run(&["check"]);
    assert!(
        output.out.contains("document/not-understood") && output.out.contains("- Value "),
        "{}",
        output.out
    );
    let call = "character Ana: Might 2\ncharacter Rat: npc, Might 2, Hits 20\n> skill_check character=Ana target=Rat damage=1d6\n";
    plays(&rules("", "margin"), &format!("{call}! rule_broken\n"));
    plays(
        &rules("- Value over: `margin`\n", "{over}"),
        &format!("{call}dice 11 4\n= damage.amount: 7\n"),
    );
}

#[test]
fn a_heading_of_playtests_is_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    std::fs::create_dir(folder.path().join("tests")).expect("a folder");
    write(
        "System.md",
        "# Duel\n\n## Attributes\n- Guard\n- Arm\n\n## Checks\n\n### Strike\n- Roll: `1d6 + {Arm}`\n- Target: `{target Guard}`\n\n## Health\n- Points: max 9\n- Damage: Points\n",
    );
    write("Foes.md", "# Foes\n\n## Rat\n- Points: 3\n- Guard: 4\n");
    write(
        "tests/blows.md",
        "# Blows\n\n## A hard one\n- Points: 9\n- Guard: 3\n- Arm: 2\n",
    );
    let arguments = ["simulate", "--party", "Nobody", "--foes", "Rat"];
    let found = crate::process::rollbook(folder.path())
        .args(arguments)
        .output()
        .expect("the program starts");
    let err = String::from_utf8_lossy(&found.stderr);
    assert!(err.contains("The adventure has Rat. "), "{err}");
}

#[test]
fn an_attack_is_rolled_by_the_check_for_attacks_and_keeps_its_skill_with_another_attribute() {
    let rules = "## Attributes\n- Wind\n- Brawn\n\n## Skills\n- Blade (Wind)\n- Defence (base `5 * {Wind} + 5`)\n- Sing\n\n## Checks\n### Test\n\
                 - Roll: `1d10 + {modifier}`\n- Target: `{difficulty}`\n\n### Strike\n- For: attacks\n- Roll: `1d10 + {attribute} + {skill}`\n\
                 - Target: `{target Defence}`\n\n### Sing\n- For: Sing\n- Roll: `1d6`\n- Target: 3\n\n## Health\n- Hit points: max `10`\n- Damage: Hit points\n\n\
                 ## Attacks\n| Attack | Skill | Damage |\n|---|---|---|\n| Sabre | Blade | 1d6 |\n";
    plays(
        rules,
        "character Ana: Wind 1, Brawn 4, Blade 2, Sing 1\ncharacter Cop: npc, Wind 1\n\
         > skill_check character=Ana attack=Sabre target=Cop\ndice 5\n= check: Strike\n= margin: -2\n\
         > skill_check character=Ana attack=Sabre attribute=Brawn target=Cop\ndice 5 3\n= margin: 1\n\
         > skill_check character=Ana skill=Sing\ndice 3\n= check: Sing\n= margin: 0\n",
    );
}

#[test]
fn a_die_that_is_dropped_counts_nothing() {
    let rules = "## Attributes\n- Body\n- Range: 0 to 5\n\n## Checks\n### Test\n- Roll: `{Body}d6kh2`\n- Count: 5+\n- With no dice: `2d6kl1`\n\n\
                 | Outcome | When |\n|---|---|\n| Success | successes 1+ |\n| Failure | otherwise |\n";
    let bench = plays(
        rules,
        "character Ana: Body 0\ncharacter Bob: Body 3\n> skill_check character=Ana\ndice 1 6\n= outcome: failure\n\
         > skill_check character=Ana\ndice 5 6\n= outcome: success\n> skill_check character=Bob\ndice 6 5 5\n= summary: Bob, Test: 3d6kh2: [6, 5, 5] keep 6, 5 = 11, 2 successes: success.\n",
    );
    // The lower of two dice is a 5 or a 6: 4 of 36.
    let output = bench.run(&["odds", "--character", "Ana: Body 0"]);
    assert!(output.out.contains("11.11"), "{}", output.out);
}

#[test]
fn a_condition_takes_the_dice_that_there_are_and_leaves_those_of_another_kind() {
    let rules = "## Attributes\n- Body\n- Range: 1 to 6\n\n## Checks\n### Test\n- Roll: `({Body} - {Hunger})d6 + {Hunger}d6[hunger]`\n- Count: 6\n\n\
                 | Outcome | When |\n|---|---|\n| Success | successes 1+ |\n| Failure | otherwise |\n\n## Conditions\n- Impaired: -2 dice on checks\n\n\
                 ## Health\n- Hunger: 5 boxes\n- Damage: none\n";
    plays(
        rules,
        "character Ana: Body 3, Hunger 2\n> apply_damage target=Ana apply_conditions=[\"Impaired\"]\n\
         > skill_check character=Ana\ndice 6 1\n= outcome: success\n",
    );
}

#[test]
fn a_condition_takes_dice_from_a_pool_and_steps_from_a_die() {
    let rules = "## Attributes\n- Body\n- Range: 1 to 6\n- Might\n\n## Dice\n- Dice chain: d4, d6, d8, d10\n\n## Checks\n### Test\n- Roll: `{Body}d6`\n\
                 - Count: 6\n- With no dice: `1d6`\n- Again Push: reroll all but 6s\n\n| Outcome | When |\n|---|---|\n| Success | successes 1+ |\n| Failure | otherwise |\n\n\
                 ### Lift\n- Roll: `1d8 + {Might}`\n- Target: 6\n\n## Conditions\n- Trembling (1-5): -{Trembling} dice on Test\n- Keen: +2 dice on checks, until next check\n\
                 - Drained: -1 step on Lift\n- Bright: +1 die on attacks against bearer\n\n## Health\n- Hit points: max `10`\n- Damage: Hit points\n";
    plays(
        rules,
        "character Ana: Body 3, Might 1\n> skill_check character=Ana check=Test\ndice 1 2 6\n= outcome: success\n\
         > apply_damage target=Ana apply_conditions=[\"Trembling 1\", \"Drained\"]\n> skill_check character=Ana check=Test\ndice 1 2\n= outcome: failure\n\
         = adjustments.0: -1 die (Trembling, System.md:28)\n> skill_check character=Ana again=\"last push\"\ndice 6 1\n= outcome: success\n\
         > apply_damage target=Ana apply_conditions=[\"Trembling 4\"]\n> skill_check character=Ana check=Test\ndice 6\n= outcome: success\n\
         > apply_damage target=Ana apply_conditions=[\"Keen\"]\n> skill_check character=Ana check=Test\ndice 1\n> skill_check character=Ana check=Lift\ndice 6\n= margin: 1\n",
    );
}

/// A fight with 2d6, in which what Endurance does not take falls where the target says.
const CHOICE: &str = "## Attributes\n- Strength (STR)\n- Dexterity (DEX)\n- Endurance (END)\n- Range: 0 to 15\n\n## Skills\n- Blade (STR)\n\n\
                      ## Checks\n### Task\n- Roll: `2d6 + {modifier}`\n- Target: 8\n- Again Push: reroll all\n\n\
                      | Outcome | When | Damage |\n|---|---|---|\n| Success | margin 0+ | once |\n| Failure | otherwise | none |\n\n\
                      ## Health\n- Damage: Endurance, Strength or Dexterity\n\
                      - When `({Strength} = 0) + ({Dexterity} = 0) + ({Endurance} = 0) >= 2`: gain Incapacitated\n\n\
                      ## Attacks\n| Attack | Skill | Damage |\n|---|---|---|\n| Cutlass | Blade | 2d6 |\n| Fist | Blade | 1 |\n";

#[test]
fn an_attack_says_on_which_track_it_falls() {
    let rules = CHOICE;
    plays(
        rules,
        "character Ana: Strength 0, Dexterity 0, Endurance 0, Blade 0\ncharacter Cop: npc, Strength 7, Dexterity 8, Endurance 2\n\
         > skill_check character=Ana attack=Cutlass target=Cop\n! which_track\n\
         > skill_check character=Ana attack=Cutlass target=Cop track=Dexterity\ndice 6 6 5 1\n= damage.amount: 6\n\
         > get_character character=Cop\n= character.tracks.endurance.value: 0\n= character.tracks.dexterity.value: 4\n= character.tracks.strength.value: 7\n\
         > skill_check character=Ana skill=Blade track=Dexterity\n! invalid_parameters\n",
    );
    // Where nobody can be asked it falls where most is left.
    let bench = Bench::of(&format!("# A\n\n{rules}"));
    let party = "Ana: Strength 7, Dexterity 7, Endurance 7, Blade 1";
    bench
        .run(&[
            "simulate",
            "--party",
            party,
            "--foes",
            "Cop: Strength 5, Dexterity 5, Endurance 5, Blade 0",
            "--runs",
            "20",
        ])
        .ends(0);
    let attack = [
        "odds",
        "--character",
        party,
        "--attack",
        "Cutlass",
        "--target",
        "Cop: Strength 7, Dexterity 8, Endurance 2",
    ];
    let output = bench.run(&attack);
    assert!(
        output.out.contains("Cop is down                 1/6"),
        "{}{}",
        output.out,
        output.err
    );
}

#[test]
fn a_push_that_turns_a_miss_into_a_hit_deals_the_damage() {
    let character = "character Ana: Strength 0, Dexterity 0, Endurance 0, Blade 0\ncharacter Cop: npc, Strength 7, Dexterity 8, Endurance 15\n";
    let miss =
        "> skill_check character=Ana attack=Cutlass target=Cop\ndice 1 1\n= outcome: failure\n";
    plays(
        CHOICE,
        &format!(
            "{character}{miss}> skill_check character=Ana again=last\ndice 5 5 3 1\n= outcome: success\n= damage.amount: 4\n\
             > get_character character=Cop\n= character.tracks.endurance.value: 11\n\
             > manage_session action=undo\n> get_character character=Cop\n= character.tracks.endurance.value: 15\n"
        ),
    );
    plays(
        CHOICE,
        &format!(
            "{character}{miss}> skill_check character=Ana again=last attack=Fist\n! invalid_parameters\n"
        ),
    );
    let by_hand = "> skill_check character=Ana skill=Blade target=Cop damage=1d6\ndice 1 1\n= outcome: failure\n";
    plays(
        CHOICE,
        &format!(
            "{character}{by_hand}> skill_check character=Ana again=last damage=1d6\ndice 5 5 3\n= damage.amount: 3\n"
        ),
    );
    plays(
        CHOICE,
        &format!(
            "{character}{by_hand}> skill_check character=Ana again=last\ndice 5 5\n\
             = noted.0: Cop is hit now, and the damage was said with the first roll alone: send it with apply_damage\n"
        ),
    );
    let no_attack = "> skill_check character=Ana skill=Blade\ndice 1 1\n> skill_check character=Ana again=last damage=1d6\n! invalid_parameters\n";
    plays(CHOICE, &format!("{character}{no_attack}"));
}

#[test]
fn a_clause_about_an_attribute_and_its_skill_counts_once() {
    let rules = format!(
        "## Attributes\n- Stamina (STA)\n\n## Skills\n- Brawl (STA)\n- Run (STA)\n\n## Checks\n### Test\n- Roll: `1d20 + {{modifier}}`\n- Target: 10{TABLE}\n\
         ## Conditions\n- Winded: -2 on STA and Brawl\n- Sore: -2 on STA, -1 on Brawl\n"
    );
    plays(
        &rules,
        "character Ana: Stamina 0\n> apply_damage target=Ana apply_conditions=[\"Winded\"]\n\
         > skill_check character=Ana skill=Brawl\ndice 10\n= margin: -2\n> skill_check character=Ana skill=Run\ndice 10\n= margin: -2\n\
         > apply_damage target=Ana apply_conditions=[\"Sore\"] remove_conditions=[\"Winded\"]\n> skill_check character=Ana skill=Brawl\ndice 10\n= margin: -3\n",
    );
}

#[test]
fn damage_may_go_by_what_the_call_gives() {
    let rules = "## Checks\n### Strike\n- Roll: `1d20`\n- Target: `5 + 5 * {raises=0}`\n- Asks: raises 0 to 5\n- Value extra: `{raises}`\n\n\
                 | Outcome | When | Damage |\n|---|---|---|\n| Hit (success) | margin 0+ | `{damage} + {extra}d6` |\n| Miss (failure) | otherwise | none |\n\n\
                 ## Health\n- Hits: max `90`\n- Damage: Hits\n\n## Attacks\n| Attack | Damage | Bonus |\n|---|---|---|\n\
                 | Sword | `(3 + {raises=0})d10kh2` | +0 |\n| Axe | 1d10 | +0 |\n";
    let bench = plays(
        rules,
        "character Ana: level 1\ncharacter Rat: npc\n> skill_check character=Ana attack=Sword target=Rat values={\"raises\": 2}\n\
         dice 15 1 2 3 4 5 6 1\n= damage.amount: 16\n> skill_check character=Ana attack=Axe target=Rat values={\"raises\": 0}\ndice 15 4\n= damage.amount: 4\n",
    );
    bench
        .run(&[
            "simulate",
            "--party",
            "Ana: level 1, Hits 20",
            "--foes",
            "Rat: Hits 20",
            "--runs",
            "20",
        ])
        .ends(0);
}

#[test]
fn who_is_unconscious_is_out_of_the_fight_and_who_has_rested_is_not_spent() {
    let rules = format!(
        "## Attributes\n- Wits\n\n## Checks\n### Test\n- Roll: `1d20 + {{modifier}}`\n- Target: 10{TABLE}\n\
         ## Health\n- Hit points: max `10`\n- Damage: Hit points\n- At 2 Hit points: gain Unconscious\n\
         - Short rest: Hit points +1\n- Long rest: Hit points to max\n\n\
         ## Conditions\n- Spent: -1 on checks, until short rest\n"
    );
    plays(
        &rules,
        "character Ana: Wits 2\n> apply_damage target=Ana amount=8\n= incapacitated: true\n> apply_damage target=Ana amount=-3\n\
         > get_character character=Ana\n= character.conditions: []\n> apply_damage target=Ana apply_conditions=[\"Spent\"]\n\
         > manage_character character=Ana action=rest rest=\"Short rest\"\n> get_character character=Ana\n= character.conditions: []\n",
    );
}

#[test]
fn a_line_of_a_block_has_skills_and_armour_as_the_rules_name_them() {
    let rules = format!(
        "## Attributes\n- Wit (WIT)\n\n## Skills\n- Dodge (base `2 * {{WIT}}`)\n- Spot (WIT)\n- Armour Class (base `10 + {{WIT}}`)\n\n\
         ## Checks\n### Test\n- Roll: `1d100`\n- Target: {{skill}} or less{TABLE}\n### Strike\n- For: attacks\n- Roll: `1d20`\n- Target: `{{target Armour Class}}`{TABLE}\n\
         ## Health\n- Hit points: max `10`\n- Damage: Hit points\n\n## Attacks\n| Attack | Damage | Bonus |\n|---|---|---|\n| Club | 1d4 | +0 |\n"
    );
    let import = |lines: &str| {
        format!("> manage_character action=import kind=npc text=\"### Zed\\n{lines}\"\n")
    };
    for lines in [
        "WIT 8\\nHit points 13, Dodge 40, Spot 55, Armour Class 14",
        "- WIT 8, Hit points 13, Dodge 40%, Spot 55%, Armour Class 14",
        "- WIT: 8\\n- Hit points: 13\\n- Dodge: 40\\n- Spot: 55\\n- Armour Class: 14",
    ] {
        plays(
            &rules,
            &format!(
                "{}> skill_check character=Zed skill=Dodge\ndice 36\n= target: 40\n> skill_check character=Zed skill=Spot\ndice 36\n= target: 55\n\
                 character Ana: WIT 0\n> skill_check character=Ana attack=Club target=Zed\ndice 12\n= target: 14\n",
                import(lines)
            ),
        );
    }
}

#[test]
fn armour_helps_on_each_track_that_damage_takes() {
    let rules = "## Attributes\n- Frame\n- Range: 0 to 6\n\n## Checks\n### Attack\n- Roll: `({Frame} - 1)d6`\n- Count: 5+\n- Target: `1`\n- With no dice: `0`\n\n\
                 | Outcome | When |\n|---|---|\n| Success | successes 1+ |\n| Failure | otherwise |\n\n\
                 ## Health\n- Physical: 10 boxes, full: gain Dying\n- Stun: 10 boxes, full: gain Unconscious\n- Fear: 10 boxes, full: *panic*\n\
                 - Damage types: stun\n- Damage: Physical\n- Damage stun: Stun\n- Armour: subtract {Armour}\n\n\
                 ## Attacks\n| Attack | Attribute | Damage |\n|---|---|---|\n| Baton | Frame | 5 |\n";
    plays(
        rules,
        "character Ana: Frame 2\ncharacter Bo: Frame 1\ncharacter Rat: npc, Armour 2\n> apply_damage target=Rat amount=5\n= tracks.0.after: 3\n\
         > skill_check character=Ana attack=Baton target=Rat track=Stun\ndice 5\n= damage.tracks.0.after: 3\n\
         > apply_damage target=Rat amount=5 track=Fear\n= tracks.0.after: 5\n\
         > skill_check character=Bo attack=Baton target=Rat\n= outcome: failure\n",
    );
}

#[test]
fn an_attack_takes_the_check_for_attacks_and_its_type_the_track_of_that_name() {
    let rules = format!(
        "## Attributes\n- Might\n\n## Checks\n### Background\n- Roll: `1d20`\n- Target: `{{difficulty=15}}`{TABLE}\n\
         ### Attack\n- For: attacks\n- Roll: `1d20 + {{Might}}`\n- Target: `{{target Guard}}`\n\n| Outcome | When | Damage |\n|---|---|---|\n| Hit (success) | margin 0+ | once |\n| Miss (failure) | otherwise | none |\n\n\
         ### Hex\n- Roll: `1d20 + {{Might}}`\n- Target: `{{target Will}}`\n\n| Outcome | When | Damage |\n|---|---|---|\n| Hit (success) | margin 0+ | once |\n| Miss (failure) | otherwise | none |\n\n\
         ## Skills\n- Guard (base 12)\n- Will (base 11)\n\n## Health\n- Physical: 10 boxes, full: gain Dying\n- Stun: 10 boxes, full: gain Unconscious\n\
         - Left leg: 3 boxes, full: gain Lamed\n- Right leg: 3 boxes, full: gain Lamed\n\
         - Damage types: cuts, stun\n- Damage: Physical\n- Damage stun: Stun\n\n## Conditions\n- Lamed: -2 on checks\n- Sour: -1 on checks, until end of scene\n\n\
         ## Weapons\n\n| Weapon | Damage | Type |\n|---|---|---|\n| Blade | 1d6 | cuts |\n| Baton | 1d6 | stun |\n"
    );
    let bench = plays(
        &rules,
        "character Ana: Might 2\ncharacter Rat: npc\n> skill_check character=Ana attack=Blade target=Rat\ndice 10 4\n= check: Attack\n= target: 12\n\
         = damage.tracks.0.name: Physical\n> skill_check character=Ana attack=Baton target=Rat\ndice 10 4\n= damage.tracks.0.name: Stun\n\
         > apply_damage target=Ana amount=3 track=\"Left leg\"\n> apply_damage target=Ana amount=3 track=\"Right leg\"\n\
         > apply_damage target=Ana amount=-1 track=\"Left leg\"\n> get_character character=Ana\n= character.conditions: [\"Lamed\"]\n\
         > apply_damage target=Ana amount=-1 track=\"Right leg\"\n> get_character character=Ana\n= character.conditions: []\n\
         > apply_damage target=Ana apply_conditions=[\"Sour\"]\n> manage_character action=rest character=Ana kind=\"end of scene\"\n\
         > get_character character=Ana\n= character.conditions: []\n",
    );
    let listed = bench.run(&["check"]).out;
    has(
        &listed,
        &["stun damage", "rolled by", "ends what lasts until then"],
    );
}

#[test]
fn of_moves_an_attack_takes_the_one_for_its_stat() {
    let rows = "| Outcome | When | Damage |\n|---|---|---|\n| Success | total 7+ | once |\n| Failure | otherwise | none |\n\n";
    let rules = format!(
        "## Attributes\n- Grit\n- Wick\n- Range: -1 to 3\n\n## Checks\n### Fight\n- For: Grit\n- Roll: `2d6 + {{Grit}}`\n\n{rows}### Shoot\n- For: Wick\n- Roll: `2d6 + {{Wick}}`\n\n{rows}\
         ## Health\n- Harm: 6 boxes, full: gain Dying\n- Damage: Harm\n- Breather: Harm -1\n- Long rest: Harm to 0\n\n\
         ## Weapons\n\n| Weapon | Attribute | Damage |\n|---|---|---|\n| Knife | Grit | 1 |\n| Gun | Wick | 2 |\n"
    );
    plays(
        &rules,
        "character Ana: Grit -1, Wick 3\ncharacter Rat: npc\n> skill_check character=Ana attack=Gun target=Rat\ndice 2 2\n= check: Shoot\n= outcome: success\n\
         > skill_check character=Ana attack=Knife target=Rat\ndice 3 4\n= check: Fight\n= outcome: failure\n\
         > apply_damage target=Ana amount=3\n> manage_character action=rest character=Ana kind=Breather\n> get_character character=Ana\n= character.tracks.harm.value: 2\n\
         > manage_character action=rest character=Ana kind=\"long rest\"\n> get_character character=Ana\n= character.tracks.harm.value: 0\n",
    );
}
