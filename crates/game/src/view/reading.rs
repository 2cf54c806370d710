//! Sentences read back: of an entry whose body players do not have, their sentence and their dice
//! are all that they know. What comes out has the form of a body's event, with the fields that the
//! sentence names, so that it can be asked as a body is.

use crate::record::event::{actor_name, arithmetic};
use crate::{record::entry::RollRecord, view::visibility::VisibleEntry};
use serde_json::{Map, Value, json};

/// The event of a sentence, and the tracks that moved; `None`: nothing that a column is for.
pub fn read(seen: &VisibleEntry) -> Option<Value> {
    let text = seen.text.as_str();
    let event = match seen.kind.as_str() {
        "check" => check(
            seen.actor.as_deref()?,
            text,
            seen.rolls.first(),
            seen.label.as_deref(),
        )?,
        "damage" => return damage(text),
        "turn_began" => {
            let (round, rest) = round(text)?;
            let began = rest.strip_prefix(": ")?;
            let who = began
                .strip_suffix("'s turn.")
                .or_else(|| began.strip_suffix(" goes on."))?;
            json!({"round": round, "began": {"name": who}})
        }
        "round_began" => json!({"round": round(text)?.0}),
        "turn_taken_back" => {
            json!({"from": {"name": text.split_once("'s turn is taken back.")?.0}})
        }
        "combatant" => {
            let ends = [
                ("is out of", "defeated"),
                ("is back in", "revived"),
                ("leaves", "left"),
            ];
            let who = |words: &str| text.strip_suffix(&format!(" {words} the fight."));
            let (who, act) = ends
                .into_iter()
                .find_map(|(words, act)| Some((who(words)?, act)))?;
            json!({"subject": {"name": who}, "act": act})
        }
        "combatant_joined" => {
            json!({"subject": {"name": text.strip_suffix(" enters the fight.")?}})
        }
        _ => return None,
    };
    Some(json!({"event": event}))
}

/// The name of a campaign by the sentence of its beginning or renaming; `None` of any other.
pub fn read_name<'t>(kind: &str, text: &'t str) -> Option<&'t str> {
    let rest = text.strip_prefix("The campaign ")?;
    match kind {
        "campaign_created" => Some(rest.rsplit_once(" begins")?.0),
        "campaign_renamed" => Some(
            rest.strip_suffix(" from now on.")?
                .rsplit_once(" is called ")?
                .1,
        ),
        _ => None,
    }
}

/// "Round 2", and what follows it.
fn round(text: &str) -> Option<(u32, &str)> {
    let rest = text.strip_prefix("Round ")?;
    let (round, _) = rest.split_once(|letter: char| !letter.is_ascii_digit())?;
    Some((round.parse().ok()?, rest.get(round.len()..)?))
}

/// "Sabeth, Lockpicking at Rat (quietly): 1d20: \[9\]; + 6 = 15 against 12: success by 3.", or
/// without dice "Sabeth, Lockpicking: success."
fn check(actor: &str, text: &str, roll: Option<&RollRecord>, label: Option<&str>) -> Option<Value> {
    let rest = text.strip_prefix(actor_name(actor))?.strip_prefix(", ")?;
    let (head, tail) = match roll {
        Some(record) => rest.split_once(&format!(": {}", arithmetic(record)))?,
        None => {
            let label = label.map_or("done".to_owned(), str::to_lowercase);
            let (head, tail) = rest.split_once(&format!(": {label}"))?;
            tail.starts_with(['.', ';']).then_some((head, ""))?
        }
    };
    // An attack's name may have brackets in it, after which its target is.
    let is_outside = |before: &str| before.matches('(').count() == before.matches(')').count();
    let mut cuts = head
        .match_indices(" at ")
        .filter_map(|(at, words)| Some((head.get(..at)?, head.get(at + words.len()..)?)));
    let aimed = cuts.find(|(before, _)| is_outside(before));
    let mut event = Map::new();
    event.insert(
        "skill".into(),
        json!(aimed.map_or_else(|| until(head, &[" ("]), |(what, _)| what)),
    );
    if actor != "gm" {
        event.insert("subject".into(), json!({"name": actor}));
    }
    if let Some((_, against)) = aimed {
        event.insert("against".into(), json!({"name": until(against, &[" ("])}));
    }
    let target = tail
        .strip_prefix(" against ")
        .and_then(|rest| rest.split_once([':', '.', ';', ',']));
    if let Some(target) = target.and_then(|(target, _)| target.parse::<i64>().ok()) {
        event.insert("target".into(), json!(target));
    }
    Some(Value::Object(event))
}

