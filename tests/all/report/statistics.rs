//! The figures of a report, against what SQL says of the same database, and against every way the
//! dice can fall.

use rollbook_game::view::Audience;
use rollbook_record::report::Format;
use serde_json::{Value, json};

use super::rig::{long_evening, report};
use crate::table::{Table, has, with};

/// The cells of a table in Markdown, by its caption.
fn table(markdown: &str, caption: &str) -> Vec<Vec<String>> {
    let (_, behind) = markdown
        .split_once(&format!("{caption}:\n\n"))
        .unwrap_or_else(|| panic!("{caption} in {markdown}"));
    let rows = behind
        .lines()
        .take_while(|line| line.starts_with('|'))
        .skip(2);
    rows.map(|line| {
        line.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    })
    .collect()
}

/// How many dice fell and what they add up to, by person, as SQL counts the faces of `rolls` that
/// the program rolled.
fn faces_by_person(table: &Table, expression: &str, visible: &str) -> Vec<(String, i64, i64)> {
    let sql = format!(
        "select requested_by, individual_rolls from rolls where expression like '{expression}%' and source <> 'entered'{visible}"
    );
    let mut people: Vec<(String, i64, i64)> = Vec::new();
    for row in table.record().rows(&sql) {
        let name = row["requested_by"].as_str().expect("a name").to_owned();
        let name = if name == "gm" {
            "The GM".to_owned()
        } else {
            name
        };
        let faces: Vec<i64> =
            serde_json::from_str(row["individual_rolls"].as_str().expect("faces"))
                .expect("numbers");
        if !people.iter().any(|person| person.0 == name) {
            people.push((name.clone(), 0, 0));
        }
        let person = people
            .iter_mut()
            .find(|person| person.0 == name)
            .expect("is there");
        person.1 += faces.len() as i64;
        person.2 += faces.iter().sum::<i64>();
    }
    people.sort();
    people
}

#[test]
fn dice_are_counted_as_sql_counts_them_for_both_audiences() {
    let evening = long_evening();
    for (audience, visible) in [(Audience::Gm, ""), (Audience::Player, " and visible")] {
        let markdown = report(&evening, audience, Format::Markdown);
        for (die, expression) in [("d20", "1d20"), ("d6", "2d6")] {
            let mut rows = table(&markdown, &format!("The {die} by person"));
            rows.retain(|row| row[0] != "Everybody");
            let mut shown: Vec<(String, i64, String)> = rows
                .iter()
                .map(|row| {
                    (
                        row[0].clone(),
                        row[1].parse().expect("a count"),
                        row[2].clone(),
                    )
                })
                .collect();
            shown.sort();
            let by_sql = faces_by_person(&evening, expression, visible);
            let by_sql: Vec<(String, i64, String)> = by_sql
                .into_iter()
                .map(|(name, count, sum)| {
                    let mean = format!("{:.2}", sum as f64 / count as f64);
                    (
                        name,
                        count,
                        mean.trim_end_matches('0').trim_end_matches('.').to_owned(),
                    )
                })
                .collect();
            assert_eq!(shown, by_sql, "{die}");
        }
    }
}

/// The chances of how many of these happen, one after the other.
fn successes(chances: &[f64]) -> Vec<f64> {
    chances.iter().fold(vec![1.0], |before, chance| {
        let mut after = vec![0.0; before.len() + 1];
        for (count, share) in before.iter().enumerate() {
            after[count] += share * (1.0 - chance);
            after[count + 1] += share * chance;
        }
        after
    })
}

