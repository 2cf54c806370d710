//! The imperative shell around the table: the adventure's folder, the clock, the operating system's dice, and the
//! campaigns that are open. What is decided is decided in `game`; what is written is written by `store`.

pub mod adventure;
pub mod bases;
pub mod campaigns;
pub mod fixes;
pub mod host;
pub mod keyring;
pub mod keys;
pub mod live;
pub mod meter;
pub mod os;
pub mod paths;
mod questions;
pub mod queue;
mod reply_detail;
pub mod restore;
mod rulebook;
pub mod seat;
pub mod transfer;
pub mod watch;

pub use host::{ChanceMaker, Host, Purpose};
pub use live::{Answer, CallError, Caller, Campaign, Common, Quota, Readers, Refers, Request, Wants};
pub use questions::Questions;
pub use reply_detail::ReplyDetail;
pub use seat::Seat;
