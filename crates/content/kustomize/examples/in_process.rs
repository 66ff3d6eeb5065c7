//! Builds folders repeatedly in one process, and prints the time of a build.
//!
//! This measures the engine as the controller uses it: without process start, with files cached.
//! `cargo xtask bench kustomize` runs this example. To run it alone:
//! `cargo run --release -p sluice-kustomize --example in_process -- --threads 2 --repeat 10 DIR…`

#![expect(clippy::print_stdout, reason = "the example runs in a terminal")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use sluice_kustomize::Options;
use sluice_kustomize::fs::DiskFs;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut threads = 1;
    let mut repeat = 1;
    let mut print = false;
    let mut folders = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--threads" => threads = words.next().unwrap_or_default().parse()?,
            "--repeat" => repeat = words.next().unwrap_or_default().parse()?,
            "--print" => print = true,
            folder => folders.push(std::path::absolute(PathBuf::from(folder))?),
        }
    }
    let builds = folders.len() * repeat;
    let next = AtomicUsize::new(0);
    let began = Instant::now();
    std::thread::scope(|scope| {
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(folder) = folders.get(index % folders.len().max(1)) else {
                    return Ok(());
                };
                if index >= builds {
                    return Ok(());
                }
                let text = sluice_kustomize::build_yaml(&DiskFs, folder, &Options::cli())?;
                if print {
                    print!("{text}");
                }
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            let ended: Result<(), sluice_kustomize::Error> =
                worker.join().expect("a build does not panic");
            ended
        })
    })?;
    if !print {
        println!("{}", began.elapsed().as_nanos() / builds.max(1) as u128);
    }
    Ok(())
}
