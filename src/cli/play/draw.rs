//! Replies that are more than a sentence: fights, sheets, the rules' words, odds.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::play::command::as_commands;
use crate::play::toolbox::{around, list, text};
use rollbook_game::mechanics::clocks::HIDDEN;
use rollbook_game::view::Audience;
use rollbook_text::markdown::{self, table};
use rollbook_text::names::{in_one_line, printable};
use rollbook_text::terminal::{self, BOLD, DIM, PLAIN, wrapped};

const HEALTH: usize = 10;
const BARS_FROM: usize = 60; // Columns of a terminal that has room for bars
const ODDS: usize = 40; // Cells of a bar of 100 %, at most
const ROOM_MIN: usize = 20; // The fewest columns that a line keeps after its beginning

/// What a reply looks like; `None` for one whose sentence says it all.
pub fn picture(
    tool: &str,
    reply: &Map<String, Value>,
    audience: Audience,
    width: usize,
) -> Option<String> {
    let sentence = |text: &str| {
        Some(format!(
            "  {}\n",
            wrapped(&printable(text), width.saturating_sub(2), 2)
        ))
    };
    let is_logged = reply.contains_key("log");
    match tool {
        "manage_combat" if !is_logged && list(reply, "order").next().is_some() => {
            match (audience, text(reply, "player_text")) {
                (Audience::Gm, _) => Some(fight(reply, width)),
                (Audience::Player, "") => sentence("No fight is on."),
                (Audience::Player, players) => sentence(players),
            }
        }
        "odds" => odds(reply, width),
        "get_character" => sheet(reply, "sheet", width)
            .or_else(|| people(reply, "characters", width))
            .or_else(|| sentence(&as_commands(tool, text(reply, "summary")))),
        "get_rules" => {
            sheet(reply, "untrusted_text", width).or_else(|| texts(reply, &["understood"], width))
        }
        "manage_session" if reply.contains_key("log_length") => {
            Some(status(reply, audience, width))
        }
        "manage_session" if list(reply, "sessions").next().is_some() => {
            Some(sessions(reply, width))
        }
        "manage_session" if !is_logged => sentence(&as_commands(tool, text(reply, "summary"))),
        "manage_character" => texts(reply, &["document"], width),
        _ => None,
    }
}

/// The state of the table: which campaign, who is there, what goes on.
pub fn status(reply: &Map<String, Value>, audience: Audience, width: usize) -> String {
    let rules = around(" (", text(reply, "rules"), ")");
    let session = match reply.get("session").and_then(Value::as_u64) {
        Some(number) => format!("session {number} is open"),
        None => "no session is open yet".to_owned(),
    };
    let head = printable(&format!("{}{rules}: {session}.", text(reply, "campaign")));
    let nobody = "Nobody is here yet. /new NAME: SCORE N, SKILL +N makes a character.";
    let party = people(reply, "party", width)
        .unwrap_or_else(|| format!("  {}\n", wrapped(nobody, width.saturating_sub(2), 2)));
    let head = wrapped(&head, width, 0);
    let mut out = format!("{BOLD}{head}{BOLD:#}\n{party}");
    let is_gm = audience == Audience::Gm;
    let clocks = list(reply, "clocks").filter_map(Value::as_str);
    let clocks: Vec<&str> = clocks
        .filter(|clock| is_gm || !clock.ends_with(HIDDEN))
        .collect();
    if !clocks.is_empty() {
        let clocks = printable(&format!("Clocks: {}.", clocks.join(", ")));
        out.push_str(&format!(
            "  {}\n",
            wrapped(&clocks, width.saturating_sub(2), 2)
        ));
    }
    let combat = text(reply, "combat");
    if !combat.is_empty() && (is_gm || !combat.contains(", prepared;")) {
        out.push_str("  A fight is on: /fight shows it.\n");
    }
    let problems = list(reply, "problems").count();
    if problems > 0 {
        out.push_str(&format!(
            "  The rules have remarks ({problems}): rollbook check shows them.\n"
        ));
    }
    out
}

/// Lines that are too long are broken at blanks, under where they begin.
fn broken(text: &str, width: usize) -> String {
    let line = |line: &str| {
        let begins = line.trim_start_matches([' ', '>', '-']);
        let (lead, room) = line.split_at(line.len() - begins.len());
        let indent = lead.chars().count();
        format!(
            "{lead}{}\n",
            wrapped(room, width.saturating_sub(indent).max(ROOM_MIN), indent)
        )
    };
    text.lines().map(line).collect()
}

fn texts(reply: &Map<String, Value>, fields: &[&str], width: usize) -> Option<String> {
    let texts = fields
        .iter()
        .map(|field| text(reply, field).trim())
        .filter(|text| !text.is_empty());
    let texts: Vec<&str> = texts.collect();
    (!texts.is_empty()).then(|| broken(&printable(&texts.join("\n\n")), width))
}

