//! Maps a list on several threads, with the results in order.
//!
//! A panic of a thread becomes a panic of the caller. Threads end with the call. A short
//! list is processed by the caller alone, because a thread costs more than it saves.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

/// The number of items that a thread takes at once. Small, so that slow items even out.
const CHUNK: usize = 16;
/// The minimum number of items per thread.
const WORTHWHILE: usize = 64;

/// Whether so many items justify more than one thread.
pub(crate) fn is_worthwhile(threads: NonZeroUsize, items: usize) -> bool {
    threads.get() > 1 && items >= WORTHWHILE
}

/// Applies a function to each item. Drops each input once processed, so inputs and outputs
/// never coexist in full.
pub(crate) fn map<T: Send, R: Send>(
    threads: NonZeroUsize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.get().min(items.len() / WORTHWHILE + 1);
    if threads == 1 {
        return items.into_iter().map(work).collect();
    }
    let left = Mutex::new(items.into_iter().enumerate());
    let take = || {
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, first) = left.next()?;
        let others = left.by_ref().take(CHUNK - 1).map(|(_, item)| item);
        Some((number, std::iter::once(first).chain(others).collect()))
    };
    let run = || {
        let mut done = Vec::new();
        while let Some((number, chunk)) = take() {
            let chunk: Vec<T> = chunk;
            done.push((number, chunk.into_iter().map(&work).collect::<Vec<R>>()));
        }
        done
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut done = run();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::num::NonZeroUsize;
    use std::sync::{Barrier, Mutex};
    use std::thread;

    use super::map;

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<usize> = (0..1_000).collect();
        let expected: Vec<usize> = items.iter().map(|item| item * 2).collect();
        for count in [1, 2, 7] {
            assert_eq!(
                map(threads(count), items.clone(), |item| item * 2),
                expected
            );
        }
        assert!(map(threads(4), Vec::new(), |item: usize| item).is_empty());
    }

    #[test]
    fn only_long_lists_use_several_threads() {
        let workers = |count: usize, together: bool| {
            let seen = Mutex::new(HashSet::new());
            let barrier = Barrier::new(2);
            let items: Vec<usize> = (0..count).collect();
            map(threads(2), items, |item| {
                let is_new = seen.lock().unwrap().insert(thread::current().id());
                // Each thread waits for the other once, so both take part.
                if together && is_new {
                    barrier.wait();
                }
                item
            });
            seen.into_inner().unwrap().len()
        };
        assert_eq!(workers(1_000, true), 2);
        assert_eq!(workers(63, false), 1);
    }

    #[test]
    #[should_panic(expected = "item 500")]
    fn panic_of_a_thread_reaches_the_caller() {
        let items: Vec<usize> = (0..1_000).collect();
        map(threads(2), items, |item| {
            assert_ne!(item, 500, "item {item}");
        });
    }
}
