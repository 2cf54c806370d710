//! Replies that are more than a sentence: a fight as a table, a sheet, the rules' words, odds as bars.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::cli::output::{Colour, wrapped};
use crate::play::command::as_commands;
use crate::play::toolbox::text;
use rollbook_game::mechanics::clocks::HIDDEN;
use rollbook_game::view::Audience;
use rollbook_text::names::printable;

const BOLD: Colour = Colour(anstyle::Style::new().bold());
const DIM: Colour = Colour(anstyle::Style::new().dimmed());

/// Cells of a bar of health, and of the longest bar of odds.
const HEALTH: usize = 10;
const ODDS: f64 = 40.0;
/// The fewest columns that a line keeps behind its beginning.
const ROOM_MIN: usize = 20;

/// What a reply looks like; `None` for one whose sentence says it all.
pub fn picture(tool: &str, reply: &Map<String, Value>, audience: Audience, width: usize) -> Option<String> {
    match tool {
        "manage_combat" if !reply.contains_key("log") && list(reply, "order").next().is_some() => {
            Some(match (audience, text(reply, "player_text")) {
                (Audience::Player, told) if !told.is_empty() => {
                    format!("  {}\n", wrapped(&printable(told), width.saturating_sub(2), 2))
                }
                (Audience::Player, _) => "  No fight is on.\n".to_owned(),
                (Audience::Gm, _) => fight(reply),
            })
        }
        "odds" => odds(reply),
        "get_character" => said(reply, &["sheet"], width).or_else(|| lines(reply, "characters")),
        "get_rules" => said(reply, &["untrusted_text", "understood"], width),
        "manage_session" if reply.contains_key("log_length") => Some(standing(reply, audience, width)),
        "manage_session" if !reply.contains_key("log") => {
            let told = as_commands(tool, text(reply, "summary"));
            Some(format!("  {}\n", wrapped(&printable(&told), width.saturating_sub(2), 2)))
        }
        "manage_character" => said(reply, &["document"], width),
        _ => None,
    }
}

/// How the table stands: which campaign, who is there, what goes on.
pub fn standing(reply: &Map<String, Value>, audience: Audience, width: usize) -> String {
    let rules = match text(reply, "rules") {
        "" => String::new(),
        rules => format!(" ({rules})"),
    };
    let session = match reply.get("session").and_then(Value::as_u64) {
        Some(number) => format!("session {number} is open"),
        None => "no session is open yet".to_owned(),
    };
    let head = printable(&format!("{}{rules}: {session}.", text(reply, "campaign")));
    let mut out = format!("{BOLD}{head}{BOLD:#}\n");
    out.push_str(
        &lines(reply, "party")
            .unwrap_or_else(|| "  Nobody is here yet. /new NAME: SCORE N, SKILL +N makes a character.\n".to_owned()),
    );
    let is_gm = audience == Audience::Gm;
    let clocks = list(reply, "clocks").filter_map(Value::as_str);
    let clocks: Vec<&str> = clocks.filter(|own| is_gm || !own.ends_with(HIDDEN)).collect();
    if !clocks.is_empty() {
        out.push_str(&format!("  Clocks: {}.\n", printable(&clocks.join(", "))));
    }
    let combat = text(reply, "combat");
    if !combat.is_empty() && (is_gm || !combat.contains(", prepared;")) {
        out.push_str("  A fight is on: /fight shows it.\n");
    }
    let problems = list(reply, "problems").count();
    if problems > 0 {
        out.push_str(&format!("  The rules have remarks ({problems}): rollbook check shows them.\n"));
    }
    let line = |line: &str| match line.strip_prefix("  ") {
        Some(line) => format!("  {}\n", wrapped(line, width.saturating_sub(2), 2)),
        None => format!("{}\n", wrapped(line, width, 0)),
    };
    out.lines().map(line).collect()
}

/// The texts of these fields; lines that are too long are broken at blanks, under where they begin.
fn said(reply: &Map<String, Value>, fields: &[&str], width: usize) -> Option<String> {
    let texts: Vec<&str> =
        fields.iter().map(|field| text(reply, field).trim()).filter(|text| !text.is_empty()).collect();
    let line = |line: &str| {
        let begins = line.trim_start_matches([' ', '>', '-']);
        let (lead, room) = line.split_at(line.len() - begins.len());
        let indent = lead.chars().count();
        format!("{lead}{}\n", wrapped(room, width.saturating_sub(indent).max(ROOM_MIN), indent))
    };
    (!texts.is_empty()).then(|| printable(&texts.join("\n\n")).lines().map(line).collect())
}

/// A list of texts, a line each.
fn lines(reply: &Map<String, Value>, field: &str) -> Option<String> {
    let lines: Vec<String> =
        list(reply, field).filter_map(Value::as_str).map(|line| format!("  {}\n", printable(line))).collect();
    (!lines.is_empty()).then(|| lines.concat())
}

fn list<'r>(reply: &'r Map<String, Value>, field: &str) -> impl Iterator<Item = &'r Value> {
    reply.get(field).and_then(Value::as_array).into_iter().flatten()
}