/// The sittings, the last below.
fn sessions(reply: &Map<String, Value>, width: usize) -> String {
    let row = |sitting: &Map<String, Value>| {
        let number = sitting
            .get("number")
            .map_or(String::new(), Value::to_string);
        let day = |field: &str| text(sitting, field).split('T').next().unwrap_or_default();
        let ended = match day("to") {
            "" => "open",
            _ => "",
        };
        [number.as_str(), day("from"), ended, text(sitting, "title")]
            .map(printable)
            .to_vec()
    };
    let rows = list(reply, "sessions").filter_map(Value::as_object);
    table(
        &rows.map(row).collect::<Vec<_>>(),
        false,
        |nth| nth == 0,
        width,
    )
}

/// A field that is Markdown.
fn sheet(reply: &Map<String, Value>, field: &str, width: usize) -> Option<String> {
    let text = text(reply, field).trim();
    (!text.is_empty()).then(|| markdown::drawn(text, width))
}

/// People below each other: "Ana, player, level 1: Hit points 9/12; dazed." has a bar.
fn people(reply: &Map<String, Value>, field: &str, width: usize) -> Option<String> {
    let row = |line: &str| {
        let Some((who, how)) = line.split_once(": ") else {
            return vec![line.to_owned()];
        };
        let (name, what) = who.split_once(", ").unwrap_or((who, ""));
        let first = how.split([',', ';', '.']).next().unwrap_or_default();
        let health = first
            .split_whitespace()
            .next_back()
            .and_then(|health| bar(health, width));
        [name, what, &health.unwrap_or_default(), how]
            .map(printable)
            .to_vec()
    };
    let rows: Vec<Vec<String>> = list(reply, field)
        .filter_map(Value::as_str)
        .map(row)
        .collect();
    (!rows.is_empty()).then(|| table(&rows, false, |_| false, width))
}

/// The fight: the one whose turn it is has a mark, and of health that is a number there is a bar.
fn fight(reply: &Map<String, Value>, width: usize) -> String {
    let round = reply
        .get("round")
        .and_then(Value::as_u64)
        .map_or(String::new(), |round| format!("Round {round}"));
    let state = around(
        " (",
        Some(text(reply, "status"))
            .filter(|state| *state != "running")
            .unwrap_or_default(),
        ")",
    );
    let mut out = format!("  {BOLD}{round}{state}{BOLD:#}\n");
    let current = printable(text(reply, "current"));
    let row = |place: &Map<String, Value>| {
        let (name, health) = (
            printable(text(place, "name")),
            printable(text(place, "health")),
        );
        let initiative = place
            .get("initiative")
            .and_then(Value::as_i64)
            .map(|number| number.to_string());
        let mark = if !current.is_empty() && name == current {
            "▸"
        } else {
            " "
        };
        let blank = if width < BARS_FROM { 0 } else { HEALTH };
        let bar = bar(&health, width).unwrap_or_else(|| " ".repeat(blank));
        vec![
            // A mark stays beside its name.
            format!("{mark}\u{a0}{name}"),
            initiative.unwrap_or_default(),
            format!("{health} {bar}"),
            rest(place),
        ]
    };
    let rows: Vec<Vec<String>> = list(reply, "order")
        .filter_map(Value::as_object)
        .map(row)
        .collect();
    let order = table(&rows, false, |nth| matches!(nth, 1 | 2), width);
    for line in order.replace('\u{a0}', " ").lines() {
        let is_current = line.trim_start().starts_with('▸');
        let style = if is_current { BOLD } else { PLAIN };
        let _ = writeln!(out, "{style}{line}{style:#}");
    }
    for other in list(reply, "others").filter_map(Value::as_str) {
        let _ = writeln!(out, "    {DIM}{}{DIM:#}", printable(other));
    }
    out
}

fn rest(place: &Map<String, Value>) -> String {
    let flag = |field: &str, word: &str| {
        if place.get(field) == Some(&Value::Bool(true)) {
            word
        } else {
            ""
        }
        .to_owned()
    };
    let ready = around("ready: ", text(place, "ready"), "");
    let word = |field: &str| text(place, field).to_owned();
    let mut all = vec![
        word("side"),
        flag("defeated", "down"),
        flag("hidden", "hidden"),
        word("waits"),
        ready,
    ];
    all.extend(
        list(place, "conditions")
            .filter_map(Value::as_str)
            .map(str::to_owned),
    );
    all.retain(|word| !word.is_empty());
    in_one_line(&all.join(", "))
}

