//! The imperative shell: the adventure's folder, the clock, the operating system's dice, and the open campaigns.

pub mod adventure;
pub mod bases;
pub mod campaigns;
pub mod fixes;
pub mod host;
pub mod keyring;
pub mod keys;
pub mod live;
pub mod meter;
mod options;
pub mod os;
pub mod paths;
pub mod queue;
pub mod restore;
mod rulebook;
pub mod transfer;
pub mod watch;

pub use host::{ChanceMaker, Host, Purpose};
pub use keyring::Seat;
pub use live::{Answer, CallError, Caller, Campaign, Common, Quota, Readers, Refers, Request, Wants};
pub use options::{Questions, ReplyDetail};
