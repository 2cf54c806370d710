//! The proof that the book holds: one binary, one module a theme.
//!
//! `table` is the harness of the stories; `process` starts the real program. Everything else
//! asserts.

mod author;
mod bare;
mod calls;
mod circles;
mod cli;
#[cfg(target_os = "linux")]
mod container;
mod continued;
mod crash;
mod docs;
mod fairness;
mod faults;
mod fights;
mod harm;
mod hostile;
mod http;
mod init;
mod intake;
mod layering;
mod live;
mod log;
mod places;
mod play;
mod plugin;
mod postgres;
#[cfg(target_os = "linux")]
mod power;
mod process;
mod queries;
#[cfg(target_os = "linux")]
mod readme;
mod report;
mod schema;
mod search;
mod seats;
mod secrets;
mod sequences;
mod sheets;
mod shelf;
mod simulate;
#[path = "../specifications/mod.rs"]
mod specifications;
mod store;
mod stories;
mod supply;
mod surface;
mod systems;
mod table;
mod toolbox;
mod wire;
