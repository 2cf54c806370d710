//! Runs the command; its exit code is 0 (done), 1 (findings) or 2 (could not).

fn main() -> std::process::ExitCode {
    rollbook::cli::run()
}
