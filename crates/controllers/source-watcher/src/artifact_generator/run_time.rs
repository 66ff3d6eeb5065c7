//! The time that a run may take.
//!
//! The engine drops a run at `--reconciliation-timeout` without a report. So the parts of a run end
//! earlier: first the copies, which can name their artifact, then any step.

use std::time::{Duration, Instant};

use sluice_api::meta::reason;
use sluice_engine::ready::Fault;
use sluice_golang::GoDuration;
use sluice_system::budget::Budget;

use crate::build::{MAX_MERGED_BYTES, MAX_STEPS};

/// The most time between the end of the copies, of the steps and of the run.
const MAX_MARGIN: Duration = Duration::from_secs(10);
/// Parts of a short timeout. One of them is the margin.
const MARGIN_PARTS: u32 = 20;

/// The ends of the parts of a run. A timeout beyond the clock has none.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunTime {
    timeout: Duration,
    copies_end: Option<Instant>,
    steps_end: Option<Instant>,
}

impl RunTime {
    /// The times of a run that starts at a time.
    pub(super) fn new(timeout: Duration, started: Instant) -> Self {
        let margin = MAX_MARGIN.min(timeout / MARGIN_PARTS);
        let steps = timeout.saturating_sub(margin);
        Self {
            timeout,
            copies_end: started.checked_add(steps.saturating_sub(margin)),
            steps_end: started.checked_add(steps),
        }
    }

    /// The budget of the copies.
    pub(super) fn budget(self) -> Budget {
        match self.copies_end {
            Some(end) => Budget::until(MAX_STEPS, MAX_MERGED_BYTES, end),
            None => Budget::new(MAX_STEPS, MAX_MERGED_BYTES),
        }
    }

    /// Drops a step at the end of the steps.
    pub(super) async fn end_in_time<T>(
        self,
        step: impl Future<Output = Result<T, Fault>>,
    ) -> Result<T, Fault> {
        let Some(end) = self.steps_end else {
            return step.await;
        };
        let ended = tokio::time::timeout_at(end.into(), step).await;
        ended.unwrap_or_else(|_| {
            let message = format!(
                "the run does not end within {}: generate fewer artifacts, or raise \
                 --reconciliation-timeout",
                GoDuration::from_std(self.timeout)
            );
            Err(Fault::retried(reason::RECONCILIATION_FAILED, message))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use sluice_system::budget::BudgetExceeded;

    use super::*;

    #[test]
    fn copies_end_before_steps_and_steps_before_the_run() {
        let started = Instant::now();
        let time = RunTime::new(Duration::from_mins(10), started);
        let at = |seconds| started.checked_add(Duration::from_secs(seconds));
        assert_eq!((time.copies_end, time.steps_end), (at(580), at(590)));
        let time = RunTime::new(Duration::from_secs(20), started);
        assert_eq!((time.copies_end, time.steps_end), (at(18), at(19)));
        let endless = RunTime::new(Duration::MAX, started);
        assert_eq!((endless.copies_end, endless.steps_end), (None, None));
    }

    #[tokio::test]
    async fn late_step_is_a_fault_with_a_remedy() {
        let over = RunTime::new(Duration::ZERO, Instant::now());
        assert_eq!(over.end_in_time(ready(Ok(1))).await, Ok(1));
        let Err(Fault(failure)) = over.end_in_time(pending::<Result<(), Fault>>()).await else {
            panic!("the step goes on");
        };
        let expected = "the run does not end within 0s: generate fewer artifacts, or raise \
                        --reconciliation-timeout";
        assert_eq!(failure.message, expected);
        let charged = over.budget().charge_steps(1 << 17);
        assert_eq!(charged, Err(BudgetExceeded::Deadline));
    }
}
