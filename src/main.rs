//! Parses the arguments, runs the command, answers with its exit code: 0 done, 1 findings, 2 could
//! not.

fn main() -> std::process::ExitCode {
    rollbook::cli::run()
}