#[test]
fn successes_and_their_chances_follow_from_the_rows_of_the_log() {
    let evening = long_evening();
    let markdown = report(&evening, Audience::Player, Format::Markdown);
    let bodies = evening
        .record()
        .rows("select cast(body as text) as body from log where kind = 'check' order by seq");
    let shown = table(
        &markdown,
        "Checks whose chance is known: how often the roll reached its target",
    );
    assert_eq!(shown.len(), 2);
    let mut digital = 0;
    for row in shown {
        let (mut chances, mut reached) = (Vec::new(), 0);
        for body in &bodies {
            let body: Value =
                serde_json::from_str(body["body"].as_str().expect("text")).expect("JSON");
            if body["actor"] != row[0].as_str() || body["rolls"][0]["source"] == "entered" {
                continue;
            }
            digital += 1;
            // A d20 and a number, against a target: so many of twenty faces reach it.
            let roll = &body["rolls"][0]["roll"];
            let (total, target) = (
                roll["total"].as_i64().expect("a total"),
                body["event"]["target"].as_i64().expect("a target"),
            );
            let face = roll["terms"][0]["dice"][0]["value"]
                .as_i64()
                .expect("a face");
            chances.push((21 - (target - (total - face))).clamp(0, 20) as f64 / 20.0);
            reached += usize::from(total >= target);
        }
        let all = successes(&chances);
        let (up, expected): (f64, f64) = (all[reached..].iter().sum(), chances.iter().sum());
        assert_eq!(
            (row[1].clone(), row[2].clone()),
            (chances.len().to_string(), reached.to_string())
        );
        let near = |text: &str, value: f64, off: f64| {
            (text.parse::<f64>().expect("a number") - value).abs() <= off
        };
        assert!(near(&row[3], expected, 0.005), "{row:?}: {expected}");
        match chances.len() >= 30 {
            true => assert!(
                near(row[4].trim_end_matches(" %"), up * 100.0, 0.5),
                "{row:?}: {up}"
            ),
            false => assert_eq!((row[4].as_str(), row[5].as_str()), ("–", "too few")),
        }
    }
    assert_eq!(
        (digital, bodies.len()),
        (60, 90),
        "what was entered is told apart"
    );
}

#[test]
fn entered_dice_are_in_no_sum_no_run_and_no_verdict_and_counted_apart() {
    let mut evening = Table::with_party();
    let check = |entered: Option<i64>| json!({"character": "Jory", "skill": "Stealth", "difficulty": 12, "entered": entered.map(|face| vec![face])});
    for _ in 0..35 {
        evening.skill_check(check(Some(20))).is_fine();
    }
    let markdown = report(&evening, Audience::Player, Format::Markdown);
    let (_, luck) = markdown.split_once("## Luck").expect("the section");
    let (luck, _) = luck.split_once("## Skills").expect("its end");
    let apart = "35 dice were rolled by hand and entered: no log can vouch for that, so they are nobody's luck and count nowhere in this section.";
    assert!(
        luck.contains(apart) && luck.contains("No dice of the program's fell"),
        "{luck}"
    );
    assert!(
        luck.contains("so there is no verdict")
            && !luck.contains('|')
            && !markdown.contains("luckiest"),
        "{luck}"
    );
    // Two that the program rolled have a run of their own, over what was entered between them.
    evening.dice([19]).skill_check(check(None)).is_fine();
    evening.skill_check(check(Some(1))).is_fine();
    evening.dice([19]).skill_check(check(None)).is_fine();
    let markdown = report(&evening, Audience::Player, Format::Markdown);
    let reached = table(
        &markdown,
        "Checks whose chance is known: how often the roll reached its target",
    );
    assert_eq!(reached[0][..3], ["Jory", "2", "2"]);
    let runs = "The longest run of each person, of checks that reached their target and of checks that did not";
    assert_eq!(table(&markdown, runs)[0][..3], ["Jory", "2", "reached"]);
    let few = table(
        &markdown,
        "Dice of which fewer than 30 fell: too few for a verdict",
    );
    assert_eq!(few, [["d20", "2", "19", "10.5"]]);
    has(
        &markdown,
        &[
            "36 dice were rolled by hand",
            "Of 38 checks that you see 2 have",
        ],
    );
}

#[test]
fn what_failed_is_no_lucky_moment_and_what_is_as_common_as_1_in_10_is_none() {
    let mut evening = Table::with_party();
    let check = |difficulty: i64| json!({"character": "Jory", "skill": "Stealth", "difficulty": difficulty});
    // A natural 20 that fails, a 1 that succeeds; two faces of twenty are 1 in 10.
    evening.dice([20]).skill_check(check(40)).is_fine();
    evening.dice([1]).skill_check(check(1)).is_fine();
    evening
        .dice([19])
        .roll_dice(json!({"expression": "1d20"}))
        .is_fine();
    evening
        .dice([2])
        .roll_dice(json!({"expression": "1d20"}))
        .is_fine();
    evening
        .dice([20])
        .roll_dice(json!({"expression": "1d20 vs 30"}))
        .is_fine();
    let markdown = report(&evening, Audience::Player, Format::Markdown);
    let ordinary = "Nothing out of the ordinary fell: nothing rarer than 1 in 10.";
    for title in [
        "## The luckiest moment\n\n",
        "### The unluckiest moment\n\n",
    ] {
        assert!(
            markdown.contains(&format!("{title}{ordinary}")),
            "{title} in {markdown}"
        );
    }
    evening.dice([20]).skill_check(check(15)).is_fine();
    evening.dice([1]).skill_check(check(15)).is_fine();
    let markdown = report(&evening, Audience::Player, Format::Markdown);
    assert!(
        !markdown.contains(ordinary) && markdown.contains("## The luckiest moment: Jory"),
        "{markdown}"
    );
    assert_eq!(markdown.matches("**1 in 20**").count(), 2, "{markdown}");
}

