//! Decides the next step of a candidate for a lease, by the rules of client-go. Pure.

use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::coordination::v1::LeaseSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;

use sluice_engine::queue::Moment;

/// The next step of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// The lease does not exist.
    Create(LeaseSpec),
    /// The candidate holds the lease, or may take it.
    Update(LeaseSpec),
    /// Another candidate holds the lease.
    Wait,
}

/// One candidate's view of a lease.
#[derive(Debug)]
pub(super) struct Election {
    identity: String,
    duration: Duration,
    /// The last observed lease, and when it was first observed.
    observed: Option<(LeaseSpec, Moment)>,
}

impl Election {
    pub(super) fn new(identity: &str, duration: Duration) -> Self {
        Self {
            identity: identity.to_owned(),
            duration,
            observed: None,
        }
    }

    /// Decides the next step by the current lease. `wall` is written to the lease; `now` measures.
    pub(super) fn decide(
        &mut self,
        live: Option<&LeaseSpec>,
        wall: Timestamp,
        now: Moment,
    ) -> Step {
        let Some(live) = live else {
            return Step::Create(self.claim(wall, MicroTime(wall), 0));
        };
        if self.observed.as_ref().is_none_or(|(seen, _)| seen != live) {
            self.observed = Some((live.clone(), now));
        }
        let holder = live.holder_identity.as_deref().unwrap_or_default();
        let transitions = live.lease_transitions.unwrap_or_default();
        if holder == self.identity {
            let since = live.acquire_time.clone().unwrap_or(MicroTime(wall));
            return Step::Update(self.claim(wall, since, transitions));
        }
        if !holder.is_empty() && self.is_valid(now) {
            return Step::Wait;
        }
        Step::Update(self.claim(wall, MicroTime(wall), transitions.saturating_add(1)))
    }

    /// Records a lease that this candidate wrote.
    pub(super) fn record(&mut self, spec: LeaseSpec, now: Moment) {
        self.observed = Some((spec, now));
    }

    /// Whether the lease is valid: its last observed change is younger than its duration. The clock
    /// of the holder is not used, because clocks differ.
    fn is_valid(&self, now: Moment) -> bool {
        self.observed.as_ref().is_some_and(|(spec, since)| {
            let seconds =
                u64::try_from(spec.lease_duration_seconds.unwrap_or_default()).unwrap_or_default();
            since.saturating_add(Duration::from_secs(seconds)) > now
        })
    }

    fn claim(&self, wall: Timestamp, since: MicroTime, transitions: i32) -> LeaseSpec {
        LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: Some(
                i32::try_from(self.duration.as_secs()).unwrap_or(i32::MAX),
            ),
            acquire_time: Some(since),
            renew_time: Some(MicroTime(wall)),
            lease_transitions: Some(transitions),
            ..LeaseSpec::default()
        }
    }
}

/// The lease after its release; `None` if another candidate holds it.
pub(super) fn release(live: &LeaseSpec, identity: &str, wall: Timestamp) -> Option<LeaseSpec> {
    (live.holder_identity.as_deref() == Some(identity)).then(|| LeaseSpec {
        holder_identity: Some(String::new()),
        // Other candidates wait one second at most. The server rejects zero.
        lease_duration_seconds: Some(1),
        acquire_time: Some(MicroTime(wall)),
        renew_time: Some(MicroTime(wall)),
        lease_transitions: live.lease_transitions,
        ..LeaseSpec::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DURATION: Duration = Duration::from_secs(35);

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn seconds(seconds: u64) -> Moment {
        Duration::from_secs(seconds)
    }

    fn held_by(holder: &str, renewed: i64) -> LeaseSpec {
        LeaseSpec {
            holder_identity: Some(holder.to_owned()),
            lease_duration_seconds: Some(35),
            acquire_time: Some(MicroTime(at(1))),
            renew_time: Some(MicroTime(at(renewed))),
            lease_transitions: Some(3),
            ..LeaseSpec::default()
        }
    }

    #[test]
    fn missing_lease_is_created() {
        let step = Election::new("a", DURATION).decide(None, at(9), seconds(0));
        let Step::Create(spec) = step else {
            panic!("{step:?}")
        };
        assert_eq!(spec.holder_identity.as_deref(), Some("a"));
        assert_eq!(
            (spec.lease_duration_seconds, spec.lease_transitions),
            (Some(35), Some(0))
        );
    }

    #[test]
    fn lease_is_taken_after_its_duration_without_change() {
        let mut election = Election::new("a", DURATION);
        // The age of the holder's timestamp does not matter: clocks differ.
        assert_eq!(
            election.decide(Some(&held_by("b", 2)), at(9_999), seconds(0)),
            Step::Wait
        );
        assert_eq!(
            election.decide(Some(&held_by("b", 3)), at(9_999), seconds(34)),
            Step::Wait
        );
        assert_eq!(
            election.decide(Some(&held_by("b", 3)), at(9_999), seconds(68)),
            Step::Wait
        );
        let step = election.decide(Some(&held_by("b", 3)), at(9_999), seconds(69));
        let Step::Update(spec) = step else {
            panic!("{step:?}")
        };
        assert_eq!(spec.holder_identity.as_deref(), Some("a"));
        assert_eq!(spec.lease_transitions, Some(4));
        assert_eq!(spec.acquire_time, Some(MicroTime(at(9_999))));
    }

    #[test]
    fn renewal_keeps_acquisition_and_transitions() {
        let step = Election::new("a", DURATION).decide(Some(&held_by("a", 5)), at(10), seconds(0));
        let Step::Update(spec) = step else {
            panic!("{step:?}")
        };
        assert_eq!(spec.acquire_time, Some(MicroTime(at(1))));
        assert_eq!(spec.renew_time, Some(MicroTime(at(10))));
        assert_eq!(spec.lease_transitions, Some(3));
    }

    #[test]
    fn clock_jumps_do_not_change_the_validity() {
        let mut election = Election::new("a", DURATION);
        let theirs = held_by("b", 1_000);
        for (wall, now) in [(1_000, 0), (9_000_000, 10), (1, 20), (9_000_000, 34)] {
            let step = election.decide(Some(&theirs), at(wall), seconds(now));
            assert_eq!(step, Step::Wait, "at {wall}");
        }
        let step = election.decide(Some(&theirs), at(1), seconds(35));
        assert!(matches!(step, Step::Update(_)), "{step:?}");
        // The own lease is renewed all the same, and other candidates see the change.
        let ours = held_by("a", 1_000);
        for wall in [1, 9_000_000] {
            let step = election.decide(Some(&ours), at(wall), seconds(40));
            let Step::Update(spec) = step else {
                panic!("{step:?}")
            };
            assert_eq!(spec.renew_time, Some(MicroTime(at(wall))));
            assert_ne!(spec, ours);
        }
    }

    #[test]
    fn released_lease_is_taken_at_once() {
        let released = release(&held_by("b", 5), "b", at(6)).unwrap();
        assert_eq!(released.holder_identity.as_deref(), Some(""));
        let step = Election::new("a", DURATION).decide(Some(&released), at(7), seconds(0));
        assert!(matches!(step, Step::Update(spec) if spec.lease_transitions == Some(4)));
    }

    #[test]
    fn lease_of_another_holder_is_not_released() {
        assert_eq!(release(&held_by("b", 5), "a", at(6)), None);
    }
}
