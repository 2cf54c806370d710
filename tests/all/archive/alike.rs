//! Files of segments that have the same name, or are copied: the one that belongs to the log is read, wherever it lies.

use std::path::Path;

use rollbook::session::archive::{Wanted, archive};
use serde_json::{Value, json};

use super::{archived, archived_with, copies, play, sound};
use crate::table::{NOW, Record, Table, with};

/// A second campaign with two sessions.
fn play_another(table: &mut Table, name: &str) {
    let own = |call: Value| with(call, json!({"campaign": name}));
    for action in ["start", "end", "start"] {
        table.manage_session(own(json!({"action": action}))).is_fine();
    }
}

fn archive_named(table: &mut Table, name: &str) -> rollbook::session::archive::Archived {
    let wanted = Wanted { campaign: Some(name.to_owned()), before: 2, out: None };
    table.away(|table| table.wait(archive(&table.location(), &wanted, NOW, &mut |_| Ok(())))).expect("is archived")
}

#[test]
fn campaigns_whose_names_are_written_alike_are_archived_side_by_side() {
    for mut table in Table::with_party_in_each() {
        play_another(&mut table, "雪");
        play_another(&mut table, "冰");
        let (snow, ice) = (archive_named(&mut table, "雪"), archive_named(&mut table, "冰"));
        assert_eq!(
            (snow.segment.first, snow.segment.last),
            (ice.segment.first, ice.segment.last),
            "the names would be alike"
        );
        assert_eq!(snow.path.parent(), ice.path.parent());
        assert_ne!(snow.path, ice.path);
        table.record().is_sound_beside(3);
    }
}

#[test]
fn another_campaigns_file_in_the_first_place_hides_no_segment() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        play_another(&mut table, "two");
        let whole = copies_of(&table, "whole");
        let other = archive_named(&mut table, "two");
        let wanted = Wanted { campaign: Some("lockhouse".to_owned()), before: 3, out: Some(table.path("old")) };
        let own = table.away(|table| table.wait(archive(&table.location(), &wanted, NOW, &mut |_| Ok(()))));
        let own = own.expect("is archived");
        let taken = other.path.with_file_name(own.path.file_name().expect("a name"));
        std::fs::copy(&other.path, &taken).expect("is copied");
        table.record().is_sound_beside(2);
        assert!(copies_of(&table, "parts").starts_with(&whole));
        let asked = json!({"action": "entry", "entry": 2});
        let told = table.manage_session(asked).refused("too_old")["summary"].to_string();
        assert!(told.contains(&own.path.display().to_string()), "{told}");

        std::fs::remove_file(&own.path).expect("is removed");
        let verified = table.record().verified(None);
        let found = verified.first_finding().expect("it is gone");
        assert!(found.contains("is not the segment with #1 to"), "{found}");
    }
}

fn copies_of(table: &Table, name: &str) -> Vec<u8> {
    use rollbook::export::{Format, Wanted, export};
    use rollbook::game::view::Audience;
    let out = table.path(name);
    let wanted = Wanted::of(Audience::Gm, Format::Jsonl).campaign("lockhouse");
    table.wait(export(table.location(), &wanted, &out, NOW)).expect("is written");
    std::fs::read(out).expect("is read")
}

#[test]
fn of_two_copies_the_sealed_one_is_read() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let old = table.path("old");
        let own = archived_with(&mut table, 3, Some(old), &mut |_| Ok(())).expect("is archived");
        let before = copies(&table, "before");
        let folder = rollbook::store::segment::folder(&table.location()).expect("a folder");
        std::fs::create_dir_all(&folder).expect("a folder");
        let changed = folder.join(own.path.file_name().expect("a name"));
        std::fs::copy(&own.path, &changed).expect("is copied");
        change_a_byte(&changed);
        sound(&table);
        assert_eq!(copies(&table, "after"), before);
        std::fs::remove_file(&own.path).expect("is removed");
        let verified = table.record().verified(None);
        let found = verified.first_finding().expect("it was changed");
        assert!(found.contains("is not the file that was sealed: it was changed"), "{found}");
    }
}

/// Changes a byte of a file that SQLite keeps for later and does not read.
fn change_a_byte(file: &Path) {
    let mut bytes = std::fs::read(file).expect("is read");
    bytes[80] ^= 1;
    std::fs::write(file, bytes).expect("is written");
}

#[test]
fn an_export_says_that_a_segment_was_changed() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let own = archived(&mut table, 3);
        let exported = |table: &Table, name: &str| {
            use rollbook::export::{Format, Wanted, export};
            let wanted = Wanted::of(rollbook::game::view::Audience::Player, Format::Csv);
            table.wait(export(table.location(), &wanted, &table.path(name), NOW)).expect("is written")
        };
        assert_eq!(exported(&table, "one.csv").archive, Vec::<String>::new());
        change_a_byte(&own.path);
        let warned = exported(&table, "two.csv").archive;
        let file = own.path.display().to_string();
        assert!(
            warned.len() == 1 && warned[0].starts_with(&file) && warned[0].contains("it was changed"),
            "{warned:?}"
        );
        assert_eq!(Record::new(table.runtime(), own.path).number("select count(*) from segments"), 1, "it is read");
    }
}
