//! Characters from outside: each number of a source is read, kept as words or asked about.

use rollbook_game::decide::character::{HitPoints, SheetCall};
use rollbook_game::import::import;
use rollbook_rules::System;
use rollbook_text::diagnostic::SourceFile;

const RULES: &str = "# Any\n\n## Attributes\n- Strength (STR): arms\n- Dexterity (DEX): aim\n- Constitution (CON): lungs\n- Range: 1 to 30\n- Modifier: `floor(({score} - 10) / 2)`\n\n\
                         ## Skills\n- Armour: *what a blow must reach*\n- Stealth (DEX): shadows\n\n## Health\n- Hit points: max `8 + {level}`\n- Luck: max 5\n- Damage: Hit points\n\
                         - Resistance: half\n- Immunity: none\n";

fn system() -> System {
    let read = rollbook_rules::read(vec![SourceFile::new("System.md", RULES)]);
    read.system
}

/// What a text comes to: name, level, tracks, scores, skills, notes; or why not.
fn comes_to(text: &str, call: SheetCall) -> String {
    let system = system();
    let made = import(text, &system, Some("Tam"), "a text")
        .or_else(|_| import(text, &system, None, "a text"))
        .and_then(|made| made.into_sheet(call, &system));
    let sheet = match made {
        Ok(sheet) => sheet,
        Err(refusal) => return refusal.summary,
    };
    let from = sheet.from.expect("a snapshot");
    let tracks = from.tracks.iter();
    let tracks =
        tracks.map(|track| format!("{} {}/{}", track.name, track.value, track.max.unwrap_or(0)));
    let numbers = from.attributes.iter().chain(&from.skills);
    let numbers = numbers.map(|(name, number)| format!("{name} {number}"));
    let attacks = from
        .attacks
        .iter()
        .map(|attack| format!("{}: {}", attack.name, attack.render()));
    let unread = sheet
        .unread
        .iter()
        .map(|unread| format!("? {} {}", unread.line, unread.fields));
    let level = (from.level > 1).then(|| format!("level {}", from.level));
    let all: Vec<String> = level
        .into_iter()
        .chain(tracks)
        .chain(numbers)
        .chain(attacks)
        .chain(unread)
        .collect();
    format!(
        "{} = {} = {}",
        from.name,
        all.join(", "),
        from.gm_notes.replace('\n', " / ")
    )
}

fn all_come_to(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let found = comes_to(text, SheetCall::default());
        let (begin, end) = expected.split_once('…').unwrap_or((expected, ""));
        let is_expected = found.starts_with(begin) && found.ends_with(end);
        assert!(is_expected, "{text}\n{found}\n{expected}");
    }
}