/// So much of what there may be; none where there is little room.
fn bar(health: &str, width: usize) -> Option<String> {
    if width < BARS_FROM {
        return None;
    }
    let (now, most) = health.split_once('/')?;
    let (now, most): (i64, i64) = (now.trim().parse().ok()?, most.trim().parse().ok()?);
    let most = usize::try_from(most).ok().filter(|most| *most > 0)?;
    let now = usize::try_from(now.max(0)).ok()?.min(most);
    // A last point is seen.
    let full = (now * HEALTH).div_ceil(most);
    Some(format!("{}{}", "█".repeat(full), "░".repeat(HEALTH - full)))
}

/// The chances, a line each: of an expression's totals, of a check's outcomes.
fn odds(reply: &Map<String, Value>, width: usize) -> Option<String> {
    let all = list(reply, "totals")
        .chain(list(reply, "outcomes"))
        .filter_map(Value::as_object);
    let cells = (width / 2).clamp(5, ODDS);
    let rows = all.map(|row| {
        let number = |field: &str| {
            row.get(field)
                .and_then(Value::as_i64)
                .map(|number| number.to_string())
        };
        let named = || {
            ["label", "outcome"]
                .into_iter()
                .map(|field| text(row, field))
                .find(|name| !name.is_empty())
        };
        let label = match (number("total"), number("to")) {
            (Some(from), Some(to)) => format!("{from} to {to}"),
            (Some(total), None) => total,
            (None, _) => named().unwrap_or_default().replace('_', " "),
        };
        let percent = text(row, "percent");
        let part = number_of(percent).unwrap_or(0.0) / 100.0;
        vec![
            printable(&label),
            format!("{} %", short(percent)),
            terminal::bar(part, cells),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let words: Vec<String> = text(reply, "summary")
        .split(' ')
        .map(|word| {
            let number = word.trim_end_matches([',', ';', '.']);
            format!(
                "{}{}",
                short(number),
                word.get(number.len()..).unwrap_or_default()
            )
        })
        .collect();
    let summary = wrapped(&printable(&words.join(" ")), width.saturating_sub(2), 2);
    (!rows.is_empty())
        .then(|| format!("  {summary}\n{}", table(&rows, false, |nth| nth < 2, width)))
}

/// A percentage as a reply has it: "55.0000", "<0.0001".
fn number_of(percent: &str) -> Option<f64> {
    percent.trim_start_matches(['<', '>', ' ']).parse().ok()
}

/// A percentage of four decimals with one; what is neither 0 nor 100 is not shown as such. Other
/// words stay.
fn short(percent: &str) -> String {
    let decimals = percent.split_once('.').map_or(0, |(_, after)| after.len());
    match number_of(percent).filter(|_| decimals == 4) {
        Some(number) if number > 0.0 && number < 0.05 => "<0.1".to_owned(),
        Some(number) if (99.95..100.0).contains(&number) => ">99.9".to_owned(),
        Some(number) => format!("{number:.1}"),
        None => percent.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Audience, bar, picture};

    fn drawn(tool: &str, reply: Value, audience: Audience) -> String {
        let Value::Object(reply) = reply else {
            panic!("an object")
        };
        anstream::adapter::strip_str(&picture(tool, &reply, audience, 80).unwrap_or_default())
            .to_string()
    }

    #[test]
    fn a_fight_is_a_table_for_the_gm_and_a_sentence_for_players() {
        let fight = json!({"status": "running", "round": 2, "current": "Sabeth", "player_text": "Round 2, Sabeth's turn.", "order": [
            {"name": "Sabeth", "initiative": 19, "health": "9/13", "side": "players"},
            {"name": "Wrecker 1", "initiative": 7, "health": "0/7", "side": "foes", "defeated": true, "conditions": ["prone"]},
        ]});
        assert_eq!(
            drawn("manage_combat", fight.clone(), Audience::Gm),
            "  Round 2\n  ▸ Sabeth     19  9/13 ███████░░░  players\n    Wrecker 1   7   0/7 ░░░░░░░░░░  foes, down, prone\n"
        );
        assert_eq!(
            drawn("manage_combat", fight, Audience::Player),
            "  Round 2, Sabeth's turn.\n"
        );
    }

    #[test]
    fn bars_are_as_long_as_what_is_left_or_as_likely() {
        assert_eq!(
            ["7/7", "1/200", "-3/7"].map(|health| bar(health, 80).unwrap()),
            ["██████████", "█░░░░░░░░░", "░░░░░░░░░░"]
        );
        assert_eq!(
            ["unhurt", "3/0", "a/b"].map(|health| bar(health, 80)),
            [None, None, None]
        );
        let reply = json!({"summary": "1d4; mean 2.5, from 1 to 4.", "totals": [{"total": 1, "percent": "25.0000"}, {"total": 2, "to": 4, "percent": "75.0000"}]});
        let text = drawn("odds", reply, Audience::Gm);
        assert!(
            text.starts_with("  1d4; mean 2.5") && text.contains("       1  25.0 %  ██████████\n"),
            "{text}"
        );
    }
}
