//! The table: what may be asked, what follows from it, and what is written down. Pure: time and chance are
//! passed in, nothing is read or written here.
//!
//! A decision takes a [`table::Table`] and a call, and either logs entries or refuses. State is what the entries'
//! after-images add up to; see [`state`].

pub mod advance;
pub mod ailment;
pub mod chance;
pub mod chances;
pub mod character;
pub mod check;
pub mod combat;
pub mod crossing;
pub mod damage;
pub mod defence;
pub mod effects;
pub mod entry;
pub mod event;
pub mod held;
pub mod instant;
pub mod items;
pub mod lasting;
pub mod limits;
pub mod lookup;
pub mod loss;
pub mod mend;
pub mod narrate;
pub mod port;
pub mod portrait;
pub mod purpose;
pub mod refusal;
pub mod rest;
pub mod roll;
pub mod secrets;
pub mod session;
pub mod sheet;
pub mod standing;
pub mod state;
pub mod table;
pub mod tracks;
pub mod undo;
pub mod values;
pub mod view;
pub mod visibility;
