//! The program once more, for `run` beside this file: linked as a test, it shares all that
//! `cargo test` compiles. The features of dependencies differ elsewhere.

fn main() -> std::process::ExitCode {
    rollbook::cli::run()
}