/// "Rat takes 4 fire damage (7 before Resistance) from Owl: Hit points 9 to 5/9; now prone."
fn damage(text: &str) -> Option<Value> {
    let mut clauses = text.strip_suffix('.')?.split("; ");
    let first = clauses.next()?;
    let gained: Vec<&str> = clauses
        .filter_map(|clause| clause.strip_prefix("now "))
        .flat_map(|names| names.split(", "))
        .collect();
    // The tracks are after the last colon.
    let (clause, moved) = match first.rsplit_once(": ") {
        Some((clause, moved)) if !changes(moved).is_empty() => (clause, changes(moved)),
        _ => (first, Vec::new()),
    };
    let mut event = Map::new();
    event.insert("gained".into(), json!(gained));
    let who = match (clause.split_once(" takes "), clause.split_once(" recovers")) {
        (Some((who, rest)), _) => {
            let (of, after) = rest.split_once("damage")?;
            let (points, kind) = points(of);
            set_amount(&mut event, points, after, 1);
            if !kind.is_empty() && kind != "no" {
                event.insert(
                    "damage_type".into(),
                    json!(kind.strip_prefix("no ").unwrap_or(kind)),
                );
            }
            if let Some((_, by)) = after.split_once(" from ") {
                event.insert("by".into(), json!({"name": until(by, &[" (", " and is "])}));
            }
            who
        }
        (None, Some((who, rest))) => {
            set_amount(&mut event, points(rest.trim_start()).0, rest, -1);
            who
        }
        (None, None) => until(clause.split_once(" changes nothing for ")?.1, &[" ("]),
    };
    event.insert("subject".into(), json!({"name": who}));
    Some(if moved.is_empty() {
        json!({"event": event})
    } else {
        json!({"event": event, "changes": moved})
    })
}

/// Figures at the beginning, and what follows them.
fn points(text: &str) -> (Option<i64>, &str) {
    let digits = text
        .split(|letter: char| !letter.is_ascii_digit())
        .next()
        .unwrap_or_default();
    (
        digits.parse().ok(),
        text.get(digits.len()..).unwrap_or_default().trim(),
    )
}

/// The amount that was sent: that before armour, where the sentence says it.
fn set_amount(event: &mut Map<String, Value>, points: Option<i64>, after: &str, sign: i64) {
    let before = after
        .split_once(" (")
        .and_then(|(_, rest)| rest.split_once(" before ")?.0.parse::<i64>().ok());
    if let Some(points) = points {
        event.insert("amount".into(), json!(before.unwrap_or(points) * sign));
    }
}

fn until<'t>(text: &'t str, ends: &[&str]) -> &'t str {
    ends.iter().fold(text, |text, end| {
        text.split_once(end).map_or(text, |(before, _)| before)
    })
}

