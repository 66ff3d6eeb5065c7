//! Sets the allocator and calls `sluice::run`.

use std::process::ExitCode;

// jemalloc returns more memory after a burst of reconciliations. mimalloc keeps pages per size and
// thread. docs/dependencies.md has the figures.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Configuration of jemalloc. Few arenas are used, because arenas do not share free memory. Huge
/// pages are off, because the first touched byte would cost 2 MiB. Freed pages return to the kernel
/// soon. `_RJEM_MALLOC_CONF` overrides it.
#[expect(unsafe_code, reason = "jemalloc finds its options by this symbol name")]
// SAFETY: the symbol is defined only here. jemalloc declares it as a pointer to a zero-terminated
// string.
#[unsafe(export_name = "_rjem_malloc_conf")]
pub static OPTIONS: &[u8; 56] = b"narenas:2,thp:never,dirty_decay_ms:100,muzzy_decay_ms:0\0";

fn main() -> ExitCode {
    sluice::run(std::env::args_os().collect())
}