/// The verdicts that a reader counts in the tables: all, those on everybody together, and those
/// that are high or low.
fn verdicts(markdown: &str) -> [usize; 4] {
    let rows = markdown.lines().filter(|line| line.starts_with('|'));
    let verdict = |word: &str| {
        rows.clone()
            .filter(|line| line.ends_with(&format!("| {word} |")))
            .count()
    };
    let on_all = rows
        .clone()
        .filter(|line| line.starts_with("| Everybody |") && !line.ends_with("| too few |"))
        .count();
    let (high, low) = (verdict("high"), verdict("low"));
    [high + low + verdict("as expected"), on_all, high, low]
}

#[test]
fn every_verdict_that_is_shown_is_counted() {
    let markdown = report(&long_evening(), Audience::Gm, Format::Markdown);
    let [shown, on_all, high, low] = verdicts(&markdown);
    let counted = format!(
        "Tables above hold {shown} verdicts, {} of them on people.",
        shown - on_all
    );
    assert!(
        on_all > 1 && shown > on_all && markdown.contains(&counted),
        "{counted} in {markdown}"
    );
    let (_, here) = markdown.split_once(" Here: ").expect("what is here");
    let (here, _) = here.split_once("\n\n").expect("the end");
    let figures: Vec<usize> = here
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    let [own_high, five, own_low, all, all_high, _, all_low] = figures[..] else {
        panic!("{here}")
    };
    assert_eq!(
        (own_high + all_high, own_low + all_low, all, five),
        (high, low, on_all, 5),
        "{here}"
    );
}

#[test]
fn a_verdict_on_everybody_alone_is_counted_and_nobody_has_one() {
    let mut evening = Table::with_party();
    for nth in 0..45 {
        let who = [
            json!({"character": "Jory"}),
            json!({"character": "Sabeth"}),
            json!({}),
        ][nth % 3]
            .clone();
        evening
            .dice([20])
            .roll_dice(with(who, json!({"expression": "1d20"})))
            .is_fine();
    }
    let markdown = report(&evening, Audience::Player, Format::Markdown);
    assert_eq!(verdicts(&markdown), [1, 1, 1, 0]);
    let words = "Tables above hold 1 verdict on everybody together, 1 beyond 5 % at the high end and 0 at the low end. Nobody alone rolled 30 \
                 dice of a kind, or made as many checks, so there is no verdict on a person.";
    assert!(markdown.contains(words), "{markdown}");
}

/// In how many of how many ways the dice come to as much or more.
fn ways(faces: &[i64], sides: i64) -> (i64, i64) {
    let sums = faces.iter().fold(vec![0], |sums: Vec<i64>, _| {
        sums.iter()
            .flat_map(|sum| (1..=sides).map(move |face| sum + face))
            .collect()
    });
    let total: i64 = faces.iter().sum();
    (
        sums.iter().filter(|sum| **sum >= total).count() as i64,
        sums.len() as i64,
    )
}

