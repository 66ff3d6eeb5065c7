//! A cache of tokens.
//!
//! A token is cached for 80% of its lifetime, and at most as long as the operator allows.
//! Concurrent callers wait for the same request. The key must identify the caller completely: see
//! [`TokenCache::token`].

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

/// Maximum time in the cache, whatever the lifetime.
const MAX_TOKEN_AGE: Duration = Duration::from_hours(1);

/// A token with its expiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<T> {
    /// The token.
    pub value: T,
    /// Expiry.
    pub expires: SystemTime,
}

/// The result of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// The token was in the cache.
    Hit,
    /// The token was requested.
    Miss,
}

/// Cached tokens by caller. Share one per process and kind of token.
#[derive(Debug)]
pub struct TokenCache<K, T> {
    /// Zero disables the cache.
    max_size: usize,
    max_duration: Duration,
    slots: Mutex<HashMap<K, Slot<T>>>,
    /// Number of evicted tokens.
    evictions: AtomicU64,
}

type Slot<T> = Arc<tokio::sync::Mutex<Option<CachedToken<T>>>>;

#[derive(Debug)]
struct CachedToken<T> {
    value: T,
    until: SystemTime,
    /// The expiry by the monotonic clock. If the system clock is set back, the token still expires.
    by: Instant,
}

impl<K: Eq + Hash + Clone, T: Clone> TokenCache<K, T> {
    /// Creates a cache with a maximum number of tokens and a maximum time per token.
    pub fn new(max_size: usize, max_duration: Duration) -> Self {
        Self {
            max_size,
            max_duration: max_duration.min(MAX_TOKEN_AGE),
            slots: Mutex::default(),
            evictions: AtomicU64::new(0),
        }
    }

    /// Creates an empty cache with the limits of this one.
    pub(crate) fn with_same_limits<L: Eq + Hash + Clone, U: Clone>(&self) -> TokenCache<L, U> {
        TokenCache::new(self.max_size, self.max_duration)
    }

    /// Returns the token of a key, from the cache or from `ask`. The key must include everything
    /// that the token depends on, credentials too, because an equal key returns the token.
    pub async fn token<E, F: Future<Output = Result<Token<T>, E>>>(
        &self,
        key: &K,
        now: SystemTime,
        ask: impl FnOnce() -> F,
    ) -> Result<(T, Lookup), E> {
        if self.max_size == 0 {
            return Ok((ask().await?.value, Lookup::Miss));
        }
        let slot = self.slot(key);
        // A failed or cancelled request leaves no entry.
        let _unused = UnusedSlot { cache: self, key };
        let mut cached = slot.lock().await;
        if let Some(cached) = &*cached
            && now < cached.until
            && Instant::now() < cached.by
        {
            return Ok((cached.value.clone(), Lookup::Hit));
        }
        let requested_at = Instant::now();
        let token = ask().await?;
        let life = token.expires.duration_since(now).unwrap_or_default() * 4 / 5;
        let life = life.min(self.max_duration);
        // Keys without an end of life are not cached, and push out no token.
        if life.is_zero() {
            return Ok((token.value, Lookup::Miss));
        }
        *cached = Some(CachedToken {
            value: token.value.clone(),
            until: now + life,
            by: requested_at + life,
        });
        drop(cached);
        self.evict(key);
        Ok((token.value, Lookup::Miss))
    }

    /// Removes the tokens that match, except those of requests in flight. They do not count as
    /// evictions.
    pub fn remove(&self, matches: impl Fn(&T) -> bool) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|_, slot| {
            let cached = slot.try_lock();
            let token = cached.as_ref().ok().and_then(|cached| cached.as_ref());
            !token.is_some_and(|cached| matches(&cached.value))
        });
    }

    /// Reports whether the cache is disabled.
    pub fn is_off(&self) -> bool {
        self.max_size == 0
    }

    /// Returns the number of cached tokens.
    pub fn len(&self) -> usize {
        self.slots
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    /// Returns the number of evictions since the last call.
    pub fn take_evictions(&self) -> u64 {
        self.evictions.swap(0, Ordering::Relaxed)
    }

    /// Reports whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn slot(&self, key: &K) -> Slot<T> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slots.entry(key.clone()).or_default())
    }

    /// Evicts the tokens that expire first, except the one of a key. Callers that have one can
    /// still use it. Requests in flight do not count: a failure must evict nothing.
    fn evict(&self, added: &K) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let end = |slot: &Slot<T>| {
            let cached = slot.try_lock().ok()?;
            cached.as_ref().map(|cached| cached.until)
        };
        let mut ends: Vec<(SystemTime, K)> = slots
            .iter()
            .filter_map(|(key, slot)| Some((end(slot)?, key.clone())))
            .collect();
        let excess = ends.len().saturating_sub(self.max_size);
        ends.retain(|(_, key)| key != added);
        ends.sort_unstable_by_key(|(end, _)| *end);
        for (_, key) in ends.into_iter().take(excess) {
            slots.remove(&key);
            self.evictions.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Removes the slot of a key at the end of a lookup, if it holds no token.
struct UnusedSlot<'c, K: Eq + Hash, T> {
    cache: &'c TokenCache<K, T>,
    key: &'c K,
}

