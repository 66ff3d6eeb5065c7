//! Renders charts repeatedly in one process, and prints the time of a render.
//!
//! This measures the engine as the controller uses it: without process start, with files cached.
//! Each render loads its chart again. `cargo xtask bench helm` runs this example. To run it alone:
//! `cargo run --release -p sluice-chart --example in_process -- --threads 2 --repeat 10 CHART…`

#![expect(clippy::print_stdout, reason = "the example runs in a terminal")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use sluice_chart::load::{self, Limits, Links};
use sluice_chart::{Error, ShowOptions, TemplateOptions, Values, template};

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let (mut threads, mut repeat, mut print) = (1, 1, false);
    let mut options = TemplateOptions::default();
    let mut charts = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--threads" => threads = words.next().unwrap_or_default().parse()?,
            "--repeat" => repeat = words.next().unwrap_or_default().parse()?,
            "--include-crds" => options.includes_crds = true,
            "--print" => print = true,
            chart => charts.push(PathBuf::from(chart)),
        }
    }
    "release-name".clone_into(&mut options.release.name);
    "default".clone_into(&mut options.release.namespace);
    let renders = charts.len() * repeat;
    let next = AtomicUsize::new(0);
    let began = Instant::now();
    std::thread::scope(|scope| {
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let chart = charts.get(index % charts.len().max(1));
                let Some(chart) = chart.filter(|_| index < renders) else {
                    return Ok(());
                };
                let chart = load::path(chart, Links::Anywhere, &Limits::default())?;
                let rendered = template(chart, &Values::new(), &options, None)?;
                let text = rendered.show(&ShowOptions::default())?;
                if print {
                    print!("{}", String::from_utf8_lossy(&text));
                }
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            let ended: Result<(), Error> = worker.join().expect("a render does not panic");
            ended
        })
    })?;
    if !print {
        println!("{}", began.elapsed().as_nanos() / renders.max(1) as u128);
    }
    Ok(())
}
