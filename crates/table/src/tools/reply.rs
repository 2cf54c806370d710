//! What every reply has in common.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};

use super::parameter::ShownTo;
use crate::session::Common;
use rollbook_game::decide::advancement::offer;
use rollbook_game::decide::character::NOT_READ;
use rollbook_game::mechanics::lookup;
use rollbook_game::record::entry::Visibility;
use rollbook_game::record::event::Event;
use rollbook_game::record::event::Subject;
use rollbook_game::record::state::State;
use rollbook_game::refusal::{Code, Detail, Refusal};
use rollbook_game::table::{Table, Written};
use rollbook_game::view::Audience;
use rollbook_game::view::call::{CallEntry, Sentence, sentences};
use rollbook_text::names::{listed, quoted, shortened};

/// Whether a count is left out of a reply.
pub(crate) fn is_zero<T: Default + PartialEq>(count: &T) -> bool {
    *count == T::default()
}

/// `None` for an empty list, map or text, which a reply leaves out.
pub(crate) fn filled<T: Default + PartialEq>(value: T) -> Option<T> {
    (!is_zero(&value)).then_some(value)
}

/// The fields of a reply that have a value.
pub(crate) fn fields(reply: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(reply) {
        Ok(Value::Object(fields)) => fields
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .collect(),
        _ => Map::new(),
    }
}

pub(crate) fn invalid(
    parameter: &str,
    issue: &str,
    valid_range: &str,
    summary: impl Into<String>,
) -> Refusal {
    let [parameter, issue, valid_range] = [parameter, issue, valid_range].map(str::to_owned);
    let detail = Detail {
        parameter,
        issue,
        valid_range,
    };
    Refusal::new(Code::InvalidParameters, summary).details(vec![detail])
}

/// Refuses an entry of an earlier log, whose numbers are below 0; `instead` is what to send.
pub(crate) fn of_earlier_log(parameter: &str, number: i64, instead: &str) -> Refusal {
    let issue = format!("#{number} is of an earlier log, and its dice are not in this one");
    invalid(parameter, &issue, instead, format!("{issue}. {instead}"))
}

/// Refuses the fields that were sent and that this action does not take, with the actions that do.
/// A field is its name, whether it was sent, and the actions; `instead` is the end of the summary.
pub(crate) fn refuse_unread<A: Copy + PartialEq + Serialize>(
    action: A,
    fields: &[(&str, bool, &[A])],
    between: &str,
    instead: impl Fn(&[Detail]) -> String,
) -> Result<(), Refusal> {
    let unread = fields
        .iter()
        .filter(|(_, sent, actions)| *sent && !actions.contains(&action));
    let name = |action: &A| {
        serde_json::to_value(action)
            .ok()?
            .as_str()
            .map(str::to_owned)
    };
    let name = |action: &A| name(action).unwrap_or_default();
    let detail = |(parameter, _, actions): &(&str, bool, &[A])| Detail {
        parameter: (*parameter).to_owned(),
        issue: format!("{} does not take it", name(&action)),
        valid_range: format!(
            "of {}",
            actions.iter().map(name).collect::<Vec<_>>().join(between)
        ),
    };
    let unread: Vec<Detail> = unread.map(detail).collect();
    if unread.is_empty() {
        return Ok(());
    }
    let belongs: Vec<String> = unread
        .iter()
        .map(|detail| format!("{} is {}", detail.parameter, detail.valid_range))
        .collect();
    let (belongs, instead) = (belongs.join("; "), instead(&unread));
    let summary = format!("{} does not take this: {belongs}.{instead}", name(&action));
    Err(Refusal::new(Code::InvalidParameters, summary).details(unread))
}

/// The common fields of a writing call: sentences, numbers, rule. Sealing adds the receipt.
pub(crate) fn common(table: &Table) -> Common {
    let entries: Vec<&Written> = table.call_entries().collect();
    let gm = entries
        .iter()
        .copied()
        .map(|written| call_entry(written, written.entry.sentence(Audience::Gm, true), true));
    let players = entries.iter().copied().map(|written| {
        let seen = written.players.seen.as_ref();
        call_entry(
            written,
            seen.map(|seen| seen.text.clone()),
            written.players.whole,
        )
    });
    let (gm, players): (Vec<CallEntry<'_>>, Vec<CallEntry<'_>>) = (gm.collect(), players.collect());
    let (summary, players) = (
        sentences(&gm, Audience::Gm),
        sentences(&players, Audience::Player),
    );
    let common = Common {
        player_text: (!players.is_empty()).then(|| joined(&players)),
        reader: entries.iter().find_map(|written| {
            let reader = written.entry.reader.as_ref()?;
            Some(reader.name.clone())
        }),
        ..Common::of(joined(&summary))
    };
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
        return common;
    };
    Common {
        log: Some(first.seq),
        entries: (last.seq != first.seq).then_some([first.seq, last.seq]),
        noted: table.notes.clone(),
        next: asked_tables(table).or_else(|| offer(table)),
        rule: entries
            .iter()
            .find_map(|written| written.entry.rule.clone()),
        ..common
    }
}

