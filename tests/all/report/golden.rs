//! Whole reports, as they were read by a person.

use std::path::Path;

use rollbook_game::view::Audience;
use rollbook_record::report::Format;
use rollbook_record::report::facts::Sessions;
use sha2::{Digest as _, Sha256};

use super::rig::{evening, report, written};

/// The page without its style sheet, which has a file of its own.
fn page(html: &str) -> String {
    let (head, rest) = html.split_once("<style>").expect("a style sheet");
    let (_, body) = rest.split_once("</style>").expect("its end");
    format!("{head}{body}")
}

#[test]
fn a_players_report_of_an_evening() {
    let table = evening();
    insta::assert_snapshot!(
        "players_html",
        page(&report(&table, Audience::Player, Format::Html))
    );
    insta::assert_snapshot!(
        "players_markdown",
        report(&table, Audience::Player, Format::Markdown)
    );
}

#[test]
fn a_gms_report_of_an_evening() {
    let table = evening();
    insta::assert_snapshot!("gm_html", page(&report(&table, Audience::Gm, Format::Html)));
    insta::assert_snapshot!(
        "gm_markdown",
        report(&table, Audience::Gm, Format::Markdown)
    );
}

/// A stale picture is found by its page's digest, which `tests/browser/run --pictures` writes beside
/// it.
#[test]
fn the_picture_of_the_report_shows_this_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let html = report(&evening(), Audience::Player, Format::Html);
    let digest = base16ct::lower::encode_string(&Sha256::digest(&html));
    let shown = std::fs::read_to_string(root.join("docs/pictures/report.sha256"));
    if shown.unwrap_or_default().trim() != digest {
        let folder = root.join("target/browser");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("report.html"), html).expect("written");
        panic!("docs/pictures/report.png is of another page: run tests/browser/run --pictures");
    }
}

#[test]
fn the_same_log_gives_the_same_bytes() {
    let table = evening();
    for audience in [Audience::Player, Audience::Gm] {
        for format in [Format::Html, Format::Markdown] {
            assert_eq!(
                report(&table, audience, format),
                report(&table, audience, format)
            );
        }
    }
}

#[test]
fn a_report_is_of_one_session_the_last_or_all() {
    let mut table = evening();
    table
        .manage_session(serde_json::json!({"action": "start", "title": "The second night"}))
        .is_fine();
    table
        .manage_session(serde_json::json!({"action": "note", "text": "A new day"}))
        .is_fine();
    let of = |sessions| written(&table, Audience::Player, Format::Markdown, sessions).1;
    let (first, last, all) = (
        of(Sessions::Number(1)),
        of(Sessions::Last),
        of(Sessions::All),
    );
    assert!(
        first.contains("session 1, The dark lamp") && !first.contains("A new day"),
        "{first}"
    );
    assert!(
        last.contains("session 2, The second night") && last.contains("A new day"),
        "{last}"
    );
    assert!(!last.contains("harbour-master"), "{last}");
    assert!(
        all.contains("sessions 1 to 2")
            && all.contains("harbour-master")
            && all.contains("A new day"),
        "{all}"
    );
    let wanted = rollbook_record::report::Wanted {
        sessions: Sessions::Number(7),
        audience: Audience::Gm,
        format: Format::Html,
    };
    let refused = table.wait(rollbook_record::report::report(
        &table.location(),
        None,
        wanted,
        &table.path("none"),
    ));
    let refused = refused.expect_err("there is none").to_string();
    assert!(
        refused.contains("no session 7") && refused.contains("1 to 2"),
        "{refused}"
    );
    assert!(!table.path("none").exists());
}
