//! Compresses what comes on stdin as artifacts are, and tells how many seconds that took.
//!
//! This is the least that an artifact can cost: one stream, on one core, from memory to nowhere.
//! `cargo xtask bench source` runs it; by hand:
//! `tar --create FOLDER | cargo run --release -p sluice-artifact --example compress`

#![expect(
    clippy::print_stdout,
    reason = "an example that is run from a terminal"
)]

use std::io::{self, Read as _, Write as _};
use std::time::Instant;

use sluice_artifact::deflate::GzipWriter;

fn main() -> io::Result<()> {
    let mut content = Vec::new();
    io::stdin().read_to_end(&mut content)?;
    let began = Instant::now();
    let mut gzip = GzipWriter::new(io::sink())?;
    gzip.write_all(&content)?;
    gzip.finish()?;
    println!("{}", began.elapsed().as_secs_f64());
    Ok(())
}