/// The calls that roll on the random tables which the triggers of clocks tell to roll on.
fn asked_tables(table: &Table) -> Option<String> {
    let fired = table
        .call_entries()
        .filter_map(|written| match &written.entry.event {
            Event::Clock(event) => Some(&event.triggers),
            _ => None,
        });
    let rules = table.system().company.as_deref()?;
    let trigger_of = |text: &String| rules.triggers.iter().find(|trigger| trigger.text == *text);
    let names: BTreeSet<&String> = fired
        .flatten()
        .filter_map(trigger_of)
        .flat_map(|trigger| &trigger.tables)
        .collect();
    let calls = names
        .into_iter()
        .map(|name| format!("roll_dice table=\"{name}\""));
    let calls: Vec<String> = calls.collect();
    (!calls.is_empty()).then(|| format!("{} rolls what the clock asks for.", calls.join(", ")))
}

fn call_entry(written: &Written, text: Option<String>, whole: bool) -> CallEntry<'_> {
    CallEntry {
        entry: &written.entry,
        seq: written.seq,
        text,
        whole,
    }
}

/// Sentences of a call that are shown, and of those the last ones, which say how things stand now.
const SENTENCES_MAX: usize = 20;
const LAST_MAX: usize = 4;

/// The sentences of a call; of a long one the falls, effects and turns, the last, and what fits.
fn joined(sentences: &[Sentence]) -> String {
    let all = sentences.len();
    let weighty = (0..all).rev().filter(|nth| {
        sentences
            .get(*nth)
            .is_some_and(|sentence| sentence.is_weighty)
    });
    let mut kept: BTreeSet<usize> = (0..all).rev().take(LAST_MAX).collect();
    for nth in weighty.chain(0..all) {
        if kept.len() >= SENTENCES_MAX {
            break;
        }
        kept.insert(nth);
    }
    let mut text = String::new();
    let mut next = 0;
    for (nth, sentence) in sentences
        .iter()
        .enumerate()
        .filter(|(nth, _)| kept.contains(nth))
    {
        let space = if text.is_empty() { "" } else { " " };
        match nth - next {
            0 => text.push_str(space),
            left_out => text.push_str(&format!("{space}… and {left_out} more … ")),
        }
        text.push_str(&sentence.text);
        next = nth + 1;
    }
    text
}

/// The fields of a refusal, as a reply: with that nothing was rolled, unless that is not known.
pub fn refused(refusal: &Refusal) -> Map<String, Value> {
    let mut fields = fields(refusal);
    let rolled = (!refusal.aside.is_open).then(|| ("rolled".to_owned(), false.into()));
    fields.extend(rolled);
    fields
}

/// In the reply to `formula`, which as text is that of the smallest dice server and no more.
pub(crate) const FACES: &str = "\nIndividual results: ";

/// Bytes of what comes next in the text of a reply; the reply itself has all of it.
const NEXT_MAX: usize = 88;

/// Where less room is left for it, the text does without.
const NEXT_MIN: usize = 20;

/// Bytes of what is noted beside the summary.
const NOTED_MAX: usize = 60;

/// Letters of the lines that it says were not read.
const UNREAD_MAX: usize = 76;

/// A reply as text, for clients that show nothing else: the summary, what players may hear, the
/// entry's number, and what comes next.
pub fn text(reply: &Map<String, Value>) -> String {
    let of = |name: &str| reply.get(name).and_then(Value::as_str);
    let summary = of("summary").unwrap_or_default();
    let mut text = summary.to_owned();
    if summary.contains(FACES) {
        return text;
    }
    let log = reply.get("log").and_then(Value::as_u64);
    let players = of("players")
        .or(of("player_text"))
        .or(log.map(|_| "nothing"));
    if let Some(players) = players {
        // A receipt for players is all that it has more.
        let words = match players.strip_prefix(summary) {
            Some(more) if !summary.is_empty() => format!("same{more}"),
            _ => players.to_owned(),
        };
        text.push_str(&format!("\nPlayers: {words}"));
    }
    text.extend(log.map(|log| format!("\n#{log}")));
    let noted = noted(reply);
    text.push_str(&noted);
    let room = NEXT_MAX.saturating_sub(noted.len());
    if let Some(next) = of("next").filter(|_| room >= NEXT_MIN) {
        text.push_str(&format!("\n{}", cut(next, room)));
    }
    text
}

/// The beginning of a text, of so many bytes at most, and a sign where it is not all.
fn cut(text: &str, bytes: usize) -> String {
    let shown = text.get(..text.floor_char_boundary(bytes));
    let more = if text.len() > bytes { "…" } else { "" };
    format!("{}{more}", shown.unwrap_or_default())
}

