//! The imperative shell: the adventure's folder, the clock, the system's dice, open campaigns.

pub mod adventure;
pub mod bases;
pub mod campaigns;
pub mod fixes;
mod host;
mod keyring;
pub mod keys;
pub mod live;
pub(crate) mod meter;
mod options;
pub mod os;
pub mod paths;
mod queue;
pub mod restore;
mod rulebook;
pub mod transfer;
pub mod watch;

pub use host::{Host, Offers, Purpose};
pub use keyring::Seat;
pub(crate) use live::Refers;
pub use live::{
    Answer, CallError, Caller, Campaign, Commit, Common, Quota, Readers, Request, Wants,
};
pub use options::{Questions, ReplyDetail};
