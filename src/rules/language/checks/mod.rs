//! The Checks section: how uncertain things are resolved, one level-3 heading a check.

pub mod bullets;
pub mod check;
pub mod count;
pub mod default_check;
pub mod describe;
mod dice_words;
pub mod follow_up;
mod follow_ups;
pub mod held_while;
pub mod moves;
mod naming;
pub mod outcome;
mod parts;
pub mod read;
pub mod row_move;
pub mod rows;
mod table_shape;

pub use check::{Check, Flag, PROBE, Row, Shift, Unread, main_die};
pub use count::{Count, Pairs, Weight};
pub use default_check::roll_in_prose;
pub use follow_up::{Apart, FollowUp, FollowUpChange};
pub use outcome::Outcome;
pub use row_move::{Need, RowMove, While};
