//! Merges many calls for one object. The first call takes effect at once. Further calls become one
//! request at the end of the window.
//!
//! Calls are never lost: each is the first of a window, or a later patch follows.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use jiff::Timestamp;

/// Maximum number of remembered objects. Calls for further objects take effect at once.
const MAX_OBJECTS: usize = 100_000;

/// Recent requests per object.
#[derive(Debug)]
pub struct Storms<K> {
    window: Duration,
    objects: HashMap<K, Window>,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    end: Timestamp,
    /// Whether a call waits for the end of the window.
    is_waiting: bool,
}

/// The effect of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Patch the object now.
    Patch,
    /// Call [`Storms::finish`] at this time.
    Wait(Timestamp),
    /// An earlier call already waits.
    Joined,
}

impl<K: Eq + Hash> Storms<K> {
    /// Creates an empty memory.
    pub fn new(window: Duration) -> Self {
        Self {
            window,
            objects: HashMap::new(),
        }
    }

    /// Records a call for an object.
    pub fn call(&mut self, object: K, now: Timestamp) -> Effect {
        if let Some(window) = self.objects.get_mut(&object)
            && (now < window.end || window.is_waiting)
        {
            if window.is_waiting {
                return Effect::Joined;
            }
            window.is_waiting = true;
            return Effect::Wait(window.end);
        }
        if self.objects.len() >= MAX_OBJECTS {
            self.objects
                .retain(|_, window| now < window.end || window.is_waiting);
        }
        if self.objects.len() < MAX_OBJECTS {
            let window = self.window(now);
            self.objects.insert(object, window);
        }
        Effect::Patch
    }

    /// Ends the window of an object with a waiting call. The caller patches the object.
    pub fn finish(&mut self, object: K, now: Timestamp) {
        let window = self.window(now);
        self.objects.insert(object, window);
    }

    /// Forgets the window of an object whose patch failed, so that the next call fails as well.
    pub fn forget(&mut self, object: &K) {
        if self.objects.get(object).is_some_and(|it| !it.is_waiting) {
            self.objects.remove(object);
        }
    }

    fn window(&self, now: Timestamp) -> Window {
        Window {
            end: now.checked_add(self.window).unwrap_or(Timestamp::MAX),
            is_waiting: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_millisecond(milliseconds).unwrap()
    }

    #[test]
    fn storm_is_two_requests() {
        let mut storms = Storms::new(Duration::from_secs(1));
        assert_eq!(storms.call("a", at(0)), Effect::Patch);
        assert_eq!(storms.call("a", at(1)), Effect::Wait(at(1000)));
        for time in 2..1000 {
            assert_eq!(storms.call("a", at(time)), Effect::Joined);
        }
        assert_eq!(storms.call("b", at(5)), Effect::Patch);
        storms.finish("a", at(1000));
        assert_eq!(storms.call("a", at(1001)), Effect::Wait(at(2000)));
    }

    #[test]
    fn late_finish_loses_no_call() {
        let mut storms = Storms::new(Duration::from_secs(1));
        storms.call("a", at(0));
        storms.call("a", at(1));
        // The patch at the end of the window is still pending.
        assert_eq!(storms.call("a", at(5000)), Effect::Joined);
        storms.finish("a", at(5001));
        assert_eq!(storms.call("a", at(6001)), Effect::Patch);
    }

    #[test]
    fn failed_patch_is_repeated_by_the_next_call() {
        let mut storms = Storms::new(Duration::from_secs(1));
        assert_eq!(storms.call("a", at(0)), Effect::Patch);
        storms.forget(&"a");
        assert_eq!(storms.call("a", at(1)), Effect::Patch);
        assert_eq!(storms.call("a", at(2)), Effect::Wait(at(1001)));
        // A pending patch stays, because a call relies on it.
        storms.forget(&"a");
        assert_eq!(storms.call("a", at(3)), Effect::Joined);
    }

    #[test]
    fn quiet_object_is_patched_at_once() {
        let mut storms = Storms::new(Duration::from_secs(1));
        for time in [0, 1000, 2000] {
            assert_eq!(storms.call("a", at(time)), Effect::Patch);
        }
    }

    #[test]
    fn memory_of_objects_is_bounded() {
        let mut storms = Storms::new(Duration::from_secs(1));
        for number in 0..MAX_OBJECTS + 10 {
            assert_eq!(storms.call(number, at(0)), Effect::Patch);
        }
        assert_eq!(storms.objects.len(), MAX_OBJECTS);
        assert_eq!(storms.call(usize::MAX, at(1000)), Effect::Patch);
        assert_eq!(storms.objects.len(), 1);
    }
}
