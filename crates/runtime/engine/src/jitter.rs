//! Interval jitter: spreads objects with one interval over time, so that a thousand
//! of them created by one commit do not all poll in the same second for ever.

use std::time::Duration;

/// Shifts intervals by up to a percentage either way (`--interval-jitter-percentage`).
#[derive(Debug, Clone)]
pub(crate) struct Jitter {
    percentage: u8,
    random: fastrand::Rng,
}

impl Jitter {
    /// Takes a percentage below 100 and its own source of randomness, seeded in tests.
    pub(crate) fn new(percentage: u8, random: fastrand::Rng) -> Self {
        Self { percentage, random }
    }

    /// The interval, moved uniformly by at most the percentage either way.
    pub(crate) fn apply(&mut self, interval: Duration) -> Duration {
        if self.percentage == 0 {
            return interval;
        }
        let reach = f64::from(self.percentage) / 100.0;
        let shift = reach * (2.0 * self.random.f64() - 1.0);
        interval.mul_f64(1.0 + shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_stays_within_its_percentage_and_uses_the_whole_of_it() {
        let mut jitter = Jitter::new(5, fastrand::Rng::with_seed(1));
        let interval = Duration::from_mins(10);
        let shifted: Vec<_> = (0..2_000)
            .map(|_| jitter.apply(interval).as_secs_f64())
            .collect();
        let low = shifted.iter().copied().fold(f64::MAX, f64::min);
        let high = shifted.iter().copied().fold(f64::MIN, f64::max);
        assert!((570.0..571.0).contains(&low), "lowest {low}");
        assert!((629.0..=630.0).contains(&high), "highest {high}");
    }

    #[test]
    fn zero_percent_leaves_the_interval_alone() {
        let mut jitter = Jitter::new(0, fastrand::Rng::with_seed(1));
        assert_eq!(jitter.apply(Duration::from_secs(7)), Duration::from_secs(7));
    }
}
