//! Tests the queues under tokio's paused time, in which a wait takes no time.

use std::collections::HashSet;

use jiff::Timestamp;
use serde_json::json;
use tokio::time::Instant;

use super::*;
use crate::event::{Sameness, key};

/// A clock that follows tokio's time.
#[derive(Debug)]
struct TokioClock(Instant);

impl Clock for TokioClock {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH.checked_add(self.0.elapsed()).unwrap()
    }
}

/// Records deliveries, and fails those to the Providers that are down.
struct Recorder {
    clock: TokioClock,
    down: HashSet<&'static str>,
    /// Providers in `down` work after this time.
    up_after: Duration,
    failure: Failure,
    timeout: Duration,
    log: Mutex<Vec<String>>,
}

impl Recorder {
    fn new(down: &[&'static str], up_after: Duration) -> Self {
        Self {
            clock: TokioClock(Instant::now()),
            down: down.iter().copied().collect(),
            up_after,
            failure: Failure::Transient { retry_after: None },
            timeout: Duration::ZERO,
            log: Mutex::default(),
        }
    }

    fn record(&self, outcome: &str, notification: &Notification) {
        let seconds = self.clock.0.elapsed().as_secs();
        let line = format!(
            "{seconds} {outcome} {} {}",
            notification.provider().name(),
            notification.arrival.event.message
        );
        self.log.lock().unwrap().push(line);
    }
}

impl Courier for Recorder {
    async fn deliver(&self, notification: &Notification) -> Result<(), FailedAttempt> {
        let is_down = self.down.contains(notification.provider().name())
            && self.clock.0.elapsed() < self.up_after;
        if is_down {
            self.record("failed", notification);
            return Err(FailedAttempt {
                failure: self.failure,
                timeout: self.timeout,
            });
        }
        self.record("delivered", notification);
        Ok(())
    }

    fn give_up(&self, notification: &Notification) {
        self.record("given up", notification);
    }
}

struct Queues {
    deliveries: Deliveries<Recorder>,
    waiting: IntGauge,
    stop: CancellationToken,
}

impl Queues {
    fn new(recorder: Recorder, max_age: Duration) -> Self {
        let clock = Arc::new(TokioClock(recorder.clock.0));
        let waiting = IntGauge::new("waiting", "waiting").unwrap();
        let stop = CancellationToken::new();
        let gauge = waiting.clone();
        Self {
            deliveries: Deliveries::new(recorder, max_age, clock, gauge, stop.clone()),
            waiting,
            stop,
        }
    }

    fn push(&self, provider: &str, message: &str) {
        self.push_sized(provider, message, 1);
    }

    fn push_sized(&self, provider: &str, message: &str, bytes: usize) {
        let event = Event {
            message: message.into(),
            ..Event::default()
        };
        let alert = serde_json::from_value(json!({
            "apiVersion": "notification.toolkit.fluxcd.io/v1beta3", "kind": "Alert",
            "metadata": { "name": "a", "namespace": "apps" },
            "spec": { "providerRef": { "name": provider }, "eventSources": [] },
        }))
        .unwrap();
        let arrival = Arrival {
            key: key(&event, Sameness::Meaning),
            event,
            window: Timestamp::UNIX_EPOCH,
            bytes,
        };
        self.deliveries.push(Notification {
            arrival: Arc::new(arrival),
            alert: Arc::new(alert),
        });
    }

