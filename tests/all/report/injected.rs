//! Names, notes, contexts and titles that would like to be markup.

use rollbook_game::view::Audience;
use rollbook_record::report::Format;
use serde_json::json;

use super::rig::report;
use crate::table::Table;

const HOSTILE: &str = "</title></style><script>alert(1)</script><img src=x onerror=alert(1)>\" onclick='x' &lt; [a](javascript:b) `c` | d";

#[test]
fn nothing_that_people_write_becomes_markup() {
    let mut table = Table::of_rules(None);
    let title = "</title></style><script>alert(1)</script><img src=x onerror=alert(1)>";
    table.manage_session(json!({"action": "start", "title": title})).is_fine();
    let name = "<b>Eve</b> *x* ";
    table.manage_character(json!({"action": "create", "name": name})).is_fine();
    for kind in ["scene", "thread", "discovery"] {
        table.manage_session(json!({"action": "note", "text": HOSTILE, "kind": kind})).is_fine();
    }
    table
        .dice([5])
        .roll_dice(json!({"expression": "1d20 # <u>why</u>", "context": HOSTILE, "character": name}))
        .is_fine();
    table.manage_combat(json!({"action": "start", "title": title, "combatants": [{"name": name, "hp": 8}]})).is_fine();
    table.manage_combat(json!({"action": "end", "outcome": HOSTILE})).is_fine();
    for audience in [Audience::Player, Audience::Gm] {
        let html = report(&table, audience, Format::Html);
        for tag in ["<script", "<img", "<b>", "<u>", " onclick='", " onerror=alert(1)>\""] {
            assert!(!html.contains(tag), "{tag}");
        }
        assert_eq!(html.matches("<style>").count(), 1);
        assert_eq!(html.matches("</title>").count(), 1 + html.matches("<svg").count());
        assert!(html.contains("&lt;script&gt;alert(1)") && html.contains("&lt;b&gt;Eve"));
        let markdown = report(&table, audience, Format::Markdown);
        assert!(!markdown.replace("\\<", "").contains('<'), "{markdown}");
        assert!(markdown.contains("\\[a\\](javascript") && markdown.contains("\\`c\\`"), "{markdown}");
        // Every bar in a row of a table that people wrote is escaped, so each row has as many as its heading.
        for line in markdown.lines().filter(|line| line.starts_with('|')) {
            let bars = line.replace("\\|", "").matches('|').count();
            assert!((3..=8).contains(&bars), "{line}");
        }
    }
}