#[test]
fn a_number_is_read_in_every_layout() {
    all_come_to(&[
        (
            "Name: Tam\nMax HP 22\nCurrent HP 15\nClass & Level: Wizard 3\nAC 13",
            "Tam = level 3, Hit points 15/22, Armour 13 = Class & Level: Wizard",
        ),
        ("AC 13, HP 21", "Tam = Hit points 21/21, Armour 13 = "),
        ("HP 21 · AC 13", "Tam = Hit points 21/21, Armour 13 = "),
        (
            "- Name: Tam\n- HP: 7\n- AC: 12",
            "Tam = Hit points 7/7, Armour 12 = ",
        ),
        (
            "Goblin: AC 13, HP 15/22",
            "Goblin = Hit points 15/22, Armour 13 = ",
        ),
        (
            "Goblin (AC 13; HP 21)\nSTR 10",
            "Goblin = Hit points 21/21, Strength 10, Armour 13 = ",
        ),
        (
            "# Goblin\nAC 17   Initiative +2 (12)\nHP 21 (6d6)\nSTR 10 +0 +0  DEX 15 +2 +4",
            "Goblin = Hit points 21/21, Dexterity 15, Strength 10, Armour 17 = Initiative: +2 (12) / DEX save +4",
        ),
        (
            "# Goblin\nHP 21\n\n| | | MOD | SAVE | | | MOD | SAVE |\n|--|--|--|--|--|--|--|--|\n| STR | 10 | +0 | +0 | DEX | 15 | +2 | +4 |",
            "Goblin = Hit points 21/21, Dexterity 15, Strength 10 = DEX save +4",
        ),
        (
            "# Goblin\nHP 21\nMOD SAVE MOD SAVE\nSTR\n10\n+0\n+0\nDEX\n15\n+2\n+4",
            "Goblin = Hit points 21/21, Dexterity 15, Strength 10 = DEX save +4",
        ),
        (
            "# Goblin\n\n| AC | HP | Speed |\n|---|---|---|\n| 13 | 21 | 30 ft. |\n",
            "Goblin = Hit points 21/21, Armour 13 = Speed: 30 ft.",
        ),
        (
            "# Goblin\n| HP | 21 |\n| STR | DEX | LCK |\n|--|--|--|\n| 12 (+1) | 14 | 9 |",
            "Goblin = Hit points 21/21, Dexterity 14, Strength 12 = LCK | 9",
        ),
        (
            "# Goblin\nHP 21\nSTR 13 LCK 10 DEX 12",
            "Goblin = Hit points 21/21, Dexterity 12, Strength 13 = LCK 10",
        ),
        (
            "Goblin: AC 12, HD 1-1 (3hp), MV 60'",
            "Goblin = Hit points 3/3, Armour 12 = HD: 1-1 (3hp) / MV: 60'",
        ),
        (
            "# Goblin\nHP 7, AC 15, bite +4 (1d4+2), Speed 30 ft.",
            "Goblin = Hit points 7/7, Armour 15, bite: +4, 1d4 + 2 = Speed: 30 ft.",
        ),
        (
            "# Goblin\nArmor Class\n13 (hide)\nHit Points\n59 (7d10 + 21)\nSpeed\n30 ft.",
            "Goblin = Hit points 59/59, Armour 13 = Armor Class: 13 (hide) / Speed / 30 ft.",
        ),
        (
            "# Goblin\nHP 7\n***Magic Resistance.*** Advantage.\nLuck: 3\nPerception: 14 to see it",
            "Goblin = Luck 3/3, Hit points 7/7 = Magic Resistance: Advantage. / Perception: 14 to see it",
        ),
        (
            "# Goblin\nHP 7\nSaving Throws Dex +5, Con +2\nSkills Stealth +6, Juggling +2",
            "Goblin = Hit points 7/7, Stealth 6 = Saving Throws Dex +5, Con +2 / Juggling +2",
        ),
    ]);
}

