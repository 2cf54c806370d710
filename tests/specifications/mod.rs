//! The floor: what the five specifications ask for, with their own example calls and the fields
//! they name. One file a source. Where Rollbook answers otherwise on purpose, the test says so with
//! the reason.

mod plain_english_dice;
mod rpg_system;
mod rules_for_the_model;
mod smallest_server;
mod structured_dice;
mod tool_foundation;
