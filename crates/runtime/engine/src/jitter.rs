//! Interval jitter: spreads objects with the same interval over time. Otherwise a thousand objects
//! of one commit would poll in the same second for ever.

use std::time::Duration;

/// Shifts intervals by up to a percentage either way (`--interval-jitter-percentage`).
#[derive(Debug, Clone)]
pub struct Jitter {
    percentage: u8,
    random: fastrand::Rng,
}

impl Jitter {
    /// `percentage` must be below 100.
    pub fn new(percentage: u8, random: fastrand::Rng) -> Self {
        Self { percentage, random }
    }

    /// Shifts an interval.
    pub fn apply(&mut self, interval: Duration) -> Duration {
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
    fn jitter_covers_its_whole_percentage() {
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
    fn zero_percent_keeps_the_interval() {
        let mut jitter = Jitter::new(0, fastrand::Rng::with_seed(1));
        assert_eq!(jitter.apply(Duration::from_secs(7)), Duration::from_secs(7));
    }
}
