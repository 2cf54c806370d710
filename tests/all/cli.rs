//! The command line as a person or a script meets it: words, exit codes 0, 1 and 2, and where
//! things lie by default.

mod by_name;
mod campaigns;
mod dice;
mod doctor;
mod help;
mod kept;
mod places;
mod restoring;
mod verdicts;

use crate::process::{Came, ran, run};
