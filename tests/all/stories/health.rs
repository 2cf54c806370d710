//! Each shipped adventure's own way to be hurt and to mend, in play. Boxes, slots and wounds have their own stories.

use std::path::Path;

use serde_json::{Value, json};

use crate::table::{Answer, Table};

/// Somebody of an adventure, made by its rules.
struct Played {
    table: Table,
    name: &'static str,
}

impl Played {
    fn of(adventure: &str, name: &'static str, sheet: Value) -> Played {
        let mut table = Table::of(&Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures")).join(adventure));
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
fn told(answer: &Answer) -> (Vec<String>, Vec<String>) {
    let rows = answer["tracks"].as_array().unwrap_or_else(|| panic!("{}", answer.value()));
    let moved = rows
        .iter()
        .map(|row| format!("{} {} to {}", row["name"].as_str().expect("a name"), row["before"], row["after"]));
    let all = answer["conditions"].as_array().expect("conditions");
    (moved.collect(), all.iter().map(|name| name.as_str().expect("a name").to_owned()).collect())
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// What the rest says it changed.
fn changed(answer: &Answer) -> String {
    answer["summary"].as_str().unwrap_or_else(|| panic!("{}", answer.value())).to_owned()
}

#[test]
fn down_special_a_major_wound_makes_falling_worse() {
    let mut ida = Played::of("down-special", "Ida", json!({"attributes": {"CON": 60, "SIZ": 60, "SPI": 50}}));
    assert_eq!(told(&ida.hurt(5, json!({}))), (names(&["Hit points 12 to 7"]), names(&[])), "less than half of 12");
    assert_eq!(told(&ida.hurt(6, json!({}))), (names(&["Hit points 7 to 1"]), names(&["Major wound"])));
    let fallen = ida.hurt(1, json!({}));
    assert_eq!(told(&fallen), (names(&["Hit points 1 to 0"]), names(&["Major wound", "dying", "unconscious"])));
    assert_eq!(fallen["incapacitated"], true);
    let aid = ida.rest("Short rest", [2]);
    assert_eq!(
        changed(&aid),
        "Ida, short rest (1d3: [2] = 2): Hit points 0/12 to 2/12; conditions Major wound, dying, unconscious to Major wound."
    );
    assert_eq!(changed(&ida.rest("Long rest", [5])), "Ida, long rest (1d6: [5] = 5): Hit points 2/12 to 7/12.");
    let called = ida.hurt(50, json!({"track": "Nerve"}));
    assert_eq!(told(&called), (names(&["Nerve 50 to 0"]), names(&["Called", "Major wound"])));
    let (moved, conditions) = told(&ida.hurt(12, json!({})));
    assert_eq!(moved, names(&["Hit points 7 to 0"]));
    assert!(conditions.contains(&"dead".to_owned()), "one hit of the whole maximum: {conditions:?}");
    ida.table.record().is_sound();
}

#[test]
fn last_queen_each_track_has_its_own_word_at_zero() {
    let mut wren = Played::of("last-queen", "Wren", json!({}));
    for (amount, track, moved, gained) in [
        (3, "Health", "Health 5 to 2", vec![]),
        (2, "Health", "Health 2 to 0", vec!["Hurt"]),
        (5, "Spirit", "Spirit 5 to 0", vec!["Disheartened", "Hurt"]),
        (2, "Supply", "Supply 5 to 3", vec!["Disheartened", "Hurt"]),
        (9, "Momentum", "Momentum 2 to -6", vec!["Disheartened", "Hurt"]),
    ] {
        assert_eq!(told(&wren.hurt(amount, json!({"track": track}))), (names(&[moved]), names(&gained)), "{track}");
    }
    assert_eq!(
        changed(&wren.rest("Short rest", [])),
        "Wren, short rest: Health 0/5 to 1/5; Spirit 0/5 to 1/5; conditions Disheartened, Hurt to none."
    );
    assert_eq!(
        changed(&wren.rest("Long rest", [])),
        "Wren, long rest: Health 1/5 to 5/5; Spirit 1/5 to 5/5; Supply 3/5 to 5/5."
    );
    let hive = wren.table.apply_damage(json!({"target": "company", "track": "Hive", "amount": 6}));
    assert_eq!(hive.text("summary"), "Hive 6 to 0/6, empty: the box is silent.", "what all carry is on nobody's sheet");
    wren.table.record().is_sound();
}

#[test]
fn long_pour_whoever_falls_marks_a_box_of_dying_and_the_last_box_is_death() {
    let sheet = || json!({"attributes": {"CON": 1}});
    let mut tam = Played::of("long-pour", "Tam", sheet());
    assert_eq!(told(&tam.hurt(10, json!({}))), (names(&["Hit points 17 to 7"]), names(&[])));
    let fallen = (names(&["Hit points 7 to 0", "Dying 0 to 1"]), names(&["unconscious"]));
    assert_eq!(told(&tam.hurt(7, json!({}))), fallen);
    assert_eq!(
        changed(&tam.rest("Short rest", [5])),
        "Tam, short rest (1d8: [5] = 5): Hit points 0/17 to 5/17; conditions unconscious to none."
    );
    // The fourth fall is the last box, and that the rule of the boxes' own.
    for (from, to) in [(1, 2), (2, 3)] {
        let fallen = tam.hurt(5, json!({}));
        let moved = vec!["Hit points 5 to 0".to_owned(), format!("Dying {from} to {to}")];
        assert_eq!(told(&fallen), (moved, names(&["unconscious"])));
        tam.rest("Short rest", [5]).is_fine();
    }
    let last = tam.hurt(5, json!({}));
    assert_eq!(told(&last), (names(&["Hit points 5 to 0", "Dying 3 to 4"]), names(&["dead", "unconscious"])));
    assert_eq!(last["triggers"], json!(["gain Unconscious, Dying +1", "gain Dead"]));
    tam.hurt(1, json!({})).refused("target_dead");
    let mut other = Played::of("long-pour", "Tam", sheet());
    let (_, conditions) = told(&other.hurt(34, json!({})));
    assert_eq!(conditions, names(&["dead", "unconscious"]), "left over of the whole maximum");
    other.table.record().is_sound();
    tam.table.record().is_sound();
}

#[test]
fn six_covers_what_a_full_row_brings_goes_with_it() {
    let mut pim = Played::of("six-covers", "Pim", json!({"attributes": {"POI": 2}}));
    for (amount, track, moved, gained) in [
        (4, "Composure", "Composure 6 to 2", vec![]),
        (5, "Composure", "Composure 2 to 0", vec!["Beside yourself"]),
        (3, "Bruises", "Bruises 0 to 3", vec!["Beside yourself"]),
        (1, "Bruises", "Bruises 3 to 4", vec!["Beside yourself", "Put to bed"]),
        (1, "Standing", "Standing 1 to 0", vec!["Beside yourself", "Put to bed"]),
    ] {
        assert_eq!(told(&pim.hurt(amount, json!({"track": track}))), (names(&[moved]), names(&gained)), "{track}");
    }
    assert_eq!(
        changed(&pim.rest("Short rest", [])),
        "Pim, short rest: Composure 0/6 to 2/6; conditions Beside yourself, Put to bed to Put to bed."
    );
    assert_eq!(
        changed(&pim.rest("Long rest", [])),
        "Pim, long rest: Composure 2/6 to 6/6; Bruises 4/4 to 0/4; conditions Put to bed to none."
    );
    pim.table.record().is_sound();
}

#[test]
fn name_auction_and_ninth_reel_give_back_what_their_time_gives() {
    let mut ash = Played::of("name-auction", "Ash", json!({}));
    assert_eq!(told(&ash.hurt(8, json!({"track": "Stress"}))), (names(&["Stress 0 to 8"]), names(&[])));
    assert_eq!(told(&ash.hurt(1, json!({"track": "Stress"}))), (names(&["Stress 8 to 9"]), names(&["Burned out"])));
    assert_eq!(
        changed(&ash.rest("Long rest", [])),
        "Ash, long rest: Stress 9/9 to 0/9; conditions Burned out to none."
    );
    ash.table.record().is_sound();
    let mut mo = Played::of("ninth-reel", "Mo", json!({"attributes": {"Muscle": 8}}));
    assert_eq!(told(&mo.hurt(2, json!({"track": "Retakes"}))), (names(&["Retakes 3 to 1"]), names(&[])));
    assert_eq!(changed(&mo.rest("End of session", [])), "Mo, end of session: Retakes 1/3 to 3/3.");
    mo.table.record().is_sound();
}

#[test]
fn a_box_that_a_hard_hit_marks_comes_on_top_of_the_hit() {
    const RULES: &str = "# Strain\n\n## Attributes\n- Grit\n\n## Health\n- Stress: 10 boxes, full: gain Broken\n- Damage: Stress\n\
        - One hit 5+: Stress +1\n\n## Conditions\n- Broken\n";
    let mut table = Table::of_rules(Some(RULES));
    table.manage_character(json!({"action": "create", "name": "Ana", "attributes": {"Grit": 3}})).is_fine();
    let hit = table.apply_damage(json!({"target": "Ana", "amount": 6}));
    assert!(hit.text("summary").contains("Stress 0 to 7/10"), "{hit:?}");
    let more = table.apply_damage(json!({"target": "Ana", "amount": 2}));
    assert!(more.text("summary").contains("Stress 7 to 9/10"), "{more:?}");
    table.manage_session(json!({"action": "undo", "entry": more["log"]})).is_fine();
    table.record().is_sound();
}
