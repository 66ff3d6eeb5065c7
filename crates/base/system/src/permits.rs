//! Permits that groups of callers share fairly.
//!
//! A group is a tenant. No group can hold all permits, so one tenant does not hold up the others. A
//! free permit goes to the waiting group that holds the fewest.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// A fixed number of permits. Clones share them.
#[derive(Clone)]
pub struct FairPermits {
    shared: Arc<Shared>,
}

struct Shared {
    /// Maximum number of permits of one group.
    per_group: usize,
    state: Mutex<State>,
}

struct State {
    free: usize,
    /// The permits of each group that holds some.
    held: HashMap<Arc<str>, usize>,
    /// In order of arrival.
    waiting: VecDeque<Waiter>,
}

struct Waiter {
    group: Arc<str>,
    granted: oneshot::Sender<FairPermit>,
}

/// One permit of a group. Dropping it returns it.
pub struct FairPermit {
    shared: Arc<Shared>,
    group: Arc<str>,
}

impl FairPermits {
    /// Makes permits of which a group may hold `per_group`, and one more for other groups.
    pub fn new(per_group: NonZeroUsize) -> Self {
        let per_group = per_group.get();
        Self {
            shared: Arc::new(Shared {
                per_group,
                state: Mutex::new(State {
                    free: per_group + 1,
                    held: HashMap::new(),
                    waiting: VecDeque::new(),
                }),
            }),
        }
    }

    /// The number of free permits.
    pub fn free(&self) -> usize {
        self.shared.lock().free
    }

    /// Waits for a permit.
    pub async fn acquire(&self, group: &str) -> FairPermit {
        let group: Arc<str> = group.into();
        loop {
            let granted = {
                let mut state = self.shared.lock();
                if state.free > 0 && state.held_by(&group) < self.shared.per_group {
                    return self.shared.grant(&mut state, group);
                }
                let (sender, granted) = oneshot::channel();
                state.waiting.push_back(Waiter {
                    group: Arc::clone(&group),
                    granted: sender,
                });
                granted
            };
            // Waiters are dropped with the last permit only, which this caller awaits.
            if let Ok(permit) = granted.await {
                return permit;
            }
        }
    }
}

impl fmt::Debug for FairPermits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FairPermits")
            .field("per_group", &self.shared.per_group)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for FairPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FairPermit")
            .field("group", &self.group)
            .finish_non_exhaustive()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn grant(self: &Arc<Self>, state: &mut State, group: Arc<str>) -> FairPermit {
        state.free -= 1;
        *state.held.entry(Arc::clone(&group)).or_default() += 1;
        FairPermit {
            shared: Arc::clone(self),
            group,
        }
    }

    /// Grants free permits to waiters.
    fn serve(self: &Arc<Self>) {
        let mut refused = Vec::new();
        let mut state = self.lock();
        state.waiting.retain(|waiter| !waiter.granted.is_closed());
        while state.free > 0 {
            let Some(position) = state.next_waiter(self.per_group) else {
                break;
            };
            let Some(Waiter { group, granted }) = state.waiting.remove(position) else {
                break;
            };
            let permit = self.grant(&mut state, group);
            // The caller has gone meanwhile.
            refused.extend(granted.send(permit).err());
        }
        drop(state);
        // Each of them locks the state again.
        drop(refused);
    }
}

impl State {
    fn held_by(&self, group: &Arc<str>) -> usize {
        self.held.get(group).copied().unwrap_or_default()
    }

    /// The first waiter of the group that holds the fewest permits.
    fn next_waiter(&self, per_group: usize) -> Option<usize> {
        let candidates = self.waiting.iter().enumerate();
        let candidates =
            candidates.map(|(position, waiter)| (self.held_by(&waiter.group), position));
        let next = candidates.filter(|(held, _)| *held < per_group).min();
        next.map(|(_, position)| position)
    }
}

impl Drop for FairPermit {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.free += 1;
        if let Some(held) = state.held.get_mut(&self.group) {
            *held -= 1;
            if *held == 0 {
                state.held.remove(&self.group);
            }
        }
        drop(state);
        self.shared.serve();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn permits(per_group: usize) -> FairPermits {
        FairPermits::new(NonZeroUsize::new(per_group).unwrap())
    }

    fn poll<F: Future>(future: Pin<&mut F>) -> Option<F::Output> {
        match future.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => Some(output),
            Poll::Pending => None,
        }
    }

    fn take(permits: &FairPermits, group: &str) -> Option<FairPermit> {
        poll(pin!(permits.acquire(group)))
    }

    #[test]
    fn group_cannot_hold_all_permits() {
        let permits = permits(2);
        let _first = take(&permits, "flood").unwrap();
        let _second = take(&permits, "flood").unwrap();
        assert!(take(&permits, "flood").is_none());
        assert!(take(&permits, "quiet").is_some());
    }

    #[test]
    fn free_permit_goes_to_the_group_with_fewest() {
        let permits = permits(1);
        let flood = take(&permits, "flood").unwrap();
        let other = take(&permits, "other").unwrap();
        let mut flooding = pin!(permits.acquire("flood"));
        let mut quiet = pin!(permits.acquire("quiet"));
        assert!(poll(flooding.as_mut()).is_none() && poll(quiet.as_mut()).is_none());
        drop(other);
        assert!(poll(flooding.as_mut()).is_none());
        let quiet = poll(quiet.as_mut()).unwrap();
        drop(flood);
        assert!(poll(flooding.as_mut()).is_some());
        drop(quiet);
    }

    #[test]
    fn waiter_that_is_gone_takes_no_permit() {
        let permits = permits(1);
        let held = take(&permits, "a").unwrap();
        {
            let mut gone = pin!(permits.acquire("a"));
            assert!(poll(gone.as_mut()).is_none());
            drop(held);
            // The permit was granted, and is dropped with the future.
        }
        let _a = take(&permits, "a").unwrap();
        let _b = take(&permits, "b").unwrap();
        assert!(permits.shared.lock().waiting.is_empty());
    }
}
