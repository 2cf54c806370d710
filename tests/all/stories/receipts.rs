//! Players are told a receipt as a session begins and ends, and once in 25 entries.

use rollbook_game::view::Audience;
use rollbook_record::export::{self, Format, Wanted};
use serde_json::json;

use crate::table::{Answer, NOW, Table};

fn roll(table: &mut Table, visibility: &str) -> Answer {
    table.dice([4]).roll_dice(json!({"expression": "d6", "visibility": visibility}))
}

/// The receipt in the words for players, which has to be the reply's own.
fn told(answer: &Answer) -> Option<String> {
    let receipt = answer.is_fine()["receipt_for_players"].as_str().map(str::to_owned);
    let text = answer["player_text"].as_str().unwrap_or_default();
    assert_eq!(receipt.is_some(), text.contains(" Receipt: #"), "{answer:?}");
    assert!(
        receipt.iter().all(|own| answer["receipt"] == **own && text.ends_with(&format!(" Receipt: {own}."))),
        "{answer:?}"
    );
    receipt
}

#[test]
fn a_session_that_opens_by_itself_tells_one_with_the_next_words_for_players() {
    let mut table = Table::lockhouse();
    assert_eq!(told(&roll(&mut table, "public")), None, "before it nothing was written");
    assert!(told(&table.manage_session(json!({"action": "end"}))).is_some());
    assert!(told(&roll(&mut table, "public")).is_some(), "session 2 opens with it");
    assert_eq!(told(&roll(&mut table, "public")), None);
    table.manage_session(json!({"action": "end"})).is_fine();
    // Of what players hear nothing of they get none, and it is not forgotten.
    assert_eq!(told(&roll(&mut table, "gm")), None);
    assert!(told(&roll(&mut table, "public")).is_some());
    assert_eq!(told(&roll(&mut table, "public")), None);
}

#[test]
fn one_is_told_in_25_entries() {
    let mut table = Table::lockhouse();
    let receipts: Vec<i64> = (0..60)
        .filter_map(|_| {
            let answer = roll(&mut table, "public");
            told(&answer).map(|_| answer.number("log"))
        })
        .collect();
    assert_eq!(receipts, [25, 50]);
}

#[test]
fn an_older_receipt_is_said_to_lie_before_a_part_and_is_no_finding() {
    let mut table = Table::lockhouse();
    let early = roll(&mut table, "public").text("receipt").to_owned();
    table.manage_session(json!({"action": "end"})).is_fine();
    roll(&mut table, "public").is_fine();
    table.restart();
    let wanted = Wanted { session: Some(export::Sitting::Last), ..Wanted::of(Audience::Player, Format::Jsonl) };
    let part = table.path("part.jsonl");
    table.wait(export::export(table.location(), &wanted, &part, NOW)).expect("is written");
    let checked = table.wait(export::check_copy(&part, Some(&early))).expect("is checked");
    assert_eq!((checked.findings.as_slice(), checked.receipted), (&[][..], None));
    assert!(checked.incomparable.as_ref().is_some_and(|why| why.contains(&format!(" is of {}, which", &early[..early.find(' ').expect("a number")]))), "{checked:?}");
}
