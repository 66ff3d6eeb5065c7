//! Entry point: allocator, then everything else is `sluice::run`.

use std::process::ExitCode;

// A controller's resident size is one of our promises. Of what a burst of reconciliations needs
// and frees, jemalloc gives back more than mimalloc, which keeps pages for each size and thread
// (docs/dependencies.md has the figures).
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// What jemalloc reads as it starts: few arenas, since what is free in one is not given to
/// another; no huge pages, which cost 2 MiB for the first byte that is touched; and freed pages go
/// back to the kernel soon. `_RJEM_MALLOC_CONF` overrides it.
#[expect(
    unsafe_code,
    reason = "jemalloc finds its options by the name of a symbol"
)]
// SAFETY: nobody else has this symbol, and jemalloc declares it as a pointer to a string that
// ends with a zero byte.
#[unsafe(export_name = "_rjem_malloc_conf")]
pub static OPTIONS: &[u8; 56] = b"narenas:2,thp:never,dirty_decay_ms:100,muzzy_decay_ms:0\0";

fn main() -> ExitCode {
    sluice::run(std::env::args_os().collect())
}
