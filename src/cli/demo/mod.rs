//! placeholder while compiling
use super::{Done, Failed};
use clap::Args;
/// Demo.
#[derive(Debug, Args)]
pub struct Demo {}
impl Demo {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        Ok(Done::Well)
    }
}