/// The fight: whoever is up has a mark, and of health that is a number there is a bar.
fn fight(reply: &Map<String, Value>) -> String {
    let mut out = String::new();
    let round = reply.get("round").and_then(Value::as_u64).map_or(String::new(), |round| format!("Round {round}"));
    let status = match text(reply, "status") {
        "running" | "" => String::new(),
        other => format!(" ({other})"),
    };
    let _ = writeln!(out, "  {BOLD}{round}{status}{BOLD:#}");
    let of = |place: &Value, field: &str| place.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let rows: Vec<[String; 4]> = list(reply, "order")
        .map(|place| {
            let initiative =
                place.get("initiative").and_then(Value::as_i64).map_or(String::new(), |own| own.to_string());
            [printable(&of(place, "name")), initiative, printable(&of(place, "health")), rest(place)]
        })
        .collect();
    let widest = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let (names, initiatives, healths) = (widest(0), widest(1), widest(2));
    let current = text(reply, "current");
    for (row, place) in rows.iter().zip(list(reply, "order")) {
        let [name, initiative, health, rest] = row;
        let is_up = !current.is_empty() && of(place, "name") == current;
        let (mark, style) = if is_up { ("▸", BOLD) } else { (" ", Colour(anstyle::Style::new())) };
        let bar = bar(health).unwrap_or_else(|| " ".repeat(HEALTH));
        let line = format!(
            "  {mark} {style}{name:names$}{style:#}  {initiative:>initiatives$}  {health:>healths$} {bar}  {rest}"
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    for other in list(reply, "others").filter_map(Value::as_str) {
        let _ = writeln!(out, "    {DIM}{}{DIM:#}", printable(other));
    }
    out
}

/// Side, conditions and all else there is to say of somebody in a fight.
fn rest(place: &Value) -> String {
    let is = |field: &str| place.get(field).and_then(Value::as_bool) == Some(true);
    let word = |field: &str| place.get(field).and_then(Value::as_str).map(printable);
    let conditions = place.get("conditions").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let flags = [("defeated", "down"), ("hidden", "hidden")]
        .into_iter()
        .filter(|(field, _)| is(field))
        .map(|(_, word)| word.to_owned());
    let ready = word("ready").map(|trigger| format!("ready: {trigger}"));
    let all: Vec<String> = word("side")
        .into_iter()
        .chain(flags)
        .chain(word("waits"))
        .chain(ready)
        .chain(conditions.map(printable))
        .collect();
    all.join(", ")
}

/// A bar of "4/7".
fn bar(health: &str) -> Option<String> {
    let (now, most) = health.split_once('/')?;
    let (now, most): (i64, i64) = (now.trim().parse().ok()?, most.trim().parse().ok()?);
    let most = usize::try_from(most).ok().filter(|most| *most > 0)?;
    let now = usize::try_from(now.max(0)).ok()?.min(most);
    // A last point is seen.
    let full = (now * HEALTH).div_ceil(most);
    Some(format!("{}{}", "█".repeat(full), "░".repeat(HEALTH - full)))
}

/// The chances, a line each; of an expression those of its totals, of a check those of its outcomes.
fn odds(reply: &Map<String, Value>) -> Option<String> {
    let percent = |row: &Value| {
        row.get("percent")
            .and_then(Value::as_str)
            .and_then(|text| text.trim_start_matches(['<', '>', ' ']).parse::<f64>().ok())
    };
    let rows: Vec<(String, f64, String)> = list(reply, "totals")
        .chain(list(reply, "outcomes"))
        .map(|row| {
            let number = |field: &str| row.get(field).and_then(Value::as_i64).map(|number| number.to_string());
            let word = |field: &str| row.get(field).and_then(Value::as_str).map(str::to_owned);
            let label = match (number("total"), number("to")) {
                (Some(from), Some(to)) => format!("{from} to {to}"),
                (Some(total), None) => total,
                (None, _) => word("label").or_else(|| word("outcome")).unwrap_or_default().replace('_', " "),
            };
            (printable(&label), percent(row).unwrap_or(0.0), word("percent").unwrap_or_default())
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let mut out = format!("  {}\n", printable(text(reply, "summary")));
    let most = rows.iter().map(|(_, percent, _)| *percent).fold(f64::MIN_POSITIVE, f64::max);
    let widest = rows.iter().map(|(label, _, _)| label.chars().count()).max().unwrap_or(0);
    let digits = rows.iter().map(|(_, _, said)| said.chars().count()).max().unwrap_or(0);
    for (label, percent, said) in rows {
        let cells = (percent / most * ODDS).round().clamp(0.0, ODDS) as usize;
        let line = format!("  {label:>widest$}  {said:>digits$} %  {DIM}{}{DIM:#}", "█".repeat(cells));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Audience, bar, picture};

    fn drawn(tool: &str, reply: Value, audience: Audience) -> String {
        let Value::Object(reply) = reply else { panic!("an object") };
        anstream::adapter::strip_str(&picture(tool, &reply, audience, 80).unwrap_or_default()).to_string()
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
        assert_eq!(drawn("manage_combat", fight, Audience::Player), "  Round 2, Sabeth's turn.\n");
    }

    #[test]
    fn bars_are_as_long_as_what_is_left() {
        assert_eq!(bar("7/7").unwrap(), "██████████");
        assert_eq!(bar("1/200").unwrap(), "█░░░░░░░░░");
        assert_eq!(bar("-3/7").unwrap(), "░░░░░░░░░░");
        assert_eq!([bar("unhurt"), bar("3/0"), bar("a/b")], [None, None, None]);
    }

    #[test]
    fn odds_have_bars() {
        let reply = json!({"summary": "1d4; mean 2.5, from 1 to 4.", "totals": [{"total": 1, "percent": "25.0000"}, {"total": 2, "to": 4, "percent": "75.0000"}]});
        let text = drawn("odds", reply, Audience::Gm);
        assert!(text.starts_with("  1d4; mean 2.5") && text.contains("       1  25.0000 %  █████████████\n"), "{text}");
    }
}
