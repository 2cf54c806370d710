//! Every skill at every difficulty as a picture.

use super::panels::Picture;
use super::skills::SkillTable;

/// A field for each, the darker the likelier.
pub(super) fn draw(own: &SkillTable) -> String {
    let mut picture = Picture::of(&own.title());
    let (heads, rows) = own.cells();
    picture.heat(own.caption(), &heads, &rows);
    picture.svg()
}