#[test]
fn a_number_that_is_not_read_is_asked_about_and_nobody_has_the_rules_instead() {
    let asked = "Not read: …Send the same call with hp=7 with the numbers that are meant, or write the line as `- Hit points: 7`.";
    let armour = "Not read: …Send the same call with skills={\"Armour\": 12} with the numbers that are meant, or write the line as `- Armour: 12`.";
    all_come_to(&[
        ("# Goblin\nHit points: seven\nArmour: 12", asked),
        ("# Goblin\nHP: 7 each", asked),
        (
            "# Goblin\nHit Points: 22 (currently 15)\nAC 13",
            &asked.replace("hp=7", "hp=22"),
        ),
        ("# Goblin\nAC 12\nHP: 0", asked),
        (
            "# Goblin\nAC 12\nHP 9/4",
            "Not read: \"hit points 9\" (there is a maximum of 4 for them).…",
        ),
        (
            "# Goblin\nCurrent HP 15",
            "Not read: \"hit points 15\" (there is no maximum for them).…",
        ),
        ("# Goblin\nHP 9\nHP 7", asked),
        ("# Goblin\nHP 7\nAC 12 [8]", armour),
        ("# Goblin\nHP 7\nAC 12 (8)", armour),
        ("# Goblin\nHP 7\nAC 12, 15 with mage armour", armour),
        ("# Goblin\nHP 7\nAC 12 while prone", armour),
        ("# Goblin\nHP 7\nAmour: 12", armour),
        (
            "# Goblin\nHP 7\nSTR +4",
            "Not read: \"STR +4\" (`STR +4` is what a score adds, and these rules count scores).…",
        ),
        (
            "# Goblin\nHP 7\nStrength: about 12",
            "Not read: …with attributes={\"Strength\": 12} with the numbers that are meant, or write the line as `- Strength: 12`.",
        ),
        (
            "# Goblin\nHP: 7\nAttributes: STR 12, DXE 10",
            "Not read: \"Attributes: STR 12, DXE 10\" (no attribute of the rules is called DXE (did you mean `DEX`?)).…",
        ),
        (
            "# Goblin\nHP 7\nLuck: 3 or 4",
            "Not read: …with tracks={\"Luck\": 3} with the numbers that are meant, or write the line as `- Luck: 3`.",
        ),
        ("Goblin: HP 7 each, AC 12", asked),
        ("Goblin (HP 7 each, AC 12)", asked),
        (&format!("# Goblin\nHP: 7 {}", "x ".repeat(1000)), asked),
        (
            "Goblin with HP about 7, AC 12",
            "No stat block is in this text…",
        ),
        (
            "# Goblin\nHP 7\nSTR DEX CON\n10 12",
            "Not read: \"STR DEX CON\" (what stands behind `STR` cannot be read).…",
        ),
        (
            "# Goblin\nHP 7\nSTR 10 DEX about 12",
            "Not read: \"STR 10 DEX about 12\" (what stands behind `DEX` cannot be read).…",
        ),
        (
            "# Goblin\nHP 7\nSTR +4, DEX +2",
            "Not read: \"STR +4, DEX +2\" (`STR +4` is what a score adds, and these rules count scores). Nobody…",
        ),
        (
            "# Foes\n| Name | HP | AC |\n|--|--|--|\n| Rat | 7 | 12 |\n| Ox | 8 | 13 |",
            "Not read: …(it is a table of several creatures) and what is after it. Send the block of one creature alone.",
        ),
        // These do no harm in a note, and the reply names them.
        (
            "# Goblin\nHP 45; Immunities fire; Damage Resistances physical 5 (except silver); AC 15",
            "Goblin = Hit points 45/45, Immunity (fire) 1/1, Armour 15, ? …tracks={\"Resistance (physical)\": 1} = HP 45; Immunities fire; Damage Resistances physical 5 (except silver); AC 15",
        ),
        (
            "# Goblin\nHP 7\nSkills: Stealth +6, or +8 in the dark",
            "Goblin = Hit points 7/7, ? \"Skills: Stealth +6, or +8 in the dark\"…",
        ),
        (
            "# Goblin\nHP 7\n- Attack: 3 or 4 of them",
            "Goblin = Hit points 7/7, ? \"Attack: 3 or 4 of them\" (what stands behind `Attack` cannot be read) attacks=[… = Attack: 3 or 4 of them",
        ),
        (
            "# Goblin\nHP 7\n***Claw.*** *Melee Weapon Attack:* reach 5 ft.",
            "Goblin = Hit points 7/7, ? \"Claw. Melee Weapon Attack: reach 5 ft.\" (this attack cannot be read)…",
        ),
        (
            "# Goblin\nHP 7\nStealth: 14 to see it",
            "Goblin = Hit points 7/7, ? \"Stealth: 14 to see it\"… skills={\"Stealth\": 14} = Stealth: 14 to see it",
        ),
    ]);
    let long = format!("# Goblin\nHP 7\n{}", "It waits.\n".repeat(9000));
    assert!(
        comes_to(&long, SheetCall::default())
            .starts_with("Not read: \"It waits.\" (the block has too many lines")
    );
    let notes = format!(
        "# Goblin\nHP 7\n{}",
        "It waits and waits and waits.\n".repeat(390)
    );
    let made = comes_to(&notes, SheetCall::default());
    assert!(
        made.contains("? \"It waits and waits and waits.\" (notes have 4000 bytes"),
        "{made}"
    );
    // The advice does what was meant.
    let hp = Some(HitPoints::full(7));
    let skills = std::iter::once(("Armour".to_owned(), 15)).collect();
    let call = SheetCall {
        hp,
        skills,
        ..SheetCall::default()
    };
    assert_eq!(
        comes_to("# Goblin\nHP: 7 each\nAC 6 [13]", call),
        "Goblin =  = HP: 7 each / AC 6 [13]"
    );
}

