//! Queues the messages of a Provider, in order and with retries.
//!
//! Each Provider has its own queue, so a slow Provider does not delay others. A failed message is
//! retried before later ones, so the order stays. A message that is too old for another retry is
//! given up, with all that are as old. So an outage does not end with hours of old messages.
//!
//! The queue has no clock and no client. A sender calls [`Queue::next`], sends, and reports with
//! [`Queue::delivered`] or [`Queue::failed`].

use std::collections::VecDeque;
use std::time::Duration;

use jiff::Timestamp;

/// Maximum number of waiting messages. A full queue drops the oldest one.
pub const MAX_MESSAGES: usize = 10_000;
/// Maximum size of waiting messages. A full queue drops the oldest ones.
pub const MAX_BYTES: usize = 64 << 20;
/// Wait after the first failure. It doubles with each further failure.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// Maximum wait.
const MAX_WAIT: Duration = Duration::from_mins(10);

/// Messages of one Provider.
#[derive(Debug)]
pub struct Queue<M> {
    max_messages: usize,
    waiting: VecDeque<WaitingMessage<M>>,
    /// Size of all waiting messages.
    bytes: usize,
    /// Failures of the first message.
    failures: u32,
    /// Earliest time of the next attempt.
    not_before: Timestamp,
}

#[derive(Debug)]
struct WaitingMessage<M> {
    message: M,
    since: Timestamp,
    bytes: usize,
}

impl<M> WaitingMessage<M> {
    fn age(&self, now: Timestamp) -> Duration {
        Duration::try_from(now.duration_since(self.since)).unwrap_or_default()
    }
}

/// The next step of a sender.
#[derive(Debug, PartialEq, Eq)]
pub enum Next<'q, M> {
    /// Send the message.
    Send(&'q M),
    /// Wait until this time.
    WaitUntil(Timestamp),
    /// The queue is empty.
    Idle,
}

/// Whether a failed message may succeed later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The service does not respond, or asks for a later attempt.
    Transient {
        /// Wait that the service asks for.
        retry_after: Option<Duration>,
    },
    /// The service rejects the message.
    Permanent,
}

impl Failure {
    /// Classifies the status of a response.
    pub const fn of_status(status: u16, retry_after: Option<Duration>) -> Self {
        match status {
            // A service without an implementation fails at each retry.
            501 => Self::Permanent,
            408 | 425 | 429 | 500..=599 => Self::Transient { retry_after },
            _ => Self::Permanent,
        }
    }
}

impl<M> Default for Queue<M> {
    fn default() -> Self {
        Self::with_capacity(MAX_MESSAGES)
    }
}

impl<M> Queue<M> {
    /// Creates an empty queue for a number of messages.
    pub fn with_capacity(max_messages: usize) -> Self {
        Self {
            max_messages: max_messages.max(1),
            waiting: VecDeque::new(),
            bytes: 0,
            failures: 0,
            not_before: Timestamp::MIN,
        }
    }

    /// Appends a message of a size. Returns the messages that are given up to make room for it.
    pub fn push(&mut self, message: M, bytes: usize, now: Timestamp) -> Vec<M> {
        self.waiting.push_back(WaitingMessage {
            message,
            since: now,
            bytes,
        });
        self.bytes = self.bytes.saturating_add(bytes);
        let mut evicted = Vec::new();
        while self.waiting.len() > self.max_messages
            || (self.bytes > MAX_BYTES && self.waiting.len() > 1)
        {
            evicted.extend(self.evict());
        }
        evicted
    }

    /// Gives up the oldest message.
    pub fn evict(&mut self) -> Option<M> {
        self.failures = 0;
        self.pop()
    }

    fn pop(&mut self) -> Option<M> {
        let waiting = self.waiting.pop_front()?;
        self.bytes = self.bytes.saturating_sub(waiting.bytes);
        Some(waiting.message)
    }

    /// Returns the next action.
    pub fn next(&self, now: Timestamp) -> Next<'_, M> {
        match self.waiting.front() {
            None => Next::Idle,
            Some(_) if now < self.not_before => Next::WaitUntil(self.not_before),
            Some(waiting) => Next::Send(&waiting.message),
        }
    }

    /// Returns the first message without removing it.
    pub fn first(&self) -> Option<&M> {
        self.waiting.front().map(|waiting| &waiting.message)
    }

    /// Removes the first message after its delivery.
    pub fn delivered(&mut self) -> Option<M> {
        self.failures = 0;
        self.not_before = Timestamp::MIN;
        self.pop()
    }

    /// Records a failure of the first message. Returns the messages that are given up: a rejected
    /// one, or those for which `max_age` leaves no time for a retry.
    pub fn failed(&mut self, failure: Failure, max_age: Duration, now: Timestamp) -> Vec<M> {
        let Failure::Transient { retry_after } = failure else {
            self.failures = 0;
            return self.pop().into_iter().collect();
        };
        let left = |waiting: &WaitingMessage<M>| max_age.saturating_sub(waiting.age(now));
        let waiting = self.waiting.iter();
        let expired = waiting.take_while(|it| left(it) < FIRST_WAIT).count();
        let given_up = (0..expired).filter_map(|_| self.pop()).collect();
        // The service is also down for later messages, so they wait as well.
        let mut wait = FIRST_WAIT.saturating_mul(1 << self.failures.min(16));
        if let Some(first) = self.waiting.front() {
            wait = wait.min(left(first));
        }
        let wait = retry_after.unwrap_or(wait).max(wait).min(MAX_WAIT);
        self.not_before = now.checked_add(wait).unwrap_or(Timestamp::MAX);
        self.failures = self.failures.saturating_add(1);
        given_up
    }

    /// Returns the size of the waiting messages.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the number of waiting messages.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether no message waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests;
