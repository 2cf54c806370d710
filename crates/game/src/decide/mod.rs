//! A call goes in, entries or a refusal come out. All refusals come before dice are rolled.

pub mod advancement;
pub mod area;
pub mod attack;
pub mod campaign;
pub mod character;
pub mod check;
pub mod clock;
pub mod combat;
pub mod condition;
pub mod damage;
pub mod deck;
pub mod items;
pub mod note;
pub mod odds;
pub mod random;
pub mod rest;
pub mod reveal;
pub mod roll;
pub mod session;
pub mod time;
pub mod undo;
