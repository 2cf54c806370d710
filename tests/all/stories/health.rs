//! Harm on the shipped adventures: each one's way to be hurt and to mend; boxes, slots, wounds, and
//! conditions with levels.

use serde_json::{Value, json};

use crate::table::{Answer, Table, has, with};

/// A character of an adventure, made by its rules.
struct Played {
    table: Table,
    name: &'static str,
}

impl Played {
    fn of(adventure: &str, name: &'static str, sheet: Value) -> Played {
        let mut table = Table::shipped(adventure);
        let mut made = sheet;
        made["action"] = json!("create");
        made["name"] = json!(name);
        table.manage_character(made).is_fine();
        Played { table, name }
    }

    fn hurt(&mut self, amount: i64, more: Value) -> Answer {
        let mut call = more;
        call["target"] = json!(self.name);
        call["amount"] = json!(amount);
        self.table.apply_damage(call)
    }

    fn rest<const N: usize>(&mut self, kind: &str, dice: [i64; N]) -> Answer {
        let call = json!({"action": "rest", "character": self.name, "kind": kind});
        self.table.dice(dice).manage_character(call)
    }
}

/// The tracks that moved, `name before to after`, and the conditions afterwards.
fn moved_and_conditions(answer: &Answer) -> (Vec<String>, Vec<String>) {
    let rows = answer["tracks"]
        .as_array()
        .unwrap_or_else(|| panic!("{}", answer.value()));
    let moved = rows.iter().map(|row| {
        format!(
            "{} {} to {}",
            row["name"].as_str().expect("a name"),
            row["before"],
            row["after"]
        )
    });
    let all = answer["conditions"].as_array().expect("conditions");
    (
        moved.collect(),
        all.iter()
            .map(|name| name.as_str().expect("a name").to_owned())
            .collect(),
    )
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// What the rest says it changed.
fn changed(answer: &Answer) -> String {
    answer["summary"]
        .as_str()
        .unwrap_or_else(|| panic!("{}", answer.value()))
        .to_owned()
}

#[test]
fn down_special_a_major_wound_makes_falling_worse() {
    let mut ida = Played::of(
        "down-special",
        "Ida",
        json!({"attributes": {"CON": 60, "SIZ": 60, "SPI": 50}}),
    );
    assert_eq!(
        moved_and_conditions(&ida.hurt(5, json!({}))),
        (names(&["Hit points 12 to 7"]), names(&[])),
        "less than half of 12"
    );
    assert_eq!(
        moved_and_conditions(&ida.hurt(6, json!({}))),
        (names(&["Hit points 7 to 1"]), names(&["Major wound"]))
    );
    let down = ida.hurt(1, json!({}));
    assert_eq!(
        moved_and_conditions(&down),
        (
            names(&["Hit points 1 to 0"]),
            names(&["Major wound", "dying", "unconscious"])
        )
    );
    assert_eq!(down["incapacitated"], true);
    let aid = ida.rest("Short rest", [2]);
    let expected = "Ida, short rest (1d3: [2] = 2): Hit points 0/12 to 2/12; conditions Major wound, dying, unconscious to Major wound.";
    assert_eq!(changed(&aid), expected);
    assert_eq!(
        changed(&ida.rest("Long rest", [5])),
        "Ida, long rest (1d6: [5] = 5): Hit points 2/12 to 7/12."
    );
    let called = ida.hurt(50, json!({"track": "Nerve"}));
    assert_eq!(
        moved_and_conditions(&called),
        (
            names(&["Nerve 50 to 0"]),
            names(&["Called", "Major wound", "incapacitated"])
        )
    );
    let (moved, conditions) = moved_and_conditions(&ida.hurt(12, json!({})));
    assert_eq!(moved, names(&["Hit points 7 to 0"]));
    assert!(
        conditions.contains(&"dead".to_owned()),
        "one hit of the whole maximum: {conditions:?}"
    );
}

#[test]
fn last_queen_each_track_has_its_own_word_at_zero() {
    let mut wren = Played::of("last-queen", "Wren", json!({}));
    for (amount, track, moved, gained) in [
        (3, "Health", "Health 5 to 2", vec![]),
        (2, "Health", "Health 2 to 0", vec!["Hurt"]),
        (5, "Spirit", "Spirit 5 to 0", vec!["Disheartened", "Hurt"]),
        (2, "Supply", "Supply 5 to 3", vec!["Disheartened", "Hurt"]),
        (
            9,
            "Momentum",
            "Momentum 2 to -6",
            vec!["Disheartened", "Hurt"],
        ),
    ] {
        assert_eq!(
            moved_and_conditions(&wren.hurt(amount, json!({"track": track}))),
            (names(&[moved]), names(&gained)),
            "{track}"
        );
    }
    let expected = "Wren, short rest: Health 0/5 to 1/5; Spirit 0/5 to 1/5; conditions Disheartened, Hurt to none.";
    assert_eq!(changed(&wren.rest("Short rest", [])), expected);
    let expected = "Wren, long rest: Health 1/5 to 5/5; Spirit 1/5 to 5/5; Supply 3/5 to 5/5. Frost 0 to 1/8 (Long rest).";
    assert_eq!(changed(&wren.rest("Long rest", [])), expected);
    let hive = wren
        .table
        .apply_damage(json!({"target": "company", "track": "Hive", "amount": 6}));
    assert_eq!(
        hive.text("summary"),
        "Hive 6 to 0/6, empty: the box is silent.",
        "what all carry is on nobody's sheet"
    );
}

#[test]
fn long_pour_who_falls_marks_a_box_of_dying_and_the_last_box_is_death() {
    let sheet = || json!({"attributes": {"CON": 1}});
    let mut tam = Played::of("long-pour", "Tam", sheet());
    assert_eq!(
        moved_and_conditions(&tam.hurt(10, json!({}))),
        (names(&["Hit points 17 to 7"]), names(&[]))
    );
    let down = (
        names(&["Hit points 7 to 0", "Dying 0 to 1"]),
        names(&["unconscious"]),
    );
    assert_eq!(moved_and_conditions(&tam.hurt(7, json!({}))), down);
    let expected =
        "Tam, short rest (1d8: [5] = 5): Hit points 0/17 to 5/17; conditions unconscious to none.";
    assert_eq!(changed(&tam.rest("Short rest", [5])), expected);
    // The fourth fall is the last box, and that the rule of the boxes' own.
    for (from, to) in [(1, 2), (2, 3)] {
        let down = tam.hurt(5, json!({}));
        let moved = vec![
            "Hit points 5 to 0".to_owned(),
            format!("Dying {from} to {to}"),
        ];
        assert_eq!(
            moved_and_conditions(&down),
            (moved, names(&["unconscious"]))
        );
        tam.rest("Short rest", [5]).is_fine();
    }
    let last = tam.hurt(5, json!({}));
    assert_eq!(
        moved_and_conditions(&last),
        (
            names(&["Hit points 5 to 0", "Dying 3 to 4"]),
            names(&["dead", "unconscious"])
        )
    );
    assert_eq!(
        last["triggers"],
        json!(["gain Unconscious, Dying +1", "gain Dead"])
    );
    tam.hurt(1, json!({})).refused("target_dead");
    let mut other = Played::of("long-pour", "Tam", sheet());
    let (_, conditions) = moved_and_conditions(&other.hurt(34, json!({})));
    assert_eq!(
        conditions,
        names(&["dead", "unconscious"]),
        "left over of the whole maximum"
    );
}

#[test]
fn six_covers_what_a_full_row_brings_goes_with_it() {
    let mut pim = Played::of("six-covers", "Pim", json!({"attributes": {"POI": 2}}));
    for (amount, track, moved, gained) in [
        (4, "Composure", "Composure 6 to 2", vec![]),
        (5, "Composure", "Composure 2 to 0", vec!["Beside yourself"]),
        (3, "Bruises", "Bruises 0 to 3", vec!["Beside yourself"]),
        (
            1,
            "Bruises",
            "Bruises 3 to 4",
            vec!["Beside yourself", "Put to bed", "incapacitated"],
        ),
        (
            1,
            "Standing",
            "Standing 1 to 0",
            vec!["Beside yourself", "Put to bed", "incapacitated"],
        ),
    ] {
        assert_eq!(
            moved_and_conditions(&pim.hurt(amount, json!({"track": track}))),
            (names(&[moved]), names(&gained)),
            "{track}"
        );
    }
    let expected = "Pim, short rest: Composure 0/6 to 2/6; conditions Beside yourself, Put to bed, incapacitated to Put to bed, incapacitated.";
    assert_eq!(changed(&pim.rest("Short rest", [])), expected);
    let expected = "Pim, long rest: Composure 2/6 to 6/6; Bruises 4/4 to 0/4; conditions Put to bed, incapacitated to none.";
    assert_eq!(changed(&pim.rest("Long rest", [])), expected);
}

#[test]
fn name_auction_and_ninth_reel_give_back_what_their_time_gives() {
    let mut ash = Played::of("name-auction", "Ash", json!({}));
    assert_eq!(
        moved_and_conditions(&ash.hurt(8, json!({"track": "Stress"}))),
        (names(&["Stress 0 to 8"]), names(&[]))
    );
    assert_eq!(
        moved_and_conditions(&ash.hurt(1, json!({"track": "Stress"}))),
        (
            names(&["Stress 8 to 9", "Trauma 0 to 1"]),
            names(&["Burned out"])
        )
    );
    let expected = "Ash, long rest: Stress 9/9 to 0/9; conditions Burned out to none.";
    assert_eq!(changed(&ash.rest("Long rest", [])), expected);
    ash.table.record().is_sound();
    let mut mo = Played::of("ninth-reel", "Mo", json!({"attributes": {"Muscle": 8}}));
    assert_eq!(
        moved_and_conditions(&mo.hurt(2, json!({"track": "Retakes"}))),
        (names(&["Retakes 3 to 1"]), names(&[]))
    );
    assert_eq!(
        changed(&mo.rest("End of session", [])),
        "Mo, end of session: Retakes 1/3 to 3/3."
    );
}

#[test]
fn a_box_that_a_hard_hit_marks_comes_on_top_of_the_hit() {
    const RULES: &str = "# Strain\n\n## Attributes\n- Grit\n\n## Health\n- Stress: 10 boxes, full: gain Broken\n- Damage: Stress\n\
        - One hit 5+: Stress +1\n\n## Conditions\n- Broken\n";
    let mut table = Table::of_people(RULES, &["Ana"], json!({"attributes": {"Grit": 3}}));
    let hit = table.apply_damage(json!({"target": "Ana", "amount": 6}));
    assert!(hit.text("summary").contains("Stress 0 to 7/10"), "{hit:?}");
    let more = table.apply_damage(json!({"target": "Ana", "amount": 2}));
    assert!(
        more.text("summary").contains("Stress 7 to 9/10"),
        "{more:?}"
    );
    table
        .manage_session(json!({"action": "undo", "entry": more["log"]}))
        .is_fine();
}

/// Harm that is marked: boxes, slots and wounds, on the shipped adventures that have them.
fn moved_tracks(answer: &Answer) -> Vec<(String, i64, i64)> {
    let rows = answer["tracks"].as_array().expect("tracks");
    rows.iter()
        .map(|row| {
            (
                row["name"].as_str().expect("a name").to_owned(),
                row["before"].as_i64().expect("before"),
                row["after"].as_i64().expect("after"),
            )
        })
        .collect()
}

#[test]
fn one_box_soaks_one_hit_and_consequences_the_rest() {
    let mut table = Table::shipped("quorum");
    table.create("Bao", json!({"skills": {"Engineer": 4}}));
    let hit = |amount: i64| json!({"target": "Bao", "amount": amount, "track": "Physical stress"});
    let first = table.apply_damage(hit(2));
    assert_eq!(
        moved_tracks(&first),
        [("Physical stress (2)".to_owned(), 0, 1)]
    );
    assert_eq!(
        first["steps"],
        json!([{"step": "Physical stress (2)", "before": 2, "after": 0}])
    );
    assert_eq!(
        first["summary"],
        "Bao takes 2 damage: Physical stress (2) 0 to 1/1."
    );
    let second = table.apply_damage(hit(2));
    assert_eq!(
        moved_tracks(&second),
        [("Physical stress (3)".to_owned(), 0, 1)],
        "the next that is worth it"
    );
    let foretold = table.apply_damage(with(hit(2), json!({"preview": true})));
    assert_eq!(
        moved_tracks(&foretold),
        [("Consequences (mild)".to_owned(), 0, 1)],
        "box 1 alone is not worth it"
    );
    let third = table.apply_damage(hit(7));
    let expected = [
        ("Physical stress (1)".to_owned(), 0, 1),
        ("Consequences (severe)".to_owned(), 0, 1),
    ];
    assert_eq!(
        moved_tracks(&third),
        expected,
        "one slot and a box rather than two slots"
    );
    assert_eq!(third["incapacitated"], false);
    let last = table.apply_damage(hit(7));
    assert_eq!(
        (&last["tracks"], &last["conditions"]),
        (&json!([]), &json!(["Taken out", "incapacitated"]))
    );
    let expected = json!([["gain Taken out, gain Incapacitated"], true]);
    assert_eq!(json!([last["triggers"], last["incapacitated"]]), expected);
    assert_eq!(
        last["steps"],
        json!([{"step": "nothing soaks it", "before": 7, "after": 0}])
    );
    let mended = table.apply_damage(hit(-3));
    assert_eq!(
        moved_tracks(&mended),
        [("Physical stress (3)".to_owned(), 1, 0)]
    );
}

#[test]
fn what_is_spent_is_never_hit() {
    let mut table = Table::shipped("quorum");
    table.create("Bao", json!({}));
    for amount in [1, 30] {
        let hit = table
            .apply_damage(json!({"target": "Bao", "amount": amount, "track": "Physical stress"}));
        assert!(
            !moved_tracks(&hit)
                .iter()
                .any(|(name, ..)| name == "Fate points"),
            "{hit:?}"
        );
    }
    let spent = table.apply_damage(json!({"target": "Bao", "amount": 1, "track": "Fate points"}));
    assert_eq!(moved_tracks(&spent), [("Fate points".to_owned(), 3, 2)]);
    let mut luck = Table::of_rules(Some(
        "# Luck\n\n## Health\n\n- Luck: from 0 to 99, start 50\n",
    ));
    luck.create("Ida", json!({}));
    let refused = luck.apply_damage(json!({"target": "Ida", "amount": 1}));
    refused.refused_with("unknown_track", &["only Luck", "track="]);
}

#[test]
fn harm_without_room_is_the_next_worse_until_none_is_left() {
    let mut table = Table::shipped("name-auction");
    table.create("Ansgar", json!({"attributes": {"Brawl": 2}}));
    let mut filled = Vec::new();
    for _ in 0..5 {
        let harm =
            table.apply_damage(json!({"target": "Ansgar", "track": "Lesser harm", "amount": 1}));
        filled.extend(
            moved_tracks(&harm)
                .into_iter()
                .filter(|(_, before, after)| before != after),
        );
    }
    let harm = |name: &str, before| (format!("{name} harm"), before, before + 1);
    assert_eq!(
        filled,
        [
            harm("Lesser", 0),
            harm("Lesser", 1),
            harm("Moderate", 0),
            harm("Moderate", 1),
            harm("Severe", 0)
        ]
    );
    let last = table.apply_damage(json!({"target": "Ansgar", "track": "lesser harm", "amount": 1}));
    assert_eq!(
        (&last["conditions"], &last["incapacitated"]),
        (&json!(["Laid low", "dead"]), &json!(true))
    );
    assert!(
        last.text("rule").starts_with("System.md:"),
        "{}",
        last["rule"]
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    let healed =
        table.apply_damage(json!({"target": "Ansgar", "track": "Severe harm", "amount": -1}));
    assert_eq!(moved_tracks(&healed), [("Severe harm".to_owned(), 1, 0)]);
}

#[test]
fn wounds_count_what_lies_over_the_threshold() {
    let mut table = Table::shipped("ninth-reel");
    table.create("Gus", json!({"attributes": {"MUS": 10, "REF": 6}}));
    table
        .apply_damage(json!({"target": "Gus", "amount": 10}))
        .is_fine();
    let wounds = table
        .record()
        .rows("select value from tracks where name = 'Wounds'");
    assert_eq!(wounds, [json!({"value": 0})]);
    let hurt = table.apply_damage(json!({"target": "Gus", "amount": 16}));
    assert_eq!(
        moved_tracks(&hurt),
        [("Wounds".to_owned(), 0, 2)],
        "nine over the Toughness, which is seven"
    );
    assert_eq!(
        hurt["triggers"],
        json!(["Wounds +floor(({hit} - {Toughness}) / 4), gain Rattled"])
    );
    let named = table.apply_damage(json!({"target": "Gus", "track": "Wounds", "amount": 1}));
    assert_eq!(
        (moved_tracks(&named), &named["incapacitated"]),
        (vec![("Wounds".to_owned(), 2, 3)], &json!(false))
    );
    let out = table.apply_damage(json!({"target": "Gus", "track": "Wounds", "amount": 1}));
    assert_eq!(
        (&out["conditions"], &out["incapacitated"]),
        (&json!(["Rattled", "incapacitated"]), &json!(true))
    );
}

#[test]
fn players_hear_how_a_marked_foe_is_and_no_figure() {
    let mut table = Table::shipped("ninth-reel");
    table.create("Gus", json!({"attributes": {"MUS": 10}}));
    table.create("Ekholm", json!({"kind": "npc", "attributes": {"MUS": 10}}));
    let fight = table.manage_combat(json!({"action": "start", "combatants": [{"name": "Gus", "initiative": 9}, {"name": "Ekholm", "initiative": 3}]}));
    fight.is_fine();
    let hit = table.apply_damage(json!({"target": "Ekholm", "amount": 15}));
    assert_eq!(
        hit["player_text"],
        "Ekholm takes damage and is bloodied; now Rattled (until the end of Ekholm's turn in round 1)."
    );
    let out = table.apply_damage(json!({"target": "Ekholm", "amount": 40}));
    assert_eq!(
        out["player_text"],
        "Ekholm takes damage and is down; now incapacitated."
    );
    let order = table.manage_combat(json!({"action": "status"}));
    assert_eq!(order["order"][1]["defeated"], true, "{}", order["order"]);
}

/// Conditions that the rules count, on the Long Pour.
fn frightened_tam() -> Table {
    let mut table = Table::shipped("long-pour");
    let scores = json!({"STR": 0, "DEX": 3, "CON": 1, "INT": 1, "WIS": 2, "CHA": 2});
    table.create(
        "Tam",
        json!({"attributes": scores, "skills": {"Stealth": 5}}),
    );
    table
}

#[test]
fn a_level_counts_in_checks_and_changes_in_place() {
    let mut table = frightened_tam();
    let add = |level: i64| json!({"action": "add_condition", "character": "Tam", "condition": "Frightened", "level": level});
    let first = table.manage_character(add(2));
    assert_eq!(
        first["changed"],
        json!([{"field": "condition", "before": null, "after": "Frightened 2"}])
    );
    assert!(
        first.text("sheet").contains("- *Conditions*: Frightened 2"),
        "{}",
        first["sheet"]
    );
    let modifier = |table: &mut Table| {
        let check = table
            .dice([8])
            .skill_check(json!({"character": "Tam", "skill": "Stealth", "difficulty": 15}));
        check["modifier"].as_i64().expect("a number")
    };
    assert_eq!(modifier(&mut table), 6);
    let worse = table.apply_damage(json!({"target": "Tam", "apply_conditions": ["Frightened 3"]}));
    assert_eq!(worse["conditions"], json!(["Frightened 3"]));
    assert_eq!(modifier(&mut table), 5);
    let foretold = table.apply_damage(
        json!({"target": "Tam", "apply_conditions": ["Frightened 1"], "preview": true}),
    );
    assert_eq!(foretold["conditions"], json!(["Frightened 1"]));
    let same = table
        .apply_damage(json!({"target": "Tam", "amount": 1, "apply_conditions": ["Frightened"]}));
    assert_eq!(
        same["conditions"],
        json!(["Frightened 3"]),
        "named without a level it stays as it is"
    );
    let gone = table.manage_character(
        json!({"action": "remove_condition", "character": "Tam", "condition": "Frightened"}),
    );
    assert_eq!(
        gone["changed"],
        json!([{"field": "condition", "before": "Frightened", "after": null}])
    );
    assert_eq!(modifier(&mut table), 8);
}

#[test]
fn a_level_is_one_that_the_rules_give_it() {
    let mut table = frightened_tam();
    let before = table.record().everything();
    let wild = json!({"action": "add_condition", "character": "Tam", "condition": "Frightened", "level": 4});
    table.manage_character(wild).refused("invalid_parameters");
    table
        .manage_character(json!({"action": "add_condition", "character": "Tam"}))
        .refused("invalid_parameters");
    assert_eq!(table.record().everything(), before);
    let least =
        table.manage_character(json!({"action": "add_condition", "condition": "frightened"}));
    assert_eq!(least["changed"][0]["after"], "Frightened 1");
}

#[test]
fn of_two_levels_that_one_hit_brings_the_higher_stays() {
    let rules = "# Plain\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Health\n- Hits: max 10\n- Damage: Hits\n- At 5 Hits: gain Frightened 1\n\
                 - At 2 Hits: gain Frightened 3\n\n## Conditions\n- Frightened (1-3): -{Frightened} on checks\n";
    let mut table = Table::of_people(rules, &["Tam"], json!({}));
    let hit = table.apply_damage(json!({"target": "Tam", "amount": 9}));
    assert_eq!(
        hit["conditions"],
        json!(["Frightened 3"]),
        "{}",
        hit.value()
    );
    has(hit.text("summary"), &["Frightened 3"]);
    assert!(
        !hit.text("summary").contains("Frightened 1"),
        "{}",
        hit.text("summary")
    );
    assert_eq!(
        table.record().bodies().pop().expect("an entry")["event"]["gained"],
        json!(["Frightened 3"])
    );
}
