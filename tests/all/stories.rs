//! What happens at a table, told through the protocol.

mod arguments;
mod by_rules;
mod campaigns;
mod chains;
mod checks;
mod combat;
mod counted;
mod crowds;
mod damage;
mod foes;
mod hits;
mod levels;
mod making;
mod marks;
mod mitigation;
mod names;
mod odds;
mod refused;
mod repeated;
mod rests;
mod rules;
mod sessions;
mod several;
mod shown;
mod times;
mod words;
