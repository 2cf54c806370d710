//! What happens at a table, told through the protocol.

mod by_rules;
mod checks;
mod combat;
mod damage;
mod making;
mod refused;
mod repeated;
mod rules;
mod sessions;
mod several;