#[test]
fn the_rarest_roll_is_the_one_that_all_ways_of_the_faces_in_sql_say() {
    let evening = long_evening();
    let markdown = report(&evening, Audience::Player, Format::Markdown);
    let rolls = evening.record().rows(
        "select expression, individual_rolls from rolls where visible and source <> 'entered' \
               and coalesce(outcome, '') not like '%failure%' order by seq",
    );
    let ways = rolls.iter().map(|row| {
        let faces: Vec<i64> =
            serde_json::from_str(row["individual_rolls"].as_str().expect("faces"))
                .expect("numbers");
        let sides = if row["expression"].as_str().expect("text").starts_with("2d6") {
            6
        } else {
            20
        };
        ways(&faces, sides)
    });
    let (some, all) = ways
        .min_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)))
        .expect("rolls");
    let common = (1..=some)
        .rev()
        .find(|common| some % common == 0 && all % common == 0)
        .expect("1");
    let (_, card) = markdown.split_once("The luckiest moment").expect("a card");
    let exactly = format!("; exactly {}/{}.", some / common, all / common);
    assert!(
        card.split_once("It is entry")
            .expect("its end")
            .0
            .contains(&exactly),
        "{exactly} in {card}"
    );
}

#[test]
fn skills_are_counted_as_sql_counts_them() {
    let evening = long_evening();
    let markdown = report(&evening, Audience::Gm, Format::Markdown);
    for row in table(&markdown, "Checks by person and skill") {
        let sql = format!(
            "select cast(body as text) as body from log where kind = 'check' and actor = '{}' order by seq",
            row[0]
        );
        let bodies = evening.record().rows(&sql).into_iter();
        let events: Vec<Value> = bodies
            .map(|row| {
                serde_json::from_str::<Value>(row["body"].as_str().expect("text"))
                        .expect("JSON")["event"]
                        .clone()
            })
            .filter(|event| event["skill"] == row[1].as_str())
            .collect();
        let worked = events
            .iter()
            .filter(|event| event["margin"].as_i64().expect("a margin") >= 0)
            .count();
        assert_eq!(
            (row[2].clone(), row[3].clone()),
            (events.len().to_string(), worked.to_string()),
            "{row:?}"
        );
    }
}

#[test]
fn where_low_is_good_low_is_lucky_and_a_check_is_reached_from_above() {
    const LOW: &str = "# Low\n\n## Attributes\n- Nerve (1 to 99)\n\n## Checks\n\n### Nerve roll\n- Roll: `1d100`\n\
                       - Target: {Nerve} or less\n";
    let mut evening = Table::of_people(LOW, &["Dot"], json!({"attributes": {"Nerve": 40}}));
    // 40 is reached by 40 itself, which alone does not say which way is good.
    for face in [40, 2, 99, 41] {
        evening
            .dice([face])
            .skill_check(json!({"character": "Dot", "check": "Nerve roll"}))
            .is_fine();
    }
    evening
        .dice([3])
        .roll_dice(json!({"expression": "1d100", "character": "Dot"}))
        .is_fine();
    let markdown = report(&evening, Audience::Player, Format::Markdown);
    let rows = table(
        &markdown,
        "Checks whose chance is known: how often the roll reached its target",
    );
    assert_eq!(rows, [["Dot", "4", "2", "1.6", "–", "too few"]]);
    let (_, lucky) = markdown
        .split_once("## The luckiest moment: Dot")
        .expect("a card");
    assert!(
        lucky
            .split_once("entry")
            .expect("it")
            .0
            .contains("The chance of 2 or less with 1d100: 2.0 %; exactly 1/50."),
        "{lucky}"
    );
    // A roll without a rule is high or low, so the 3 is the rarest bad one beside the 99 of the
    // check.
    let (_, unlucky) = markdown
        .split_once("### The unluckiest moment")
        .expect("a card");
    assert!(
        unlucky
            .split_once("entry")
            .expect("it")
            .0
            .contains("99 or more with 1d100: 2.0 %; exactly 1/50."),
        "{unlucky}"
    );
    assert!(
        markdown.contains("Low is good in this game's checks"),
        "{markdown}"
    );
}

#[test]
fn dice_of_every_kind_are_counted_by_the_face_that_was_rolled_first() {
    let mut evening = Table::of_rules(None);
    let mut roll = |expression: &str, dice: &[i64]| {
        evening
            .dice(dice.iter().copied())
            .roll_dice(json!({"expression": expression}))
            .is_fine();
    };
    roll("4dF", &[-1, 0, 1, 1]);
    roll("2d6!", &[6, 2, 3]);
    roll("1d8r1", &[1, 5]);
    roll("d%b1", &[3, 0, 7]);
    roll("2d20kh1 + 1d4 vs 10", &[4, 17, 2]);
    roll("repeat(1d10, 3)", &[10, 10, 9]);
    let markdown = report(&evening, Audience::Gm, Format::Markdown);
    let mut rows = table(
        &markdown,
        "Dice of which fewer than 30 fell: too few for a verdict",
    );
    rows.sort();
    let expected = [
        ["d10", "3", "9.67", "5.5"],
        ["d10 (0 to 9)", "3", "3.33", "4.5"],
        ["d20", "2", "10.5", "10.5"],
        ["d4", "1", "2", "2.5"],
        ["d6", "2", "4.5", "3.5"],
        ["d8", "1", "1", "4.5"],
        ["dF", "4", "0.25", "0"],
    ];
    assert_eq!(rows, expected);
}

