//! Entry point: allocator, then everything else is `sluice::run`.

use std::process::ExitCode;

// glibc's allocator keeps what a burst of reconciliations freed; mimalloc gives it back, and a
// controller's resident size is one of our promises.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    sluice::run(std::env::args_os().collect())
}
