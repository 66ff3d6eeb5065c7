//! Queues the messages of a Provider, in order and with retries.
//!
//! Each Provider has its own queue, so a slow Provider does not delay others. A failed message is
//! retried before later ones, so the order stays. The queue has no clock and no client. A sender
//! calls [`Queue::next`], sends, and reports with [`Queue::delivered`] or [`Queue::failed`].

use std::collections::VecDeque;
use std::time::Duration;

use jiff::Timestamp;

/// Maximum number of waiting messages. A full queue drops the oldest one.
pub const MAX_MESSAGES: usize = 10_000;
/// Wait after the first failure. It doubles with each further failure.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// Maximum wait.
const MAX_WAIT: Duration = Duration::from_mins(10);

/// Messages of one Provider.
#[derive(Debug)]
pub struct Queue<M> {
    max_age: Duration,
    max_messages: usize,
    waiting: VecDeque<WaitingMessage<M>>,
    /// Failures of the first message.
    failures: u32,
    /// Earliest time of the next attempt.
    not_before: Timestamp,
}

#[derive(Debug)]
struct WaitingMessage<M> {
    message: M,
    since: Timestamp,
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

impl<M> Queue<M> {
    /// Creates an empty queue. A message older than `max_age` is given up after its next failure.
    pub fn new(max_age: Duration) -> Self {
        Self::with_capacity(max_age, MAX_MESSAGES)
    }

    /// Creates an empty queue for a number of messages.
    pub fn with_capacity(max_age: Duration, max_messages: usize) -> Self {
        Self {
            max_age,
            max_messages: max_messages.max(1),
            waiting: VecDeque::new(),
            failures: 0,
            not_before: Timestamp::MIN,
        }
    }

    /// Appends a message. Returns the message that is given up to make room for it.
    pub fn push(&mut self, message: M, now: Timestamp) -> Option<M> {
        self.waiting.push_back(WaitingMessage {
            message,
            since: now,
        });
        if self.waiting.len() > self.max_messages {
            self.failures = 0;
            return self.waiting.pop_front().map(|waiting| waiting.message);
        }
        None
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
        self.waiting.pop_front().map(|waiting| waiting.message)
    }

    /// Records a failure of the first message. Returns the message if it is given up.
    pub fn failed(&mut self, failure: Failure, now: Timestamp) -> Option<M> {
        let first = self.waiting.front()?;
        let age = u64::try_from(now.duration_since(first.since).as_secs()).unwrap_or_default();
        let is_old = Duration::from_secs(age) >= self.max_age;
        let retry_after = match failure {
            Failure::Transient { retry_after } => retry_after,
            Failure::Permanent => {
                self.failures = 0;
                return self.waiting.pop_front().map(|waiting| waiting.message);
            }
        };
        let doubled = FIRST_WAIT.saturating_mul(1 << self.failures.min(16));
        let wait = retry_after.unwrap_or(doubled).max(doubled).min(MAX_WAIT);
        // The service is also down for later messages, so they wait as well.
        self.not_before = now.checked_add(wait).unwrap_or(Timestamp::MAX);
        self.failures = self.failures.saturating_add(1);
        if is_old {
            return self.waiting.pop_front().map(|waiting| waiting.message);
        }
        None
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
