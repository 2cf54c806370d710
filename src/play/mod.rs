//! A table in the terminal: commands that call the tools, and a model that does, in a conversation.
//!
//! Nothing here prints. What happens is data ([`event`]), and `cli` draws it. A model is reached only through the three APIs of
//! [`model`], and it has the table's tools and nothing else of this computer.
//!
//! Each may use only what is before it:
//!
//! 1. [`message`]: the parts of a conversation, apart from any API.
//! 2. [`model`]: a model behind an API; its errors.
//! 3. [`limits`]: how much one answer may take.
//! 4. [`toolbox`]: the tools, called in this process.
//! 5. [`mounted`]: tools of others, mounted in a category of their own.
//! 6. [`event`]: what happens while a model answers.
//! 7. [`instructions`]: what a model reads first.
//! 8. [`memory`]: room in a conversation, with the log as memory.
//! 9. [`transcript`]: the talk, kept beside the database.
//! 10. [`assistant`]: the loop.
//! 11. [`names`]: what can be named at this table.
//! 12. [`command`]: what a person can type.

pub mod assistant;
pub mod command;
pub mod event;
pub mod instructions;
pub mod limits;
pub mod memory;
pub mod message;
pub mod model;
pub mod mounted;
pub mod names;
pub mod toolbox;
pub mod transcript;