#[test]
fn a_hit_and_its_damage_are_one_moment_where_both_together_are_rarer() {
    let mut evening = Table::with_party();
    evening.start(json!([
        {"name": "Jory", "initiative": 9},
        {"name": "Rat", "hp": 30, "initiative": 1, "attributes": {"STR": 10, "DEX": 10}},
    ]));
    let hit = json!({"character": "Jory", "skill": "Melee", "difficulty": 10, "target": "Rat", "damage": "1d12 + 2"});
    for dice in [[18, 11], [20, 3], [12, 12]] {
        evening.dice(dice).skill_check(hit.clone()).is_fine();
    }
    let markdown = report(&evening, Audience::Player, Format::Markdown);
    let (_, lucky) = markdown
        .split_once("## The luckiest moment: Jory")
        .expect("a card");
    let (lucky, _) = lucky.split_once("It is entry").expect("its end");
    // 3 in 20 and 2 in 12; the natural 20 with its 3 is 1 in 20 and 10 in 12, the 12 of damage
    // after a 12 9 in 20 and 1 in 12.
    assert!(
        lucky.contains(
            "23 or more with 1d20 + 5, then 13 or more with 1d12 + 2: 2.5 %; exactly 1/40."
        ),
        "{lucky}"
    );
    assert!(lucky.contains("**1 in 40**"), "{lucky}");
}

#[test]
fn dice_that_people_rolled_are_nobodys_luck() {
    let mut table = Table::with_party();
    let roll = |entered: Option<i64>| json!({"character": "Jory", "expression": "d100", "entered": entered.map(|face| vec![face])});
    table.dice([96]).roll_dice(roll(None)).is_fine();
    table.dice([6]).roll_dice(roll(None)).is_fine();
    for face in [100, 1] {
        table.roll_dice(roll(Some(face))).is_fine();
    }
    let page = report(&table, Audience::Player, Format::Markdown);
    let moment = |title: &str| {
        let (_, card) = page
            .split_once(title)
            .unwrap_or_else(|| panic!("{title} in {page}"));
        card.lines().take(9).collect::<Vec<&str>>().join(" ")
    };
    assert!(
        moment("The luckiest moment: Jory").contains("= 96"),
        "{page}"
    );
    assert!(
        moment("### The unluckiest moment").contains("= 6"),
        "{page}"
    );
    // It is at the top, and the section on luck says so.
    assert_eq!(page.matches("= 96.**").count(), 1, "{page}");
    assert!(page.contains("The luckiest moment stands at the top of this report."));
}

/// What each took and was healed of, and what each dealt, as the rows of the SQL view say; "Nobody
/// named" for no attacker.
fn applied(table: &Table, who: &str) -> [i64; 3] {
    let sql =
        "select attacker, target, cast(applied as bigint) as applied from damage where not undone";
    table
        .record()
        .rows(sql)
        .iter()
        .fold([0; 3], |[dealt, taken, healed], row| {
            let points = row["applied"].as_i64().unwrap_or(0);
            let by = row["attacker"].as_str().unwrap_or("Nobody named") == who;
            let on = row["target"] == who;
            [
                dealt + if by { points.max(0) } else { 0 },
                taken + if on { points.max(0) } else { 0 },
                healed - if on { points.min(0) } else { 0 },
            ]
        })
}

