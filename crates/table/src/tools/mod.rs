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
mod instructions;
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
pub use instructions::{INSTRUCTIONS_MAX, instructions};
pub use player::PLAYER_INSTRUCTIONS;
pub use registry::{CannotRegister, Registry, all_tools, tool_named};
pub use search_log::{Line, line};
pub use tool::Category;