#[test]
fn defences_are_read_whole_or_asked_about() {
    all_come_to(&[
        (
            "# Golem\nHP 7\nDamage Resistances Bludgeoning, Piercing, and Slashing from nonmagical attacks",
            "Golem = Hit points 7/7, Resistance (Bludgeoning, Piercing, Slashing) 1/1 = Resistant to: Bludgeoning, Piercing, Slashing from nonmagical attacks",
        ),
        (
            "# Golem\nHP 7\nDamage Immunities poison; slashing from nonmagical attacks that aren't adamantine",
            "Golem = Hit points 7/7, Immunity (poison) 1/1, Immunity (slashing) 1/1 = Immune to: slashing from nonmagical attacks that aren't adamantine",
        ),
        (
            "# Golem\nHP 7\n**Immunities** Poison; Exhaustion, Poisoned\n**Resistances** all except fire and acid\nVulnerabilities: cold",
            "Golem = Hit points 7/7, Immunity (Poison) 1/1, Resistance (except fire, acid) 1/1 = Immune to: the conditions Exhaustion, Poisoned / Vulnerable to: cold",
        ),
        (
            "# Golem\nHP 7\n**Damage Resistances** slashing while in dim light",
            "Golem = Hit points 7/7, ? …tracks={\"Resistance (slashing)\": 1} = Damage Resistances slashing while in dim light",
        ),
        (
            "# Golem\nHP 7\nDamage Immunities cold, banter of the worst kind",
            "Golem = Hit points 7/7, ? …tracks={\"Immunity (cold)\": 1} = Damage Immunities cold, banter of the worst kind",
        ),
    ]);
}

