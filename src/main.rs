//! Entry point: allocator, then everything else is `sluice::run`.

use std::process::ExitCode;

// A small resident size is one of our promises. After a burst of reconciliations, jemalloc returns more
// memory than mimalloc, which keeps pages for each size and thread. docs/dependencies.md has the figures.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// jemalloc's configuration: few arenas, since they do not share free memory. Without huge pages, the
/// first touched byte does not cost 2 MiB. Freed pages return to the kernel soon. `_RJEM_MALLOC_CONF`
/// overrides it.
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
