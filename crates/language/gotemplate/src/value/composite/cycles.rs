//! Frees maps that hold themselves, such as after `set . "self" .`. Go's collector frees them, and
//! counted references do not.
//!
//! A cycle closes when a value is set in a map that others hold. Those maps are watched. The last
//! [`CycleGuard`] of a thread empties the watched maps that are still held.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use super::{Content, Entries};

/// The number of watched maps before the freed ones are forgotten.
const MIN_SWEEP: usize = 1 << 10;

/// The watched maps of a thread.
#[derive(Default)]
struct WatchedMaps {
    maps: Vec<Weak<Content<Entries>>>,
    /// The number of maps at which the freed ones are forgotten.
    sweep_at: usize,
}

thread_local! {
    static WATCHED: RefCell<WatchedMaps> = RefCell::default();
    /// The guards of this thread.
    static GUARDS: Cell<usize> = const { Cell::new(0) };
}

/// Watches a map until the last guard is dropped. Without a guard it does nothing.
pub(super) fn watch(map: &Rc<Content<Entries>>) {
    if GUARDS.get() == 0 || map.is_watched.replace(true) {
        return;
    }
    WATCHED.with_borrow_mut(|watched| {
        watched.maps.push(Rc::downgrade(map));
        if watched.maps.len() >= watched.sweep_at.max(MIN_SWEEP) {
            watched.maps.retain(|map| map.strong_count() > 0);
            watched.sweep_at = watched.maps.len() * 2;
        }
    });
}

/// A part of every render. Values that the render changed must not be used after it.
pub(crate) struct CycleGuard(());

impl CycleGuard {
    pub(crate) fn new() -> Self {
        GUARDS.set(GUARDS.get() + 1);
        Self(())
    }
}

impl Drop for CycleGuard {
    fn drop(&mut self) {
        GUARDS.set(GUARDS.get() - 1);
        if GUARDS.get() > 0 {
            return;
        }
        let watched = WATCHED.take();
        for map in watched.maps.iter().filter_map(Weak::upgrade) {
            drop(map.entries.take());
        }
    }
}