    /// Waits until all queues are empty. Returns the log.
    async fn log(self) -> Vec<String> {
        self.deliveries.shared.tasks.close();
        self.deliveries.shared.tasks.wait().await;
        assert_eq!(self.waiting.get(), 0);
        assert_eq!(self.deliveries.shared.queues().bytes, 0);
        let log = self.deliveries.courier().log.lock().unwrap();
        log.clone()
    }
}

#[tokio::test(start_paused = true)]
async fn provider_that_is_down_delays_no_other_one() {
    let recorder = Recorder::new(&["down"], Duration::from_mins(1));
    let queues = Queues::new(recorder, Duration::from_mins(10));
    for number in 0..3 {
        queues.push("down", &number.to_string());
        queues.push("up", &number.to_string());
    }
    let log = queues.log().await;
    for number in 0..3 {
        assert!(log.contains(&format!("0 delivered up {number}")), "{log:?}");
    }
    let of_down: Vec<_> = log.iter().filter(|line| line.contains("down")).collect();
    assert_eq!(
        of_down,
        [
            "0 failed down 0",
            "2 failed down 0",
            "6 failed down 0",
            "14 failed down 0",
            "30 failed down 0",
            "62 delivered down 0",
            "62 delivered down 1",
            "62 delivered down 2",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn notification_is_given_up_after_its_maximum_age() {
    let recorder = Recorder::new(&["down"], Duration::from_hours(1));
    let queues = Queues::new(recorder, Duration::from_secs(10));
    queues.push("down", "m");
    let log = queues.log().await;
    assert_eq!(
        log[log.len() - 2..],
        ["10 failed down m", "10 given up down m"]
    );
}

/// As in the reference, whose timeout includes all attempts.
#[tokio::test(start_paused = true)]
async fn age_of_zero_retries_within_the_timeout() {
    let mut recorder = Recorder::new(&["down"], Duration::from_hours(1));
    recorder.timeout = Duration::from_secs(15);
    let queues = Queues::new(recorder, Duration::ZERO);
    queues.push("down", "m");
    let log = queues.log().await;
    assert_eq!(log[..2], ["0 failed down m", "2 failed down m"]);
    assert_eq!(
        log[log.len() - 2..],
        ["14 failed down m", "14 given up down m"]
    );
}

#[tokio::test(start_paused = true)]
async fn largest_queue_makes_room_for_others() {
    let recorder = Recorder::new(&["large", "small"], Duration::from_secs(1));
    let queues = Queues::new(recorder, Duration::from_mins(10));
    let share = crate::delivery::MAX_BYTES / 2;
    for provider in ["a", "b", "c"] {
        queues.push_sized(provider, "1", share);
        queues.push_sized(provider, "2", share);
    }
    queues.push_sized("large", "1", share);
    queues.push_sized("large", "2", share);
    queues.push_sized("small", "1", 2);
    let shared = &queues.deliveries.shared;
    assert!(shared.queues().bytes <= MAX_BYTES);
    let log = queues.log().await;
    let given_up: Vec<_> = log.iter().filter(|it| it.contains("given up")).collect();
    assert_eq!(given_up.len(), 1, "{log:?}");
    assert!(log.contains(&"2 delivered small 1".to_owned()), "{log:?}");
}

#[tokio::test(start_paused = true)]
async fn refused_notification_is_given_up_at_once() {
    let mut recorder = Recorder::new(&["down"], Duration::from_hours(1));
    recorder.failure = Failure::Permanent;
    let queues = Queues::new(recorder, Duration::from_mins(10));
    queues.push("down", "1");
    queues.push("down", "2");
    assert_eq!(
        queues.log().await,
        [
            "0 failed down 1",
            "0 given up down 1",
            "0 failed down 2",
            "0 given up down 2",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn full_queue_gives_up_its_oldest_notification() {
    let recorder = Recorder::new(&["down"], Duration::from_secs(1));
    let queues = Queues::new(recorder, Duration::from_mins(10));
    for number in 0..=crate::delivery::MAX_MESSAGES {
        queues.push("down", &number.to_string());
    }
    assert_eq!(queues.waiting.get(), 10_000);
    let log = queues.log().await;
    assert_eq!(log[0], "0 given up down 0");
    assert_eq!(log.last().unwrap(), "2 delivered down 10000");
}

#[tokio::test(start_paused = true)]
async fn shutdown_ends_the_wait_for_a_retry() {
    let recorder = Recorder::new(&["down"], Duration::from_hours(1));
    let queues = Queues::new(recorder, Duration::from_mins(10));
    queues.push("down", "m");
    queues.stop.cancel();
    queues.deliveries.drain().await;
    let log = queues.deliveries.courier().log.lock().unwrap().clone();
    assert_eq!(log, ["0 failed down m"]);
}
