//! Runs the command; its exit code is 0 (done), 1 (findings) or 2 (could not).

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    rollbook::cli::run()
}
