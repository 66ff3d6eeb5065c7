//! Kills of a process at its calls, for tests of crashes.
//!
//! A scenario runs once undisturbed, which lists its calls. It then runs once for each [`Kill`].

use std::collections::BTreeMap;

use sluice_system::{Clock as _, SystemClock};

use super::{Call, Fault, FaultProxy, When};

/// The call at which a process is killed. It is identified by its content, because numbers shift
/// between runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kill {
    /// The call, as [`Kill::describe`] formats it.
    pub call: String,
    /// The occurrence of that call, from 1.
    pub nth: usize,
    /// Whether the process ends before the server receives the call, or before it reads the answer.
    pub fault: Fault,
}

impl Kill {
    /// Formats a call without its number and without names of the run.
    pub fn describe(call: &Call) -> String {
        let is_random = call.resource == "events";
        let name = if is_random { "" } else { &call.name };
        let dry = if call.dry_run { " (dry run)" } else { "" };
        format!("{} {} {name}{dry}", call.verb, call.target())
    }

    /// The kills at each of these calls. A kill after a read is the same as one before the next
    /// call, so a read has one.
    pub fn at_each<'c>(calls: impl IntoIterator<Item = &'c Call>) -> Vec<Self> {
        let mut counts = BTreeMap::new();
        let mut kills = Vec::new();
        for call in calls {
            let description = Self::describe(call);
            let nth = counts.entry(description.clone()).or_insert(0);
            *nth += 1;
            let faults = [Fault::KillBefore, Fault::KillAfter];
            let faults = faults.into_iter().take(if call.is_write() { 2 } else { 1 });
            kills.extend(faults.map(|fault| Self {
                call: description.clone(),
                nth: *nth,
                fault,
            }));
        }
        kills
    }

    /// Injects the kill into the calls through a proxy.
    pub fn inject(self, proxy: &FaultProxy) {
        let when = When::any().and(move |seen| Self::describe(seen) == self.call);
        proxy.inject_if_reached(when.nth(self.nth), self.fault);
    }
}

/// The kills of this run: a third, or all of them with `KILLS=all`. The day chooses, so that three
/// days in a row meet each kill. `KILL_SEED` chooses another third, and a failed run shows it.
pub fn sample_kills<T>(kills: Vec<T>) -> Vec<T> {
    sample(kills, 3, today())
}

/// The ordinary run, or all runs with `KILLS=all`, or the one that `KILL_SEED` chooses. It is for
/// runs that have a kill at each of their steps.
pub fn sample_run<T>(runs: Vec<T>, ordinary: T) -> Vec<T> {
    if variable("KILLS").is_none() && variable("KILL_SEED").is_none() {
        return vec![ordinary];
    }
    let count = runs.len();
    sample(runs, count, 0)
}

#[expect(
    clippy::print_stderr,
    reason = "a failed run is repeated with its seed"
)]
fn sample<T>(values: Vec<T>, step: usize, otherwise: usize) -> Vec<T> {
    if variable("KILLS").is_some_and(|which| which == "all") {
        return values;
    }
    let seed = variable("KILL_SEED").and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or(otherwise);
    let sample = every(values, step, seed);
    eprintln!("KILL_SEED={seed}: {} kills or runs", sample.len());
    sample
}

/// The values at a distance of `step`, of which the seed chooses the first.
fn every<T>(values: Vec<T>, step: usize, seed: usize) -> Vec<T> {
    let step = step.max(1);
    values.into_iter().skip(seed % step).step_by(step).collect()
}

/// The days since 1970.
fn today() -> usize {
    let seconds = SystemClock.now().as_second();
    usize::try_from(seconds / (24 * 60 * 60)).unwrap_or_default()
}

#[expect(clippy::disallowed_methods, reason = "tests have no flags")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[test]
fn three_seeds_choose_each_value_once() {
    let values: Vec<usize> = (0..10).collect();
    let mut chosen: Vec<usize> = (20..23)
        .flat_map(|seed| every(values.clone(), 3, seed))
        .collect();
    chosen.sort_unstable();
    assert_eq!(chosen, values);
}
