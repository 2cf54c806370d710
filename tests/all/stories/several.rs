//! Several rolls in one call: all of them or none.

use serde_json::json;

use crate::table::Table;

#[test]
fn six_scores_are_rolled_in_one_call() {
    let mut table = Table::with_party();
    let faces = [[6, 5, 4, 1], [3, 3, 3, 3], [1, 1, 1, 6], [2, 4, 6, 5], [6, 6, 6, 6], [5, 1, 2, 2]];
    let call = json!({"rolls": [{"expression": "4d6kh3"}], "count": 6, "context": "scores", "character": "Jory"});
    let rolled = table.dice(faces.concat()).call("roll_multiple", call);
    assert_eq!(rolled["totals"], json!([15, 9, 8, 15, 18, 9]));
    assert_eq!(table.record().number("select count(*) from rolls"), 6);
    table.record().is_sound();
}

#[test]
fn one_bad_roll_and_none_is_made() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    let call = json!({"rolls": [{"expression": "d20"}, {"expression": "d7"}, {"expression": "d20"}]});
    table.call("roll_multiple", call).refused("invalid_die");
    let eleven = vec![json!({"expression": "d6"}); 11];
    for call in [
        json!({"rolls": []}),
        json!({"rolls": [{"expression": "d6"}], "count": 101}),
        json!({"rolls": eleven, "count": 100}),
    ] {
        assert!(table.call("roll_multiple", call.clone()).is_refused(), "{call}");
    }
    assert_eq!(table.record().everything(), before);
}
