//! What a person asks of the log in its order is a walk along an index, however long the log is.

use serde_json::Value;

use super::evening;

#[test]
fn a_view_in_the_order_of_its_entries_sorts_nothing() {
    let table = evening();
    let record = table.record();
    for view in ["entries"] {
        for asked in [
            "order by seq",
            "order by seq desc limit 20",
            "where campaign = 'lockhouse' order by seq",
            "where campaign = 'lockhouse' and kind = 'check' order by seq desc",
            "where session = 1 order by seq",
            "order by campaign, seq",
        ] {
            let plan = record.rows(&format!("explain query plan select * from {view} {asked}"));
            let steps: Vec<&str> = plan.iter().filter_map(|step| step["detail"].as_str()).collect();
            assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{view} {asked}: {steps:?}");
        }
    }
}

#[test]
fn the_view_shows_each_entry_once_in_order() {
    let table = evening();
    let seqs: Vec<Value> =
        table.record().rows("select seq from entries order by seq").into_iter().map(|row| row["seq"].clone()).collect();
    assert_eq!(seqs, (1..=table.record().length()).map(Value::from).collect::<Vec<_>>());
}