#[test]
fn damage_is_what_was_applied_as_sql_has_it_and_what_changed_nothing_counts_nothing() {
    let mut evening = Table::with_party();
    for amount in [13, 3, 4, -13, -5, 3, 3] {
        evening
            .apply_damage(json!({"target": "Sabeth", "amount": amount}))
            .is_fine();
    }
    evening
        .apply_damage(json!({"target": "Jory", "amount": 2}))
        .is_fine();
    evening.manage_session(json!({"action": "undo"})).is_fine();
    evening.start(json!([
        {"name": "Jory", "initiative": 9},
        {"name": "Wrecker", "hp": 12, "initiative": 1, "attributes": {"STR": 12, "DEX": 12}},
    ]));
    // More than is left, then what changes nothing.
    for face in [12, 11, 10] {
        let roll = evening
            .dice([face])
            .roll_dice(json!({"expression": "1d12", "character": "Jory"}))["log"]
            .clone();
        evening
            .apply_damage(json!({"target": "Wrecker", "roll": roll}))
            .is_fine();
    }
    let dry = evening
        .dice([6])
        .roll_dice(json!({"expression": "1d12", "character": "Sabeth"}))["log"]
        .clone();
    evening
        .apply_damage(json!({"target": "Wrecker", "roll": dry}))
        .is_fine();
    let markdown = report(&evening, Audience::Gm, Format::Markdown);
    let rows = table(&markdown, "Damage by person");
    assert_eq!(rows.len(), 4, "{rows:?}");
    for row in &rows {
        let [dealt, taken, healed] = applied(&evening, &row[0]).map(|sum| sum.to_string());
        assert_eq!(row[2], dealt, "{row:?}");
        if row[0] != "Nobody named" {
            assert_eq!([&row[4], &row[6]], [&taken, &healed], "{row:?}");
        }
    }
    assert_eq!(applied(&evening, "Sabeth"), [0, 19, 13]);
    let players = table(
        &report(&evening, Audience::Player, Format::Markdown),
        "Damage by person",
    );
    let of = |who: &str| {
        let row = players.iter().find(|row| row[0] == who);
        row.unwrap_or_else(|| panic!("{who} in {players:?}"))[1..].join(" ")
    };
    assert_eq!(of("Sabeth"), "none seen none seen – 19 – 13");
    assert_eq!(of("Nobody named"), "3 19 – – – –");
    // Jory rolled in sight, so that players read who struck; how hard they do not.
    assert!(
        of("Jory").starts_with("1 not shown not shown none seen"),
        "{players:?}"
    );
    assert!(
        of("Wrecker").ends_with("not shown not shown not shown"),
        "{players:?}"
    );
}

#[test]
fn what_else_moves_because_of_a_hit_is_no_part_of_it() {
    const RULES: &str = "# Falls\n\n## Attributes\n- Grit\n- Range: 0 to 10\n\n## Health\n- Hit points: max `10`\n\
        - Temporary hit points: from 0, keeps larger\n- Bleeding: 3 boxes, full: gain Dead\n- Luck: 5 boxes\n\
        - Damage: Temporary hit points, Hit points\n- At 0 Hit points: gain Unconscious, Bleeding +1\n- At 1+ Hit points: Bleeding to 0\n";
    let mut evening = Table::of_people(RULES, &["Ana"], json!({"attributes": {"Grit": 3}}));
    evening
        .apply_damage(json!({"target": "Ana", "track": "Temporary hit points", "amount": -2}))
        .is_fine();
    evening
        .apply_damage(json!({"target": "Ana", "track": "Temporary hit points", "amount": -3}))
        .is_fine();
    evening
        .apply_damage(json!({"target": "Ana", "amount": 20}))
        .is_fine();
    evening
        .apply_damage(json!({"target": "Ana", "track": "Luck", "amount": 2}))
        .is_fine();
    evening
        .apply_damage(json!({"target": "Ana", "amount": -4}))
        .is_fine();
    let rows = evening
        .record()
        .rows("select cast(applied as bigint) as applied, cast(aside as int) as aside from damage where seq > (select min(seq) from damage) order by seq");
    let rows: Vec<[i64; 2]> = rows
        .iter()
        .map(|row| ["applied", "aside"].map(|column| row[column].as_i64().expect("a number")))
        .collect();
    let expected = [[-1, 1], [13, 0], [2, 1], [-4, 0]];
    assert_eq!(
        rows, expected,
        "three temporary points and ten, without the box that was marked"
    );
    for audience in [Audience::Gm, Audience::Player] {
        let row = &table(
            &report(&evening, audience, Format::Markdown),
            "Damage by person",
        )[0];
        assert_eq!([&row[4], &row[6]], ["13", "4"], "{row:?}");
    }
}