/// "Hit points 9 to 5/9, Armour 2 to 1", as changes of a body; none where it is something else.
fn changes(text: &str) -> Vec<Value> {
    let one = |change: &str| {
        let (rest, after) = change.rsplit_once(" to ")?;
        let (name, before) = rest.rsplit_once(' ')?;
        let after: i64 = after.split('/').next()?.parse().ok()?;
        let before: i64 = before.parse().ok()?;
        let row = |value: i64| json!({"name": name, "value": value});
        Some(json!({"entity": "track", "before": row(before), "after": row(after)}))
    };
    text.split(", ")
        .map(one)
        .collect::<Option<Vec<Value>>>()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_of(kind: &str, text: &str) -> Option<Value> {
        let actor = Some("Sabeth".to_owned());
        read(&VisibleEntry {
            kind: kind.to_owned(),
            actor,
            text: text.to_owned(),
            ..VisibleEntry::default()
        })
    }

    #[test]
    fn a_hit_is_read_as_far_as_its_sentence_goes() {
        let name = |name: &str| json!({"name": name});
        let row = |name: &str, value: i64| json!({"name": name, "value": value});
        let moved = |name: &str, before: i64, after: i64| json!({"entity": "track", "before": row(name, before), "after": row(name, after)});
        for (text, event, changes) in [
            (
                "Rat takes damage and is hurt.",
                json!({"subject": name("Rat"), "gained": []}),
                Value::Null,
            ),
            (
                "Old Rat takes cold, fire damage from Wrecker (not the amount that was rolled) and is down; now unconscious, dead.",
                json!({"subject": name("Old Rat"), "damage_type": "cold, fire", "by": name("Wrecker"), "gained": ["unconscious", "dead"]}),
                Value::Null,
            ),
            (
                "Jory takes 4 fire damage (7 before Resistance (fire)) from Owl (9 instead of 4 rolled): Hit points 9 to 5/9, Grit 3 to 2.",
                json!({"subject": name("Jory"), "damage_type": "fire", "amount": 7, "by": name("Owl"), "gained": []}),
                json!([moved("Hit points", 9, 5), moved("Grit", 3, 2)]),
            ),
            (
                "Jory takes no damage.",
                json!({"subject": name("Jory"), "gained": []}),
                Value::Null,
            ),
            (
                "Jory recovers 3 (rest: bread): Hit points 5 to 8/9.",
                json!({"subject": name("Jory"), "amount": -3, "gained": []}),
                json!([moved("Hit points", 5, 8)]),
            ),
            (
                "Rat recovers and is hurt.",
                json!({"subject": name("Rat"), "gained": []}),
                Value::Null,
            ),
            (
                "slashing damage changes nothing for Rat (a roll that was used on Rat before).",
                json!({"subject": name("Rat"), "gained": []}),
                Value::Null,
            ),
        ] {
            let read = damage(text).expect(text);
            assert_eq!(
                (&read["event"], read.get("changes").unwrap_or(&Value::Null)),
                (&event, &changes),
                "{text}"
            );
        }
        assert_eq!(damage("Something else"), None);
    }

    #[test]
    fn a_campaigns_name_is_read() {
        for (kind, text, name) in [
            (
                "campaign_created",
                "The campaign The Lockhouse begins (night).",
                Some("The Lockhouse"),
            ),
            (
                "campaign_created",
                "The campaign It begins begins.",
                Some("It begins"),
            ),
            (
                "campaign_renamed",
                "The campaign North is called The Quorum from now on.",
                Some("The Quorum"),
            ),
            ("note", "The campaign North begins.", None),
            (
                "campaign_created",
                "Something happens behind the screen.",
                None,
            ),
        ] {
            assert_eq!(read_name(kind, text), name, "{text}");
        }
    }

    #[test]
    fn turns_checks_and_combatants_are_read() {
        let check = |skill: &str| json!({"subject": {"name": "Sabeth"}, "skill": skill});
        let attack = |skill: &str| json!({"subject": {"name": "Sabeth"}, "skill": skill, "against": {"name": "Rat"}});
        for (kind, text, event) in [
            (
                "turn_began",
                "Round 12: Jory's turn.",
                json!({"round": 12, "began": {"name": "Jory"}}),
            ),
            (
                "turn_began",
                "Round 2: Ann: the Red goes on.",
                json!({"round": 2, "began": {"name": "Ann: the Red"}}),
            ),
            ("round_began", "Round 3 begins.", json!({"round": 3})),
            (
                "turn_taken_back",
                "Jory's turn is taken back. Bless lasts on.",
                json!({"from": {"name": "Jory"}}),
            ),
            (
                "combatant",
                "Rat is out of the fight.",
                json!({"subject": {"name": "Rat"}, "act": "defeated"}),
            ),
            (
                "check",
                "Sabeth, Lockpicking at Rat: done.",
                attack("Lockpicking"),
            ),
            (
                "check",
                "Sabeth, Bite (wolf form only) at Rat (Push) (the hand at the rail): done.",
                attack("Bite (wolf form only)"),
            ),
            (
                "check",
                "Sabeth, Lockpicking (at night, at once): done.",
                check("Lockpicking"),
            ),
        ] {
            assert_eq!(read_of(kind, text), Some(json!({"event": event})), "{text}");
        }
        for (kind, text) in [
            ("turn_began", "Round x"),
            ("check", "Somebody else, Lockpicking: done."),
            ("note", "Note: x."),
        ] {
            assert_eq!(read_of(kind, text), None, "{text}");
        }
    }
}