#[test]
fn each_field_of_the_open_data_sets_is_read_noted_or_asked_about() {
    let of = |fields: &str| format!(r#"{{"name": "Goblin", "hit_points": 7, {fields}}}"#);
    let ask = |what: &str| format!("Not read: {what}…");
    let cases = [
        (
            // The flat one of Open5e's first version.
            of(
                r#""armor_class": 15, "armor_desc": "hide", "strength": 8, "dexterity": 14, "stealth": 6, "acrobatics": 4, "dexterity_save": 4, "speed": {"walk": 30, "hover": true, "crawl": false}, "damage_immunities": "", "bonus_actions": null, "page_no": 315, "document__slug": "srd", "document__url": "https://x.org/1", "spell_list": ["https://x.org/2"], "special_abilities": [{"name": "Nimble", "desc": "It\nslips away."}], "actions": [{"name": "Bite", "desc": "It holds on.", "attack_bonus": 4, "damage_dice": "1d6", "damage_bonus": 2}]"#,
            ),
            "Goblin = Hit points 7/7, Dexterity 14, Strength 8, Armour 15, Stealth 4, Bite: +4, 1d6 + 2, It holds on = acrobatics: 4 / armor desc: hide / dexterity save: 4 / speed: hover, walk 30 / actions / special abilities / Nimble: It slips away.".to_owned(),
        ),
        (
            // That of its second version.
            of(
                r#""armor_class": 15, "ability_scores": {"dexterity": 14.0}, "skill_bonuses": {"stealth": 6}, "skill_bonuses_all": {"stealth": 6, "arcana": 0}, "modifiers": {"dexterity": 2}, "experience_points": 50, "type": {"name": "Humanoid", "key": "humanoid"}, "languages": {"as_string": "Common", "data": [{"name": "Common"}]}, "resistances_and_immunities": {"damage_resistances_display": "Cold from nonmagical attacks", "damage_resistances": [{"name": "Cold", "key": "cold"}], "condition_immunities": [{"name": "Charmed", "url": "https://x.org"}]}, "environments": [{"name": "Hill", "key": "hill"}], "actions": [{"name": "Bow", "desc": "Twang.", "attacks": [{"name": "Bow attack", "attack_type": "WEAPON", "to_hit_mod": 4, "range": 80.0, "damage_die_count": 1, "damage_die_type": "D6", "damage_bonus": -1, "damage_type": {"name": "Piercing"}, "extra_damage_die_count": 1, "extra_damage_die_type": "D4", "distance_unit": "feet"}], "action_type": "ACTION"}, {"name": "Wings", "desc": "DC 15 or 2d6.", "action_type": "LEGENDARY_ACTION", "legendary_action_cost": 2, "usage_limits": {"type": "PER_DAY", "param": 15}}]"#,
            ),
            "Goblin = Hit points 7/7, Resistance (Cold) 1/1, Dexterity 14, Armour 15, Stealth 4, Bow: +4, 1d6 - 1 (piercing); 1d4, range 80, Twang, attack type WEAPON = languages: Common / modifiers: dexterity 2 / condition immunities: Charmed / type: Humanoid / actions / Wings: DC 15 or 2d6. action type legendary action, legendary action cost 2, param 15, type per day. / environments: Hill / Resistant to: Cold from nonmagical attacks".to_owned(),
        ),
        (
            // That of 5e-bits.
            of(
                r#""index": "goblin", "armor_class": [{"type": "armor", "value": 15, "armor": [{"index": "hide", "name": "Hide", "url": "/api/hide"}]}], "dexterity": 14, "proficiencies": [{"value": 6, "proficiency": {"name": "Skill: Stealth"}}, {"value": 3, "proficiency": {"name": "Saving Throw: CON"}}], "damage_resistances": ["cold", "slashing and piercing from nonmagical weapons"], "image": "/api/goblin.png", "actions": [{"name": "Bite", "desc": "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) piercing damage.", "attack_bonus": 4, "damage": [{"damage_type": {"name": "Piercing"}, "damage_dice": "1d6+2"}], "dc": {"dc_value": 11, "success_type": "none"}}]"#,
            ),
            "Goblin = Hit points 7/7, Resistance (cold) 1/1, Resistance (slashing, piercing) 1/1, Dexterity 14, Armour 15, Stealth 4, Bite: +4, 1d6 + 2 (piercing), reach 5 ft, dc value 11 = actions / armor class: 15 (armor Hide, type armor) / Saving Throw: CON 3 / Resistant to: slashing, piercing from nonmagical weapons".to_owned(),
        ),
        (
            of(r#""actions": [{"name": "Bite", "attack_bonus": 3}, "7 others"], "reach": 15, "is_big": true, "damage_resistances": ["the best"], "stealth": "6, or 8""#),
            "Goblin = Hit points 7/7, ? …".to_owned(),
        ),
        (of(r#""x": {"armor_class": 13, "hp": {"value": 5, "max": 7}}"#), "Goblin = Hit points 5/7, Armour 13 = ".to_owned()),
        (of(r#""armor_class": "12 or so""#), ask("\"armor class 12 or so\"")),
        (of(r#""armor_class": [{"value": 12}, {"value": 15}]"#), ask("\"armor class 12, 15\"")),
        (of(r#""pet": {"name": "Wolf", "hit_points": 11}"#), ask("\"hit points 11\" (`hit points` is 7 in another line and 11 here)")),
        (of(r#""hit_points": 0"#), ask("\"hit points 0\"")),
        (of(r#""hit_points": "many""#), ask("\"hit points many\"")),
        (of(r#""hit_points": "1,059 (90d12+474)""#), "Goblin = Hit points 1059/1059 = ".to_owned()),
        (of(&format!(r#""strength": "12{}""#, " x".repeat(1000))), ask("\"strength 12 x")),
    ];
    let cases: Vec<(&str, &str)> = cases
        .iter()
        .map(|(text, expected)| (&**text, &**expected))
        .collect();
    all_come_to(&cases);
    let found = comes_to(cases[3].0, SheetCall::default());
    for part in [
        "(this attack cannot be read) attacks=[{\"name\": \"Bite\", \"bonus\": 3, \"damage\": \"1d6\"}]",
        "? \"damage resistances the best\"",
        "? \"Skills stealth 6, or 8\"",
        "7 others",
        "reach: 15",
        "is big",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

#[test]
fn of_another_programs_json_the_refusal_makes_the_call() {
    let upper = "…kind=\"npc\" name=\"Goblin\" attributes={\"Dex\": 14, \"Str\": 8} hp=7 skills={\"Armour\": 15} attacks=[{\"name\": \"claw\", \"bonus\": 3, \"damage\": \"1d6+1\"}].";
    let lower = &upper.replace("Dex", "dex").replace("Str", "str");
    all_come_to(&[
        (
            r#"{"Name": "Goblin", "HP": {"Value": 7, "Notes": "(2d6)"}, "AC": {"Value": 15}, "Abilities": {"Str": 8, "Dex": 14}}"#,
            upper,
        ),
        (
            r#"{"monster": [{"name": "Goblin", "ac": [{"ac": 15, "from": ["hide"]}], "hp": {"average": 7, "formula": "2d6"}, "str": 8, "dex": 14}]}"#,
            lower,
        ),
        (
            r#"{"name": "Goblin", "system": {"attributes": {"hp": {"value": 5, "max": 7}, "ac": {"flat": 15}}, "abilities": {"dex": {"value": 14}, "str": {"value": 8, "mod": -1}}}}"#,
            lower,
        ),
        (
            r#"{"build": {"name": "Tam", "level": 3, "abilities": {"str": 10}, "acTotal": {"acProfBonus": 2, "acTotal": 16}}}"#,
            "…name=\"Tam\" level=3 attributes={\"str\": 10} skills={\"Armour\": 16} attacks=[{\"name\": \"claw\", \"bonus\": 3, \"damage\": \"1d6+1\"}].",
        ),
        (
            r#"{"data": {"name": "Tam", "baseHitPoints": 22, "stats": [{"id": 1, "value": 10}]}}"#,
            "…name=\"Tam\" hp=22 attacks=[{\"name\": \"claw\", \"bonus\": 3, \"damage\": \"1d6+1\"}].",
        ),
    ]);
}

/// Each number of a line is on the sheet, in the notes or in a question, whatever the line is.
#[test]
fn no_number_of_a_line_is_lost() {
    const PIECES: &str = "HP|AC|STR|Dexterity|Stealth|Attack|Skills|Damage Resistances|Speed|Level|Max HP|Luck|goblin|with|fire| |:|, |; | · |\t|**|- |(|)|/|+|−|%| and |.|\n|";
    let pieces: Vec<&str> = PIECES.split('|').collect();
    let system = system();
    let mut seed = 7_u64;
    let mut next = |most: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap_or(0) % most
    };
    for _ in 0..1000 {
        let (mut line, mut numbers) = (String::new(), Vec::new());
        for at in 0..next(12) {
            line.push_str(pieces[next(pieces.len())]);
            if next(3) == 0 {
                // None is part of another.
                numbers.push((1001 + at * 1111).to_string());
                line.push_str(&format!(" {}", 1001 + at * 1111));
            }
        }
        let text = format!("# Foe\nHit points 999999\n{line}\n");
        let made = import(&text, &system, None, "a text").expect("a block");
        // Whatever is asked about is answered, so that the line is a note.
        let given = |name: &str| std::iter::once((name.to_owned(), 8)).collect();
        let call = SheetCall {
            hp: Some(HitPoints::full(7)),
            attributes: given("STR"),
            skills: given("Armour"),
            tracks: given("Luck"),
            ..SheetCall::default()
        };
        let sheet = made.into_sheet(call, &system).expect("all is answered");
        let all = format!("{:?} {:?}", sheet.from, sheet.unread);
        for number in numbers {
            // In brackets it is another way to write the one before it.
            let is_aside = line.split('(').skip(1).any(|part| {
                part.split(')')
                    .next()
                    .is_some_and(|inner| inner.contains(&number))
            });
            assert!(
                is_aside || all.contains(&number),
                "{number} of {text:?}: {all}"
            );
        }
    }
}

const GUNS: &str = "# Any\n\n## Attributes\n- Dexterity (DEX): aim\n\n## Skills\n- Firearms (DEX): guns\n- Brawl (DEX): fists\n";

#[test]
fn attacks_are_read_in_every_usual_layout_and_what_is_none_stays_a_note() {
    let system = rollbook_rules::read(vec![SourceFile::new("System.md", GUNS)]).system;
    let read = |label: &str, value: &str| {
        let line = match label {
            "" => value.to_owned(),
            label => format!("**{label}:** {value}"),
        };
        let text = format!("# Foe\nHP 1\n{line}\n");
        let made = import(&text, &system, None, "a text").expect("a block");
        let attacks = made.snapshot.attacks.iter();
        let attacks = attacks.map(|attack| format!("{}: {}", attack.name, attack.render()));
        attacks.collect::<Vec<_>>().join(" | ")
    };
    for (label, value, expected) in [
        ("Attack", "cudgel +3, damage 1d6+1", "cudgel: +3, 1d6 + 1"),
        (
            "Attack",
            "crossbow +3, damage 1d6 (Neave only)",
            "crossbow: +3, 1d6, Neave only",
        ),
        (
            "Attack",
            "ladle +3, damage 1d6+1 fire",
            "ladle: +3, 1d6 + 1 (fire)",
        ),
        (
            "Attack",
            "musket +4, damage 1d8+1, once a fight",
            "musket: +4, 1d8 + 1",
        ),
        (
            "Weapon",
            "crossbow, to hit +4, damage 1d8; knife, to hit -1, damage 1d4-1",
            "crossbow: +4, 1d8 | knife: -1, 1d4 - 1",
        ),
        (
            "Attack",
            "revolver, Firearms 55, damage 1d10; fists, Brawl 60% (30/12), damage 1d3+2",
            "revolver: Firearms, 1d10 | fists: Brawl, 1d3 + 2",
        ),
        (
            "Damage",
            "fists 1d10; boat hook 1d10 + 1d6",
            "fists: 1d10 | boat hook: 1d10 + 1d6",
        ),
        (
            "Attacks",
            "2 claws (1d4), bite (1d6+2)",
            "claws: 1d4, 2 of them | bite: 1d6 + 2",
        ),
        ("ATT", "1 × sword (1d8)", "sword: 1d8"),
        (
            "Attacks",
            "sword +4 (1d8+2), bow +3 (1d6)",
            "sword: +4, 1d8 + 2 | bow: +3, 1d6",
        ),
        (
            "Claw",
            "*Melee Weapon Attack:* +5 to hit, reach 5 ft., one target. *Hit:* 8 (2d4 + 3) slashing damage.",
            "Claw: +5, 2d4 + 3 (slashing), reach 5 ft",
        ),
        (
            "Claw. Melee Weapon Attack",
            "+5 to hit, reach 5 ft. or range 20/60 ft., one target. Hit: 8 (2d4 + 3) slashing damage plus 3 (1d6) fire damage.",
            "Claw: +5, 2d4 + 3 (slashing); 1d6 (fire), reach 5 ft. or range 20/60 ft",
        ),
        (
            "Bite",
            "_Melee Attack Roll:_ +5, reach 5 ft. _Hit:_ 8 (2d4+3) Piercing damage, and the target must save or be poisoned.",
            "Bite: +5, 2d4 + 3 (Piercing), reach 5 ft, the target must save or be poisoned",
        ),
        (
            "Net",
            "*Ranged Weapon Attack:* +3 to hit, range 5/15 ft., one creature. *Hit:* the target is restrained.",
            "Net: +3, range 5/15 ft, Hit: the target is restrained",
        ),
        (
            "Melee",
            "[one-action] jaws +11 [+6/+1] (agile, finesse), **Damage** 1d8+4 piercing plus Grab",
            "jaws: +11, 1d8 + 4 (piercing), agile, finesse, Grab",
        ),
        ("", "Bite +4 (1d8+2)", "Bite: +4, 1d8 + 2"),
        ("Sword", "+4, 1d8 slashing", "Sword: +4, 1d8 (slashing)"),
        // Something else.
        ("Hit Points", "59 (7d10 + 21)", ""),
        ("Armor Class", "15 **Initiative** +2 (12)", ""),
        ("Saving Throws", "Dex +5, Wis +2", ""),
        ("Melee", "+3", ""),
        ("Attacks", "2 per round", ""),
        ("Weapon", "spear", ""),
        (
            "Multiattack",
            "The owlbear makes two attacks: one with its beak and one with its claws.",
            "",
        ),
        (
            "In a fight",
            "two strikes (the second at -5) and a shove: **Athletics 15** or 1d6 fire",
            "",
        ),
        ("Breath", "15 ft. cone, 2d6 fire, Reflex DC 12", ""),
        ("Damage", "1d6 + 1d4, and she means it", ""),
        (
            "",
            "Some hundreds of shore crabs moving as one, 2d6 of them, driven up out of the drains.",
            "",
        ),
        ("Senses", "darkvision 60 ft.", ""),
    ] {
        assert_eq!(read(label, value), expected, "{label}: {value}");
    }
}