/// What is noted beside the summary, by its beginning, and the lines of a sheet that were not read,
/// the first by their beginnings; `noted` has all of it.
fn noted(reply: &Map<String, Value>) -> String {
    let notes = reply.get("noted").and_then(Value::as_array);
    let notes = notes.into_iter().flatten().filter_map(Value::as_str);
    let (unread, others): (Vec<&str>, Vec<&str>) =
        notes.partition(|note| note.starts_with(NOT_READ));
    if unread.is_empty() {
        return match others.is_empty() {
            true => String::new(),
            false => format!("\nNoted: {}", cut(&others.join("; "), NOTED_MAX)),
        };
    }
    let lines = unread.iter().filter_map(|note| note.strip_prefix(NOT_READ));
    let lines: Vec<String> = lines.map(|line| shortened(line, UNREAD_MAX / 2)).collect();
    format!(
        "\nNot read: {} (see noted)",
        listed(lines.iter().map(String::as_str), UNREAD_MAX)
    )
}

/// For whom a call's entry is: how players see it, and the one player for whom it is if it is
/// hidden from the others.
pub(crate) type Shown = (Option<Visibility>, Option<Subject>);

/// `visible: false` is for the GM alone, unless `visibility` says more. Errors: they contradict, or
/// nobody or several have that name.
pub(crate) fn shown(
    state: &State,
    named: Option<&ShownTo>,
    visible: Option<bool>,
) -> Result<Shown, Refusal> {
    let (named, reader) = match named {
        None => (None, None),
        Some(ShownTo::As(visibility)) => (Some(*visibility), None),
        Some(ShownTo::Player(name)) => (Some(Visibility::Gm), Some(lookup::reader(state, name)?)),
    };
    let visibility = match (named, visible) {
        (Some(named), Some(visible))
            if visible != (named == Visibility::Public)
                && (visible || named == Visibility::Public) =>
        {
            let summary = format!(
                "visible={visible} and visibility=\"{}\" contradict each other. Send visibility alone: \"public\", \"outcome_only\", \
                 \"blind\" or \"gm\".",
                reader.map_or(named.as_str().to_owned(), |reader| quoted(&reader.name))
            );
            return Err(Refusal::new(Code::InvalidParameters, summary));
        }
        (Some(named), _) => Some(named),
        (None, Some(true)) => Some(Visibility::Public),
        (None, Some(false)) => Some(Visibility::Gm),
        (None, None) => None,
    };
    Ok((visibility, reader))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{NOT_READ, text};

    fn of(reply: Value) -> String {
        match reply {
            Value::Object(reply) => text(&reply),
            other => text(&Map::from_iter([("summary".to_owned(), other)])),
        }
    }

    #[test]
    fn the_text_of_a_reply_has_what_players_may_hear_the_number_and_what_comes_next() {
        let next = "ä".repeat(100);
        let all =
            of(json!({"summary": "Ann hits.", "players": "nothing", "log": 123_456, "next": next}));
        let (start, end) = ("Ann hits.\nPlayers: nothing\n#123456\n", "ä".repeat(44));
        assert_eq!(all, format!("{start}{end}…"));
        assert!(all.len() - "Ann hits.".len() <= 120, "{}", all.len());
        // In full, and where players are due a receipt.
        let full = |heard: &str| {
            of(json!({"summary": "Ann hits.", "player_text": heard, "log": 2, "next": "end"}))
        };
        assert_eq!(full("Ann hits."), "Ann hits.\nPlayers: same\n#2\nend");
        assert_eq!(
            full("Ann hits. Receipt: #2 ab."),
            "Ann hits.\nPlayers: same Receipt: #2 ab.\n#2\nend"
        );
        assert_eq!(
            full("A die falls."),
            "Ann hits.\nPlayers: A die falls.\n#2\nend"
        );
        assert_eq!(
            of(json!({"summary": "Ann hits.", "log": 2})),
            "Ann hits.\nPlayers: nothing\n#2"
        );
        // What was not read is named, however much it is.
        let notes: Vec<String> = (0..9)
            .map(|n| format!("{NOT_READ}\"Attack: {n} of them\" (why)."))
            .collect();
        let unread = of(json!({"summary": "Ann is made.", "noted": notes}));
        let named = "Not read: \"Attack: 0 of them\" (why)., \"Attack: 1 of them\" (why). and 7 more (see noted)";
        assert_eq!(unread, format!("Ann is made.\n{named}"));
        let notes = vec![format!("{NOT_READ}{}", "x".repeat(300)); 9];
        assert!(of(json!({"noted": notes})).len() <= 120);
        // So is what else is noted, before what comes next.
        let all = of(
            json!({"summary": "Ann hits.", "players": "nothing", "log": 123_456,
            "noted": ["Ann is down, and rolls all the same", "x".repeat(99)], "next": next}),
        );
        let noted = format!("Ann is down, and rolls all the same; {}…", "x".repeat(23));
        let start = format!("Ann hits.\nPlayers: nothing\n#123456\nNoted: {noted}");
        assert_eq!(all, start);
        let short = of(json!({"noted": ["3 is read"], "next": "Bo is up."}));
        assert_eq!(short, "\nNoted: 3 is read\nBo is up.");
        // Nothing was logged, or the reader is a player.
        assert_eq!(of(json!("Ann is well.")), "Ann is well.");
        assert_eq!(of(json!({})), "");
    }
}
