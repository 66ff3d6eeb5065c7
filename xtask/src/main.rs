//! Developer tasks: `cargo xtask generate|layers|image|bench|cluster`.

fn main() {}
