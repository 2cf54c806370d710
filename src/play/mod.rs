//! A table in the terminal: commands that call the tools, and a model that does, in a conversation.
//!
//! Nothing here prints. What happens is data ([`assistant::Event`]), and `cli` draws it. A model is
//! reached only through the three APIs of [`model`], and it has the table's tools and nothing else
//! of this computer.
//!
//! Each may use only what is before it:
//!
//! 1. [`model`]: a conversation, and a model behind an API; its errors.
//! 2. [`toolbox`]: the tools, called in this process.
//! 3. [`instructions`]: what a model reads first.
//! 4. [`memory`]: room in a conversation, with the log as memory.
//! 5. [`assistant`]: the loop, its bounds, and what happens in it.
//! 6. [`names`]: what can be named at this table.
//! 7. [`command`]: what a person can type.

pub mod assistant;
pub mod command;
pub mod instructions;
pub mod memory;
pub mod model;
pub mod names;
pub mod toolbox;