impl<K: Eq + Hash, T> Drop for UnusedSlot<'_, K, T> {
    fn drop(&mut self) {
        let slots = &self.cache.slots;
        let mut slots = slots.lock().unwrap_or_else(PoisonError::into_inner);
        // The map and this lookup hold the slot; another lookup still needs it.
        let is_unused = slots.get(self.key).is_some_and(|slot| {
            Arc::strong_count(slot) <= 2 && slot.try_lock().is_ok_and(|cached| cached.is_none())
        });
        if is_unused {
            slots.remove(self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn at(second: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(second)
    }

    async fn look(cache: &TokenCache<&'static str, u32>, key: &'static str, now: u64) -> Lookup {
        let ask = || async {
            Ok::<_, Infallible>(Token {
                value: 7,
                expires: at(1000),
            })
        };
        cache.token(&key, at(now), ask).await.expect("no failure").1
    }

    #[tokio::test]
    async fn token_is_cached_for_most_of_its_lifetime() {
        let cache = TokenCache::new(10, Duration::from_hours(2));
        for (now, expected) in [
            (0, Lookup::Miss),
            (799, Lookup::Hit),
            (800, Lookup::Miss),
            (959, Lookup::Hit),
            (960, Lookup::Miss),
        ] {
            assert_eq!(look(&cache, "a", now).await, expected, "at {now}");
        }
        assert_eq!(look(&cache, "b", 0).await, Lookup::Miss);
    }

    #[tokio::test(start_paused = true)]
    async fn clock_set_back_does_not_extend_a_token() {
        let cache = TokenCache::new(10, Duration::from_hours(2));
        assert_eq!(look(&cache, "a", 0).await, Lookup::Miss);
        tokio::time::advance(Duration::from_secs(799)).await;
        assert_eq!(look(&cache, "a", 10).await, Lookup::Hit);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(look(&cache, "a", 10).await, Lookup::Miss);
    }

    #[tokio::test]
    async fn cache_limits_hold() {
        let none = TokenCache::new(0, Duration::from_hours(1));
        assert_eq!(look(&none, "a", 0).await, Lookup::Miss);
        assert_eq!(look(&none, "a", 0).await, Lookup::Miss);
        let short = TokenCache::new(2, Duration::from_secs(10));
        assert_eq!(look(&short, "a", 0).await, Lookup::Miss);
        assert_eq!(look(&short, "a", 10).await, Lookup::Miss);
        look(&short, "b", 11).await;
        look(&short, "c", 12).await;
        assert_eq!(short.len(), 2);
        assert_eq!((short.take_evictions(), short.take_evictions()), (1, 0));
        assert_eq!(look(&short, "c", 13).await, Lookup::Hit);
    }

    #[tokio::test]
    async fn failure_is_not_cached() {
        let cache: TokenCache<&str, u32> = TokenCache::new(2, Duration::from_hours(1));
        let refused = cache
            .token(&"a", at(0), || async { Err::<Token<u32>, _>("no") })
            .await;
        assert_eq!(refused, Err("no"));
        assert_eq!((cache.len(), cache.take_evictions()), (0, 0));
        assert_eq!(look(&cache, "a", 0).await, Lookup::Miss);
    }

    #[tokio::test]
    async fn token_without_life_evicts_nothing() {
        let cache: TokenCache<&str, u32> = TokenCache::new(1, Duration::from_hours(1));
        assert_eq!(look(&cache, "a", 0).await, Lookup::Miss);
        assert_eq!(look(&cache, "b", 1000).await, Lookup::Miss);
        assert_eq!(look(&cache, "a", 0).await, Lookup::Hit);
        assert_eq!((cache.len(), cache.take_evictions()), (1, 0));
    }

    #[tokio::test]
    async fn failure_evicts_nothing() {
        let cache: TokenCache<&str, u32> = TokenCache::new(1, Duration::from_hours(1));
        assert_eq!(look(&cache, "a", 0).await, Lookup::Miss);
        let refused = cache.token(&"b", at(0), || async { Err::<Token<u32>, _>("no") });
        assert_eq!(refused.await, Err("no"));
        assert_eq!(look(&cache, "a", 0).await, Lookup::Hit);
        assert_eq!((cache.len(), cache.take_evictions()), (1, 0));
    }

    #[tokio::test]
    async fn concurrent_misses_share_a_request() {
        let cache: TokenCache<&str, u32> = TokenCache::new(2, Duration::from_hours(1));
        let count = AtomicU64::new(0);
        let ask = || async {
            count.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            Ok::<_, Infallible>(Token {
                value: 7,
                expires: at(1000),
            })
        };
        let now = at(0);
        let (a, b, c) = tokio::join!(
            cache.token(&"a", now, ask),
            cache.token(&"a", now, ask),
            cache.token(&"b", now, ask)
        );
        let found = [a, b, c].map(|found| found.unwrap().1);
        assert_eq!(found, [Lookup::Miss, Lookup::Hit, Lookup::Miss]);
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn cancelled_request_leaves_no_entry() {
        let cache: TokenCache<&str, u32> = TokenCache::new(2, Duration::from_hours(1));
        let now = at(0);
        let never = cache.token(
            &"a",
            now,
            std::future::pending::<Result<Token<u32>, Infallible>>,
        );
        let _timeout = tokio::time::timeout(Duration::ZERO, never).await;
        assert_eq!(cache.len(), 0);
    }

    /// Workers that look up the same keys, one of which belongs to a slow service.
    #[tokio::test(start_paused = true)]
    async fn slow_service_delays_its_key_only() {
        const KEYS: u32 = 200;
        const WORKERS: u32 = 20;
        let cache = Arc::new(TokenCache::new(500, Duration::from_hours(1)));
        let asked = Arc::new(AtomicU64::new(0));
        let look = async |cache: &TokenCache<u32, u32>, asked: &AtomicU64, key, lasts| {
            let ask = || async {
                asked.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(lasts).await;
                Ok::<_, Infallible>(Token {
                    value: key,
                    expires: at(3600),
                })
            };
            cache.token(&key, at(0), ask).await.expect("no failure").0
        };
        let began = Instant::now();
        let mut workers = tokio::task::JoinSet::new();
        for worker in 0..WORKERS {
            let (cache, asked) = (Arc::clone(&cache), Arc::clone(&asked));
            workers.spawn(async move {
                if worker == 0 {
                    look(&cache, &asked, KEYS, Duration::from_mins(5)).await;
                    return began.elapsed();
                }
                for key in 0..KEYS {
                    let found = look(&cache, &asked, key, Duration::from_millis(10)).await;
                    assert_eq!(found, key);
                }
                began.elapsed()
            });
        }
        let mut lasted = workers.join_all().await;
        lasted.sort_unstable();
        assert_eq!(asked.load(Ordering::Relaxed), u64::from(KEYS) + 1);
        let [.., others, slow] = lasted.as_slice() else {
            panic!("{lasted:?}");
        };
        assert!(*others <= Duration::from_secs(2), "{others:?}");
        assert_eq!(*slow, Duration::from_mins(5));
    }

    #[tokio::test(start_paused = true)]
    async fn expired_token_is_never_returned_within_a_day() {
        let cache = TokenCache::new(10, Duration::from_hours(1));
        let mut asked = 0;
        for minute in 0..24 * 60 {
            let now = at(minute * 60);
            let expires = now + Duration::from_mins(15);
            let ask = || {
                asked += 1;
                async move {
                    Ok::<_, Infallible>(Token {
                        value: expires,
                        expires,
                    })
                }
            };
            let (end, _) = cache.token(&"a", now, ask).await.expect("no failure");
            assert!(end > now, "minute {minute}");
            tokio::time::advance(Duration::from_mins(1)).await;
        }
        // A token is cached for 12 of its 15 minutes.
        assert_eq!(asked, 24 * 60 / 12);
    }
}
