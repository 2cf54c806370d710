//! The tools an assistant sees, one file each: parameters, one call to the campaign, the reply.
//!
//! Nothing here knows the protocol; `mcp` binds it. Arguments are bound by the tool's schema
//! ([`bind`]). A tool's module is private: the compiler warns of one that the [`Registry`] lacks.

mod apply_damage;
mod batch;
mod bind;
mod calculator;
mod confirm;
mod cooling;
mod echo;
mod entry;
mod envelope;
mod get_character;
mod get_rules;
mod get_time;
mod manage_character;
mod manage_combat;
mod manage_session;
mod odds;
mod page;
mod parameter;
mod player;
mod registry;
pub mod reply;
mod roll_dice;
mod roll_multiple;
mod roll_reply;
mod schema;
mod search_log;
mod search_rules;
mod skill_check;
mod stated;
mod synonyms;
mod tool;

pub use batch::{ToolCall, ToolResult};
pub use confirm::{PARAMETER as CONFIRM, declined};
pub use entry::{Answered, Answering, External, Form, TIME_LIMIT, ToolEntry};
pub use get_rules::rules_for_model;
pub use player::PLAYER_INSTRUCTIONS;
pub use registry::{CannotRegister, Registry, all_tools, tool_named};
pub use search_log::{Line, line};
pub use tool::Category;

/// What the assistant is told of the server; under 2000 bytes, because clients cut what is longer.
pub const INSTRUCTIONS: &str = "\
Rollbook is this table's book of record: it rolls the dice, resolves checks by the adventure's own System.md, keeps \
characters and fights, and writes everything to a log that cannot be edited.

Never make up a die, a total, a hit point or whose turn it is: call a tool and narrate what it answers.
- skill_check: anything the rules resolve (attacks and saves too); name the skill and, where the rules want one, the difficulty; without one \
roll=\"1d20 + {DEX}\" and difficulty or rows. An attack \
is one call: target and damage (or attack, one of the character's own) deal what the outcome says, end_turn=true begins the next turn.
- roll_dice: tables, and anything without a rule. apply_damage: other wounds and healing (negative amount), with the log number of the roll \
that decided it as roll.
- manage_combat: start names everybody, foes with their hp from the adventure; next_turn where no end_turn was sent; add_effect for what lasts some \
rounds; end when the story says so. Nothing ends a fight by itself.
- manage_character makes and changes characters; get_character reads them. manage_session opens and closes a sitting; resume shows where \
the game stands, so call it first when you come back; note what the story must remember; undo takes a call back. get_rules: the rules' own words. odds: the chances of dice, or of a check before it is rolled.

Secrets: visibility=\"gm\" hides a roll from players (or \"blind\": they learn that dice fell; \"outcome_only\": they learn the outcome). \
Read summary yourself. To the players say what players says: \"same\" as summary, or \"nothing\"; else player_text and no more.

Every reply has summary, log (the entry's number) and receipt; detail=\"full\" adds every die, modifier and source. A refusal changes nothing, rolls nothing, and says what to send instead. \
When a reply got lost, send the same call with the same request_id: it acts once. after: the last entry you know; the reply tells what \
came since. campaign: which, when there are several.";
