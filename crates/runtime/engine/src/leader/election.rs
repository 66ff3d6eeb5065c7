//! What to do with a lease: pure, with client-go's rules.

use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::coordination::v1::LeaseSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;

use crate::queue::Moment;

/// What a candidate does next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// Nobody ever held it.
    Create(LeaseSpec),
    /// It is ours, or may be taken.
    Update(LeaseSpec),
    /// Somebody else holds it.
    Wait,
}

/// One candidate's view of a lease.
#[derive(Debug)]
pub(super) struct Election {
    identity: String,
    duration: Duration,
    /// The lease as last seen, and when we first saw it so.
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

    /// Decides, given the lease as it is. `wall` goes into the lease, `now` counts.
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

    /// Takes note of what we wrote.
    pub(super) fn wrote(&mut self, spec: LeaseSpec, now: Moment) {
        self.observed = Some((spec, now));
    }

    /// Whether the holder may still count on the lease: it changed less than its own
    /// duration ago, as we saw it.
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

/// The lease as we leave it when we stop leading, `None` when it is not ours.
pub(super) fn release(live: &LeaseSpec, identity: &str, wall: Timestamp) -> Option<LeaseSpec> {
    (live.holder_identity.as_deref() == Some(identity)).then(|| LeaseSpec {
        holder_identity: Some(String::new()),
        // Whoever sees this waits one second at most; zero is refused by the server.
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
    fn a_lease_that_does_not_exist_is_created() {
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
    fn a_lease_is_taken_only_after_it_stood_still_for_its_duration() {
        let mut election = Election::new("a", DURATION);
        // However old the holder's own time stamp is: clocks differ.
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
    fn renewing_keeps_when_and_how_often_it_was_acquired() {
        let step = Election::new("a", DURATION).decide(Some(&held_by("a", 5)), at(10), seconds(0));
        let Step::Update(spec) = step else {
            panic!("{step:?}")
        };
        assert_eq!(spec.acquire_time, Some(MicroTime(at(1))));
        assert_eq!(spec.renew_time, Some(MicroTime(at(10))));
        assert_eq!(spec.lease_transitions, Some(3));
    }

    #[test]
    fn a_clock_that_jumps_neither_takes_a_lease_too_soon_nor_leaves_one_for_longer() {
        let mut election = Election::new("a", DURATION);
        let theirs = held_by("b", 1_000);
        for (wall, now) in [(1_000, 0), (9_000_000, 10), (1, 20), (9_000_000, 34)] {
            let step = election.decide(Some(&theirs), at(wall), seconds(now));
            assert_eq!(step, Step::Wait, "at {wall}");
        }
        let step = election.decide(Some(&theirs), at(1), seconds(35));
        assert!(matches!(step, Step::Update(_)), "{step:?}");
        // Our own is renewed all the same, and whoever watches it sees that it changes.
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
    fn a_released_lease_is_taken_at_once() {
        let released = release(&held_by("b", 5), "b", at(6)).unwrap();
        assert_eq!(released.holder_identity.as_deref(), Some(""));
        let step = Election::new("a", DURATION).decide(Some(&released), at(7), seconds(0));
        assert!(matches!(step, Step::Update(spec) if spec.lease_transitions == Some(4)));
    }

    #[test]
    fn a_lease_of_another_is_not_released() {
        assert_eq!(release(&held_by("b", 5), "a", at(6)), None);
    }
}
