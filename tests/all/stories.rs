//! What happens at a table, told through the protocol.

mod checks;
