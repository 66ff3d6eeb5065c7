//! `cargo xtask fuzz TARGET --seconds N`: random inputs, for what may never happen.
//!
//! A target is a function over bytes that panics when a promise is broken. This
//! runs it in a loop over inputs that grow out of the target's seeds: pieces are
//! cut out, doubled, joined with others, and replaced by bytes and words that
//! matter to the language. The same seed makes the same inputs. There is no
//! coverage to steer by, as that needs a nightly compiler; good seeds make up
//! for it, and a changed seed goes elsewhere.
//!
//! A finding is a panic, an input that takes longer than [`PATIENCE`], or one
//! that costs more memory than [`MAX_MEMORY`]. Its input is written below
//! `--findings` and belongs into a test. To add a target: a line in [`TARGETS`]
//! and its functions in a file below `fuzz/`.

mod yaml;

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

/// How long one input may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many bytes of memory the process may use.
const MAX_MEMORY: u64 = 1 << 30;

/// No input grows beyond this.
const MAX_LENGTH: usize = 64 << 10;

/// How many inputs are kept to grow others from.
const POPULATION: usize = 2_000;

/// What is run, on what, and in which language.
pub(crate) struct Target {
    name: &'static str,
    run: fn(&[u8]),
    /// Inputs to begin with.
    seeds: fn() -> Vec<Vec<u8>>,
    /// Words that matter.
    words: &'static [&'static str],
}

/// Every target.
const TARGETS: &[Target] = &[yaml::V2, yaml::TREE, yaml::WRITERS, yaml::JSON];

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// What to run; `list` names them all
    target: String,
    /// How long
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Where the inputs begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write inputs that break a promise
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    findings: PathBuf,
    /// Run this input only
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.target == "list" {
        TARGETS.iter().for_each(|target| println!("{}", target.name));
        return Ok(());
    }
    let mut targets = TARGETS.iter();
    let Some(target) = targets.find(|target| target.name == args.target) else {
        bail!("there is no target {}; `list` names them", args.target);
    };
    if let Some(file) = &args.input {
        (target.run)(&std::fs::read(file)?);
        return Ok(());
    }
    fuzz(target, args)
}

fn fuzz(target: &Target, args: &Args) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(args.seed, (target.seeds)(), target.words);
    let started = Instant::now();
    let watch = Watch::start(args.findings.clone(), target.name);
    // A broken promise is reported by us.
    std::panic::set_hook(Box::new(|_| {}));
    let mut count = 0_u64;
    let mut findings = 0;
    let mut slowest = Duration::ZERO;
    while started.elapsed().as_secs() < args.seconds {
        let input = inputs.next();
        watch.begin(&input);
        let begun = Instant::now();
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        slowest = slowest.max(begun.elapsed());
        watch.end();
        count += 1;
        if let Err(panic) = outcome {
            let file = keep(&args.findings, target.name, &input)?;
            println!("{}: {}", file.display(), words_of(panic.as_ref()));
            findings += 1;
        }
        if count.is_multiple_of(256) && memory() > MAX_MEMORY {
            let file = keep(&args.findings, target.name, &input)?;
            bail!("{} bytes of memory after {}", memory(), file.display());
        }
    }
    let _ = std::panic::take_hook();
    println!(
        "{}: {count} inputs in {} s, the slowest {} ms, {} MiB, {findings} findings",
        target.name,
        started.elapsed().as_secs(),
        slowest.as_millis(),
        memory() >> 20,
    );
    if findings > 0 {
        bail!("{findings} inputs broke a promise of {}", target.name);
    }
    Ok(())
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref().copied())
        .unwrap_or("a panic without words")
}

/// Writes an input to a file named after its content.
fn keep(folder: &Path, target: &str, input: &[u8]) -> anyhow::Result<PathBuf> {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, input);
    let name = format!("{target}-{}", hex::encode(&digest.as_ref()[..8]));
    let file = folder.join(name);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, input))
        .with_context(|| file.display().to_string())?;
    Ok(file)
}

/// The memory that this process holds now.
fn memory() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let resident = pages.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    resident.unwrap_or(0_u64) * 4096
}

/// Ends the process when an input takes too long, and keeps that input.
struct Watch {
    current: Arc<Mutex<Option<(Instant, Vec<u8>)>>>,
}

impl Watch {
    fn start(findings: PathBuf, target: &'static str) -> Self {
        let current = Arc::new(Mutex::new(None));
        let watched = Arc::clone(&current);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(PATIENCE / 5);
                let current: &Option<(Instant, Vec<u8>)> = &watched.lock().expect("never poisoned");
                if let Some((begun, input)) = current
                    && begun.elapsed() > PATIENCE
                {
                    let file = keep(&findings, target, input);
                    println!("took longer than {PATIENCE:?}: {file:?}");
                    std::process::abort();
                }
            }
        });
        Self { current }
    }

    fn begin(&self, input: &[u8]) {
        *self.current.lock().expect("never poisoned") = Some((Instant::now(), input.to_vec()));
    }

    fn end(&self) {
        *self.current.lock().expect("never poisoned") = None;
    }
}

/// Makes inputs out of inputs.
struct Inputs {
    state: u64,
    population: Vec<Vec<u8>>,
    words: &'static [&'static str],
}

impl Inputs {
    fn new(seed: u64, mut seeds: Vec<Vec<u8>>, words: &'static [&'static str]) -> Self {
        seeds.push(Vec::new());
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            population: seeds,
            words,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % bound.max(1) as u64).unwrap_or(0)
    }

    fn next(&mut self) -> Vec<u8> {
        let parent = self.below(self.population.len());
        let mut input = self.population[parent].clone();
        for _ in 0..=self.below(6) {
            self.change(&mut input);
        }
        input.truncate(MAX_LENGTH);
        // Some live on, so that changes add up; seeds keep coming back.
        if self.below(20) == 0 {
            if self.population.len() < POPULATION {
                self.population.push(input.clone());
            } else {
                let index = POPULATION / 2 + self.below(POPULATION / 2);
                self.population[index].clone_from(&input);
            }
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let from = self.below(input.len() + 1);
        let length = [1, 2, 8, 40, 400][self.below(5)];
        let to = (from + self.below(length) + 1).min(input.len());
        let part = from.min(to)..to;
        match self.below(8) {
            0 => {
                input.drain(part);
            }
            1 => {
                let copy = input[part].to_vec();
                let times = if self.below(20) == 0 { 500 } else { 1 + self.below(3) };
                input.splice(from..from, copy.repeat(times));
            }
            2 => {
                let other = self.below(self.population.len());
                let at = self.below(self.population[other].len() + 1);
                let end = (at + length).min(self.population[other].len());
                let piece = self.population[other][at..end].to_vec();
                input.splice(from..from, piece);
            }
            3 => {
                let byte = u8::try_from(self.below(256)).unwrap_or(0);
                input.insert(from, byte);
            }
            4 if from < input.len() => input[from] ^= 1 << self.below(8),
            5 => input.truncate(from),
            _ => {
                let word = self.words[self.below(self.words.len())];
                let end = if self.below(2) == 0 { from } else { part.end };
                input.splice(from..end, word.bytes());
            }
        }
    }
}
