//! Every usual layout of an attack, and what only looks like one.

use super::read_line;
use crate::import::foe::Foe;
use rollbook_text::diagnostic::SourceFile;

const RULES: &str =
    "# Any\n\n## Attributes\n- Dexterity (DEX): aim\n\n## Skills\n- Firearms (DEX): guns\n- Brawl (DEX): fists\n";

fn read(label: &str, value: &str) -> Vec<String> {
    let system = rollbook_rules::read(vec![SourceFile::new("System.md", RULES)]).system;
    let mut foe = Foe::default();
    if !read_line(&mut foe, &system, label, value) {
        return Vec::new();
    }
    foe.attacks.iter().map(|attack| format!("{}: {}", attack.name, attack.render())).collect()
}

#[test]
fn attacks_are_read_in_every_usual_layout() {
    for (label, value, expected) in [
        ("Attack", "cudgel +3, damage 1d6+1", &["cudgel: +3, 1d6 + 1"][..]),
        ("Attack", "crossbow +3, damage 1d6 (Neave only)", &["crossbow: +3, 1d6, Neave only"]),
        ("Attack", "ladle +3, damage 1d6+1 fire", &["ladle: +3, 1d6 + 1 (fire)"]),
        ("Attack", "musket +4, damage 1d8+1, once a fight", &["musket: +4, 1d8 + 1, once a fight"]),
        (
            "Weapon",
            "crossbow, to hit +4, damage 1d8; knife, to hit -1, damage 1d4-1",
            &["crossbow: +4, 1d8", "knife: -1, 1d4 - 1"],
        ),
        (
            "Attack",
            "revolver, Firearms 55, damage 1d10; fists, Brawl 60% (30/12), damage 1d3+2",
            &["revolver: Firearms, 1d10", "fists: Brawl, 1d3 + 2"],
        ),
        ("Damage", "fists 1d10; boat hook 1d10 + 1d6", &["fists: 1d10", "boat hook: 1d10 + 1d6"]),
        ("Attacks", "2 claws (1d4), bite (1d6+2)", &["claws: 1d4, 2 of them", "bite: 1d6 + 2"]),
        ("ATT", "1 × sword (1d8)", &["sword: 1d8"]),
        ("Attacks", "sword +4 (1d8+2), bow +3 (1d6)", &["sword: +4, 1d8 + 2", "bow: +3, 1d6"]),
        (
            "Claw",
            "*Melee Weapon Attack:* +5 to hit, reach 5 ft., one target. *Hit:* 8 (2d4 + 3) slashing damage.",
            &["Claw: +5, 2d4 + 3 (slashing), reach 5 ft"],
        ),
        (
            "Claw. Melee Weapon Attack",
            "+5 to hit, reach 5 ft. or range 20/60 ft., one target. Hit: 8 (2d4 + 3) slashing damage plus 3 (1d6) fire damage.",
            &["Claw: +5, 2d4 + 3 (slashing); 1d6 (fire), reach 5 ft. or range 20/60 ft"],
        ),
        (
            "Bite",
            "_Melee Attack Roll:_ +5, reach 5 ft. _Hit:_ 8 (2d4+3) Piercing damage, and the target must succeed on a DC 13 \
             Constitution saving throw or be poisoned.",
            &[
                "Bite: +5, 2d4 + 3 (Piercing), reach 5 ft, the target must succeed on a DC 13 Constitution saving throw or be \
               poisoned",
            ],
        ),
        (
            "Net",
            "*Ranged Weapon Attack:* +3 to hit, range 5/15 ft., one creature. *Hit:* the target is restrained.",
            &["Net: +3, range 5/15 ft, Hit: the target is restrained"],
        ),
        (
            "Melee",
            "[one-action] jaws +11 [+6/+1] (agile, finesse), **Damage** 1d8+4 piercing plus Grab",
            &["jaws: +11, 1d8 + 4 (piercing), agile, finesse, Grab"],
        ),
        ("", "Bite +4 (1d8+2)", &["Bite: +4, 1d8 + 2"]),
        ("Sword", "+4, 1d8 slashing", &["Sword: +4, 1d8 (slashing)"]),
    ] {
        assert_eq!(read(label, value), expected, "{label}: {value}");
    }
}

#[test]
fn what_is_no_attack_stays_a_note() {
    for (label, value) in [
        ("Hit Points", "59 (7d10 + 21)"),
        ("Armor Class", "15 **Initiative** +2 (12)"),
        ("Saving Throws", "Dex +5, Wis +2"),
        ("Melee", "+3"),
        ("Attacks", "2 per round"),
        ("Weapon", "spear"),
        ("Multiattack", "The owlbear makes two attacks: one with its beak and one with its claws."),
        ("In a fight", "two strikes (the second at -5) and a shove towards the fire: **Athletics 15** or 1d6 fire"),
        ("Breath", "15 ft. cone, 2d6 fire, Reflex DC 12"),
        ("Damage", "1d6 + 1d4, and she means it"),
        ("", "Some hundreds of shore crabs moving as one, 2d6 of them, driven up out of the drains."),
        ("Senses", "darkvision 60 ft."),
    ] {
        assert_eq!(read(label, value), Vec::<String>::new(), "{label}: {value}");
    }
}
