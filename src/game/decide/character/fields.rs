//! The changed fields between two characters.

use std::collections::BTreeMap;

use crate::game::mechanics::tracks;
use crate::game::record::change::Images;
use crate::game::record::event::Field;
use crate::game::record::state::{Character, Track};

/// Every field that differs.
pub fn fields(before: &Character, after: &Character, moved: &[Images<Track>]) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut field = |name: &str, before: Option<String>, after: Option<String>| {
        if before != after {
            fields.push(Field { field: name.to_owned(), before, after });
        }
    };
    field("name", Some(before.name.clone()), Some(after.name.clone()));
    field("kind", Some(before.kind.as_str().to_owned()), Some(after.kind.as_str().to_owned()));
    field("level", Some(before.level.to_string()), Some(after.level.to_string()));
    field("xp", Some(before.xp.to_string()), Some(after.xp.to_string()));
    for name in after.attributes.keys() {
        let text = |sheet: &Character| sheet.attributes.get(name).map(i64::to_string);
        field(name, text(before), text(after));
    }
    for name in after.skills.keys() {
        let text = |sheet: &Character| sheet.skills.get(name).map(i64::to_string);
        field(name, text(before), text(after));
    }
    field("ticks", listed(before.ticks.iter().cloned()), listed(after.ticks.iter().cloned()));
    field("milestones", listed(counted(&before.milestones)), listed(counted(&after.milestones)));
    for images in moved {
        let text = |track: &Option<Track>| track.as_ref().map(tracks::render_value);
        let name = images.after.as_ref().or(images.before.as_ref()).map_or("", |track| track.name.as_str());
        field(name, text(&images.before), text(&images.after));
    }
    // The texts of notes are in the images; the field says only that they changed.
    let changed = |before: &str, after: &str| if before == after { None } else { Some("rewritten".to_owned()) };
    field("notes", None, changed(&before.notes, &after.notes));
    field("gm_notes", None, changed(&before.gm_notes, &after.gm_notes));
    fields
}

fn listed(names: impl Iterator<Item = String>) -> Option<String> {
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn counted(milestones: &BTreeMap<String, i64>) -> impl Iterator<Item = String> {
    milestones.iter().map(|(kind, count)| format!("{kind} {count}"))
}
